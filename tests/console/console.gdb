# debug afuc.asm
# exit 2
# What else gdb's users type: commands of points, frames, ranges, printf, lists.
set confirm off
break CP_NOP
commands
silent
printf "%d: $rem = 0x%04x%c\n", $position - 523, $rem, 0x21
continue
end
tbreak sum
continue
packet CP_NOP 1, 2
continue
where
up
list
frame 0
up
down
list 35, 37
list -
list 8
info line
finish
rwatch $02
awatch $data
watch $06
info watchpoints
delete 1-2
disable 3-99
info breakpoints
enable 5
continue
break sum
break sum if $02 == 1
clear sum
undisplay
display/i $pc
display/x $06
info display
step
delete display 1
step
info symbol 0x17
info address sum
info address $06
info address CP_SCRATCH[2].REG
set variable $06 = 0x40490fdb
p/f $06
call $06 & 0xf
x/2f 0x100000
disassemble/r sum, 2
disassemble sum, 2
disassemble
list sum
thread 1
start
starti
commands 99
