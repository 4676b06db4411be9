; SPDX-License-Identifier: MIT
;
; Handlers that test something, and then write, wait or leave words of the stream out.

; CP_REG_TEST: copy a bit of a register into a bit of the predicate; or, with b31, set predicate bits directly.
CP_REG_TEST:
    mov $02, $data              ; REG 0-17, BIT 20-24, b25 do not wait, PRED_BIT 26-30, b31 PRED_UPDATE
    breq $02, b31, #predicate_update
    nop
    breq $02, b25, #test_register
    nop
    call #drain
    nop
test_register:
    call #register_value
    mov $10, $02
    field $03, $02, 20, 24
    ushr $10, $10, $03
    and $10, $10, 0x1
    field $03, $02, 26, 30
    mov $05, 0x1
    shl $05, $05, $03           ; which bit
    jump #predicate_set
    shl $06, $10, $03           ; and its value
predicate_update:
    mov $05, $data              ; mask
    mov $06, $data              ; value
    and $06, $06, $05
predicate_set:
    cread $07, [$00 + PREDICATE]
    not $05, $05
    and $07, $07, $05
    or $07, $07, $06
    cwrite $07, [$00 + PREDICATE]
    jump #skip_payload
    nop

; CP_COND_REG_EXEC: run the next words of the stream, or skip them.
CP_COND_REG_EXEC:
    mov $02, $data              ; MODE 28-31 and what it needs
    ushr $03, $02, 0x1c
    mov $04, $data              ; words to skip; with REG_COMPARE the second register
    ; A switch. Branches may stand in delay slots as long as no two of them are taken together.
    breq $03, 0x1, #exec_predicate
    breq $03, 0x2, #exec_compare
    breq $03, 0x3, #exec_mode
    exec_other_modes
    nop
    jump #skip_payload          ; no such mode. Choice: run the words
    nop
exec_predicate:
    cread $05, [$00 + PREDICATE]
    field $03, $02, 18, 22
    ushr $05, $05, $03
    breq $05, b0, #skip_payload ; two-way branch: the second one is the first one's delay slot
    brne $05, b0, #exec_skip
    nop
exec_mode:
    cread $05, [$00 + @MODE_BITMASK]
    ushr $03, $02, 0x19         ; BINNING, GMEM, SYSMEM: in the order of the mode bits
    and $05, $05, $03
    and $05, $05, 0x7
    brne $05, 0x0, #skip_payload
    breq $05, 0x0, #exec_skip
    nop
exec_compare:                   ; choice: run them if register 0 is less, unsigned
    drain_unless b23
    mov $05, $data
    fetch_operand
    mov $10, $02
    mov $06, $10
    fetch_operand
    mov $10, $04
exec_less:
    cmp $06, $06, $10
    breq $06, b2, #skip_payload
    mov $04, $05
exec_skip:
    shl $04, $04, 0x8           ; the count has 24 bits
    jump #skip_payload          ; the skipped words are a payload like any other
    ushr $rem, $04, 0x8

; CP_COND_WRITE5: if the condition holds, write a word to memory (b8) or to a register.
CP_COND_WRITE5:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    mov $08, $data
    mov $02, $data
    mov $03, $data
    call #condition
    mov $09, $data
    brne $10, b0, #write5_end
    nop
    breq $04, b8, #write5_memory
    nop
    and $usraddr, $02, 0xffff
    mov $data, $09
write5_end:
    waitin
    mov $01, $data
write5_memory:
    call #open_memory
    nop
    mov $data, $09
    waitin
    mov $01, $data

; CP_WAIT_REG_MEM: wait until the condition holds, with a pause between two looks.
CP_WAIT_REG_MEM:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    mov $08, $data
    mov $09, $data              ; length of the pause
wait_condition:
    call #condition
    nop
    breq $10, b0, #wait_end
    nop
    mov $rem, $09
    (rep)mov $00, $00           ; nothing, $09 times
    jump #wait_condition
    nop
wait_end:
    waitin
    mov $01, $data
