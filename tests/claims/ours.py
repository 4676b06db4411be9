#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No sentence of the manual is one of the documents that it was written from: no run of so many words is the same.

usage: ours.py ROOT; the documents are in the folder `seeds` beside $GPUCODE_VECTORS. Names of packets, registers and
instructions count as words, code does not count."""
import os
import re
import sys
from pathlib import Path

RUN = 8
root = Path(sys.argv[1])
seeds = Path(os.environ.get("GPUCODE_VECTORS") or root / "../shared/vectors").resolve().parent / "seeds"
if not seeds.is_dir():
    print("skipped: the documents are not here")
    sys.exit(77)


def runs(path):
    text = re.sub(r"```.*?```|``?[^`]*``?|^    .*$", " . ", path.read_text(errors="replace"), flags=re.M | re.S)
    text = re.sub(r"^\s*\d+", " ", text, flags=re.M)
    for part in re.split(r"[.;:|#]\s|\n\n", text):
        words = re.findall(r"[a-z0-9]+", part.lower())
        for i in range(len(words) - RUN + 1):
            yield " ".join(words[i : i + RUN])


theirs = {run for path in seeds.iterdir() for run in runs(path)}
ours = {run: path.name for path in sorted((root / "docs").rglob("*.md")) for run in runs(path)}
bad = sorted(set(ours) & theirs)
for run in bad:
    print(f"FAILED: {ours[run]}: {run}")
print(f"{len(theirs)} runs of {RUN} words in the documents, {len(ours)} in ours, {len(bad)} in both")
sys.exit(bool(bad) or len(theirs) < 1000)
