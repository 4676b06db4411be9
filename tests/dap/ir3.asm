@localsize 4, 1, 1
@buf 4 (c1.x)
@invocationid(r0.x)
@wgid(r48.x)
@localmem 64
mov.f32f32 r1.x, c0.x
cov.f32f16 hr16.y, r3.x
mov.u32u32 r49.x, r0.x
mov.u32u32 r2.x, c1.x
cmps.u.ge p0.x, r0.x, 2
(rpt5)nop
br p0.x, #out
add.u r2.y, r0.x, 5
out:
(jp)nop
end
