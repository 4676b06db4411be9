# debug hwsq.hwsq
# exit 2
disassemble -1
