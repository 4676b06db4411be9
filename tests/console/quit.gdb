# debug afuc.asm
# exit 7
set $02 = 3
quit $02 + 4
