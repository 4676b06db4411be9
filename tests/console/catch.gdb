# debug afuc.asm
# exit 1
# Packets and faults are caught; the exit code tells of the fault.
catch packet
catch packet CP_NOP if $06 == 1
catch fault
continue
packet CP_NOP 1
packet CP_NOP 2
continue
continue
continue
delete
catch fault
packet CP_ME_INIT 1
set $pc = CP_ME_INIT
step
reverse-step
continue
