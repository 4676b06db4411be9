; Code that only a computed jump leads to, between words that are no instructions: without running it, it looks like data.
[01730001]
[01000000]
    mov $02, island
    jump $02
    nop
[ffffffff]
[fffffffe]
island:
    add $03, $03, 0x1
    jump #end
    nop
[fffffffd]
[88020005]
[fffffffc]
end:
    waitin
    mov $01, $data
