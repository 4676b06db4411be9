; SPDX-License-Identifier: MIT
;
; A small command-processor firmware for Adreno a6xx, to read, run and change.
;
; The SQE is the processor that reads command streams. It knows nothing of graphics: it takes packets from a
; queue and turns them into writes of GPU registers. This file is such a program, written from the public
; manual of the instruction set alone. It boots, dispatches packets and implements the common ones; it was
; never run on a GPU. Where public notes do not say how the hardware is to be driven, the comment says
; "Choice:", and README.md lists every such choice together with what each packet does.
;
; How to read it:
;   $01         header of the packet being handled
;   $02 - $11   scratch, every handler may use them
;   $14         flags that live from packet to packet (see FLAGS)
;   $rem        words of the packet not yet read; also the counter of (rep)
;   $data       as a source: the next word of the command stream, and $rem falls by one
;               as a destination: the next GPU or pipe register, chosen by $addr or $usraddr
;   $addr       destination only: chooses a register, allowed to touch protected ones
;   $usraddr    destination only: the same for numbers that came from the user; CP_PROTECT is checked
;   $memdata    source only: the next word of the memory read that @MEM_READ_* started
;   $regdata    source only: the next word of the register read that @REG_READ_* started
;   [@NAME]     control register (cread, cwrite); [%NAME] register of the SQE itself (sread, swrite)
;
; Two rules to keep in mind. The instruction behind a branch, jump, call, ret or waitin is its delay slot: it
; runs in any case, before the jump takes effect. And a handler must read exactly its payload: one word more
; or less, and the next word of the stream is taken for a header.

; The first word names the chip (6ee: a630) and the version (001). The second tells where the packet table
; begins. Both are nops with a payload, so that the processor, which starts here, runs over them.
[016ee001]
[#jumptbl]

; FLAGS: bits of $14. All but b0 stand where the manual says that firmware keeps them.
;   b0        a draw-state group changed since the groups last ran (ours)
;   b7, b12   cleared by CP_SET_MARKER for 2D blits, set by nobody here
;   b8, b9    CP_SKIP_IB2_ENABLE_LOCAL, CP_SKIP_IB2_ENABLE_GLOBAL
;   b11, b21  CP_SET_VISIBILITY_OVERRIDE
;   b15       CP_SET_MARKER saw GMEM rendering
;   b29, b30  CP_SET_MODE

; Bits of @MODE_BITMASK, in the order of the mode bits of a draw-state header.
.equ MODE_BINNING, 0x1
.equ MODE_GMEM, 0x2
.equ MODE_SYSMEM, 0x4

; Pipe registers: the top byte of $addr selects one. They keep their place in the order of register writes.
; The first three take no data; selecting them is enough.
.equ WAIT_FOR_IDLE, 0x80
.equ WFI_PEND_DECR, 0x81
.equ WAIT_MEM_WRITES, 0x84
.equ NRT_ADDR, 0xa0
.equ EVENT_CMD, 0xe7
.equ EVENT_TS_CTRL, 0xea

; EVENT_CMD: what to start.
.equ START_EVENT, 0x1
.equ START_DRAW, 0x2
.equ START_DISPATCH, 0x3

; GPU registers.
.equ CP_SQE_INSTR_BASE, 0x830
.equ CP_ALWAYS_ON_COUNTER, 0x980
.equ VSC_SIZE_BASE, 0xc03
.equ VSC_PIPE_DATA_PRIM_BASE, 0xc30
.equ VSC_PIPE_DATA_DRAW_BASE, 0xc34
.equ PC_EVENT_INITIATOR, 0x9842
.equ PC_MARKER, 0x9880
.equ PC_DMA_BASE, 0x9e04        ; then PC_DMA_OFFSET and PC_DMA_SIZE
.equ PC_DRAWCALL_CNTL, 0x9e0b   ; then PC_DRAWCALL_INSTANCE_NUM and PC_DRAWCALL_SIZE
.equ PC_VIS_STREAM_CNTL, 0x9e11 ; then PC_PVIS_STREAM_BIN_BASE and PC_DVIS_STREAM_BIN_BASE
.equ SP_CS_KERNEL_GROUP_X, 0xb999 ; then _Y and _Z

; Places in the private scratch of control registers, 0x100 to 0x17f.
.equ BELOW_SCRATCH, 0x16f       ; one below @SCRATCH_REG0: pre-increment (!) adds one before each access
.equ STATE_LOADS, 0x140         ; ours: count of state loads, then the three words of the last one

; Starts a memory read; the words then come out of $memdata, one with every read of it.
.macro read_memory low, high, dwords
    cwrite \low, [$00 + @MEM_READ_ADDR]
    cwrite \high, [$00 + @MEM_READ_ADDR+0x1]
    cwrite \dwords, [$00 + @MEM_READ_DWORDS]
.endm

; Starts a register read; the words then come out of $regdata.
.macro read_registers first, count
    cwrite \first, [$00 + @REG_READ_ADDR]
    cwrite \count, [$00 + @REG_READ_DWORDS]
.endm

;----------------------------------------------------------------------------------------------------------
; Boot
;----------------------------------------------------------------------------------------------------------

boot:
    ; Where did the driver put this image? GPU register CP_SQE_INSTR_BASE knows: 64 bits, two reads.
    mov $02, CP_SQE_INSTR_BASE
    mov $03, 0x2
    read_registers $02, $03
    mov $02, $regdata
    mov $03, $regdata

    ; Our own second word holds the offset of the packet table. `load` is slow, but for one word it will do.
    ; It takes the upper half of its address from a control register.
    cwrite $03, [$00 + @LOAD_STORE_HI]
    load $04, [$02 + 0x4]
    shl $04, $04, 0x8           ; the top byte is the opcode of nop: out with it
    ushr $04, $04, 0x6          ; back by 8, and up by 2 because there are four bytes to a word
    add $02, $02, $04
    addhi $03, $03, 0x0         ; `add` left its carry for us

    ; Hand the 128 entries to the hardware that serves `waitin`. (rep) repeats its instruction until $rem is
    ; zero, and takes one off $rem every time.
    mov $rem, 0x80
    read_memory $02, $03, $rem
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    (rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]

    ; The place to go when another context wants the GPU. A label is a number like any other.
    mov $02, #IN_PREEMPT
    swrite $02, [$00 + %PREEMPT_INSTR]

    ; Clear the private scratch. With `!` the address is stored back to $02, so that it walks through 0x100,
    ; 0x101 and so on.
    mov $02, 0xff
    mov $rem, 0x80
    (rep)cwrite $00, [$02 + 0x1]!

    ; No jump: boot falls into the handler below and from there into `waitin`. It finds $rem at zero, and a
    ; (rep) with $rem at zero does nothing, not even read its source.

; CP_ME_INIT: the first packet a driver sends. The payload configures features that we do not have.
CP_ME_INIT:
    mov $14, 0x0
    mov $02, MODE_SYSMEM
    cwrite $02, [$00 + @MODE_BITMASK]
    cwrite $00, [$00 + @PRED_REG]

    ; CP_NOP throws its payload away: a move to $00 goes nowhere. Handlers that do not care for the rest of
    ; their payload jump here.
CP_NOP:
skip_payload:
    (rep)mov $00, $data

    ; How every handler ends. `waitin` waits for a header, looks at it and jumps to its handler, with $rem
    ; holding the payload's length. It does not remove the header from the queue; its delay slot does.
    waitin
    mov $01, $data

; Hardware comes here when PREEMPT_TRIGGER is set. A real firmware would save the context and load another one.
; We have only one: take the request back and go on. Nothing but $00 may be used, for we do not know whom we
; interrupted.
IN_PREEMPT:
    cwrite $00, [$00 + @PREEMPT_TRIGGER]
    iret
    nop

;----------------------------------------------------------------------------------------------------------
; Subroutines. `call` pushes the return address onto a stack of eight, `ret` pops it.
;----------------------------------------------------------------------------------------------------------

; drain: wait until all register writes so far have arrived. Reads overtake writes on a6xx, so this stands before
; every read of a register that the stream may have written. Uses $11.
;
; The counter goes up at once. The pipe register that takes it down waits its turn behind the earlier writes.
drain:
    mov $11, 0x1
    cwrite $11, [$00 + @WFI_PEND_INCR]
    mov $addr, WFI_PEND_DECR << 24
drain_poll:
    cread $11, [$00 + @WFI_PEND_CTR]
    brne $11, 0x0, #drain_poll
    nop
    ret
    nop

; register_value: $10 = value of GPU register $10. Uses $11.
register_value:
    and $10, $10, 0xffff
    mov $11, 0x1
    read_registers $10, $11
    ret
    mov $10, $regdata           ; a delay slot is a fine place for the last instruction

; open_memory: the following writes to $data go to memory, from address $03:$02 on. Changes $02.
;
; The two low bits of NRT_ADDR are flags, so they are shifted out. Bit 18 of $addr keeps the register number from
; stepping: each word goes to NRT_DATA again, while the memory address steps by itself.
open_memory:
    mov $addr, NRT_ADDR << 24
    ushr $02, $02, 0x2
    shl $data, $02, 0x2
    mov $data, $03              ; lands in NRT_ADDR+1, for here the number did step
    ret
    mov $addr, 0xa204 << 16     ; NRT_DATA, with bit 18

; condition: fetch a value and compare it. In: $04 first word of CP_COND_WRITE5 or CP_WAIT_REG_MEM, $06:$05 address,
; $07 reference, $08 mask. Out: $10 = 1 if the condition holds. Uses $0e, $0f, $11.
condition:
    breq $04, b5, #condition_scratch
    mov $11, 0x1
    breq $04, b4, #condition_memory
    nop
    call #drain
    nop
    call #register_value
    mov $10, $05
    jump #condition_compare
    nop
condition_memory:
    read_memory $05, $06, $11
    jump #condition_compare
    mov $10, $memdata
condition_scratch:
    and $11, $05, 0x7
    cread $10, [$11 + @SCRATCH_REG0]
condition_compare:
    and $10, $10, $08
    mov $0e, $07
    brne $04, b3, #condition_unsigned
    mov $0f, 0x8000 << 16
    xor $10, $10, $0f           ; `cmp` is unsigned; with the sign bits turned over it orders signed numbers
    xor $0e, $0e, $0f
condition_unsigned:
    ; `cmp` answers 0x2b (equal), 0x1e (less) or 0 (greater): bit 0 means equal, bit 2 means less. For each answer
    ; there is a byte with one bit per comparison function, 0 to 7: always < <= == != >= > and always again.
    ; Every delay slot loads one; the first branch taken keeps what its slot loaded.
    cmp $11, $10, $0e
    breq $11, b0, #condition_known
    mov $10, 0xad               ; equal: always <= == >=
    breq $11, b2, #condition_known
    mov $10, 0x97               ; less: always < <= !=
    mov $10, 0xf1               ; greater: always != >= >
condition_known:
    and $0f, $04, 0x7
    ushr $10, $10, $0f
    ret
    and $10, $10, 0x1

;----------------------------------------------------------------------------------------------------------
; Register writes
;----------------------------------------------------------------------------------------------------------

; Type-4 packet: the header holds the first register, the payload goes into it and those behind it.
; (xmov1) adds a second move to the first where there is a word left for it: two registers at a time.
PKT4:
    ushr $02, $01, 0x8
    and $usraddr, $02, 0xffff   ; nothing above: higher bits of $usraddr would select a pipe register
    (rep)(xmov1)mov $data, $data
    waitin
    mov $01, $data

; CP_CONTEXT_REG_BUNCH: pairs of register and value. (xmov3) was made for this packet. It adds the moves
;   $data = $data, $usraddr = $data, $data = $data
; so that one instruction takes two pairs; with one pair left it adds the first only.
CP_CONTEXT_REG_BUNCH:
    (rep)(xmov3)mov $usraddr, $data
    waitin
    mov $01, $data

; CP_REG_WRITE: tracker, register, value. The tracker tells the firmware which register it is, for bookkeeping
; that is not public. Choice: write the register and leave it at that.
CP_REG_WRITE:
    mov $00, $data
    and $usraddr, $data, 0xffff
    (rep)mov $data, $data
    waitin
    mov $01, $data

; CP_REG_RMW: t = rotate_left(register & source 0, ROTATE); register = t | source 1, or t + source 1.
; Either source is a number or the number of a register.
CP_REG_RMW:
    mov $02, $data              ; REG 0-17, ROTATE 24-28, b29 add, b30 and b31: source 1 and 0 are registers
    mov $03, $data
    call #drain
    mov $04, $data
    brne $02, b31, #rmw_source1
    nop
    call #register_value
    mov $10, $03
    mov $03, $10
rmw_source1:
    brne $02, b30, #rmw_modify
    nop
    call #register_value
    mov $10, $04
    mov $04, $10
rmw_modify:
    call #register_value
    mov $10, $02
    and $10, $10, $03
    ushr $05, $02, 0x18
    and $05, $05, 0x1f
    rot $10, $10, $05
    breq $02, b29, #rmw_add
    and $usraddr, $02, 0xffff
    or $data, $10, $04
    waitin
    mov $01, $data
rmw_add:
    add $data, $10, $04
    waitin
    mov $01, $data

;----------------------------------------------------------------------------------------------------------
; Moving words between stream, memory, registers and scratch
;----------------------------------------------------------------------------------------------------------

; CP_MEM_WRITE: address, then the words to store.
CP_MEM_WRITE:
    mov $02, $data
    call #open_memory
    mov $03, $data              ; the delay slot runs before the subroutine
    (rep)(xmov1)mov $data, $data
    waitin
    mov $01, $data

; CP_REG_TO_MEM: store CNT registers (none means one). With b31 they are added to what is there, with b30 as
; 64-bit numbers. Choice: CNT counts words in either case, and 64 bits round it up to even.
CP_REG_TO_MEM:
    mov $04, $data              ; REG 0-17, CNT 18-29, b30 64 bits, b31 accumulate
    mov $02, $data
    call #drain
    mov $03, $data
    ushr $05, $04, 0x12
    and $05, $05, 0xfff
    brne $04, b30, #rtm_counted
    max $05, $05, 0x1
    add $05, $05, 0x1
    and $05, $05, 0x1ffe
rtm_counted:
    and $06, $04, 0xffff
    read_registers $06, $05
    breq $04, b31, #rtm_accumulate
    nop
    call #open_memory
    mov $rem, $05
    (rep)mov $data, $regdata
    waitin
    mov $01, $data
rtm_accumulate:
    read_memory $02, $03, $05
    call #open_memory
    nop
    breq $04, b30, #rtm_add64
    nop
    mov $rem, $05
    (rep)add $data, $memdata, $regdata  ; three queues at work in one instruction
    waitin
    mov $01, $data
rtm_add64:
    add $data, $memdata, $regdata
    addhi $data, $memdata, $regdata
    sub $05, $05, 0x2           ; not between the two: `sub` changes the carry as well
    brne $05, 0x0, #rtm_add64
    nop
    waitin
    mov $01, $data

; CP_MEM_TO_REG: load CNT registers (none means one). Choice: SHIFT_BY_2 (b30) shifts each value left.
CP_MEM_TO_REG:
    mov $04, $data              ; REG 0-17, CNT 19-29
    mov $02, $data
    mov $03, $data
    ushr $05, $04, 0x13
    and $05, $05, 0x7ff
    max $05, $05, 0x1
    read_memory $02, $03, $05
    and $usraddr, $04, 0xffff
    breq $04, b30, #mtr_shift
    mov $rem, $05
    (rep)mov $data, $memdata
    waitin
    mov $01, $data
mtr_shift:
    (rep)shl $data, $memdata, 0x2
    waitin
    mov $01, $data

; CP_MEM_TO_MEM: destination = +-A +-B +-C. The length of the packet tells how many sources there are.
CP_MEM_TO_MEM:
    mov $04, $data              ; b0-b2 negate A, B, C; b29 64 bits; b30 wait for memory writes first
    mov $02, $data
    mov $03, $data
    brne $04, b30, #mtm_begin
    mov $0c, $04                ; the sign bits move down as the sources are used up
    mov $addr, WAIT_MEM_WRITES << 24
mtm_begin:
    mov $06, 0x0                ; $07:$06 is the sum
    mov $07, 0x0
    brne $04, b29, #mtm_source
    mov $05, 0x1
    mov $05, 0x2
mtm_source:
    breq $rem, 0x0, #mtm_store
    nop
    mov $08, $data
    mov $09, $data
    read_memory $08, $09, $05
    mov $0a, $memdata
    brne $04, b29, #mtm_sign
    mov $0b, 0x0
    mov $0b, $memdata
mtm_sign:
    breq $0c, b0, #mtm_subtract
    ushr $0c, $0c, 0x1          ; safe in the delay slot: the branch has looked at $0c already
    add $06, $06, $0a
    jump #mtm_source
    addhi $07, $07, $0b
mtm_subtract:
    sub $06, $06, $0a
    jump #mtm_source
    subhi $07, $07, $0b
mtm_store:
    call #open_memory
    nop
    brne $04, b29, #mtm_end
    mov $data, $06
    mov $data, $07
mtm_end:
    waitin
    mov $01, $data

; CP_MEMCPY: count of words, source, destination.
CP_MEMCPY:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    read_memory $05, $06, $04
    mov $02, $data
    call #open_memory
    mov $03, $data
    mov $rem, $04
    (rep)mov $data, $memdata
    waitin
    mov $01, $data

; CP_SCRATCH_WRITE: words for @SCRATCH_REG0 to 7, from the one named in bits 20-22 on. Words too many are dropped.
CP_SCRATCH_WRITE:
    ushr $02, $data, 0x14
    and $02, $02, 0x7
    mov $03, 0x8
    sub $03, $03, $02           ; registers up to the end
    min $03, $03, $rem
    sub $04, $rem, $03          ; words too many
    add $02, $02, BELOW_SCRATCH
    mov $rem, $03
    (rep)cwrite $data, [$02 + 0x1]!
    jump #skip_payload
    mov $rem, $04

; CP_REG_TO_SCRATCH: REG 0-17, SCRATCH 20-22, CNT 24-26 (none means one). Scratch behind the last register is free.
CP_REG_TO_SCRATCH:
    call #drain
    mov $02, $data
    and $03, $02, 0xffff
    ushr $04, $02, 0x14
    and $04, $04, 0x7
    add $04, $04, BELOW_SCRATCH
    ushr $05, $02, 0x18
    and $05, $05, 0x7
    max $05, $05, 0x1
    read_registers $03, $05
    mov $rem, $05
    (rep)cwrite $regdata, [$04 + 0x1]!
    waitin
    mov $01, $data

; CP_SCRATCH_TO_REG: the way back.
CP_SCRATCH_TO_REG:
    mov $02, $data
    and $usraddr, $02, 0xffff
    ushr $04, $02, 0x14
    and $04, $04, 0x7
    add $04, $04, BELOW_SCRATCH
    ushr $05, $02, 0x18
    and $05, $05, 0x7
    max $rem, $05, 0x1
    (rep)cread $data, [$04 + 0x1]!
    waitin
    mov $01, $data

;----------------------------------------------------------------------------------------------------------
; Conditions
;----------------------------------------------------------------------------------------------------------

; CP_REG_TEST: copy a bit of a register into a bit of the predicate; or, with b31, set predicate bits directly.
CP_REG_TEST:
    mov $02, $data              ; REG 0-17, BIT 20-24, b25 do not wait, PRED_BIT 26-30, b31 PRED_UPDATE
    breq $02, b31, #predicate_update
    nop
    breq $02, b25, #test_register
    nop
    call #drain
    nop
test_register:
    call #register_value
    mov $10, $02
    ushr $03, $02, 0x14
    and $03, $03, 0x1f
    ushr $10, $10, $03
    and $10, $10, 0x1
    ushr $03, $02, 0x1a
    and $03, $03, 0x1f
    mov $05, 0x1
    shl $05, $05, $03           ; which bit
    jump #predicate_set
    shl $06, $10, $03           ; and its value
predicate_update:
    mov $05, $data              ; mask
    mov $06, $data              ; value
    and $06, $06, $05
predicate_set:
    cread $07, [$00 + @PRED_REG]
    not $05, $05
    and $07, $07, $05
    or $07, $07, $06
    cwrite $07, [$00 + @PRED_REG]
    jump #skip_payload
    nop

; CP_COND_REG_EXEC: run the next words of the stream, or skip them.
CP_COND_REG_EXEC:
    mov $02, $data              ; MODE 28-31 and what it needs
    ushr $03, $02, 0x1c
    mov $04, $data              ; words to skip; with REG_COMPARE the second register
    ; A switch. Branches may stand in delay slots as long as no two of them are taken together.
    breq $03, 0x1, #exec_predicate
    breq $03, 0x2, #exec_compare
    breq $03, 0x3, #exec_mode
    nop
    jump #skip_payload          ; no such mode on a6xx. Choice: run the words
    nop
exec_predicate:
    cread $05, [$00 + @PRED_REG]
    ushr $03, $02, 0x12
    and $03, $03, 0x1f
    ushr $05, $05, $03
    breq $05, b0, #skip_payload ; two-way branch: the second one is the first one's delay slot
    brne $05, b0, #exec_skip
    nop
exec_mode:
    cread $05, [$00 + @MODE_BITMASK]
    ushr $03, $02, 0x19         ; BINNING, GMEM, SYSMEM: in the order of the mode bits
    and $05, $05, $03
    and $05, $05, 0x7
    brne $05, 0x0, #skip_payload
    breq $05, 0x0, #exec_skip
    nop
exec_compare:                   ; choice: run them if register 0 is less, unsigned
    call #drain
    mov $05, $data
    call #register_value
    mov $10, $02
    mov $06, $10
    call #register_value
    mov $10, $04
    cmp $06, $06, $10
    breq $06, b2, #skip_payload
    mov $04, $05
exec_skip:
    shl $04, $04, 0x8           ; the count has 24 bits
    jump #skip_payload          ; the skipped words are a payload like any other
    ushr $rem, $04, 0x8

; CP_COND_WRITE5: if the condition holds, write a word to memory (b8) or to a register.
CP_COND_WRITE5:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    mov $08, $data
    mov $02, $data
    mov $03, $data
    call #condition
    mov $09, $data
    brne $10, b0, #write5_end
    nop
    breq $04, b8, #write5_memory
    nop
    and $usraddr, $02, 0xffff
    mov $data, $09
write5_end:
    waitin
    mov $01, $data
write5_memory:
    call #open_memory
    nop
    mov $data, $09
    waitin
    mov $01, $data

; CP_WAIT_REG_MEM: wait until the condition holds, with a pause between two looks.
CP_WAIT_REG_MEM:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    mov $08, $data
    mov $09, $data              ; length of the pause
wait_condition:
    call #condition
    nop
    breq $10, b0, #wait_end
    nop
    mov $rem, $09
    (rep)mov $00, $00           ; nothing, $09 times
    jump #wait_condition
    nop
wait_end:
    waitin
    mov $01, $data

; CP_WAIT_MEM_GTE: the same for one case: memory, signed, >=.
CP_WAIT_MEM_GTE:
    mov $00, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    not $08, $00
    mov $04, 0x1d               ; function 5 (>=), b3 signed, b4 memory
    jump #wait_condition
    mov $09, 0x10

;----------------------------------------------------------------------------------------------------------
; Synchronisation and events
;----------------------------------------------------------------------------------------------------------

; CP_WAIT_FOR_IDLE: what follows starts when the GPU is idle. We do not stop: the pipe does, when it gets there.
CP_WAIT_FOR_IDLE:
    mov $addr, WAIT_FOR_IDLE << 24
    waitin
    mov $01, $data

; CP_WAIT_FOR_ME: here we do stop, until the pipe has caught up with us.
CP_WAIT_FOR_ME:
    call #drain
    nop
    waitin
    mov $01, $data

; CP_WAIT_MEM_WRITES: what follows sees all memory writes so far.
CP_WAIT_MEM_WRITES:
    mov $addr, WAIT_MEM_WRITES << 24
    waitin
    mov $01, $data

; CP_EVENT_WRITE: raise an event; if there is an address, write a fence behind it: the word given or, with b30, the
; 64-bit counter. b31 asks for an interrupt. Choices: the event number goes to PC_EVENT_INITIATOR, and the fence is an
; ordinary memory write behind a wait for idle, which makes it late rather than early.
CP_EVENT_WRITE:
    mov $04, $data
    mov $addr, PC_EVENT_INITIATOR
    and $data, $04, 0xff
    mov $addr, EVENT_CMD << 24
    mov $data, START_EVENT
    cmp $05, $rem, 0x3
    breq $05, b2, #event_interrupt  ; no address
    nop
    mov $addr, WAIT_FOR_IDLE << 24
    mov $02, $data
    call #open_memory
    mov $03, $data
    breq $04, b30, #event_counter
    mov $05, $data
    mov $data, $05
event_interrupt:
    brne $04, b31, #skip_payload
    nop
    mov $addr, EVENT_TS_CTRL << 24
    mov $data, 0x4              ; b2: interrupt
    jump #skip_payload
    nop
event_counter:
    mov $05, CP_ALWAYS_ON_COUNTER
    mov $06, 0x2
    read_registers $05, $06
    mov $data, $regdata
    jump #event_interrupt
    mov $data, $regdata

; Draw state, draws, dispatches and state loads have a file of their own.
.include "a6xx-draw.asm"

;----------------------------------------------------------------------------------------------------------
; Modes
;----------------------------------------------------------------------------------------------------------

; CP_SET_MARKER: what the following commands are for. Choice: which marker means which render mode.
CP_SET_MARKER:
    mov $02, $data              ; MODE 0-3; b8: a power setting instead, which we have not
    breq $02, b8, #skip_payload
    and $03, $02, 0xf
    mov $addr, PC_MARKER
    mov $data, $02
    breq $03, 0x1, #marker_mode ; DIRECT_RENDER
    mov $04, MODE_SYSMEM
    breq $03, 0x2, #marker_mode ; BIN_VISIBILITY
    mov $04, MODE_BINNING
    breq $03, 0x3, #marker_gmem ; BIN_DIRECT
    breq $03, 0x4, #marker_gmem ; BIN_RENDER_START
    breq $03, 0xc, #marker_blit ; BLIT2DSCALE
    nop
    jump #skip_payload          ; the others leave the mode alone
    nop
marker_gmem:
    mov $04, MODE_GMEM
    setbit $14, $14, b15
marker_mode:
    cwrite $04, [$00 + @MODE_BITMASK]
    jump #skip_payload
    setbit $14, $14, b0         ; other draw-state groups count now
marker_blit:
    clrbit $14, $14, b15
    clrbit $14, $14, b12
    jump #skip_payload
    clrbit $14, $14, b7

; CP_SET_MODE: two bits for b29 and b30.
CP_SET_MODE:
    and $02, $data, 0x3
    shl $02, $02, 0x1d
    clrbit $14, $14, b29
    clrbit $14, $14, b30
    or $14, $14, $02
    waitin
    mov $01, $data

; CP_SET_VISIBILITY_OVERRIDE: 1 = draw everything, whatever the visibility stream says.
CP_SET_VISIBILITY_OVERRIDE:
    and $02, $data, 0x1
    shl $03, $02, 0xb
    shl $02, $02, 0x15
    or $02, $02, $03
    clrbit $14, $14, b11
    clrbit $14, $14, b21
    or $14, $14, $02
    waitin
    mov $01, $data

CP_SKIP_IB2_ENABLE_LOCAL:
    and $02, $data, 0x1
    shl $02, $02, 0x8
    clrbit $14, $14, b8
    or $14, $14, $02
    waitin
    mov $01, $data

CP_SKIP_IB2_ENABLE_GLOBAL:
    and $02, $data, 0x1
    shl $02, $02, 0x9
    clrbit $14, $14, b9
    or $14, $14, $02
    waitin
    mov $01, $data

; CP_SET_PSEUDO_REG: triples of number and 64-bit value, for registers that have no number of their own.
CP_SET_PSEUDO_REG:
    ushr $02, $rem, 0x1
    breq $02, 0x0, #skip_payload    ; fewer than two words are left
    nop
    and $02, $data, 0x7ff
    mov $03, $data
    cmp $05, $02, 0x5
    breq $05, b2, #pseudo_save
    mov $04, $data
    breq $02, 0x8, #pseudo_gpu
    mov $05, VSC_PIPE_DATA_DRAW_BASE
    breq $02, 0x9, #pseudo_gpu
    mov $05, VSC_SIZE_BASE
    brne $02, 0xa, #CP_SET_PSEUDO_REG
    mov $05, VSC_PIPE_DATA_PRIM_BASE
pseudo_gpu:
    mov $addr, $05
    mov $data, $03
    jump #CP_SET_PSEUDO_REG
    mov $data, $04
pseudo_save:                    ; 0 to 4: the save records of preemption, two words each
    shl $02, $02, 0x1
    cwrite $03, [$02 + @SAVE_REGISTER_SMMU_INFO]
    jump #CP_SET_PSEUDO_REG
    cwrite $04, [$02 + @SAVE_REGISTER_SMMU_INFO+0x1]

;----------------------------------------------------------------------------------------------------------
; Indirect buffers
;----------------------------------------------------------------------------------------------------------

; CP_INDIRECT_BUFFER: read on from another piece of memory, and come back when it is used up. IB1 and IB2 have the same
; three registers, four apart, and @IB_LEVEL chooses the queue that $data reads. Coming back is the hardware's work.
; Choices: there is nothing to go to from IB2 or a draw-state group; and an IB2 is skipped when both
; CP_SKIP_IB2_ENABLE packets said so and the override does not forbid it, as no visibility stream is decoded here.
CP_INDIRECT_BUFFER:
    mov $02, $data
    mov $03, $data
    and $05, $14, 0xb00         ; b8 and b9 set, b11 clear, is 0x300
    mov $04, $data
    shl $04, $04, 0xc
    ushr $04, $04, 0xc          ; the size has 20 bits
    breq $04, 0x0, #ib_end
    sub $05, $05, 0x300
    cread $06, [$00 + @IB_LEVEL]
    breq $06, 0x0, #ib_go
    shl $07, $06, 0x2
    brne $06, 0x1, #ib_end
    nop
    breq $05, 0x0, #ib_end
    nop
ib_go:
    cwrite $02, [$07 + @IB1_BASE]
    cwrite $03, [$07 + @IB1_BASE+0x1]
    cwrite $04, [$07 + @IB1_DWORDS]
    add $06, $06, 0x1
    cwrite $06, [$00 + @IB_LEVEL]
ib_end:
    waitin
    mov $01, $data

;----------------------------------------------------------------------------------------------------------
; Everything else
;----------------------------------------------------------------------------------------------------------

; .jumptbl looks for labels that are packet names or UNKN and an opcode in decimal. Opcodes that nobody claims get the
; address 0, where no handler is, so this one claims them all. It skips the payload.
UNKN0: UNKN1: UNKN2: UNKN3: UNKN5: UNKN6: UNKN7: UNKN8: UNKN9: UNKN10:
UNKN11: UNKN12: UNKN13: UNKN14: UNKN17: UNKN21: UNKN22: UNKN23: UNKN24: UNKN25:
UNKN26: UNKN27: UNKN28: UNKN30: UNKN31: UNKN32: UNKN34: UNKN36: UNKN37: UNKN39:
UNKN40: UNKN41: UNKN42: UNKN43: UNKN44: UNKN45: UNKN46: UNKN48: UNKN49: UNKN53:
UNKN55: UNKN58: UNKN59: UNKN64: UNKN65: UNKN68: UNKN73: UNKN75: UNKN78: UNKN79:
UNKN80: UNKN81: UNKN82: UNKN83: UNKN84: UNKN85: UNKN87: UNKN88: UNKN89: UNKN90:
UNKN91: UNKN93: UNKN94: UNKN95: UNKN96: UNKN97: UNKN98: UNKN102: UNKN103: UNKN104:
UNKN105: UNKN106: UNKN107: UNKN108: UNKN110: UNKN111: UNKN112: UNKN113: UNKN114: UNKN116:
UNKN118: UNKN119: UNKN120: UNKN121: UNKN122: UNKN123: UNKN124: UNKN125: UNKN126: UNKN127:
    (rep)mov $00, $data
    waitin
    mov $01, $data

; The packet table: 128 addresses, one for each opcode.
jumptbl:
.jumptbl
