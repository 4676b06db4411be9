# SPDX-License-Identifier: MIT
"""The fields of an answer as a table, and what the table knows of its JSON."""
import gpucode

ring = gpucode.Field(None, "object", "%s\n", meaning="a ring buffer", members=[
    gpucode.Field("id", "count", "ring %s", meaning="its number"),
    gpucode.Field("iova", "hex", " at %s", meaning="its address", optional=True),
])
answer = gpucode.Answer.of(ring, {"id": 3, "iova": 0x1000})
schema = ring.schema("ring", "A ring.")
print(answer.text(), end="")
print(schema.json(indent=True), end="")
