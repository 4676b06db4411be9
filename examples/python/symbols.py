# SPDX-License-Identifier: MIT
"""Reads a symbol file and looks a name up."""
import gpucode

symbols = gpucode.Symbols("afuc:a630").read("* 0x0020 start_draw ; a function\nreg $02 header\nmem 0x100000 ring\n", "my.symbols")
for label in symbols:
    print(label.name)
print(f"start_draw stands at {symbols.find('start_draw').value}")
