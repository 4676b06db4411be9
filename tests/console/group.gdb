# debug --policy a3xx-threads=4 group.asm
# Calls of a shader: into them, over them, out of them and back; threads of a group one by one.
info processors
processor 0
print r0.x = 0
processor 1
print r0.x = 1
processor 2
print r0.x = 2
processor 3
print r0.x = 3
break inner if r0.x == 3
processor 1
step 4
backtrace
next
print r2.x
next
print r2.x
backtrace
reverse-next
backtrace
reverse-step
continue
print $position
processor
backtrace
info stack
finish
backtrace
finish
print r2.x
reverse-step
reverse-step
reverse-finish
info processors
delete 1
watch r3.x
continue
continue
print $position
reverse-continue
goto end
info processors
goto start
continue
