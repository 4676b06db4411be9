#!/bin/sh
# SPDX-License-Identifier: MIT
# `gpucode` loads no library but libc, and hands over to gpucode-full what needs one.
. "$2/support/setting.sh"

if [ ! -x "$(dirname "$program")/gpucode-full" ]; then
    echo 'skipped: built as one program (-Dsplit=false)'
    exit 77
fi

# What the linker wrote down, of the libraries that make a start slow. Sanitizers bring libraries of their own.
if command -v readelf >/dev/null; then
    run 0 readelf -d "$program"
    grep -E 'NEEDED.*lib(edit|gvc|cgraph|ncurses|tinfo|jansson|png|expat|z|bsd)' out && complain 'gpucode needs a library'
fi

# each command and option that needs one is run all the same, with its own words and exit code
printf '.target afuc:a650\n[016ee001]\nnop\n' >small.asm
printf '<database><domain name="A6XX"><reg32 offset="0x8c01" name="OWN_NAME"/></domain></database>\n' >names.xml
printf '.target afuc:a650\n[016ee001]\nmov $02, 0x8c01\n' >named.asm
run 0 gpucode asm named.asm -o named.fw
if gpucode disasm --registers names.xml named.fw >out 2>err; then
    grep -q 'OWN_NAME' out || complain '--registers was not heeded'
    GPUCODE_REGISTERS=names.xml run 0 gpucode disasm named.fw
    grep -q 'OWN_NAME' out || complain '$GPUCODE_REGISTERS was not heeded'
    GPUCODE_REGISTERS=names.xml run 0 gpucode asm named.asm -o again.fw
    cmp -s named.fw again.fw || complain 'the bytes changed'
    # standard input is read by the program that runs the command
    run 0 sh -c '"$0" disasm --registers names.xml - <named.fw | grep OWN_NAME' "$program"
elif ! grep -q xml-absent err; then
    complain "--registers: $(cat err)"
fi
run 0 gpucode debug --batch small.asm
run 2 gpucode debug --batch
run 2 gpucode decode nothing.rd
grep -q 'nothing.rd' err || complain 'decode says nothing of the file'
run 2 gpucode run --texture 0=nothing.png small.asm

# alone it does what needs no library, and says what is missing for the rest
mkdir alone
cp "$program" alone/gpucode
run 0 alone/gpucode disasm named.fw
run 3 alone/gpucode debug --batch small.asm
grep -q 'cannot start gpucode-full: No such file or directory \[cli-no-whole\]' err || complain 'no word of the other program'
ln -s "$program" afuc-disasm
run 0 env GPUCODE_REGISTERS=/dev/null ./afuc-disasm named.fw

finish
