#!/bin/sh
# SPDX-License-Identifier: MIT
# disasm --json: an object a unit, and together they are the text and the bytes.
. "$2/support/setting.sh"
firmware=$root/examples/firmware
python3=$(command -v python3) || { echo 'skipped: no python3'; exit 77; }

# text.asm objects binary skip : the objects say what the text says, and their bits are the binary's bytes
cat >compare.py <<'END'
import json, sys
text, objects, binary, skip = open(sys.argv[1]).read(), [json.loads(line) for line in open(sys.argv[2])], \
    open(sys.argv[3], "rb").read(), int(sys.argv[4])
mark = "//" if "//! target" in text else ";"
bare = lambda line: line.split(mark)[0].strip()
wanted = [bare(line) for line in text.split("\n")]
wanted = [line for line in wanted if line and not line.startswith((".target", ".section", ".align"))]
got = []
for unit in objects:
    got += [label + ":" for label in unit.get("labels", [])]
    got += [unit["text"]] if "text" in unit else []
assert got == wanted, next((a, b) for a, b in zip(got, wanted) if a != b)
at = skip
for unit in objects:
    size = len(unit["bits"]) // 2 - 1
    assert binary[at:at + size] == int(unit["bits"], 16).to_bytes(size, "little"), unit
    at += size
    assert unit["kind"] in ("code", "data", "table", "text") and "section" in unit
    assert ("mnemonic" in unit) == ("routine" in unit) == (unit["kind"] == "code"), unit
    lossy = unit.get("comment", "").startswith("nearly ")
    for operand in unit.get("operands", []):
        assert lossy or operand["text"] in unit["text"], unit
        assert operand.get("access", "both") in ("read", "write", "both")
    labels = unit.get("labels", [])
    assert len(labels) == len(set(labels))
assert at == len(binary)
END
compare()
{
    checks=$((checks + 1))
    "$python3" compare.py "$@" >said 2>&1 || { complain "compare $*"; cat said; }
}

for name in a6xx a7xx; do
    run 0 gpucode asm "$firmware/$name.asm" -o $name.fw
    run 0 gpucode disasm $name.fw -o $name.asm
    run 0 gpucode disasm --json $name.fw -o $name.json
    compare $name.asm $name.json $name.fw 4
done
holds a6xx.json '"labels": ["CP_MEM_WRITE"], "routine": "CP_MEM_WRITE"'
holds a6xx.json '"kind": "table"'
holds a6xx.json '"comment": "CP_SQE_INSTR_BASE"'
holds a6xx.json '{"text": "$02", "kind": "destination register", "space": "general", "number": 2, "access": "write"}'
holds a6xx.json '"flow": {"kind": "branch", "conditional": true, "target_words": 38, "delay_slots": 1}'
# a user's name is the name
printf 'SQE 0x7c store\n' >a6.sym
run 0 gpucode disasm --json --symbols a6.sym a6xx.fw
holds out '"labels": ["CP_MEM_WRITE", "store"], "routine": "store"'

printf 'set1 #FB_PAUSE\newait #FB_PAUSED 1\naddr 0x100210\nexit\n' >script.txt
run 0 gpucode asm -t hwsq:g94 script.txt -o script.bin
printf '\101' >>script.bin
run 0 gpucode disasm -t hwsq:g94 script.bin -o script.asm
run 0 gpucode disasm -t hwsq:g94 --json script.bin -o script.json
compare script.asm script.json script.bin 0
holds script.json '"at_bytes": 1, "bits": "0x01005f"'

printf 'mov.f32f32 r0.x, c0.x\nend\n' >shader.txt
run 0 gpucode asm -t a3xx shader.txt -o shader.bin
printf '\1\2\3' >>shader.bin
run 0 gpucode disasm -t a3xx shader.bin -o shader.asm
run 0 gpucode disasm -t a3xx --json shader.bin -o shader.json
compare shader.asm shader.json shader.bin 0
holds shader.json '"text": ".byte 0x01, 0x02, 0x03"'

# the debugger has the listing's names
printf '[016ee001]\n[01000000]\ncall #x\nnop\nwaitin\nmov $01, $data\nx: ret\nnop\n' >call.asm
run 0 gpucode asm call.asm -o call.fw
printf 'x/i 2\n' >commands
run 0 gpucode debug --batch -x commands call.fw
holds out 'call #fxn6'
# names of a script are entry points: each is a routine
printf 'set1 #FB_PAUSE\nexit\nsecond: set0 #FB_PAUSE\nexit\n' >entries.txt
run 0 gpucode coverage -t hwsq:g94 entries.txt
holds out '0x0002     0 of      2    0%  second'

# another form of it, and no other
run 2 gpucode disasm --json=words shader.bin
run 2 gpucode info --json=text shader.bin
finish
