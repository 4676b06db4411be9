# SPDX-License-Identifier: MIT
"""The p-code of the smaller sets against their machines, on random programs: what MME macros and HWSQ scripts write, and
where control goes. A3XX's rows are functions: their constructors must name the registers that the record of effects has."""
import math
import random
import re
import struct

import sleigh_machine
import sleigh_plain
import sleigh_texts
from steps import LONG, document, gpucode, hex_bytes, random_word


# --- MME -------------------------------------------------------------------------------------------------------------

def run_macro(machine, words, lines):
    """Follows the machine's lines; returns how many words agreed."""
    machine.begin(b"".join(word.to_bytes(4, "little") for word in words))
    module, trace, events = machine.module, [], []
    for line in lines:
        parts = line.split()
        if parts[0] == "set" and parts[1] == "general":
            machine.registers[f"r{int(parts[2]):02x}"] = int(parts[3])
        elif parts[0] == "step":
            events = []
            trace.append((int(parts[1]), events))
        elif parts[0] == "end":
            reason, end = int(parts[1]), int(parts[2])
        elif parts[0] == "write":
            events.append((parts[1], int(parts[2]), int(parts[3])))
    pending, agreed, index = None, 0, 0
    while index < len(trace) and (count := sleigh_machine.covered(machine, trace, index, 4)):
        pc, wrote = trace[index][0], [event for _, own in trace[index:index + count] for event in own]
        index += count
        last = index == len(trace)
        if pc + count > len(words) or last and reason != 0 and not trace[-1][1]:
            break  # the last one was begun and not run
        goes, slots = machine.step(words[pc], 4 * pc)
        where = f"word {pc} ({words[pc]:08x} {module.text(words[pc], 4 * pc)})"
        for space, number, value in wrote:
            found = machine.spaces[space].get(number) if space == "gpu" else machine.registers[f"r{number:02x}"]
            # a method may be written twice by one word, of which the last one counts
            assert found == value or (space, number) in [event[:2] for event in wrote if event[2] == found], (
                f"{where}: {space} {number:#x} is {found}, not {value}")
        for (space, number), before in machine.changed.items():
            if space == "register" and re.match("r0[0-7]$", number):
                now = machine.registers[number]
                assert now == before or ("general", int(number[1:], 16)) in [event[:2] for event in wrote], where
            elif space == "gpu":
                assert ("gpu", number) in [event[:2] for event in wrote], where
        following = trace[index][0] if not last else end
        wanted = pending if pending is not None else pc + count
        if goes is not None and not slots:
            wanted = goes // 4
        if wanted != 0 and not (last and reason):  # 0: it ends
            assert following == wanted, f"{where}: goes on at {following}, not {wanted}"
        pending = goes // 4 if goes is not None and slots else None
        agreed += 1
    return agreed


def check_macros(module, steps, count, make=sleigh_machine.Machine):
    chance, left = random.Random(11), []
    rows = document("mme:fermi")["rows"]
    agreed, machine = 0, make(module, lambda name, arguments: left.pop(0))
    for _ in range(count):
        words = []
        for _ in range(30):
            row = chance.choice(rows)
            word = random_word(chance, row, lambda letter: letter in "en")
            if row["flow"]["kind"] in ("jump", "branch"):  # forward, and not far
                word = word & 0x3fff | chance.randrange(1, 5) << 14
            words.append(word)
        left[:] = [chance.getrandbits(32) for _ in range(40)]
        lines = steps.trace([f"raw mme:fermi {hex_bytes(words)}", "feed " + " ".join(map(str, left))], 60)
        if [int(line.split()[3]) for line in lines if line.startswith("set general 1 ")] == left[:1]:
            left.pop(0)
        agreed += run_macro(machine, words, lines)
    return agreed


# --- HWSQ ------------------------------------------------------------------------------------------------------------

def check_scripts(module, steps, target, count, make=sleigh_machine.Machine):
    chance, machine = random.Random(12), make(module, lambda name, arguments: 0)
    rows = [row for row in document(target)["rows"] if row["id"] not in ("EXIT", "EWAIT", "WAIT")]
    exit_code, writes = 0x7f, 0
    for _ in range(count):
        code = b""
        for _ in range(12):
            row = chance.choice(rows)
            code += random_word(chance, row, lambda letter: letter == "s").to_bytes(row["size_bytes"], "little")
        code += bytes([exit_code])
        lines = steps.trace([f"raw {target} {code.hex()}"], 400)
        machine.begin(code)
        found, at = [], 0
        while True:
            word = int.from_bytes(code[at:at + 5], "little")
            goes, _ = machine.step(word, at)
            for (space, number), _ in machine.changed.items():
                if space == "gpu":
                    found.append((number, machine.spaces["gpu"][number]))
            if goes is not None:
                break
            at += next(row["size_bytes"] for row in rows if word & int(row["mask"], 16) == int(row["match"], 16))
        wanted = [tuple(map(int, line.split()[2:4])) for line in lines if line.startswith("write gpu ")]
        assert found == wanted, (target, code.hex(), found, wanted)
        writes += len(found)
    return writes


# --- A3XX ------------------------------------------------------------------------------------------------------------

def check_functions(module):
    """An add reads two registers and writes one; a branch goes where its operand says."""
    calls = []
    def answer(name, arguments):
        calls.append((name, arguments))
        return 7
    machine = sleigh_machine.Machine(module, answer)
    source = "add.f r1.x, r2.y, r3.z\nadd.f hr1.x, hr2.y, hc3.z\nbr p0.x, #2\nend\n"
    code = gpucode("asm", "-t", "a3xx", "-", "-o", "-", input=source.encode())
    words = [int.from_bytes(code[i:i + 8], "little") for i in range(0, 32, 8)]
    machine.registers.update(r09=111, r0e=222)
    assert machine.step(words[0], 0) == (None, 0)
    assert machine.registers["r04"] == 7 and calls.pop() == ("do_ADD_F", [111, 222])
    machine.spaces["half_registers"].update({9: 333})
    machine.spaces["const_registers"].update({14: 444})
    assert machine.step(words[1], 8) == (None, 0)
    assert machine.spaces["half_registers"][4] == 7 and calls.pop() == ("do_ADD_F", [333, 444])
    assert machine.step(words[2], 16) == (32, 0) and calls.pop()[0] == "do_BR"
    assert machine.step(words[3], 24) == (0, 0) and not calls
    lines = ["(sy)(ss)mad.f32 r1.w, c1.y, r1.y, r1.w", "add.f r2.x, (neg)r1.w, (1.0)", "(rpt2)add.f r5.x, r4.x, (r)c6.x",
             "mov.f32f32 r4.w, c7.z", "(rpt3)cov.f32f16 hr0.x, (r)r4.x", "max.f hr2.y, (abs)hr2.x, hc1.x", "end"]
    code = gpucode("asm", "-t", "a3xx", "-", "-o", "-", input="\n".join(lines).encode())
    for index, line in enumerate(lines):
        found = module.text(int.from_bytes(code[8 * index:8 * index + 8], "little"), 8 * index)
        assert found.strip() == line, (found, line)
    calls.clear()
    machine.step(int.from_bytes(code[8:16], "little"), 8)
    assert calls[0][1][1] == 0x3f800000, "(1.0) is a float"


def check_later_shaders(module, target):
    """The same of ir3: a bit without a field says how wide registers are, and two rows may explain a word."""
    calls = []
    def answer(name, arguments):
        calls.append((name, arguments))
        return 7
    machine = sleigh_machine.Machine(module, answer)
    source = "add.f r1.x, r2.y, r3.z\nadd.f hr1.x, hr2.y, hc3.z\nadd.f hr1.x, r2.y, r3.z\nmov.f32f32 r0.x, r1.x\nend\nldl.u32 r0.x, l[r1.x+4], 1\n"
    code = gpucode("asm", "-t", target, "-", "-o", "-", input=source.encode())
    words = [int.from_bytes(code[i:i + 8], "little") for i in range(0, 48, 8)]
    machine.registers.update(r09=111, r0e=222)
    machine.spaces["half_registers"].update({9: 333})
    machine.spaces["const_registers"].update({14: 444})
    assert machine.step(words[0], 0) == (None, 0)
    assert machine.registers["r04"] == 7 and calls.pop() == ("do_ADD_F", [111, 222])
    assert machine.step(words[1], 8) == (None, 0)
    assert machine.spaces["half_registers"][4] == 7 and calls.pop() == ("do_ADD_F", [333, 444])
    machine.spaces["half_registers"].clear()
    assert machine.step(words[2], 16) == (None, 0)
    assert machine.spaces["half_registers"][4] == 7 and calls.pop() == ("do_ADD_F", [111, 222])
    assert machine.step(words[3], 24) == (None, 0) and machine.registers["r00"] == 7 and not calls
    assert machine.step(words[4], 32) == (0, 0) and not calls
    for word, mnemonic in ((0xc060000000e18001, "ldib.b"), (words[5], "ldl"), (0x200440c0ae800004, "movs"),
                           (words[3], "mov.f32f32"), (0x205300f400000005, "mova")):
        found = module.text(word, 0).strip()
        assert target in ("ir3:a4xx", "ir3:a5xx") or found.startswith(mnemonic), (target, found, mnemonic)


def check_floats(module, target):
    """Floats of the table are their bits, whatever else is in the word."""
    values = {"0.0": 0, "0.5": .5, "1.0": 1, "2.0": 2, "e": math.e, "pi": math.pi, "1/pi": 1 / math.pi, "4.0": 4,
              "1/log2(e)": math.log(2), "log2(e)": 1 / math.log(2), "1/log2(10)": math.log(2, 10), "log2(10)": math.log(10, 2)}
    calls = []
    machine = sleigh_machine.Machine(module, lambda name, arguments: calls.append((name, arguments)) or 0)
    for text, value in values.items():
        for place, line in enumerate((f"add.f r2.x, ({text}), r1.w", f"add.f r2.x, r1.w, ({text})", f"(sy)(ss)(rpt2)mul.f r9.x, (r)r1.w, ({text})")):
            code = gpucode("asm", "-t", target, "-", "-o", "-", input=line.encode() + b"\nend\n")
            calls.clear()
            machine.step(int.from_bytes(code[:8], "little"), 0)
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            (found,) = [arguments[min(place, 1)] for name, arguments in calls if name.startswith("do_")]
            assert found == bits, (target, line, hex(found), hex(bits))


def check_signed_fields(module, target):
    """Fields of 32 bits with a sign: offsets of jumps, and numbers that are moved, or given to the function that moves."""
    machine = sleigh_machine.Machine(module, lambda name, arguments: arguments[-1])  # after what finds the result
    values, jumps = (-1 << 31, -0x12345679, -2, -1, 0, 1, 0x12345678, (1 << 31) - 1), 0
    address = 1 << 40
    for row in document(target)["rows"]:
        kept = [field for field in row["fields"] if field["type"] == "target" and field["pieces"][0]["width"] == 32]
        if row["flow"]["kind"] not in ("jump", "call") or not kept:
            continue
        assert kept[0]["pieces"] == [{"shift": 0, "width": 32}], row["id"]
        for value in values:
            word = int(row["match"], 16) | value & 0xffffffff
            assert machine.step(word, address)[0] == address + 8 * value, (target, row["id"], value)
            shown = module.text(word, address).split()[-1]
            assert int(shown, 0) == address + 8 * value, (target, row["id"], value, shown)
            jumps += 1
    assert jumps >= 2 * len(values) or target == "a3xx", (target, jumps)
    for value in values:
        line = f"mov.s32s32 r1.x, {value}"
        word = int.from_bytes(gpucode("asm", "-t", target, "-", "-o", "-", input=line.encode() + b"\nend\n")[:8], "little")
        assert sleigh_texts.same(line, module.text(word, 0), False, 8), (target, line, module.text(word, 0))
        machine.step(word, 0)
        assert machine.registers["r04"] == value & 0xffffffff, (target, line, hex(machine.registers["r04"]))


def check(modules, steps):
    """`modules`: those that were read, by name."""
    agreed = check_macros(modules["MME_fermi"], steps, 3000 if LONG else 150)
    print(f"MME: {agreed} words do what the machine does")
    for name in ("nv41", "nv50", "nv92"):
        writes = check_scripts(modules[f"HWSQ_{name}"], steps, f"hwsq:{name}", 1000 if LONG else 60)
        assert writes > 20
        print(f"HWSQ {name}: {writes} writes")
    check_functions(modules["A3XX_a3xx"])
    for name in ("a4xx", "a6xx", "a8xx"):
        check_later_shaders(modules[f"IR3_{name}"], f"ir3:{name}")
    for name, target in (("A3XX_a3xx", "a3xx"), ("IR3_a5xx", "ir3:a5xx"), ("IR3_a7xx", "ir3:a7xx")):
        check_signed_fields(modules[name], target)
        check_floats(modules[name], target)
        compared = sleigh_plain.check(modules[name], target, steps, 12 if LONG else 4)
        print(f"{target}: {compared} words calculate what the machine does")
        assert compared > 300, target
    assert agreed > 300
