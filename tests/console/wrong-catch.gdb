# debug hwsq.hwsq
# exit 2
catch packet
