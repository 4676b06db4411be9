# SPDX-License-Identifier: MIT
"""examples/api/stream_source.c again: a recorded stream as text, with another packet, and back."""
import struct

import gpucode


def record(kind, *words):
    return struct.pack(f"<II{len(words)}I", kind, 4 * len(words), *words)


# 630; 4 bytes at 0x1000: CP_NOP; 1 word at 0x1000
data = record(13, 630) + record(3, 0x1000, 4, 0) + record(12, 0x70108000) + record(6, 0x1000, 1, 0)
text = gpucode.Stream(data).source(family=6)
print(text, end="")
print("the same again" if gpucode.encode_stream(text) == data else "something else")
more = '    CP_NOP {\n        .ascii "put in"\n    }\n'
print(f"{len(data)} bytes, then {len(gpucode.encode_stream(text.replace('    CP_NOP', more + '    CP_NOP', 1)))}")
