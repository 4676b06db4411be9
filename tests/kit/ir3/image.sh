#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures that shaders of a4xx and later draw: varyings, derivatives in quads, render targets, killed pixels, textures.
# usage: image.sh GPUCODE TESTS_FOLDER PICTURE_DUMP
dump=$(realpath "$3")
. "$2/support/setting.sh"
. "$root/tests/support/picture.sh"
over='--varying 0=0.0,1.0,0.0 --varying 1=0.0,0.0,1.0'

# the difference to the pixel beside it and below, as parts of the picture; a second colour
cat >plane.asm <<'END'
@in(r0.x) ij(wrmask=0x3)
@out(r1.x) color(wrmask=0x7)
@const(c0.x) 31.0, 9.0, 0.25, 1.0
bary.f r1.x, 0, r0.x
bary.f (ei)r1.y, 1, r0.x
mov.f32f32 r1.z, c0.z
(rpt5)nop
mul.f r2.x, r1.x, c0.x
mul.f r2.y, r1.y, c0.y
(rpt5)nop
dsx (f32)(x)r3.x, r2.x
dsy (f32)(x)r3.y, r2.y
mul.f r3.z, r1.x, r1.y
mov.f32f32 r3.w, c0.w
(sy)nop
end
END
for target in a405 a540 a630 a750 a840; do
    # shellcheck disable=SC2086
    run 0 gpucode run -t ir3:$target --image 31x9 plane.png $over --color-out color,r3.x plane.asm
    pixels plane.png 'r = u; g = v; b = 0.25; a = 0'
    # the difference of two pixels has lost bits, and may be a little less than 1
    pixels plane.1.png 'r = 1; g = 1; b = u * v'
done
holds out 'target in r3.x: plane.1.png'
# shellcheck disable=SC2086
run 0 gpucode run -t ir3:a630 --image 31x9 --strict one.png $over plane.asm
holds out 'colour: r1.x, declared as @out color'
pixels one.png 'r = u; g = v; b = 0.25'
# one of its quads: the third pixel is the one below the first
# shellcheck disable=SC2086
run 0 gpucode run -t ir3:a630 --image 31x9 --pixel 30,8 $over --print r1.x,r3.x plane.asm
holds out 'r1.x[0]          0x3f7bdef8' # 30.5 / 31
echo 'info threads' >commands
# shellcheck disable=SC2086
run 0 gpucode debug -t ir3:a630 --batch -x commands --image 31x9 --pixel 3,5 $over plane.asm
holds out '* 3 '

# a component that is a const of the preamble in place of the register's
cat >alias.asm <<'END'
@out(r1.x) color(wrmask=0xf)
shps #main
getone #main
alias.rt.f16.0 rt0.y, h(0.5)
alias.rt.f32.0 rt1.x, (1.0)
(sy)(ss)shpe
main: (jp)mov.f32f32 r1.x, (0.5)
mov.f32f32 r1.y, (0.0)
mov.f32f32 r1.z, (1.0)
mov.f32f32 r1.w, (1.0)
end
END
run 0 gpucode run -t ir3:a750 --image 5x5 alias.png --color-out r1.x,r1.x alias.asm
pixels alias.png 'r = 0.5; g = 0.5; b = 1'
pixels alias.1.png 'r = 1; g = 0; b = 1'

# a half colour, pixels' places, a killed column
cat >place.asm <<'END'
@out(hr0.x) color(wrmask=0xf)
@const(c0.x) 0.125
shr.b r2.x, r4.x, 4
shr.b r2.y, r4.y, 4
(rpt5)nop
cmps.u.eq p0.x, r2.x, 2
(rpt5)nop
kill p0.x
(rpt1)cov.u32f16 hr0.x, (r)r2.x
cov.f32f16 hr0.w, (1.0)
(rpt5)nop
(rpt1)mul.f hr0.x, (r)hr0.x, hc0.x
end
END
run 0 gpucode run -t ir3:a540 --image 5x4 place.png --frag-coord r4.x place.asm
holds out '4 killed'
pixels place.png 'r = x / 8; g = y / 8; if (x == 2) r = g = a = 0'

# quads are alone where a shader sees the wave, whose fibers are then the quad's
printf '@out(r1.x) c(wrmask=0x1)\ngetfiberid.u32 r1.x\n(sy)nop\ncov.u32f32 r1.x, r1.x\n(rpt5)nop\nmul.f r1.x, r1.x, c0.x\nend\n' >fiber.asm
run 0 gpucode run -t ir3:a650 --image 9x4 fiber.png --const c0.x=0.25 fiber.asm
pixels fiber.png 'r = ((y % 2) * 2 + x % 2) / 4'

# a texture: what was drawn comes back; a pixel that stops is named, and there is no picture
cat >look.asm <<'END'
@in(r0.x) ij(wrmask=0x3)
@out(r1.x) color(wrmask=0xf)
bary.f r2.x, 0, r0.x
bary.f (ei)r2.y, 1, r0.x
(rpt5)nop
sam (f32)(xyzw)r1.x, r2.x, s#0, t#0
(sy)nop
end
END
# shellcheck disable=SC2086
run 0 gpucode run -t ir3:a630 --image 31x9 look.png --texture 0=one.png $over look.asm
pixels look.png 'r = u; g = v; b = 0.25'
# shellcheck disable=SC2086
run 1 gpucode run -t ir3:a630 --image 31x9 none.png $over look.asm
holds err 'pixel (0, 0) stopped at instruction 3: no texture is bound to t#0'
absent none.png

run 2 gpucode run -t ir3:a630 --image 4x4 no.png --policy ir3-fibers=8 plane.asm
holds err 'ir3-fibers'
run 2 gpucode run -t ir3:a630 --pixel 1,1 plane.asm
run 2 gpucode run -t ir3:a630 --image 4x4 no.png --color-out c0.x plane.asm
finish
