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
UNKN0: UNKN1: UNKN2: UNKN3: UNKN4: UNKN5: UNKN6: UNKN7: UNKN8: UNKN9: UNKN10: UNKN11:
UNKN12: UNKN13: UNKN14: UNKN15: UNKN16: UNKN17: UNKN18: UNKN19: UNKN20: UNKN21: UNKN22: UNKN23:
UNKN24: UNKN25: UNKN26: UNKN27: UNKN28: UNKN29: UNKN30: UNKN31: UNKN32: UNKN33: UNKN34: UNKN35:
UNKN36: UNKN37: UNKN38: UNKN39: UNKN40: UNKN41: UNKN42: UNKN43: UNKN44: UNKN45: UNKN46: UNKN47:
UNKN48: UNKN49: UNKN50: UNKN51: UNKN52: UNKN53: UNKN54: UNKN55: UNKN56: UNKN57: UNKN58: UNKN59:
UNKN60: UNKN61: UNKN62: UNKN63: UNKN64: UNKN65: UNKN66: UNKN67: UNKN68: UNKN69: UNKN70: UNKN71:
UNKN73: UNKN74: UNKN75: UNKN76: UNKN77: UNKN78: UNKN79: UNKN80: UNKN81: UNKN82: UNKN83: UNKN84:
UNKN85: UNKN86: UNKN87: UNKN88: UNKN89: UNKN90: UNKN91: UNKN92: UNKN93: UNKN94: UNKN95: UNKN96:
UNKN97: UNKN98: UNKN99: UNKN100: UNKN101: UNKN102: UNKN103: UNKN104: UNKN105: UNKN106: UNKN107: UNKN108:
UNKN109: UNKN110: UNKN111: UNKN112: UNKN113: UNKN114: UNKN115: UNKN116: UNKN117: UNKN118: UNKN119: UNKN120:
UNKN121: UNKN122: UNKN123: UNKN124: UNKN125: UNKN126: UNKN127:

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
