#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dumps with finished, running and pending submits: what `crash` says of the draw, the fault and what is suspect, what
`decode` shows of them, and the commands that lead from one to the next.

    hang.py GPUCODE EXAMPLES
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from packets import type4, type7

CALL, EVENT, NOP, WAIT_IDLE, WAIT_MEM, DRAW, MARKER = 0x3F, 0x46, 0x10, 0x26, 0x3C, 0x38, 0x65
FIRST, SECOND, CODE, TARGET, FENCE, NEVER = 0x100000, 0x110000, 0x300000, 0x400000, 0x200000, 0x500000
RING = 0x1000000001000
SHADER = [0x11111111, 0x22222222, 0, 0x03000000, 0, 0]
errors = []


def wide(address):
    return address & 0xFFFFFFFF, address >> 32


def draws(number, middle, registers=True):
    """A buffer with two draws, what comes between, and a third draw: always of the same size."""
    both = type4(0xA81C, *wide(CODE)) + type4(0xA983, *wide(CODE + 0x100))
    state = registers if isinstance(registers, list) else both if registers else type7(NOP, *[0] * 5)
    words = type7(MARKER, 1) + type4(0x880C, 1) + state + type4(0x8822, 0x30)
    words += type4(0x8825, *wide(TARGET + 0x1000 * number)) + type7(DRAW, 4, 1, 3)
    words += type4(0x8825, *wide(TARGET + 0x10000)) + type7(DRAW, 4, 1, 30 + number)
    return words + middle + type7(WAIT_IDLE) + type7(DRAW, 4, 1, 40)


def hash_of(words):
    value = 0xCBF29CE484222325
    for byte in struct.pack(f"<{len(words)}I", *words):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:#x}"


def run(*arguments, code=0):
    done = subprocess.run(arguments, capture_output=True, check=False, timeout=120, env={**os.environ, "COLUMNS": "80"})
    if code is not None and done.returncode != code:
        errors.append(f"{arguments[1:]}: exit code {done.returncode}, {done.stderr.decode()[:300]}")
    return done.stdout.decode()


def check(what, good):
    if not good:
        errors.append(what)


class Bench:
    def __init__(self, gpucode, examples, folder):
        self.gpucode, self.firmware, self.folder = gpucode, os.path.join(examples, "firmware/a6xx.asm"), folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def machine(self, name, middle, registers=True, fences=True):
        """The machine hangs in the third of four submits, whose buffer the first one had too."""
        quiet = type7(NOP, *[0] * (len(middle) - 1))
        ring = type7(0x48, *[0] * 8)
        for i in range(4):
            size = len(draws(0, [], registers)) - 4 - len(type7(WAIT_IDLE)) if i == 0 else len(draws(0, quiet, registers))
            ring += type7(CALL, *wide(SECOND if i % 2 else FIRST), size)
            ring += type7(EVENT, 0x80000004, *wide(FENCE), i + 1) if fences else []
        memory = {FIRST: draws(2, middle, registers), SECOND: draws(3, quiet, registers), FENCE: [0] * 16, TARGET: [0] * 0x8000,
                  NEVER: [0] * 16, CODE: SHADER + [0] * 58 + SHADER[2:] + [9]}
        return self.hang(name, ring, memory)

    def hang(self, name, ring, memory):
        options = []
        for address, words in memory.items():
            with open(self.path(f"{address:x}"), "wb") as file:
                file.write(struct.pack(f"<{len(words)}I", *words))
            options += ["--memory", f"{address:#x}={self.path(f'{address:x}')}"]
        with open(self.path("ring.hex"), "w", encoding="ascii") as file:
            file.write("".join(f"{word:08x}\n" for word in ring))
        dump = self.path(name)
        run(self.gpucode, "run", self.firmware, "--ring", self.path("ring.hex"), *options, "--crash", dump, code=1)
        return dump

    def explain(self, dump):
        return json.loads(run(self.gpucode, "crash", "--json", dump))

    def decode(self, dump, *options, code=None):
        return run(self.gpucode, "decode", dump, *options, code=code)


def check_hang(bench):
    dump = bench.machine("hang dump", type7(WAIT_MEM, 0x13, *wide(NEVER), 1, 0xFFFFFFFF, 16))
    told, place = bench.explain(dump), FIRST + 4 * (len(draws(0, [])) - 5)
    check(f"packet address: {told['position']}", int(told["position"]["packet_address"], 16) == place)
    check("address in the verdict", f"{place:#x}" in told["verdict"])
    draw = told["draw"]
    check(f"draw: {draw}", (draw["number"], draw["relation"], draw["count_indices"]) == (draw["number"], "in flight", 32))
    check("targets", [int(t["address"], 16) for t in draw["targets"]] == [TARGET + 0x10000])
    check(f"shaders: {draw['shaders']}", [(s["stage"], s["hash"]) for s in draw["shaders"]] ==
          [("VS", hash_of(SHADER[:4])), ("PS", hash_of(SHADER[2:4]))])
    check("what comes next", told["next_draw"] == draw["number"] + 1 and
          f" In flight was draw {draw['number']} (" in told["verdict"] and f" Draw {draw['number'] + 1} comes next." in told["verdict"])
    with open(dump, encoding="ascii") as file:
        text = file.read()
    with open(bench.path("less.devcore"), "w", encoding="ascii") as file:
        file.write(re.sub(f"  - iova: 0x0*{CODE:x}\n(    .*\n)*", "", text))
    less = bench.explain(bench.path("less.devcore"))
    check(f"shaders that are gone: {less['draw']}", f"; shaders VS at {CODE:#x}, not dumped, PS at " in less["verdict"] and
          [(s["address"], "hash" in s) for s in less["draw"]["shaders"]] == [(f"{CODE:#x}", False), (f"{CODE + 0x100:#x}", False)])
    text = run(bench.gpucode, "crash", bench.path("less.devcore"))
    check("the shader, in text", re.search(f"VS .*{CODE:x}.* not in the dump", text))
    check("busy", told["status"]["busy"] == ["CP_BUSY"] and "Busy: CP_BUSY" in told["verdict"])
    check(f"range: {told['range']}", (told["range"]["first_submit"], told["range"]["last_submit"]) == (2, 2))
    check("nothing is suspect", "suspect" not in told)
    # the same numbers in decode, and only what had not finished
    state = bench.decode(dump, "--draws", "--draw", str(draw["number"]), code=0)
    check(f"decode --draw: {state}", f"draw {draw['number']}: " in state and "32 indices" in state)
    open_work = bench.decode(dump, code=0)
    check("finished work is shown", "finished\n" not in open_work and "3 submits" not in open_work)
    check("submits", re.findall(r"^submit (\d): ring 0, fence (\d), (\w+)", open_work, re.M) ==
          [("2", "3", "running"), ("3", "4", "pending")])
    marks = [line for line in open_work.splitlines() if line.startswith("=>")]
    check(f"marks: {marks}", len(marks) == 1 and f"{place:012x}" in marks[0] and "CP_WAIT_REG_MEM" in marks[0])
    objects = [json.loads(line) for line in bench.decode(dump, "--json", code=0).splitlines()]
    check("work", (objects[0]["submits"], objects[0]["finished_submits"], objects[0]["hang_to"]) == (4, 2, place))
    check("current", [item["address"] for item in objects if item.get("current")] == [place])
    lines = [line for line in bench.decode(dump, "--draws", code=0).splitlines() if re.match("=>|draw", line)]
    check(f"among draws: {lines}", lines[2] == f"=> {place:012x} is the packet in hand" and "draw 2" in lines[3])
    check_filters(bench, dump)
    check_ladder(bench, dump)


def check_state(bench):
    """What the state at the draw is made of: stages that are off, how many colours there are, a depth buffer in use."""
    vs, ps = type4(0xA81C, *wide(CODE)), type4(0xA983, *wide(CODE + 0x100))
    vs_on, ps_on, ps_off = type4(0xA823, 1 << 8), type4(0xAB04, 1 << 8), type4(0xAB04, 0)
    colour, second, depth = TARGET + 0x10000, TARGET + 0x18000, TARGET + 0x1C000
    two, at_second, at_depth = type4(0x880C, 2), type4(0x882D, *wide(second)), type4(0x8875, *wide(depth))
    for what, state, stages, targets, suspect in (
            ("both stages are on", vs + ps + vs_on + ps_on, "VS PS", [colour], None),
            ("one stage is off", vs + ps + vs_on + ps_off, "VS", [colour], None),
            ("one is on without code", vs + vs_on + ps_on, "VS", [colour], "SP_PS_BASE"),
            ("one without code is off", vs + vs_on + ps_off, "VS", [colour], None),
            ("a depth buffer that nothing uses", vs + ps + at_depth + type4(0x8871, 0), "VS PS", [colour], None),
            ("depth is tested", vs + ps + at_depth + type4(0x8871, 1), "VS PS", [colour, depth], None),
            ("depth is written", vs + ps + at_depth + type4(0x8871, 2), "VS PS", [colour, depth], None),
            ("a colour beyond the count", vs + ps + at_second, "VS PS", [colour], None),
            ("two colours", vs + ps + two + at_second, "VS PS", [colour, second], None),
            ("a second colour without a place", vs + ps + two, "VS PS", [colour], "RB_MRT[0x1].BASE")):
        told = bench.explain(bench.machine("state dump", type7(WAIT_MEM, 0x13, *wide(NEVER), 1, 0xFFFFFFFF, 16), state))
        draw, found = told["draw"], told.get("suspect", {"register": None})
        check(f"{what}: {draw} {found}", suspect == found["register"] and
              [shader["stage"] for shader in draw["shaders"]] == stages.split() and
              [int(target["address"], 16) for target in draw["targets"]] == targets)


def check_kinds(bench):
    """Targets of blits and resolves, the shader of a dispatch; a shader at 0; groups of draw state in memory."""
    wait = type7(WAIT_MEM, 0x13, *wide(NEVER), 1, 0xFFFFFFFF, 16)
    blit, resolve, code = TARGET + 0x11000, TARGET + 0x12000, TARGET + 0x13000
    state = type4(0x8C18, *wide(blit)) + type4(0x88D8, *wide(resolve)) + type4(0xA9B4, *wide(CODE)) + type4(0xA81C, *wide(CODE))
    for what, packet, targets, stages in (("a blit", type7(0x2C, 3), [("RB_A2D_DEST_BUFFER_BASE", blit)], []),
                                          ("a resolve", type7(EVENT, 0x1E), [("RB_RESOLVE_SYSTEM_BUFFER_BASE", resolve)], []),
                                          ("a dispatch", type7(0x33, 0, 2, 1, 1), [], ["CS"]),
                                          ("a draw", type7(DRAW, 4, 1, 9), [("RB_MRT[0].BASE", TARGET + 0x10000)], ["VS"])):
        draw = bench.explain(bench.machine("kind dump", packet + wait, state))["draw"]
        check(f"{what}: {draw}", [(one["register"], int(one["address"], 16)) for one in draw.get("targets", [])] == targets and
              [one["stage"] for one in draw.get("shaders", [])] == stages and draw["relation"] == "in flight")
    told = bench.explain(bench.machine("zero dump", wait, type4(0xA81C, 0, 0) + type4(0xA983, *wide(CODE))))
    check(f"a shader at 0 is none: {told['draw']}", [one["stage"] for one in told["draw"]["shaders"]] == ["PS"] and "suspect" not in told)


def check_groups(bench):
    """Groups of draw state of finished work: used again by what runs, or not; gone, or in a buffer that ends before them."""
    wait, group = type7(WAIT_MEM, 0x13, *wide(NEVER), 1, 0xFFFFFFFF, 16), type4(0xA000, 0xA1) + type4(0xA001, 0xA2)
    junk = [0xDEADD00D] * 4
    for second, contents, reused, shown in ((TARGET, group, True, 1), (TARGET + 64, group, False, 2), (TARGET + 64, junk, True, 1),
                                            (TARGET + 64, group[:2], False, 2), (TARGET + 64, group[:1], True, 1)):
        ring, memory = type7(0x48, *[0] * 8), {NEVER: [0] * 16, FENCE: [0] * 16, TARGET: group, TARGET + 64: group}
        for number, at, state, last in ((1, FIRST, TARGET, type7(WAIT_IDLE)), (2, SECOND, second, wait)):
            memory[at] = type7(0x43, len(group) | 7 << 20, *wide(state), 1 << 24 | 1 << 17, 0, 0) + type7(DRAW, 4, 1, 9) + last
            ring += type7(CALL, *wide(at), len(memory[at])) + type7(EVENT, 0x80000004, *wide(FENCE), number)
        ring += type7(NOP, 5)  # without a fence after it: the last submit's
        dump = bench.hang("group dump", ring, memory)
        with open(dump, encoding="ascii") as file:
            text = file.read()
        with open(dump, "w", encoding="ascii") as file:
            file.write(re.sub(f"(- iova: 0x0*{TARGET:x}\n *size: )\\d+(\n[^!]*!!ascii85 .\n *)\\S+",
                              lambda found: f"{found[1]}{4 * len(contents)}{found[2]}{ascii85(contents)}", text))
        text = bench.decode(dump, "--finished")
        again = re.findall(r"used again since: (0x0*\w+)", text)
        check(f"{second:#x} {contents}: {text}", again == ([f"{TARGET:#010x}"] if reused else []) and
              text.count("VFD_CNTL_0 = ") == shown)
        check(f"words of streams: {text}", re.findall(r"^stream 0: (\d+) words", text, re.M) == ["18", "11"])


def check_filters(bench, dump):
    for options, wanted in ((["--finished"], "0123"), (["--work", "finished"], "01"), (["--work", "running"], "2"),
                            (["--work", "pending,finished"], "013"), (["--submit", "1"], "1"), (["--frame", "3"], "3"),
                            (["--from", "1", "--to", "2"], "12")):
        shown = "".join(re.findall(r"^submit (\d):", bench.decode(dump, *options), re.M))
        check(f"{options}: {shown}", shown == wanted)
    again = bench.decode(dump, "--finished", code=0)
    check("used again", f"{FIRST:012x}    *** used again since: {FIRST:#010x}" in again)
    check("used again twice", again.count("used again") == 2)
    run(bench.gpucode, "decode", dump, "--submit", "4", code=2)
    run(bench.gpucode, "decode", dump, "--work", "nothing", code=2)


def check_ladder(bench, dump):
    """Each command is printed by the one before."""
    commands = [["crash", dump]]
    for _ in range(3):
        out = run(bench.gpucode, *commands[-1])
        for line in out.splitlines() if commands[-1][0] == "crash" else []:
            check(f"too long: {line}", len(line) <= 80 or "gpucode " in line)
        found = re.findall(r"^(?:next:|Next\n)\s+gpucode (.*)$", out, re.M)
        check(f"{commands[-1]}: {len(found)} commands", len(found) == 1)
        commands.append([word.strip("'") for word in re.findall(r"'[^']*'|\S+", found[0])] if found else ["--version"])
    check(f"the way: {commands}", commands[2][-1] == "--shaders" and commands[3][:3] == ["debug", "--devcore", dump])
    check("shaders", hash_of(SHADER[:4]) in run(bench.gpucode, *commands[2]))
    last = [bench.firmware if word == "FIRMWARE" else word for word in commands[3]]
    with open(bench.path("go"), "w", encoding="ascii") as file:
        file.write("print $pc\n")
    check("the debugger", " = " in run(bench.gpucode, *last, "--batch", "-x", bench.path("go")))


def check_others(bench):
    dump = bench.machine("word.devcore", [0xDEADD00D], registers=False)
    told = bench.explain(dump)
    check(f"suspect: {told.get('suspect')}", told["suspect"]["register"] == "SP_VS_BASE")
    check("the suspect is told apart", int(told["suspect"]["address"], 16) < int(told["position"]["packet_address"], 16))
    marks = [line for line in bench.decode(dump).splitlines() if line.startswith("=>")]
    check(f"marks: {marks}", len(marks) == 1 and "0xdeadd00d" in marks[0])
    # a register write, and a draw, in hand; no fences in the ring
    dump = bench.machine("call.devcore", type7(CALL, *wide(0x900000), 4), fences=False)
    with open(dump, encoding="ascii") as file:
        text = file.read()
    with open(dump, "w", encoding="ascii") as file:  # the machine had it, and what it holds
        file.write(re.sub("  - iova: 0x0*900000\n(    .*\n)*", "", text))
    told = bench.explain(dump)
    check(f"a buffer gone: {told.get('suspect')}", int(told["suspect"]["target_address"], 16) == 0x900000)
    shown = re.findall(r"^submit (\d): ring 0, (\w+)", bench.decode(dump, "--finished"), re.M)
    check(f"without fences: {shown}", shown == [("0", "finished"), ("1", "finished"), ("2", "running"),
                                                ("3", "pending")])
    run(bench.gpucode, "decode", bench.path("ring.hex"), "--finished", code=2)


def ascii85(words):
    def group(word):
        return "z" if not word else "".join(chr(word // 85**power % 85 + 33) for power in range(4, -1, -1))
    return "".join(map(group, words))


def check_memories(bench):
    """Shaders in one block are told apart, and known again by their hash."""
    with open(bench.path("hang dump"), encoding="ascii") as file:
        text = file.read()
    words = SHADER[:4] + [0] * 28 + SHADER[2:4] + [0] * 30 + [7, 8, 9]
    text += f"shader-blocks:\n  - type: A6XX_HLSQ_INST_RAM\n    - bank: 1\n      size: {len(words)}\n" \
            f"      data: !!ascii85 |\n        {ascii85(words)}\n"
    with open(bench.path("code.devcore"), "w", encoding="ascii") as file:
        file.write(text)
    found = [(item["memory"], item["place"], item["offset_bytes"], item["size_bytes"], item["hash"], item["ends"],
              item.get("stage")) for item in bench.explain(bench.path("code.devcore"))["shader_memories"]]
    memory = ("A6XX_HLSQ_INST_RAM", "bank 1")
    check(f"memories: {found}", found == [(*memory, 0, 16, hash_of(SHADER[:4]), True, "VS"),
                                          (*memory, 128, 8, hash_of(SHADER[2:4]), True, "PS"),
                                          (*memory, 256, 12, hash_of([7, 8, 9]), False, None)])
    out = run(bench.gpucode, "extract", bench.path("code.devcore"))
    check(f"extract: {out}", "A6XX_HLSQ_INST_RAM bank 1 at byte 0x80, 8 bytes" in out)
    # of many the first eight; JSON and --verbose have all
    for many in (5, 6, 11):
        words = [word for k in range(many) for word in [k + 1, k + 1, 0, 0x03000000, *[0] * 28]]
        more = f"  - type: A6XX_SP_INST_DATA\n    - bank: 0\n      size: {len(words)}\n      data: !!ascii85 |\n        {ascii85(words)}\n"
        with open(bench.path("many.devcore"), "w", encoding="ascii") as file:
            file.write(text + more)
        check("all", len(bench.explain(bench.path("many.devcore"))["shader_memories"]) == 3 + many)
        for options, shown in ((), 8), (("--verbose",), many + 3):
            out = run(bench.gpucode, "crash", *options, bench.path("many.devcore"))
            part = out[out.find("Shaders in"):].split("\n\n")[0]
            listed, left = len(re.findall("A6XX_\\w+_INST_\\w+ bank", part)), re.findall(r"\n  (\d+ others?); --verbose", part)
            others = many + 3 - shown
            check(f"{many} {options}: {listed}, {left}", listed == shown and
                  left[-1:] == ([f"{others} other{'s' * (others > 1)}"] if others else []))


def check_listing(bench):
    """The instructions around the PC of firmware that is the one that crashed: one of them is the one."""
    told = json.loads(run(bench.gpucode, "crash", "--json", "--firmware", bench.firmware, bench.path("hang dump")))
    firmware, pc = told["firmware"], told["position"]["pc_words"]
    listing = firmware["listing"]
    check("one that stands there", [insn["at_words"] for insn in listing if insn.get("current")] == [pc])
    check("one after the other", [insn["at_words"] for insn in listing] == list(range(pc - 6, pc + 7)))
    check("whose code it is", [insn["label"] for insn in listing if "label" in insn and insn["at_words"] <= pc] ==
          ["condition_memory"] and firmware["function"] == "condition")
    with open(firmware["source"], encoding="ascii") as file:
        line = file.read().splitlines()[firmware["line"] - 1]
    check(f"the line: {line}", line.split() == next(i["text"] for i in listing if i["at_words"] == pc).split())
    text = run(bench.gpucode, "crash", "--firmware", bench.firmware, bench.path("hang dump"))
    marked = re.findall(r"^ *=> 0x(\w{4})  (.*)$", text, re.M)
    check(f"marked: {marked}", marked == [(f"{pc:04x}", "jump #condition_compare")])


def check_faults(bench):
    with open(bench.path("word.devcore"), encoding="ascii") as file:
        text = file.read()
    log = "vm-log:\n  - map:0: 0x0000000000700000-0x0000000000702000\n  - unmap:0: 0x0000000000700000-0x0000000000701000\n" \
          "  - map:1: 0x0000000000800000-0x0000000000801000\n"
    wanted = {TARGET + 8: ("inside", TARGET), FENCE + 0x50: ("past", FENCE), 0x700010: ("unmapped", None),
              0x701010: ("mapped", None), 0x9000000: ("never", None)}
    for address, (place, buffer) in wanted.items():
        fault = f"fault-info:\n  - ttbr0=0000000000000000\n  - iova={address:016x}\n  - dir=READ\n  - source=UCHE\n"
        with open(bench.path("fault.devcore"), "w", encoding="ascii") as file:
            file.write(text.replace("rbbm-status:", fault + log + "rbbm-status:"))
        found = bench.explain(bench.path("fault.devcore"))["status"]["fault"]
        check(f"{address:#x}: {found}", found["place"] == place)
        check(f"{address:#x}: {found}", buffer is None or int(found["buffer"], 16) == buffer)
        if place == "unmapped":
            check(f"entries: {found}", found["later_entries"] == 1 and found["offset_bytes"] == 0x10)
    with open(bench.path("wrong.devcore"), "w", encoding="ascii") as file:
        file.write(text.replace("rbbm-status:", "vm-log:\n  - unmap:0: 0x12-\nrbbm-status:"))
    done = subprocess.run([bench.gpucode, "crash", bench.path("wrong.devcore")], capture_output=True, check=False)
    check("a wrong entry", b"warning" in done.stderr and done.returncode == 0)


def chunk(*writes):
    """128 bits of the memory pool: two writes (register, value, of a pipe), or None where one is switched off."""
    bits = 0
    for i, write in enumerate(writes):
        if write:
            number, value, pipe = write
            bits |= 1 << i | value << (2 + 32 * i) | number << (66 + 18 * i) | pipe << (102 + i)
    return struct.unpack("<4I", bits.to_bytes(16, "little"))


def check_pool(bench):
    """Writes that wait in a queue of two blocks that do not follow each other; two words of a register are one entry."""
    pool, low, high, control = [0] * 0x640, 0x8825, 0x8826, 0x8822
    chunks = {(3, 1): chunk((low, 0x80001000, 0), (high, 0x12, 0)), (3, 2): chunk(None, (low, 0x2000, 0)),
              (3, 3): chunk((control, 5, 0), (high, 7, 0)), (5, 0): chunk((low, 0x3000, 1), (high, 9, 0)),
              (5, 1): chunk((low, 0x4000, 0), (high, 0, 0))}
    for (block, index), words in chunks.items():
        pool[16 * block + 4 * index:16 * block + 4 * index + 4] = words
    pool[0x400 + 3] = 5
    for row, word in (1, 5 * 4 + 2), (5, 1), (7, 3):
        pool[0x600 + 8 * row] = word
    with open(bench.path("word.devcore"), encoding="ascii") as file:
        dump = file.read()

    def text_of(words):
        return f"{dump}indexed-registers:\n  - regs-name: CP_MEM_POOL_DBG\n    dwords: {len(words)}\n" \
               f"    data: !!ascii85 |\n     {ascii85(words)}\n"
    with open(bench.path("pool.devcore"), "w", encoding="ascii") as file:
        file.write(text_of(pool))
    told = json.loads(run(bench.gpucode, "crash", "--json", "--verbose", bench.path("pool.devcore")))["memory_pool"]
    check(f"queues: {told}", [(one["queue"], one["entries"]) for one in told if one["entries"]] == [("FE", 5)])
    found = [(one["number"], one.get("register"), one["value"], one.get("words"), one.get("pipe")) for one in told[0]["writes"]]
    name = "RB_MRT[0].BASE"
    check(f"writes: {found}", found == [
        ("0x8825", name, "0x1280001000", 2, None), ("0x8825", f"{name}_LO", "0x2000", None, None),
        ("0x8822", "RB_MRT[0].BUF_INFO", "0x5", None, None), ("0x8826", f"{name}_HI", "0x7", None, None),
        ("0x8825", None, "0x3000", None, True), ("0x8826", f"{name}_HI", "0x9", None, None), ("0x8825", name, "0x4000", 2, None)])
    text = run(bench.gpucode, "crash", bench.path("pool.devcore")).splitlines()
    first = text.index("  FE       5 entries")
    check(f"the first: {text[first:]}", text[first + 1] == f"     0x08825 {name} = 0x1280001000" and len(text[first + 1:]) == 4)
    pool[0x400 + 3] = 0x40  # a block that the pool does not have
    with open(bench.path("pool.devcore"), "w", encoding="ascii") as file:
        file.write(text_of(pool))
    told = json.loads(run(bench.gpucode, "crash", "--json", bench.path("pool.devcore")))["memory_pool"]
    check(f"a damaged queue: {told[0]}", told[0]["entries"] == 3 and told[0]["damaged"] is True)


def main():
    gpucode, examples = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(gpucode, examples, folder)
        check_hang(bench)
        check_state(bench)
        check_kinds(bench)
        check_groups(bench)
        check_others(bench)
        check_memories(bench)
        check_listing(bench)
        check_faults(bench)
        check_pool(bench)
    print("\n".join(errors[:20]))
    print(f"{len(errors)} errors")
    sys.exit(1 if errors else 0)


main()
