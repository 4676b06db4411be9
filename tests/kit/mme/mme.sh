#!/bin/sh
# SPDX-License-Identifier: MIT
# Macros on the command line: both ways, several in a source, run, lint, debug.
. "$2/support/setting.sh"

t='-t mme:fermi'
cat >two.mme <<'EOF'
.section #first
	maddr 0x1620 /* increment 1 */
loop:
	mov $r1 (add $r1 -1)
	exit branz $r1 #loop
	send $r1
.section #second
	read $r2 0xd1a
	maddr 0xd00
	exit send (add $r1 $r2)
	nop
EOF

# binary and text
run 0 gpucode asm $t two.mme -o two.bin
run 0 gpucode disasm $t two.bin
cp out listing
holds listing 'exit branz $r1 #l1'
run 0 gpucode asm $t listing -o back.bin
same two.bin back.bin
run 2 gpucode disasm two.bin
holds err 'mme:fermi'
# what a message says to fit does fit, and no more
for immediate in -131072 131071; do
    printf '.section #a\n\texit mov $r1 (add $r2 %s)\n\tnop\n' $immediate >edge.mme
    run 0 gpucode asm $t edge.mme -o edge.bin
done
for immediate in -131073 131072; do
    printf '.section #a\n\texit mov $r1 (add $r2 %s)\n\tnop\n' $immediate >edge.mme
    run 2 gpucode asm $t edge.mme -o none.bin
    holds err '-131072' && holds err ' 131071'
done
# more writes than a list has room for that is not made larger twice
printf 'maddr 0x1100\nl: send $r1\nmov $r1 (add $r1 -1)\nbranz annul $r1 #l\nexit\nnop\n' >many.mme
run 0 gpucode run $t many.mme --param 600
checks=$((checks + 1))
[ "$(grep -c '^0x' out)" -eq 600 ] || complain "$(grep -c '^0x' out) writes instead of 600"
holds out '0x0d5c 0x1'
run 0 gpucode verify $t two.bin
run 0 gpucode disasm -v $t two.bin
holds out '0000: 05880021  maddr 0x1620'

# a source says by itself what it is, and so does a listing; a name that ends in .mme says it, too
for each in two.mme listing; do
    run 0 gpucode asm $each -o told.bin
    same told.bin two.bin
done
run 0 gpucode lint two.mme --section second
printf 'nop\nexit\nnop\n' >plain.mme
run 0 gpucode asm plain.mme -o plain.bin
cp plain.mme plain.txt
run 2 gpucode asm plain.txt -o none.bin
holds err 'no-target]'
run 0 gpucode disasm $t plain.bin -o plain.txt
run 0 gpucode asm plain.txt -o told.bin
same told.bin plain.bin
run 2 gpucode asm -t hwsq:g94 two.mme -o none.bin
printf 'loop: // no word of a macro\n\tadd $01, $02, $03\n' >other.txt
run 2 gpucode asm other.txt -o none.bin
holds err 'no-target]'

# a map brings names back: of labels, and of macros
run 0 gpucode asm two.mme -o two.bin --map two.map
run 0 gpucode disasm $t --symbols two.map two.bin
holds out 'first:'
holds out 'exit branz $r1 #loop'
holds out 'second:'
cp out named
run 0 gpucode asm --symbols two.map named -o told.bin
same told.bin two.bin
run 0 gpucode run two.mme --section first --param 3 --trace
holds out 'exit branz $r1 #loop'

# C arrays, as they go into drivers
run 0 gpucode asm $t --form c two.mme -o two.h
holds two.h 'uint32_t first[] = {'
holds two.h '	0x05880021,'
holds two.h 'uint32_t second[] = {'
run 0 gpucode disasm $t --hex two.h
same out listing

# several macros
run 2 gpucode run $t two.mme --param 1
holds err 'several macros [cli-sections]'
holds err 'sections: first second'
run 0 gpucode lint $t two.mme
(cat two.mme && printf '.section #third\n\tbra #over\nover:\tbra #over\n.section #fourth\n\tnop\n\tnop\n') >four.mme
run 1 gpucode lint four.mme
holds out 'four.mme:'"$(grep -n 'over:' four.mme | cut -d: -f1)"':7: error: a branch is in a delay slot'
holds out 'the path leaves the macro'
holds out '2 errors'
run 1 gpucode lint --json four.mme
holds out '"section": 2, "unit": 1,'
holds out '"section": 3, "unit": 1,'
run 1 gpucode lint four.mme --section fourth
holds out '1 error'
run 2 gpucode run $t two.mme --section third
holds err "there is no macro 'third' in the source [cli-section]"
holds err 'hint: sections: first second'
run 0 gpucode lint $t two.mme --section second

# running
run 0 gpucode run $t two.mme --section first --param 3
holds out '0x1880 0x2  // SET_VERTEX_STREAM_INSTANCE_A[0]'
holds out '0x1888 0x0  // SET_VERTEX_STREAM_INSTANCE_A[0x2]'
holds out 'ended after 10 words, 0 parameters left'
run 0 gpucode run $t two.mme --section second --param -1 --scratch 26=0x11 --json
holds out '"writes": [["0x3400", "0x10"]], "end": "exit", "reason": "exit", "steps": 4'
holds out '"left": 0, "registers": {"$r1": "0xffffffff", "$r2": "0x11"'
run 0 gpucode run $t two.mme --section second --param 1 --state 0x3468=4
holds out '0x3400 0x5'
run 0 gpucode run $t two.mme --section second --param 1 --state 'SET_MME_SHADOW_SCRATCH[26]=4' --trace
holds out '0003  nop'
holds out '$r2 = 0x4'
run 1 gpucode run $t two.mme --section first --param 1,2 --param 3
holds out '2 parameters left'
holds err 'cli-parameters-left'
run 1 gpucode run $t two.mme --section first --param 100 --limit 5 --json
holds out '"end": "limit", "reason": "limit", "steps": 5'
run 1 gpucode run $t two.mme --section first --param 100 --limit 5
holds err 'the program did not end: the limit of words is reached [cli-stopped]' 'hint: --limit lets it go on'
for wrong in '--param 1,' '--param x' '--param 0x100000000' '--state 2=1' '--state NOTHING=1' '--scratch 128=0' '--scratch 1' \
    '--limit x' '--policy mme-carry=some' '--trace=memory'; do
    run 2 gpucode run $t two.mme --section first $wrong
done
run 2 gpucode run -t hwsq:g94 --param 1 two.bin
holds err 'cli-option-set'

run 0 gpucode coverage $t two.mme --section second --param 1
holds out '+ exit send (add $r1 $r2)'

# the debugger
cat >commands <<'EOF'
break loop
run
info registers
step
reverse-step
continue
delete
continue
EOF
run 0 gpucode debug $t two.mme --section first --param 2 --batch -x commands
holds out 'two.mme:4'
holds out '$r1                      0x00000002'
finish
