#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shaders with known results (GPUCODE_VECTORS, and the project's own beside this file) through `gpucode run`: what is
left in buffers and registers, from text and from words, under plain and strict timing."""

import json
import os
import pathlib
import subprocess
import sys

from concurrent.futures import ThreadPoolExecutor

program = sys.argv[1]
own = pathlib.Path(__file__).resolve().parent / "cases"


def value(text):
    return int(text, 0) if isinstance(text, str) else text


def run(case, target, options):
    done = subprocess.run([program, "run", "-t", target, "--json", *options, str(case)], capture_output=True, text=True,
                          check=False)
    try:
        return done, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done, None


def differences(wanted, done, result):
    """What differs from the case's file, as lines."""
    if done.returncode or not result or result["stop"] != "end":
        return [f"ended with {done.returncode}: {done.stderr.strip()[:300]} {(result or {}).get('reason', '')}"]
    found = []
    for number, words in wanted["buffers"].items():
        have = [value(word) for word in result["buffers"][number]]
        want = [int(word, 16) for word in words.split()]
        places = [i for i, word in enumerate(want) if i >= len(have) or have[i] != word]
        if places or len(have) != len(want):
            shown = [f"[{i}] {have[i]:#x} not {want[i]:#x}" for i in places[:4] if i < len(have)]
            found.append(f"buffer {number}: {len(places)} of {len(want)} words: {', '.join(shown)}")
    threads = result.get("threads") or [{"killed": result["killed"], "registers": result["registers"]}]
    for name, values in wanted["registers"].items():
        for fiber, want in enumerate(values.split()):
            have = value(threads[fiber]["registers"][name])
            if have != int(want, 16):
                found.append(f"{name}[{fiber}]: {have:#x} not {want}")
                break
    killed = [number for number, thread in enumerate(threads) if thread["killed"]]
    if killed != wanted["killed"]:
        found.append(f"killed: {killed} not {wanted['killed']}")
    return found


def options_of(wanted):
    options = []
    for option in wanted["options"]:
        options += option if isinstance(option, list) else [option]
    names = ",".join(wanted["registers"])
    return options + (["--print", names] if names and "--print" not in options else [])


def record(case, wanted):
    """The project's own cases, made anew: all registers that are written."""
    done, result = run(case, wanted["target"], wanted["options"])
    threads = result.get("threads") or [{"killed": result["killed"], "registers": result["registers"]}]
    wanted["killed"] = [number for number, thread in enumerate(threads) if thread["killed"]]
    wanted["buffers"] = {number: " ".join(word[2:] for word in words) for number, words in result["buffers"].items()}
    wanted["registers"] = {name: " ".join(thread["registers"][name][2:] for thread in threads)
                           for name in threads[0]["registers"]}
    case.with_suffix(".json").write_text(json.dumps(wanted, indent=1) + "\n")
    return done.returncode


def check(case):
    answer = case.with_suffix(".json")
    if os.environ.get("UPDATE_GOLDEN") and case.parent == own:
        old = json.loads(answer.read_text()) if answer.exists() else {"target": f"ir3:{case.name[:4]}", "options": []}
        record(case, old)
    wanted = json.loads(answer.read_text())
    found = []
    for more in [], ["--strict"]:
        done, result = run(case, wanted["target"], options_of(wanted) + more)
        if more and result and result.get("code") == "ir3-early" and lint_finds(case, wanted["target"]):
            continue
        found += [f"{case.name} {' '.join(more)}: {line}" for line in differences(wanted, done, result)]
    return found


def lint_finds(case, target):
    """Does the checker of delays and sync bits find an error in it? Only then strict timing may stop."""
    done = subprocess.run([program, "lint", "-t", target, str(case)], capture_output=True, text=True, check=False)
    return "error:" in done.stdout


def main():
    folders = [own]
    vectors = os.environ.get("GPUCODE_VECTORS")
    shared = pathlib.Path(vectors or "") / "ir3" / "execution"
    if vectors and shared.is_dir():
        folders.append(shared)
    else:
        print("skipped: the vectors ir3/execution are not there (GPUCODE_VECTORS)")
    cases = [case for folder in folders for case in sorted(folder.glob("*.asm"))]
    if len(sys.argv) > 2:
        cases = [case for case in cases if any(word in case.name for word in sys.argv[2:])]
    with ThreadPoolExecutor(max_workers=2) as pool:
        found = [line for lines in pool.map(check, cases) for line in lines]
    print("\n".join(found + [f"{len(cases)} cases, {len(found)} differences"]))
    return 1 if found or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
