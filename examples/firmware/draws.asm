; SPDX-License-Identifier: MIT
;
; State loads, draws and dispatches.

; load_state: the body of CP_LOAD_STATE6. Reads three words and leaves direct state to the caller.
; Choice: how state reaches the shader processors is not public, so the load is only noted in private scratch.
; Uses $02 to $05, $11.
load_state:
    cmp $05, $rem, 0x3
    breq $05, b2, #load_state_end   ; too short to be one
    nop
    mov $02, $data              ; what: block, type, source, count
    mov $03, $data              ; where from, unless the state follows in the packet
    mov $04, $data
    mov $05, STATE_LOADS
    cread $11, [$05 + 0x0]
    add $11, $11, 0x1
    cwrite $11, [$05 + 0x0]
    cwrite $02, [$05 + 0x1]!
    cwrite $03, [$05 + 0x1]!
    cwrite $04, [$05 + 0x1]!
load_state_end:
    ret
    nop

; CP_LOAD_STATE6: one packet in three flavours for different parts of the pipeline.
CP_LOAD_STATE6:
CP_LOAD_STATE6_GEOM:
CP_LOAD_STATE6_FRAG:
    call #load_state
    nop
    jump #skip_payload
    nop

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

; CP_EXEC_CS: run a grid of workgroups, given in three words behind one of unknown use.
CP_EXEC_CS:
    mov $00, $data
    mov $addr, SP_CS_KERNEL_GROUP_X
    mov $data, $data
    mov $data, $data
    mov $data, $data
    mov $addr, EVENT_CMD << 24
    mov $data, START_DISPATCH
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
