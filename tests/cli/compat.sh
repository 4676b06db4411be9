#!/bin/sh
# SPDX-License-Identifier: MIT
# The command lines of Mesa's tools.
. "$2/support/setting.sh"
cp "$source_folder/program.asm" "$source_folder/included.inc" .
for name in afuc-asm afuc-disasm qrisc-asm qrisc-disasm; do
    ln -s "$program" $name
    run 0 ./$name --version
    run 0 ./$name --help
    run 2 ./$name
done
run 0 ./afuc-asm program.asm a.fw
run 0 gpucode asm program.asm -o b.fw
same a.fw b.fw
run 0 ./qrisc-asm program.asm c.fw
same a.fw c.fw

run 0 ./afuc-disasm a.fw
golden compat '; Disassembling microcode: a.fw' '[016ee001]' 'add $02, $02, 0x3' 'CP_NOP:'
run 0 ./qrisc-disasm a.fw
golden compat '; Disassembling microcode: a.fw' '[016ee001]' 'add $02, $02, 0x3' 'CP_NOP:'
run 0 ./qrisc-disasm -c -u a.fw
cp out wanted
run 0 gpucode disasm --color always a.fw
same out wanted
grep -q "$(printf '\033')" wanted || complain 'afuc-disasm -c has no colours'
run 0 ./afuc-disasm -c a.fw
sed "s/$(printf '\033')\[[0-9;]*m//g" out >plain
run 0 ./afuc-disasm a.fw
same out plain
run 0 ./afuc-disasm -u a.fw
cp out wanted
run 0 gpucode disasm a.fw
same out wanted
run 0 ./afuc-disasm -u -v a.fw
cp out wanted
run 0 gpucode disasm -v a.fw
same out wanted
run 0 ./afuc-disasm -u -r a.fw
cp out wanted
run 0 gpucode disasm -r a.fw
same out wanted
run 0 ./afuc-disasm -u -g 730 a.fw
holds out '; a7xx microcode'
run 0 ./afuc-disasm -g 0 -u a.fw
holds out '; a6xx microcode'
for id in 5ff 6ee 6dd 6dc 7aa 730 740 512 520 310 200 500 700 510; do
    run 0 ./afuc-disasm -u -g $id a.fw
done
run 2 ./afuc-disasm -g 123 a.fw
golden compat-id "'123' [cli-mesa-id]"
run 2 ./afuc-disasm -g zzz a.fw
# -e: single keys, a step back among them; words for the debugger's commands, and what nobody has
printf 'ssssb\nr\nw c IB1_BASE 0x20\nd c @0x10\nd m 0x1000\nw r $03 7\nd g nothing\nw r $03\nw r $03 0x100000007\nw r $03 x\ndz x p CP_NOP 1 2\nr h q s' >keys
run 0 gpucode asm "$root/examples/firmware/a6xx.asm" -o boots.fw
./afuc-disasm -e boots.fw <keys >out 2>err || complain 'afuc-disasm -e'
# mov $02, 0x830 puts that there; a step back takes the last one away; what is written is read back, cut to 32 bits
golden compat-keys '    $02: 00000830' '    @IB1_BASE: 00000020' '0x00001000:	0x016ee002' '    $03: 00000007' \
    "there is no register 'nothing'"
[ "$(grep -c '^=> 0x0003:' out)" -eq 2 ] || complain 'the step back does not lead to the word before'
gpucode debug --keys boots.fw <keys >wanted 2>err
same out wanted
run 0 ./afuc-disasm -e -g 6ee a.fw
run 2 ./afuc-disasm -e -r a.fw
golden compat-emulate '-r has no effect with -e [cli-mesa-emulate]'
run 2 gpucode debug --keys --batch a.fw
holds err '--keys has no effect with --batch'
run 2 ./afuc-disasm nowhere
# an option that there is none of, or that lacks its number, or a file too many: the usage, and no listing
for wrong in '-z a.fw' '-u -z a.fw' 'a.fw -g' 'a.fw a.fw' '-u'; do
    # shellcheck disable=SC2086
    ./afuc-disasm $wrong >out 2>err
    [ "$? $(wc -c <out)" = '2 0' ] || complain "afuc-disasm $wrong"
    holds err 'usage: ./afuc-disasm '
done
printf 'no firmware' >text.fw
run 2 ./afuc-disasm text.fw
holds err 'text.fw: error: '
run 0 ./afuc-disasm -r -g 6ee a.fw
holds out '; Disassembling microcode: a.fw'
run 2 ./afuc-asm program.asm
printf '[016ee001]\nfoo\n' >wrong.asm
run 2 ./afuc-asm wrong.asm w.fw
absent w.fw
finish
