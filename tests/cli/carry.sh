#!/bin/sh
# SPDX-License-Identifier: MIT
# Names after an update, and routines replaced: on the firmware of the examples, of every generation.
. "$2/support/setting.sh"
examples=$2/../examples

# the names of a map, carried to a source with two words more, are those of its own map
mkdir old new
cp "$examples"/firmware/*.asm old
cp "$examples"/firmware/*.asm new
sed 's/^CP_ME_INIT:/CP_ME_INIT:\n\tnop\n\tnop/' old/start.asm >new/start.asm
for gen in a5xx a6xx; do
    run 0 gpucode asm old/$gen.asm -o old.fw --map old.map
    run 0 gpucode asm new/$gen.asm -o new.fw --map new.map
    holds old.map '; image 0x'
    if ! cmp -s old.fw new.fw; then
        run 0 gpucode symbols --from old.fw --to new.fw old.map -o carried.map
        holds out ' 0 lost'
        grep -v '^[@u;]' new.map | sort >wanted
        grep -v '^[@u;]' carried.map | sort >got
        same wanted got
    fi
done
# a file that says which image it is of warns on another, and only there
run 0 gpucode asm old/a6xx.asm -o old.fw --map old.map
run 0 gpucode asm new/a6xx.asm -o new.fw
run 0 gpucode disasm old.fw --symbols old.map -o old.txt
lacks err symbol-image
printf '* 0x00df copy   ; what CP_MEMCPY does\n* 0x001b inside\nreg $02 header\nmem 0x1000 ring\n' >mine.sym
run 0 gpucode disasm new.fw --symbols mine.sym -o wrong.txt
lacks err symbol-image
run 0 gpucode symbols --to old.fw mine.sym -o stamped.sym
holds stamped.sym '; image 0x' '* 0x00df copy   ; what CP_MEMCPY does'
run 0 gpucode disasm new.fw --symbols stamped.sym -o wrong.txt
holds err 'stamped.sym:1:3: warning: these names are of another image' '[symbol-image]'
run 0 gpucode symbols --from old.fw --to new.fw stamped.sym -o carried.sym
holds carried.sym '* 0x00e1 copy   ; what CP_MEMCPY does' '* 0x001d inside' 'reg $02 header' 'mem 0x1000 ring'
run 0 gpucode disasm new.fw --symbols carried.sym -o right.txt
lacks err symbol-image
# what is gone is told, and stays as a comment
printf '[016ee002]\n[#jumptbl]\nmov $02, 1\ncall #one\nnop\nCP_NOP:\nwaitin\nmov $01, $data\none:\nmov $05, 3\nret\nnop\njumptbl:\n.jumptbl\n' >with.asm
printf '[016ee002]\n[#jumptbl]\nmov $02, 1\nCP_NOP:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n' >without.asm
printf '* 0x0007 one\n* 0x0002 begin\n* 0x0001 words\n' >two.sym
run 1 gpucode symbols --from with.asm --to without.asm two.sym -o out.sym
holds out 'two.sym:1: one: the new code has nothing like this place' '2 names carried' '1 lost'
holds out.sym '; lost: * 0x0007 one' '* 0x0002 begin' '* 0x0001 words'
run 1 gpucode symbols --from with.asm --to without.asm two.sym -o out.sym --json
holds out '"name": "one"' '"lost_count": 1'
# other sets
printf '.target ir3:a6xx\nnop\nbr p0.x, #l\nnop\nl:\nend\n' >a.asm
printf '.target ir3:a6xx\nmov.u32u32 r0.x, 1\nnop\nbr p0.x, #l\nnop\nl:\nend\n' >b.asm
printf '* 0x3 leave\n' >shader.sym
run 0 gpucode symbols --from a.asm --to b.asm shader.sym -o out.sym
holds out.sym '* 0x0004 leave'
# mistakes
run 2 gpucode symbols --from a.asm shader.sym -o never
holds err cli-names-to
run 2 gpucode symbols --from a.asm --to with.asm shader.sym -o never
holds err cli-diff-sets
printf '* 0x9999 far\n' >far.sym
run 2 gpucode symbols --from a.asm --to b.asm far.sym -o never
holds err symbol-outside
absent never

# --- one routine replaced ---
# With its own text the image stays as it is; with two words more packets do what they did.
for gen in a5xx:PM4 a6xx:SQE a7xx:BR; do
    section=${gen#*:} gen=${gen%:*}
    run 0 gpucode asm "$examples/firmware/$gen.asm" -o $gen.fw
    run 0 gpucode disasm --function $section:CP_MEM_WRITE $gen.fw -o routine.asm
    run 0 gpucode asm --patch $section:CP_MEM_WRITE=routine.asm $gen.fw -o same.fw
    same $gen.fw same.fw
    { sed -n '/^CP_MEM_WRITE:/,$p' routine.asm | sed 's/^CP_MEM_WRITE:$/CP_MEM_WRITE:\nnop\nnop/' ; } >longer.asm
    run 0 gpucode asm --patch $section:CP_MEM_WRITE=longer.asm $gen.fw -o longer.fw
    holds out "$section:CP_MEM_WRITE" " at 0x"
    if cmp -s $gen.fw longer.fw; then
        complain "$gen: nothing has changed"
    fi
    # places of code (return addresses, where it waits) are others, all else is as it was
    for packet in 'CP_MEM_WRITE 0x100000 0x0 0x11223344' 'CP_NOP 1' 'CP_REG_TO_MEM 0x500 0x100000 0x0' \
        'CP_WAIT_FOR_IDLE' 'CP_INDIRECT_BUFFER 0x200000 0x0 0x4'; do
        gpucode run $gen.fw --packet "$packet" 2>&1 | sed "/STACK\|instructions\$/d; s/(was [^)]*)//; s/^$gen.fw/longer.fw/" >before
        gpucode run longer.fw --packet "$packet" 2>&1 | sed '/STACK\|instructions$/d; s/(was [^)]*)//' >after
        same before after
    done
done
gpucode run longer.fw --packet 'CP_MEM_WRITE 0x100000 0x0 0x11223344' >out
holds out '[0x100000]                       0x11223344'
# what is wrong, and leaves no file
run 2 gpucode asm --patch nowhere=longer.asm a6xx.fw -o never
holds err cli-patch-routine
run 2 gpucode asm --patch CP_MEM_WRITE a6xx.fw -o never
holds err cli-patch
printf 'nop\nbad thing\n' >bad.asm
run 2 gpucode asm --patch CP_MEM_WRITE=bad.asm a6xx.fw -o never
holds err "bad.asm:2:1: error: there is no instruction 'bad'"
printf 'waitin\nmov $01, $data\n' >short.asm
run 2 gpucode asm --patch CP_MEM_WRITE=short.asm --patch CP_MEM_WRITE=short.asm a6xx.fw -o never
holds err cli-patch-routine
absent never

# words and places
run 0 gpucode disasm --function 0xe0 a6xx.fw
holds out CP_MEMCPY
run 0 gpucode graph --function CP_MEMCPY+3 a6xx.fw
holds out CP_MEMCPY
run 2 gpucode graph --function 0x99999 a6xx.fw
holds err cli-place

# what a source includes stands beside it, and what that includes beside that; errors name the file
mkdir -p sub/inc/deep far
printf '.include "inc/a.inc"\n' >sub/nop.asm
printf 'CP_NOP:\n.include "deep/b.inc"\n\twaitin\n\tmov $01, $data\n' >sub/inc/a.inc
printf '\tmov $02, $data\n.include "c.inc"\n' >sub/inc/deep/b.inc
printf '\tmov $03, $02\n' >sub/inc/deep/c.inc
run 0 gpucode asm "$examples/firmware/a6xx.asm" -o far/old.fw
run 0 gpucode asm --patch CP_NOP=sub/nop.asm far/old.fw -o patched.fw --json
holds out '"new_units": 4'
run 0 gpucode disasm patched.fw
holds out 'mov $03, $02'
run 0 gpucode asm --patch "CP_NOP=$PWD/sub/nop.asm" far/old.fw -o again.fw
same patched.fw again.fw
printf '\tmovv $03, $02\n' >sub/inc/deep/c.inc
run 2 gpucode asm --patch CP_NOP=sub/nop.asm far/old.fw -o never
holds err 'sub/inc/deep/c.inc:1:2: error:' 'sub/inc/a.inc:2:10: note: in a file included here'
[ ! -e never ] || complain 'a file was left'
finish
