#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --json prints is what docs/json.schema.json says, which is what `gpucode help --schema` prints.

usage: schemas.py GPUCODE ROOT
UPDATE_GOLDEN=1 writes docs/json.schema.json anew."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
os.chdir(tempfile.mkdtemp())

# The runs of each command: lists of words, in which {root} is the project. Exit codes 0 and 1 are right, and what goes
# to standard error counts with "2>" in front. Files are made by PREPARE, in order.
PREPARE = [
    "asm {root}/examples/firmware/a6xx.asm -o a6xx.fw",
    "asm {root}/examples/firmware/a7xx.asm -o a7xx.fw",
    "asm {root}/tests/gpu/stream.asm -o stream.fw",
    "asm changed.asm -o changed.fw",
]
RUNS = {
    "replay": ["replay stream.fw --firmware a6xx.fw", "replay stream.fw --firmware a6xx.fw --against decode",
               "replay changed.fw --firmware a6xx.fw --against decode --limit 20",
               "diff --replay stream.fw a6xx.fw a6xx.fw"],
    "decode": ["decode " + options + "stream.fw" for options in (
        "", "--draws --all ", "--summary --once ", "--query * --when writes ", "--query RB_* ",
        "--textures --constants --shaders --vertices --bindless ", "--diff stream.fw ", "--diff changed.fw ")],
    "schedule": ["schedule {root}/examples/a3xx/early.asm -o early.bin", "2> schedule {root}/examples/a3xx/early.asm"],
}


def run(words, check=True):
    to_error = words.startswith("2> ")
    words = words[3:] if to_error else words
    done = subprocess.run([program] + words.format(root=root).split(), capture_output=True, check=False)
    if check and done.returncode not in (0, 1):
        sys.exit(f"{words}: exit code {done.returncode}\n{done.stderr.decode()}")
    return done.stderr if to_error else done.stdout


def values(text):
    """One value after another, each with white space around it; no key may stand twice in an object."""

    def unique(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"a key stands twice: {keys}"
        return dict(pairs)

    decoder = json.JSONDecoder(object_pairs_hook=unique)
    text = text.decode().strip()
    while text:
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:].strip()


def main():
    schemas = next(values(run("help --schema")))
    document = root / "docs/json.schema.json"
    if os.environ.get("UPDATE_GOLDEN"):
        document.write_bytes(run("help --schema"))
    assert document.exists() and json.loads(document.read_text()) == schemas, \
        "docs/json.schema.json is that of an older program: gpucode help --schema"
    assert set(schemas) == set(RUNS), f"a schema without a run, or a run without a schema: {set(schemas) ^ set(RUNS)}"
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not there")
        sys.exit(77)
    source = (root / "tests/gpu/stream.asm").read_text()
    pathlib.Path("changed.asm").write_text(source.replace(".word 0x48880002, 0x11", ".word 0x48880002, 0x21"))
    for words in PREPARE:
        run(words)
    for name, runs in RUNS.items():
        assert next(values(run(f"help --schema {name}"))) == schemas[name]
        jsonschema.Draft7Validator.check_schema(schemas[name])
        validator = jsonschema.Draft7Validator(schemas[name])
        seen = 0
        for words in runs:
            for value in values(run(words + " --json")):
                seen += 1
                error = next(validator.iter_errors(value), None)
                if error:
                    sys.exit(f"{words}: {'/'.join(map(str, error.absolute_path))}: {error.message}\n{json.dumps(value)[:2000]}")
        assert seen, f"{name}: no run printed anything"
    assert b"cli-no-schema" in run_errors("help --schema asm"), "a command without JSON has a schema"


def run_errors(words):
    return subprocess.run([program] + words.split() + ["--json"], capture_output=True, check=False).stderr


main()
