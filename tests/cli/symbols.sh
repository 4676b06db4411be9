#!/bin/sh
# SPDX-License-Identifier: MIT
# Symbol files in every command that shows code, registers or memory.
. "$2/support/setting.sh"
firmware=$root/examples/firmware/a6xx.asm

# --- AFUC: the bundled firmware as somebody finds it who has no source
run 0 gpucode asm "$firmware" -o a6.fw
cat >a6.sym <<'END'
; notes on the firmware
SQE 0x0002 boot
*   0x0023 drain
*   38     drain_poll       # a loop of it
*   0x0031 open_memory
*   0x001d ignored_packet
reg $02    header
reg @MODE_BITMASK mode
reg %PREEMPT_INSTR preempted
reg 0x830  firmware_base
packet 0x51 CP_MYSTERY
mem 0x100000 results
END
run 0 gpucode disasm --symbols a6.sym a6.fw -o named.asm
head -n 40 named.asm >out
grep -n -A4 -E '^(drain|drain_poll|open_memory|CP_MYSTERY|ignored_packet):|#drain' named.asm >>out
# names stand where the file has them: at their places, in operands, with aliases beside them
golden symbols-disasm 'boot:' 'mov $header, 0x830	; firmware_base' 'swrite $header, [$00 + %preempted]' \
    'cwrite $header, [$00 + @mode]' 'CP_MYSTERY:' 'brne $11, 0x0, #drain_poll' '(rep)mov $00, $data'
# back with the names; without them not at all, or the same
run 0 gpucode asm --symbols a6.sym named.asm -o back.fw
same a6.fw back.fw
run 2 gpucode asm named.asm -o without.fw
holds err "there is no register '\$header'"
absent without.fw
grep -v ^reg a6.sym >places.sym
run 0 gpucode disasm --symbols places.sym a6.fw -o places.asm
run 0 gpucode asm places.asm -o places.fw
same a6.fw places.fw
run 0 gpucode verify --symbols a6.sym a6.fw
# several files; the first one's name is used
printf '* 0x23 wait_for_idle\n' >more.sym
run 0 gpucode disasm --symbols more.sym --symbols a6.sym a6.fw
holds out 'call #wait_for_idle'
holds out 'drain:'
# what is wrong in a file is told once, however often it is given
printf 'NOWHERE 1 a\n* 0x90000 b\n' >wrong.sym
run 2 gpucode disasm --symbols wrong.sym --symbols more.sym --symbols wrong.sym a6.fw
[ "$(grep -c '^wrong.sym:[12]:.* error: ' err)" = 2 ] || complain 'symbols: not each error once'
# a map is a symbol file
run 0 gpucode asm "$firmware" -o a6.fw --map a6.map
run 0 gpucode disasm --symbols a6.map a6.fw -o mapped.asm
holds mapped.asm 'call #register_value'
run 0 gpucode asm mapped.asm -o mapped.fw
same a6.fw mapped.fw

packet='CP_MEM_WRITE 0x100000 0 0xcafe'
run 0 gpucode run --symbols a6.sym a6.fw --packet "$packet" --packet 'CP_MYSTERY 1' --dump results:2 --dump '$header' \
    --trace instructions,registers,memory
# CP_MEM_WRITE: an address of two words, then the word to store; it is in memory and in the dump, and nothing after it
golden symbols-run 'dispatch CP_MEM_WRITE' '[results] = 0xcafe' '  [results]                        0x0000cafe  (was 0x00000000)' \
    '  [results+0x4]                    0x00000000' 'dispatch CP_MYSTERY' '$01 = 0x70510001' 'in ignored_packet'
run 0 gpucode run --symbols a6.sym a6.fw --packet "$packet" --json
holds out '"where": "CP_MEM_WRITE+0x5"'
holds out '"name": "results"'
run 0 gpucode run --symbols a6.sym a6.fw --packet "$packet" --trace instructions --json
holds out '"where": "open_memory+0x1"'
run 0 gpucode coverage --symbols a6.sym a6.fw --packet "$packet"
sed -n '/^SQE$/,$p' out | head -n 16 >summary
mv summary out
# the file's eight names, of which no packet came to drain
golden symbols-coverage '0x0002    23 of     23  100%  boot' '0x0023     0 of      8    0%  drain' '100%  open_memory'
lacks out drain_poll
run 0 gpucode coverage --symbols a6.sym a6.fw --packet "$packet" --json
holds out '"symbol": "ignored_packet"'
run 0 gpucode coverage --symbols a6.sym a6.fw --packet "$packet" --lcov -
holds out 'ignored_packet'
run 0 gpucode info --symbols a6.sym a6.fw
holds out '0x001d: ignored_packet = UNKN0'
holds out 'CP_MYSTERY'
run 0 gpucode info --symbols a6.sym --json a6.fw
holds out '"handler_name": "ignored_packet"'
printf 'x/2i drain_poll\nbreak open_memory\npacket CP_MYSTERY 1\npacket CP_MEM_WRITE 0x100000, 0, 5\ncontinue\nprint $header\nwhere\n' >commands
run 0 gpucode debug --batch -x commands --symbols a6.sym a6.fw
golden symbols-debug 'Breakpoint 1 at SQE:0x0031 <open_memory>' '=> 0x0031 <open_memory>:' '$header = 0x100000 (1048576)' \
    '#1  0x007f <CP_MEM_WRITE+0x3>' '0x0026 <drain_poll>:'

# two sections may have the same names
run 0 gpucode asm "$root/examples/firmware/a7xx.asm" -o a7.fw
printf 'BR 0x10 here\nBV 0x10 here\n' >a7.sym
run 0 gpucode disasm --symbols a7.sym a7.fw -o a7.asm
checks=$((checks + 1))
[ "$(grep -c '^here:' a7.asm)" -eq 2 ] || complain 'a name in two sections'
run 0 gpucode asm a7.asm -o a7.back
same a7.fw a7.back

# --- HWSQ
printf 'set1 #FB_PAUSE\newait #FB_PAUSED 1\ndata 0x5\naddr 0x100210\nset0 #FB_PAUSE\nexit\n' >script.txt
run 0 gpucode asm -t hwsq:g94 script.txt -o script.bin
cat >script.sym <<'END'
*     0  pause
*     2  inside
*     9  set_up
reg   0x100210 refresh
flag  16 stop_memory
event 0  memory_stands
END
run 0 gpucode disasm -t hwsq:g94 --symbols script.sym script.bin -o script.asm
cp script.asm out
golden symbols-hwsq 'set1 #stop_memory' 'ewait #memory_stands 0x1' 'addr 0x100210	// refresh' '1 byte further: inside'
run 0 gpucode asm --symbols script.sym script.asm -o script.back
same script.bin script.back
run 2 gpucode asm script.asm -o script.without
holds err 'there is no flag #stop_memory'
run 0 gpucode run -t hwsq:g94 --symbols script.sym script.bin
holds out 'set1 stop_memory'
holds out 'write 100210 <= 00000005  refresh'
run 0 gpucode disasm -t hwsq:g94 -v --symbols script.sym script.bin
holds out 'pause:'
printf 'set1 #FB_PAUSE\newait #FB_PAUSED 1\ndata 0x6\naddr 0x100210\nset0 #FB_PAUSE\nexit\n' >other.txt
run 1 gpucode diff -t hwsq:g94 --symbols script.sym script.txt other.txt
holds out 'refresh'
printf 'set1 #FB_PAUSE\nexit\n' >paused.txt
printf '* 0 pause\n' >pause.sym
run 1 gpucode lint -t hwsq:g94 --symbols pause.sym paused.txt
holds out ': in pause+0x1: '

# --- A3XX
cat >shader.asm <<'END'
.target a3xx
mov.f32f32 r0.x, c0.x
(rpt5)nop
add.f r1.y, r0.x, c1.x
(rpt5)nop
cmps.f.gt p0.x, r1.y, c0.x
(rpt5)nop
br p0.x, #out
(rpt5)nop
mov.f32f32 r1.y, c1.x
out: end
END
cat >shader.sym <<'END'
* 2 scaled
* 9 done
reg r0.x uv
reg r1.y result
reg c1.x scale
END
run 0 gpucode asm shader.asm -o shader.bin
run 0 gpucode disasm -t a3xx --symbols shader.sym shader.bin -o shader.txt
cp shader.txt out
golden symbols-a3xx 'add.f r1.y, r0.x, c1.x	; r1.y = result, r0.x = uv, c1.x = scale' 'br p0.x, #done' 'scaled:'
run 0 gpucode asm shader.txt -o shader.back
same shader.bin shader.back
run 0 gpucode run -t a3xx --symbols shader.sym shader.bin --const scale=2.0 --print result,uv --trace instructions,registers
# 0 + 2 is above 0: the branch is taken, so that neither the nops after it nor the mov run; a nop with rpt5 takes six slots
golden symbols-a3xx-run 'r1.y = 0x40000000  2  result' 'p0.x = 0x00000001' 'ended in done after 8 instructions, 23 issue slots' \
    'r0.x   0x00000000                0            0  uv' 'at the start: c0.x [cli-not-given]'
lacks out 'mov.f32f32 r1.y'
printf 'mov.f32f32 r0.x, c0.x\nadd.f r1.y, r0.x, c1.x\nend\n' >hasty.asm
printf '* 1 hasty\n' >hasty.sym
run 1 gpucode lint --symbols hasty.sym -t a3xx hasty.asm
holds out 'error: in hasty: r0.x is read'
run 1 gpucode lint --json --symbols hasty.sym -t a3xx hasty.asm
holds out '"where": "hasty"'
# text of the code has the names; a source keeps its own lines
run 0 gpucode schedule --symbols shader.sym -t a3xx --form=text shader.bin
holds out '; r0.x = uv'

# --- recorded streams: names of registers and packets
cp "$root/tests/gpu/stream.asm" "$root"/examples/firmware/*.asm .
run 0 gpucode asm stream.asm -o stream.rd
printf 'reg RB_RENDER_CNTL render_control\npacket CP_REG_WRITE CP_POKE\n' >stream.sym
run 0 gpucode decode --symbols stream.sym stream.rd
holds out 'render_control = { CCUSINGLECACHELINESIZE'
holds out 'CP_POKE TRACKER='
run 0 gpucode replay --symbols stream.sym --firmware a6.fw stream.rd
holds out 'CP_POKE                      render_control = 0x10'

# --- what is wrong with a symbol file
cat >wrong.sym <<'END'
SQE 0x23
SQE twelve drain
SQE 0x23 2drain
SQE 0x23 drain too
reg $20 high
reg $02 rem
reg $02 ab
reg @NOTHING a
reg @MODE_BITMASK IB1_BASE
packet 200 CP_TOO_HIGH
packet 0x7b CP_NOP
flag 3 no_flags_here
reg $03 twice
reg $04 twice
= 1 K
= 2 K
@ 1 nowhere
END
run 2 gpucode disasm --symbols wrong.sym a6.fw
for line in 1:1:symbol-columns 2:5:symbol-number 3:10:symbol-name 4:16:symbol-columns 5:5:symbol-register 6:9:symbol-taken \
    7:9:symbol-taken 8:5:symbol-register 9:19:symbol-taken 10:8:symbol-register 11:13:symbol-taken 12:6:symbol-register \
    14:9:symbol-taken 16:5:duplicate 15:5:first-defined 17:5:symbol-place; do
    grep -q "^wrong.sym:${line%:*}: .*\[${line##*:}\]$" err || complain "wrong.sym: $line"
done
[ "$(grep -c error: err)" -eq 15 ] || complain 'wrong.sym: not an error a line'
golden symbols-wrong
cat >places.sym <<'END'
SQE 0x4000 far_away
XYZ 0x10 nowhere
SQE 0x23 CP_MEM_WRITE
SQE 0x23 drain
*   0x24 drain
*   0x25 mov
*   0x26 UNKN3
*   0x27 l12
END
run 2 gpucode disasm --symbols places.sym a6.fw
golden symbols-places 'places.sym:1:12: error:' 'has 0x359 units [symbol-outside]' "'XYZ' [symbol-section]" '[symbol-listing]' \
    "warning: 'mov' is also" 'places.sym:5:10: error:' 'places.sym:4:10: note: first defined here [first-defined]'
run 2 gpucode run --symbols places.sym a6.fw
lacks out idle
printf 'reg r0.x a\n* 90 b\n' >afuc.sym
run 2 gpucode disasm -t hwsq:g94 --symbols afuc.sym script.bin
holds err "hwsq:g94 has no register 'r0.x'"
printf '* 16 stop_memory\n* 900 entry1\n' >label.sym
run 2 gpucode disasm -t hwsq:g94 --symbols script.sym --symbols label.sym script.bin
holds err "'stop_memory' at 0x10 would mean something else"
run 2 gpucode disasm --symbols nowhere.sym a6.fw
holds err 'nowhere.sym: error: cannot open'
finish
