#!/bin/sh
# SPDX-License-Identifier: MIT
# decode and replay. Recorded streams are lists of words, so that our own assembler writes the one for the tests.
. "$2/support/setting.sh"
cp "$source_folder/stream.asm" "$root"/examples/firmware/*.asm .
run 0 gpucode asm stream.asm -o stream.rd
run 0 gpucode asm a6xx.asm -o a6xx.fw

gpucode decode stream.rd >out 2>err
if grep -q cli-stream err; then
    echo 'skipped: built without zlib'
    exit 77
fi
run 0 gpucode decode stream.rd
golden decode
gzip -c stream.rd >stream.rd.gz
run 0 gpucode decode stream.rd.gz
golden decode
run 0 gpucode decode --json stream.rd
golden decode-json
if command -v python3 >/dev/null; then
    run 0 python3 -c 'import json, sys; [json.loads(line) for line in open("out")]'
fi
# names of another generation for the same bytes
run 0 gpucode decode -t afuc:a7xx stream.rd
holds out CP_EVENT_WRITE7

# a word that is no packet
sed 's/^\.word 0x70460001.*/.word 0x12345678, 0/; s/^\.word 0x70c60001.*/.word 0x12345678, 0/' stream.asm >bad.asm
cmp -s bad.asm stream.asm && complain 'nothing was spoilt'
run 0 gpucode asm bad.asm -o bad.rd
run 1 gpucode decode bad.rd
holds out '*** no packet header: 0x12345678, 2 words passed over'

# inputs that are none
run 2 gpucode decode a6xx.fw
holds err stream-unknown
sed 's/^\.word 13, 4, 630/.word 13, 4, 320/' stream.asm >old.asm
run 0 gpucode asm old.asm -o old.rd
run 2 gpucode decode old.rd
holds err cli-stream-target
head -c 701 stream.rd >cut.rd
run 0 gpucode decode cut.rd
holds err stream-cut
head -c 200 stream.rd.gz >cut.rd.gz
run 0 gpucode decode cut.rd.gz
holds err stream-damaged

# the first submit is as decoding says; the firmware does not know the packet of the second
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode
golden replay
run 1 gpucode replay stream.rd --firmware a6xx.asm --against decode
golden replay
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode --json
golden replay-json
run 0 gpucode replay stream.rd --firmware a6xx.fw
golden replay-writes
run 0 gpucode replay stream.rd --firmware a6xx.fw --json
holds out '"register": "RB_CNTL", "number": 34816, "value": 17}'
# the same in the debugger: memory and ring as recorded
printf 'continue\nprint RB_CNTL\nprint @IB1_DWORDS\n' >stream.gdb
run 0 gpucode debug --batch -x stream.gdb --stream stream.rd a6xx.fw
holds out 'RB_CNTL = 0x113 (275)'
holds out '@IB1_DWORDS = 0'
run 2 gpucode debug --batch -x stream.gdb --stream stream.rd --submit 99 a6xx.fw
holds err 'the first being 0'
run 2 gpucode debug --batch -x stream.gdb --stream stream.rd --submit x a6xx.fw
run 2 gpucode debug --batch -x stream.gdb --stream a6xx.fw a6xx.fw
# a register that is not zero at the start changes what a condition does, on both sides
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode --reg RB_CNTL=1 --reg 'CP_SCRATCH[3].REG=2'
holds out ' 16 register writes equal'

# firmware with faults
sed 's/^\.equ MODE_BINNING, 0x1/.equ MODE_BINNING, 0x2/' names.asm >names.new && mv names.asm names.old && mv names.new names.asm
run 0 gpucode asm a6xx.asm -o mode.fw
mv names.old names.asm
run 1 gpucode replay stream.rd --firmware mode.fw --against decode
holds out 'CP_DRAW_INDX_OFFSET: VFD_CNTL_2: 0xa2 by decoding (0x102204), not written by the firmware'
holds out 'CP_DRAW_INDX_OFFSET: VFD_CNTL_1: 0xa1 by the firmware, not by decoding'
run 1 gpucode replay bad.rd --firmware a6xx.fw --against decode
holds out 'stopped at word'
holds out 'is no packet header'
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode --limit 20
holds out 'submit 0 stream 0: boot: stopped at word'

# usage
run 2 gpucode replay stream.rd
holds err cli-replay-firmware
run 2 gpucode replay stream.rd --firmware nowhere
run 2 gpucode replay a6xx.fw --firmware a6xx.fw
run 2 gpucode replay stream.rd --firmware a6xx.fw --against mesa
holds err cli-option-choice
run 2 gpucode replay stream.rd --firmware a6xx.fw --limit many
run 2 gpucode replay stream.rd --firmware a6xx.fw --reg NOTHING=1
holds err cli-run-register
run 2 gpucode replay stream.rd --firmware a6xx.fw --reg RB_CNTL
holds err cli-run-value
printf '.target afuc:a730\n.raw\nnop\n' >seven.asm
run 0 gpucode asm seven.asm -o seven.fw
run 2 gpucode replay stream.rd --firmware seven.fw
finish
