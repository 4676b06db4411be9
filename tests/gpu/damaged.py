#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damaged crash dumps and logs: the explanation ends with 0 or 2, in time, and says what is wrong; never a signal.

    damaged.py GPUCODE CORPUS [COUNT]
"""
import glob
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

SEED = 20261122
PIECES = [b"0x", b"ffffffffffffffff", b"-1", b"99999999999999999999", b"\n", b"  - ", b"    data: !!ascii85 |\n", b"z" * 50, b"~~~~~",
          b"\0" * 9, b"\xff" * 9, b"\n  - regs-name: CP_SQE_STAT\n    dwords: 4294967295\n", b"\nindexed-registers:\n",
          b"\nringbuffer:\n  - id: 0\n    size: 4294967295\n", b"\nbos:\n  - iova: 0xffffffffffffffff\n    size: 18446744073709551615\n"]


def damage(data, chance):
    """One to eight changes: bits, bytes, pieces put in, taken out, doubled or moved, numbers changed, the end cut off."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if not data:
            break
        at, kind = chance.randrange(len(data)), chance.randrange(9)
        length = min(chance.choice((1, 4, 16, 300, 5000)), len(data) - at)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at] = chance.randrange(256)
        elif kind == 2:
            data[at:at] = chance.choice(PIECES)
        elif kind == 3:
            del data[at:at + length]
        elif kind == 4:
            data[at:at] = data[at:at + length]
        elif kind == 5:
            piece, to = data[at:at + length], chance.randrange(len(data))
            data[to:to + length] = piece
        elif kind == 6 and chance.random() < 0.3:
            del data[at:]
        elif kind == 7:
            digits = [i for i in range(at, min(at + 2000, len(data))) if 48 <= data[i] < 58]
            for i in digits[:chance.randint(1, 12)]:
                data[i] = 48 + chance.randrange(10)
        else:
            lines = bytes(data).split(b"\n", 3000)
            first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def check(gpucode, path, chance):
    arguments = chance.choice((["--json"], ["--json"], [], ["--verbose"], ["--redact", path + ".open"], ["--section", "registers"],
                               ["--section", "bos"], ["-t", "afuc:a7xx", "--json"]))
    try:
        done = subprocess.run([gpucode, "crash", *arguments, path], capture_output=True, check=False, timeout=600)
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode not in (0, 2):
        return f"exit code {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 2 and not done.stderr:
        return "refused without a word"
    if done.returncode == 0 and "--json" in arguments:
        try:
            json.loads(done.stdout)
        except ValueError as error:
            return f"no JSON: {error}"
    return None


def main():
    gpucode, corpus = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 3000 if os.environ.get("GPUCODE_LONG_TESTS") else 60
    chance, seeds, errors = random.Random(SEED), [], []
    real = os.path.join(os.environ.get("GPUCODE_VECTORS", ""), "crash/crash.devcore.gz")
    for path in sorted(glob.glob(os.path.join(corpus, "*"))) + ([real] if os.path.exists(real) else []):
        with open(path, "rb") as file:
            data = file.read()
        seeds.append(data)
        if data[:2] == b"\x1f\x8b":
            seeds.append(gzip.decompress(data))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "damaged")
        for i in range(count):
            data = damage(chance.choice(seeds), chance)
            with open(path, "wb") as file:
                file.write(data)
            error = check(gpucode, path, chance)
            if error:
                errors.append(f"{i}: {error}")
                with open(f"/tmp/damaged-{os.getpid()}-{i}", "wb") as file:
                    file.write(data)
    print("\n".join(errors[:20]))
    print(f"{count} damaged dumps, {len(errors)} errors")
    sys.exit(1 if errors or not seeds else 0)


main()
