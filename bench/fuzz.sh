#!/bin/sh
# SPDX-License-Identifier: MIT
# Figures of fuzzing: in process, the command with one worker and with two, and under AFL++ where it is installed.
# usage: fuzz.sh GPUCODE FUZZ_BENCH SOURCE_ROOT
gpucode=$(realpath "$1") bench=$(realpath "$2") root=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$gpucode" asm "$root/examples/firmware/a6xx.asm" -o a6xx.fw || exit 1
"$gpucode" asm "$root/examples/fuzz/clean.asm" -o clean.fw || exit 1
"$bench" a6xx.fw || exit 1

seconds()
{
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s%N)
    awk "BEGIN { printf \"%.2f\", ($end - $start) / 1e9 }"
}
runs=400000
one=$(seconds "$gpucode" fuzz clean.fw --runs $runs)
two=$(seconds "$gpucode" fuzz clean.fw --runs $runs --jobs 2)
awk "BEGIN { printf \"gpucode fuzz: %.0f runs/s with one worker, %.0f with two (%.2f times)\n\", $runs / $one, $runs / $two, $one / $two }"
command -v afl-fuzz >/dev/null || { echo 'skipped: no afl-fuzz'; exit 0; }
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
mkdir seeds && printf '\0\0' >seeds/start
afl-fuzz -i seeds -o campaign -t 1000 -V 10 -- "$gpucode" fuzz --afl clean.fw >/dev/null 2>&1
sed -n 's/^execs_per_sec *: \(.*\)/under AFL++: \1 runs\/s/p' campaign/default/fuzzer_stats
