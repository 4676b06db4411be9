.target afuc:a7xx
add $02, $20, 0x10000
.include "again"
jump #nowhere
.section BV
load $03, [$0b 0x4]
.word 0x123456789
