#!/bin/sh
# SPDX-License-Identifier: MIT
. "$2/support/setting.sh"
cp "$source_folder/program.asm" "$source_folder/included.inc" .

run 0 gpucode asm program.asm -o a.fw --listing a.lst --map a.map
run 0 cat a.lst
# words by the tables of the manual: mov with 0x830, add of 3, call 2, the table's entry for CP_NOP (0x10), which is word 10
golden listing '0004: 88020830  program.asm:7' '0005: 08420003  program.asm:8' '0006: d4000002  program.asm:9' \
    '0000: 016ee001  program.asm:2' '0001: 01000010' '0020: 0000000a' '0002: d0000000  included.inc:2'
[ "$(grep -cE '^00(1|2|[3-8]).: ' out)" -eq 128 ] || complain 'the table has not 128 entries'
run 0 cat a.map
golden map '0x0002 helper' '0x0004 start' '0x000a CP_NOP' '0x0010 jumptbl' '=        0x0003 COUNT' '@        0x0002 included.inc:2'
run 0 gpucode verify a.fw
golden verify "same, $(wc -c <a.fw) bytes, afuc:a630" '1 same, 0 different'

# a hint has letters of what was written: a label of one letter is like no other
for name in A Bb; do
    printf '[016ee001]\n[01000002]\nB:\n    nop\n    jump #%s\n    nop\n' $name >hint.asm
    run 2 gpucode asm hint.asm -o none.fw
    holds err "hint.asm:5:11: error: '$name' is not defined"
    [ $name = Bb ] || lacks err 'did you mean'
done
holds err 'did you mean B?'

# there and back
run 0 gpucode disasm a.fw -o a.asm
run 0 gpucode asm a.asm -o b.fw
same a.fw b.fw
run 0 gpucode disasm a.fw
golden disasm '[016ee001]' 'CP_NOP:' 'add $02, $02, 0x3' '; CP_SQE_INSTR_BASE' '.jumptbl' '(rep)mov $00, $data'
run 0 gpucode disasm -v a.fw
golden disasm-columns '0004: 88020830  mov $02, 0x830' '0009: 981f0806  mov $01, $data' '000a: 9c1f0006'
run 0 gpucode disasm --raw a.fw
golden disasm-raw '.raw' '[016ee001]' '[01000010]' 'call #fxn2' '[0000000a]'
run 0 gpucode info a.fw
golden info 'afuc:a630 (Adreno 630)' "$(wc -c <a.fw) bytes, 144 words" '0x6ee' 'word 0x0010 of the section' '0x000a: CP_NOP' \
    'ret with %SP = 0'
if grep -n " $" out; then complain "info: a line ends in a space"; fi
run 0 gpucode info --json a.fw
golden info-json '"target": "afuc:a630"' '"size_bytes": 580'

run 0 gpucode disasm --json=text a.fw
holds out '"text": "; a6xx microcode\n; Version: '
[ "$(wc -l <out)" = 1 ] || complain 'more than one object'
run 0 gpucode disasm --json=text a.fw -o a.json
same out /dev/null
holds a.json '"target": "afuc:a630"'
if command -v python3 >/dev/null; then
    python3 -c 'import json; print(json.load(open("a.json"))["text"], end="")' >json.asm
    same json.asm a.asm
fi
run 0 gpucode asm --json a.asm -o j.fw
holds out '"output": "j.fw", "size_bytes": '
same a.fw j.fw
"$program" asm --json a.asm >j.fw || complain 'asm --json to standard output'
same a.fw j.fw

# standard output; the same bytes
"$program" asm program.asm >c.fw || complain 'asm to standard output'
same a.fw c.fw
"$program" asm - -o d.fw <a.asm || complain 'asm from standard input'
same a.fw d.fw

# includes are relative to the file they stand in, however deep, and wherever we are
mkdir -p one/two elsewhere
echo '.include "two/b.inc"' >one/a.inc
echo '.include "c.inc"' >one/two/b.inc
printf 'mov $02, 0x1\n' >one/two/c.inc
printf '[016ee001]\n.include "a.inc"\n' >one/main.asm
(cd elsewhere && "$program" asm ../one/main.asm -o ../e.fw) || complain 'nested includes'
echo 'mov $20, 0x1' >one/two/c.inc
run 2 gpucode asm one/main.asm -o f.fw
holds err 'one/two/c.inc:1:'
absent f.fw

# what would never end is an error at once
printf '[016ee001]\n.macro m\nm\nm\nm\n.endm\nm\n' >loop.asm
run 2 gpucode asm loop.asm -o loop.fw
holds err "'m' is inside itself"
printf '.include "self.inc"\n.include "self.inc"\n' >self.inc
run 2 gpucode asm -t afuc:a630 self.inc -o loop.fw
holds err "'self.inc' is inside itself"

# all errors in one run, and nothing is written
printf '[016ee001]\nmov $20, 0x1\n\tadd $02, $03, 0x12345\njump #nowhere\nnop\n' >wrong.asm
echo old >kept.fw
run 2 gpucode asm wrong.asm -o kept.fw --listing kept.lst --map kept.map
golden errors 'wrong.asm:2:5: error:' '[afuc-register]' 'wrong.asm:3:16: error: 74565 (0x12345)' '[out-of-range]' \
    "wrong.asm:4:7: error: 'nowhere'" '[undefined]' '3 errors'
absent kept.lst
absent kept.map
[ "$(cat kept.fw)" = old ] || complain 'an old output was touched'
run 2 gpucode asm --json wrong.asm -o kept.fw
golden errors-json '"line": 2, "column": 5, "length": 3' '"line": 3, "column": 16, "length": 7' '"code": "undefined"'
run 2 gpucode asm wrong.asm -o new.fw
absent new.fw
[ -z "$(ls | grep '\.fw\.')" ] || complain 'a temporary file is left'
run 2 gpucode asm program.asm -o x.fw --map x.fw
holds err "two results would go to 'x.fw'"
absent x.fw
run 2 gpucode asm program.asm -o y.fw --map nowhere/y.map
absent y.fw

# an output keeps its mode, and a link to it stays a link
run 0 gpucode asm program.asm -o m.fw
chmod 640 m.fw
ln -s m.fw l.fw
run 0 gpucode asm program.asm -o l.fw
[ -L l.fw ] || complain 'the link is gone'
[ "$(ls -l m.fw | cut -c1-10)" = '-rw-r-----' ] || complain 'the mode is gone'

# .include: neither .. nor a link leads out of the source's folder, and nothing of the file is told
mkdir -p root
echo 'SECRET words' >secret
echo 'nop' >root/in.inc
ln -s ../secret root/link
printf '[016ee001]\n.include "in.inc"\n' >root/good.asm
run 0 gpucode asm root/good.asm --include-root root -o good.fw
for name in ../secret link "$PWD/secret"; do
    printf '[016ee001]\n.include "%s"\n' "$name" >root/bad.asm
    # the folder is named: what stands there is read, and wrong
    for option in '-I .' '--include-folder .' '--include-root .'; do
        # shellcheck disable=SC2086
        run 2 gpucode asm root/bad.asm -o bad.fw $option
        holds err SECRET
    done
    for command in 'asm -o bad.fw' run lint graph 'debug --batch' 'asm -o bad.fw --include-root root -I /usr'; do
        # shellcheck disable=SC2086
        run 2 gpucode $command root/bad.asm
        holds err '-I FOLDER or --include-root FOLDER'
        holds err 'root/bad.asm:2:10: error:'
        holds err '[include-outside]'
        lacks err SECRET
    done
done
absent bad.fw
# -I: the folders are searched in their order, where nothing stands beside the file; what is found there goes on from there
mkdir -p one two/deep
echo 'nop' >one/a.inc
printf 'nop\nnop\n.include "deep/b.inc"\n' >two/a.inc
printf '.include "c.inc"\n' >two/deep/b.inc
echo 'wrong here' >two/deep/c.inc
printf '[016ee001]\n.include "a.inc"\n' >root/search.asm
run 2 gpucode asm root/search.asm -o search.fw
holds err "cannot read 'a.inc'"
run 0 gpucode asm root/search.asm -I one -I two -o search.fw
[ "$(wc -c <search.fw)" -eq 12 ] || complain 'another file than that of the first folder'
run 2 gpucode asm root/search.asm -I two -I one -o search.fw
holds err 'two/deep/c.inc:1:1: error:'
# an included file is an input too
run 2 gpucode asm root/good.asm --include-root root -o root/in.inc
holds err '[cli-output-input]'

# a target that contradicts the source wins, with a warning
run 0 gpucode asm -t afuc:a730 program.asm -o w.fw
holds err 'warning:'
printf 'nop\n' >none.asm
run 2 gpucode asm none.asm -o z.fw
holds err 'afuc:a6xx'
run 0 gpucode asm -t afuc:a6xx none.asm -o z.fw
# newlines are white space for AFUC, in front of the last operand too
printf '.target afuc:a630\nmov $01, 0x12 << 4\nnop\n' >one.asm
printf '.target afuc:a630\nmov $01, 0x12\n<< 4\nnop\n' >two.asm
run 0 gpucode asm one.asm -o one.fw
run 0 gpucode asm two.asm -o two.fw
cmp one.fw two.fw || complain 'a shift on the next line'
finish
