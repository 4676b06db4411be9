#!/bin/sh
# SPDX-License-Identifier: MIT
. "$2/support/setting.sh"
cp "$source_folder/program.asm" "$source_folder/included.inc" .
run 0 gpucode asm program.asm -o a.fw

: >empty
head -c 37 a.fw >cut.fw
printf 'no firmware at all' >text
run 0 gpucode verify a.fw cut.fw empty text
golden verify-kinds
run 0 gpucode verify -t afuc:a730 text
run 0 gpucode verify --raw -t afuc:a630 a.fw text
run 0 gpucode verify --json a.fw text
golden verify-json
run 2 gpucode verify a.fw nowhere
golden verify-unreadable
run 2 gpucode verify -t nothing a.fw
finish
