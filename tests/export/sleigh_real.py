#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpucode export sleigh, with Ghidra's own programs: GHIDRA_SLEIGH (its compiler of languages, `sleigh_opt`) takes all
modules, GHIDRA_DECOMP (the decompiler's console, `decomp_opt`) loads all of them and decompiles all routines of the example
firmware, and a program of each other set. With GHIDRA_DRIVER (sleigh_driver.cc) what Ghidra's SLEIGH says of 20,000 random
words of each language is compared with the listing, and random programs run in Ghidra's emulator and on the machine. docs/export.md says how they are built. Skipped where the variables are
not set.

usage: sleigh_real.py GPUCODE SOURCE_ROOT STEPS [C_FOLDER]    C_FOLDER: the decompiled routines are kept there"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import sleigh_afuc
import sleigh_brief
import sleigh_emulator
import sleigh_plain
import sleigh_reader
import sleigh_sets
import sleigh_texts
import sleigh_uses
from steps import Steps, document, gpucode, program, random_word

root = sys.argv[2]
SLEIGH, DECOMP, DRIVER = (os.environ.get(f"GHIDRA_{name}") for name in ("SLEIGH", "DECOMP", "DRIVER"))
WORDS = 20000  # of each language
USED = 4000  # words of each language whose registers are compared
EMULATED = 2000  # instructions of each language
# Language: the source that its routines are of, and its target.
SOURCES = {
    "AFUC:LE:32:a530": ("examples/firmware/a5xx.asm", "afuc:a530"), "AFUC:LE:32:a630": ("examples/firmware/a6xx.asm", "afuc:a630"),
    "AFUC:LE:32:a730": ("examples/firmware/a7xx.asm", "afuc:a730"), "AFUC:LE:32:a750": (None, "afuc:a750"),
    "AFUC:LE:32:gen80000": (None, "afuc:gen80000"),
    "HWSQ:LE:32:nv17": (None, "hwsq:nv17"), "HWSQ:LE:32:nv41": (None, "hwsq:nv41"), "HWSQ:LE:32:nv50": (None, "hwsq:nv50"),
    "HWSQ:LE:32:nv92": (None, "hwsq:nv92"), "MME:LE:32:fermi": (None, "mme:fermi"), "A3XX:LE:32:a3xx": (None, "a3xx"),
    "IR3:LE:32:a4xx": (None, "ir3:a4xx"), "IR3:LE:32:a5xx": (None, "ir3:a5xx"), "IR3:LE:32:a6xx": (None, "ir3:a6xx"),
    "IR3:LE:32:a7xx": (None, "ir3:a7xx"), "IR3:LE:32:a8xx": (None, "ir3:a8xx"),
}
# Of sets without firmware among the examples: a program each.
PROGRAMS = {
    "AFUC": "mov $02, 0x2a\nadd $03, $02, $02\njump #next\nnop\nnext:\nwaitin\nmov $01, $data\n", "HWSQ": "wait 0x1 shl 0x0\nexit\n",
    "MME": "mov $r2 (add $r1 1)\nexit send $r2\nnop\n", "A3XX": "add.f r1.x, r2.y, r3.z\nend\n",
    "IR3": "mov.f32f32 r2.y, c1.x\nadd.f r1.x, r2.y, r3.z\nend\n",
}


def compile_all(folder):
    """All warnings are told, an error ends the test."""
    specs = sorted(glob.glob(folder + "/Ghidra/Processors/*/data/languages/*.slaspec"))
    for spec in specs:
        done = subprocess.run([SLEIGH, "-n", "-t", "-e", "-c", "-u", spec, spec.replace(".slaspec", ".sla")],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "ERROR" not in done.stdout + done.stderr, (spec, done.stdout[-2000:], done.stderr[-2000:])
    return len(specs)


def sections_of(path, target):
    """Of each section its bytes, and (name, address) of the routines in it."""
    found = {}
    for line in gpucode("disasm", "-t", target, "--json", path).splitlines():
        unit = json.loads(line)
        data, routines = found.setdefault(unit.get("section"), (bytearray(), {}))
        if unit.get("routine") and unit["kind"] == "code":
            routines.setdefault(unit["routine"], len(data))
        data += int(unit["bits"], 16).to_bytes(len(unit["bits"][2:]) // 2, "little")
    return [(data, list(routines.items())) for data, routines in found.values()]


def decompile(folder, language, data, routines):
    """The decompiler's C of each routine, by name; what it refuses is an empty text."""
    image = os.path.join(folder, "image.xml")
    with open(image, "w", encoding="ascii") as file:
        file.write(f'<binaryimage arch="{language}">\n<bytechunk space="code" offset="0x0">\n{data.hex()}\n</bytechunk>\n</binaryimage>\n')
    commands = [f"load file {image}"]
    for name, address in routines:
        commands += [f"load addr {address:#x} {name}", f"echo begin {name}", "decompile", "print C", f"echo end {name}"]
    done = subprocess.run([DECOMP], input="\n".join(commands + ["quit", ""]), capture_output=True, text=True, check=False,
                          env={**os.environ, "SLEIGHHOME": folder})
    found = {}
    for name, _ in routines:
        text = re.search(rf"echo begin {re.escape(name)}\n(.*?)echo end {re.escape(name)}\n", done.stdout, re.S)
        assert text, (language, name, done.stdout[-2000:], done.stderr[-2000:])
        code = re.search(r"print C\n(.*?)\[decomp\]>", text.group(1), re.S)
        found[name] = code.group(1) if code and "ecompilation complete" in text.group(1) else ""
        if not found[name]:
            print(f"{language} {name} is refused: {text.group(1)}")
    return found


def check_texts(folder, steps):
    """Every row is among the words. All differences are told."""
    for language, (_, target) in SOURCES.items():
        folder_name, variant = language.split(":")[0], language.split(":")[-1]
        module = f"{folder}/Ghidra/Processors/{folder_name}/data/languages/{folder_name}_{variant}"
        with open(module + ".slaspec", encoding="utf-8") as file:
            unit = int(re.search(r"define alignment=(\d+);", file.read()).group(1))
        chance, rows = random.Random(3), document(target)["rows"]
        picked = [rows[index % len(rows)] for index in range(WORDS)]
        words = [random_word(chance, row) for row in picked]
        shown = subprocess.run([DRIVER, module + ".sla"], input="".join(word.to_bytes(8, "little").hex() + "\n" for word in words),
                               capture_output=True, text=True, check=True).stdout.split("\n")
        same = seen = 0
        for row, word, listing, found in zip(picked, words, steps.texts(target, words), shown):
            if not listing or listing.startswith(("[", ".insn")):  # it is none
                continue
            seen += 1
            place = row["id"] == "RAW" or any(field["type"] == "target" for field in row["fields"])
            equal = sleigh_texts.same(listing, found, place, unit)
            same += equal
            if not equal:
                print(f"{target}: {word:#x} is '{listing}', not '{found}'")
        print(f"{target}: {same} of {seen} texts are those of listings")
        assert seen > WORDS // 2 and same == seen, target


def check_uses(folder, steps):
    """P-code reads and writes what rows say."""
    for language, (_, target) in SOURCES.items():
        folder_name, variant = language.split(":")[0], language.split(":")[-1]
        module = f"{folder}/Ghidra/Processors/{folder_name}/data/languages/{folder_name}_{variant}"
        same, seen = sleigh_uses.check(DRIVER, module + ".sla", sleigh_reader.Module(module + ".slaspec"), target, steps, USED)
        print(f"{target}: {same} of {seen} words read and write what the library says")
        assert seen > USED // 2 and same == seen, target


def check_emulation(folder, steps):
    """Of A3XX and ir3 the rows whose p-code is more than functions."""
    for language, (_, target) in SOURCES.items():
        folder_name, variant = language.split(":")[0], language.split(":")[-1]
        module = f"{folder}/Ghidra/Processors/{folder_name}/data/languages/{folder_name}_{variant}"
        made = []

        def make(read, function, sla=module + ".sla", made=made):
            made.append(sleigh_emulator.Machine(DRIVER, sla, read, function))
            return made[0]

        read, chance = sleigh_reader.Module(module + ".slaspec"), random.Random(5)
        if folder_name == "AFUC":
            comparison = sleigh_afuc.Comparison(read, target, root, make)
            sleigh_afuc.check_slots(comparison, steps)
            sleigh_afuc.check_vectors({variant: comparison}, steps, sleigh_afuc.vectors_folder(root))
            while made[0].count < EMULATED:
                words, commands = sleigh_afuc.random_program(chance, comparison.rows, target)
                comparison.run(words, steps.trace(commands, 200), 1)
            print(f"{target}: steps: {comparison.counts}")
            assert comparison.counts["same"] > 5 * sum(count for reason, count in comparison.counts.items() if reason != "same")
        elif folder_name in ("A3XX", "IR3"):
            sleigh_plain.check(read, target, steps, 70, make)
        elif folder_name == "MME":
            sleigh_sets.check_macros(read, steps, 200, make)
        else:
            sleigh_sets.check_scripts(read, steps, target, 200, make)
        print(f"{target}: {made[0].count} instructions do in Ghidra's emulator what the machine does")
        assert made[0].count >= EMULATED, target


def main():
    if not SLEIGH or not DECOMP:
        print("skipped: GHIDRA_SLEIGH and GHIDRA_DECOMP are not set (docs/export.md)")
        sys.exit(77)
    refused = count = handlers = 0
    decompiled = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "export", "sleigh", "-o", folder + "/Ghidra/Processors"], check=True)
        print(f"{compile_all(folder)} languages are taken by Ghidra's compiler")
        if DRIVER:
            check_texts(folder, Steps(sys.argv[3]))
            check_uses(folder, Steps(sys.argv[3]))
            check_emulation(folder, Steps(sys.argv[3]))
        else:
            print("texts are not compared: GHIDRA_DRIVER is not set")
        known = [item for ldefs in glob.glob(folder + "/Ghidra/Processors/*/data/languages/*.ldefs")
                 for item in re.findall(r' id="(\w+:LE:32:\w+)"', open(ldefs, encoding="utf-8").read())]
        assert sorted(known) == sorted(SOURCES), sorted(known)
        for language, (source, target) in SOURCES.items():
            if source:
                path = os.path.join(folder, "firmware")
                subprocess.run([program, "asm", "-t", target, os.path.join(root, source), "-o", path], check=True)
                sections = sections_of(path, target)
            else:
                text = PROGRAMS[language.split(":")[0]]
                sections = [(gpucode("asm", "-t", target, "-", "-o", "-", input=text.encode()), [("whole", 0)])]
            found = {}
            for index, (data, routines) in enumerate(sections):
                found.update((f"{name}_{index}" if index else name, text) for name, text in
                             decompile(folder, language, data, routines).items())
            assert not source or len(found) > 10, (language, found.keys())
            if source:
                handlers += sleigh_brief.check_handlers(target, found)
                decompiled += found.values()
            for name, text in found.items():
                if len(sys.argv) > 4:
                    with open(os.path.join(sys.argv[4], f"{language.split(':')[-1]}_{name}.c"), "w", encoding="utf-8") as file:
                        file.write(text)
            count += len(found)
            refused += sum(not text for text in found.values())
            print(f"{language}: {len(found)} routines")
    sleigh_brief.check_pictures(root, decompiled)
    print(f"{handlers} handlers read as they should, and those of docs/export.md as it shows them")
    print(f"{refused} of {count} routines are refused")
    assert not refused


main()
