# debug --policy a3xx-unmapped=map shader.asm
# goes on
# Floats: literals, registers and memory that hold some, and what has no such operator.
print 2.5
set r0.x = 2.5
print r0.x
print r0.x == 2.5
print r0.x == 1.5
print r0.x * 2.0 + 1
print r0.x + 1
print (r0.x + r0.x) == 5.0
print (float)r0.x + (float)r0.x == 5.0
set hr0.x = 0.1
print hr0.x
print hr0.x == 0.1
print hr0.x < 0.2
set r0.y = -1e-3
print r0.y
set r0.x += .5
print r0.x
print (int)2.9
print (float)3 / 2
print 1.5 % 2
print !0.0
print $pc = 2.5
print 2.5x
print 1e5
print r0.x ? 2.5 : 1
print r0.x & 1.5
print *2.5
print ~1.5
print CP[1.5]
set {char}0x100 = 1.5
set {double}0x108 = 0.1
print {double}0x108
set {float}0x104 = 3
print {float}0x104
print *0x104
print *(float *)0x104 + 1
printf "%.1234f", 1.5
set *0x100 = 1.5
printf "%f %.2f %g %d\n", r0.x, 2.5, r0.x * 2.0, 7
print -r0.x == -3.0
print {float}0x100
x/1f 0x100
print r0.x > 2 && r0.x < 3.5
print r0.x > 2
display r0.x * 0.5
break 3 if r0.x == 3.0
continue
print r0.x = 7
print r1.x = r0.x * 1.0
print c0.x = 0.25
set hr0.x = 0x7c00
print/f hr0.x
print hr0.x * 1.0
set hr0.x = 0xfc00
print hr0.x
print (float)hr0.x
set hr0.x = 1
print/f hr0.x
set hr0.x = 0x8000
print/f hr0.x
set hr0.x = 0x83ff
print/f hr0.x
set hr0.x = 0x200
print/f hr0.x
print (float)hr0.x
set hr0.x = 0x3c01
print/f hr0.x
set hr0.x = 0x7c01
print/f hr0.x
print hr0.x
print (float)-hr0.x
print !hr0.x * 2.5
map 0x200, 16
set {0x200, 8} = 0x4004000000000000
print (float){0x200, 8}
print {0x200, 8} * 2.0
print {0x200, 8} + {0x200, 8}
x/1fg 0x200
# the largest and least halves of each kind, and integers that floats are not
set hr0.x = 0x7c01
print hr0.x * 1.0
set hr0.x = 0xffff
print hr0.x * 1.0
set hr0.x = 0x7bff
print hr0.x * 1.0
set hr0.x = 0x3ff
print hr0.x * 1.0
set hr0.x = 0x400
print hr0.x * 1.0
print (long)9.2233714e18
print (long)9.2233720e18
print (long)-9.2233714e18
print (long)-1e30
