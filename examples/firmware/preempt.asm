; SPDX-License-Identifier: MIT
;
; Preemption: a small firmware of its own for a6xx that takes turns between two contexts, each with a ring buffer. What
; a6xx.asm leaves out: the entry saves what belongs to the context, loads the other one, and comes back by iret.
;
; A context is a record in memory of 32 words; CP_SET_PSEUDO_REG 1, LOW, HIGH says where that of the running one is:
;
;     byte 0x00  address of the record of the context that comes next, two words
;     byte 0x08  ring buffer: CP_RB_BASE (two words), CP_RB_CNTL, CP_RB_RPTR, CP_RB_WPTR
;     byte 0x20  render mode, flags ($14)
;     byte 0x40  %SP and %STACK0 to %STACK7
;
; CP_CONTEXT_SWITCH_YIELD asks for the other context; a driver would write to a GPU register. Choices: the switch is made
; between packets, where `waitin` finds the request, and never inside of an indirect buffer.

.equ CP_SQE_INSTR_BASE, 0x830
.equ RING_BASE, 0x800           ; CP_RB_BASE, and CP_RB_CNTL behind it
.equ RING_POINTERS, 0x806       ; CP_RB_RPTR and CP_RB_WPTR
.equ RECORD, 0x140              ; control scratch: address of the running context's record
.equ SCRATCH, 0x883             ; CP_SCRATCH[0]

[016ee001]
[#jumptbl]
    mov $02, CP_SQE_INSTR_BASE
    mov $03, 0x2
    cwrite $02, [$00 + @REG_READ_ADDR]
    cwrite $03, [$00 + @REG_READ_DWORDS]
    mov $02, $regdata
    mov $03, $regdata
    mov $04, #jumptbl << 2
    add $02, $02, $04
    addhi $03, $03, 0x0
    mov $rem, 0x80
    cwrite $02, [$00 + @MEM_READ_ADDR]
    cwrite $03, [$00 + @MEM_READ_ADDR+0x1]
    cwrite $rem, [$00 + @MEM_READ_DWORDS]
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    (rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]
    mov $02, #IN_PREEMPT
    swrite $02, [$00 + %PREEMPT_INSTR]

CP_NOP:
    (rep)mov $00, $data
next_packet:
    waitin                      ; lint: ignore afuc-lint-stack-leak (CP_END_BIN comes back)
    mov $01, $data

PKT4:
    ushr $02, $01, 0x8
    and $usraddr, $02, 0xffff
    (rep)mov $data, $data
    waitin
    mov $01, $data

; CP_SET_PSEUDO_REG: number, address. Only number 1 is known here, where the context is saved.
CP_SET_PSEUDO_REG:
    mov $02, $data
    brne $02, 0x1, #CP_NOP
    nop
    cwrite $data, [$00 + RECORD]
    cwrite $data, [$00 + RECORD + 1]
    jump #CP_NOP
    nop

; CP_START_BIN goes on behind its `call` when CP_END_BIN comes, so that the stack is not empty between the two: what
; counts the bins is this handler. A context that is preempted in between must find its stack again.
CP_START_BIN:
    (rep)mov $00, $data
    call #next_packet
    nop
    mov $02, SCRATCH
    mov $03, 0x1
    cwrite $02, [$00 + @REG_READ_ADDR]
    cwrite $03, [$00 + @REG_READ_DWORDS]
    mov $addr, SCRATCH
    add $data, $regdata, 0x1
    waitin
    mov $01, $data

CP_END_BIN:
    (rep)mov $00, $data
    ret                         ; lint: ignore afuc-lint-stack-underflow (to CP_START_BIN, if there was one)
    nop

CP_CONTEXT_SWITCH_YIELD:
    mov $02, 0x1
    cwrite $02, [$00 + @PREEMPT_TRIGGER]
    jump #CP_NOP
    nop

; Between packets only $14 is anybody's: $02 to $07 are free.
IN_PREEMPT:
    cread $02, [$00 + RECORD]
    cread $03, [$00 + RECORD + 1]
    cwrite $03, [$00 + @LOAD_STORE_HI]
    breq $02, 0x0, #preempt_end     ; nobody has said where to
    nop
    mov $03, RING_BASE              ; the ring: three words, then the two pointers
    mov $04, 0x3
    cwrite $03, [$00 + @REG_READ_ADDR]
    cwrite $04, [$00 + @REG_READ_DWORDS]
    store $regdata, [$02 + 0x008]
    store $regdata, [$02 + 0x00c]
    store $regdata, [$02 + 0x010]
    mov $03, RING_POINTERS
    mov $04, 0x2
    cwrite $03, [$00 + @REG_READ_ADDR]
    cwrite $04, [$00 + @REG_READ_DWORDS]
    store $regdata, [$02 + 0x014]
    store $regdata, [$02 + 0x018]
    cread $03, [$00 + @MODE_BITMASK]
    store $03, [$02 + 0x020]
    store $14, [$02 + 0x024]
    sread $03, [$00 + %SP]
    store $03, [$02 + 0x040]
    mov $04, 0x0
    mov $05, $02
preempt_save:
    sread $03, [$04 + %STACK0]
    store $03, [$05 + 0x044]
    add $04, $04, 0x1
    brne $04, 0x8, #preempt_save
    add $05, $05, 0x4

    load $03, [$02 + 0x000]         ; the next context becomes the running one
    load $04, [$02 + 0x004]
    mov $02, $03
    cwrite $03, [$00 + RECORD]
    cwrite $04, [$00 + RECORD + 1]
    cwrite $04, [$00 + @LOAD_STORE_HI]
    mov $addr, RING_BASE
    load $data, [$02 + 0x008]
    load $data, [$02 + 0x00c]
    load $data, [$02 + 0x010]
    mov $addr, RING_POINTERS
    load $data, [$02 + 0x014]
    load $data, [$02 + 0x018]
    load $03, [$02 + 0x020]
    cwrite $03, [$00 + @MODE_BITMASK]
    load $14, [$02 + 0x024]
    load $03, [$02 + 0x040]
    swrite $03, [$00 + %SP]
    mov $04, 0x0
    mov $05, $02
preempt_load:
    load $03, [$05 + 0x044]
    swrite $03, [$04 + %STACK0]
    add $04, $04, 0x1
    brne $04, 0x8, #preempt_load
    add $05, $05, 0x4
preempt_end:
    cwrite $00, [$00 + @PREEMPT_TRIGGER]
    iret
    nop

.align 32
jumptbl:
.jumptbl                        ; lint: ignore afuc-lint-table-hole (no other packets are sent)
