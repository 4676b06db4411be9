# debug hwsq.hwsq
# exit 2
# Flags, events and the slot's own registers.
watch FB_PAUSE
watch DATA
watch ADDR
watch RUNNING
rwatch FB_PAUSED
continue
watch PFB.REFCTRL
continue
continue
continue
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
info watchpoints
watch FB_PAUSED
