.target afuc:a630
[016ee001]
[#jumptbl]
    jump #CP_NOP
    nop
CP_NOP:
    (rep)mov $00, $data
    waitin
    mov $01, $data
; the same upper half, and the same lower one twice: both have the label
UNKN64:
    mov $02, (#there >> 16) << 16
    brne $01, b0, #UNKN64_other
    nop
    or $02, $02, (#there & 0xffff)
    jump #UNKN64_go
    nop
UNKN64_other:
    or $02, $02, (#there & 0xffff)
UNKN64_go:
    jumpd $02
    nop
; different lower halves: numbers
UNKN65:
    mov $02, 0x0 << 16
    brne $01, b0, #UNKN65_other
    nop
    or $02, $02, 0x5
    jump #UNKN65_go
    nop
UNKN65_other:
    or $02, $02, 0x9
UNKN65_go:
    jumpd $02
    nop
; different upper halves: numbers
UNKN66:
    mov $02, 0x0 << 16
    brne $01, b0, #UNKN66_go
    nop
    mov $02, 0x1 << 16
UNKN66_go:
    or $02, $02, 0x5
    jumpd $02
    nop
; the lower half of a sum
UNKN67:
    mov $03, 0x5
    add $02, $03, 0x4
    or $02, $02, 0x8
    jumpd $02
    nop
; with zero: a number alone
UNKN68:
    or $02, $00, #there
    jumpd $02
    nop
; an upper half that a routine makes, called on either side
UNKN69:
    brne $01, b0, #UNKN69_other
    nop
    call #upper
    nop
    jump #UNKN69_go
    nop
UNKN69_other:
    call #upper
    nop
UNKN69_go:
    or $02, $02, (#there & 0xffff)
    jumpd $02
    nop
; the same call for two lower halves
UNKN70:
    call #upper
    nop
    brne $01, b0, #UNKN70_other
    nop
    or $02, $02, 0x5
    jump #UNKN70_go
    nop
UNKN70_other:
    or $02, $02, 0x9
UNKN70_go:
    jumpd $02
    nop
there:
    waitin
    mov $01, $data
; routines that go on in one another
UNKN71:
    call #first
    nop
    jumpd $04
    nop
UNKN72:
    call #second
    nop
    mov $04, $00
    call #third
    nop
    jump #CP_NOP
    nop
; shifts: places in words as bytes, and too far
UNKN73:
    mov $02, 0x4
    shl $02, $02, 0x3
    jumpd $02
    nop
UNKN74:
    mov $02, 0x5
    add $03, $02, $01
    jumpd $03
    nop
UNKN75:
    mov $05, 0x1 << 4
    jumpd $05
    nop
UNKN76:
    mov $05, 0x7 << 16
    or $05, $05, 0x3
    or $05, $05, 0x4
    jumpd $05
    nop
; tables of jumps: all that must stand there, and what is wrong with those that are none
UNKN80:
    and $02, $data, 0x1
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
UNKN81:
    and $02, $data, 0x2
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
UNKN82:
    min $02, $data, 0x1
    add $02, $02, $02
    add $02, $02, #table
    jumpd $02
    nop
UNKN83:
    mov $03, $data
    cmp $04, $03, 0x2
    brne $04, b2, #CP_NOP
    nop
    mov $02, $03
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
UNKN84:
    mov $03, $data
    cmp $04, $03, 0x2
    mov $03, $data
    brne $04, b2, #CP_NOP
    nop
    mov $02, $03
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
UNKN85:
    mov $03, $data
    brne $04, b2, #CP_NOP
    nop
    mov $02, $03
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
UNKN86:
    mov $03, $data
    cmp $04, $05, 0x2
    brne $04, b2, #CP_NOP
    nop
    mov $02, $03
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
UNKN88:
    and $02, $data, 0x1
    shl $02, $02, 0x2
    add $02, $02, #table
    jumpd $02
    nop
table:
    jump #there
    nop
    jump #CP_NOP
    nop
; what comes from the packet
UNKN89:
    jumpd $data
    nop
UNKN90:
    mov $02, #there
    brne $data, b0, #UNKN90_go
    nop
    mov $02, #CP_NOP
UNKN90_go:
    jumpd $02
    nop
upper:
    mov $02, (#there >> 16) << 16
    ret
    nop
first:
    breq $01, b1, #second
    nop
    mov $04, #there
    ret
    nop
second:
    brne $01, b2, #third
    nop
    mov $04, #CP_NOP
    jump #first
    nop
third:
    brne $01, b3, #first
    nop
    mov $04, #UNKN64
    ret
    nop
jumptbl:
    .jumptbl
