# SPDX-License-Identifier: MIT
"""How many registers and issue slots a shader takes, and what a run of it costs."""
import gpucode

TEXT = """.target a3xx
(rpt1)add.f r0.x, (r)r1.x, c0.x
(rpt5)nop
rcp r2.x, r0.x
(ss)mov.f32f32 r2.y, r2.x
end
"""

image = gpucode.assemble(TEXT).image()
usage = image.usage()
print(f"{usage.instructions} instructions, {usage.slots} slots, {usage.full.components} full components, {usage.consts} constants")
cycles, machine = gpucode.Cycles(image), image.machine()
machine.hook(gpucode.EventKind.INSN, cycles.see)
machine.run(1000)
cost = cycles.of(2**64 - 1)
print(f"{cost.slots} issue slots, {cost.ss} more for (ss)")
