#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands with their inputs and all that they print.

usage: cases.py GPUCODE FILE.cases

Each case of the file is a command that is run in a new folder, and what it must print there:

    $ ARGUMENTS      begins a case: the arguments of gpucode, quoted as for a shell, which is not run
    ? LIBRARY        the case is left out where the program was built without it: expat, libpng or zlib
    @ NAME           a file that lies in the folder, `@ -` the standard input
    | TEXT           a line of it
    / TEXT           its last line, without an end of line
    x BYTES          bytes of it, in hexadecimal digits
    0 NUMBER         so many bytes that are zero
    > TEXT           a line of the output; what cannot be printed stands as in a string of Python
    ! TEXT           a line of the messages
    = CODE           the exit code, unless it is 0
    + NAME           a file that the command wrote or changed; its contents come after it as those of a file
    ~ LINES SUM      so many lines more of all that, and a sum of them

UPDATE_GOLDEN=1 writes anew what is printed; read the difference then. A line `# TEXT` is a comment."""
import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import features

COLUMNS, PER_LINE, LEAST_ZEROS = "120", 32, 8
# Of what is long the first lines are kept, at most so many and so much.
FIRST_LINES, FIRST_LENGTH = 8, 800


def shown(text):
    """A line with what cannot be printed made visible."""
    return "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in text.replace("\\", "\\\\"))


def marked(mark, line):
    return f"{mark} {line}" if line else mark


def output_lines(mark, data):
    text = data.decode("utf-8", "backslashreplace")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    elif lines:
        lines[-1] += "\0"   # no end of line
    return [marked(mark, shown(line)) for line in lines]


def is_text(data):
    try:
        return all(c.isprintable() or c in "\t\n" for c in data.decode())
    except UnicodeDecodeError:
        return False


def content_lines(data):
    """A file's contents, as lines of a case."""
    if is_text(data):
        lines = data.decode().split("\n")
        last = lines.pop()
        return [marked("|", line) for line in lines] + ([marked("/", last)] if last else [])
    lines, at = [], 0
    while at < len(data):
        end = at
        while end < len(data) and data[end] == 0:
            end += 1
        if end - at >= LEAST_ZEROS:
            lines.append(f"0 {end - at}")
        else:
            zeros = data.find(bytes(LEAST_ZEROS), at)
            end = min(at + PER_LINE, zeros if zeros > at else len(data), len(data))
            lines.append(f"x {data[at:end].hex()}")
        at = end
    return lines


def cut(lines):
    """What is printed, of which the first lines are kept."""
    count = 0
    while count < min(len(lines), FIRST_LINES) and sum(map(len, lines[:count + 1])) <= FIRST_LENGTH:
        count += 1
    rest = "\n".join(lines[count:])
    return lines[:count] + [f"~ {len(lines) - count} {hashlib.sha256(rest.encode()).hexdigest()[:16]}"] if rest else lines


class Case:
    def __init__(self, arguments, needs=(), files=None):
        self.arguments, self.needs, self.files = arguments, list(needs), dict(files or {})
        self.comments, self.printed = [], []

    def head(self):
        """What is run, as lines of a file of cases."""
        lines = [*self.comments, "$ " + shlex.join(self.arguments), *(f"? {name}" for name in self.needs)]
        for name, data in self.files.items():
            lines += [f"@ {name}", *content_lines(data)]
        return lines

    def run(self, gpucode, folder, seconds=None):
        """What it prints and writes, as lines of a file of cases; `seconds`: how long it may run."""
        for name, data in self.files.items():
            if name != "-":
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
        env = dict(os.environ, COLUMNS=COLUMNS, HOME=str(folder), LC_ALL="C.UTF-8")
        done = subprocess.run([gpucode, *self.arguments], cwd=folder, env=env, input=self.files.get("-", b""), capture_output=True,
                              timeout=seconds)
        lines = output_lines(">", done.stdout) + output_lines("!", done.stderr)
        if done.returncode:
            lines.append(f"= {done.returncode}")
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_file() and path.read_bytes() != self.files.get(name):
                lines += [f"+ {name}", *content_lines(path.read_bytes())]
        return lines


def read_cases(text):
    """The cases of a file, and the comment at its head."""
    head, cases, comments, name, written = [], [], [], None, False
    for number, line in enumerate(text.splitlines(), 1):
        mark, rest = line[:1], line[2:]
        if mark == "#" or not mark:
            (comments if cases else head).extend([line] if mark else [])
        elif mark == "$":
            cases.append(Case(shlex.split(rest)))
            cases[-1].comments, comments, name, written = comments, [], None, False
        elif mark == "?":
            cases[-1].needs.append(rest)
        elif mark == "@" and not written:
            name = rest
            cases[-1].files[name] = b""
        elif mark in "|/x0" and not written:
            cases[-1].files[name] += {"|": lambda: rest.encode() + b"\n", "/": rest.encode, "x": lambda: bytes.fromhex(rest),
                                      "0": lambda: bytes(int(rest))}[mark]()
        elif mark in ">!=+|/x0~":
            written = True
            cases[-1].printed.append(line)
        else:
            sys.exit(f"line {number}: not a line of a case: {line}")
    return head, cases


def lacks(gpucode):
    """The libraries that the program was built without."""
    libraries = {"zlib": features.reads_gzip, "expat": features.reads_xml, "libpng": features.writes_png}
    return {name for name, has in libraries.items() if not has(gpucode)}


def main(gpucode, path):
    gpucode, path = str(Path(gpucode).resolve()), Path(path)
    head, cases = read_cases(path.read_text())
    absent, lines, failed = lacks(gpucode), list(head), 0
    for case in cases:
        printed = case.printed
        if not absent & set(case.needs):
            with tempfile.TemporaryDirectory() as folder:
                printed = whole = case.run(gpucode, Path(folder))
                if any(line.startswith("~") for line in case.printed):
                    printed = cut(whole)
        lines += ["", *case.head(), *printed]
        if printed != case.printed:
            failed += 1
            print(*case.head(), sep="\n")
            at = next((k for k, (a, b) in enumerate(zip(case.printed, printed)) if a != b),
                      min(len(case.printed), len(printed)))
            print(*(f"-{line}" for line in case.printed[at:at + 10]), *(f"+{line}" for line in printed[at:at + 10]), sep="\n")
            if any(line.startswith("~") for line in printed[at:]):
                print("all of it, to compare with what another build prints:", *whole, sep="\n")
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text("\n".join(lines) + "\n")
    print(f"{len(cases)} cases, {failed} differ")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) == 3 else __doc__)
