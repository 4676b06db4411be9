# debug afuc.asm
# exit 2
break afuc.asm:99999
