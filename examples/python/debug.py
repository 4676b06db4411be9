# SPDX-License-Identifier: MIT
"""Stops a script at a breakpoint, and goes one instruction back."""
import gpucode

machine = gpucode.Image(bytes([0x01, 0x02, 0x03, 0x7F]), "hwsq:g94").machine()
debugger = gpucode.Debugger(machine)
debugger.breakpoint(2)
stop = debugger.cont()
print(f"breakpoint {stop.breakpoint} at {stop.pc}")
print(f"back at {debugger.step(back=True).pc}")
