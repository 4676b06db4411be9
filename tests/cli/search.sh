#!/bin/sh
# SPDX-License-Identifier: MIT
# search: patterns over instructions of every set, along the ways that control may go.
. "$2/support/setting.sh"

cat >firmware.asm <<'END'
[016ee002]
[#jumptbl]
mov $02, 0x10
mov $addr, 0x81 << 24
brne $02, b1, #out
mov $03, $02
add $03, $03, $02
out:
cwrite $03, [$00 + @IB_LEVEL]
call #helper
nop
jump #helper
mov $04, 16
CP_NOP:
waitin
mov $01, $data
helper:
(rep)mov $data, $memdata
ret
nop
jumptbl:
.jumptbl
END
find()
{
    run 0 gpucode search firmware.asm "$@"
}
none()
{
    run 1 gpucode search firmware.asm "$@"
    holds err cli-no-match
}
count()
{
    if [ "$(grep -c '^ *0x' out)" != "$1" ]; then
        complain "expected $1 lines of instructions"
    fi
}
find 'mov $addr, *; ...'
holds out '   0x3  ' 'mov $addr, 0x81 << 24'
count 1
# a name is one register, a number one value
find 'mov ?d, 0x10'
holds out '?d = $02' '?d = $04'
count 2
find 'mov $x, *; add $x, $x, $y'
holds out '$x = $03, $y = $02'
none 'mov $x, *; add $y, $y, $y'
# a slot comes before or after its branch, and both ways are gone
find 'brne; mov; add'
find 'mov $03, $x; brne $x, *, *'
find 'brne; mov; cwrite $03, *'
find 'brne $02, b1, #out; mov; cwrite *, [* + @IB_LEVEL]'
find 'brne *, *, 0x7'
none 'brne; cwrite'
# what is in the slot of a jump runs before what it leads to
find 'jump #helper; mov $04, *; mov; ret'
find 'mov $04, *; jump; (rep)mov $data, *'
find 'mov $data, $memdata'
none '(sds2)mov $data, $memdata'
find 'call; ...1; jump'
none 'call; ...0; jump'
find 'mov*' --json
holds out '"bound": []' '"at_words": 2' '"file": "firmware.asm", "line": 3'
# a loop is gone round, a jump leaves what stands behind its slot, and a register that did not fit is forgotten
cat >ways.asm <<'END'
[016ee002]
[#jumptbl]
nop
mov $05, 0x1
mov $06, 0x2
cwrite $06, [$00 + @IB_LEVEL]
again:
add $07, $07, 0x1
sub $08, $08, 0x1
brne $08, 0x0, #again
xor $09, $09, 0x1
jump #there
nop
not $0a, $0a
there:
and $0b, $0b, 0x1
CP_NOP:
waitin
mov $01, $data
jumptbl:
.jumptbl
END
find_way()
{
    wanted=$1
    shift
    run "$wanted" gpucode search ways.asm "$@"
}
find_way 0 'nop; ...; mov $x, *; cwrite $x, *'
holds out '$x = $06'
count 3
find_way 0 'sub; brne; xor; add; sub'
find_way 0 'sub; xor; brne; jump'
find_way 0 'add; ...3; add'
find_way 1 'add; ...2; add'
find_way 1 'sub; add'
find_way 1 'xor; sub'
find_way 0 'jump; nop; and; waitin'
find_way 1 'jump; nop; not'
find_way 1 'jump; ...; not'
find_way 0 '...; not'
count 1
find_way 0 'cwrite; ...'
count 1

# names of a symbol file, and without
printf 'reg $03 level\n* 0x7 leave\n' >names.sym
find 'cwrite $03, *' --symbols names.sym
find 'cwrite $level, *' --symbols names.sym
find 'brne *, *, #leave' --symbols names.sym
printf 'reg $03 x\n' >short.sym
run 2 gpucode search firmware.asm 'mov $x, *' --symbols short.sym
holds err [pattern-register]

# other sets
printf '.target ir3:a6xx\n(sy)(ss)mov.u32u32 r0.x, 5\nadd.u r0.y, (neg)r0.x, c0.x\nbr p0.x, #out\nnop\nout:\nend\n' >shader.asm
run 0 gpucode search shader.asm 'mov.* $x, *; add.u *, $x, *'
holds out '$x = r0.x'
run 0 gpucode search shader.asm 'add.u; br; end'
printf '.target a3xx\nmul.f r0.x, r0.x, r0.x\n(rpt2)nop\nend\n' >early.asm
run 0 gpucode search early.asm 'mul.f $x, $x, $x; (rpt2)nop; end'
printf '.target hwsq:g94\ndata 0x1\naddr 0x100210\nexit\n' >script.hwsq
run 0 gpucode search script.hwsq 'data ?v; addr PFB.REFCTRL'
holds out '?v = 0x1'
run 0 gpucode search script.hwsq 'addr ?a' --json
holds out '"at_bytes": 5'
printf 'l: mov $r2 (add $r2 -1)\nexit branz $r2 #l\nsend $r2\n' >macro.mme
run 0 gpucode search -t mme:fermi macro.mme 'mov $x (add $x -1); branz $x *; send $x; mov'

# what is wrong with a pattern
run 2 gpucode search firmware.asm 'mvo $x, *'
holds err "<pattern>:1:1: error: there is no instruction 'mvo' [pattern-mnemonic]"
holds err 'hint: did you mean mov?'
refuses()
{
    run 2 gpucode search firmware.asm "$2"
    holds err "$1"
}
refuses '[pattern-empty]' ''
refuses '[pattern-empty]' ' ; ... ;'
refuses '[pattern-bracket]' 'mov [, 3'
refuses '[pattern-bracket]' 'mov (]'
refuses '[pattern-name]' 'mov ??, *'
refuses '[pattern-gap]' 'mov $x, *; ...x; nop'
refuses '[pattern-names]' "$(seq -f 'mov ?n%g, *;' 27)"
refuses '[pattern-long]' "$(yes 'nop;' | head -81)"
# the words of a step: mnemonic, and 127 more
refuses '[pattern-long]' "mov $(yes '$x ' | head -128 | tr -d '\n')"
none "mov $(yes '$x ' | head -127 | tr -d '\n')"
# a star is tried from each place on, and what did not fit behind it is read again
find 'c*te $03, *'
count 1
find '*write $03, *'
find 'c*w*t* $03, *'
find 'cwrite* $03, *'
none 'c*rt $03, *'
none '*wrt $03, *'
none 'c*te*x $03, *'
find 'CWRITE $03, *'
# what a name stands for may go on: shorter texts are tried before
find 'cwrite $03, [?x]'
holds out '?x = $00 + @IB_LEVEL'
find 'cwrite ?r, [?x + ?y]'
holds out '?r = $03, ?x = $00, ?y = @IB_LEVEL'
# a gap goes over 64 places, and from one place on no more than some thousand instructions are looked at
far()
{
    {
        printf '[016ee002]\n[#jumptbl]\n'
        seq -f 'mov $03, %.0f' "$1"
        printf 'add $04, $05, 0x%x\nadd $06, $07, 0x%x\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n' $(($1 - 1)) "$1"
    } >far.asm
}
far 15
run 0 gpucode search far.asm 'mov *, 0x1; ...; mov $03, ?a; ...; mov $03, ?b; ...; add $04, $05, ?a; add $06, $07, ?b'
holds out '?a = 0xe, ?b = 0xf'
far 50
run 0 gpucode search far.asm 'mov *, 0x1; ...; mov $03, ?a; ...; add $04, $05, ?a'
holds out '?a = 0x31'
run 1 gpucode search far.asm 'mov *, 0x1; ...; mov $03, ?a; ...; mov $03, ?b; ...; add $04, $05, ?a; add $06, $07, ?b'
holds err cli-no-match
# two gaps are one, and one at either end says nothing
find 'call; ...; ...; jump'
find '...; ...; call; ...'
none 'call; ...0; ...0; jump'
find 'call; ...0; ...1; jump'
run 2 gpucode search -t data firmware.asm 'nop'
finish
