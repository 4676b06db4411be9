#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual, and the copies of it in docs/manual/.
. "$2/support/setting.sh"

run 0 gpucode manual afuc cwrite
holds out '## cwrite'
holds out '* bits: `1010'
run 0 gpucode manual afuc -t afuc:a630 sread
holds out '## sread'
run 2 gpucode manual afuc -t afuc:a530 sread
run 0 gpucode manual --json afuc nop
holds out '"mnemonic": "nop"'
run 0 gpucode manual afuc
holds out '# AFUC instructions'
run 0 gpucode manual qrisc
holds out '# AFUC instructions'

# every name is found, in the chapters, the rows or the tables of names
for name in '$rem' '$00' rep '(rep)' xmov1 peek sds2 '!' @IB_LEVEL '|NRT_ADDR' %SP CP_REG_TO_MEM CP_SCRATCH'[0x2]'.REG BR LPAC \
    'delay slots' 'dense switch' 'jump table' '(xmovN)' '(sdsN)' WAIT_GPU_IDLE CP_SCRATCH_REG mov boot preemption levels CARRY SET_BIT_TO sources banks CP_PROTECT ABI '$memdata'; do
    run 0 gpucode manual afuc "$name"
done
for name in STATUS ENTRY_POINT FLAGS HWSQ_ENABLE PFB.CFG0 FB_PAUSE HEAD0_VBLANK slots waits 'code RAM' PTIMER PEEPHOLE DEBUG_6; do
    run 0 gpucode manual hwsq "$name"
done
for name in rpt '(ss)' .lt 'category 4' delays 'relative addressing' a0.x mova const cls.s; do
    run 0 gpucode manual a3xx "$name"
done
# a mnemonic without its suffixes, or with those of an operand
for isa in a3xx ir3; do
    run 0 gpucode manual $isa mov
    [ "$(grep -c '^## mov\.' out)" -ge 6 ] || complain "moves are missing: $isa"
    lacks out '## mova'
    run 0 gpucode manual $isa cov.f32u16
    holds out '## cov'
    run 0 gpucode manual --json $isa mov
    holds out '"MOV_F32"'
    run 2 gpucode manual $isa end.f32
done
run 0 gpucode manual afuc CP_SCRATCH_REG
holds out '`CP_SCRATCH_REG[0]`'
run 0 gpucode manual mme METHOD
run 2 gpucode manual afuc IB_LEVL
holds err "did you mean 'IB_LEVEL'?"
run 2 gpucode manual afuc CP_REG_TO_MME
holds err "did you mean 'CP_REG_TO_MEM'?"
run 2 gpucode manual afuc cp_reg_to_mme
holds err "did you mean 'CP_REG_TO_MEM'?"
run 2 gpucode manual afuc PFB.CFG0

# forms as they are written, bytes in their order, policies by the names that --policy takes
run 0 gpucode manual afuc add
holds out '### `(rep)(xmovN)(peek)add $dst, $src1, $src2`'
run 0 gpucode manual hwsq wait
holds out '### `wait LENGTH shl SHIFT`'
run 0 gpucode manual hwsq addr
holds out '`11100000 aaaaaaaa aaaaaaaa aaaaaaaa aaaaaaaa`'
run 0 gpucode manual afuc shl
holds out 'policy `afuc-shift`'
for isa in afuc hwsq a3xx mme; do
    run 0 gpucode manual $isa
    checks=$((checks + 1))
    grep -q '[#]## `.*{[a-zA-Z]}' out && complain "$isa: a letter has no written form"
    for policy in $(grep -o "\b\(afuc\|hwsq\|a3xx\|mme\)-[a-z0-9-]*" out | grep -vE -e '-(disasm|text|asm|machine)$' | sort -u); do
        checks=$((checks + 1))
        # a row of policies.def has the name without the set; that of the shaders' family has those of each generation
        rows=$(echo "${policy%%-*}" | sed 's/a3xx/ir3/')
        rows=$(find "$root/src/isa" -path "*/$rows/machine/policies.def")
        grep -rq "\"$policy\"" "$root/src/isa" || grep -qE "^[A-Z]+\(\"${policy#*-}\"," ${rows:-/dev/null} ||
            complain "$isa: there is no policy or message $policy"
    done
    run 0 gpucode manual --man $isa
    checks=$((checks + 1))
    diff -q out "$root/docs/gpucode-$isa.7" || complain "docs/gpucode-$isa.7 is old: gpucode manual --man $isa > docs/gpucode-$isa.7"
done
run 0 gpucode manual --json afuc peek
holds out '"text": '

compared=0
for page in "$root"/docs/manual/*.md; do
    [ -e "$page" ] || continue
    isa=$(basename "$page" .md)
    run 0 gpucode manual "$isa"
    checks=$((checks + 1))
    diff -u "$page" out || complain "docs/manual/$isa.md is old: gpucode manual $isa > docs/manual/$isa.md"
    compared=$((compared + 1))
done
echo "$compared pages compared"
# registers by number, values as fields, packets with theirs
run 0 gpucode manual afuc 0x8820
holds out '* `RB_MRT[0].CONTROL`: what: GPU register; number: 0x8820'
holds out '| `6:3` | ROP_CODE | named values |'
run 0 gpucode manual afuc 'RB_MRT[0].CONTROL=0x780'
holds out 'GPU register 0x8820 on a6xx, a7xx, a8xx.'
holds out '| `10:7` | COMPONENT_ENABLE | 0xf |'
run 0 gpucode manual -t afuc:a6xx afuc 0x8820=0x780
lacks out '0xe150'
run 0 gpucode manual afuc @0x12
holds out '@IB1_DWORDS'
run 0 gpucode manual a3xx RB_RENDER_CONTROL=0x2000
holds out '| `13:13` | ENABLE_GMEM | set |'
run 0 gpucode manual afuc CP_DRAW_INDX_OFFSET
holds out '| 0 | `11:10` | INDEX_SIZE | named values (a4xx_index_size) |'
holds out '| 2 | `31:0` | NUM_INDICES | number |'
run 0 gpucode manual afuc CP_SET_BIN_BASE_OFFSET
holds out '* `CP_SET_BIN_BASE_OFFSET`: what: packet, also CP_SET_DRAW_INIT_FLAGS; number: 0x4b;'
run 0 gpucode manual afuc CP_SET_DRAW_STATE=0x20002,0x1000,0
holds out '| 0 | COUNT | 2 |'
holds out '| 1 | ADDR | 0x1000 |'
run 0 gpucode manual hwsq PBUS.HWSQ.STATUS=0x1234
holds out '| `7:0` | A_IP | 0x34 |'
run 0 gpucode manual -t hwsq:g84 hwsq 0x1314=0x10001
holds out '| `16:16` | OVERRIDE_FLAG_16 | set (FB_PAUSE) |'
run 2 gpucode manual afuc 0x8820=
run 2 gpucode manual afuc 0x8820=0x100000000
run 2 gpucode manual afuc 0x3ffff
# case, and what is near
run 0 gpucode manual AFUC cp_draw_indx_offset
holds out 'NUM_INDICES'
run 0 gpucode manual hwsq pfb.cfg0
holds out '0x100200'
run 0 gpucode manual afuc 'rb_mrt[0].control=0x780'
holds out 'COMPONENT_ENABLE'
run 2 gpucode manual afuc DRAW_INDX
holds err 'names with that in them: CP_DRAW_INDX, CP_DRAW_INDX_INDIRECT, CP_DRAW_INDX_OFFSET'
# policies
run 0 gpucode manual policies
holds out '# Policies of afuc'
holds out '### `mme-carry=full|mesa`'
run 0 gpucode manual mme policies
lacks out 'afuc'
run 0 gpucode run --policy help
holds out '# Policies of hwsq'
run 0 gpucode run --policy help "$root/examples/hwsq/reclock.hwsq"
lacks out 'mme-'
run 0 gpucode lint -t hwsq:nv50 --policy help
holds out '## Limits of `lint`'
run 2 gpucode manual data policies
finish
