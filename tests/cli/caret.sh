#!/bin/sh
# SPDX-License-Identifier: MIT
# Carets below source lines that hold anything.
. "$2/support/setting.sh"

# $1 = the line; what is wrong is always the register
try()
{
    printf '[016ee001]\n%b\n' "$1" >line.asm
    run 2 gpucode asm line.asm -o line.fw
    cat err >>all
}

>all
try 'mov $20, 0x1'
try '\tmov\t$20,\t0x1'
try 'mov $20, 0x1 ; \0377\0376 not UTF-8'
try 'mov $20, 0x1 ; \033[31mred \a \0177'
try 'mov $20, 0x1 ; \0342\0200\0256reversed'
try 'mov $20, 0x1 ; \0303\0244\0303\0266 \0346\0274\0242\0345\0255\0227'
long=$(printf '%0200d' 0)
try "mov \$20, 0x1 ; $long"
spaces=$(printf '%200s' '')
try "${spaces}mov \$20, 0x1"
try "${spaces}mov \$20, 0x1 ; $long"
try 'mov'
cp all out
: >err
golden carets 'line.asm:2:205: error:' '<ff><fe> not UTF-8' '<1b>[31mred <07> <7f>' '<U+202E>reversed'
[ "$(grep -c '\[afuc-register\]$' out)" -eq 9 ] || complain 'not the register, nine times'
lacks out "$(printf '\033')"
lacks out "$(printf '\177')"
lacks out "$(printf '\342\200\256')"
finish
