; SPDX-License-Identifier: MIT
;
; Handlers that wait for the rest of the GPU, or make it wait.

; CP_WAIT_FOR_IDLE: what follows starts when the GPU is idle. We do not stop: the pipe does, when it gets there.
CP_WAIT_FOR_IDLE:
    mov $addr, WAIT_FOR_IDLE << 24
    waitin
    mov $01, $data

; CP_WAIT_FOR_ME: here we do stop, until the pipe has caught up with us.
CP_WAIT_FOR_ME:
    call #drain
    nop
    waitin
    mov $01, $data

; CP_WAIT_MEM_WRITES: what follows sees all memory writes so far.
CP_WAIT_MEM_WRITES:
    mov $addr, WAIT_MEM_WRITES << 24
    waitin
    mov $01, $data
