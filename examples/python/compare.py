# SPDX-License-Identifier: MIT
"""What an update of a small firmware changed."""
import gpucode
from gpucode.analysis import change_name

HEADER, TABLE, NOP = "[016ee002]\n[#jumptbl]\n", "jumptbl:\n.jumptbl\n", "CP_NOP:\nwaitin\nmov $01, $data\n"
BEFORE = HEADER + "call #level\nnop\n" + NOP + "level:\nand $02, $12, 0x3\nret\nnop\n" + TABLE
AFTER = HEADER + "mov $03, 0x1\ncall #level\nnop\n" + NOP + "level:\nand $02, $12, 0x7\nret\nnop\n" + TABLE

old, new = (gpucode.Image(gpucode.assemble(source).bytes).analyse() for source in (BEFORE, AFTER))
comparison = gpucode.compare(old, new)
names = [function.name for function in new.functions()]
for function in next(iter(comparison)).functions:
    print(f"{names[function.function[1]]}: {change_name(function.change)}")
for edit in comparison.edits:
    print(f"{edit.text}, {edit.count} times")
