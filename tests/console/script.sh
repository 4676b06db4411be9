#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: script.sh GPUCODE SCRIPT [--record]
# Runs a debugger script and compares what it prints with SCRIPT's .out. The script's first line names the program:
# `# debug ARGUMENTS`, files beside the script; a line `# exit N` tells the exit code, a line `# goes on` that wrong
# commands do not end it.
program=$(realpath "$1")
script=$(realpath "$2")
cd "$(dirname "$script")" || exit 1
arguments=$(sed -n 's/^# debug //p' "$script")
wanted=$(sed -n 's/^# exit //p' "$script")
out=$(mktemp)
trap 'rm -f "$out"' EXIT
# shellcheck disable=SC2086
if grep -q '^# goes on$' "$script"; then
    "$program" debug $arguments <"$script" >"$out" 2>&1
else
    "$program" debug $arguments --batch -x "$(basename "$script")" >"$out" 2>&1
fi
code=$?
[ "$3" = --record ] && cp "$out" "${script%.gdb}.out"
if [ "$code" != "${wanted:-0}" ]; then
    cat "$out"
    echo "exit code $code, expected ${wanted:-0}"
    exit 1
fi
diff -u "${script%.gdb}.out" "$out"
