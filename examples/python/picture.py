# SPDX-License-Identifier: MIT
"""Writes a picture of two texels, and reads it back."""
import gpucode

width, height, texels = gpucode.read_picture(gpucode.write_picture(bytes([255, 0, 0, 255, 0, 0, 51, 0]), 2, 1))
print(f"{width} x {height}")
for i in range(0, len(texels), 4):
    print(" ".join(f"{value:g}" for value in texels[i:i + 4]))
