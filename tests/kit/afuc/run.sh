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
expect 0 '[0xfffff0000000]                 not mapped' "$firmware" --dump 0xfffff0000000:1
expect 0 '"dump": {}' "$firmware" --dump 0xfffff0000000:1 --json
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
# in a file: where
printf '# packets\nCP_NOP 1\n\tCP_NOP 2 many 3\n' >packets
expect 2 'packets:3:11: error: ' "$firmware" --packets packets
holds err '          ^~~~'
printf 'CP_NOP 1\nCP_NO 1' >packets
expect 2 'packets:2:1: error: ' "$firmware" --packets packets
printf '@CP_SCRATCH[0].REG\n' >packets
expect 2 'packets:1:19: error: ' "$firmware" --packets packets
# lines that are no packets: where, and what of them
wrong_line()
{
    printf 'CP_NOP 1\n%s\n' "$2" >packets
    expect 2 "packets:2:$1: error: $3" "$firmware" --packets packets
    grep -qF " $2" err || complain "the line is not shown: $2"
    grep -qE '^ *\^' err || complain "no caret: $2"
}
wrong_line 1 '.memroy 0x1000 1' "'.memroy 0x1000 1' is not a line that is allowed between packets: no such line is known"
wrong_line 9 '.memory often 1' "'.memory often 1' is not a line"
wrong_line 15 '.memory 0x1000' "'.memory 0x1000' is not a line"
wrong_line 18 '.memory 0x1000 1 2z 3' "'.memory 0x1000 1 2z 3' is not a line"
wrong_line 16 '.memory 0x1000 0x100000000' "'.memory 0x1000 0x100000000' is not a line"
wrong_line 10 '.register' "'.register' is not a line"
wrong_line 29 '.register CP_SCRATCH[0].REG ; no value' "'.register CP_SCRATCH[0].REG ; no value' is not a line"
wrong_line 31 '.register CP_SCRATCH[0].REG 1 2' "'.register CP_SCRATCH[0].REG 1 2' is not a line"
wrong_line 13 '  .register NO_SUCH 1' "there is no register 'NO_SUCH'"
wrong_line 6 '.run now' "'.run now' is not a line"
expect 2 'cli-packet-line' "$firmware" --packets packets
expect 2 'cli-run-register' "$firmware" --reg NO_SUCH=1
expect 2 'cli-run-value' "$firmware" --reg CP_SCRATCH
expect 2 'cli-run-value' "$firmware" --memory 0x1000
expect 2 'cli-run-value' "$firmware" --limit many
expect 2 'cli-run-value' "$firmware" --dump nowhere
expect 2 'cli-trace' "$firmware" --trace=everything
expect 2 'no-policy' "$firmware" --policy afuc-none=1
expect 2 'cli-firmware-section' "$root/fuzz/corpus/container/a730_plain.seed" --section DDE
# a firmware with one section has that one; nothing has run when a dump is wrong; no packet is none
expect 2 "there is no section 'BV' in the firmware" "$firmware" --section BV
expect 0 'SQE waits for packets' "$firmware" --section SQE
run 2 gpucode run "$firmware" --dump nowhere
[ ! -s out ] || complain 'run: something ran before --dump was read'
expect 2 "--packet '': expected a packet and its words" "$firmware" --packet ''

# the state trace: the slot that waited, each instruction, the slot that waits again
run 0 gpucode run "$firmware" --packet CP_NOP --trace=state --json
head -n 1 out | grep -q '^{"pc": -1, "word": "", "changes": \[\["gpr", 1, ' || complain 'first line of the state trace'
tail -n 1 out | grep -q '"word": "981f0806", "changes": \[\]}$' || complain 'last line of the state trace'

printf '; two packets\n@0x883 5\n# and\nCP_MEM_WRITE 0x100000 0 6\n' >packets
expect 0 'CP_SCRATCH[0].REG                0x00000005' "$firmware" --packets packets
printf '48088301 00000007\n' >ring
expect 0 'CP_SCRATCH[0].REG                0x00000007' "$firmware" --ring ring
printf 'abcd' >data
expect 0 '0x64636261' "$firmware" --memory 0x200000=data --dump 0x200000:1
expect 0 '0x00000009' "$firmware" --reg 'CP_SCRATCH[3].REG=9' --dump 'CP_SCRATCH[3].REG'

# all packets are in the ring together: (peek) behind a packet sees the header of the next
cat >peek.asm <<'END'
.target afuc:a7xx
[01730001]
[#jumptbl]
    mov $02, 0x1000
    mov $04, #jumptbl << 2
    add $02, $02, $04
    mov $rem, 0x80
    cwrite $02, [$00 + @MEM_READ_ADDR]
    cwrite $00, [$00 + @MEM_READ_ADDR+0x1]
    cwrite $rem, [$00 + @MEM_READ_DWORDS]
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    (rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]
    waitin
    mov $01, $data
CP_NOP:
    (rep)mov $00, $data
    (peek)mov $05, $data
    mov $addr, |WFI_PEND_DECR << 24
    waitin
    mov $01, $data
.align 32
jumptbl:
.jumptbl
END
sed -i 's/|WFI_PEND_DECR << 24/0x8100 << 16/' peek.asm
printf 'CP_NOP 1\n' >first
expect 0 '$05 = 0x70100001' peek.asm --packet 'CP_NOP 1 2' --packets first --trace=registers

# the word that waits stands once in the trace, also where a jump leads into the delay slot of waitin
printf '.target afuc:a630\n[016ee001]\n[01000000]\njump #slot\nnop\nwaitin\nslot:\nmov $01, $data\n' >into.asm
run 0 gpucode run into.asm --trace=state,boot
[ "$(grep -c '^SQE 0005' out)" -eq 1 ] || complain 'the word that waits stands there twice'

# an image with an a660's header boots as on an a660, also where its id is the a650's
printf '[016dd001]\n[01000006]\n[016dd001]\ncread $02, [$00 + 0x0]\nwaitin\nmov $01, $data\n' >swapped.asm
run 0 gpucode asm swapped.asm -o swapped.fw
for file in swapped.asm swapped.fw '-t afuc:a6xx swapped.fw'; do
    # shellcheck disable=SC2086
    run 0 gpucode run $file
    holds out '0x30000000'
    holds err 'firmware id 6dd means a650, and the header is that of an a660 [image-form]'
done

# a source without a header has no id
for word in 'mov $02, 0x20' nop; do
    printf '.target afuc:a630\n%s\nwaitin\nmov $01, $data\n' "$word" >bare.asm
    run 0 gpucode run bare.asm
    lacks err 'firmware id'
done

# boot can be traced, dispatching has its name, void pipe registers show
expect 0 '|WFI_PEND_DECR = 0x0' peek.asm --packet 'CP_NOP 1 2' --trace=registers
expect 0 ', |WFI_PEND_DECR=0' peek.asm --packet 'CP_NOP 1 2' --trace=state
expect 0 'SQE  0002: 88020830' "$firmware" --packet CP_NOP --trace=boot
expect 0 'SQE  dispatch CP_NOP' "$firmware" --packet CP_NOP --trace
run 0 gpucode run "$firmware" --packet CP_NOP --trace=state
head -n 1 out | grep -q '^SQE dispatch CP_NOP  ' || complain 'first line of the state trace as text'
run 0 gpucode run "$firmware" --packet CP_NOP --trace=boot,state --json
head -n 1 out | grep -q '^{"pc": 0,' || complain 'first line of the state trace of boot'

# preemption: two contexts, each with its ring; what one has on the call stack is there when its turn comes again
words()
{
    for word in "$@"; do
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((0x$word & 255)) $((0x$word >> 8 & 255)) $((0x$word >> 16 & 255)) \
            $((0x$word >> 24 & 255)))"
    done
}
words 70d68003 1 300000 0 70d08000 40088401 1 706b8000 48088501 2 70518000 >first_ring
words 48088601 3 70d08000 70518000 706b8000 40088701 4 >second_ring
words 301000 0 >first_record
words 300000 0 200000 0 8 0 7 >second_record
run 0 gpucode run "$root/examples/firmware/preempt.asm" --reg CP_RB_BASE=0x100000 --reg CP_RB_CNTL=8 --reg CP_RB_WPTR=11 \
    --memory 0x100000=first_ring --memory 0x200000=second_ring --memory 0x300000=first_record \
    --memory 0x301000=second_record
holds out 'CP_SCRATCH[0].REG                0x00000002'
holds out 'CP_SCRATCH[0x2].REG              0x00000002'
holds out 'CP_SCRATCH[0x3].REG              0x00000003'
holds out '[0x300040]                       0x00000001'
holds out '[0x301014]                       0x00000005'
grep -qF 'CP_SCRATCH[0x4].REG' out && complain 'the second context went on'

# the call stack of a5xx, which has no SQE registers
cat >stack.asm <<'END'
.target afuc:a5xx
[005ff001]
[00000000]
    call #f
    nop
    waitin
    mov $01, $data
f:  ret
    nop
END
expect 0 'stack registers' stack.asm
expect 0 '%STACK0                          0x00000004' stack.asm
expect 0 '%SP = 0x1' stack.asm --trace=registers
expect 0 '"name": "%STACK0"' stack.asm --json
expect 0 '%SP                              0x00000000' stack.asm --dump %SP

# the debugger takes what run takes
own=$(built_with expat && echo '--registers own.xml')
printf 'continue\nprint CP_SCRATCH[0].REG\nx/1xw 0x200000\nprint $13\n' >debug.gdb
[ -z "$own" ] || echo 'print MY_OWN_REGISTER' >>debug.gdb
printf '<database><domain name="A6XX" width="32"><reg32 offset="0x0883" name="MY_OWN_REGISTER"/></domain></database>' >own.xml
# shellcheck disable=SC2086
run 0 gpucode debug --batch -x debug.gdb "$firmware" --packet 'CP_NOP 1' --packets packets --ring ring --reg '$13=9' \
    --memory 0x200000=data $own
holds out 'CP_SCRATCH[0].REG = 7'
holds out '0x64636261'
holds out '$13 = 9'
[ -z "$own" ] || holds out 'MY_OWN_REGISTER = 7'
run 0 gpucode asm "$firmware" -o firmware.bin
run 0 gpucode disasm firmware.bin -o listing.asm
od -An -v -tx1 firmware.bin >firmware.hex
run 0 gpucode debug --batch --hex -x debug.gdb firmware.hex --packets packets --ring ring --memory 0x200000=data $own
holds out 'CP_SCRATCH[0].REG = 7'
run 2 gpucode debug --batch "$firmware" --packet 'CP_NO_SUCH 1'

# calls that have not returned, on each generation
printf 'break g\ncontinue\nwhere\n' >calls.gdb
for target in a5xx a6xx a7xx gen8; do
    printf '.target afuc:%s\n    call #f\n    nop\nf:  call #g\n    nop\n    ret\n    nop\ng:  ret\n    nop\n' $target >calls.asm
    run 0 gpucode debug --batch -x calls.gdb calls.asm
    holds out '#0  0x0006 <g>'
    holds out '#1  0x0004 <f+0x2>'
    holds out '#2  0x0002'
done
# all wrong lines of a file of packets, and nothing runs
printf 'CP_NOP 1\nBOGUS 3\nCP_NOP 0x99999999999\n.memory x\n' >wrong.txt
run 2 gpucode run "$firmware" --packets wrong.txt
holds err 'wrong.txt:2:1: error:'
holds err 'wrong.txt:3:'
holds err 'wrong.txt:4:'
[ ! -s out ] || complain 'run: something ran before all packets were read'
head -c 4000 /dev/zero | tr '\0' '\n' | sed 's/^/x/' >other.txt
run 2 gpucode run "$firmware" --packets other.txt
[ "$(grep -c error: err)" = 20 ] || complain 'a file of another kind is told line by line'
finish
