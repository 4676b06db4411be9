#!/bin/sh
# SPDX-License-Identifier: MIT
. "$2/support/setting.sh"

printf '\0\0\0\0\001\340\156\001\0\0\0\001' >tiny.fw
run 0 gpucode disasm tiny.fw
cp out wanted

try()
{
    printf '%b' "$1" >hex
    run 0 gpucode disasm --hex hex
    same out wanted
}

try '00 00 00 00 01 e0 6e 01 00 00 00 01'
try '00000000 016ee001 01000000\n'
try '[00000000]\n[016EE001]\n[01000000] ; a comment\n'
try '0x00000000, 0x016ee001, 0x01000000'
try '016ee00100000000 01000000'
try '016ee001_00000000 # high and low\n01000000'
try '0000000001e06e0100000001'

refuse()
{
    printf '%b' "$1" >hex
    run 2 gpucode disasm --hex hex
    cat err >>all
}

: >all
refuse '00 0'
refuse '00000000\n  016ee 00'
refuse '00 xyz'
refuse '00 0x'
refuse '00zz'
refuse '00000000_1234'
refuse '{ 0x01, 0x02, what }'
cp all out
: >err
golden hex 'hex:1:4: error:' 'here are 1 [cli-hex-digits]' 'hex:2:3: error:' 'here are 5 [cli-hex-digits]' 'hex:1:9: error:' '[form-hex]'
run 0 gpucode verify --hex /dev/null
# instructions on the command line, and pieces of files
run 0 gpucode disasm -t afuc:a630 -x c843ff9b
[ "$(cat out)" = 'brne $02, b3, #-101' ] || complain "-x: $(cat out)"
run 0 gpucode disasm -t afuc:a630 -v --base 0x100 -x 'c8430003,01000000'
holds out '0100: brne $02, b3, #l259'
holds out '0101: nop'
run 0 gpucode disasm -t a3xx -x 0300000000000000
[ "$(cat out)" = end ] || complain "-x: $(cat out)"
run 2 gpucode disasm -x c843ff9b
holds err 'cli-piece-target]'
run 2 gpucode disasm -t afuc:a630 -x zz
run 2 gpucode disasm -t mme:fermi -x 00000006
holds err 'cli-piece]'
for option in function=x reachable-from=CP_NOP comments edit symbols=none registers=none; do
    run 2 gpucode disasm -t afuc:a630 -x c843ff9b --$option
    holds err "error: --${option%%=*} has no effect on instructions alone [cli-piece-option]"
done
run 2 gpucode disasm -t afuc:a630 -x c843ff9b file
run 2 gpucode disasm
printf '\0\0\0\1\233\377\103\310\0\0\0\1' >piece
run 0 gpucode disasm -t afuc:a630 --skip 4 --length 4 --base 0x40 -v piece
[ "$(cat out)" = '0040: brne $02, b3, #-101' ] || complain "--base: $(cat out)"
run 0 gpucode disasm -t afuc:a630 --skip 8 piece
holds out nop
lacks out brne
run 2 gpucode disasm -t afuc:a630 --skip 13 piece
run 2 gpucode disasm -t afuc:a630 --skip 8 --length 5 piece
holds err 'cli-part]'
# all words of a file: the version is the one after the zero
printf '\0\0\0\0\2\340\156\1\0\0\0\0\0\0\0\0' >raw.fw
run 0 gpucode disasm -r raw.fw
holds out '; Version: 016ee002'
finish
