#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: emacs.sh GPUCODE SOURCE_FOLDER
# Emacs without a screen as the server's client.
command -v emacs >/dev/null || {
    echo "skipped: no emacs"
    exit 77
}
PROGRAM=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$2/edited.asm" "$folder"
SOURCE=$folder/edited.asm
export PROGRAM SOURCE
HOME="$folder" timeout 90 emacs --batch -l "$2/emacs.el" >"$folder/said" 2>&1
code=$?
cat "$folder/said"
[ $code = 77 ] && exit 77
[ $code = 0 ] && grep -q 'emacs: passed' "$folder/said"
