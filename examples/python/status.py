# SPDX-License-Identifier: MIT
"""Every status has a sentence for people."""
import gpucode

print(f"a version: {'yes' if gpucode.core_version else 'no'}")
print(gpucode.GpucodeError(gpucode.lib.GPUCODE_ERROR_TRUNCATED))
