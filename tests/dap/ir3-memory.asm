; The first two stores end where the declared memory ends, the last two begin there.
@localmem 24
@pvtmem 16
mov.u32u32 r0.x, 20
mov.u32u32 r0.y, 12
mov.u32u32 r0.z, 5
(rpt5)nop
stl.u32 l[r0.x], r0.z, 1
stp.u32 p[r0.y], r0.z, 1
(ss)(sy)mov.u32u32 r1.x, 24
mov.u32u32 r1.y, 16
(rpt5)nop
stp.u32 p[r1.y], r0.z, 1
stl.u32 l[r1.x], r0.z, 1
(ss)(sy)end
