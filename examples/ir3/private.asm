; Each fiber writes the squares of 0 to 3, times its number, into its private memory, and takes one of them out.
; gpucode run -t ir3:a540 --print r2.x examples/ir3/private.asm
@localsize 4, 1, 1
@invocationid(r0.x)
@pvtmem 16
@branchstack 1
mov.u32u32 r1.x, 0
(rpt5)nop
again:
(jp)mul.u24 r1.y, r1.x, r1.x
shl.b r1.z, r1.x, 2
add.u r1.x, r1.x, 1
(rpt2)nop
mul.u24 r1.y, r1.y, r0.x
cmps.u.lt p0.x, r1.x, 4
(rpt5)nop
stp.u32 p[r1.z], r1.y, 1
(ss)nop
br p0.x, #again
(jp)shl.b r1.w, r0.x, 2
(rpt5)nop
ldp.u32 r2.x, p[r1.w], 1
(sy)nop
end
