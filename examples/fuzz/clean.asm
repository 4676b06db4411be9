; SPDX-License-Identifier: MIT
;
; The firmware of handlers.asm as it should be. bugs.asm has a mistake in each of these macros.

.target afuc:a6xx

; 1. The level, 0 in the ring.
.macro level_of reg
    and \reg, \reg, 0x7
.endm
; 2. An even number below 32.
.macro even_of reg, from
    mov \reg, \from
    and \reg, \reg, 0x1e
.endm
; 3. The subroutine returns nothing.
.macro give_up
    mov $05, 0x0
.endm
; 4. The handler ends.
.macro end_of_notes
    jump #skip_payload
    nop
.endm
; 5. There are 64 notes.
.macro index_of reg, from
    mov \reg, \from
    and \reg, \reg, 0x3f
.endm
; 6. The level is put back in any case.
.macro forget_level
.endm
; 7. Not in the delay slot of the first branch.
.macro second_choice
    nop
    breq $05, b17, #chosen_second
    nop
.endm
; 8. There are four commands.
.macro command_of reg, from
    mov \reg, \from
    and \reg, \reg, 0x3
.endm
; 9. The stack has room for eight.
.macro depth_of reg, from
    mov \reg, \from
    and \reg, \reg, 0x3
.endm
; 10. What users choose goes through $usraddr, which heeds the protection.
.macro choose_register reg
    mov $usraddr, \reg
.endm

.include "handlers.asm"
