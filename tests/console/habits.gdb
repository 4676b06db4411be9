# debug afuc.asm
# exit 2
# Forms that gdb's users type.
info registers pc $02
info frame
hbreak *0x3
thbreak *0x4
watch -l $06
info watchpoints
delete 3
info watchpoints
run
disassemble sum,+2
disassemble 0x16,0x18
disassemble 0x16, 3
disassemble/r 0x16,0x17
print/o 64
print *(char *)0x1000
set {int}0x100000 = -1
set *(short*)0x100000 = 0x1234
x/2xw 0x100000
echo one\ttwo\n
packet CP_NOP 1,2
info all-registers
goto start
# words as `gpucode run` takes them
packet CP_NOP 1 0x2 $02 1 + 2
packet @CP_SCRATCH[0].REG 1 2
packet raw 0x70100001, 5
clear *3
delete
catch packet
continue
rwatch $data
continue 2
continue
packet CP_NOP 1 + +
