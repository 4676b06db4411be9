.target afuc:a630
.equ SIZE, 0x20
loop:
    mvo $02, SIZE
    jump #loop
    nop
