#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiled shaders with known results through the command line: inputs as options, results as JSON.

usage: command_line.py GPUCODE [STEP]; every STEP-th case of each shader (4), plain and in turn under strict timing, as
it is and scheduled anew. The vectors' folder is $GPUCODE_VECTORS (../shared/vectors)."""
import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

VECTORS = os.environ.get("GPUCODE_VECTORS", os.path.join(os.path.dirname(__file__), "../../../../shared/vectors"))
PLACES = {"var": "--varying", "att": "--in", "uni": "--const", "imm": "--const"}


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def steps(bits):
    return bits if bits < 1 << 31 else (1 << 31) - bits


def near(got, wanted, kind, absolute, relative, ulp):
    a, b = number(got), number(wanted)
    if kind != "float":
        return got == wanted
    return a == b or abs(a - b) <= max(float(absolute), float(relative) * abs(b)) or abs(steps(got) - steps(wanted)) <= int(ulp)


def read_cases(path):
    """Yields (lines for all cases, lines of one case), split into words."""
    common, case = [], []
    with open(path, encoding="ascii") as text:
        for words in map(str.split, text):
            if words and words[0] == "case":
                case = []
            elif words and words[0] == "endcase":
                yield common, case
            elif words:
                (common if words[0] in ("ij", "imm") else case).append(words)


def options(lines, folder):
    given, wanted, size = [], {}, {}
    for words in lines:
        if words[0] == "ij" and words[1] != "none":
            given += ["--ij", words[1]]
        elif words[0] in PLACES:
            flat = ":flat" if words[-1] == "flat" else ""
            value = "0x" + words[2]
            if words[-1] == "smooth" and int(words[2][-2:], 16) & 1:
                value = repr(number(int(words[2], 16)))  # as scripts print floats
            given += [PLACES[words[0]], f"{words[1]}={value}{flat}"]
        elif words[0] == "tex":
            path = os.path.join(folder, f"{words[1]}.f32")
            size[words[1]] = int(words[2])
            open(path, "wb").write(bytes(16 * int(words[2]) * int(words[3])))
            given += ["--texture", f"{words[1]}={path}:{words[2]}x{words[3]}"]
        elif words[0] == "texel":
            with open(os.path.join(folder, f"{words[1]}.f32"), "r+b") as texels:
                texels.seek(16 * (int(words[3]) * size[words[1]] + int(words[2])))
                texels.write(struct.pack("<4I", *(int(word, 16) for word in words[4:8])))
        elif words[0] == "out":
            wanted[words[1]] = words[2:]
    return given + (["--print", ",".join(wanted)] if wanted else []), wanted


def check(command, lines, wanted):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    killed = ["discard"] in lines
    if done.returncode or done.stderr:
        return f"exit code {done.returncode}: {done.stderr}"
    result = json.loads(done.stdout)
    if result["stop"] != "end" or result["killed"] != killed:
        return done.stdout
    for name, (kind, value, *tolerance) in wanted.items():
        if not killed and not near(int(result["registers"][name], 16), int(value, 16), kind, *tolerance):
            return f"{name} is {result['registers'][name]}, not {value}"
    return None


def main():
    program, step, bad, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4, 0, 0
    paths = sorted(glob.glob(os.path.join(VECTORS, "a3xx/execution/*.vec")))
    if not paths:
        print("skipped: no vectors")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for place, path in enumerate(paths):
            plain, bare, anew = path[:-3] + "bin", os.path.join(folder, "bare.bin"), os.path.join(folder, "anew.bin")
            subprocess.run([program, "schedule", "-t", "a3xx", "--strip=all", plain, "-o", bare], capture_output=True, check=True)
            subprocess.run([program, "schedule", "-t", "a3xx", bare, "-o", anew], capture_output=True, check=True)
            for index, (common, case) in enumerate(read_cases(path)):
                if (index + place) % step:
                    continue
                given, wanted = options(common + case, folder)
                for shader, how in ((plain, []), (anew, ["--strict"]) if index & 1 else (plain, ["--strict"])):
                    command = [program, "run", "-t", "a3xx", shader, "--json", *how, *given]
                    wrong = check(command, case, wanted)
                    count += 1
                    if wrong:
                        bad += 1
                        print(" ".join(command), wrong, sep="\n")
    print(f"{count} runs, {bad} wrong")
    return 1 if bad or not count else 0


sys.exit(main())
