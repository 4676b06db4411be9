; SPDX-License-Identifier: MIT
;
; The least firmware that faults can be tried with, for generations that the examples are not for: boot fills the packet
; table by itself, with the handler that passes over the payload for all opcodes but a few.
boot:
    nop
    mov $02, #skip
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
    handle 0x04, write
    handle 0x3c, wait
    handle 0x3d, store
    handle 0x3f, enter
    handle 0x42, fetch
    mov $rem, 0x0
noop:
skip:
    (rep)mov $00, $data
    waitin
    mov $01, $data
write:
    (rep)mov $00, $data
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
