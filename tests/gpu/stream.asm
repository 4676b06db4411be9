; SPDX-License-Identifier: MIT
; A recorded stream, as words: records of type, size in bytes and payload. Assembled as raw words it is an .rd file.
.target afuc:a6xx
.raw

; GPU id 630
.word 13, 4, 630
; command line: "self"
.word 2, 8, 0x666c6573, 0

; group 0: a buffer at 0x102000 and its contents
.word 3, 12, 0x102000, 12, 0
.word 12, 12
.word 0x48a00001, 0x000000a0 ; group 0
.word 0x70108000 ; CP_NOP without payload

; group 1: a buffer at 0x102100 and its contents
.word 3, 12, 0x102100, 8, 0
.word 12, 8
.word 0x40a00101, 0x000000a1 ; group 1

; group 2: a buffer at 0x102200 and its contents
.word 3, 12, 0x102200, 8, 0
.word 12, 8
.word 0x40a00201, 0x000000a2 ; group 2

; the indirect buffer: a buffer at 0x101000 and its contents
.word 3, 12, 0x101000, 40, 0
.word 12, 40
.word 0x70388003, 0x00000086, 0x00000001, 0x00000004 ; CP_DRAW_INDX_OFFSET: groups 0 and 1
.word 0x70328003, 0x00620000, 0x01011000, 0x00000000 ; CP_LOAD_STATE6_GEOM
.word 0x40980001, 0x00000009 ; type 4

; the stream: a buffer at 0x100000 and its contents
.word 3, 12, 0x100000, 396, 0
.word 12, 396
.word 0x48880002, 0x00000011, 0x00000012 ; type 4: RB_CNTL and the register behind it
.word 0x70100001, 0xdeadbeef ; CP_NOP
.word 0x706d8003, 0x00000002, 0x00008801, 0x00000010 ; CP_REG_WRITE: RB_RENDER_CNTL
.word 0x70dc0004, 0x00008810, 0x00000001, 0x00008890, 0x00000002 ; CP_CONTEXT_REG_BUNCH
.word 0x70a18003, 0x24008800, 0x000000ff, 0x00000003 ; CP_REG_RMW: rotate_left(0x11 & 0xff, 4) + 3
.word 0x703d8003, 0x00103000, 0x00000000, 0x00000001 ; CP_MEM_WRITE
.word 0x70c28003, 0x00000885, 0x00103000, 0x00000000 ; CP_MEM_TO_REG: CP_SCRATCH[0x2]
.word 0x48088301, 0x00000000 ; CP_SCRATCH[0] = 0
.word 0x70b90001, 0x02000883 ; CP_REG_TEST: bit 0 of it to predicate bit 0: clear
.word 0x70c70002, 0x10000000, 0x00000007 ; CP_COND_REG_EXEC: skips 7 words, which end in the header of the CP_NOP
.word 0x48881185, 0x00000021, 0x00000022, 0x00000023, 0x00000024, 0x00000025 ;   if: not run
.word 0x70100002 ;   CP_NOP around the words for the other case
.word 0x48881201, 0x00000031 ;   else: run
.word 0x48088301, 0x00000001 ; CP_SCRATCH[0] = 1
.word 0x70b90001, 0x02000883 ; CP_REG_TEST: set
.word 0x70c70002, 0x10000000, 0x00000003 ; CP_COND_REG_EXEC: runs 3 words, the last of them the header of the CP_NOP
.word 0x40881301, 0x00000041 ;   if: run
.word 0x70100002 ;   CP_NOP
.word 0x48881401, 0x00000051 ;   else: not run
.word 0x70e50001, 0x00000002 ; CP_SET_MARKER: RM6_BIN_VISIBILITY
.word 0x70438009, 0x00700003, 0x00102000, 0x00000000, 0x01600002, 0x00102100, 0x00000000, 0x02100002, 0x00102200, 0x00000000 ; CP_SET_DRAW_STATE: group 0 always, 1 not when binning, 2 only when binning
.word 0x70388003, 0x00000086, 0x00000001, 0x00000004 ; CP_DRAW_INDX_OFFSET: runs groups 0 and 2
.word 0x70388003, 0x00000086, 0x00000001, 0x00000004 ; the same: nothing has changed, no group runs
.word 0x70e50001, 0x00000004 ; CP_SET_MARKER: RM6_BIN_RENDER_START
.word 0x70bf8003, 0x00101000, 0x00000000, 0x0000000a ; CP_INDIRECT_BUFFER
.word 0x70438003, 0x00040000, 0x00000000, 0x00000000 ; CP_SET_DRAW_STATE: DISABLE_ALL_GROUPS
.word 0x70388003, 0x00000086, 0x00000001, 0x00000004 ; no group is left
.word 0x70450008, 0x00000001, 0x00000883, 0x00000000, 0x00000000, 0xffffffff, 0x00008815, 0x00000000, 0x00000077 ; CP_COND_WRITE5: a register, if CP_SCRATCH[0] < 0: never
.word 0x70460001, 0x00000031 ; CP_EVENT_WRITE: CACHE_INVALIDATE

; a buffer whose contents were not recorded
.word 3, 12, 0x103000, 4096, 0

; two command streams; nothing is known of the second
.word 6, 12, 0x100000, 99, 0
.word 6, 12, 0x200000, 16, 0

; The next submit has other contents at the same place.
.word 0xffffffff, 0xffffffff ; a mark between records, as some recorders put it

; another buffer: a buffer at 0x101000 and its contents
.word 3, 12, 0x101000, 8, 0
.word 12, 8
.word 0x48980101, 0x00000097 ; type 4

; another stream: a buffer at 0x100000 and its contents
.word 3, 12, 0x100000, 32, 0
.word 12, 32
.word 0x48880001, 0x00000099 ; type 4
.word 0x70578003, 0x00101000, 0x00000000, 0x00000002 ; CP_INDIRECT_BUFFER_CHAIN: goes there for good
.word 0x40880101, 0x00000098 ; never reached
.word 6, 12, 0x100000, 8, 0
