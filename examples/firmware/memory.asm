; SPDX-License-Identifier: MIT
;
; Handlers that move words between stream, memory, registers and scratch.

; CP_MEM_WRITE: address, then the words to store.
CP_MEM_WRITE:
    mov $02, $data
    call #open_memory
    mov $03, $data              ; the delay slot runs before the subroutine
    (rep)(xmov1)mov $data, $data
    waitin
    mov $01, $data

; CP_REG_TO_MEM: store CNT registers (none means one). With b31 they are added to what is there, with b30 as
; 64-bit numbers. Choice: CNT counts words in either case, and 64 bits round it up to even.
CP_REG_TO_MEM:
    mov $04, $data              ; REG 0-17, CNT 18-29, b30 64 bits, b31 accumulate
    mov $02, $data
    call #drain
    mov $03, $data
    field $05, $04, 18, 29
    brne $04, b30, #rtm_counted
    max $05, $05, 0x1
    add $05, $05, 0x1
    and $05, $05, 0x1ffe
rtm_counted:
    and $06, $04, 0xffff
    read_registers $06, $05
    breq $04, b31, #rtm_accumulate
    nop
    call #open_memory
    mov $rem, $05
    (rep)mov $data, $regdata
    waitin
    mov $01, $data
rtm_accumulate:
    read_memory $02, $03, $05
    call #open_memory
    nop
    breq $04, b30, #rtm_add64
    nop
    mov $rem, $05
    (rep)add $data, $memdata, $regdata  ; three queues at work in one instruction
    waitin
    mov $01, $data
rtm_add64:
    add $data, $memdata, $regdata
    addhi $data, $memdata, $regdata
    sub $05, $05, 0x2           ; not between the two: `sub` changes the carry as well
    brne $05, 0x0, #rtm_add64
    nop
    waitin
    mov $01, $data

; CP_MEM_TO_REG: load CNT registers (none means one). Choice: SHIFT_BY_2 (b30) shifts each value left.
CP_MEM_TO_REG:
    mov $04, $data              ; REG 0-17, CNT 19-29
    mov $02, $data
    mov $03, $data
    field $05, $04, 19, 29
    max $05, $05, 0x1
    read_memory $02, $03, $05
    and $usraddr, $04, 0xffff
    breq $04, b30, #mtr_shift
    mov $rem, $05
    (rep)mov $data, $memdata
    waitin
    mov $01, $data
mtr_shift:
    (rep)shl $data, $memdata, 0x2
    waitin
    mov $01, $data

; CP_MEM_TO_MEM: destination = +-A +-B +-C. The length of the packet tells how many sources there are.
CP_MEM_TO_MEM:
    mov $04, $data              ; b0-b2 negate A, B, C; b29 64 bits; b30 wait for memory writes first
    mov $02, $data
    mov $03, $data
    brne $04, b30, #mtm_begin
    mov $0c, $04                ; the sign bits move down as the sources are used up
    mov $addr, WAIT_MEM_WRITES << 24
mtm_begin:
    mov $06, 0x0                ; $07:$06 is the sum
    mov $07, 0x0
    brne $04, b29, #mtm_source
    mov $05, 0x1
    mov $05, 0x2
mtm_source:
    breq $rem, 0x0, #mtm_store
    nop
    mov $08, $data
    mov $09, $data
    read_memory $08, $09, $05
    mov $0a, $memdata
    brne $04, b29, #mtm_sign
    mov $0b, 0x0
    mov $0b, $memdata
mtm_sign:
    breq $0c, b0, #mtm_subtract
    ushr $0c, $0c, 0x1          ; safe in the delay slot: the branch has looked at $0c already
    add $06, $06, $0a
    jump #mtm_source
    addhi $07, $07, $0b
mtm_subtract:
    sub $06, $06, $0a
    jump #mtm_source
    subhi $07, $07, $0b
mtm_store:
    call #open_memory
    nop
    brne $04, b29, #mtm_end
    mov $data, $06
    mov $data, $07
mtm_end:
    waitin
    mov $01, $data

; CP_MEMCPY: count of words, source, destination.
CP_MEMCPY:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    read_memory $05, $06, $04
    mov $02, $data
    call #open_memory
    mov $03, $data
    mov $rem, $04
    (rep)mov $data, $memdata
    waitin
    mov $01, $data

; CP_SCRATCH_WRITE: words for the scratch registers 0 to 7, from the one named in bits 20-22 on. Words too many are
; dropped.
CP_SCRATCH_WRITE:
    field $02, $data, 20, 22
    mov $03, 0x8
    sub $03, $03, $02           ; registers up to the end
    min $03, $03, $rem
    sub $04, $rem, $03          ; words too many
    add $02, $02, BELOW_SCRATCH
    mov $rem, $03
    (rep)cwrite $data, [$02 + 0x1]!
    jump #skip_payload
    mov $rem, $04

; CP_REG_TO_SCRATCH: REG 0-17, SCRATCH 20-22, CNT 24-26 (none means one). Scratch behind the last register is free.
CP_REG_TO_SCRATCH:
    drain_unless b27
    mov $02, $data
    and $03, $02, 0xffff
    field $04, $02, 20, 22
    add $04, $04, BELOW_SCRATCH
    field $05, $02, 24, 26
    max $05, $05, 0x1
    read_registers $03, $05
    mov $rem, $05
    (rep)cwrite $regdata, [$04 + 0x1]!
    waitin
    mov $01, $data

; CP_SCRATCH_TO_REG: the way back.
CP_SCRATCH_TO_REG:
    mov $02, $data
    and $usraddr, $02, 0xffff
    field $04, $02, 20, 22
    add $04, $04, BELOW_SCRATCH
    field $05, $02, 24, 26
    max $rem, $05, 0x1
    (rep)cread $data, [$04 + 0x1]!
    waitin
    mov $01, $data
