# SPDX-License-Identifier: MIT
"""Integer rows of A3XX and ir3, whose p-code is written by hand (src/export/sleigh_plain.c): what random words of them write
into registers, by the p-code and on the machine."""
import random
import re

import sleigh_machine
from steps import document, row_of

REGISTERS = 192  # others are special
VALUES = (0, 1, 5, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x10000, 0xff000000)
HALVES = 192
# On a6xx and later halves are parts of full registers, and of p-code they are not: beside halves full ones begin here.
APART = 96
# Rows that must be among those that are compared, and of halves.
LEAST = {"MOV_U32", "MOV_F32", "ADD_U", "ADD_S", "SUB_U", "SUB_S", "AND_B", "OR_B", "XOR_B", "NOT_B", "CMPS_U", "CMPS_S", "CMPV_U",
         "CMPV_S", "MIN_U", "MIN_S", "MAX_U", "MAX_S", "SHL_B", "SHR_B", "ASHR_B", "MULL_U", "GETBIT_B", "MAD_U24", "MAD_S24",
         "MADSH_M16", "SEL_B32", "SEL_S32", "COV"}
LEAST_HALVES = {"MOV_U16", "MOV_F16", "ADD_U", "ADD_S", "SUB_U", "SUB_S", "AND_B", "OR_B", "XOR_B", "NOT_B", "CMPS_U", "CMPS_S",
                "CMPV_U", "CMPV_S", "MIN_U", "MIN_S", "MAX_U", "MAX_S", "SHL_B", "SHR_B", "ASHR_B", "MULL_U", "GETBIT_B", "SEL_B16",
                "SEL_S16", "MAD_U16", "MAD_S16", "COV"}
# Conversions of a machine's types; of u8 and f16 they are functions.
LEAST_TYPES = {f"{source}{result}" for source in ("f32", "u16", "u32", "s16", "s32") for result in ("f32", "u16", "u32", "s16", "s32")
               if source != result}
FLOATS = (0x3f800000, 0xbfc00000, 0x7f800000, 0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000, 0xcf000001, 0x46fffe00, 0x477fff00,
          0x3effffff, 0x80000001, 0x42fe0000, 0xc3008000, 0x4b800001)


def numbers_of(text):
    """Of registers that the text names (half, number); None: it names special ones, or places that a0.x chooses. Constants are 0."""
    operands = text.split(" ", 1)[1]
    if re.search(r"<|\bh?u?[ap]\d", operands):
        return None
    return [(half == "h", 4 * int(number) + "xyzw".index(part)) for half, number, part in
            re.findall(r"\b(h?)r(\d+)\.([xyzw])", operands)]


def is_kept(numbers, halves):
    """All in registers that programs with halves, or without, have."""
    if not numbers or halves != any(half for half, _ in numbers):
        return False
    return all(number < HALVES if half else number < REGISTERS and (not halves or number >= APART) for half, number in numbers)


def words_of(module, target, steps, chance, count, halves):
    """Random words of all constructors that are plain."""
    plain = [constructor for constructor in module.tables[""] if "local a:4 = " in constructor.body_text]
    found, left = [], {constructor: count for constructor in plain}
    words = [constructor.match | chance.getrandbits(64) & ~constructor.mask for constructor in plain for _ in range(16 * count)]
    # half of them name low registers, so that what one writes others read
    words = [word & ~0xf0000000f0 if not halves and chance.random() < .5 else word for word in words]
    chance.shuffle(words)
    for word, text in zip(words, steps.texts(target, words)):
        if not text or text.startswith("[") or not is_kept(numbers_of(text), halves):
            continue
        constructor = module.find("", word)
        if left.get(constructor, 0):
            found.append((word, text))
            left[constructor] -= 1
    return found


def value_of(chance, half):
    value = chance.choice(VALUES + FLOATS) if chance.random() < .5 else chance.getrandbits(32)
    return value & 0xffff if half else value


def begin(machine, module, chance, halves):
    """Gives all registers values; returns the same as commands for the machine."""
    commands = []
    for number in range(APART if halves else 0, REGISTERS):
        value = machine.registers[module.general(number)] = value_of(chance, False)
        commands.append(f"set general {number} {value}")
    for number in range(HALVES if halves else 0):
        value = machine.spaces["half_registers"][number] = value_of(chance, True)
        commands.append(f"set half {number} {value}")
    return commands


def wrote_of(lines):
    """What each step writes, by (half, number)."""
    wrote = []
    for line in lines:
        parts = line.split()
        if parts[0] == "step":
            wrote.append({})
        elif parts[:2] in (["write", "general"], ["write", "half"]):
            wrote[-1][parts[1] == "half", int(parts[2])] = int(parts[3])
    return wrote


def check_step(machine, module, wanted, where):
    """The p-code's step has written what the machine's has."""
    for (half, number), value in wanted.items():
        found = machine.spaces["half_registers"].get(number, 0) if half else machine.registers[module.general(number)]
        assert found == value, (where, number, hex(found), hex(value))
    wrote = {(space == "half_registers", name if space != "register" else module.number_of_general(name))
             for space, name in machine.changed}
    assert {item for item in wrote if item[1] is not None} <= set(wanted), (where, wrote, wanted)


def check_words(module, target, steps, count, machine, called, halves):
    """Returns how many were compared, and the rows and the types of conversions among them."""
    chance, rows, compared, seen, types = random.Random(13 + halves), document(target)["rows"], 0, set(), set()
    words = words_of(module, target, steps, chance, count, halves)
    for at in range(0, len(words), 100):
        code = words[at:at + 100]
        data = b"".join(word.to_bytes(8, "little") for word, _ in code)
        machine.begin(data)
        commands = [f"raw {target} " + data.hex(), *begin(machine, module, chance, halves)]
        wrote = wrote_of(steps.trace(commands, len(code)))
        assert len(wrote) >= len(code) - 1, (target, at, len(wrote))
        for index, ((word, text), wanted) in enumerate(zip(code, wrote)):
            called.clear()
            machine.step(word, 8 * index)
            row = row_of(rows, word)["id"]
            where = f"{target} {row} {word:#x} '{text}'"
            assert not called and len(wanted) == 1, (where, called, wanted)
            check_step(machine, module, wanted, where)
            compared += 1
            seen.add(row)
            types.update(re.findall(r"\bcov\.(\w+) ", text))
    return compared, seen, types


def check(module, target, steps, count, make=sleigh_machine.Machine):
    """`count` words of each constructor, one after the other; returns how many were compared."""
    called = []
    machine = make(module, lambda name, arguments: called.append(name) or 0)
    full, rows, types = check_words(module, target, steps, count, machine, called, False)
    half, half_rows, half_types = check_words(module, target, steps, count, machine, called, True)
    assert rows >= LEAST and half_rows >= LEAST_HALVES, (target, LEAST - rows, LEAST_HALVES - half_rows)
    assert types | half_types >= LEAST_TYPES, (target, LEAST_TYPES - types - half_types)
    return full + half
