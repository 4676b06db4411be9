; SPDX-License-Identifier: MIT
;
; Draw-state groups of the a6xx, where the firmware runs them.

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
