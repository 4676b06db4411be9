# SPDX-License-Identifier: MIT
"""Where a label of a source with an error in it is defined and used, and what mends the error."""
import gpucode

source = gpucode.Source(".target afuc:a630\nloop: brne $02, 0x3, #loop\nnop\njump #lop\nnop\n")
label = source.symbols[0]
for word in source.places(label):
    print(f"{label.name} is {'defined' if word.defines else 'used'} at byte {word.span.offset}")
for one in source.diagnostics:
    print(f"byte {one.span.offset}: {one.message}; write {one.replacement or 'something else'}")
