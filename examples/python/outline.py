# SPDX-License-Identifier: MIT
"""The outline of a small firmware: its routines, and each unit with its labels."""
import gpucode

SOURCE = """[016ee001]
[01000000]
call #add_one
nop
waitin
mov $01, $data
add_one: ret
add $02, $02, 0x1
"""

outline = gpucode.Image(gpucode.assemble(SOURCE).bytes).outline()
for routine in outline.routines:
    print(f"{routine.name}: {routine.count} units")
for unit in outline:
    labels = "".join(f"{label} " for label in unit.labels)
    print(f"{labels}{unit.at} {unit.bits:08x} {'code' if unit.kind == gpucode.UnitKind.CODE else 'data'} {unit.text}")
