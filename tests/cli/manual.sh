#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual, and the copies of it in docs/manual/.
. "$2/support/setting.sh"

run 0 gpucode manual afuc cwrite
holds out '## cwrite'
holds out '| bits |'
run 0 gpucode manual afuc -t afuc:a630 sread
holds out '## sread'
run 2 gpucode manual afuc -t afuc:a530 sread
run 0 gpucode manual --json afuc nop
holds out '"mnemonic": "nop"'
run 0 gpucode manual afuc
holds out '# AFUC instructions'
run 0 gpucode manual qrisc
holds out '# AFUC instructions'

compared=0
for page in "$root"/docs/manual/*.md; do
    [ -e "$page" ] || continue
    isa=$(basename "$page" .md)
    run 0 gpucode manual "$isa"
    checks=$((checks + 1))
    diff -u "$page" out || complain "docs/manual/$isa.md is old: gpucode manual $isa > docs/manual/$isa.md"
    compared=$((compared + 1))
done
echo "$compared pages compared"
finish
