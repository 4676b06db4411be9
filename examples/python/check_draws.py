#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks at each draw that a register, or a field of one, has one of the values that it may have.

    check_draws.py FILE.rd 'RB_CNTL.BINW=544|608' ...

The exit code is 1 when a draw finds something else.
"""
import sys

import gpucode


class Check(gpucode.Script):
    """What draws may find: {(register, field or ""): values}."""

    def __init__(self, allowed: "dict[tuple[str, str], set[int]]"):
        self.allowed = allowed
        self.wrong: "list[str]" = []

    def draw(self, draw: gpucode.Draw, state: gpucode.State) -> None:
        for (register, field), values in self.allowed.items():
            if field and field not in state.field_names(register):
                raise KeyError(f"{register} has no field {field!r}: expected one of {', '.join(state.field_names(register))}")
            value = state.fields(register).get(field, 0) if field and state[register] is not None else state[register]
            if value not in values:
                shown = "is not known" if value is None else f"is {value:#x}"
                name = f"{register}.{field}" if field else register
                self.wrong.append(f"draw {draw.number} ({draw.primitive}, {draw.mode}): {name} {shown}")


def read_rule(text: str) -> "tuple[tuple[str, str], set[int]]":
    """'REGISTER.FIELD=1|0x2' as what Check takes; registers may have a dot of their own after a subscript."""
    name, _, values = text.partition("=")
    register, dot, field = name.rpartition(".")
    if not dot or register.endswith("]"):
        register, field = name, ""
    return (register, field), {int(value, 0) for value in values.split("|")}


def main(path: str, *rules: str) -> int:
    with open(path, "rb") as file:
        stream = gpucode.Stream(file.read(), path)
    check = Check(dict(read_rule(rule) for rule in rules))
    check.run(stream)
    print("\n".join(check.wrong))
    return 1 if check.wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (KeyError, OSError, ValueError, gpucode.GpucodeError) as error:
        sys.exit(f"check_draws.py: {error.args[0] if isinstance(error, KeyError) else error}")
