//! target hwsq:g94
.equ #N 3
start: .entry 1
 data 0x10; addr PBUS.DEBUG_6 # comment
 wait ~24us; wait 2 shl 4 /* a */ ; set1 #FB_PAUSE; /+ b /+ +/ +/ ewait #CRTC0_VBLANK 1
 .b8 1, 2 3; .s16 -2; .align 4; .size 64; .skip 2; .fill 70
 .section #two 0x40
exit; .b8 #start
