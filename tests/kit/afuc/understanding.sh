#!/bin/sh
# SPDX-License-Identifier: MIT
# graph, xref, lint and privileges of AFUC firmware from the command line.
. "$2/support/setting.sh"

# mask of the level: firmware that changes page tables for whom the mask takes for the ring
firmware()
{
    cat <<END
[01730001]
[#jumptbl]
start:
    mov \$02, #preempt
    swrite \$02, [\$00 + %PREEMPT_INSTR]
CP_NOP:
    (rep)mov \$00, \$data
done:
    waitin
    mov \$01, \$data
preempt:
    iret
    nop
CP_SMMU_TABLE_UPDATE:
    and \$02, \$12, $1
    brne \$02, 0x0, #CP_NOP
    nop
    mov \$addr, CP_CONTEXT_SWITCH_SMMU_INFO
    call #two
    nop
    jump #done
    nop
two:
    mov \$data, \$data
    mov \$data, \$data
    ret
    nop
jumptbl:
    .jumptbl
END
}
firmware 0x3 >narrow.asm
firmware 0x7 >right.asm

# --- graph
run 0 gpucode graph right.asm
holds out 'CP_SMMU_TABLE_UPDATE: handler at 0x9, depth 1'
holds out 'brne $02, 0x0, #CP_NOP'
run 0 gpucode graph --kind=calls --format=dot --function CP_SMMU_TABLE_UPDATE right.asm -o calls.dot
holds calls.dot 'label=<CP_SMMU_TABLE_UPDATE>'
holds calls.dot 'label=<two>'
lacks calls.dot 'label=<boot>'
run 0 gpucode graph --format=dot right.asm
holds out '-> b0_3_12 [color="#c62828"]'
holds out '13&#160;&#160;</FONT>call #two<'
holds out '14&#160;&#160;&#160;&#160;</FONT>nop<'
holds out '&#8594; next packet'
holds out '&#8594; return'
run 0 gpucode graph --kind=handlers --format=json right.asm
holds out '"kind": "handler"'
lacks out '"kind": "boot"'
run 0 gpucode graph --json --function two right.asm
holds out '"name": "fxn17"'
run 2 gpucode graph --function nothing right.asm
holds err cli-place
printf '\177' >script
run 2 gpucode graph -t hwsq:g94 script
holds err cli-no-branches
if command -v dot >/dev/null; then
    run 0 dot -Tsvg calls.dot
fi

# --- xref
run 0 gpucode xref right.asm two
holds out 'call #two'
run 0 gpucode xref --json right.asm CP_CONTEXT_SWITCH_SMMU_INFO
holds out '"function": "fxn17", "packets": ["CP_SMMU_TABLE_UPDATE"]'
holds out '"via": "addr"'
run 0 gpucode xref --json right.asm %PREEMPT_INSTR
holds out '"value": "0x7"'
run 1 gpucode xref right.asm memory
run 0 gpucode xref --json right.asm '$12'
holds out '"at_words": 9'
run 0 gpucode xref --json right.asm 'preempt'
holds out '"access": "address"'
# a register that is only known in part: it may be another one
printf '.target afuc:a630\n[016ee001]\n[#jumptbl]\nCP_NOP:\nmov $02, $data\ncwrite $03, [$02 + @IB1_BASE]\ncread $05, [$00 + @IB1_BASE]\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n' >part.asm
run 0 gpucode xref part.asm @IB1_BASE
holds out 'cwrite $03, [$02 + @IB1_BASE]  plus something unknown'
lacks out 'cread $05, [$00 + @IB1_BASE]  plus'
run 0 gpucode xref --json part.asm @IB1_BASE
holds out '"text": "cwrite $03, [$02 + @IB1_BASE]", "number": "0x10", "exact": false'
lacks out '"exact": true'
run 2 gpucode xref right.asm @NO_SUCH
holds err "right.asm: error: there is no '@NO_SUCH' here [cli-place]"
lacks err 'hint:'
# a label of code that no known path leads to
printf '.target afuc:a630\n[016ee001]\n[#t]\njump #a\nnop\nlost:\njump #lost\nnop\na: waitin\nmov $01, $data\n.align 32\nt:\n.jumptbl\n' >lost.asm
for command in graph disasm; do
    run 2 gpucode $command --function lost lost.asm
    holds err "lost.asm: error: no function is known at 'lost' [cli-no-function]"
    run 2 gpucode $command --function lots lost.asm
    holds err "lost.asm: error: there is no 'lots' here [cli-place]"
done
for words in '%PREMPT_INSTR %PREEMPT_INSTR' '@IB1_BASF @IB1_BASE' 'CP_NOPE CP_NOP' 'twoo two'; do
    run 2 gpucode xref right.asm "${words% *}"
    holds err "hint: did you mean ${words#* }?"
done
run 2 gpucode xref right.asm l999
holds err 'info --calls'
run 1 gpucode xref right.asm '$19'
holds err "right.asm: note: no known use of '\$19' [cli-no-reference]"
[ ! -s out ] || complain 'xref: nothing uses it, and something is listed'

# --- lint: the public case, its twin, and what is passed over
run 1 gpucode lint --json narrow.asm --ignore afuc-lint-table-hole
holds out '"code": "afuc-priv-mask"'
holds out '"function": "CP_SMMU_TABLE_UPDATE"'
run 1 gpucode lint narrow.asm
holds out 'afuc-priv-dominator'
holds out 'narrow.asm:15:'
# a packet alone, and all that have one entry
holds out 'the table sends UNKN0 and 125 more packets to word 0x0'
run 0 gpucode lint right.asm --ignore afuc-lint-table-hole
run 0 gpucode lint narrow.asm --ignore afuc-lint-table-hole,afuc-priv-mask --ignore afuc-priv-dominator
run 2 gpucode lint narrow.asm --ignore afuc-priv-musk
holds err cli-code
sed 's/^    and .*/& ; lint: ignore afuc-priv-mask/; s/^    mov .data, .data$/& ; lint: ignore/' narrow.asm >passed.asm
run 0 gpucode lint passed.asm --ignore afuc-lint-table-hole
for name in a6xx a7xx preempt; do
    run 0 gpucode lint "$root/examples/firmware/$name.asm" --json
    lacks out '"error"'
    lacks out '"warning"'
done

# --- privileges
run 0 gpucode info --privileges right.asm
grep -q '^CP_SMMU_TABLE_UPDATE  *S  *-  *-  *-  *- *$' out || complain 'privileges of the right one'
run 0 gpucode info --privileges --json narrow.asm
holds out '"packet": "CP_SMMU_TABLE_UPDATE", "opcode": "0x53", "level": "SDS", "effects": ["page-table"]'
holds out '"packet": "CP_SMMU_TABLE_UPDATE", "opcode": "0x53", "level": "IB1", "effects": ["none"]'
run 1 gpucode diff --privileges narrow.asm right.asm
grep -q '^BR   CP_SMMU_TABLE_UPDATE  *S  *-  *-  *-  *S *$' out || complain 'privileges of the narrow one'
run 1 gpucode diff --privileges --json narrow.asm right.asm
holds out '"old": ["page-table"], "new": ["none"]'
run 0 gpucode diff --privileges right.asm right.asm
holds out 'no packet can do more or less than before'
run 0 gpucode diff --privileges --json right.asm right.asm
[ ! -s out ] || complain 'privileges: JSON of no difference'
sed 's/01730001/016ee002/' right.asm >early.asm
run 2 gpucode diff --privileges right.asm early.asm
holds err cli-other-levels
printf '.target afuc:a5xx\nnop\n' >first.asm
run 2 gpucode info --privileges first.asm
holds err cli-no-levels

# --- functions that share more than anybody could list
{
    printf '[01730001]\n[#jumptbl]\n'
    i=0
    while [ $i -lt 1100 ]; do
        echo "call #f$i"
        echo nop
        i=$((i + 1))
    done
    printf 'CP_NOP:\nwaitin\nmov $01, $data\n'
    i=0
    while [ $i -lt 1100 ]; do
        printf 'f%d:\njump #shared\nnop\n' $i
        i=$((i + 1))
    done
    echo shared:
    i=0
    while [ $i -lt 1100 ]; do
        printf 'brne $02, b1, #out\nnop\n'
        i=$((i + 1))
    done
    printf 'out:\nret\nnop\njumptbl:\n.jumptbl\n'
} >tangled.asm
run 2 gpucode graph tangled.asm
holds err cli-tangled
run 2 gpucode lint tangled.asm
holds err cli-tangled
finish
