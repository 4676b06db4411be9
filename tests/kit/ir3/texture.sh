#!/bin/sh
# SPDX-License-Identifier: MIT
# Textures of shaders of a4xx and later: places, levels, gathering, comparisons, sizes, aliases.
. "$2/support/setting.sh"

# four texels: black, red, green, yellow with half of blue; their next level: grey
python3 - <<'END'
import struct
def write(name, texels):
    with open(name, "wb") as file:
        file.write(b"".join(struct.pack("<4f", *texel) for texel in texels))
write("four.f32", [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 0.5, 1)])
write("one.f32", [(0.5, 0.5, 0.5, 1)])
write("other.f32", [(7, 0, 0, 1), (8, 0, 0, 1), (9, 0, 0, 1), (10, 0, 0, 1)])
END

# shader TEXT OPTION... : the values of r1.x to r1.w
shader()
{
    printf '@localsize 4, 1, 1\n%s\n(sy)nop\nend\n' "$1" >look.asm
    shift
    run 0 gpucode run -t ir3:a650 look.asm --texture 0=four.f32:2x2 --print r1.x,r1.y,r1.z,r1.w,hr2.y,hr2.z "$@"
}

shader 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=0.75 --in r0.y=0.75
holds out 'r1.z[0-3]        0x3f000000'
shader 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=0.5 --in r0.y=0.5 --policy ir3-filter=linear
holds out 'r1.z[0-3]        0x3e000000'
# the result's components keep their places; a half result
shader 'sam (f16)(yz)hr2.x, r0.x, s#0, t#0' --in r0.x=0.75 --in r0.y=0.75
holds out 'hr2.y[0-3]       0x3c00'
holds out 'hr2.z[0-3]       0x3800'
shader 'sam.p (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=1.5 --in r0.y=0.5 --in r0.z=2.0
holds out 'r1.x[0-3]        0x3f800000'
shader 'sam.o (f32)(xyzw)r1.x, r0.x, r0.z, s#0, t#0' --in r0.x=0.25 --in r0.y=0.25 --in r0.z=1 --in r0.w=1
holds out 'r1.z[0-3]        0x3f000000'
# a comparison with red, by the policy and by another
shader 'sam.s (f32)(x)r1.x, r0.x, s#0, t#0' --in r0.x=0.75 --in r0.y=0.25 --in r0.z=0.5
holds out 'r1.x[0-3]        0x3f800000'
shader 'sam.s (f32)(x)r1.x, r0.x, s#0, t#0' --in r0.x=0.75 --in r0.y=0.25 --in r0.z=0.5 --policy ir3-compare=gt
holds out 'r1.x[0-3]        0x00000000'

# a size without texels
printf '@localsize 4, 1, 1\nsam (f32)(x)r1.x, r0.x, s#3, t#3\n(sy)nop\nend\n' >look.asm
printf 'set t3.width = 4\nset t3.height = 4\ncontinue\n' >typed
gpucode debug -t ir3:a650 look.asm <typed >out 2>err
holds out '[ir3-texels]'

# levels: given, with a bias, of derivatives, of the quad, at least
two='--texture 0=four.f32:2x2,one.f32:1x1'
shader 'saml (f32)(xyzw)r1.x, r0.x, r0.z, s#0, t#0' --in r0.z=1.0 $two
holds out 'r1.x[0-3]        0x3f000000'
shader 'samb (f32)(xyzw)r1.x, r0.x, r0.z, s#0, t#0' --in r0.x=0.1,0.6,0.1,0.6 --in r0.y=0.1,0.1,0.6,0.6 --in r0.z=1.0 $two
holds out 'r1.x[0-3]        0x3f000000'
shader 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=0.1,1.1,0.1,1.1 --in r0.y=0.1,0.1,0.2,0.2 $two
holds out 'r1.x[0-3]        0x3f000000'
shader 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=0.1,0.6,0.1,0.6 --in r0.y=0.1,0.1,0.2,0.2 $two
holds out 'r1.x[1]          0x3f800000'
shader 'sam.clp (f32)(xyzw)r1.x, r0.x, r0.z, s#0, t#0' --in r0.z=1.0 $two
holds out 'r1.x[0-3]        0x3f000000'
shader 'samgq (f32)(xyzw)r1.x, r2.x, s#0, t#0' --in r2.x=0.1 --in r3.x=1.0 $two
holds out 'r1.x[0-3]        0x3f000000'
# for the second pixel of the quad alone
shader 'samgp1 (f32)(xyzw)r1.x, r2.x, s#0, t#0' --in r2.x=0.1 --in r3.x=1.0 $two
holds out 'r1.x[0]          0x00000000'
holds out 'r1.x[1]          0x3f000000'
shader 'getlod (s32)(xy)r1.x, r0.x, s#0, t#0' --in r0.x=0.0,2.0,0.0,2.0 $two
holds out 'r1.x[0-3]        0x00000100'
holds out 'r1.y[0-3]        0x00000200'

# texels by their numbers, whose levels are not shifted; four at once; sizes
shader 'isam (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=1 --in r0.y=1
holds out 'r1.z[0-3]        0x3f000000'
shader 'isaml (f32)(xyzw)r1.x, r0.x, r0.z, s#0, t#0' --in r0.z=1 $two
holds out 'r1.z[0-3]        0x3f000000'
shader 'gather4r (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=0.5 --in r0.y=0.5
holds out 'r1.x[0-3]        0x00000000'
holds out 'r1.y[0-3]        0x3f800000'
holds out 'r1.z[0-3]        0x3f800000'
holds out 'r1.w[0-3]        0x00000000'
shader 'getsize (u32)(xy)r1.x, r0.x, t#0' --in r0.x=1 $two
holds out 'r1.x[0-3]        0x00000001'
shader 'getinfo (u32)(zw)r1.x, t#0' $two
holds out 'r1.z[0-3]        0x00000002'

# each fiber its own texture, by a register that has the texture and then the sampler
shader 'sam.s2en.nonuniform (f32)(x)r1.x, r0.x, hr8.x' --in hr8.x=0,1,0,1 --texture 1=other.f32:2x2
holds out 'r1.x[0]          0x00000000'
holds out 'r1.x[1]          0x40e00000'

# fibers that look at one texture take a shorter way than those that look at several: both see the same
far='--in r0.x=-0.3,1.8,nan,1e30 --in r0.y=0.2,-7.1,0.7,-inf'
for wrap in clamp repeat mirror; do
    # shellcheck disable=SC2086
    shader 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' $far --policy ir3-wrap=$wrap
    grep -v width out >one
    # shellcheck disable=SC2086
    shader 'sam.s2en.nonuniform (f32)(xyzw)r1.x, r0.x, hr8.x' $far --policy ir3-wrap=$wrap --in hr8.x=0,1,0,1 --texture 1=four.f32:2x2
    same out one
    # shellcheck disable=SC2086
    shader 'isam (f32)(xyzw)r1.x, r0.x, s#0, t#0' --in r0.x=-3,1,0,9 --in r0.y=1,-1,5,0 --policy ir3-wrap=$wrap
    mv out one
    # shellcheck disable=SC2086
    shader 'isam.s2en.nonuniform (f32)(xyzw)r1.x, r0.x, hr8.x' --in r0.x=-3,1,0,9 --in r0.y=1,-1,5,0 --policy ir3-wrap=$wrap \
        --in hr8.x=0,1,0,1 --texture 1=four.f32:2x2
    same out one
done

# an alias gives a coordinate to the instruction after it, and to no other
printf '%s\n' '@localsize 4, 1, 1' 'alias.tex.f32.1 r0.x, (0.75)' 'alias.tex.f32.0 r0.y, c0.x' \
    'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' 'sam (f32)(xyzw)r2.x, r0.x, s#0, t#0' '(sy)nop' end >alias.asm
run 0 gpucode run -t ir3:a730 alias.asm --texture 0=four.f32:2x2 --const c0.x=0.75 --print r1.z,r2.z
holds out 'r1.z[0-3]        0x3f000000'
holds out 'r2.z[0-3]        0x00000000'

# bindless on a7xx: the instruction has the number of the texture, a1.x the base and the number of the sampler. At base 2
# a sampler (linear, its numbers 16 bytes apart) that repeats, at base 3 a texture of two half floats a texel
python3 - <<'END'
import struct
with open("descriptors", "wb") as file:
    file.write(struct.pack("<4I", 1 << 1 | 1 << 5, 0, 0, 0))
    file.write(struct.pack("<4I", 0, 0, 0, 0))
    file.write(struct.pack("<16I", 0x45 << 22 | 0x328 << 4, 2 | 1 << 15, 1 << 29, 0, 0x30000, *[0] * 11))
with open("texels", "wb") as file:
    file.write(struct.pack("<4e", 1, 2, 3, 4))
END
printf '@localsize 4, 1, 1\nmova1 a1.x, 2\n(rpt5)nop\nsam.base3 (f32)(xyzw)r1.x, r0.x, t#0, a1.x\n(sy)nop\nend\n' >free.asm
set -- --in base2.address=0x20001 --in base3.address=0x20023 --memory 0x20000=descriptors --memory 0x30000=texels
run 0 gpucode run -t ir3:a750 free.asm "$@" --in r0.x=0.5 --in r0.y=0.5 --print r1.x,r1.y,r1.z,r1.w
holds out 'r1.x[0-3]        0x40000000' # half way between 1 and 3
holds out 'r1.y[0-3]        0x3f800000' # the swizzle: red, one, zero, green
holds out 'r1.z[0-3]        0x00000000'
holds out 'r1.w[0-3]        0x40400000'
sed 's/a1.x, 2/a1.x, 10/' free.asm >second.asm # sampler 1 takes the nearest
run 0 gpucode run -t ir3:a750 second.asm "$@" --in r0.x=0.9 --in r0.y=0.5 --print r1.x
holds out 'r1.x[0-3]        0x40400000'
run 1 gpucode run -t ir3:a750 --json second.asm --in base3.address=0x20023 --memory 0x20000=descriptors
holds out '"code": "ir3-bindless"'
run 1 gpucode run -t ir3:a8xx --json second.asm "$@"
holds out 'whose layout is not known in full'

# stops CODE TEXT OPTION... : the machine stops there
stops()
{
    code=$1
    printf '%s\n(sy)nop\nend\n' "$2" >look.asm
    shift 2
    run 1 gpucode run -t ir3:a650 --json look.asm "$@"
    holds out "\"code\": \"$code\""
}
stops ir3-no-texture 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0'
stops ir3-quad 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' $two
stops ir3-form 'sam.3d (f32)(xyzw)r1.x, r0.x, s#0, t#0' --texture 0=four.f32:2x2
stops ir3-form 'sam.rck (x)r1.x, r0.x, s#0, t#0' --texture 0=four.f32:2x2
stops ir3-form 'getinfo (u32)(x)r1.x, t#0' --texture 0=four.f32:2x2
finish
