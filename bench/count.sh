#!/bin/sh
# SPDX-License-Identifier: MIT
# Machine instructions per line of text, by valgrind: a measure that other work on the computer does not disturb.
#
#     bench/count.sh [BUILD]
build=${1:-build}
bench=$build/bench/afuc-bench
command -v valgrind >/dev/null || { echo 'count.sh: valgrind is not there' >&2; exit 2; }
[ -x "$bench" ] || { echo "count.sh: build $bench first" >&2; exit 2; }

# Instructions of a run in which only functions below $1 count.
count()
{
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" "$bench" --once "$2" 2>&1 >/dev/null |
        sed -n 's/.*Collected : *//p'
}

lines=$("$bench" --once disasm)
for way in disasm:gpucode_disassemble asm:gpucode_assemble; do
    total=$(count "${way#*:}" "${way%%:*}")
    echo "${way%%:*}: $total instructions for $lines lines, $((total / lines)) per line"
done
