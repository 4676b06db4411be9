#!/bin/sh
# SPDX-License-Identifier: MIT
# Shaders on the command line: styles, dumps, info, extract.
. "$2/support/setting.sh"

cat >shader.asm <<'END'
@out(hr0.x) color
@const(c0.x) 1.0, 0.5
(sy)(ss)(rpt1)bary.f (ei)hr0.x, (r)0, r0.x
(rpt2)nop
mul.f hr0.x, hr0.x, h(2.0)
mov.f32f32 r1.x, (6.2831853)
loop: mul.u r1.x, r1.y, c4.z
sam.3d (f32)(xyz)r2.x, r1.x, s#1, t#2
jump #loop
rcp r0.x, r1.x
end
END
run 0 gpucode asm shader.asm -o shader.bin
run 0 gpucode disasm -t a3xx shader.bin
golden a3xx-seed 'mul.f hr0.x, hr0.x, h(2.0)' 'mov.f32f32 r1.x, (6.2831855)' 'mul.u r1.x, r1.y, c4.z' 'jump #-2'
cp out seed.asm
run 0 gpucode disasm -t a3xx --syntax=mesa shader.bin
golden a3xx-mesa 'mul.u24 r1.x, r1.y, c4.z' '(sy)(ss)(rpt1)bary.f (ei)hr0.x, (r)0, r0.x'
cp out mesa.asm
run 0 gpucode disasm -t a3xx --expand --cycles shader.bin
# a repeat takes a slot for each step: 2 and 3 and one each for the other seven
golden a3xx-expand '; slots 0-1' 'bary.f (ei)hr0.y, (r)1, r0.x' '; slots 2-4' 'end	; slot 11'
cp out expand.asm
run 0 gpucode disasm -t a3xx:a330 -v --expand shader.bin
golden a3xx-columns '0002[40600000x_2c030000x] mul.f hr0.x' '0008[03000000x_00000000x] end'
cp out columns.asm
for text in seed mesa expand columns; do
    run 0 gpucode asm $text.asm -o again.bin
    same again.bin shader.bin
done
# a dump as hex, its text passed over
run 0 gpucode disasm -t a3xx --hex columns.asm
same out seed.asm
sed 's/x_/_/; s/x\]/]/' columns.asm >plain.hex
run 0 gpucode disasm -t a3xx --hex plain.hex
same out seed.asm
sed 's/^[0-9]*\[//; s/\]//; /^  /d' plain.hex >mesa.hex
run 0 gpucode disasm -t a3xx --hex mesa.hex
same out seed.asm
run 0 gpucode verify -t a3xx shader.bin
run 0 gpucode info -t a3xx shader.bin
golden a3xx-info "$(wc -c <shader.bin) bytes" 'instructions  9, 0 of padding' 'issue slots   12, 3 of them in 1 nops' '1 (ss), 1 (sy)' \
    'read before written  r0.x-r0.y, r1.y-r1.z' 'consts        up to c4.z' 's#1' 't#2'
run 0 gpucode info --json -t a3xx shader.bin
golden a3xx-info-json '"layout": "raw words"' '"target": "a3xx"'
run 2 gpucode disasm -t a3xx --syntax=other shader.bin

printf 'rcp r0.x, c0.x\nadd.f r0.x, r0.y, 1\n  (ss)sam (f32)(x)r0.x, r1.x, s#0, t#0\nshlg r0.x, r0.y, r0.z, r0.w\n' >wrong.asm
run 2 gpucode asm -t a3xx wrong.asm -o wrong.bin
golden a3xx-refused 'wrong.asm:1:11: error:' '[a3xx-operand]' 'wrong.asm:2:19:' '[a3xx-float-wanted]' 'wrong.asm:3:3:' '[a3xx-flag]' \
    'wrong.asm:4:1:' '[other-generation]' '4 errors'
[ ! -e wrong.bin ] || complain 'a file was written in spite of errors'

# schedule: text for text, with its declarations; binary for binary; what it took on standard error
printf '@in(r1.x-r1.y) a\n@const(c0.x) 1.0, 0.5\nadd.f r0.x, r1.x, r1.y\nadd.f r0.y, r0.x, c0.x\nrcp r0.z, r0.y\nend\n' >early.asm
run 1 gpucode lint -t a3xx early.asm
holds out a3xx-lint-delay
run 0 gpucode schedule -t a3xx early.asm
# a result of the ALU is there after three slots, for special functions after six: (rpt2) and (rpt5) before the readers
golden a3xx-schedule '13 slots, 9 added'
[ "$(grep -A1 '^(rpt2)nop' out | tail -n 1)" = 'add.f r0.y, r0.x, c0.x' ] || complain 'a read of a result too early'
[ "$(grep -A1 '^(rpt5)nop' out | tail -n 1)" = 'rcp r0.z, r0.y' ] || complain 'a read too early'
cp out late.asm
run 0 gpucode lint -t a3xx late.asm
run 0 gpucode asm -t a3xx early.asm -o early.bin
run 0 gpucode asm -t a3xx late.asm -o late.bin
run 0 gpucode schedule -t a3xx early.bin -o scheduled.bin
same scheduled.bin late.bin
holds err '13 slots, 9 added; 0 sync bits, 0 before'
run 0 gpucode schedule -t a3xx --strip=all late.bin -o bare.bin
same bare.bin early.bin
run 0 gpucode schedule -t a3xx --strip=needless -O --json late.bin -o same.bin
cp out stated
run 0 gpucode schedule -t a3xx --strip=needless -O --json late.bin
same out same.bin # the code alone; what is said of it goes elsewhere
sed 's/, "output": "same.bin"//' stated >wanted
same err wanted
holds stated '"slots_before": 13'
same same.bin late.bin
run 0 gpucode schedule -t a3xx --form=text early.bin
holds out 'rpt2)nop'
run 2 gpucode schedule -t a3xx --strip=other early.bin
printf '.insn 0xe0000000_00000000\nend\n' >unknown.asm
run 2 gpucode schedule -t a3xx unknown.asm
holds err schedule-word
run 2 gpucode schedule -t hwsq:nv50 late.bin
# the source's own text: comments, labels, blank lines, directives and indentation stay
cat >own.asm <<'END'
; A shader
@const(c0.x) 0.5        ; half

top:  add.f r0.x, r1.x, r1.y      ; sum
	(rpt1)nop                 ; waits
	rcp r0.z, r0.x            ; uses the sum
      mov.f32f32 r2.x, c0.x       ; independent
      sam (f32)(x)r4.x, r1.x, s#0, t#0
      br p0.x, #skip
   mov.f32f32 r2.x, c0.x

skip: add.f r3.x, r0.z, r2.x      ; joined
   add.f r3.y, r4.x, r2.x
   jump #1
last: end
END
run 0 gpucode schedule -t a3xx own.asm
golden a3xx-schedule-own '(ss)add.f r3.x, r0.z, r2.x' '(sy)add.f r3.y, r4.x, r2.x' 'jump #1' '; A shader' '2 sync bits, 0 before'
cp out own-scheduled.asm
run 0 gpucode lint -t a3xx own-scheduled.asm
run 0 gpucode schedule -t a3xx own-scheduled.asm
same own-scheduled.asm out # legal code is left as it is
run 0 gpucode asm -t a3xx own.asm -o own.bin
run 0 gpucode schedule -t a3xx own.bin -o own-scheduled.bin
run 0 gpucode asm -t a3xx own-scheduled.asm -o own-text.bin
same own-text.bin own-scheduled.bin
# reordered: the comments at the ends of lines go along
run 0 gpucode schedule -t a3xx -O own-scheduled.asm
golden a3xx-schedule-reordered 'mov.f32f32 r2.x, c0.x       ; independent' '(ss)add.f r3.x, r0.z, r2.x' '17 slots, 2 saved'
run 0 gpucode schedule -t a3xx --strip=all own-scheduled.asm
golden a3xx-schedule-bare '0 sync bits, 2 before' 'rcp r0.z, r0.x            ; uses the sum'
lacks out '(ss)'
lacks out 'nop'
# lines of Windows, no end of the last line
printf 'add.f r0.x, r1.x, r1.y\r\n rcp r2.x, r0.x\r\nend' >windows.asm
run 0 gpucode schedule -t a3xx windows.asm
printf 'add.f r0.x, r1.x, r1.y\r\n (rpt5)nop\r\n rcp r2.x, r0.x\r\nend' >windows-scheduled.asm
same windows-scheduled.asm out
# a macro that needs nothing stays; in one that does no line can be edited
cat >macro.asm <<'END'
.macro move to, from
    mov.f32f32 \to, \from
.endm
    add.f r0.x, r1.x, r1.y ; sum
    move r4.x, c0.x
    rcp r2.x, r0.x
end
END
run 0 gpucode schedule -t a3xx macro.asm
golden a3xx-schedule-macro '.macro move to, from' '9 slots, 5 added'
printf '.macro two\nadd.f r0.x, r1.x, r1.y\nrcp r2.x, r0.x\n.endm\n; gone\ntwo\nend\n' >inside.asm
run 0 gpucode schedule -t a3xx inside.asm
holds err 'cli-schedule-text'
printf 'add.f r0.x, r1.x, r1.y\n(rpt5)nop\nrcp r2.x, r0.x\nend\n' >inside-scheduled.asm
same inside-scheduled.asm out
# lint: the operand, the other instruction, and what to do
run 1 gpucode lint -t a3xx own.asm
golden a3xx-lint 'own.asm:6:12: error: r0.x is read' '[a3xx-lint-delay]' 'own.asm:12:25: error: r2.x is read' '[a3xx-lint-ss]' '[a3xx-lint-no-jp]'
run 1 gpucode lint -t a3xx --json own.asm
holds out '"line": 6, "column": 12, "length": 4'
holds out '"other_unit": 0'
holds out '"other_line": 4'
holds out '"missing_slots": 4'
holds out '"fix": "put (rpt3)nop in front of it"'
run 1 gpucode lint -t a3xx own.bin
holds out 'own.bin:0x002: error: r0.x is read 4 slots too early; instruction 0 writes it [a3xx-lint-delay]'
holds out '    0x000: add.f r0.x, r1.x, r1.y'
# a register that nothing writes: the source declares its inputs
printf '@in(r1.x-r1.y) a\nadd.f r0.x, r1.x, r1.z\nend\n' >unwritten.asm
run 1 gpucode lint -t a3xx unwritten.asm
holds out a3xx-lint-unwritten
# all declarations count, however many; a label of a shader is no entry point
{
    seq -f '@const(c%.0f.x) 1.0' 0 299
    printf '@in(r0.x) number\nend\nentry1:\nmov.f32f32 r1.x, r0.x\nend\n'
} >declared.asm
run 1 gpucode lint -t a3xx declared.asm
holds out a3xx-lint-unreachable
lacks out a3xx-lint-unwritten

# a stream with the GPU's id, a program and a vertex shader in source
{
    printf '\015\0\0\0\004\0\0\0\100\001\0\0\011\0\0\0\110\0\0\0'
    head -c 72 shader.bin
    printf '\012\0\0\0\014\0\0\0void main();'
} >trace.rd
run 0 gpucode extract trace.rd
golden a3xx-extract '; program 1, 72 bytes, record 1' 'vertex shader 2, 12 bytes' '; void main();'
packed=trace.rd
if built_with zlib; then
    packed=trace.rd.gz
    gzip -k trace.rd
    cp out wanted
    run 0 gpucode extract trace.rd.gz
    same out wanted
fi
run 0 gpucode extract "$packed" -o part
head -c 72 shader.bin >wanted
same part.1.bin wanted
mkdir all.2.txt
run 2 gpucode extract "$packed" -o all
absent all.1.bin
printf '\015\0\0\0\004\0\0\0\100\001\0\0' >empty.rd
run 1 gpucode extract empty.rd
# the GPU says whose shaders they are
printf '\r\0\0\0\4\0\0\0\166\2\0\0\t\0\0\0\10\0\0\0\0\0\0\0\0\0\0\3' >a630.rd
run 1 gpucode extract a630.rd
holds err 'there is no shader in the stream'
run 0 gpucode extract -t a3xx a630.rd
# a first record of 64 KiB is one, a larger one is not
{
    printf '\1\0\0\0\0\0\1\0'
    head -c 65536 /dev/zero | tr '\0' x
    cat trace.rd
} >most.rd
run 0 gpucode extract most.rd
holds out '; program 1, 72 bytes, record 2'
{
    printf '\1\0\0\0\1\0\1\0'
    head -c 65537 /dev/zero | tr '\0' x
    cat trace.rd
} >more.rd
run 2 gpucode extract more.rd
holds err extract-kind

# run
cat >shader.a3xx <<'TEXT'
mad.f32 r2.x, r1.x, r0.x, c0.x
add.f hr0.y, hr0.x, (1.0)
bary.f (ei)r2.y, 3, r0.z
sam (f32)(y)r3.x, r4.x, s#0, t#2
cmps.f.lt p0.x, r2.x, r2.y
kill p0.x
end
TEXT
printf '\0\0\200\077\0\0\0\100\0\0\100\100\0\0\200\100' >texel.f32
run 0 gpucode run -t a3xx shader.a3xx --in r0.x=1.5 --in r1.x=2 --in r1.x=0x40000000 --in hr0.x=1.0 --const c0.x=-1.0 \
    --ij r0.z --varying 3=7.25 --texture 2=texel.f32:1x1 --json --print r2.x,r2.y,hr0.y,r3.y,r3.x,p0.x
[ "$(tr -d ' ' <out)" = '{"stop":"end","killed":true,"slots":7,"instructions":7,"registers":{"r2.x":"0x40000000","r2.y":"0x40e80000","hr0.y":"0x4000","r3.y":"0x40000000","r3.x":"0x00000000","p0.x":"0x00000001"}}' ] ||
    complain "run --json: $(cat out)"
run 0 gpucode run -t a3xx shader.a3xx --texture 2=texel.f32:1x1 --trace instructions,registers
holds err 'shader.a3xx: note: not given, and 0 at the start: r0.x, r0.z-r1.x, r4.x-r4.y, hr0.x, c0.x, varying 3 [cli-not-given]'
lacks out 'not given'
holds out 'mad.f32 r2.x, r1.x, r0.x, c0.x'
holds out 'hr0.y = 0x3c00'
run 1 gpucode run -t a3xx shader.a3xx
holds err 'no texture is bound to t#2'
holds err 'hint: `gpucode run --texture UNIT=FILE` binds one'
holds out 'stopped at 0003 after 4 instructions, 4 issue slots'
run 1 gpucode run -t a3xx shader.a3xx --json --print r2.x
[ "$(tr -d ' ' <out)" = '{"stop":"unknown","pc":3,"code":"a3xx-no-texture","reason":"notextureisboundtot#2","killed":false,"slots":4,"instructions":4,"registers":{"r2.x":"0x00000000"}}' ] ||
    complain "run --json: $(cat out)"
run 1 gpucode run -t a3xx shader.a3xx --limit 1
holds out 'stopped at 0001 after 1 instruction, 1 issue slot'
holds err 'hint: --limit lets it go on'
run 1 gpucode run -t a3xx shader.a3xx --limit 2 --json
holds out '"stop": "limit"'
for wrong in --in=r61.x=1 --in=c0.x=1 --in=hr0.x=65536 --in=r0.x= --in=r0.x=1x --const=r0.x=1 --const=c512.x=1 --ij=hr0.x \
    --ij=r60.w --varying=128=1 --varying=a=1 --texture=0=texel.f32:2x1 --texture=16=texel.f32:1x1 --texture=0=texel.f32 \
    --print=r0 --trace=state --limit=x --policy=a3xx-mad=x --policy=a3xx-call-depth=65; do
    run 2 gpucode run -t a3xx shader.a3xx "$wrong"
done
# what is no code: cut off, empty
head -c 13 late.bin >cut.bin
: >empty.bin
printf '; nothing\n' >empty.asm
for command in run lint 'schedule -o no.bin'; do
    run 2 gpucode $command -t a3xx cut.bin
    holds err 'cut.bin: error: the last 5 bytes are not a whole instruction, which has 8 [cli-cut-off]'
    for file in empty.bin empty.asm; do
        run 2 gpucode $command -t a3xx $file
        holds err '[cli-no-code]'
    done
done
absent no.bin
# a label is no entry point, whatever its name
printf 'jump #out\nentry1: (jp)mov.f32f32 r0.x, r1.x\nout: (jp)end\n' >entry.asm
run 1 gpucode lint -t a3xx entry.asm
holds out '[a3xx-lint-unreachable]'
# what nops do not mend
printf 'bary.f r0.x, 0, r1.x\nend\n' >left.asm
run 0 gpucode schedule -t a3xx left.asm
holds err 'left.asm: 2 slots, 0 saved; 0 sync bits, 0 before'
holds err 'left.asm: warning: lint still has 1 finding [cli-schedule-left]'
run 0 gpucode schedule -t a3xx --strip=all left.asm
lacks err cli-schedule-left
run 2 gpucode run -t a3xx shader.a3xx --texture =texel.f32:1x1
# varyings have decimal numbers
printf 'bary.f r0.x, 9, r1.x\nbary.f (ei)r0.y, 18, r1.x\n(rpt2)nop\nend\n' >varyings.a3xx
run 0 gpucode run -t a3xx varyings.a3xx --varying 9=0.5 --varying 18=0.25 --print r0.x,r0.y
holds out 'r0.x   0x3f000000'
holds out 'r0.y   0x3e800000'
for texture in texel.f32 texel.f32:0x0 texel.f32:1x1x1; do
    run 2 gpucode run -t a3xx shader.a3xx --texture 2=$texture
    holds err 'expected the size of raw floats after the name'
done
cp texel.f32 texel.png
run 2 gpucode run -t a3xx shader.a3xx --texture 2=texel.png
grep -qF '[picture-absent]' err || holds err '[picture-unknown]' # built without libpng, or with it
run 2 gpucode run -t a3xx shader.a3xx --in hr0.x=65536
holds err 'of 16 bits'
# what scripts print floats as
for value in 1E3 1e3 1000. +1e+3 0X447A0000; do
    run 0 gpucode run -t a3xx shader.a3xx --in hr0.x=0xE --in r1.x=1.0 --in r0.x="$value" --const c0.x=0 --texture 2=texel.f32:1x1 --json
    holds out '"r2.x": "0x447a0000"'
done
for value in NaN INF -Infinity; do
    run 0 gpucode run -t a3xx shader.a3xx --in r0.x="$value" --texture 2=texel.f32:1x1
done
for value in 1e99 -1e99; do
    run 2 gpucode run -t a3xx shader.a3xx --in r0.x="$value"
done
run 2 gpucode run -t a3xx shader.a3xx --in hr0.x=70000.0
run 0 gpucode run -t a3xx shader.a3xx --in r0.x=-0x1e --print r0.x --texture 2=texel.f32:1x1
holds out 'r0.x   0xffffffe2'
# a trace in JSON: an object a line
run 0 gpucode run -t a3xx shader.a3xx --texture 2=texel.f32:1x1 --json --trace
holds out '{"slot": 1, "thread": 0, "pc": 1, "text": "add.f hr0.y, hr0.x, h(1.0)"}'
holds out '"register": "hr0.y", "value": "0x3c00", "float": 1}'
[ "$(grep -cv '^{.*}$' out)" = 0 ] || complain "trace in JSON: $(cat out)"
[ "$(tail -1 out | cut -c 1-14)" = '{"stop": "end"' ] || complain "trace in JSON: $(cat out)"
# strict timing, the estimate of time, a trace without a kind
cat >early.a3xx <<'TEXT'
mov.f32f32 r0.x, (2.0)
nop
add.f r1.x, r0.x, r0.x
(rpt3)nop
rcp r2.x, r0.x
(ss)mov.f32f32 r2.y, r2.x
end
TEXT
run 0 gpucode run -t a3xx early.a3xx
holds out 'r1.x   0x40800000'
run 0 gpucode run -t a3xx --strict early.a3xx
holds out 'r1.x   0x00000000'
holds out 'r2.y   0x3f000000'
cp out strict
run 0 gpucode run -t a3xx early.a3xx --policy a3xx-timing=strict
same out strict
run 0 gpucode run -t a3xx early.a3xx --cycles --policy a3xx-latency-special=7
holds out '0003           1           4           0           0  (rpt3)nop'
holds out '0005           1           1           7           0  (ss)mov.f32f32 r2.y, r2.x'
holds out 'all            7          10           7           0  17 slots in total'
holds out 'latencies assumed: special 7, local 10, texture 100, global 100, private 100'
run 0 gpucode run -t a3xx early.a3xx --cycles --json
tr -d ' \n' <out >flat
holds flat '"cycles":{"runs":7,"thread_runs":7,"slots":10,"ss_waits":10,"sy_waits":0,"total":20,"latencies":{"special":10,'
holds flat '{"at":5,"runs":1,"thread_runs":1,"slots":1,"ss_waits":10,"sy_waits":0,"text":"(ss)mov.f32f32r2.y,r2.x"}'
run 2 gpucode run -t a3xx early.a3xx --policy a3xx-latency-texture=1000001
run 0 gpucode run -t a3xx early.a3xx --trace instructions,registers
cp out both
run 0 gpucode run -t a3xx early.a3xx --trace
same out both
run 0 gpucode run --trace -t a3xx early.a3xx
same out both
run 0 gpucode run -t a3xx --trace early.a3xx
same out both
run 0 gpucode run -t a3xx --trace instructions early.a3xx
lacks out 'r0.x = '
run 2 gpucode run -t a3xx --trace instruction early.a3xx
holds err 'cli-many'
run 2 gpucode run -t a3xx early.a3xx --trace=instruction
holds err 'cli-trace'
run 2 gpucode run -t a3xx early.a3xx --trace=
run 2 gpucode run -t hwsq:nv50 early.a3xx --strict
run 2 gpucode run -t hwsq:nv50 early.a3xx --cycles
for option in --cycles --trace; do
    run 2 gpucode run -t a3xx --image 4x4 $option out.png early.a3xx
    grep -q cli-no-pictures err || holds err 'a run without --image' # built without libpng
done
# groups: by the source, by options, values of each thread
cat >group.a3xx <<'TEXT'
@localsize 3, 2, 2
@invocationid(r0.x)
@wgid(c1.x)
@numwg(c2.x)
mul.u r1.x, r0.z, 100
mul.u r1.z, r0.y, 10
add.u r1.x, r1.x, r1.z
add.u r1.x, r1.x, r0.x
cmps.u.gt p0.x, r0.x, 1
br !p0.x, #on
kill p0.x
on: (jp)add.u r1.y, c2.x, 0
sub.u r1.y, r1.y, c1.y
end
TEXT
run 0 gpucode run -t a3xx group.a3xx --print r1.x,r1.y
for value in '[0]  *0x00000000' '[1]  *0x00000001' '[2]  *0x00000002' '[3]  *0x0000000a' '[5]  *0x0000000c' \
    '[6]  *0x00000064' '[11]  *0x00000070'; do
    grep -q "^r1.x\\$value " out || complain "no $value in $(cat out)"
done
holds out 'r1.y[0-11]       0x00000001'
holds out 'ended, 4 killed, after 112 instructions, 10 issue slots'
holds out '12 threads: 93.3% of their slots were used (112 of 120), paths were parted in 1 of 10 slots'
run 0 gpucode run -t a3xx group.a3xx --print r1.x --local-size 2,1 --json
[ "$(tr -d ' ' <out)" = '{"stop":"end","killed":false,"slots":9,"instructions":18,"registers":{"r1.x":"0x00000000"},"width":2,"thread_slots":18,"parted_slots":0,"threads":[{"pc":9,"ended":true,"killed":false,"registers":{"r1.x":"0x00000000"}},{"pc":9,"ended":true,"killed":false,"registers":{"r1.x":"0x00000001"}}]}' ] ||
    complain "run --json of a group: $(cat out)"
run 0 gpucode run -t a3xx group.a3xx --policy a3xx-threads=1 --print r1.y
holds out 'r1.y   0x00000001'
run 0 gpucode run -t a3xx group.a3xx --local-size 4 --local-id hr4.x --in r0.x=4,3,2,1 --in r2.x=0x10.. --in r2.y=0.5.. \
    --in hr2.x=1.5.. --in r2.z=9 --print r0.x,r2.x,r2.y,hr2.x,r2.z,hr4.x --trace instructions,registers
for value in 'r0.x\[0\]  *0x00000004' 'r0.x\[3\]  *0x00000001' 'r2.x\[3\]  *0x00000013' 'r2.y\[2\]  *0x40200000' \
    'hr2.x\[1\]  *0x4100' 'r2.z\[0-3\]  *0x00000009' 'hr4.x\[3\]  *0x0003' '6  \[2\] 0006  kill p0.x' '\[1\] p0.x = 0x00000001'; do
    grep -q "^ *$value" out || complain "no $value in $(cat out)"
done
for wrong in --local-size=0 --local-size=4,4,4,4 --local-size=1025 --local-size=64,64 --local-size=4x4 --local-id=p0.x \
    --local-id=r60.z --local-id=c0.x --in=r0.x=1,2 --in=r0.x=.. --in=r0.x=1,,2 --const=c0.x=0.. --policy=a3xx-threads=1025; do
    run 2 gpucode run -t a3xx group.a3xx "$wrong"
done
run 2 gpucode run -t a3xx group.a3xx --local-size=4 --policy=a3xx-threads=3
holds err 'as many threads as --policy a3xx-threads says'
printf '@localsize 2048, 1, 1\nend\n' >wide.a3xx
run 2 gpucode run -t a3xx wide.a3xx
holds err 'a3xx-threads'
printf 'processor 5\nprint r0.x\nprint r0.y\n' >group.gdb
run 0 gpucode debug -t a3xx --batch -x group.gdb group.a3xx
holds out 'r0.x = 2'
run 0 gpucode debug -t a3xx --batch -x group.gdb --local-size 8 --local-id r0.y group.a3xx
holds out 'r0.y = 5'
run 2 gpucode debug -t hwsq:nv50 --batch --local-size 2 shader.a3xx
# Memory after the run: three words from 0x1000 on, the last of them as the file had it.
cat >store.a3xx <<'TEXT'
ldg.f32 r1.x, g[r0.x+8], 1
(sy)add.f r2.x, r1.x, (1.0)
(rpt5)nop
stg.f32 g[r0.x], r2.x, 2
end
TEXT
printf '\0\0\0\0\0\0\0\0\0\0\0\100' >memory.bin
run 0 gpucode run -t a3xx store.a3xx --in r0.x=0x1000 --in r2.y=7 --memory 0x1000=memory.bin --dump 0x1000:3 --print r2.x --json
[ "$(tr -d ' ' <out)" = '{"stop":"end","killed":false,"slots":10,"instructions":5,"registers":{"r2.x":"0x40400000"},"dump":{"0x00001000":"0x40400000","0x00001004":"0x7","0x00001008":"0x40000000"}}' ] ||
    complain "run --dump --json: $(cat out)"
run 0 gpucode run -t a3xx store.a3xx --in r0.x=0x1000 --memory 0x1000=memory.bin --dump 0x1000:1 --dump 0x9000:1
holds out '[0x00001000] 0x40400000                3   1077936128'
holds out '[0x00009000] not mapped'
for wrong in r2.x 0x1000 0x1000: 0x1000:1x 0x100000000:1 0xfffffffc:2 0:1048577; do
    run 2 gpucode run -t a3xx store.a3xx --dump "$wrong"
    holds err 'ADDRESS:WORDS'
done
for other in --entry=1 --packet=CP_NOP --reg=x=1 --plot=x.svg --section=BR --oversize; do
    run 2 gpucode run -t a3xx store.a3xx "$other"
    holds err "option ${other%%=*} is not for a3xx code"
done
run 2 gpucode debug -t a3xx --batch --const c0=1 shader.a3xx
holds err "expected c0.x=VALUE"
run 2 gpucode debug -t hwsq:nv50 --batch --in r0.x=1 shader.a3xx
# what shaders take
mkdir before after
cp "$root"/examples/a3xx/*.asm before
gpucode schedule -O before/planet.asm -o after/planet.asm 2>err || complain "schedule: $(cat err)"
cp before/early.asm after
echo 'not a shader' >after/notes.txt
run 0 gpucode stats before/planet.asm
holds out 'instructions                83'
run 0 gpucode stats before/planet.asm after/planet.asm
holds out 'slots                      168        82       -86   -51.19%'
run 0 gpucode stats before after
holds out '2 shaders, 1 of them changed, 1 other file skipped'
holds out 'only in the first: floor.asm'
holds out '  1 helped, 0 hurt'
holds out 'planet.asm: instructions 83 -> 60, slots 168 -> 82'
lacks out 'early.asm:'
run 0 gpucode stats before after --json
holds out '"totals": [{"name": "instructions", "a": 87, "b": 64, "change": -23, "helped": 1, "hurt": 0}'
run 0 gpucode asm before/planet.asm -o planet.bin
run 0 gpucode stats -t a3xx planet.bin before/planet.asm
holds out '1 shader, 0 of them changed'
printf '.target ir3:a630\n(nop3) mul.f r2.x, r0.x, c1.x\nend\n' >one.asm
run 0 gpucode stats one.asm
holds out 'idle_slots                   3'
run 2 gpucode stats before after/planet.asm
holds err 'cli-stats-sides]'
run 2 gpucode stats "$root/examples/firmware"
holds err 'cli-stats-none]'
run 2 gpucode stats "$root/examples/firmware/a6xx.asm"
holds err 'cli-cannot]'
run 2 gpucode stats before/none.asm
# the example that the README mends
early=$root/examples/a3xx/early.asm
run 1 gpucode lint "$early"
[ "$(grep -c 'error:' out)" = 2 ] || complain "early.asm: $(cat out)"
run 0 gpucode run "$early" --in r0.x=4.0 --print r0.w --strict
holds out 'r0.w   0x40800000'
# names that a source declares
run 0 gpucode run "$early" --in x=4.0 --print x,x.w
holds out 'r0.x   0x40800000'
holds out 'r0.w   0x40808000'
run 2 gpucode run "$early" --in y=4.0
run 2 gpucode run "$early" --in x.q=4.0
run 0 gpucode schedule "$early" -o legal.asm
run 0 gpucode run legal.asm --in r0.x=4.0 --print r0.w --strict
holds out 'r0.w   0x40808000'
finish
