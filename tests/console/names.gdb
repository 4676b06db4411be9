# debug afuc.asm --symbols names.sym
# Names of a user's own, in expressions and in what is printed.
info symbols
print entry
print total + LIMIT
set mailbox = 0x1234
print CP_SCRATCH[2].REG
info registers mailbox total
watch mailbox
set @MODE = 3
print @MODE
set *results = 9
print {results, 2}
print {results + 1, 1}
info line 3
print 1 ? 2 : 1 / 0
print (1 << 4 | 3) ^ 0xff
print -7 / 2 * 2 + -7 % 2
print 'A' + 1
print ~0 & 0xff
print !5 || $02 == 0 && 3 > 2
