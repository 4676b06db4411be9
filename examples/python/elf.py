# SPDX-License-Identifier: MIT
"""A program as an ELF file, and its code taken out of that again."""
import gpucode

SOURCE = """.target afuc:a630
start:
	mov $02, 0x1
	jump #start
	nop
"""

program = gpucode.assemble(SOURCE, file="start.asm")
made = program.elf("start.asm")
print(f"begins with {made[0]:02x} {made[1:4].decode()}")
target, code = gpucode.read_elf(made, "start.elf")
print(f"{len(code)} bytes for {target.name}")
print("the same as the program's" if code == program.bytes else "others than the program's")
