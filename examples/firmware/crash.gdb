crash break hang.devcore
continue
print $01
continue
crash compare hang.devcore
reverse-step
