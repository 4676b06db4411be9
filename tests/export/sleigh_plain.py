# SPDX-License-Identifier: MIT
"""Integer rows of A3XX and ir3, whose p-code is written by hand (src/export/sleigh_plain.c): what random words of them write
into registers, by the p-code and on the machine."""
import random
import re

import sleigh_machine
from steps import document, hex_bytes, row_of

REGISTERS = 192  # others are special
VALUES = (0, 1, 5, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x10000, 0xff000000)
# Rows that must be among those that are compared.
LEAST = {"MOV_U32", "MOV_F32", "ADD_U", "ADD_S", "SUB_U", "SUB_S", "AND_B", "OR_B", "XOR_B", "NOT_B", "CMPS_U", "CMPS_S", "CMPV_U",
         "CMPV_S", "MIN_U", "MIN_S", "MAX_U", "MAX_S", "SHL_B", "SHR_B", "ASHR_B", "MULL_U", "GETBIT_B", "MAD_U24", "MAD_S24",
         "MADSH_M16", "SEL_B32", "SEL_S32"}


def numbers_of(text):
    """Of general registers that the text names; None: it names special ones, or places that a0.x chooses. Constants are 0."""
    operands = text.split(" ", 1)[1]
    if re.search(r"<|\bu?[ap]\d|\bh", operands):
        return None
    return [4 * int(number) + "xyzw".index(part) for number, part in re.findall(r"\br(\d+)\.([xyzw])", operands)]


def words_of(module, target, steps, chance, count):
    """Random words of all constructors that are plain."""
    plain = [constructor for constructor in module.tables[""] if "local a:4 = " in constructor.body_text]
    found, left = [], {constructor: count for constructor in plain}
    words = [constructor.match | chance.getrandbits(64) & ~constructor.mask for constructor in plain for _ in range(16 * count)]
    # half of them name low registers, so that what one writes others read
    words = [word & ~0xf0000000f0 if chance.random() < .5 else word for word in words]
    chance.shuffle(words)
    for word, text in zip(words, steps.texts(target, words)):
        numbers = numbers_of(text) if text and not text.startswith("[") else None
        constructor = module.find("", word)
        if numbers and max(numbers) < REGISTERS and left.get(constructor, 0):
            found.append(word)
            left[constructor] -= 1
    return found


def check(module, target, steps, count, make=sleigh_machine.Machine):
    """`count` words of each constructor, one after the other; returns how many were compared."""
    chance, called, rows = random.Random(13), [], document(target)["rows"]
    machine = make(module, lambda name, arguments: called.append(name) or 0)
    words, compared, seen = words_of(module, target, steps, chance, count), 0, set()
    for begin in range(0, len(words), 100):
        code = words[begin:begin + 100]
        machine.begin(b"".join(word.to_bytes(8, "little") for word in code))
        commands = [f"raw {target} " + b"".join(word.to_bytes(8, "little") for word in code).hex()]
        for number in range(REGISTERS):
            value = chance.choice(VALUES) if chance.random() < .5 else chance.getrandbits(32)
            machine.registers[module.general(number)] = value
            commands.append(f"set general {number} {value}")
        wrote = []
        for line in steps.trace(commands, len(code)):
            parts = line.split()
            if parts[0] == "step":
                wrote.append({})
            elif parts[:2] == ["write", "general"]:
                wrote[-1][int(parts[2])] = int(parts[3])
        assert len(wrote) >= len(code) - 1, (target, begin, len(wrote))
        for at, (word, wanted) in enumerate(zip(code, wrote)):
            called.clear()
            machine.step(word, 8 * at)
            row = row_of(rows, word)["id"]
            where = f"{target} {row} {word:#x} '{module.text(word, 0)}'"
            assert not called and len(wanted) == 1, (where, called, wanted)
            found = {module.number_of_general(name): machine.registers[name] for space, name in machine.changed
                     if space == "register" and module.number_of_general(name) in wanted}
            assert found == wanted or found == {} and all(
                machine.registers[module.general(number)] == value for number, value in wanted.items()), (where, found, wanted)
            compared += 1
            seen.add(row)
    assert seen >= LEAST, (target, LEAST - seen)
    return compared
