# SPDX-License-Identifier: MIT
"""What is wrong with a script that assembles."""
import gpucode

findings = gpucode.Image(bytes([0xB0, 0x5F, 0x00, 0x01, 0x7F]), "hwsq:g94").lint()
for finding in findings:
    print(f"{finding.unit:x}: {finding.message} [{finding.code}]")
print(f"{len(findings)} finding")
