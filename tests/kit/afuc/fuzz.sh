#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode fuzz on firmware: ten seeded bugs and the clean twin, files, replays, the same seed, tools and mistakes.
. "$2/support/setting.sh"
for twin in bugs clean; do
    run 0 gpucode asm "$root/examples/fuzz/$twin.asm" -I "$root/examples/firmware" -o $twin.fw
done
level='no write 0x8d0 at level >= 1'
addr='no write $addr with payload'
bugs='assert1-01-47 endless-02 stack-03 stack-empty-05 range-06 level-07 two-branches-08 left-section-09 stack-full-0a assert2-0c'

# all ten, each with its files; none of the clean twin
run 1 gpucode fuzz bugs.fw --runs 40000 -o camp --assert "$level" --assert "$addr"
for bug in $bugs; do
    set -- camp/gpucode/findings/$bug*.txt
    [ -s "$1" ] || complain "$bug was not found"
done
run 0 gpucode fuzz clean.fw --runs 40000 --assert "$level" --assert "$addr"
holds out ' 0 findings, 0 gaps'

# minimised: two packets at most, buffers aside, and no more words than it takes
for bug in range-06 level-07 two-branches-08 stack-full-0a assert2-0c stack-03 endless-02; do
    set -- camp/gpucode/findings/$bug*.txt
    [ "$(grep -c '^[^;.]' "$1")" = 1 ] || complain "$1 has more than one packet"
done
grep -q '^UNKN7 0x15$' camp/gpucode/findings/level-07*.txt || complain 'the level is left for 0x15 alone'
grep -q '^UNKN12 0x1 0x0$' camp/gpucode/findings/assert2-0c*.txt || complain 'a register and a value'
grep -q 'UNKN1 0x0$' camp/gpucode/findings/assert1-01*.txt || complain 'a value at level 2'

# each replays as its file says, and the debugger comes to the place
for bug in left-section-09 two-branches-08 range-06 stack-full-0a stack-empty-05; do
    text=$(echo camp/gpucode/findings/$bug*.txt)
    sed -n 's/^; gpucode run/gpucode run/p' "$text" >how
    run 1 . ./how
    holds out 'fault: '
    pc=$(sed -n 's/.*(word \(0x[0-9a-f]*\) of .*/\1/p' out)
    sed -n 's/^; gpucode debug \(.*\)/gpucode debug --batch \1 -x more/p' "$text" >how
    echo 'print $pc' >more
    . ./how >out 2>err </dev/null
    grep -q "^.pc = 0x0*${pc#0x}\b" out || { complain "the debugger is not at $pc"; cat out err; }
done

# what no fault ends is found behind the instruction that the key has
for bug in assert1-01 assert2-0c stack-03 level-07; do
    text=$(echo camp/gpucode/findings/$bug*.txt)
    place=${text##*-}
    sed -n 's/^; gpucode debug \(.*\)/gpucode debug --batch \1 -x more/p' "$text" >how
    . ./how >out 2>err </dev/null
    grep -q "^.pc = 0x0*$(printf '%x' $((0x${place%.txt} + 1)))\b" out || { complain "the debugger is not at $bug"; cat out err; }
done

for crash in camp/gpucode/crashes/*.packets; do # the contract's name for the text
    cmp -s "$crash" "camp/gpucode/findings/$(basename "${crash##*,op:}" .packets).txt" || complain "$crash is another text"
done
run 1 gpucode run bugs.fw --packets camp/gpucode/crashes/*stack-03*.packets
# where a word of the packet leads control is one finding, whatever happens there; another place or word is another
[ "$(ls camp/gpucode/findings/*-09-*.txt)" = camp/gpucode/findings/left-section-09-9e-w1.txt ] || complain 'echoes of the jump'
grep -q '^; .* the target is word 1 of the packet, times 2, plus 0xa0; then: ' camp/gpucode/findings/left-section-09-9e-w1.txt ||
    complain 'who chooses the target is not said'

# the same seed writes the same files, whatever the jobs; another seed others
for jobs in 1 3; do
    mkdir jobs$jobs
    (cd jobs$jobs && gpucode fuzz ../bugs.fw --runs 10000 --jobs $jobs -o camp >/dev/null 2>&1)
done
checks=$((checks + 1))
diff -r -x fuzzer_stats jobs1 jobs3 || complain 'jobs make a difference'
gpucode fuzz bugs.fw --runs 10000 --seed 2 -o other >/dev/null 2>&1
diff -rq jobs1/camp/gpucode/queue other/gpucode/queue >/dev/null && complain 'the seed makes no difference'

# text and bytes; buffers without words are numbered otherwise once
for input in camp/gpucode/findings/*.bin camp/gpucode/queue/id:00001*; do
    run 0 gpucode fuzz bugs.fw --to-packets "$input" -o one.txt
    run 0 gpucode fuzz bugs.fw --from-packets one.txt -o two
    run 0 gpucode fuzz bugs.fw --to-packets two -o two.txt
    run 0 gpucode fuzz bugs.fw --from-packets two.txt -o three
    same two three
done
for finding in camp/gpucode/findings/*.txt; do
    run 1 gpucode fuzz bugs.fw --assert "$level" --assert "$addr" --try "$finding"
    key=${finding##*/}
    holds out "finding, "
    holds out "${key%.txt}: "
done
# `run` names each of them, whatever the machine ends with, and --try without the options of the campaign
for finding in camp/gpucode/findings/*.txt; do
    key=${finding##*/}
    run 1 gpucode run bugs.fw --packets "$finding"
    holds out "finding: ${key%.txt}: "
    run 1 gpucode fuzz bugs.fw --try "$finding"
    holds out ", ${key%.txt}: "
    run 0 gpucode run clean.fw --packets "$finding" --limit 1000000
done
run 1 gpucode run bugs.fw --packets camp/gpucode/findings/stack-03*.txt --json
holds out '"finding": {"key": "stack-03-'
# a line for it in a file of one's own; mistakes in such lines
printf '.check\nUNKN3 0x1f\n' >own.txt
run 1 gpucode run bugs.fw --packets own.txt
holds out 'finding: stack-03-'
run 0 gpucode run clean.fw --packets own.txt
run 0 gpucode coverage clean.fw --packets own.txt
for wrong in '.check x' '.check 1 2' '.assert' '.assert no luck'; do
    printf 'CP_NOP 1\n%s\n' "$wrong" >bad.txt
    run 2 gpucode run bugs.fw --packets bad.txt
    holds err 'bad.txt:2:'
    grep -qx " $wrong" err || complain "the line is not shown: $wrong"
done
# the limit is one of packets: seven that are short are none that is long
for i in 1 2 3 4 5 6 7; do echo 'UNKN2 0x1e'; done >seven.txt
run 0 gpucode fuzz clean.fw --try seven.txt --limit 200
run 1 gpucode fuzz clean.fw --try seven.txt --limit 50
holds out 'endless-02-'
run 1 gpucode fuzz bugs.fw --try camp/gpucode/findings/level-07*.txt --json
holds out '"judgement": "finding"'
holds out '"key": "level-07-'
printf 'CP_NOP 1 2 3\nUNKN7 0x15\n@0x883 1 2\nCP_NOP\n' >long.txt
run 0 gpucode fuzz bugs.fw --minimise long.txt -o least
run 0 gpucode fuzz bugs.fw --to-packets least
[ "$(cat out)" = 'UNKN7 0x15' ] || complain 'not the least'
printf '.memory 0x20000000 1 2\n.register 0x883 7\nCP_NOP 1\n.run\n.register @PREEMPT_TRIGGER 1\nUNKN3 2\n' >rich.txt
run 0 gpucode fuzz bugs.fw --from-packets rich.txt -o rich
run 0 gpucode fuzz bugs.fw --to-packets rich
printf '.memory 0x20000000 0x1 0x2\n.register CP_SCRATCH[0].REG 0x7\nCP_NOP 0x1\n.run\n.register @PREEMPT_TRIGGER 0x1\nUNKN3 0x2\n' >wanted
same out wanted
# the debugger gives each portion when the firmware waits for it, as `run` does: both come as far, and the past has it so
printf '.memory 0x20000000 1 2\n.register CP_SCRATCH[0].REG 7\nCP_NOP 1\n.run\n.memory 0x20000000 5\n.register @PREEMPT_TRIGGER 1\nCP_MEM_WRITE 0x20000010 0 0xcafe\n.run\n.run\nCP_NOP 2\n' >rich.txt
printf 'continue\nprint $position\nx/2xw 0x20000000\nx/xw 0x20000010\ngoto 3\nx/2xw 0x20000000\ncontinue\nprint $position\nprint CP_SCRATCH[0].REG\n' >commands
run 0 gpucode run "$root/examples/firmware/a6xx.asm" --packets rich.txt --policy afuc-memory=0x400000000
position=$(sed -n 's/^idle: .*, \([0-9]*\) instructions$/\1/p' out)
run 0 gpucode debug --batch "$root/examples/firmware/a6xx.asm" --packets rich.txt --policy afuc-memory=0x400000000 -x commands
[ "$(grep -c "^.position = .*($position)$" out)" = 2 ] || { complain "the debugger does not come to $position"; cat out; }
grep -q '^0x20000000:	0x00000005	0x00000002$' out && grep -q '^0x20000010:	0x0000cafe$' out || complain 'memory was not given'
grep -q '^0x20000000:	0x00000000	0x00000000$' out || complain 'memory was given before the firmware waited'
holds out 'CP_SCRATCH[0].REG = 7'
printf '.register NO_SUCH 7\nCP_NOP 1\n' >bad.txt
run 2 gpucode debug --batch "$root/examples/firmware/a6xx.asm" --packets bad.txt -x commands
printf 'CP_NOP 1\n.memory 0 x\n' >bad.txt
run 2 gpucode debug --batch "$root/examples/firmware/a6xx.asm" --packets bad.txt -x commands

# a set that reaches the same is smaller, and merged again it is the same
run 0 gpucode fuzz clean.fw --runs 20000 -o twin
run 0 gpucode fuzz clean.fw --merge -o small twin/gpucode
holds out ' kept, 0 findings'
run 0 gpucode fuzz clean.fw --merge -o again small
diff -r small again || complain 'merging again changes it'
# seeds, coverage, other instances
run 0 gpucode fuzz clean.fw --runs 2000 --from long.txt --from small/id:000001 --lcov lcov.info --graph flow.dot -o twin --name second
grep -q '#c8e6c9' flow.dot && grep -q '#ffcdd2' flow.dot || complain 'the graph has not both colours'
grep -q '^DA:[0-9]*,1$' lcov.info || complain 'no line has run'
grep -q '^corpus_imported   : 0$' twin/second/fuzzer_stats && complain 'nothing was taken from the first instance'
# recorded streams: as many seeds as kinds of packets want, of both forms the same
packed=$(built_with zlib && echo rd.gz)
for form in rd $packed; do
    gpucode fuzz "$root/examples/firmware/a6xx.asm" --from "$root/fuzz/corpus/stream/all.$form" --runs 300 -o streams.$form >out 2>&1
    ls streams.$form/gpucode/queue | grep -q '^id:000000,orig:seed,' || complain "no seeds of all.$form"
    lacks out 'error: '
done
checks=$((checks + 1))
[ -z "$packed" ] || diff -r streams.rd/gpucode/queue streams.rd.gz/gpucode/queue || complain 'the seeds of a packed stream are others'
cp "$root/README.md" text.rd
run 2 gpucode fuzz "$root/examples/firmware/a6xx.asm" --from text.rd --runs 10
run 0 gpucode fuzz clean.fw --kinds
holds out 'kind CP_INDIRECT_BUFFER 8 0 16 flat 0x3 '

# --ignore takes findings out
run 0 gpucode fuzz bugs.fw --try long.txt --ignore level-07
# mistakes
for wrong in 'write X' 'no write @NO_SUCH' 'no write 5..4' 'no write memory' 'no write 0x8d0 at level 1' 'no write 0x8d0 with luck'; do
    run 2 gpucode fuzz bugs.fw --runs 10 --assert "$wrong"
    holds err 'no write WHAT'
done
run 2 gpucode fuzz bugs.fw --jobs 0 --runs 1
run 2 gpucode fuzz bugs.fw --jobs 65 --runs 1
run 2 gpucode fuzz bugs.fw extra
run 2 gpucode fuzz bugs.fw --try
run 2 gpucode fuzz bugs.fw --name ../x -o camp --runs 1
run 2 gpucode fuzz bugs.fw --merge camp
holds err '-o FOLDER says where they go'
run 2 gpucode fuzz bugs.fw --minimise long.txt
holds err '-o FILE says where it goes'
mkdir empty
run 2 gpucode fuzz bugs.fw --merge -o nothing camp empty
holds err 'empty: error: there are no inputs in it'
[ -e nothing ] && complain 'a folder was made of nothing'
run 2 gpucode fuzz bugs.fw --try empty
run 2 gpucode fuzz bugs.fw --from nowhere --runs 1
printf 'CP_NO_SUCH 1\n' >bad.txt
run 2 gpucode fuzz bugs.fw --from bad.txt --runs 1
printf '.register @SCRATCH_REG0 1\n' >bad.txt
run 2 gpucode fuzz bugs.fw --try bad.txt
run 2 gpucode fuzz bugs.fw --runs 1 -o /dev/null/x
finish
