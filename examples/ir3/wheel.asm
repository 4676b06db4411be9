; A disc of coloured rings on a transparent ground; varying 0 goes from left to right, varying 1 downwards.
; gpucode run -t ir3:a630 --image 64x64 wheel.png --varying 0=-1.0,1.0,-1.0 --varying 1=-1.0,-1.0,1.0 examples/ir3/wheel.asm
@in(r0.x) ij(wrmask=0x3)
@out(r2.x) color(wrmask=0xf)
@const(c0.x) 18.849556, 0.5, 1.0, 0.0  ; three rings: 6 pi
bary.f r1.x, 0, r0.x
bary.f (ei)r1.y, 1, r0.x
(rpt5)nop
mul.f r1.z, r1.x, r1.x
(rpt2)nop
mad.f32 r1.z, r1.y, r1.y, r1.z         ; distance from the middle, squared
(rpt5)nop
cmps.f.gt p0.x, r1.z, (1.0)
(rpt5)nop
kill p0.x
mul.f r1.w, r1.z, c0.x
(rpt5)nop
sin r1.w, r1.w
mov.f32f32 r2.w, c0.z
(rpt2)nop
mov.f32f32 r3.x, c0.y
(rpt2)nop
(ss)mad.f32 r2.x, c0.y, r1.w, r3.x
mad.f32 r2.y, c0.y, r1.x, r3.x
mad.f32 r2.z, c0.y, r1.y, r3.x
end
