; SPDX-License-Identifier: MIT
.target afuc:a630
[016ee001]
[01000000]
start:
	mov $02, 0x0
loop:
	add $02, $02, 0x1
	jump #loop
	nop
