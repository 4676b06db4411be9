; Each fiber of a grid of 2 x 2 groups stores its number in the grid by the buffer's address, reads that of its neighbour in
; the group by way of local memory, and puts both into one word.
; gpucode run -t ir3:a630 --groups 2,2 --buffers examples/ir3/address.asm
@localsize 2, 1, 1
@buf 8 (c1.x)
@invocationid(r0.x)
@wgid(r48.x)
@numwg(c0.x)
@localmem 8
mov.u32u32 r1.x, c1.x
mov.u32u32 r1.y, c1.y
mov.u32u32 r1.z, r48.y
mov.u32u32 r1.w, r48.x
shl.b r2.x, r0.x, 2                 ; the fiber's place in local memory
(rpt1)nop
mad.u24 r1.z, c0.x, r1.z, r1.w      ; the group: x + y * groups in x
xor.b r2.y, r2.x, 4                 ; its neighbour's
(rpt5)nop
shl.b r1.z, r1.z, 1
(rpt2)nop
add.u r1.z, r1.z, r0.x
(rpt5)nop
stl.u32 l[r2.x], r1.z, 1
(sy)(ss)bar.l.g
(sy)(ss)nop
ldl.u32 r2.z, l[r2.y], 1
(ss)shl.b r2.z, r2.z, 8
(rpt2)nop
or.b r2.z, r2.z, r1.z
(rpt5)nop
stg.a.u32 g[r1.x+(r1.z<<2)], r2.z, 1
end
