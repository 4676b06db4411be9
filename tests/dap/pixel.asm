; a varying that goes over a picture, in the pixel's own place
bary.f (ei)r1.x, 2, r0.x
(rpt2)nop
mul.f r1.y, r1.x, c0.x
end
