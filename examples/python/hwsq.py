# SPDX-License-Identifier: MIT
"""Finds a script in a trace of a driver's writes, and runs it."""
import gpucode

TRACE = b"""VERSION 20070824
PCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 nouveau
R 4 1.0 1 0xd0000000 0x094000a2 0x0 0
W 4 1.1 1 0xd0080000 0x0005e202 0x0 0
W 4 1.1 1 0xd0080004 0x00e00000 0x0 0
W 4 1.1 1 0xd0080008 0x7f001002 0x0 0
W 4 1.2 1 0xd000130c 0x1 0x0 0
"""


def see(event):
    print(f"{event.time:4} clocks: {event.address:06x} <= {event.value:08x}")


for script in gpucode.extract_scripts(TRACE):
    print(f"{script.target.name}, line {script.line}, {len(script.bytes)} bytes")
    machine = gpucode.Image(script.bytes, script.target).machine()
    machine.hook(gpucode.EventKind.WRITE, see)
    print(machine.run(1000).text)
