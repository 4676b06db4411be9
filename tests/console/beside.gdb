# debug afuc.asm
# A breakpoint on the instruction behind one that a watchpoint has stopped at is hit as well: counted, removed if
# temporary, with its commands run, in both directions.
packet CP_NOP 1, 2
watch $02
goto start
continue
break *3
tbreak *3
commands 2
echo both
end
break *3 if $02 == 7
ignore 4 9
goto start
continue
info breakpoints
rwatch $02
awatch $02
continue
reverse-continue
info breakpoints
