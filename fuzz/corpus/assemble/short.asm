[016ee001]
mov $01, 0x1 << 33
	foo
.include "missing"
.macro m
