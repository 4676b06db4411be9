movs.f32f32 r48.x, r1.x, 93
movs.s16s16 hr48.x, (last)hr2.w, a0.x
cmps.u.lt up0.y, r48.y, c1.z
cmps.u.ge hup0.y, r48.y, c1.z
add.f.mul2.lt r3.x, (neg)r1.w, c20.w
sam.base0 (f32)(xyzw)r0.z, r0.x, t#4, a1.x
isam.v.s2en.uniform.base0 (u32)(xyzw)r1.y, r0.x+3, r2.y
ldg.a.f16 hr1.z, g[c1.z+r2.w+32], 1
stsc.f32 c[366], 16, 8
stib.b.untyped.1d.u32.1.uniform.base2 r16.x, r19.y+29, r3.x
atomic.b.xchg.untyped.1d.u64.1.uniform.base1 r2.y, r1.y, r0.x
ray_intersection r7.z, [r3.w], r15.x, r1.w, r18.z
alias.tex.f32.1 r40.x, (-1.456763)
(sy)alias.rt.f16.0 rt0.x, hc0.x
alias.rt.b32.0 rt1.w, (0xff)
.insn 0x62000800_06030402
