# debug afuc.asm
# What was typed in the past is done again; a change forgets the future; snapshots survive.
continue
snapshot idle
packet CP_NOP 1, 2
continue
print $02
print $position
reverse-continue
packet CP_NOP 0x100
continue
print $02
restore idle
print $02
continue
info snapshots
restore 1
goto 3
set $02 = 0x77
goto +1
print $02
x/2xw 0x100000
x/3i table
display $05
display/t $02
step
step
undisplay 1
step
disable
until fill
until
list CP_NOP
disassemble sum, 3
