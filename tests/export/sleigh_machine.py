# SPDX-License-Identifier: MIT
"""Runs the p-code of modules that sleigh_reader.py has read."""

import math
import struct

from sleigh_reader import SPECIFIC


def signed_of(value, size):
    return value - (1 << 8 * size) if value >> (8 * size - 1) else value


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


class Flow(Exception):
    pass


def covered(machine, trace, index, size):
    """How many of the trace's steps the machine's next one is. 0: the trace ends in front of a delay slot, or what is in that
    has a delay slot itself, which p-code has not."""
    begin = trace[index][0]
    count = machine.length(size * begin) // size if machine.takes_slots else 1
    if count > 1 and machine.length(size * (begin + 1)) > size:
        return 0
    return count if [place for place, _ in trace[index:index + count]] == list(range(begin, begin + count)) else 0


class Machine:
    """Registers and spaces; runs one instruction at a time. `function(name, arguments)` answers for pcodeops."""
    takes_slots = False  # what is in a delay slot is a step of its own

    def __init__(self, module, function):
        self.module, self.function = module, function
        self.begin(b"")

    def begin(self, _code):
        """All is zero; the words of the code come one by one."""
        self.registers = {name: 0 for name in self.module.registers}
        self.spaces = {name: {} for name in self.module.spaces}

    def step(self, word, address):
        """Returns (where control goes, or None; delay slots)."""
        constructor = self.module.find("", word)
        assert constructor is not None, hex(word)
        self.word, self.address, self.slots = word, address, 0
        self.statements = 0
        self.changed = {}  # (space or "register", where): what was there before the step
        try:
            self.run(constructor)
        except Flow as flow:
            return flow.args[0], self.slots
        return None, self.slots

    def undo(self):
        """Takes back what the last step wrote, but for registers without a name of the machine's (carry)."""
        for (space, where), value in self.changed.items():
            if space == "register":
                if self.module.number_of_general(where) is not None:
                    self.registers[where] = value
            else:
                self.spaces[space][where] = value

    def run(self, constructor):
        body = constructor.body
        local = dict(constructor.actions_of(self.module, self.word, self.address))
        built = {}
        explicit = {statement[1] for statement in body.statements if statement[0] == "build"}
        for operand in constructor.operands:
            if operand in self.module.tables and operand not in explicit:
                built[operand] = self.run(self.module.find(operand, self.word))
        at = 0
        while at < len(body.statements):
            self.statements += 1
            assert self.statements < 30000, "the instruction does not end"
            statement = body.statements[at]
            at += 1
            kind = statement[0]
            if kind == "=":
                self.assign(statement[1], self.value(statement[2], local, built, statement[1][-1]), local, built)
            elif kind == "build":
                built[statement[1]] = self.run(self.module.find(statement[1], self.word))
            elif kind == "delayslot":
                self.slots = 1
            elif kind == "do":
                self.value(statement[1], local, built, 4)
            elif kind == "export":
                return self.export(statement, local, built)
            elif kind == "if":
                if bool(self.value(statement[2], local, built, 1)) != statement[1]:
                    at = self.go(statement[3], body, local, built)
            else:
                at = self.go(statement[1], body, local, built)
        return None

    def export(self, statement, local, built):
        if statement[1] is None:
            if statement[2][0] == "name" and statement[2][1] in built:
                return built[statement[2][1]]
            if statement[2][0] == "name" and statement[2][1] not in local:
                return ("register", self.register_of(statement[2][1]))
            return ("constant", self.value(statement[2], local, built, 4))
        number = self.named(statement[2], local, built) & ((1 << 8 * statement[3]) - 1)
        if statement[1] in ("const", "code"):  # a number, or where control goes
            return ("constant", number)
        return ("memory", (statement[1], number))

    def register_of(self, name):
        if name in self.module.variables:
            return self.module.variables[name][self.module.field(name, self.word)]
        return name

    def go(self, destination, body, local, built):
        if destination[0] == "label":
            return body.labels[destination[1]]
        if destination[0] == "value":
            raise Flow(self.value(destination[1], local, built, 4))
        if destination[1] in SPECIFIC:
            raise Flow(self.address)
        raise Flow(built[destination[1]][1])

    def assign(self, place, value, local, built):
        value &= (1 << 8 * place[-1]) - 1
        if place[0] == "load":
            address = self.value(place[2], local, built, place[2][-1])
            self.changed.setdefault((place[1], address), self.spaces[place[1]].get(address, 0))
            self.spaces[place[1]][address] = value
        elif place[1] in self.module.fields or place[1] in self.module.registers:
            name = self.register_of(place[1])
            self.changed.setdefault(("register", name), self.registers[name])
            self.registers[name] = value
        else:
            local[place[1]] = value

    def value(self, node, local, built, size):
        kind = node[0]
        mask = (1 << 8 * (node[-1] or size)) - 1
        if kind == "number":
            return node[1]
        if kind in ("name", "cut"):
            return self.named(node[1], local, built) & mask
        if kind == "zext":
            return self.value(node[1], local, built, 4)
        if kind == "sext":
            return signed_of(self.value(node[1], local, built, 4), node[1][-1]) & mask
        if kind == "int2float":
            return struct.unpack("<I", struct.pack("<f", signed_of(self.value(node[1], local, built, 4), node[1][-1])))[0]
        if kind == "trunc":
            return math.trunc(float_of(self.value(node[1], local, built, 4))) & mask
        if kind == "nan":
            return math.isnan(float_of(self.value(node[1], local, built, 4)))
        if kind == "load":
            return self.spaces[node[1]].get(self.value(node[2], local, built, node[2][-1]), 0)
        if kind == "unary":
            value = self.value(node[2], local, built, size)
            return (0 if value else 1) if node[1] == "!" else (~value if node[1] == "~" else -value) & mask
        if kind == "count":
            value = self.value(node[2], local, built, 4)
            return bin(value).count("1") if node[1] == "popcount" else 8 * node[2][-1] - value.bit_length()
        if kind == "call":
            return self.function(node[1], [self.value(argument, local, built, 4) for argument in node[2]]) & mask
        return self.binary(node, local, built, size) & mask

    def named(self, name, local, built):
        if name == "inst_start":
            return self.address
        if name in local:
            return local[name]
        if name in built:
            kind, value = built[name]
            if kind == "memory":
                return self.spaces[value[0]].get(value[1], 0)
            return self.registers[value] if kind == "register" else value
        if name in self.module.variables or name in self.module.registers:
            return self.registers[self.register_of(name)]
        return self.module.field(name, self.word)

    def binary(self, node, local, built, size):
        _, sign, left_node, right_node, _ = node
        inner = left_node[-1] or right_node[-1] or size
        left, right = self.value(left_node, local, built, inner), self.value(right_node, local, built, inner)
        bits = 8 * inner
        signed, other = (value - (1 << bits) if value >> (bits - 1) else value for value in (left, right))
        if sign in ("<<", ">>") and right >= bits:
            return 0
        return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "&": lambda: left & right, "|": lambda: left | right, "^": lambda: left ^ right,
                "<<": lambda: left << right, ">>": lambda: left >> right, "s>>": lambda: signed >> min(right, bits),
                "==": lambda: left == right, "!=": lambda: left != right, "<": lambda: left < right,
                ">": lambda: left > right, "<=": lambda: left <= right, ">=": lambda: left >= right,
                "s<": lambda: signed < other, "f<": lambda: float_of(left) < float_of(right),
                "f<=": lambda: float_of(left) <= float_of(right), "&&": lambda: bool(left and right),
                "||": lambda: bool(left or right)}[sign]()
