; a small program with every kind of statement, for the tests of the command line
[016ee001]
[#jumptbl]
.equ COUNT, 3
.include "included.inc"
start:
mov $02, 0x830
add $02, $02, COUNT
call #helper
nop
waitin
mov $01, $data
CP_NOP:
(rep)mov $00, $data
waitin
mov $01, $data
.align 32
jumptbl:
.jumptbl
