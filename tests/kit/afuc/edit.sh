#!/bin/sh
# SPDX-License-Identifier: MIT
# disasm --edit: firmware that is changed and assembled again does what it did.
. "$2/support/setting.sh"

# nop behind each label that packets, boot or preemption lead to: everything moves
edit()
{
    awk '/^(CP|PKT|IN)[A-Z_0-9]*:$/ { label = 1; print; next }
         label && !/^(UNKN|l|fxn)[0-9]*:$/ { if (!/^\[/) print "nop"; label = 0 }
         { print }' "$1"
}

# nop at random places: not in delay slots, in tables of jumps, or behind setsecure; `seed` says which
scatter()
{
    awk -v seed="$seed" 'BEGIN { srand(seed) }
        /^[(a-z]/ && !/:$/ {
            slot = before ~ /^(jump|brne|breq|call|bl |ret|iret|sret|waitin|setsecure)/ || last ~ /^setsecure/
            if (begun && !slot && !(last ~ /^jump/ && /^jump/) && rand() < 0.2) print "nop"
            last = before; before = $0
        }
        /^[A-Z_0-9]*:$/ || /^l[0-9]*:$/ { begun = 1; last = before = "" }
        /^\[/ { begun = 0 }
        { print }' "$1"
}

# what a run says, but for the number of instructions and the places of code
effects()
{
    sed -e 's/(word .*)//; s/, [0-9]* instructions//; s/instructions: *[0-9]*//' "$1"
}

# --- every number that is a place is a label, and the bytes come back
for name in a6xx a7xx preempt; do
    run 0 gpucode asm "$root/examples/firmware/$name.asm" -o "$name.fw"
    run 0 gpucode disasm --edit "$name.fw" -o "$name.asm"
    run 0 gpucode asm "$name.asm" -o back.fw
    same "$name.fw" back.fw
    edit "$name.asm" >"$name.edited.asm"
    run 0 gpucode asm "$name.edited.asm" -o "$name.new.fw"
    [ -s err ] && complain "warnings: $(cat err)"
    cmp -s "$name.fw" "$name.new.fw" && complain "$name: nothing was edited"
done
holds a6xx.asm 'mov $02, #IN_PREEMPT'
holds a7xx.asm '[#LPAC::end]'
holds a7xx.asm 'add $06, $02, #BV::start * 4'
holds a7xx.asm 'add $04, $04, #jumptbl * 4'
holds a7xx.asm 'mov $02, #CP_THREAD_CONTROL'
holds preempt.asm 'mov $04, #jumptbl << 2'
# the plain listing stays what the reference writes
run 0 gpucode disasm a6xx.fw
holds out 'mov $02, 0x20'
lacks out '.places'

# --- preemption: two contexts take turns, in the edited image too
words()
{
    for word; do
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((0x$word & 255)) $((0x$word >> 8 & 255)) $((0x$word >> 16 & 255)) \
            $((0x$word >> 24 & 255)))"
    done
}
words 70d68003 1 300000 0 70d08000 40088401 1 706b8000 48088501 2 70518000 >first_ring
words 48088601 3 70d08000 70518000 706b8000 40088701 4 >second_ring
words 301000 0 >first_record
words 300000 0 200000 0 8 0 7 >second_record
preempt()
{
    run 0 gpucode run "$1" --reg CP_RB_BASE=0x100000 --reg CP_RB_CNTL=8 --reg CP_RB_WPTR=11 \
        --memory 0x100000=first_ring --memory 0x200000=second_ring --memory 0x300000=first_record \
        --memory 0x301000=second_record --dump 'CP_SCRATCH[2].REG' --dump 'CP_SCRATCH[3].REG'
    # the stack, also where it is saved, and these two hold places of code
    effects out | grep -v -e '\[0x30[01]0[4-6]' -e @MEM_READ_ADDR -e PREEMPT_INSTR -e STACK
}
preempt preempt.fw >before
preempt preempt.new.fw >after
holds before 'CP_SCRATCH[0x3].REG              0x00000003'
same before after
for seed in 1 2 3; do
    scatter preempt.asm >scattered.asm
    run 0 gpucode asm scattered.asm -o scattered.fw
    [ -s err ] && complain "warnings: $(cat err)"
    cmp -s preempt.fw scattered.fw && complain 'nothing was put in'
    preempt scattered.fw >after
    same before after
done
# without labels it does not: that is what they are for
gpucode disasm preempt.fw >plain.asm
edit plain.asm >plain.edited.asm
run 0 gpucode asm plain.edited.asm -o lost.fw
holds err afuc-stood
gpucode run lost.fw --reg CP_RB_BASE=0x100000 --reg CP_RB_CNTL=8 --reg CP_RB_WPTR=11 --memory 0x100000=first_ring \
    --memory 0x200000=second_ring --memory 0x300000=first_record --memory 0x301000=second_record --limit 20000 >out 2>err
grep -qF 'CP_SCRATCH[0x3].REG' out && complain 'the plain listing did as well'

# --- every handler, branch and place of an edited image is where it was meant, in all generations
cat >jumps.asm <<'END'
[005ff001]
[#jumptbl]
    mov $12, 0x0
CP_NOP:
    mov $02, #there
    jumpd $02
    nop
there:
    mov $03, #other
    brne $01, b0, #go
    nop
    mov $03, #third
go:
    jumpd $03
    nop
other:
    waitin
    mov $01, $data
third:
    mov $05, #deep
    call #jump
    nop
    waitin
    mov $01, $data
jump:
    jumpd $05
    nop
deep:
    ret
    nop
.unclaimed
    waitin
    mov $01, $data
jumptbl:
    .jumptbl
END
run 0 gpucode asm jumps.asm -o jumps.fw
{
    printf 'image:\n[01500001]\n[#end - #image]\n[01500001]\n[#jumptbl]\n[01000000]\n'
    sed 1,2d jumps.asm
    echo end:
} >jumps8.asm
run 0 gpucode asm jumps8.asm -o jumps8.fw
run 0 gpucode info jumps8.fw
holds out 'gen8 header'
run 0 gpucode asm "$root/examples/firmware/a5xx.asm" -o a5xx.fw
bare()
{
    gpucode disasm --edit "$1" 2>err | sed -e '/^nop$/d; /^\[00000000\]$/d' -e 's/\<\(l\|fxn\)[0-9][0-9]*\>/\1N/g'
}
for image in jumps.fw jumps8.fw a5xx.fw a6xx.fw a7xx.fw preempt.fw ${GPUCODE_VECTORS:+"$GPUCODE_VECTORS"/afuc/mock/a7xx.fw}; do
    [ -e "$image" ] || continue
    gpucode disasm --edit "$image" >labels.asm
    edit labels.asm >edited.asm
    run 0 gpucode asm edited.asm -o edited.fw
    bare "$image" >before
    bare edited.fw >after
    same before after
done

# --- jumps to constants are edges of graphs too
run 0 gpucode graph jumps.fw
lacks out unresolved
holds out '-> taken 0x6'
holds out '-> taken 0xc, taken 0xe'
holds out 'fxn19: routine at 0x13'

# two tables side by side
cat >tables.asm <<'END'
.target afuc:a730
[01730001]
[01000000]
[01000000]
[#jumptbl]
CP_NOP:
    and $02, $data, 0x1
    shl $02, $02, 0x1
    add $02, $02, #first
    jump $02
    nop
CP_WAIT_FOR_IDLE:
    and $02, $data, 0x3
    shl $02, $02, 0x1
    add $02, $02, #second
    jump $02
    nop
first:
    jump #x
    nop
    jump #y
    nop
second:
    jump #y
    nop
    jump #x
    nop
    jump #x
    nop
    jump #y
    nop
x:  nop
y:  waitin
    mov $01, $data
jumptbl:
    .jumptbl
END
run 0 gpucode asm tables.asm -o tables.fw
run 0 gpucode disasm --edit tables.fw
holds out 'add $02, $02, #l14'
holds out 'add $02, $02, #l18'
run 0 gpucode graph tables.fw
holds out '-> table 0xe, table 0x10'
holds out '-> table 0x12, table 0x14, table 0x16, table 0x18'

# --- the plain listing: as many warnings as there are words that a listing with labels has otherwise
for name in a5xx a6xx a7xx preempt; do
    gpucode disasm "$name.fw" | sed '/^waitin$/i\
nop' >plain.asm
    gpucode disasm --edit "$name.fw" | sed '/^waitin$/i\
nop' >labels.asm
    run 0 gpucode asm labels.asm -o labels.fw
    lacks err afuc-
    run 0 gpucode asm plain.asm -o plain.fw
    warned=$(sed -n 's/.*so are \([0-9]*\) more.*/\1/p; s/.*afuc-stood\]$/1/p' err | awk '{ sum += $1 } END { print sum + 0 }')
    [ $name = a5xx ] && warned=$((warned + $(grep -c 'more of the packet table' err)))
    differ=$(cmp -l plain.fw labels.fw | awk '{ words[int(($1 - 1) / 4)] } END { print length(words) }')
    [ "$warned" = "$differ" ] && [ "$differ" -gt 0 ] || complain "$name: $differ words, $warned warnings: $(cat err)"
done
# the header of an a660: of each section the table, of the first one where the next begins; other moves are code
cat >a660.asm <<'END'
.target afuc:a660
[016dc001]
mov $12, #jumptbl
[016dc001]
mov $13, #next
mov $12, 0x1
mov $13, 0x91
mov $14, 0x10
nop
CP_NOP:
    waitin
    mov $01, $data
l10:
    jump #l10
    nop
.align 32
jumptbl:
    .jumptbl
.align 32
next:
.section LPAC
[01000001]
mov $12, #jumptbl
mov $13, 0x90
nop
nop
nop
nop
nop
CP_NOP:
    waitin
    mov $01, $data
jumptbl:
    .jumptbl
END
run 0 gpucode asm a660.asm -o a660.fw
gpucode disasm a660.fw | sed '/^waitin$/i\
nop' >plain.asm
run 0 gpucode asm plain.asm -o plain.fw
sed -n "s/.*'\([^']*\)' moved, and the constant \([^ ]*\) at word \([^ ]*\) is where it stood \[afuc-stood\]/\1 \2 \3/p
    s/^hint: //p" err >told
cat >expected <<'END'
jumptbl 0x10 0x1
0x11 is its place now; write #jumptbl in the constant's place
LPAC 0x90 0x3
0x98 is its place now; `gpucode disasm --edit` writes a label in the constant's place
jumptbl 0xa 0x1
0xb is its place now; write #jumptbl in the constant's place
END
same expected told
# a loop's count, which is where a label stood, is none of them; a table's place and a section's are
gpucode disasm a7xx.fw | sed 's/^CP_ME_INIT:$/&\
nop/' >plain.asm
run 0 gpucode asm plain.asm -o plain.fw
lacks err 'constant 0x100 '
holds err "'jumptbl' moved, and the constant 0xde0 at word 0x40 is where it stood"
holds err "'BV::start' moved, and the constant 0xfe0"
holds err "'LPAC::end' moved, and the constant 0xac0 at word 0x1"
holds err 'write #jumptbl * 4 in'
lacks err BR::jumptbl
[ "$(grep -c afuc-stood err)" = 13 ] || complain "not thirteen: $(cat err)"

# --- a recorded stream
cp "$root"/tests/gpu/stream.asm "$root"/examples/firmware/names.asm .
run 0 gpucode asm stream.asm -o stream.rd
run 0 gpucode replay stream.rd --firmware a6xx.fw
effects out >before
run 0 gpucode replay stream.rd --firmware a6xx.new.fw
effects out >after
same before after
for seed in 4 5 6; do
    scatter a6xx.asm >scattered.asm
    run 0 gpucode asm scattered.asm -o scattered.fw
    run 0 gpucode replay stream.rd --firmware scattered.fw
    effects out >after
    same before after
done

# --- tables of jumps, constants that go round corners, and jumps that nobody can follow
cat >table.asm <<'END'
[016ee001]
[#jumptbl]
    mov $02, #preempt
    call #tell
    nop
CP_NOP:
    (rep)mov $00, $data
    waitin
    mov $01, $data
tell:
    swrite $02, [$00 + %PREEMPT_INSTR]
    ret
    nop
preempt:
    iret
    nop
CP_WAIT_FOR_IDLE:
    and $02, $data, 0x1
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
table:
    jump #CP_NOP
    nop
    jump #odd
    nop
odd:
    mov $02, #there
    brne $01, b0, #go
    nop
    mov $02, #CP_NOP
go:
    jumpd $02
    nop
there:
    waitin
    mov $01, $data
jumptbl:
    .jumptbl
END
run 0 gpucode asm table.asm -o table.fw
run 0 gpucode disasm --edit table.fw -o table.back.asm
[ -s err ] && complain "warnings: $(cat err)"
holds table.back.asm .places
holds table.back.asm 'mov $02, #preempt'
holds table.back.asm 'add $02, $02, #l18'
holds table.back.asm 'mov $02, #l28'
holds table.back.asm 'mov $02, #CP_NOP'
run 0 gpucode asm table.back.asm -o back.fw
same table.fw back.fw
run 0 gpucode disasm --edit --json table.fw
holds out '"text": "mov $02, #preempt"'

# numbers in two halves, made in what is called, and for one caller alone; code that only such a jump leads to
cat >halves.asm <<'END'
.target afuc:a630
[016ee001]
[#jumptbl]
    mov $02, 0x0 << 16
    or $02, $02, (#interruption & 0xffff)
    swrite $02, [$00 + %PREEMPT_INSTR]
    mov $03, 0x1b
    call #place
    nop
    mov $04, $02
    call #other
    nop
    jumpd $04
    nop
CP_NOP:
    (rep)mov $00, $data
    waitin
    mov $01, $data
place:
    mov $02, #there
    ret
    nop
other:
    mov $02, 0x20
    ret
    nop
interruption:
    iret
    nop
CP_WAIT_FOR_IDLE:
    mov $05, #one
    breq $rem, 0x0, #go
    nop
    mov $05, #two
go:
    call #same
    nop
    jumpd $06
    nop
one:
    mov $05, 0x20
    call #same
    nop
    mov $addr, 0x883
    mov $data, $06
two:
    mov $addr, 0x884
    mov $data, $05
    jump #CP_NOP
    nop
same:
    mov $06, $05
    jump #tail
    nop
tail:
    ret
    nop
there:
    mov $07, #CP_NOP
    jumpd $07
    nop
jumptbl:
    .jumptbl
END
run 0 gpucode asm halves.asm -o halves.fw
run 0 gpucode disasm --edit halves.fw -o halves.back.asm
[ -s err ] && complain "warnings: $(cat err)"
holds halves.back.asm .places
holds halves.back.asm 'mov $02, (#l22 >> 16) << 16'
holds halves.back.asm 'or $02, $02, (#l22 & 0xffff)'
holds halves.back.asm 'mov $02, #l46'
holds halves.back.asm 'mov $05, #l32'
holds halves.back.asm 'mov $05, #l37'
holds halves.back.asm 'mov $07, #CP_NOP'
# what other callers bring, or what is written over, is a number
holds halves.back.asm 'mov $05, 0x20'
holds halves.back.asm 'mov $02, 0x20'
holds halves.back.asm 'mov $03, 0x1b'
run 0 gpucode asm halves.back.asm -o back.fw
same halves.fw back.fw
# places that come from memory, or out of other arithmetic: told of, and asm looks for them
cat >lost.asm <<'END'
.target afuc:a630
[016ee001]
[#jumptbl]
    mov $03, #interruption
    cwrite $03, [$00 + 0x200]
    cread $02, [$00 + 0x200]
    swrite $02, [$00 + %PREEMPT_INSTR]
    load $03, [$04 + 0x0]
    jumpd $03
    nop
interruption:
    iret
    nop
CP_NOP:
    xor $02, $02, 0x12
    jumpd $02
    nop
jumptbl:
    .jumptbl
END
run 0 gpucode asm lost.asm -o lost.fw
run 0 gpucode disasm --edit lost.fw -o lost.back.asm
holds err '3 instructions go by a place whose number is not known, at SQE:0x5, SQE:0x7, SQE:0xc'
lacks lost.back.asm .places
cat >wrong.asm <<'END'
.target afuc:a630
or $02, $02, (#here & 0xff)
mov $02, (#here >> 8) << 16
mov $02, ((#here & 0xffff) + 1)
mov $02, (#here >> 16 & 0xffff)
mov $02, -(#here >> 16)
here:
END
run 2 gpucode asm wrong.asm -o wrong.fw
absent wrong.fw
[ "$(grep -c label-operator err)" = 5 ] || complain "halves: $(cat err)"
# halves of labels that are not known yet, and of those that are
cat >parts.asm <<'END'
.target afuc:a730
.equ #far 0x12345
[01730001]
before:
    mov $02, ((#after + 0x30000) >> 16) << 16
    or $02, $02, (#after + 0x3fffe & 0xffff)
    mov $03, ((#before + 0x30000) >> 16) << 16
    or $03, $03, (#before + 0x3fffe & 0xffff)
    mov $04, (#far >> 16) << 16
    or $04, $04, (#far & 0xffff)
after:
    nop
END
run 0 gpucode asm parts.asm -o parts.fw
run 0 gpucode disasm -t afuc:a730 parts.fw
for text in 'mov $02, 0x3 << 16' 'or $02, $02, 0x5' 'mov $03, 0x3 << 16' 'or $03, $03, 0xffff' 'mov $04, 0x1 << 16' \
    'or $04, $04, 0x2345'; do
    holds out "$text"
done

# two places of preemption have one label of that name
cat >two.asm <<'END'
[016ee001]
[00000000]
    mov $02, #first
    swrite $02, [$00 + %PREEMPT_INSTR]
    mov $02, #second
    swrite $02, [$00 + %PREEMPT_INSTR]
    waitin
    mov $01, $data
first:
    nop
second:
    iret
    nop
END
run 0 gpucode asm two.asm -o two.fw
run 0 gpucode verify two.fw
run 0 gpucode disasm --edit two.fw -o two.back.asm
holds two.back.asm 'mov $02, #preempt'
holds two.back.asm 'mov $02, #l9'
run 0 gpucode asm two.back.asm -o back.fw
same two.fw back.fw

# users' names
printf 'SQE 0x12 branches\nSQE 0xb interruption\n' >names
run 0 gpucode disasm --edit --symbols names table.fw
holds out 'add $02, $02, #branches'
holds out 'mov $02, #interruption'
holds out 'interruption:'
printf 'BR 0x0 begin\nBR 0x5 skip\n' >names
run 0 gpucode disasm --edit --symbols names a7xx.fw -o named.asm
run 0 gpucode asm --symbols names named.asm -o back.fw
same a7xx.fw back.fw
holds named.asm '#BV::l0 * 4'
# a5xx: header and packet table are labels too, so that an instruction more moves them
for name in a5xx a5xx_pfp a5xx_pm4; do
    run 0 gpucode asm "$root/examples/firmware/$name.asm" -o $name.fw
    run 0 gpucode disasm --edit $name.fw -o $name.asm
    holds $name.asm '[#jumptbl]'
    holds $name.asm .jumptbl
    run 0 gpucode asm $name.asm -o back.fw
    same $name.fw back.fw
    sed '/^\[#jumptbl\]/a nop' $name.asm >more.asm
    run 0 gpucode asm more.asm -o more.fw
    run 0 gpucode disasm more.fw
    cp out more.plain
    run 0 gpucode disasm $name.fw
    # the same handlers, each a word on: what follows the second word of the plain listing's table
    before=$(sed -n '5s/[^0-9a-f]//gp' out) after=$(sed -n '5s/[^0-9a-f]//gp' more.plain)
    [ $((0x$after)) = $((0x$before + 1)) ] || complain "$name: the table is at $before and $after"
    [ "$(tail -n 1 more.plain)" != "$(tail -n 1 out)" ] || complain "$name: the last handler has not moved"
done
# sets that have no analysis
printf '\001\002\003\004' >other
run 2 gpucode disasm --edit -t data other
holds err cli-no-edit
finish
