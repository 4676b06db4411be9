.target ir3:a650
	(sy)(ss)mov.f32f32 r0.x, (0.333333) ;{rsv 0x34}
	br !p0.x, #l3
	(nop3) add.f r0.y, r0.x, c1.x
l3:
	(jp)end
