; SPDX-License-Identifier: MIT
;
; On-chip memory and timestamps. Choice: the timestamps are words of ours. Control registers have the same names, but
; how they count is not public.

; CP_MEM_TO_SCRATCH_MEM: count, offset, source. Words behind the end of on-chip memory are dropped.
CP_MEM_TO_SCRATCH_MEM:
    and $04, $data, 0x3f
    and $05, $data, 0x3f
    mov $02, $data
    mov $03, $data
    mov $06, ON_CHIP_WORDS
    sub $06, $06, $05
    min $04, $04, $06
    read_memory $02, $03, $04
    add $05, $05, ON_CHIP - 1
    mov $rem, $04
    (rep)cwrite $memdata, [$05 + 0x1]!
    waitin
    mov $01, $data

; timestamp_sum: $06 = global + local timestamp. Uses $11.
timestamp_sum:
    cread $06, [$00 + GLOBAL_TIMESTAMP]
    cread $11, [$00 + LOCAL_TIMESTAMP]
    ret
    add $06, $06, $11

; CP_MODIFY_TIMESTAMP: OP 28-31: clear (choice: both), add to the global one, add to the local one.
CP_MODIFY_TIMESTAMP:
    mov $02, $data
    ubfx $03, $02, b28, b31
    breq $03, 0x0, #clear_timestamps
    and $02, $02, 0xff
    brne $03, 0x1, #modify_local
    cread $04, [$00 + GLOBAL_TIMESTAMP]
    add $04, $04, $02
    jump #skip_payload
    cwrite $04, [$00 + GLOBAL_TIMESTAMP]
modify_local:
    brne $03, 0x2, #skip_payload    ; no such operation
    cread $04, [$00 + LOCAL_TIMESTAMP]
    add $04, $04, $02
    jump #skip_payload
    cwrite $04, [$00 + LOCAL_TIMESTAMP]
clear_timestamps:
    cwrite $00, [$00 + GLOBAL_TIMESTAMP]
    jump #skip_payload
    cwrite $00, [$00 + LOCAL_TIMESTAMP]

; CP_WAIT_TIMESTAMP: wait until memory, or with b4 on-chip memory, holds at least a number of 32 bits (source 0), of 64
; bits (1), or the sum of the timestamps (2). Choice: unsigned.
CP_WAIT_TIMESTAMP:
    mov $04, $data
    mov $02, $data
    mov $03, $data
    mov $06, $data
    mov $07, $data
    and $05, $04, 0x3
    breq $05, 0x1, #timestamp_wide  ; words to read: 2
    mov $08, 0x2
    mov $08, 0x1
    brne $05, 0x2, #timestamp_wide
    mov $07, 0x0
    call #timestamp_sum
    nop
timestamp_wide:
    breq $04, b4, #timestamp_on_chip
    mov $0a, 0x0
    read_memory $02, $03, $08
    brne $08, 0x2, #timestamp_compare
    mov $09, $memdata
    jump #timestamp_compare
    mov $0a, $memdata
timestamp_on_chip:
    and $05, $02, 0x3f
    brne $08, 0x2, #timestamp_compare
    cread $09, [$05 + ON_CHIP]
    cread $0a, [$05 + ON_CHIP+0x1]
timestamp_compare:
    sub $09, $09, $06
    subhi $0a, $0a, $07         ; b31: borrow of 64 bits, if the two are not too far apart
    breq $0a, b31, #timestamp_wide
    nop
    waitin
    mov $01, $data

; CP_RESET_CONTEXT_STATE: four bits. b1, the resource table, is nothing that we have.
CP_RESET_CONTEXT_STATE:
    mov $02, $data
    brne $02, b0, #reset_counters   ; b0: on-chip memory
    mov $03, ON_CHIP - 1
    mov $rem, ON_CHIP_WORDS
    (rep)cwrite $00, [$03 + 0x1]!
reset_counters:
    brne $02, b2, #reset_timestamps
    nop
    cwrite $00, [$00 + BV_COUNT]
    cwrite $00, [$00 + BR_COUNT]
reset_timestamps:
    breq $02, b3, #clear_timestamps
    brne $02, b3, #skip_payload
    nop
