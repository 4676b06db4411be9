#!/bin/sh
# SPDX-License-Identifier: MIT
# The rows of words.tsv: what sources assemble to, which messages they bring about, what their listing says.
. "$2/support/setting.sh"

tab=$(printf '\t')
while IFS="$tab" read -r claim target source outcome; do
    case $claim in '#'*) continue ;; esac
    checks=$((checks + 1))
    printf '%s\n' "$source" | sed 's/\\n/\
/g' >in.asm
    gpucode asm -t "$target" in.asm --form words -o words 2>err || : >words
    case $outcome in
    '= '*)
        gpucode asm -t "$target" in.asm -o in.bin 2>>err && gpucode disasm -t "$target" in.bin >listing 2>>err
        grep -qxF -e "${outcome#= }" listing || complain "$claim: $source: no line '${outcome#= }'"
        continue
        ;;
    esac
    got=$(tr -s '\n' ' ' <words | sed 's/^0x00000000 //; s/0x//g; s/ $//')
    codes=$(sed -n 's/.*\[\([a-z0-9-]*\)\]$/\1/p' err | tr '\n' ' ' | sed 's/ $//')
    [ -z "$codes" ] || got="${got:+$got }! $codes"
    [ "$got" = "$outcome" ] || complain "$claim: $source: '$got', wanted '$outcome'"
done <"$source_folder/words.tsv"
finish
