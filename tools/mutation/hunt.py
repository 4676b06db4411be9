# SPDX-License-Identifier: MIT
"""Inputs that show changes of the code which no test notices.

The cases of tests/cli/cases are changed at random: lines and words of their texts, words of their bytes, their options.
What such a case prints is compared with what it prints while a change is on that it reaches and that survived. Where the
two differ the case is made smaller, line by line, and kept for tests/cli/cases, to be read and put there."""
import mmap
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import cases as recorded

WORD = re.compile(r"0[xX][0-9a-fA-F]+|\d+|[A-Za-z_$@.][\w.]*|\s+|.", re.S)
LIMITS = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1023, 4095, 4096, 0xffff, 0x10000, 0x7fffffff,
          0x80000000, 0xffffffff, 1 << 32, (1 << 64) - 1]
MARKS = ",()[]{}.#:-\"\t "
# How long a command may run, how many tries making a case smaller may take, and how large a file may become.
SECONDS, TRIES, LARGEST = 2, 200, 50 << 20
# One change in so many is of the arguments; and at most so many changes of the code are tried with one case.
OF_ARGUMENTS, TOGETHER = 4, 10


def other_number(rng, text):
    value = int(text, 16 if text[:2] in ("0x", "0X") else 10)
    value = rng.choice([value + 1, max(value - 1, 0), rng.choice(LIMITS), value ^ 1 << rng.randrange(32), value * 2])
    return hex(value) if text[:2] in ("0x", "0X") else str(value)


def other_line(rng, line, others):
    """A line with a word changed, left out, twice, or from elsewhere."""
    words = WORD.findall(line)
    numbers = [k for k, word in enumerate(words) if word[0].isdigit()]
    if numbers and rng.random() < .4:
        k = rng.choice(numbers)
        words[k] = other_number(rng, words[k])
    elif words:
        k = rng.randrange(len(words))
        elsewhere = WORD.findall(rng.choice(others)) or words
        words[k:k + 1] = rng.choice([[], [words[k]] * 2, [rng.choice(elsewhere)], [rng.choice(words)],
                                     [rng.choice(MARKS), words[k]]])
    return "".join(words)


def other_text(rng, text, others):
    lines, there = text.split("\n"), rng.choice(others).split("\n")
    at, many = rng.randrange(len(lines)), rng.choice([1, 1, 2, 4, 10])
    way = rng.randrange(6)
    if way == 0:
        del lines[at:at + many]
    elif way == 1:
        lines[at:at] = lines[rng.randrange(len(lines)):][:many]
    elif way == 2:
        lines[at:at] = there[rng.randrange(len(there)):][:many]
    else:
        lines[at] = other_line(rng, lines[at], there)
    return "\n".join(lines)


def other_bytes(rng, data, others):
    data, there = bytearray(data), rng.choice(others)
    at, size = rng.randrange(len(data) // 4 + 1) * 4, 4 * rng.choice([1, 1, 2, 4, 16])
    way = rng.randrange(6)
    if way == 0:
        del data[at:at + size]
    elif way == 1:
        data[at:at] = data[at:at + size]
    elif way == 2:
        data[at:at + 4] = rng.choice(LIMITS).to_bytes(8, "little")[:4]
    elif way == 3 and data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == 4:
        data[at:at + size] = there[rng.randrange(len(there) // 4 + 1) * 4:][:size]
    else:
        value = int.from_bytes(data[at:at + 4], "little") + rng.choice([-4, -1, 1, 4, 16, 256])
        data[at:at + 4] = (value & 0xffffffff).to_bytes(4, "little")
    return bytes(data)


def changed_case(rng, case, pool):
    """A case like another; its options and the files of the same kind come from the pool."""
    new = recorded.Case(list(case.arguments), case.needs, case.files)
    alike = [other for other in pool if other.arguments[0] == case.arguments[0]]
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4, 6])):
        if new.files and rng.randrange(OF_ARGUMENTS):
            name = rng.choice(sorted(new.files))
            others = [data for other in alike for at, data in other.files.items() if Path(at).suffix == Path(name).suffix]
            data, others = new.files[name], others or [new.files[name]]
            if recorded.is_text(data):
                texts = [other.decode() for other in others if recorded.is_text(other)] or [data.decode()]
                new.files[name] = other_text(rng, data.decode(), texts).encode()
            else:
                new.files[name] = other_bytes(rng, data, others)
        else:
            there, at = rng.choice(alike).arguments, rng.randrange(1, len(new.arguments) + 1)
            options = [k for k, word in enumerate(there) if word.startswith("-")]
            if options and rng.random() < .6:
                k = rng.choice(options)
                new.arguments[at:at] = there[k:k + rng.choice([1, 2])]
            elif at < len(new.arguments) and rng.random() < .5:
                del new.arguments[at]
            elif at < len(new.arguments) and new.arguments[at] not in new.files:
                new.arguments[at] = other_line(rng, new.arguments[at], new.arguments)
    return new


class Runner:
    """Runs cases with a change of the code on, in a folder of its own."""

    def __init__(self, folder, size, scratch):
        self.gpucode, self.folder = str(folder / "source" / "build" / "gpucode"), scratch / "case"
        state = scratch / "state"
        state.write_bytes(bytes(size))
        with state.open("r+b") as file:
            self.state = mmap.mmap(file.fileno(), size)
        os.environ["MUTATION_STATE"] = str(state)
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def printed(self, case, number=0):
        """What a case prints; nothing when it takes too long or cannot be run."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.state[:] = number.to_bytes(2, sys.byteorder) + bytes(len(self.state) - 2)
        try:
            return case.run(self.gpucode, self.folder, SECONDS)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            return None

    def reached(self):
        return {number for number, byte in enumerate(self.state[2:]) if byte}

    def differs(self, case, number):
        plain = self.printed(case)
        return plain is not None and number in self.reached() and self.printed(case, number) != plain == self.printed(case)


def smaller(runner, case, number):
    """The same case with fewer arguments, files and lines, which still shows the change."""
    tries = TRIES

    def take(arguments, files):
        nonlocal case, tries
        tries -= 1
        new = recorded.Case(arguments, case.needs, files)
        if tries < 0 or not runner.differs(new, number):
            return False
        case = new
        return True

    for k in range(len(case.arguments) - 1, 0, -1):
        take(case.arguments[:k] + case.arguments[k + 1:], case.files)
    for name in list(case.files):
        take(case.arguments, {k: data for k, data in case.files.items() if k != name})
    for name, data in case.files.items():
        parts = data.splitlines(True) if recorded.is_text(data) else [data[k:k + 4] for k in range(0, len(data), 4)]
        size = len(parts)
        while size > 1:
            size = (size + 1) // 2
            at = 0
            while at < len(parts):
                fewer = parts[:at] + parts[at + size:]
                if take(case.arguments, {**case.files, name: b"".join(fewer)}):
                    parts = fewer
                else:
                    at += size
    return case


def all_cases():
    return [case for path in sorted((ROOT / "tests" / "cli" / "cases").glob("*.cases"))
            for case in recorded.read_cases(path.read_text())[1]]


def hunt(folder, pool, survived, size, minutes, seed):
    """Tries cases like those of the pool, for so many minutes; yields the number of a change and the case that shows it."""
    rng, until = random.Random(seed), time.monotonic() + 60 * minutes
    scratch = folder / f"hunt-{os.getpid()}"
    scratch.mkdir(exist_ok=True)
    runner = Runner(folder, size, scratch)
    left, by_change = set(survived), {}
    for case in pool:
        if runner.printed(case) is not None:
            for number in runner.reached() & left:
                by_change.setdefault(number, []).append(case)
    while left & by_change.keys() and time.monotonic() < until:
        first = rng.choice(sorted(left & by_change.keys()))
        case = changed_case(rng, rng.choice(by_change[first]), pool)
        plain = runner.printed(case)
        if plain is None:
            continue
        reached = runner.reached() & left
        for number in sorted(reached, key=lambda k: (k != first, rng.random()))[:TOGETHER]:
            if runner.printed(case, number) != plain and runner.differs(case, number):
                left.discard(number)
                case = smaller(runner, case, number)
                case.printed = runner.printed(case)
                yield number, case
                break
    shutil.rmtree(scratch)
