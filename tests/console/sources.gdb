# debug shader.asm
# Registers that a shader reads, repeats included; predicates.
rwatch r0.y
rwatch p0.x
awatch r1.y
continue
continue
continue
continue
continue
reverse-continue
reverse-continue
p/f r1.y
info watchpoints
