; SPDX-License-Identifier: MIT
;
; A small command-processor firmware for Adreno a6xx, to read, run and change.
;
; The SQE is the processor that reads command streams. It knows nothing of graphics: it takes packets from a
; queue and turns them into writes of GPU registers. This is such a program, written from the public
; manual of the instruction set alone. It boots, dispatches packets and implements the common ones; it was
; never run on a GPU. Where public notes do not say how the hardware is to be driven, the comment says
; "Choice:", and README.md lists every such choice together with what each packet does.
;
; names.asm tells how to read it. This file holds what is special to the a6xx; most handlers are shared with a7xx.asm.

; The first word names the chip (6ee: a630) and the version (002). The second tells where the packet table
; begins. Both are nops with a payload, so that the processor, which starts here, runs over them.
[016ee002]
[#jumptbl]

.include "names.asm"

; What other generations number differently.
.equ WAIT_FOR_IDLE, 0x80        ; pipe register
.equ SP_CS_KERNEL_GROUP_X, 0xb999 ; then _Y and _Z

; Places in the private scratch of control registers, 0x100 to 0x17f.
.equ SCRATCH, @SCRATCH_REG0     ; eight of them
.equ BELOW_SCRATCH, SCRATCH - 1 ; pre-increment (!) adds one before each access
.equ PREDICATE, @PRED_REG
.equ SAVE_RECORDS, @SAVE_REGISTER_SMMU_INFO

; The macros that follow are what shared handlers leave to the chip.

; A field of a word, moved down to bit 0: up to the left edge, then down to the right one.
.macro field to, from, low, high
    shl \to, \from, 31 - \high
    ushr \to, \to, 31 - \high + \low
.endm

; Flag number \flag of $14 = bit 0 of $02. Uses $03.
.macro set_flag flag
    and $03, $02, 0x1
    shl $03, $03, \flag
    clrbit $14, $14, b\flag
    or $14, $14, $03
.endm

; Waits for earlier register writes. The bit allows later chips not to wait. The next instruction is the delay slot.
.macro drain_unless bit
    call #drain
.endm

; $10 = scratch register number $05. Uses $11.
.macro fetch_scratch
    and $11, $05, 0x7
    cread $10, [$11 + SCRATCH]
.endm

; $10 = the operand of CP_COND_REG_EXEC that $10 names. The next instruction is the delay slot.
.macro fetch_operand
    call #register_value
.endm

; Draw-state groups are ours to run: before draws, if b0 says so.
.macro before_draw
    call #draw_state
    nop
.endm
.macro groups_changed
    setbit $14, $14, b0
.endm

; Modes, targets and words that only later chips have.
.macro exec_other_modes
.endm
.macro rmw_other_target
.endm
.macro skip_bin_mask control
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
    load_packet_table $02, $03

    ; The place to go when another context wants the GPU. A label is a number like any other.
    mov $02, #IN_PREEMPT
    swrite $02, [$00 + %PREEMPT_INSTR]

    ; Clear the private scratch. With `!` the address is stored back to $02, so that it walks through 0x100,
    ; 0x101 and so on.
    mov $02, 0xff
    mov $rem, 0x80
    (rep)cwrite $00, [$02 + 0x1]!

;----------------------------------------------------------------------------------------------------------
; Handlers
;----------------------------------------------------------------------------------------------------------

; No jump: boot falls into the first of them.
.include "start.asm"
.include "subroutines.asm"
.include "registers.asm"
.include "memory.asm"
.include "conditions.asm"
.include "waits.asm"
.include "a6xx-draw-state.asm"
.include "dispatch.asm"
.include "draws.asm"
.include "modes.asm"

; Packets that later chips do not have.

; CP_REG_WRITE: tracker, register, value. The tracker tells the firmware which register it is, for bookkeeping
; that is not public. Choice: write the register and leave it at that.
CP_REG_WRITE:
    mov $00, $data
    and $usraddr, $data, 0xffff
    (rep)mov $data, $data
    waitin
    mov $01, $data

; CP_WAIT_MEM_GTE: CP_WAIT_REG_MEM for one case: memory, signed, >=.
CP_WAIT_MEM_GTE:
    mov $00, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    not $08, $00
    mov $04, 0x1d               ; function 5 (>=), b3 signed, b4 memory
    jump #wait_condition
    mov $09, 0x10

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

; The packet table: 128 addresses, one for each opcode.
jumptbl:
.jumptbl
