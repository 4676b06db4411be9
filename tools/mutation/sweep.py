#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which commands show a change, of one change for nearly each statement of the program?

usage: sweep.py FOLDER build [--seed N]      a program with all these changes, in FOLDER
       sweep.py FOLDER record NAME [--tests PATTERN] [--without PATTERN]
                                             runs the tests, and keeps the commands that they run in FOLDER/NAME
       sweep.py FOLDER try NAME... [--tries N] [--least N] [--most N] [--spend SECONDS] [--jobs N]
                     [--minutes N] [--seed N] [--keep]
                                             tries the commands of NAME on what none has shown: of a file NAME.cases, of
                                             tests/cli/cases (`cases`), recorded ones, or each test in C (`tests`)
       sweep.py FOLDER hunt NAME... [the same]
                                             the same with commands that are changed at random, until the minutes are over
       sweep.py FOLDER small [--jobs N]
                                             makes what hunts and `try --keep` have found smaller, in FOLDER/found.N.cases

`make mutation` tries a few changes with all tests; this tries all changes with a few commands each. The program stays
before main() and lets a child go on for each change that the command reaches (sweep_server.c), which takes some
milliseconds. A change is tried with at most `--tries` commands, and only if it was tried with `--least` before; at most
`--most` are tried with one command, for `--spend` seconds. What six commands or more that reach it have not shown is
worth a hunt, if no test in C notices it. `record` lets `try` use what other tests than tests/cli/cases run; with `--keep`
what their commands show is kept as a find, since such a test may look at a part of the output alone."""
import argparse
import json
import mmap
import os
import pickle
import random
import re
import shutil
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Process
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import draw
import hunt
import mutation

recorded = hunt.recorded
HERE = Path(__file__).resolve().parent
# As in sweep_server.c and sweep.h: the ends of the two pipes, and the number of changes.
ASKS, ANSWERS, SIZE = 198, 199, 1 << 17
BUILD = "build-sweep"
# One program, which starts no other.
mutation.BUILD_OPTIONS[BUILD] = ["-Doptimization=1", "-Dc_args=-w", "-Dsplit=false"]
# These talk with who started them.
DIALOGUES = {"lsp", "dap"}
# The largest files of a command that is kept, or changed at random; what need not be made smaller; and what is printed whole.
KEPT, CHANGED, SMALL, WHOLE = 300_000, 20_000, 300, 1000


def moved(change, by):
    """A change whose places are others by so much."""
    text = change.text
    if isinstance(text, tuple):
        text = tuple([token._replace(start=token.start + by, end=token.end + by) for token in part] for part in text)
    return change._replace(start=change.start + by, end=change.end + by, text=text)


def written(text, drawn):
    """The source with its changes, and where in it each is: begin, end, number."""
    out, at, places, length = [], 0, [], 0
    for number, statement, change in drawn:
        start = statement.start
        alone = statement._replace(start=0, end=statement.end - start, tokens=[])
        piece = draw.switched(text[start:statement.end], alone, change and moved(change, -start), number)
        out += [text[at:start], piece]
        length += start - at
        places.append((length, length + len(piece), number))
        length += len(piece)
        at = statement.end
    return "".join(out) + text[at:], places


def compiled(path, drawn, command, head):
    """Writes a source with the changes that the compiler allows; returns their numbers."""
    (words, folder), text = command, path.read_text()
    wrong = [f"-Werror={w}" for w in ("incompatible-pointer-types", "int-conversion", "discarded-qualifiers")]
    while True:
        body, places = written(text, drawn)
        path.write_text(f"{head}\n#line 1\n{body}" if drawn else text)
        done = subprocess.run([*words, "-w", *wrong, "-fsyntax-only", "-fdiagnostics-color=never", "-fmax-errors=0", str(path)],
                              cwd=folder, capture_output=True, text=True)
        if done.returncode == 0 or not drawn:
            return {number for number, _, _ in drawn}
        starts, refused = [0] + [m.end() for m in re.finditer("\n", body)], set()
        # in a macro of a header the error stands there, and a note at its use
        for line, column in re.findall(rf"^[^\n:]*{re.escape(path.name)}:(\d+):(\d+): (?:error|note)", done.stderr, re.M):
            at = starts[int(line) - 1] + int(column) - 1
            refused |= {number for begin, end, number in places if begin <= at < end}
        drawn = [one for one in drawn if one[0] not in refused] if refused else []


def draw_all(text, rng):
    """One change of each statement that has one, none within another: the statement, the name of the change, the change."""
    end = 0
    for statement in draw.statements(text):
        change = draw.draw(text, statement, rng) if statement.start >= end else None
        if change:
            end = statement.end
            yield statement, *change


def build(folder, seed):
    source, rng, rows, drawn = folder / "source", random.Random(seed), [], {}
    mutation.copy_of_tree(source)
    if mutation.build(source, "gpucode", folder=BUILD).returncode:
        sys.exit("the program without changes does not compile")
    known, patterns = mutation.commands(source, BUILD), mutation.rooms()
    for path in sorted((source / "src").rglob("*.c")):
        name, text = str(path.relative_to(source)), path.read_text()
        for statement, what, change in draw_all(text, rng) if name in known else ():
            rows.append({"number": len(rows) + 1, "file": name, "line": text.count("\n", 0, statement.start) + 1,
                         "room": mutation.room_of(name[4:], patterns), "what": what,
                         "statement": " ".join(text[statement.start:statement.end].split()),
                         "instead": " ".join(draw.changed(text, statement, change).split())})
            drawn.setdefault(name, []).append((len(rows), statement, change))
    if len(rows) >= SIZE:
        sys.exit("more changes than the program can tell apart")
    for name in ("sweep.h", "sweep_server.c"):
        shutil.copy(HERE / name, folder)
    head = f'#include "{folder / "sweep.h"}"'
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        kept = set().union(*pool.map(lambda name: compiled(source / name, drawn[name], known[name], head), sorted(drawn)))
    for main in (source / "src" / "cli" / "main.c", source / "tests" / "support" / "main.c"):
        main.write_text(f'#include "{folder / "sweep_server.c"}"\n{main.read_text()}')
    (folder / "changes.json").write_text(json.dumps([row for row in rows if row["number"] in kept], indent=0))
    (folder / "shown").write_bytes(bytes(2 * SIZE))
    mutation.must_build(source, BUILD)
    print(f"{len(kept)} changes")


def shown_state(folder):
    """For each change whether a command has shown it; and after these, with how many commands it was tried."""
    with (folder / "shown").open("r+b") as file:
        return mmap.mmap(file.fileno(), 2 * SIZE)


def record(folder, name, pattern, without):
    source = folder / "recorded"
    mutation.copy_of_tree(source)
    mutation.must_build(source)
    program = source / "build" / "gpucode"
    real = program.with_name("gpucode.real")
    if not real.exists():
        program.rename(real)
        subprocess.run(["cc", "-O1", "-o", program, HERE / "record.c"], check=True)
    (folder / name).mkdir(exist_ok=True)
    os.environ["SWEEP_RECORD"] = str(folder / name)
    mutation.adopt()
    for test in mutation.tests_of(source):
        if re.search(pattern, test["name"]) and not (without and re.search(without, test["name"])):
            code, seconds, _ = mutation.run_test(test, source / "build", test["timeout"])
            print(test["name"], code, round(seconds, 1), flush=True)


def recorded_case(place):
    """A command that record.c has kept, as a case: its files lie beside each other, as does what it writes."""
    arguments = [os.fsdecode(word) for word in (place / "arguments").read_bytes().split(b"\0")[:-1]]
    files, names = {}, {}
    for k, word in enumerate(arguments):
        lead, path = re.fullmatch(r"(@|-[^=]*=)?(.*)", word, re.S).groups("")
        data = place / f"file{k + 1}"
        if path and (data.exists() or path.startswith("/") and path != "/" and not path.startswith("/dev/")):
            base = names.setdefault(path, os.path.basename(path))
            while any(other != path and base == taken for other, taken in names.items()):
                base = names[path] = "x" + base
            arguments[k] = lead + base
            if data.exists():
                files[base] = data.read_bytes()
    if (place / "input").exists():
        files["-"] = (place / "input").read_bytes()
    return recorded.Case(arguments, (), files)


class UnitTest(recorded.Case):
    """A test in C, of which the exit code alone counts."""

    def __init__(self, program, arguments, env):
        super().__init__(arguments)
        self.program, self.env = program, {**env, "GPUCODE_VECTORS": "/nonexistent", "SWEEP": "code"}


def unit_tests(folder):
    build_folder = (folder / "source").resolve() / BUILD
    mutation.adopt()
    for test in mutation.tests_of(folder / "source", folder=BUILD):
        program = Path(test["cmd"][0])
        if program.parent.is_relative_to(build_folder) and program.name.startswith("test-"):
            output, group = mutation.run_test(test, build_folder, test["timeout"])[2], None
            for mark, name in re.findall(r"^(==|\[ RUN      \]) (\w+)", output, re.M):
                if mark == "==":
                    group = name
                else:
                    yield UnitTest(program, [group, name], test["env"])


def cases_named(folder, name):
    if name == "cases":
        return hunt.all_cases()
    if name == "tests":
        return unit_tests(folder)
    if name.endswith(".cases"):
        return recorded.read_cases(Path(name).read_text())[1]
    return map(recorded_case, sorted(path for path in (folder / name).iterdir() if (path / "arguments").exists()))


def commands_of(folder, names):
    """The commands of these names, each once, as cases."""
    seen = set()
    for name in names:
        for case in cases_named(folder, name):
            key = repr((getattr(case, "program", ""), case.arguments, sorted(case.files.items())))
            if key not in seen and case.arguments and case.arguments[0] not in DIALOGUES and size_of(case) <= KEPT:
                seen.add(key)
                yield case


def size_of(case):
    return sum(map(len, case.files.values()))


def new_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)


class Server:
    """A command whose changes are tried one after the other."""

    def __init__(self, folder, case, scratch):
        new_folder(scratch)
        for name, data in case.files.items():
            path = scratch / name if name != "-" else scratch.with_name(f"{scratch.name}.input")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        asks, self.ask = os.pipe()
        self.answer, answers = os.pipe()
        program = getattr(case, "program", folder / "source" / BUILD / "gpucode")
        env = dict(os.environ, COLUMNS=recorded.COLUMNS, HOME=str(scratch), LC_ALL="C.UTF-8", SWEEP="output")
        env.update(getattr(case, "env", {}))
        with open(scratch.with_name(f"{scratch.name}.input") if "-" in case.files else os.devnull, "rb") as given:
            self.process = subprocess.Popen(
                [str(program), *case.arguments], cwd=scratch, env=env, stdin=given, close_fds=False, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, preexec_fn=lambda: (os.dup2(asks, ASKS), os.dup2(answers, ANSWERS)))
        os.close(asks), os.close(answers)
        # None when its output is not the same twice
        self.reached = [self.number() for _ in range(self.number() or 0)]

    def number(self):
        data = os.read(self.answer, 4)
        return struct.unpack("I", data)[0] if len(data) == 4 else None

    def differs(self, number):
        try:
            os.write(self.ask, struct.pack("I", number))
        except BrokenPipeError:
            return False
        return self.number() == 1

    def close(self):
        os.close(self.ask), os.close(self.answer)
        self.process.wait()


def worker(folder, cases, job, asked):
    """Tries the changes that each case reaches, the least tried first; keeps those that are shown with their case."""
    shown, rng = shown_state(folder), random.Random(f"{asked.seed} {job}")
    until, runs, count = time.monotonic() + 60 * asked.minutes, 0, 0
    with (folder / f"finds.{job}").open("ab") as out:
        for case in cases:
            if time.monotonic() > until:
                break
            try:
                server = Server(folder, case, folder / f"scratch-{job}" / "case")
            except (OSError, ValueError):   # an argument that no program can be given
                continue
            left = [n for n in server.reached if not shown[n] and asked.least <= shown[SIZE + n] < asked.tries]
            rng.shuffle(left)
            left.sort(key=lambda n: shown[SIZE + n])
            found, enough = [], min(until, time.monotonic() + asked.spend)
            for number in left[:asked.most]:
                if time.monotonic() > enough:
                    break
                runs += 1
                shown[SIZE + number] = min(shown[SIZE + number] + 1, 255)
                if server.differs(number):
                    shown[number] = 1
                    found.append(number)
            server.close()
            count += len(found)
            if found and asked.keep:
                pickle.dump((case.arguments, case.files, found), out)
                out.flush()
    print(f"job {job}: {runs} tried, {count} shown", flush=True)


def changed_cases(pool, seed):
    rng = random.Random(seed)
    while True:
        yield hunt.changed_case(rng, rng.choice(pool), pool)


def side_by_side(jobs, function, *arguments):
    processes = [Process(target=function, args=(*(a[k] if isinstance(a, list) else a for a in arguments),)) for k in range(jobs)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def smaller(folder, case, numbers, scratch):
    """The case with fewer files, arguments and lines that still shows all these changes, as hunt.smaller() makes one."""
    class Runner:
        def differs(self, new, _):
            try:
                server = Server(folder, new, scratch)
            except (OSError, ValueError):
                return False
            shows = set(numbers) <= set(server.reached) and all(map(server.differs, numbers))
            server.close()
            return shows
    return hunt.smaller(Runner(), case, 0) if size_of(case) > SMALL and Runner().differs(case, 0) else case


def kept_finds(folder):
    found = []
    for path in sorted(folder.glob("finds.*")):
        with path.open("rb") as file:
            while file.peek(1):
                found.append(pickle.load(file))
    return found


def make_small(folder, found, job):
    """Makes what was found smaller; what it prints is that of the program without changes."""
    gpucode = str(folder / "recorded" / "build" / "gpucode.real")
    scratch = folder / f"scratch-{job}" / "case"
    with (folder / f"found.{job}.cases").open("w") as out:
        for arguments, files, numbers in found:
            case = smaller(folder, recorded.Case(arguments, (), files), numbers, scratch)
            new_folder(scratch)
            printed = case.run(gpucode, scratch, hunt.SECONDS)
            print("", *case.head(), *(printed if sum(map(len, printed)) < WHOLE else recorded.cut(printed)), sep="\n", file=out, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    ways = parser.add_subparsers(dest="way", required=True)
    ways.add_parser("build").add_argument("--seed", type=int, default=1)
    way = ways.add_parser("record")
    way.add_argument("name")
    way.add_argument("--tests", default="")
    way.add_argument("--without", default="")
    for name in ("try", "hunt"):
        way = ways.add_parser(name)
        way.add_argument("names", nargs="+")
        way.add_argument("--tries", type=int, default=25)
        way.add_argument("--least", type=int, default=0 if name == "try" else 6)
        way.add_argument("--most", type=int, default=SIZE if name == "try" else 40)
        way.add_argument("--spend", type=float, default=20)
        way.add_argument("--minutes", type=float, default=10)
        way.add_argument("--seed", type=int, default=1)
        way.add_argument("--jobs", type=int, default=2)
        way.add_argument("--keep", action="store_true", default=name == "hunt")
    ways.add_parser("small").add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if asked.way == "build":
        build(folder, asked.seed)
    elif asked.way == "record":
        record(folder, asked.name, asked.tests, asked.without)
    elif asked.way == "small":
        found = kept_finds(folder)
        side_by_side(asked.jobs, make_small, folder, [found[k::asked.jobs] for k in range(asked.jobs)], list(range(asked.jobs)))
    else:
        cases = list(commands_of(folder, asked.names))
        random.Random(asked.seed).shuffle(cases)
        if asked.way == "hunt":
            small = [case for case in cases if size_of(case) <= CHANGED]
            parts = [changed_cases(small, f"{asked.seed} {k}") for k in range(asked.jobs)]
        else:
            parts = [cases[k::asked.jobs] for k in range(asked.jobs)]
        side_by_side(asked.jobs, worker, folder, parts, list(range(asked.jobs)), asked)
        shown = shown_state(folder)
        rows = json.loads((folder / "changes.json").read_text())
        print(f"{sum(shown[row['number']] for row in rows)} of {len(rows)} shown, "
              f"{sum(not shown[row['number']] and shown[SIZE + row['number']] > 5 for row in rows)} not by six commands or more")


if __name__ == "__main__":
    main()
