; SPDX-License-Identifier: MIT
;
; What all processors of an a7xx do when they boot.
;
; These two are reached with `bl`, which puts the return address into $lr; `sret` goes back to it. That costs no place
; on the stack, but such a subroutine must not call another one with `bl` itself.

; prepare: in $03:$02 the address of our section. Uses $04, $05, $lr, $rem.
prepare:
    mov $04, 0xff               ; clear the private scratch
    mov $rem, 0x100
    (rep)cwrite $00, [$04 + 0x1]!
    cwrite $02, [$00 + OWN_BASE]
    cwrite $03, [$00 + OWN_BASE+0x1]
    mov $04, #IN_PREEMPT        ; where to go when another context wants the GPU. Two registers have that name, so both
    cwrite $04, [$00 + @PREEMPT_INSTR]
    swrite $04, [$00 + %PREEMPT_INSTR]
    ; and on into the next one

; load_table: the packet table as it stands in the image. Our header knows its offset, but so does the assembler.
load_table:
    cread $04, [$00 + OWN_BASE]
    cread $05, [$00 + OWN_BASE+0x1]
    add $04, $04, #jumptbl*4
    addhi $05, $05, 0x0
    load_packet_table $04, $05
    sret
    nop
