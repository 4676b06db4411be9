; Half of 1/x, with two mistakes of someone who writes by hand: nobody waits for rcp, and mad reads r0.z too early.
; `gpucode lint early.asm` finds them, `gpucode run --strict` shows what comes of them, `gpucode schedule` mends them.
.target a3xx
@in(r0.x) x
rcp r0.y, r0.x                  ; 1 / x
mul.f r0.z, r0.y, (0.5)         ; half of it
mad.f32 r0.w, r0.z, r0.z, r0.x  ; and its square, plus x
end
