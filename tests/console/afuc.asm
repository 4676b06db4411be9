[016ee001]
[01000000]
; A small firmware: counts what packets say, with repetitions, delay slots and calls.
.macro bump reg
    add \reg, \reg, 0x1
.endm
boot:
    mov $02, 0x0
    mov $12, 0x10 << 16
table:
    mov $03, #jumptbl
    mov $rem, 0x80
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    mov $04, 0x400 << 2
    add $04, $04, $03
    mov $05, #CP_NOP
fill:
    cwrite $05, [$00 + @PACKET_TABLE_WRITE]
    sub $rem, $rem, 0x1
    brne $rem, 0x0, #fill
    nop
    waitin
    mov $01, $data

UNKN0:
CP_NOP:
    call #sum
    add $06, $06, 0x1
    store $02, [$12 + 0x4]
    bump $07
    waitin
    mov $01, $data

sum:
    (rep)add $02, $02, $data
    ret
    add $08, $08, $02

CP_ME_INIT:
    swrite $00, [$00 + %SP]
    ret
    nop
jumptbl:
.jumptbl
