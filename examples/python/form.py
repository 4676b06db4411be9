# SPDX-License-Identifier: MIT
"""A script as an array of C and as calls of a builder, and the array read back."""
import gpucode

script = bytes([0xB0, 0x5F, 0x00, 0x01, 0xD0, 0x7F])
array = gpucode.write_form("hwsq:g94", gpucode.Form.C, script, "script")
calls = gpucode.write_form("hwsq:g94", gpucode.Form.CALLS, script)
print(f"{array}{calls}read back: {len(gpucode.read_form(None, array))} bytes")
