#!/bin/sh
# SPDX-License-Identifier: MIT
# Many files: folders, processes, shards; the output is that of one process, in the order of the files.
. "$2/support/setting.sh"

mkdir many many/below results
for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; do
    printf '.target afuc:a650\n[016ee001]\nmov $02, 0x%s\n' "$i" >source
    run 0 gpucode asm source -o "many/$i.fw"
done
mv many/2?.fw many/below
printf 'no firmware' >many/text
cp many/10.fw many/.hidden

# every way of sharing the work prints the same
run 0 gpucode verify -j 1 many
mv out one
[ "$(wc -l <one)" = 24 ] || complain "verify told of $(wc -l <one) lines, not 23 files and a total"
head -1 one | grep -q '^many/10.fw: same' || complain 'the files of a folder are not sorted'
grep -q hidden one && complain 'a hidden file was taken'
for jobs in 2 3 64; do
    run 0 gpucode verify -j "$jobs" many
    cmp -s out one || complain "verify -j $jobs prints something else"
done
run 0 gpucode verify many
cmp -s out one || complain 'verify without -j prints something else'
run 0 gpucode info -j 1 many/1?.fw many/below
mv out one.info
run 0 gpucode info -j 4 many/1?.fw many/below
cmp -s out one.info || complain 'info -j prints something else'
run 0 gpucode info --json -j 2 many/1?.fw
[ "$(wc -l <out)" = 10 ] || complain 'info --json is not a line for each file'

# texts go to a folder, each as for the file alone
run 0 gpucode disasm -j 3 -o results many/1?.fw many/below
[ "$(find results -type f | wc -l)" = 20 ] || complain 'not a text for each file'
run 0 gpucode disasm many/below/20.fw
cmp -s out results/many_below_20.fw.asm || complain 'the text in the folder is another'
run 2 gpucode disasm many/10.fw many/11.fw
grep -q 'cli-many-output' err || complain 'no word of the folder'
run 2 gpucode disasm -o nowhere many/10.fw many/11.fw
run 2 gpucode disasm -o results many/10.fw ./many/10.fw
grep -q 'cli-same-output' err || complain 'two texts had one place'

# messages stand with their file, and the gravest exit code is that of all
run 2 gpucode verify -j 4 many/10.fw nowhere many/11.fw
[ "$(sed -n 2p out)" = 'nowhere: unreadable' ] || complain 'the unreadable file is not where it belongs'
grep -q 'nowhere: error: cannot open' err || complain 'its message is lost'
grep -q '3 files: 2 same, 0 different, 1 unreadable' out || complain 'the total is wrong'

# shards have each file once, and together are the whole
for i in 1 2 3; do
    run 0 gpucode verify --shard "$i/3" many
    grep -v 'files:' out >"shard$i"
done
cat shard1 shard2 shard3 | sort >merged
grep -v 'files:' one | sort | cmp -s - merged || complain 'the shards are not the whole'
[ "$(wc -l <shard1)" = 8 ] && [ "$(wc -l <shard3)" = 7 ] || complain 'the shards are not alike in size'
run 0 gpucode verify --shard 1/1 -j 2 many
cmp -s out one || complain 'one shard of one is not all'
for wrong in 0/3 4/3 1 1/0 x/2 1/2x; do
    run 2 gpucode verify --shard "$wrong" many
done
run 2 gpucode verify -j 0 many
run 2 gpucode verify -j x many
mkdir empty
run 0 gpucode verify empty
run 0 gpucode decode -j 2 empty
holds err 'empty: warning: there are no files in the folder [cli-folder-empty]'

# a process that is killed loses its file, and no other one; that is told once, in the order of the files
mkfifo pipe
cp many/$(ls many | head -1) one.fw
cp one.fw two.fw
gpucode verify -j 2 one.fw pipe two.fw one.fw >out 2>err &
exec 3>pipe # a process has it
for process in /proc/[0-9]*; do
    [ -n "$(find "$process/fd" -lname '*/pipe' 2>/dev/null)" ] && grep -aq verify "$process/cmdline" && killed=${process#/proc/}
done
kill -9 "$killed"
wait $!
[ $? = 3 ] || complain 'the code of a process that was killed'
exec 3>&-
[ "$(grep -c 'cli-lost' err)" = 1 ] || complain 'one file is lost'
[ "$(grep -c ': same, ' out)" = 3 ] || complain 'the others are there'
holds out '4 files: 3 same, 0 different, 1 unreadable'

# a folder with other files in it: two short lines for each; of a few files each has its advice
mkdir mixed
for i in 1 2 3 4 5 6 7 8 9; do echo "text $i" >mixed/$i.txt; done
run 2 gpucode info mixed
[ "$(grep -c 'is not an image of a known kind' err)" = 9 ] || complain 'not each file is told'
lacks err 'hint:'
[ "$(wc -l <err)" = 18 ] || complain 'there is more to read than two lines a file'
run 2 gpucode info mixed/1.txt mixed/2.txt
holds err 'hint: use -t TARGET'
finish
