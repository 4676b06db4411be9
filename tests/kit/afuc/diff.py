#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random edits of firmware must be reported by `diff`, and nothing else.

    diff.py GPUCODE FIRMWARE_SOURCE...

Instructions that occur nowhere else are put in at random places. Of these some are changed, taken out or added. The
graph of each side tells which functions have them: these are the changed ones. With GPUCODE_VECTORS in the environment
the pairs in its folder `analysis` are compared too, and programs of its generator are edited.
"""
import collections
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TRANSFERS = re.compile(r"\s*(\(\w+\))*(jump\w*|brne|breq|call|bl|ret|iret|sret|waitin|setsecure)\b")
INSTRUCTION = re.compile(r"\s+[(a-z]")
MARK = re.compile(r"^\s+(0x[0-9a-f]+) +(xor \$00, \$04, 0x([0-9a-f]+))$")
HEAD = re.compile(r"^(\S+): (boot|handler|preempt|routine) at (0x[0-9a-f]+)")
FIRST = 0x6000
# What becomes of an instruction. Firmware with several sections computes their places from numbers, which are other
# instructions where code moves: there nothing is put in or taken out.
STILL = [(0, 0), (0, 1)]
MOVING = [(0, None), (None, 0)]


def run(gpucode, *arguments):
    done = subprocess.run([gpucode, *arguments], capture_output=True, check=False, text=True)
    if done.returncode not in (0, 1) or done.stderr:
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.returncode, done.stdout


def places(lines):
    """Lines in front of which an instruction may be put: not a delay slot, not within a macro."""
    found, depth, before = [], 0, ""
    macros = {line.split()[1].rstrip(",") for line in lines if line.lstrip().startswith(".macro ")}
    for number, line in enumerate(lines):
        text = line.split(";")[0].rstrip()
        word = text.split()[0] if text.split() else ""
        if word in (".macro", ".rept", ".if", ".ifdef"):
            depth += 1
        if word in (".endm", ".endr", ".endif"):
            depth -= 1
        if not INSTRUCTION.match(text):
            if text and not text.endswith(":"):
                before = "jump"  # data: nothing in front of what follows it
            continue
        if not depth and not TRANSFERS.match(before) and not TRANSFERS.match(text):
            found.append(number)
        before = "jump" if word in macros else text  # who knows what it ends with
    return found


def inlined(path):
    """A source with what it includes in its place."""
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8") as file:
        return re.sub(r'^\.include "([^"]+)"[^\n]*\n', lambda found: inlined(os.path.join(folder, found[1])), file.read(),
                      flags=re.MULTILINE)


def put_in(lines, marks):
    """`marks` is {line: numbers}."""
    out = []
    for number, line in enumerate(lines):
        out += [f"    xor $00, $04, 0x{mark:x}\n" for mark in marks.get(number, [])]
        out.append(line)
    return "".join(out)


def marked(gpucode, path):
    """{(section, function): [marks]} as the graph has it."""
    found, section, function = collections.defaultdict(list), 0, None
    for line in run(gpucode, "graph", path)[1].splitlines():
        if line.startswith("section "):
            section += 1
        elif HEAD.match(line):
            function = HEAD.match(line)[1]
        elif MARK.match(line) and int(MARK.match(line)[3], 16) >= FIRST:
            found[section, function].append(int(MARK.match(line)[3], 16))
    return found


def edits_of(fates, before, after):
    """What must be reported, and for how many functions words differ."""
    edits, changed = collections.Counter(), set()
    for side in (before, after):
        for key, marks in side.items():
            for mark in marks:
                old, new = fates[mark]
                if old == new or (side is after and old is not None):
                    continue  # it stays, or was counted with the old side
                changed.add(key)
                text = "xor $00, $04, 0x%x"
                edits[f"+ {text % new}" if old is None else f"- {text % old}" if new is None
                      else f"{text % old} -> {text % new}"] += 1
    return edits, changed


def check_edits(gpucode, name, source, folder, rng):
    lines = source.splitlines(keepends=True)
    spots = places(lines)
    still = name.startswith("a7xx")
    chosen = rng.sample(spots, min(len(spots), rng.randrange(3, 12)))
    fates, old_marks, new_marks = {}, {}, {}
    for count, spot in enumerate(chosen):
        mark = FIRST + 16 * count
        old, new = (None if fate is None else mark + fate for fate in rng.choice(STILL if still else STILL + MOVING))
        fates[mark] = fates[mark + 1] = (old, new)
        old_marks[spot] = [] if old is None else [old]
        new_marks[spot] = [] if new is None else [new]
    paths = [os.path.join(folder, side + ".asm") for side in ("old", "new")]
    for path, marks in zip(paths, (old_marks, new_marks)):
        with open(path, "w", encoding="utf-8") as out:
            out.write(put_in(lines, marks))
    wanted, changed = edits_of(fates, marked(gpucode, paths[0]), marked(gpucode, paths[1]))
    code, text = run(gpucode, "diff", "--json", *paths)
    found = json.loads(text)
    got = collections.Counter({edit["text"]: edit["count"] for edit in found["edits"]})
    other = [f for f in found["functions"] if f["status"] in ("new", "gone")]
    count = sum(f["status"] == "changed" for f in found["functions"])
    if got != wanted or other or count != len(changed) or code != bool(changed):
        sys.exit(f"{name}: {fates}\nwanted {wanted} in {changed}\ngot {got}, {count} changed, {other}, exit code {code}")
    if run(gpucode, "diff", paths[0], paths[0])[0]:
        sys.exit(f"{name}: differs from itself")
    return sum(wanted.values())


def check_vectors(gpucode, folder):
    def comparable(found):
        return (sorted((f["section"], str(f["old_words"]), str(f["new_words"]), f["status"]) for f in found["functions"]),
                sorted((edit["text"], edit["count"]) for edit in found["edits"]))

    numbers = sorted(int(n.split(".")[0]) for n in os.listdir(folder) if n.endswith(".edited.asm"))
    for number in numbers:
        paths = [os.path.join(folder, f"{number}{end}") for end in (".asm", ".edited.asm")]
        with open(os.path.join(folder, f"{number}.diff.json"), encoding="utf-8") as file:
            wanted = json.load(file)
        code, text = run(gpucode, "diff", "--json", *paths)
        differs = any(f["status"] not in ("same", "moved") for f in wanted["functions"])
        if comparable(json.loads(text)) != comparable(wanted) or code != differs:
            sys.exit(f"{paths[1]}: {text}")
    return len(numbers)


def generated(folder, seeds):
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("gen_prog", os.path.join(folder, "gen_prog.py"))
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return {f"seed {seed}": module.Program(seed).text() for seed in seeds}


def main():
    gpucode, sources = sys.argv[1], {}
    rounds = int(os.environ.get("GPUCODE_ROUNDS", "4"))
    for path in sys.argv[2:]:
        sources[os.path.basename(path)] = inlined(path)
    vectors = os.environ.get("GPUCODE_VECTORS")
    compared = 0
    if vectors and os.path.isdir(os.path.join(vectors, "analysis")):
        compared = check_vectors(gpucode, os.path.join(vectors, "analysis"))
        sources.update(generated(os.path.join(vectors, "analysis"), range(200, 203 + rounds)))
    edits = 0
    with tempfile.TemporaryDirectory() as temporary:
        for name, source in sources.items():
            for seed in range(rounds):
                edits += check_edits(gpucode, f"{name} {seed}", source, temporary, random.Random(f"{name} {seed}"))
    print(f"{edits} edits in {len(sources)} sources, {compared} pairs")
    if not edits:
        sys.exit("nothing was edited")


if __name__ == "__main__":
    main()
