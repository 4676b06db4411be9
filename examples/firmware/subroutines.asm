; SPDX-License-Identifier: MIT
;
; Subroutines that handlers share. `call` pushes the return address onto a stack of eight, `ret` pops it.

; drain: wait until all register writes so far have arrived. Reads overtake writes, so this stands before
; every read of a register that the stream may have written. Uses $11.
;
; The counter goes up at once. The pipe register that takes it down waits its turn behind the earlier writes.
drain:
    mov $11, 0x1
    cwrite $11, [$00 + @WFI_PEND_INCR]
    mov $addr, WFI_PEND_DECR << 24
drain_poll:
    cread $11, [$00 + @WFI_PEND_CTR]
    brne $11, 0x0, #drain_poll
    nop
    ret
    nop

; register_value: $10 = value of GPU register $10. Uses $11.
register_value:
    and $10, $10, 0xffff
    mov $11, 0x1
    read_registers $10, $11
    ret
    mov $10, $regdata           ; a delay slot is a fine place for the last instruction

; open_memory: the following writes to $data go to memory, from address $03:$02 on. Changes $02.
;
; The two low bits of NRT_ADDR are flags, so they are shifted out. Bit 18 of $addr keeps the register number from
; stepping: each word goes to NRT_DATA again, while the memory address steps by itself.
open_memory:
    mov $addr, NRT_ADDR << 24
    ushr $02, $02, 0x2
    shl $data, $02, 0x2
    mov $data, $03              ; lands in NRT_ADDR+1, for here the number did step
    ret
    mov $addr, 0xa204 << 16     ; NRT_DATA, with bit 18

; condition: fetch a value and compare it. In: $04 first word of CP_COND_WRITE5 or CP_WAIT_REG_MEM, $06:$05 address,
; $07 reference, $08 mask. Out: $10 = 1 if the condition holds. Uses $0e, $0f, $11.
condition:
    breq $04, b5, #condition_scratch
    mov $11, 0x1
    breq $04, b4, #condition_memory
    nop
    call #drain
    nop
    call #register_value
    mov $10, $05
    jump #condition_compare
    nop
condition_memory:
    read_memory $05, $06, $11
    jump #condition_compare
    mov $10, $memdata
condition_scratch:
    fetch_scratch
condition_compare:
    and $10, $10, $08
    mov $0e, $07
    brne $04, b3, #condition_unsigned
    mov $0f, 0x8000 << 16
    xor $10, $10, $0f           ; `cmp` is unsigned; with the sign bits turned over it orders signed numbers
    xor $0e, $0e, $0f
condition_unsigned:
    ; `cmp` answers 0x2b (equal), 0x1e (less) or 0 (greater): bit 0 means equal, bit 2 means less. For each answer
    ; there is a byte with one bit per comparison function, 0 to 7: always < <= == != >= > and always again.
    ; Every delay slot loads one; the first branch taken keeps what its slot loaded.
    cmp $11, $10, $0e
    breq $11, b0, #condition_known
    mov $10, 0xad               ; equal: always <= == >=
    breq $11, b2, #condition_known
    mov $10, 0x97               ; less: always < <= !=
    mov $10, 0xf1               ; greater: always != >= >
condition_known:
    and $0f, $04, 0x7
    ushr $10, $10, $0f
    ret
    and $10, $10, 0x1
