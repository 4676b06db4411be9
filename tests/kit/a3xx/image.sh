#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures on the command line: run --image, textures from PNG files. usage: image.sh GPUCODE TESTS_FOLDER PICTURE_DUMP
dump=$(realpath "$3")
. "$2/support/setting.sh"
. "$root/tests/support/picture.sh"
examples=$root/examples/a3xx

cat >plane.asm <<'END'
.target a3xx
@in(r0.x-r0.y) ij
@out(r1.x-r1.z) color
@const(c0.x) 0.25
bary.f r1.x, 0, r0.x
bary.f (ei)r1.y, 1, r0.x
mov.f32f32 r1.z, c0.x
end
END
run 0 gpucode run --image 31x9 plane.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 plane.asm
same err /dev/null # "@in ij" says where the pair is
holds out 'colour: r1.x, declared as @out color'
holds out 'plane.png: 31 x 9 pixels, 0 killed, 1280 instructions'
[ "$(head -1 out)" = 'colour: r1.x, declared as @out color' ] || complain "$(cat out)"
pixels plane.png 'r = u; g = v; b = 0.25'
run 0 gpucode run --image 31x9 plane.pam --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 plane.asm
holds out 'plane.pam: 31 x 9 pixels'
pam_head='P7
WIDTH 31
HEIGHT 9
DEPTH 4
MAXVAL 255
TUPLTYPE RGB_ALPHA
ENDHDR'
[ "$(head -7 plane.pam)" = "$pam_head" ] || complain "head of PAM: $(head -7 plane.pam)"
[ "$(wc -c <plane.pam)" = $((${#pam_head} + 1 + 31 * 9 * 4)) ] || complain "size of PAM: $(wc -c <plane.pam)"
# the pixel at 30,8, the last, has u = 30.5/31, v = 8.5/9
[ "$(tail -c 4 plane.pam | od -An -tu1 | tr -s ' ')" = ' 251 241 64 255' ] || complain "last pixel of PAM: $(tail -c 4 plane.pam | od -An -tu1)"
run 0 gpucode run --image 31x9 same.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 --ij r0.x --json plane.asm
[ "$(tr -d ' \n' <out)" = '{"stop":"end","declared":"color","output":"same.png","width":31,"height":9,"killed":0,"instructions":1280,"color":"r1.x","ij":"r0.x","ij_assumed":false,"color_assumed":false}' ] ||
    complain "json: $(cat out)"
same same.png plane.png
same err /dev/null
# from a binary: the colour is what is left behind, and the const is not in the code
run 0 gpucode asm plane.asm -o plane.bin
run 0 gpucode run -t a3xx --image 31x9 guess.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 --const c0.x=0.25 plane.bin
holds err 'plane.bin: note: the barycentric pair is assumed to be in r0.x to r0.y [cli-image-assumed]'
lacks err cli-not-given
holds err 'plane.bin: note: the colour is assumed to be in r1.x to r1.z [cli-image-assumed]'
same guess.png plane.png
# the picture's name may stand behind the shader
run 0 gpucode run -t a3xx plane.bin --image 31x9 behind.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 --const c0.x=0.25
same behind.png plane.png
run 0 gpucode run -t a3xx plane.bin --image 31x9 behind.png --varying 0=0,1,0 --ij r0.x
holds err '[cli-varying-bits]'
holds err 'not given, and 0 at the start: c0.x, varying 1 [cli-not-given]'
run 0 gpucode run -t a3xx plane.bin --image 31x9 behind.png --varying 0=0x1,0x2,0 --ij r0.x --varying 1=5:flat
lacks err '[cli-varying-bits]'
sed 's/r0\.\([xy]\)/r7.\1/g' plane.asm >moved.asm
run 0 gpucode run --image 31x9 moved.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 moved.asm
same err /dev/null
same moved.png plane.png
# four registers before three, those that begin a vector before others, half ones too
cat >guess.asm <<'END'
.target a3xx
mov.f32f32 r1.x, (1.0)
(rpt2)mov.f32f32 r4.x, (0.5)
(rpt3)nop
add.f r1.x, r1.x, r4.x
(rpt3)mov.f16f16 hr2.w, h(0.5)
(rpt1)mov.f16f16 hr3.w, h(1.0)
end
END
run 0 gpucode run --image 4x4 guess.png guess.asm
holds err 'the colour is assumed to be in hr3.x to hr3.w'
pixels guess.png 'r = g = b = 0.5'
# nothing is left behind
printf '.target a3xx\nend\n' >nothing.asm
run 2 gpucode run --image 31x9 plane.JPG plane.asm
holds err 'pictures are written as PNG or PAM, and plane.JPG asks for another format'
[ ! -e plane.JPG ]
run 2 gpucode run --image 4x4 no.png nothing.asm
holds err cli-image-color
absent no.png
run 0 gpucode run -t a3xx --image 4x4 four.png --varying 0=0.0,1.0,0.0,0.0 --const c0.x=0.5 --color-out r1.x plane.bin
pixels four.png 'r = u + v <= 1.0001 ? u : 1 - v; b = 0.5; a = 0'
# standard output, and nothing else there
run 0 gpucode run --image 31x9 - --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 plane.asm
same out plane.png

cat >place.asm <<'END'
.target a3xx
@out(hr0.x) color
shr.b r2.x, r1.x, 4
shr.b r2.y, r1.y, 4
cmps.u.eq p0.x, r2.x, 2
kill p0.x
(rpt1)cov.u32f16 hr0.x, (r)r2.x
mov.f16f16 hr0.w, (1.0)
(rpt1)mul.f hr0.x, (r)hr0.x, hc0.x
end
END
run 0 gpucode run --image 5x4 place.png --frag-coord r1.x --const c0.x=0.125 place.asm
holds out '4 killed'
pixels place.png 'r = x / 8; g = y / 8; if (x == 2) r = g = a = 0'

# a picture as a texture: what was drawn comes back; values are taken as they stand
cat >look.asm <<'END'
.target a3xx
@in(r0.x-r0.y) ij
@out(r1.x) color
bary.f r2.x, 0, r0.x
bary.f (ei)r2.y, 1, r0.x
sam (f32)(xyzw)r1.x, r2.x, s#0, t#0
end
END
run 0 gpucode run --image 31x9 look.png --texture 0=plane.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 look.asm
pixels look.png 'r = u; g = v; b = 0.25'
# two texels of the texture for each pixel: the second level, from a file or made of the first
head -c 64 /dev/zero >two.f32
over='--varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0'
# shellcheck disable=SC2086
run 0 gpucode run --image 2x2 look.png --texture 0=four.png,two.f32:2x2 $over look.asm
pixels look.png 'a = 0'
# shellcheck disable=SC2086
run 0 gpucode run --image 4x4 look.png --texture 0=four.png,two.f32:2x2 $over look.asm
pixels look.png 'r = u + v <= 1.0001 ? u : 1 - v; b = 0.5; a = 0'
# shellcheck disable=SC2086
run 0 gpucode run --image 1x1 look.png --texture 0=plane.png:levels --policy a3xx-mip=linear --policy a3xx-wrap=repeat $over \
    look.asm
# shellcheck disable=SC2086
run 0 gpucode run --image 1x1 look.png --texture 0=plane.png:levels $over look.asm
pixels look.png 'r = 0.5; g = 0.5; b = 0.25' # the mean of all, though the sides are odd
run 0 gpucode run -t a3xx --texture 0=plane.png --in r2.x=0.5 --in r2.y=0.5 --in r0.x=0.0 look.asm --policy a3xx-derivative=zero
holds out 'r1.z   0x3e808081'

# pictures that are none
printf 'no picture' >no.txt
head -c 60 plane.png >cut.png
for file in no.txt cut.png missing.png plane.asm; do
    run 2 gpucode run --image 2x2 out.png --texture 0=$file look.asm
    holds err "$file: error"
    absent out.png
done
holds err picture-unknown
run 2 gpucode run -t a3xx --texture 0=cut.png look.asm
holds err picture-damaged
run 2 gpucode run -t a3xx --texture 0=plane.png,place.png look.asm
holds err 'half as wide and high'

# two render targets; where the first goes to standard output there is no place for the other
run 0 gpucode run --image 31x9 targets.png --varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0 --color-out r1.x,r0.x plane.asm
holds out 'target in r0.x: targets.1.png'
pixels targets.png 'r = u; g = v; b = 0.25; a = 0'
pixels targets.1.png 'r = u; g = v; a = 0'
run 2 gpucode run --image 31x9 - --color-out r1.x,r0.x plane.asm
run 2 gpucode run --image 31x9 no.png --color-out r1.x,c0.x plane.asm

# faults: the pixel is named, the exit code is 1, and there is no file, not even instead of an old one
cat >fault.asm <<'END'
.target a3xx
@in(r0.x-r0.y) ij
@out(r1.x) color
bary.f (ei)r1.x, 0, r0.x
floor.f r1.x, r1.x
cmps.f.eq p0.x, r1.x, c0.x
br !p0.x, #fine
ldg.f32 r2.x, g[r2.x], 1
fine: (jp)end
END
run 1 gpucode run --image 8x8 out.png --varying 0=0.0,8.0,0.0 --const c0.x=5.0 fault.asm
holds err 'fault.asm: error: pixel (5, 0) stopped at instruction 4: '
holds err cli-image-stopped
holds err '--image 8x8 --pixel 5,0'
lacks out out.png
absent out.png
cp plane.png old.png
run 1 gpucode run --image 8x8 old.png --varying 0=0.0,8.0,0.0 --const c0.x=5.0 fault.asm
same old.png plane.png
# the debugger begins on the thread of the pixel in its quad
echo 'info threads' >threads.gdb
for pixel in 0,0=0 1,0=1 4,3=2 7,7=3; do
    run 0 gpucode debug --batch -x threads.gdb --image 8x8 --pixel "${pixel%=*}" plane.asm
    grep -q "^\* ${pixel#*=} " out || complain "the thread of pixel $pixel: $(cat out)"
done
run 2 gpucode debug --batch -x threads.gdb --image 8x8 plane.asm
holds err 'expected --pixel X,Y'
run 2 gpucode debug --batch -x threads.gdb --pixel 1,1 plane.asm
holds err 'a run with --image WIDTHxHEIGHT'
run 1 gpucode run --image 8x8 out.png --limit 3 plane.asm
holds err 'the limit of instructions is reached'
absent out.png

# usage
for wrong in 0x4 4x0 4 4x 8193x1 4x4x4 -1x4 x; do
    run 2 gpucode run --image=$wrong out.png plane.asm
    holds err 'WIDTHxHEIGHT'
done
run 2 gpucode run --image 4x4 plane.asm
holds err 'OUT.png FILE'
run 2 gpucode run out.png plane.asm
holds err 'one operand too many'
run 2 gpucode run --image 4x4 a.png b.png plane.asm
run 2 gpucode run --image 4x4 out.png --varying 0=0.0,1.0,0.0 --ij hr0.x plane.asm
run 2 gpucode run --image 4x4 out.png --frag-coord r60.w plane.asm
run 2 gpucode run --image 4x4 out.png --color-out r60.y plane.asm
run 2 gpucode run --image 4x4 out.png --color-out c0.x plane.asm
for option in color-out frag-coord; do # of a picture that is not drawn
    run 2 gpucode run --$option r0.x plane.asm
    holds err "error: --$option r0.x: expected a run with --image WIDTHxHEIGHT"
done
run 2 gpucode debug --frag-coord r0.x --batch plane.asm
holds err "error: --frag-coord r0.x: expected a run with --image"
run 2 gpucode run --image 4x4 out.png --print r0.x plane.asm
run 2 gpucode run --image 4x4 out.png --trace registers plane.asm
run 2 gpucode run --image 4x4 out.png --policy a3xx-threads=8 plane.asm
run 2 gpucode run --image 4x4 out.png --local-size 4 plane.asm
run 2 gpucode run --image 4x4 out.png --varying 0=0.0,1.0,0.0:flat plane.asm
run 2 gpucode run -t a3xx --varying 0=0.0,1.0,0.0,1.0 plane.asm
run 2 gpucode run -t hwsq:nv50 --image 4x4 out.png plane.bin
# nobody knows where the pair is: the shader makes something else of r0
printf '@out(r1.x) c\nmov.f32f32 r0.x, (0.5)\nbary.f (ei)r1.x, 0, r0.x\nend\n' >nowhere.asm
run 2 gpucode run -t a3xx --image 4x4 out.png --varying 0=0.0,1.0,0.0 nowhere.asm
holds err cli-image-pair
run 0 gpucode run -t a3xx --image 4x4 flat.png --varying 0=0.5 nowhere.asm
pixels flat.png 'r = 0.5; a = 0'
absent out.png
run 2 gpucode run --image 4x4 no/such/folder/out.png plane.asm
holds err cli-create

# the example: nothing wrong with it, and it looks as it did: the sun side bright, night dark, space empty
run 0 gpucode lint "$examples/planet.asm"
run 0 gpucode run --image 64x64 planet.png --varying 0=-1.1,1.1,-1.1 --varying 1=1.1,1.1,-1.1 "$examples/planet.asm"
"$dump" planet.png >pixels
awk '$1 == 20 && $2 == 16 && $3 > 200 && $6 == 255 { day = 1 } $1 == 48 && $2 == 48 && $3 + $4 + $5 < 60 && $6 == 255 { night = 1 }
    $1 == 0 && $2 == 0 && $6 == 0 { space = 1 } END { exit !(day && night && space) }' pixels ||
    complain 'the planet looks different'
run 0 gpucode lint "$examples/floor.asm"
run 0 gpucode run --image 32x25 floor.png --varying 0=-0.5,0.5,-0.5 --varying 1=0.0,0.0,1.0 --texture 0=planet.png:levels \
    --policy a3xx-wrap=repeat --policy a3xx-filter=linear --policy a3xx-mip=linear "$examples/floor.asm"
finish
