#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode crash on made-up dumps: the page, JSON, sections, what is left out, and files that are none.
. "$2/support/setting.sh"
dumps=$root/fuzz/corpus/crash
cp "$dumps"/* .

gpucode crash a6xx.devcore >out 2>err
if grep -q cli-stream err; then
    echo 'skipped: built without zlib'
    exit 77
fi
run 0 gpucode crash a6xx.devcore
golden crash-a6xx
run 0 gpucode crash --verbose a7xx.devcore.gz
golden crash-a7xx
run 0 gpucode crash gen8.snapshot.gz
golden crash-snapshot
run 0 gpucode crash --json a6xx.devcore
golden crash-json
run 0 gpucode crash cut.devcore
golden crash-cut
run 0 gpucode crash --color=always a6xx.devcore
holds out "$(printf '\033[1mThe SQE stood')"

# sections, firmware left out unless asked for: its first word is f00dfeed
run 0 gpucode crash --section registers a6xx.devcore
holds out 'CP_RB_BASE'
run 0 gpucode crash --section indexed-registers a6xx.devcore
lacks out f00dfeed
holds out '--ucode-cache'
run 0 gpucode crash --section indexed-registers --ucode-cache a6xx.devcore
holds out f00dfeed
run 0 gpucode crash --section 0x0502 gen8.snapshot.gz
lacks out f00dfeed
run 2 gpucode crash --section nothing a6xx.devcore
holds err cli-crash-section

# without firmware: the same explanation
for dump in a6xx.devcore a7xx.devcore.gz gen8.snapshot.gz; do
    run 0 gpucode crash --json "$dump"
    cp out before.json
    run 0 gpucode crash --redact open.dump "$dump"
    run 0 gpucode crash --json open.dump
    same out before.json
    section=indexed-registers
    [ "$dump" != gen8.snapshot.gz ] || section=0x0502
    run 0 gpucode crash --section $section --ucode-cache open.dump
    lacks out f00dfeed
    if command -v python3 >/dev/null; then
        run 1 python3 -c 'import sys; sys.exit(b"\xed\xfe\x0d\xf0" not in open("open.dump", "rb").read())'
    fi
done
run 0 gpucode crash --redact open.dump --without buffers,process,addresses,table a6xx.devcore
lacks open.dump triangle
lacks open.dump ttbr0
run 0 gpucode crash open.dump
lacks out '  dumped'
run 2 gpucode crash --redact never.dump --without everything a6xx.devcore
absent never.dump

# firmware beside the dump
cp "$root"/examples/firmware/*.asm .
run 0 gpucode crash --firmware a6xx.asm a6xx.devcore
holds out 'NOT the one that crashed'

# a machine's own dump: explained, its streams decoded, and back in the machine, which goes on
run 0 gpucode asm a6xx.asm -o a6xx.fw
run 1 gpucode run a6xx.fw --crash own.devcore --packet 'CP_ME_INIT 0 0 0 0 0 0 0 0' --packet 'CP_NOP 1' \
    --packet 'CP_MEM_WRITE 0x10 0x900 1'
run 0 gpucode crash --firmware a6xx.fw own.devcore
golden crash-own
run 0 gpucode decode own.devcore
golden crash-decode
printf 'print $pc\nprint/x $01\ninfo queues\ncontinue\nreverse-continue\n' >go
run 0 gpucode debug --crash own.devcore --firmware a6xx.fw --batch -x go
golden crash-debug
run 2 gpucode debug
holds err cli-few
gpucode debug --crash own.devcore --firmware a7xx.asm --batch -x go >out 2>err
holds err cli-crash-other
run 2 gpucode debug --crash none.devcore a6xx.fw --batch -x go
# without a packet table the firmware boots to have one
run 0 gpucode crash --redact bare.devcore --without table own.devcore
run 0 gpucode debug --crash bare.devcore --firmware a6xx.fw --batch -x go
holds err cli-crash-unchecked

# shaders: instruction memories, code that a register points to, what packets load
run 1 gpucode extract a6xx.devcore
holds err cli-dump-no-shader
awk '/^registers:/ { print; print "  - { offset: 0x02a60c, value: 0x00010000 }"; print "  - { offset: 0x02a610, value: 0x00000001 }"; next } 1' \
    a6xx.devcore >code.devcore
cat >>code.devcore <<'END'
shader-blocks:
  - type: A6XX_SP_INST_DATA
    - bank: 0
      size: 4
    data: !!ascii85 |
      !!!!"!!!!#z
    - bank: 1
      size: 4
  - type: A6XX_SP_INST_TAG
    - bank: 0
      size: 4
    data: !!ascii85 |
      !!!!"
END
run 0 gpucode extract code.devcore
holds out '; shader 1, A6XX_SP_INST_DATA bank 0, 8 bytes
  00000001 00000002'
holds out 'shader 2, SP_PS_BASE = 0x100010000'
run 0 gpucode extract --json code.devcore
holds out '{"shader": 1, "from": "A6XX_SP_INST_DATA", "place": "bank 0", "size_bytes": 8}'
run 0 gpucode extract code.devcore -o shader
[ -s shader.2.bin ] && [ ! -e shader.3.bin ] || complain 'not two files'
printf '\1\0\0\0\2\0\0\0' >wanted.bin
same shader.1.bin wanted.bin

# compressed and cut off; no dump at all
gzip -c a6xx.devcore >a6xx.gz
run 0 gpucode crash --json a6xx.gz
head -c 900 a6xx.gz >cut.gz
run 0 gpucode crash cut.gz
holds err crash-damaged
echo nothing >none
run 2 gpucode crash none
holds err crash-unknown
: >empty
run 2 gpucode crash empty
sed 's/iova: 0x0001/iova: 0xzz/; s/dwords: 51/dwords: 99999999999/' a6xx.devcore >wrong.devcore
run 0 gpucode crash wrong.devcore
holds err 'wrong.devcore:18:11: warning'
finish
