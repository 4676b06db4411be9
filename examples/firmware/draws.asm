; SPDX-License-Identifier: MIT
;
; Draws.

; CP_DRAW_INDX_OFFSET: initiator, instances, indices; with an index buffer also first index, base, maximum.
; Choice: the words go to the registers whose names ask for them, and the pipe is told to draw.
CP_DRAW_INDX_OFFSET:
    before_draw
    mov $02, $data
    mov $03, $data
    mov $04, $data
    ushr $05, $rem, 0x2         ; four words left?
    breq $05, 0x0, #draw_start
    nop
    mov $05, $data              ; first index
    mov $06, $data              ; base
    mov $07, $data
    mov $addr, PC_DMA_BASE
    mov $data, $06
    mov $data, $07
    mov $data, $05
    mov $data, $data            ; maximum
draw_start:
    mov $addr, PC_DRAWCALL_CNTL
    mov $data, $02
    mov $data, $03
    mov $data, $04
    mov $addr, EVENT_CMD << 24
    mov $data, START_DRAW
    jump #skip_payload
    nop

; CP_SET_BIN_DATA5: the visibility stream of the bin to come: control, draw stream, sizes, primitive stream.
; Choice: the streams go to the PC's registers. None is known for the sizes.
CP_SET_BIN_DATA5:
    mov $02, $data
    mov $addr, PC_VIS_STREAM_CNTL
    mov $data, $02
    skip_bin_mask $02
    mov $02, $data
    mov $03, $data
    mov $00, $data
    mov $00, $data
    mov $data, $data            ; PC_PVIS_STREAM_BIN_BASE
    mov $data, $data
    mov $data, $02              ; PC_DVIS_STREAM_BIN_BASE
    mov $data, $03
    jump #skip_payload
    nop
