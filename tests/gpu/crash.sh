#!/bin/sh
# SPDX-License-Identifier: MIT
# gpucode crash on made-up dumps: the page, JSON, sections, what is left out, and files that are none.
. "$2/support/setting.sh"
dumps=$root/fuzz/corpus/crash
cp "$dumps"/* .

run 0 gpucode crash a6xx.devcore
golden crash-a6xx 'at 0x100010014, word 0x5 of 0xa of the IB2' 'draw 0 needs SP_VS_BASE' 'protected register RB_A2D_PIXEL_CNTL (0x8c01)' 'READ of 0x100010040' 'A630, chip id 0x06030002' \
    'DI_PT_TRILIST, 30 indices'
if ! built_with zlib; then
    run 2 gpucode crash a7xx.devcore.gz
    holds err '[gzip-absent]'
    [ "$bad" = 0 ] || exit 1
    echo 'skipped: the rest reads compressed files, and the build has no zlib'
    exit 77
fi
run 0 gpucode crash --verbose a7xx.devcore.gz
golden crash-a7xx 'at 0x100010014, word 0x5 of 0xa of the IB2' 'draw 0 needs SP_VS_BASE' 'A740, chip id 0x43050a01' 'CP_AHB_BUSY_CX_MASTER'
run 0 gpucode crash gen8.snapshot.gz
golden crash-snapshot 'at 0x100010014, word 0x5 of 0xa of the IB2' 'draw 0 needs SP_VS_BASE' 'A830, chip id 0x44050000' '0x00001000, SMMU fault' 'Snapshot of KGSL'
run 0 gpucode crash --json a6xx.devcore
golden crash-json '"address": "0x100010014"' '"register": "SP_VS_BASE"' '"count_indices": 30' '"chip_id": "0x6030002"'
run 0 gpucode crash cut.devcore
golden crash-cut 'do not tell where the command processor stood' 'READ of 0x100010040' 'register protection'
lacks out 'IB2 at'
# in the middle of data, where the words themselves are right; what gzip tells is told once
sed '/ascii85/q' a6xx.devcore >data.devcore
printf '     zzz' >>data.devcore
run 0 gpucode crash data.devcore
holds err 'the dump ends in the middle of this line; what comes before it is used [crash-cut]'
# a small file that would fill the memory
{ cat a6xx.devcore; head -c 270000000 /dev/zero; } | gzip -1 >bomb.gz
run 2 gpucode crash bomb.gz --redact bomb.txt
holds err 'the dump is larger than 268435456 bytes [crash-large]'
absent bomb.txt
rm -f bomb.gz
for size in 500 560 620; do # what came out ends in the middle of a line as a rule
    gzip -c a6xx.devcore | head -c $size >part.gz
    run 0 gpucode crash part.gz
    holds err crash-damaged
    lacks err crash-cut
done
run 0 gpucode crash --color=always a6xx.devcore
holds out "$(printf '\033[1mThe SQE stood')"

# before a6xx: a place by the words left alone, before a5xx registers, packets and buffers
run 0 gpucode crash a5xx.devcore
golden crash-a5xx 'word 0x6 of 0xc of the IB2 at 0x200000' 'protected register 0x8c01' 'A530, chip id 0x05030002' 'IB_BASE=0x200000 IB_SIZE=0xc'
run 0 gpucode crash --json a5xx.devcore
lacks out '"position"'
lacks out '"interrupt"'
holds out '"level": "IB2"'
for name in a2xx a3xx a4xx; do
    run 0 gpucode crash --verbose $name.devcore
    holds out 'dumps do not tell where the command processor stood'
    holds out 'CP_RB_BASE = 0x1000000'
    run 0 gpucode crash --section registers $name.devcore
    holds out 'CP_RB_BASE = 0x1000000'
    run 0 gpucode decode $name.devcore
    holds out 'CP_DRAW_INDX VIZ_QUERY=0'
done
holds out 'VFD_CONTROL_0'

cat >own.xml <<'END'
<database><domain name="A3XX"><reg32 offset="0x2200" name="MY_MODE" type="uint"/></domain>
<domain name="AXXX"><reg32 offset="0x1c0" name="MY_RING" type="hex"/></domain></database>
END
gpucode decode --registers own.xml a3xx.devcore >out 2>err
if ! grep -q xml-absent err; then
    holds out 'MY_MODE = 1'
    run 0 gpucode crash --registers own.xml --verbose a3xx.devcore
    holds out 'MY_RING = 0x1000000'
fi

# sections, firmware left out unless asked for: its first word is f00dfeed
run 0 gpucode crash --section registers a6xx.devcore
holds out 'CP_RB_BASE'
run 0 gpucode crash --section indexed-registers a6xx.devcore
lacks out f00dfeed
holds out '--ucode-cache'
run 0 gpucode crash --section indexed-registers --ucode-cache a6xx.devcore
holds out f00dfeed
run 0 gpucode crash --section 0x0502 gen8.snapshot.gz
lacks out f00dfeed
run 2 gpucode crash --section nothing a6xx.devcore
holds err cli-crash-section

# without firmware: the same explanation
for dump in a6xx.devcore a7xx.devcore.gz gen8.snapshot.gz; do
    run 0 gpucode crash --json "$dump"
    sed '/"next":/d' out >before.json # its name is another one
    run 0 gpucode crash --redact open.dump "$dump"
    run 0 gpucode crash --json open.dump
    sed '/"next":/d' out >after.json
    same after.json before.json
    section=indexed-registers
    [ "$dump" != gen8.snapshot.gz ] || section=0x0502
    run 0 gpucode crash --section $section --ucode-cache open.dump
    lacks out f00dfeed
    if command -v python3 >/dev/null; then
        run 1 python3 -c 'import sys; sys.exit(b"\xed\xfe\x0d\xf0" not in open("open.dump", "rb").read())'
    fi
done
run 0 gpucode crash --redact open.dump --without buffers,process,addresses,table a6xx.devcore
lacks open.dump triangle
lacks open.dump ttbr0
run 0 gpucode crash open.dump
lacks out '  dumped'
run 2 gpucode crash --redact never.dump --without everything a6xx.devcore
absent never.dump

# firmware beside the dump
cp "$root"/examples/firmware/*.asm .
run 0 gpucode crash --firmware a6xx.asm a6xx.devcore
holds out 'NOT the one that crashed'

# a machine's own dump: explained, its streams decoded, and back in the machine, which goes on
run 0 gpucode asm a6xx.asm -o a6xx.fw
run 1 gpucode run a6xx.fw --crash own.devcore --packet 'CP_ME_INIT 0 0 0 0 0 0 0 0' --packet 'CP_NOP 1' \
    --packet 'CP_MEM_WRITE 0x10 0x900 1'
sed -n '/^registers:/,/^[a-z]/s/.*offset: \(0x[0-9a-f]*\),.*/\1/p' own.devcore >offsets
[ "$(wc -l <offsets)" -gt 15 ] && sort -cu offsets || complain 'registers of a dump are not in order, or stand twice'
run 0 gpucode crash --firmware a6xx.fw own.devcore
golden crash-own 'stood in CP_MEM_WRITE' 'WRITE of 0x90000000010' '3 words into the code for CP_MEM_WRITE' 'next to read 0xf'
run 0 gpucode decode own.devcore
golden crash-decode '=> 100000000102c  CP_MEM_WRITE ADDR=0x90000000010' '0 finished, 1 running, 0 pending'
printf 'print $pc\nprint/x $01\ninfo queues\ncontinue\nreverse-continue\n' >go
run 0 gpucode debug --crash own.devcore --firmware a6xx.fw --batch -x go
golden crash-debug '$pc = 0x007f <CP_MEM_WRITE+0x3>' '$01 = 0x703d8003' 'CP_RB_RPTR           0xf' 'CP_RB_BASE           0x1000000001000'
run 2 gpucode debug
holds err cli-few
gpucode debug --devcore own.devcore --firmware a7xx.asm --batch -x go >out 2>err
holds err cli-crash-other
run 2 gpucode debug --devcore none.devcore a6xx.fw --batch -x go
# from the start of the ring to the crash in a buffer, and back
printf '\3\200\076\160\1\214\0\0\20\0\0\0\0\11\0\0' >ib.tail # CP_REG_TO_MEM 0x8c01 0x90000000010
printf '\0\200\020\160' | cat - ib.tail >ib1.bin
for word in 70c80008 0 0 0 0 0 0 0 0 70108000 70bf8003 100000 0 5; do printf '%08x\n' 0x$word; done >ring.hex
run 1 gpucode run a6xx.fw --ring ring.hex --memory 0x100000=ib1.bin --crash buffer.devcore
# the dump has the level where the driver's dumps have it; the register itself comes back too
printf 'print/x $12\n' >register
run 0 gpucode debug --devcore buffer.devcore --firmware a6xx.fw --batch -x register
holds out '$12 = 0x0'
printf 'print CP_RB_RPTR\ncrash break buffer.devcore\ncontinue\nprint @IB1_DWORDS\ncontinue\ncrash compare buffer.devcore\nreverse-continue\n' >go
run 0 gpucode debug --devcore buffer.devcore --firmware a6xx.fw --from-ring --batch -x go
golden crash-ring 'packet CP_REG_TO_MEM, header 0x703e8003' 'written at 0x90000000010' '@IB1_DWORDS = 4' '2 registers differ'
printf 'crash compare buffer.devcore\n' >go
run 0 gpucode debug --devcore buffer.devcore --firmware a6xx.fw --batch -x go
holds out 'All registers are equal'
for words in 'break a6xx.fw;a6xx.fw is not a crash dump' 'break none;cannot read none' 'nothing;crash break FILE' \
    'compare;crash break FILE'; do
    echo "crash ${words%;*}" >go
    run 2 gpucode debug --devcore buffer.devcore --firmware a6xx.fw --batch -x go
    holds err "${words#*;}"
done
printf 'continue\n' >go
sed '/^ringbuffer:/,/^bos:/{/^bos:/!d}' buffer.devcore >noring.devcore
run 2 gpucode debug --devcore noring.devcore --firmware a6xx.fw --from-ring --batch -x go
holds err cli-crash-no-ring

# without a packet table the firmware boots to have one
run 0 gpucode crash --redact bare.devcore --without table own.devcore
# and a sign that cannot be looked at is neither held nor missed
run 0 gpucode crash bare.devcore
holds out 'headers of the two packets before it are remembered' 'The dump has no packet table'
lacks out 'the PC is in its handler'
run 0 gpucode crash own.devcore
holds out 'yes  the PC is in its handler'
run 0 gpucode debug --devcore bare.devcore --firmware a6xx.fw --batch -x go
holds err cli-crash-unchecked
gpucode debug --devcore bare.devcore --firmware a6xx.fw --from-ring --batch -x go >out 2>err
holds err cli-crash-unchecked
# from the ring the firmware's own table counts; that it is another one is said all the same
awk '/^CP_MEM_WRITE:/ { print "nop" } 1' memory.asm >moved.asm
sed 's/"memory.asm"/"moved.asm"/' a6xx.asm >moved-a6xx.asm
for from in '' --from-ring; do
    # shellcheck disable=SC2086
    gpucode debug --devcore own.devcore --firmware moved-a6xx.asm $from --batch -x go >out 2>err
    holds err cli-crash-other
    # shellcheck disable=SC2086
    gpucode debug --devcore own.devcore --firmware a6xx.fw $from --batch -x go >out 2>err
    lacks err cli-crash-other
done

# a shader that a packet brings is enough: the dump has no memory of instructions
run 1 gpucode run a6xx.fw --crash loaded.devcore --packet 'CP_ME_INIT 0 0 0 0 0 0 0 0' --packet "CP_LOAD_STATE6_GEOM 0x600000 0 0 \
    0 0 0 0x03000000$(printf ' 0%.0s' $(seq 28))" --packet 'CP_MEM_WRITE 0x10 0x900 1'
run 0 gpucode extract loaded.devcore
holds out 'shader 1: VS at 0x1000000001034, 128 bytes, 2 instructions'
lacks err cli-dump-no-shader
run 0 gpucode extract loaded.devcore -o loaded
lacks out 'shader 1'
run 0 gpucode disasm -t data --form words loaded.1.bin
[ "$(wc -c <loaded.1.bin) $(head -n 1 out) $(grep -c 0x0 out)" = '128 0x00000000 0x00000000 0x00000000 0x03000000 8' ] || complain 'the loaded shader'
absent loaded.2.bin
run 2 gpucode extract loaded.devcore -o none/loaded
holds err '[cli-create]'

# shaders: instruction memories, code that a register points to, what packets load
run 1 gpucode extract a6xx.devcore
holds err cli-dump-no-shader
awk '/^registers:/ { print; print "  - { offset: 0x02a60c, value: 0x00010000 }"; print "  - { offset: 0x02a610, value: 0x00000001 }"; next } 1' \
    a6xx.devcore >code.devcore
cat >>code.devcore <<'END'
shader-blocks:
  - type: A6XX_SP_INST_DATA
    - bank: 0
      size: 4
    data: !!ascii85 |
      !!!!"!!!!#z
    - bank: 1
      size: 4
  - type: A6XX_SP_INST_TAG
    - bank: 0
      size: 4
    data: !!ascii85 |
      !!!!"
END
run 0 gpucode extract code.devcore
holds out '; shader 1, A6XX_SP_INST_DATA bank 0, 8 bytes
  00000001 00000002'
holds out 'shader 2, SP_PS_BASE = 0x100010000'
run 0 gpucode extract --json code.devcore
holds out '{"shader": 1, "from": "A6XX_SP_INST_DATA", "place": "bank 0", "size_bytes": 8}'
run 0 gpucode extract code.devcore -o shader
[ -s shader.2.bin ] && [ ! -e shader.3.bin ] || complain 'not two files'
printf '\1\0\0\0\2\0\0\0' >wanted.bin
same shader.1.bin wanted.bin

# no dump, but lines of the kernel's log
cat >msm.log <<'END'
[   43.500001] something else
[   43.512001] *** gpu fault: ttbr0=0000000123450000 iova=0000000100001040 dir=READ type=TRANSLATION source=UCHE (0,0,0,1)
[   43.513001] adreno 1234000.gpu: CP | opcode error | possible opcode=0x70bf8003
[   43.514001] adreno 1234000.gpu: [drm:a6xx_irq [msm]] *ERROR* gpu fault ring 2 fence 30b status 00800005 rb 04a0/0505 ib1 0000000100001000/002a ib2 0000000100020000/0000
[   43.515001] display: [drm:hangcheck_handler [msm]] *ERROR* 67.5.12.1: hangcheck detected gpu lockup rb 2!
[   43.515002] display: [drm:hangcheck_handler [msm]] *ERROR* 67.5.12.1:     completed fence: 777
[   43.515003] display: [drm:hangcheck_handler [msm]] *ERROR* 67.5.12.1:     submitted fence: 779
[   43.515004] display: [drm:recover_worker [msm]] *ERROR* 67.5.12.1: offending task: triangle (/usr/bin/triangle)
[   43.612001] *** gpu fault: ttbr0=0000000123450000 iova=0000000000000000 dir=WRITE type=TRANSLATION source=CP (0,0,0,0)
[   43.616001] adreno 1234000.gpu: gpu fault ring 2 fence 30c status 00800005 rb 0000/0505 ib1 0000000000000000/0000 ib2 0000000000000000/0000
END
cat >kgsl.log <<'END'
kgsl kgsl-3d0: |some_function| CP opcode error interrupt | opcode=0x00000031
kgsl kgsl-3d0: CP | Protected mode error | WRITE | addr=8c01 | status=608c01
kgsl kgsl-3d0: GPU PAGE FAULT: addr = 470460000 pid= 653 name=triangle
kgsl kgsl-3d0: context=gfx3d_user ttbr0=0x1 pid=653 (write translation fault)
kgsl kgsl-3d0: FAULTING BLOCK: CP
kgsl kgsl-3d0: triangle[653]: gpu fault ctx 1 ctx_type GL ts 1 status 00800005 rb 0123/0130 ib1 0000000470460000/0010 ib2 0000000000000000/0000
END
run 0 gpucode crash msm.log
golden crash-log 'read IB1 at 0x100001000 and had 42 words' '0x70bf8003' '0x43050c01' 'READ of 0x100001040' 'It is 0x40 after'
run 0 gpucode crash --json msm.log
golden crash-log-json '"left_words": 42' '"iova": "0x100001040"' '"rptr_words": 1184' '"wptr_words": 1285'
run 0 gpucode crash kgsl.log -t afuc:a630
golden crash-log-kgsl 'read IB1 at 0x470460000 and had 16 words' 'RB_A2D_PIXEL_CNTL (0x8c01)' 'WRITE of 0x470460000' 'read 0x123, written 0x130'
gpucode crash - <kgsl.log >out 2>err || complain 'a log on standard input'
holds out 'not told; -t names it'
# a PC and registers among the lines, or alone, with firmware
cat >>msm.log <<'END'
	 PC: 0025
	$01: 70bf8003		$11: 00000000
	$02: 00000001		$1f: 00000001
END
cat >a6xx.sym <<'END'
* 0x25 my_wait
END
run 0 gpucode crash --firmware a6xx.asm --symbols a6xx.sym msm.log
golden crash-log-code 'at PC 0x25, 2 words into drain' 'my_wait:' '=> 0x0025'
run 0 gpucode crash --json --firmware a6xx.asm msm.log
holds out '"pc_words": 37'
holds out '"function_offset_words": 2'
holds out '"function": "drain"'
holds out '"reached_by": "CP_WAIT_FOR_ME, CP_WAIT_MEM_GTE, CP_REG_RMW and 6 more"'
holds out '"$1f": "0x1"'
sed 's/PC: 0025/PC: 0155/' msm.log >handler.log
run 0 gpucode crash --firmware a6xx.asm handler.log
holds out 'at PC 0x155, 3 words into the code for CP_COND_WRITE5, with'
echo 'pc=0x25 $01=0x1234' | gpucode crash - >out 2>err || complain 'a PC alone'
holds out 'The SQE stood at PC 0x25, with 0x00001234, which is not a packet, in hand.'
run 2 gpucode crash --firmware none.asm msm.log
for word in 'pc : a6xx_irq+0x23/0x44 [msm]' 'PC is at 25' 'PC: 100000' 'PC:' 'spc: 25' '$01: 1 $zz: 2 $'; do
    echo "$word" >noise.log
    run 2 gpucode crash noise.log
    holds err crash-unknown
done
# the status of protection is told by the driver's words: its form differs on a5xx
echo 'CP | protected mode error | READ | addr=0x00008C01 | status=0x00023004' >old.log
run 0 gpucode crash -t afuc:a530 old.log
holds out 'A read of the protected register 0x8c01 was refused.'
for word in 'revision: 330 (3.3.0.2)' 'revision: 640 (06040001)' 'status 1 rb 0/0 ib1 0/0 ib2 0/0'; do
    printf '%s\n*** gpu fault: iova=0000000000001000 flags=1 (0,0,0,0)\n' "$word" >short.log
    run 0 gpucode crash short.log
    holds out 'An SMMU fault was seen: address 0x1000.'
done
printf 'gpu fault rb\n*** gpu fault:\nhangcheck\n' >noise.log
run 2 gpucode crash noise.log
run 2 gpucode crash --redact never.dump msm.log
absent never.dump

# compressed and cut off; no dump at all
gzip -c a6xx.devcore >a6xx.gz
run 0 gpucode crash --json a6xx.gz
head -c 900 a6xx.gz >cut.gz
run 0 gpucode crash cut.gz
holds err crash-damaged
echo nothing >none
run 2 gpucode crash none
holds err crash-unknown
: >empty
run 2 gpucode crash empty
sed 's/iova: 0x0001/iova: 0xzz/; s/dwords: 51/dwords: 99999999999/' a6xx.devcore >wrong.devcore
run 0 gpucode crash wrong.devcore
holds err 'wrong.devcore:18:11: warning'
# a packet that waits in a routine of many handlers: the firmware tells that its handler leads there, the table does not
dd if=/dev/zero of=zeros bs=64 count=1 2>/dev/null
run 1 gpucode run "$root/examples/firmware/a6xx.asm" --packet 'CP_WAIT_REG_MEM 0x13 0x200000 0 1 0xffffffff 16' \
    --packet CP_NOP --memory 0x200000=zeros --crash wait.devcore
run 0 gpucode crash wait.devcore
holds out '(2 of 3 signs agree)'
holds out 'NO   the PC is in its handler'
run 0 gpucode crash wait.devcore --firmware "$root/examples/firmware/a6xx.asm"
holds out '(3 of 3 signs agree)'
holds out 'yes  the PC is in its handler, or in what that leads to'
run 0 gpucode crash --json wait.devcore --firmware "$root/examples/firmware/a6xx.asm"
holds out '"same": true'
holds out '"function": "condition"'
holds out 'subroutines.asm'
run 0 gpucode crash --json wait.devcore --firmware "$root/examples/firmware/a7xx.asm"
holds out '"same": false'
lacks out '"function"'
run 2 gpucode crash --json wait.devcore --firmware nowhere
holds err cli-open
[ ! -s out ] || complain 'crash --json: printed, and the firmware was not there'
run 0 gpucode crash --json --section registers wait.devcore
holds out '{"section": "registers", "lines": ["registers:", '
finish
