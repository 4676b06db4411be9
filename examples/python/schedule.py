# SPDX-License-Identifier: MIT
"""Puts the delay between a result and its use."""
import gpucode

# mul.f r0.x, r1.x, r1.y; rcp r0.y, r0.x; end
SHADER = bytes([4, 0, 5, 0, 0, 0, 0x70, 0x40, 0, 0, 0, 0, 1, 0, 0x10, 0x80, 0, 0, 0, 0, 0, 0, 0, 3])

scheduled = gpucode.Image(SHADER, "a3xx").schedule()
print(f"{scheduled.slots} slots, {scheduled.slots_before} before")
print(gpucode.disassemble(scheduled.bytes, "a3xx"), end="")
