#!/bin/sh
# SPDX-License-Identifier: MIT
# Where results go: streams by name, files that are read, links, folders that take no new file, interrupted programs.
. "$2/support/setting.sh"
printf '.target afuc:a630\n\tmov $02, 0x1\n' >a.asm
run 0 gpucode asm a.asm -o right.bin

# streams by their names
"$program" asm a.asm -o /dev/stdout >a.bin || complain '-o /dev/stdout to a file'
same right.bin a.bin
"$program" asm a.asm -o /dev/stdout | cat >b.bin
same right.bin b.bin
"$program" asm a.asm -o /dev/fd/7 7>c.bin || complain '-o /dev/fd/7'
same right.bin c.bin
mkfifo pipe
cat pipe >d.bin &
"$program" asm a.asm -o pipe || complain '-o a named pipe'
wait
same right.bin d.bin
if command -v bash >/dev/null; then
    bash -c '"$0" asm a.asm -o >(cat >e.bin); wait $!' "$program" || complain '-o >(COMMAND)'
    n=0
    while [ ! -s e.bin ] && [ $n -lt 300 ]; do
        sleep 0.1
        n=$((n + 1))
    done
    same right.bin e.bin
fi
run 2 gpucode asm a.asm -o - --listing /dev/stdout
holds err '[cli-same-output]'

# the input, or another output, by any name
cp a.asm kept.asm
ln a.asm hard.asm
ln -s a.asm soft.asm
for name in a.asm ./a.asm hard.asm soft.asm; do
    run 2 gpucode asm a.asm -o $name
    holds err '[cli-output-input]'
    same kept.asm a.asm
done
echo '.include "a.asm"' >outer.asm
run 2 gpucode asm -t afuc:a630 outer.asm -o a.asm
holds err '[cli-output-input]'
run 2 gpucode disasm -t afuc:a630 right.bin -o right.bin
holds err 'right.bin: error: is an input, and would be overwritten'
echo >x
ln x y
run 2 gpucode asm a.asm -o x --listing y
holds err '[cli-same-output]'
[ "$(cat x)" = '' ] || complain 'x was written'

# a file that can be written in a folder that takes no new one
if [ "$(id -u)" != 0 ]; then
    as=
elif command -v setpriv >/dev/null; then
    as='setpriv --reuid=65534 --regid=65534 --clear-groups'
else
    as=skip
fi
if [ "$as" != skip ]; then
    mkdir closed
    echo 'old, and longer than what comes' >closed/out.bin
    chmod 666 closed/out.bin
    chmod 555 closed
    chmod 755 .
    cat a.asm | $as "$program" asm - -o closed/out.bin || complain 'a file in a folder that cannot be written'
    same right.bin closed/out.bin
    [ "$(ls closed)" = out.bin ] || complain 'there is more in the folder'
    chmod 755 closed
fi

# nothing stays behind an interrupt, which comes while a large file is being written
mkdir place
printf '.target afuc:a630\n.org 0x3fffff\n\tnop\n' >large.asm
for signal in INT TERM HUP; do
    env --default-signal=INT,TERM,HUP "$program" asm large.asm -o place/out &
    child=$!
    n=0
    while [ -z "$(ls place)" ] && [ $n -lt 200 ]; do
        sleep 0.02
        n=$((n + 1))
    done
    kill -$signal $child
    wait $child
    case $(ls place) in
    '' | out) ;;
    *) complain "SIG$signal: $(ls place) stays" ;;
    esac
    rm -f place/*
done

# what is not UTF-8 is not run; a byte order mark is skipped
printf '.target afuc:a630\n; a comment of 1998: \344\n\tmov $02, 0x1\n' >latin.asm
run 2 gpucode run latin.asm
holds err 'latin.asm:2:22: error: the byte 0xe4 is not UTF-8 [cli-not-utf8]'
printf '\357\273\277' >mark.asm
cat a.asm >>mark.asm
run 0 gpucode asm mark.asm -o mark.bin
same right.bin mark.bin
printf '\357\273\277\tmov $99, 1\n' >mark.asm
run 2 gpucode asm -t afuc:a630 mark.asm -o no.bin
holds err 'mark.asm:1:'
finish
