; SPDX-License-Identifier: MIT
;
; The least firmware of a5xx that faults can be tried with. Its packet table is in the file, and there are no levels: the
; deepest buffer with words left is read. What all other opcodes do is in crash_any.asm.
[00000000]
[#table]
boot:
    mov $rem, 0x0
CP_NOP:
CP_ME_INIT:
    (rep)mov $00, $data
    waitin
    mov $01, $data
PKT4:
    ushr $02, $01, 0x8
    mov $03, 0xffff
    and $usraddr, $02, $03
    (rep)mov $data, $data
    waitin
    mov $01, $data
CP_WAIT_REG_MEM:
    jump #CP_WAIT_REG_MEM
    nop

; Memory is reached through GPU registers: address, and what is stored there.
CP_REG_TO_MEM:
    mov $00, $data
CP_MEM_WRITE:
    mov $02, $data
    mov $03, $data
    mov $addr, 0x80d
    mov $data, $02
    mov $data, $03
    mov $addr, 0x810
    mov $data, $01
    (rep)mov $00, $data
    waitin
    mov $01, $data
CP_MEM_TO_REG:
    mov $00, $data
    mov $02, $data
    mov $03, $data
    mov $addr, 0x80d
    mov $data, $02
    mov $data, $03
    mov $02, $memdata
    waitin
    mov $01, $data

; A buffer: the second one where the first has words left.
CP_INDIRECT_BUFFER:
    mov $02, $data
    mov $03, $data
    mov $04, $data
    cread $06, [$00 + @IB1_DWORDS], 0x8
    breq $06, 0x0, #outer
    nop
    cwrite $02, [$00 + @IB2_BASE], 0x8
    cwrite $03, [$00 + @IB2_BASE+0x1], 0x8
    cwrite $04, [$00 + @IB2_DWORDS], 0x8
    waitin
    mov $01, $data
outer:
    cwrite $02, [$00 + @IB1_BASE], 0x8
    cwrite $03, [$00 + @IB1_BASE+0x1], 0x8
    cwrite $04, [$00 + @IB1_DWORDS], 0x8
    waitin
    mov $01, $data

; Opcodes 0x50 to 0x54 and 0x7f: faults of the firmware itself.
CP_PERFCOUNTER_ACTION:
    call #CP_PERFCOUNTER_ACTION
    nop
UNKN81:
    ret
    nop
CP_WAIT_REG_EQ:
    add $02, $02, 0x1
    jump #CP_WAIT_REG_EQ
    nop
CP_SMMU_TABLE_UPDATE:
[ffffffff]
UNKN127:
    jump #UNKN127
    nop
UNKN84:
    jump #end
    nop
table:
.jumptbl
end:
