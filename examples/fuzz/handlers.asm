; SPDX-License-Identifier: MIT
;
; A small firmware to fuzz. clean.asm and bugs.asm include this file: what differs between them is ten macros, which they
; define. No GPU has run it. ../firmware/names.asm tells how to read it.

[016ee001]
[#jumptbl]

.include "../firmware/names.asm"

.equ SECRET, 0x8d0              ; a register that only the ring may have written
.equ RESULT, 0x8d1              ; one that handlers write on their own account
.equ NOTES, 0x140               ; 64 words of private scratch
.equ PROTECT_CNTL, CP_PROTECT_CNTL
.equ PROTECT, CP_PROTECT[0x0].REG

; Too few words: all of the packet is skipped. Uses $02.
.macro need words
    cmp $02, $rem, \words
    breq $02, b2, #skip_payload
    nop
.endm
; The end of a handler: what is left of the packet is skipped.
.macro done
    jump #skip_payload
    nop
.endm

boot:
    mov $02, CP_SQE_INSTR_BASE
    mov $03, 0x2
    read_registers $02, $03
    mov $02, $regdata
    mov $03, $regdata
    cwrite $03, [$00 + @LOAD_STORE_HI]
    load $04, [$02 + 0x4]
    shl $04, $04, 0x8
    ushr $04, $04, 0x6
    add $02, $02, $04
    addhi $03, $03, 0x0
    load_packet_table $02, $03
    mov $02, #preempted
    swrite $02, [$00 + %PREEMPT_INSTR]
    ; what users write through $usraddr is refused from 0x800 to 0x8ff
    mov $addr, PROTECT
    mov $02, 0x800
    mov $03, 0xff << 18
    or $data, $02, $03
    mov $addr, PROTECT_CNTL
    mov $data, 0x1
    mov $rem, 0x0

; No payload is left behind here.
UNKN0: UNKN4: UNKN11: UNKN13: UNKN14: UNKN15:
UNKN16: UNKN17: UNKN18: UNKN19: UNKN20: UNKN21: UNKN22: UNKN23: UNKN24: UNKN25: UNKN26: UNKN27: UNKN28: UNKN29: UNKN30:
UNKN31: UNKN32: UNKN33: UNKN34: UNKN35: UNKN36: UNKN37: UNKN38: UNKN39: UNKN40: UNKN41: UNKN42: UNKN43: UNKN44: UNKN45:
UNKN46: UNKN47: UNKN48: UNKN49: UNKN50: UNKN51: UNKN52: UNKN53: UNKN54: UNKN55: UNKN56: UNKN57: UNKN58: UNKN59: UNKN60:
UNKN61: UNKN62: UNKN63: UNKN64: UNKN65: UNKN66: UNKN67: UNKN68: UNKN69: UNKN70: UNKN71: UNKN72: UNKN73: UNKN74: UNKN75:
UNKN76: UNKN77: UNKN78: UNKN79: UNKN80: UNKN81: UNKN82: UNKN83: UNKN84: UNKN85: UNKN86: UNKN87: UNKN88: UNKN89: UNKN90:
UNKN91: UNKN92: UNKN93: UNKN94: UNKN95: UNKN96: UNKN97: UNKN98: UNKN99: UNKN100: UNKN101: UNKN102: UNKN103: UNKN104:
UNKN105: UNKN106: UNKN107: UNKN108: UNKN109: UNKN110: UNKN111: UNKN112: UNKN113: UNKN114: UNKN115: UNKN116: UNKN117:
UNKN118: UNKN119: UNKN120: UNKN121: UNKN122: UNKN123: UNKN124: UNKN125: UNKN126: UNKN127:
CP_NOP:
skip_payload:
    (rep)mov $00, $data
    waitin
    mov $01, $data

; Another context wants the GPU. There is none: the request is taken back.
preempted:
    cwrite $00, [$00 + @PREEMPT_TRIGGER]
    iret
    nop

; Registers from the header's on, but not the protected ones.
PKT4:
    ushr $02, $01, 0x8
    and $usraddr, $02, 0xffff
    (rep)mov $data, $data
    waitin
    mov $01, $data

; Address, words: reads on there, two levels deep at most.
CP_INDIRECT_BUFFER:
    need 0x3
    mov $03, $data
    mov $04, $data
    mov $05, $data
    shl $05, $05, 0xc
    ushr $05, $05, 0xc
    breq $05, 0x0, #skip_payload
    nop
    cread $06, [$00 + @IB_LEVEL]
    ushr $07, $06, 0x1
    brne $07, 0x0, #skip_payload
    shl $07, $06, 0x2
    brne $rem, 0x0, #skip_payload ; it belongs to no call that we know
    nop
    cwrite $03, [$07 + @IB1_BASE]
    cwrite $04, [$07 + @IB1_BASE+0x1]
    cwrite $05, [$07 + @IB1_DWORDS]
    add $06, $06, 0x1
    cwrite $06, [$00 + @IB_LEVEL]
    waitin
    mov $01, $data

; 1. A value for SECRET, from the ring alone.
UNKN1:
    need 0x1
    cread $05, [$00 + @IB_LEVEL]
    level_of $05
    brne $05, 0x0, #skip_payload
    nop
    mov $addr, SECRET
    mov $data, $data
    done

; 2. Counts down in steps of two.
UNKN2:
    need 0x1
    even_of $05, $data
count_down:
    breq $05, 0x0, #skip_payload
    nop
    jump #count_down
    sub $05, $05, 0x2

; 3. A value for RESULT, fetched by a subroutine that does not like 0x1f.
UNKN3:
    need 0x1
    call #fetch_value
    nop
    mov $addr, RESULT
    mov $data, $05
    done
fetch_value:
    mov $05, $data
    brne $05, 0x1f, #fetch_good
    nop
    give_up
fetch_good:
    ret
    nop

; 4. Notes a word when its bit 20 is set.
UNKN5:
    need 0x1
    mov $05, $data
    breq $05, b20, #note_word
    nop
    done
note_word:
    cwrite $05, [$00 + NOTES]
    end_of_notes
; A subroutine that stands behind it.
next_value:
    mov $05, $data
    ret
    nop

; 5. Index, word: notes the word there.
UNKN6:
    need 0x2
    index_of $05, $data
    cwrite $data, [$05 + NOTES]
    done

; 6. A command: looks at the draw-state groups' level, and comes back.
UNKN7:
    need 0x1
    mov $06, $data
    cread $05, [$00 + @IB_LEVEL]
    mov $07, 0x3
    cwrite $07, [$00 + @IB_LEVEL]
    brne $06, 0x15, #come_back
    nop
    forget_level
come_back:
    cwrite $05, [$00 + @IB_LEVEL]
came_back:
    done

; 7. Bits 9 and 17 choose a register.
UNKN8:
    need 0x1
    mov $05, $data
    mov $addr, RESULT
    breq $05, b9, #chosen
    second_choice
    mov $data, 0x0
    done
chosen:
    mov $data, 0x9
    done
chosen_second:
    mov $data, 0x11
    done

; 8. One of four commands, by a table of jumps.
UNKN9:
    need 0x1
    command_of $05, $data
    shl $05, $05, 0x1
    mov $06, #commands
    add $05, $05, $06
    jumpd $05
    nop
commands:
    jump #skip_payload
    nop
    jump #skip_payload
    cwrite $00, [$00 + NOTES]
    jump #skip_payload
    cwrite $00, [$00 + NOTES+0x1]
    jump #skip_payload
    cwrite $00, [$00 + NOTES+0x2]

; 9. Goes down as deep as the packet says.
UNKN10:
    need 0x1
    depth_of $05, $data
    call #go_down
    nop
    done
go_down:
    breq $05, 0x0, #go_up
    nop
    call #go_down
    sub $05, $05, 0x1
go_up:
    ret
    nop

; 10. Register, value.
UNKN12:
    need 0x2
    mov $05, $data
    and $05, $05, 0xffff
    choose_register $05
    mov $data, $data
    done

jumptbl:
.jumptbl
