# SPDX-License-Identifier: MIT
"""usage: find_writers.py FIRMWARE REGISTER

All packet handlers that write a register: a control register (@IB_LEVEL), an SQE register (%SP) or a GPU register by name.
"""
import sys
from typing import Dict, List, Optional, Tuple

import gpucode


def find_writers(code: bytes, register: str) -> Dict[str, List[Tuple[Tuple[int, int], Optional[int]]]]:
    """{packet: [(place, value or None)]} for a firmware's bytes."""
    analysis = gpucode.Image(code).analyse()
    found: Dict[str, List[Tuple[Tuple[int, int], Optional[int]]]] = {}
    for use in analysis.references():
        if use.kind != gpucode.ReferenceKind.WRITE or use.name != register:
            continue
        place = (use.section, use.unit)
        for packet in analysis.reached_by(*place) or []:
            found.setdefault(analysis.packet_name(packet), []).append((place, use.value if use.has_value else None))
    return found


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        for packet, places in sorted(find_writers(file.read(), sys.argv[2]).items()):
            for (section, unit), value in places:
                print(f"{packet}: word {unit:#x} of section {section}" + ("" if value is None else f" writes {value:#x}"))
