# SPDX-License-Identifier: MIT
"""What a shader uses, as text, and an input with which another one does something else."""
import gpucode

first, second = (gpucode.assemble(text + "\nend\n", "ir3:a750").image() for text in ("max.s r1.x, r0.x, c0.x", "max.u r1.x, r0.x, c0.x"))
print(gpucode.ask("shader_usage_tell", first).text(), end="")
print(gpucode.Machine(first).compare(gpucode.Machine(second), runs=1000).text(), end="")
