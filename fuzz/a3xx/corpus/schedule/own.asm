; A shader
@const(c0.x) 0.5        ; half

top:  add.f r0.x, r1.x, r1.y      ; sum
	(rpt1)nop                 ; waits
	rcp r0.z, r0.x            ; uses the sum
      mov.f32f32 r2.x, c0.x       ; independent
      sam (f32)(x)r4.x, r1.x, s#0, t#0
      br p0.x, #skip
   mov.f32f32 r2.x, c0.x

skip: add.f r3.x, r0.z, r2.x      ; joined
   add.f r3.y, r4.x, r2.x
   jump #1
last: end
