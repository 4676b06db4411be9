; SPDX-License-Identifier: MIT
;
; Handlers that set what later packets look at.

; CP_SET_MARKER: what the following commands are for. Choice: which marker means which render mode.
CP_SET_MARKER:
    mov $02, $data              ; MODE 0-3; b8: a power setting instead, which we have not
    breq $02, b8, #skip_payload
    and $03, $02, 0xf
    mov $addr, PC_MARKER
    mov $data, $02
    breq $03, 0x1, #marker_mode ; DIRECT_RENDER
    mov $04, MODE_SYSMEM
    breq $03, 0x2, #marker_mode ; BIN_VISIBILITY
    mov $04, MODE_BINNING
    breq $03, 0x3, #marker_gmem ; BIN_DIRECT
    breq $03, 0x4, #marker_gmem ; BIN_RENDER_START
    breq $03, 0xc, #marker_blit ; BLIT2DSCALE
    nop
    jump #skip_payload          ; the others leave the mode alone
    nop
marker_gmem:
    mov $04, MODE_GMEM
    setbit $14, $14, b15
marker_mode:
    cwrite $04, [$00 + @MODE_BITMASK]
    jump #skip_payload
    groups_changed              ; others count now
marker_blit:
    clrbit $14, $14, b15
    clrbit $14, $14, b12
    jump #skip_payload
    clrbit $14, $14, b7

; CP_SET_MODE: two bits for b29 and b30.
CP_SET_MODE:
    mov $02, $data
    set_flag 29
    ushr $02, $02, 0x1
    set_flag 30
    waitin
    mov $01, $data

; CP_SET_VISIBILITY_OVERRIDE: 1 = draw everything, whatever the visibility stream says.
CP_SET_VISIBILITY_OVERRIDE:
    mov $02, $data
    set_flag 11
    set_flag 21
    waitin
    mov $01, $data

CP_SKIP_IB2_ENABLE_LOCAL:
    mov $02, $data
    set_flag 8
    waitin
    mov $01, $data

CP_SKIP_IB2_ENABLE_GLOBAL:
    mov $02, $data
    set_flag 9
    waitin
    mov $01, $data

; CP_SET_PSEUDO_REG: triples of number and 64-bit value, for registers that have no number of their own.
CP_SET_PSEUDO_REG:
    ushr $02, $rem, 0x1
    breq $02, 0x0, #skip_payload    ; fewer than two words are left
    nop
    and $02, $data, 0x7ff
    mov $03, $data
    cmp $05, $02, 0x5
    breq $05, b2, #pseudo_save
    mov $04, $data
    breq $02, 0x8, #pseudo_gpu
    mov $05, VSC_PIPE_DATA_DRAW_BASE
    breq $02, 0x9, #pseudo_gpu
    mov $05, VSC_SIZE_BASE
    brne $02, 0xa, #CP_SET_PSEUDO_REG
    mov $05, VSC_PIPE_DATA_PRIM_BASE
pseudo_gpu:
    mov $addr, $05
    mov $data, $03
    jump #CP_SET_PSEUDO_REG
    mov $data, $04
pseudo_save:                    ; 0 to 4: the save records of preemption, two words each
    shl $02, $02, 0x1
    cwrite $03, [$02 + SAVE_RECORDS]
    jump #CP_SET_PSEUDO_REG
    cwrite $04, [$02 + SAVE_RECORDS+0x1]
