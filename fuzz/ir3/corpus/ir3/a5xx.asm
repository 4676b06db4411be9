stgb.untyped.1d.f32.1 g[0], r1.z, 4, r10.x
atomic.s.add.untyped.1d.u32.1.g r1.y, g[1], r0.x, r0.w, r0.x
.insn 0x47348000_00002000
