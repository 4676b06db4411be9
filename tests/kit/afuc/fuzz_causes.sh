#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode fuzz on firmware: root causes, comparisons that nobody guesses, a campaign that goes on, the example's README.
. "$2/support/setting.sh"
for twin in bugs clean; do
    run 0 gpucode asm "$root/examples/fuzz/$twin.asm" -I "$root/examples/firmware" -o $twin.fw
done
level='no write 0x8d0 at level >= 1'
addr='no write $addr with payload'
bugs='assert1-01-47 endless-02 stack-03 stack-empty-05 range-06 level-07 two-branches-08 left-section-09 stack-full-0a assert2-0c'

# what the example's README says to type
sed -n '/^    gpucode/,/[^\\]$/s/^    //p' "$root/examples/fuzz/README.md" >typed
cp -r "$root/examples" typing
(cd typing/fuzz && PATH=$(dirname "$program"):$PATH sh ../../typed) >out 2>err
lacks err 'error: '
holds out ' 0 findings, 0 gaps'
holds out 'finding: left-section-09-9e-w1: '

mkdir wild firmware
cp "$root/examples/firmware/names.asm" firmware
cp "$root/examples/fuzz/clean.asm" wild
sed 's/UNKN13: UNKN14: UNKN15:/UNKN15:/; /^jumptbl:/,$d' "$root/examples/fuzz/handlers.asm" >wild/handlers.asm
cat >>wild/handlers.asm <<'END'
UNKN13:
    need 0x2
    mov $05, $data
    mov $06, $data
    breq $05, b0, #second_jump
    nop
    jumpd $06
    nop
second_jump:
    add $06, $06, $05
    jumpd $06
    nop
UNKN14:
    need 0x1
    mov $05, $data
    mov $06, 0x1
    swrite $06, [$00 + %SP]
    swrite $05, [$00 + %STACK0]
    ret
    nop
jumptbl:
.jumptbl
END
run 0 gpucode asm wild/clean.asm -I firmware -o wild.fw
run 1 gpucode fuzz wild.fw --runs 40000 -o wild/camp
[ "$(echo $(ls wild/camp/gpucode/findings | grep 'bin$'))" = \
    'left-section-0d-c7-w2.bin left-section-0d-ca-w1.bin left-section-0e-d3-w1.bin' ] || complain 'three places, three findings'
holds out 'left-section of UNKN13, level 0: the jump at word 199 goes to 0x'
holds out ': the target is word 2 of the packet; then: '
holds out 'the jump at word 202 goes to 0x'
holds out 'the return at word 211 goes to 0x'
run 1 gpucode fuzz wild.fw --runs 20000 --json
for fact in '"kind": "fault", "code": "afuc-left-section", "at_words": 199, "routine": "UNKN13", "packet": "UNKN13", "level": 0' \
    '"packets": 1' '"chosen_by": {"source": "word 2 of the packet", "word": 2}'; do
    holds out "$fact"
done
run 1 gpucode fuzz wild.fw --try wild/camp/gpucode/findings/left-section-0d-c7-w2.txt --json
holds out '"chosen_by": {"source": "word 2 of the packet", "word": 2}'

# a jump by a register to the place that it always has is no suspect, however many there are before one that is
sed 's/UNKN13: UNKN14: UNKN15:/UNKN14: UNKN15:/; /^jumptbl:/,$d' "$root/examples/fuzz/handlers.asm" >wild/handlers.asm
{
    printf 'UNKN13:\n    need 0x1\n'
    for i in 1 2 3 4 5 6 7 8 9; do printf '    mov $06, #place%s\n    jumpd $06\n    nop\nplace%s:\n' $i $i; done
    printf '    mov $05, $data\n    jumpd $05\n    nop\njumptbl:\n.jumptbl\n'
} >>wild/handlers.asm
run 0 gpucode asm wild/clean.asm -I firmware -o wild.fw
run 1 gpucode fuzz wild.fw --runs 20000
holds out 'the jump at word 223 goes to 0x'
holds out ': the target is word 1 of the packet; then: '
holds out ' 1 finding,'

# the same of targets that no word of the input has a part in: what nobody has put into memory, and a register that
# nothing has set. Both go to the middle of code that ends in many ways, and are reached in several
sed 's/UNKN13: UNKN14: UNKN15:/UNKN15:/; /^jumptbl:/,$d' "$root/examples/fuzz/handlers.asm" >wild/handlers.asm
cat >>wild/handlers.asm <<'END'
UNKN13:
    need 0x2
    mov $05, $data
    mov $07, $data
    breq $05, b0, #not_set
    mov $08, 0x2000
    cwrite $08, [$00 + @MEM_READ_ADDR]
    cwrite $00, [$00 + @MEM_READ_ADDR+0x1]
    mov $08, 0x1
    cwrite $08, [$00 + @MEM_READ_DWORDS]
    breq $05, b1, #called
    mov $06, $memdata
from_memory:
    add $06, $06, #middle
    jumpd $06
    nop
called:
    call #from_memory
    nop
not_set:
    breq $05, b2, #from_register
    nop
    mov $07, $05
from_register:
    add $06, $10, #middle
    jumpd $06
    nop
UNKN14:
    need 0x1
    mov $05, $data
    nop
middle:
    breq $07, b0, #returns
    nop
    breq $07, b1, #turns
    nop
    breq $07, b2, #takes
    nop
    jumpd $07
    nop
returns:
    ret
    nop
turns:
    jump #turns
    nop
takes:
    mov $02, $data
    jump #skip_payload
    nop
jumptbl:
.jumptbl
END
run 0 gpucode asm wild/clean.asm -I firmware -o wild.fw
run 1 gpucode fuzz wild.fw --runs 40000 -o wild/unset --ignore left-section-0e,stack-empty-0e,length-0e,hang-0e
[ "$(ls wild/unset/gpucode/findings | grep -c '^left-section-0d-.*bin$')" = 2 ] &&
    [ "$(ls wild/unset/gpucode/findings | grep -c 'bin$')" = 2 ] || { complain 'two places, two findings'; cat out; }
holds out "the target is not one of the input's words; then: "
run 1 gpucode fuzz wild.fw --try wild/unset/gpucode/findings --json
lacks out '"chosen_by"'

# words that nobody guesses: compared as they are, by what is left of a difference, as a field, and one after another
sed 's/UNKN13: UNKN14: UNKN15:/ /; s/^UNKN16: UNKN17:/UNKN17:/; /^jumptbl:/,$d' "$root/examples/fuzz/handlers.asm" >wild/handlers.asm
cat >>wild/handlers.asm <<'END'
.macro magic reg
    mov \reg, 0xcafe << 16
    or \reg, \reg, 0xbeef
.endm
.macro compare_with reg, other
    sub $07, \reg, \other
    brne $07, 0x0, #skip_payload
    nop
.endm
UNKN13:
    need 0x1
    mov $05, $data
    magic $06
    cmp $07, $05, $06
    brne $07, b0, #skip_payload
    nop
    ret
    nop
UNKN14:
    need 0x2
    mov $04, $data
    mov $05, $data
    magic $06
    compare_with $05, $06
    ret
    nop
UNKN15:
    need 0x1
    mov $05, $data
    ushr $05, $05, 0x5
    and $05, $05, 0xffff
    mov $06, 0x5a5a
    xor $07, $05, $06
    brne $07, 0x0, #skip_payload
    nop
    ret
    nop
UNKN16:
    need 0x2
    mov $05, $data
    mov $04, $data
    magic $06
    add $05, $05, $06
    compare_with $05, 0x4321
    mov $06, 0x1357
    compare_with $04, $06
    ret
    nop
jumptbl:
.jumptbl
END
sed -i 's/compare_with $05, 0x4321/mov $06, 0x4321\n    compare_with $05, $06/' wild/handlers.asm
run 0 gpucode asm wild/clean.asm -I firmware -o magic.fw
run 1 gpucode fuzz magic.fw --runs 30000 --ignore length
for opcode in 0d 0e 0f 10; do
    holds out "stack-empty-$opcode-"
done
# afl-fuzz gets them as a dictionary
run 0 gpucode fuzz magic.fw --dictionary
holds out 'word_cafebeef="\xef\xbe\xfe\xca"'
holds out 'word_00005a5a="\x5a\x5a\x00\x00"'

run 0 gpucode fuzz clean.fw --runs 6000 -o twin
# it goes on in its folder, with the numbers of files that come next, whatever a process that was killed has left there
kept=$(ls twin/gpucode/queue | wc -l) last=$(ls twin/gpucode/queue | tail -1)
done_before=$(sed -n 's/^execs_done *: //p' twin/gpucode/fuzzer_stats)
echo half >twin/gpucode/.new
run 0 gpucode fuzz clean.fw --runs 6000 -o twin
[ "$(ls twin/gpucode/queue | sed 's/,.*//' | sort -u | wc -l)" = "$(ls twin/gpucode/queue | wc -l)" ] || complain 'a number is there twice'
[ -s "twin/gpucode/queue/$last" ] && [ "$(ls twin/gpucode/queue | wc -l)" -gt "$kept" ] || complain 'it did not go on'
[ "$(sed -n 's/^execs_done *: //p' twin/gpucode/fuzzer_stats)" -ge $((done_before + 6000)) ] || complain 'runs of before are forgotten'
run 1 gpucode fuzz bugs.fw --runs 40000 -o gone --assert "$level" --assert "$addr"
for moment in 1 2 3 4 5; do
    "$program" fuzz bugs.fw -o gone --assert "$level" --assert "$addr" --seconds 60 >/dev/null 2>&1 &
    process=$!
    while ! "$program" fuzz clean.fw --runs $((moment * 100)) >/dev/null 2>&1; do :; done # another while each time
    kill -9 $process
    wait $process 2>/dev/null
done
rm gone/gpucode/findings/range-06* gone/gpucode/queue/id:000003*
run 1 gpucode fuzz bugs.fw -o gone --assert "$level" --assert "$addr" --runs 1000
for bug in $bugs; do
    [ "$(ls gone/gpucode/crashes | grep -c "op:$bug")" -ge 1 ] && [ -s "$(echo gone/gpucode/findings/$bug*.txt)" ] || complain "$bug is lost"
done
[ -z "$(ls gone/gpucode/crashes | sed 's/.*,op://' | sort | uniq -d)" ] || complain 'a crash is there twice'
# nobody else may work there at the same time
rm -r twin
"$program" fuzz clean.fw -o twin --seconds 60 >/dev/null 2>&1 &
process=$!
while kill -0 $process 2>/dev/null && [ ! -e twin/gpucode/fuzzer_stats ]; do :; done
run 2 gpucode fuzz clean.fw -o twin --runs 10
holds err 'another process is at work in it'
kill -9 $process
wait $process 2>/dev/null
run 0 gpucode fuzz clean.fw -o twin --runs 10
# a handler that leaves a word of its packet, which ends the run: what stands there is no header
mkdir short
cp "$root/examples/fuzz/clean.asm" short
sed 's/UNKN13: UNKN14: UNKN15:/UNKN14: UNKN15:/; /^jumptbl:/,$d' "$root/examples/fuzz/handlers.asm" >short/handlers.asm
cat >>short/handlers.asm <<'END'
UNKN13:
    need 0x1
    mov $05, $data
    waitin
    mov $01, $data
jumptbl:
.jumptbl
END
run 0 gpucode asm short/clean.asm -I firmware -o short.fw
run 1 gpucode fuzz short.fw --runs 4000 -o short/camp
holds out 'length of UNKN13, level 0: it takes 1 word of a packet that has 2 after its header'
holds out ' 1 finding,'
[ "$(ls short/camp/gpucode/findings | grep 'bin$')" = length-0d-0.bin ] || complain 'not the length alone'
run 1 gpucode fuzz short.fw --try short/camp/gpucode/findings/length-0d-0.txt
holds out 'length of UNKN13'
finish
