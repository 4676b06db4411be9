; what a shader is given stands in its registers from the beginning
@const(c0.x) 0.5
start:
    bary.f (ei)r1.x, 2, r0.x
    (rpt2)nop
    mul.f r1.y, r1.x, c0.x
    add.f r1.z, r2.x, r2.x
end:
    end
