#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests at the limits of what they take: the last number that is good, and the first that is not.

usage: limits.py GPUCODE"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import threading

program = sys.argv[1]
here = os.path.dirname(os.path.realpath(__file__))
CODE = 1 << 52  # where code stands as memory
failed = []


def member(value, path):
    """Of an answer: "body.frames.1.line"; a name with "#" in front counts a list. None: there is none."""
    for key in path.split("."):
        if value is None:
            return None
        if key == "#":
            value = len(value)
        elif isinstance(value, list):
            value = value[int(key)] if int(key) < len(value) else None
        else:
            value = value.get(key)
    return value


def frame(number, command, arguments):
    body = json.dumps({"seq": number, "type": "request", "command": command, "arguments": arguments}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def receive(pipe):
    """The next message; None at the end."""
    length = 0
    while (line := pipe.readline()) not in (b"", b"\r\n"):
        length = int(line.split(b":")[1])
    return json.loads(pipe.read(length)) if line else None


def talk(what, launch, rows, begin={}, refused=""):
    """Rows are a command, its arguments and what is expected of its answer by path; `refused` is part of why the launch
    is. Returns what comes beside answers."""
    requests = [("initialize", begin), ("launch", {"stopOnEntry": True, **launch}), *(row[:2] for row in rows)]
    server = subprocess.Popen([program, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    timer = threading.Timer(600, server.kill)
    timer.daemon = True
    timer.start()
    server.stdin.write(b"".join(frame(number, *request) for number, request in enumerate(requests)))
    server.stdin.flush()
    answers, events = {}, []
    while len(answers) < len(requests) and (message := receive(server.stdout)):
        if message["type"] == "response":
            answers[message["request_seq"]] = message
        else:
            events.append(message)
    server.communicate(frame(len(requests), "disconnect", {}))
    timer.cancel()
    if server.returncode:
        failed.append(f"{what}: the server ended with {server.returncode} after {len(answers)} answers")
    for number, (command, arguments, expected) in enumerate([("launch", launch, {"success": not refused}), *rows], 1):
        for path, wanted in expected.items():
            got = member(answers.get(number), path)
            if got != wanted or type(got) is not type(wanted):
                failed.append(f"{what}: {command} {json.dumps(arguments)[:300]}: {path} is {got!r}, not {wanted!r}")
    if refused not in answers.get(1, {}).get("message", ""):
        failed.append(f"{what}: {answers.get(1)}, not {refused!r}")
    return events


def expect_stops(what, events, wanted):
    got = [(one["body"]["reason"], one["body"]["threadId"]) for one in events if one["event"] == "stopped"]
    if got != wanted:
        failed.append(f"{what}: stops {got}, not {wanted}")


def watch(expression, result):
    return "evaluate", {"expression": expression, "context": "watch"}, {"body.result": result}


def code(address, **arguments):
    return {"memoryReference": hex(address), **arguments}


def count(**arguments):
    return {"source": {"path": f"{here}/count.asm"}, **arguments}


TOO_MANY = {"message": "at most 65536 instructions are shown at a time"}
talk("numbers of one firmware", {"program": f"{here}/count.asm"}, [
    *(watch(str(number), str(number)) for number in range(-9, 10)),
    watch("10", "0xa (10)"),
    watch("-10", "0xfffffffffffffff6 (-10)"),
    # how much is shown at a time
    ("disassemble", code(CODE, instructionCount=65536), {"body.instructions.#": 65536}),
    ("disassemble", code(CODE, instructionCount=65537), TOO_MANY),
    ("disassemble", code(CODE, instructionCount=0), {"body.instructions": []}),
    ("disassemble", code(CODE, instructionCount=-1), TOO_MANY),
    ("disassemble", code(CODE, instructionCount=1, instructionOffset=-1000000), {"body.instructions.0.address": hex(CODE - 4000000)}),
    ("disassemble", code(CODE, instructionCount=1, instructionOffset=-1000001), TOO_MANY),
    ("disassemble", code(CODE, instructionCount=1, instructionOffset=1000000), {"body.instructions.0.address": hex(CODE + 4000000)}),
    ("disassemble", code(CODE, instructionCount=1, instructionOffset=1000001), TOO_MANY),
    ("breakpointLocations", count(line=99999, endLine=199999), {"body.breakpoints": []}),
    ("breakpointLocations", count(line=99999, endLine=200000), {"message": "a range of at most 100000 lines is wanted"}),
    ("breakpointLocations", count(line=2, endLine=1), {"message": "a range of at most 100000 lines is wanted"}),
    # parts of instructions, and what is behind the last; code is no memory that can be written
    ("readMemory", code(CODE, count=3), {"body.data": base64.b64encode(b"\x01\xe0\x6e").decode(), "body.unreadableBytes": 0}),
    ("readMemory", code(CODE + 3, count=3), {"body.data": base64.b64encode(b"\x01\0\0").decode(), "body.unreadableBytes": 0}),
    ("readMemory", code(CODE + 15 * 4 - 2, count=4), {"body.unreadableBytes": 2}),
    ("readMemory", code(CODE * 2 - 2, count=1 << 20), {"body.data": "", "body.unreadableBytes": 1 << 20}),
    ("readMemory", code(CODE * 2 - 2, count=(1 << 20) + 1), {"message": "a memory reference and at most 1048576 bytes are wanted"}),
    ("writeMemory", code(CODE, data="AAAA"), {"message": "code cannot be written"}),
    ("writeMemory", code(CODE * 2 - 1, data="AAAA"), {"message": "code cannot be written"}),
    ("writeMemory", code(CODE * 2, data="AAAA"), {"body.bytesWritten": 3}),
    ("writeMemory", code(CODE - 1, data="AAAA"), {"body.bytesWritten": 3}),
    # threads and places
    ("stackTrace", {"threadId": 1}, {"body.totalFrames": 1}),
    ("stackTrace", {"threadId": 0}, {"message": "there is no thread 0"}),
    ("stackTrace", {"threadId": (1 << 32) + 1}, {"message": "there is no thread 4294967297"}),
    ("gotoTargets", count(line=1), {"body.targets.0.id": 0}),
    ("goto", {"threadId": 1, "targetId": 0}, {"success": True}),
    ("goto", {"threadId": 1, "targetId": -1}, {"message": "there is no such place to go to"}),
    # breakpoints of one kind stay when those of another are set
    ("setFunctionBreakpoints", {"breakpoints": [{"name": "work"}]}, {"body.breakpoints.0.verified": True}),
    ("setInstructionBreakpoints", {"breakpoints": []}, {"success": True}),
    ("evaluate", {"expression": "info breakpoints", "context": "repl"}, {"body.result": "1   + break work\n"}),
])
talk("lines and columns from 0", {"program": f"{here}/count.asm"}, [
    ("breakpointLocations", count(line=1, endLine=6), {"body.breakpoints": [{"line": 1}, {"line": 4}, {"line": 5}]}),
    ("setBreakpoints", count(breakpoints=[{"line": 17}]), {"body.breakpoints.0.line": 17}),
    ("stackTrace", {"threadId": 1}, {"body.stackFrames.0.line": 0, "body.stackFrames.0.column": 0}),
    ("gotoTargets", count(line=17), {"body.targets.0.line": 17, "body.targets.0.label": "work"}),
], {"linesStartAt1": False, "columnsStartAt1": False})


# no more breakpoints than there is room for, also where one line is several places
many = [{"instructionReference": hex(CODE)}] * 4095
macro = {"source": {"path": os.path.realpath(f"{here}/../console/macro.asm")}, "breakpoints": [{"line": 5}, {"line": 11}]}
talk("many breakpoints", {"program": macro["source"]["path"]}, [
    ("setInstructionBreakpoints", {"breakpoints": many + many[:2]},
     {"body.breakpoints.4095.verified": True, "body.breakpoints.4096.message": "too many breakpoints"}),
    ("setInstructionBreakpoints", {"breakpoints": many}, {"body.breakpoints.4094.verified": True}),
    ("setBreakpoints", macro, {"body.breakpoints.0.verified": True, "body.breakpoints.1.message": "too many breakpoints"}),
    ("setInstructionBreakpoints", {"breakpoints": many[:1]}, {"body.breakpoints.0.verified": True}),
    ("setBreakpoints", macro, {"body.breakpoints.1.verified": True}),
])

# log points: of a long message what fits, and values that are not there when it is written
events = talk("log points", {"program": f"{here}/count.asm"}, [
    ("setBreakpoints", count(breakpoints=[{"line": 18, "logMessage": "{10 / (1 - $02)}, {$02}"},
                                          {"line": 19, "logMessage": "x" * 5000}, {"line": 20, "condition": "$02 == 2"}]),
     {"body.breakpoints.2.verified": True}),
    ("continue", {"threadId": 1}, {"success": True}),
    watch("$02", "2"),
])
text = [one["body"]["output"] for one in events if one["event"] == "output"]
if text[:-1] != ["?, 1\n", "x" * 3902 + "\n", "0xfffffffffffffff6 (-10), 2\n", "x" * 3902 + "\n"]:
    failed.append(f"log points: {text}")

# threads: watchpoints are of the thread whose registers are shown, but for registers that all share
group = {"target": "a3xx", "local-size": "2,2", "local-id": "r0.x"}
inner = ("setFunctionBreakpoints", {"breakpoints": [{"name": "inner"}]}, {"body.breakpoints.0.verified": True})
events = talk("threads", {"program": f"{here}/calls.asm", **group}, [
    ("scopes", {"frameId": 3 * 64}, {"body.scopes.0.variablesReference": 3 * 64 + 1}),
    ("dataBreakpointInfo", {"name": "r2.x", "variablesReference": 3 * 64 + 1}, {"body.dataId": "reg 0 8 3"}),
    ("setDataBreakpoints", {"breakpoints": [{"dataId": "reg 0 8 3", "accessType": "write"}]}, {"body.breakpoints.0.verified": True}),
    ("continue", {"threadId": 1}, {"success": True}),
    ("setDataBreakpoints", {"breakpoints": []}, {"success": True}),
    inner,
    ("continue", {"threadId": 1}, {"success": True}),
    ("stackTrace", {"threadId": 3, "startFrame": 1, "levels": 1}, {"body.totalFrames": 3, "body.stackFrames.#": 1, "body.stackFrames.0.id": 2 * 64 + 1}),
    ("stackTrace", {"threadId": 3, "startFrame": 0, "levels": 2}, {"body.stackFrames.#": 2, "body.stackFrames.1.id": 2 * 64 + 1}),
    ("stackTrace", {"threadId": 3, "startFrame": 1}, {"body.stackFrames.#": 2}),
    ("stackTrace", {"threadId": 3, "startFrame": 3}, {"body.stackFrames.#": 0}),
])
expect_stops("threads", events, [("data breakpoint", 4), ("function breakpoint", 3)])

sections = os.path.realpath(f"{here}/../../examples/firmware/a7xx.asm")
talk("sections", {"program": sections}, [
    ("setBreakpoints", {"source": {"path": sections}, "breakpoints": [{"line": 200}]},
     {"body.breakpoints.0.instructionReference": hex(CODE + (1 << 32) + 3 * 4), "body.breakpoints.0.line": 200}),
])

with tempfile.TemporaryDirectory() as folder:
    folder = os.path.realpath(folder)

    def write(name, content):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(content.encode() if isinstance(content, str) else content)
        return path

    source = write("shared.asm", ".target a3xx\nnop\nadd.s r1.x, c0.x, 1\nend\n")
    events = talk("registers that threads share", {"program": source, **group}, [
        ("dataBreakpointInfo", {"name": "c0.x", "variablesReference": 3 * 64 + 1}, {"body.dataId": "reg 9 0 3"}),
        ("setDataBreakpoints", {"breakpoints": [{"dataId": "reg 9 0 3", "accessType": "read"}]}, {"body.breakpoints.0.verified": True}),
        ("continue", {"threadId": 1}, {"success": True}),
        watch("r1.x", "1"),
    ])
    expect_stops("registers that threads share", events, [("data breakpoint", 1)])

    # what is no text is no source, and with `raw` nothing is; files that are named stand beside who names them
    write("sub/b.asm", '.include "c.asm"\n')
    write("sub/c.asm", "mov $02, 0x7\n")
    firmware = ".target afuc:a630\nnop\n"
    unknown = "the file is not an image of a known kind"
    for name, content, fields, wanted in (
            ("none.asm", "", {}, "there is no emulator for data"),
            ("control.asm", firmware + "; \x1f\n", {}, unknown),
            ("nul.asm", firmware + "; \0\n", {}, unknown),
            ("blanks.asm", firmware + "; \t\f\v\r\n", {}, ""),
            ("raw", b"\x40\xb0\x7f", {"raw": True, "target": "hwsq:g94"}, ""),
            ("include.asm", f'.target afuc:a630\n.include "{folder}/sub/b.asm"\n', {}, ""),
            ("lacks.asm", f'{firmware}.include "{"x" * 5000}"\n', {}, ":3:10: cannot read 'xxxx"),
    ):
        talk(name, {"program": write(name, content), **fields}, [("threads", {}, {"success": not wanted})], refused=wanted)
print("\n".join(failed))
sys.exit(bool(failed))
