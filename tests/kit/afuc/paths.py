#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random code without any structure, and what follows of it from the definitions of docs/analysis.md and docs/afuc-lint.md.

    paths.py GPUCODE

Branches lead anywhere, into other functions and back. The program is known word by word, nothing is decoded; functions,
blocks, calls, depths and the rules about paths are worked out here once more, the plain way: states of words instead of
blocks, sets until nothing changes. They must be what `graph` and `lint` say.
"""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

HEADER = 2  # words in front of the code
SCRATCH = [f"${number:02x}" for number in range(0x02, 0x08)]
ALL_SCRATCH = {f"${number:02x}" for number in range(0x02, 0x12)}
GLOBALS = {f"${number:02x}" for number in range(0x12, 0x1a)}
LEADING = ("cond", "jump", "call", "bl")  # have a target
TRANSFERS = LEADING + ("ret", "iret", "sret", "waitin")
DEFAULT, INTERRUPT = 16, 15  # packets: CP_NOP, IN_PREEMPT
CODES = {"afuc-lint-" + code for code in (
    "stack-underflow", "stack-leak", "waitin-slot", "delay-waitin", "delay-branch", "global-write", "uninit", "rep-rem",
    "dead-store", "rem")}
Word = collections.namedtuple("Word", "text kind reads writes repeats takes test target", defaults=("plain", (), (), False, False, None, None))


# --- programs

def plain_word(rng):
    one, other = rng.sample(SCRATCH, 2)
    return rng.choice([
        Word(f"mov {one}, {other}", reads=(other,), writes=(one,)), Word(f"mov {one}, {other}", reads=(other,), writes=(one,)),
        Word(f"mov {one}, 0x{rng.randrange(1, 99):x}", writes=(one,)), Word(f"mov {one}, $data", writes=(one,), takes=True),
        Word(f"mov {one}, $data", writes=(one,), takes=True), Word(f"add {one}, {one}, {other}", reads=(one, other), writes=(one,)),
        Word(f"(rep)mov {one}, {other}", reads=(other,), writes=(one,), repeats=True),
        Word(f"mov ${rng.randrange(0x12, 0x1a):02x}, {one}", reads=(one,), writes=()), Word("nop"),
        Word(f"mov $rem, 0x{rng.randrange(3):x}", writes=("$rem",)), Word("swrite $00, [$00 + %SP]", kind="drop")])


def test_word(rng, register=None):
    register = register or rng.choice(SCRATCH + ["$rem"])
    which = rng.choice(["0x0", f"b{rng.randrange(4)}", f"0x{rng.randrange(4):x}"])
    mnemonic = rng.choice(["brne", "breq"])
    return Word(f"{mnemonic} {register}, {which}, ", "cond", reads=(register,), test=(mnemonic, register, which))


def transfer_words(rng, late):
    """A transfer with its slot; where that is a transfer, with the one behind it."""
    kind = rng.choice(["cond"] * 6 + ["jump"] * 3 + ["call"] * 4 + ["bl"] + ["ret"] * 2 + ["waitin"] * 4 + ["iret"] + ["sret"] * late)
    word = test_word(rng) if kind == "cond" else Word(kind + " " * (kind in LEADING), kind)
    if kind == "waitin" and rng.random() < .8:
        return [word, Word("mov $01, $data", takes=True)]
    if kind not in ("cond", "jump") or rng.random() > .2:
        return [word, plain_word(rng)]
    if rng.random() < .3:
        inner = rng.choice(["jump", "call", "waitin", "ret"])
        return [word, Word(inner + " " * (inner in LEADING), inner), plain_word(rng)]
    return [word, test_word(rng, word.test[1] if word.test and rng.random() < .6 else None), plain_word(rng)]


class Program:
    def __init__(self, seed):
        rng = random.Random(f"paths {seed}")
        self.late = rng.random() < .5
        words, free = [Word("mov $02, 0x1", writes=("$02",))], [0]  # nops would belong to the header
        for _ in range(rng.randrange(8, 40)):
            if rng.random() < .55:
                free.append(len(words))
                words += transfer_words(rng, self.late)
            else:
                free.append(len(words))
                words.append(plain_word(rng))
        self.default = len(words)
        words += [Word("waitin", "waitin"), Word("mov $01, $data", takes=True)]
        free.append(self.default)
        self.words = [word._replace(target=rng.choice(free)) if word.kind in LEADING else word for word in words]
        own = rng.sample([packet for packet in range(128) if packet not in (DEFAULT, INTERRUPT)], rng.randrange(1, 5))
        self.table = {packet: self.default for packet in range(128)}
        self.table.update({packet: rng.choice(free) for packet in own})
        self.handlers = set(self.table.values()) - {0}

    def text(self):
        lines = ["[01730001]" if self.late else "[016ee002]", "[#jumptbl]"]
        for at, word in enumerate(self.words):
            lines += [f"UNKN{packet}:" for packet in self.table if self.table[packet] == at] + [f"w{at}:"]
            lines.append("    " + word.text + (f"#w{word.target}" if word.kind in LEADING else ""))
        return "\n".join(lines + ["jumptbl:", ".jumptbl", ""])

    # --- where control goes

    def ways(self, at):
        """(kind of edge, words of the slot, where to) of each way behind an ordinary word; None: nowhere in the code."""
        word, behind = self.words[at], at + 2
        if word.kind not in TRANSFERS:
            return [("next", (), at + 1)]
        idle = self.words[at + 1].kind in TRANSFERS  # in a slot it has no effect
        slot = () if idle else (at + 1,)
        if word.kind == "cond":
            return [("taken", slot, word.target), ("next", slot, at + 1 if idle else behind)]
        if word.kind == "jump":
            return [("taken", slot, word.target)]
        if word.kind in ("call", "bl"):
            return [("behind", slot, behind)]
        return [("dispatch" if word.kind == "waitin" else "return", slot, None)]

    def function(self, start, entries):
        """Words of a function, what it calls, and which functions it goes on in."""
        words, calls, tails, todo = set(), [], set(), [start]
        while todo:
            at = todo.pop()
            if at in words:
                continue
            words.add(at)
            if self.words[at].kind in ("call", "bl"):
                calls.append((at, self.words[at].target, self.words[at].kind))
            for _, _, to in self.ways(at):
                if to is not None and to in entries and to != start:
                    tails.add(to)
                elif to is not None:
                    todo.append(to)
        return words, sorted(calls), tails

    def find_functions(self):
        entries = {0} | self.handlers
        while True:
            found = {entry: self.function(entry, entries) for entry in entries}
            more = entries | {to for _, calls, _ in found.values() for _, to, _ in calls}
            if more == entries:
                return found
            entries = more

    def find_blocks(self, functions):
        leaders = set(functions)
        for words, _, _ in functions.values():
            leaders |= {to for at in words for kind, _, to in self.ways(at)
                        if kind == "taken" or (kind == "next" and self.words[at].kind in TRANSFERS)}
        return {leader: self.block(leader, leaders) for leader in leaders}

    def block(self, leader, leaders):
        at = leader
        while True:
            word = self.words[at]
            if word.kind in TRANSFERS and word.kind not in ("call", "bl"):
                end = at + (1 if word.kind == "cond" and self.words[at + 1].kind in TRANSFERS else 2)
                return leader, end, sorted((kind, to) for kind, _, to in self.ways(at))
            at += 2 if word.kind in ("call", "bl") else 1
            if at in leaders:
                return leader, at, [("next", at)]

    def depth(self, functions, entry):
        """Addresses on the stack; None where a call leads back to its caller."""
        ways = {start: [(to, kind == "call", True) for _, to, kind in calls] + [(to, False, False) for to in tails]
                for start, (_, calls, tails) in functions.items()}

        def below(start):
            seen, todo = set(), [start]
            while todo:
                one = todo.pop()
                if one not in seen:
                    seen.add(one)
                    todo += [to for to, _, _ in ways[one]]
            return seen
        reached = below(entry)
        if any(calls and start in below(to) for start in reached for to, _, calls in ways[start]):
            return None
        depths = dict.fromkeys(reached, 0)
        for _ in reached:
            depths = {start: max([0] + [depths[to] + pushes for to, pushes, _ in ways[start]]) for start in reached}
        return depths[entry]

    def graph(self):
        functions = self.find_functions()
        blocks = self.find_blocks(functions)
        kinds = {entry: "boot" if entry == 0 else "handler" if entry in self.handlers else "routine" for entry in functions}
        return [(start, kinds[start], [blocks[leader] for leader in sorted(blocks) if leader in functions[start][0]],
                 functions[start][1], self.depth(functions, start)) for start in sorted(functions)]

    # --- rules

    def walk(self, start, passes=lambda at: True):
        """Words on paths from a word on, into other functions, over calls."""
        seen, todo = set(), [start]
        while todo:
            at = todo.pop()
            if at not in seen and passes(at):
                seen.add(at)
                todo += [to for _, _, to in self.ways(at) if to is not None]
        return seen

    def find_slots(self, words):
        found = set()
        for at in words:
            word = self.words[at]
            if word.kind not in TRANSFERS:
                continue
            slot = self.words[at + 1]
            if word.kind == "waitin" and slot.text != "mov $01, $data":
                found.add(("waitin-slot", at + 1))
            if slot.kind in ("waitin", "call", "bl", "ret", "iret", "sret"):
                found.add(("delay-waitin", at + 1))
            if slot.kind in ("cond", "jump") and not (word.test and slot.test and word.test[1] == slot.test[1] and
                                                      not any(goes(word.test, value) and goes(slot.test, value) for value in range(64))):
                found.add(("delay-branch", at + 1))
        return found

    def find_stack(self, functions):
        found = {("stack-underflow", at) for root in self.handlers | {0} for at in self.linked(root) if self.words[at].kind == "ret"}
        called = {to for _, calls, _ in functions.values() for _, to, kind in calls if kind == "call"} - self.handlers - {0}
        for start in called:
            found |= {("stack-leak", at) for at in self.walk(start, lambda at: self.words[at].kind != "drop" and not (
                self.words[at].kind in TRANSFERS and self.words[at].kind != "waitin" and self.words[at + 1].kind == "drop"))
                      if self.words[at].kind == "waitin"}
        return found

    def linked(self, root):
        """Words reached with nothing pushed: by jumps and bl."""
        seen, todo = set(), [root]
        while todo:
            words = self.walk(todo.pop()) - seen
            seen |= words
            todo += [self.words[at].target for at in words if self.words[at].kind == "bl"]
        return seen

    def written(self, at, before):
        return before | set(self.words[at].writes) | ({"$rem"} if self.words[at].repeats else set())

    def follow(self, start, before, summaries, visit=lambda at, state: None, call=lambda to, state: None):
        """What is surely written wherever the function returns; None: it does not."""
        states, todo, returned = {start: frozenset(before)}, [start], None
        while todo:
            at = todo.pop()
            visit(at, states[at])
            for kind, slot, to in self.ways(at):
                state = self.written(at, states[at])
                for one in slot:
                    visit(one, state)
                    state = self.written(one, state)
                if kind == "return":
                    returned = state if returned is None else returned & state
                if kind == "behind":
                    call(self.words[at].target, state)
                    if summaries[self.words[at].target] is None:
                        continue
                    state |= summaries[self.words[at].target]
                if to is not None and (to not in states or states[to] & state != states[to]):
                    states[to] = frozenset(state & states.get(to, state))
                    todo.append(to)
        return returned

    def find_unwritten(self, functions):
        summaries, known = dict.fromkeys(functions), None
        while summaries != known:
            known, summaries = summaries, {start: self.follow(start, (), summaries) for start in functions}
        surely, entry = {}, {start: frozenset() for start in self.handlers}
        todo = list(self.handlers)

        def visit(at, state):
            surely[at] = surely.get(at, state) & state

        def call(to, state):
            if to not in entry or entry[to] & state != entry[to]:
                entry[to] = frozenset(state & entry.get(to, state))
                todo.append(to)
        while todo:
            start = todo.pop()
            self.follow(start, entry[start], summaries, visit, call)
        found = {("uninit", at) for at in surely if (set(self.words[at].reads) & set(SCRATCH)) - surely[at]}
        return found | {("rep-rem", at) for at in surely
                        if self.words[at].repeats and not self.words[at].takes and "$rem" not in surely[at]}

    def find_dead(self, words):
        alive, read, changed = {at: frozenset() for at in words}, collections.defaultdict(set), True

        def before(at, behind):
            word = self.words[at]
            return (set(behind) - (set() if word.repeats else set(word.writes))) | (set(word.reads) & ALL_SCRATCH)
        while changed:
            changed = False
            for at in words:
                own = set()
                for kind, slot, to in self.ways(at):
                    live = set(ALL_SCRATCH if kind in ("return", "behind") else () if to is None else alive[to])
                    for one in slot:
                        read[one] |= live
                        live = before(one, live)
                    own |= live
                read[at] |= own
                own = frozenset(before(at, own))
                changed |= own != alive[at]
                alive[at] = own
        return {("dead-store", at) for at in read if self.words[at].writes and self.words[at].writes[0] in ALL_SCRATCH and
                not self.words[at].takes and not self.words[at].repeats and self.words[at].writes[0] not in read[at]}

    def find_empty(self):
        """$data taken where $rem is 0 on all paths."""
        states, seen, todo = dict.fromkeys(self.handlers, False), {}, list(self.handlers)

        def step(at, empty):
            word = self.words[at]
            return word.text == "mov $rem, 0x0" if "$rem" in word.writes else word.repeats or empty
        while todo:
            at = todo.pop()
            seen[at] = seen.get(at, True) and states[at]
            word, behind = self.words[at], step(at, states[at])
            for kind, slot, to in self.ways(at):
                empty = behind
                if word.test and word.test[1:] == ("$rem", "0x0"):
                    empty = (word.test[0] == "breq") == (kind == "taken")
                for one in slot if kind != "dispatch" else ():
                    seen[one] = seen.get(one, True) and behind  # a slot is that of both ways
                    empty = step(one, empty)
                empty &= kind != "behind"
                if to is not None and (to not in states or (states[to] and not empty)):
                    states[to] = empty
                    todo.append(to)
        return {("rem", at) for at, empty in seen.items() if empty and self.words[at].takes and not self.words[at].repeats}

    def findings(self):
        functions = self.find_functions()
        words = set().union(*(words for words, _, _ in functions.values()))
        handled = set().union(*(self.walk(start) for start in self.handlers))
        reached, todo = set(), list(self.handlers)
        while todo:
            start = todo.pop()
            if start not in reached:
                reached.add(start)
                todo += [to for _, to, _ in functions[start][1]] + list(functions[start][2])
        inside = {one for start in reached for at in functions[start][0] for one in [at] + [s for _, slot, _ in self.ways(at) for s in slot]}
        found = {("global-write", at) for at in inside if self.words[at].text.split(",")[0].split()[-1] in GLOBALS}
        return (found | self.find_slots(words) | self.find_stack(functions) | self.find_unwritten(functions) |
                self.find_dead(handled) | self.find_empty())


def goes(test, value):
    mnemonic, _, which = test
    true = value >> int(which[1:]) & 1 if which[0] == "b" else value == int(which, 16)
    return bool(true) == (mnemonic == "breq")


# --- what the program says

def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or done.stderr:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def graph_of(gpucode, path):
    def place(edge):
        return edge["to_words"] - HEADER if "to_words" in edge else None
    section, = json.loads(run(gpucode, "graph", "--json", path))["sections"]
    return [(function["start_words"] - HEADER, function["kind"],
             [(block["start_words"] - HEADER, block["end_words"] - HEADER, sorted((edge["kind"], place(edge)) for edge in block["successors"]))
              for block in function["blocks"]],
             [(call["at_words"] - HEADER, call["to_words"] - HEADER, call["kind"]) for call in function["calls"]], function["depth"])
            for function in section["functions"]]


def findings_of(gpucode, path):
    found = [json.loads(line) for line in run(gpucode, "lint", "--json", path).splitlines()]
    return {(one["code"][len("afuc-lint-"):], one["at_words"] - HEADER) for one in found if one["code"] in CODES}


def main():
    gpucode = sys.argv[1]
    rounds = 1000 if os.environ.get("GPUCODE_LONG_TESTS") else 40
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.asm")
        for seed in range(rounds):
            program = Program(seed)
            with open(path, "w", encoding="utf-8") as file:
                file.write(program.text())
            for wanted, found in (program.graph(), graph_of(gpucode, path)), (program.findings(), findings_of(gpucode, path)):
                if wanted != found:
                    sys.exit(f"seed {seed}: lacks {[one for one in wanted if one not in found]}, "
                             f"has {[one for one in found if one not in wanted]}\n{program.text()}")
            seen["functions"] += len(program.graph())
            seen.update(code for code, _ in program.findings())
    print(f"{rounds} programs:", ", ".join(f"{count} {what}" for what, count in sorted(seen.items())))
    missing = {code[len("afuc-lint-"):] for code in CODES} - set(seen)
    if missing:
        sys.exit(f"no program has {missing}")


main()
