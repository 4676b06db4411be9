# SPDX-License-Identifier: MIT
"""Where a pattern of instructions stands, one routine replaced, and names carried to what comes out."""
import gpucode

SOURCE = """[016ee002]
[#jumptbl]
call #level
mov $02, 0x2
CP_NOP:
waitin
mov $01, $data
level:
mov $03, 0x1
cwrite $03, [$00 + @IB_LEVEL]
ret
nop
jumptbl:
.jumptbl
"""

old = gpucode.assemble(SOURCE).image()
for match in old.outline().search("mov $x, *; cwrite $x, [* + @IB_LEVEL]"):
    print([insn["text"] for insn in match["instructions"]], match["bound"])
new = old.patch(CP_NOP="mov $04, 0x5\nwaitin\nmov $01, $data\n")
print(new.answer["routines"] if new.answer else None)
names, found = old.carry("* 0x6 set_level\n", new.image())
print(names.splitlines()[1], found["lost"])
