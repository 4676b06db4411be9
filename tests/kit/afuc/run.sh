#!/bin/sh
# SPDX-License-Identifier: MIT
# run on AFUC firmware: packets, traces, exit codes.
. "$2/support/setting.sh"
firmware=$root/examples/firmware/a6xx.asm

# exit code, text that the output or the messages have, arguments
expect()
{
    code=$1 text=$2
    shift 2
    run "$code" gpucode run "$@"
    grep -qF -e "$text" out err || complain "no '$text' from run $*"
}

printf '48088302 00000007\n' >short
expect 0 '[0x100000]                       0x0000cafe' "$firmware" --packet 'CP_MEM_WRITE 0x100000 0 0xcafe'
expect 0 'CP_SCRATCH[0x1].REG              0x00000002' "$firmware" --packet '@CP_SCRATCH[0].REG 1 2'
expect 0 'idle: SQE waits for packets' "$firmware"
expect 0 '"consumed": true' "$firmware" --packet 'CP_NOP 1 2 3' --json
expect 0 '[0x100004]                       0x00000000' "$firmware" --packet 'CP_MEM_WRITE 0x100000 0 1' --dump 0x100000:2
expect 0 'CP_SCRATCH[0].REG = 0x1' "$firmware" --packet '@0x883 1' --trace=registers
expect 0 'waitin' "$firmware" --packet CP_NOP --trace=instructions,memory
expect 0 'waitin' "$firmware" --packet CP_NOP --trace
# a packet that is not there as a whole, a wait that nothing ends, a limit, a header that is none
expect 1 'waits for packets' "$firmware" --packet 'CP_NOP' --packet '0x10 1' --limit 1000 --policy afuc-quantum=7 --ring short
expect 1 'hang' "$firmware" --packet 'CP_WAIT_REG_MEM 3 0x200000 0 5 0xff 1'
expect 1 'limit' "$firmware" --limit 10
expect 2 'cli-packet' "$firmware" --packet 'CP_NO_SUCH 1'
expect 2 'cli-packet' "$firmware" --packet '@CP_SCRATCH[0].REG'
expect 2 'cli-packet' "$firmware" --packet 'CP_NOP 0x100000000'
expect 2 'cli-run-register' "$firmware" --reg NO_SUCH=1
expect 2 'cli-run-value' "$firmware" --reg CP_SCRATCH
expect 2 'cli-run-value' "$firmware" --memory 0x1000
expect 2 'cli-run-value' "$firmware" --limit many
expect 2 'cli-run-value' "$firmware" --dump nowhere
expect 2 'cli-trace' "$firmware" --trace=everything
expect 2 'no-policy' "$firmware" --policy afuc-none=1
expect 2 'afuc-no-processor' "$root/fuzz/corpus/container/a730_plain.seed" --section DDE

# the state trace: the slot that waited, each instruction, the slot that waits again
run 0 gpucode run "$firmware" --packet CP_NOP --trace=state --json
head -n 1 out | grep -q '^{"pc":-1,"word":"","changes":\[\["gpr",1,' || complain 'first line of the state trace'
tail -n 1 out | grep -q '"word":"981f0806","changes":\[\]}$' || complain 'last line of the state trace'

printf '; two packets\n@0x883 5\n# and\nCP_MEM_WRITE 0x100000 0 6\n' >packets
expect 0 'CP_SCRATCH[0].REG                0x00000005' "$firmware" --packets packets
printf '48088301 00000007\n' >ring
expect 0 'CP_SCRATCH[0].REG                0x00000007' "$firmware" --ring ring
printf 'abcd' >data
expect 0 '0x64636261' "$firmware" --memory 0x200000=data --dump 0x200000:1
expect 0 '0x00000009' "$firmware" --reg 'CP_SCRATCH[3].REG=9' --dump 'CP_SCRATCH[3].REG'
finish
