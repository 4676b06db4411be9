; SPDX-License-Identifier: MIT
;
; What shared handlers do on an a7xx and not on an a6xx.

; Subroutine: drain, unless a bit of $02 says that it need not be.
drain_unless_b27:
    jump #drain_unless
    ushr $11, $02, 0x1b
drain_unless_b23:
    ushr $11, $02, 0x17
drain_unless:
    brne $11, b0, #drain
    nop
    ret
    nop

; operand: $10 = the register or, with b24, the word of on-chip memory that $10 names. Uses $11.
operand:
    brne $10, b24, #register_value
    nop
    and $10, $10, 0x3f
    ret
    cread $10, [$10 + ON_CHIP]

; CP_COND_REG_EXEC: two more modes. Here $02 is the first word, $04 the second, and $03 is free.
exec_compare_immediate:         ; choice: like the comparison with a register
    drain_unless b23
    mov $05, $data
    fetch_operand
    mov $10, $02
    mov $06, $10
    jump #exec_less
    mov $10, $04
exec_thread:                    ; for whom of BV, BR, LPAC?
    ubfx $03, $02, b25, b27
    and $03, $03, $15
    brne $03, 0x0, #skip_payload
    breq $03, 0x0, #exec_skip
    nop

; CP_REG_RMW on a scratch register. Choice: the register number is the scratch register's.
rmw_scratch:
    and $06, $02, 0x7
    cread $10, [$06 + SCRATCH]
    and $10, $10, $03
    ubfx $05, $02, b24, b28
    rot $10, $10, $05
    breq $02, b29, #rmw_scratch_end
    add $11, $10, $04
    or $11, $10, $04
rmw_scratch_end:
    cwrite $11, [$06 + SCRATCH]
    waitin
    mov $01, $data
