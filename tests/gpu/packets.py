# SPDX-License-Identifier: MIT
"""Packets of Adreno's command streams, and recordings of them, for the tests of this folder."""
import struct


def odd(value):
    """The bit that makes the number of ones in the value odd."""
    return 1 - bin(value).count("1") % 2


def type0(register, *words):
    return [(len(words) - 1) << 16 | register, *words]


def type3(opcode, *words):
    return [3 << 30 | (len(words) - 1) << 16 | opcode << 8, *words]


def type4(register, *words):
    count = len(words)
    return [4 << 28 | odd(register) << 27 | register << 8 | odd(count) << 7 | count, *words]


def type7(opcode, *words):
    count = len(words)
    return [7 << 28 | odd(opcode) << 23 | opcode << 16 | odd(count) << 15 | count, *words]


def record(kind, payload):
    return struct.pack("<II", kind, len(payload)) + payload


def submit(stream, buffer, memory=None, text=None):
    """A command stream at the address `buffer`, pieces of memory by their addresses, and whose it is."""
    code = struct.pack(f"<{len(stream)}I", *stream)
    data = record(2, text.encode() + bytes(4 - len(text) % 4)) if text else b""
    for address, contents in {buffer: code, **(memory or {})}.items():
        data += record(3, struct.pack("<III", address & 0xFFFFFFFF, len(contents), address >> 32))
        data += record(12, contents)
    return data + record(6, struct.pack("<III", buffer, len(stream), 0))


def recording(gpu, stream, buffer, memory=None):
    """One submit of a GPU."""
    return record(13, struct.pack("<I", gpu)) + submit(stream, buffer, memory)
