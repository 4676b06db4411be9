#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing that stands in an input, or in its name, reaches the terminal as a control character: an escape sequence there
could rewrite what is on the screen. And output that is longer than the terminal goes through a pager.

usage: terminal.py GPUCODE ROOT"""
import gzip
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from pseudo_terminal import Terminal

program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
EVIL = ["\x1b[2J", "\x1b]0;x\x07", "\x9b31m", "\x7f", "\x08\x08", "\r", "\x85"]
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
NAME = "a\x1b[31m\n\x9b1m."
runs = bad = changed = 0


def try_command(*arguments, stdin=""):
    global runs, bad
    runs += 1
    done = subprocess.run([program, *arguments], input=stdin.encode("utf-8", "surrogateescape"), capture_output=True, timeout=600)
    for stream, text in (("output", done.stdout), ("errors", done.stderr)):
        found = RAW.search(text.decode("utf-8", "surrogateescape"))
        # bytes that are no UTF-8 at all: a terminal of another encoding takes some of them for controls
        found = found or re.search("[\udc80-\udc9f]", text.decode("utf-8", "surrogateescape"))
        if found:
            bad += 1
            around = text.decode("utf-8", "surrogateescape")[max(0, found.start() - 60):found.end() + 20]
            print(f"FAILED: {stream} of {arguments!r}, {done.returncode}: {around!r}")
    if done.returncode not in (0, 1, 2):
        bad += 1
        print(f"FAILED: {arguments!r} ends with {done.returncode}: {done.stderr!r}")
    return done


def damaged(text, rounds):
    """Copies of the text with control characters put between its printed ones, a few, and in every word."""
    global changed
    places = [i for i in range(1, len(text)) if text[i - 1].isprintable() and text[i].isprintable()]
    yield text
    for count in [1] * rounds + [4] * rounds + [40] * 2:
        result = list(text)
        for place in random.sample(places, min(count, len(places))):
            result[place] = random.choice(EVIL) + result[place]
        changed += 1
        yield "".join(result)


def each(kind, text, rounds, *commands):
    """Commands on each copy, as a file of that kind, whose name is no better than its text; {} is the file."""
    for copy in damaged(text, rounds):
        path = NAME + kind
        Path(path).write_bytes(copy.encode("utf-8", "surrogateescape"))
        for command in commands:
            try_command(*[path if word == "{}" else word for word in command])
        os.unlink(path)


random.seed(12)
os.environ.update(LC_ALL="C.UTF-8", TERM="xterm")
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
firmware = NAME + "fw"
try_command("asm", str(root / "examples/firmware/a6xx.asm"), "-o", firmware)
for command in (["info"], ["disasm", "-v"], ["verify"], ["lint"], ["graph"], ["xref"], ["privileges"], ["run"], ["run", "--trace"],
                ["coverage"], ["hexdump"], ["diff", firmware], ["debug", "--batch"], ["decode"], ["replay"], ["extract"],
                ["explain"], ["manual"], ["manual", "afuc"], ["run", "-t"], ["run", "--policy"], ["help"],
                ["debug", "--batch", "-x"], ["run", "--packet"], ["run", "--packets"], ["schedule"]):
    try_command(*command, firmware)
    try_command(*command, "\x1b[31mx\x9b\r\n")

source = (root / "fuzz/corpus/assemble/errors.asm").read_text()
each("asm", source, 6, ["asm", "{}", "-o", "out"], ["info", "{}"])
program_text = """.target afuc:a630
.macro twice reg
	add \\reg, \\reg, \\reg ; a comment
.endm
start:
	mov $02, 0x3 ; comment
	twice $02
loop:
	brne $02, 0x6, #loop
	nop
	waitin
	mov $01, $data
"""
each("asm", program_text, 6, ["asm", "{}", "-o", "out", "--listing", "-"], ["asm", "{}", "-o", "out", "--map", "-"], ["run", "{}", "--trace"],
     ["coverage", "{}"], ["coverage", "{}", "--lcov", "-"], ["lint", "{}"], ["graph", "{}"],
     ["debug", "--batch", "-x", "session", "{}"])
Path("session").write_text("break start\nrun\nlist\ndisassemble\nstep\nbacktrace\ninfo breakpoints\ninfo symbols\n")
each("gdb", "break start\nrun\nprint $02 + 1\ninfo line\ndisplay $02\nwatch $02\nx/4xw 0\nnonsense here\nset $02 = 4\n", 8,
     ["debug", "--batch", "-x", "{}", firmware])
each("txt", "CP_NOP 1\n@CP_SCRATCH[0].REG 1\nCP_MEM_WRITE 0x1000 0 5\n", 6, ["run", firmware, "--packets", "{}"])
each("hex", "12345678 00000001\n# comment\n0x01000000\n", 4, ["run", firmware, "--ring", "{}"], ["disasm", "-t", "afuc:a630", "--hex", "{}"])
each("sym", "loop_start ins 0x2\nMY_REG gpu 0x100\ngeneral 0x3 mine\n", 8, ["disasm", "--symbols", "{}", firmware])
xml = root / "fuzz/corpus/xml/registers.xml"
each("xml", xml.read_text(), 8, ["disasm", "--registers", "{}", firmware])
dump = (root / "fuzz/corpus/crash/a6xx.devcore").read_bytes().decode("utf-8", "surrogateescape")
each("devcore", dump, 12, ["crash", "{}"], ["crash", "-v", "{}"], ["crash", "--json", "{}"], ["decode", "{}"], ["info", "{}"])
for section in ("registers", "ringbuffer", "bos", "gmu-log", "gmu-hfi"):
    each("devcore", dump, 2, ["crash", "--section", section, "{}"])

# recordings: the records with text are as long as before
recording = NAME + "rd"
stream_source = (root / "tests/gpu/stream.asm")
try_command("asm", str(stream_source), "-o", "plain.rd")
plain = Path("plain.rd").read_bytes()
texts = [match.span() for match in re.finditer(rb"[A-Za-z][ -~]{4,}", plain)]
for evil in (b"\x1b[31m", b"\xc2\x9b1m", b"\r\x1b]0", b"\x07\x08\x7f", b"\n\n\n"):
    copy = bytearray(plain)
    for start, end in texts:
        at = start + 1
        copy[at:at + len(evil)] = evil[:max(0, end - at)] if end - at < len(evil) else evil
    changed += 1
    Path(recording).write_bytes(copy[:len(plain)])
    for command in (["decode"], ["decode", "--json"], ["replay", "--firmware", firmware], ["extract"], ["info"], ["draws"]):
        try_command(*command, recording)

# HWSQ: logs, whose name stands in the scripts; it is a comment to the end
log = "[ 3.2] nouveau: hwsq dump\n42 20 10 00 e2 01 00 00 00 00 b0 7f\n[ 4.1] something else\n"
each("log", log, 6, ["extract", "-t", "hwsq:g94", "{}"], ["extract", "--json", "-t", "hwsq:g94", "{}"])
evil_log = "log\n\twait 77us\n\t"
Path(evil_log).write_text(log)
done = try_command("extract", "-t", "hwsq:g94", evil_log)
lines = [line for line in done.stdout.decode().splitlines() if "77us" in line]
if done.returncode != 0 or not lines or any(not line.startswith("// script") for line in lines):
    bad += 1
    print(f"FAILED: a newline in a file name is code: {done.stdout!r} {done.stderr!r}")



def on_terminal(*arguments, rows=24, **environment):
    """What a command shows on a terminal of that height, and its exit code."""
    plain = {name: value for name, value in os.environ.items() if name not in ("PAGER", "LESS", "NO_COLOR", "COLUMNS")}
    return Terminal([program, *arguments], rows, stdin=subprocess.DEVNULL, env={**plain, **environment}).whole()


def check(what, right):
    global runs, bad
    runs += 1
    if not right:
        bad += 1
        print(f"FAILED: {what}")


Path("plain.asm").write_text(".target afuc:a630\nmov $02, 0x1\n")
MARK = {"PAGER": "echo paged $LESS; head -3"}
text, code = on_terminal("targets", **MARK)
check("a long output is paged, with LESS as git has it", text.startswith("paged FRX\n") and text.count("\n") == 4 and code in (0, -13))
check("LESS is kept", on_terminal("targets", LESS="X", **MARK)[0].startswith("paged X\n"))
whole = subprocess.run([program, "targets"], capture_output=True, text=True).stdout
count = whole.count("\n")
check("what fits is not paged", on_terminal("targets", rows=count + 1, **MARK) == (whole, 0))
check("what does not fit is", on_terminal("targets", rows=count, **MARK)[0].startswith("paged"))
for options in (["targets", "--no-pager"], ["--no-pager", "targets"]):
    check(f"{options}", on_terminal(*options, **MARK) == (whole, 0))
for environment in ({"PAGER": "cat"}, {"PAGER": ""}, {"TERM": "dumb", **MARK}):
    check(f"{environment}", on_terminal("targets", **environment) == (whole, 0))
text, code = on_terminal("asm", "plain.asm")
check("code does not go to a terminal", "[cli-no-output]" in text and code == 2)
text, code = on_terminal("asm", "plain.asm", "--form", "hex")
check("as text it does", text.startswith("00 00 00 00 01 00 02 88") and code == 0)
check("an exit code comes through", on_terminal("verify", "none", **MARK)[1] == 2)
check("so does a long one's", on_terminal("diff", firmware, "plain.asm", PAGER="sed -n 1p")[1] == 1)
reason = re.compile(r"^    Special functions.*?(?=^    from:)", re.M | re.S)
shader = str((root / "examples/a3xx/early.asm").resolve())
whole = subprocess.run([program, "lint", shader], capture_output=True, text=True).stdout
check("elsewhere a reason is a line", reason.search(whole)[0].count("\n") == 1)
wrapped = reason.search(on_terminal("lint", shader, rows=99, COLUMNS="60")[0])[0]
check("on a terminal it is wrapped", wrapped.count("\n") > 2 and max(map(len, wrapped.split("\n"))) <= 60)
check("and says the same", wrapped.split() == reason.search(whole)[0].split())
check("the help is paged", on_terminal("help", "run", **MARK)[0].startswith("paged"))
check("and that of commands that are not", on_terminal("debug", "--help", **MARK)[0].startswith("paged"))
check("colours stay", "\x1b[" in on_terminal("help", "run", PAGER="sed -n 3,9p")[0])
COLORS = re.compile("\x1b\\[[0-9]*m")
Path("changed.asm").write_text(".target afuc:a630\nmov $02, 0x2\n")
for line, painted in ((["disasm", firmware], "\x1b[36m#fxn49\x1b[0m"), (["disasm", "--function", "CP_NOP", firmware], "\x1b[1mCP_NOP:"),
                      (["decode", "plain.rd"], "\x1b[1mstream 0:"), (["diff", "plain.asm", "changed.asm"], "\x1b[")):
    # what --color always writes is what never writes, and colours
    texts = [subprocess.run([program, *line, "--color", when], capture_output=True, text=True).stdout for when in ("always", "never", "auto")]
    check(f"colours of {line[0]}", painted in texts[0] and COLORS.sub("", texts[0]) == texts[1] == texts[2])
    check(f"on a terminal", painted in on_terminal(*line, rows=9999)[0])
    check(f"NO_COLOR", not COLORS.search(on_terminal(*line, rows=9999, NO_COLOR="1")[0]))
    check(f"through a pager", COLORS.search(on_terminal(*line, rows=2, PAGER="sed -n 1,99p")[0]))
subprocess.run([program, "disasm", firmware, "--color", "always", "-o", "listing"])
check("a file has no colours", b"\x1b[" not in Path("listing").read_bytes())
for isa in ("afuc", "hwsq", "mme", "a3xx", "ir3"):
    # what stands between fences is shown further in and as it is, headings bold and without their marks, all in order
    fenced, wanted = False, []
    for line in subprocess.run([program, "manual", isa], capture_output=True, text=True).stdout.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            wanted.append("    " + line)
        elif line.startswith("#"):
            wanted.append("\x1b[1m" + re.sub(r"\\(?=\|)", "", line.lstrip("#")[1:].replace("`", "")) + "\x1b[0m")
        elif line.startswith("| ") and "*" not in line:
            # the first cell has 22 columns, two blanks part it from the others, and these
            first, *cells = [cell.strip().replace("\\|", "|").replace("`", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            wanted.append(f"{first:22}" + "".join("  " + cell for cell in cells if cell))
    text = on_terminal("manual", isa, PAGER="cat")[0]
    shown = iter(text.split("\n"))
    missing = [line for line in wanted if line not in shown]
    check(f"the manual of {isa} on a terminal lacks {missing[:1]}", len(wanted) > 20 and not missing)
    check(f"the manual of {isa} is plain text, not Markdown", "```" not in text and "\n#" not in text and "|--" not in text)
check("the debugger is not paged", "paged" not in on_terminal("debug", "--batch", firmware, rows=2, **MARK)[0])

print(f"{runs} runs on {changed} damaged inputs, {bad} wrong")
sys.exit(bad != 0 or changed < 100)
