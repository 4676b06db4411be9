.target afuc:a630
.include "again"
.equ SIZE, 0x20
.macro store reg, label
loop\@:	mov \reg, SIZE ; body
	jump #\label
	nop
	brne \reg, 0x3, #loop\@
	nop
.endm
.section BV
start:
	store $03, start
	(rep)mov $data, CP_SCRATCH[0x2].REG
	deep other
	ad $02, $02, 1
	mov $02, SIZ
.section LPAC
	mov $01, #BV::start
lonely
CP_NOP:
	waitin
	mov $01, $data
