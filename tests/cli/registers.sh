#!/bin/sh
# SPDX-License-Identifier: MIT
# Register names of the user's own.
. "$2/support/setting.sh"
built_with expat || {
    echo 'skipped: built without expat'
    exit 77
}

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
database 'THIRD" variants="NONE' >third.xml
run 0 gpucode disasm --registers third.xml --registers third.xml a.fw
[ "$(grep -c 'xml-variant' err)" = 1 ] || complain 'registers: a file given twice is not told of once'
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

# names of packets come back as packets; names that would mean something else are not used
cat >odd.xml <<'END'
<database xmlns="http://nouveau.freedesktop.org/">
<domain name="A6XX_CONTROL_REG">
<array offset="0x10" name="ARRAY" stride="2" length="4"><reg32 offset="0" name="A"/></array>
<reg32 offset="0x020" name="MEM_READ_ADDR"/><reg64 offset="0x30" name="WIDE"/><reg32 offset="0x2f" name="9LIVES"/>
</domain>
<enum name="adreno_pm4_type3_packets">
<value name="CP_BRAND_NEW" value="0x7b"/><value name="l5" value="0x7a"/><value name="CP_NOP" value="0x79"/>
<value name="UNKN3" value="0x77"/><value name="fxn2" value="0x76"/><value name="jumptbl" value="0x75"/>
</enum></database>
END
{
    echo '[016ee001]'
    echo '[#jumptbl]'
    for number in 0x10 0x12 0x18 0x20 0x2f 0x30 0x31; do
        echo "cread \$01, [\$00 + $number]"
    done
    for number in 3 16 117 118 119 120 121 122 123; do
        echo "UNKN$number: nop"
    done
    echo 'jumptbl:'
    echo '.jumptbl'
} >odd.asm
run 0 gpucode asm odd.asm -o odd.fw
run 0 gpucode disasm --registers odd.xml odd.fw
holds out '@WIDE+0x1'
holds out '[$00 + 0x010]'
holds out '[$00 + 0x018]'
holds out '[$00 + 0x02f]'
holds out 'CP_BRAND_NEW:'
run 0 gpucode verify --registers odd.xml odd.fw
# targets that no such file has names for: one of the command line must fit, those of the environment are passed over
echo nop >nothing.asm
for target in mme:fermi hwsq:nv50 a3xx ir3:a630; do
    run 2 gpucode asm -t $target nothing.asm -o nothing --registers "$root/tests/xml/own.xml"
    holds err "own.xml: error: register files have no names for target $target [cli-registers-target]"
    run 0 env GPUCODE_REGISTERS="$root/tests/xml/own.xml" "$program" asm -t $target nothing.asm -o nothing
    lacks err own.xml
done
finish
