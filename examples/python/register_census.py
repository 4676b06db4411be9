#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which registers recordings write, how often, and with how many different values.

    register_census.py FILE.rd... [RB_*]
"""
import collections
import sys

import gpucode


class Census(gpucode.Script):
    """Counts in pieces of thousands of writes, so that a recording of 100 MB takes seconds."""

    def __init__(self, pattern: str = "*"):
        self.registers = (pattern,)
        self.pairs: "collections.Counter[tuple[int, int]]" = collections.Counter()

    def writes(self, numbers: memoryview, values: memoryview) -> None:
        self.pairs.update(zip(numbers, values))

    def rows(self, family: int) -> "list[tuple[str, int, int]]":
        """(name, writes, different values) of each register, the most often written first."""
        writes: "collections.Counter[int]" = collections.Counter()
        values: "collections.Counter[int]" = collections.Counter()
        for (number, _), count in self.pairs.items():
            writes[number] += count
            values[number] += 1
        return [(gpucode.register_name(family, number) or f"{number:#x}", count, values[number])
                for number, count in writes.most_common()]


def main(arguments: "list[str]") -> None:
    patterns = [word for word in arguments if not word.endswith((".rd", ".rd.gz"))]
    for path in arguments:
        if path in patterns:
            continue
        with open(path, "rb") as file:
            stream = gpucode.Stream(file.read(), path)
        census = Census(*patterns[:1])
        census.run(stream)
        for name, count, different in census.rows(census.family):
            print(f"{count:8} {different:6} {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
