#!/bin/sh
# SPDX-License-Identifier: MIT
# Large sources and recordings stay in their files: they give what small ones and pipes give, errors show their lines,
# memory does not grow with them, and a file that somebody writes to meanwhile is refused.
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

    # recordings: a texture of 3 GB, of which the disk has nothing, is as one of 3 KB; and where it is, is looked at
    cat >record.py <<'END'
import struct, sys
texture = int(sys.argv[2])
def record(kind, data):
    out.write(struct.pack('<II', kind, len(data)) + data)
with open(sys.argv[1], 'wb') as out:
    record(14, struct.pack('<Q', 0x06030001)[:8])
    record(3, struct.pack('<III', 0x100000, texture, 0))
    out.write(struct.pack('<II', 12, texture))
    out.seek(texture - 8, 1)
    out.write(struct.pack('<II', 0x70100001, 0x1234567))  # CP_NOP, at the end of the texture
    record(3, struct.pack('<III', 0xfff00000, 16, 0))
    record(12, struct.pack('<IIII', 0x70bf8003, 0x100000 + texture - 8, 0, 2))  # CP_INDIRECT_BUFFER
    record(6, struct.pack('<III', 0xfff00000, 4, 0))
END
    python3 record.py large.rd 3000000000 || complain 'large.rd'
    python3 record.py small.rd 3000
    for how in '' --summary --time-line '--where 0x100000' "--html page.html"; do
        large=$(python3 most.py "$program" decode large.rd $how | tail -n 1)
        small=$(python3 most.py "$program" decode small.rd $how | tail -n 1)
        [ $((large - small)) -lt 10000 ] || complain "$large KB of memory for decode $how, $small for a small recording"
    done
    run 0 gpucode decode --json large.rd
    holds out '"words": ["01234567"]'
    # what needs all of it says so, and what does not begin as a recording is refused
    run 2 gpucode decode --source large.rd
    holds err 'large.rd: error: is larger than 1 GiB'
    python3 -c 'open("wrong.rd", "wb").truncate(100000000)'
    run 2 gpucode decode wrong.rd
    holds err 'wrong.rd: error: the file is not a recorded command stream'
    # somebody writes to it
    cp --sparse=always large.rd moving.rd
    mkfifo slow
    "$program" decode moving.rd --symbols slow >out 2>err &
    process=$!
    exec 3>slow
    sleep 1.1 # of file systems that count seconds
    truncate -s 1500000000 moving.rd
    echo 'reg SP_BLEND_CNTL blend' >&3
    exec 3>&-
    wait $process
    holds err 'moving.rd: error: changed while it was read'
fi
# of blocks in which every second instruction is another the rest is found alike, but not of those with more pairs of
# instructions than are compared
for pairs in 1000 2100; do
    for register in 2 4; do
        awk -v register=$register -v pairs=$pairs 'BEGIN {
            for (i = 0; i < pairs; i++)
                printf "mov.u32u32 r%d.x, %d\nadd.f r3.x, r7.x, r5.x\n", register, i
            print "end" }' >blocks$register.asm
    done
    run 1 gpucode diff -t ir3:a630 blocks2.asm blocks4.asm
    [ "$pairs $(grep -c '^ *0x' out) $(grep -c '^-' out)" = "$pairs $([ $pairs = 1000 ] && echo 1001 1000 || echo 2 4199)" ] ||
        complain "blocks with $pairs pairs: $(grep -c '^ *0x' out) alike, $(grep -c '^-' out) gone"
    lacks out 'add.f r3.x, r7.x, r5.x ->'
done
finish
