# debug afuc.asm
# exit 2
# The first wrong command ends a script.
echo before
break nowhere + 1
echo not reached
