#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode compare: shaders that do the same whatever their text, and the input that tells others apart.
. "$2/support/setting.sh"

# set_of TARGET: the sets' texts are the same as far as these programs go
shader()
{
    name=$1
    shift
    printf '%s\n' "$@" >"$name"
}

for target in a3xx ir3:a530 ir3:a650 ir3:a750; do
    # scheduled otherwise, other registers, (rptN) and single instructions
    shader one.asm 'mov.u32u32 r1.x, c0.x' '(rpt5)nop' 'add.u r1.y, r1.x, r0.x' '(rpt5)nop' 'mul.f r2.x, r1.y, r0.y' end
    shader two.asm 'add.u r3.z, c0.x, r0.x' '(rpt2)nop' nop nop nop 'mul.f r2.x, r0.y, r3.z' end
    run 0 gpucode compare -t $target --outputs r2.x --runs 3000 one.asm two.asm
    holds out 'the same in 3000 runs of seed 1'
    holds out 'compared: memory, killed, r2.x'
    # the text alone says what is compared: what both leave
    run 0 gpucode compare -t $target one.asm one.asm
    holds out 'compared: memory, killed, r2.x'

    # one bit of one input, in a product with another one
    shader three.asm 'and.b r1.x, c0.x, r0.x' '(rpt5)nop' 'add.u r0.y, r1.x, 1' end
    shader four.asm 'and.b r1.x, c0.x, r0.x' 'mov.u32u32 r2.x, 0x7fffffff' '(rpt5)nop' 'and.b r1.x, r1.x, r2.x' '(rpt5)nop' \
        'add.u r0.y, r1.x, 1' end
    run 1 gpucode compare -t $target three.asm four.asm
    holds out 'three.asm: 0x80000001'
    holds out 'four.asm: 0x00000001'
    holds out 'line 3: add.u r0.y, r1.x, 1'
    holds out 'line 6: add.u r0.y, r1.x, 1'
    holds out '    r0.x = 0x80000000 (-0)'
    holds out '    c0.x = 0x80000000 (-0)'

    # one value out of all: a number of the code, and one that a comparison tells
    shader five.asm 'cmps.u.eq r1.x, r0.x, c0.x' '(rpt5)nop' 'sel.b32 r1.y, r0.y, r1.x, r0.z' end
    shader six.asm 'mov.u32u32 r1.y, r0.z' end
    run 1 gpucode compare -t $target five.asm six.asm
    shader seven.asm 'mov.u32u32 r1.z, 0x12345678' '(rpt5)nop' 'cmps.u.eq r1.x, r0.x, r1.z' '(rpt5)nop' \
        'sel.b32 r1.y, r0.y, r1.x, r0.z' end
    run 1 gpucode compare -t $target --outputs r1.y seven.asm six.asm
    holds out 'r0.x = 0x12345678'

    # the same seed finds the same, another one something else
    run 1 gpucode compare -t $target --json five.asm six.asm
    mv out first
    run 1 gpucode compare -t $target --json five.asm six.asm
    cmp -s first out || complain "$target: the same seed gives something else"
    run 1 gpucode compare -t $target --json --seed 2 five.asm six.asm
    cmp -s first out && complain "$target: another seed gives the same"
    holds first '"differs": "register"'
    holds first '"where": "r1.y"'
    holds first '"line": 3'

    # what an option gives is not an input
    run 0 gpucode compare -t $target --const c0.x=5 --in r0.x=6 five.asm six.asm
    run 1 gpucode compare -t $target --const c0.x=5 --in r0.x=5 five.asm six.asm
done

# a source declares its outputs and consts; words have what the source says of them
shader const.asm '@const(c1.x) 0x3f800000, 2, 3, 4' '@out(r4.x)' 'mov.u32u32 r9.x, 7' 'mov.f32f32 r4.x, c1.x' \
    'mov.u32u32 r4.y, r0.x' end
grep -v '^@' const.asm >words.asm
run 0 gpucode asm -t ir3:a6xx words.asm -o words.bin
run 0 gpucode compare -t ir3:a6xx const.asm words.bin
holds out 'compared: memory, killed, r4.x'
sed 's/0x3f800000/0x3f800001/' const.asm >other.asm
run 1 gpucode compare -t ir3:a6xx const.asm other.asm
holds out 'const.asm: 0x3f800000 (1), line 4: mov.f32f32 r4.x, c1.x'

# memory: what is left counts, not the order of stores; nothing needs to be mapped
shader stores.asm 'add.u r1.x, r0.x, 4' 'mov.u32u32 r1.y, r0.y' '(rpt5)nop' 'stg.u32 g[r0.x], r0.z, 1' \
    'stg.u32 g[r1.x], r0.w, 1' end
sed -e '4{h;d}' -e '5{G}' stores.asm >turned.asm
cmp -s stores.asm turned.asm && complain 'the stores are in the same order'
run 0 gpucode compare -t ir3:a6xx stores.asm turned.asm
sed 's/g\[r1.x\], r0.w/g[r1.x], r0.z/' stores.asm >wrong.asm
run 1 gpucode compare -t ir3:a6xx stores.asm wrong.asm
holds out 'memory at 0x'
holds out 'line 5: stg.u32 g[r1.x], r0.z, 1'
# a load reads the same wherever it is
shader load.asm 'ldg.u32 r1.x, g[r0.x], 1' '(sy)add.u r2.x, r1.x, 1' end
sed 's/, 1$/, 2/' load.asm | sed 's/g\[r0.x\], 2/g[r0.x], 1/' >load2.asm
run 0 gpucode compare -t ir3:a6xx load.asm load.asm
holds out 'the same in 10000 runs'
run 1 gpucode compare -t ir3:a6xx load.asm load2.asm
# a word that was read is among the inputs where it matters
shader mask.asm 'ldg.u32 r1.x, g[r0.x], 1' '(sy)and.b r2.x, r1.x, 1' end
sed 's/, r1.x, 1/, r1.x, 3/' mask.asm >mask3.asm
run 1 gpucode compare -t ir3:a6xx mask.asm mask3.asm
holds out 'memory at 0x'
# buffers by their slots that nobody has given
shader slot.asm 'ldib.b.untyped.1d.u32.1.imm r1.x, r0.x, 0' '(sy)add.u r1.x, r1.x, 1' '(rpt5)nop' \
    'stib.b.untyped.1d.u32.1.imm r1.x, r0.x, 1' end
sed 's/r1.x, r1.x, 1/r1.x, r1.x, 2/' slot.asm >slot2.asm
run 0 gpucode compare -t ir3:a6xx slot.asm slot.asm
run 1 gpucode compare -t ir3:a6xx slot.asm slot2.asm
holds out 'memory at 0x100001'

# textures that nobody has given
for target in a3xx ir3:a650; do
    shader sam.asm 'sam (f32)(xyzw)r1.x, r0.x, s#0, t#0' '(sy)add.f r2.x, r1.x, r1.y' end
    sed 's/r1.x, r1.y/r1.x, r1.z/' sam.asm >sam2.asm
    run 0 gpucode compare -t $target --outputs r2.x sam.asm sam.asm
    run 1 gpucode compare -t $target --outputs r2.x sam.asm sam2.asm
    holds out 'and random texels'
done

# kills, ends, threads
shader kill.asm 'cmps.f.lt p0.x, r0.x, c0.x' '(rpt5)nop' 'kill p0.x' 'mov.u32u32 r1.x, r0.x' end
sed 's/f.lt/f.le/' kill.asm >kill2.asm
for target in a3xx ir3:a650; do
    run 0 gpucode compare -t $target kill.asm kill.asm
    run 1 gpucode compare -t $target kill.asm kill2.asm
    holds out 'does not kill it'
done
shader group.asm '@localsize 8, 1, 1' '@invocationid(r0.x)' 'add.u r1.x, r0.x, r0.w' end
sed '3s/add/sub/' group.asm >group2.asm
run 0 gpucode compare -t ir3:a6xx group.asm group.asm
run 1 gpucode compare -t ir3:a6xx group.asm group2.asm
holds out 'r1.x of thread'
sed 's/@localsize 8/@localsize 4/' group.asm >group4.asm
run 2 gpucode compare -t ir3:a6xx group.asm group4.asm
holds err cli-compare-threads
# strict timing: a delay that lacks is how they differ
shader late.asm 'mov.u32u32 r1.x, r0.x' 'add.u r1.y, r1.x, 1' end
run 0 gpucode schedule -t ir3:a6xx late.asm -o legal.asm
run 0 gpucode compare -t ir3:a6xx late.asm legal.asm
run 1 gpucode compare -t ir3:a6xx --policy ir3-timing=strict late.asm legal.asm
holds out 'how they end'

# what cannot be compared
shader endless.asm 'l0:' 'jump #l0' end
run 2 gpucode compare -t ir3:a6xx --runs 3 endless.asm endless.asm
holds err cli-compare-none
holds err 'limit of instructions'
run 2 gpucode compare one.asm "$root/examples/firmware/a6xx.asm"
run 2 gpucode compare -t a3xx one.asm nowhere.asm
run 2 gpucode compare -t a3xx --outputs c0.x one.asm two.asm
run 2 gpucode compare -t a3xx --runs 0 one.asm two.asm
printf '.target a3xx\nend\n' >a3xx.asm
printf '.target ir3:a650\nend\n' >ir3.asm
run 2 gpucode compare a3xx.asm ir3.asm
holds err cli-diff-sets
run 2 gpucode compare "$root/examples/firmware/a6xx.asm" "$root/examples/firmware/a6xx.asm"
holds err cli-cannot

# a page
run 1 gpucode compare -t ir3:a6xx --html page.html group.asm group2.asm
holds page.html '<html'
holds page.html 'sub.u r1.x, r0.x, r0.w'

finish
