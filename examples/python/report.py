# SPDX-License-Identifier: MIT
"""Prints who calls a routine of a small firmware, as text and as JSON."""
import gpucode

SOURCE = """[016ee002]
[#jumptbl]
call #level
mov $02, 0x2
CP_NOP:
waitin
mov $01, $data
level:
cwrite $02, [$00 + @IB_LEVEL]
ret
nop
jumptbl:
.jumptbl
"""

program = gpucode.assemble(SOURCE, lines=False)
image = program.image()
answer = gpucode.ask("report_references", {"image": image, "analysis": image.analyse(), "program": program}, "level")
print(answer.text(), end="")
print(answer.json(), end="")
