#!/bin/sh
# SPDX-License-Identifier: MIT
# Figures of fuzzing: in process, the command with one worker and with two, two processes on one folder, and under AFL++
# where it is installed.
# usage: fuzz.sh GPUCODE FUZZ_BENCH SOURCE_ROOT
gpucode=$(realpath "$1") bench=$(realpath "$2") root=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$gpucode" asm "$root/examples/firmware/a6xx.asm" -o a6xx.fw || exit 1
"$gpucode" asm "$root/examples/fuzz/clean.asm" -I "$root/examples/firmware" -o clean.fw || exit 1
"$bench" a6xx.fw || exit 1

# Seconds of the processor that a command takes, all its threads and processes together: other work on the machine does not
# change them.
processor()
{
    ("$@" >/dev/null 2>&1
     times) | tail -1 | tr 'ms' '  ' | awk '{ print 60 * $1 + $2 + 60 * $3 + $4 }'
}
runs=400000
one=$(processor "$gpucode" fuzz clean.fw --runs $runs)
two=$(processor "$gpucode" fuzz clean.fw --runs $runs --jobs 2)
awk "BEGIN { printf \"gpucode fuzz: %.0f runs a second of the processor; two workers take %.2f times what one takes for the same files\n\", $runs / $one, $two / $one }"

# edges of one process, and of two with half the runs each on one folder
"$gpucode" fuzz a6xx.fw --runs 200000 -o one >/dev/null 2>&1
for name in a b; do
    "$gpucode" fuzz a6xx.fw --runs 100000 --seed 0x$name --name $name -o two >/dev/null 2>&1 &
done
wait
edges() { "$gpucode" fuzz a6xx.fw --merge -o "$1.least" "$1" | sed -n 's/.* \([0-9]*\) edges$/\1/p'; }
echo "one process of 200000 runs: $(edges one) bytes of the map; two of 100000 on one folder: $(edges two)"
command -v afl-fuzz >/dev/null || { echo 'skipped: no afl-fuzz'; exit 0; }
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
mkdir seeds && printf '\0\0' >seeds/start
# by the clock, since afl-fuzz does not wait for the processes that it starts
afl-fuzz -i seeds -o campaign -t 1000 -E 200000 -- "$gpucode" fuzz --afl clean.fw >/dev/null 2>&1
sed -n 's/^execs_per_sec *: \(.*\)/under AFL++: \1 runs\/s by the clock/p' campaign/default/fuzzer_stats
