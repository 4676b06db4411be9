# SPDX-License-Identifier: MIT
"""AFUC's p-code against the machine, step by step. A step may differ only in places that a reason of the list names, and
a reason holds for what the step does: which words it has, which registers it touches."""
import json
import os
import re

import sleigh_machine
from steps import document, gpucode, hex_bytes, row_of, values_of, word_of

# Differences that are allowed, each with its reason; docs/export.md has the list too.
REASONS = {
    "header": "the word behind waitin takes a header: where control goes, and what $rem becomes, is the packet's",
    "control": "a control register that does something when it is written or read",
    "pipe": "a pipe register that acts when it is selected",
    "group": "(sds2)cwrite sets a draw-state group",
}
REM, ADDR, USRADDR, DATA = 0x1c, 0x1d, 0x1e, 0x1f
# Behaviours that p-code has as well.
MODELLED = {"MEM_READ_ADDR", "MEM_READ_DWORDS", "MEM_READ_ADDR_HI_PREEMPTION", "REG_READ_ADDR", "REG_READ_DWORDS",
            "LOAD_STORE_HI", "STORE_HI"}
# Fields of random words that are mostly zero, and those that are places of code or numbers of registers.
MODIFIERS, PLACES, NUMBERS = "rxpkwu", "fg", "mcq"


def names_with_behaviour(root):
    with open(os.path.join(root, "src/isa/afuc/machine/control.def"), encoding="utf-8") as file:
        return set(re.findall(r'^CONTROL\(\w+, "(\w+)"', file.read(), re.M))


class Comparison:
    """A module and the machine of one target."""

    def __init__(self, module, target, root, machine=sleigh_machine.Machine):
        self.module, self.target = module, target
        self.machine = machine(module, self.answer)
        known = document(target)
        self.rows = known["rows"]
        names = {entry["space"]: {int(number, 16): re.sub(r"\+0x1$", "", name)
                                  for number, name in entry["names"].items()} for entry in known["registers"]}
        acting = names_with_behaviour(root) - MODELLED
        self.acting = {number for number, name in names.get("control", {}).items() if name in acting}
        self.acting_pipes = {number for number, name in names.get("pipe", {}).items()
                             if name in ("WFI_PEND_DECR", "QUERY_PEND_DECR")}
        self.counters = {number for number, name in names.get("control", {}).items()
                         if name in ("WFI_PEND_CTR", "QUERY_PEND_CTR")}
        self.counts = {"same": 0, **{reason: 0 for reason in REASONS}}
        self.taken, self.short, self.cut = [], False, 0

    # --- the state of the p-code's machine

    def answer(self, name, _arguments):
        """Functions of the module that the machine answers."""
        if name in ("take_word", "next_word"):
            if name == "next_word" and not self.taken:  # with nothing in the queue a peek gives 0
                return 0
            if not self.taken:
                self.short = True
                return 0
            return self.taken.pop(0)
        return 1 if name == "set_secure" else 0

    def put(self, space, number, value):
        if space == "general":
            if number < 32:
                self.machine.registers[self.module.general(number)] = value
        else:
            self.machine.spaces[space][number] = value

    def get(self, space, number):
        if space == "general":
            return self.machine.registers[self.module.general(number)] if number < 32 else 0
        return self.machine.spaces[space].get(number, 0)

    def begin(self, words, selected, base):
        self.machine.begin(b"".join(word.to_bytes(4, "little") for word in words))
        self.machine.spaces["ram"].update({base + 4 * i: word for i, word in enumerate(words)})
        self.machine.registers["state_selected"] = selected

    # --- programs

    def run(self, words, lines, selected=0, base=0x1000):
        """Follows the machine's lines; `words` is the code."""
        self.begin(words, selected, base)
        trace, at, last = [], [], (0, 0)
        for line in lines:
            parts = line.split()
            if parts[0] == "set":
                self.put(parts[1], int(parts[2]), int(parts[3]))
            elif parts[0] == "step":
                at = []
                trace.append((int(parts[1]), at))
            elif parts[0] == "end":
                last = (int(parts[1]), int(parts[2]))
            else:
                at.append(parts)
        # the last step did not come to its end when the machine stopped for another reason than the limit
        done = trace if not last[0] else trace[:-1]
        places = [pc for pc, _ in trace] + [last[1]]
        pending, waits, index = None, False, 0
        while index < len(done) and done[index][0] < len(words):
            pc = done[index][0]
            count = sleigh_machine.covered(self.machine, done, index, 4)
            rows = [row_of(self.rows, word) for word in words[pc:pc + count]]
            if not count or len(rows) < count:
                break
            events = [event for _, own in done[index:index + count] for event in own]
            header = waits or any(event[0] == "packet" for event in events)
            waits = rows[-1]["id"].startswith("WAITIN")
            index += count
            pending = self.step(words, pc, rows, places[index], events, pending, header)

    def step(self, words, pc, rows, following, events, pending, header):
        """One instruction, or one with its delay slot; returns where control goes after its delay slot, or None."""
        self.taken, self.short = [int(event[2]) for event in events if event[:2] == ["read", str(DATA)]], False
        goes, slots = self.machine.step(words[pc], 4 * pc)
        wanted = {(event[1], int(event[2])): int(event[3]) for event in events if event[0] == "write"}
        wanted.update({("ram", int(event[1])): int(event[2]) for event in events if event[0] == "memory"})
        differing = self.differences(wanted)
        # what lies outside of the section is its end for the machine
        expected = pending if pending is not None else goes // 4 if goes is not None and not slots else pc + len(rows)
        if min(expected, len(words)) != following:
            differing[("flow", 0)] = (expected, following)
        excuses = self.excuses(rows, words[pc:pc + len(rows)], events, wanted, header)
        reasons = {place: next((reason for reason, holds in excuses if holds(place)), None) for place in differing}
        for place, reason in reasons.items():
            assert reason, (f"{self.target} word {pc} ({words[pc]:08x} {self.module.text(words[pc], 4 * pc)}): {place} is "
                            f"{differing[place][0]:#x}, not {differing[place][1]:#x}; machine: {events}")
        for reason in set(reasons.values()) or {"same"}:
            self.counts[reason] += 1
        for place in reasons:  # what the machine has done counts from here on
            if place in self.changed_places():
                self.put(*place, self.changed_places()[place])
        for (space, number), value in wanted.items():
            self.put(space, number, value)
        return goes // 4 if goes is not None and slots else None

    # --- what differs, and why that may be

    def changed_places(self):
        """What the step wrote, with what was there before. Carry and the like show in later steps."""
        found = {}
        for (space, where), before in self.machine.changed.items():
            if space != "register":
                found[(space, where)] = before
            elif self.module.number_of_general(where) is not None:
                found[("general", self.module.number_of_general(where))] = before
        return found

    def differences(self, wanted):
        """Place: (what p-code has there, what the machine has)."""
        found = {}
        for (space, number), value in wanted.items():
            if (space != "general" or number < 32) and self.get(space, number) != value:
                found[(space, number)] = (self.get(space, number), value)
        for place, before in self.changed_places().items():
            if place not in wanted and self.get(*place) != before:
                found[place] = (self.get(*place), before)
        if self.short or self.taken:  # it takes more words of the packet than the machine, or fewer
            found[("queue", 0)] = (0, len(self.taken))
        return found

    def excuses(self, rows, words, events, wanted, header):
        """(reason, does it hold for a place?) of this step."""
        found, values = [], [values_of(row, word) for row, word in zip(rows, words)]
        if header:
            found.append(("header", lambda place: place in (("general", REM), ("flow", 0))))
        written = {(event[1], int(event[2])) for event in events if event[0] == "write"}
        seen = {(event[1], int(event[2])) for event in events if event[0] == "look"}
        acts = {number for space, number in written | seen if space == "control" and number in self.acting}
        if acts and any(row["mnemonic"] == "cwrite" and own.get("k") for row, own in zip(rows, values)):
            found.append(("group", lambda place: place[0] == "control" and place[1] in self.acting))
        if any(("control", number) in written for number in acts):
            found.append(("control", lambda place: place[0] == "gpu" or place[0] == "control" and place[1] in self.acting))
        if any(("control", number) in seen for number in acts):
            goes_on = any(own.get("d") == DATA for own in values)
            found.append(("control", lambda place: any(place == ("general", own.get("d")) for own in values) or
                          goes_on and place in written and place[0] in ("gpu", "pipe")))
        if any(number in self.acting_pipes for space, number in written if space == "pipe"):
            found.append(("pipe", lambda place: place[0] == "control" and place[1] in self.counters))
        return found


# --- programs --------------------------------------------------------------------------------------------------------

def vectors_folder(root):
    return os.path.join(os.environ.get("GPUCODE_VECTORS", os.path.join(root, "../shared/vectors")), "afuc/emulator")


def check_vectors(comparisons, steps, folder):
    """Recorded programs; returns how many."""
    if not os.path.isdir(folder):
        return 0
    count = 0
    for name, variant in (("a6xx.jsonl", "a630"), ("a7xx.jsonl", "a730")):
        if variant not in comparisons:
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for line in file:
                vector = json.loads(line)
                words = [int(vector["image"][i:i + 8], 16) for i in range(0, len(vector["image"]), 8)]
                commands = [f"image afuc:{variant} {hex_bytes([0] + words)}", "run 1000000"]
                for packet in vector["packets"]:
                    commands.append("feed " + " ".join("0x" + word for word in packet))
                comparisons[variant].run(words, steps.trace(commands, 3000))
                count += 1
    return count


# What is in a delay slot changes what the branch has asked for, and a call that returns.
SLOTS = """
mov $02, 0x5
mov $05, 0x1
breq $02, 0x5, #first
mov $02, 0x7
mov $05, 0x0
first:
brne $02, 0x7, #second
mov $02, 0x1
breq $02, b0, #third
mov $02, 0x0
second:
mov $05, 0x9
third:
brne $02, b3, #fourth
mov $02, 0x8
mov $05, 0x8
fourth:
call #leaf
mov $06, 0x21
mov $07, $06
jump #out
mov $06, 0x22
leaf:
mov $06, 0x23
ret
mov $06, 0x24
out:
mov $08, $06
nop
"""


def check_slots(comparison, steps):
    code = gpucode("asm", "-t", comparison.target, "-", "-o", "-", input=SLOTS.encode())
    words = [int.from_bytes(code[i:i + 4], "little") for i in range(4, len(code), 4)]
    before = comparison.counts["same"]
    comparison.run(words, steps.trace([f"raw {comparison.target} {hex_bytes(words)}"], 25))
    assert comparison.counts["same"] - before >= 13, comparison.counts


def random_value(chance, field, count):
    letter = field["letter"]
    value = chance.getrandbits(field["width"]) if field["width"] else 0
    if letter in MODIFIERS:
        return value if chance.random() < .2 else 0
    if letter == "a":
        return chance.randrange(1, 8) if chance.random() < .8 else -chance.randrange(1, 6) & 0xffff
    if letter in PLACES:
        return chance.randrange(count)
    if letter in NUMBERS:
        value = chance.choice([chance.getrandbits(4), chance.getrandbits(12), 4 * chance.getrandbits(5)])
        return value & ~3 if letter == "m" else value & 15 if letter == "q" else value
    if field["type"] == "register" and chance.random() < .5:
        return chance.choice([0, 1, 2, 3, 4, REM, ADDR, USRADDR, DATA])
    return value


def random_program(chance, rows, target, count=40):
    """Code without waitin, and registers that make loads, stores and calls work often enough."""
    words = []
    usable = [row for row in rows if row["mnemonic"] not in ("waitin", "iret", "setsecure")]
    plain_rows = [row for row in usable if row["flow"]["kind"] == "next"]
    for _ in range(count):
        row = chance.choice(plain_rows if chance.random() < .8 else usable)
        words.append(word_of(row, {field["letter"]: random_value(chance, field, count) for field in row["fields"]}))
    commands = [f"raw {target} {hex_bytes(words)}"]
    for number in range(1, 32):
        value = chance.choice([chance.getrandbits(32), chance.getrandbits(4) * 4, chance.getrandbits(12) * 4])
        if number == REM:
            value = chance.randrange(6)
        if number in (ADDR, USRADDR):
            value = chance.choice([chance.getrandbits(16), 0xa0000000, 0xa2000000, 0x40000 | chance.getrandbits(10)])
        commands.append(f"set general {number} {value}")
    for first in (0x10, 0x30, 0x100):
        commands.append(f"set control {first + chance.randrange(16)} {chance.getrandbits(8) * 4}")
    commands.append("feed " + " ".join(hex(chance.getrandbits(28) & ~3) for _ in range(60)))
    return words, commands
