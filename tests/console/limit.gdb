# debug --limit 1000 endless.asm
# exit 1
# memory of any size, which is made when it is written
map 0x1000, 0xfffffffffff00000
map 0x1000, 0x100000000000
set *0x123456789000 = 5
x/2xw 0x123456789000
x/1xw 0xffffffffffe00000
# all movements end at the limit
continue
print $02
step
next
reverse-step 3
continue
x/1xw 0x123456789000
