#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Firmware runs into faults on the machine, at a place that is known; the dump must be one by the format's rules, and
`gpucode crash` must name the packet, the word and the reason.

    crash_round.py GPUCODE EXAMPLES
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

IB1, IB2, GOOD = 0x100000, 0x200000, 0x300000
UNMAPPED = 0x90000000010


def odd(value):
    return 1 - bin(value).count("1") % 2


def type7(opcode, *words):
    count = len(words)
    return [7 << 28 | odd(opcode) << 23 | opcode << 16 | odd(count) << 15 | count, *words]


def type4(register, *words):
    count = len(words)
    return [4 << 28 | odd(register) << 27 | register << 8 | odd(count) << 7 | count, *words]


NOP, MEM_WRITE, WAIT_REG_MEM, REG_TO_MEM, MEM_TO_REG, MEM_TO_MEM, CALL = 0x10, 0x3D, 0x3C, 0x3E, 0x42, 0x73, 0x3F
LOW, HIGH = UNMAPPED & 0xFFFFFFFF, UNMAPPED >> 32

# name: words of the packet, what is reported, whether an address is at fault
FAULTS = {
    "no header": ([0xDEADD00D], "opcode error", False),
    "ones": ([0xFFFFFFFF], "opcode error", False),
    "type 7, wrong parity": ([type7(NOP, 1)[0] ^ 1 << 23, 1], "opcode error", False),
    "type 4, wrong parity": ([type4(0x8C01, 1)[0] ^ 1 << 7, 1], "opcode error", False),
    "write, nothing mapped": (type7(MEM_WRITE, LOW, HIGH, 1), None, True),
    "register to memory": (type7(REG_TO_MEM, 0x8C01, LOW, HIGH), None, True),
    "memory to register": (type7(MEM_TO_REG, 0x8C01, LOW, HIGH), None, True),
    "wait for memory": (type7(WAIT_REG_MEM, 0x13, GOOD, 0, 1, 0xFFFFFFFF, 0), None, False),
    "wait for a register": (type7(WAIT_REG_MEM, 0x3, 0x8C01, 0, 1, 0xFFFFFFFF, 0), None, False),
}


def place(fault, level, before):
    """Memory (address: words), packets of the ring, and where the fault stands: level, buffer, word, words."""
    head = [word for packet in before for word in packet]
    body = head + fault + type7(NOP) + type7(NOP, 7)
    if level == "RB":
        return {}, before + [fault], (level, None, None, None)
    if level == "IB1":
        return {IB1: body}, [type7(NOP), type7(CALL, IB1, 0, len(body))], (level, IB1, len(head), len(body))
    outer = type7(NOP) + type7(CALL, IB2, 0, len(body)) + type7(NOP)
    return {IB1: outer, IB2: body}, [type7(NOP), type7(CALL, IB1, 0, len(outer))], (level, IB2, len(head), len(body))


def undo(text):
    words, at = [], 0
    while at < len(text):
        if text[at] == "z":
            words.append(0)
            at += 1
            continue
        group = text[at:at + 5]
        assert len(group) == 5 and all("!" <= c <= "u" for c in group), group
        value = 0
        for c in group:
            value = value * 85 + ord(c) - 33
        assert value <= 0xFFFFFFFF, group
        words.append(value)
        at += 5
    return words


HEADS = ("kernel", "module", "time", "comm", "cmdline", "gpu-initialized", "revision", "rbbm-status")
LISTS = {"ringbuffer": ("id", "iova", "last-fence", "retired-fence", "rptr", "wptr", "size", "data"),
         "bos": ("iova", "size", "flags", "name", "data"), "indexed-registers": ("regs-name", "dwords", "data")}


def parse(path):
    """A devcoredump by the rules of the format alone; anything else fails."""
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    assert lines.pop(0) == "---" and lines.pop() == ""
    dump, section, item = {}, None, None
    lines = iter(lines)
    for line in lines:
        if line[0] != " ":
            name, colon, value = line.partition(":")
            assert colon and name not in dump, line
            assert (name in HEADS) == bool(value), line
            dump[name] = value.strip() if value else []
            section = name
        elif section == "registers":
            found = re.fullmatch(r"  - \{ offset: 0x([0-9a-f]{4,6}), value: 0x([0-9a-f]{8}) \}", line)
            assert found, line
            dump[section].append((int(found[1], 16), int(found[2], 16)))
        elif section == "fault-info":
            found = re.fullmatch(r"  - (ttbr0|iova|dir|type|source)=(\w+)", line)
            assert found, line
            dump[section].append(found.groups())
        else:
            found = re.fullmatch(r"(  - |    )([a-z-]+): (.*)", line)
            assert found and found[2] in LISTS[section], line
            if found[1] == "  - ":
                assert found[2] == LISTS[section][0], line
                item = {}
                dump[section].append(item)
            value = found[3]
            if found[2] == "data":
                assert value == "!!ascii85 |"
                value = next(lines)
                assert value.startswith("     ") and value[5] != " "
                value = undo(value[5:])
                assert value[-1] != 0, "zeros at the end are cut"
            item[found[2]] = value
    assert dump["module"] == "msm" and re.fullmatch(r"\d+ \(\d+\.\d+\.\d+\.\d+\)", dump["revision"])
    offsets = [offset for offset, _ in dump["registers"]]
    assert offsets == sorted(offsets) and all(offset % 4 == 0 for offset in offsets)
    for block in dump.get("indexed-registers", []):
        assert len(block.get("data", [])) <= int(block["dwords"])
        if block["regs-name"] == "CP_SQE_UCODE_DBG":
            assert not any(block["data"][:0x4000]) and any(block["data"][0x4000:0x4080])
    for ring in dump["ringbuffer"]:
        assert len(ring["data"]) * 4 <= int(ring["size"])
    return dump


class Round:
    def __init__(self, gpucode, folder):
        self.gpucode, self.folder, self.errors, self.count = gpucode, folder, [], 0

    def crash(self, image, target, name, level):
        fault, reported, at_address = FAULTS[name]
        before = [type7(NOP), type4(0x8C01, 3), type7(NOP, 1, 2)]
        memory, packets, wanted = place(fault, level, before)
        dump = os.path.join(self.folder, "dump")
        options = ["--crash", dump, "--limit", "200000"]
        for address, words in memory.items():
            path = os.path.join(self.folder, hex(address))
            with open(path, "wb") as file:
                file.write(struct.pack(f"<{len(words)}I", *words))
            options += ["--memory", f"{hex(address)}={path}"]
        ring = os.path.join(self.folder, "ring")
        words = [word for packet in [type7(0x48, *[0] * 8)] + packets for word in packet]
        with open(ring, "w", encoding="ascii") as file:
            file.write("\n".join(f"{word:08x}" for word in words))
        if image.endswith(".asm"):
            options += ["-t", target]
        run = subprocess.run([self.gpucode, "run", image, "--ring", ring, *options], capture_output=True, check=False)
        if run.returncode != 1:
            return f"the run did not fault: {run.stdout.decode()[-300:]}{run.stderr.decode()}"
        parse(dump)
        run = subprocess.run([self.gpucode, "crash", "--json", dump], capture_output=True, check=False)
        if run.returncode or run.stderr:
            return f"exit code {run.returncode}: {run.stderr.decode()}"
        return self.judge(json.loads(run.stdout), fault, wanted, reported, at_address, words)

    @staticmethod
    def judge(found, fault, wanted, reported, at_address, ring):
        where = found.get("position", {})
        level, buffer, word, words = wanted
        if level == "RB":
            buffer, word, words = int(where["buffer"], 16), len(ring) - len(fault), where["buffer_words"]
        have = (where.get("level"), int(where.get("buffer", "0"), 16), where.get("word"), where.get("buffer_words"))
        if have != (level, buffer, word, words) or int(where["header"], 16) != fault[0]:
            return f"found {have} {where.get('header')}, not {(level, buffer, word, words)} {hex(fault[0])}"
        if not {"header", "previous-headers", "level"} <= set(where["confirmed"]):
            return f"confirmed by {where['confirmed']}"
        if reported and reported not in found["status"]["interrupt"]:
            return f"reported {found['status']['interrupt']}, not {reported}"
        if at_address and int(found["status"]["fault"]["iova"], 16) != UNMAPPED:
            return f"fault {found['status'].get('fault')}"
        return None

    def all(self, image, generation, names):
        for name in names:
            for level in ("RB", "IB1", "IB2"):
                self.count += 1
                error = self.crash(image, generation, name, level)
                if error:
                    self.errors.append(f"{generation}, {name}, {level}: {error}")


def main():
    gpucode, examples = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        rounds = Round(gpucode, folder)
        for source, target in (("a6xx", "afuc:a630"), ("a6xx", "afuc:a660"), ("a7xx", "afuc:a730"), ("a7xx", "afuc:a740")):
            image = os.path.join(folder, "image.fw")
            subprocess.run([gpucode, "asm", "-t", target, os.path.join(examples, source + ".asm"), "-o", image],
                           stderr=subprocess.DEVNULL, check=True)
            rounds.all(image, target, FAULTS)
        for target in ("afuc:gen70500", "afuc:a750", "afuc:gen80000", "afuc:gen80100"):
            rounds.all(os.path.join(os.path.dirname(__file__), "crash_any.asm"), target,
                       [name for name in FAULTS if name != "register to memory"])
    print("\n".join(rounds.errors[:20]))
    print(f"{rounds.count} crashes, {len(rounds.errors)} errors")
    sys.exit(1 if rounds.errors or not rounds.count else 0)


main()
