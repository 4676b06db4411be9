#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks claims.tsv: each statement is settled, by a test that exists, a policy that exists or a heading that exists; and
what mutants.tsv changes is there.

usage: claims.py ROOT NAMES...        NAMES: the tests of the build, as `meson test` knows them
       claims.py ROOT --ran LOG...    all tests that are named ran and passed, by meson's testlog.json"""
import json
import re
import sys
from pathlib import Path

WAYS = ("true", "policy", "documented")
COUNT = 625
root = Path(sys.argv[1])
here = root / "tests" / "claims"
bad = []


def rows(name):
    for line in (here / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def headings():
    text = (root / "docs" / "not-modelled.md").read_text()
    for title in re.findall(r"^#+ (.*)$", text, re.M):
        yield re.sub(r"[^a-z0-9_ -]", "", title.lower()).replace(" ", "-")


def policies():
    """Names in the code of sets, and in tables; that of shaders has the rows of two sets."""
    for source in (root / "src" / "isa").rglob("*.c"):
        for name in re.findall(r'\{"((?:afuc|hwsq|a3xx|mme)-[a-z0-9-]+)",', source.read_text()):
            yield name
    for table in (root / "src" / "isa").rglob("policies.def"):
        text = table.read_text()
        folder = table.relative_to(root / "src" / "isa").parts[0]
        if folder == "ir3":
            folder = "a3xx"
            text = re.sub(r"#ifndef ROWS_OF_A3XX\n(.*?)#endif\n", "", text, flags=re.S)
            text = re.sub(r"(#ifdef ROWS_OF_A3XX\n[^#]*)#else\n[^#]*#endif\n", r"\1", text)
        for kind, name in re.findall(r'^(CHOICE|NUMBER|POLICY|LATENCY)\("([a-z0-9-]+)"', text, re.M):
            yield f"{folder}-latency-{name}" if kind == "LATENCY" else f"{folder}-{name}"


def test_exists(where, names, claim):
    """SUITE:FILE:TEST of a cmocka program, or the name of a script."""
    suite, *parts = where.split(":")
    if suite not in names:
        return False
    if suite in ("claims/words", "claims/reader"):
        return any(row[0] == claim for row in rows(suite.split("/")[1] + ".tsv"))
    if not parts:
        files = [root / "tests" / (suite + ending) for ending in (".sh", ".py", ".gdb", ".session", "/" + suite + ".sh")]
        return any(file.exists() for file in files)
    for source in (root / "tests" / suite).rglob(parts[0] + ".c"):
        text = source.read_text()
        group = re.search(rf"^(?:TESTS\({parts[0]},([^)]*)\)|TEST_GROUP\({parts[0]}\))", text, re.M)
        tests = group and (group[1] or " ".join(re.findall(r"cmocka_unit_test\w*\(\s*(\w+)", text)))
        if group and (len(parts) == 1 or re.search(rf"\b{parts[1]}\b", tests)):
            return True
    return False


def results(logs):
    """Of each test the result in the last log that has it, by its name without the project and suites."""
    found = {}
    for log in logs:
        for line in Path(log).read_text().splitlines():
            run = json.loads(line)
            found[run["name"].split(" / ")[-1]] = run["result"]
    return found


claims = list(rows("claims.tsv"))
if sys.argv[2] == "--ran":
    ran = results(sys.argv[3:])
    for suite in sorted({row[4].split(":")[0] for row in claims if row[3] == "true"}):
        if ran.get(suite) not in ("OK", "SKIP") or (ran[suite] == "SKIP" and suite not in ("install", "claims/ours")):
            bad.append(f"{suite}: {ran.get(suite, 'did not run')}")
else:
    known, anchors = set(policies()), set(headings())
    names = {name.split(" / ")[-1] for name in sys.argv[2:]}
    seen = set()
    for row in claims:
        if len(row) != 5 or row[3] not in WAYS or row[0] in seen:
            bad.append("not a row: " + "\t".join(row))
            continue
        claim, _, statement, way, where = row
        seen.add(claim)
        good = {"true": lambda: test_exists(where, names, claim), "policy": lambda: where in known,
                "documented": lambda: where in anchors}[way]()
        if not good:
            bad.append(f"{claim} ({statement}): there is no {where}")
    for row in rows("mutants.tsv"):
        claim, file, after, old, _ = (cell.replace("\\t", "\t") for cell in row)
        text = (root / file).read_text() if (root / file).is_file() else ""
        if text.count(old if after == "-" else after) != 1 or old not in text[max(text.find(after), 0):]:
            bad.append(f"{claim}: {file} does not have what mutants.tsv changes: {old}")
    if len(claims) != COUNT:
        bad.append(f"{len(claims)} statements, wanted {COUNT}")

for line in bad:
    print("FAILED:", line)
ways = {way: sum(row[3] == way for row in claims) for way in WAYS}
print(f"{sum(ways.values())} of {COUNT} settled:", ", ".join(f"{count} {way}" for way, count in ways.items()))
sys.exit(bool(bad))
