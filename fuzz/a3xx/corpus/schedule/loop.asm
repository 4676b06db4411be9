

mov.u32u32 r6.x, 3
top:
and.b r4.x, r0.w, 3
cov.u32s16 hr1.x, r4.x
mova a0.x, hr1.x
part0:
add.s r0.w, r1.w, r1.w
add.s r1.z, r1.w, r1.w
mov.u32u32 r<a0.x + 0>, r1.z
cov.u32s16 hr0.x, r0.x
add.u r2.x, r2.w, r0.w
ldg.u32 r0.z, g[r5.x+0], 1
part1:
stl.u32 l[r5.y+4], r0.y, 1
cmps.s.lt p0.x, r0.z, r0.z
ldg.u32 r0.x, g[r5.x+4], 1
stl.u32 l[r5.y+8], r0.z, 1
(rpt1)xor.b r1.z, (r)r0.x, r1.y
rcp r1.z, r0.z
mov.u32u32 r1.w, 53
cmps.s.lt p0.x, r1.z, r0.z
cmps.s.lt p0.x, r0.x, r0.z
part2:
sub.u r6.x, r6.x, 1
cmps.u.ne p0.z, r6.x, 0
br p0.z, #top
mov.u32u32 r7.x, r6.x
end
