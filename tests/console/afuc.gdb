# debug afuc.asm
# Breakpoints by label, condition and packet; steps through a call, its delay slot and (rep), and back.
break CP_NOP
tbreak boot
info breakpoints
continue
continue
packet CP_NOP 1, 2, 3
packet CP_NOP 0x10
continue
step
step
backtrace
print $rem
step
print $02
reverse-step
print $02
reverse-next
reverse-step
info line
next
reverse-step 2
reverse-finish
step 2
finish
print/x *0x100004
step 2
print $02 = 5
print *0x100004
delete 1
watch $02
watch/r $data
info breakpoints
delete 4
continue
reverse-continue
reverse-continue
goto end
goto start
echo back at the start
print $position
info stack
record
