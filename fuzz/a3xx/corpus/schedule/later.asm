br !p0.x, #b
mov.u32u32 r48.x, 1
(nop2) add.f r0.x, r1.x, r1.y
jump #c
b:
(jp)add.u r0.y, r48.x, r1.x
c:
(jp)predt
rsq r0.x, r0.y
predf
add.f r2.x, r0.x, r0.y
prede
and.b r3.x, r1.x, 3
cov.u32s16 hr4.x, r3.x
mova a0.x, hr4.x
mov.f32f32 r<a0.x + 16>, c0.x
stg.f32 g[r1.x], r0.x, 1
bar.g
end
nop
nop
rsq r0.x, r1.x
sam (f32)(xy)r0.z, r0.x, s#0, t#0
add.f r2.x, r0.z, r0.x
end
.insn 0xffffffff_00000000
