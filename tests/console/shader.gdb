# debug shader.asm
# Repeats and a loop of a shader, there and back.
break again
run
info registers
step
print r1.x
print r1.y
reverse-step
print r1.x
print r1.y
info registers
continue
print r2.x
watch r2.x
continue
reverse-continue
reverse-continue
print $position
print r2.x
goto end
info registers
goto start
print r0.x
