# debug -t a3xx --policy a3xx-timing=strict strict.asm
# What is on its way is part of the state: going back and on again gives the same.
step 3
print/x r1.x
step 3
print/x r2.x
print/x r2.y
step
print/x r2.x
reverse-step 3
print/x r2.x
reverse-step 4
print/x r0.x
continue
print/x r1.x
print/x r2.y
print/x r2.z
