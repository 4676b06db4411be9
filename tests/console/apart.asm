; A routine in two pieces; the first branches into its own delay slot, the second behind it.
.target afuc:a630
[016ee001]
[#jumptbl]
    mov $03, 0x1
    call #pieces
    nop
idle:
    waitin
    mov $01, $data
CP_NOP:
    call #pieces
    nop
    waitin
    mov $01, $data
pieces:
    breq $02, b1, #slot
slot:
    add $04, $04, 0x1
again:
    brne $02, 0x2, #rest
    nop
    ret
    nop
between:
    add $05, $05, 0x1
    ret
    nop
rest:
    sub $04, $04, 0x1
    breq $04, 0x7, #again
    nop
    ret
    nop
jumptbl:
.jumptbl
