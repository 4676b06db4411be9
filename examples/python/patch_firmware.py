# SPDX-License-Identifier: MIT
"""usage: patch_firmware.py FIRMWARE OUT

Puts an instruction at the start of the handler of CP_NOP, assembles the firmware again, and shows that it still boots and takes packets.
"""
import sys
from typing import Sequence, Tuple

import gpucode

LINE = "mov $16, 0xbee"


def patch(code: bytes, label: str = "CP_NOP", line: str = LINE) -> bytes:
    """The firmware with one more line after a label."""
    text = gpucode.disassemble(code)
    if f"\n{label}:\n" not in text:
        raise ValueError(f"there is no {label}")
    target = gpucode.Image(code).target
    return gpucode.assemble(text.replace(f"\n{label}:\n", f"\n{label}:\n{line}\n"), target).bytes


def try_packet(code: bytes, opcode: int = 0x10, words: Sequence[int] = (1, 2)) -> Tuple[gpucode.structs.Stop, gpucode.Machine]:
    """Why the machine stands still after a packet, and the machine."""
    machine = gpucode.Image(code).machine()
    machine.run()
    machine.feed(gpucode.packet(opcode, words))
    return machine.run(), machine


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        patched = patch(file.read())
    stop, _ = try_packet(patched)
    print(f"after CP_NOP: {stop.text}")
    with open(sys.argv[2], "wb") as out:
        out.write(patched)
