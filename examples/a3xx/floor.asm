; A floor of pictures that reaches to the horizon; the level of detail comes from the quads. Draw it with
;
;     gpucode run --image 256x200 floor.png --varying 0=-0.5,0.5,-0.5 --varying 1=0.0,0.0,1.0 \
;         --texture 0=planet.png:levels --policy a3xx-wrap=repeat --policy a3xx-filter=linear --policy a3xx-mip=linear floor.asm
;
; Varying 0 goes from left to right, varying 1 from the horizon down.
.target a3xx
@in(r0.x-r0.y) ij
@out(r1.x) color
@sampler(0) picture
@const(c0.x) 0.06, 0.0, 0.0, 0.0       ; how far away the horizon is not

    bary.f r2.x, 0, r0.x
    bary.f (ei)r2.y, 1, r0.x
    (rpt2)nop
    add.f r2.y, r2.y, c0.x
    (rpt5)nop
    rcp r2.z, r2.y                      ; the distance
    (ss)mul.f r3.x, r2.x, r2.z
    mov.f32f32 r3.y, r2.z
    (rpt5)nop
    sam (f32)(xyzw)r1.x, r3.x, s#0, t#0
    end
