#!/bin/sh
# SPDX-License-Identifier: MIT
# Edges that were seen running, from coverage to graph; files that are no such list.
. "$2/support/setting.sh"

# a jump that nobody can resolve: its target goes through a control register
cat >jumps.asm <<'END'
.target afuc:a630
[016ee001]
[#jumptbl]
    mov $02, #there
    cwrite $02, [$00 + 0x200]
    cread $03, [$00 + 0x200]
    jumpd $03
    nop
    nop
    nop
there:
    mov $04, 0x2
loop:
    sub $04, $04, 0x1
    brne $04, 0x0, #loop
    nop
    waitin
    mov $01, $data
jumptbl:
    .jumptbl
END
run 0 gpucode coverage jumps.asm --edges edges.txt
printf '# section\tfrom\tto\nSQE\t5\t9\nSQE\t11\t10\nSQE\t11\t13\n' >wanted.txt
same edges.txt wanted.txt
run 0 gpucode graph jumps.asm
holds out '-> unresolved'
lacks out 'sub $04'
run 0 gpucode graph --coverage edges.txt jumps.asm
holds out '-> unresolved, seen 0x9*'
holds out '-> taken 0xa*, next 0xd*'
holds out 'sub $04, $04, 0x1'
run 0 gpucode graph --coverage edges.txt --json jumps.asm
tr -d ' \n' <out >flat
holds flat '{"to_words":9,"kind":"seen","seen":true}'
run 0 gpucode graph --coverage edges.txt --format=dot jumps.asm
holds out 'known from running alone'
holds out 'b0_0_2 -> b0_0_9 [color="#8e24aa", penwidth=2.5]'
run 0 gpucode graph --format=dot jumps.asm
lacks out 'penwidth=2.5'
lacks out 'known from running alone'

# a shorter list marks less; comments and empty lines are passed over
printf '# by hand\n\nSQE\t11\t10\n' >less.txt
run 0 gpucode graph --coverage less.txt jumps.asm --function l2
lacks out 'seen'

wrong()
{
    printf "$1" >wrong.txt
    run 2 gpucode graph --coverage wrong.txt jumps.asm -o none.txt
    holds err cli-edges
    holds err "$2"
    absent none.txt
}
wrong '#\nBR\t1\t2\n' 'wrong.txt:2:1: error: there is no section of that name'
wrong 'SQE\t1\n' 'expected a section'
wrong 'SQE\t1\t2\t3\n' 'expected a section'
wrong 'SQE\tx\t2\n' 'expected a section'
wrong 'SQE\t1\t-2\n' 'expected a section'
wrong 'SQE\t1\t99999999999999999999\n' 'the section is not so long'
wrong 'SQE\t1\t4294967297\n' 'the section is not so long'
wrong 'SQE\t1\t2\0\n' 'expected a section'
wrong 'SQE 1 2\n' 'there is no section of that name'
wrong '\t1\t2\n' 'there is no section of that name'
wrong '#\nSQE\t1\t4000' 'wrong.txt:2:7: error: the section is not so long'
grep -q '^  *^~~~$' err || complain "no caret: $(cat err)"
run 2 gpucode graph --coverage missing.txt jumps.asm
run 2 gpucode coverage jumps.asm --edges nowhere/edges.txt
finish
