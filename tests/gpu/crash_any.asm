; SPDX-License-Identifier: MIT
;
; The least firmware that faults can be tried with, for generations that the examples are not for: boot fills the packet
; table by itself, with the handler that passes over the payload for all opcodes but a few.
boot:
    nop
    mov $02, #unknown
    mov $rem, 0x80
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    (rep)cwrite $02, [$00 + @PACKET_TABLE_WRITE]
.macro handle opcode, label
    mov $02, \opcode
    cwrite $02, [$00 + @PACKET_TABLE_WRITE_ADDR]
    mov $02, #\label
    cwrite $02, [$00 + @PACKET_TABLE_WRITE]
.endm
    handle 0x10, noop
    handle 0x48, skip
    handle 0x04, write
    handle 0x3c, wait
    handle 0x3d, store
    handle 0x3e, skip
    handle 0x3f, enter
    handle 0x42, fetch
    handle 0x73, skip
    handle 0x50, deeper
    handle 0x51, shallower
    handle 0x52, count
    handle 0x53, illegal
    handle 0x54, leave
    handle 0x55, unaligned
    handle 0x56, beyond
    handle 0x57, early
    handle 0x58, switch
    handle 0x59, greedy
    handle 0x5c, group
    mov $02, 0x5a
    cwrite $02, [$00 + @PACKET_TABLE_WRITE_ADDR]
    mov $02, 0x1ffe             ; a handler that is outside of the section
    cwrite $02, [$00 + @PACKET_TABLE_WRITE]
    mov $02, #preempted
    swrite $02, [$00 + %PREEMPT_INSTR]
    mov $rem, 0x0
noop:
    (rep)mov $00, $data
    waitin
    mov $01, $data
skip:
    (rep)mov $00, $data
    waitin
    mov $01, $data
write:
    ushr $02, $01, 0x8
    mov $03, 0xffff
    and $usraddr, $02, $03
    (rep)mov $data, $data
    waitin
    mov $01, $data
wait:
    jump #wait
    nop
store:
    mov $02, $data
    mov $03, $data
    mov $04, 0x1
    cwrite $02, [$00 + @MEM_READ_ADDR]
    cwrite $03, [$00 + @MEM_READ_ADDR+0x1]
    cwrite $04, [$00 + @MEM_READ_DWORDS]
    mov $02, $memdata
    jump #skip
    nop
fetch:
    mov $00, $data
    jump #store
    nop

; A buffer one level deeper.
enter:
    mov $02, $data
    mov $03, $data
    mov $04, $data
    cread $06, [$00 + @IB_LEVEL]
    shl $07, $06, 0x2
    cwrite $02, [$07 + @IB1_BASE]
    cwrite $03, [$07 + @IB1_BASE+0x1]
    cwrite $04, [$07 + @IB1_DWORDS]
    add $06, $06, 0x1
    cwrite $06, [$00 + @IB_LEVEL]
    waitin
    mov $01, $data

; Faults of the firmware itself: calls without end, a return of nothing, a loop that changes something, a word that is no
; instruction, a jump out of the section, an address inside of a word, a register that is not there, iret of nothing.
deeper:
    call #deeper
    nop
shallower:
    ret
    nop
count:
    add $02, $02, 0x1
    jump #count
    nop
illegal:
[ffffffff]
unaligned:
    mov $02, 0x1002
    load $03, [$02 + 0x0]
beyond:
    mov $02, 0xfff
    cwrite $00, [$02 + 0xfff]
early:
    iret
    nop

; A switch of contexts that does not come to an end.
switch:
    mov $02, 0x1
    cwrite $02, [$00 + @PREEMPT_TRIGGER]
    waitin
    mov $01, $data
preempted:
    jump #preempted
    nop

; Takes more words than the packet has.
greedy:
    mov $00, $data
    mov $00, $data
    jump #greedy
    nop

; A draw-state group: address, words, and the level that is theirs.
group:
    mov $02, $data
    mov $03, $data
    mov $04, $data
    cwrite $02, [$00 + @SDS_BASE]
    cwrite $03, [$00 + @SDS_BASE+0x1]
    cwrite $04, [$00 + @SDS_DWORDS]
    mov $06, $data
    cwrite $06, [$00 + @IB_LEVEL]
    waitin
    mov $01, $data
unknown:
    jump #unknown
    nop
leave:
    nop
