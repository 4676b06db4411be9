; SPDX-License-Identifier: MIT
;
; A small firmware for the PFP of Adreno a5xx, the first of its two command processors: it reads the streams, answers
; some packets alone and hands the rest on to the ME (a5xx_pm4.asm) through a queue. Written from the public manual of the
; instruction set alone, and never run on a GPU. names.asm tells how to read it.
;
; How firmware reaches the queue is not public. Choice: a word written to $data goes there, while $addr selects nothing;
; the policy afuc-meq of the machine has both readings of that, and this firmware works with either. So $addr is 0
; whenever a handler begins, and registers are written through @REG_WRITE, which is what the manual says of the PFP.

; The first word names the chip (5ff: a530) and the version (001). The second tells where the packet table begins: the
; hardware reads it by itself. Both are nops with a payload.
[005ff001]
[#jumptbl]

.equ SEEN, CP_SCRATCH[0x6].REG      ; how far the PFP has read
.equ MEETING, CP_SCRATCH[0x7].REG   ; how far the ME has come

; Number of the last meeting with the ME.
    mov $12, 0x0
    waitin
    mov $01, $data

; Packets that nobody claims here are the ME's: header and payload, as they are.
CP_ME_INIT: UNKN72:
.include "unclaimed.asm"
hand_on:
    mov $data, $01
    (rep)mov $data, $data
    waitin
    mov $01, $data

; Type-4 packet, the ME's as well. waitin has taken the type off the header, which is 4.
PKT4:
    mov $02, 0x4000 << 16
    or $data, $01, $02
    (rep)mov $data, $data
    waitin
    mov $01, $data

; CP_NOP: its first word tells in SEEN how far we have read. This overtakes all that waits in the queue.
CP_NOP:
    breq $rem, 0x0, #nop_end
    mov $02, SEEN
    cwrite $02, [$00 + @REG_WRITE_ADDR]
    mov $02, $data
    cwrite $02, [$00 + @REG_WRITE]
nop_end:
    (rep)mov $00, $data
    waitin
    mov $01, $data

; CP_INDIRECT_BUFFER: read on from another piece of memory. IB1 and IB2 have the same three registers, four apart; the
; hardware reads the deepest one with words left, and comes back when it is used up. So a buffer that ends with this
; packet is left for the new one, which is also what CP_INDIRECT_BUFFER_CHAIN asks for.
CP_INDIRECT_BUFFER:
CP_INDIRECT_BUFFER_PFD:
CP_INDIRECT_BUFFER_CHAIN:
    mov $02, $data
    mov $03, $data
    mov $04, $data
    shl $04, $04, 0xc
    ushr $04, $04, 0xc              ; the size has 20 bits
    cread $05, [$00 + @IB2_DWORDS]
    breq $04, 0x0, #nop_end
    cread $06, [$00 + @IB1_DWORDS]
    brne $05, 0x0, #nop_end         ; there is nothing to go to from IB2
    mov $07, 0x0
    breq $06, 0x0, #ib_go
    nop
    mov $07, 0x4
ib_go:
    cwrite $02, [$07 + @IB1_BASE]
    cwrite $03, [$07 + @IB1_BASE+0x1]
    cwrite $04, [$07 + @IB1_DWORDS]
    waitin
    mov $01, $data

; CP_WAIT_FOR_ME: read no further until the ME has done all that is in the queue. A type-4 packet of our own at its end
; writes the meeting's number to a register, where we look for it. Choice: that the PFP reads registers as the ME does.
CP_WAIT_FOR_ME:
    add $12, $12, 0x1
    mov $02, 0x480b << 16           ; one word for MEETING, register 0b7f
    or $data, $02, 0x7f01
    mov $data, $12
meet:
    mov $addr, MEETING
    mov $02, $regdata
    sub $02, $02, $12
    brne $02, 0x0, #meet
    mov $addr, 0x0
    jump #nop_end
    nop

jumptbl:
.jumptbl
