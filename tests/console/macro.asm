[016ee001]
[01000000]
; A macro within a macro: places tell of both uses.
.macro inner reg
    add \reg, \reg, 0x1
    nop
.endm
.macro outer reg
    inner \reg
    inner $03
    sub \reg, \reg, 0x1
.endm
start:
    mov $02, 0x0
    outer $02
    outer $04
    waitin
    mov $01, $data
