# debug -t a3xx --const c0.y=0.25 --in r2.x=3.0 --ij r0.x --varying 2=8.0 inputs.asm
# A shader with its inputs, and the same after going back.
print/x r0.y
print/x c0.x
step
print/x r1.x
step
step
print/x r1.y
step
print/x r1.z
reverse-continue
print/x r2.x
print/x r1.z
