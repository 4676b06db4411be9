#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares graphs, references and findings with programs whose structure is known by how they were made.

    analysis.py GPUCODE

The programs are in the folder $GPUCODE_VECTORS/analysis: N.asm with N.graph.json and N.xref.jsonl, and sources with
one defect or none, CODE.GENERATION.KIND.asm with .json. Others are made by its generator. Skipped (exit code 77) where they are not there.
"""
import collections
import glob
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


def edges(block):
    return sorted((e["kind"], e.get("to_words")) for e in block["successors"])


def function(one):
    blocks = [(b["start_words"], b["end_words"], edges(b)) for b in one["blocks"]]
    calls = [(c["at_words"], c["to_words"], c["kind"]) for c in one["calls"]]
    return one["name"], one["start_words"], one["kind"], one["packets"], blocks, calls, one["depth"]


def check_graph(gpucode, path):
    out, err, code = run(gpucode, "graph", "--format=json", path + ".asm")
    if code:
        return [err]
    with open(path + ".graph.json", encoding="utf-8") as file:
        wanted = json.load(file)
    wrong = []
    for ours, truth in zip(json.loads(out)["sections"], wanted["sections"]):
        found, known = [[function(f) for f in s["functions"]] for s in (ours, truth)]
        wrong += [f"graph of {ours['name']}: {f[:3]}" for f in found if f not in known]
        wrong += [f"graph of {ours['name']} lacks {f[:3]}" for f in known if f not in found]
    return wrong


def question(access):
    """What one asks to find such an access, and which others are found with it."""
    if access["space"] == "general":
        return access["name"], ("general", access["name"])
    if access["space"] == "memory":
        return "memory", ("memory", None)
    if access["space"] == "code":
        return f"l{int(access['number'], 16)}", ("code", access["number"])
    return access["number"], ("number", access["number"])


def key(access):
    names = ("section", "at_words", "function", "space", "access", "number", "value", "via")
    return tuple(access.get(n) for n in names) + (tuple(access["packets"]), access.get("exact", True))


def check_references(gpucode, path):
    with open(path + ".xref.jsonl", encoding="utf-8") as file:
        known = [json.loads(line) for line in file]
    answers = collections.defaultdict(list)
    asked = {}
    for access in known:
        what, kind = question(access)
        asked[what] = kind
        answers[kind].append(access)
    wrong = []
    for what, kind in asked.items():
        out, err, code = run(gpucode, "xref", "--json", path + ".asm", what)
        if code:
            wrong.append(err)
            continue
        found = collections.Counter(key(json.loads(line)) for line in out.splitlines())
        wanted = collections.Counter(key(access) for access in answers[kind])
        wrong += [f"xref {what} lacks {k}" for k in wanted - found]
        if kind[0] != "general":  # there one may know more
            wrong += [f"xref {what}: {k}" for k in found - wanted]
    return wrong


def generate(folder, seed, path):
    """A program of the folder's generator with what is true of it, as the folder has others."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    program = importlib.import_module("gen_prog").Program(seed)
    graph, accesses = program.truth()
    with open(path + ".asm", "w", encoding="utf-8") as file:
        file.write(program.text())
    with open(path + ".graph.json", "w", encoding="utf-8") as file:
        json.dump(graph, file)
    with open(path + ".xref.jsonl", "w", encoding="utf-8") as file:
        for access in accesses:
            access["name"] = access.pop("reg", access.get("name", ""))
            access.update({key: hex(access[key]) for key in ("number", "value") if key in access})
            file.write(json.dumps(access) + "\n")


def check_lint(gpucode, path):
    with open(path + ".json", encoding="utf-8") as file:
        wanted = json.load(file)
    out, err, code = run(gpucode, "lint", "--json", path + ".asm")
    if code not in (0, 1):
        return [err]
    found = [json.loads(line) for line in out.splitlines()]
    lines = [f["line"] for f in found if f["code"] == wanted["code"]]
    return [] if lines == wanted["lines"] else [f"{wanted['code']} in lines {lines}, wanted {wanted['lines']}"]


def check_edit(gpucode, path, folder):
    """A text for editing has labels for the places that the source has them for, and gives the same bytes."""
    image, text, back = [os.path.join(folder, name) for name in ("image", "text.asm", "back")]
    with open(path + ".asm", encoding="utf-8") as file:
        places = re.findall(r"^ *(?:mov|add) .*, #", file.read(), re.M)
    for command in ("asm", path + ".asm", "-o", image), ("disasm", "--edit", image, "-o", text), ("asm", text, "-o", back):
        out, err, code = run(gpucode, *command)
        if code:
            return [err]
    with open(text, encoding="utf-8") as file:
        found = re.findall(r"^(?:mov|add) .*, #", file.read(), re.M)
    wrong = [] if len(found) == len(places) else [f"{len(found)} of {len(places)} places are labels"]
    with open(image, "rb") as one, open(back, "rb") as other:
        return wrong + ([] if one.read() == other.read() else ["the text for editing gives other bytes"])


def check_clean(gpucode, path):
    out, err, code = run(gpucode, "lint", path)
    return [] if code == 0 else [out + err]


def main():
    gpucode, folder = sys.argv[1], os.path.join(os.environ.get("GPUCODE_VECTORS", ""), "analysis")
    programs = sorted(glob.glob(os.path.join(folder, "*.graph.json")))
    sources = sorted(glob.glob(os.path.join(folder, "*.defect.asm")) + glob.glob(os.path.join(folder, "*.twin.asm")))
    if not os.environ.get("GPUCODE_VECTORS") or not programs:
        print("no programs in $GPUCODE_VECTORS/analysis")
        sys.exit(77)
    if not os.environ.get("GPUCODE_LONG_TESTS"):
        programs = programs[:3]
    wrong = []
    for program in programs:
        path = program[: -len(".graph.json")]
        wrong += [f"{path}: {w}" for w in check_graph(gpucode, path) + check_references(gpucode, path)]
        with tempfile.TemporaryDirectory() as scratch:
            wrong += [f"{path}: {w}" for w in check_edit(gpucode, path, scratch)]
    seeds = range(300, 308 if os.environ.get("GPUCODE_LONG_TESTS") else 301)
    for seed in seeds:
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "program")
            generate(folder, seed, path)
            wrong += [f"seed {seed}: {w}" for w in check_graph(gpucode, path) + check_references(gpucode, path)]
    mocks = glob.glob(os.path.join(folder, "../afuc/mock/*.fw"))
    for mock in mocks:
        wrong += [f"{mock}: {w}" for w in check_clean(gpucode, mock)]
    for source in sources:
        wrong += [f"{source}: {w}" for w in check_lint(gpucode, source[: -len(".asm")])]
    print(f"{len(programs) + len(seeds)} programs, {len(sources)} sources, {len(wrong)} wrong", *wrong[:20], sep="\n")
    sys.exit(bool(wrong))


main()
