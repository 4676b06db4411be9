#!/bin/sh
# SPDX-License-Identifier: MIT
# The rows of reader.tsv: what the manual says of what a reader looks up.
. "$2/support/setting.sh"

tab=$(printf '\t')
while IFS="$tab" read -r claim set word phrase; do
    case $claim in '#'*) continue ;; esac
    run 0 gpucode manual "$set" "$word"
    tr -s '\n ' '  ' <out >line # a sentence may go on in the next line
    grep -qF -e "$phrase" line || complain "$claim: manual $set '$word' lacks: $phrase"
done <"$source_folder/reader.tsv"
finish
