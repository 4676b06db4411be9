# SPDX-License-Identifier: MIT
"""A GPU by its id, and the fields of one of its registers."""
import gpucode

chip = gpucode.chip(0, 0x43050A01)
print(f"{chip.name}: a{chip.family}xx")
print(f"{gpucode.register_name(chip.family, 0x8820)} = {gpucode.register_text(chip.family, 0x8820, 0x7E0)}")
for field in gpucode.register_fields(chip.family, 0x8820, 0x7E0):
    print(f"bits {field.low} to {field.high}: {field.name} is {field.text}")
