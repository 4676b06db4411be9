[016ee001]
[01000000]
; Counts packets in $02 and what they say in memory.
.macro twice reg
    add \reg, \reg, 0x1
    add \reg, \reg, 0x1
.endm
start:
    mov $02, 0x0
    mov $03, 0x10 << 16
loop:
    call #work
    add $02, $02, 0x1
    twice $06
    jump #loop
    nop
work:
    mov $rem, 0x3
    (rep)add $04, $04, 0x2
    store $04, [$03 + 0x8]
    ret
    add $05, $05, 0x1
