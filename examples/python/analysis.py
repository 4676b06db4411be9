# SPDX-License-Identifier: MIT
"""Shows the functions of a small firmware, and who writes one of its control registers."""
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

analysis = gpucode.Image(gpucode.assemble(SOURCE).bytes).analyse()
for function in analysis.functions():
    print(f"{function.name} at {function.start}: {function.block_count} blocks, depth {function.depth}")
for use in analysis.references():
    if use.space == gpucode.Space.CONTROL and use.has_value:
        print(f"word {use.unit} writes {use.value:#x} to control register {use.number:#x}")
