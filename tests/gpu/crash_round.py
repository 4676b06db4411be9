#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Firmware runs into faults on the machine, at a place that is known; the dump must be one by the format's rules, and
`gpucode crash` must name the packet, the word and the reason.

    crash_round.py GPUCODE EXAMPLES
"""
import functools
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from packets import type4, type7

IB1, IB2, GOOD = 0x100000, 0x200000, 0x300000
UNMAPPED = 0x90000000010
NOP, MEM_WRITE, WAIT_REG_MEM, REG_TO_MEM, MEM_TO_REG, CALL, INIT = 0x10, 0x3D, 0x3C, 0x3E, 0x42, 0x3F, 0x48
LOW, HIGH = UNMAPPED & 0xFFFFFFFF, UNMAPPED >> 32
FAR = 0x90000100000  # a page of memory with nothing behind it
PAGE = 1024  # its words
PROTECTED = 0x8C01
# Registers of IB1 and of IB2: the two words of the base, and the size, which a5xx lacks.
PLACES = {"a5xx": ((0xb1f, 0xb20), (0xb22, 0xb23)), "gen8": ((0x900, 0x901, 0x903), (0x904, 0x905, 0x907)),
          "a6xx": ((0x928, 0x929, 0x943), (0x92b, 0x92c, 0x944))}
LEVELS = ("RB", "IB1", "IB2")


class Fault:
    """What goes wrong, and what `crash` must find: words of the packet; the interrupt; the address at fault and its
    direction; reasons. `own`: a fault of the firmware, whose handlers only crash_any.asm has."""

    def __init__(self, words, interrupt=None, address=None, direction="READ", reasons=(), own=False, levels=LEVELS,
                 options=(), elsewhere=False):
        self.words, self.interrupt, self.address, self.direction = words, interrupt, address, direction
        self.reasons, self.own, self.levels, self.options, self.elsewhere = set(reasons), own, levels, options, elsewhere


def firmware(opcode, interrupt="ucode error", **more):
    return Fault(type7(opcode, 1), interrupt, own=True, **more)


BAD = {"interrupt": "opcode error", "reasons": ["no packet"]}
FAULTS = {
    "no header": Fault([0xDEADD00D], **BAD),
    "ones": Fault([0xFFFFFFFF], **BAD),
    "zero": Fault([0], **BAD),
    "no header, the last word": Fault([0xDEADD00D], levels=("IB1", "IB2"), **BAD),
    "type 7, wrong parity of the opcode": Fault([type7(NOP, 1)[0] ^ 1 << 23, 1], **BAD),
    "type 7, wrong parity of the count": Fault([type7(NOP, 1)[0] ^ 1 << 15, 1], **BAD),
    "type 4, wrong parity of the count": Fault([type4(0x8C01, 1)[0] ^ 1 << 7, 1], **BAD),
    "type 4, wrong parity of the register": Fault([type4(0x8C01, 1)[0] ^ 1 << 27, 1], **BAD),
    "unknown opcode": Fault(type7(0x7F, 1, 2), reasons=["unknown opcode"], own=True),
    "write, nothing mapped": Fault(type7(MEM_WRITE, LOW, HIGH, 1), address=UNMAPPED, direction=None),
    "register to memory": Fault(type7(REG_TO_MEM, 0x8C01, LOW, HIGH), address=UNMAPPED, direction="WRITE"),
    "memory to register": Fault(type7(MEM_TO_REG, 0x8C01, LOW, HIGH), address=UNMAPPED),
    "wait for memory": Fault(type7(WAIT_REG_MEM, 0x13, GOOD, 0, 1, 0xFFFFFFFF, 0)),
    "wait for a register": Fault(type7(WAIT_REG_MEM, 0x3, 0x8C01, 0, 1, 0xFFFFFFFF, 0)),
    "longer than its buffer": Fault(type7(NOP, *[0] * 40)[:3], reasons=["longer than its buffer"],
                                    levels=("IB1", "IB2")),
    "not all in the ring": Fault(type7(NOP, *[0] * 40)[:3], reasons=["not all written"], levels=("RB",)),
    "protected register": Fault(type4(PROTECTED, 1, 2), "register protection", options=["protect"], own=True),
    "calls without end": firmware(0x50),
    "return of nothing": firmware(0x51),
    "loop that counts": firmware(0x52, None),
    "no instruction": firmware(0x53, "illegal instruction"),
    "out of the section": firmware(0x54),
    "address inside of a word": firmware(0x55),
    "no such register": firmware(0x56),
    "iret of nothing": firmware(0x57),
    "switch of contexts": firmware(0x58, None, reasons=["switch of contexts"]),
    "takes too many words": firmware(0x59, None, levels=("IB1", "IB2"), elsewhere=True),
    "handler outside of the section": firmware(0x5A, "opcode error"),
}


def is_last(fault):
    """Is the bad word the last of its buffer, so that nothing is left?"""
    return fault is FAULTS["no header, the last word"]


def without_states(fault):
    """What crash can say of a5xx, whose dumps have no state of the processors and few errors: words left alone."""
    known = {"opcode error", "register protection"}
    return Fault(fault.words, fault.interrupt if fault.interrupt in known else None, fault.address, fault.direction,
                 fault.reasons - {"unknown opcode"}, options=fault.options)


def buffers(body, level, outer_before):
    """Memory, and the packets of the ring, that lead to a body at a level."""
    if level == "IB1":
        return {IB1: body}, [type7(NOP), type7(CALL, IB1, 0, len(body))]
    outer = outer_before + type7(CALL, IB2, 0, len(body)) + type7(NOP)
    return {IB1: outer, IB2: body}, [type7(NOP), type7(CALL, IB1, 0, len(outer))]


def place(fault, level, before):
    """Memory (address: words), packets of the ring, and where the fault stands: level, buffer, word, words."""
    head = [word for packet in before for word in packet]
    cut = {"longer than its buffer", "not all written"} & fault.reasons or is_last(fault)
    body = head + fault.words + ([] if cut else type7(NOP) + type7(NOP, 7))
    if level == "RB":
        return {}, before + [fault.words], (level, None, None, None)
    memory, packets = buffers(body, level, type7(NOP))
    return memory, packets, (level, IB1 if level == "IB1" else IB2, len(head), len(body))


class Groups(dict):
    """Five signs of ascii85, and their word: dumps have many words again and again."""

    def __missing__(self, group):
        value = functools.reduce(lambda known, sign: known * 85 + ord(sign) - 33, group if group != "z" else "", 0)
        assert value <= 0xFFFFFFFF, group
        self[group] = value
        return value


KNOWN_GROUPS = Groups()


@functools.lru_cache(maxsize=64)  # the firmware of a dump is the one of the dump before
def undo(text):
    """The words of a text in ascii85."""
    groups = re.findall("z|[!-u]{5}", text)
    assert len("".join(groups)) == len(text), text
    return [KNOWN_GROUPS[group] for group in groups]


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


def protection(target):
    """Options that protect one register: the list's first entry (for writes too) and its switch, with faults on."""
    if target.startswith("afuc:a5"):
        return ["--reg", "CP_PROTECT_CNTL=3", "--reg", f"CP_PROTECT[0].REG={hex(PROTECTED | 1 << 29)}"]
    name = "CP_PROTECT_CNTL_PIPE" if target.startswith("afuc:gen8") else "CP_PROTECT_CNTL"
    entry = "CP_PROTECT_GLOBAL[0].REG" if target.startswith("afuc:gen8") else "CP_PROTECT[0].REG"
    return ["--reg", f"{name}=3", "--reg", f"{entry}={hex(PROTECTED | 1 << 31)}"]


# a5xx has no level: a packet goes on behind the end of its buffer, in the outer one. Nor has it these registers.
NOT_A5XX = ("longer than its buffer", "takes too many words", "address inside of a word", "no such register",
            "iret of nothing", "switch of contexts", "handler outside of the section")


class Round:
    def __init__(self, gpucode, folder):
        self.gpucode, self.folder, self.errors, self.count = gpucode, folder, [], 0

    def run(self, image, target, memory, words, options=()):
        """Runs packets on the machine; the explanation of the dump, or a text that tells what is wrong."""
        dump = os.path.join(self.folder, "dump")
        arguments = ["--crash", dump, "--limit", "20000", *options]
        for address, contents in memory.items():
            path = os.path.join(self.folder, hex(address))
            with open(path, "wb") as file:
                file.write(struct.pack(f"<{len(contents)}I", *contents))
            arguments += ["--memory", f"{hex(address)}={path}"]
        ring = os.path.join(self.folder, "ring")
        with open(ring, "w", encoding="ascii") as file:
            file.write("\n".join(f"{word:08x}" for word in words))
        done = subprocess.run([self.gpucode, "run", image, "-t", target, "--ring", ring, *arguments],
                              capture_output=True, check=False)
        if done.returncode != 1:
            return f"the run ended with {done.returncode}: {done.stdout.decode()[-300:]}{done.stderr.decode()}"
        self.registers = dict(parse(dump)["registers"])
        done = subprocess.run([self.gpucode, "crash", "--json", dump], capture_output=True, check=False)
        if done.returncode or done.stderr:
            return f"exit code {done.returncode}: {done.stderr.decode()}"
        return json.loads(done.stdout)

    def crash(self, image, target, name, level, before=None):
        fault = FAULTS[name]
        memory, packets, wanted = place(fault, level,
                                        before or [type7(NOP), type4(0x8C02, 3), type7(NOP, 1, 2)])
        words = [word for packet in [type7(INIT, *[0] * 8)] + packets for word in packet]
        options = protection(target) if "protect" in fault.options else []
        found = self.run(image, target, memory, words, options)
        if isinstance(found, str):
            return found
        generation = {"a5": "a5xx", "gen8": "gen8"}.get(re.match("afuc:(a5|gen8|)", target)[1], "a6xx")
        for buffer, numbers in zip((IB1, IB2), PLACES[generation]):
            have = [self.registers.get(4 * number, 0) for number in numbers]
            wants = [buffer, 0, len(memory[buffer])][:len(have)] if buffer in memory else [0] * len(have)
            if have != wants:
                return f"registers have the buffer {have}, not {wants}"
        return self.judge(found, without_states(fault) if target.startswith("afuc:a5") else fault, wanted, words)

    @staticmethod
    def judge(found, fault, wanted, ring):
        states, status = "place" not in found, found["status"]
        where = found.get("position" if states else "place", {})
        level, buffer, word, words = wanted
        if fault.elsewhere:  # the firmware has run over what follows; $01 tells which packet it was
            other = where.get("elsewhere", {})
            same = other.get("word") == word and int(other["buffer"], 16) == buffer
            return None if same else f"elsewhere {other}, not {word}"
        if level == "RB":
            buffer, words = int(where["buffer"], 16), where["buffer_words"]
            word = (len(ring) - len(fault.words)) % words
        have = (where.get("level"), int(where.get("buffer", "0"), 16), where.get("word"), where.get("buffer_words"))
        if have != (level, buffer, word, words) or int(where["header"], 16) != fault.words[0]:
            return f"found {have} {where.get('header')}, not {(level, buffer, word, words)} {hex(fault.words[0])}"
        signs = {"header", "previous-headers", "level"}
        if "longer than its buffer" in fault.reasons or is_last(fault):
            signs.remove("level")  # nothing is left of the buffer
        if states and not signs <= set(where["confirmed"]):
            return f"confirmed by {where['confirmed']}"
        flagged = set(status["interrupt" if states else "errors"]) | set(status.get("hardware_fault", []))
        if flagged - {"SMMU fault"} != ({fault.interrupt} if fault.interrupt else set()):
            return f"reported {flagged}, not {fault.interrupt}"
        if set(where["reasons"]) != fault.reasons:
            return f"reasons {where['reasons']}, not {fault.reasons}"
        if fault.interrupt == "register protection":
            refused = status.get("protect" if states else "refused", {})
            if int(refused.get("address", "0"), 16) != PROTECTED or refused["access"] != "write":
                return f"protection {refused}"
        if fault.address and (int(status["fault"]["iova"], 16) != fault.address or
                              status["fault"]["dir"] != (fault.direction or status["fault"]["dir"])):
            return f"fault {status.get('fault')}"
        return None

    def told(self, text, error):
        self.count += 1
        if error:
            self.errors.append(f"{text}: {error}")

    def all(self, image, target, names, levels):
        for name in names:
            for level in levels:
                if level in FAULTS[name].levels:
                    self.told(f"{target}, {name}, {level}", self.crash(image, target, name, level))

    def wrapped(self, image, target):
        """The ring has begun again; once the packet itself goes over its end."""
        for length in (8178, 8191 - 14, 8300):
            before = [type7(NOP, *[0x70000000] * (length - 14)), type7(NOP), type7(NOP, 1)]
            for name in ("no header", "memory to register"):
                self.told(f"{target}, {name}, ring {length}", self.crash(image, target, name, "RB", before))

    def bad_buffers(self, image, target):
        """A buffer that is not there, and one that goes on where there is nothing."""
        init = type7(INIT, *[0] * 8)
        found = self.run(image, target, {}, init + type7(NOP) + type7(CALL, LOW, HIGH, 8))
        error = found if isinstance(found, str) else None
        where = error or found.get("position") or found["place"]
        if not error and (where["called_by"]["word"] != 10 or where["buffer"] != hex(UNMAPPED) or where["reasons"] != ["buffer not readable"] or
                          int(found["status"]["fault"]["iova"], 16) != UNMAPPED):
            error = f"{where} {found['status']}"
        self.told(f"{target}, buffer that is not there", error)
        found = self.run(image, target, {FAR: type7(NOP) * PAGE},
                         init + type7(CALL, FAR & 0xFFFFFFFF, FAR >> 32, PAGE + 100))
        error = found if isinstance(found, str) else None
        where = error or found.get("position") or found["place"]
        if not error and (where["word"] != PAGE - 1 or where["reasons"] != ["buffer not readable"] or
                          int(found["status"]["fault"]["iova"], 16) != FAR + 4 * PAGE):
            error = f"{where} {found['status']}"
        self.told(f"{target}, buffer that is too short", error)

    def other_levels(self, image, target, groups):
        """Draw-state groups and IB3: the dump has no place in them, only the level and the header in hand."""
        fault = type7(MEM_TO_REG, 0x8C01, LOW, HIGH)
        init, sds = type7(INIT, *[0] * 8), 3 if target.startswith("afuc:a6") else 4
        cases = [("SDS", {GOOD: type7(NOP) + fault}, init + type7(0x5C, GOOD, 0, 1 + len(fault), sds))] if groups else []
        if sds == 4:
            inner = type7(CALL, GOOD, 0, 1 + len(fault))
            memory, packets = buffers(inner, "IB2", type7(NOP))
            memory[GOOD] = type7(NOP) + fault
            cases.append(("IB3", memory, init + [word for packet in packets for word in packet]))
        for level, memory, words in cases:
            found = self.run(image, target, memory, words)
            error = found if isinstance(found, str) else None
            if not error and (found["position"]["level"] != level or
                              int(found["position"]["header"], 16) != fault[0] or
                              int(found["status"]["fault"]["iova"], 16) != UNMAPPED):
                error = f"{found['position']} {found['status']}"
            self.told(f"{target}, {level}", error)


def main():
    gpucode, examples = sys.argv[1:]
    long = bool(os.environ.get("GPUCODE_LONG_TESTS"))
    with tempfile.TemporaryDirectory() as folder:
        rounds = Round(gpucode, folder)
        for source, target in (("a6xx", "afuc:a630"), ("a6xx", "afuc:a660"), ("a7xx", "afuc:a730"), ("a7xx", "afuc:a740")):
            image = os.path.join(folder, "image.fw")
            subprocess.run([gpucode, "asm", "-t", target, os.path.join(examples, source + ".asm"), "-o", image],
                           stderr=subprocess.DEVNULL, check=True)
            rounds.all(image, target, [name for name, fault in FAULTS.items() if not fault.own], LEVELS)
            rounds.wrapped(image, target)
            rounds.bad_buffers(image, target)
        with open(os.path.join(os.path.dirname(__file__), "crash_any.asm"), encoding="ascii") as file:
            source = file.read()
        for number, target in enumerate(("afuc:a630", "afuc:a730", "afuc:gen70500", "afuc:a750", "afuc:gen80000",
                                         "afuc:gen80100")):
            groups = target in ("afuc:a630", "afuc:a730", "afuc:gen70500")
            with open(os.path.join(folder, "any.asm"), "w", encoding="ascii") as file:
                file.write(source if groups else re.sub(r"; A draw-state group.*?(?=^unknown:)|^ *handle 0x5c.*?$", "",
                                                        source, flags=re.S | re.M))
            image = os.path.join(folder, "any.fw")
            subprocess.run([gpucode, "asm", "-t", target, os.path.join(folder, "any.asm"), "-o", image],
                           stderr=subprocess.DEVNULL, check=True)
            levels = LEVELS if long else LEVELS[number % 3:][:1] + ("IB1",)
            rounds.all(image, target, [name for name in FAULTS if name != "register to memory"], set(levels))
            rounds.wrapped(image, target)
            rounds.bad_buffers(image, target)
            rounds.other_levels(image, target, groups)
        image = os.path.join(folder, "a5xx.fw")
        subprocess.run([gpucode, "asm", "-t", "afuc:a530", os.path.join(os.path.dirname(__file__), "crash_a5xx.asm"), "-o",
                        image], stderr=subprocess.DEVNULL, check=True)
        rounds.all(image, "afuc:a530", [name for name in FAULTS if name not in NOT_A5XX], LEVELS)
        rounds.wrapped(image, "afuc:a530")
        rounds.bad_buffers(image, "afuc:a530")
        # the example leaves all but headers and buffers to the other processor
        subprocess.run([gpucode, "asm", "-t", "afuc:a530", os.path.join(examples, "a5xx_pfp.asm"), "-o", image],
                       stderr=subprocess.DEVNULL, check=True)
        rounds.all(image, "afuc:a530", [name for name, fault in FAULTS.items() if fault.interrupt == "opcode error" and
                                        not fault.own] + ["not all in the ring"], LEVELS)
        rounds.bad_buffers(image, "afuc:a530")
    print("\n".join(rounds.errors[:20]))
    print(f"{rounds.count} crashes, {len(FAULTS) + 6} kinds, {len(rounds.errors)} errors")
    sys.exit(1 if rounds.errors or not rounds.count else 0)


main()
