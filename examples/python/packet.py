# SPDX-License-Identifier: MIT
"""Decodes two packets: a register write, and CP_NOP."""
import struct

import gpucode

MEMORY = struct.pack("<3I", 0x48880001, 0x11, 0x70108000)
target = gpucode.target("afuc:a630")


def tell(event):
    if event.kind == gpucode.PacketEventKind.BEGIN and event.type == 7:
        print(event.name)
    if event.kind == gpucode.PacketEventKind.WRITE:
        print(f"{target.name_of(gpucode.Space.GPU, event.number)} = {event.value:#x}")


gpucode.Packets(target, lambda address, size: MEMORY[address:address + size], tell, fields=False).walk(0, 3)
