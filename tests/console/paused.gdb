# debug paused.hwsq -t hwsq:g94
# While memory is paused the host reaches nothing; a debugger sees the sequencer's own registers, its code and all flags.
stepi
stepi
stepi
info flags
print/x *0x1304
print/x *0x1308
print/x PBUS.HWSQ.STATUS
print/x *0x1310
print/x *0x1314
x/3xw 0x1400
