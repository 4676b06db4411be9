.target a3xx
mov.f32f32 r1.x, c0.x
br p0.x, #out
add.f r1.y, r1.x, r0.x
out:
end
