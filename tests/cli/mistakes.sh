#!/bin/sh
# SPDX-License-Identifier: MIT
# What people get wrong in their first hour, and what they are told.
. "$2/support/setting.sh"

# files of the wrong kind
printf '\211PNG\r\n' >picture.png
run 2 gpucode disasm picture.png
holds err 'picture.png: note: the file is a PNG picture [cli-file-kind]'
printf '\037\213x' >packed
run 2 gpucode run packed
holds err 'the file is compressed by gzip'
printf '\177ELFxxxx' >program
run 2 gpucode info program
holds err 'a program or object file of the computer'
printf '.target afuc:a630\nnop\n' >source.asm
run 2 gpucode disasm source.asm
holds err 'the file is a source for afuc:a630'
holds err '`gpucode asm` makes code of it'
# with -t its letters are code
run 0 gpucode disasm -t afuc:a630 source.asm
holds err 'source.asm: note: the file is a source for afuc:a630'
if gpucode help | grep -q '^  decode'; then
    run 2 gpucode decode source.asm
    holds err 'the file is a source for afuc:a630'
    run 0 gpucode asm "$root/examples/firmware/a6xx.asm" -o code.bin
    run 2 gpucode decode code.bin
    holds err 'the file is code for afuc:a630'
fi
run 2 gpucode asm picture.png -o made
holds err 'picture.png: error: the file is a PNG picture, not a source [cli-not-source]'
printf -- '---\nkernel: 6.1\nmodule: msm\n' >dump
for command in 'asm dump -o made' 'xref dump x' 'lint dump' 'run -t afuc:a630 dump'; do
    run 2 gpucode $command
    holds err 'dump: error: the file is a crash dump of a GPU, not a source [cli-not-source]'
    holds err 'hint: `gpucode crash` explains it'
    lacks err 'dump:1'
done
printf 'nothing to see\n' >words.txt
run 2 gpucode extract words.txt
holds err 'the file is text'

# what the documents write and the text forms do not have
for line in 'data #0x10' 'wait #0x10' 'set1 #0x10' 'ewait #0x10 1'; do
    printf '.target hwsq:nv41\n%s\n' "$line" >hash.hwsq
    run 2 gpucode asm hash.hwsq -o hash.bin
    holds err "hint: numbers are written without '#': 0x10"
done
printf '.target afuc:a630\n...\n' >dots.asm
run 2 gpucode asm dots.asm -o dots.bin
holds err 'dots stand for code that was left out'
# the notes' names of registers, unless the source has them for something else
cat >notes.hwsq <<'END'
.target hwsq:nv41
.equ TRIGGER 0x100210
	data 0x1; addr STATUS; addr EVENTS; addr FLAGS_0; addr TRIGGER; exit
END
run 0 gpucode asm notes.hwsq -o notes.bin
run 0 gpucode disasm -t hwsq:nv41 notes.bin
[ "$(grep -o '^addr [0-9a-fx]*' out | tr '\n' ' ')" = 'addr 0x1308 addr 0x1578 addr 0x1310 addr 0x100210 ' ] ||
    complain 'other registers'
printf 'print STATUS\nprint EVENTS\nprint FLAGS_0\nprint TRIGGER\n' >notes.gdb
run 0 gpucode debug --batch -x notes.gdb notes.hwsq
[ "$(grep -c ' = ' out)" -eq 4 ] || complain 'names are not known to print'

# targets
run 2 gpucode disasm picture.png
holds err 'hint: use -t TARGET: afuc:a5xx'
grep -q '^hint: use -t TARGET: afuc:a5xx .*; `gpucode targets` lists chips$' err || complain 'the hint does not end'
lacks err 'hwsq:g92'
run 0 gpucode asm -t a630 source.asm -o code.bin
run 2 gpucode asm -t a63 source.asm -o code.bin
holds err "did you mean 'a630'?"

# an instruction short of operands: the next line is read for itself
printf '.target afuc:a630\nadd $02, $03\nmov $01, $bogus\n' >short.asm
run 2 gpucode asm short.asm -o code.bin
holds err 'short.asm:2:13: note: the instruction of this line is not complete [line-ends]'
holds err "short.asm:3:10: error: there is no register '\$bogus'"

# names that were meant
firmware=$root/examples/firmware/a6xx.asm
run 2 gpucode run "$firmware" --packet CP_MEM_WRIT,1
holds err "did you mean 'CP_MEM_WRITE'?"
run 1 gpucode run "$firmware" --packet CP_MEM_WRITE,1
holds err "the handler of CP_MEM_WRITE waits for word 2 after the packet's header; the packet has 1"
printf 'add r0.x, r0.y, r0.z\nadd.f r0.x, r0.y, 0.5\nmov.f32f32 r0.x, 2.0\nend\n' >shader.asm
run 2 gpucode asm -t a3xx shader.asm -o code.bin
holds err 'did you mean add.f,'
holds err 'write it in parentheses: (0.5)'
holds err 'write (2.0), or its bits in hex'
printf 'brek 1\n' >session.gdb
run 2 gpucode debug --batch -x session.gdb "$firmware"
holds err "there is no command 'brek'; did you mean break?"
printf 'info foo\n' >session.gdb
run 2 gpucode debug --batch -x session.gdb "$firmware"
holds err "there is no 'info foo'; it is info registers,"

# the debugger knows routines as the listing does
printf 'info functions drain\ndisassemble drain\n' >session.gdb
run 0 gpucode debug --batch -x session.gdb "$firmware"
holds out 'SQE:0x0023 to 0x002a  drain'
holds out '0x002a <drain_poll+0x4>:'
lacks out '0x002b'
run 0 gpucode asm "$firmware" -o firmware.bin
printf 'info functions CP_MEM_WRITE\n' >session.gdb
run 0 gpucode debug --batch -x session.gdb firmware.bin
holds out 'CP_MEM_WRITE'

# traces have the labels of the source, and those of the listing where there is none
run 0 gpucode run "$firmware" --packet CP_NOP --trace
holds out 'SQE  skip_payload:'
run 0 gpucode run firmware.bin --packet CP_MEM_WRITE,0,1,2 --trace
holds out 'SQE  CP_MEM_WRITE:'

run 0 gpucode explain
lacks out '%%'
# who types what editors start is told what it waits for; editors are not
if command -v script >/dev/null && script -qec true typescript >/dev/null 2>&1; then
    for command in lsp dap; do
        gpucode $command </dev/null 2>&1 | grep -qF '[cli-no-dap]' && continue
        printf '\004' | script -qec "'$program' $command" typescript >out 2>err
        grep -q 'cli-editor' typescript out || complain "$command: nothing is said on a terminal"
        gpucode $command </dev/null >out 2>err
        lacks err cli-editor
    done
else
    echo 'skipped: no script(1), or no pseudo-terminal for it'
fi

# errors come in the order of lines, whichever pass finds them; notes stay with theirs
printf '.target afuc:a630\n\tmov $02, #nowhere\n\tmov $99, 0x1\na:\n\tbrne $02, 0x1, #also\na:\n\tmov $02, 0x12345\n' >order.asm
run 2 gpucode asm order.asm -o none
grep -oE '^order.asm:[0-9]+' err | cut -d: -f2 | tr '\n' ' ' >lines
[ "$(cat lines)" = '2 3 5 6 4 7 ' ] || complain "errors at lines $(cat lines)"
# an empty file is said to be empty, whatever is asked
: >empty.bin
for command in run lint graph fuzz stats explain coverage 'xref @IB_LEVEL' 'search nop'; do
    set -- $command
    word=$1
    shift
    run 2 gpucode "$word" empty.bin "$@"
    holds err 'empty.bin: error: there is no instruction in it [cli-no-code]'
done
# an empty name is said to be empty, with its option
for option in -o --listing --map --symbols --include-folder; do
    run 2 gpucode asm order.asm "$option" ''
    holds err "gpucode: error: option '$option': the name is empty [cli-option-empty]"
done
run 2 gpucode symbols --from '' order.asm
holds err "option '--from': the name is empty"
run 2 gpucode decode '' --html=
holds err "option '--html': the name is empty"
run 2 gpucode info ''
holds err "'': error: cannot open"
# findings of lint too, though macros put a line at several places
printf '.target a3xx\n.macro early\nadd.s r0.y, r0.x, 1\nadd.s r0.z, r0.y, 1\n.endm\nearly\nadd.s r0.w, r0.z, 1\nearly\nend\n' >order.asm
run 1 gpucode lint order.asm
grep -E '^order.asm:.* error: ' out | cut -d: -f2 >lines
sort -n -c lines 2>/dev/null || complain "findings at lines $(tr '\n' ' ' <lines)"
[ "$(sort -u lines | wc -l)" -ge 2 ] || complain 'lint finds less than two lines'
# and lint has a sum at its end
run 1 gpucode lint "$root/examples/a3xx/early.asm"
[ "$(tail -n 1 out)" = '2 errors' ] || complain "the sum of lint: $(tail -n 1 out)"
run 1 gpucode lint --ignore a3xx-lint-ss "$root/examples/a3xx/early.asm"
[ "$(tail -n 1 out)" = '1 error, 1 ignored' ] || complain "the sum of lint: $(tail -n 1 out)"
run 2 gpucode lint --ignore a3xx-lint-ss, "$root/examples/a3xx/early.asm"
holds err '[cli-code]'
run 2 gpucode lint --entries 0, "$root/examples/a3xx/early.asm"
holds err '[cli-entries]'
finish
