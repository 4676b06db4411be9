# debug hwsq.hwsq
# exit 2
x/i 0x100000
