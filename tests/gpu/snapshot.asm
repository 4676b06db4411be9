; A snapshot of KGSL: each kind of section, words that are firmware's or may be, objects of programs and of the driver.
.target afuc:a6xx
.raw
.word 0x504d0002, 0, 0x06030002
.word 0x0101abcd, 168 ; the system: times, page tables 0x43210000 and 0x8765, process 77, names
.word 0x203, 0x6553f100, 0, 0, 0, 0, 0, 0x43210000, 0, 0x8765, 0, 77, 0, 1, 0, 1
.word 0x35312e35, 0x0000302e, 0, 0, 0, 0, 0, 0
.word 0x00003123, 0, 0, 0, 0, 0, 0, 0
.word 0x656d6167, 0, 0, 0, 0x6d61676c, 0, 0, 0
.word 0x0201abcd, 60 ; registers: CP_RB_BASE, IB1_BASE, a word of code memory; 5 pairs, of which the last is behind the count
.word 5, 0x800, 0x10000, 0x801, 1, 0x911, 0xf00dfeed, 0x928, 0x20000, 0x929, 1
.word 0xaaaaaaaa, 0xbbbbbbbb
.word 0x0302abcd, 84 ; the ring
.word 0, 8, 8, 4, 2, 8, 12, 10, 0x10000, 1, 0
.word 0x70138000, 0x70268000, 0x70bf8003, 0x20000, 1, 4, 0, 0
.word 0x0402abcd, 48 ; a buffer
.word 0x20000, 1, 0x8765, 0, 4, 0, 0x70138000, 0x70268000, 0x48880001, 0x12345678
.word 0x0402abcd, 40 ; one with code
.word 0x30000, 1, 0x8765, 0, 2, 0, 0xd8000000, 0x981f0806
.word 0x0b02abcd, 44 ; objects
.word 1, 0x40000, 1, 0x8765, 0, 2, 0, 0x11223344, 0x55667788
.word 0x0b02abcd, 44
.word 5, 0x50000, 1, 0x8765, 0, 2, 0, 0x11223344, 0x55667788
.word 0x0b02abcd, 44
.word 4, 0x60000, 1, 0x8765, 0, 2, 0, 0xd8000000, 0x981f0806
.word 0x0501abcd, 36 ; blocks of words: the processor's state, one that is not known, the words on their way
.word 0x908, 0x909, 0, 3, 0x25, 0x70138000, 7
.word 0x0501abcd, 32
.word 0x999, 0x99a, 0, 2, 0x111, 0x222
.word 0x0501abcd, 40
.word 0x90c, 0x90d, 0, 3, 1, 2, 3, 4
.word 0x0502abcd, 40
.word 0x908, 0x909, 0, 2, 2, 0, 0x35, 0x70268000
.word 0x0502abcd, 36
.word 0x910, 0x911, 0, 1, 0, 0, 0xf00dfeed
.word 0x0901abcd, 20
.word 14, 1, 0x1ce1ce1c
.word 0xffffabcd, 8
