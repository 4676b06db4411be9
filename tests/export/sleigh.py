#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpucode export sleigh: the modules are read back (sleigh_reader.py), what they print is what listings have, and what
AFUC's p-code does is what the machine does, on recorded programs and on random ones, step by step.

usage: sleigh.py GPUCODE SOURCE_ROOT STEPS"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import sleigh_reader

program, root, steps_program = sys.argv[1:4]
LONG = "GPUCODE_LONG_TESTS" in os.environ


def gpucode(*arguments, **options):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True, **options).stdout


def target_of(processor, variant):
    return next(entry["name"] for entry in json.loads(gpucode("targets", "--json"))["targets"]
                if entry["isa"] == processor.lower() and entry["name"].split(":")[-1] == variant)


# --- the files -------------------------------------------------------------------------------------------------------

# What Ghidra's own schemas (language_definitions, processor_spec and compiler_spec.rxg) allow of what is written: for each
# element the attributes it must have, those it may have, and its children with how many at least and at most.
MANY = 1 << 30
SCHEMAS = {
    "language_definitions": ("", "", {"language": (0, MANY)}),
    "language": ("processor endian size variant version slafile processorspec id", "hidden deprecated instructionEndian "
                 "manualindexfile", {"description": (1, 1), "compiler": (1, MANY)}),
    "description": ("", "", {}), "compiler": ("name spec id", "", {}),
    "processor_spec": ("", "", {"programcounter": (0, 1), "volatile": (0, 1), "default_symbols": (0, 1)}),
    "programcounter": ("register", "", {}), "volatile": ("inputop outputop", "", {"range": (1, MANY)}),
    "range": ("space", "first last", {}), "default_symbols": ("", "", {"symbol": (1, MANY)}),
    "symbol": ("name address", "entry type", {}),
    "compiler_spec": ("", "", {"global": (0, 1), "default_proto": (1, 1)}), "global": ("", "", {"range": (1, MANY)}),
    "default_proto": ("", "", {"prototype": (1, 1)}),
    "prototype": ("name extrapop stackshift", "strategy", {"input": (1, 1), "output": (1, 1)}),
    "input": ("", "", {"pentry": (0, MANY)}), "output": ("", "", {"pentry": (0, MANY)}),
    "pentry": ("", "minsize maxsize align storage", {"register": (1, 1)}), "register": ("name", "", {}),
}


def check_schema(element):
    must, may, children = SCHEMAS[element.tag]
    assert set(must.split()) <= set(element.keys()) <= set((must + " " + may).split()), (element.tag, element.keys())
    assert ("first" in element.keys()) == ("last" in element.keys())
    for name, (least, most) in children.items():
        assert least <= len(element.findall(name)) <= most, (element.tag, name)
    for child in element:
        assert child.tag in children, (element.tag, child.tag)
        check_schema(child)


def check_symbols(pspec, target):
    """The names of registers of all spaces are those that the program has."""
    wanted = {}
    for entry in json.loads(gpucode("export", "json", "-t", target))["registers"]:
        if entry["space"] in ("control", "sqe", "pipe", "gpu"):
            wanted.update({f"{entry['space']}:{number}": name for number, name in entry["names"].items()})
    found = {symbol.get("address"): symbol.get("name") for symbol in pspec.iter("symbol")}
    found.pop("code:0x0", None)
    assert found == wanted, (target, len(found), len(wanted))
    assert not any(re.search(r"\s", name) or not name for name in found.values())
    return len(found)


def check_files(folder):
    """Well-formed, and what they refer to is there. Returns (set, variant, path of the .slaspec) of each language."""
    found = []
    for ldefs in sorted(glob.glob(folder + "/*/data/languages/*.ldefs")):
        languages, place = xml.etree.ElementTree.parse(ldefs).getroot(), os.path.dirname(ldefs)
        assert os.path.exists(os.path.join(place, "../../Module.manifest")), ldefs
        for language in languages.iter("language"):
            spec = os.path.join(place, language.get("slafile").replace(".sla", ".slaspec"))
            assert os.path.exists(spec)
            pspec = xml.etree.ElementTree.parse(os.path.join(place, language.get("processorspec"))).getroot()
            cspec = xml.etree.ElementTree.parse(os.path.join(place, language.find("compiler").get("spec"))).getroot()
            module = sleigh_reader.Module(spec)
            for tree in (languages, pspec, cspec):
                check_schema(tree)
            check_symbols(pspec, target_of(language.get("processor"), language.get("variant")))
            assert pspec.find("programcounter").get("register") in module.registers
            for symbol in pspec.iter("symbol"):
                assert symbol.get("address").split(":")[0] in module.spaces
            for item in list(pspec.iter("range")) + list(cspec.iter("range")):
                assert item.get("space") in module.spaces
            for item in cspec.iter("register"):
                assert item.get("name") in module.registers
            found.append((language.get("processor"), language.get("variant"), module))
    assert len(found) > 8
    return found


def compile_modules(folder):
    """By Ghidra's own compiler, where there is one."""
    home = os.environ.get("GHIDRA_HOME") or os.environ.get("GHIDRA_INSTALL_DIR")
    if not home:
        return "Ghidra's compiler: skipped, GHIDRA_HOME is not set"
    specs = sorted(glob.glob(folder + "/*/data/languages/*.slaspec"))
    for spec in specs:
        subprocess.run([os.path.join(home, "support", "sleigh"), spec], check=True)
    return f"Ghidra's compiler has taken {len(specs)} languages"


# --- what it prints --------------------------------------------------------------------------------------------------

def random_word(chance, row, wild=True):
    word = int(row["match"], 16)
    for field in row["fields"]:
        for piece in field["pieces"]:
            if wild or chance.random() < .7:
                word |= chance.getrandbits(piece["width"]) << piece["shift"]
    return word


def plain(text):
    """Numbers as numbers, without white space."""
    text = re.sub(r"\s+", "", re.sub(r"\s*;.*$", "", text))
    return re.sub(r"(?<![\w$@%])(0x[0-9a-f]+|\d+)(?![\w])", lambda number: hex(int(number.group(1), 0)), text)


def check_texts(module, target, rows, count):
    """The text of a word is what the listing has, but for labels and names of numbers."""
    chance = random.Random(3)
    same = seen = 0
    for _ in range(count):
        row = chance.choice(rows)
        word = random_word(chance, row)
        lines = gpucode("disasm", "-r", "-t", target, "--json", "-", input=word.to_bytes(row["size_bytes"], "little"))
        unit = [json.loads(line) for line in lines.splitlines()]
        unit = next((line for line in unit if line.get("mnemonic") and line["mnemonic"] == row["mnemonic"]), None)
        if unit is None or unit["text"].startswith("["):  # a word whose plain text would lose something
            continue
        seen += 1
        text = module.text(word, 0)
        assert text is not None, (target, hex(word))
        same += plain(text) == plain(unit["text"])
        assert plain(text).split("(")[0][:3] == plain(unit["text"]).split("(")[0][:3], (target, hex(word), text, unit["text"])
    return same, seen


# --- what it does ----------------------------------------------------------------------------------------------------

# Differences that are allowed, each with its reason; docs/export.md has the list too.
REASONS = {
    "header": "the delay slot of waitin takes a header: which handler, and what $rem becomes, is the packet's",
    "control": "a control register that does something when it is written or read",
    "pipe": "a pipe register that acts when it is selected, or that writes memory on a5xx",
    "group": "(sds2)cwrite sets a draw-state group",
    "a5xx": "a5xx reads $regdata and $memdata and writes memory through other registers, whose names it does not have",
}


def names_of(root_folder):
    with open(os.path.join(root_folder, "src/isa/afuc/machine/control.def"), encoding="utf-8") as file:
        return re.findall(r'^CONTROL\(\w+, "(\w+)"', file.read(), re.M)


class Comparison:
    def __init__(self, module, document, target):
        self.module, self.target = module, target
        self.machine = sleigh_reader.Machine(module, self.answer)
        registers = {entry["space"]: entry["names"] for entry in document["registers"]}
        behaving = set(names_of(root))
        self.behaving = {int(number, 16) for number, name in registers.get("control", {}).items()
                         if re.sub(r"\+0x1$", "", name) in behaving}
        quiet = {"MEM_READ_ADDR", "MEM_READ_DWORDS", "MEM_READ_ADDR_HI_PREEMPTION", "REG_READ_ADDR", "REG_READ_DWORDS",
                 "LOAD_STORE_HI", "STORE_HI"}
        self.behaving -= {int(number, 16) for number, name in registers.get("control", {}).items()
                          if re.sub(r"\+0x1$", "", name) in quiet}
        self.early = document["rows"][0]["generations"] == ["a5xx"]
        self.counts = {"same": 0, **{reason: 0 for reason in REASONS}}
        self.taken = []

    def answer(self, name, arguments):
        if name in ("take_word", "next_word"):
            if name == "next_word" and not self.taken:  # with nothing in the queue a peek gives 0
                return 0
            assert self.taken, "p-code takes a word and the machine does not"
            return self.taken.pop(0)
        if name == "set_secure":
            return 1
        return 0

    def put(self, space, number, value):
        if space == "general":
            if number < 32:
                self.machine.registers[f"r{number:02x}"] = value
        else:
            self.machine.spaces[space][number] = value

    def get(self, space, number):
        if space == "general":
            return self.machine.registers[f"r{number:02x}"] if number < 32 else 0
        return self.machine.spaces[space].get(number, 0)

    def run(self, words, lines, selected=0, base=0x1000):
        """Follows the machine's lines; `words` is the code."""
        self.machine.spaces["ram"] = {base + 4 * i: word for i, word in enumerate(words)}
        for name in self.machine.registers:
            self.machine.registers[name] = 0
        for name in self.machine.spaces:
            if name != "ram":
                self.machine.spaces[name] = {}
        if "state_selected" in self.machine.registers:
            self.machine.registers["state_selected"] = selected
        trace, at = [], []
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
        pending, waits, self.lost = None, False, False
        for index, (pc, events) in enumerate(done):
            if pc >= len(words):
                break
            header = waits or any(event[0] == "packet" for event in events)
            waits = words[pc] >> 26 == 0x36
            pending = self.step(words, pc, places[index + 1], events, pending, header)
            if self.lost:
                return

    def step(self, words, pc, following, events, pending, header):
        """One instruction; returns where control goes behind its delay slot, or None."""
        word = words[pc]
        self.taken = [int(event[2]) for event in events if event[0] == "read" and event[1] == "31"]
        failure, goes, slots = None, None, 0
        try:
            goes, slots = self.machine.step(word, 4 * pc)
        except AssertionError as error:
            failure = f"{error}"
        wanted = {(event[1], int(event[2])): int(event[3]) for event in events if event[0] == "write"}
        wanted.update({("ram", int(event[1])): int(event[2]) for event in events if event[0] == "memory"})
        # what lies outside of the section is its end for the machine
        expected = min(pending if pending is not None else pc + 1, len(words))
        if failure is None:
            failure = self.difference(wanted)
        if failure is None and not header and following != expected and goes is None:
            failure = f"goes on at {following}, not {expected}"
        if failure is None and goes is not None and not slots and min(goes // 4, len(words)) != following:
            failure = f"goes to {following}, not {goes // 4}"
        reason = self.reason(word, events, header, failure)
        if failure and not reason:
            raise AssertionError(f"{self.target} word {pc} ({word:08x} {self.module.text(word, 4 * pc)}): {failure}; "
                                 f"machine: {events}")
        self.counts[reason or "same"] += 1
        if reason:  # what the machine has done counts from here on, as far as it tells
            self.machine.undo()
            self.lost = reason in ("pipe", "a5xx", "group")
        for (space, number), value in wanted.items():
            self.put(space, number, value)
        return goes // 4 if goes is not None and slots else None

    def difference(self, wanted):
        for (space, number), value in wanted.items():
            if (space != "general" or number < 32) and self.get(space, number) != value:
                return f"{space} 0x{number:x} is 0x{self.get(space, number):x}, not 0x{value:x}"
        for (space, where), before in self.machine.changed.items():
            if space == "register":
                if not re.match(r"r[0-9a-f]{2}$", where):
                    continue  # carry and the like: later instructions show them
                space, where = "general", int(where[1:], 16)
            if self.get(space, where) != before and (space, where) not in wanted:
                return f"{space} 0x{where:x} became 0x{self.get(space, where):x}"
        return f"{len(self.taken)} words are left" if self.taken else None

    def reason(self, word, events, header, failure):
        """Why the step may differ; what is no difference has no reason."""
        if failure is None:
            return None
        if header:
            return "header"
        text = self.module.text(word, 0)
        special = any(name in text for name in ("$regdata", "$memdata", "$data", "$addr", "$usraddr"))
        if self.early and special:
            return "a5xx"
        touched = {(event[1], int(event[2])) for event in events if event[0] in ("write", "look")}
        if any(space == "control" and number in self.behaving for space, number in touched):
            return "group" if "(sds" in text else "control"
        if special and any(space == "pipe" for space, _ in touched):
            return "pipe"
        return None


class Steps:
    def __init__(self):
        self.process = subprocess.Popen([steps_program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def trace(self, commands, limit):
        self.process.stdin.write("".join(command + "\n" for command in commands) + f"trace {limit}\n")
        self.process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith("end "):
            line = self.process.stdout.readline()
            assert line, "the machine's program ended"
            lines.append(line.rstrip())
        return lines


def hex_bytes(words):
    return b"".join(word.to_bytes(4, "little") for word in words).hex()


def check_vectors(comparisons, steps):
    folder = os.path.join(os.environ.get("GPUCODE_VECTORS", os.path.join(root, "../shared/vectors")), "afuc/emulator")
    if not os.path.isdir(folder):
        return 0
    count = 0
    for name, variant in (("a6xx.jsonl", "a630"), ("a7xx.jsonl", "a730")):
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


def random_program(chance, rows, target):
    """Code without waitin, and registers that make loads, stores and calls work often enough."""
    words = []
    usable = [row for row in rows if row["mnemonic"] not in ("waitin", "iret", "setsecure")]
    plain_rows = [row for row in usable if row["flow"]["kind"] == "next"]
    count = 40
    for index in range(count):
        row = chance.choice(plain_rows if chance.random() < .8 else usable)
        fields = {}
        for field in row["fields"]:
            value = chance.getrandbits(field["width"]) if field["width"] else 0
            letter = field["letter"]
            if letter in "rxpkwu":
                value = value if chance.random() < .2 else 0
            elif letter == "a":
                value = chance.randrange(1, 8) if chance.random() < .8 else -chance.randrange(1, 6) & 0xffff
            elif letter in "fg":
                value = chance.randrange(count)
            elif letter in "mcq":
                value = chance.choice([chance.getrandbits(4), chance.getrandbits(12), 4 * chance.getrandbits(5)])
                if letter == "m":
                    value &= ~3
                if letter == "q":
                    value &= 15
            elif field["type"] == "register" and chance.random() < .5:
                value = chance.choice([0, 1, 2, 3, 4, 0x1c, 0x1d, 0x1e, 0x1f])
            fields[letter] = value
        word = int(row["match"], 16)
        for field in row["fields"]:
            shift = field["width"]
            for piece in field["pieces"]:
                shift -= piece["width"]
                word |= (fields[field["letter"]] >> shift & ((1 << piece["width"]) - 1)) << piece["shift"]
        words.append(word)
    commands = [f"raw {target} {hex_bytes(words)}"]
    for number in range(1, 32):
        value = chance.choice([chance.getrandbits(32), chance.getrandbits(4) * 4, chance.getrandbits(12) * 4])
        if number == 0x1c:
            value = chance.randrange(6)
        if number in (0x1d, 0x1e):
            value = chance.choice([chance.getrandbits(16), 0xa0000000, 0xa2000000, 0x40000 | chance.getrandbits(10)])
        commands.append(f"set general {number} {value}")
    for name in ("0x10", "0x30", "0x100"):
        commands.append(f"set control {int(name, 16) + chance.randrange(16)} {chance.getrandbits(8) * 4}")
    commands.append("feed " + " ".join(hex(chance.getrandbits(28) & ~3) for _ in range(60)))
    return words, commands


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("first", "second"):
            subprocess.run([program, "export", "sleigh", "-o", os.path.join(folder, name)], check=True)
        subprocess.run(["diff", "-r", os.path.join(folder, "first"), os.path.join(folder, "second")], check=True)
        modules = check_files(os.path.join(folder, "first"))
        print(compile_modules(os.path.join(folder, "first")))
    comparisons, texts = {}, [0, 0]
    steps = Steps()
    for processor, variant, module in modules:
        target = target_of(processor, variant)
        document = json.loads(gpucode("export", "json", "-t", target))
        same, seen = check_texts(module, target, document["rows"], 400 if LONG else 25)
        texts = [texts[0] + same, texts[1] + seen]
        if processor == "AFUC":
            comparisons[variant] = Comparison(module, document, target)
            comparisons[variant].rows = document["rows"]
            comparisons[variant].name = target
    print(f"{len(modules)} languages; {texts[0]} of {texts[1]} texts are those of listings")
    vectors = check_vectors(comparisons, steps)
    chance = random.Random(int(os.environ.get("SLEIGH_SEED", "1")))
    count = int(os.environ.get("SLEIGH_PROGRAMS", 10000 if LONG else 250)) // len(comparisons)
    total = 0
    for comparison in comparisons.values():
        for _ in range(count):
            words, commands = random_program(chance, comparison.rows, comparison.name)
            comparison.run(words, steps.trace(commands, 200), 1)  # $usraddr was set last
            total += 1
    print(f"{vectors or 'no'} vectors, {total} random programs")
    sums = {}
    for comparison in comparisons.values():
        for reason, number in comparison.counts.items():
            sums[reason] = sums.get(reason, 0) + number
    print("steps: " + ", ".join(f"{number} {reason}" for reason, number in sums.items()))
    assert sums["same"] > 5 * sum(number for reason, number in sums.items() if reason != "same")


main()
