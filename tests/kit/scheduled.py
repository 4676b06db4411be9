#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `gpucode schedule` makes of shaders does what they do: each is compared with its result, which is reordered too.
The project's own, and those of the vectors (GPUCODE_VECTORS) and of recordings beside them, each fourth of these without
GPUCODE_LONG_TESTS. And `compare` is looked at the
other way: of shaders in which one instruction's operation is another one, most are told apart.
usage: scheduled.py GPUCODE ROOT"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from concurrent.futures import ThreadPoolExecutor

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
RUNS = "300"
NOT_COMPARED = "not compared"
# of the same form, and not the same whatever the inputs
OTHERS = {"add.f": "mul.f", "mul.f": "add.f", "add.u": "sub.u", "and.b": "or.b", "or.b": "xor.b", "min.f": "max.f",
          "max.f": "min.f", "add.s": "sub.s", "sub.u": "add.u", "cmps.f.lt": "cmps.f.ge", "shl.b": "shr.b",
          "cmps.u.eq": "cmps.u.ne", "cmps.s.lt": "cmps.s.ge"}


def call(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def check(job):
    """A complaint or None."""
    path, target, folder, number = job
    quad = ["--policy", "a3xx-threads=4"] if target == "a3xx" else []
    made = folder / f"{number}{path.suffix}"
    done = call("schedule", "-t", target, "-O", "--strip", "needless", str(path), "-o", str(made))
    if done.returncode:
        return f"{path}: schedule: {done.stderr.strip()[:200]}"
    done = call("compare", "-t", target, "--runs", RUNS, *quad, str(path), str(made))
    if "cli-compare-none" in done.stderr: # random inputs lead out of the file of consts
        return NOT_COMPARED
    return f"{path} and what is scheduled of it: {done.returncode}\n{done.stdout[:600]}{done.stderr[:300]}" if done.returncode else None


def change(job):
    """Is a shader with another operation told apart? None: it has no instruction to change."""
    path, target, folder, number = job
    text = call("disasm", "-t", target, str(path)).stdout if path.suffix == ".bin" else path.read_text()
    lines = text.splitlines()
    places = [(i, found) for i, line in enumerate(lines) for found in [re.search(r"\b(\w+\.[.\w]+) ", line)]
              if found and found.group(1) in OTHERS and not line.lstrip().startswith((";", "@"))]
    if not places:
        return None
    i, found = random.Random(number).choice(places)
    other = lines[:i] + [lines[i].replace(found.group(1), OTHERS[found.group(1)], 1)] + lines[i + 1:]
    names = [folder / f"{number}-{side}.asm" for side in "ab"]
    for name, content in zip(names, (lines, other)):
        name.write_text("\n".join(content) + "\n")
    return call("compare", "-t", target, "--runs", RUNS, *map(str, names)).returncode == 1


def recorded(folder):
    """Shaders of recordings: (file, target)."""
    traces = pathlib.Path(os.environ.get("GPUCODE_VECTORS", "")) / "../traces"
    for trace in sorted(traces.glob("*.rd.gz")):
        if call("extract", str(trace), "-o", str(folder / trace.name)).returncode == 0:
            target = "ir3:a540" if "a540" in trace.name else "ir3:a630"
            yield from ((path, target) for path in sorted(folder.glob(trace.name + ".*.bin")))


def shaders(folder):
    for path in sorted((root / "examples/a3xx").glob("*.asm")):
        if path.stem != "early": # which is wrong before it is scheduled; compare has its own test
            yield path, "a3xx"
    for path in sorted((root / "tests/kit/ir3/cases").glob("*.asm")) + sorted((root / "examples/ir3").glob("*.asm")):
        named = re.search(r"^\.target (\S+)", path.read_text(), re.M)
        yield path, named.group(1) if named else f"ir3:{path.name[:4]}" if path.parent.name == "cases" else "ir3:a650"
    vectors = os.environ.get("GPUCODE_VECTORS")
    if not vectors or not pathlib.Path(vectors).is_dir():
        print("skipped: the vectors are not there (GPUCODE_VECTORS)")
        return
    given = [(path, "a3xx") for path in sorted(pathlib.Path(vectors).glob("a3xx/*/*.bin"))]
    given += [(path, f"ir3:{path.name[:4]}") for path in sorted(pathlib.Path(vectors).glob("ir3/execution/*.asm"))]
    given += recorded(folder)
    yield from given[::1 if os.environ.get("GPUCODE_LONG_TESTS") else 4]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs = [(path, target, folder, number) for number, (path, target) in enumerate(shaders(folder))]
        with ThreadPoolExecutor(max_workers=2) as pool:
            found = [line for line in pool.map(check, jobs) if line]
            none = found.count(NOT_COMPARED)
            found = [line for line in found if line != NOT_COMPARED]
            told = [one for one in pool.map(change, jobs) if one is not None]
    print("\n".join(found + [f"{len(jobs)} shaders, {none} not compared, {len(found)} complaints; {sum(told)} of {len(told)} changed ones told apart"]))
    return 1 if found or 50 * none > len(jobs) or not jobs or sum(told) < 0.6 * len(told) else 0


if __name__ == "__main__":
    sys.exit(main())
