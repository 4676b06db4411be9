; SPDX-License-Identifier: MIT
;
; Numbers and macros that all processors share. What differs from chip to chip stands in a6xx.asm and a7xx.asm.
;
; How to read these sources:
;   $01         header of the packet being handled
;   $02 - $11   scratch, every handler may use them
;   $14         flags that live from packet to packet (see FLAGS)
;   $rem        words of the packet not yet read; also the counter of (rep)
;   $data       as a source: the next word of the command stream, and $rem falls by one
;               as a destination: the next GPU or pipe register, chosen by $addr or $usraddr
;   $addr       destination only: chooses a register, allowed to touch protected ones
;   $usraddr    destination only: the same for numbers that came from the user; CP_PROTECT is checked
;   $memdata    source only: the next word of the memory read that @MEM_READ_* started
;   $regdata    source only: the next word of the register read that @REG_READ_* started
;   [@NAME]     control register (cread, cwrite); [%NAME] register of the SQE itself (sread, swrite)
;
; Two rules to keep in mind. The instruction behind a branch, jump, call, ret or waitin is its delay slot: it
; runs in any case, before the jump takes effect. And a handler must read exactly its payload: one word more
; or less, and the next word of the stream is taken for a header.
;
; The files with the handlers are included once for each processor that has them. Labels belong to the section that
; the text stands in, so that every processor gets handlers and a packet table of its own.

; FLAGS: bits of $14. All but b0 stand where the manual says that firmware keeps them.
;   b0        a draw-state group changed since the groups last ran (ours, a6xx)
;   b7, b12   cleared by CP_SET_MARKER for 2D blits, set by nobody here
;   b8, b9    CP_SKIP_IB2_ENABLE_LOCAL, CP_SKIP_IB2_ENABLE_GLOBAL
;   b11, b21  CP_SET_VISIBILITY_OVERRIDE
;   b15       CP_SET_MARKER saw GMEM rendering
;   b29, b30  CP_SET_MODE

; Bits of @MODE_BITMASK, in the order of the mode bits of a draw-state header.
.equ MODE_BINNING, 0x1
.equ MODE_GMEM, 0x2
.equ MODE_SYSMEM, 0x4

; Pipe registers: the top byte of $addr selects one. They keep their place in the order of register writes.
; The first two take no data; selecting them is enough. So does WAIT_FOR_IDLE, whose number the chip decides.
.equ WFI_PEND_DECR, 0x81
.equ WAIT_MEM_WRITES, 0x84
.equ NRT_ADDR, 0xa0
.equ EVENT_CMD, 0xe7
.equ EVENT_TS_CTRL, 0xea

; EVENT_CMD: what to start.
.equ START_EVENT, 0x1
.equ START_DRAW, 0x2
.equ START_DISPATCH, 0x3

; GPU registers.
.equ CP_SQE_INSTR_BASE, 0x830
.equ CP_ALWAYS_ON_COUNTER, 0x980
.equ VSC_SIZE_BASE, 0xc03
.equ VSC_PIPE_DATA_PRIM_BASE, 0xc30
.equ VSC_PIPE_DATA_DRAW_BASE, 0xc34
.equ PC_EVENT_INITIATOR, 0x9842
.equ PC_MARKER, 0x9880
.equ PC_DMA_BASE, 0x9e04        ; then PC_DMA_OFFSET and PC_DMA_SIZE
.equ PC_DMA_OFFSET, 0x9e06
.equ PC_DMA_SIZE, 0x9e07
.equ PC_DRAWCALL_CNTL, 0x9e0b   ; then PC_DRAWCALL_INSTANCE_NUM and PC_DRAWCALL_SIZE
.equ PC_VIS_STREAM_CNTL, 0x9e11 ; then PC_PVIS_STREAM_BIN_BASE and PC_DVIS_STREAM_BIN_BASE
.equ VFD_INDEX_OFFSET, 0xa00e    ; then VFD_INSTANCE_START_OFFSET

; Ours, in the private scratch of control registers: count of state loads, then the three words of the last one.
.equ STATE_LOADS, 0x140

; Starts a memory read; the words then come out of $memdata, one with every read of it.
.macro read_memory low, high, dwords
    cwrite \low, [$00 + @MEM_READ_ADDR]
    cwrite \high, [$00 + @MEM_READ_ADDR+0x1]
    cwrite \dwords, [$00 + @MEM_READ_DWORDS]
.endm

; Starts a register read; the words then come out of $regdata.
.macro read_registers first, count
    cwrite \first, [$00 + @REG_READ_ADDR]
    cwrite \count, [$00 + @REG_READ_DWORDS]
.endm

; Hands 128 entries at address high:low to the hardware that serves `waitin`. (rep) repeats its instruction until $rem
; is zero, and takes one off $rem every time.
.macro load_packet_table low, high
    mov $rem, 0x80
    read_memory \low, \high, $rem
    cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]
    (rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]
.endm
