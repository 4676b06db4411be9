#!/bin/sh
# SPDX-License-Identifier: MIT
# What newer references have: names as immediates in listings, labels of the image, the entry of preemption, names of
# packets and events, firmware ids that nobody knows.
. "$2/support/setting.sh"

# names in place of numbers bring every word back, whatever it is
for target in a530 a630 a730 a750 gen80000; do
    {
        echo '.raw'
        awk 'BEGIN { srand(7); for (i = 0; i < 4000; i++) printf "[%04x%04x]\n", int(65536 * rand()), int(65536 * rand())
                     for (i = 0; i < 65536; i += 5) printf "[88%02x%04x]\n[32fd%04x]\n", i % 256, i, i }'
    } >random.asm
    run 0 gpucode asm -t afuc:$target random.asm -o random.bin
    run 0 gpucode disasm -r -t afuc:$target --register-names random.bin -o names.asm
    run 0 gpucode asm -t afuc:$target names.asm -o back.bin
    checks=$((checks + 1))
    cmp -s random.bin back.bin || complain "$target: names lose words"
done

run 0 gpucode asm "$root/examples/firmware/a6xx.asm" -o a6xx.fw
run 0 gpucode disasm a6xx.fw
holds out 'preempt:'
cp out plain.asm
run 0 gpucode disasm --register-names a6xx.fw
holds out 'mov $addr, |NRT_ADDR << 24'
holds out 'mov $02, CP_SQE_INSTR_BASE'
cp out names.asm
for text in plain names; do
    run 0 gpucode asm $text.asm -o $text.fw
    checks=$((checks + 1))
    cmp -s $text.fw a6xx.fw || complain "$text: other bytes"
done

# an edit moves what a constant means; with a label in its place nothing is lost
sed 's/^CP_ME_INIT:/CP_ME_INIT:\
mov $15, 0x1234/' plain.asm >edit.asm
run 0 gpucode asm edit.asm -o edit.fw
holds err "'IN_PREEMPT' moved, and the constant 0x20 at word 0x14 is where it stood, for %PREEMPT_INSTR"
sed 's/^mov \$02, 0x20$/mov $02, #IN_PREEMPT/' edit.asm >right.asm
run 0 gpucode asm right.asm -o right.fw
lacks err 'warning'

# labels of other sections, in words from the start of the image, and bytes
cat >sections.asm <<'END'
.target afuc:a740
add $05, $02, #table * 4
add $05, $02, #BV::start * 4
add $05, $05, #LPAC::start * 4 - #BV::start * 4
table: nop
.section BV
start: mov $02, #BV::start << 2
[#BV::start]
.section LPAC
start: nop
END
run 0 gpucode asm sections.asm --form words -o -
holds out '0x0845000c 0x08450020 0x08a50020'
holds out '0x70420008 0x01000008'

# names of packets and events, and a chip whose firmware id is not known
run 0 gpucode run a6xx.fw --packet 'CP_ME_INIT 0'
run 0 gpucode manual afuc CP_MEM_TO_OC_MEM
holds out '0x49'
run 0 gpucode targets
holds out 'gen80300'
printf '[01abc001]\nmov $02, 0x1\n' >unknown.asm
for target in gen8 gen80300; do
    run 0 gpucode asm -t afuc:$target unknown.asm -o unknown.fw
    run 0 gpucode disasm -t afuc:$target unknown.fw
    holds err 'firmware id abc is not known'
    holds out 'mov $02, 0x1'
done
finish
