#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: screen.sh GPUCODE SOURCE
# Drives the full-screen view under tmux at 80x24 and looks at the screen, for each kind of machine, and at 200x50.
program=$(realpath "$1")
source=../dap/$(basename "$2") # relative: it stands on the screen
screens=$(dirname "$(realpath "$0")")/screens.txt
if ! command -v tmux >/dev/null; then
    echo "skipped: no tmux"
    exit 77
fi
folder=$(mktemp -d)
socket=$folder/socket0
trap 'terminal kill-server 2>/dev/null; rm -rf "$folder"' EXIT
cd "$(dirname "$0")/../console" || exit 1
terminal()
{
    tmux -S "$socket" -f /dev/null "$@"
}
bad=0
# Waits until a line of the screen matches, a minute on a busy machine.
expect()
{
    tries=0
    while [ $tries -lt 600 ]; do
        tries=$((tries + 1))
        terminal capture-pane -p >"$folder/screen" 2>/dev/null
        grep -q -- "$1" "$folder/screen" && return
        sleep 0.1
    done
    echo "not on the screen: $1"
    cat "$folder/screen"
    bad=1
}
# Waits until the whole screen is the part of screens.txt with that name, blanks at the ends of lines aside; with
# UPDATE_GOLDEN=1 a new part of it, to be read.
whole()
{
    awk -v head="== $1" '/^== / { on = $0 == head; next } on' "$screens" >"$folder/wanted"
    tries=0
    while [ $tries -lt 100 ]; do
        tries=$((tries + 1))
        [ -z "${UPDATE_GOLDEN:-}" ] || sleep 1
        terminal capture-pane -p 2>/dev/null | sed 's/ *$//' >"$folder/screen"
        if [ -n "${UPDATE_GOLDEN:-}" ]; then
            { echo "== $1"; cat "$folder/screen"; } >>"$folder/screens"
            return
        fi
        cmp -s "$folder/wanted" "$folder/screen" && return
        sleep 0.1
    done
    echo "another screen: $1"
    diff -u "$folder/wanted" "$folder/screen"
    bad=1
}
# Starts the view on a file in a terminal of its own; the second argument is what the terminal says it is.
start()
{
    socket=$folder/socket.$(basename "$1").$2
    LC_ALL=C.UTF-8 terminal new-session -d -x "${columns:-80}" -y "${lines:-24}" \
        "LC_ALL=${locale:-C.UTF-8} TERM=${2:-screen} '$program' debug --tui '$1'; cat"
}
start "$source"
if ! terminal has-session 2>/dev/null; then
    echo "skipped: tmux can open no terminal here"
    exit 77
fi
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
whole 'a breakpoint, a register that has changed, what comes next'
terminal send-keys 'print $02 + 4' Enter
expect '^\$02 + 4 = 5'
terminal send-keys 'rev' Tab 'c' Tab
expect '^(gpucode) reverse-continue *$'
terminal send-keys C-u 'goto 5' Enter
expect '=> 0005 \[delay slot\] add'
expect '^->\|-> 000a work'
terminal send-keys 'set *0x100000 = 0x41424344' Enter
expect '0000100000:  41424344 00000000 .* DCBA'
whole 'a delay slot, its target, memory'
if [ "$(wc -l <"$folder/screen")" -gt 24 ] || awk 'length($0) > 80 { exit 1 }' "$folder/screen"; then :; else
    echo "a line is wider than the screen"
    bad=1
fi
terminal send-keys F1
expect '^F1 keys .*F10 next'
whole 'the keys'
terminal send-keys 'goto 0' Enter F9
expect '^\*=> 0000 '
terminal send-keys F9
expect '^ => 0000 '
# what the analysis knows: below the listing, and behind the lines where there is room
terminal send-keys 'goto 2' Enter
expect '0003 .*mov \$03, 0x10 << 16 ; = 0 '
terminal send-keys 'goto 3' Enter
expect '^; = 0x100000 '
terminal send-keys 'set comments off' Enter
expect '=> 0003 .*mov \$03, 0x10 << 16  '
terminal send-keys 'delete 1' Enter F5
expect 'running: Ctrl-C interrupts'
terminal send-keys C-c
expect '^Interrupted'
terminal resize-window -x 132 -y 43
expect '\$01   00000000  \$sp'
expect '^ SQE  insn .* count.asm:[0-9]*'
terminal send-keys 'goto 7' Enter
expect '^ SQE  insn 7/'
terminal resize-window -x 60 -y 20
expect '^80 columns and 24 lines are needed'
terminal resize-window -x 80 -y 24
expect '\$0f .*\$data'
# the last fifty lines come back, the oldest of them first gone
set --
for number in $(seq 51); do
    set -- "$@" "print $number" Enter
done
terminal send-keys "$@"
expect '^51 = 0x33 (51)'
terminal send-keys -N 60 Up
expect '^(gpucode) print 2 *$'
terminal send-keys Down
expect '^(gpucode) print 3 *$'
terminal send-keys -N 60 Down
expect '^(gpucode) *$'
# keys that are no characters leave the line as it is; Ctrl-D leaves the view when there is none
terminal send-keys 'print 12' C-a C-b C-e C-k C-w C-d Escape C-l
expect '^(gpucode) print 12 *$'
terminal send-keys C-h 7 Enter
expect '^17 = 0x11 (17)'
terminal send-keys 'memory 0x12345' Enter
expect '^ 0000012340: '
terminal send-keys 'goto 0' Enter
expect '^[* ]=> 0000 '
terminal send-keys NPage
expect '^[-* >|]* 000c '
terminal send-keys PPage
expect '^[* ]=> 0000 '
terminal send-keys 'print 3' Enter C-u
terminal send-keys C-d
terminal send-keys 'echo in lines' Enter
expect '^in lines *$'
if grep -q '^ SQE  insn' "$folder/screen"; then
    echo 'Ctrl-D does not leave the view'
    bad=1
fi
terminal kill-server
start hwsq.hwsq
expect '^ => 0000 set1 #FB_PAUSE  *IP'
terminal send-keys F11
expect '^ => 0001 wait .* RUNNING'
expect ' FB_PAUSE    \*1 driven'
expect ' FB_PAUSED   \*1'
terminal send-keys F11 F11
expect '^ A  insn 3/3 .* time 96  hwsq.hwsq:5'
terminal send-keys F7
expect '^ A  insn 2/3'
whole 'a script, flags and events'
terminal send-keys 'quit' Enter
terminal kill-server
start shader.asm
expect '^ => 0000  *(sy)(ss)mov.f32f32 r0.x'
terminal send-keys F11
expect ' r0.x  \*40000000  2$'
terminal send-keys 'b again' Enter F5
expect '^\*=> 0004 again (rpt1)add.f'
terminal send-keys F11
expect ' r1.y  \*40c00000  6$'
terminal send-keys F6
expect ' r0.y   40400000  3$'
expect '^ 0  insn 4/5 .* shader.asm:8'
whole 'a shader, numbers with a fraction'
terminal send-keys 'quit' Enter
terminal kill-server
# no colours, and no function keys that its description knows
start shader.asm vt100
expect '^ => 0000  *(sy)(ss)mov.f32f32 r0.x'
terminal send-keys F11
expect '^ => 0001 '
terminal send-keys F9
expect '^\*=> 0001 '
terminal send-keys 'quit' Enter
terminal kill-server
start shader.asm dumb
expect 'the terminal cannot place its cur'
terminal kill-server
start shader.asm nonesuch
expect 'the terminal is not known'
terminal kill-server
# a wide screen has the source with its comments, the calls, whole labels and more memory
columns=200 lines=50
start ../../examples/firmware/a6xx.asm xterm
terminal send-keys 'until drain' Enter
expect '^ => 001f '
expect '002b register_value and '
expect '| =>   28      mov \$01, \$data'
expect '25      ; How every handler ends'
expect '| #0  001f  skip_payload+0x2'
expect '^ 0000100070: '
expect '^; from '
whole 'a wide screen'
terminal send-keys 'quit' Enter
terminal kill-server

# what is no ASCII: as it is where the terminal can, a question mark where it cannot, each column where it stands
printf 'nop ; gr\303\266\303\237er \346\227\245\346\234\254 e\314\201 |\nnop ; a \342\200\256b \033[2J \302\233 \377 ~\177. |\n' >"$folder/included.asm"
printf '.target afuc:a6xx\n.include "included.asm"\n' >"$folder/letters.asm"
columns=200 lines=50 start "$folder/letters.asm"
expect "1  nop ; größer 日本 $(printf 'e\314\201') |  .* \\\$00   00000000  "
expect '2  nop ; a ?b  \[2J ? ? ~ . |  '
terminal send-keys 'nö'
expect '^(gpucode) nö$'
terminal send-keys BSpace
expect '^(gpucode) n$'
terminal kill-server
locale=C columns=200 lines=50 start "$folder/letters.asm" vt100
expect '1  nop ; gr??er ?? e? |  .* \$00   00000000  '
terminal send-keys 'quit' Enter
terminal kill-server
# instructions of several lengths far behind the beginning; of a line that is too long its end is seen, of the log its newest lines
{
    echo '.target hwsq:g94'
    for number in $(seq 40); do
        echo "data $number; wait 1us"
    done
    echo exit
} >"$folder/lengths.hwsq"
columns=80 lines=24
start "$folder/lengths.hwsq"
expect '^ => 0000 data 0x1$\|^ => 0000 data 0x1 '
terminal send-keys 'until 0x60' Enter
expect '^ => 0060 data 0x11 '
expect '^ *0054 data 0xf '
terminal send-keys "echo $(printf 'x%.0s' $(seq 90))tail"
expect '^x*tail *$'
terminal send-keys C-u
for number in 1 2 3 4 5 6 7; do
    terminal send-keys help Enter
done
terminal send-keys 'print 5' Enter 'print 6' Enter
expect '^6 = 6'
grep -q '^5 = 5' "$folder/screen" || {
    echo 'the log is out of order'
    bad=1
}
whole 'a long script, a full log'
terminal send-keys 'quit' Enter
terminal kill-server
# lines of the source that are longer than there is room for anywhere, and code without a source
{
    echo '.target afuc:a6xx'
    printf 'nop ; %600s\n' long
    echo 'mov $02, 0x1'
} >"$folder/wide.asm"
columns=200 lines=50 start "$folder/wide.asm"
expect '|    *3  mov \$02, 0x1'
terminal send-keys 'quit' Enter
terminal kill-server
"$program" asm ../../examples/firmware/a6xx.asm -o "$folder/plain.fw"
columns=200 lines=50 start "$folder/plain.fw"
expect '| (no source)'
terminal send-keys 'quit' Enter
terminal kill-server
# at the limits: what is typed, completed and recalled; bytes of memory that are letters; which breakpoints have a mark
start "$source"
expect '=> 0000 .*\[016ee001\]'
terminal send-keys 'print 3' Enter Enter Enter Up ' + 1'
expect '^(gpucode) print 3 + 1 *$'
terminal send-keys C-u 'print ' C-_ 'zzz' Tab
expect '^(gpucode) print zzz *$'
terminal send-keys C-u 'break wo' Tab
expect '^(gpucode) break work *$'
x=$(printf 'x%.0s' $(seq 253))
terminal send-keys C-u "${x}abc"
expect '^x*ab *$'
blanks=$(printf '%245s' '')
terminal send-keys C-u "${blanks}rev" Tab
expect '^ *reverse- *$'
terminal send-keys C-u "$blanks rev" Tab
expect '^ *rev *$'
terminal send-keys C-u NPage 'print 4' Enter
expect '^4 = 4'
expect '^ => 0000 '
terminal send-keys 'set *0x100000 = 0x7f7e201f' Enter 'set *0x100004 = 0x80007d21' Enter 'set *0x10000c = 0x5a414141' Enter
expect '0000100000:  7f7e201f 80007d21 00000000 5a414141  \. ~\.!}\.\.\.\.\.\.AAAZ$'
terminal send-keys 'break work' Enter 'disable' Enter 'watch *0x3' Enter
expect '^Watchpoint 2'
whole 'no marks'
terminal send-keys 'quit' Enter
terminal kill-server
# registers that there is no room for are not shown; the least fraction is none
start shader.asm screen-256color
for number in $(seq 0 17); do
    terminal send-keys "set r$number.x = 1" Enter
done
expect '^(gpucode) set r17.x = 1'
whole 'a full column of registers'
terminal send-keys 'quit' Enter
terminal kill-server
# labels are cut where the listing is narrow
printf '.target afuc:a6xx\na_label_that_is_longer_than_there_is_room_for:\nnop\n' >"$folder/label.asm"
columns=102 start "$folder/label.asm"
expect '^ => 0000 a_label_that nop '
terminal resize-window -x 103 -y 24
expect '^ => 0000 a_label_that_is_longer_ nop '
terminal send-keys 'quit' Enter
terminal kill-server
# a source that is gone
columns=200 start "$folder/label.asm" xterm
expect '| =>    3  nop'
rm "$folder/label.asm"
terminal send-keys 'print 5' Enter
expect '| (no source)'
terminal send-keys 'quit' Enter
terminal kill-server
# a line of the log that is longer than is kept
name=$(printf 'd%.0s' $(seq 200))
mkdir -p "$folder/$name/$name/$name"
printf '.target afuc:a6xx\nnop\nnop\n' >"$folder/$name/$name/$name/long.asm"
columns=600 start "$folder/$name/$name/$name/long.asm"
terminal send-keys F11
expect '^=> 0x0001:.\{494\}$'
terminal send-keys 'quit' Enter
terminal kill-server
[ -z "${UPDATE_GOLDEN:-}" ] || cp "$folder/screens" "$screens"
exit $bad
