# debug -t ir3:a630 ../../examples/ir3/sum.asm
# Breakpoints of eight fibers: over them and back to them, without a watchpoint, with which the machine goes another way.
break 3
tbreak added
continue
continue
continue
break half if r1.w < 3
continue
continue
reverse-continue
reverse-step
reverse-continue
reverse-continue
continue
info breakpoints
delete
continue
