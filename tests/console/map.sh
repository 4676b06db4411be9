#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: map.sh GPUCODE FOLDER
# Debugging the assembled file with its map shows what debugging the source does, the uses of macros included.
program=$(realpath "$1")
cd "$2" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" asm macro.asm -o "$folder/macro.fw" --map "$folder/macro.map" || exit 1
grep -q '^use  *0x0003 outer macro.asm:15$' "$folder/macro.map" || { echo "the map has no use of the macro"; exit 1; }
"$program" debug -t afuc:a630 --symbols "$folder/macro.map" --batch -x macro.gdb "$folder/macro.fw" >"$folder/out" 2>&1 || exit 1
diff -u macro.out "$folder/out"
