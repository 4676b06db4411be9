# SPDX-License-Identifier: MIT
"""What a firmware file says of itself."""
import gpucode

# the zero word, id 6ee with version 001, a table offset that points nowhere
image = gpucode.Image(bytes([0, 0, 0, 0, 0x01, 0xE0, 0x6E, 0x01, 0, 0, 0, 0x01]))
print(f"{image.target.name}, {image.info.units} words, version 0x{image.info.version:03x}")
for section in image.sections:
    print(f"section {section.name}: words {section.start} to {section.start + section.size - 1}")

# the two firmwares of an a5xx as one file; these are made of a header (id 5ff, version 001) and a packet table
half = bytes([0, 0, 0, 0, 0x01, 0xF0, 0x5F, 0, 2]) + bytes(4 * 131 - 9)
both = gpucode.Image(gpucode.Image(half).join(gpucode.Image(half)))
print(" and ".join(section.name for section in both.sections))
