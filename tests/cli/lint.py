#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What lint prints is what its JSON says, for an example of every rule and whole programs: of a source with the place,
the line and a caret, of a binary with the word and its text. And both find the same. The same of the assembler's errors.

usage: lint.py GPUCODE ROOT"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PLACE = ("file", "line", "column", "length", "other_file", "other_line")
COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "note": "\x1b[1;36m"}
SETS_OF_BYTES = {"hwsq"}
checks = bad = 0


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def check(what, right):
    global checks, bad
    checks += 1
    if not right:
        bad += 1
        print(f"FAILED: {what}")


def excerpt(line, column, length):
    """A line of the source, and the mark below it."""
    yield " " + line.expandtabs(8)
    if column:
        yield " " + " " * len(line[:column - 1].expandtabs(8)) + "^" + "~" * (length - 1)


def model(found, source, words):
    """The lines that JSON asks for. `words`: of a binary, which has no line to show, the text of words that are code."""
    explained = set()
    for one in found:
        placed, unit = "line" in one, one["unit"]
        place = ":".join(str(one[key]) for key in ("file", "line", "column") if key in one) if placed else f"{one['file']}:0x{unit:03x}"
        inside = f" in {one['where']}:" if not placed and "where" in one else ""
        yield f"{place}: {one['severity']}:{inside} {one['message']} [{one['code']}]"
        if placed:
            yield from excerpt(source[one["line"] - 1], one.get("column"), one.get("length"))
        elif unit in words:
            yield f"    0x{unit:03x}: {words[unit]}"
        if one.get("other_unit", unit) != unit:
            if "other_line" in one:
                yield f"{one['other_file']}:{one['other_line']}: note: instruction {one['other_unit']} is here"
                yield from excerpt(source[one["other_line"] - 1], 0, 0)
            elif one["other_unit"] in words:
                yield f"    0x{one['other_unit']:03x}: {words[one['other_unit']]}"
        if one.get("packets") and one["severity"] != "note":
            yield "    packets: " + ", ".join(one["packets"])
        if "fix" in one:
            yield "    fix: " + one["fix"]
        if one["code"] not in explained:
            yield "    " + one["reason"]
            yield "    from: " + one["reference"]
        explained.add(one["code"])
    counts = [sum(one["severity"] == kind for one in found) for kind in ("error", "warning", "note")]
    if found:
        yield ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for n, kind in zip(counts, ("error", "warning", "note")) if n)


def compare(what, found, text, source, words):
    wanted, shown = list(model(found, source, words)), text.splitlines()
    differ = next((pair for pair in zip(wanted, shown) if pair[0] != pair[1]), (len(wanted), len(shown)))
    check(f"{what}: {differ[1]!r}, not {differ[0]!r}", wanted == shown)


def lint(*arguments):
    done = run("lint", "--json", *arguments)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    worst = any(one["severity"] != "note" for one in found)
    check(f"the exit code of {arguments}: {done.returncode} {done.stderr}", done.returncode == worst)
    return found, run("lint", *arguments).stdout


def try_source(name, target, source, *options):
    options = ["-t", target, *options] if target else options
    found, text = lint(*options, name)
    compare(name, found, text, source, {})
    for one in found:
        line = source[one["line"] - 1] if "line" in one else ""
        part = line[one.get("column", 1) - 1:][:one.get("length", len(line))]
        check(f"{name}: the mark is below {part!r}", part == part.strip() and len(part) == one.get("length", len(part)))
    if run("asm", *options, name, "-o", "code.bin").returncode:
        return len(found)
    words = {}
    for line in run("disasm", "--json", *options, "code.bin").stdout.splitlines():
        row = json.loads(line)
        if "mnemonic" in row:
            words[next(row[key] for key in row if key.startswith("at_"))] = row["text"]
    alike, text = lint(*options, "code.bin")
    compare(f"{name} as a binary", alike, text, source, {} if (target or name).split(":")[0] in SETS_OF_BYTES else words)
    keep = [sorted(str([one[key] for key in ("code", "severity", "unit", "units")]) for one in both) for both in (found, alike)]
    check(f"{name}: a binary has other findings: {keep}", keep[0] == keep[1] and not any(key in one for one in alike for key in PLACE[1:]))
    return len(found)


def try_errors(name, source, *options):
    """Messages of the assembler: colours go around the place, the kind, the message and the mark, and change no character."""
    found = [json.loads(line) for line in run("asm", "--json", *options, name, "-o", "code.bin").stderr.splitlines()]
    wanted = []
    for one in found:
        place = ":".join(str(one[key]) for key in ("file", "line", "column") if one.get(key))
        wanted.append(f"\x1b[1m{place}: {COLORS[one['severity']]}{one['severity']}:\x1b[0m\x1b[1m {one['message']}\x1b[0m [{one['code']}]")
        if "line" in one and one["file"] == name:
            line, mark = (*excerpt(source[one["line"] - 1], one["column"], one["length"]), None)[:2]
            wanted.append(line)
            if mark:
                wanted.append(mark.replace("^", "\x1b[1;32m^") + "\x1b[0m")
        if "hint" in one:
            wanted.append(f"\x1b[1mhint:\x1b[0m {one['hint']}")
    kinds = [(sum(one["severity"] == kind for one in found), kind) for kind in ("error", "warning")]
    wanted.append(", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for count, kind in kinds if count))
    shown = [run("asm", "--color", when, *options, name, "-o", "code.bin").stderr.splitlines() for when in ("always", "never")]
    differ = next((pair for pair in zip(wanted, shown[0]) if pair[0] != pair[1]), (len(wanted), len(shown[0])))
    check(f"{name}: {differ[1]!r}, not {differ[0]!r}", wanted == shown[0] and len(found) > 2)
    check(f"{name} without colours", shown[1] == [re.sub("\x1b\\[[0-9;]*m", "", line) for line in wanted])


folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
rules = [one for one in json.loads(run("explain", "--json").stdout)["messages"] if "example_found" in one]
for rule in rules:
    name, target = rule["code"] + ".asm", rule["example_target"]
    source = rule["example_found"].splitlines()
    if target.startswith("afuc"):
        early = target == "afuc:a630"
        source = [f"[{'016ee002' if early else '01730001'}]", "[#jumptbl]", *source, "CP_NOP:", "waitin", "\tmov $01, $data",
                  "jumptbl:", ".jumptbl"]
    Path(name).write_text("\n".join(source) + "\n")
    check(f"{name} finds nothing", try_source(name, target, source))
check("examples", len(rules) > 20)
SCRIPT = "\tset1 #FB_PAUSE\n\twait 1us // after tabs\n\texit\n"
MACRO = "\tsend $r1\n\tmov $r2 (add $r3 $r1)\n\texit\n\tnop\n"
for name, target, source in (("script.hwsq", "hwsq:g94", SCRIPT), ("macro.mme", "mme:fermi", MACRO), ("old.asm", "afuc:a630", None),
                             ("shader.asm", "ir3:a630", None), ("early.asm", "a3xx", None)):
    source = source or (root / "tests/report" / name).read_text()
    Path(name).write_text(source)
    check(f"{name} finds nothing", try_source(name, target, source.splitlines()))
    # without one code, by the option and by a comment on its lines
    found, _ = lint("-t", target, name)
    code = found[-1]["code"]
    rest, text = [one for one in found if one["code"] != code], run("lint", "-t", target, "--ignore", f"leading-zero,{code}", name).stdout
    check(f"{name} without {code}: {text}", text.splitlines()[:-1] == list(model(rest, source.splitlines(), {}))[:-1] and
          text.endswith(f"{len(found) - len(rest)} ignored\n"))
    lines, mark = source.splitlines(), "//" if target.startswith("hwsq") else ";" if target.startswith("afuc") else None
    for one in found:
        if mark and one["code"] == code and mark not in lines[one["line"] - 1]:
            lines[one["line"] - 1] += f" {mark} lint: ignore  x,\t{code}"
    Path(name).write_text("\n".join(lines) + "\n")
    if mark:
        check(f"{name} without {code} by comments", [one["code"] for one in lint("-t", target, name)[0]] == [one["code"] for one in rest])
errors = (root / "fuzz/corpus/assemble/errors.asm").read_text()
Path("errors.asm").write_text(errors)
try_errors("errors.asm", errors.splitlines())
print(f"{checks} checks")
sys.exit(bad != 0)
