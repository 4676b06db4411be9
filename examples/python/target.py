# SPDX-License-Identifier: MIT
"""Finds a target by name, and counts those of its instruction set."""
import gpucode

target = gpucode.target("afuc:a630")
count = sum(other.isa == target.isa for other in gpucode.targets())
print(f"{target.name} is {target.description}, {target.generation}; addresses count {target.unit_bytes} bytes")
print(f"more targets of {target.isa}: {'yes' if count > 1 else 'no'}")
