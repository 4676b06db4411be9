#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Explains dumps that others made, and compares what is said with what they know. Skipped without GPUCODE_VECTORS.

    crash_vectors.py GPUCODE
"""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
from features import reads_gzip


def agrees(wanted, got):
    """Further keys are allowed; strings that begin with 0x are numbers."""
    if isinstance(wanted, str) and wanted.startswith("0x"):
        return isinstance(got, str) and int(wanted, 16) == int(got, 16)
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(k in got and agrees(v, got[k]) for k, v in wanted.items())
    if isinstance(wanted, list):
        return isinstance(got, list) and len(wanted) == len(got) and all(map(agrees, wanted, got))
    return wanted == got


def explain(gpucode, path):
    run = subprocess.run([gpucode, "crash", "--json", path], capture_output=True, check=False, timeout=600)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def compare(gpucode, path, wanted, name):
    code, out, err = explain(gpucode, path)
    if code:
        return f"{name}: exit code {code}: {err}"
    got = json.loads(out)
    for member, value in wanted.items():
        found = got.get(member)
        if member == "memory_pool":  # empty queues may be left out
            value = [q for q in value if q["entries"]]
            found = [q for q in found if q["entries"]]
        if not agrees(value, found):
            return f"{name}: {member} is {found}, not {value}"
    return None


def synthetic(gpucode, synth, folder, seed, kgsl):
    crash = synth.Crash(seed, kgsl=kgsl)
    path = os.path.join(folder, "dump")
    with open(path, "wb") as file:
        file.write(crash.bytes())
    error = compare(gpucode, path, crash.expect, f"seed {seed} {crash.key} {crash.scenario} kgsl={kgsl}")
    for options in ([], ["--verbose"], ["--section", "indexed-registers"], ["--section", "0x0501"]):
        out = subprocess.run([gpucode, "crash", *options, path], capture_output=True, check=False).stdout.decode()
        for word in crash.canary:
            if f"{word:08x}" in out:
                error = f"seed {seed}: firmware is shown with {options}"
    return error or (marked(gpucode, path, seed) if seed < 12 else None)


def marked(gpucode, path, seed):
    """`decode` marks the packet that `crash` names."""
    told = json.loads(explain(gpucode, path)[1])
    wanted = told.get("position", {}).get("packet_address")
    out = subprocess.run([gpucode, "decode", path], capture_output=True, check=False).stdout.decode()
    found = [int(line.split()[1], 16) for line in out.splitlines() if line.startswith("=>")]
    # what a ring has after its end stands there once more
    good = not wanted or (len(found) == 1 and found[0] - int(wanted, 16) in (0, 0x8000))
    return None if good else f"seed {seed}: marked {found}, not {wanted}"


def damaged(gpucode, synth, folder, seed, kind):
    data = synth.damage(synth.Crash(seed, kgsl=seed % 3 == 0).bytes(), kind, seed)
    path = os.path.join(folder, "damaged")
    with open(path, "wb") as file:
        file.write(data)
    code, out, err = explain(gpucode, path)
    if code == 0:
        json.loads(out)
        return None
    return None if code == 2 and err else f"seed {seed} {kind}: exit code {code}"


def main():
    gpucode = sys.argv[1]
    vectors = os.path.join(os.environ.get("GPUCODE_VECTORS", "/nowhere"), "crash")
    if not os.path.isdir(vectors):
        print("skipped: GPUCODE_VECTORS has no crash dumps")
        sys.exit(77)
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("synth_dump", os.path.join(vectors, "synth_dump.py"))
    synth = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(synth)
    seeds = 160 if os.environ.get("GPUCODE_LONG_TESTS") else 40
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(vectors, "crash.expected.json"), encoding="utf-8") as file:
            wanted = json.load(file)
        if reads_gzip(gpucode):
            errors.append(compare(gpucode, os.path.join(vectors, "crash.devcore.gz"), wanted, "crash.devcore.gz"))
        for seed in range(seeds):
            errors.append(synthetic(gpucode, synth, folder, seed, False))
            errors.append(synthetic(gpucode, synth, folder, seed, True))
            errors.append(damaged(gpucode, synth, folder, seed, synth.DAMAGES[seed % len(synth.DAMAGES)]))
    errors = [error for error in errors if error]
    print("\n".join(errors[:20]))
    print(f"{seeds} seeds, {len(errors)} errors")
    sys.exit(1 if errors else 0)


main()
