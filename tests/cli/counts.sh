#!/bin/sh
# SPDX-License-Identifier: MIT
# Machine instructions per line of text do not grow unseen. The bounds are a third above what was measured when they
# were set (docs/performance.md); who makes something faster lowers them.
. "$2/support/setting.sh"

command -v valgrind >/dev/null || {
    echo 'skipped: valgrind is not there'
    exit 77
}
unset MALLOC_PERTURB_ # memory that is filled costs instructions
run 0 "$root/bench/text.sh" --counts "$program" 3000
counted=0
# One program loads all libraries at its start, which are no part of what a line costs.
libraries=0
[ -x "$(dirname "$program")/gpucode-full" ] || libraries=$(awk '$1 == "start" { print ($3 > 440 ? int(($3 - 440) / 3) : 0) }' out)
while read -r set command count; do
    case $set-$command in
    afuc-disasm) most=440 ;;
    afuc-asm) most=695 ;;
    hwsq-disasm) most=370 ;;
    hwsq-asm) most=535 ;;
    a3xx-disasm) most=820 ;;
    a3xx-asm) most=1070 ;;
    ir3-disasm) most=950 ;;
    ir3-asm) most=1230 ;;
    start-version) # pointers in constant tables are what makes it more; one program has its libraries to load, too
        most=440
        [ -x "$(dirname "$program")/gpucode-full" ] || most=9999
        ;;
    *) most=0 ;;
    esac
    counted=$((counted + 1))
    [ "$set" = start ] || count=$((count - libraries))
    case $set-$command in
    a3xx-*) eval "first_$command=$count" ;;
    ir3-*) # later generations have more forms, which may cost three tenths
        eval "first=\$first_$command"
        [ $((10 * count)) -le $((13 * first)) ] || complain "$set $command: $count, A3XX $first"
        ;;
    esac
    [ "$count" -gt 50 ] && [ "$count" -le "$most" ] || complain "$set $command: $count, the bound is $most"
done <out
[ "$counted" = 9 ] || complain "$counted counts instead of 9"
finish
