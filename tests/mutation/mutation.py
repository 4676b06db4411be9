#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/mutation on a small program: which statements it finds, that each change compiles and is there only while it is
switched on, and which of them a test kills, does not notice or does not reach.

usage: mutation.py ROOT COMPILER..."""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT, COMPILER = Path(sys.argv[1]), sys.argv[2:]
sys.path.insert(0, str(ROOT / "tools" / "mutation"))
import claims
import draw
import hunt
import mutation
import sweep
import values

TOY = """\
#include <stdio.h>
#include <stdlib.h>
static const int table[] = {1, 2};
#define TWICE(x) ((x) + (x))

static int at_most(int number, int limit) /* not < but <= */
{
    if (number > limit)
        return limit;
    else
        number += 0;
    return number;
}

static int never(const char *text)
{
    static int calls = 3;
    (void)text;
    while (*text)
        text++;
    return *text + calls;
}

int main(int count, char **words)
{
    int sum = 0, other = 1;
    const int limit = 10;
    for (int i = 0; i < 4; i++)
        switch (i) {
        case 2:
            sum += at_most(7, limit);
            break;
        default:
            sum = sum + table[0];
        }
#ifdef NOWHERE
    sum = 5;
#endif
    if (count > 5 && other)
        return never(words[0]);
    return sum == 10 ? 0 : 1; /* 1 + 1 + 7 + 1 */
}
"""
bad = []


def check(what, got, wanted):
    if got != wanted:
        bad.append(f"{what}: {got}, not {wanted}")


found = {" ".join(TOY[s.start:s.end].split()): s for s in draw.statements(TOY)}
check("statements", list(found),
      ["number > limit", "limit", "number += 0;", "number", "*text", "text++;", "*text + calls", "10", "i < 4",
       "sum += at_most(7, limit);", "break;", "sum = sum + table[0];", "count > 5 && other", "never(words[0])",
       "sum == 10 ? 0 : 1"])
check("changes of a condition", sorted(c.what for c in draw.changes(found["count > 5 && other"])),
      ["&& to ||", "5 to 4", "5 to 6", "> to >=", "always true", "never true"])
check("what a change makes of it", [draw.changed(TOY, found["sum += at_most(7, limit);"], c) for c in
                                    draw.changes(found["sum += at_most(7, limit);"]) if c.kind in ("number", "order")],
      ["sum += at_most(limit, 7);", "sum += at_most(8, limit);", "sum += at_most(6, limit);"])
check("changes of a call", sorted(c.what for c in draw.changes(found["sum += at_most(7, limit);"])),
      ["+= to -=", "7 to 6", "7 to 8", "arguments 1 and 2 of at_most change places"])
def changes_of(expression):
    statement = next(s for s in draw.statements("void f(void)\n{\n" + expression + "\n}\n"))
    return sorted(c.what for c in draw.changes(statement))


# room that is only more than what is needed
check("how a list grows", changes_of("room = list->room ? 2 * list->room : 16;"), ["2 to 1"])
check("how another grows", changes_of("room = room ? room * 2 : 64;"), ["2 to 1"])
check("what is no growth", changes_of("n = a ? 2 * b : 3;"), ["* to +", "2 to 1", "2 to 3", "3 to 2", "3 to 4"])
check("memory for one more", changes_of("p = calloc((size_t)n + 1, sizeof *p);"),
      ["+ to -", "1 to 0"])
check("changes of a pointer", [c.what for c in draw.changes(found["*text + calls"])], ["+ to -"])

# a test of the program is its exit code; None: there is no such change
WANTED = {"number > limit: always true": "killed", "number > limit: never true": "survived", "number > limit: > to >=": "survived",
          "sum += at_most(7, limit);: += to -=": "killed", "10: 10 to 9": "survived", "i < 4: < to <=": "killed",
          "break;: left out": "killed", "sum = sum + table[0];: left out": "killed", "number += 0;: left out": "survived",
          "limit: left out": None, "*text + calls: + to -": "not reached", "text++;: ++ to --": "not reached",
          "never(words[0]): left out": None, "sum == 10 ? 0 : 1: == to !=": "killed"}
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    mutants = []
    for label, statement in found.items():
        for change in draw.changes(statement):
            mutants.append((f"{label}: {change.what}", statement, change))
        if statement.kind in ("jump", "statement"):
            mutants.append((f"{label}: left out", statement, None))
    mutants = [mutant for mutant in mutants if mutant[0] in WANTED]
    # one mutant a statement stands in a build: as many builds as are wanted of one
    left, judged = list(enumerate(mutants, 1)), {}
    while left:
        placed, rest = {}, []
        for number, (label, statement, change) in left:
            if statement.start in placed:
                rest.append((number, (label, statement, change)))
            else:
                placed[statement.start] = (statement, change, number, label)
        left = rest
        text = mutation.switched_text(TOY, {k: v[:3] for k, v in placed.items()}, folder / "state")
        (folder / "toy.c").write_text(text)
        made = subprocess.run([*COMPILER, "-w", "-o", folder / "toy", folder / "toy.c"], capture_output=True, text=True)
        check("compiles", made.stderr, "")
        mutation.switch(folder, 0)
        check("nothing is switched on", subprocess.run([folder / "toy"]).returncode, 0)
        reached = mutation.reached(folder)
        for _, _, number, label in placed.values():
            mutation.switch(folder, number)
            test = {"name": "toy", "cmd": [str(folder / "toy")], "env": {}, "workdir": name}
            row = mutation.try_mutant(folder, folder, {"number": number, "room": "toy"}, [test],
                                      {"toy": {"code": 0, "seconds": 0.01, "reached": reached}}, float("inf"))
            judged[label] = row["state"]
        mutation.switch(folder, 0)
    check("mutants", len(judged), len(mutants))
    for label, state in WANTED.items():
        check(label, judged.get(label), state)

# All changes of the program watched at once: those are listed whose expression never had another value.
with tempfile.TemporaryDirectory() as name:
    folder, numbered, labels = Path(name), [], {}
    for label, statement in found.items():
        for row in values.watched(TOY, statement):
            numbered.append((len(numbered) + 1, row))
            labels[len(numbered)] = f"{label}: {row.change.what if row.change else 'left out'}"
    state = folder / "state"
    state.write_bytes(bytes(4096))
    head = f'#define VALUES_STATE "{state}"\n#define VALUES_SIZE 4096\n#include "{mutation.VALUES_HEADER}"'
    kept = values.compiled(folder / "toy.c", TOY, numbered, (COMPILER, name), head)
    check("all compile", len(kept), len(numbered))
    made = subprocess.run([*COMPILER, "-w", "-o", folder / "toy", folder / "toy.c"], capture_output=True, text=True)
    check("what is watched compiles", made.stderr, "")
    check("what is watched does the same", subprocess.run([folder / "toy"]).returncode, 0)
    seen = state.read_bytes()
    check("changes without a difference", sorted(labels[number] for number in kept if not seen[number]),
          ["*text + calls: + to -", "count > 5 && other: 5 to 4", "count > 5 && other: 5 to 6", "count > 5 && other: > to >=",
           "count > 5 && other: never true", "number += 0;: left out", "number > limit: > to >=", "number > limit: never true"])
    # what the compiler refuses is not watched
    numbered[0] = (1, numbered[0][1]._replace(differs="nothing_of_that_name", wanted=None))
    kept = values.compiled(folder / "toy.c", TOY, numbered, (COMPILER, name), head)
    check("what does not compile", kept, [number for number, _ in numbered[1:]])

# What two quick tests do not notice in no time, the second pass does: by a third, which is not of the room. What all have
# tried is not tried again.
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    tests = [{"name": name, "cmd": ["sh", "-c", f"exit {code}"], "env": {}, "workdir": str(folder)}
             for name, code in (("a", 0), ("b", 0), ("c", 1))]
    alone = {name: {"code": 0, "seconds": seconds, "reached": [1]} for name, seconds in (("a", 0.01), ("b", 0.02), ("c", 3))}
    first = mutation.try_mutant(folder, folder, {"number": 1, "room": "x"}, tests, alone, float("inf"), 2)
    check("the first pass", (first["state"], first["tried"], first["reach"]), ("survived", ["a", "b"], ["a", "b", "c"]))
    check("what is left", [mutation.is_left(first, seconds) for seconds in (2, 100)], [False, True])
    second = mutation.try_mutant(folder, folder, {"number": 1, "room": "x"}, tests, alone, float("inf"), 100, first)
    check("the second pass", (second["state"], second["tried"], second["by"]), ("killed", ["a", "b", "c"], "c"))
    check("what was killed", mutation.is_left(second, 1000), False)
    # what a test leaves running is ended
    mutation.adopt()
    mutation.run_test({"cmd": ["sh", "-c", f"setsid sleep 1000 >/dev/null 2>&1 & echo $! >{folder}/pid"], "env": {},
                       "workdir": str(folder)}, folder, 1)
    check("what is left running", Path(f"/proc/{(folder / 'pid').read_text().strip()}").exists(), False)
    alone["c"]["reached"] = []
    second = mutation.try_mutant(folder, folder, {"number": 1, "room": "x"}, tests, alone, float("inf"), 100, first)
    check("tried by all", (second["state"], mutation.is_left(second, 1000)), ("survived", False))

# A program that prints something else with change 1 where a line is 0, and does not reach change 2: the line is found by
# changes of the case, and what it does not need is left out.
with tempfile.TemporaryDirectory() as name:
    program = Path(name) / "source" / "build" / "gpucode"
    program.parent.mkdir(parents=True)
    program.write_text("""#!/bin/sh
printf '\\001' | dd of="$MUTATION_STATE" bs=1 seek=3 conv=notrunc 2>&-
[ $(od -An -tu2 -N2 "$MUTATION_STATE") -eq 1 ] && grep -sqx 0 numbers && echo changed
echo "$1"
""")
    program.chmod(0o755)
    pool = [hunt.recorded.Case(["sum", "numbers", "--twice"], [], {"numbers": b"1\n1\n1\n1\n", "unused": bytes(8)})]
    told = list(hunt.hunt(Path(name), pool, [1, 2], mutation.STATE_SIZE, 0.5, 1))
    check("what tells a change", [(number, case.head()[-3:], case.printed) for number, case in told],
          [(1, ["$ sum", "@ numbers", "| 0"], ["> sum"])])

# All changes of a program tried by one command: what it shows is what programs show that are compiled with one change each.
LETTERS = """\
#include <stdio.h>
static int many(const char *text, int limit)
{
    return text[0] == '-' && limit > 1;
}
int main(int count, char **words)
{
    FILE *in = fopen(words[1], "r"), *out;
    int letters = 0;
    while (fgetc(in) != EOF)
        letters++;
    if (letters > 4 || many(words[1], count))
        fprintf(stderr, "%d letters\\n", letters);
    if (count > 2) {
        out = fopen(words[2], "w");
        fputs("once\\n", out);
        puts("written");
    }
    return letters + 1 > 6 ? 1 : 0;
}
"""
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    program, alone = folder / "source" / sweep.BUILD / "gpucode", folder / "alone"
    program.parent.mkdir(parents=True)
    case = sweep.recorded.Case(["in", "out"], [], {"in": b"abcd\n", "unused": b""})
    drawn = [(k, row[0], row[2]) for k, row in enumerate(sweep.draw_all(LETTERS, random.Random(4)), 1)]
    check("one change of each statement", len(drawn), 11)
    source = folder / "letters.c"
    wrong = (len(drawn) + 1, drawn[1][1], draw.Change("number", "", drawn[1][1].start, drawn[1][1].end, "nowhere"))
    source.write_text(LETTERS)
    kept = sweep.compiled(source, [drawn[0], wrong, *drawn[2:]], ([*COMPILER], name), f'#include "{sweep.HERE / "sweep.h"}"')
    check("what does not compile", kept, {row[0] for row in drawn} - {2})
    source.write_text(LETTERS)
    sweep.compiled(source, drawn, ([*COMPILER, "-D_GNU_SOURCE"], name), f'#include "{sweep.HERE / "sweep_server.c"}"')
    subprocess.run([*COMPILER, "-D_GNU_SOURCE", "-w", "-o", program, source], check=True)

    def printed(text):
        source.write_text(text)
        subprocess.run([*COMPILER, "-w", "-o", alone, source], check=True)
        sweep.new_folder(folder / "case")
        return case.run(str(alone), folder / "case")

    plain = printed(LETTERS)
    check("without a change", plain, ["> written", "! 5 letters", "+ out", "| once"])
    differ = {number for number, statement, change in drawn
              if printed(LETTERS[:statement.start] + draw.changed(LETTERS, statement, change) + LETTERS[statement.end:]) != plain}
    server = sweep.Server(folder, case, folder / "scratch" / "case")
    check("what is reached", set(server.reached), {row[0] for row in drawn[1:]})
    check("what a command shows", {number for number in server.reached if server.differs(number)}, differ)
    check("what none shows", 0 < len(differ) < len(drawn) - 1, True)
    server.close()
    # of a test the exit code alone counts
    unit = sweep.UnitTest(program, case.arguments, {})
    unit.files = case.files
    server = sweep.Server(folder, unit, folder / "scratch" / "case")
    failing = {number for number in server.reached if server.differs(number)}
    server.close()
    check("what a test notices", failing, {2})
    smaller = sweep.smaller(folder, case, [max(differ)], folder / "scratch" / "case")
    check("what is small enough stays", smaller.files, case.files)

# the same seed draws the same
drawn = [[draw.draw(TOY, s, random.Random(seed)) for s in found.values()] for seed in (7, 7, 8)]
check("a seed draws the same", drawn[0] == drawn[1], True)
check("another seed draws others", drawn[0] == drawn[2], False)

rooms = mutation.rooms()
for path, room in (("base/arena.c", "base"), ("isa/row.c", "isa"), ("isa/afuc/machine/gpu.c", "isa/afuc"),
                   ("isa/ir3/answer/usage.c", "isa/ir3/answer"), ("isa/ir3/a3xx/a3xx.c", "isa/ir3/a3xx"), ("kit/ir3/run.c", "kit/ir3"), ("registry/x.c", "registry")):
    check(f"room of {path}", mutation.room_of(path, rooms), room)

for row in claims.claim_rows("mutants.tsv"):
    if len(row) != 5 or not (ROOT / row[1]).is_file() or row[3] == row[4]:
        bad.append(f"tests/claims/mutants.tsv: not a change: {row}")
settled = {row[0] for row in claims.claim_rows("claims.tsv") if row[3] == "true"}
check("claims that no test settles", {row[0] for row in claims.claim_rows("mutants.tsv")} - settled, set())

for line in bad:
    print("FAILED:", line)
sys.exit(bool(bad))
