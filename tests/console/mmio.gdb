# debug hwsq.hwsq
# exit 2
# Registers of a script's chip by their addresses; while memory is paused the host cannot read them, a debugger can.
watch *0x100210
watch/w {0x100200, 0x20}
info breakpoints
set *0x100210 = 7
print *0x100210
x/2xw 0x100210
continue
print *0x100210
print PFB.REFCTRL
continue
x/xw 0x100210
print/x *0x100210
goto 5
print PFB.REFCTRL
set *0x100210 = 1
