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
golden hex
run 0 gpucode verify --hex /dev/null
finish
