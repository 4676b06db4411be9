# SPDX-License-Identifier: MIT
"""What Ghidra's compiler of language modules refuses or warns of, and what its address spaces cannot be, for modules that
sleigh_reader.py has read. Stricter than Ghidra: every table is used, sizes agree where the compiler would guess."""

import re

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
PREDEFINED = {"instruction", "const", "unique", "OTHER", "inst_start", "inst_next", "inst_next2", "epsilon"}
# words of definitions, of patterns and of p-code, which the compiler's lexer takes for itself
DEFINITION_WORDS = set("space type ram_space default register_space token context bitrange signed noflow hex dec endian "
                       "alignment big little size wordsize offset names values variables pcodeop define attach macro with "
                       "is unimpl globalset".split()) - {"register"}
CODE_WORDS = set("zext carry borrow sext scarry sborrow nan abs sqrt ceil floor round int2float float2float trunc cpool "
                 "newobject popcount lzcount if goto call return delayslot crossbuild export build local".split())


def check(module):
    check_spaces(module)
    check_registers(module)
    for name, bits in module.tokens.items():
        assert bits % 8 == 0 and 8 <= bits <= 64 and bits // 8 % module.alignment == 0, name
    used = {operand for table in module.tables.values() for constructor in table for operand in constructor.operands}
    for name, table in module.tables.items():
        assert not name or name in used, f"no instruction uses {name}"
        tokens = set().union(*(constructor.tokens for constructor in table))
        assert not name or len(tokens) <= 1, f"{name} has fields of two tokens"
        for brief in (0, 1):
            one = [constructor for constructor in table if constructor.brief in (brief, None)]
            for slot in (0, 1):
                check_patterns([constructor for constructor in one if constructor.slot in (slot, None)])
            check_slots(one)
    for constructor in module.tables[""]:
        assert constructor.tokens, f"{constructor.text} fits everything"


def check_slots(table):
    """What has a delay slot has a constructor without one for when it stands in a delay slot itself."""
    free, inside = ({constructor.patterns()[0] for constructor in table if constructor.slot == slot} for slot in (0, 1))
    assert free == inside, "a constructor for delay slots is missing"


def check_spaces(module):
    """Addresses with the bits that tell bytes of a word apart have 64 bits at most."""
    assert module.default, "there is no default space"
    for name, (size, wordsize) in module.spaces.items():
        assert 1 <= size <= 8 and wordsize & (wordsize - 1) == 0 and 8 * size + wordsize.bit_length() - 1 <= 64, name


def check_registers(module):
    """No two have one place, or names that differ in capital letters alone."""
    seen = {}
    for name, place in module.registers.items():
        assert seen.setdefault(place, name) == name, f"{name} lies where {seen[place]} does"
        assert seen.setdefault(name.upper(), name) == name, f"{name} and {seen[name.upper()]}"
    places = sorted(module.registers.values())
    assert all(offset + size <= following for (offset, size), (following, _) in zip(places, places[1:]))


def check_patterns(table):
    """Of two patterns that both fit a word one is a case of the other, or there is one for exactly what they share."""
    patterns = [(mask, match, constructor) for constructor in table for mask, match in constructor.patterns()]
    known = {(mask, match) for mask, match, _ in patterns}
    by_mask = {}
    for mask, match, constructor in patterns:
        other = by_mask.setdefault(mask, {}).setdefault(match, constructor)
        assert other is constructor, f"{constructor.text} and {other.text} have one pattern"
    masks = sorted(by_mask)
    for index, mask in enumerate(masks):
        for other in masks[index + 1:]:
            if mask & other in (mask, other):
                continue  # one says more than the other wherever both fit
            common = mask & other
            shared = {}
            for match, constructor in by_mask[mask].items():
                shared.setdefault(match & common, []).append((match, constructor))
            for match, constructor in by_mask[other].items():
                for own, first in shared.get(match & common, ()):
                    assert first is constructor or (mask | other, match | own) in known, (
                        f"neither is a case of the other: {first.text} / {constructor.text}")
