packet CP_ME_INIT 0
packet CP_MEM_WRITE 0x100000 0 0xcafe
watch *0x100000
continue
reverse-step
x/1xw 0x100000
