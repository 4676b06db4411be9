#!/bin/sh
# SPDX-License-Identifier: MIT
# Shaders of a recording on the command line: `run --from`, `debug --from`.
. "$2/support/setting.sh"
examples=$2/../examples

# a frame of two draws: consts are those that packets loaded last before the draw
run 0 gpucode asm "$examples/streams/frame.asm" -o frame.rd
run 0 gpucode run --from frame.rd --print r0.x,r0.z
holds out 'r0.x[0-3]        0x3dcccccd      0.100000001'
holds out 'r0.z[0-3]        0x3e99999a      0.300000012'
run 0 gpucode run --from frame.rd --draw 1 --stage fs --print r0.x
holds out 'r0.x[0-3]        0x3f400000             0.75'
run 0 gpucode run --from frame.rd --draw 1 --stage vs
holds err 'not given, and 0 at the start: r0.x-r0.y'

# attributes, where registers say which get them
run 0 gpucode decode --source frame.rd -o frame.rdasm
sed '/VFD_FETCH_INSTR\[0\].INSTR/a\    VFD_DEST_CNTL[0].INSTR = { WRITEMASK = 0x3 | REGID = r0.x }' frame.rdasm >fetch.rdasm
run 0 gpucode encode fetch.rdasm -o fetch.rd
run 0 gpucode run --from fetch.rd --draw 1 --stage vs --vertex 1 --print r0.x,r0.y
holds out 'r0.x   0x3fa00000             1.25'
holds out 'r0.y   0xbf400000            -0.75'
run 0 gpucode run --from fetch.rd --stage vs --vertex 3
holds err 'attribute 0 is 0: its bytes were not recorded'
printf '%s\n' 'print r0.x' stepi stepi 'print r1.x' >commands
run 0 gpucode debug --batch -x commands --from fetch.rd --draw 1 --stage vs --vertex 1
holds out 'r0.x = 3 (0x40400000)'
holds out 'r1.x = -0.25 (0xbe800000)'

# what is not there
run 2 gpucode run --from frame.rd --draw 2
holds err cli-no-part
run 2 gpucode run --from frame.rd --stage cs
holds err cli-no-stage
run 2 gpucode run --from frame.rd shader.asm
holds err cli-many
run 2 gpucode run --from fetch.rd --stage vs --vertex x
run 2 gpucode run --from frame.rd --pixel 1
holds err 'X,Y'

# a dispatch of 2 x 1 x 1 groups of 3 x 2 x 1: buf[6 * group + y * 3 + x] = ubo[x] + c0.x + 16 * group
cp "$2/kit/ir3/dispatch.rdasm" .
run 0 gpucode encode dispatch.rdasm -o dispatch.rd
run 0 gpucode run --from dispatch.rd --buffers --print r2.x
holds out 'buf0[0]: 0x0000006b 0x000000cf 0x00000133 0x0000006b 0x000000cf 0x00000133 0x0000007b 0x000000df'
holds out 'buf0[8]: 0x00000143 0x0000007b 0x000000df 0x00000143'
run 0 gpucode run --from dispatch.rd --groups 1 --buffers --print r2.x
holds out 'buf0[8]: 0x00000000 0x00000000 0x00000000 0x00000000'

# a texture of 2 x 2 bytes in rows of 64, its blue and red changed over; a sampler that repeats; the pixel's place
cp "$2/kit/ir3/texture.rdasm" .
run 0 gpucode encode texture.rdasm -o texture.rd
run 0 gpucode run --from texture.rd --pixel 2,3 --print r2.x,r2.y,r2.z,r2.w
holds out 'r2.x[2]          0x3f800000'
holds out 'r2.y[1]          0x3f800000'
holds out 'r2.z[0]          0x3f800000'
holds out 'r2.w[3]          0x00000000'
# the middles of the quad's pixels, in 16ths, in two registers and in no third
run 0 gpucode run --from texture.rd --pixel 5,4 --print r0.x,r0.y,r0.z
holds out 'r0.x[0]          0x00000048'
holds out 'r0.x[3]          0x00000058'
holds out 'r0.y[0-1]        0x00000048'
holds out 'r0.y[2-3]        0x00000058'
holds out 'r0.z[0-3]        0x00000000'
# a sampler that compares 0.5 with red, which is 1 in fiber 2 and 0 in fiber 0: bits 3:1 of its second word say how
sed -e 's/^\tsam .*/\tmov.f32f32 r1.z, (0.5)\n\t(rpt5)nop\n\tsam.s (f32)(x)r2.x, r1.x, s#0, t#0/' \
    -e 's/\.word 0x00000000, 0, 0, 0/.word 0x00000000, COMPARES, 0, 0/' texture.rdasm >compares.rdasm
compared() # FIBER WANTED: r2.x of the fiber, alone or in a row of equal ones, is 1 or 0
{
    value=0x00000000
    [ "$2" = 0 ] || value=0x3f800000
    sed -n 's/^r2\.x\[\([0-9]\)\(-\([0-9]\)\)*\] *\(0x[0-9a-f]*\).*/\1 \3 \4/p' out | while read -r first last seen; do
        [ -n "$seen" ] || { seen=$last; last=$first; }
        [ "$1" -lt "$first" ] || [ "$1" -gt "$last" ] || echo "$seen"
    done >seen
    [ "$(cat seen)" = $value ] || complain "comparison $comparison, fiber $1: $(cat seen), not $value"
}
comparison=0
for outcome in '0 0' '1 0' '0 0' '1 0' '0 1' '1 1' '0 1' '1 1'; do # never, less, equal, less or equal, ... always
    sed "s/COMPARES/$((2 * comparison))/" compares.rdasm >compare.rdasm
    run 0 gpucode encode compare.rdasm -o compare.rd
    run 0 gpucode run --from compare.rd --pixel 2,3 --print r2.x
    compared 2 "${outcome% *}"
    compared 0 "${outcome#* }"
    comparison=$((comparison + 1))
done
# a picture has the colours of the target's registers, with the place in the viewport, and of a quad alone what that draws
sed '/SP_PS_INSTR_SIZE/a\    SP_PS_MRT_CNTL = { MRT = 1 }\n    SP_PS_OUTPUT[0].REG = { REGID = r2.x }' texture.rdasm >picture.rdasm
drawn() # what a picture of 2 x 2 pixels has, as hex
{
    run 0 gpucode encode picture.rdasm -o picture.rd
    run 0 gpucode run --from picture.rd --image 2x2 picture.pam
    tail -c 16 picture.pam | od -An -v -tx1 | tr -d ' \n' >bytes
}
drawn
holds bytes '0000ffff00ff00ffff0000ff00000000'
holds err 'the picture is of a rectangle in place of'
lacks err 'is assumed'
sed -i 's/REGID = r2.x }/REGID = r2.y }/' picture.rdasm
drawn
holds bytes '00ffff00' # green is red's place now
sed -i 's/REGID = r2.y }/REGID = r2.x }/' picture.rdasm
sed -i '/SP_PS_INSTR_SIZE/a\    GRAS_CL_VIEWPORT[0].XOFFSET = 2.0\n    GRAS_CL_VIEWPORT[0].XSCALE = 2.0\n    GRAS_CL_VIEWPORT[0].YOFFSET = 2.0\n    GRAS_CL_VIEWPORT[0].YSCALE = -2.0' picture.rdasm
drawn
holds bytes '00000000000000000000000000000000'
holds err 'of a rectangle, the viewport, in place of'
run 0 gpucode run --from picture.rd --image 4x4 --pixel 1,2 --print r0.x,r2.x
holds out 'r0.x[1]          0x00000018'
holds out 'r2.x[2]          0x3f800000'
# a viewport that does not begin at 0: from 7, 4 on, whichever way up it is
for scale in 2.0 -2.0; do
    sed "s/XOFFSET = 2.0/XOFFSET = 9.0/; s/YOFFSET = 2.0/YOFFSET = 6.0/; s/YSCALE = .*/YSCALE = $scale/" picture.rdasm >apart.rdasm
    run 0 gpucode encode apart.rdasm -o apart.rd
    run 0 gpucode run --from apart.rd --image 4x4 --pixel 1,2 --print r0.x,r0.y
    holds out 'r0.x[0]          0x00000078'
    holds out 'r0.x[1]          0x00000088'
    holds out 'r0.y[0-1]        0x00000068'
    holds out 'r0.y[2-3]        0x00000078'
done
# and one that is none: nothing, or beyond what a picture can be
for change in 's/XSCALE = 2.0/XSCALE = 0.0/' 's/XOFFSET = 2.0/XOFFSET = 1.0/' 's/YOFFSET = 2.0/YOFFSET = 32767.0/' \
    's/XOFFSET = 2.0/XOFFSET = 32767.0/' '/YSCALE/d'; do
    sed "$change" picture.rdasm >apart.rdasm
    run 0 gpucode encode apart.rdasm -o apart.rd
    run 0 gpucode run --from apart.rd --image 2x2 picture.pam
    lacks err 'the viewport'
done
run 2 gpucode run --from frame.rd --stage vs --image 2x2 picture.pam
holds err 'a fragment shader'
run 2 gpucode run --from picture.rd --image 2x2
holds err 'OUT.png'
# a pixel's place in another register
sed 's/XYCOORDREGID = r0.x/XYCOORDREGID = r7.z/; s/^\(\tcov.u32f32 r1.., \)r0/\1r7/' picture.rdasm >apart.rdasm
sed -i 's/^\(\tcov.u32f32 r1.., r7.\)y/\1w/; s/^\(\tcov.u32f32 r1.., r7.\)x/\1z/' apart.rdasm
run 0 gpucode encode picture.rdasm -o picture.rd
run 0 gpucode encode apart.rdasm -o apart.rd
run 0 gpucode run --from picture.rd --image 4x4 picture.pam
run 0 gpucode run --from apart.rd --image 4x4 apart.pam
cmp picture.pam apart.pam || complain 'the picture depends on the register that has the place'
# varyings go over the picture
sed -e '/^\tcov.u32f32 r1.x/,/^\t(sy)nop/d' -e 's/^    .code ir3:a630/&\n\tbary.f (ei)r2.x, 0, r0.x\n\t(rpt5)nop/' \
    -e 's/IJ_PERSP_PIXEL = r63.x/IJ_PERSP_PIXEL = r0.x/; s/XYCOORDREGID = r0.x/XYCOORDREGID = r63.x/' picture.rdasm >varied.rdasm
run 0 gpucode encode varied.rdasm -o varied.rd
run 0 gpucode run --from varied.rd --image 2x1 --varying 0=0.0,1.0,0.0 picture.pam
tail -c 8 picture.pam | od -An -v -tx1 | tr -d ' \n' >bytes
holds bytes '40000000bf000000'
# tiles are not understood, and the shader stops where it looks at them
sed 's/0x4c006880/0x4c006883/' texture.rdasm >tiled.rdasm
run 0 gpucode encode tiled.rdasm -o tiled.rd
run 1 gpucode run --from tiled.rd
holds err 'texture t#0 is not bound: its texels lie in tiles'
holds err 'no texture is bound to t#0'
# of sRGB: half way is 0.216, and alpha is as it is
sed 's/0x4c006880/0x4c006884/; s/0xff0000ff, 0xff00ff00, 0/0x80808080, 0x80808080, 0/' texture.rdasm >srgb.rdasm
run 0 gpucode encode srgb.rdasm -o srgb.rd
run 0 gpucode run --from srgb.rd --print r2.x,r2.w
holds out 'r2.x[0-1]        0x3e5d0a89      0.215860501'
holds out 'r2.w[0-1]        0x3f008081      0.501960814'

# bindless textures: descriptors 64 bytes apart, a sampler that repeats and the texture from above
sed -e 's/sam (f32)(xyzw)r2.x, r1.x, s#0, t#0/sam.base1 (f32)(xyzw)r2.x, r1.x, s#1, t#2/' -e '/^.buffer commands/i\
.buffer bases, 0x150000, 0x100\
.contents\
    .word 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0\
    .word 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0\
    .word 0x4c006880, 0x00010002, 0x20002000, 0, 0x140000, 0' -e '/SP_PS_BASE/i\
    SP_GFX_BINDLESS_BASE[1].DESCRIPTOR = 0x150003' texture.rdasm >free.rdasm
look()
{
    run 0 gpucode encode free.rdasm -o free.rd
    run "$1" gpucode run --json --from free.rd --pixel 2,3 --print r2.x,r2.y,r2.z,r2.w
}
run 0 gpucode encode free.rdasm -o free.rd
run 0 gpucode run --from free.rd --pixel 2,3 --print r2.x,r2.y,r2.z,r2.w
holds out 'r2.x[2]          0x3f800000'
holds out 'r2.y[1]          0x3f800000'
holds out 'r2.z[0]          0x3f800000'
holds out 'r2.w[3]          0x00000000'
same_look() # the sampler that repeats or the texture are selected in another way
{
    sed -i "s/sam\..*/$1/" free.rdasm
    look 0
    holds out '"r2.z": "0x3f800000"'
}
sed -i 's/^\tcov.u32f32 r1.x, r0.x/\tmov.u32u32 r3.x, 2\n\tmov.u32u32 r3.y, 1\n\tmova1 a1.x, 17\n&/' free.rdasm
same_look 'sam.s2en.nonuniform.base1 (f32)(xyzw)r2.x, r1.x, r3.x'
same_look 'sam.s2en.uniform.base1 (f32)(xyzw)r2.x, r1.x, r3.x, a1.x'
same_look 'sam.base1 (f32)(xyzw)r2.x, r1.x, s#1, a1.x'
# what is not known stops it, and says what that is
refuses()
{
    sed "s/0x4c006880/$1/; s/0x00010002, 0x20002000, 0, /0x00010002, 0x20002000, $2, /" free.rdasm >other.rdasm
    run 0 gpucode encode other.rdasm -o other.rd
    run 1 gpucode run --from other.rd --pixel 2,3
    holds err "$3"
}
refuses 0x4c006883 0 'texels in tiles'
refuses 0x4c006880 0x10000000 'compressed texels'
refuses 0x6ac06880 0 'a format whose components do not all'
refuses 0x4c106880 0 'several samples'

# bindless: base 0 has buffers of constants, base 1 buffers; descriptors are 64 bytes apart, and number 1 is taken
cat >bindless.rdasm <<'END'
.recording a6xx
.gpu 630
.buffer code, 0x110000, 0x80
.contents
    .code ir3:a630
	ldc.offset1.1.imm.base0 r2.x, r0.x, 1
	resbase.untyped.1d.u32.1.imm.base1 r3.x, 1
	(sy)add.u r2.x, r2.x, 1
	(rpt5)nop
	stib.b.untyped.1d.u32.1.imm.base1 r2.x, r0.x, 1
	end
    .end
.buffer ubo, 0x120000, 0x20
.contents
    .word 0, 100, 0, 0, 0, 200, 0, 0
.buffer uav, 0x130000, 0x8
.contents
    .word 5, 5
.buffer bases, 0x150000, 0x100
.contents
    .word 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    .word 0x120000, 0x40000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    .word 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    .word 0x12c00000, 2, 0x80000000, 0, 0x130000, 0
.buffer commands, 0x100000, 0x200
.contents
    SP_CS_BASE = &code
    SP_CS_INSTR_SIZE = 1
    SP_CS_CONST_CONFIG_0 = { WGIDCONSTID = r63.x | WGSIZECONSTID = r63.x | WGOFFSETCONSTID = r63.x | LOCALIDREGID = r0.x }
    SP_CS_NDRANGE_0 = { KERNELDIM = 1 | LOCALSIZEX = 1 }
    SP_CS_NDRANGE_1 = 2
    SP_CS_BINDLESS_BASE[0].DESCRIPTOR = 0x150003
    SP_CS_BINDLESS_BASE[1].DESCRIPTOR = 0x150083
    CP_EXEC_CS {
        .word 0, 1, 1, 1
    }
commands_end:
.stream &commands, &words(commands, commands_end)
END
run 0 gpucode encode bindless.rdasm -o bindless.rd
run 0 gpucode run --from bindless.rd --print r2.x,r3.x --dump 0x130000:2
holds out 'r2.x[0]          0x00000065'
holds out 'r2.x[1]          0x000000c9'
holds out 'r3.x[0-1]        0x001500c0'
holds out '00000065'
holds out '000000c9'

# the same from crash dumps: the firmware stops at a word after the draw that is not a packet
crashed()
{
    sed 's/^commands_end:/    .word 0x11111111\n&/; s/^\(.buffer commands, .*\)0x200/\10x240/' "$1.rdasm" >hang.rdasm
    run 0 gpucode encode hang.rdasm -o hang.rd
    run 1 gpucode replay hang.rd --firmware "$examples/firmware/a6xx.asm" --crash "$1.devcore"
}
crashed texture
run 0 gpucode run --from texture.devcore --pixel 2,3 --print r2.x,r2.y,r2.z,r2.w
holds out 'r2.x[2]          0x3f800000'
holds out 'r2.y[1]          0x3f800000'
holds out 'r2.z[0]          0x3f800000'
holds out 'r2.w[3]          0x00000000'
crashed bindless
run 0 gpucode run --from bindless.devcore --print r2.x,r3.x
holds out 'r2.x[1]          0x000000c9'
holds out 'r3.x[0-1]        0x001500c0'
lacks err cli-recorded-zeros
# of a buffer that is all 0 a dump has the address and the size
crashed dispatch
run 0 gpucode run --from dispatch.devcore --buffers --print r2.x
holds err 'buffers that have no contents in the recording, and are 0 here: 1'
holds out 'buf0[8]: 0x00000143 0x0000007b 0x000000df 0x00000143'
printf '%s\n' 'print c0.x' stepi stepi 'print r1.y' >commands
run 0 gpucode debug --batch -x commands --from dispatch.devcore
holds out 'c0.x = 7'
run 2 gpucode run --from dispatch.devcore --draw 1
holds err 'there is no draw 1'
run 2 gpucode run --from dispatch.devcore --stage fs
holds err cli-no-stage

# the base is not set
grep -v 'BINDLESS_BASE\[1\]' bindless.rdasm >unset.rdasm
run 0 gpucode encode unset.rdasm -o unset.rd
run 1 gpucode run --json --from unset.rd
holds out '"code": "ir3-bindless"'

finish
