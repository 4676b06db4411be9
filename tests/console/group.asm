; A group of four threads: the odd ones call a function that calls another.
.target a3xx
@attribute(r0.x-r0.x) number
(sy)(ss)and.b r1.x, r0.x, 1
cmps.s.eq p0.x, r1.x, 0
br p0.x, #behind
call #outer
behind:
(jp)add.s r3.x, r2.x, r0.x
end
outer:
(jp)add.s r2.x, r2.x, 10
call #inner
add.s r2.x, r2.x, 100
ret
inner:
(jp)add.s r2.x, r2.x, 1000
ret
