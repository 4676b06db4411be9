#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpucode export sleigh: the modules are read back (sleigh_reader.py), what they print is what listings have, and what
AFUC's p-code does is what the machine does, on recorded programs and on random ones, step by step (sleigh_afuc.py); the
same of the smaller sets (sleigh_sets.py).
SLEIGH_SEED and SLEIGH_PROGRAMS: other random programs, and how many.

usage: sleigh.py GPUCODE SOURCE_ROOT STEPS"""
import glob
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import sleigh_afuc
import sleigh_brief
import sleigh_reader
import sleigh_refused
import sleigh_sets
import sleigh_texts
from steps import LONG, Steps, document, gpucode, program, random_word

root, steps_program = sys.argv[2:4]


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
    "processor_spec": ("", "", {"programcounter": (0, 1), "volatile": (0, 1), "context_data": (0, 1), "default_symbols": (0, 1)}),
    "context_data": ("", "", {"context_set": (0, MANY)}), "context_set": ("space", "first last", {"set": (1, MANY)}),
    "set": ("name val", "description", {}), "killedbycall": ("", "", {"register": (1, MANY)}),
    "programcounter": ("register", "", {}), "volatile": ("inputop outputop", "", {"range": (1, MANY)}),
    "range": ("space", "first last", {}), "default_symbols": ("", "", {"symbol": (1, MANY)}),
    "symbol": ("name address", "entry type", {}),
    "compiler_spec": ("", "", {"global": (0, 1), "stackpointer": (1, 1), "default_proto": (1, 1)}), "global": ("", "", {"range": (1, MANY)}),
    "stackpointer": ("register space", "", {}),  # the schema calls it optional; the decompiler does not work without
    "default_proto": ("", "", {"prototype": (1, 1)}),
    "prototype": ("name extrapop stackshift", "strategy", {"input": (1, 1), "output": (1, 1), "killedbycall": (0, 1)}),
    "input": ("", "", {"pentry": (0, MANY)}), "output": ("", "", {"pentry": (0, MANY)}),
    "pentry": ("", "minsize maxsize align storage", {"register": (1, 1)}), "register": ("name", "", {}),
}
# What an attribute may say, where that is not any text.
VALUES = {
    "endian": "little|big", "entry": "true|false|1|0", "type": "code|code_ptr", "strategy": "standard|register",
    "size": r"\d+", "minsize": r"\d+", "maxsize": r"\d+", "extrapop": r"\d+|unknown", "stackshift": r"\d+",
    "version": r"\d+\.\d+", "address": r"\w+:0x[0-9a-f]+", "id": r"[\w:.]+", "register": r"\w+",
    "slafile": r"\w+\.sla", "processorspec": r"\w+\.pspec", "spec": r"\w+\.cspec",
}


def check_schema(element):
    must, may, children = SCHEMAS[element.tag]
    assert not children or not (element.text or "").strip(), (element.tag, element.text)
    for name, value in element.items():
        assert re.fullmatch(VALUES.get(name, ".+"), value), (element.tag, name, value)
    assert set(must.split()) <= set(element.keys()) <= set((must + " " + may).split()), (element.tag, element.keys())
    assert ("first" in element.keys()) == ("last" in element.keys())
    for name, (least, most) in children.items():
        assert least <= len(element.findall(name)) <= most, (element.tag, name)
    for child in element:
        assert child.tag in children, (element.tag, child.tag)
        check_schema(child)
    if element.tag == "language":  # the one element whose children have an order
        assert [child.tag for child in element] == sorted((child.tag for child in element), key=list(children).index)
        size, order = element.get("size"), {"little": "LE", "big": "BE"}[element.get("endian")]
        assert element.get("id") == f"{element.get('processor')}:{order}:{size}:{element.get('variant')}"


def check_symbols(pspec, target):
    """The names of registers of all spaces are those that the program has."""
    wanted = {}
    for entry in document(target)["registers"]:
        if entry["space"] in ("control", "sqe", "pipe", "gpu"):
            wanted.update({f"{entry['space']}:{number}": name for number, name in entry["names"].items()})
        if entry["space"] == "pipe":  # in brief p-code they are registers of the GPU
            wanted.update({f"gpu:{int(number, 16) << 24:#x}": name for number, name in entry["names"].items()})
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
            stack = cspec.find("stackpointer")
            assert stack.get("register") in module.registers and stack.get("space") in module.spaces
            with open(spec.replace(".slaspec", ".sinc"), encoding="utf-8") as file:  # nothing that instructions use
                assert not re.search(rf"\b{stack.get('register')}\b", file.read())
            for item in cspec.iter("register"):
                assert item.get("name") in module.registers
            brief = [(item.get("name"), item.get("val")) for item in pspec.iter("set")]  # for decompilers
            assert brief == [(name, "1") for name in module.context if name != "in_slot"], brief
            assert len(brief) == (language.get("processor") == "AFUC"), brief
            found.append((language.get("processor"), language.get("variant"), module))
    assert len(found) > 8
    return found


# --- what it prints --------------------------------------------------------------------------------------------------

def check_texts(module, target, rows, steps, count):
    """The text of a word is what the listing has; all rows are among the words."""
    chance = random.Random(3)
    picked = [rows[index % len(rows)] for index in range(count)]
    words = [random_word(chance, row) for row in picked]
    same = seen = 0
    unit = module.alignment
    for row, word, text in zip(picked, words, steps.texts(target, words)):
        if not text or text.startswith(("[", ".insn")):  # it is none
            continue
        seen += 1
        found = module.text(word, 0)
        assert found is not None, (target, hex(word))
        place = any(field["type"] == "target" for field in row["fields"])
        equal = sleigh_texts.same(text, found, place or row["id"] == "RAW", unit)
        same += equal
        assert equal, (target, row["id"], hex(word), found, text)
    assert seen > count // 2, (target, seen)
    return same, seen


def check_sums(folder):
    """No file of any module has changed without notice. UPDATE_GOLDEN=1 writes the sums; what has changed is seen by
    comparing the modules of the program before and after."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "modules.sums")
    lines = []
    for path in sorted(glob.glob(folder + "/**", recursive=True)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                lines.append(f"{hashlib.sha256(file.read()).hexdigest()}  {os.path.relpath(path, folder)}\n")
    if os.environ.get("UPDATE_GOLDEN"):
        with open(place, "w", encoding="utf-8") as file:
            file.writelines(lines)
    with open(place, encoding="utf-8") as file:
        others = sorted(set(file) ^ set(lines))
    assert not others, f"modules have changed (UPDATE_GOLDEN=1 writes their sums anew): {others}"
    print(f"{len(lines)} files are as they were")


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "export", "sleigh", "-o", folder], check=True)
        check_sums(folder)
        modules = check_files(folder)
        for processor, variant, _ in modules:
            with open(f"{folder}/{processor}/data/languages/{processor}_{variant}.sinc", encoding="utf-8") as file:
                text = file.read()
            assert "look otherwise" not in text, variant  # a form fitted all words that were tried
            if processor == "AFUC":
                sleigh_brief.check_module(text, variant)
        print(f"{sleigh_refused.check_all(folder)} mistakes are refused")
    comparisons, texts, steps = {}, [0, 0], Steps(steps_program)
    for processor, variant, module in modules:
        target = target_of(processor, variant)
        same, seen = check_texts(module, target, document(target)["rows"], steps, 2000 if LONG else 1000)
        print(f"{target}: {same} of {seen} texts are those of listings")
        texts = [texts[0] + same, texts[1] + seen]
        if processor == "AFUC":
            comparisons[variant] = sleigh_afuc.Comparison(module, target, root)
    print(f"{len(modules)} languages; {texts[0]} of {texts[1]} texts are those of listings")
    compare(comparisons, steps)
    sleigh_sets.check({f"{processor}_{variant}": module for processor, variant, module in modules}, steps)


def compare(comparisons, steps):
    """AFUC's p-code and the machine."""
    vectors = sleigh_afuc.check_vectors(comparisons, steps, sleigh_afuc.vectors_folder(root))
    chance = random.Random(int(os.environ.get("SLEIGH_SEED", "1")))
    count = int(os.environ.get("SLEIGH_PROGRAMS", 3000 if LONG else 250)) // len(comparisons)
    for comparison in comparisons.values():
        sleigh_afuc.check_slots(comparison, steps)
        for _ in range(count):
            words, commands = sleigh_afuc.random_program(chance, comparison.rows, comparison.target)
            comparison.run(words, steps.trace(commands, 200), 1)  # $usraddr was set last
    print(f"{vectors or 'no'} vectors, {count * len(comparisons)} random programs")
    sums = {}
    for comparison in comparisons.values():
        for reason, number in comparison.counts.items():
            sums[reason] = sums.get(reason, 0) + number
    print("steps: " + ", ".join(f"{number} {reason}" for reason, number in sums.items()))
    assert sums["same"] > 5 * sum(number for reason, number in sums.items() if reason != "same")


main()
