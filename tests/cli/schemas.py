#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --json prints is what docs/json.schema.json says, which is what `gpucode help --schema` prints.

usage: schemas.py GPUCODE ROOT
UPDATE_GOLDEN=1 writes docs/json.schema.json anew."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
from features import reads_gzip

program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
os.chdir(tempfile.mkdtemp())

# The runs of each command: lists of words, in which {root} is the project. Exit codes 0 and 1 are right, and what goes
# to standard error counts with "2>" in front. Files are made by PREPARE, in order.
PREPARE = [
    "asm {root}/examples/firmware/a6xx.asm -o a6xx.fw --map a6xx.map",
    "asm {root}/examples/firmware/a7xx.asm -o a7xx.fw",
    "asm {root}/tests/gpu/stream.asm -o stream.fw",
    "asm edited/a6xx.asm -o edited.fw",
    "asm {root}/examples/hwsq/reclock.hwsq -o script.bin",
    "asm {root}/examples/a3xx/planet.asm -o planet.bin",
    "asm changed.asm -o changed.fw",
]
A3 = "{root}/examples/a3xx"
RUNS = {
    "crash": [
        "crash {root}/fuzz/corpus/crash/a6xx.devcore",
        "crash --verbose {root}/fuzz/corpus/crash/a7xx.devcore.gz",
        "crash {root}/fuzz/corpus/crash/a5xx.devcore",
        "crash --verbose {root}/fuzz/corpus/crash/gen8.snapshot.gz",
        "crash --firmware a6xx.fw {root}/fuzz/corpus/crash/a6xx.devcore",
        "crash --section registers {root}/fuzz/corpus/crash/a6xx.devcore",
        "crash --firmware a6xx.fw crash.log",
    ],
    "search": ["search a6xx.fw 'mov $x, *; cwrite $x, *'", "search a7xx.fw call",
               "search -t hwsq:nv50 script.bin 'data ?v; addr'"],
    "symbols": ["symbols --from a6xx.fw --to edited.fw a6xx.map -o carried.map", "symbols --to a6xx.fw a6xx.map -o own.map"],
    "patch": ["asm --patch CP_NOP=nop.asm a6xx.fw -o patched.fw", "asm --patch CP_NOP=nop.asm a7xx.fw -o patched.fw"],
    "asm": ["asm {root}/examples/firmware/a6xx.asm -o other.fw"],
    "coverage": ["coverage a6xx.fw", "coverage a7xx.fw --comments", f"coverage {A3}/early.asm",
                 "coverage {root}/examples/hwsq/reclock.hwsq"],
    "diff": ["diff a6xx.fw edited.fw", "diff a6xx.fw a7xx.fw", "diff edited.fw a6xx.fw", "diff -t hwsq:nv50 {root}/examples/hwsq/reclock.hwsq other.hwsq"],
    "disasm": ["disasm a7xx.fw", "disasm -t hwsq:nv50 script.bin", "disasm --json=text a6xx.fw", "disasm -t a3xx planet.bin"],
    "explain": ["explain", "explain a3xx-no-texture", "explain {root}/examples/hwsq/reclock.hwsq"],
    "export": ["export json -t afuc:a730", "export pygments -o exported"],
    "extract": ["extract -t hwsq:nv50 log"],
    "fuzz": ["fuzz {root}/examples/firmware/a6xx.asm --runs 100 -o found",
             "fuzz a6xx.fw --try found", "fuzz a6xx.fw --merge -o merged found"],
    "help": ["help", "help run"],
    "info": ["info a6xx.fw", "info a7xx.fw", "info -t a3xx planet.bin", "info -t ir3:a630 planet.bin", "info -t hwsq:nv50 script.bin",
             "info -t data a6xx.fw"],
    "lint": ["lint edited.fw", f"lint {A3}/early.asm", "lint -t a3xx planet.bin", "lint changed.asm"],
    "manual": ["manual afuc", "manual hwsq wait", "manual a3xx"],
    "run": ["run a6xx.fw --packet CP_NOP --trace=instructions,registers,memory --dump 0x0:2 --dump $02",
            "run a6xx.fw --packet CP_NOP --trace=state", "run {root}/examples/hwsq/reclock.hwsq",
            f"run {A3}/early.asm --trace --cycles --dump 0:1", f"run {A3}/planet.asm --local-size 2,1",
            "run -t mme:fermi --section fill_scratch --param 10,3,7 {root}/examples/mme/macros.mme", f"run --image 2x2 picture.pam {A3}/planet.asm"],
    "stats": [f"stats {A3}", f"stats {A3} {A3}", f"stats {A3}/planet.asm", f"stats {A3}/planet.asm {A3}/early.asm"],
    "targets": ["targets"],
    "verify": ["verify a6xx.fw {root}/README.md"],
    "replay": ["replay stream.fw --firmware a6xx.fw", "replay stream.fw --firmware a6xx.fw --against decode",
               "replay changed.fw --firmware a6xx.fw --against decode --limit 20",
               "diff --replay stream.fw a6xx.fw a6xx.fw"],
    "decode": ["decode " + options + "stream.fw" for options in (
        "", "--draws --all ", "--summary --once ", "--query * --when writes ", "--query RB_* ",
        "--textures --constants --shaders --vertices --bindless ", "--diff stream.fw ", "--diff changed.fw ",
        "--diff 0:2 ", "--extract-shaders shader ", "--where 0x1000ac ", "--lint ", "--query CP_*.* ", "--marks ", "--query RB_* --passes ", "--exe self ")],
    "time-line": ["decode --time-line stream.fw", "decode --time-line --exe self stream.fw", "decode --perfetto - stream.fw",
                  "replay stream.fw --firmware a6xx.fw --time-line", "replay stream.fw --firmware a6xx.fw --perfetto -"],
    "schedule": ["schedule {root}/examples/a3xx/early.asm -o early.bin", "2> schedule {root}/examples/a3xx/early.asm"],
    "compare": [f"compare {A3}/early.asm {A3}/early.asm", f"compare {A3}/early.asm {A3}/planet.asm --outputs r0.y",
                "compare load.asm mask.asm"],
    "diff-blocks": ["diff {root}/examples/a3xx/early.asm {root}/examples/a3xx/planet.asm"],
    "diff-privileges": ["diff --privileges a6xx.fw edited.fw"],
    "graph": ["graph {root}/examples/firmware/a6xx.asm", "graph --kind=calls a7xx.fw"],
    "info-calls": ["info --calls a6xx.fw", "info --calls {root}/examples/firmware/a7xx.asm"],
    "info-privileges": ["info --privileges a6xx.fw"],
    "xref": ["xref a7xx.fw memory", "xref {root}/examples/firmware/a6xx.asm CP_NOP", "xref a7xx.fw $12",
             "xref a6xx.fw %PREEMPT_INSTR"],
}


LOG = """\
*** gpu fault: ttbr0=0000000123450000 iova=0000000100001040 dir=READ type=TRANSLATION source=UCHE (0,0,0,1)
gpu fault ring 2 fence 30b status 00800005 rb 04a0/0505 ib1 0000000100001000/002a ib2 0000000100020000/0000
CP | Protected mode error | WRITE | addr=8c01 | status=608c01
PC: 0025
$01: 70bf8003
"""


def run(words, check=True):
    to_error = words.startswith("2> ")
    words = words[3:] if to_error else words
    done = subprocess.run([program] + shlex.split(words.format(root=root)), capture_output=True, check=False)
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


def edit_firmware(folder, copy):
    """A copy in which a packet writes a register that it did not write."""
    os.mkdir(copy)
    for path in folder.glob("*.asm"):
        text = path.read_text(encoding="utf-8")
        put_in = "\nCP_MEM_WRITE:\n mov $addr, CP_SCRATCH[0].REG\n mov $data, 0x0\n mov $15, 0x0"
        text = text.replace("\nCP_MEM_WRITE:", put_in)
        pathlib.Path(copy, path.name).write_text(text, encoding="utf-8")


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
    edit_firmware(root / "examples/firmware", "edited")
    source = (root / "tests/gpu/stream.asm").read_text()
    pathlib.Path("changed.asm").write_text(source.replace(".word 0x48880002, 0x11", ".word 0x48880002, 0x21"))
    for words in PREPARE:
        run(words)
    pathlib.Path("nop.asm").write_text("nop\nwaitin\nmov $01, $data\n")
    pathlib.Path("crash.log").write_text(LOG)
    for name, mask in ("load", 1), ("mask", 3):
        load = f"ldg.u32 r1.x, g[r0.x], 1\n(sy)and.b r2.x, r1.x, {mask}\nsam (f32)(x)r3.x, r0.x, s#0, t#0\n(sy)mul.f r3.x, r3.x, ({1 << mask - 1}.0)"
        pathlib.Path(name + ".asm").write_text(f".target ir3:a650\n@localsize 4, 1, 1\n{load}\nend\n")
    script = pathlib.Path("script.bin").read_bytes()
    source = (root / "examples/hwsq/reclock.hwsq").read_text()
    pathlib.Path("other.hwsq").write_text(source.replace("wait 2us", "wait 3us", 1))
    pathlib.Path("log").write_text(f"nouveau: hwsq {script.hex(' ')}\n")
    for name, runs in RUNS.items():
        assert next(values(run(f"help --schema {name}"))) == schemas[name]
        jsonschema.Draft7Validator.check_schema(schemas[name])
        validator = jsonschema.Draft7Validator(schemas[name])
        seen = 0
        for words in runs:
            if ".gz" in words and not reads_gzip(program):
                continue
            for value in values(run(words if "--json" in words else words + " --json")):
                seen += 1
                error = next(validator.iter_errors(value), None)
                if error:
                    sys.exit(f"{words}: {'/'.join(map(str, error.absolute_path))}: {error.message}\n{json.dumps(value)[:2000]}")
        assert seen, f"{name}: no run printed anything"
    assert b"cli-no-schema" in run_errors("help --schema lsp"), "a command without JSON has a schema"


def run_errors(words):
    return subprocess.run([program] + words.split() + ["--json"], capture_output=True, check=False).stderr


main()
