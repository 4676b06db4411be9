# SPDX-License-Identifier: MIT
"""A register by its number and back, with a name of our own ahead of the built-in ones."""
import gpucode

target = gpucode.target("afuc:a630")
own = gpucode.Names({(gpucode.Space.GPU, 0x831): "MY_REGISTER"})
print(f"0x830 is {target.name_of(gpucode.Space.GPU, 0x830)}")
print(f"0x831 is {target.name_of(gpucode.Space.GPU, 0x831, own)}")
print(f"CP_NOP is 0x{target.number_of(gpucode.Space.PACKET, 'CP_NOP'):02x}")
