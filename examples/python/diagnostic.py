# SPDX-License-Identifier: MIT
"""What is wrong with a source, as data."""
import gpucode

try:
    gpucode.assemble(".target afuc:a630\nmov $20, 0x1\njump #nowhere\nnop\n")
except gpucode.InputError as error:
    for one in error.diagnostics:
        print(f"line {one.line}, column {one.column}, {one.length} bytes: {one.message}")
        print(f"  explained: {'yes' if gpucode.explain(one.code) else 'no'}")
