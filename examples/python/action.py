# SPDX-License-Identifier: MIT
"""What an instruction does, as a tree: the operations of AFUC's add."""
import gpucode

target = gpucode.target("afuc:a730")
for number, row in enumerate(target.rows):
    if row.id == "ADD":
        for node in target.action(number):
            if node.kind == gpucode.lib.GPUCODE_ACTION_BINARY:
                print(f"{node.text} of {node.width} bits")
