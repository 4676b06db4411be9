# debug afuc.asm
# Registers that instructions read: general ones, $data, $rem of a repetition, there and back.
break CP_NOP
continue
delete
packet CP_NOP 1, 2, 3
packet CP_NOP 4
rwatch $02
awatch $07
rwatch $data
rwatch $rem if $02 == 0
continue
continue
continue
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
reverse-continue
info breakpoints
