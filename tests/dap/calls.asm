; Threads of the lower row call a function that calls another.
.target a3xx
cmps.s.eq p0.x, r0.y, 0
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
