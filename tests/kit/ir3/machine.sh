#!/bin/sh
# SPDX-License-Identifier: MIT
# Shaders of a4xx and later on the command line: groups, options in place of the source's lines, faults, policies.
. "$2/support/setting.sh"

# stops CODE SOURCE... : the machine stops there, with this code
stops()
{
    code=$1
    shift
    printf '%s\n' "$@" >stops.asm
    run 1 gpucode run -t ir3:a650 --json stops.asm
    holds out "\"code\": \"$code\""
}

# several groups, each with its number; a buffer by its address and by its slot
cat >groups.asm <<'END'
@localsize 2, 1, 1
@buf 8 (c2.x)
@invocationid(r0.x)
@wgid(r48.x)
@numwg(c0.x)
(ss)shl.b r1.x, r48.y, 1
add.u r1.y, r48.y, c0.y
(rpt5)nop
add.u r1.x, r1.x, r0.x
(rpt5)nop
stib.b.untyped.1d.u32.1.imm r1.y, r1.x, 0
end
END
run 0 gpucode run -t ir3:a6xx --groups 1,4 --buffers groups.asm
holds out 'buf0[0]: 0x00000004 0x00000004 0x00000005 0x00000005 0x00000006 0x00000006 0x00000007 0x00000007'

# the same with words alone
grep -v '^@' groups.asm >words.asm
run 0 gpucode asm -t ir3:a6xx words.asm -o words.bin
head -c 32 /dev/zero >zeros
run 0 gpucode run -t ir3:a6xx --groups 1,4 --buffers --local-size 2 --local-id r0.x --group-id r48.x --group-count c0.x \
    --buffer 0=zeros --buffer-address 0=c2.x words.bin
holds out 'buf0[0]: 0x00000004 0x00000004 0x00000005 0x00000005 0x00000006 0x00000006 0x00000007 0x00000007'

stops "ir3-barrier" '@localsize 8, 1, 1' '@invocationid(r0.x)' 'cmps.u.lt p0.x, r0.x, 5' '(rpt5)nop' 'br p0.x, #out' \
    '(sy)(ss)bar.g' 'out:' '(jp)(ss)(sy)nop' end
stops "ir3-memory" '@localmem 16' 'mov.u32u32 r0.x, 16' '(rpt5)nop' 'ldl.u32 r1.x, l[r0.x], 1' end
stops "ir3-memory" 'ldg.u32 r1.x, g[r0.x], 1' end
stops "ir3-unaligned" 'mov.u32u32 r0.x, 2' '(rpt5)nop' 'atomic.add.untyped.1d.u32.1.l r1.x, l[r0.x], r0.y' end
# what is past the end of local and private memory, by a byte and by a wide access; the reason names the address
stops "ir3-memory" '@localmem 16' 'mov.u32u32 r0.x, 14' '(rpt5)nop' 'stl.u32 l[r0.x], r1.x, 1' end
holds out 'there is no local memory at 0xe'
stops "ir3-memory" '@localmem 16' 'mov.u32u32 r0.x, 12' '(rpt5)nop' 'ldl.u32 r1.x, l[r0.x], 2' end
holds out 'there is no local memory at 0x10'
stops "ir3-memory" '@localmem 16' 'mov.u32u32 r0.x, 16' '(rpt5)nop' 'atomic.inc.untyped.1d.u32.1.l r1.x, l[r0.x], r0.y' end
stops "ir3-memory" '@pvtmem 8' 'mov.u32u32 r0.x, 8' '(rpt5)nop' 'stp.u32 p[r0.x], r1.x, 1' end
holds out 'there is no private memory at 0x8'
stops "ir3-memory" 'mov.u32u32 r0.x, 64' '(rpt5)nop' 'stg.u32 g[r0.x], r1.x, 1' end
holds out 'there is no global memory at 0x40'
printf '%s\n' '@localmem 16' 'mov.u32u32 r0.x, 16' 'mov.u32u32 r1.x, 5' 'mov.u32u32 r0.z, 0' '(rpt5)nop' 'stl.u32 l[r0.x], r1.x, 1' \
    '(sy)(ss)nop' 'ldl.u32 r2.x, l[r0.z], 1' '(ss)nop' end >wrap.asm
run 0 gpucode run -t ir3:a630 --policy ir3-local-range=wrap --print r2.x wrap.asm
holds out 'r2.x   0x00000005'
# addresses of atomic operations: of global memory and buffers, and of 64 bits
stops "ir3-unaligned" '@buf 4 (c0.x)' 'add.u r0.x, c0.x, 1' 'mov.u32u32 r0.y, c0.y' '(rpt5)nop' \
    'atomic.g.add.untyped.1d.u32.1.g r1.x, r0.x, r2.x' end
holds out 'is not a multiple of 4'
stops "ir3-unaligned" '@buf 4 (c0.x)' 'add.u r0.x, c0.x, 4' 'mov.u32u32 r0.y, c0.y' '(rpt5)nop' \
    'atomic.g.add.untyped.1d.u64.1.g r1.x, r0.x, r2.x' end
holds out 'is not a multiple of 8'
# a fiber at another barrier, and waves of which one has ended
stops "ir3-barrier" '@localsize 8, 1, 1' '@invocationid(r0.x)' 'cmps.u.lt p0.x, r0.x, 5' '(rpt5)nop' 'br p0.x, #other' \
    '(sy)(ss)bar.g' 'jump #out' 'other:' '(jp)(sy)(ss)bar.g' 'out:' '(jp)(ss)(sy)nop' end
holds out 'waits at a barrier that fiber'
stops "ir3-barrier" '@localsize 128, 1, 1' '@invocationid(r0.x)' 'cmps.u.lt p0.x, r0.x, 64' '(rpt5)nop' 'br p0.x, #out' \
    '(sy)(ss)bar.g' 'out:' '(jp)(ss)(sy)nop' end
holds out 'fiber 64 waits at a barrier that fiber 0 does not reach'
stops "ir3-no-buffer" 'ldib.b.untyped.1d.u32.1.imm r1.x, r0.x, 3' end
stops "ir3-trap" 'mgen.b r0.x, r0.x, r0.y' end
stops "ir3-trap" 'conv (f32)(x)r0.x, r0.x, r0.y, s#0, t#0' end
stops "ir3-outside" 'mova a0.x, -5' '(rpt5)nop' 'mov.u32u32 r0.x, r<a0.x>' end
stops "ir3-ret" ret end
stops "ir3-run-off" nop

stops "ir3-call-depth" l: 'call #l' end
stops "ir3-no-row" '.insn 0xffffffffffffffff' end
stops "ir3-quad" 'dsx (f32)(x)r0.x, r0.x' end
stops "ir3-varying" 'bary.f r0.x, 200, r0.x' end
stops "ir3-bindless" 'ldib.b.untyped.1d.u32.1.imm.base0 r1.x, r0.x, 0' end
stops "ir3-form" 'shfl.4.u32 r1.x, r0.x, 1' end
printf "@localsize 4, 1, 1\n@invocationid(r0.x)\n(rpt5)nop\nshfl.xor.u32 r1.x, r0.x, r0.x\nend\n" >uniform.asm
run 1 gpucode run -t ir3:a650 --policy ir3-uniform=trap --json uniform.asm
holds out '"code": "ir3-uniform"'
run 0 gpucode run -t ir3:a650 uniform.asm
printf 'setrm r0.x, r0.y\nend\n' >setrm.asm
run 0 gpucode run -t ir3:a650 setrm.asm
run 1 gpucode run -t ir3:a650 --policy ir3-setrm=trap --json setrm.asm
holds out '"code": "ir3-chosen"'

# shared constants, and components of render targets that are not those of registers
cat >push.asm <<'END'
stsc.f32 c[366], 16, 2
alias.rt.f16.0 rt0.w, h(1.0)
alias.rt.f32.0 rt2.x, c91.z
alias.rt.b32.0 rt1.y, (0xff)
(ss)mov.u32u32 r0.x, c91.w
end
END
run 0 gpucode run -t ir3:a750 push.asm --in push16=5 --in push17=6 --print r0.x,rt0.w,rt2.x,rt1.y,rt0.given
holds out 'r0.x   0x00000006' 'rt0.w  0x3f800000' 'rt2.x  0x00000005' 'rt1.y  0x000000ff'
holds out 'rt0.given 0x00000008'
run 1 gpucode run -t ir3:a750 --json push.asm --in push16=5
holds out 'stsc reads push17, which has no value'
sed 's/alias.rt.f32.0 rt2.x/alias.mem.f32.0 r2.x/' push.asm >alias.asm
run 1 gpucode run -t ir3:a750 --json alias.asm --in push16=5 --in push17=6
holds out 'alias is not modelled in this form: of memory'

# strict timing names both instructions, and goes by the path that is taken
cat >early.asm <<'END'
mov.u32u32 r0.x, 5
add.u r0.y, r0.x, 1
end
END
run 1 gpucode run -t ir3:a650 --strict early.asm
holds err 'r0.x is used before its delay has passed, and instruction 0 has not delivered it'
run 0 gpucode run -t ir3:a650 --print r0.y early.asm
holds out '0x00000006'

# policies
printf 'sad.s32 r0.x, c0.x, r0.y, c0.y\nend\n' >sad.asm
run 0 gpucode run -t ir3:a650 --const c0.x=9 --const c0.y=1 --in r0.y=12 --print r0.x sad.asm
holds out 0x00000016
run 0 gpucode run -t ir3:a650 --const c0.x=9 --const c0.y=1 --in r0.y=12 --print r0.x --policy ir3-sad=absdiff sad.asm
holds out 0x00000004
run 2 gpucode run -t ir3:a650 --policy ir3-wave=5 sad.asm
holds err "'5' is not a value of the policy ir3-wave: 0, 16, 32 or 64 [ir3-policy]"
run 2 gpucode run -t ir3:a650 --groups 0 sad.asm
run 2 gpucode run -t ir3:a650 --buffer 64=zeros sad.asm

# all generations: what registers are in the debugger, which parts of others or of the wave; backwards; coverage
cat >view.asm <<'END'
@localsize 4, 1, 1
@invocationid(r0.x)
mov.f32f32 r1.x, (0.5)
cov.f32f16 hr8.y, r1.x
mov.u32u32 r48.y, 7
cmps.u.ge p0.x, r0.x, 2
(rpt5)nop
br p0.x, #out
add.u r2.x, r0.x, 5
out:
(jp)mova a0.x, 4
end
END
cat >commands <<'END'
thread 3
watch p0.x
continue
print p0.x
print/x r1.x
print hr8.y
print r4.x
print r48.y
stepi
stepi
info registers
reverse-continue
reverse-step
print p0.x
reverse-step
print r48.y
END
for target in a405 a540 a630 a750 a840; do
    run 0 gpucode debug -t ir3:$target view.asm --batch -x commands
    holds out 'p0.x = 1' 'r1.x = 0x3f000000' 'hr8.y = 0.5 (0x3800)' 'r48.y = 7' 'r1.x                     0x3f000000' \
        'p0.x = 0' 'r48.y = 0'
    case $target in
    a4* | a5*) holds out 'r4.x = 0' ;;
    *) holds out 'r4.x = 3.05175781e-05 (0x38000000)' ;; # hr8.y is the high half of r4.x
    esac
    run 0 gpucode coverage -t ir3:$target view.asm
    holds out '+ 	add.u r2.x, r0.x, 5'
    run 1 gpucode run -t ir3:$target --strict early.asm
    holds err 'r0.x is used before its delay has passed, and instruction 0 has not delivered it'
    run 0 gpucode run -t ir3:$target --perfetto trace.json view.asm
    holds trace.json 'fiber 3' 'add.u r2.x, r0.x, 5'
done

# the debugger steps, forwards and backwards
printf 'step\nstep\nprint r0.y\nreverse-step\ninfo registers\n' >commands
run 0 gpucode debug -t ir3:a650 early.asm --batch -x commands
holds out 'r0.y = 6'

# policies of the text and of delays, of commands without a machine: with a target, for all of them alike
printf '\001\200\341\000\000\000\140\300' >ambiguous
run 0 gpucode disasm -r -t ir3:a6xx ambiguous
holds out 'ldib.b.untyped.1d.f16.1.imm hr0.x, r0.x+1, 0'
run 0 gpucode disasm -r -t ir3:a6xx --policy ir3-ambiguous=old ambiguous
holds out 'ldl.f16 r0.x, l[r33.z], 0'
cp out old.asm
run 0 gpucode asm -t ir3:a6xx --policy ir3-ambiguous=old old.asm -o back
same ambiguous back
run 2 gpucode asm -t ir3:a6xx old.asm -o back
holds err '[ir3-two-meanings]'
run 0 gpucode verify -r -t ir3:a6xx --policy ir3-ambiguous=old ambiguous
holds out '1 same, 0 different'
run 0 gpucode info -r -t ir3:a6xx --policy ir3-ambiguous=old ambiguous
holds out 'read before written  r33.z'
run 2 gpucode disasm -r -t ir3:a6xx --policy ir3-ambiguous=bad ambiguous
holds err "policy ir3-ambiguous cannot be 'bad'; it takes new|old|word [policy-value]"
run 2 gpucode disasm -r -t ir3:a6xx --policy ir3-ambiguous ambiguous
holds err 'write --policy NAME=VALUE'
run 2 gpucode disasm --policy ir3-ambiguous=old ambiguous
holds err 'say the target, too: -t TARGET'
printf 'add.f r0.x, r2.x, r2.y\n(rpt1)nop\nadd.f r1.x, r0.x, r0.x\nend\n' >early.asm
run 1 gpucode lint -t ir3:a8xx early.asm
run 0 gpucode lint -t ir3:a8xx --policy ir3-delay=gen7-like early.asm
run 0 gpucode schedule -t ir3:a8xx early.asm
holds out '(rpt2)nop'
run 0 gpucode schedule -t ir3:a8xx --policy ir3-delay=gen7-like early.asm
holds out '(rpt1)nop'
finish
