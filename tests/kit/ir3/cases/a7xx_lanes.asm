; flow, votes, lanes and shared registers
@localsize 16, 1, 1
@buf 16
@invocationid(r0.x)
mov.u32u32 r1.x, 100
mov.u32u32 r9.x, 0
cmps.u.lt p0.x, r0.x, 5
cmps.u.ge p0.y, r0.x, 3
(rpt5)nop
braa p0.x, p0.y, #both
add.u r1.x, r1.x, 1
both:
(jp)nop
brao !p0.x, !p0.y, #one
add.u r1.y, r0.x, 7
one:
(jp)nop
bany p0.x, #any
mov.u32u32 r1.z, 1
any:
(jp)nop
ball p0.x, #all
mov.u32u32 r1.w, 2
all:
(jp)nop
predt
(rpt5)nop
mov.u32u32 r2.x, 11
predf
(rpt5)nop
mov.u32u32 r2.x, 22
prede
(rpt6)nop
getone #elected
mov.u32u32 r2.y, 33
elected:
(jp)nop
getlast.w8 #last
mov.u32u32 r2.z, 44
last:
(jp)nop
call #function
br !p0.x, #mask
movmsk.w32 r48.x
mask:
(jp)(ss)mov.u32u32 r2.w, r48.x
mov.u32u32 r3.x, r0.x
(rpt5)nop
quad_shuffle.horiz (u32)(x)r4.x, r3.x
quad_shuffle.vert (u32)(x)r4.y, r3.x
quad_shuffle.diag (u32)(x)r4.z, r3.x
brcst.active.w8 (u32)(x)r4.w, r3.x
shfl.xor.u32 r5.x, r3.x, 3
shfl.up.u32 r5.y, r3.x, 2
shfl.down.u32 r5.z, r3.x, 2
shfl.rup.u32 r5.w, r3.x, 1
shfl.rdown.u32 r6.x, r3.x, 1
cov.u32f32 r6.y, r0.x
(rpt5)nop
dsx (f32)(x)r6.z, r6.y
dsy (f32)(x)r6.w, r6.y
dsxpp.1 (x)r7.x, r6.y
dsxpp.1.p (x)r7.x, r6.y
movs.u32u32 r49.x, r0.x, 6
(sy)(ss)mov.u32u32 r7.y, r49.x
swz.u32u32 r7.z, r7.w, r0.x, r3.x
gat.u32u32 r10.x, r0.x, r1.x, r2.x, r3.x
sct.u32u32 r11.x, r11.z, r11.y, r11.w, r1.x
kill p0.x
end
function:
add.u r8.x, r0.x, 1
ret
