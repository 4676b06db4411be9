# SPDX-License-Identifier: MIT
"""What a shader of any set uses, as text."""
import gpucode

image = gpucode.assemble(".target ir3:a750\nend\n").image()
print(gpucode.ask("shader_usage_tell", image).text(), end="")
