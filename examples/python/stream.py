# SPDX-License-Identifier: MIT
"""Opens a recorded stream: a GPU id, a buffer of one word, and a command stream that lies in it."""
import struct

import gpucode


def record(kind, *words):
    return struct.pack(f"<II{len(words)}I", kind, 4 * len(words), *words)


# the Adreno 630; 4 bytes at 0x1000; CP_NOP; 1 word at 0x1000
stream = gpucode.Stream(record(13, 630) + record(3, 0x1000, 4, 0) + record(12, 0x70108000) + record(6, 0x1000, 1, 0))
print(stream.target.name)
for submit in stream.submits:
    command = submit.commands[0]
    print(f"{len(submit.buffers)} buffers, stream of {command.words} words at {command.address:#x}")
