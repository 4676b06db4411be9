# SPDX-License-Identifier: MIT
"""Counts the instructions of a target."""
import gpucode

target = gpucode.target("afuc:a730")
rows = target.rows
here = sum(row.on_target for row in rows)
print(f"rows: {'yes' if rows else 'no'}; of them on {target.generation}: {'some' if 0 < here < len(rows) else 'all or none'}")
