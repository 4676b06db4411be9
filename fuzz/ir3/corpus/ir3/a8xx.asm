(ss)(eostsc)nop
mova.u.r (sat)a0.x, hr48.x, 0, 1
mad.f32 r2.y, (neg)(last)r2.y, r1.x, (1.0)
(nop1) mad.u24 r0.x, (last)r0.z, r0.x, 3
ldc.offset3.1.imm r0.x, r0.x, 0
ldc.offset3.1.imm r0.x, hr0.x, 0
mova.r a0.x, 5, 0, 0
