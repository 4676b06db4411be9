; all kinds of memory, and every atomic operation
@localsize 4, 1, 1
@buf 64 (c2.x) 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120
@buf 64 (c3.x)
@ubo 8 1, 2, 3, 4, 5, 6, 7, 8
@invocationid(r0.x)
@localmem 64
@pvtmem 32
shl.b r1.x, r0.x, 2
mov.u32u32 r20.x, 0
(rpt5)nop
add.u r4.x, c2.x, r1.x
mov.u32u32 r4.y, c2.y
add.u r5.x, c3.x, r1.x
mov.u32u32 r5.y, c3.y
(rpt5)nop
cmps.u.lt r4.z, r4.x, c2.x
cmps.u.lt r5.z, r5.x, c3.x
(rpt2)nop
add.u r4.y, r4.y, r4.z
add.u r5.y, r5.y, r5.z
(rpt5)nop
ldg.u32 r6.x, g[r4.x], 2
(sy)stg.u32 g[r5.x+16], r6.x, 1
mov.u32u32 r7.x, c2.x
mov.u32u32 r7.y, c2.y
(rpt5)nop
ldg.a.u32 r6.z, g[r7.x+(((r0.x<<1)+1)<<2)], 1
(sy)mov.u32u32 r8.x, c3.x
mov.u32u32 r8.y, c3.y
(rpt5)nop
stg.a.u32 g[r8.x+(((r0.x<<0)+2)<<2)], r6.z, 1
stl.u32 l[r1.x], r6.x, 1
(ss)nop
atomic.add.untyped.1d.u32.1.l r9.x, l[r20.x], r0.x
atomic.sub.untyped.1d.u32.1.l r9.y, l[r20.x], r0.x
atomic.xchg.untyped.1d.u32.1.l r9.z, l[r20.x], r6.x
atomic.inc.untyped.1d.u32.1.l r9.w, l[r20.x], r6.x
atomic.dec.untyped.1d.u32.1.l r10.x, l[r20.x], r6.x
atomic.min.untyped.1d.s32.1.l r10.y, l[r20.x], r6.x
atomic.max.untyped.1d.u32.1.l r10.z, l[r20.x], r6.x
atomic.and.untyped.1d.u32.1.l r10.w, l[r20.x], r6.x
atomic.or.untyped.1d.u32.1.l r11.x, l[r20.x], r6.x
atomic.xor.untyped.1d.u32.1.l r11.y, l[r20.x], r6.x
mov.u32u32 r12.x, 7
mov.u32u32 r12.y, c2.z
(rpt5)nop
atomic.cmpxchg.untyped.1d.u32.1.l r11.z, l[r20.x], r12.x
(ss)(sy)nop
stib.b.untyped.1d.u32.4.imm r9.x, r20.x+20, 1
stp.u32 p[r20.x+4], r0.x, 1
ldp.u32 r13.x, p[r20.x+4], 1
ldlw.u32 r13.y, l[r1.x], 1
ldc.offset1.2.imm r13.z, 1, 0
(ss)(sy)mov.u32u32 r21.x, 1
(rpt5)nop
atomic.g.add.untyped.1d.u32.1.g r14.x, r8.x, r21.x
atomic.g.max.untyped.1d.u32.1.g r14.y, r8.x, r0.x
(sy)mov.u32u32 r15.y, 5
mov.u32u32 r16.y, 3
(rpt5)nop
atomic.b.add.untyped.1d.u32.1.imm r15.x, r20.x, 1
atomic.b.sub.untyped.1d.u32.1.imm r16.x, r20.x, 1
(sy)mov.u32u32 r15.w, 9
mov.u32u32 r16.w, 0x33
(rpt5)nop
atomic.b.xchg.untyped.1d.u32.1.imm r15.z, r20.x, 1
atomic.b.or.untyped.1d.u32.1.imm r16.z, r20.x, 1
(sy)nop
resinfo.b.untyped.1d.u32.1.imm r17.x, 1
getfiberid.u32 r18.x
(ss)(sy)nop
end
