#!/bin/sh
# SPDX-License-Identifier: MIT
# HWSQ on the command line: both ways, run, lint, diff, extract.
. "$2/support/setting.sh"

cat >script.hwsq <<'END'
.target hwsq:g94
# pause, write, go on
	data 0x1; addr 0x100210
	wait 8us
	set1 #FB_PAUSE; ewait #FB_PAUSED 1
	wait ~20us
	addrlo 0x2dc
	set0 #FB_PAUSE; ewait #FB_PAUSED 0
	exit
.entry 1
	wait 1us; exit
END
run 0 gpucode asm script.hwsq -o script.bin
holds err 'note: ~20us became 32us (wait 0x2 shl 0x4) [hwsq-wait-rounded]'
run 0 gpucode disasm -t hwsq:0x94 script.bin -o back.hwsq
run 0 gpucode asm back.hwsq -o back.bin
same script.bin back.bin
run 2 gpucode disasm script.bin
holds err 'hwsq:nv17 hwsq:nv41 hwsq:nv50 hwsq:nv92'
run 0 gpucode disasm -t hwsq:g94 script.bin
cp out listing
holds listing 'addrlo 0x2dc	// PFB.RAMCHIP_CFG.SELF_REFRESH'
run 0 gpucode disasm -v -t hwsq:g94 script.bin
holds out '00000005: e0 10 02 10 00     addr 0x100210	// PFB.REFCTRL'

# every form comes back
for form in hex words c calls; do
    run 0 gpucode asm --form "$form" script.hwsq -o "form.$form"
    run 0 gpucode disasm --hex -t hwsq:g94 "form.$form"
    same out listing
    run 0 gpucode disasm --form="$form" -t hwsq:g94 script.bin
    same out "form.$form"
done
run 2 gpucode disasm --form=binary -t hwsq:g94 script.bin

# run: source, binary and hex do the same
cat >expected <<'END'
# units  ip  action
0	005	wr32 100210 00000001
8	00b	set1 16
8	00c	ewait 0 1
40	010	wr32 1002dc 00000001
40	013	set0 16
40	014	ewait 0 0
END
# flag 16 pauses memory where there is FB_PAUSE alone; set from the start, and released by a write to FLAGS, it counts too
printf '.target hwsq:nv17\nset1 16; wait 1us; exit\n' >early.hwsq
run 0 gpucode run early.hwsq
lacks out 'still is'
printf '.target hwsq:g94\nwait 3us; addr PBUS.HWSQ.FLAG_1; wait 1us; exit\n' >flags.hwsq
run 0 gpucode run --reg FB_PAUSE=3 flags.hwsq
holds out 'memory paused    3.072 us'
lacks out 'still is'
run 0 gpucode run --reg FB_PAUSE=3 --plot flags.svg flags.hwsq
holds flags.svg 'memory paused for 3.072 us'

run 0 gpucode run --trace=actions script.hwsq
same out expected
run 0 gpucode run --trace script.hwsq
same out expected
run 0 gpucode run --trace=actions -t hwsq:g94 script.bin
same out expected
run 0 gpucode run --trace=actions --hex -t hwsq:g94 form.hex
same out expected
run 0 gpucode run script.hwsq
# 8 us, 32 us and nothing else that takes time: 40 units of 32 clocks; 20 us is rounded up to 2 << 4
golden hwsq-run 'write 100210 <= 00000001' 'wait 32 us' 'after 10 opcodes and 1280 clocks' '40 units' 'register writes  2' '[hwsq-wait-rounded]'
run 0 gpucode run --entry 1 script.hwsq
holds out 'after 2 opcodes and 32 clocks, 1.024 us'
run 1 gpucode run --limit 2 script.hwsq
holds out 'after 2 opcodes'
holds err 'the limit of opcodes is reached'
run 2 gpucode run --limit two script.hwsq
holds err 'expected a number of opcodes'
run 0 gpucode run --policy hwsq-clock-ns=30 script.hwsq
holds out 'waits            40 units: nominally 40 us, 38.400 us at 30 ns per clock'
run 2 gpucode run --policy hwsq-nothing=1 script.hwsq
run 2 gpucode run --policy nothing script.hwsq
run 0 gpucode run --json --plot plot.svg script.hwsq
holds out '"stop": "hwsq-end"'
holds plot.svg 'PFB.RAMCHIP_CFG.SELF_REFRESH'
if command -v xmllint >/dev/null; then
    run 0 xmllint --noout plot.svg
fi
holds plot.svg 'data-clocks="1280"'
holds plot.svg '>+32.77 us<'
holds plot.svg '>40.96 us in all<'
lacks plot.svg 'l6 58M' # nothing is broken
# the trace has true times: 32 ns a clock, in microseconds
blank=hwsq-head0-vblank=16667us/500us
run 0 gpucode run --json --perfetto trace.json --policy $blank "$root/examples/hwsq/reclock.hwsq"
python3 - out trace.json <<'EOF' || complain 'the trace of a script is wrong'
import json
import sys

actions = [json.loads(line) for line in open(sys.argv[1])]
end = actions.pop()
events = [event for event in json.load(open(sys.argv[2]))["traceEvents"] if event["ph"] != "M"]
lanes = {"flag": "flags", "wait": "waits", "ewait": "events", "write": "writes"}
expected = [(lanes[action["action"]], action["text"], round(action["time_clocks"] * 0.032, 3))
            for action in actions if action["action"] in lanes]
pause = [event for event in events if event["cat"] == "memory paused"]
shown = [(event["cat"], event["name"], round(event["ts"], 3)) for event in events if event not in pause]
assert shown == expected, (shown, expected)
assert [round(event["dur"] / 0.032) for event in pause] == [end["paused_clocks"]], pause
waited = sum(event.get("dur", 0) for event in events if event["cat"] == "events")
assert round(waited / 0.032) == end["event_clocks"] > 0, (waited, end)
assert sum(round(event["dur"] / 1.024) for event in events if event["cat"] == "waits") == end["wait_units"]
EOF
run 1 gpucode run --limit 2 --perfetto trace.json script.hwsq
holds trace.json '"the limit of opcodes is reached", "cat": "faults"'
run 0 gpucode run --policy hwsq-head0-vblank=16667us/500us --plot plot.svg "$root/examples/hwsq/reclock.hwsq"
[ "$(grep -c 'l6 58M' plot.svg)" = 2 ] || complain 'the long waits of the plot are not broken'
holds plot.svg '>16.6 ms<'
holds plot.svg '>36.86 us</text>'
run 0 gpucode run --json script.hwsq
# `goto POSITION` of the debugger stands before the action
grep '"action"' out | sed 's/.*"position": \([0-9]*\), "pc": \([0-9]*\),.*/\1 \2/' >places
[ "$(wc -l <places)" -gt 3 ] || complain 'too few actions'
while read -r position pc; do
    printf 'goto %s\nprintf "pc %%d\\n", $pc\n' "$position" | gpucode debug script.hwsq >out 2>err
    holds out "pc $pc"
done <places

# what does not end is told, with exit code 1
printf 'ewait 1 1\nexit\n' >vblank.hwsq
run 1 gpucode run -t hwsq:g94 --policy hwsq-events=modelled vblank.hwsq
holds err 'event 1 never becomes 1'
run 0 gpucode run -t hwsq:g94 --policy hwsq-head0-vblank=1000us/10us/500us vblank.hwsq
holds out 'ewait HEAD0_VBLANK 1  (512.000 us)'
holds out 'worst of phases  1013.760 us'
# the worst case is that of all phases: these figures come from trying every one
printf 'ewait 1 0; wait 12us; wait 12us; ewait 1 1; exit\n' >later.hwsq
run 0 gpucode run --json -t hwsq:g84 --policy hwsq-head0-vblank=3001/505/100 later.hwsq
holds out '"worst_total_clocks": 3264'
holds out '"worst_exact": true'
printf 'ewait 1 0; ewait 1 1; set1 16; wait 1us; ewait 3 0; ewait 3 1; set0 16; ewait 1 0; ewait 1 1; wait 2us; ewait 3 1; exit\n' >heads.hwsq
run 0 gpucode run --json -t hwsq:g84 --policy hwsq-head0-vblank=1009/70 --policy hwsq-head1-vblank=97/5 \
    --policy hwsq-opcode-clocks=3 heads.hwsq
holds out '"worst_total_clocks": 2186'
holds out '"worst_paused_clocks": 138'
holds out '"worst_exact": true'
# not where other times have a part in it
run 0 gpucode run --json -t hwsq:g84 --policy hwsq-head0-vblank=3001/505 --policy hwsq-schedule=9:7=1 later.hwsq
holds out '"worst_exact": false'
printf 'set1 16; ewait 1 1; ewait 0 1; exit\n' >latency.hwsq
run 0 gpucode run -t hwsq:g84 --policy hwsq-head0-vblank=3001/505 --policy hwsq-pause-latency=400 latency.hwsq
holds out 'worst of phases  at least '
printf '.skip 68\n' >large.hwsq
run 2 gpucode asm -t hwsq:nv17 large.hwsq -o large.bin
absent large.bin
run 0 gpucode asm --oversize -t hwsq:nv17 large.hwsq -o large.bin
run 2 gpucode run -t hwsq:nv17 large.bin
run 1 gpucode run --oversize -t hwsq:nv17 large.bin
holds err 'the code RAM ends before'

# info
run 0 gpucode info --json -t hwsq:g94 script.bin
for text in '"format":"hwsq"' '"target":"hwsq:g94"' '"size_bytes":26' '"instructions":12' '"register_writes":2' '"wait_units":41'; do
    sed 's/": */":/g' out >packed
    holds packed "$text"
done
run 0 gpucode info -t hwsq:g94 script.bin
holds out 'writes        2 of registers, 2 of flags'

# lint
run 0 gpucode lint script.hwsq
run 1 gpucode lint -t hwsq:g94 script.bin
holds out 'hwsq-lint-unreached'
run 0 gpucode lint -t hwsq:g94 --entries 0,0x18 script.bin
run 1 gpucode lint -t hwsq:g94 vblank.hwsq
holds out 'vblank.hwsq:1:1: warning: the wait for VBLANK can end in the middle of a blank [hwsq-lint-mid-blank]'
run 1 gpucode lint --policy hwsq-pause-budget=4 script.hwsq
holds out 'hwsq-lint-pause-long'
run 2 gpucode lint --policy hwsq-pause=4 script.hwsq
holds err 'hwsq-pause-budget=1000'

# diff by effect: other opcodes, same effect; then a write less and a longer wait
sed 's/data 0x1; addr 0x100210/data 0x0; datalo 0x1; addr 0x100210/' script.hwsq >same.hwsq
run 0 gpucode diff script.hwsq same.hwsq
[ ! -s out ] || complain 'a difference without one'
sed -e '/addrlo/d' -e 's/wait 8us/wait 12us/' script.hwsq >other.hwsq
run 1 gpucode diff script.hwsq other.hwsq
golden hwsq-diff '8 us -> 12 us  set1 FB_PAUSE' 'write 1002dc <= 00000001' '40 us -> 44 us'
run 2 gpucode diff script.hwsq "$root/examples/firmware/a6xx.asm"
holds err 'cli-diff-sets'
run 1 gpucode diff --json script.hwsq other.hwsq
holds out '"difference": "removed"'

# extract
{
    echo 'VERSION 20070824'
    echo 'PCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 nouveau'
    echo 'R 4 1.5 1 0xd0000000 0x094000a2 0x0 0'
    echo 'W 4 1.6 1 0xd0080000 0x7fd00eb0 0x0 0'
    echo 'W 4 1.7 1 0xd000130c 0x1 0x0 0'
} >trace
run 0 gpucode extract trace
cp out found
holds found '//! target hwsq:g94'
holds found '// script 1: trace line 5, time 1.700000, entry point 0 at 0x000, started 1 time'
run 0 gpucode asm found -o found.bin
printf '\260\016\320\177' >wanted
same found.bin wanted
run 0 gpucode extract -o part trace
same part.1.hwsq found
# seconds may be whole
sed 's/ 1\.7 / 2 /' trace >seconds
run 0 gpucode extract seconds
holds out '// script 1: seconds line 5, time 2.000000, '
run 0 gpucode extract --json trace
holds out '"bytes": "b00ed07f"'
run 2 gpucode extract script.bin
# all of them or none: the second cannot be written
{
    cat trace
    echo 'W 4 1.8 1 0xd0080000 0x7fd00ec0 0x0 0'
    echo 'W 4 1.9 1 0xd000130c 0x1 0x0 0'
} >traces
run 0 gpucode extract -o two traces
[ -s two.2.hwsq ] || complain 'extract: there is no second script'
mkdir all.2.hwsq
run 2 gpucode extract -o all traces
holds err 'all.2.hwsq'
absent all.1.hwsq
[ -z "$(ls | grep 'all\.1')" ] || complain 'extract: a temporary file is left'
# what is wrong with a whole file says with which
head -c 700 /dev/zero >long.bin
run 2 gpucode run -t hwsq:g94 long.bin
holds err 'long.bin: error:'
holds err '[hwsq-script-large]'
run 2 gpucode extract -t afuc:a630 traces
holds err 'traces: error: code of afuc cannot be given to `extract` [cli-cannot]'
printf 'VERSION 20070824\n' >nothing
printf 'nouveau: hwsq took 12 us\nhwsq: script 12 done\nhwsq: 3f of 40 slots\n' >mention
run 1 gpucode extract -t hwsq:g92 mention
holds err 'there is no script in the file'
run 1 gpucode extract nothing

# a script that starts itself comes to an end, and to little text
cat >again.hwsq <<'END'
.target hwsq:nv41
data 0x3; addr 0x130c; exit
END
run 1 gpucode run again.hwsq
holds err 'the limit of opcodes is reached'
[ "$(wc -c <out)" -lt 8000000 ] || { echo 'the time line has no end'; exit 1; }
run 1 gpucode diff --limit 100 again.hwsq script.hwsq
run 1 gpucode run --limit 1000 --trace again.hwsq

# entry points of the source in ENTRY_POINT; own registers while memory is paused; all flags
cat >paused.hwsq <<'END'
.target hwsq:g84
set1 16; set1 1; set1 9; wait 1us; exit
.entry 2
exit
END
printf 'stepi 4\nx/2xw 0x1304\nx/1xw 0x1310\nx/1xw 0x1400\ninfo flags\n' >paused.gdb
run 0 gpucode debug --batch -x paused.gdb paused.hwsq
holds out '0x00050000'
holds out '0x02020202'
holds out '0x01a9a1b0'
holds out 'flag   9                        1 driven'
run 0 gpucode debug --batch --entry 2 -x paused.gdb paused.hwsq

# a VBIOS: its entry points are labels that `run` and `lint` know, one inside of an instruction is a comment
{
    printf '\125\252\377\177NV\0HWSQ\2\14'
    printf '\0\3\2\0\240\16\177\241\177\177\177\177'
    printf '\0\2\0\0\137\1\0\177\177\177\177\177'
} >video.rom
run 0 gpucode extract -o rom video.rom
holds rom.1.hwsq '// script 1: video.rom offset 0xd, entry 0 of the HWSQ table, ENTRY_POINT 0x00020300'
holds rom.1.hwsq 'entry1:'
holds rom.1.hwsq 'entry2:'
lacks rom.1.hwsq 'entry[03]'
run 0 gpucode extract -t hwsq:nv50 -o wide video.rom
holds wide.2.hwsq '// 2 bytes further: entry1'
run 0 gpucode lint rom.1.hwsq
run 0 gpucode run --entry 1 --trace rom.1.hwsq
holds out '003	set1 1'
run 0 gpucode asm rom.1.hwsq -o rom.bin
printf '\240\16\177\241\177\177\177\177' >wanted
same rom.bin wanted
run 0 gpucode extract --json video.rom
holds out '"entry_points": 131840'

# what a file is helps who does not know it, and nobody else
head -c 30 video.rom >short.rom
run 2 gpucode extract short.rom
holds err 'extract-table'
lacks err 'cli-file-kind'
run 2 gpucode extract -o nowhere/rom video.rom
holds err 'nowhere/rom.1.hwsq: error: cannot be written'
lacks err 'cli-file-kind'
printf '\125\252\0\0' >other.rom
run 2 gpucode extract other.rom
holds err 'extract-kind'
holds err 'the file is an option ROM'
lacks err 'takes the code out of it'
# flags and events with and without '#'
printf '.target hwsq:nv50\nset1 FB_PAUSE\newait fb_paused 1\nset0 #FB_PAUSE\nexit\n' >bare.hwsq
printf '.target hwsq:nv50\nset1 #FB_PAUSE\newait #FB_PAUSED 1\nset0 16\nexit\n' >marked.hwsq
run 0 gpucode asm bare.hwsq -o bare.bin
run 0 gpucode asm marked.hwsq -o marked.bin
same bare.bin marked.bin
printf '.target hwsq:nv50\n.equ FB_PAUSE, 3\nset1 FB_PAUSE\nexit\n' >own.hwsq
run 0 gpucode asm own.hwsq -o own.bin
run 0 gpucode disasm -t hwsq:nv50 own.bin
lacks out FB_PAUSE
printf '.target hwsq:nv50\nset1 FB_PAUS\n' >wrong.hwsq
run 2 gpucode asm wrong.hwsq -o none.bin
holds err 'did you mean FB_PAUSE?'
absent none.bin

# registers, flags and memory at the start
reclock=$root/examples/hwsq/reclock.hwsq
run 1 gpucode run "$reclock" --reg PBUS.DEBUG_6=0
holds err 'HWSQ_ENABLE is 0'
run 1 gpucode run "$reclock" --reg 0x1098=0
run 0 gpucode run "$reclock" --reg '#FB_PAUSE=3'
printf '\1\0\0\0' >one.bin
run 0 gpucode run "$reclock" --memory 0x1000=one.bin
for wrong in NOTHING=1 FB_PAUSE FB_PAUSE=x; do
    run 2 gpucode run "$reclock" --reg "$wrong"
done
run 2 gpucode run "$reclock" --memory 0x1000
echo 'p FB_PAUSE' >commands
run 0 gpucode debug "$reclock" --reg FB_PAUSE=3 --batch -x commands
holds out 'FB_PAUSE = 3'

# in sentences
run 0 gpucode explain "$reclock"
holds out '0x0    Waits for the beginning of the next vertical blank of head 0.'
holds out 'Stops memory access, and waits until it has stopped.'
holds out 'Puts memory into self refresh (PFB.RAMCHIP_CFG.SELF_REFRESH = 0x1).'
holds out 'Lets memory go on, which was stopped for 36.86 us, and waits until it runs.'
cat >pll.hwsq <<'TEXT'
.target hwsq:nv41
data 0x1402 // N 20, M 2
addr 0x4004
data 0x80010100
addr 0x4000
set1 FB_PAUSE
exit
TEXT
run 0 gpucode explain pll.hwsq
holds out 'Sets the core PLL to 135 MHz (a crystal of 27 MHz times 5).'
holds out 'memory is still stopped'
for wrong in '0x1400 0x80010100' '0x1402 0xc0010000'; do # a divisor of 0 of the first and of the second stage
    printf '.target hwsq:nv41\ndata %s\naddr 0x4004\ndata %s\naddr 0x4000\nexit\n' ${wrong% *} ${wrong#* } >pll0.hwsq
    run 0 gpucode explain pll0.hwsq
    holds out "0x5    Sets the core PLL's coefficients: N1 20, M1 $((${wrong% *} & 0xff)) (${wrong% *})."
    holds out "0xf    Turns the core PLL on, divided by 2 after it (${wrong#* })."
done
# both stages, and 2^3 after them: 27 * 20 / 2 * 3 / 2 / 8
printf '.target hwsq:nv41\ndata 0x3021402\naddr 0x4004\ndata 0xc0030000\naddr 0x4000\nexit\n' >pll2.hwsq
run 0 gpucode explain pll2.hwsq
holds out 'Sets the core PLL to 50.62 MHz (a crystal of 27 MHz times 1.875).'
printf '.target hwsq:g84\ndata 0x1402\naddr 0x400c\ndata 0x80010100\naddr 0x4008\nexit\n' >pll.hwsq
run 0 gpucode explain pll.hwsq --json
holds out 'Sets the memory PLL to 5 times its reference: 500 MHz where that is the 100 MHz of PCIe'
printf '.target hwsq:gt215\ndata 0x80010100\naddr 0x4000\nexit\n' >pll.hwsq
run 0 gpucode explain pll.hwsq
lacks out MHz
printf '.target hwsq:nv50\nset1 FB_PAUSE\newait 5 1\nexit\n' >never.hwsq
run 0 gpucode explain never.hwsq --policy hwsq-events=modelled
holds out 'Does not come to an end: '
run 0 gpucode explain -t hwsq:nv50 bare.bin
run 2 gpucode explain bare.bin
run 2 gpucode explain none.hwsq
run 2 gpucode explain "$root/examples/a3xx/early.asm"
holds err 'cli-cannot]'

# an instruction over the end of the code RAM: where it stops is a place in it
(head -c 127 /dev/zero && printf '\340') >over.bin
run 1 gpucode run -t hwsq:nv41 over.bin --json --limit 300 --policy hwsq-run-off=wrap --policy hwsq-enable=0
holds out '"pc": 4, "instructions": 128,'
finish
