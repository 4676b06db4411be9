; SPDX-License-Identifier: MIT
;
; CP_INDIRECT_BUFFER: read on from another piece of memory, and come back when it is used up. Three levels can nest;
; their registers are four apart, and @IB_LEVEL chooses the queue that $data reads. Coming back is the hardware's work.
; Choices: there is nothing to go to from IB3 or a draw-state group; and an IB2 is skipped when both
; CP_SKIP_IB2_ENABLE packets said so and the override does not forbid it, as no visibility stream is decoded here.
CP_INDIRECT_BUFFER:
    mov $02, $data
    mov $03, $data
    ubfx $04, $data, b0, b19    ; size in words
    breq $04, 0x0, #ib_end
    cread $06, [$00 + @IB_LEVEL]
    cmp $05, $06, 0x3
    brne $05, b2, #ib_end       ; less than 3? The two levels above have nowhere to go
    shl $07, $06, 0x2
    brne $06, 0x1, #ib_go
    and $05, $14, 0xb00         ; b8 and b9 set, b11 clear, is 0x300
    sub $05, $05, 0x300
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
