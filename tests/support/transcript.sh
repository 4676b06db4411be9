#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: transcript.sh GPUCODE TESTS_FOLDER FILE.session
# Runs the commands of a session, and compares what they print with what stands there. A line `$ COMMAND` is run by the
# shell, in a new folder with the files that lie beside the session; after it come lines `% TEXT`, which its output must
# hold and which do not come from the program, and then its output, its errors and, unless it is 0, its exit code.
# UPDATE_GOLDEN=1 writes what is printed now; the lines with % stay, and must hold.
session=$(realpath "$3")
. "$2/support/setting.sh"
for beside in "$(dirname "$session")"/*; do
    [ -f "$beside" ] && cp "$beside" . # a command may write over it
done
export COLUMNS=120

# A command's output, its errors, its exit code.
answer()
{
    (eval "$command") >out 2>err </dev/null
    code=$?
    for stream in out err; do
        cat $stream
        [ -z "$(tail -c 1 $stream)" ] || echo # what is cut has no end of line
    done
    [ "$code" = 0 ] || echo "[exit code $code]"
}

command= texts=
: >printed
step()
{
    [ -n "$command" ] || return 0
    printf '$ %s\n%s' "$command" "$texts" >>printed
    answer >answered
    printf '%s' "$texts" | sed 's/^% //' >wanted
    while IFS= read -r text; do
        checks=$((checks + 1))
        grep -qF -e "$text" answered || complain "$command: lacks: $text"
    done <wanted
    cat answered >>printed
}

# The description at the head stays as it is.
head=yes
while IFS= read -r line; do
    case $line in
    '$ '*)
        step
        head= command=${line#??} texts=
        ;;
    '% '*)
        texts="$texts$line
"
        ;;
    '#'*)
        if [ -n "$head" ]; then echo "$line" >>printed; fi
        ;;
    esac
done <"$session"
step
checks=$((checks + 1)) # there may be no lines with %
if [ -n "${UPDATE_GOLDEN:-}" ]; then
    cp printed "$session.new" && mv "$session.new" "$session" # others copy the folder's files at the same time
else
    diff -u "$session" printed || complain "$(basename "$session") differs"
fi
finish
