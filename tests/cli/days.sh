#!/bin/sh
# SPDX-License-Identifier: MIT
# Four days of work, as a person types them: a firmware is read, a script mended, a shader tuned, macros are met.
. "$2/support/setting.sh"
cp -r "$root/examples" .
cd examples || exit 1

# --- the first day: a firmware, its update, and one routine of our own ---
cd firmware || exit 1
run 0 gpucode asm a6xx.asm -o old.fw
run 0 gpucode info old.fw
holds out 'afuc:a630' SQE
run 0 gpucode search old.fw 'mov $x, *; ...; cwrite $x, *'
holds out '$x = '
run 0 gpucode search old.fw 'cwrite *, [* + @IB1_BASE]'
holds out '@IB1_BASE'
run 1 gpucode search old.fw 'popcount *, 0x1234'
run 0 gpucode xref old.fw @IB1_BASE
holds out 'write'
run 0 gpucode disasm --function CP_MEMCPY old.fw -o routine.asm
holds routine.asm 'CP_MEMCPY:'
word=$(gpucode disasm --json old.fw | grep -m1 '"labels": \["CP_MEMCPY"' | sed 's/.*"at_words": \([0-9]*\).*/\1/')
run 0 gpucode graph --function "$word" old.fw
holds out CP_MEMCPY
printf '* 0x%04x copy_memory ; my own name\n' "$word" >my.sym
run 0 gpucode symbols --to old.fw my.sym -o old.sym
sed 's/^CP_ME_INIT:/CP_ME_INIT:\n\tnop\n\tnop/' start.asm >start.new && mv start.new start.asm
run 0 gpucode asm a6xx.asm -o new.fw
run 0 gpucode disasm new.fw --symbols old.sym -o wrong.asm
holds err '[symbol-image]'
run 0 gpucode symbols --from old.fw --to new.fw old.sym -o new.sym
holds new.sym "$(printf '* 0x%04x copy_memory' $((word + 2)))"
run 0 gpucode disasm new.fw --symbols new.sym -o right.asm
lacks err symbol-image
holds right.asm 'copy_memory:'
sed 's/^CP_MEMCPY:$/CP_MEMCPY:\n\tnop/' routine.asm >longer.asm
run 0 gpucode asm --patch CP_MEMCPY=longer.asm old.fw -o patched.fw
run 1 gpucode diff old.fw patched.fw
holds out CP_MEMCPY
run 0 gpucode manual afuc cp_draw_indx_offset
holds out INDEX_SIZE
run 0 gpucode manual policies
holds out afuc-memory

# --- the second day: a script ---
cd ../hwsq || exit 1
run 0 gpucode explain reclock.hwsq
holds out 'Stops memory access' 'vertical blank'
sed 's/#FB_PAUSE\b/FB_PAUSE/g' reclock.hwsq >plain.hwsq
run 0 gpucode asm reclock.hwsq -o reclock.bin
run 0 gpucode asm plain.hwsq -o plain.bin
same reclock.bin plain.bin
run 0 gpucode run reclock.hwsq --reg FB_PAUSE=0 --plot plot.svg
holds plot.svg '</svg>'
run 0 gpucode search reclock.hwsq 'data ?value; addr *'
holds out '?value = '
run 2 gpucode graph reclock.hwsq
holds err 'no branches'
run 0 gpucode xref reclock.hwsq FB_PAUSE
holds out 'set1'

# --- the third day: a shader ---
cd ../a3xx || exit 1
cp floor.asm tuned.asm
run 0 gpucode stats floor.asm
holds out instructions full
run 0 gpucode schedule -O floor.asm -o tuned.asm
run 0 gpucode stats floor.asm tuned.asm
holds out slots
run 0 gpucode graph planet.asm
holds out '0x0 '
run 0 gpucode search planet.asm 'mul.f $x, *, *'
holds out '$x = '
printf 'set r0.x = 2.5\nprint r0.x == 2.5\nprint r0.x * 2.0\n' >look.gdb
run 0 gpucode debug --batch -x look.gdb floor.asm
holds out '= 1' '= 5 (0x40a00000)'

# --- the fourth day: macros ---
cd ../mme || exit 1
run 0 gpucode asm macros.mme -o macros.bin --map macros.map
run 0 gpucode disasm -t mme:fermi --symbols macros.map macros.bin -o listing
holds listing 'fill_scratch:' 'set_masked:'
run 0 gpucode asm listing -o again.bin
same macros.bin again.bin
run 0 gpucode run macros.mme --section fill_scratch --param 10,3,7
run 0 gpucode graph -t mme:fermi macros.bin
holds out taken
run 0 gpucode search macros.mme 'parm $x'
holds out 'parm $r2'
run 0 gpucode lint macros.mme --section fill_scratch
run 0 gpucode fuzz macros.mme --section set_masked --parameters 3 --runs 3000
finish
