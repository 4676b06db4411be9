# SPDX-License-Identifier: MIT
"""What p-code reads and writes against what the library says of the instruction (gpucode_insn_effects()). sleigh_driver.cc
lists the first, steps.c the second. A use that the library is sure of must be in the p-code, and p-code must have no use that
the library does not have, but for what EXCUSES names."""
import random
import subprocess

from steps import document, gpucode, random_word

READ, WRITE = 1, 2
QUEUE = 1  # kinds of effects
# Registers of p-code that have another name in the library, and functions that stand for a use; without one: its own.
STATES = {
    "afuc": {"state_carry": ("state", 0)}, "hwsq": {"state_address": ("general", 3), "state_data": ("general", 4)},
    "mme": {"state_carry": ("special", 0), "state_method": ("special", 1), "state_increment": ("special", 2)},
}
FUNCTIONS = {
    "take_word": [(READ, "general", 31)], "next_word": [(READ, "general", 31)], "set_flag": [(WRITE, "flag", None)],
    "wait_event": [(READ, "event", None)], "next_parameter": [(READ, "special", 4), (WRITE, "special", 4)],
}
# Rows of these sets are functions, which stand for memory, and for what a0.x or a varying's number in a register chooses.
FUNCTIONS_ALONE = ("a3xx", "ir3")
# Uses of one side, by set, and where it is not for all rows by the row: docs/export.md has the reasons.
EXCUSES = {
    ("afuc", "library", WRITE, "pipe"): "a pipe register that acts when $addr or $usraddr selects it",
    ("afuc", "p-code", READ, "pipe"): "where a write of $data to memory goes to is read from NRT_ADDR",
    ("afuc", "p-code", READ, "gpu"): "the same on a5xx",
    ("LOAD_READ", "library", READ, "gpu"): "what is read is dropped",
    ("JUMPD2", "library"): "nobody knows what the second register is for",
    ("BFI", "p-code", READ, "general"): "$00, and the address registers, which are queues only for those who read them",
    ("CWRITE", "p-code", READ, "general"): "(sdsN) looks at $rem, for $data alone",
    ("CWRITE_A5XX", "p-code", READ, "general"): "the same",
    ("SWZ", "library"): "of operands that name several registers p-code has the first",
    ("GAT", "library"): "the same",
    ("SCT", "library"): "the same",
}


def uses_of(isa, module, line):
    """(use, space, number or None: any)."""
    found = set()
    for item in filter(None, line.split(";")):
        what, *words = item.split()
        if what == "calls":
            found.update(FUNCTIONS.get(words[0], []))
        elif what in ("reads", "writes"):
            number = module.number_of_general(words[0])
            place = STATES.get(isa, {}).get(words[0]) if number is None else ("general", number)
            if place:  # others hold values on their way
                found.add((READ if what == "reads" else WRITE, *place))
        else:
            space = "memory" if words[0] == "ram" else words[0].replace("_registers", "")
            known = words[1] != "?" and space != "memory"
            found.add((READ if what == "loads" else WRITE, space, int(words[1]) if known else None))
    return found


def is_there(isa, effect, use, found):
    _, kind, space, first, count, mask, known, _ = effect
    if isa in FUNCTIONS_ALONE:
        if space == "memory" or not known:
            return True
    if kind == QUEUE and (use == WRITE or first != 31):  # what it takes from, or writes to, is an effect of its own
        return True
    if space == "memory" or not count or not known:
        return any(item[:2] == (use, space) for item in found)
    numbers = [first + i for i in range(count) if not mask or mask >> i & 1]
    return (use, space, None) in found or all((use, space, number) in found for number in numbers)


def allows(effect, item):
    use, _, space, first, count, _, _, _ = effect
    return use & item[0] and space == item[1] and (
        not count or item[2] is None or space == "memory" or first <= item[2] < first + count)


def compare(isa, row, module, effects, line):
    """What one side has alone: (side, use, space, number)."""
    found, alone = uses_of(isa, module, line), []
    for effect in effects:
        for use in (READ, WRITE):
            if effect[0] & use and not is_there(isa, effect, use, found):
                alone.append(("library", use, effect[2], effect[3]))
    alone += [("p-code", *item) for item in found if not any(allows(effect, item) for effect in effects)]
    return [item for item in alone if not {(isa, *item[:3]), (row, *item[:3]), (row, item[0])} & EXCUSES.keys()]


def check(driver, sla, module, target, steps, count):
    """Random words, all rows among them; returns how many agree, and how many there were."""
    isa, rows, chance = target.split(":")[0], document(target)["rows"], random.Random(7)
    nop = gpucode("asm", "-t", target, "-", "-o", "-", input=b"nop\n")[-module.alignment:] if module.alignment > 1 else b""
    picked = [rows[index % len(rows)] for index in range(count)]
    words = [random_word(chance, row) for row in picked]
    # what comes after it: it may have a delay slot
    code = [word.to_bytes(8, "little")[:row["size_bytes"]].hex() + nop.hex() for row, word in zip(picked, words)]
    lines = subprocess.run([driver, sla, "uses"], input="\n".join(code) + "\n", capture_output=True, text=True,
                           check=True).stdout.split("\n")
    agreed = seen = 0
    for row, word, text, effects, line in zip(picked, words, steps.texts(target, words), steps.uses(target, words), lines):
        if not text or text.startswith(("[", ".insn")):
            continue
        seen += 1
        alone = [("p-code", line)] if line.startswith("?") else compare(isa, row["id"], module, effects, line)
        agreed += not alone
        if alone:
            print(f"{target} {row['id']}: {word:#x} '{text}': {alone}; library: {effects}; p-code: {line}")
    return agreed, seen
