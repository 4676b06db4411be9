.target ir3:a6xx
	mov.u32u32 r0.x, 5
	br p0.x, #out
	add.u r0.y, (neg)r0.x, c0.x
out:
	stg.u32 g[r0.x], r0.y, 1
	end
	nop
