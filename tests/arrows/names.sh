#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: names.sh ROOT 'SET SET ...' ROOM...
# Rooms above the instruction sets, and below, name none of them, in code, comments or texts, but for the folders of
# data. A ROOM is a folder, or files by a pattern.
cd "$1" || exit 2
# names of sets may be parts of words (comment)
sets=$(echo "$2" | sed 's/  */|/g')
pattern="(^|[^a-z])($sets)([^a-z]|\$)"
shift 2
status=0
for room; do
    # shellcheck disable=SC2086
    found=$(grep -rniE "$pattern" $room | grep -vE "data/($sets)")
    if [ -n "$found" ]; then
        echo "$found"
        status=1
    fi
done
exit $status
