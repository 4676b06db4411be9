; SPDX-License-Identifier: MIT
; Handlers that jump where a word says that they have kept, that lies in memory, or that a register answers.
UNKN13:
    need 0x1
    mov $11, $data
    done
UNKN14:
    need 0x1
    mov $05, $data
    jumpd $11
    nop
UNKN15:
    need 0x1
    mov $08, $data
    cwrite $08, [$00 + @MEM_READ_ADDR]
    cwrite $00, [$00 + @MEM_READ_ADDR+0x1]
    mov $08, 0x1
    cwrite $08, [$00 + @MEM_READ_DWORDS]
    mov $06, $memdata
    shl $06, $06, 0x1
    add $06, $06, 0x10
    jumpd $06
    nop
UNKN16:
    need 0x1
    mov $08, $data
    mov $09, 0x1
    read_registers $08, $09
    mov $06, $regdata
    jumpd $06
    nop
jumptbl:
.jumptbl
