; SPDX-License-Identifier: MIT
; A recorded frame of our own making: an Adreno 630 draws a background and a triangle. A recording (.rd) is a list of records
; (type, size in bytes, payload); assembled as raw words this text is one:
;
;     gpucode asm examples/streams/frame.asm -o frame.rd
.target afuc:a6xx
.raw

; the GPU, and the program that drew
.word 13, 4, 630
.word 2, 8, 0x6d617266, 0x00000065

; the vertex shader: scales and moves
.word 3, 12, 0x110000, 40, 0
.word 12, 40
.word 0x00000000, 0x30245004 ; (sy)(ss)mov.f32f32 r1.x, c0.x
.word 0x00000000, 0x00000100 ; (rpt1)nop
.word 0x00041001, 0x63800000 ; mad.f32 r0.x, c0.y, r0.x, r1.x
.word 0x00041001, 0x63808001 ; mad.f32 r0.y, c0.y, r0.y, r1.x
.word 0x00000000, 0x03000000 ; end

; the fragment shader: one colour, made darker or lighter
.word 3, 12, 0x111000, 40, 0
.word 12, 40
.word 0x10041000, 0x50701000 ; (sy)(ss)mul.f r0.x, c0.x, c1.x
.word 0x10041001, 0x40700001 ; mul.f r0.y, c0.y, c1.x
.word 0x10041002, 0x40700002 ; mul.f r0.z, c0.z, c1.x
.word 0x3f800000, 0x20444003 ; mov.f32f32 r0.w, (1.0)
.word 0x00000000, 0x03000000 ; end

; three vertices
.word 3, 12, 0x120000, 24, 0
.word 12, 24
.word 0xbf800000, 0xbf800000
.word 0x40400000, 0xbf800000
.word 0xbf800000, 0x40400000

; the command stream
.word 3, 12, 0x100000, 472, 0
.word 12, 472
.word 0x70100002, 0x6d617266, 0x00312065 ; CP_NOP with a text
.word 0x70e50001, 0x00000001 ; CP_SET_MARKER: RM6_DIRECT_RENDER
.word 0x40800001, 0x00000000 ; GRAS_CL_CNTL
.word 0x48801086, 0x43000000, 0x43000000, 0x43000000, 0xc3000000, 0x3f000000 ; GRAS_CL_VIEWPORT[0]
.word 0x3f000000
.word 0x4080f002, 0x00000000, 0x00ff00ff ; GRAS_SC_WINDOW_SCISSOR
.word 0x40880d01, 0x0000000f ; RB_PS_OUTPUT_MASK
.word 0x40882001, 0x000007e0 ; RB_MRT[0].CONTROL
.word 0x48882286, 0x00000030, 0x00000010, 0x00001000, 0x00800000, 0x00000000 ; RB_MRT[0].BUF_INFO to BASE_GMEM
.word 0x00000000
.word 0x48887101, 0x00000000 ; RB_DEPTH_CNTL
.word 0x48a00001, 0x00000101 ; VFD_CNTL_0
.word 0x40a01004, 0x00120000, 0x00000000, 0x00000018, 0x00000008 ; VFD_VERTEX_BUFFER[0]
.word 0x48a09001, 0x06700000 ; VFD_FETCH_INSTR[0]
.word 0x40a80001, 0x00100100 ; SP_VS_CNTL_0
.word 0x48a81c02, 0x00110000, 0x00000000 ; SP_VS_BASE
.word 0x48a82302, 0x00000100, 0x00000001 ; SP_VS_CONFIG and SP_VS_INSTR_SIZE
.word 0x40a98001, 0x00100080 ; SP_PS_CNTL_0
.word 0x40a98302, 0x00111000, 0x00000000 ; SP_PS_BASE
.word 0x48a98b01, 0x0000000f ; SP_PS_OUTPUT_MASK
.word 0x48ab0402, 0x00000100, 0x00000001 ; SP_PS_CONFIG and SP_PS_INSTR_SIZE
.word 0x70320007, 0x00604000, 0x00000000, 0x00000000, 0x00000000, 0x3f800000 ; CP_LOAD_STATE6_GEOM: c0 of the vertex shader
.word 0x00000000, 0x00000000
.word 0x7034000b, 0x00b04000, 0x00000000, 0x00000000, 0x3dcccccd, 0x3dcccccd ; CP_LOAD_STATE6_FRAG: c0 and c1 of the fragment shader
.word 0x3e99999a, 0x00000000, 0x3f800000, 0x00000000, 0x00000000, 0x00000000
.word 0x70388003, 0x00000084, 0x00000001, 0x00000003 ; CP_DRAW_INDX_OFFSET: three vertices, the background
.word 0x70108003, 0x61697274, 0x656c676e, 0x00000000 ; CP_NOP with a text
.word 0x40882002, 0x000007e1, 0x00000701 ; RB_MRT[0].CONTROL and BLEND_CONTROL
.word 0x4080f002, 0x00400040, 0x00bf00bf ; GRAS_SC_WINDOW_SCISSOR
.word 0x70320007, 0x00604000, 0x00000000, 0x00000000, 0xbe800000, 0x3f000000 ; CP_LOAD_STATE6_GEOM
.word 0x00000000, 0x00000000
.word 0x7034000b, 0x00b04000, 0x00000000, 0x00000000, 0x3f800000, 0x3f000000 ; CP_LOAD_STATE6_FRAG
.word 0x00000000, 0x00000000, 0x3f400000, 0x00000000, 0x00000000, 0x00000000
.word 0x70388003, 0x00000084, 0x00000001, 0x00000003 ; CP_DRAW_INDX_OFFSET: three vertices, the triangle
.word 0x70460001, 0x0000001d ; CP_EVENT_WRITE
.word 0x70268000 ; CP_WAIT_FOR_IDLE

; it is submitted: address, words, upper half of the address
.word 6, 12, 0x100000, 118, 0
