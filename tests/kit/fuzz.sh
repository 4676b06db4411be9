#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode fuzz on code that reads no packets: scripts and shaders; their findings as the debugger's commands.
. "$2/support/setting.sh"

# a script: two waits for events that need not come, and memory that stays paused
printf '.target hwsq:nv50\n\tset1 #FB_PAUSE; ewait #FB_PAUSED 1\n\twait 1us\n\tewait 5 1\n\tset0 #FB_PAUSE\n\texit\n' >waits.hwsq
run 1 gpucode fuzz waits.hwsq --runs 3000 -o scripts
holds out 'hang-8: hang at 0x8: event 5 never becomes 1'
holds out ' 2 findings, 0 gaps'
[ "$(grep -v '^#' scripts/gpucode/findings/hang-8.txt)" = continue ] || complain 'event 5 needs no input to stay away'
for finding in scripts/gpucode/findings/*.txt; do
    run 1 gpucode fuzz waits.hwsq --try "$finding"
    holds out "$(sed -n 's/^# \(hang at .*\)/\1/p' "$finding")"
    sed -n 's/^# gpucode debug/gpucode debug --batch/p' "$finding" >how
    . ./how >out 2>err </dev/null
    holds out 'hwsq-event-never'
done
run 0 gpucode fuzz waits.hwsq --runs 3000 --ignore hang
printf '.target hwsq:nv50\n\tset1 #FB_PAUSE\n\twait 1us\n\texit\n' >paused.hwsq
run 1 gpucode fuzz paused.hwsq --runs 100
holds out 'memory is still paused'
printf '.target hwsq:nv50\n\tset1 #FB_PAUSE\n\twait 1us\n\tset0 #FB_PAUSE\n\texit\n' >good.hwsq
run 0 gpucode fuzz good.hwsq --runs 1000
# each kind of finding, the codes of faults, and their beginnings; not words that are not kinds, alone or among others
for word in stack level length-3c gap hang-8 endless left-section differs stops assert2-8 event-never mach double han ''; do
    run 0 gpucode fuzz good.hwsq --runs 1 --ignore "$word"
done
for word in hong hang-8,hong hangs asser7 event-newer lint-unpaused -; do
    run 2 gpucode fuzz good.hwsq --runs 1 --ignore "$word"
    holds err cli-fuzz-kind
    holds err "begins with '${word#*,}'"
done

# a shader: a load from anywhere, and a loop that ends for one value alone
cat >loop.a3xx <<'END'
ldg.u32 r1.x, g[r0.x], 1
loop: add.s r0.y, r0.y, 1
(rpt5)nop
cmps.s.ne p0.x, r0.y, r0.z
(rpt5)nop
br p0.x, #loop
end
END
run 1 gpucode fuzz -t a3xx loop.a3xx --runs 3000 -o shaders
holds out 'there is no global memory at 0'
holds out 'endless: '
[ "$(grep -v '^#' shaders/gpucode/findings/endless.txt | head -1)" = 'set *0x0 = 0x0' ] || complain 'memory alone is needed'
run 1 gpucode fuzz -t a3xx loop.a3xx --try shaders/gpucode/findings/endless.txt
# text and bytes; the same seed
printf 'set r0.x = 0x10\nset hr1.y = 0x7\nset c3.w = 0x3f800000\nset *0x20 = 0x5\n#texture 0x1 0x2 0x3 0x4\nstepi 7\n' >all.txt
run 0 gpucode fuzz -t a3xx loop.a3xx --from-packets all.txt -o all
run 0 gpucode fuzz -t a3xx loop.a3xx --to-packets all
same out all.txt
for jobs in 1 2; do
    mkdir jobs$jobs
    (cd jobs$jobs && gpucode fuzz -t a3xx ../loop.a3xx --runs 4000 --jobs $jobs -o camp >/dev/null 2>&1)
done
checks=$((checks + 1))
diff -r -x fuzzer_stats jobs1 jobs2 || complain 'jobs make a difference'
run 0 gpucode fuzz "$root/examples/a3xx/planet.asm" --runs 500
# mistakes have their place
printf 'set r0.x = 1\nset r0.x 1\n' >bad.txt
run 2 gpucode fuzz -t a3xx loop.a3xx --try bad.txt
holds err 'bad.txt:2:1: error: this is not a line of an input'
while read -r line; do
    printf '%s\n' "$line" >bad.txt
    run 2 gpucode fuzz -t a3xx loop.a3xx --from-packets bad.txt -o bad
    holds err 'bad.txt:1:1: error: this is not a line of an input'
done <<'END'
set * = 0x1
set *0x10 0x1
set *0x10 = x
set *0x10 = 0x1 x
set *0x100000000 = 0x1
set = 0x1
set r0.x
set r0.x = 0x100000000
set no.x = 0x1
stepi
stepi x
stepi 0
other 7
#texture 0x1 0x2 0x3
#texture 0x1 0x2 0x3 0x100000000
END
printf 'set r0.x = 0xffffffff\nset *0xfffffffc = 0xffffffff\n#texture 0xffffffff 0x0 0x0 0xffffffff\nstepi 1\n' >most.txt
run 0 gpucode fuzz -t a3xx loop.a3xx --from-packets most.txt -o most
run 0 gpucode fuzz -t a3xx loop.a3xx --to-packets most
same out most.txt

# comparisons lead on: three values that nobody guesses, one of them of halves
cat >magic.a3xx <<'END'
mov.s32s32 r4.x, 0x1234567
(rpt5)nop
cmps.s.ne p0.x, r0.x, r4.x
(rpt5)nop
br p0.x, #skip
cmps.f.lt p0.x, r2.x, c3.x
(rpt5)nop
br p0.x, #skip
mov.u16u16 hr4.x, 0x4321
(rpt5)nop
cmps.u.ne p0.x, hr0.z, hr4.x
(rpt5)nop
br p0.x, #skip
bad: jump #bad
skip: end
END
run 1 gpucode fuzz -t a3xx magic.a3xx --runs 200000 -o magic
grep -q '^set r0.x = 0x1234567$' magic/gpucode/findings/endless.txt || complain 'the word is not there'
grep -q '^set hr0.z = 0x4321$' magic/gpucode/findings/endless.txt || complain 'the half is not there'

# what must not happen, with the place
cat >stores.a3xx <<'END'
.target a3xx
mov.s32s32 r4.x, 0x1234567
(rpt5)nop
cmps.s.ne p0.x, r0.x, r4.x
(rpt5)nop
br p0.x, #skip
stg.u32 g[r5.x], r1.x, 1
skip: end
END
at_finding() { # FILE: the debugger comes to where the finding is, and the input is a finding again
    sed -n 's/^# gpucode debug/gpucode debug --batch/p' "$1" >how
    . ./how >out 2>err </dev/null
    sed -n 's/^# gpucode fuzz/gpucode fuzz/p' "$1" >how
    . ./how >again 2>&1
    grep -F "$(sed -n '1s/^# //p' "$1")" again | grep -q ': finding, ' || complain "$1 is not a finding again"
}
run 1 gpucode fuzz stores.a3xx --runs 200000 --policy a3xx-unmapped=map --ignore memory --assert 'no write memory 0x10..0xffffffff' -o stores
holds out 'assert1-5: memory (0x'
at_finding stores/gpucode/findings/assert1-5.txt
holds out '=> 0x0006 <skip>:'
run 1 gpucode fuzz stores.a3xx --runs 10 --assert 'no write r1.x' --assert 'no write r4.x'
holds out 'assert2-0: r4.x (0x10) is written at word 0: no write r4.x'
for wrong in 'no write 0..5' 'no write' 'write r1.x' 'no write r1.x at level >= 1' 'no write memory 5..4' 'no write event5'; do
    run 2 gpucode fuzz stores.a3xx --runs 10 --assert "$wrong"
    holds err 'no write WHAT'
done
printf '.target hwsq:nv50\n\tset0 3\n\tewait 5 1\n\tdata 1; addr 0x1002d4\n\tdata 1; addr 0x1002dc\n\texit\n' >writes.hwsq
run 1 gpucode fuzz writes.hwsq --runs 3000 --ignore hang --assert 'no write 0x1002d8..0x1002e0' -o writes
holds out 'assert1-13: '
[ "$(grep -v '^#' writes/gpucode/findings/assert1-13.txt)" = 'set event5 = 0x1
stepi 6' ] || complain 'the event is needed, and nothing else'
at_finding writes/gpucode/findings/assert1-13.txt
holds out '=> 0x0018:	exit'
# events without a name, and registers by their address
printf 'set event5 = 0x1\nset *0x1002f4 = 0x7\nset FB_PAUSED = 0x1\nstepi 3\n' >all.txt
run 0 gpucode fuzz writes.hwsq --from-packets all.txt -o all
run 0 gpucode fuzz writes.hwsq --to-packets all
same out all.txt

# a macro: a parameter and a method that nobody guesses, then no end; a branch in the slot of one that is taken
cat >macros.mme <<'END'
.section #magic
	parm $r2
	mov $r3 (add $r1 -0x1234)
	braz $r3 #odd
	nop
	maddr 0xd00
	exit send $r2
	nop
odd:
	read $r4 0xd05
	mov $r4 (add $r4 -0x77)
	braz $r4 #worse
	nop
	parm $r5
	exit
	nop
worse:
	bra #worse
	nop
.section #slot
	mov $r3 (extrinsrt 0x0 $r1 3 5 0)
	mov $r3 (add $r3 -0x11)
	branz $r3 #fine
	bra #fine
fine:
	maddr 0xd00
	exit send $r1
	nop
END
run 1 gpucode fuzz macros.mme --section magic --runs 100000 -o macros
[ "$(grep -v '^#' macros/gpucode/findings/endless.txt | sort | head -2 | tr '\n' ' ')" = 'parameters 0x1234,0x0 set *0x3414 = 0x77 ' ] ||
    complain 'these two are needed'
at_finding macros/gpucode/findings/endless.txt
holds out '=> 0x000e <worse>:'
run 1 gpucode fuzz macros.mme --section magic --runs 3000 --parameters 2
holds out 'hang-b: hang at 0xb: the macro needs a parameter'
run 1 gpucode fuzz macros.mme --section magic --runs 3000 --parameters 3 --ignore endless
holds out 'left-7: left at 0x7: the macro has ended and parameters are left'
lacks out hang-
run 1 gpucode fuzz macros.mme --section slot --runs 3000 -o slot
holds out 'double-branch-3: '
at_finding slot/gpucode/findings/double-branch-3.txt
holds out 'mme-double-branch'
run 1 gpucode fuzz macros.mme --section slot --runs 3000 --ignore double --assert 'no write 0x3400..0x34ff' -o slot
holds out 'assert1-5: '
at_finding slot/gpucode/findings/assert1-5.txt
holds out '=> 0x0006 <fine+0x2>:'
run 0 gpucode fuzz macros.mme --section slot --runs 3000 --ignore double --assert 'no write 0x3404..0x34ff'
sed 's/send .r1/send $r3/' macros.mme >twin.mme
run 1 gpucode fuzz macros.mme --section slot --runs 3000 --policy mme-double-branch=taken --ignore stops --against twin.mme
holds out 'differs-5: differs at '
run 0 gpucode fuzz macros.mme --section slot --runs 3000 --against macros.mme
printf 'set *0x3414 = 0x77\nparameters 0x1,0x2,0x3\n' >all.txt
run 0 gpucode fuzz macros.mme --section slot --from-packets all.txt -o all
run 0 gpucode fuzz macros.mme --section slot --to-packets all
same out all.txt
printf 'parameters 1,\n' >bad.txt
run 2 gpucode fuzz macros.mme --section slot --try bad.txt
holds err 'bad.txt:1:1: error: this is not a line of an input'
run 2 gpucode fuzz macros.mme --section slot --parameters 18446744073709551615 --runs 1
holds err 'at most 1024'
run 2 gpucode fuzz macros.mme --runs 1
holds err 'cli-sections'

# two shaders: memory that is written, outputs at the end, and how it ends; the same options as the finding's file says
shader() {
    printf 'mov.s32s32 r4.x, 0x1234567\n(rpt5)nop\ncmps.u.eq p0.x, r0.z, r4.x\n(rpt5)nop\nbr p0.x, #odd\n'
    printf 'add.s r1.x, r0.x, 1\n%send\nodd: mov.f32f32 r1.x, %s\n%send\n' "$2" "$1" "$3"
}
store='(rpt5)nop\nmov.u32u32 r5.x, 0x100\n(rpt5)nop\nstg.u32 g[r5.x], r1.x, 1\n'
shader c2.x '' '' >old.a3xx
shader c2.y '' '' >other.a3xx
shader c2.x "$(printf '%b' "$store")
" '' >storing.a3xx
shader c2.x "$(printf '%b' "$store" | sed 's/, r1.x,/, r0.x,/')
" '' >stray.a3xx
run 1 gpucode fuzz -t a3xx old.a3xx --against other.a3xx --runs 10000 -o output
holds out 'differs-r1_x: '
holds out ' 1 finding, 0 gaps'
sed -n 's/^# gpucode fuzz/gpucode fuzz/p' output/gpucode/findings/differs-r1_x.txt >how
. ./how >out
holds out 'finding, '
holds out 'differs-r1_x: '
run 1 gpucode fuzz -t a3xx storing.a3xx --against stray.a3xx --runs 1000 --policy a3xx-unmapped=map
holds out 'effect 0 is another one than in stray.a3xx'
run 1 gpucode fuzz -t a3xx storing.a3xx --against old.a3xx --runs 1000
holds out 'stops-'
holds out 'old.a3xx: the shader has come to its end'
run 0 gpucode fuzz -t a3xx storing.a3xx --against storing.a3xx --runs 3000
(echo .target a3xx && cat old.a3xx) >named.a3xx
run 2 gpucode fuzz waits.hwsq --against named.a3xx --runs 1
holds err 'named.a3xx: error: this is code of a3xx, and FILE of hwsq [cli-fuzz-against]'

# a shader of a later generation: a word of a buffer beyond 4 GiB that nobody guesses; local memory is nobody else's
cat >buffers.ir3 <<'END'
.target ir3:a650
@localmem 64
@buf 1024 (c1.x)
@buf 8 (c2.x)
mov.u32u32 r4.x, 0x1234567
mov.u32u32 r0.x, c2.x
mov.u32u32 r0.y, c2.y
mov.u32u32 r2.x, 16
(rpt5)nop
ldg.u32 r1.x, g[r0.x+4], 1
stl.u32 l[r2.x], r4.x, 1
(sy)(ss)cmps.u.ne p0.x, r1.x, r4.x
(rpt5)nop
br p0.x, #skip
stg.u32 g[r0.x+8], r4.x, 1
skip: (jp)nop
end
END
run 1 gpucode fuzz buffers.ir3 --runs 30000 --ignore memory --policy ir3-unmapped=map --assert 'no write memory 0..0x1ffffffff' -o words
holds out ' 1 finding, 0 gaps'
at_finding words/gpucode/findings/assert1-*.txt
holds out '=> 0x000b <skip>:'
sed 's/^stg.*/cmps.u.eq p0.x, r1.x, 0\n(rpt5)nop\nbr p0.x, #skip\nbad: jump #bad/' buffers.ir3 >endless.ir3
run 1 gpucode fuzz endless.ir3 --runs 30000 --ignore memory -o words
grep -q '^set \*0x100002004 = 0x' words/gpucode/findings/endless.txt || complain 'the word is not there'
grep '^set \*' words/gpucode/findings/endless.txt >all.txt
run 0 gpucode fuzz buffers.ir3 --from-packets all.txt -o all
run 0 gpucode fuzz buffers.ir3 --to-packets all
same out all.txt
echo 'set *0x400000000 = 1' >bad.txt
run 2 gpucode fuzz buffers.ir3 --try bad.txt
holds err 'bad.txt:1:1: error: this is not a line of an input'
head -c 32 /dev/zero >zeros
grep -v '^@' buffers.ir3 >words.ir3
run 0 gpucode fuzz words.ir3 --runs 300 --local-memory 64 --buffer 0=zeros --buffer-address 0=c2.x
run 1 gpucode fuzz words.ir3 --runs 300 --local-memory 64 --buffer 0=zeros
holds out 'there is no global memory at'
run 0 gpucode fuzz buffers.ir3 --against buffers.ir3 --runs 3000
sed '/^stl/d' buffers.ir3 >bare.ir3
run 0 gpucode fuzz buffers.ir3 --against bare.ir3 --runs 3000 --policy ir3-unmapped=map
sed 's/+8/+12/' buffers.ir3 >stray.ir3
run 1 gpucode fuzz buffers.ir3 --against stray.ir3 --runs 30000 --policy ir3-unmapped=map
holds out 'effect 0 is another one than in stray.ir3'
run 2 gpucode fuzz --afl buffers.ir3 --against missing.ir3
holds err 'missing.ir3: error: cannot open'

# what the hardware gives stays, as a whole and by halves; nobody but the code writes registers while it runs
run 0 gpucode fuzz -t ir3:a630 "$root/examples/ir3/sum.asm" --runs 20000
printf 'set r0.x = 0x1\nset hr0.y = 0x1\nset r48.y = 0x1\nset hr48.z = 0x1\nset c0.x = 0x1\n' >given.txt
printf 'set r0.w = 0x1\nset hr1.z = 0x1\nset hr49.z = 0x1\nstepi 2\nset *0x20 = 0x5\n' >free.txt
(cat given.txt free.txt && printf 'set r0.w = 0x2\nset c1.x = 0x1\n') >all.txt
run 0 gpucode fuzz -t ir3:a630 "$root/examples/ir3/sum.asm" --const c0.x=2 --from-packets all.txt -o all
run 0 gpucode fuzz -t ir3:a630 "$root/examples/ir3/sum.asm" --const c0.x=2 --to-packets all
same out free.txt
run 0 gpucode fuzz -t ir3:a630 "$root/examples/ir3/sum.asm" --policy ir3-files=apart --const c0.x=2 --to-packets all
holds out 'set hr0.y = 0x1'
lacks out 'set r0.x'

# two scripts: register writes, flags and events in their order, whatever time they take
script() { printf '.target hwsq:nv50\n\t%s\n\tewait 5 1\n\twait %s\n\t%s\n\texit\n' "$1" "$2" "$3"; }
script 'set0 3' 1us 'data 1; addr 0x1002d4' >plain.hwsq
script 'set0 3' 2us 'data 1; addr 0x1002d4' >slow.hwsq
script 'set0 3' 1us 'data 2; addr 0x1002d4' >written.hwsq
script 'set1 3' 1us 'data 1; addr 0x1002d4' >flag.hwsq
run 0 gpucode fuzz plain.hwsq --against slow.hwsq --runs 1000
run 1 gpucode fuzz plain.hwsq --against written.hwsq --runs 1000
holds out 'effect 2 is another one than in written.hwsq'
run 1 gpucode fuzz plain.hwsq --against flag.hwsq --runs 1000
holds out 'effect 0 is another one than in flag.hwsq'
run 2 gpucode fuzz plain.hwsq --against nowhere --runs 1
# that wait for an edge, which no event of a constant value has
edge='ewait 1 0; ewait 1 1'
script "$edge" 1us 'data 1; addr 0x1002d4' >edge.hwsq
script "$edge" 1us 'data 2; addr 0x1002d4' >other-edge.hwsq
run 1 gpucode fuzz edge.hwsq --against other-edge.hwsq --runs 1000 -o edges
holds out 'effect 3 is another one than in other-edge.hwsq: PFB.RAMCHIP_CFG.PRECHARGE = 0x1, there PFB.RAMCHIP_CFG.PRECHARGE = 0x2'
sed -n 's/^# gpucode fuzz/gpucode fuzz/p' edges/gpucode/findings/differs-*.txt >how
. ./how >out
holds out 'finding, '
sed -n 's/^# gpucode debug/gpucode debug --batch/p' edges/gpucode/findings/differs-*.txt >how
. ./how </dev/null >out
holds out 'the script has ended'
run 0 gpucode fuzz edge.hwsq --against edge.hwsq --runs 1000

# two firmwares: what differs, and nothing else
for twin in bugs clean; do
    run 0 gpucode asm "$root/examples/fuzz/$twin.asm" -I "$root/examples/firmware" -o $twin.fw
done
run 1 gpucode fuzz clean.fw --against bugs.fw --runs 20000 -o differs
holds out 'differs-0c-0: differs of UNKN12'
for key in differs-0c-0 stops-02-0 stops-06-0; do
    [ -s differs/gpucode/findings/$key.txt ] || complain "$key was not found"
done
lacks out 'level-07'
run 0 gpucode fuzz clean.fw --against clean.fw --runs 5000
run 0 gpucode fuzz bugs.fw --against bugs.fw --runs 5000
run 2 gpucode fuzz clean.fw --against waits.hwsq --runs 1
run 2 gpucode fuzz clean.fw --against nowhere --runs 1
run 2 gpucode fuzz clean.fw --runs 0
holds err '--runs 0: expected a number of runs, 1 or more'
run 2 gpucode fuzz clean.fw --seconds 0
finish
