.target a3xx
@const(c0.x) 1.0, -2
.equ N, 3
top: (sy)(ss)(rpt1)bary.f (ei)hr0.x, (r)0, r0.x
mov.f32f32 r1.x, (6.2831853)
mul.u24 r1.x, r1.y, c4.z {rsv 0x100}
sam.3d (f32)(xyz)r2.x, r1.x, s#1, t#2
br !p0.x, #top
add.s r0.x, r0.y, N + 1
0003[00000200x_00000000x] (rpt2)nop
.insn 0xe0000000_00000000
end
