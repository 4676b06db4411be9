; everything once
.target afuc:a630
.equ SIZE, 4 * (2 + 1)
.macro twice op value
\op $02, $02, \value
l\@: \op $03, $03, \value
.endm
[016ee001]
[#jumptbl]
mov $01, 0x830
twice add, SIZE
(rep)cwrite $data, [$00 + @PACKET_TABLE_WRITE]
brne $02, b3, #end
nop
call #fn
nop
end:
waitin
mov $01, $data
fn:
CP_NOP:
(xmov1)mov $data, $data
ret
nop
.align 32
jumptbl:
.jumptbl
