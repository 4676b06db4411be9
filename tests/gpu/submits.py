#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Made-up recordings of several submits: what `decode` shows of them once, what it passes over and reads on after.

    submits.py GPUCODE
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

from packets import record, recording, submit, type0, type3, type4, type7

GPUCODE = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
STREAM, BUFFER, GROUP = 0x100000, 0x200000, 0x300000
DRAW = type7(0x38, 0x84, 1, 3)  # CP_DRAW_INDX_OFFSET of triangles
errors = checks = 0


def complain(what):
    global errors
    errors += 1
    print(what)


def check(what, is_so):
    global checks
    checks += 1
    if not is_so:
        complain(what)


def words(*groups):
    data = [word for group in groups for word in group]
    return struct.pack(f"<{len(data)}I", *data)


def run(name, *options, code=0):
    done = subprocess.run([GPUCODE, "decode", name, *options], capture_output=True, check=False)
    check(f"{name} {options}: exit code {done.returncode}: {done.stderr.decode()}", done.returncode == code)
    return done.stdout.decode()


def objects(name, *options, code=0):
    return [json.loads(line) for line in run(name, "--json", *options, code=code).splitlines()]


def draws(name, *options):
    return [(one["submit"], one["draw"], one["mode"]) for one in objects(name, "--draws", *options) if "draw" in one]


def write(name, data):
    with open(name, "wb") as out:
        out.write(data)
    return name


def marker(mode):
    return type7(0x65, mode)


def call(address, contents):
    return type7(0x3F, address, 0, len(contents) // 4)


def check_once():
    """A buffer that a binning pass and two bins run, in two submits with other contents."""
    first, second = words(DRAW, type4(0x8800, 1)), words(DRAW, DRAW)
    data = record(13, struct.pack("<I", 630))
    for contents in first, second:
        stream = marker(2) + call(BUFFER, contents) + 2 * (marker(4) + call(BUFFER, contents))
        data += submit(stream, STREAM, {BUFFER: contents})
    name = write("once.rd", data)
    check("not all draws are shown", len(draws(name)) == 9)
    once = [(0, 0, "BINNING"), (0, 1, "GMEM"), (1, 3, "BINNING"), (1, 4, "BINNING"), (1, 5, "GMEM"), (1, 6, "GMEM")]
    check(f"--once forgets nothing at a submit: {draws(name, '--once')}", draws(name, "--once") == once)
    for option in ("--frame=1", "--from=1", "--submit=1"):
        check(f"what {option} hides counts as shown", draws(name, "--once", option) == once[2:])
    check("what --draw hides counts as shown", draws(name, "--once", "--draw=7-8") == [(1, 7, "GMEM"), (1, 8, "GMEM")])
    check("a buffer of which a part was shown is shown again", draws(name, "--once", "--draw=6-8") == once[5:])
    # what a condition does not let run does not count
    skip = type7(0x39, 1 << 31, 1, 0) + type7(0x47, 0x10000000, 4) + call(BUFFER, first)
    name = write("skipped.rd", recording(630, skip + call(BUFFER, first), STREAM, {BUFFER: first}))
    check("a buffer that is skipped counts as shown", len(draws(name, "--once")) == 1)


def check_reading_on():
    stream = type4(0x8800, 1) + [0xDEADD00D] + type4(0x8801, 2) + DRAW
    name = write("bad.rd", recording(630, stream, STREAM))
    text = run(name, code=1)
    check(f"the buffer ends at a word that is no header: {text}", "RB_RENDER_CNTL = " in text and "CP_DRAW" in text)
    check("what was passed over is not told", "000000100008  *** no packet header: 0xdeadd00d, 1 word passed over" in text)
    trouble = [one for one in objects(name, code=1) if "trouble" in one]
    check(f"the same as data: {trouble}", [(one["address"], one["count_words"]) for one in trouble] == [(STREAM + 8, 1)])
    # a header with the parity of one whose packet does not fit, and 185 words
    stream = type4(0x8800, 1) + [0] * 100 + type7(0x10, *[0] * 300)[:1] + [0x12345678] * 84 + DRAW
    name = write("long.rd", recording(630, stream, STREAM))
    check("words are lost", "0x00000000, 185 words passed over" in run(name, code=1))
    check("the draw is lost", len([one for one in objects(name, "--draws", code=1) if "draw" in one]) == 1)
    name = write("old.rd", recording(320, type0(0x2040, 1) + [0x40000000] + type0(0x2041, 2), STREAM))
    check("a3xx has no parity to go by", "0x40000000, 3 words passed over" in run(name, code=1))


def check_a2xx():
    stream = type3(0x22, 0, 6 << 16 | 0x84) + type3(0x22, 0, 9 << 16 | 4, 0x112D4E0, 18) + type3(0x22, 0, 0x84, 12)
    stream += type3(0x22, 0, 0x84) + type3(0x34, 0, 3 << 16 | 0x84, 100, 3)
    name = write("a2xx.rd", recording(200, stream, STREAM))
    counts = [one["count_indices"] for one in objects(name, "--draws") if "draw" in one]
    check(f"counts of draws on a2xx: {counts}", counts == [6, 9, 12, 3])
    check("the count of the initiator is a field", "NUM_INDICES=9 INDX_BASE=0x112d4e0 INDX_SIZE=0x12" in run(name))


def check_modified():
    modify = 0x20C1  # RB_RENDER_CONTROL of a3xx
    stream = type3(0x21, modify, 0xFF0, 0x1000) + type3(0x22, 0, 0x84, 3) + type3(0x21, modify, 0, 0x20)
    name = write("rmw.rd", recording(320, stream + type3(0x22, 0, 0x84, 3), STREAM))
    text = run(name, "--draws")
    check(f"what is known of a register is not shown: {text}", "RB_RENDER_CONTROL = {" in text and "(bits 0xff0 unknown)" in text)
    entries = [one["registers"][0] for one in objects(name, "--draws") if "draw" in one]
    check(f"the same as data: {entries}", [(one["value"], one.get("unknown_bits")) for one in entries] == [(0x1000, 0xFF0), (0x20, None)])
    text = run(name, "--query", "RB_RENDER_CONTROL", "--query", "RB_RENDER_CONTROL.BIN_WIDTH")
    check(f"queries: {text}", text.count("BIN_WIDTH = 64") == 2 and text.count("unknown") == 1)


if __name__ == "__main__":
    check_once()
    check_reading_on()
    check_a2xx()
    check_modified()
    print(f"{checks} checks, {errors} errors")
    sys.exit(errors != 0)
