#!/bin/sh
# SPDX-License-Identifier: MIT
# info --privileges: what code tells and what runs show, on the example firmware and on one with a mask too narrow.
. "$2/support/setting.sh"
firmware=$root/examples/firmware

# --- the whole tables, of which docs/privileges.md has parts
for name in a6xx a7xx; do
    run 0 gpucode info --privileges "$firmware/$name.asm"
    golden "privileges-$name" 'PKT4                                 r' "the firmware's own packets lead to IB1, IB2"
done

# --- the class of CVE-2025-21479: page tables guarded by a mask with one bit too few, in a firmware of many packets
cp "$firmware"/*.asm .
cat >seeded.asm <<'END'
; May the sender do what only the kernel may? The result is 0 in $02 for the ring.
CP_SMMU_TABLE_UPDATE:
    and $02, $12, LEVEL_MASK
    brne $02, 0x0, #skip_payload
    nop
    mov $addr, CP_CONTEXT_SWITCH_SMMU_INFO
    mov $data, $data
    jump #skip_payload
    mov $data, $data
; The same asked of the hardware, in a routine.
CP_SET_SECURE_MODE:
    call #ask_level
    nop
    breq $02, 0x0, #chosen
    nop
    jump #skip_payload
    nop
chosen:
    mov $addr, $data
    jump #skip_payload
    mov $data, $data
ask_level:
    cread $02, [$00 + @IB_LEVEL]
    ret
    and $02, $02, LEVEL_MASK
END
for mask in 3 7; do
    { printf '.equ LEVEL_MASK, 0x%s\n' $mask; cat a7xx.asm; } |
        sed '/^\.include "a7xx-threads.asm"/a .include "seeded.asm"' >"mask$mask.asm"
done
run 0 gpucode info --privileges mask3.asm
grep -q '^CP_SMMU_TABLE_UPDATE  *S  *-  *-  *-  *S$' out || complain 'the narrow mask'
grep -q '^CP_SET_SECURE_MODE  *R  *-  *-  *-  *R$' out || complain 'the narrow mask in a routine'
run 0 gpucode info --privileges mask7.asm
grep -q '^CP_SMMU_TABLE_UPDATE  *S  *-  *-  *-  *-$' out || complain 'the wide mask'
grep -q '^CP_SET_SECURE_MODE  *R  *-  *-  *-  *-$' out || complain 'the wide mask in a routine'
# led there by packets: nobody keeps $12 in the example firmware, so that a guard that asks it lets all through; the one
# that asks the hardware holds
export COLUMNS=120 # that no line is broken
run 0 gpucode info --privileges mask7.asm
holds out "CP_SMMU_TABLE_UPDATE at IB1, IB2, IB3, SDS: S where the firmware's own packets lead there, - where it is put there"
lacks out 'CP_SET_SECURE_MODE at'
holds out "the firmware's own packets lead to IB1, IB2, IB3, SDS"
run 0 gpucode info --privileges --json mask7.asm
grep '"packet": "CP_SMMU_TABLE_UPDATE".*"level": "IB2"' out | grep -q '"seen": \["none"\], "led": \["page-table"\], "put": \["none"\]}' ||
    complain 'led'
grep '"packet": "CP_SMMU_TABLE_UPDATE".*"level": "RB"' out | grep -q '"led": null, "put": null}' || complain 'the ring'
mkdir keeps && cp ./*.asm keeps
sed 's/^    cwrite $06, \[$00 + @IB_LEVEL\]/    mov $12, $06\n&/' a7xx-buffers.asm >keeps/a7xx-buffers.asm
run 0 gpucode info --privileges keeps/mask7.asm
holds out "CP_SMMU_TABLE_UPDATE at SDS: S where the firmware's own packets lead there, - where it is put there"
# firmware that skips buffers is not led anywhere
mkdir skips && cp ./*.asm skips
sed 's/^CP_INDIRECT_BUFFER:/&\n    jump #skip_payload\n    nop/' a7xx-buffers.asm >skips/a7xx-buffers.asm
run 0 gpucode info --privileges skips/mask7.asm
holds out "the firmware's own packets lead to SDS"
run 1 gpucode lint mask3.asm
holds out afuc-priv-mask
holds out '    packets: CP_SET_SECURE_MODE'
run 1 gpucode lint --json mask3.asm
grep '"code": "afuc-priv-mask"' out | grep -q '"packets": \["CP_SET_SECURE_MODE"\]' || complain 'packets of a finding'
run 0 gpucode explain afuc-priv-mask
holds out 'found (afuc:a730):'
holds out '        and $02, $12, 0x3'
holds out '        and $02, $12, 0x7'
run 0 gpucode explain --json afuc-priv-mask
holds out '"example_found": "CP_WAIT_FOR_IDLE:\nand $02, $12, 0x3'
run 1 gpucode lint mask3.asm
holds out afuc-priv-dominator
run 0 gpucode lint mask7.asm
run 1 gpucode diff --privileges mask3.asm mask7.asm
golden privileges-diff 'CP_SMMU_TABLE_UPDATE' ' now '
holds out 'CP_SET_SECURE_MODE'
lacks out 'CP_MEM_WRITE'
run 1 gpucode diff --privileges --json mask3.asm mask7.asm
holds out '"level": "SDS", "old": ["page-table"], "new": ["none"], "old_seen": ["page-table"], "new_seen": ["none"]'
run 1 gpucode diff mask3.asm mask7.asm
holds out '0x3 -> and'

# --- a packet that differs in two ways: a line for each, with the levels that have it
mkdir ways && cp ./*.asm ways
cat >ways/seeded.asm <<'END'
CP_SMMU_TABLE_UPDATE:
    and $02, $12, LEVEL_MASK
    brne $02, 0x0, #skip_payload
    nop
    cread $02, [$00 + @IB_LEVEL]
    nop
    and $02, $02, LEVEL_MASK
    breq $02, 0x2, #second
    nop
    mov $addr, CP_CONTEXT_SWITCH_SMMU_INFO
    mov $data, $data
    jump #skip_payload
    mov $data, $data
second:
    mov $addr, $data
    jump #skip_payload
    mov $data, $data
END
run 0 gpucode info --privileges ways/mask7.asm
for where in 'IB1, IB3, SDS: S' 'IB2: R'; do
    holds out "CP_SMMU_TABLE_UPDATE at $where where the firmware's own packets lead there, - where it is put there"
done

# --- the text is that of the data
for file in mask3 mask7 keeps/mask7 skips/mask7 ways/mask7; do
    gpucode info --privileges $file.asm >text
    gpucode info --privileges --json $file.asm >data
    python3 - <<'END' || complain "the text of $file"
import json, re
cells = {}
for line in open("data"):
    row = json.loads(line)
    cells.setdefault(row["section"], {}).setdefault(row["packet"], {})[row["level"]] = row
letters = {"register-any": "R", "page-table": "S", "register": "r", "memory": "m", "none": ""}
def shown(effects):
    return "".join(sorted((letters[effect] for effect in effects), key="RSrm".index)) or "-"
def cell(row):
    can, did = (set(row[key]) - {"none"} for key in ("effects", "seen"))
    parts = [shown(can & did), "(" + shown(can - did) + ")", "+" + shown(did - can)]
    return "".join(part for part in parts if "-" not in part) or "-"
def close():
    led = [level for level in levels if any(row[level]["led"] is not None for row in packets.values())]
    wanted = []
    for name in named:
        ways = {}
        for level, row in packets[name].items():
            if row["led"] is not None and row["led"] != row["put"]:
                ways.setdefault((shown(row["led"]), shown(row["put"])), []).append(level)
        wanted += [f"{name} at {', '.join(where)}: {there} where the firmware's own packets lead there, "
                   f"{put} where it is put there" for (there, put), where in ways.items()]
    wanted += ["the firmware's own packets lead to " + ", ".join(led)] * bool(led)
    assert told == wanted, (told, wanted)
sections, packets, levels, named, told = 0, {}, {}, [], []
for line in open("text"):
    line = line.rstrip("\n")
    if line in cells:
        close()
        sections, packets, named, told = sections + 1, cells[line], [], []
        levels = next(iter(packets.values()))
    elif line.startswith(" "):
        assert line.split() == list(levels), line
    elif " lead " in line:
        told.append(line)
    elif m := re.fullmatch(r"(\S+)(?: and \d+ more)?  +((?:[-RSrm+()]+ *)+)", line):
        named.append(m[1])
        assert m[2].split() == [cell(row) for row in packets[m[1]].values()], line
close()
assert sections == len(cells), sections
END
done

# --- what the two ways do not have in common: a path that no payload takes; a register that stepping comes to
cat >differ.asm <<'END'
[01730001]
[#jumptbl]
    nop
CP_NOP:
    (rep)mov $00, $data
done:
    waitin
    mov $01, $data
CP_WAIT_FOR_IDLE:
    mov $02, $data
    mul8 $02, $02, $02
    brne $02, 0x3, #done
    nop
    mov $addr, CP_SCRATCH[0].REG
    mov $data, $data
    jump #done
    nop
CP_WAIT_FOR_ME:
    mov $addr, CP_CONTEXT_SWITCH_SMMU_INFO - 1
    (rep)mov $data, $data
    jump #done
    nop
jumptbl:
    .jumptbl
END
run 0 gpucode info --privileges differ.asm
grep -q '^CP_WAIT_FOR_IDLE  *(r)  *(r)  *(r)  *(r)  *(r)$' out || complain 'a path that no run takes'
grep -q '^CP_WAIT_FOR_ME  *r+S  *r+S  *r+S  *r+S  *r+S$' out || complain 'a register that stepping comes to'
run 0 gpucode info --privileges --json differ.asm
holds out '"level": "RB", "effects": ["register"], "seen": ["page-table", "register"]'
holds out '"effects": ["register"], "seen": ["none"]'
sed 's/^    nop$/    mov $02, $data/' differ.asm >stuck.asm
run 0 gpucode info --privileges stuck.asm
holds out 'BR does not boot by itself'
run 0 gpucode info --privileges --json stuck.asm
holds out '"seen": null'
# --- '!' writes back to the register of that number: to $data, which is a write of the register that was chosen
cat >back.asm <<'END'
.target afuc:a730
[01730001]
[#jumptbl]
nop
CP_NOP:
    mov $addr, 0x883
    load $02, [$data + 0x4]!
    waitin
    mov $01, $data
CP_ME_INIT:
    mov $addr, 0x883
    load $02, [$data + 0x4]
    waitin
    mov $01, $data
CP_WAIT_FOR_IDLE:
    mov $addr, 0x883
    mov $data, $data
    waitin
    mov $01, $data
jumptbl:
.jumptbl
END
run 0 gpucode asm back.asm -o back.fw
run 0 gpucode info --privileges back.fw
tr -s ' ' <out >rows
holds rows 'CP_NOP r r r r r' 'CP_ME_INIT - - - - -' 'CP_WAIT_FOR_IDLE r r r r r'
# --- the first and last of the registers that write memory and of those of page tables, and what is beside them; code and
# runs say the same
{
    printf '%s\n' '.target afuc:a730' '[01730001]' '[#jumptbl]' nop waitin 'mov $01, $data'
    while read -r name register value; do
        printf '%s:\n mov %s, %s\n mov $data, $data\n waitin\n mov $01, $data\n' "$name" "$register" "$value"
    done <<'END'
CP_NOP $addr 0x9fff << 16
CP_ME_INIT $addr 0xa000 << 16
CP_WAIT_FOR_IDLE $addr 0xa2ff << 16
CP_WAIT_FOR_ME $addr 0xa300 << 16
CP_INTERRUPT $usraddr 0xa100 << 16
CP_SET_SECURE_MODE $usraddr $data
CP_SMMU_TABLE_UPDATE $usraddr CP_CONTEXT_SWITCH_SMMU_INFO
CP_MEM_TO_REG $addr CP_CONTEXT_SWITCH_SMMU_INFO - 1
CP_MEM_WRITE $addr CP_CONTEXT_SWITCH_SMMU_INFO
CP_REG_RMW $addr CP_CONTEXT_SWITCH_SMMU_INFO + 1
CP_REG_TO_MEM $addr CP_CONTEXT_SWITCH_SMMU_INFO + 2
END
    printf '%s\n' jumptbl: .jumptbl
} >beside.asm
run 0 gpucode info --privileges beside.asm
tr -s ' ' <out >rows
holds rows 'CP_NOP - - - - -' 'CP_ME_INIT m m m m m' 'CP_WAIT_FOR_IDLE m m m m m' 'CP_WAIT_FOR_ME - - - - -' \
    'CP_INTERRUPT m m m m m' 'CP_SET_SECURE_MODE r r r r r' 'CP_SMMU_TABLE_UPDATE r r r r r' 'CP_MEM_TO_REG r r r r r' \
    'CP_MEM_WRITE S S S S S' 'CP_REG_RMW S S S S S' 'CP_REG_TO_MEM r r r r r'
# --- ways of a word of the packet to $addr, and constants that take its place
{
    printf '%s\n' '.target afuc:a730' '[01730001]' '[#jumptbl]' nop waitin 'mov $01, $data'
    while IFS='|' read -r name code; do
        printf '%s:\n%s\nmov $data, 0x1\nwaitin\nmov $01, $data\n' "$name" "$(echo "$code" | tr ';' '\n')"
    done <<'END'
CP_NOP|mov $02, $data;mov $03, $02;mov $19, $03;mov $addr, $19
CP_ME_INIT|mov $02, $data;mov $02, 0x883;mov $addr, $02
CP_WAIT_FOR_IDLE|mov $02, $data;mov $03, 0x1;add $04, $02, $03;mov $addr, $04
CP_WAIT_FOR_ME|mov $02, $data;mov $03, 0x1;add $04, $03, $02;mov $addr, $04
CP_INTERRUPT|mov $02, $data;mov $03, 0x883;add $04, $03, $03;mov $addr, $04
CP_SET_SECURE_MODE|mov $lr, $data;mov $addr, $lr
CP_SMMU_TABLE_UPDATE|mov $lr, $data;bl #here;nop;mov $addr, $lr
CP_MEM_TO_REG|mov $03, $data;load $02, [$03 + 0x4]!;mov $addr, $03
CP_MEM_WRITE|mov $03, 0x880;load $02, [$03 + 0x4]!;mov $addr, $03
CP_REG_RMW|mov $02, $data;mov $03, 0x883;mov $addr, $03;mov $04, $02
CP_REG_TO_MEM|mov $00, $data;mov $addr, $00
CP_DRAW_INDX|mov $03, $data;mov $02, 0x1;bfi $03, $02, b0, b3;mov $addr, $03
CP_DRAW_AUTO|mov $03, 0x880;mov $02, 0x1;bfi $03, $02, b0, b3;mov $addr, $03
CP_COND_EXEC|mov $03, 0x883;(rep)mov $03, $data;mov $addr, $03
END
    printf '%s\n' 'here: sret' nop jumptbl: .jumptbl
} >flow.asm
run 0 gpucode info --privileges flow.asm
tr -s ' ' <out >rows
for name in NOP WAIT_FOR_IDLE WAIT_FOR_ME SET_SECURE_MODE MEM_TO_REG DRAW_INDX; do
    holds rows "CP_$name R R R R R"
done
for name in ME_INIT INTERRUPT SMMU_TABLE_UPDATE MEM_WRITE REG_RMW REG_TO_MEM DRAW_AUTO; do
    holds rows "CP_$name r r r r r"
done
holds rows 'CP_COND_EXEC R+r R+r R+r R+r R+r' # where no word is left the constant stays
finish
