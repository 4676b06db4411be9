#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which changes of the code does no test notice?

usage: mutation.py FOLDER draw SEED... [--count N] [--rooms ROOM...]     writes mutants into a copy of the tree in FOLDER
       mutation.py FOLDER run [--minutes N] [--again] [--seconds N] [--more N] [--sanitized] [--tests PATTERN] [--jobs N]
                                                                         tries the tests on them, and goes on where it stopped
       mutation.py FOLDER hunt [--minutes N] [--seed N]                  looks for inputs that show what survived
       mutation.py FOLDER values [--tests PATTERN]                       lists changes that no test can notice
       mutation.py FOLDER table                                          the scores of the rooms
       mutation.py FOLDER claims [CLAIM...]                              a broken claim must make its test fail

`draw` takes the lines that are there, committed or not. Each seed draws N mutants, every second one of another room of
src/rooms.def and the others wherever there is much code; those of a seed are the same while the sources are the same. All stand in
one build; one at a time is switched on. `run` runs each short test once to see which mutants it reaches, then for each
mutant the tests that reach it, the short ones of its room first, until one fails or `--seconds` are over. What survived is
then tried by all other tests that reach it, for `--more` seconds. `--sanitized` tries what is left once more in a build
with the address and undefined-behaviour sanitizers, as .ci/run does. `--again` takes the tests of the tree as they are now
and tries what survived once more. `--jobs` tries so many mutants at a time. `--tests` takes only those whose names the pattern fits: what these do not notice others may. Material that is not the project's own (GPUCODE_VECTORS) is not used.

`hunt` changes the cases of tests/cli/cases at random until one prints something else with a change that survived; what it
finds is in FOLDER/found.cases, to be read, and put there when what the program prints is right.

`values` watches all changes at once whose effect on an expression can be computed beside it, and writes those that never
made another value to FOLDER/values.txt: no test can notice them. Failed allocations and guards are among them.

`claims` makes the changes of tests/claims/mutants.tsv, each of which breaks a statement of tests/claims/claims.tsv; the
test that stands there must pass without the change and fail with it."""
import argparse
import ctypes
import json
import multiprocessing
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import draw

ROOT = Path(__file__).resolve().parents[2]
SWITCH = Path(__file__).resolve().with_name("switch.h")
VALUES_HEADER = Path(__file__).resolve().with_name("values.h")
STATE_SIZE, MOST, MOST_TRIES = 4096, 4000, 200
# How many changes can be watched at once.
VALUES_MOST = 1 << 18
# Suites that look at the tree or at other programs, not at what this one does.
OTHER_SUITES = {"house", "claims", "python", "editors", "long"}
# Of these suites two do run the program or the library.
USED_NEVERTHELESS = {"include/nulls", "editors/schema"}
# The tests of one mutant end after so many seconds, by what they take without a mutant: some places all tests reach.
# The second number is for those that survived the first.
ENOUGH, MORE = 15, 240
# With sanitizers, and how they are told.
SANITIZED = "build-sanitized"
# Where the changes are watched: without warnings, as what is added is no code of ours.
VALUES = "build-values"
BUILD_OPTIONS = {SANITIZED: ["-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dbuildtype=debugoptimized"],
                 VALUES: ["-Doptimization=1", "-Dc_args=-w"]}
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
SANITIZER_SLOWS = 5
# A changed program may ask for all memory there is.
MEMORY = 4 << 30
# The file that says which mutant is on; each of several processes has its own.
STATE = "state"
# A test that waits for something that does not come is ended after so many seconds, and a time that it may well take.
WAIT = 60


def rooms():
    """The rooms of src/rooms.def, with the pattern of their paths."""
    return re.findall(r'^ROOM\("([^"]+)"', (ROOT / "src" / "rooms.def").read_text(), re.M)


def room_of(path, patterns):
    """The room of a file below src/: of the rows that fit, the longest counts; `*` is one folder."""
    found = ""
    for pattern in patterns:
        m = re.match(pattern.replace("*", "[^/]+") + (r"(?=/)" if "*" in pattern else r"(?=/|\.c$)"), path)
        if m and len(m[0]) > len(found):
            found = m[0]
    return found


def copy_of_tree(source, part="."):
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", part], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            if not (source / name).is_file() or (source / name).read_bytes() != (ROOT / name).read_bytes():
                shutil.copy(ROOT / name, source / name)   # with a new time, so that it is built anew


def build(source, *targets, folder="build"):
    if not (source / folder / "build.ninja").exists():
        env = dict(os.environ, CC="clang", CXX="clang++") if folder == SANITIZED else None
        subprocess.run(["meson", "setup", folder, *BUILD_OPTIONS.get(folder, [])], cwd=source, stdout=subprocess.DEVNULL, check=True, env=env)
    return subprocess.run(["ninja", "-C", folder, "--quiet", *(targets or ("product", "meson-test-prereq"))], cwd=source,
                          capture_output=True, text=True)


def must_build(source, folder="build"):
    """Where it does not compile, what the compiler printed ends the program."""
    made = build(source, folder=folder)
    if made.returncode:
        sys.exit(made.stdout[-3000:])


def commands(source, folder="build"):
    """How each source is compiled, to check the syntax alone."""
    found = {}
    for row in json.loads((source / folder / "compile_commands.json").read_text()):
        words = shlex.split(row["command"])
        keep = [w for k, w in enumerate(words) if not w.endswith(".c") and w not in ("-MD", "-MMD", "-c", "-o", "-MQ", "-MF")
                and words[k - 1] not in ("-o", "-MQ", "-MF")]
        path = os.path.relpath(os.path.join(row["directory"], row["file"]), source)
        found.setdefault(path, ([w for w in keep if w != "ccache"], row["directory"]))
    return found


def compiles(command, path, text):
    words, folder = command
    wrong = [f"-Werror={w}" for w in ("incompatible-pointer-types", "int-conversion", "discarded-qualifiers")]
    trial = path.with_name(path.name + ".trial.c")
    trial.write_text(text)
    code = subprocess.run([*words, *wrong, "-fsyntax-only", str(trial)], cwd=folder, capture_output=True).returncode
    trial.unlink()
    return code == 0


def with_switch(text, state):
    """`state` is the file that says which mutant is on; the header stands beside it, as the folder may outlive the tree."""
    return f'#define MUTATION_STATE "{state}"\n#include "{state.with_name(SWITCH.name)}"\n#line 1\n{text}'


def switched_text(text, mutants, state):
    """A source with its mutants by their places, from the last to the first, so that places before it stay."""
    for start in sorted(mutants, reverse=True):
        text = draw.switched(text, *mutants[start])
    shutil.copy2(SWITCH, state.with_name(SWITCH.name))
    return with_switch(text, state)


def draw_mutants(folder, seeds, count, only):
    source = folder / "source"
    copy_of_tree(source)
    must_build(source)
    known, patterns = commands(source), rooms()
    pool = {}
    for path in sorted((source / "src").rglob("*.c")):
        name = str(path.relative_to(source))
        if name in known:
            for statement in draw.statements(path.read_text()):
                pool.setdefault(room_of(name[4:], patterns), []).append((name, statement))
    pool = {room: found for room, found in sorted(pool.items()) if not only or room in only}
    texts = {name: (source / name).read_text() for found in pool.values() for name, _ in found}
    everything = [(room, *site) for room, found in pool.items() for site in found]
    mutants, taken = [], {}
    for seed in seeds:
        rng = random.Random(seed)
        first = rng.sample(sorted(pool), len(pool))
        drawn = tries = failed = 0
        while drawn < count and tries < 100 * count:
            tries += 1
            failed += 1
            if failed > MOST_TRIES and first:   # a small room may have no more
                first.pop(0)
                failed = 0
            of_room = first and drawn % 2 == 0
            room, name, statement = (first[0], *rng.choice(pool[first[0]])) if of_room else rng.choice(everything)
            change = draw.draw(texts[name], statement, rng)
            if not change or (name, statement.start) in taken:
                continue
            number = len(mutants) + 1
            text = draw.switched(texts[name], statement, change[1], number)
            if number > MOST or not compiles(known[name], source / name, with_switch(text, SWITCH)):
                continue
            line = texts[name].count("\n", 0, statement.start)
            taken[name, statement.start] = (statement, change[1], number)
            mutants.append({"number": number, "seed": seed, "room": room, "file": name, "line": line + 1, "what": change[0],
                            "statement": " ".join(texts[name][statement.start:statement.end].split()),
                            "instead": " ".join(draw.changed(texts[name], statement, change[1]).split()),
                            "source": texts[name].split("\n")[line].strip()})
            drawn += 1
            failed = 0
            if of_room:
                first.pop(0)
    for name in {name for name, _ in taken}:
        of_file = {k[1]: v for k, v in taken.items() if k[0] == name}
        (source / name).write_text(switched_text(texts[name], of_file, folder / "state"))
    (folder / "mutants.json").write_text(json.dumps(mutants, indent=1))
    (folder / "results.json").unlink(missing_ok=True)
    switch(folder, 0)
    must_build(source)
    print(f"{len(mutants)} mutants in {len(pool)} rooms")


def switch(folder, number):
    """Switches a mutant on, 0 none; forgets what was reached."""
    path = folder / STATE
    if not path.exists():
        path.write_bytes(bytes(STATE_SIZE))
    with path.open("r+b") as file:   # the same file, not a new one
        file.write(number.to_bytes(2, sys.byteorder) + bytes(STATE_SIZE - 2))


def reached(folder):
    return [k for k, byte in enumerate((folder / STATE).read_bytes()[2:]) if byte]


def limited(seconds, memory=MEMORY):
    """What a program may use: memory, and of the processor's time some more than without a mutant."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    return limit


def used_time():
    """The processor's time of all programs that were run and have ended: a machine may do other things beside."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def own_state(folder, numbers):
    """What a process that tries tests beside others begins with: a state of its own."""
    global STATE
    STATE = f"state.{numbers.get()}"
    os.environ["MUTATION_STATE"] = str(folder / STATE)
    adopt()
    switch(folder, 0)


def adopt():
    """What a test has left running, as a terminal that a changed program never ends, becomes a child of this process."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_what_is_left():
    """Ends the children of this process, and theirs, which become its own then."""
    while True:
        left = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            left += [int(entry.name)] if parent == os.getpid() else []
        for pid in left:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        if not left:
            return


def side_by_side(jobs, folder, function, tasks):
    """The results of the tasks, as they come; with several jobs each has its own process, and programs that a test runs
    in an environment without our variable have no mutant then."""
    if jobs < 2:
        adopt()
        yield from map(function, tasks)
        return
    numbers = multiprocessing.Queue()
    for number in range(jobs):
        numbers.put(number + 1)
    with multiprocessing.Pool(jobs, own_state, (folder, numbers)) as pool:
        yield from pool.imap_unordered(function, tasks)


def run_test(test, build_folder, seconds):
    env = dict(os.environ, **test["env"], GPUCODE_VECTORS="/nonexistent")
    env.pop("GPUCODE_LONG_TESTS", None)
    memory = MEMORY
    if build_folder.name == SANITIZED:   # which map terabytes
        env.update(SANITIZERS)
        memory = resource.RLIM_INFINITY
    begun = used_time()
    process = subprocess.Popen(test["cmd"], cwd=test["workdir"] or build_folder, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               preexec_fn=limited(4 + 4 * int(seconds), memory))
    try:
        output, _ = process.communicate(timeout=WAIT + 20 * seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        code = "time"
    end_what_is_left()
    return code, used_time() - begun, output.decode(errors="replace")


def tests_of(source, without=OTHER_SUITES, folder="build"):
    found = json.loads((source / folder / "meson-info" / "intro-tests.json").read_text())
    return [t for t in found if t["name"] in USED_NEVERTHELESS or not without & {suite.split(":")[-1] for suite in t["suite"]}]


def run_alone(task):
    """A test without any mutant, and what it reaches."""
    folder, test, *build_folder = task
    switch(folder, 0)
    code, seconds, output = run_test(test, folder / "source" / (build_folder or ["build"])[0], test["timeout"])
    return test["name"], {"code": code, "seconds": round(seconds, 2), "reached": reached(folder),
                          "output": output[-1500:] if code not in (0, 77) else ""}


def run_mutants(folder, minutes, again, enough, more, pattern, jobs=1):
    source, until = folder / "source", time.monotonic() + minutes * 60
    mutants, results, save = stored_results(folder)
    if again:
        copy_of_tree(source, "tests")
        must_build(source)
        results["tests"] = {}
        results["mutants"] = {k: r for k, r in results["mutants"].items() if r["state"] == "killed"}
        save()
    tests = [t for t in tests_of(source) if re.search(pattern, t["name"])]
    left = [(folder, t) for t in tests if t["name"] not in results["tests"]]
    for name, row in side_by_side(jobs, folder, run_alone, left):
        results["tests"][name] = row
        save()
        if time.monotonic() > until:
            break
    for seconds in (enough, more):
        rows = results["mutants"]
        left = [(folder, source / "build", mutant, tests, results["tests"], until, seconds, rows.get(str(mutant["number"])))
                for mutant in mutants if is_left(rows.get(str(mutant["number"])), seconds)]
        for number, row in side_by_side(jobs, folder, try_task, left):
            if row:
                rows[str(number)] = row
                save()
    switch(folder, 0)


def run_sanitized(folder, minutes, more, pattern, jobs=1):
    """What survived, by the same tests in a build with sanitizers; those that fail there without a mutant tell nothing."""
    source, until = folder / "source", time.monotonic() + minutes * 60
    mutants, results, save = stored_results(folder)
    must_build(source, folder=SANITIZED)
    tests = [t for t in tests_of(source, folder=SANITIZED) if re.search(pattern, t["name"])]
    survived = [m for m in mutants if results["mutants"].get(str(m["number"]), {}).get("state") == "survived"]
    numbers = {m["number"] for m in survived}
    known = results.setdefault("sanitized", {})
    reaching = [t for t in tests if numbers & set(results["tests"].get(t["name"], {}).get("reached", ()))]
    for name, row in side_by_side(jobs, folder, run_alone, [(folder, t, SANITIZED) for t in reaching if t["name"] not in known]):
        known[name] = row
        save()
        if time.monotonic() > until:
            break
    left = [(folder, source / SANITIZED, m, tests, known, until, SANITIZER_SLOWS * more, None) for m in survived]
    for number, row in side_by_side(jobs, folder, try_task, left):
        if row and row["state"] == "killed":
            results["mutants"][str(number)] = dict(row, state="sanitizers")
            save()
    switch(folder, 0)


def watch_values(folder, pattern):
    """Lists the changes that never made another value while the tests ran."""
    import values
    source, state = folder / "source", folder / "values"
    copy_of_tree(source)
    must_build(source, folder=VALUES)   # what is generated is there then
    known, patterns, rows, unread = commands(source, VALUES), rooms(), [], 0
    sources = {str(path.relative_to(source)): path for path in sorted((source / "src").rglob("*.c"))}
    shutil.copy2(VALUES_HEADER, folder)
    for name in filter(known.__contains__, sources):
        text, numbered = sources[name].read_text(), []
        for statement in draw.statements(text):
            try:
                for row in values.watched(text, statement):
                    numbered.append((len(rows) + 1, row))
                    rows.append((name, text.count("\n", 0, (row.change or statement).start) + 1,
                                 row.change.what if row.change else "left out", " ".join(text[statement.start:statement.end].split())))
            except values.Unread:
                unread += 1
        head = (f'#define VALUES_STATE "{state}"\n#define VALUES_SIZE {VALUES_MOST}\n#include "{folder / VALUES_HEADER.name}"')
        kept = set(values.compiled(sources[name], text, numbered, known[name], head))
        for number, _ in numbered:
            if number not in kept:
                rows[number - 1] = None
    if len(rows) >= VALUES_MOST:
        sys.exit("more changes than can be watched")
    state.write_bytes(bytes(VALUES_MOST))
    must_build(source, folder=VALUES)
    adopt()
    for test in tests_of(source, folder=VALUES):
        if re.search(pattern, test["name"]):
            run_test(test, source / VALUES, 2 * test["timeout"])
    seen, counts = state.read_bytes(), {}
    with (folder / "values.txt").open("w") as out:
        for number, row in enumerate(rows, 1):
            if row:
                count = counts.setdefault(room_of(row[0][4:], patterns), [0, 0])
                count[0] += 1
                if not seen[number]:
                    count[1] += 1
                    print(f"{row[0]}:{row[1]}: {row[2]} | {row[3][:200]}", file=out)
    copy_of_tree(source, "src")
    print(f"{sum(1 for row in rows if row)} changes watched; {unread} statements not understood\n\n| room | watched | without a difference |\n|---|--:|--:|")
    for room, count in sorted(counts.items()):
        print(f"| {room} | {count[0]} | {count[1]} |")


def hunt_mutants(folder, minutes, seed):
    import hunt
    mutants, results, _ = stored_results(folder)
    by_number = {m["number"]: m for m in mutants}
    survived = [number for number in by_number if results["mutants"].get(str(number), {}).get("state") == "survived"]
    with (folder / "found.cases").open("a") as found:
        for number, case in hunt.hunt(folder, hunt.all_cases(), survived, STATE_SIZE, minutes, seed):
            mutant = by_number[number]
            print(f"{mutant['number']}: {mutant['file']}:{mutant['line']}: {mutant['what']}", flush=True)
            print("", *case.head(), *case.printed, sep="\n", file=found, flush=True)


def stored_results(folder):
    """The mutants, what is known of them, and how that is kept."""
    stored = folder / "results.json"
    results = json.loads(stored.read_text()) if stored.exists() else {"tests": {}, "mutants": {}}

    def save():
        (folder / "results.new").write_text(json.dumps(results, indent=1))
        os.replace(folder / "results.new", stored)
    return json.loads((folder / "mutants.json").read_text()), results, save


def is_left(row, seconds):
    """Is there something to try, with so many seconds?"""
    return not row or row["state"] == "survived" and row.get("seconds", 0) < seconds and len(row["tried"]) < len(row["reach"])


def try_task(task):
    return task[2]["number"], try_mutant(*task)


def try_mutant(folder, build_folder, mutant, tests, alone, until, enough=ENOUGH, before=None):
    """What became of a mutant; None when time is over. A test of another part costs more, since it tells less. One that is
    skipped may have done something before. `before` is what was found in less time."""
    reach = [t for t in tests if alone.get(t["name"], {}).get("code") in (0, 77) and mutant["number"] in alone[t["name"]]["reached"]]

    def cost(test):
        of_room = mutant["room"] == test["name"] or mutant["room"].split("/")[-1] in test["name"].split("/")
        return alone[test["name"]]["seconds"] * (1 if of_room else 4)

    done = before["tried"] if before else []
    row = {"state": "survived" if reach else "not reached", "reach": [t["name"] for t in reach], "tried": list(done),
           "seconds": enough}
    spent = sum(alone[name]["seconds"] for name in done if name in alone)
    for test in sorted(reach, key=cost):
        seconds = alone[test["name"]]["seconds"]
        if test["name"] in done:
            continue
        if time.monotonic() > until:
            return None
        if len(row["tried"]) >= 2 and spent + seconds > enough:
            continue
        spent += seconds
        switch(folder, mutant["number"])
        code, _, output = run_test(test, build_folder, seconds)
        row["tried"].append(test["name"])
        if code not in (0, 77):
            row.update(state="killed", by=test["name"], code=code, output=output[-300:])
            break
    return row


def table(folder):
    mutants = json.loads((folder / "mutants.json").read_text())
    results = json.loads((folder / "results.json").read_text())
    bad = [name for name, t in results["tests"].items() if t["code"] not in (0, 77)]
    if bad:
        print("fail without any mutant, and were not used:", ", ".join(sorted(bad)))
    states = ("killed", "sanitizers", "survived", "not reached")
    scores = {}
    for mutant in mutants:
        row = results["mutants"].get(str(mutant["number"]))
        if row:
            for key in (mutant["room"], f"all, seed {mutant['seed']}", "all"):
                score = scores.setdefault(key, dict.fromkeys(states, 0))
                score[row["state"]] += 1
            if row["state"] not in states[:2]:
                print(f"{mutant['number']}: {mutant['file']}:{mutant['line']}: {mutant['what']}; {row['state']}")
                print(f"    - {mutant['statement'][:200]}")
                if mutant.get("instead"):
                    print(f"    + {mutant['instead'][:200]}")
                if row["reach"]:
                    untried = [name for name in row["reach"] if name not in row["tried"]]
                    print(f"    reached by {', '.join(row['reach'][:8])}{', ...' * (len(row['reach']) > 8)}"
                          f"{'; not tried: ' * bool(untried)}{', '.join(untried[:8])}")
    print(f"{len(results['mutants'])} of {len(mutants)} mutants\n\n| room | mutants | {' | '.join(states)} |\n|---{'|--:' * 5}|")
    for key, score in sorted(scores.items()):
        print(f"| {key} | {sum(score.values())} | {' | '.join(str(score[state]) for state in states)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    ways = parser.add_subparsers(dest="way", required=True)
    way = ways.add_parser("draw")
    way.add_argument("seeds", nargs="+", type=int)
    way.add_argument("--count", type=int, default=80)
    way.add_argument("--rooms", nargs="*", default=[])
    way = ways.add_parser("run")
    way.add_argument("--minutes", type=float, default=1e6)
    way.add_argument("--again", action="store_true")
    way.add_argument("--seconds", type=float, default=ENOUGH)
    way.add_argument("--more", type=float, default=MORE)
    way.add_argument("--sanitized", action="store_true")
    way.add_argument("--tests", default="")
    way.add_argument("--jobs", type=int, default=1)
    way = ways.add_parser("hunt")
    way.add_argument("--minutes", type=float, default=10)
    way.add_argument("--seed", type=int, default=1)
    ways.add_parser("values").add_argument("--tests", default="")
    ways.add_parser("table")
    ways.add_parser("claims").add_argument("claims", nargs="*")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if asked.way == "draw":
        draw_mutants(folder, asked.seeds, asked.count, asked.rooms)
    elif asked.way == "run":
        run_mutants(folder, asked.minutes, asked.again, asked.seconds, asked.more, asked.tests, asked.jobs)
        if asked.sanitized:
            run_sanitized(folder, asked.minutes, asked.more, asked.tests, asked.jobs)
    elif asked.way == "hunt":
        hunt_mutants(folder, asked.minutes, asked.seed)
    elif asked.way == "values":
        watch_values(folder, asked.tests)
    elif asked.way == "claims":
        import claims
        claims.try_claims(folder, set(asked.claims))
    else:
        table(folder)


if __name__ == "__main__":
    main()
