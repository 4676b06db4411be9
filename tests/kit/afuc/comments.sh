#!/bin/sh
# SPDX-License-Identifier: MIT
# What the analysis knows in listings, traces and coverage; excerpts; calls.
. "$2/support/setting.sh"
firmware="$root/examples/firmware"

cat >small.asm <<'END'
.target afuc:a650
[016ee001]
[#jumptbl]
    mov $02, 0x3
    cwrite $00, [$02 + @IB1_BASE]
    mov $02, 0x50
    cwrite $00, [$02 + @IB1_BASE]
waiting:
    waitin
    mov $01, $data
CP_NOP:
    mov $03, 0x5000
    or $03, $03, 0x1
    mov $04, 0x2
    call #put
    cwrite $03, [$04 + 0x0b0]
    jump #waiting
    nop
CP_WAIT_FOR_ME:
    mov $addr, 0x883
    mov $data, $03
    mov $data, $04
    call #put
    mov $04, 0x3
    waitin
    mov $01, $data
put:
    cwrite $04, [$00 + 0x17f]
    ret
    nop
never:
    ret
    nop
jumptbl:
    .jumptbl
END
run 0 gpucode asm small.asm -o small.fw

# --- listings: as before but for comments and the labels that are one, and the same bytes
run 0 gpucode disasm --comments small.fw
cp out comments.asm
holds out 'cwrite $00, [$02 + @IB1_BASE]	; @IB1_BASE+0x3'
holds out 'cwrite $00, [$02 + @IB1_BASE]	; @PACKET_TABLE_WRITE_ADDR'
holds out 'or $03, $03, 0x1	; = 0x5001'
holds out 'mov $data, $03	; CP_SCRATCH[0].REG'
holds out 'mov $data, $04	; CP_SCRATCH[0x1].REG'
holds out '; from CP_NOP, CP_WAIT_FOR_ME'
run 0 gpucode asm comments.asm -o again.fw
same small.fw again.fw
run 0 gpucode disasm small.fw
strip() { sed 's/[\t ]*;.*//; /^$/d; /^[A-Za-z0-9_]*:$/d; /^\.unclaimed$/d' "$1"; }
strip comments.asm >stripped
strip out >plain
same plain stripped
# the packets of the handler that has most, by their numbers; the plain text has them as labels, by their names
holds comments.asm '.unclaimed	; '
tr -s '\n; ' ' ' <comments.asm | grep -q 'UNKN0 UNKN1 UNKN2 UNKN3 .*UNKN9 .*UNKN12 .*UNKN90 .*UNKN127 ' || complain 'not by numbers'
grep -q '^UNKN127:$' comments.asm && complain 'a gathered packet has a label too'
holds out 'UNKN127:'
lacks out '.unclaimed'
lacks out '; from'
for one in a6xx a7xx; do
    run 0 gpucode asm "$firmware/$one.asm" -o $one.fw
    run 0 gpucode disasm --comments $one.fw -o $one.txt
    run 0 gpucode asm $one.txt -o back.fw
    same $one.fw back.fw
    [ "$(grep -c '; from ' $one.txt)" -gt 4 ] || complain "$one: hardly any packets"
done

# --- excerpts
run 0 gpucode disasm --function put small.asm
holds out '; an excerpt of small.asm, not a program: put'
holds out 'cwrite $04, [$00 + @PRED_REG]'
lacks out 'CP_NOP'
lacks out 'jumptbl'
run 0 gpucode disasm --reachable-from CP_WAIT_FOR_ME small.asm
holds out 'mov $addr, 0x883'
holds out 'put:'
lacks out 'mov $03, 0x5000'
lacks out 'never:'
run 0 gpucode disasm --reachable-from CP_WAIT_FOR_ME --function CP_NOP --comments small.fw -o part.txt
holds part.txt '= 0x5001'
holds part.txt '; ...'
run 2 gpucode disasm --function nothing small.asm -o none.txt
holds err cli-place
absent none.txt
run 2 gpucode disasm --reachable-from put small.asm
holds err "small.asm: error: no packet with a handler here is called 'put' [cli-no-packet]"
run 2 gpucode disasm --comments --json small.fw
holds err cli-excerpt-form
printf '.target hwsq:nv41\nexit\n' >script.asm
gpucode asm script.asm -o script.bin
for command in 'disasm -t hwsq:nv41 script.bin' 'run script.asm' 'coverage script.asm'; do
    # shellcheck disable=SC2086
    run 2 gpucode $command --comments
    holds err '--comments: code of hwsq is not known to the analysis [cli-no-comments]'
done
run 2 gpucode disasm --function exit script.asm
holds err "there is no 'exit' here [cli-place]"

# --- traces, coverage
run 0 gpucode run --trace=instructions --comments --packet 'CP_WAIT_FOR_ME' a6xx.fw
holds out 'mov $addr, 0x81 << 24	; |WFI_PEND_DECR; = 0x81000000'
holds out 'fxn35:	; from CP_WAIT_FOR_ME, CP_WAIT_MEM_GTE, CP_REG_RMW, CP_REG_TEST and 5 more'
run 0 gpucode run --trace=instructions --packet 'CP_WAIT_FOR_ME' a6xx.fw
lacks out '; = 0x81000000'
lacks out '; from'
run 0 gpucode coverage --comments --packet 'CP_WAIT_FOR_ME' a6xx.fw
grep -q '100%  fxn35  from CP_WAIT_FOR_ME, CP_WAIT_MEM_GTE, CP_REG_RMW, CP_REG_TEST and 5 more$' out || complain "coverage: $(cat out)"
run 0 gpucode coverage --packet 'CP_WAIT_FOR_ME' a6xx.fw
lacks out 'from CP_'

# --- the debugger: wherever it shows code, unless told not to
cat >comments.gdb <<'END'
disassemble CP_WAIT_FOR_ME, +3
x/2i CP_NOP
set $pc = CP_NOP
stepi
info frame
set comments off
x/2i CP_NOP
stepi
info frame
disassemble/c CP_NOP, +2
set comments on
x/2i CP_NOP
END
run 0 gpucode debug --batch -x comments.gdb small.fw
cat >expected <<'END'
   0x000f <CP_WAIT_FOR_ME>:	mov $addr, 0x883	; CP_SCRATCH[0].REG
   0x0010 <CP_WAIT_FOR_ME+0x1>:	mov $data, $03	; CP_SCRATCH[0].REG
   0x0011 <CP_WAIT_FOR_ME+0x2>:	mov $data, $04	; CP_SCRATCH[0x1].REG
   0x0008 <CP_NOP>:	mov $03, 0x5000	; GMU_CM3_SYSRESET
   0x0009 <CP_NOP+0x1>:	or $03, $03, 0x1	; = 0x5001
=> 0x0009 <CP_NOP+0x1>:	or $03, $03, 0x1	; = 0x5001
#0  0x0009 <CP_NOP+0x1>
    from CP_NOP
   0x0008 <CP_NOP>:	mov $03, 0x5000	; GMU_CM3_SYSRESET
=> 0x0009 <CP_NOP+0x1>:	or $03, $03, 0x1
=> 0x000a <CP_NOP+0x2>:	mov $04, 0x2
#0  0x000a <CP_NOP+0x2>
   0x0008 <CP_NOP>:	mov $03, 0x5000	; GMU_CM3_SYSRESET
   0x0009 <CP_NOP+0x1>:	or $03, $03, 0x1	; = 0x5001
   0x0008 <CP_NOP>:	mov $03, 0x5000	; GMU_CM3_SYSRESET
   0x0009 <CP_NOP+0x1>:	or $03, $03, 0x1	; = 0x5001
END
same expected out
echo 'set comments maybe' >wrong.gdb
run 2 gpucode debug --batch -x wrong.gdb small.fw
holds err 'comments [on|off]'

# --- fields of control and pipe registers: in listings, traces, the debugger and the manual
cat >fields.asm <<'END'
.target afuc:a730
[01730001]
[#jumptbl]
    mov $02, 0x2 << 16
    or $02, $02, 0x9
    cwrite $02, [$00 + @PERFCNTR_CNTL]
    cwrite $00, [$00 + @PERFCNTR_CNTL]
    mov $addr, 0xea << 24
    mov $data, 0x19
    mov $addr, 0x883
    mov $data, 0x19
CP_NOP:
    waitin
    mov $01, $data
jumptbl:
    .jumptbl
END
run 0 gpucode asm fields.asm -o fields.fw
run 0 gpucode disasm --comments fields.fw
holds out '= 0x20009 { NUM_PREEMPTIONS = INCR | PREEMPTION_REACTION_DELAY = START | CONTEXT_DONE = START }'
grep -q '^cwrite $00, \[$00 + @PERFCNTR_CNTL\]$' out || complain 'a zero that stands there is explained'
grep -q '^mov $data, 0x19	; |EVENT_TS_CTRL { MEMSPACE = EXTERNAL_MEMORY | VALUE = ALWAYS_ON | IRQNO = 0x0 }$' out || complain 'a pipe register'
cp out fields.txt
run 0 gpucode asm fields.txt -o back.fw
same fields.fw back.fw
run 0 gpucode run fields.fw --trace=registers,boot
grep -q 'PERFCNTR_CNTL = 0x20009 { NUM_PREEMPTIONS = INCR | PREEMPTION_REACTION_DELAY = START | CONTEXT_DONE = START }$' out ||
    complain 'the trace has no fields'
grep -q '|EVENT_TS_CTRL = 0x19 { MEMSPACE = EXTERNAL_MEMORY | VALUE = ALWAYS_ON | IRQNO = 0x0 }$' out || complain 'the trace of a pipe register'
grep -q 'CP_SCRATCH.* = 0x19$' out || complain 'a register without fields'
run 0 gpucode run fields.fw --trace=registers,boot --json
holds out '"fields": "{ MEMSPACE = EXTERNAL_MEMORY | VALUE = ALWAYS_ON | IRQNO = 0x0 }"'
cat >fields.gdb <<'END'
continue
print @PERFCNTR_CNTL
print/x @PERFCNTR_CNTL
info registers @PERFCNTR_CNTL
set @PREEMPTION_TIMER_CNTL = 1
display @PREEMPTION_TIMER_CNTL
print @PERFCNTR_CNTL = 2
END
run 0 gpucode debug --batch -x fields.gdb fields.fw
holds out '@PERFCNTR_CNTL = 0'
holds out '1: @PREEMPTION_TIMER_CNTL = 1 { RUNNING }'
holds out '@PERFCNTR_CNTL = 2 = 2 { NUM_PREEMPTIONS = START }'
run 0 gpucode manual afuc '@PERFCNTR_CNTL=0x20009' -t a730
holds out '| `17:16` | CONTEXT_DONE | START |'
run 0 gpucode manual afuc EVENT_CMD -t a630
holds out '| `3:3` | CACHE_FLUSH_PEND_DECR | flag |'

# the one pipe register of a5xx that is known: its name where one asks for names, else the number, as the reference
printf '.target afuc:a530\n[005ff001]\n[00000000]\nmov $addr, |WAIT_MEM_WRITES << 24\nmov $data, 0x1\nwaitin\nmov $01, $data\n' >pipe.asm
run 0 gpucode asm pipe.asm -o pipe.fw
run 0 gpucode disasm pipe.fw
holds out 'mov $addr, 0xc4 << 24	; 0x0c4'
run 0 gpucode disasm --comments pipe.fw
holds out 'mov $data, 0x1	; |WAIT_MEM_WRITES'
run 0 gpucode run pipe.fw --trace=registers,boot
holds out '|WAIT_MEM_WRITES = 0x1'
if built_with expat; then
    printf '<database><domain name="A5XX_PIPE_REG" width="32"><reg32 offset="0xc5" name="OF_A_FILE"/></domain></database>' >pipe.xml
    sed 's/|WAIT_MEM_WRITES/0xc5/' pipe.asm >other.asm
    run 0 gpucode run other.asm --trace=registers,boot --registers pipe.xml
    holds out '|OF_A_FILE = 0x1'
fi

# --- calls
run 0 gpucode info --calls small.asm
holds out 'deepest: CP_NOP, 1 return address on the stack'
grep -q '^ *0x[0-9a-f]*  put  *routine  *0  *0  *2  from CP_NOP, CP_WAIT_FOR_ME$' out || complain "calls: $(cat out)"
grep -q '^ *0x[0-9a-f]*  CP_NOP  *handler  *1  *1  *0  by put$' out || complain "calls: $(cat out)"
run 0 gpucode info --calls --json small.asm
holds out '"name": "fxn22", "start_words": 22, "kind": "routine", "depth": 0, "calls": 0, "called": 2'
sed 's/^    ret/    call #put/' small.asm >endless.asm
run 0 gpucode info --calls endless.asm
holds out 'recurs: nothing bounds its depth'
run 0 gpucode info --calls script.asm
holds out 'start                      program       0      0       0'
finish
