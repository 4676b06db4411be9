#!/bin/sh
# SPDX-License-Identifier: MIT
# A walk through the main commands with the examples. usage: demo.sh GPUCODE
set -u
program=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../examples" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# what it shows, and the exit code that it should end with
step()
{
    printf '\n## %s\n' "$1"
    wanted=$2
    shift 2
    printf '$ gpucode'
    for word; do
        case $word in *[!A-Za-z0-9_./:-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    echo
    "$program" "$@" >shown 2>&1
    got=$?
    if [ "$(wc -l <shown)" -le 18 ]; then
        cat shown
    else
        head -n 11 shown
        echo ...
        tail -n 5 shown
    fi
    [ $got -eq "$wanted" ] || {
        echo "(exit code $got)"
        failed=1
    }
}

cp "$examples"/*/*.asm "$examples"/firmware/*.gdb "$examples"/hwsq/*.hwsq .
step 'A firmware, assembled with a map' 0 asm a6xx.asm -o a6xx.fw --map a6xx.map
step 'What is in it?' 0 info a6xx.fw
step 'Back to text' 0 disasm a6xx.fw
step 'Every byte comes back' 0 verify a6xx.fw
step 'A packet for it, on the machine' 0 run a6xx.fw --packet 'CP_MEM_WRITE 0x100000 0 0xcafe'
step 'The same in the debugger, and a step back' 0 debug a6xx.fw --batch -x back.gdb
step 'A hang, with the dump that a kernel would write' 1 run a6xx.fw --packet 'CP_ME_INIT 0' \
    --packet 'CP_REG_TO_MEM 0x8c01 0x10 0x900' --crash hang.devcore
step 'Why did it hang?' 0 crash hang.devcore --firmware a6xx.fw
step 'A recorded stream, from its text' 0 asm frame.asm -o frame.rd
step 'Its frames, marks and draws' 0 decode frame.rd --marks
step 'Who changes a register' 0 decode frame.rd --query 'RB_MRT[0].CONTROL'
step 'What a value of it means' 0 manual afuc 'RB_MRT[0].CONTROL=0x780'
step 'A compute shader of an Adreno 630, without one' 0 run -t ir3:a630 --groups 2 --buffers sum.asm
step 'A shader of an Adreno 3xx with missing delays' 1 lint early.asm
step 'Mended, with the text kept' 0 schedule early.asm -o legal.asm
step 'Both compute the same' 0 compare early.asm legal.asm
step 'A sequencer script in sentences' 0 explain reclock.hwsq
printf '[016ee001]\nmov $20, 0x1\nadd $02, $03, 0x12345\njump #nowher\nnop\n' >wrong.asm
step 'All mistakes in one run, and nothing is written' 2 asm wrong.asm -o wrong.fw
step 'What does a message mean?' 0 explain undefined
exit $failed
