; SPDX-License-Identifier: MIT
;
; BR and BV together. They read the same stream, each at its own pace, and these packets say what is for whom.

; CP_THREAD_CONTROL: whose are the packets that follow, 1 BR, 2 BV, 3 both (choice: 0 changes nothing); with b31 the two
; wait for each other first. Who is not meant gets a packet table that knows this packet only and skips all others.
CP_THREAD_CONTROL:
    breq $rem, 0x0, #thread_end
    nop
    (peek)mov $02, $data        ; looks at the word without taking it ...
    (rep)mov $00, $data         ; ... for it goes with the rest of the payload
    brne $02, b31, #thread_select
    nop
    bl #meet
    nop
thread_select:
    and $02, $02, 0x3
    breq $02, 0x0, #thread_end
    and $02, $02, $16
    brne $02, 0x0, #thread_ours
    nop
    mov $02, #skip_payload
    mov $rem, 0x80
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    (rep)cwrite $02, [$00 + @PACKET_TABLE_WRITE]
    mov $02, 0x17               ; the opcode of this packet
    cwrite $02, [$00 + @PACKET_TABLE_WRITE_ADDR]
    mov $02, #CP_THREAD_CONTROL
    cwrite $02, [$00 + @PACKET_TABLE_WRITE]
thread_end:
    waitin
    mov $01, $data
thread_ours:
    bl #load_table
    nop
    waitin
    mov $01, $data

; meet: go on when the other one has come here as often as we have. If the other one never booted, do not wait.
; Uses $03 to $06, $lr.
meet:
    sub $03, $16, 0x1           ; 0 for BR, 1 for BV
    cread $05, [$03 + ARRIVED]
    add $05, $05, 0x1
    cwrite $05, [$03 + ARRIVED]
    xor $03, $03, 0x1           ; the other one
    cread $04, [$03 + PRESENT]
    breq $04, 0x0, #meet_end
    nop
meet_wait:
    cread $06, [$03 + ARRIVED]
    sub $06, $06, $05
    breq $06, b31, #meet_wait
    nop
meet_end:
    sret
    nop

; CP_BV_BR_COUNT_OPS: clear both counts (1), set the offset (2), wait (3: BR, 4: BV). Choices: BR waits until BV's count
; is above BR's; BV waits until it is ahead of BR by less than the offset; who is not named does not wait.
CP_BV_BR_COUNT_OPS:
    and $02, $data, 0xf
    breq $02, 0x1, #count_clear
    breq $02, 0x2, #count_offset
    breq $02, 0x3, #count_br
    breq $02, 0x4, #count_bv
    nop
    jump #skip_payload
    nop
count_clear:
    cwrite $00, [$00 + BV_COUNT]
    jump #skip_payload
    cwrite $00, [$00 + BR_COUNT]
count_offset:
    and $02, $data, 0xffff
    jump #skip_payload
    cwrite $02, [$00 + BR_OFFSET]
count_br:
    brne $16, 0x1, #skip_payload
    cread $04, [$00 + BR_COUNT]
    cread $03, [$00 + BV_COUNT]
    sub $03, $04, $03
    brne $03, b31, #count_br    ; not below zero: BV's count is not above
    breq $03, b31, #skip_payload
    nop
count_bv:
    brne $16, 0x2, #skip_payload
    cread $04, [$00 + BR_COUNT]
    cread $03, [$00 + BV_COUNT]
    sub $03, $03, $04
    cread $04, [$00 + BR_OFFSET]
    sub $03, $03, $04
    brne $03, b31, #count_bv
    breq $03, b31, #skip_payload
    nop
