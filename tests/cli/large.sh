#!/bin/sh
# SPDX-License-Identifier: MIT
# Large sources stay in their files: they give what small ones and pipes give, errors show their lines, memory does not
# grow with the text, and a file that somebody writes to meanwhile is refused.
. "$2/support/setting.sh"
unset MALLOC_PERTURB_ # what is written to is taken

awk -v set=afuc -v lines=80000 -f "$root/bench/source.awk" >code.asm
{ echo '.target afuc:a630' && cat code.asm; } >large.asm
[ "$(wc -c <large.asm)" -gt 1200000 ] || complain 'large.asm is too small to be mapped'
run 0 gpucode asm large.asm -o large.fw
cat large.asm | gpucode asm - -o piped.fw || complain 'a pipe'
cmp large.fw piped.fw || complain 'a pipe gives something else'
run 0 gpucode asm -t afuc:a630 code.asm -o code.fw
cmp large.fw code.fw || complain 'without .target'
run 0 gpucode disasm large.fw -o listing.asm
run 0 gpucode asm listing.asm -o back.fw
cmp large.fw back.fw || complain 'the listing does not come back'
# no newline at the end, and the text's last line matters
printf 'mov $01, 0x2' | cat large.asm - >end.asm
printf 'mov $01, 0x2\n' | cat large.asm - >ended.asm
run 0 gpucode asm end.asm -o end.fw
run 0 gpucode asm ended.asm -o ended.fw
cmp end.fw ended.fw || complain 'the last line'
cmp -s end.fw large.fw && complain 'the last line is not read'
# errors: far apart, and a label that is nowhere, seen at the end
awk '{ print } NR == 3 { print "jump #nowhere" } NR == 40000 { print "mov $01, 0x12345" } END { print "movv $01, $02" }' \
    large.asm >wrong.asm
run 2 gpucode asm wrong.asm -o wrong.fw
holds err 'wrong.asm:4:7: error:'
holds err 'jump #nowhere'
holds err 'wrong.asm:40002:'
holds err 'mov $01, 0x12345'
holds err "wrong.asm:$(wc -l <wrong.asm):1: error:"
absent wrong.fw
cat wrong.asm | gpucode asm - -o wrong.fw 2>piped
sed 's/wrong\.asm/<stdin>/' err | cmp - piped || complain 'a pipe has other errors'
# an output in its place
run 2 gpucode asm large.asm -o large.asm
holds err '[cli-output-input]'

# changed while it is read, which waits for a pipe
mkfifo pipe
changed()
{
    { printf '.target afuc:a630\n' && cat code.asm; } >moving.asm
    "$program" asm moving.asm --symbols pipe -o moving.fw >out 2>err &
    process=$!
    exec 3>pipe
    "$@"
    echo 'reg $03 level' >&3
    exec 3>&-
    wait $process
    code=$?
    checks=$((checks + 1))
    [ $code = 2 ] || complain "exit code $code: $*"
    holds err 'moving.asm: error: changed while it was read [cli-changed]'
    [ "$(grep -c error: err)" = 1 ] || complain "more than one error: $*"
    absent moving.fw
}
cut_off()
{
    : >moving.asm
}
cut_short()
{
    head -c 700000 moving.asm >shorter
    cat shorter >moving.asm
}
changed cut_off
changed cut_short
changed sh -c 'sleep 0.02; printf ".target" | dd of=moving.asm conv=notrunc 2>dd'

# memory: twenty million bytes of comments are as none
if command -v python3 >/dev/null; then
    awk '{ printf "%s ; ", $0; for (i = 0; i < 25; i++) printf "a comment "; print "" }' large.asm >comments.asm
    cat >most.py <<'END'
import os, sys
child = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss if status == 0 else 'failed')
END
    plain=$(python3 most.py "$program" asm large.asm -o large.fw)
    long=$(python3 most.py "$program" asm comments.asm -o comments.fw)
    cmp large.fw comments.fw || complain 'comments change the code'
    [ $((long - plain)) -lt 8000 ] || complain "$long KB of memory with comments, $plain without"
fi
finish
