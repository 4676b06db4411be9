#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage of AFUC firmware as text, JSON and lcov; and what running tells disasm.
. "$2/support/setting.sh"
firmware=$root/examples/firmware/a6xx.asm
cp "$source_folder/island.asm" .

# code behind a computed jump is code, what stands around it stays data, and the bytes come back
run 0 gpucode asm island.asm -o island.fw
run 0 gpucode disasm island.fw -o island.fw.asm
cp island.fw.asm out
golden island '[ffffffff]' '[88020005]' 'add $03, $03, 0x1' 'jump #l13' 'waitin'
run 0 gpucode asm island.fw.asm -o again.fw
same island.fw again.fw

run 0 gpucode coverage island.fw
# all instructions but the delay slot of waitin, which waits for a packet
golden coverage '+ add $03, $03, 0x1' '  [88020005]' '- mov $01, $data' '     9 of     10   90%  start' '9 instructions'
run 0 gpucode coverage --json island.fw
golden coverage-json '"target": "afuc:a730"' '"name": "start"'
# over the lines of the listing: each line that lcov names is an instruction of it
run 0 gpucode coverage island.fw --lcov listing.info
run 0 gpucode coverage island.fw --lcov -
same out listing.info
golden coverage-lcov 'SF:island.fw.asm' 'FNDA:1,start' 'LF:10' 'LH:9' 'end_of_record'
sed -n 's/^DA:\([0-9]*\),.*/\1/p' listing.info >numbers
while read -r number; do
    sed -n "${number}p" island.fw.asm
done <numbers >lines
checks=$((checks + 1))
[ "$(wc -l <lines)" -eq 10 ] || complain 'ten instructions'
lacks lines ffff
holds lines 'add $03, $03, 0x1'
# over the lines of the source
run 0 gpucode coverage island.asm --lcov -
# the lines of the source on which instructions stand, by its own count
sed -n 's/^DA:\([0-9]*\),.*/\1/p' out >shown
grep -nE '^ *(\[01|mov|jump|nop|add|waitin)' island.asm | cut -d: -f1 >wanted
same shown wanted
golden coverage-source 'SF:island.asm' 'FNDA:1,island' 'DA:18,0' 'LH:9'

# a handler runs when its packet comes, and only then
share()
{
    run 0 gpucode coverage "$firmware" "$@"
    grep -E "^  0x[0-9a-f]{4} .*  CP_MEM_WRITE\$" out | sed 's/^  0x....  *//'
}
none=$(share)
some=$(share --packet 'CP_MEM_WRITE 0x100000 0 0xcafe')
checks=$((checks + 1))
case $none in '0 of '*) ;; *) complain "CP_MEM_WRITE ran without a packet: $none" ;; esac
case $some in '0 of '* | '') complain "CP_MEM_WRITE did not run: $some" ;; esac
holds out '+ waitin'
holds out '  CP_MEM_WRITE:'
run 0 gpucode coverage "$firmware" --packet 'CP_MEM_WRITE 0x100000 0 0xcafe' --lcov a6xx.info
holds a6xx.info 'FNDA:1,CP_MEM_WRITE'
holds a6xx.info 'FNDA:0,CP_REG_TO_MEM'
holds a6xx.info "SF:$root/examples/firmware/memory.asm"
# names differ where sections repeat them, and a section alone is alone
run 0 gpucode coverage "$root/examples/firmware/a7xx.asm" --lcov a7xx.info
holds a7xx.info 'FNDA:1,BR:boot'
run 0 gpucode coverage "$root/examples/firmware/a7xx.asm" --section LPAC
checks=$((checks + 1))
[ "$(grep -E '^[A-Z]+$' out)" = LPAC ] || complain 'sections other than LPAC'

# exit codes are those of run
printf '48088302 00000007\n' >short
run 1 gpucode coverage "$firmware" --packet 'CP_WAIT_REG_MEM 3 0x200000 0 5 0xff 1'
holds err cli-stopped
run 1 gpucode coverage "$firmware" --limit 10
run 2 gpucode coverage "$firmware" --packet 'CP_NO_SUCH 1'
run 2 gpucode coverage "$firmware" --limit many
run 2 gpucode coverage "$firmware" --lcov no/such/folder
run 2 gpucode coverage "$firmware" --dump '$02'

# any set that has a machine: a script from its entry point, a shader
printf '\260\177' >script
run 0 gpucode coverage -t hwsq:nv50 script
golden coverage-hwsq '+ set1 #FB_PAUSE' '+ exit' '2 of      2  100%'
run 0 gpucode coverage -t hwsq:nv50 --json script
holds out '"ran_bytes": [[0, 1]]'
printf 'mov.f32f32 r0.x, c0.x\njump #over\nadd.f r0.x, r0.x, r0.x\nover: end\n' >shader.asm
run 0 gpucode coverage -t a3xx shader.asm
golden coverage-a3xx '- add.f r0.x, r0.x, r0.x' '+ jump #over' '3 of      4   75%' '3 instructions'
run 0 gpucode coverage -t a3xx shader.asm --lcov -
holds out 'DA:3,0'
holds out 'DA:4,1'
printf 'text\n' >bytes.asm
run 2 gpucode coverage -t data --hex bytes.asm
finish
