#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runs is in the graph: the example firmware with the packets of its tests, and with recorded streams.

    edges.py GPUCODE EXAMPLES

Every edge that a run took must be one that `graph` knows from the code, but for jumps that it says it cannot resolve,
and every word that ran must belong to a function. Recorded streams are in the folder $GPUCODE_VECTORS/../traces; without
them the packets alone are run.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
sys.dont_write_bytecode = True
from features import reads_gzip

BATCH = 4


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "cli-replay-target" in done.stderr:  # a stream for another generation
        return None
    if done.returncode > 1:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def rings(path):
    """The words of each test that has some."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words[:1] == ["test"]:
                found.append([])
            elif words[:1] == ["ring"]:
                found[-1].extend(words[1:])
    return [words for words in found if words]


def reached(graph):
    """Words of functions, by section."""
    return {section["name"]: {word for function in section["functions"] for block in function["blocks"]
                              for word in range(block["start_words"], block["end_words"])}
            for section in graph["sections"]}


def cover(gpucode, firmware, ring, words):
    """Edges, words that ran and whether all packets were taken, of one run."""
    with open(ring, "w", encoding="utf-8") as file:
        file.write("\n".join(words))
    # a result that is no file need not be safe on the disk before the next run
    report, *lines = run(gpucode, "coverage", "--json", "--limit", "20000", "--ring", ring, "--edges", "/dev/stdout",
                         firmware).splitlines(keepends=True)
    report = json.loads(report)
    ran = {section["name"]: {word for first, last in section["ran_words"] for word in range(first, last + 1)}
           for section in report["sections"]}
    return lines, ran, report["consumed"]


def cover_all(gpucode, firmware, ring, tests):
    """Several tests run one behind the other; where one of them stops, each has a run of its own."""
    for first in range(0, len(tests), BATCH):
        batch = tests[first:first + BATCH]
        found = cover(gpucode, firmware, ring, sum(batch, []))
        if found[2]:
            yield found
        else:
            yield from (cover(gpucode, firmware, ring, words) for words in batch)


def check(graph, ran, what):
    wrong = []
    taken = 0
    for section in graph["sections"]:
        for function in section["functions"]:
            for block in function["blocks"]:
                kinds = [edge["kind"] for edge in block["successors"]]
                taken += sum(edge.get("seen", False) for edge in block["successors"])
                if "seen" in kinds and "unresolved" not in kinds:
                    wrong.append(f"{what}: {section['name']} {block}: an edge that the code does not tell of")
    known = reached(graph)
    for name, words in ran.items():
        boot = min(known[name])
        wrong += [f"{what}: {name} word {word} ran, and no function has it"
                  for word in sorted(words - known[name]) if word >= boot]
    return wrong, taken


def main():
    gpucode, examples = sys.argv[1:]
    vectors = os.environ.get("GPUCODE_VECTORS", "")
    streams = sorted(glob.glob(os.path.join(vectors, "..", "traces", "*.rd.gz"))) if vectors and reads_gzip(gpucode) else []
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = {name: os.path.join(folder, name) for name in ("fw", "ring", "edges", "all")}
        for image, least in ("a6xx", 100), ("a7xx", 100):
            run(gpucode, "asm", os.path.join(examples, image + ".asm"), "-o", path["fw"])
            lines, ran, replayed = set(), {}, 0
            tests = rings(os.path.join(examples, image + ".tests"))
            for found, words, _ in cover_all(gpucode, path["fw"], path["ring"], tests):
                lines.update(found)
                for section, numbers in words.items():
                    ran.setdefault(section, set()).update(numbers)
            for stream in streams if image == "a6xx" else []:
                if run(gpucode, "replay", "--firmware", path["fw"], "--edges", path["edges"], stream) is not None:
                    replayed += 1
                    lines |= set(open(path["edges"], encoding="utf-8"))
            with open(path["all"], "w", encoding="utf-8") as file:
                file.writelines(sorted(lines))
            found, taken = check(json.loads(run(gpucode, "graph", "--json", "--coverage", path["all"], path["fw"])), ran, image)
            wrong += found
            if taken < least:
                wrong.append(f"{image}: {taken} edges were taken, fewer than {least}")
            print(f"{image}: {taken} edges were taken, {sum(map(len, ran.values()))} words ran, {replayed} streams")
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))


main()
