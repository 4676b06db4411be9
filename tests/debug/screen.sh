#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: screen.sh GPUCODE SOURCE
# Drives the full-screen view under tmux at 80x24 and looks at the screen.
program=$(realpath "$1")
source=$(realpath "$2")
if ! command -v tmux >/dev/null; then
    echo "skipped: no tmux"
    exit 77
fi
folder=$(mktemp -d)
trap 'tmux -S "$folder/socket" kill-server 2>/dev/null; rm -rf "$folder"' EXIT
cd "$(dirname "$source")" || exit 1
terminal()
{
    tmux -S "$folder/socket" -f /dev/null "$@"
}
bad=0
# Waits until a line of the screen matches.
expect()
{
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
        terminal capture-pane -p >"$folder/screen" 2>/dev/null
        grep -q -- "$1" "$folder/screen" && return
        sleep 0.1
    done
    echo "not on the screen: $1"
    cat "$folder/screen"
    bad=1
}
LC_ALL=C.UTF-8 terminal new-session -d -x 80 -y 24 "TERM=screen '$program' debug --tui '$(basename "$source")'; sleep 5"
expect '=> 0000 .*\[016ee001\]'
expect '^ SQE  insn 0/0'
terminal send-keys 'break work' Enter
expect '^Breakpoint 1 at SQE:0x000a <work>'
expect '^\*   000a work'
terminal send-keys F5
expect '^\*=> 000a work .*mov \$rem, 0x3'
expect '\$02  \*00000001'
terminal send-keys F11
expect '=> 000b '
expect '\$rem \*00000003'
terminal send-keys F7
expect '^\*=> 000a work'
expect '^ SQE  insn 6/7'
terminal send-keys 'print $02 + 4' Enter
expect '^\$02 + 4 = 5'
terminal send-keys 'rev' Tab 'st' Tab
expect '^(gpucode) reverse-step'
terminal send-keys C-u 'goto 5' Enter
expect '=> 0005 \[delay slot\] add'
expect '^->\|-> 000a work'
terminal send-keys 'set *0x100000 = 0x41424344' Enter
expect '0000100000:  41424344 00000000 .* DCBA'
if [ "$(wc -l <"$folder/screen")" -gt 24 ] || awk 'length($0) > 80 { exit 1 }' "$folder/screen"; then :; else
    echo "a line is wider than the screen"
    bad=1
fi
terminal send-keys 'quit' Enter
exit $bad
