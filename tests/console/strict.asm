; missing delays and sync bits show under strict timing, forwards and backwards alike
    mov.f32f32 r0.x, (2.0)
    nop
    add.f r1.x, r0.x, r0.x      ; two slots too early
    (rpt3)nop
    rcp r2.x, r0.x
    mov.f32f32 r2.y, r2.x       ; without (ss)
    (ss)mov.f32f32 r2.z, r2.x
    end
