#!/bin/sh
# SPDX-License-Identifier: MIT
# The drawing in docs/design.md has every room of src/rooms.def (a set, or a folder of one, for all of them), and the
# document is as short as it promises to be. usage: drawing.sh ROOT
set -u
bad=0
for room in $(sed -n 's/^ROOM("\([^"]*\)".*/\1/p' "$1/src/rooms.def"); do
    case $room in
    'isa/*' | 'kit/*' | */\*/*) continue ;;
    kit) room=kit/SET ;;
    esac
    grep -qF "$room" "$1/docs/design.md" || grep -qF "${room%%/*}/" "$1/docs/design.md" || {
        echo "docs/design.md does not draw the room $room"
        bad=1
    }
done
[ "$(wc -l <"$1/docs/design.md")" -le 150 ] || {
    echo 'docs/design.md has more than 150 lines'
    bad=1
}
if awk 'length > 100 { print FILENAME ":" FNR ": more than 100 columns"; bad = 1 } END { exit !bad }' "$1/docs/design.md"; then
    bad=1
fi
exit $bad
