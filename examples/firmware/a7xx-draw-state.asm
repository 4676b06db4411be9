; SPDX-License-Identifier: MIT
;
; CP_SET_DRAW_STATE: groups of three words: header and address. (sds2) makes cwrite read its source two times more; with
; this register the two words become the base address of the group. Flags, modes and the running of the groups
; are the hardware's business: it puts a group's packets before us as if they stood in the stream.
CP_SET_DRAW_STATE:
    mov $02, 0x1
    cwrite $02, [$00 + @DRAW_STATE_SET_PENDING]
    (rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]
    waitin
    mov $01, $data
