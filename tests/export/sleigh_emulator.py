# SPDX-License-Identifier: MIT
"""Ghidra's own emulator of p-code (sleigh_driver.cc) with the members of sleigh_machine.Machine, so that the same comparisons
run on both. An instruction with a delay slot takes that along, as p-code does."""
import subprocess


class Stored(dict):
    """A space or the registers: what is put here goes to the emulator too."""

    def __init__(self, put, space, names=()):
        super().__init__({name: 0 for name in names})
        self.send = lambda where, value: put(f"put {space} {where} {value}")

    def __setitem__(self, where, value):
        super().__setitem__(where, value)
        self.send(where, value)

    def update(self, *others, **more):
        for where, value in dict(*others, **more).items():
            self[where] = value


class Machine:
    takes_slots = True

    def __init__(self, driver, sla, module, function):
        self.module, self.function, self.words = module, function, None
        self.process = subprocess.Popen([driver, sla, "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.registers, self.spaces, self.changed, self.count = {}, {}, {}, 0

    def put(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, command):
        """Does what the lines say that come before the last one, which is returned as a number."""
        self.put(command)
        while True:
            self.process.stdin.flush()
            parts = self.process.stdout.readline().split()
            assert parts and parts[0] != "error", (command, parts)
            if parts[0] == "end":
                return int(parts[1])
            if parts[0] == "call":
                self.put(str(self.function(parts[1], [int(number) for number in parts[2:]])))
            else:
                self.note(parts[1], parts[2], int(parts[3]), int(parts[4]))

    def note(self, space, where, before, after):
        if space == "register":
            self.changed.setdefault((space, where), before)
            dict.__setitem__(self.registers, where, after)
        else:
            self.changed.setdefault((space, int(where)), before)
            dict.__setitem__(self.spaces[space], int(where), after)

    def begin(self, code):
        """All is zero but the code."""
        self.put("code " + code.hex())
        self.registers = Stored(self.put, "register", self.module.registers)
        self.spaces = {name: Stored(self.put, name) for name in self.module.spaces}

    def length(self, address):
        """Bytes of the instruction and of what is in its delay slots."""
        return self.ask(f"length {address}")

    def step(self, _word, address):
        """Returns (where control goes, or None: to what is after it; 0, as delay slots have been run)."""
        self.changed = {}
        length = self.length(address)
        after = self.ask(f"step {address}")
        self.count += 1
        return None if after == address + length else after, 0
