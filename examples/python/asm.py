# SPDX-License-Identifier: MIT
"""Text to bytes, and bytes to text."""
import struct

import gpucode

SOURCE = """.target afuc:a630
[016ee001]
again: mov $02, 0x830
jump #again
nop
"""

code = gpucode.assemble(SOURCE).bytes
for (word,) in struct.iter_unpack("<I", code):
    print(f"{word:08x}")
print(gpucode.disassemble(code), end="")
