#!/bin/sh
# SPDX-License-Identifier: MIT
. "$2/support/setting.sh"
cp "$source_folder/program.asm" "$source_folder/included.inc" .
run 0 gpucode asm program.asm -o a.fw

: >empty
head -c 37 a.fw >cut.fw
printf 'no firmware at all' >text
run 0 gpucode verify a.fw cut.fw empty text
golden verify-kinds 'a.fw: same, ' 'cut.fw: same, 37 bytes' 'empty: same, 0 bytes, data' 'text: same, 18 bytes' '4 same, 0 different'
run 0 gpucode verify -t afuc:a730 text
run 0 gpucode verify --raw -t afuc:a630 a.fw text
run 0 gpucode verify --json a.fw text
golden verify-json '"raw_data": true, "size_bytes": 18' '{"files": 2, "same": 2, "different": 0, "unreadable": 0}'
run 2 gpucode verify a.fw nowhere
golden verify-unreadable '1 same, 0 different, 1 unreadable' 'nowhere: error: ' '[cli-open]'
run 2 gpucode verify -t nothing a.fw
finish
