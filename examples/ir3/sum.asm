; Adds up a buffer: each work group sums its part in local memory, in halves, and adds what it found to the result.
; gpucode run -t ir3:a630 --groups 2 --buffers examples/ir3/sum.asm
@localsize 8, 1, 1
@buf 16 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
@buf 1
@invocationid(r0.x)
@wgid(r48.x)
@localmem 32
@branchstack 2
(ss)shl.b r0.w, r48.x, 3         ; the first element of the group
shl.b r1.y, r0.x, 2              ; where in local memory
(rpt1)nop
add.u r1.x, r0.w, r0.x
(rpt5)nop
ldib.b.untyped.1d.u32.1.imm r2.x, r1.x, 0
mov.u32u32 r1.w, 4               ; how many fibers still add
(rpt1)nop
(sy)stl.u32 l[r1.y], r2.x, 1
half:
(jp)(sy)(ss)bar.l.g
(sy)(ss)cmps.u.lt p0.x, r0.x, r1.w
shl.b r1.z, r1.w, 2
(rpt2)nop
add.u r1.z, r1.z, r1.y           ; its partner
(rpt5)nop
br !p0.x, #added
ldl.u32 r2.y, l[r1.z], 1
ldl.u32 r2.x, l[r1.y], 1
(ss)add.u r2.x, r2.x, r2.y
(rpt5)nop
stl.u32 l[r1.y], r2.x, 1
added:
(jp)(ss)shr.b r1.w, r1.w, 1
(rpt2)nop
cmps.u.ne p0.x, r1.w, 0
(rpt5)nop
br p0.x, #half
getone #done
mov.u32u32 r3.x, 0
mov.u32u32 r2.z, r2.x
(rpt5)nop
atomic.b.add.untyped.1d.u32.1.imm r2.y, r3.x, 1
done:
(jp)nop
end
