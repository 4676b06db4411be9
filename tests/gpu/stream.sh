#!/bin/sh
# SPDX-License-Identifier: MIT
# decode and replay. Recorded streams are lists of words, so that our own assembler writes the one for the tests.
. "$2/support/setting.sh"
cp "$source_folder/stream.asm" "$root"/examples/firmware/*.asm .
run 0 gpucode asm stream.asm -o stream.rd
run 0 gpucode asm a6xx.asm -o a6xx.fw

run 0 gpucode decode stream.rd
golden decode '- 000000100088  RB_MODE_CNTL' '  0000001000a4  0x8812 = 00000031' '+ 0000001000c8  0x8813 = 00000041' \
    '- 0000001000d4  0x8814 = 00000051' 'DST_REG=RB_CNTL ROTATE=4 SRC1_ADD SRC0=255 SRC1=3' 'RB_CNTL = { BINW = 608 | BINH = 16 '
gzip -c stream.rd >stream.rd.gz
if ! built_with zlib; then
    run 2 gpucode decode stream.rd.gz
    holds err '[gzip-absent]'
    [ "$bad" = 0 ] || exit 1
    echo 'skipped: the rest reads compressed files, and the build has no zlib'
    exit 77
fi
run 0 gpucode decode stream.rd.gz
golden decode 'RB_CNTL = { BINW = 608 | BINH = 16 '
run 0 gpucode decode --json stream.rd
golden decode-json '"register": "RB_CNTL", "number": 34816, "value": 17,' '"register": "RB_CNTL", "number": 34816, "value": 275,' \
    '"condition": "skipped", "register": "RB_MODE_CNTL"' '"header": "48880002", "words": ["00000011", "00000012"]'
if command -v python3 >/dev/null; then
    python3 "$source_folder/written.py" <out || complain 'what the packets write'
fi
# the state at draws, queries, ranges
run 0 gpucode decode --draws stream.rd
# four draws: when binning groups 0 and 2, else 0 and 1, none after all are disabled; a register of each has its number
golden decode-draws '0x8812 = 00000031' '0x8813 = 00000041' 'CP_SCRATCH[0x2].REG = ?' 'PC_HS_PARAM_0 = 9'
[ "$(grep -cE '; [0-9a-f]{12} group [012]$' out)" -eq 4 ] || complain 'what the groups write'
[ "$(grep -c '^draw ' out)" -eq 4 ] || complain 'not four draws'
lacks out '0x8814'
run 0 gpucode decode --summary --once stream.rd
golden decode-summary 'draw 0: CP_DRAW_INDX_OFFSET DI_PT_TRISTRIP 4 indices BINNING' 'group 2: 2 words at 0x102200' \
    'group 1: 2 words at 0x102100' 'buffer: 10 words at 0x101000'
# a long buffer that is run for each of many tiles
{
    printf '.target afuc:a6xx\n.raw\n.word 13, 4, 630\n.word 3, 12, 0x200000, 16000, 0\n.word 12, 16000\n'
    yes '.word 0x70108000' | head -n 4000
    printf '.word 3, 12, 0x100000, 4800, 0\n.word 12, 4800\n'
    yes '.word 0x70bf8003, 0x00200000, 0x00000000, 0x00000fa0' | head -n 300
    echo '.word 6, 12, 0x100000, 1200, 0'
} >tiles.asm
run 0 gpucode asm tiles.asm -o tiles.rd
run 2 gpucode decode tiles.rd
holds err 'stopped after many more words than it has [cli-stream-long]'
run 0 gpucode decode --once tiles.rd
[ "$(grep -c CP_NOP out)" -eq 4000 ] || complain 'the buffer is not shown once'
run 0 gpucode decode --draws --json --draw 1 stream.rd
golden decode-draws-json '"draw": 1'
run 0 gpucode decode stream.rd --query 'RB_*' --query VFD_CNTL_0=160 --when writes
golden decode-query 'RB_CNTL = { BINW = 544 | BINH = 0 ' 'RB_CNTL = { BINW = 608 | BINH = 16 ' 'RB_WINDOW_OFFSET = { X = 2 | Y = 0 }'
lacks out RB_MODE_CNTL # which is behind a condition that does not hold
run 0 gpucode decode stream.rd --query RB_CNTL.BINW --query 0x8801 --when changes
golden decode-changes 'RB_CNTL.BINW = 608  ; 00000010003c' 'RB_RENDER_CNTL'
lacks out BINH
run 0 gpucode decode stream.rd --query RB_CNTL.BINW --json
holds out '"name": "RB_CNTL.BINW", "value": 608, "text": "608"'
run 1 gpucode decode stream.rd --shaders --textures --constants --extract-shaders shader
holds err 'stream.rd: warning: there is no shader in it [cli-dump-no-shader]'
holds out 'SB6_VS_SHADER: shader, 1 from 0 at 000001011000, 0 words recorded'
[ -e shader.1.bin ] && complain 'a shader that was not recorded has a file'
run 0 gpucode decode stream.rd --shaders --json
holds out '"load": "shader", "block": "SB6_VS_SHADER", "target_address": 16846848'
# a query without a match says so, with near names; an option that can do nothing is refused, and leaves no file
run 1 gpucode decode stream.rd --query 'VFD_CNTL[0]'
holds err 'stream.rd: warning: --query VFD_CNTL[0] matches nothing'
holds err 'did you mean VFD_CNTL_0'
run 1 gpucode decode stream.rd --query RB_CNTL.BIMW --query RB_CNTL.BINW
holds err 'did you mean RB_CNTL.BINW'
holds out 'RB_CNTL.BINW = 608'
run 1 gpucode decode stream.rd --query VFD_CNTL_0=77
holds err 'the name is known, and nothing has it with that value at a draw'
run 1 gpucode decode stream.rd --query 'TEX_CONST[3].WIDTH'
holds err 'the name is known'
run 2 gpucode decode stream.rd --query =3
run 0 gpucode decode stream.rd --query 'CP_DRAW*.NUM_INDICES'
holds out 'CP_DRAW_INDX_OFFSET.NUM_INDICES = '
for idle in '--textures --html' '--textures --query' '--vertices --query' '--summary --html' '--draws --query' '--html --query'; do
    set -- $idle
    case $2 in
    --html) run 2 gpucode decode stream.rd "$1" --html idle.html ;;
    *) case $1 in --html) set -- '--html=idle.html' "$2" ;; esac && run 2 gpucode decode stream.rd "$1" "$2" RB_CNTL ;;
    esac
    holds err '[cli-option-idle]'
done
for idle in --html=idle.html --textures --query=RB_CNTL --extract-shaders=idle; do
    run 2 gpucode decode --diff stream.rd stream.rd "$idle"
    holds err 'has no effect with --diff'
done
absent idle.html
absent idle.1.bin
run 2 gpucode decode stream.rd --when writes
holds err '--when has no effect without another option such as --query'
run 2 gpucode decode stream.rd --all
# the least part for which something holds: a query, a packet, a command
run 0 gpucode decode stream.rd --minimise VFD_CNTL_0=160 -o small.rd
run 0 gpucode decode small.rd --query VFD_CNTL_0=160 --when writes
[ "$(wc -c <small.rd)" -lt "$(wc -c <stream.rd)" ] || complain 'nothing was left out'
run 0 gpucode decode small.rd
[ "$(grep -c ' = ' out)" -le 3 ] || complain 'more is written than the query asks for'
run 0 gpucode decode stream.rd --minimise CP_DRAW_INDX_OFFSET -o small.rd
run 0 gpucode decode small.rd
[ "$(grep -c CP_DRAW_INDX_OFFSET out)" = 1 ] || complain 'not one draw is left'
grep -q ' = ' out && complain 'registers are written that no draw needs'
run 0 gpucode decode stream.rd --minimise CP_NOP -o small.rd # which has no fields
run 0 gpucode decode small.rd
holds out CP_NOP
run 0 gpucode decode stream.rd --minimise '!test -s' -o small.rd
[ "$(wc -c <small.rd)" -lt 100 ] || complain 'the command needs less than that'
run 2 gpucode decode stream.rd --minimise RB_CNTL=0x777 -o none.rd
holds err "'RB_CNTL=0x777' does not hold for the whole recording"
run 2 gpucode decode stream.rd --minimise '!false' -o none.rd
run 2 gpucode decode stream.rd --minimise RB_CNTL
holds err '--minimise has no effect without another option such as --output'
run 2 gpucode decode stream.rd -o none.rd
run 2 gpucode decode stream.rd --minimise RB_CNTL --draws -o none.rd
run 2 gpucode decode stream.rd --minimise RB_CNTL -o stream.rd
run 2 gpucode decode stream.rd kept.rd --minimise RB_CNTL -o none.rd
absent none.rd
# draws by range, and two of one recording
run 0 gpucode decode stream.rd --draws --draw 1-2
[ "$(grep -c '^draw ' out)" = 2 ] || complain 'a range of two draws has others'
run 2 gpucode decode stream.rd --draw 2-1
run 2 gpucode decode stream.rd --draw 2:1
run 1 gpucode decode stream.rd --diff 0:2
golden decode-draws-diff '- CP_DRAW_INDX_OFFSET DI_PT_TRISTRIP 4 BINNING' '+ CP_DRAW_INDX_OFFSET DI_PT_TRISTRIP 4 GMEM' \
    '  VFD_CNTL_1' '2 differences'
run 1 gpucode decode --diff 0:2 stream.rd --json
holds out '{"part": "registers", "differences": [{"name": "'
holds out '"first_number": 0, "second_number": 2, "different": '
run 0 gpucode decode stream.rd --diff 1:1
holds out 'draws 1 and 1: 0 differences'
run 2 gpucode decode stream.rd --diff 1:99
holds err 'there is no draw 99'
run 1 gpucode decode stream.rd --diff 0:2 --html draws.html
grep -q '<summary>.*registers' draws.html || complain 'the page does not compare registers'
run 2 gpucode decode stream.rd --diff 0:99 --html none.html
absent none.html
run 0 gpucode decode stream.rd --frame 2
holds out 'submit 1'
run 0 gpucode decode stream.rd --from 1 --to 1
holds out 'memory not recorded'
grep -q RB_CNTL out && complain '--from shows what is before it'
run 0 gpucode decode stream.rd --diff stream.rd
holds out ' 0 differ'
sed 's/^\.word 0x48880002, 0x11/.word 0x48880002, 0x21/; s/^\.word 0x48880002, 0x00000011/.word 0x48880002, 0x21/' stream.asm >other.asm
cmp -s other.asm stream.asm && complain 'nothing was changed'
run 0 gpucode asm other.asm -o other.rd
run 1 gpucode decode --diff stream.rd other.rd
# 0x21 turned by 4 is 0x210, with 3 0x213: the upper field is one more, in units of 16
golden decode-diff '- RB_CNTL = { BINW = 608 | BINH = 16 ' '+ RB_CNTL = { BINW = 608 | BINH = 32 ' '4 and 4 draws; 1 differ, in 1 registers'
# what cannot be written is our fault, whatever was to be said
if [ -w /dev/full ]; then
    for command in 'decode stream.rd' 'decode --draws stream.rd' 'decode --diff stream.rd other.rd' 'decode --diff stream.rd stream.rd --json' \
        'decode stream.rd --diff 0:2' 'decode stream.rd --query RB_CNTL' 'decode --shaders stream.rd' \
        'replay stream.rd --firmware a6xx.fw' 'replay stream.rd --firmware a6xx.fw --against decode'; do
        # shellcheck disable=SC2086
        "$program" $command >/dev/full 2>err
        [ $? -eq 3 ] || complain "$command: not 3 where nothing can be written"
        holds err 'cannot write'
    done
fi
run 1 gpucode decode --diff stream.rd other.rd --json
holds out '"register": "RB_CNTL"'
run 2 gpucode decode --diff stream.rd
run 0 gpucode decode stream.rd --html page.html
for word in '<details id=d0>' 'RB_CNTL = <td>{ BINW' '</script>'; do
    grep -qF "$word" page.html || complain "the page lacks $word"
done
run 0 gpucode decode stream.rd --html -
cmp -s out page.html || complain 'the page on standard output is another one'
run 2 gpucode decode stream.rd --html nowhere/page.html
# nothing is written over that was read, nor by the recording that comes next; nothing stands that is not whole
cp stream.rd kept.rd
run 2 gpucode decode stream.rd --html stream.rd
same stream.rd kept.rd
run 2 gpucode decode stream.rd kept.rd --html two.html
absent two.html
run 2 gpucode decode stream.rd kept.rd --extract-shaders two
absent two.1.bin
# draws and streams that are not there
run 2 gpucode decode stream.rd --draws --draw 9999
holds err 'stream.rd: error: there is no draw 9999: the recording has '
run 2 gpucode decode stream.rd --frame 9999
holds err 'there is no command stream 9999'
run 2 gpucode decode stream.rd --from 5 --to 3
holds err '--to 3: expected no less than --from'
[ -e nowhere ] && complain 'a folder was made'

# a recording of a3xx: packets of types 0 and 3, a shader in the packet, constants, a texture
cat >a3xx.asm <<'END'
.raw
.word 13, 4, 320
.word 3, 12, 0x100000, 112, 0
.word 12, 112
.word 0x00012040, 1, 2 ; type 0
.word 0xc0093000, 0x00600000, 0, 0, 0, 0x00000000, 0x03000000, 0, 0, 0, 0 ; CP_LOAD_STATE: a shader
.word 0xc0053000, 0x00b00000, 1, 0x3f800000, 0x40000000, 0, 0xbf800000 ; constants
.word 0xc0022200, 0, 0x00040004, 36 ; CP_DRAW_INDX
.word 0x80000000
.word 0xc0001000, 0
.word 6, 12, 0x100000, 28, 0
END
run 0 gpucode asm -t afuc:a6xx a3xx.asm -o a3xx.rd
run 0 gpucode decode a3xx.rd --shaders --constants --extract-shaders a3xx
golden decode-a3xx 'c0: 1 2 0 -1  ; 3f800000 40000000 00000000 bf800000' 'SB_VERT_SHADER: shader, 1 from 0' \
    'shader 1: VS at 0x100018, 32 bytes' '0x2041 = 00000002'
[ -s a3xx.1.bin ] || complain 'the shader has no file'
mkdir other.1.bin
run 2 gpucode decode a3xx.rd --extract-shaders other
holds err 'other.1.bin: error: cannot be written'

# names of another generation for the same bytes
run 0 gpucode decode -t afuc:a7xx stream.rd
holds out CP_EVENT_WRITE7

# a word that is no packet
sed 's/^\.word 0x70460001.*/.word 0x12345678, 0/; s/^\.word 0x70c60001.*/.word 0x12345678, 0/' stream.asm >bad.asm
cmp -s bad.asm stream.asm && complain 'nothing was spoilt'
run 0 gpucode asm bad.asm -o bad.rd
run 1 gpucode decode bad.rd
holds out '*** no packet header: 0x12345678, 2 words skipped'

# inputs that are none
run 2 gpucode decode a6xx.fw
holds err stream-unknown
sed 's/^\.word 13, 4, 630/.word 13, 4, 320/' stream.asm >old.asm
run 0 gpucode asm old.asm -o old.rd
run 1 gpucode decode old.rd # known, with packets of other types
holds out 'no packet header: 0x48880002'
sed 's/^\.word 13, 4, 630/.word 13, 4, 999/' stream.asm >old.asm
run 0 gpucode asm old.asm -o old.rd
run 2 gpucode decode old.rd
holds err cli-stream-target
head -c 701 stream.rd >cut.rd
run 0 gpucode decode cut.rd
holds err stream-cut
head -c 200 stream.rd.gz >cut.rd.gz
run 0 gpucode decode cut.rd.gz
holds err stream-damaged

# the first submit is as decoding says; the firmware does not know the packet of the second
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode
golden replay 'PC_HS_PARAM_1: 0x97 by decoding (0x101004)' 'RB_RENDER_CNTL: 0x98 by the firmware, not by decoding' ' 2 different'
run 1 gpucode replay stream.rd --firmware a6xx.asm --against decode
golden replay 'PC_HS_PARAM_1: 0x97 by decoding (0x101004)' 'RB_RENDER_CNTL: 0x98 by the firmware, not by decoding' ' 2 different'
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode --json
golden replay-json 'PC_HS_PARAM_1' 'RB_RENDER_CNTL'
run 0 gpucode replay stream.rd --firmware a6xx.fw
golden replay-writes 'RB_CNTL = 0x113' '0x8812 = 0x31' '0x8813 = 0x41' 'VFD_CNTL_0 = 0xa0' 'VFD_CNTL_1 = 0xa1' 'VFD_CNTL_2 = 0xa2' \
    'PC_HS_PARAM_0 = 0x9' 'PC_MARKER = 0x4' 'RB_RENDER_CNTL = 0x98'
lacks out '0x8814'
run 0 gpucode replay stream.rd --firmware a6xx.fw --json
holds out '"register": "RB_CNTL", "number": 34816, "value": 17}'
# the same in the debugger: memory and ring as recorded
printf 'continue\nprint RB_CNTL\nprint @IB1_DWORDS\n' >stream.gdb
run 0 gpucode debug --batch -x stream.gdb --stream stream.rd a6xx.fw
holds out 'RB_CNTL = 0x113 (275)'
holds out '@IB1_DWORDS = 0'
run 2 gpucode debug --batch -x stream.gdb --stream stream.rd --submit 99 a6xx.fw
holds err 'there is no submit 99: the recording has 2 submits'
run 2 gpucode debug --batch -x stream.gdb --stream stream.rd --submit x a6xx.fw
run 2 gpucode debug --batch -x stream.gdb --stream a6xx.fw a6xx.fw
# a register that is not zero at the start changes what a condition does, on both sides
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode --reg RB_CNTL=1 --reg 'CP_SCRATCH[3].REG=2'
holds out ' 16 register writes equal'

# fields of the user's own: of registers that are built in too
cat >own.xml <<'END'
<database><domain name="A6XX">
<reg32 offset="0x8800" name="MY_CNTL"><bitfield name="LOW" low="0" high="3" type="uint"/><bitfield name="REST" low="4" high="31"/></reg32>
</domain></database>
END
gpucode decode stream.rd >out 2>err --registers own.xml
if ! grep -q xml-absent err; then
    holds out 'MY_CNTL = { LOW = 1 | REST = 0x1 }'
    run 0 gpucode decode stream.rd --registers own.xml --query MY_CNTL.LOW --json
    holds out '"name": "MY_CNTL.LOW", "value": '
    run 1 gpucode replay bad.rd --firmware a6xx.fw --crash own.devcore
    run 0 gpucode crash --registers own.xml --verbose own.devcore
fi

# firmware with faults
sed 's/^\.equ MODE_BINNING, 0x1/.equ MODE_BINNING, 0x2/' names.asm >names.new && mv names.asm names.old && mv names.new names.asm
run 0 gpucode asm a6xx.asm -o mode.fw
mv names.old names.asm
run 1 gpucode replay stream.rd --firmware mode.fw --against decode
holds out 'CP_DRAW_INDX_OFFSET: VFD_CNTL_2: 0xa2 by decoding (0x102204), not written by the firmware'
holds out 'CP_DRAW_INDX_OFFSET: VFD_CNTL_1: 0xa1 by the firmware, not by decoding'
# the debugger stops behind that write
printf 'continue\n' >first.gdb
run 0 gpucode debug --batch -x first.gdb --stream stream.rd mode.fw
holds err 'note: the firmware and the stream diverge at CP_DRAW_INDX_OFFSET: VFD_CNTL_2: 0xa2 by decoding, not written'
holds err '[cli-diverges]'
holds out 'Temporary watchpoint 1'
holds out 'VFD_CNTL_1: 0x0 -> 0xa1'
run 0 gpucode debug --batch -x first.gdb --stream stream.rd --submit 1 a6xx.fw
holds out 'RB_RENDER_CNTL: 0x0 -> 0x98'
# what is right goes on to the end
run 0 gpucode debug --batch -x first.gdb --stream stream.rd a6xx.fw
lacks err cli-diverges
lacks out watchpoint
run 1 gpucode replay bad.rd --firmware a6xx.fw --against decode
holds out 'stopped at word'
holds out 'is not a packet header'
run 1 gpucode replay stream.rd --firmware a6xx.fw --against decode --limit 20
holds out 'submit 0 stream 0: boot: stopped at word'
# where it stopped as a crash dump: the memory of the recording, the place in the recorded buffer
run 1 gpucode replay bad.rd --firmware a6xx.fw --crash bad.devcore
run 0 gpucode crash bad.devcore
golden replay-crash 'stood in 0x12345678, which is not a packet' 'opcode error' 'Draw 3, in flight' 'A630, chip id 0x06030002'
run 1 gpucode decode bad.devcore
holds out 'no packet header'
run 1 gpucode replay stream.rd --firmware a6xx.fw --limit 500 --crash slow.devcore
run 0 gpucode crash --firmware a6xx.fw slow.devcore
holds out 'all 128 entries of its packet table'
run 0 gpucode replay stream.rd --firmware a6xx.fw --crash none.devcore
absent none.devcore
run 2 gpucode replay stream.rd --firmware a6xx.fw --limit 500 --crash nowhere/dump
absent nowhere/dump

# two firmwares with one recording: the same, and one whose handler of type 4 forgets a bit
run 0 gpucode diff --replay stream.rd a6xx.fw a6xx.asm
holds out ', 0 by the old firmware alone, 0 by the new one alone'
grep -q '; [1-9][0-9]* writes the same' out || complain 'nothing was compared'
sed 's/and $usraddr, $02, 0xffff/and $usraddr, $02, 0xfffe/' registers.asm >registers.new
cmp -s registers.asm registers.new && complain 'nothing was edited'
cp registers.asm registers.old
cp registers.new registers.asm
run 0 gpucode asm a6xx.asm -o odd.fw
cp registers.old registers.asm
run 1 gpucode diff --replay stream.rd a6xx.fw odd.fw
holds out '- submit 1 stream 0 type 4                   RB_RENDER_CNTL = 0x98'
holds out '+ submit 1 stream 0 type 4                   RB_CNTL = 0x98'
run 1 gpucode diff --replay stream.rd a6xx.fw odd.fw --json
holds out '{"side": "new", "submit": 1, "stream": 0, "packet": "type 4", "register": "RB_CNTL", "value": 152}'
printf '.target afuc:a6xx\n[016ee001]\n[00000000]\nl2: jump #l2\nnop\n' >spins.asm
run 1 gpucode diff --replay stream.rd a6xx.fw spins.asm
run 2 gpucode diff --replay nowhere a6xx.fw odd.fw
run 2 gpucode diff --replay a6xx.fw a6xx.fw odd.fw
printf '\177' >script
run 2 gpucode diff -t hwsq:g94 --replay stream.rd script script
holds err cli-cannot

# usage
run 2 gpucode replay stream.rd
holds err cli-replay-firmware
run 2 gpucode replay stream.rd --firmware nowhere
run 2 gpucode replay stream.rd --firmware "$root/examples/firmware/a7xx.asm"
holds err 'stream.rd: error: the firmware is for'
run 2 gpucode replay a6xx.fw --firmware a6xx.fw
run 2 gpucode replay stream.rd --firmware a6xx.fw --against mesa
holds err cli-option-choice
run 2 gpucode replay stream.rd --firmware a6xx.fw --limit many
run 2 gpucode replay stream.rd --firmware a6xx.fw --reg NOTHING=1
holds err cli-run-register
run 2 gpucode replay stream.rd --firmware a6xx.fw --reg RB_CNTL
holds err 'error: --reg RB_CNTL: expected NAME=VALUE, a 32-bit number [cli-run-value]'
printf '.target afuc:a730\n.raw\nnop\n' >seven.asm
run 0 gpucode asm seven.asm -o seven.fw
run 2 gpucode replay stream.rd --firmware seven.fw

# a terminal sees how far it is, when it takes more than a second: here because the reader is slow
if command -v script >/dev/null && script -qec true typescript >/dev/null 2>&1; then
    for i in 1 2 3 4 5 6 7 8; do cat stream.rd stream.rd stream.rd stream.rd; done >many.rd
    for i in 1 2 3 4 5 6; do cat many.rd; done >slow.rd
    # it reads a little now and then, until that is seen
    cat >reader <<'END'
for try in $(seq 600); do
    grep -q '[0-9]/[0-9]* slow.rd' typescript && break
    head -c 4096
    sleep 0.1
done
cat
END
    run 0 script -fqec "'$program' decode slow.rd | sh reader >slow.txt" typescript
    grep -q '[0-9]/[0-9]* slow.rd' typescript || complain "no progress on a terminal"
    begun=$(date +%s%N)
    run 0 script -qec "'$program' decode stream.rd >quick.txt" typescript
    # on a busy machine anything may be slow
    [ $(($(date +%s%N) - begun)) -gt 900000000 ] || ! grep -q '[0-9]/[0-9]* stream.rd' typescript || complain "progress where nothing is slow"
else
    echo 'skipped: no script(1)'
fi
finish
