; In place of `leaf`.
    add $14, $14, 0x2
    mov $05, #tail
    jumpd $05
    nop
tail:
    ret
    nop
