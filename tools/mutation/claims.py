# SPDX-License-Identifier: MIT
"""Statements of tests/claims/claims.tsv that a row of tests/claims/mutants.tsv breaks: their tests must fail then."""
import os
import re
import sys

import draw
from mutation import ROOT, build, copy_of_tree, must_build, run_test, switch, switched_text, tests_of

# Scripts that settle many claims, each of which they name.
SCRIPTS_OF_CLAIMS = {"claims/reader", "claims/words"}


def claim_rows(name):
    for line in (ROOT / "tests" / "claims" / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


class Broken:
    """A row of mutants.tsv: where its text stands, and what takes its place."""

    def __init__(self, row):
        self.claim, self.file, after, self.old, self.new = (cell.replace("\\t", "\t") for cell in row)
        self.text = (ROOT / self.file).read_text()
        anchor = 0 if after == "-" else self.text.find(after)
        self.start = self.text.find(self.old, max(anchor, 0))
        once = self.text.count(self.old) == 1 if after == "-" else self.text.count(after) == 1
        self.wrong = "" if once and self.start >= 0 else f"{self.file} does not have the text once: {after} {self.old}"

    def statement(self):
        """The statement that the text is part of; None where it is in a table, which cannot be switched."""
        found = draw.statements(self.text) if self.file.endswith((".c", ".h")) else ()
        return next((s for s in found if s.start <= self.start and self.start + len(self.old) <= s.end), None)

    def change(self):
        return draw.Change("claim", self.claim, self.start, self.start + len(self.old), self.new)

    def goes_with(self, other):
        """May both be in one build? The same change may, and those of two instruction sets, which know nothing of each other."""
        same = (self.file, self.start, self.new) == (other.file, other.start, other.new)
        sets = [re.match(r"(?:src/isa(?:/ir3)?|data)/(afuc|hwsq|a3xx|mme)/", row.file) for row in (self, other)]
        return same or (all(sets) and sets[0][1] != sets[1][1])

    def changed(self):
        return self.text[:self.start] + self.new + self.text[self.start + len(self.old):]


def changed_at_once(rows):
    """A text with the changes of all rows, from its end to its beginning."""
    text = rows[0].text
    for row in sorted(rows, key=lambda row: -row.start):
        text = text[:row.start] + row.new + text[row.start + len(row.old):]
    return text


class Claims:
    """The tests that settle claims, in a copy of the tree."""

    def __init__(self, folder):
        self.folder, self.source, self.bad, self.passed = folder, folder / "source", 0, {}
        self.where = {row[0]: row[4] for row in claim_rows("claims.tsv") if row[3] == "true"}
        self.tests = {t["name"]: t for t in tests_of(self.source, {"long"})}

    def complain(self, text):
        """At once: all of them take long."""
        self.bad += 1
        print("FAILED:", text, flush=True)

    def run(self, claim):
        suite, *parts = self.where[claim].split(":")
        test = self.tests[suite]
        return run_test(dict(test, cmd=test["cmd"] + parts), self.source / "build", 10)

    def passes(self, claim):
        """Once for each test, with nothing broken."""
        where = self.where[claim]
        if where not in self.passed:
            code, _, output = self.run(claim)
            self.passed[where] = code == 0
            if code:
                self.complain(f"{where}: does not pass by itself: {code}\n{output[-1500:]}")
        return self.passed[where]

    def judge(self, claim, outcome):
        """A script that checks many claims must name this one."""
        code, _, output = outcome
        named = self.where[claim] not in SCRIPTS_OF_CLAIMS or f"{claim}:" in output
        if code in (0, 77) or not named:
            what = "was skipped" if code == 77 else "fails, but does not name it," if code else "passes"
            self.complain(f"{claim}: {self.where[claim]} {what} though the claim is broken")

    def break_them(self, texts, numbered, target=()):
        """Builds with these sources; `numbered` are rows by the numbers that switch them on, 0: all are."""
        before = {name: (self.source / name).read_text() for name in texts}
        for name, text in texts.items():
            (self.source / name).write_text(text)
        made = build(self.source, *target)
        if made.returncode:
            self.complain(f"{' '.join(row.claim for _, row in numbered)}: does not compile\n{made.stdout[-1500:]}")
        outcomes = {}
        for number, row in numbered if not made.returncode else ():
            key = number, self.where[row.claim]
            switch(self.folder, number)
            outcomes[key] = outcomes.get(key) or self.run(row.claim)
            self.judge(row.claim, outcomes[key])
        switch(self.folder, 0)
        for name, text in before.items():
            (self.source / name).write_text(text)

    def target(self, claim):
        """What has to be built for it: a program of tests alone, where it is one."""
        program = os.path.relpath(self.tests[self.where[claim].split(":")[0]]["cmd"][0], self.source / "build")
        return [program] if program.startswith("tests/test-") else ["product"]


def try_claims(folder, only):
    """Changes within statements stand in few builds and are switched; those of manuals are made together, since the test
    names each claim; of tables and rows each is built by itself, or with one of another set."""
    source = folder / "source"
    copy_of_tree(source)
    switch(folder, 0)
    must_build(source)
    claims = Claims(folder)
    rows = [Broken(row) for row in claim_rows("mutants.tsv") if not only or row[0] in only]
    for row in rows:
        if row.wrong or row.claim not in claims.where:
            claims.complain(f"{row.claim}: {row.wrong or 'no such claim that a test settles'}")
    switched, together, alone = [], {}, []
    for row in rows:
        if row.wrong or row.claim not in claims.where or not claims.passes(row.claim):
            continue
        statement = row.statement()
        if statement:   # one change of a statement in each build
            key = row.file, statement.start
            of_build = next((b for b in switched if key not in b), None)
            if of_build is None:
                switched.append(of_build := {})
            of_build[key] = statement, row.change(), len(of_build) + 1, row
        elif row.file.endswith(".md"):
            together.setdefault(row.file, []).append(row)
        else:
            shared = next((b for b in alone if all(row.goes_with(other) for other in b)), None)
            if shared is None:
                alone.append(shared := [])
            shared.append(row)
    for of_build in switched:
        texts = {}
        for name in {name for name, _ in of_build}:
            of_file = {k[1]: v[:3] for k, v in of_build.items() if k[0] == name}
            texts[name] = switched_text((ROOT / name).read_text(), of_file, folder / "state")
        claims.break_them(texts, [v[2:] for v in of_build.values()])
    if together:
        texts = {name: changed_at_once(of_file) for name, of_file in together.items()}
        claims.break_them(texts, [(0, row) for of_file in together.values() for row in of_file])
    for of_build in alone:
        texts = {row.file: row.changed() for row in of_build}
        claims.break_them(texts, [(0, row) for row in of_build], sorted({t for row in of_build for t in claims.target(row.claim)}))
    print(f"{len(rows)} changes of {len({row.claim for row in rows})} claims, of {len(claims.where)} that tests settle; "
          f"{claims.bad} unnoticed or wrong")
    sys.exit(bool(claims.bad))
