; A shader of the first generation: inputs, constants, a branch, a texture.
.target a3xx
@in(r0.x) x
@out(r1.x) color
@const(c0.x) 0.5, 2.0, -1.0, 0.0
mov.f32f32 r0.y, c0.x
(rpt2)nop
add.f r0.z, r0.x, r0.y
rcp r0.w, r0.x
cmps.f.lt p0.x, r0.x, (0.5)
(rpt5)nop
br p0.x, #small
(ss)mul.f r1.x, r0.w, r0.z
mad.f32 r1.y, c0.y, r0.z, r0.x
jump #done
small:
mov.f32f32 r1.x, (1.0)
absneg.f r1.y, (neg)r0.x
done:
(jp)nop
end
