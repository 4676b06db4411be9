#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/scale.md: the parts of a job, on two computers that are two working folders here, merge to what one run gives.
. "$2/support/setting.sh"

parallel --version 2>/dev/null | grep -q "^GNU parallel" || { # moreutils has another program of this name
    echo 'skipped: GNU parallel is not there'
    exit 77
}
mkdir one two one/firmware
for i in 10 11 12 13 14 15 16; do
    printf '.target afuc:a650\n[016ee001]\nmov $02, 0x%s\n' "$i" >source
    run 0 gpucode asm source -o "one/firmware/$i.fw"
done
cp -r one/firmware two
(cd one && "$program" verify -j 1 firmware) | grep -v 'files:' | sort >whole

# each computer has the files; it takes its shard
run 0 parallel --will-cite -j 2 "cd {2} && '$program' verify --shard {1}/2 firmware" ::: 1 2 :::+ one two
grep -v 'files:' out | sort | cmp -s whole - || complain 'the merged shards are not the whole'

# files go to the computer that has time, and results come back
run 0 sh -c 'cd one && find firmware -name "*.fw" | parallel --will-cite -j 2 --sshlogin : "$0" disasm {} -o {}.asm' "$program"
for file in one/firmware/*.fw; do
    run 0 gpucode asm "$file.asm" -o back
    cmp -s back "$file" || complain "$file did not come back"
done
finish
