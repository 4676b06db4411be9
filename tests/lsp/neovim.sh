#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: neovim.sh GPUCODE SOURCE_FOLDER
# Neovim without a screen as the server's client.
command -v nvim >/dev/null || {
    echo "skipped: no nvim"
    exit 77
}
PROGRAM=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$2/edited.asm" "$folder"
SOURCE=$folder/edited.asm
export PROGRAM SOURCE
export HOME="$folder" XDG_CACHE_HOME="$folder" XDG_STATE_HOME="$folder" XDG_DATA_HOME="$folder" XDG_CONFIG_HOME="$folder"
timeout 60 nvim --headless --clean -n -S "$2/neovim.lua" >"$folder/said" 2>&1
code=$?
cat "$folder/said"
[ $code = 0 ] && grep -q 'neovim: passed' "$folder/said"
