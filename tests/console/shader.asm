; A shader to step through: repeats, a loop and a predicate.
.target a3xx
(sy)(ss)mov.f32f32 r0.x, (2.0)
mov.f32f32 r0.y, (3.0)
mov.s32s32 r2.x, 2
(rpt3)nop
again:
(rpt1)add.f r1.x, (r)r0.x, (r)r0.x
sub.s r2.x, r2.x, 1
(rpt2)nop
cmps.s.gt p0.x, r2.x, 0
(rpt1)add.f r0.x, (r)r1.x, (r)r0.x
(rpt5)nop
br p0.x, #again
end
