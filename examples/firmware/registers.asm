; SPDX-License-Identifier: MIT
;
; Handlers that write registers with what stands in the packet.

; Type-4 packet: the header holds the first register, the payload goes into it and those behind it.
; (xmov1) adds a second move to the first where there is a word left for it: two registers at a time.
PKT4:
    ushr $02, $01, 0x8
    and $usraddr, $02, 0xffff   ; nothing above: higher bits of $usraddr would select a pipe register
    (rep)(xmov1)mov $data, $data
    waitin
    mov $01, $data

; CP_CONTEXT_REG_BUNCH: pairs of register and value. (xmov3) was made for this packet. It adds the moves
;   $data = $data, $usraddr = $data, $data = $data
; so that one instruction takes two pairs; with one pair left it adds the first only.
CP_CONTEXT_REG_BUNCH:
    (rep)(xmov3)mov $usraddr, $data
    waitin
    mov $01, $data

; CP_REG_RMW: t = rotate_left(register & source 0, ROTATE); register = t | source 1, or t + source 1.
; Either source is a number or the number of a register.
CP_REG_RMW:
    mov $02, $data              ; REG 0-17, ROTATE 24-28, b29 add, b30 and b31: source 1 and 0 are registers
    mov $03, $data
    drain_unless b23
    mov $04, $data
    brne $02, b31, #rmw_source1
    nop
    call #register_value
    mov $10, $03
    mov $03, $10
rmw_source1:
    brne $02, b30, #rmw_modify
    nop
    call #register_value
    mov $10, $04
    mov $04, $10
rmw_modify:
    rmw_other_target
    call #register_value
    mov $10, $02
    and $10, $10, $03
    field $05, $02, 24, 28
    rot $10, $10, $05
    breq $02, b29, #rmw_add
    and $usraddr, $02, 0xffff
    or $data, $10, $04
    waitin
    mov $01, $data
rmw_add:
    add $data, $10, $04
    waitin
    mov $01, $data
