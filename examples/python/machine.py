# SPDX-License-Identifier: MIT
"""Runs a script of the hardware sequencer to its end."""
import gpucode

machine = gpucode.Image(bytes([0x05, 0x7F]), "hwsq:g94").machine()  # wait 0x1 shl 0x2; exit
stop = machine.run(100)
print(f"{stop.ran} instructions, {stop.time} clocks, {'the end' if stop.reason == gpucode.StopReason.END else stop.text}")
