# SPDX-License-Identifier: MIT
"""Decodes a recorded stream of one packet, as text and as JSON."""
import struct

import gpucode


def record(kind, *words):
    return struct.pack(f"<II{len(words)}I", kind, 4 * len(words), *words)


# the Adreno 630; 4 bytes at 0x1000; CP_NOP; 1 word at 0x1000
stream = gpucode.Stream(record(13, 630) + record(3, 0x1000, 4, 0) + record(12, 0x70108000) + record(6, 0x1000, 1, 0))
shown = gpucode.lib.GPUCODE_DECODE_PACKETS | gpucode.lib.GPUCODE_DECODE_WRITES
answer = gpucode.ask("stream_decode", stream, {"target": stream.target, "shown": shown})
print(answer.text(), end="")
print(answer.json(), end="")
