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

; CP_DRAW_INDIRECT_MULTI: initiator, kind, draws at most; indexed kinds (4, 7): address of the indices and how many there
; are; address of the draws' records; counted kinds (6, 7): address of the number of draws; bytes from record to record.
; Choices: a record is what the programming interfaces lay down: count, instances, with indices the first of them, then
; first vertex and first instance. They go to the registers whose names ask for them. DST_OFF, where a shader
; would find them too, is not looked at.
;
; $02 initiator, $03 kind, $04 draws left, $06:$05 record, $07 stride, $0a words of a record.
CP_DRAW_INDIRECT_MULTI:
    before_draw
    mov $02, $data
    and $03, $data, 0xf
    mov $04, $data
    breq $03, 0x4, #indirect_indices
    breq $03, 0x7, #indirect_indices    ; in a delay slot: only one of the two can be taken
    mov $0a, 0x4
    jump #indirect_records
    nop
indirect_indices:
    mov $0a, 0x5
    mov $addr, PC_DMA_BASE
    mov $data, $data
    mov $data, $data
    mov $addr, PC_DMA_SIZE
    mov $data, $data
indirect_records:
    mov $05, $data
    mov $06, $data
    breq $03, 0x6, #indirect_count
    breq $03, 0x7, #indirect_count
    nop
    jump #indirect_stride
    nop
indirect_count:
    mov $07, $data
    mov $08, $data
    mov $09, 0x1
    read_memory $07, $08, $09
    min $04, $04, $memdata
indirect_stride:
    mov $07, $data
indirect_next:
    breq $04, 0x0, #indirect_end
    nop
    read_memory $05, $06, $0a
    mov $08, $memdata           ; vertices or indices
    mov $09, $memdata           ; instances
    breq $0a, 0x4, #indirect_draw
    nop
    mov $addr, PC_DMA_OFFSET
    mov $data, $memdata
indirect_draw:
    mov $addr, VFD_INDEX_OFFSET
    mov $data, $memdata
    mov $data, $memdata
    mov $addr, PC_DRAWCALL_CNTL
    mov $data, $02
    mov $data, $09
    mov $data, $08
    mov $addr, EVENT_CMD << 24
    mov $data, START_DRAW
    add $05, $05, $07
    addhi $06, $06, $00
    jump #indirect_next
    sub $04, $04, 0x1
indirect_end:
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
