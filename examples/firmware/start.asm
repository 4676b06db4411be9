; SPDX-License-Identifier: MIT
;
; Where boot ends and handlers begin. Boot comes here with $rem at zero and falls from handler to handler into `waitin`;
; a (rep) with $rem at zero does nothing, not even read its source.

; CP_ME_INIT: the first packet a driver sends. The payload configures features that we do not have.
CP_ME_INIT:
    mov $14, 0x0
    mov $02, MODE_SYSMEM
    cwrite $02, [$00 + @MODE_BITMASK]
    cwrite $00, [$00 + PREDICATE]

; .jumptbl looks for labels that are packet names or UNKN and an opcode in decimal; of two labels for one opcode the
; later one counts. An opcode without a label would get the address 0, where no handler is. So all of them but
; CP_ME_INIT's stand here, at the handler that skips the payload, and the packets that we know take theirs away
; further down.
.include "unclaimed.asm"

; CP_NOP throws its payload away: a move to $00 goes nowhere. Handlers that do not care for the rest of
; their payload jump here.
CP_NOP:
skip_payload:
    (rep)mov $00, $data

    ; How every handler ends. `waitin` waits for a header, looks at it and jumps to its handler, with $rem
    ; holding the payload's length. It does not remove the header from the queue; its delay slot does.
    waitin
    mov $01, $data

; Hardware comes here when PREEMPT_TRIGGER is set. A real firmware would save the context and load another one.
; We have only one: take the request back and go on. Nothing but $00 may be used, for we do not know whom we
; interrupted.
IN_PREEMPT:
    cwrite $00, [$00 + @PREEMPT_TRIGGER]
    iret
    nop
