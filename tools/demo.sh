#!/bin/sh
# SPDX-License-Identifier: MIT
# A walk through the main commands with the example firmware and a shader. usage: demo.sh GPUCODE
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
    printf '$ gpucode %s\n' "$*"
    "$program" "$@" >shown 2>&1
    got=$?
    head -n 24 shown
    [ "$(wc -l <shown)" -le 24 ] || echo '...'
    [ $got -eq "$wanted" ] || {
        echo "(exit code $got)"
        failed=1
    }
}

cp "$examples"/firmware/*.asm "$examples"/firmware/*.gdb "$examples"/a3xx/*.asm .
step 'Assemble a firmware, with a listing and a map' 0 asm a6xx.asm -o a6xx.fw --listing a6xx.lst --map a6xx.map
printf '\n$ head -5 a6xx.lst\n'
head -n 5 a6xx.lst
step 'What is in it?' 0 info a6xx.fw
step 'Back to text' 0 disasm a6xx.fw
step 'Every byte comes back' 0 verify a6xx.fw
step 'A packet for it, on the machine' 0 run a6xx.fw --packet 'CP_MEM_WRITE 0x100000 0 0xcafe'
step 'The same in the debugger, and a step back' 0 debug a6xx.fw --batch -x back.gdb
step 'The manual, from the rows that decode and encode' 0 manual afuc brne
printf '[016ee001]\nmov $20, 0x1\nadd $02, $03, 0x12345\njump #nowher\nnop\n' >wrong.asm
step 'All mistakes in one run, and nothing is written' 2 asm wrong.asm -o wrong.fw
step 'What does a message mean?' 0 explain undefined
step 'A shader with missing delays' 1 lint early.asm
step 'What comes of them' 0 run early.asm --in r0.x=4.0 --strict
step 'Mended, with the text kept' 0 schedule early.asm -o legal.asm
step 'As it should be' 0 run legal.asm --in r0.x=4.0 --strict
exit $failed
