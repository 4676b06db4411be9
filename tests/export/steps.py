# SPDX-License-Identifier: MIT
"""What tests of exported p-code share: the program, the machine step by step (steps.c), rows and words."""
import json
import os
import subprocess
import sys

program = sys.argv[1]
LONG = "GPUCODE_LONG_TESTS" in os.environ


def gpucode(*arguments, **options):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True, **options).stdout


def document(target):
    return json.loads(gpucode("export", "json", "-t", target))


class Steps:
    """The machine, in a process of its own."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def trace(self, commands, limit):
        return self.ask("".join(command + "\n" for command in commands) + f"trace {limit}\n")

    def texts(self, target, words):
        """The listing's text of each word, empty where it is not an instruction."""
        lines = self.ask(f"text {target} {' '.join(f'{word:x}' for word in words)}\n")
        return [line[1:] for line in lines[:-1]]

    def uses(self, target, words):
        """What each word reads and writes: (use, kind, space, first, count, mask, known, maybe)."""
        lines = self.ask(f"uses {target} {' '.join(f'{word:x}' for word in words)}\n")
        return [[tuple(part if index == 2 else int(part) for index, part in enumerate(use.split()))
                 for use in line[1:].split(";") if use] for line in lines[:-1]]

    def ask(self, commands):
        self.process.stdin.write(commands)
        self.process.stdin.flush()
        lines = []
        while not lines or lines[-1].split(" ")[0] != "end":
            line = self.process.stdout.readline()
            assert line, "the machine's program ended"
            lines.append(line.rstrip())
        return lines


def random_word(chance, row, keep=lambda letter: False):
    """A word of the row; fields that are kept are zero most of the time."""
    word = int(row["match"], 16)
    for field in row["fields"]:
        if keep(field["letter"]) and chance.random() < .85:
            continue
        for piece in field["pieces"]:
            word |= chance.getrandbits(piece["width"]) << piece["shift"]
    return word


def word_of(row, values):
    """The word of a row whose fields have these values, by letter."""
    word = int(row["match"], 16)
    for field in row["fields"]:
        shift = field["width"]
        for piece in field["pieces"]:
            shift -= piece["width"]
            word |= (values[field["letter"]] >> shift & ((1 << piece["width"]) - 1)) << piece["shift"]
    return word


def row_of(rows, word):
    """The row that a word is of: of those that fit the one with most bits."""
    fitting = [row for row in rows if word & int(row["mask"], 16) == int(row["match"], 16)]
    return max(fitting, key=lambda row: bin(int(row["mask"], 16)).count("1"), default=None)


def values_of(row, word):
    """The values of the fields of a word, by letter."""
    values = {}
    for field in row["fields"]:
        values[field["letter"]] = 0
        for piece in field["pieces"]:
            part = word >> piece["shift"] & ((1 << piece["width"]) - 1)
            values[field["letter"]] = values[field["letter"]] << piece["width"] | part
    return values


def hex_bytes(words):
    return b"".join(word.to_bytes(4, "little") for word in words).hex()
