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
    check(f"the buffer ends at a word that is not a header: {text}", "RB_RENDER_CNTL = " in text and "CP_DRAW" in text)
    check("what was passed over is not told", "000000100008  *** no packet header: 0xdeadd00d, 1 word skipped" in text)
    trouble = [one for one in objects(name, code=1) if "trouble" in one]
    check(f"the same as data: {trouble}", [(one["address"], one["count_words"]) for one in trouble] == [(STREAM + 8, 1)])
    # a header with the parity of one whose packet does not fit, and 185 words
    stream = type4(0x8800, 1) + [0] * 100 + type7(0x10, *[0] * 300)[:1] + [0x12345678] * 84 + DRAW
    name = write("long.rd", recording(630, stream, STREAM))
    check("words are lost", "0x00000000, 185 words skipped" in run(name, code=1))
    check("the draw is lost", len([one for one in objects(name, "--draws", code=1) if "draw" in one]) == 1)
    told = "places without a packet: 1, the first at 0x100008; words skipped: 185 [cli-not-packets]"
    for option in "--draws", "--marks", "--query=RB_CNTL", "--html=bad.html", "--summary", "--lint", "--where=0x100008":
        done = subprocess.run([GPUCODE, "decode", name, option], capture_output=True, check=False)
        check(f"{option}: {done.stderr.decode()}", done.returncode == 1 and told in done.stderr.decode())
    name = write("old.rd", recording(320, type0(0x2040, 1) + [0x40000000] + type0(0x2041, 2), STREAM))
    check("a3xx has no parity to go by", "0x40000000, 3 words skipped" in run(name, code=1))


def check_a2xx():
    stream = type3(0x22, 0, 6 << 16 | 0x84) + type3(0x22, 0, 9 << 16 | 4, 0x112D4E0, 18) + type3(0x22, 0, 0x84, 12)
    stream += type3(0x22, 0, 0x84) + type3(0x34, 0, 3 << 16 | 0x84, 100, 3)
    name = write("a2xx.rd", recording(200, stream, STREAM))
    counts = [one["count_indices"] for one in objects(name, "--draws") if "draw" in one]
    check(f"counts of draws on a2xx: {counts}", counts == [6, 9, 12, 3])
    text = run(name, "--source")
    check(f"the same in the recording's text: {text}", "        INDX_BASE = 0x112d4e0\n        INDX_SIZE = 0x12\n" in text and
          "        NUM_INDICES = 12\n" in text and "NUM_INDICES = 18011360" not in text)
    write("a2xx.rdasm", text.replace("INDX_SIZE = 0x12", "INDX_SIZE = 0x14").encode())
    subprocess.run([GPUCODE, "encode", "a2xx.rdasm", "-o", "edited.rd"], check=True)
    check("and back", "NUM_INDICES=9 INDX_BASE=0x112d4e0 INDX_SIZE=0x14" in run("edited.rd"))
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
    # nothing is known of one, something of one that has no name: each kind of record, as text and as data
    name = write("none.rd", recording(320, type3(0x21, modify, 0xFFFFFFFF, 0) + type3(0x21, 0x2080, 0xFF00, 3) + type3(0x22, 0, 0x84, 3), STREAM))
    lines = run(name).splitlines(), run(name, "--draws").splitlines()
    check(f"writes: {lines[0]}", lines[0][3] == "  000000100004    RB_RENDER_CONTROL = ?" and
          lines[0][5] == "  000000100014    0x2080 = 00000003 (bits 0xff00 unknown)")
    check(f"registers of a draw: {lines[1]}", lines[1][1:3] == ["! + 0x2080 = 00000003 (bits 0xff00 unknown)  ; 000000100014",
                                                                "! + RB_RENDER_CONTROL = ?  ; 000000100004"])
    writes = [one for one in objects(name) if "register" in one]
    entries = [one["registers"] for one in objects(name, "--draws") if "draw" in one][0]
    for found in writes, entries[::-1]:
        check(f"nothing known: {found}", [(one["number"], one.get("value"), one.get("unknown_bits"), "fields" in one) for one in found] ==
              [(modify, None, None, False), (0x2080, 3, 0xFF00, True)])
    run(name, "--draws", "--html=none.html")
    page = open("none.html", encoding="utf-8").read()
    check("nothing known, in the page", "<td>RB_RENDER_CONTROL = <td>?<td>" in page and "(bits 0xff00 unknown)" in page)


def check_later():
    """A buffer that runs at a switch of contexts comes last, and its draws and writes are none of the frame's."""
    later = type4(0x8800, 5) + DRAW
    stream = type7(0x55, BUFFER & 0xFFFFFFFF, BUFFER >> 32, len(later)) + type4(0x8800, 7) + DRAW
    name = write("later.rd", recording(630, stream, STREAM, {BUFFER: words(later)}))
    lines = run(name).splitlines()
    at = next((k for k, line in enumerate(lines) if "buffer for a switch of contexts" in line), None)
    check(f"the buffer: {lines}", at and lines[at].strip() == f"buffer for a switch of contexts: {len(later)} words at 0x{BUFFER:x}" and
          sum("RB_CNTL = " in line for line in lines[:at]) == 1 and "? 000000200004    RB_CNTL = " in lines[at + 1])
    records = objects(name)
    check(f"as data: {records}", [(one["enter"], one["later"], one["count_words"], one["target_address"]) for one in records if "enter" in one] ==
          [("buffer", True, len(later), BUFFER)])
    check("draws", [one["draw"] for one in objects(name, "--draws") if "draw" in one] == [0])


def nop(text, magic=None):
    data = (struct.pack("<I", magic) if magic else b"") + text.encode() + b"\0"
    data += bytes(-len(data) % 4)
    return type7(0x10, *struct.unpack(f"<{len(data) // 4}I", data))


MESSAGE, BEGIN, END = 0x4D455347, 0x4245474E, 0x454E4420


def check_marks():
    inner = words(nop("cascade 0", BEGIN), DRAW, DRAW, nop("cascade 0", END), type7(0x10, 0x41), type7(0x10, 0x12345678))
    stream = nop("frame") + nop("shadows", BEGIN) + call(BUFFER, inner) + nop("half", MESSAGE) + DRAW + nop("", END)
    name = write("marks.rd", recording(630, stream + DRAW + nop("more than began", END), STREAM, {BUFFER: inner}))
    draw = "CP_DRAW_INDX_OFFSET DI_PT_TRILIST"
    outline = ["submit 0", '"frame"', ">>> #1: shadows", "  >>> #2: cascade 0", f"    draws 0 to 1: 2 {draw} 6 indices SYSMEM",
               "  <<< #2: cascade 0: 2 draws", "  ### half", f"  draw 2: {draw} 3 indices SYSMEM", "<<< #1: : 3 draws",
               f"draw 3: {draw} 3 indices SYSMEM", "<<< #1: more than began"]
    check(f"the outline: {run(name, '--marks')}", run(name, "--marks").splitlines() == outline)
    marks = [(one["mark"], one["level"], one["string"], one.get("count_draws")) for one in objects(name, "--marks") if "mark" in one]
    check(f"the same as data: {marks}", marks[1:4] == [("begin", 0, "shadows", None), ("begin", 1, "cascade 0", None),
                                                       ("end", 1, "cascade 0", 2)])
    runs = [one for one in objects(name, "--marks") if "first_draw" in one]
    check("draws between marks as data", [(one["level"], one["first_draw"], one["last_draw"]) for one in runs] ==
          [(2, 0, 1), (1, 2, 2), (0, 3, 3)])
    around = [">>> #1: shadows", "  >>> #2: cascade 0", f"    draw 1: {draw} 3 indices SYSMEM", "  <<< #2: cascade 0: 1 draw", "<<< #1: : 1 draw"]
    check(f"a draw has the marks that it is in: {run(name, '--marks', '--draw=1')}", run(name, "--marks", "--draw=1").splitlines()[-5:] == around)
    alone = run(name, "--marks", "--draw=3").splitlines()
    check(f"but none that have ended: {alone}", alone == [f"draw 3: {draw} 3 indices SYSMEM"])
    check("a draw's own record has them before it", ["shadows" in one or "cascade" in one for one in run(name, "--marks", "--draws", "--draw=1").splitlines()[:2]] == [True, True])
    check("a listing does not show them", "CP_NOP >>> #2: cascade 0" in run(name) and 'CP_NOP "frame"' in run(name, "--summary"))
    packets = [one for one in objects(name) if one.get("packet") == "CP_NOP"]
    check("packets have them as data", [one.get("string") for one in packets][:2] == ["frame", "shadows"])
    check("numbers are taken for a text", [one.get("mark") for one in packets].count(None) == 2)
    check("with the draws themselves", run(name, "--marks", "--draws").count("\ndraw ") == 4)
    text = run(write("utf8.rd", recording(730, nop("Höhe – 3 €", BEGIN) + nop("für alle") + nop("\x1bé\u202e", MESSAGE), STREAM)), "--marks")
    check(f"letters of all languages: {text}", text.splitlines()[1:] == [">>> #1: Höhe – 3 €", '  "für alle"', "  ### ?é?"])
    run(name, "--marks", "--html", "marks.html")
    with open("marks.html", encoding="utf-8") as page:
        check("a page has no marks", "cascade 0" in page.read())
    for option in "--summary", "--textures", "--query=RB_CNTL", "--all":
        run(name, "--marks", option, code=2)


def check_processes():
    data = record(13, struct.pack("<I", 630))
    for number, text in enumerate(("glmark2/7: fence=1", "Xorg/3: fence=2", None, "/usr/bin/glmark2 -b x", "surfaceflinger/9: fence=4")):
        data += submit(type4(0x8800, number) + DRAW, STREAM, text=text)
    name = write("processes.rd", data)
    left = "left out: 3 submits of Xorg, surfaceflinger; --exe NAME shows them"
    check(f"system processes: {run(name, '--draws')}", draws(name) == [(0, 0, "SYSMEM"), (3, 3, "SYSMEM")])
    check("nothing tells that some are left out", run(name, "--draws").splitlines()[0] == left)
    told = {"left_out_submits": 3, "processes": ["Xorg", "surfaceflinger"]}
    check("the same as data", objects(name, "--draws")[0] == told)
    check("the state is that of others", "! + RB_CNTL = { BINW = 96 |" in run(name, "--draws", "--exe=glmark2"))
    check("one process", draws(name, "--exe=Xorg") == [(1, 1, "SYSMEM"), (2, 2, "SYSMEM")])
    check("what is asked for is not named", run(name, "--exe=Xorg").startswith("left out: 3 submits of glmark2, surfaceflinger\n"))
    check("all", len(draws(name, "--exe=*")) == 5)
    check("by number of the process", draws(name, "--exe=glmark2/7") == [(0, 0, "SYSMEM")])
    check("a submit that is named is left out", draws(name, "--submit=1") == [(1, 1, "SYSMEM")])
    check("queries", run(name, "--query=RB_CNTL").count("RB_CNTL = ") == 2)
    run(name, "--exe=weston", code=2)


def check_passes():
    group = {GROUP: words(type4(0xA000, 0xA1)), GROUP + 64: words(type4(0xA000, 0xA2))}
    state = type7(0x43, 2 | 1 << 20, GROUP, 0, 2 | 6 << 20 | 1 << 24, GROUP + 64, 0)  # CP_SET_DRAW_STATE
    buffer = words(state, DRAW, type4(0x8801, 7), DRAW)
    scissor = type4(0x80F0, 2 << 16 | 1, 40 << 16 | 30)
    stream = marker(2) + scissor + call(BUFFER, buffer) + 2 * (marker(4) + call(BUFFER, buffer)) + DRAW
    name = write("passes.rd", recording(630, stream, STREAM, {BUFFER: buffer, **group}))
    text = run(name, "--passes", "--query=VFD_CNTL_0.FETCH_CNT", "--query=RB_RENDER_CNTL").splitlines()
    first = "2: DI_PT_TRILIST(1,2-30,40):3: ! VFD_CNTL_0.FETCH_CNT  BINNING = 33  GMEM = 34"
    check(f"both passes: {text}", len(text) == 6 and text[1].split() == first.split())
    pairs = [(one.get("binning_draw"), one.get("draw"), one["differs"], one.get("binning_value"), one.get("value"))
             for one in objects(name, "--passes", "--query=VFD_CNTL_0")]
    check(f"the same as data: {pairs}", pairs == [(0, 2, True, 0xA1, 0xA2), (1, 3, True, 0xA1, 0xA2), (None, 6, False, None, 0xA2)])
    equal = [one["differs"] for one in objects(name, "--passes", "--query=RB_RENDER_CNTL")]
    check(f"what both passes have alike does not differ: {equal}", equal == [False, False, False])
    text = run(name, "--passes", "--query=VFD_CNTL_0.FETCH_CNT", "--draw=3").splitlines()
    check(f"the binning pass of a draw that is asked for: {text}", len(text) == 1 and "BINNING = 33  GMEM = 34" in text[0])
    name = write("binning.rd", recording(630, marker(2) + scissor + type4(0xA000, 1) + DRAW, STREAM))
    check("a binning pass alone", "BINNING = " in run(name, "--passes", "--query=VFD_CNTL_0"))
    text = run("passes.rd", "--query=RB_RENDER_CNTL")
    check("lines of queries have no rectangle", text.startswith("1: DI_PT_TRILIST(1,2-30,40):3:BINNING: ! + RB_RENDER_CNTL = "))
    area = objects("passes.rd", "--query=RB_RENDER_CNTL")[0]["rectangle"]
    check("the same as data", area == {"x1": 1, "y1": 2, "x2": 30, "y2": 40})
    stream = type3(0x4C, 0, 2 << 16 | 1, 40 << 16 | 30) + type0(0x20C1, 1) + type3(0x22, 0, 0x84, 3)
    name = write("bin.rd", recording(320, stream, STREAM))
    check("the bin of CP_SET_BIN", "0: DI_PT_TRILIST(1,2-30,40):3:" in run(name, "--query=RB_RENDER_CONTROL"))
    for option in "--when=writes", "--draws", "--once":
        run("passes.rd", "--passes", "--query=RB_CNTL", option, code=2)
    run("passes.rd", "--passes", code=2)


def check_sizes():
    """When a packet is put into a recording's text, the sizes of a buffer, a group and what is skipped follow, and addresses."""
    for gpu in 630, 320:
        if gpu == 630:
            group, buffer = words(type4(0xA000, 1)), words(DRAW)
            stream = type7(0x43, 2 | 7 << 20, GROUP, 0) + type7(0x47, 0x10000000, 4) + call(BUFFER, buffer)
            stream += type7(0x75, 1, GROUP, 0, BUFFER, 0) + type7(0x29, 0x84, BUFFER, 0, 9, GROUP, 0)
            memory = {BUFFER: buffer, GROUP: group}
            places = "SRC_LO = &low(", "DST_HI = &high(", "INDX_BASE_LO = &low(", "INDIRECT_HI = &high("
        else:
            buffer = words(type3(0x22, 0, 4, 3, GROUP, 8))
            stream, memory, places = type3(0x3F, BUFFER, len(buffer) // 4), {BUFFER: buffer, GROUP: words([1, 2])}, ("INDX_BASE = &b",)
        text = run(write("sizes.rd", recording(gpu, stream, STREAM, memory)), "--source")
        for place in (*places, "IB_BASE = &b", "IB_SIZE = &words(b"):
            check(f"a number in place of {place}: {text}", place in text)
        write("sizes.rdasm", text.replace("    VFD_CNTL_0 =", "    RB_CNTL = 1\n    VFD_CNTL_0 =").replace(
            "    CP_DRAW_INDX", "    CP_WAIT_FOR_IDLE { .word 0 }\n    CP_DRAW_INDX").replace(
            "    CP_INDIRECT", "    CP_NOP { .word 0 }\n    CP_INDIRECT").encode())
        subprocess.run([GPUCODE, "encode", "sizes.rdasm", "-o", "grown.rd"], check=True)
        text = run("grown.rd")
        check(f"the buffer's size does not follow: {text}", f" IB_SIZE={len(buffer) // 4 + 2:#x}" in text and "CP_DRAW" in text)
        if gpu == 630:
            check(f"sizes do not follow: {text}", "COUNT=4 " in text and "DWORDS=6" in text and "VFD_CNTL_0 = " in text)


def check_where():
    """Buffers that a place has lain in: once while it stays the same one, again when it is another's."""
    memory = {BUFFER: words(DRAW)}
    first = submit(call(BUFFER, memory[BUFFER]), STREAM, memory)
    other = submit(DRAW, STREAM, {BUFFER: words(DRAW, DRAW)})
    name = write("where.rd", record(13, struct.pack("<I", 630)) + first + first + other + first)
    places = [one for one in objects(name, f"--where=0x{BUFFER + 4:x}") if "place" in one]
    check(f"where a place lay: {places}", places == [
        {"place": BUFFER + 4, "buffer_address": BUFFER, "size_bytes": size, "submit": number} for size, number in ((16, 0), (32, 2), (16, 3))])
    check("the byte after it", objects(name, f"--where=0x{BUFFER + 32:x}", code=1) == [])


if __name__ == "__main__":
    check_where()
    check_sizes()
    check_once()
    check_reading_on()
    check_a2xx()
    check_modified()
    check_later()
    check_marks()
    check_processes()
    check_passes()
    print(f"{checks} checks, {errors} errors")
    sys.exit(errors != 0)
