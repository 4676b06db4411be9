# SPDX-License-Identifier: MIT
"""One instruction: its fields, changed, what it does, and where a branch goes."""
import gpucode

USES = ["-", "reads", "writes", "reads and writes"]
SOURCE = "add $02, $03, 0x10"

target = gpucode.target("afuc:a630")
insn = target.parse(SOURCE)
print(f"{SOURCE} is {insn.bits:08x}")
for field in insn.fields:
    print(f"  {field.letter} = {field.value:#x}, a {field.kind} of {field.width} bits")
insn.set("i", 0x20)
print(f"{insn.text} is {insn.bits:08x}\n{insn.row.bits}")
for effect in insn.effects:
    print(f"  {USES[effect.use]} {target.space_name(effect.space)} register {effect.number}")
insn = target.parse("brne $02, b3, #l12")
print(f"{insn.text} may go to {insn.flow.target} after {insn.flow.delay_slots} delay slot")
for operand in insn.operands:
    print(f"  {insn.text[operand.start:operand.start + operand.length]}: {operand.kind}")
