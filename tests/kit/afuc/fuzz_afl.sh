#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode fuzz under AFL++: its handshakes by a small parent of ours, and afl-fuzz itself where it is installed.
parent=$(realpath "$3") mutator=$(realpath "$4")
. "$2/support/setting.sh"
run 0 gpucode asm "$root/examples/fuzz/bugs.asm" -I "$root/examples/firmware" -o bugs.fw
printf 'CP_NOP 1 2\nUNKN3 5\n' >good.txt
printf 'UNKN7 0x15\n' >bad.txt
run 0 gpucode fuzz bugs.fw --from-packets good.txt -o good
run 0 gpucode fuzz bugs.fw --from-packets bad.txt -o bad
for how in old new stdin plain both; do
    run 0 "$parent" $how "$program" bugs.fw good bad
    holds out "$how: 8192 bytes of map"
done
run 0 "$parent" small "$program" bugs.fw good bad
holds out 'small: 8191 bytes of map'
# a handshake that fails: afl-fuzz is told why, and the input is run as if there were no fuzzer
for how in old-lost new-lost version gone; do
    run 0 "$parent" $how "$program" bugs.fw good bad
    holds out "$how: refused" 'level-07-'
done
# without a fuzzer: one input
gpucode fuzz --afl bugs.fw <good >out 2>&1 || complain 'good passes'
gpucode fuzz --afl bugs.fw <bad >out 2>&1 && complain 'bad passes'
holds out 'level-07-'
run 1 gpucode fuzz --afl bugs.fw bad
holds out 'level-07-'
run 0 gpucode fuzz --afl bugs.fw good
run 2 gpucode fuzz --afl bugs.fw nowhere
holds err 'nowhere: error: cannot open'
# a map that is not there; the marks are no variables
run 2 env __AFL_SHM_ID=-1 "$program" fuzz --afl bugs.fw good
holds err '[cli-fuzz-map]' '8192'
run 2 env __AFL_SHM_ID=-1 AFL_MAP_SIZE=300 "$program" fuzz --afl bugs.fw good
holds err 300
for mark in PERSISTENT DEFER_FORKSRV; do
    run 2 env "##SIG_AFL_$mark##=1" "$program" fuzz --afl bugs.fw bad
    lacks out level
done

if ! command -v afl-fuzz >/dev/null || ! command -v afl-showmap >/dev/null; then
    echo 'skipped: no afl-fuzz'
    finish
fi
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
mkdir seeds
cp good seeds
# as it is, and with the mutator, so many runs each
run 0 afl-fuzz -i seeds -o plain -t 1000 -E 3000 -- "$program" fuzz --afl bugs.fw
run 0 gpucode fuzz bugs.fw --kinds -o kinds
run 0 env GPUCODE_FUZZ_KINDS="$folder/kinds" AFL_CUSTOM_MUTATOR_LIBRARY="$mutator" AFL_CUSTOM_MUTATOR_ONLY=1 \
    afl-fuzz -i seeds -o shaped -t 1000 -E 3000 -- "$program" fuzz --afl bugs.fw
for campaign in plain shaped; do
    [ "$(sed -n 's/^saved_crashes *: //p' $campaign/default/fuzzer_stats)" -gt 0 ] || complain "$campaign found nothing"
    [ "$(sed -n 's/^corpus_count *: //p' $campaign/default/fuzzer_stats)" -gt 10 ] || complain "$campaign keeps nothing"
done
run 1 gpucode fuzz bugs.fw --try shaped/default/crashes
holds out 'finding, '
run 2 gpucode fuzz bugs.fw --kinds --runs x

# a word that nobody guesses comes from the dictionary of the firmware
mkdir words words/wild words/firmware words/seeds
cp "$root/examples/firmware/names.asm" words/firmware
cp "$root/examples/fuzz/clean.asm" words/wild
sed 's/UNKN13: UNKN14: UNKN15:/UNKN14: UNKN15:/; /^jumptbl:/,$d' "$root/examples/fuzz/handlers.asm" >words/wild/handlers.asm
cat >>words/wild/handlers.asm <<'END'
UNKN13:
    need 0x1
    mov $05, $data
    mov $06, 0xcafe << 16
    or $06, $06, 0xbeef
    cmp $07, $05, $06
    brne $07, b0, #skip_payload
    nop
    ret
    nop
jumptbl:
.jumptbl
END
run 0 gpucode asm words/wild/clean.asm -I words/firmware -o words.fw
printf 'UNKN13 5\n' >words.txt
run 0 gpucode fuzz words.fw --from-packets words.txt -o words/seeds/one
run 0 gpucode fuzz words.fw --dictionary -o words.dict
run 0 afl-fuzz -s 1 -x words.dict -i words/seeds -o words/found -t 1000 -E 40000 -- "$program" fuzz --afl words.fw
run 1 gpucode fuzz words.fw --try words/found/default/crashes
holds out 'stack-empty-0d-'

# a campaign of two machines with two processes each, whose folders are copied to one another: everything comes across
mkdir a b
for machine in a b; do
    (cd $machine && gpucode fuzz ../bugs.fw -o camp --campaign 2 --name $machine --runs 4000) >out.$machine 2>&1
    [ $? = 1 ] || { complain "the campaign of $machine"; cat out.$machine; }
    holds out.$machine 'afl-fuzz -M'
    # what afl-fuzz has found is there by root cause, each once
    run 1 gpucode fuzz bugs.fw --try $machine/camp/${machine}1/crashes --json
    keys=$(sed -n 's/.*"key": "\([^"]*\)".*/\1/p' out | sort -u)
    [ -n "$keys" ] || complain 'afl-fuzz has found nothing'
    for key in $keys; do
        [ "$(ls $machine/camp/$machine/crashes | grep -c "op:$key\$")" = 1 ] || complain "$key of afl-fuzz is not there once"
    done
done
cp -r a/camp/a1 a/camp/a2 b/camp
cp -r b/camp/b1 b/camp/b2 a/camp
for machine in a b; do
    run 1 gpucode fuzz bugs.fw -o $machine/camp --name late --runs 100
    [ "$(sed -n 's/^corpus_imported *: //p' $machine/camp/late/fuzzer_stats)" -gt 20 ] || complain "$machine takes nothing"
    run 0 gpucode fuzz bugs.fw --merge -o $machine/all $machine/camp/a1 $machine/camp/a2 $machine/camp/b1 $machine/camp/b2
done
diff -r a/all b/all >/dev/null || complain 'the two machines have not the same'
run 0 afl-whatsup -d -s a/camp
holds out 'Total execs'
# an instance of AFL++ takes what ours has kept
run 0 env AFL_IMPORT_FIRST=1 afl-fuzz -i seeds -o a/camp -S afterwards -t 1000 -E 3000 -- "$program" fuzz --afl bugs.fw
finish
