; A planet with bands of cloud, a storm, and air around it. Draw it with
;
;     gpucode run --image 256x256 planet.png --varying 0=-1.1,1.1,-1.1 --varying 1=1.1,1.1,-1.1 planet.asm
;
; Varying 0 goes from left to right, varying 1 upwards; the planet has radius 1. Around it pixels are killed, which
; leaves them transparent. `gpucode schedule` put the nops and (ss) in.
.target a3xx
@in(r0.x-r0.y) ij
@out(hr0.x) color
@const(c0.x) 0.35, 1.9, 2.9, 0.11       ; tilt of the axis; bands; waves in them, and how high these are
@const(c1.x) -0.55, 0.5, 0.67, 0.04     ; where the light comes from; light of the night
@const(c2.x) 0.36, 0.42, 0.38, 0.0      ; bright bands less dark ones
@const(c3.x) 0.60, 0.38, 0.22, 0.0      ; dark bands
@const(c4.x) 0.35, 0.60, 1.0, 14.0      ; air, and how fast it thins out
@const(c5.x) 0.2, 0.27, 2.4, 6.5        ; the storm: minus its place; how narrow and flat it is
@const(c6.x) 0.72, 0.20, 0.10, -5.0     ; its colour; how sharp its edge is
@const(c7.x) 1.35, 0.5, 1.0, 0.45       ; where the air ends, squared; for the bands; opaque; light around the edge
@const(c8.x) 6.2831853, -3.1415927, 0.0, 0.0

    bary.f r1.x, 0, r0.x
    bary.f (ei)r1.y, 1, r0.x
    (rpt1)nop
    mul.f r1.w, r1.x, r1.x
    nop
    mad.f32 r1.w, r1.y, r1.y, r1.w          ; distance from the middle, squared
    (rpt2)nop
    cmps.f.gt p0.x, r1.w, c7.x
    (rpt5)nop
    kill p0.x
    add.f r2.x, (neg)r1.w, (1.0)            ; below 0 beside the planet
    (rpt2)nop
    max.f r2.y, r2.x, (0.0)
    (rpt5)nop
    sqrt r1.z, r2.y                         ; r1.xyz is the normal

    ; bands, by the latitude and a little by the longitude; sines are of -pi to pi
    mad.f32 r2.z, c0.x, r1.x, r1.y
    mul.f r2.w, r1.x, c0.z
    (rpt5)nop
    sin r2.w, r2.w
    mul.f r3.x, r2.z, c0.y
    nop
    (ss)mad.f32 r3.x, c0.w, r2.w, r3.x
    (rpt2)nop
    floor.f r3.y, r3.x
    (rpt2)nop
    add.f r3.x, r3.x, (neg)r3.y
    (rpt2)nop
    mad.f32 r3.x, c8.x, r3.x, c8.y
    (rpt5)nop
    sin r3.x, r3.x
    (ss)mad.f32 r3.x, c7.y, r3.x, c7.y
    (rpt2)nop
    (rpt2)mad.f32 r4.x, (r)c2.x, r3.x, (r)c3.x

    ; the storm
    add.f r3.y, r1.x, c5.x
    (rpt2)nop
    mul.f r3.y, r3.y, c5.z
    (rpt2)nop
    mul.f r3.y, r3.y, r3.y
    add.f r3.z, r2.z, c5.y
    (rpt2)nop
    mul.f r3.z, r3.z, c5.w
    (rpt2)nop
    mad.f32 r3.y, r3.z, r3.z, r3.y
    (rpt2)nop
    mul.f r3.y, r3.y, c6.w
    (rpt5)nop
    exp2 r3.y, r3.y
    (rpt2)add.f r5.x, (neg)(r)r4.x, (r)c6.x
    nop
    (ss)(rpt2)mad.f32 r4.x, (r)r5.x, r3.y, (r)r4.x

    ; light
    mul.f r3.z, r1.x, c1.x
    nop
    mad.f32 r3.z, c1.y, r1.y, r3.z
    nop
    mad.f32 r3.w, c1.z, r1.z, r3.z
    (rpt2)nop
    max.f r3.w, r3.w, (0.0)
    (rpt2)nop
    add.f r3.w, r3.w, c1.w
    (rpt2)nop
    (rpt2)mul.f r4.x, (r)r4.x, r3.w

    ; air: seen through at the edge of the disc, alone beside it
    add.f r5.w, (neg)r1.z, (1.0)
    (rpt2)nop
    mul.f r5.x, r5.w, r5.w
    (rpt2)nop
    mul.f r5.x, r5.x, r5.w
    (rpt2)nop
    mul.f r5.x, r5.x, r3.w
    (rpt2)nop
    (rpt2)mad.f32 r4.x, (r)c4.x, r5.x, (r)r4.x
    mul.f r5.y, r2.x, c4.w
    (rpt5)nop
    exp2 r5.y, r5.y
    (sat)add.f r5.z, r3.z, c7.w
    (rpt2)nop
    (ss)mul.f r5.y, r5.y, r5.z
    cmps.f.lt r5.x, r2.x, (0.0)
    mov.f32f32 r4.w, c7.z
    (rpt1)nop
    (rpt2)sel.b32 r4.x, (r)c4.x, r5.x, (r)r4.x
    sel.b32 r4.w, r5.y, r5.x, r4.w
    (rpt3)cov.f32f16 hr0.x, (r)r4.x
    end
