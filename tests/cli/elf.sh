#!/bin/sh
# SPDX-License-Identifier: MIT
# asm --form elf: what binutils read in such files, and that commands take them as code.
. "$2/support/setting.sh"
cat >inner.asm <<'END'
.macro inner value
mov $02, \value
mov $03, \value
.endm
END
cat >m.asm <<'END'
.target afuc:a630
.include "inner.asm"
.macro outer value
inner \value
add $04, $02, 0x1
.endm
.equ K, 0x20
nop
start:
outer 0x5
mov $05, K
loop:
jump #loop
nop
END
run 0 gpucode asm m.asm -o m.bin
run 0 gpucode asm m.asm --form elf -o m.elf
for example in firmware/a6xx.asm firmware/a7xx.asm a3xx/planet.asm hwsq/reclock.hwsq; do
    name=$(basename "${example%.*}")
    run 0 gpucode asm "$root/examples/$example" --form elf -o "$name.elf"
    run 0 gpucode asm "$root/examples/$example" -o "$name.bin"
    run 0 gpucode disasm "$name.elf" -o "$name.elf.txt"
    target=$(gpucode info --json "$name.elf" | sed -n 's/.*"target": *"\([^"]*\)".*/\1/p' | head -n 1)
    run 0 gpucode disasm -t "$target" "$name.bin" -o "$name.bin.txt"
    same "$name.elf.txt" "$name.bin.txt"
    run 0 gpucode verify "$name.elf"
done
run 0 gpucode lint a6xx.elf
run 0 gpucode run a6xx.elf --packet 'CP_NOP 1' --limit 2000
run 2 gpucode asm m.asm --form elf -t afuc:nothing -o none.elf
absent none.elf
run 2 gpucode schedule "$root/examples/a3xx/planet.asm" --form elf -o none.elf
holds err '[cli-form]'
absent none.elf
printf 'nonsense\n' >wrong.asm
run 2 gpucode asm -t a6xx wrong.asm --form elf -o none.elf
absent none.elf

for tool in readelf nm addr2line objdump; do
    command -v $tool >/dev/null || {
        echo "skipped: there is no $tool"
        exit $((bad ? 1 : 77))
    }
done

# nothing to say against any of them
for name in m a6xx a7xx planet reclock; do
    run 0 readelf -a -w "$name.elf"
    [ ! -s err ] || complain "readelf about $name.elf: $(cat err)"
    for part in --dwarf=decodedline --dwarf; do
        run 0 objdump $part "$name.elf"
        [ ! -s err ] || complain "objdump $part about $name.elf: $(cat err)"
    done
    if command -v eu-readelf >/dev/null; then
        run 0 eu-readelf -a -w "$name.elf"
        lacks err error
    fi
    # elfutils know no file without a machine, and no notes but GNU's and those of core files
    if command -v eu-elflint >/dev/null; then
        eu-elflint --gnu-ld "$name.elf" >all 2>&1
        grep -vE "^unknown machine type 0$|'.note.gpucode': unknown object file note type 2 with owner name 'gpucode'" all >err
        [ ! -s err ] || complain "eu-elflint about $name.elf: $(cat err)"
    fi
    if command -v llvm-dwarfdump >/dev/null; then
        run 0 llvm-dwarfdump --verify "$name.elf"
        holds out 'No errors.'
    fi
done
if command -v gdb >/dev/null; then
    run 0 gdb -nx -batch -ex 'info line *0xc' -ex 'info symbol 0x18' m.elf
    holds out 'Line 5 of "m.asm" starts at address 0xc'
    holds out 'loop + 4 in section .text'
    [ ! -s err ] || complain "gdb about m.elf: $(cat err)"
fi

# sections, one for each of the program's, without gaps
readelf -SW a7xx.elf | sed -n 's/.*\] \(\.text[^ ]*\|\.prefix\|\.note[^ ]*\) .*/\1/p' | tr '\n' ' ' >out
holds out '.prefix .text .text.BV .text.LPAC .note.gpucode'
readelf -n m.elf >out
holds out 'NT_ARCH'

# symbols: labels where the code is, constants
nm m.elf | tr '\n' ' ' >out
holds out '00000020 a K 00000014 t loop 00000004 t start'
# those of 32 bits, with a sign or without one
printf '.equ TOP, 0xffffffff\n.equ OVER, 0x100000000\n.equ LOW, -0x80000000\n.equ UNDER, -0x80000001\nnop\n' >k.hwsq
run 0 gpucode asm -t hwsq:nv50 k.hwsq --form elf -o k.elf
nm k.elf | tr '\n' ' ' >out
holds out '80000000 a LOW ffffffff a TOP ' && lacks out ER

# lines, with the macros that they come from
addr2line -a -f -i -e m.elf 0 4 0xc 0x10 0x18 | tr '\n' ' ' >out
holds out "0x00000000 .text m.asm:8 0x00000004 inner inner.asm:2 outer m.asm:4 start m.asm:10 \
0x0000000c outer m.asm:5 start m.asm:10 0x00000010 start m.asm:11 0x00000018 loop m.asm:14"

# lines far from one another: 64 forwards, 65 back, and the same one of another file 17 bytes on, each of which is one
# more than a shorter form has room for
awk 'BEGIN { for (i = 1; i < 71; i++) print i < 70 ? "" : "nop" }' >far.inc
awk 'BEGIN {
    line[1] = ".macro m"; line[3] = line[65] = line[68] = "nop"; line[4] = ".endm"; line[69] = "m"
    line[70] = ".byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17"; line[71] = ".include \"far.inc\""
    for (i = 1; i < 72; i++) print line[i]
}' >far.hwsq
run 0 gpucode asm -t hwsq:nv50 far.hwsq --form elf -o far.elf
addr2line -e far.elf 0 1 2 3 0x13 0x14 | tr '\n' ' ' >out
holds out 'far.hwsq:65 far.hwsq:68 far.hwsq:3 far.hwsq:70 far.hwsq:70 far.inc:70 '

# every unit is where the library says
for name in a6xx a7xx; do
    run 0 gpucode asm "$root/examples/firmware/$name.asm" -o "$name.bin" --map "$name.map"
    sed -n 's/^@ *\(0x[0-9a-f]*\) .*\/\([^/]*:[0-9]*\)+*$/\1 \2/p' "$name.map" >places
    checks=$((checks + 1))
    [ "$(wc -l <places)" -gt 100 ] || complain "the map has $(wc -l <places) places"
    while read -r unit place; do
        printf '0x%x\n' $((unit * 4))
    done <places >addresses
    addr2line -e "$name.elf" @addresses | sed 's/ (discriminator.*//; s,.*/,,' >told
    sed 's/.* //' places >wanted
    same told wanted
done

# other tools may move what is in it
if command -v objcopy >/dev/null && command -v strip >/dev/null; then
    run 0 strip -F elf32-little -o stripped.elf a7xx.elf
    run 0 gpucode disasm stripped.elf -o stripped.txt
    same a7xx.elf.txt stripped.txt
    run 0 objcopy -I elf32-little -O binary m.elf m.raw
    tail -c +5 m.bin >m.code
    same m.raw m.code
fi

# damage
head -c 300 m.elf >cut.elf
run 2 gpucode info cut.elf
sed 's/afuc:a630/afuc:b630/' m.elf >other.elf
run 2 gpucode disasm other.elf
holds err 'other.elf: error: the note of this ELF file names no target [elf-note]'
finish
