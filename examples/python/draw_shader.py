# SPDX-License-Identifier: MIT
"""usage: draw_shader.py OUT.png [SIDE]

Runs a small fragment shader for each pixel of a square and writes what it leaves in r1 as a picture.
"""
import struct
import sys

import gpucode

SHADER = """.target a3xx
mul.f r0.z, r0.x, r0.x
(rpt2)nop
mad.f32 r0.z, r0.y, r0.y, r0.z      ; squared distance from the middle
(rpt2)nop
add.f r1.x, (neg)r0.z, (1.0)
mul.f r1.y, r0.x, r0.y
mov.f32f32 r1.z, r0.z
end
"""


def bits(value: float) -> int:
    return int.from_bytes(struct.pack("<f", value), "little")


def number(word: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", word))[0])


def draw(side: int = 64) -> bytes:
    """Red, green, blue, alpha bytes of side x side pixels."""
    machine = gpucode.assemble(SHADER).image().machine()
    start, rgba = machine.snapshot(), bytearray()
    for y in range(side):
        for x in range(side):
            machine.restore(start)
            machine["r0.x"], machine["r0.y"] = bits(2 * x / side - 1), bits(2 * y / side - 1)
            machine.run(100)
            color = [number(machine[name]) for name in ("r1.x", "r1.y", "r1.z")]
            rgba += bytes(round(255 * min(1, max(0, part))) for part in color) + b"\xff"
    return bytes(rgba)


if __name__ == "__main__":
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    with open(sys.argv[1], "wb") as file:
        file.write(gpucode.write_picture(draw(size), size, size))
