#!/bin/sh
# SPDX-License-Identifier: MIT
# graph of a small firmware, each line of it worked out from the source: flow, calls, handlers; text, JSON and dot.
. "$2/support/setting.sh"
cat >calls.asm <<'END'
[016ee001]
[#jumptbl]
mov $02, 0x1
call #sub
nop
jump #on
nop
sub:
breq $02, 0x3, #out
nop
add $02, $02, 0x1
out:
ret
nop
on:
waitin
mov $01, $data
CP_NOP:
call #sub
mov $03, $data
call #deep
nop
jump #tail
nop
CP_WAIT_FOR_IDLE:
tail:
waitin
mov $01, $data
deep:
call #sub
nop
ret
nop
jumptbl:
.jumptbl
END
run 0 gpucode graph calls.asm
cat >wanted <<'END'
boot: boot at 0x2, depth 1
     0x2 mov $02, 0x1
     0x3 call #sub
     0x4 nop
     0x5 jump #on
     0x6 nop
        -> taken 0xc
     0xc waitin
     0xd mov $01, $data
        -> dispatch

sub: routine at 0x7, depth 0
     0x7 breq $02, 0x3, #out
     0x8 nop
        -> taken 0xa, next 0x9
     0x9 add $02, $02, 0x1
        -> next 0xa
     0xa ret
     0xb nop
        -> return

CP_NOP: handler at 0xe, depth 2
     0xe call #sub
     0xf mov $03, $data
    0x10 call #deep
    0x11 nop
    0x12 jump #tail
    0x13 nop
        -> taken 0x14

tail: handler at 0x14, depth 0, also CP_WAIT_FOR_IDLE
    0x14 waitin
    0x15 mov $01, $data
        -> dispatch

deep: routine at 0x16, depth 1
    0x16 call #sub
    0x17 nop
    0x18 ret
    0x19 nop
        -> return

END
same out wanted
# one of them alone, by any of its names and by a place within it
for name in CP_WAIT_FOR_IDLE tail 0x15 SQE:0x14; do
    run 0 gpucode graph calls.asm --function "$name"
    sed -n '/^tail/,/^$/p' wanted >one
    same out one
done
run 2 gpucode graph calls.asm --function nobody
holds err "there is no 'nobody' here [cli-place]"
run 0 gpucode graph calls.asm --kind calls
cat >calls <<'END'
boot: boot at 0x2, depth 1
     0x3 call sub

sub: routine at 0x7, depth 0

CP_NOP: handler at 0xe, depth 2
     0xe call sub
    0x10 call deep
    0x12 goes on as tail

tail: handler at 0x14, depth 0, also CP_WAIT_FOR_IDLE

deep: routine at 0x16, depth 1
    0x16 call sub

END
same out calls
# what no packet leads to is not among the handlers' functions
run 0 gpucode graph calls.asm --kind handlers
sed '/^boot/,/^$/d' calls >handlers
same out handlers

# dot: a box for each function or block, an arrow for each call or edge
run 0 gpucode graph calls.asm --kind calls --form dot
sed -n 's/^ *\(f0_[0-9]* -> f0_[0-9]*\) .*/\1/p' out | sort >arrows
printf 'f0_%s\n' '0 -> f0_1' '2 -> f0_1' '2 -> f0_3' '2 -> f0_4' '4 -> f0_1' | sort >wanted.arrows
same arrows wanted.arrows
holds out 'f0_2 -> f0_3 [color="#999999", style=dashed]' 'label=<tail<BR/>CP_WAIT_FOR_IDLE>' 'label=<<B>SQE</B>>' \
    'f0_0 [shape=box, style=filled, color="#777777", fillcolor="#ffe9a8", label=<boot>]' 'label=<calls.asm, afuc:a630<BR/>'
run 0 gpucode graph calls.asm --function sub --form dot
sed -n 's/^ *\(b0_1_[0-9]* -> b0_1_[0-9]* .color="#......"\).*/\1/p' out >arrows
printf 'b0_1_%s"\n' '7 -> b0_1_10 [color="#1a7f37' '7 -> b0_1_9 [color="#c62828' '9 -> b0_1_10 [color="#777777' >wanted.arrows
same arrows wanted.arrows
holds out 'label=<<B>sub</B>, routine>' '<B>sub:</B><BR ALIGN="LEFT"/>' '<B>l9:</B>' 'add $02, $02, 0x1<BR ALIGN="LEFT"/>' \
    '7&#160;&#160;</FONT>breq $02, 0x3, #out' '8&#160;&#160;&#160;&#160;</FONT>nop' '&#8594; return'
if command -v python3 >/dev/null; then
    gpucode graph calls.asm --json >calls.json
    python3 - <<'END' || complain 'the graph as JSON'
import json
functions = json.load(open("calls.json"))["sections"][0]["functions"]
shapes = [(f["start_words"], f["depth"], [(b["start_words"], b["end_words"], [(s.get("to_words"), s["kind"]) for s in b["successors"]])
                                          for b in f["blocks"]], f["line"]) for f in functions]
assert shapes == [
    (2, 1, [(2, 7, [(12, "taken")]), (12, 14, [(None, "dispatch")])], 3),
    (7, 0, [(7, 9, [(10, "taken"), (9, "next")]), (9, 10, [(10, "next")]), (10, 12, [(None, "return")])], 9),
    (14, 2, [(14, 20, [(20, "taken")])], 19),
    (20, 0, [(20, 22, [(None, "dispatch")])], 27),
    (22, 1, [(22, 26, [(None, "return")])], 30)], shapes
assert [[(c["at_words"], c["to_words"]) for c in f["calls"]] for f in functions] == [
    [(3, 7)], [], [(14, 7), (16, 22)], [], [(22, 7)]], [f["calls"] for f in functions]
assert [[(t["at_words"], t["to_words"]) for t in f["tails"]] for f in functions] == [[], [], [(18, 20)], [], []]
assert [f["packets"] for f in functions] == [[], [], ["CP_NOP"], ["CP_WAIT_FOR_IDLE"], []], functions
END
fi
finish
