; A loop with a texture, a call of special functions, halves and memory.
.target ir3:a630
@localsize 4, 1, 1
@buf 16 1, 2, 3, 4
@invocationid(r0.x)
start:
mov.u32u32 r1.x, 4
shl.b r0.y, r0.x, 2
(rpt5)nop
ldib.b.untyped.1d.u32.1.imm r2.x, r0.x, 0
loop:
(sy)add.u r2.x, r2.x, r1.x
sub.u r1.x, r1.x, 1
(rpt5)nop
cmps.u.ne p0.x, r1.x, 0
(rpt5)nop
br p0.x, #loop
cov.u32u16 hr3.x, r2.x
(rpt5)nop
add.u hr3.y, hr3.x, hr3.x
mul.u24 r2.y, r2.x, r2.x
rcp r3.z, r2.y
(ss)nop
stib.b.untyped.1d.u32.1.imm r2.x, r0.x, 0
end
nop
