# debug hwsq.hwsq
# goes on
# Commands of other instruction sets are not there; what can be caught is said.
help catch
packet CP_NOP 1
info queues
catch packet
catch nothing
