#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sentences about a crash: dumps and logs in which one thing is changed, and what must be said then.

    verdicts.py GPUCODE CORPUS
"""
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from packets import type7

CALL, DRAW, EVENT, GROUPS, NOP, UNKNOWN, WAIT_IDLE, WAIT_MEM = 0x3F, 0x38, 0x46, 0x43, 0x10, 0x01, 0x26, 0x3C
errors = []


def group(word):
    return "z" if not word else "".join(chr(word // 85**power % 85 + 33) for power in range(4, -1, -1))


def words_of(line):
    """The words of a line of ascii85."""
    return [0 if one == "z" else sum((ord(c) - 33) * 85**(4 - i) for i, c in enumerate(one))
            for one in re.findall("z|.{5}", line)]


class Dump:
    def __init__(self, corpus, name):
        with gzip.open(os.path.join(corpus, name)) if name.endswith(".gz") else open(os.path.join(corpus, name), "rb") as file:
            self.text = file.read().decode()

    def put(self, old, new, times=1):
        """Replaces what stands there so many times."""
        if self.text.count(old) != times:
            sys.exit(f"{old!r} stands {self.text.count(old)} times in the dump")
        self.text = self.text.replace(old, new)
        return self

    def register(self, number, value):
        self.text, times = re.subn(rf"(offset: 0x0*{4 * number:x}, value:) 0x\w+", rf"\1 {value:#010x}", self.text)
        line = f"  - {{ offset: {4 * number:#x}, value: {value:#x} }}\n"
        return self if times else self.put("\nregisters:\n", f"\nregisters:\n{line}")

    def word(self, name, index, *values):
        """Words of what has this line in front of its data."""
        at = self.text.index("\n", self.text.index("ascii85 |", self.text.index(name))) + 1
        end = self.text.index("\n", at)
        words = words_of(self.text[at:end].strip())
        words += [0] * (index + len(values) - len(words))
        words[index:index + len(values)] = values
        self.text = self.text[:at] + "     " + "".join(map(group, words)) + self.text[end:]
        return self

    def quiet(self):
        """No error is flagged."""
        self.text = re.sub("fault-info:\n(  - .*\n)*", "", self.text)
        return self.register(INTERRUPT, 0).register(PROTECT, 0)

    def gone(self, name):
        """The buffer is not in the dump."""
        buffer = rf"  - iova: .*\n(    size.*\n)(    flags.*\n)?    name: {name} .*\n(     .*\n|    data.*\n)*"
        self.text, times = re.subn(buffer, "", self.text)
        assert times == 1
        return self

    def mapped(self, *entries):
        lines = "".join(f"  - {kind}:0: {start:#018x}-{end:#018x}\n" for kind, start, end in entries)
        return self.put("rbbm-status:", f"vm-log:\n{lines}rbbm-status:")

    def bus(self, iova, direction="READ"):
        self.text = re.sub(r"iova=\w+", f"iova={iova:016x}", self.text)
        return self.put("dir=READ", f"dir={direction}")


# what a dump of a6xx has: the buffer with the draw, the state of the SQE, its memory, and registers
SECOND, STATE, MEMORY, TABLE = "name: draw ", "CP_SEQ_STAT", "CP_UCODE_DBG_DATA", 4 * 4096
LEVEL, PREEMPT = 0x12, 7 * 4096 + 0x72
WPTR, INTERRUPT, PROTECT, REM1, REM2 = 0x807, 0x823, 0x824, 0x92A, 0x92D
OPCODES = "opcode error, ucode error, hardware fault, register protection, AHB error, VSD parity, illegal instruction"
ONE, BLOCK = 0x100010000, 0x5000000


def positions(six, seven):
    """What is changed, and what is said of the place of the packet and of why it stands there."""
    unknown, much = type7(UNKNOWN, 1, 2, 3)[0], type7(DRAW, *range(7))[0]
    yield six().word(SECOND, 5, unknown).word(STATE, 0, 0x85, unknown), (
        "stood in a packet with the unknown opcode 0x01, at 0x100010014", "5 words into the code for unknown opcodes (4 of 4",
        "The firmware has no code for this opcode."), ["unknown opcode"]
    yield six().word(MEMORY, TABLE + UNKNOWN, 0x154), (
        "1 word after the start of the code for an opcode without a name (3 of 4",), []
    yield six().word(SECOND, 5, much).word(STATE, 1, much), (
        "The packet has more words than its buffer: one of their sizes is wrong.",), ["longer than its buffer"]
    yield six().word(STATE, LEVEL, 0).register(WPTR, 5), (
        "stood in CP_INDIRECT_BUFFER, at 0x100000000100c, word 0x3 of 0x40 of the ring at 0x1000000001000",
        "It sets the state of draw 0 (",
        "Not all words of the packet were in the ring: the write pointer is in the middle of the packet."), ["not all written"]
    yield six().word(STATE, LEVEL, 0).register(WPTR, 7), (), []
    yield six().word(STATE, LEVEL, 3), ("stood in CP_DRAW_INDX_OFFSET, in a draw-state group, at PC 0x155",), []
    yield seven().word("SQE_UCODE_DBG", PREEMPT, 1), (
        "A switch of contexts (preemption) was under way.",), ["switch of contexts"]
    for iova, there in ((ONE + 0x1C, True), (ONE + 0x27, True), (ONE + 0x28, False), (ONE + 0x18, False)):
        said = "The next words of the buffer of packets would be there: its address or size is wrong, or it was freed."
        yield six().bus(iova), (said if there else f"READ of {iova:#x}",), ["buffer not readable"] * there
        yield six().bus(iova, "WRITE"), (f"WRITE of {iova:#x}",), []
    yield six().register(REM2, 10).register(0x94A, 0).word(STATE, 1, type7(CALL, 0, 0, 0)[0]), (
        "stood in CP_INDIRECT_BUFFER, at 0x100000014, word 0x5 of 0xa of the IB1 at 0x100000000, and had not read "
        "anything yet of the IB2 at 0x100010000 that it calls, at PC 0x155",), []
    yield six().word(STATE, 1, type7(NOP, 1)[0]), (
        "The header in $01 stands at word 0x3 of 0x100010000: by $01, not by position, it was that.",), []
    # not the one that comes next
    yield six().word(SECOND, 5, *type7(EVENT, 0), *type7(NOP, 1)).word(STATE, 1, type7(NOP, 1)[0]), (
        "The header in $01 stands at word 0x3 of 0x100010000: by $01, not by position, it was that.",), []


def errors_told(six, seven, five):
    yield six().register(INTERRUPT, 0x3FFFF), (
        f"It reported: {OPCODES}, LPAC opcode error, LPAC ucode error, LPAC hardware fault, LPAC register "
        "protection, LPAC illegal instruction, BV opcode error, BV ucode error, BV hardware fault, BV register protection, BV illegal instruction.",), []
    yield five().register(0xB18, 0x3F), (
        "It reported: opcode error, reserved bit error, hardware fault, DMA error, register protection, AHB error.",), None
    yield seven().put("(67.5.10.1)", "(68.5.0.0)").register(0x8B7, 0x1F00).register(0x8B3, 0x77F), (
        "It reported: opcode error, VSD parity, register protection, illegal instruction, SMMU fault. Hardware fault: "
        "fetch of the ring, fetch of IB1, fetch of IB2, fetch of IB3, fetch of SDS, fetch of MRB, fetch of VSD, SQE read "
        "overflow, event engine overflow, ucode error.",), None
    wait = type7(WAIT_MEM, 1, 2, 3)
    yield six().quiet().word(SECOND, 5, *wait).word(STATE, 1, wait[0]), (
        "No error is flagged: it waits there for something that did not come. Cluster FE had not taken 2 register "
        "writes that wait for it.",), []
    yield six().quiet(), ("No error is flagged: the GPU hung.",), []
    yield six().quiet().put("regs-name: CP_MEMPOOL", "regs-name: CP_OTHER").put("retired-fence: 10", "retired-fence: 12"), (
        "No error is flagged: the GPU hung. All that was submitted had been finished.",), []


def faults(six):
    """Where the address of a fault is, and what calls memory that is not there."""
    log = ("map", BLOCK, BLOCK + 0x2000), ("unmap", BLOCK, BLOCK + 0x1000), ("map", BLOCK + 0x8000, BLOCK + 0x9000)
    there = "An SMMU fault was seen: READ of "
    for dump, said in (
            (six().bus(0x9000000),
             "0x9000000, never mapped as far as the dump tells, which has no log of mappings, by UCHE (TRANSLATION)."),
            (six().bus(0x9000000).mapped(*log),
             "0x9000000, never mapped: neither a listed buffer nor the log of mappings has it, by UCHE"),
            (six().bus(BLOCK + 0x1010).mapped(*log),
             "0x5001010, 0x1010 into 0x5000000 to 0x5002000, which was mapped, though no buffer is listed there, by UCHE"),
            (six().bus(BLOCK + 0x10).mapped(*log),
             "0x5000010, 0x10 into 0x5000000 to 0x5001000, which was unmapped a moment ago, 1 entry before the last of the log of mappings"),
            (six().bus(BLOCK + 0x10).mapped(*log, log[2]), "a moment ago, 2 entries before the last of the log of mappings"),
            (six().bus(BLOCK + 0x10).mapped(*log[:2]), "which was unmapped a moment ago, by the last entry of the log of mappings"),
            (six().bus(0x200000004), "0x200000004, 0x4 into the buffer at 0x200000000, by UCHE")):
        yield dump, (said if said.startswith("a moment") or said.startswith("which") else there + said,), []
    suspect = "The earliest suspect stands before it or there, at 0x100000014: the packet calls 0x100010000, "
    yield six().gone("draw"), (suspect + "where the dump lists no buffer.",), []
    yield six().gone("draw").mapped(("unmap", ONE, ONE + 0x1000), *log), (
        suspect + "which was unmapped 4 entries before the end of the log.",), []
    # of two groups of a draw the second: the draw calls it, not the last packet of the first, which is at the buffer's end
    present, absent = type7(GROUPS, 0x700002, 0x10028, 1), type7(GROUPS, 0x1700002, 0x900000, 0)
    yield six().word("name: commands", 0, *present, *type7(NOP)).word(SECOND, 0, *absent, *type7(NOP)).word(SECOND, 10, *type7(NOP, 1)), (
        "The earliest suspect stands before it or there, at 0x100010014: the packet calls 0x900000, where the dump lists no buffer.",), []


def check(gpucode, path, dump, said, reasons):
    with open(path, "w", encoding="ascii") as file:
        file.write(dump.text)
    told = json.loads(subprocess.run([gpucode, "crash", "--json", path], capture_output=True, check=True).stdout)
    text = " ".join(subprocess.run([gpucode, "crash", path], capture_output=True, check=True).stdout.decode().split())
    if not text.startswith(told["verdict"]):
        errors.append(f"text and JSON say different things: {text}")
    for sentence in said:
        # what stands among the signs is for text alone
        if sentence not in text or (sentence not in told["verdict"] and "$01" not in sentence):
            errors.append(f"not said: {sentence}: {told['verdict']}")
    if reasons is not None and told["position"]["reasons"] != reasons:
        errors.append(f"{said}: {told['position']['reasons']}")


def check_snapshot(gpucode, corpus, path):
    """Fences in a snapshot have numbers of their own: as many of the last submits are open as timestamps are."""
    with gzip.open(os.path.join(corpus, "gen8.snapshot.gz")) as file:
        dump = bytearray(file.read())
    ring = type7(WAIT_IDLE)
    for i in range(4):
        ring += type7(CALL, 0, 1, 10) + type7(EVENT, 0x80000004, 0x200000, 0, i + 1)
    for timestamp in range(10, 15):
        for at, words in ((0xE8, ring + [0] * (64 - len(ring))), (0xC8, [len(ring), 5]), (0x208, [5]), (0x210, [len(ring)]),
                          (0xD4, [timestamp, 10])):
            struct.pack_into(f"<{len(words)}I", dump, at, *words)
        with open(path, "wb") as file:
            file.write(dump)
        out = subprocess.run([gpucode, "decode", "--finished", path], capture_output=True, check=False).stdout.decode()
        states = re.findall(r"^submit \d: ring 0, fence \d, (\w+)", out, re.M)
        open_ones = ["running"] * (timestamp == 14) + ["pending"] * (min(timestamp, 13) - 10)
        if states != ["finished"] * (14 - timestamp) + open_ones:
            errors.append(f"timestamp {timestamp}: {states}")


def check_breaks(gpucode, corpus, folder):
    """`crash break` waits for the packet in hand, and counts what is left in the buffers around it, not in deeper ones."""
    firmware, changed, script = (os.path.join(folder, name) for name in ("a6xx.fw", "changed.devcore", "go"))
    source = os.path.join(corpus, "..", "..", "..", "examples", "firmware", "a6xx.asm")
    subprocess.run([gpucode, "asm", source, "-o", firmware], check=True)
    with open(script, "w", encoding="ascii") as file:
        file.write(f"crash break {changed}\ninfo breakpoints\n")
    for level, left in enumerate(("CP_RB_RPTR == 0x3", "CP_RB_RPTR == 0x7 && @IB1_DWORDS == 0x5",
                                  "CP_RB_RPTR == 0x7 && @IB1_DWORDS == 0x1 && @IB2_DWORDS == 0x5")):
        with open(changed, "w", encoding="ascii") as file:
            file.write(Dump(corpus, "a6xx.devcore").word(STATE, LEVEL, level).text)
        told = subprocess.run([gpucode, "debug", firmware, "--batch", "-x", script], capture_output=True, check=True)
        if f"catch packet if @IB_LEVEL == {level} && {left}\n" not in told.stdout.decode():
            errors.append(f"a break at level {level}: {told.stdout.decode()}")


def main():
    gpucode, corpus = sys.argv[1:3]

    def five():
        return Dump(corpus, "a5xx.devcore")

    def six():
        return Dump(corpus, "a6xx.devcore")

    def seven():
        return Dump(corpus, "a7xx.devcore.gz")
    with tempfile.TemporaryDirectory() as folder:
        for case in (*positions(six, seven), *errors_told(six, seven, five), *faults(six)):
            check(gpucode, os.path.join(folder, "changed.devcore"), *case)
        check_breaks(gpucode, corpus, folder)
        check_snapshot(gpucode, corpus, os.path.join(folder, "changed.snapshot"))
    print("\n".join(errors))
    sys.exit(1 if errors else 0)


main()
