# SPDX-License-Identifier: MIT
"""usage: fuzz_ten_lines.py FIRMWARE [RUNS]

Random packets into a firmware, from a snapshot after its boot; tells what else than waiting for packets came of them.
"""
import collections
import random
import sys
from typing import Optional, Tuple

import gpucode


def fuzz(code: bytes, runs: int = 1000, seed: int = 1) -> Tuple["collections.Counter[Optional[str]]", int]:
    """How often a machine stopped for which reason, and the edges that ran."""
    image, chance = gpucode.Image(code), random.Random(seed)
    machine, opcodes = image.machine(), sorted(image.handlers())
    machine.run()
    edges, booted = machine.edges(), machine.snapshot()
    stops: "collections.Counter[Optional[str]]" = collections.Counter()
    for _ in range(runs):
        machine.restore(booted)
        machine.feed(gpucode.packet(chance.choice(opcodes), [chance.getrandbits(32) for _ in range(chance.randrange(6))]))
        stops[machine.run(20_000).code] += 1
    return stops, sum(count > 0 for count in edges[:])


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        reasons, seen = fuzz(file.read(), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    for code, count in reasons.most_common():
        print(f"{count:6} {code}")
    print(f"{seen} edges")
