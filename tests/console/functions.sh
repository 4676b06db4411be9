#!/bin/sh
# SPDX-License-Identifier: MIT
# What the analysis tells the debugger: functions, all entries of a packet, where handlers end.
. "$2/support/setting.sh"
firmware="$root/examples/firmware"
run 0 gpucode asm "$firmware/a7xx.asm" -o a7xx.fw
run 0 gpucode asm "$firmware/a6xx.asm" -o a6xx.fw

# file command... : what the debugger says
debug()
{
    file=$1
    shift
    printf '%s\n' "$@" >commands.gdb
    run "${wanted_code:-0}" gpucode debug --batch -x commands.gdb "$file"
}

debug a7xx.fw 'info functions CP_WAIT_REG' 'info functions fxn'
grep -q '^BR:.*  CP_WAIT_REG_MEM  handler, depth 2$' out || complain "handler: $(cat out)"
grep -q '^BV:.*  routine, depth 1, from CP_WAIT_REG_MEM, CP_COND_WRITE5$' out || complain "routine: $(cat out)"

# after a stop a listing is around it, not where the last one ended
debug a7xx.fw list 'step 8' list
tail -n 10 out | sed -n 4p | grep -q '^=> ' || complain "a listing after a stop: $(cat out)"

# a packet has a handler in each section; a section's name picks one
debug a7xx.fw 'break CP_WAIT_FOR_ME' 'break LPAC:CP_WAIT_FOR_ME' 'packet CP_WAIT_FOR_ME' 'continue'
grep -c '^Breakpoint . at .*:.* <CP_WAIT_FOR_ME>$' out >count
[ "$(cat count)" = 4 ] || complain "breakpoints: $(cat out)"
for section in BR BV LPAC; do
    grep -q "^Breakpoint . at $section:" out || complain "no breakpoint in $section: $(cat out)"
done

# a routine is shown whole that has more instructions than are shown otherwise; with a count as many as that
{
    printf '[016ee001]\n[#jumptbl]\nCP_NOP:\n'
    yes 'add $02, $02, 0x1' | head -n 23
    printf 'waitin\nmov $01, $data\nCP_ME_INIT:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n'
} >long.asm
run 0 gpucode asm long.asm -o long.fw
debug long.fw 'disassemble CP_NOP'
[ "$(grep -c ':.add' out) $(grep -c CP_NOP out) $(grep -c CP_ME_INIT out)" = '23 25 0' ] || complain "not all of it: $(cat out)"
debug long.fw 'disassemble CP_NOP,+3'
[ "$(grep -c ':.add' out)" = 3 ] || complain "not three: $(cat out)"

# the mark is at the instruction that comes next, and not at the same place of another section
debug "$firmware/a7xx.asm" 'disassemble image, 2' 'disassemble BV:start, 2' 'goto 2' 'disassemble image, 3'
[ "$(grep -c '^=> 0x0000 <image>:' out)" = 1 ] || complain "no mark at the start: $(cat out)"
grep -q '^   0x0000 <start>:' out || complain "a mark in another section: $(cat out)"
[ "$(grep -c '^=> ' out) $(grep -c '^=> 0x0002 ' out)" = '2 1' ] || complain "marks: $(cat out)"

# a function whole, with what is known of it
debug a6xx.fw 'list CP_REG_RMW' 'disassemble/c CP_WAIT_FOR_ME'
holds out '<CP_REG_RMW>  handler, depth 1'
[ "$(grep -c 'waitin' out)" = 3 ] || complain "list: $(cat out)"
debug a6xx.fw 'list fxn35'
holds out '; |WFI_PEND_DECR; = 0x81000000'
debug a6xx.fw 'set comments off' 'disassemble/c fxn35' 'disassemble/r fxn35' 'disassemble fxn35'
[ "$(grep -c '= 0x81000000' out)" = 1 ] || complain "disassemble: $(cat out)"

# to the end of the handler, through its calls; a breakpoint on the way goes first
debug a6xx.fw 'break CP_WAIT_FOR_ME' 'packet CP_WAIT_FOR_ME' 'packet CP_NOP 1' 'continue' 'delete' 'until end'
tail -n 1 out | grep -q '=> 0x[0-9a-f]* <CP_WAIT_FOR_ME+0x2>:	waitin' || complain "until end: $(cat out)"
debug a6xx.fw 'break CP_WAIT_FOR_ME' 'tbreak fxn35' 'packet CP_WAIT_FOR_ME' 'continue' 'until end' 'until end'
holds out '<fxn35>'
tail -n 1 out | grep -q '<CP_WAIT_FOR_ME+0x2>:	waitin' || complain "until end: $(cat out)"
debug a6xx.fw 'break CP_WAIT_FOR_ME' 'packet CP_WAIT_FOR_ME' 'continue' 'until end' 'reverse-continue'
tail -n 1 out | grep -q '<CP_WAIT_FOR_ME>:' || complain "back: $(cat out)"

# a label of that name goes first; code without handlers
sed 's/rmw_source1:/end:/; s/#rmw_source1/#end/' "$firmware/registers.asm" >registers.asm
for one in "$firmware"/*.asm; do [ "${one##*/}" = registers.asm ] || cp "$one" .; done
debug a6xx.asm 'packet CP_REG_RMW 0x80000883 0 1' 'until end'
tail -n 1 out | grep -q '<end>' || complain "label: $(cat out)"
# of what the hardware interrupts with: to where it returns, not to where its routines do; none of them from a handler
sed 's/^IN_PREEMPT:/quiet:\n    ret\n    nop\n&\n    call #quiet\n    nop/' "$firmware/preempt.asm" >preempt.asm
debug preempt.asm 'packet CP_SET_PSEUDO_REG 0 0x300000 0' 'packet CP_CONTEXT_SWITCH_YIELD' 'packet CP_NOP 1' \
    'tbreak IN_PREEMPT' 'continue' 'until end' 'until end'
[ "$(sed -n 's/.*<\(.*\)>:\t\([a-z]*\).*/\1 \2/p' out | tail -n 2 | tr '\n' ,)" = 'preempt_end+0x1 iret,next_packet waitin,' ] ||
    complain "until end of an interruption: $(cat out)"
debug preempt.asm 'packet CP_SET_PSEUDO_REG 0 0x300000 0' 'packet CP_CONTEXT_SWITCH_YIELD' 'packet CP_NOP 1' \
    'tbreak CP_CONTEXT_SWITCH_YIELD' 'continue' 'until end' 'until end'
[ "$(grep -c '<next_packet>:.waitin' out)" = 2 ] || complain "until end across an interruption: $(cat out)"
printf '.target hwsq:nv41\nexit\n' >script.asm
wanted_code=2
debug script.asm 'until end'
holds err 'nothing is known of where handlers end in such code'
finish
