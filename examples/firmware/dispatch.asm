; SPDX-License-Identifier: MIT
;
; State loads and dispatches: what compute needs.

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
