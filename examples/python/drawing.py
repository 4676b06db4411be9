# SPDX-License-Identifier: MIT
"""Draws a graph, and says whether its nodes are in the picture."""
import gpucode

svg = gpucode.svg("digraph { boot -> CP_NOP; }")
for name in ("boot", "CP_NOP"):
    print(f"{name}: {'drawn' if f'>{name}<' in svg else 'missing'}")
