#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs an example and compares what it prints. usage: run.sh PROGRAM EXPECTED
output=$("$1") || exit 1
expected=$(cat "$2") || exit 1
[ "$output" = "$expected" ] && exit 0
printf 'expected:\n%s\nprinted:\n%s\n' "$expected" "$output"
exit 1
