; SPDX-License-Identifier: MIT
;
; The firmware of handlers.asm with ten mistakes, one in each macro. clean.asm has them as they should be.

.target afuc:a6xx

; 1. A mask that is too small: level 2 looks like the ring.
.macro level_of reg
    and \reg, \reg, 0x1
.endm
; 2. Odd numbers never come to 0.
.macro even_of reg, from
    mov \reg, \from
    and \reg, \reg, 0x1f
.endm
; 3. The subroutine ends the handler, and its return address stays on the stack.
.macro give_up
    jump #skip_payload
    nop
.endm
; 4. The end was forgotten: the handler runs into what stands behind it.
.macro end_of_notes
.endm
; 5. The index is not checked: control registers end at 0xfff.
.macro index_of reg, from
    mov \reg, \from
    and \reg, \reg, 0xffff
.endm
; 6. One way out leaves the level changed.
.macro forget_level
    jump #came_back
    nop
.endm
; 7. A branch in the delay slot of another one.
.macro second_choice
    breq $05, b17, #chosen_second
    nop
.endm
; 8. Commands that do not exist: the jump leads anywhere.
.macro command_of reg, from
    mov \reg, \from
    and \reg, \reg, 0xffff
.endm
; 9. Deeper than the stack.
.macro depth_of reg, from
    mov \reg, \from
    and \reg, \reg, 0xf
.endm
; 10. $addr heeds no protection: the packet writes any register.
.macro choose_register reg
    mov $addr, \reg
.endm

.include "handlers.asm"
