#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings as text and back: unedited the same bytes, edited right sizes and addresses; errors with their places.
. "$2/support/setting.sh"
cp "$source_folder/stream.asm" "$root/examples/streams/frame.asm" .

# there_and_back FILE: the text gives the same bytes
there_and_back()
{
    run 0 gpucode decode --source "$1" -o there.rdasm
    run 0 gpucode encode there.rdasm -o back.rd
    case $1 in
    *.gz) gzip -dc "$1" >there.rd 2>/dev/null ;;
    *) cp "$1" there.rd ;;
    esac
    cmp -s there.rd back.rd || complain "$1 does not come back"
}
for name in stream frame; do
    run 0 gpucode asm $name.asm -o $name.rd
    there_and_back $name.rd
done
# cut off, marks in front of records, no contents, odd sizes
head -c 1001 frame.rd >cut.rd
there_and_back cut.rd
printf '.target afuc:a6xx\n.raw\n.word 0xffffffff, 0xffffffff, 13, 4, 630, 3, 8, 0x1000, 9, 12, 9, 0x70108000\n' >odd.asm
printf '.word 0x70268000\n.byte 7\n.byte 6, 0, 0, 0, 8, 0, 0, 0, 0, 16, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0\n.byte 3, 0, 0, 0, 97, 10, 98\n' >>odd.asm
run 0 gpucode asm odd.asm -o odd.rd
there_and_back odd.rd
run 0 gpucode decode --source odd.rd
holds out '.buffer b0, 0x1000, 0x9, short'
if built_with zlib; then
    for trace in ${GPUCODE_VECTORS:+"$GPUCODE_VECTORS"/../traces/*.rd.gz}; do
        [ -e "$trace" ] && there_and_back "$trace"
    done
fi

# a packet that is put in, a field, a longer shader
run 0 gpucode decode --source frame.rd -o frame.rdasm
sed 's/^    GRAS_CL_CNTL = .*/&\n    CP_WAIT_FOR_IDLE\n    CP_NOP {\n        .ascii "put in"\n    }/
     s/X = 191 | Y = 191/X = 100 | Y = 191/
     s/^\tmad.f32 r0.x, c0.y.*/&\n\tnop\n\tnop/' frame.rdasm >edited.rdasm
run 0 gpucode encode edited.rdasm -o edited.rd
run 0 gpucode decode edited.rd
holds out 'stream 0: 122 words at 0x100000'
holds out 'GRAS_SC_WINDOW_SCISSOR_BR = { X = 100 | Y = 191 }'
run 0 gpucode decode --source edited.rd
holds out '.ascii "put in"'
holds out '.buffer b0, 0x110000, 0x38'
run 0 gpucode asm "$root/examples/firmware/a6xx.asm" -o a6xx.fw
run 0 gpucode replay edited.rd --firmware a6xx.fw --against decode
# indirect buffers, groups and what conditions skip follow; zeros fill up, neighbours move
{
    printf '.recording a6xx\n.gpu 630\n.buffer ib, 0x1000, 0x10\n.contents\nCP_WAIT_FOR_IDLE\nCP_WAIT_FOR_ME\n'
    printf 'CP_NOP { .word 1 }\nib_end:\n.buffer next, 0x1010, 0x40\n.contents\nRB_CNTL = { BINW = 32 }\nlast:\n.pad 0x20\n'
    printf 'kept: CP_NOP\n' | sed 's/: /:\n/'
    printf '.pad 0x40\n.buffer main, 0x2000, 0\n.contents\nCP_COND_REG_EXEC {\n MODE = PRED_TEST | PRED_BIT = 0\n'
    printf ' DWORDS = &words(after)\n}\nCP_INDIRECT_BUFFER {\nIB_BASE = &ib\nIB_SIZE = &words(ib, ib_end)\n}\nafter:\n'
    printf 'CP_INDIRECT_BUFFER {\nIB_BASE = &next\nIB_SIZE = &words(next, last)\n}\nmain_end:\n.quad &kept\n'
    printf '.stream &main, &words(main, main_end)\n'
} >parts.rdasm
run 0 gpucode encode parts.rdasm -o parts.rd
run 0 gpucode decode parts.rd
holds out 'IB_BASE=0x1000'
holds out 'IB_SIZE=0x4'
holds out 'DWORDS=4'
sed 's/^CP_WAIT_FOR_ME/&\nCP_NOP { .word 2, 3 }/; s/^RB_CNTL/CP_NOP\n&/; s/^CP_COND_REG/CP_WAIT_FOR_IDLE\n&/
     s/^after:/RB_CNTL = 0\n&/' parts.rdasm >grown.rdasm
run 0 gpucode encode grown.rdasm -o grown.rd
holds err 'grown.rdasm:3:13: warning: the buffer has grown into another one and now stands at 0x10000 [rdasm-moved]'
run 0 gpucode decode grown.rd
holds out 'IB_BASE=0x10000'
holds out 'IB_SIZE=0x7'
holds out 'DWORDS=6'
holds out 'stream 0: 14 words at 0x2000'
run 0 gpucode decode --source grown.rd
holds out '.buffer b1, 0x1010, 0x40' # zeros in it have become fewer

# errors: place, line, caret, hint; no file
wrong()
{
    printf '.recording a6xx\n.buffer b, 0x1000, 4\n.contents\n%s\n' "$1" >wrong.rdasm
    rm -f wrong.rd
    run 2 gpucode encode wrong.rdasm -o wrong.rd
    holds err "$2"
    [ -e wrong.rd ] && complain "a file is left: $1"
}
wrong 'RB_CNTR = 0' "wrong.rdasm:4:1: error: there is no register 'RB_CNTR' on a6xx [rdasm-no-register]"
holds err "did you mean 'RB_CNTL'?"
holds err ' ^~~~~~~'
wrong 'CP_NOPE' "there is no packet 'CP_NOPE' on a6xx"
wrong 'RB_CNTL = { BINQ = 32 }' "wrong.rdasm:4:13: error: there is no field 'BINQ' here"
wrong 'RB_CNTL = { BINW = 33 }' 'it is a multiple of 32'
wrong 'RB_CNTL = { BINW = 99904 }' 'the largest is 0x7e0'
wrong 'CP_SET_MARKER { MODE = RM7 }' "'RM7' is not a value of it"
wrong '.word &nowhere' "there is no label 'nowhere'"
wrong '.word 0x123456789' 'the value does not fit into bytes, 4 of them'
wrong 'write { RB_CNTL = 0' 'it does not end [rdasm-no-end]'
wrong 'b:' "label 'b' is defined twice"
wrong '.code ir3:a630' 'it does not end'
wrong "$(printf '.code ir3:a630\n\tnop\n\tadx.f r0.x, r0.y, r0.z\n.end')" 'wrong.rdasm:6:'
wrong '.ascii "a' 'this is not a string in quotes'
wrong '.pud 4' "there is no directive '.pud' here"
wrong "$(printf 'write {\nRB_CNTL = 0\nRB_CNTL = 0\n}')" 'the next one written is 0x8801'
wrong '.buffer c, &later, 4' "there is no label 'later'"
wrong '.align 3' 'an alignment is a power of two'
wrong '.stream &b' '[rdasm-operands]'
wrong '.word &low(b' 'a place is expected [rdasm-place]'
wrong '.word 0x12345678901234567890' 'a number that fits is expected [rdasm-number]'
wrong '.zero 0x200000000' 'the contents are larger than 4 GiB [rdasm-big]'
wrong "$(printf '.code ir9:x\n.end')" 'there is no such target [rdasm-target]'
wrong "$(printf '.byte 1\nRB_CNTL = 0')" 'wrong.rdasm:5:1: error: this does not begin at a whole word [rdasm-uneven]'
wrong '9a:' 'this is not a name for a label [rdasm-name]'
wrong 'CP_NOP { } x' 'wrong.rdasm:4:12: error: nothing more is expected in this line [rdasm-more]'
wrong "$(printf '.byte 1\ne: .byte 1')" "there is no packet 'e: .byte 1'"
wrong "$(printf '.word &words(b, e), 2\n.byte 1\ne:')" 'there are no whole words between the places [rdasm-measure]'
wrong 'write { 5 }' 'wrong.rdasm:4:9: error: a register and its value are expected [rdasm-no-write]'
wrong 'CP_SET_MARKER { MODE = 999999 }' "'999999' does not fit [rdasm-field-large]"
wrong 'CP_SET_MARKER { MODE = RM6_BIN_VISIBILITY | MODE = RM6_BIN_DIRECT }' "'MODE' has another value already [rdasm-field-twice]"
wrong "$(printf 'CP_NOP {\n.zero 80000\n}')" 'the packet has 20000 words, but it can have 0 to 16383 [rdasm-count]'
wrong "$(printf 'write {\nRB_CNTL = 0\nRB_CNTL = 0\n}')" '[rdasm-gap]'
wrong "RB_CNTL = { BINW = $(yes '&b |' | head -900 | tr -d '\n') 1 }" 'the value is too long [rdasm-long]'
# all of the text is wrong
text()
{
    printf '%b' "$1" >wrong.rdasm
    run 2 gpucode encode wrong.rdasm -o wrong.rd
    holds err "$2"
}
text '.recording a9xx\n' "there is no generation 'a9xx' with packets [rdasm-family]"
text '.recording a6xx\n.word 1\n' 'this is not inside a record [rdasm-no-record]'
text '.recording a6xx\n.record 77\nl:\n.word 1\n' 'a label needs an address, which this place does not have [rdasm-label-place]'
text '.recording a2xx\n.buffer b, 0xfffff000, 4\n.contents\n.zero 0x2000\n.buffer c, 0xffffff00, 4\n' '[rdasm-no-room]'
printf '.recording a6xx\n.contents\n.word 1\n' >wrong.rdasm
run 0 gpucode encode wrong.rdasm -o odd.rd
holds err 'there is no buffer for these contents [rdasm-contents]'
printf 'nothing\n' >wrong.rdasm
run 2 gpucode encode wrong.rdasm -o wrong.rd
holds err 'the text does not begin with .recording'
run 2 gpucode encode frame.rd -o wrong.rd
holds err '1 error'
# a brace that is missing is told where it should be, and what comes after is read
text '.recording a6xx\n.buffer b, 0x1000, 4\n.contents\nCP_SET_MARKER {\nMODE = RM6_DIRECT_RENDER\nl:\n.word 1\n.stream &b, 3\n' 'wrong.rdasm:4:1: error: it does not end [rdasm-no-end]'
holds err '1 error'
text '.recording a6xx\n.buffer b, 0x1000, 4\n.contents\nCP_NOP {\nCP_NOP {\n.word 2\n}\n.stream &c, 3\n' 'wrong.rdasm:4:1: error: it does not end [rdasm-no-end]'
holds err "there is no label 'c'"
holds err '2 errors'
text '.recording a6xx\n.buffer b, 0x1000, 4\n.contents\nwrite {\nRB_CNTL = { BINW = 32\n}\n' 'wrong.rdasm:5:11: error: it does not end [rdasm-no-end]'
holds err '1 error'
[ -e wrong.rd ] && complain 'a file is left'
# by content
run 2 gpucode decode frame.rdasm
holds err '`gpucode encode` makes a recording of it'
run 2 gpucode decode --source --draws frame.rd
holds err '[cli-option-idle]'
for idle in --json '--registers names.xml' '--symbols names.sym' '--submit 0' --finished '--work running'; do
    run 2 gpucode decode --source $idle frame.rd -o none.rdasm
    holds err "${idle%% *} has no effect with --source"
done
[ -e none.rdasm ] && complain 'a file is left'
run 2 gpucode decode --source frame.rd stream.rd
# a shader that outgrows what the register of its size says, in one packet with it or near it
awk '/\.code/ && !grown++ { print; for (i = 0; i < 40; i++) print "add.f r1.y, r1.y, r1.z"; next } { print }' frame.rdasm >larger.rdasm
run 0 gpucode encode larger.rdasm -o larger.rd
holds err 'warning: the shader has 3 units of 16 instructions, and SP_VS_INSTR_SIZE says 1 [rdasm-shader-size]'
holds err 'hint: SP_VS_INSTR_SIZE = 3'
sed 's/SP_VS_INSTR_SIZE = 1/SP_VS_INSTR_SIZE = 3/' larger.rdasm >told.rdasm
run 0 gpucode encode told.rdasm -o told.rd
lacks err rdasm-shader-size
finish
