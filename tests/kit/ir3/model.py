#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs of ir3, with divergence and loops, run by `gpucode run` and by the model in this file, which is written
from the descriptions of the instructions and shares nothing with the machine. usage: model.py PROGRAM [COUNT [SEED]]"""

import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

MASK = {16: 0xFFFF, 32: 0xFFFFFFFF}
CORNERS = [0, 1, 2, 3, 31, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000,
           0x7F800000, 0xFF800000, 0x00400000, 0x80000001, 0x3C003C00, 0xBC00C000, 0x7C00FC00, 0x4B800001, 0x42F70000]
NAN = {16: 0x7E00, 32: 0x7FC00000}
FORM = {16: ("<e", "<H"), 32: ("<f", "<I")}
SIGN = {16: 0x8000, 32: 0x80000000}
EXPONENT = {16: 0x7C00, 32: 0x7F800000}


def signed(value, bits):
    value &= MASK[bits]
    return value - (1 << bits) if value >> (bits - 1) else value


def flush(value, bits):
    return value if value & EXPONENT[bits] else value & SIGN[bits]


def is_nan(value, bits):
    return value & (MASK[bits] ^ SIGN[bits]) > EXPONENT[bits]


def number(value, bits):
    return struct.unpack(FORM[bits][0], struct.pack(FORM[bits][1], flush(value, bits)))[0]


def rounded(value, bits):
    """The nearest float, ties to even; the double has what cannot change that."""
    if math.isnan(value):
        return NAN[bits]
    try:
        packed = struct.unpack(FORM[bits][1], struct.pack(FORM[bits][0], value))[0]
    except OverflowError:
        packed = EXPONENT[bits] | (SIGN[bits] if value < 0 else 0)
    return flush(packed, bits)


def add(a, b, bits):
    return rounded(number(a, bits) + number(b, bits), bits)


def multiply(a, b, bits):
    x, y = number(a, bits), number(b, bits)
    if (math.isinf(x) and y == 0) or (math.isinf(y) and x == 0):
        return NAN[bits]
    return rounded(x * y, bits)


def choose(a, b, bits, largest):
    if is_nan(a, bits) or is_nan(b, bits):
        return NAN[bits] if is_nan(a, bits) and is_nan(b, bits) else flush(b if is_nan(a, bits) else a, bits)
    a, b = flush(a, bits), flush(b, bits)
    key = lambda v: (number(v, bits), not v & SIGN[bits])
    return max(a, b, key=key) if largest else min(a, b, key=key)


def to_whole(name, a, bits):
    x = number(a, bits)
    if math.isnan(x):
        return NAN[bits]
    if math.isinf(x):
        return a
    whole = {"floor.f": math.floor, "ceil.f": math.ceil, "trunc.f": math.trunc, "rndne.f": round}[name](x)
    return rounded(math.copysign(float(whole), x), bits)


CONDITIONS = {"lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
              "eq": lambda a, b: a == b, "ne": lambda a, b: a != b}


def compare(name, a, b, bits):
    _, kind, condition = name.split(".")
    if kind == "f":
        return int(CONDITIONS[condition](number(a, bits), number(b, bits)))
    return int(CONDITIONS[condition](*((signed(a, bits), signed(b, bits)) if kind == "s" else (a, b))))


def leading(value, bits):
    return bits - value.bit_length() if value else MASK[32]


def two(name, a, b, bits):
    s, t, count = signed(a, bits), signed(b, bits), b % bits
    table = {
        "add.f": lambda: add(a, b, bits), "mul.f": lambda: multiply(a, b, bits),
        "min.f": lambda: choose(a, b, bits, False), "max.f": lambda: choose(a, b, bits, True),
        "add.u": lambda: a + b, "add.s": lambda: s + t, "sub.u": lambda: a - b, "sub.s": lambda: s - t,
        "min.u": lambda: min(a, b), "max.u": lambda: max(a, b), "min.s": lambda: min(s, t), "max.s": lambda: max(s, t),
        "and.b": lambda: a & b, "or.b": lambda: a | b, "xor.b": lambda: a ^ b,
        "mul.u24": lambda: (a & 0xFFFFFF) * (b & 0xFFFFFF), "mull.u": lambda: (a & 0xFFFF) * (b & 0xFFFF),
        "mul.s24": lambda: (((a & 0xFFFFFF) ^ 0x800000) - 0x800000) * (((b & 0xFFFFFF) ^ 0x800000) - 0x800000),
        "shl.b": lambda: a << count, "shr.b": lambda: a >> count, "ashr.b": lambda: s >> count,
        "getbit.b": lambda: a >> count & 1,
    }
    return table[name]() & MASK[bits]


def one(name, a, bits):
    if name in ("floor.f", "ceil.f", "trunc.f", "rndne.f"):
        return to_whole(name, a, bits)
    table = {
        "not.b": lambda: ~a, "bfrev.b": lambda: int(format(a, f"0{bits}b")[::-1], 2), "clz.b": lambda: leading(a, bits),
        "clz.s": lambda: leading(a if not a & SIGN[bits] else a ^ MASK[bits], bits),
        "cbits.b": lambda: bin(a & 0xFFFF).count("1"), "absneg.f": lambda: a, "absneg.s": lambda: a,
    }
    return table[name]() & MASK[bits]


def three(name, a, b, c):
    s, t, u = signed(a, 32), signed(b, 32), signed(c, 32)
    table = {
        "mad.f32": lambda: add(multiply(a, b, 32), c, 32), "mad.u24": lambda: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
        "madsh.m16": lambda: ((a & 0xFFFF) * (b >> 16) << 16) + c, "sel.b32": lambda: a if b else c,
        "sel.s32": lambda: a if t >= 0 else c, "sel.f32": lambda: a if number(b, 32) >= 0 else c,
        "sad.s32": lambda: s + t + u, "shrm": lambda: b >> a % 32 & c, "shlm": lambda: b << a % 32 & c,
        "shrg": lambda: b >> a % 32 | c, "shlg": lambda: b << a % 32 | c, "andg": lambda: b & a | c,
        "dp4acc.unsigned.low": lambda: sum((a >> 8 * i & 255) * (b >> 8 * i & 255) for i in range(4)) + c,
        "dp2acc.mixed.high": lambda: sum(((a >> i & 255 ^ 128) - 128) * (b >> i & 255) for i in (16, 24)) + c,
    }
    return table[name]() & MASK[32]


TWO_FLOAT, TWO_BITS = ["add.f", "mul.f", "min.f", "max.f"], ["and.b", "or.b", "xor.b", "shl.b", "shr.b", "ashr.b", "getbit.b"]
TWO_INTEGER = ["add.u", "add.s", "sub.u", "sub.s", "min.u", "max.u", "min.s", "max.s", "mul.u24", "mul.s24", "mull.u"]
ONE = ["floor.f", "ceil.f", "trunc.f", "rndne.f", "not.b", "bfrev.b", "clz.b", "clz.s", "cbits.b", "absneg.f", "absneg.s"]
THREE = ["mad.f32", "mad.u24", "madsh.m16", "sel.b32", "sel.s32", "sel.f32"]
THREE_LATER = ["sad.s32", "shrm", "shlm", "shrg", "shlg", "andg", "dp4acc.unsigned.low", "dp2acc.mixed.high"]
REGISTERS = 20  # r1.x to r5.w, and as many halves, in r10 to r12 where files are merged


class Program:
    def __init__(self, rng, target):
        self.rng, self.target, self.lines, self.labels, self.depth = rng, target, [], 0, 0
        self.fibers = rng.choice([1, 4, 7, 33, 64])
        corner = lambda bits: (rng.choice(CORNERS) if rng.random() < 0.4 else rng.getrandbits(32)) & MASK[bits]
        self.state = {bits: [[corner(bits) for _ in range(self.fibers)] for _ in range(REGISTERS)] for bits in (16, 32)}
        self.consts = [corner(32) for _ in range(4)]
        self.start = {bits: [list(row) for row in rows] for bits, rows in self.state.items()}

    @staticmethod
    def name(index, bits):
        return ("r" if bits == 32 else "hr") + f"{(index + (4 if bits == 32 else 80)) // 4}.{'xyzw'[index % 4]}"

    def emit(self, text):
        self.lines += [text, "(rpt5)nop"]

    def source(self, bits, constant=False):
        """Text, and the values of all fibers."""
        if constant and bits == 32 and self.rng.random() < 0.2:
            index = self.rng.randrange(4)
            return f"c0.{'xyzw'[index]}", [self.consts[index]] * self.fibers
        index = self.rng.randrange(REGISTERS)
        return self.name(index, bits), self.state[bits][index]

    def modified(self, text, values, bits, kind):
        if kind == "s" or self.rng.random() < 0.6:
            return text, values
        if kind == "b":
            return "(neg)" + text, [value ^ MASK[bits] for value in values]
        how = self.rng.choice(["neg", "abs", "absneg"])
        change = {"neg": lambda v: v ^ SIGN[bits], "abs": lambda v: v & ~SIGN[bits], "absneg": lambda v: v | SIGN[bits]}[how]
        return f"({how}){text}", [change(value) for value in values]

    def write(self, text, bits, active, values):
        index = self.rng.randrange(REGISTERS)
        self.emit(text.format(self.name(index, bits)))
        for fiber in active:
            self.state[bits][index][fiber] = values(fiber)

    def instruction(self, active):
        rng, bits = self.rng, self.rng.choice([16, 32])
        kind = rng.choice(["two", "two", "one", "compare", "three", "mov", "cov"])
        a_text, a = self.source(bits, True)
        b_text, b = self.source(bits)
        a, b = list(a), list(b)
        if kind == "two":
            name = rng.choice(TWO_FLOAT + TWO_BITS + TWO_INTEGER)
            group = "f" if name in TWO_FLOAT else "b" if name in TWO_BITS else "s"
            a_text, a = self.modified(a_text, a, bits, group)
            b_text, b = self.modified(b_text, b, bits, group)
            self.write(f"{name} {{}}, {a_text}, {b_text}", bits, active, lambda i: two(name, a[i], b[i], bits))
        elif kind == "one":
            name = rng.choice(ONE)
            self.write(f"{name} {{}}, {b_text}", bits, active, lambda i: one(name, b[i], bits))
        elif kind == "compare":
            name = f"{rng.choice(['cmps', 'cmpv'])}.{rng.choice('fus')}.{rng.choice(list(CONDITIONS))}"
            ones = MASK[bits] if name.startswith("cmpv") else 1
            self.write(f"{name} {{}}, {a_text}, {b_text}", bits, active,
                       lambda i: ones if compare(name, a[i], b[i], bits) else 0)
        elif kind == "three":
            name = rng.choice(THREE + (THREE_LATER if self.target != "ir3:a5xx" else []))
            (a_text, a), (b_text, b), (c_text, c) = (self.source(32) for _ in range(3))
            a, b, c = list(a), list(b), list(c)
            self.write(f"{name} {{}}, {a_text}, {b_text}, {c_text}", 32, active, lambda i: three(name, a[i], b[i], c[i]))
        elif kind == "mov":
            suffix = f"u{bits}u{bits}"
            self.write(f"mov.{suffix} {{}}, {b_text}", bits, active, lambda i: b[i])
        else:
            wide = rng.choice(["u", "s"])
            text, values = self.source(16)
            values = list(values)
            self.write(f"cov.{wide}16{wide}32 {{}}, {text}", 32, active,
                       lambda i: values[i] if wide == "u" else signed(values[i], 16) & MASK[32])

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def branch(self, active):
        (a_text, a), (b_text, b) = self.source(32), self.source(32)
        name = f"cmps.{self.rng.choice('fus')}.{self.rng.choice(list(CONDITIONS))}"
        taken = [i for i in active if compare(name, a[i], b[i], 32)]
        other, end = self.label(), self.label()
        self.emit(f"{name} p0.x, {a_text}, {b_text}")
        self.lines.append(f"br !p0.x, #{other}")
        self.block(taken)
        self.lines += [f"jump #{end}", f"{other}:", "(jp)nop"]
        self.block([i for i in active if i not in taken])
        self.lines += [f"{end}:", "(jp)nop"]

    def loop(self, active):
        """As often as the low bits of a register say, and once more; the body is evaluated when it is known who is in it."""
        text, values = self.source(32)
        counter, top = f"r{6 + self.depth}.x", self.label()
        left = {i: (values[i] & 1) + 1 for i in active}
        self.emit(f"and.b {counter}, {text}, 1")
        self.emit(f"add.u {counter}, {counter}, 1")
        self.lines += [f"{top}:", "(jp)nop"]
        body = len(self.lines)
        state, seed = None, self.rng.getrandbits(64)
        while left:
            lines, labels, depth = self.lines[:body], self.labels, self.depth
            self.lines, self.rng = lines, random.Random(seed)
            if state is not None:
                self.labels = state
            else:
                state = labels
            self.depth += 1
            self.block(sorted(left))
            self.depth = depth
            left = {i: count - 1 for i, count in left.items() if count > 1}
        self.rng = random.Random(seed + 1)
        self.emit(f"sub.u {counter}, {counter}, 1")
        self.emit(f"cmps.u.ne p0.x, {counter}, 0")
        self.lines += [f"br p0.x, #{top}", "(jp)nop"]

    def block(self, active):
        for _ in range(self.rng.randrange(1, 6)):
            kind = self.rng.random()
            if kind < 0.15 and self.depth < 2:
                self.depth += 1
                self.branch(active)
                self.depth -= 1
            elif kind < 0.25 and self.depth < 2:
                if active:
                    self.loop(active)
            else:
                self.instruction(active)


def check(program, rng, name):
    case = Program(rng, rng.choice(["ir3:a5xx", "ir3:a6xx", "ir3:a7xx"]))
    for _ in range(4):
        case.block(list(range(case.fibers)))
    print_list = ",".join(case.name(i, bits) for bits in (16, 32) for i in range(REGISTERS))
    inputs = []
    for bits in (16, 32):
        for i, values in enumerate(case.start[bits]):
            inputs += ["--in", f"{case.name(i, bits)}=" + ",".join(hex(value) for value in values)]
    with open(name, "w", encoding="ascii") as out:
        out.write(f"@localsize {case.fibers}, 1, 1\n@const(c0.x) " + ", ".join(hex(v) for v in case.consts) + "\n")
        out.write("\n".join(case.lines) + "\nend\n")
    done = subprocess.run([program, "run", "-t", case.target, "--json", *inputs, "--print", print_list, name],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"ended with {done.returncode}: {done.stderr.strip()[:300]}"]
    result = json.loads(done.stdout)
    threads = result.get("threads") or [{"registers": result["registers"]}]
    return [f"{case.name(i, bits)}[{fiber}] is {threads[fiber]['registers'][case.name(i, bits)]}, not {value:#x}"
            for bits in (16, 32) for i, values in enumerate(case.state[bits]) for fiber, value in enumerate(values)
            if int(threads[fiber]["registers"][case.name(i, bits)], 16) != value]


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as folder:
        for number_of in range(seed, seed + count):
            found = check(program, random.Random(number_of), os.path.join(folder, "case.asm"))
            if found:
                print(f"seed {number_of}:", *found[:8], sep="\n  ")
                print(open(os.path.join(folder, "case.asm"), encoding="ascii").read())
                return 1
    print(f"{count} programs agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
