; SPDX-License-Identifier: MIT
;
; A small firmware for the ME of Adreno a5xx, which does what the packets say that the PFP (a5xx_pfp.asm) hands on. Its
; file is called pm4, as drivers call it. Written from the public manual of the instruction set alone, and never run on a
; GPU. What $data reads here comes out of the queue; the ME writes and reads registers and memory through $addr.
[005ff001]
[#jumptbl]

    waitin
    mov $01, $data

; Packets that nobody claims are thrown away.
CP_ME_INIT: UNKN72:
.include "unclaimed.asm"
skip_payload:
    (rep)mov $00, $data
    waitin
    mov $01, $data

; Type-4 packet: the header holds the first register, the payload goes into it and those behind it.
PKT4:
    ushr $02, $01, 0x8
    and $usraddr, $02, 0xffff
    (rep)(xmov1)mov $data, $data
    waitin
    mov $01, $data

; CP_MEM_WRITE: 64-bit address, then the words. NRT_DATA keeps its number: the address in memory steps.
CP_MEM_WRITE:
    mov $addr, CP_ME_NRT_ADDR_LO
    mov $data, $data
    mov $data, $data
    mov $addr, CP_ME_NRT_DATA
    (rep)mov $data, $data
    waitin
    mov $01, $data

; CP_REG_TO_MEM: register and count, 64-bit address. A count of 0 is 1; b30, a pair of registers, is two of them.
CP_REG_TO_MEM:
    mov $02, $data
    mov $addr, CP_ME_NRT_ADDR_LO
    mov $data, $data
    mov $data, $data
    ushr $03, $02, 0x12
    and $03, $03, 0xfff
    max $03, $03, 0x1
    ushr $04, $02, 0x1e
    and $04, $04, 0x1
    shl $03, $03, $04
    and $02, $02, 0xffff
to_mem:
    or $addr, $02, 0x0
    mov $04, $regdata
    mov $addr, CP_ME_NRT_DATA
    mov $data, $04
    sub $03, $03, 0x1
    brne $03, 0x0, #to_mem
    add $02, $02, 0x1
    jump #skip_payload
    nop

; CP_MEM_TO_REG: register and count, 64-bit address.
CP_MEM_TO_REG:
    mov $02, $data
    mov $05, $data
    mov $06, $data
    mov $addr, CP_ME_NRT_ADDR_LO
    mov $data, $05
    mov $data, $06
    ushr $03, $02, 0x13
    and $03, $03, 0x7ff
    max $rem, $03, 0x1
    and $usraddr, $02, 0xffff
    (rep)mov $data, $memdata
    waitin
    mov $01, $data

; CP_REG_RMW: t = rotate_left(register & source 0, ROTATE); register = t | source 1, or t + source 1 with b29. Sources
; that are registers (b30, b31) are read first.
CP_REG_RMW:
    mov $02, $data
    mov $03, $data
    brne $02, b31, #rmw_source1
    mov $04, $data
    or $addr, $03, 0x0
    mov $03, $regdata
rmw_source1:
    brne $02, b30, #rmw_modify
    ushr $05, $02, 0x18
    or $addr, $04, 0x0
    mov $04, $regdata
rmw_modify:
    and $05, $05, 0x1f
    and $addr, $02, 0xffff
    mov $06, $regdata
    and $06, $06, $03
    rot $06, $06, $05
    breq $02, b29, #rmw_add
    and $usraddr, $02, 0xffff
    or $data, $06, $04
    waitin
    mov $01, $data
rmw_add:
    add $data, $06, $04
    waitin
    mov $01, $data

; CP_WAIT_REG_MEM: function, b4 memory, 64-bit address or a register, reference, mask, and how long to wait between two
; looks, which we leave out. The PFP goes on meanwhile.
CP_WAIT_REG_MEM:
    mov $04, $data
    mov $05, $data
    mov $06, $data
    mov $07, $data
    mov $08, $data
look:
    breq $04, b4, #look_memory
    and $addr, $05, 0xffff
    jump #compare
    mov $0a, $regdata
look_memory:
    mov $addr, CP_ME_NRT_ADDR_LO
    mov $data, $05
    mov $data, $06
    mov $0a, $memdata
compare:
    and $0a, $0a, $08
    ; cmp answers 0x2b (equal), 0x1e (less) or 0 (greater). For each there is a byte with a bit for each function:
    ; always < <= == != >= > and always again. The first branch taken keeps what its slot has loaded.
    cmp $0b, $0a, $07
    breq $0b, b0, #compared
    mov $0a, 0xad
    breq $0b, b2, #compared
    mov $0a, 0x97
    mov $0a, 0xf1
compared:
    and $0b, $04, 0x7
    ushr $0a, $0a, $0b
    brne $0a, b0, #look
    nop
    jump #skip_payload
    nop

; CP_EVENT_WRITE: the register that raises an event has no public name on a5xx, so there is only the fence: an address
; and a word for it.
CP_EVENT_WRITE:
    mov $02, $data
    breq $rem, 0x0, #skip_payload
    mov $addr, CP_ME_NRT_ADDR_LO
    mov $data, $data
    mov $data, $data
    mov $addr, CP_ME_NRT_DATA
    mov $data, $data
    jump #skip_payload
    nop

jumptbl:
.jumptbl
