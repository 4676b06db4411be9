; Handlers that call each other, in circles too, and use registers of every kind.
.target afuc:a630
.equ KEPT, 0x20
[016ee001]
[#jumptbl]
    mov $03, #interruption
    cwrite $03, [$00 + @SCRATCH_REG0]
    cread $02, [$00 + @SCRATCH_REG0]
    swrite $02, [$00 + %PREEMPT_INSTR]
    mov $12, KEPT
    jump #idle
    nop
idle:
    waitin
    mov $01, $data
CP_NOP:
    call #even
    nop
    call #leaf
    nop
    waitin
    mov $01, $data
CP_MEM_WRITE:
    mov $02, $data
    mov $04, $data
    cwrite $02, [$00 + @MEM_READ_ADDR]
    store $04, [$02 + 0x4]
    load $05, [$02 + 0x8]
    mov $15, $05
    call #alone
    nop
    waitin
    mov $01, $data
CP_REG_RMW:
    cread $05, [$00 + @IB1_BASE]
    mov $06, CP_SCRATCH[0x2].REG
    cwrite $06, [$00 + @REG_WRITE_ADDR]
    cwrite $05, [$00 + @REG_WRITE]
    cwrite $05, [$06 + @REG_WRITE]
    xor $02, $02, 0x12
    jump #shared
    nop
CP_WAIT_FOR_IDLE:
    and $02, $data, 0x3
    shl $02, $02, 0x1
    add $02, $02, #table
    jumpd $02
    nop
table:
    jump #one
    nop
    jump #two
    nop
    jump #one
    nop
    jump #two
    nop
one:
    mov $03, 0x1
two:
    call #deep
    nop
    waitin
    mov $01, $data
CP_SET_BIN:
    jump #shared
    nop
even:
    sub $02, $02, 0x1
    breq $02, 0x0, #even_done
    nop
    call #odd
    nop
even_done:
    ret
    nop
odd:
    sub $02, $02, 0x1
    breq $02, 0x0, #odd_done
    nop
    call #even
    nop
odd_done:
    ret
    nop
alone:
    sub $04, $04, 0x1
    breq $04, b3, #alone_done
    nop
    call #alone
    nop
alone_done:
    ret
    nop
deep:
    call #deeper
    nop
    call #leaf
    nop
    ret
    nop
deeper:
    call #leaf
    nop
    jump #leaf
    nop
leaf:
    add $14, $14, 0x1
    ret
    nop
nobody:
    call #leaf
    nop
    ret
    nop
shared:
    mov $16, 0x3 << 16
    waitin
    mov $01, $data
interruption:
    mov $17, 0x1
    iret
    nop
jumptbl:
    .jumptbl
