; SPDX-License-Identifier: MIT
;
; CP_EVENT_WRITE7: raise an event, and write a value when it is done. It has the opcode of a6xx's CP_EVENT_WRITE, not
; its form. Choices: the event number goes to PC_EVENT_INITIATOR; the value is written behind a wait for idle, which
; makes it late rather than early; "registers' content" is the register that PAYLOAD_0 names and the one behind it; and
; the counts are raised at once.
CP_EVENT_WRITE7:
    mov $04, $data              ; EVENT 0-7, b16 and b17 counts, SRC 20-22, DST b24, b27 write, b31 interrupt
    mov $addr, PC_EVENT_INITIATOR
    and $data, $04, 0xff
    mov $addr, EVENT_CMD << 24
    mov $data, START_EVENT
    brne $04, b16, #event_br_count
    cread $05, [$00 + BV_COUNT]
    add $05, $05, 0x1
    cwrite $05, [$00 + BV_COUNT]
event_br_count:
    brne $04, b17, #event_write
    cread $05, [$00 + BR_COUNT]
    add $05, $05, 0x1
    cwrite $05, [$00 + BR_COUNT]
event_write:
    brne $04, b27, #event_interrupt
    nop
    breq $rem, 0x0, #event_interrupt    ; no address, in spite of b27
    nop
    mov $addr, WAIT_FOR_IDLE << 24
    mov $02, $data
    mov $03, $data
    mov $06, $data              ; what to write: $07:$06
    mov $08, 0x2                ; and how many words
    ubfx $05, $04, b20, b22
    breq $05, 0x1, #event_user64
    breq $05, 0x2, #event_timestamp
    breq $05, 0x3, #event_registers
    breq $05, 0x4, #event_registers
    nop
    jump #event_store           ; 0, and numbers without a meaning: PAYLOAD_0 alone
    mov $08, 0x1
event_user64:
    jump #event_store
    mov $07, $data
event_timestamp:
    call #timestamp_sum
    nop
    jump #event_store
    mov $08, 0x1
event_registers:
    breq $05, 0x4, #event_read
    and $06, $06, 0xffff
    mov $06, CP_ALWAYS_ON_COUNTER
event_read:
    call #drain
    nop
    read_registers $06, $08
    mov $06, $regdata
    mov $07, $regdata
event_store:
    breq $04, b24, #event_on_chip
    nop
    call #open_memory
    nop
    brne $08, 0x2, #event_interrupt
    mov $data, $06
    jump #event_interrupt
    mov $data, $07              ; lint: ignore afuc-lint-uninit (only where $08 is 2, when it was read)
event_on_chip:
    call #drain                 ; control registers do not wait for the pipe, so we do
    nop
    and $02, $02, 0x3f
    brne $08, 0x2, #event_interrupt
    cwrite $06, [$02 + ON_CHIP]
    cwrite $07, [$02 + ON_CHIP+0x1] ; lint: ignore afuc-lint-uninit (the same)
event_interrupt:
    brne $04, b31, #skip_payload
    nop
    mov $addr, EVENT_TS_CTRL << 24
    jump #skip_payload
    mov $data, 0x4              ; b2: interrupt, as on the a6xx
