# debug afuc.asm
# goes on
# The last number, name and place that is taken, and the first that is not.
print 7 / -1
print 7 % -1
print (-9223372036854775807 - 1) / -1
set $02 = 0xffffffff
print $02
set $02 = 0x100000000
set $02 = -2147483648
print $02
set $02 = -2147483649
stepi 0
stepi -1
stepi 5
goto -5
goto 3
goto -4
snapshot abcdefghijklmnopqrstuvwxyzabcde
snapshot abcdefghijklmnopqrstuvwxyzabcdef
frame 1
frame 2147483648
list 1,2
list 0,1
list 3,3
list 3,2
list 6
list 7
list -
list -
list -
break 4
break 5
delete 2-2
delete 2-1
info breakpoints
delete 4294967296
stpei
stppi
stepii
y
stpie
