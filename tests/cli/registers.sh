#!/bin/sh
# SPDX-License-Identifier: MIT
# Register names of the user's own.
. "$2/setting.sh"

database()
{
    echo '<database xmlns="http://nouveau.freedesktop.org/"><domain name="A6XX">'
    echo "<reg32 offset=\"0x830\" name=\"$1\"/></domain></database>"
}
database FIRST >first.xml
database SECOND >second.xml
printf '[016ee001]\nmov $02, 0x830\n' >a.asm
run 0 gpucode asm a.asm -o a.fw
run 2 gpucode disasm --registers nowhere.xml a.fw
if grep -q cli-registers err; then
    echo 'skipped: built without expat'
    exit 77
fi
holds err 'nowhere.xml: error: cannot open'
run 0 gpucode disasm a.fw
holds out 'CP_SQE_INSTR_BASE'
run 0 gpucode disasm --registers first.xml a.fw
holds out '; FIRST'
run 0 gpucode disasm --registers second.xml --registers first.xml a.fw
holds out '; SECOND'
GPUCODE_REGISTERS=first.xml:second.xml run 0 gpucode disasm a.fw
holds out '; FIRST'
GPUCODE_REGISTERS=first.xml run 0 gpucode disasm --registers second.xml a.fw
holds out '; SECOND'
GPUCODE_REGISTERS=first.xml run 0 gpucode verify a.fw
GPUCODE_REGISTERS=first.xml run 0 gpucode asm a.asm -o b.fw
same a.fw b.fw
echo '<database' >wrong.xml
run 2 gpucode disasm --registers wrong.xml a.fw
holds err 'wrong.xml:'
finish
