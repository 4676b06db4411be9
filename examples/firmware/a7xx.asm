; SPDX-License-Identifier: MIT
;
; A small command-processor firmware for Adreno a7xx, to read, run and change: what a6xx.asm is for the a6xx, whose
; handlers it shares. Read a6xx.asm and names.asm first.
;
; An a7xx has three such processors, and one image holds their programs, each a section with a packet table of its own:
;   BR    renders. It is the one that starts, and it starts the others.
;   BV    sorts primitives into bins, ahead of BR (V for visibility)
;   LPAC  runs compute work of low priority
; Each reads a queue of its own. They share memory, GPU registers and the control registers from 0x200 on.

; The header: chip (730) and version (001); words of the whole image; the first word of BV's section; the offset of our
; packet table; and a word of unknown use. Labels count words from the start of their section; the difference of two is
; a distance in the image, even across sections.
image:
[01730001]
[#LPAC:end - #image]
[01730001]
[#jumptbl]
[01000000]

.include "names.asm"

; What other generations number differently.
.equ WAIT_FOR_IDLE, 0x87        ; pipe register
.equ SP_CS_KERNEL_GROUP_X, 0xa9dc ; then _Y and _Z

; Places in the private scratch of control registers, 0x100 to 0x1ff. All ours: no public notes name any.
.equ SAVE_RECORDS, 0x110        ; of preemption: five times two words
.equ OWN_BASE, 0x150            ; address of our section, two words
.equ LOCAL_TIMESTAMP, 0x152
.equ SCRATCH, 0x170             ; eight scratch registers
.equ BELOW_SCRATCH, SCRATCH - 1 ; pre-increment (!) adds one before each access
.equ PREDICATE, 0x17f

; Places in the scratch that all processors share, 0x200 to 0x2ff. The first 63 words are the "on-chip memory" of
; packets; @THREAD_SYNC is the word behind them. The rest is ours.
.equ ON_CHIP, 0x200
.equ ON_CHIP_WORDS, 0x3f
.equ BV_COUNT, 0x240            ; counters of CP_EVENT_WRITE7 and CP_BV_BR_COUNT_OPS
.equ BR_COUNT, 0x241
.equ BR_OFFSET, 0x242
.equ PRESENT, 0x244             ; 1 when BR (first word), BV (second word) has booted
.equ ARRIVED, 0x246             ; how often BR, BV came to CP_THREAD_CONTROL with SYNC_THREADS
.equ GLOBAL_TIMESTAMP, 0x248

; Registers beside those of names.asm: who am I?
;   $15       own bit in the THREAD_MODE of CP_COND_REG_EXEC: BV 1, BR 2, LPAC 4
;   $16       own bit in CP_THREAD_CONTROL: BR 1, BV 2

; The macros that follow are what shared handlers leave to the chip.

; A field of a word, moved down to bit 0. The a7xx has an instruction for that.
.macro field to, from, low, high
    ubfx \to, \from, b\low, b\high
.endm

; Flag number \flag of $14 = bit 0 of $02. bfi puts the low bits of one register into a field of another. Whether it
; clears the field first is not sure, so we do.
.macro set_flag flag
    clrbit $14, $14, b\flag
    bfi $14, $02, b\flag, b\flag
.endm

; Waits for earlier register writes unless that bit of $02 is set. The next instruction is the delay slot.
.macro drain_unless bit
    call #drain_unless_\bit
.endm

; $10 = scratch register or, with b4 of $04, word of on-chip memory number $05. Uses $11.
.macro fetch_scratch
    brne $04, b4, #scratch\@
    and $11, $05, 0x7
    and $11, $05, 0x3f
    add $11, $11, ON_CHIP - SCRATCH
scratch\@:
    cread $10, [$11 + SCRATCH]
.endm

; $10 = the operand of CP_COND_REG_EXEC that $10 names. The next instruction is the delay slot.
.macro fetch_operand
    call #operand
.endm

; Draw-state groups are fetched by hardware.
.macro before_draw
.endm
.macro groups_changed
    nop
.endm

; Modes and targets that the a6xx has not; see a7xx-extensions.asm.
.macro exec_other_modes
    breq $03, 0x4, #exec_compare_immediate
    breq $03, 0x5, #exec_thread
.endm
.macro rmw_other_target
    breq $02, b19, #rmw_scratch
    nop
.endm

; With b28 of its first word CP_SET_BIN_DATA5 has a word more.
.macro skip_bin_mask control
    brne \control, b28, #bin_mask\@
    nop
    mov $00, $data
bin_mask\@:
.endm

; 64-bit control register = $03:$02 + distance of a section's start from ours, in bytes. Uses $06, $07.
.macro set_base register, distance
    add $06, $02, \distance
    addhi $07, $03, 0x0
    cwrite $06, [$00 + \register]
    cwrite $07, [$00 + \register+0x1]
.endm

; Starts a processor and waits until it has cleared its bit of @THREAD_SYNC. Uses $04.
.macro start_processor control, bit
    mov $04, 0x1
    cwrite $04, [$00 + \control]
start\@:
    cread $04, [$00 + @THREAD_SYNC]
    breq $04, b\bit, #start\@
    nop
.endm

; Clears our own bit of @THREAD_SYNC: booted. That is no single step, so BR starts one processor after the other.
; Uses $04.
.macro booted bit
    cread $04, [$00 + @THREAD_SYNC]
    clrbit $04, $04, b\bit
    cwrite $04, [$00 + @THREAD_SYNC]
.endm

;----------------------------------------------------------------------------------------------------------
; BR
;----------------------------------------------------------------------------------------------------------

boot:
    mov $15, 0x2
    mov $16, 0x1
    mov $02, CP_SQE_INSTR_BASE  ; where the image is
    mov $03, 0x2
    read_registers $02, $03
    mov $02, $regdata
    mov $03, $regdata
    bl #prepare                 ; leaves $03:$02 alone
    nop

    ; Clear the shared scratch and say that we are there.
    mov $04, 0x1ff
    mov $rem, 0x100
    (rep)cwrite $00, [$04 + 0x1]!
    mov $04, 0x1
    cwrite $04, [$00 + PRESENT]

    ; Start the others, each with the address of its section.
    mov $04, 0x7
    cwrite $04, [$00 + @THREAD_SYNC]
    set_base @BV_INSTR_BASE, #BV:start*4 - #image*4
    start_processor @BV_CNTL, 1
    set_base @LPAC_INSTR_BASE, #LPAC:start*4 - #image*4
    start_processor @LPAC_CNTL, 2
    booted 0

.include "start.asm"
.include "a7xx-boot.asm"
.include "subroutines.asm"
.include "registers.asm"
.include "memory.asm"
.include "conditions.asm"
.include "waits.asm"
.include "dispatch.asm"
.include "draws.asm"
.include "modes.asm"
.include "a7xx-extensions.asm"
.include "a7xx-memory.asm"
.include "a7xx-events.asm"
.include "a7xx-buffers.asm"
.include "a7xx-draw-state.asm"
.include "a7xx-threads.asm"

; A section ends with its table, and the next one starts right behind it, at a multiple of 32 bytes.
.align 32
jumptbl:
.jumptbl

;----------------------------------------------------------------------------------------------------------
; BV
;----------------------------------------------------------------------------------------------------------

; The same handlers once more: BV reads the streams that BR reads.
.section BV
start:
[01730001]
[#jumptbl]
[01000000]

    mov $15, 0x1
    mov $16, 0x2
    cread $02, [$00 + @BV_INSTR_BASE]
    cread $03, [$00 + @BV_INSTR_BASE+0x1]
    bl #prepare
    nop
    mov $04, 0x1
    cwrite $04, [$00 + PRESENT+0x1]
    booted 1

.include "start.asm"
.include "a7xx-boot.asm"
.include "subroutines.asm"
.include "registers.asm"
.include "memory.asm"
.include "conditions.asm"
.include "waits.asm"
.include "dispatch.asm"
.include "draws.asm"
.include "modes.asm"
.include "a7xx-extensions.asm"
.include "a7xx-memory.asm"
.include "a7xx-events.asm"
.include "a7xx-buffers.asm"
.include "a7xx-draw-state.asm"
.include "a7xx-threads.asm"

.align 32
jumptbl:
.jumptbl

;----------------------------------------------------------------------------------------------------------
; LPAC
;----------------------------------------------------------------------------------------------------------

; Compute needs neither draws nor draw state nor render modes, and nobody shares its stream.
.section LPAC
start:
[01730001]
[#jumptbl]
[01000000]

    mov $15, 0x4
    mov $16, 0x0
    cread $02, [$00 + @LPAC_INSTR_BASE]
    cread $03, [$00 + @LPAC_INSTR_BASE+0x1]
    bl #prepare
    nop
    booted 2

.include "start.asm"
.include "a7xx-boot.asm"
.include "subroutines.asm"
.include "registers.asm"
.include "memory.asm"
.include "conditions.asm"
.include "waits.asm"
.include "dispatch.asm"
.include "a7xx-extensions.asm"
.include "a7xx-memory.asm"
.include "a7xx-events.asm"
.include "a7xx-buffers.asm"

.align 32
jumptbl:
.jumptbl
end:
