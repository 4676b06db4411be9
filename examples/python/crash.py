# SPDX-License-Identifier: MIT
"""Opens a short dump: the GPU, and a word of memory from a buffer."""
import gpucode

TEXT = b"""---
kernel: 6.9.0
revision: 630 (6.3.0.2)
bos:
  - iova: 0x0000000100000000
    size: 4096
    data: !!ascii85 |
     !!!!"
"""

crash = gpucode.Crash(TEXT)
print(f"{crash.head.gpu}, kernel {crash.head.kernel}")
print(f"0x{int.from_bytes(crash.load(0x100000000, 4), 'little'):08x}")
