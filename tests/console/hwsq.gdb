# debug hwsq.hwsq
# Waits, events, flags and pokes of a sequencer script, there and back.
list
catch FB_PAUSE
watch/w '0x100210'
info breakpoints
continue
print $time
step
print $time
step
print $time
reverse-step 2
print $time
info flags
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
goto end
backtrace
# a place where no instruction begins
break 3
tbreak 1
