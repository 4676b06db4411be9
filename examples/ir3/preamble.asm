; What all fibers have in common is computed once: the first wave loads four values of a buffer of constants into consts,
; and the sum of the fiber's number and one of these goes to the buffer.
; gpucode run -t ir3:a650 --buffers examples/ir3/preamble.asm
@localsize 4, 1, 1
@buf 4
@ubo 8 1, 2, 3, 4, 10, 20, 30, 40
@const(c4.x) 1000, 0, 0, 0
@invocationid(r0.x)
@branchstack 1
@earlypreamble
shps #main
getone #main
mova1 a1.x, 0
(rpt5)nop
ldc.4.k.imm c[a1.x], 1, 0           ; 10, 20, 30, 40 to c0.x and on
mov.u32u32 r48.x, 5
(sy)(ss)nop
(rpt4)nop
stc.u32 c[2], r48.x, 1              ; c0.z is 5 now
(sy)(ss)shpe
main:
(jp)nop
shl.b r0.y, r0.x, 0
mov.s32s32 r1.x, c4.x
(rpt4)nop
mova a0.x, hr0.z                    ; the low half of r0.y
(rpt5)nop
add.u r1.x, r1.x, c<a0.x>           ; the fiber's own const
(rpt5)nop
stib.b.untyped.1d.u32.1.imm r1.x, r0.x, 0
end
