# SPDX-License-Identifier: MIT
"""An answer of one's own: put in once, printed in two forms, and read."""
import gpucode

clocks = gpucode.Field(None, "object", "%s", members=[
    gpucode.Field("domain", "text", "the %s clock runs at ", meaning="which clock", style="name"),
    gpucode.Field("mhz", "count", "%s MHz\n", unit="MHz", meaning="how fast it runs"),
])
answer = gpucode.Answer.of(clocks, {"domain": "memory", "mhz": 792})
print(answer.text(), end="")
print(answer.json(), end="")
print(answer["mhz"])
