#!/bin/sh
# SPDX-License-Identifier: MIT
# PFP and ME of a5xx together, as --me and as one file; what they do is in examples/firmware/a5xx.tests.
. "$2/support/setting.sh"
sources=$root/examples/firmware
pfp=$sources/a5xx_pfp.asm me=$sources/a5xx_pm4.asm

run 0 gpucode asm "$pfp" -o a530_pfp.fw
run 0 gpucode asm "$me" -o a530_pm4.fw
run 0 gpucode asm "$sources/a5xx.asm" -o both.fw
run 0 gpucode verify a530_pfp.fw a530_pm4.fw both.fw
holds out '3 files: 3 same, 0 different'
run 0 gpucode info both.fw
holds out 'a5xx pair'
holds out 'section PM4'

# source and source, binary and binary, one of each, and one file: the same results
printf '@CP_SCRATCH[0].REG 1\nCP_NOP 0x77\nCP_MEM_WRITE 0x100000 0 0xcafe\nCP_WAIT_FOR_ME\nCP_NOP 0x78\n' >packets
for files in "$pfp --me $me" "a530_pfp.fw --me a530_pm4.fw" "$pfp --me a530_pm4.fw" "a530_pfp.fw --me $me" both.fw; do
    run 0 gpucode run $files --packets packets
    sed '/^idle/d' out >results
    [ -f first ] || cp results first
    cmp -s first results || complain "other results of run $files"
done
holds first 'CP_SCRATCH[0].REG                0x00000001'
holds first 'CP_SCRATCH[0x6].REG              0x00000078'
holds first 'CP_SCRATCH[0x7].REG              0x00000001'
holds first '[0x100000]                       0x0000cafe'
grep -qF '$data ' first && complain 'a queue is no state'

# labels of both sources, in traces, coverage and the debugger
run 0 gpucode run "$pfp" --me "$me" --packet 'CP_REG_TO_MEM 0x40b78 0x100000 0' --trace=instructions,registers
holds out 'PFP  hand_on:'
holds out '$data = 0x40b78'
holds out 'PM4  to_mem:'
run 0 gpucode coverage "$pfp" --me "$me" --packets packets --lcov info
grep -q '^SF:.*a5xx_pm4.asm$' info || complain 'the second source is not in the coverage'
printf 'break to_mem\ncontinue\nprint $rem\nprint/x $02\nwhere\n' >commands
run 0 gpucode debug "$pfp" --me "$me" --packet 'CP_REG_TO_MEM 0x40b78 0x100000 0' --batch -x commands
holds out '0xb78'
holds out 'to_mem'

# how far ahead: the PFP reads on while the ME waits, as far as the queue has room
printf 'CP_WAIT_REG_MEM 3 0xb7c 0 7 0xff 1\nCP_NOP 1\nCP_MEM_WRITE 0x100000 0 1 2 3 4 5 6 7 8\nCP_NOP 2\n' >ahead
run 1 gpucode run "$pfp" --me "$me" --packets ahead
holds out 'CP_SCRATCH[0x6].REG              0x00000002'
holds out 'hang: PM4 loops'
run 1 gpucode run "$pfp" --me "$me" --packets ahead --policy afuc-meq-words=8
holds out 'CP_SCRATCH[0x6].REG              0x00000001'
holds out 'hang: PM4 loops'
# an instruction that waits for the queue is told of once
printf '@0x2000 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n' >many
run 0 gpucode run "$pfp" --me "$me" --packets many --trace --policy afuc-meq-words=8 --policy afuc-quantum=1
[ "$(grep -c '^PFP.*(rep)mov $data, $data' out)" = 1 ] || complain 'a waiting instruction is told of again'
[ "$(grep -c '^PM4.*(rep)(xmov1)mov $data, $data' out)" = 1 ] || complain 'a waiting instruction is told of again'

# without the queue each has what it is fed; one alone
run 0 gpucode run both.fw --policy afuc-meq=none --packet '@CP_SCRATCH[0].REG 5'
holds out '0x400b7801'
run 0 gpucode run both.fw --section PM4 --packet '@CP_SCRATCH[0].REG 5'
holds out 'CP_SCRATCH[0].REG                0x00000005'
run 2 gpucode run both.fw --section BV
holds err "both.fw: error: there is no section 'BV' in the firmware [cli-firmware-section]"
holds err 'sections: PFP PM4'
# a packet whose words end early
printf '400b7882 00000005\n' >short
run 1 gpucode run both.fw --ring short

# what is not two firmwares of an a5xx
run 0 gpucode asm "$sources/a6xx.asm" -o a6xx.fw
run 2 gpucode run a530_pfp.fw --me a6xx.fw
holds err 'cli-me'
run 2 gpucode run both.fw --me a530_pm4.fw
holds err 'cli-me'
run 2 gpucode debug a6xx.fw --me a530_pm4.fw --batch
holds err 'cli-me'
run 2 gpucode run "$root/examples/a3xx/planet.asm" --me "$me"
holds err 'option --me is not for a3xx code'
printf '[016ee001]\n' >six.asm
printf 'nop\n' >other.asm
run 2 gpucode run six.asm --me other.asm
holds err 'cli-me'
run 2 gpucode run "$pfp" --me none.fw
holds err 'cli-open'
printf '[005ff001]\n[#jumptbl]\nmov $01\n' >wrong.asm
run 2 gpucode run "$pfp" --me wrong.asm
holds err 'wrong.asm:3:8:'
run 2 gpucode run a530_pfp.fw --me wrong.asm
holds err 'wrong.asm:3:8:'
mkdir 'a"b'
cp "$me" "$sources/unclaimed.asm" 'a"b'
run 2 gpucode run "$pfp" --me 'a"b/a5xx_pm4.asm'
holds err 'cli-me-path'
finish
