; rows that the model leaves out
@localsize 4, 1, 1
@buf 1
@invocationid(r0.x)
@const(c0.x) 0x40490fdb, 0xc0800000, 0x00010203, 0xfffefdfc
cov.u32f32 r1.x, r0.x
(rpt5)nop
add.f r1.x, r1.x, (0.5)
mov.f32f32 r1.y, c0.y
mov.u32u32 r1.z, c0.z
mov.u32u32 r1.w, c0.w
(rpt5)nop
mul.f.mul2.lt r2.x, r1.x, r1.y
add.f.mul2.lt r2.y, r1.x, r1.y
mul.f.div2.lt r2.z, r1.x, r1.y
add.f.div2.lt r2.w, r1.x, r1.y
mad.f32.mul2 r3.x, r1.x, r1.x, r1.y
mad.f32.div2 r3.y, r1.x, r1.x, r1.y
sign.f r3.z, r1.y
rndaz.f r3.w, r1.x
rcp r4.x, r1.x
rsq r4.y, r1.x
log2 r4.z, r1.x
exp2 r4.w, r1.x
sin r5.x, r1.x
cos r5.y, r1.x
sqrt r5.z, r1.x
setrm r5.w, r1.z
add.u (ei)r6.x, r1.z, r1.w
add.s (ei)r6.y, r1.z, r1.w
(sat)add.u r6.z, r1.z, r1.w
(sat)sub.s r6.w, r1.z, r1.w
(sat)add.f r7.x, r1.x, (0.5)
dp2acc.mixed.low r7.y, r1.z, r1.w, r0.x
dp2acc.unsigned.high r7.z, r1.z, r1.w, r0.x
dp4acc.mixed.low r7.w, r1.z, r1.w, r0.x
madsh.u16 r8.x, r1.z, r1.w, r0.x
mad.s24 r8.y, r1.z, r1.w, r0.x
cov.f32f16 hr40.x, r1.x
cov.f32f16 hr40.y, r1.y
(rpt5)nop
mad.f16 hr40.z, hr40.x, hr40.y, hr40.x
mad.f16.mul2 hr40.w, hr40.x, hr40.y, hr40.x
mad.f16.div2 hr41.x, hr40.x, hr40.y, hr40.x
mad.u16 hr41.y, hr40.x, hr40.y, hr40.x
mad.s16 hr41.z, hr40.x, hr40.y, hr40.x
sel.b16 hr41.w, hr40.x, hr40.y, hr40.x
sel.s16 hr42.x, hr40.x, hr40.y, hr40.x
sel.f16 hr42.y, hr40.x, hr40.y, hr40.x
sad.s16 hr42.z, hr40.x, hr40.y, hr40.x
hrsq hr42.w, hr40.x
hlog2 hr43.x, hr40.x
hexp2 hr43.y, hr40.x
cov.f32s16 hr43.z, r1.y
cov.f32u32 r8.z, r1.x
cov.s32f16 hr43.w, r1.z
mova a0.x, 1
mova1 a1.x, 9
(rpt5)nop
mov.u32u32 r8.w, r<a0.x + 4>
mov.u32u32 r9.x, c<a0.x + 1>
wmm r12.x, r1.x, r2.x, 0
(rpt3)mov.u32u32 r14.x, (r)r1.x
(ss)end
