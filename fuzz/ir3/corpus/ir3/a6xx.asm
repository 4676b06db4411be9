(rpt2)nop
getlast.w8 #4
(rpt1)mov.f32f32 r1.y, (r)c260.x
mov.s32s32 r<a0.x + 4>, r2.x
mov.s16s16 hr1.y, -1
mov.f16f16 hr1.y, h(0.625000)
mov.f32f32 r0.x, (0.333333) ;{rsv 0xd}
mov.f32f32 r0.x, (nan) ;{rsv 0x400001}
mova.u a0.x, (r)hr0.x
mova1 a1.x, 0
movmsk.w128 r48.x
swz.u32u32 r1.x, r0.w, r0.y, r0.z
sct.f16u32 r1.y, r0.z, r0.w, r1.x, hr0.y
(nop3) cmps.f.lt r1.x, (abs)r1.x, c16.x
(nop1) bary.f (ei)r0.z, 0, r0.x
flat.b (ei)r0.x, 0, r0.x
add.f r1.w, r2.x, (neg)(2.0)
(rpt1)sel.b32 r2.y, c38.y, (r)r2.y, c38.z
(nop3) shlg hr8.x, 8, hr8.x, 12
(nop3) wmm.accu hr0.z, (neg)hr0.w, hr0.w, 2
(sat)(nop3) dp2acc.mixed.low r0.z, r0.w, r0.w, r0.z
rcp r2.z, r0.w
dsxpp.1.p (x)r1.y, r0.x
sam.base1 (f32)(xyzw)r1.x, r0.z, s#3, t#2
sam.base0 (f32)(xyzw)r0.z, r0.x, s#4, a1.x
sam.rck (xyzw)r1.x, r0.z, s#6, t#6
(sy)quad_shuffle.brcst (u32)(x)r1.w, r0.x, r0.z
ldg.u32 r0.w, g[r0.w+308], 1
ldg.a.f32 r1.w, g[r1.y+(((r1.w<<3)+2)<<2)], 3
stg.a.u32 g[r2.x+((r1.x+1)<<2)], r5.x, 1
stg.a.u8 g[r0.z+r11.z], hr8.y, 1
stp.f32 p[r11.y-176], r0.y, 1
stc.u32 c[a1.x+32], r0.x, 3
ldg.k.u32 c[a1.x+136], g[r48.x+2352], 1
ldc.offset0.1.nonuniform r0.y, 255, r0.y
ldc.4.k.imm.base0 c[a1.x], 0, 0
ldib.b.untyped.1d.u32.rck.4.nonuniform.base0 r2.z, r2.z, r1.z
(sy)atomic.max.untyped.1d.u32.1.l r0.w, l[r0.z], r0.w
shfl.down.u16 hr4.y, hr2.z, r48.y
fence.r.w
sleep.l
dccln.all
nop ;{rsv 0x80000000005}
.insn 0xffffffff_ffffffff
ldib.b.untyped.1d.f16.1.imm hr0.x, r0.x+1, 0 ;{rsv 0x1}
(nop3)cmps.f.lt r1.x,(abs)r1.x,c16.x
mov.s32s16 hr0.x, r0.x
cov.f32f32 r0.x, c8.x
mova a0.x, hr0.x ; a comment
(rpt1)add.f hr0.z, (r)hr1.z, (r)(neg)hc8.x
add.f hr0.z, r0.y, c<a0.x+33>
mov.f32f32 r0.x, (0.5)
mov.f32f32 r0.x, 0x3f000000
(nop3) (sat)add.s r0.y, r0.y, r0.y
movmsk.w128 sr48.x
ldib.b.untyped.1d.u32.rck.4.mode6.base0 r2.z, r2.z, r1.z
nop {rsv 0x80000000005}
fence.w.r.l.g
