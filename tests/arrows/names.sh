#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: names.sh ROOT 'SET SET ...' [ROOM...]
# The rooms of src/rooms.def that are not those of sets, and the fuzz targets beside them, name no set in code, comments
# or texts, but for folders and tables of data and of answers. Or the ROOMs that are given: folders, or files by a pattern.
cd "$1" || exit 2
# names of sets may be parts of words (comment)
sets=$(echo "$2" | sed 's/  */|/g')
pattern="(^|[^a-z])($sets)([^a-z]|\$)"
shift 2

# the folders of rooms, without what a deeper room has; of src/ itself the files of the room
rooms()
{
    named=$(sed -n 's/^NAMES_SETS("\([^"]*\)".*/\1/p' src/rooms.def)
    sed -n 's/^ROOM("\([^"*]*\)",.*/\1/p' src/rooms.def | while read -r room; do
        echo "$named" | grep -qxF "$room" && continue
        if [ ! -d "src/$room" ]; then
            ls "src/$room".[ch]
        elif grep -q "^ROOM(\"$room/" src/rooms.def; then
            ls "src/$room"/*.[ch]
        else
            echo "src/$room"
        fi
    done
    ls fuzz/*.[ch] fuzz/meson.build
}

status=0
for room in ${*:-$(rooms)}; do
    found=$(grep -rniE "$pattern" "$room" | grep -vE "data/($sets)|isa/($sets)/answer/|_($sets)'")
    if [ -n "$found" ]; then
        echo "$found"
        status=1
    fi
done
exit $status
