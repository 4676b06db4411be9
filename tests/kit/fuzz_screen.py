#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What gpucode fuzz draws on a terminal: a block of five lines above which findings stand, gone at the end, which Ctrl-C
brings in order. Where there is no terminal there are plain lines."""
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from pseudo_terminal import Terminal

gpucode, root = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
os.chdir(tempfile.mkdtemp())
subprocess.run([gpucode, "asm", f"{root}/examples/fuzz/bugs.asm", "-I", f"{root}/examples/firmware", "-o", "bugs.fw"], check=True)
command = [gpucode, "fuzz", "bugs.fw", "-o", "camp", "--seconds", "300"]

try:
    terminal = Terminal(command)
except OSError as error:
    print(f"skipped: no pseudo-terminal: {error}")
    sys.exit(77)
while terminal.seen.count(b"(Ctrl-C ends)") < 3 or b"level-07-" not in terminal.seen:
    assert terminal.read(), terminal.seen
terminal.process.send_signal(signal.SIGINT)
_, code = terminal.whole()
text = terminal.seen.decode()
assert code == 1, code


def on_screen(text):
    """The lines that are left when what was sent has moved the cursor, on a screen without an end."""
    lines, row = [""], 0
    for part in re.findall(r"\x1b\[\d*[A-Z]|\x1b\[\?7[hl]|\r\n|\r|[^\x1b\r]+", text):
        if part == "\r\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif re.fullmatch(r"\x1b\[\d+A", part):
            row -= int(part[2:-1])
            assert row >= 0, "the block moved above its beginning"
        elif part == "\x1b[J":
            del lines[row + 1:]
            lines[row] = ""
        elif part[0] not in "\x1b\r":
            assert not lines[row], f"{part!r} is drawn over {lines[row]!r}"
            lines[row] = part
    return lines


block = re.findall(r"  time      \d+ s          runs/s    \d+\r\n  runs      \d+\r\n  edges     \d+ of the map, \d+ inputs kept, "
                   r"\d+ from others\r\n  records   \d+ of \d+ kinds reached\r\n  findings  \d+, and \d+ gaps of the model \(Ctrl-C ends\)\r\n",
                   text)
assert len(block) >= 3, text
lines = on_screen(text)
assert not any("Ctrl-C" in line or line.startswith("  time") for line in lines), lines
assert re.fullmatch(r"\d+ runs, \d+ edges, \d+ inputs? kept, \d+ findings?, 0 gaps of the model", lines[-2]) and not lines[-1], lines
assert any(line.startswith("level-07-") for line in lines), lines
# in order: the folder is whole
assert open("camp/gpucode/fuzzer_stats").read().count("\n") > 30
# neither colours nor moves in a pipe
plain = subprocess.run(command[:3] + ["--runs", "3000"], capture_output=True, text=True)
assert "\x1b" not in plain.stdout + plain.stderr and "runs, " in plain.stdout.splitlines()[-1]
print(f"{len(block)} drawings, {len(lines)} lines left")
