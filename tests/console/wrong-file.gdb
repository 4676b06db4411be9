# debug afuc.asm
# exit 2
list nofile.asm:3
