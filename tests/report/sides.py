#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is new on one side is gone on the other: `diff` of two codes and of the same two exchanged say the same.

usage: sides.py GPUCODE ROOT"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
OTHER = {"new": "gone", "gone": "new"}
checks = bad = 0
seen = set()


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def check(what, right):
    global checks, bad
    checks += 1
    if not right:
        bad += 1
        print(f"FAILED: {what}")


def exchanged(value):
    """An answer with the sides exchanged."""
    if isinstance(value, list):
        return [exchanged(one) for one in value]
    if not isinstance(value, dict):
        return value
    turned = {}
    for key, one in value.items():
        side = re.match("(old|new)(.*)", key)
        turned[{"old": "new", "new": "old"}[side[1]] + side[2] if side else key] = exchanged(one)
    if turned.get("status") in OTHER:
        turned["status"] = OTHER[turned["status"]]
    return turned


def rows(answer, name):
    """The rows of a list, in an order that does not depend on the side; names that are made of a place are of one side."""
    found = [{key: one for key, one in row.items() if not str(one).startswith("fxn")} for row in answer.get(name, [])]
    seen.update(one["status"] for one in found if "status" in one)
    return sorted(json.dumps(one, sort_keys=True) for one in found)


def counts(text):
    """"1 changed, 2 gone", the sides as they are."""
    return [dict(reversed(part.split(" ", 1)) for part in line.split(": ", 1)[1].split(", "))
            for line in text.splitlines() if re.match("(functions|blocks|packets): [0-9]", line)]


folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
for name, every in ("shader.asm", 2), ("early.asm", 3), ("old.asm", 9):
    lines = (root / "tests/report" / name).read_text().splitlines()
    Path(name).write_text("\n".join(lines) + "\n")
    compared = 0
    for start in range(2, len(lines), every):
        for length in (1, 3):
            other = "other" + Path(name).suffix
            Path(other).write_text("\n".join(lines[:start] + lines[start + length:]) + "\n")
            one, two = run("diff", "--json", name, other), run("diff", "--json", other, name)
            check(f"exit codes of {name} without {start}: {one.returncode}, {two.returncode}", one.returncode == two.returncode)
            if one.returncode != 1:
                continue
            compared += 1
            there, back = json.loads(one.stdout), exchanged(json.loads(two.stdout))
            for part in ("functions", "packets", "registers", "blocks"):
                check(f"{part} of {name} without {length} from {start}:\n  {rows(there, part)}\n  {rows(back, part)}",
                      rows(there, part) == rows(back, part))
            texts = run("diff", name, other).stdout, run("diff", other, name).stdout
            turned = [{OTHER.get(key, key): count for key, count in one.items()} for one in counts(texts[1])]
            check(f"counts of {name} without {start}: {counts(texts[0])}, {turned}", counts(texts[0]) == turned)
    check(f"{name} is compared {compared} times", compared > 4)
check(f"what has become of code: {seen}", seen >= {"same", "moved", "changed", "new", "gone"} or len(seen) > 3)
print(f"{checks} checks")
sys.exit(bad != 0)
