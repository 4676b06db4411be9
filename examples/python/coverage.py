# SPDX-License-Identifier: MIT
"""Runs a small script, and prints which of its instructions ran."""
import gpucode

SOURCE = """.target hwsq:nv50
set1 #FB_PAUSE
wait 2us
exit
wait 4us
"""

machine = gpucode.assemble(SOURCE).image().machine()
machine.coverage()
stop = machine.run(1000)
options = {"file": "script", "stop": stop, "instructions": stop.ran, "done": stop.reason == gpucode.StopReason.END}
print(gpucode.ask("coverage_tell", gpucode.Coverage(machine), options), end="")
