; SPDX-License-Identifier: MIT
;
; Draws, dispatches and the state they need: the second half of a6xx.asm, which includes this file and explains
; registers, names and rules.

;----------------------------------------------------------------------------------------------------------
; Subroutines
;----------------------------------------------------------------------------------------------------------

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

; draw_state: run the draw-state groups if any has changed. To be called before the packet's payload is read.
;
; A group is a piece of stream that fills the SDS queue. Handlers end in `waitin` and cannot return to us, so this is a
; small packet loop of its own. Choices: all groups that have content and fit the render mode run again, lowest
; first, when one of them or the mode has changed; they may hold register writes, CP_CONTEXT_REG_BUNCH and state
; loads, and other packets in them are skipped.
;
; Uses $02 to $05, $11 and: $09 words left in the group, $0b group, $0c groups left, $0d render mode, $0e the level
; that we came from, $0f the caller's $rem.
draw_state:
    brne $14, b0, #draw_state_end
    clrbit $14, $14, b0
    mov $0f, $rem
    cread $0e, [$00 + @IB_LEVEL]
    cread $0d, [$00 + @MODE_BITMASK]
    cread $0c, [$00 + @DRAW_STATE_ACTIVE_BITMASK]
    mov $0b, 0x0
group_next:
    breq $0c, 0x0, #groups_done
    nop                         ; not the next branch: if nothing is left, both would be taken
    brne $0c, b0, #group_end
    nop
    cwrite $0b, [$00 + @DRAW_STATE_SEL]
    cread $02, [$00 + @DRAW_STATE_HDR]
    ushr $03, $02, 0x10         ; the modes that the group is for
    and $03, $03, $0d
    breq $03, 0x0, #group_end
    and $09, $02, 0xffff        ; its size in words
    breq $09, 0x0, #group_end
    nop
    cread $02, [$00 + @DRAW_STATE_BASE]
    cread $03, [$00 + @DRAW_STATE_BASE+0x1]
    cwrite $02, [$00 + @SDS_BASE]
    cwrite $03, [$00 + @SDS_BASE+0x1]
    cwrite $09, [$00 + @SDS_DWORDS]
    mov $02, 0x3
    cwrite $02, [$00 + @IB_LEVEL]   ; from here on $data reads the group
group_packet:
    mov $02, $data              ; header
    sub $09, $09, 0x1
    ushr $03, $02, 0x1c
    brne $03, 0x4, #group_type7
    and $rem, $02, 0x3fff       ; payload of a type-7 packet ...
    and $rem, $02, 0x7f         ; ... and of a type-4 packet
    min $rem, $rem, $09         ; a packet that sticks out of its group is cut off
    sub $09, $09, $rem
    ushr $03, $02, 0x8
    and $usraddr, $03, 0xffff
    (rep)(xmov1)mov $data, $data
    jump #group_more
    nop
group_type7:
    min $rem, $rem, $09
    sub $09, $09, $rem
    ushr $03, $02, 0x10
    and $03, $03, 0x7f
    sub $03, $03, 0x32          ; a branch compares with 5 bits only, so count from CP_LOAD_STATE6_GEOM
    breq $03, 0x0, #group_load  ; CP_LOAD_STATE6_GEOM
    breq $03, 0x2, #group_load  ; CP_LOAD_STATE6_FRAG
    breq $03, 0x4, #group_load  ; CP_LOAD_STATE6
    sub $03, $03, 0x2a
    brne $03, 0x0, #group_skip
    nop
    (rep)(xmov3)mov $usraddr, $data     ; CP_CONTEXT_REG_BUNCH, see there
group_skip:
    (rep)mov $00, $data
group_more:
    brne $09, 0x0, #group_packet
    nop
    cwrite $0e, [$00 + @IB_LEVEL]
group_end:
    add $0b, $0b, 0x1
    jump #group_next
    ushr $0c, $0c, 0x1
group_load:
    call #load_state
    nop
    jump #group_skip            ; over the state itself, if it follows
    nop
groups_done:
    mov $rem, $0f
draw_state_end:
    ret
    nop

;----------------------------------------------------------------------------------------------------------
; Draws
;----------------------------------------------------------------------------------------------------------

; CP_SET_DRAW_STATE: groups of three words: header and address. (sds2) makes cwrite read its source two times more; with
; this register the two words become the base address of the group. The flags in the header that disable a group,
; or all of them, are the hardware's to obey. Choice: the groups run at once if CP_SET_MODE asked for it.
CP_SET_DRAW_STATE:
    (rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]
    setbit $14, $14, b0
    ushr $02, $14, 0x1d
    and $02, $02, 0x3           ; b29 and b30
    breq $02, 0x0, #set_draw_state_end
    nop
    call #draw_state
    nop
set_draw_state_end:
    waitin
    mov $01, $data

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
    call #draw_state
    nop
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
    mov $addr, PC_VIS_STREAM_CNTL
    mov $data, $data
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
