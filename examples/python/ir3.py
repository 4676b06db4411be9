# SPDX-License-Identifier: MIT
"""How many registers a shader of a6xx takes, and how many waves that leaves room for."""
import gpucode

image = gpucode.assemble(".target ir3:a630\n(rpt1)mov.f32f32 r5.x, (r)r0.x\nend\n").image()
usage = image.ir3_usage()
print(f"{usage.shader.slots} slots, {usage.registers} vectors, {usage.waves} waves")
