#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A launch for the shader of a recorded draw: it finds what packets loaded, and what cannot be is refused with a reason.

usage: recorded.py GPUCODE STREAM.asm"""
import json
import os
import subprocess
import sys
import tempfile
import threading

program, source = sys.argv[1:]


def receive(pipe):
    """The next message; at the end of the stream the test fails."""
    length = 0
    while (line := pipe.readline()) != b"\r\n":
        length = int(line.split(b":")[1])
    return json.loads(pipe.read(length))


def talk(fields, *requests):
    """What the server sends to a launch and the requests after it, one at a time."""
    requests = [("initialize", {"adapterID": "gpucode"}), ("launch", {"stopOnEntry": True, **fields}),
                ("configurationDone", {}), *requests, ("disconnect", {})]
    messages = []
    server = subprocess.Popen([program, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    timer = threading.Timer(600, server.kill)
    timer.daemon = True  # a test that fails does not wait for it
    timer.start()
    for number, (command, arguments) in enumerate(requests, 1):
        body = json.dumps({"type": "request", "seq": number, "command": command, "arguments": arguments}).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        while not messages or messages[-1].get("request_seq") != number:
            messages.append(receive(server.stdout))
    server.communicate()
    timer.cancel()
    return messages


def answer(messages, command, number=0):
    return [one for one in messages if one["type"] == "response" and one["command"] == command][number]


def watch(expression):
    return "evaluate", {"expression": expression, "context": "watch"}


def type_line(text):
    return "evaluate", {"expression": text, "context": "repl"}


bad = []


def expect(what, wanted, got):
    if wanted not in got:
        bad.append(f"{what}: expected “{wanted}”, the server said “{got}”")


with tempfile.TemporaryDirectory() as folder:
    stream = os.path.join(folder, "frame.rd")
    subprocess.run([program, "asm", source, "-o", stream], check=True)

    # numbers as numbers or as texts; consts are those of the draw
    for draw, wanted in (0, "0.100000001"), ("1", "1 (0x3f800000)"):
        said = talk({"from": stream, "draw": draw}, watch("c0.x"), ("stackTrace", {"threadId": 1}), ("threads", {}))
        expect(f"draw {draw}", wanted, answer(said, "evaluate")["body"]["result"])
        expect(f"draw {draw}", '"sourceReference": 1', json.dumps(answer(said, "stackTrace")["body"]))
        expect(f"draw {draw}", '"id": 4', json.dumps(answer(said, "threads")["body"]))
    said = talk({"from": stream, "draw": 1, "stage": "fs"}, type_line("stepi"), watch("r0.x"))
    expect("a step", "0.75", answer(said, "evaluate", 1)["body"]["result"])

    # the pixel's thread of the quad is looked at; policies and inputs are those of `debug`
    said = talk({"from": stream, "pixel": "5,3", "const": ["c0.x=2.5"], "policies": {"ir3-denorm": "keep"}},
                type_line("info threads"), watch("c0.x"))
    expect("a pixel", "* 3", json.dumps(answer(said, "evaluate")["body"]))
    expect("a const", "2.5", answer(said, "evaluate", 1)["body"]["result"])
    said = talk({"from": stream, "draw": 1, "stage": "vs", "in": "r0.x=3.0", "vertex": "1"}, watch("r0.x"))
    expect("an input", "3 (0x40400000)", answer(said, "evaluate")["body"]["result"])
    said = talk({"from": stream, "stage": "vs"})
    expect("one vertex is one thread", "success", json.dumps(answer(said, "launch")))

    # as many fields as there may be
    said = talk({"from": stream, "draw": 1, "const": [f"c{number}.y={number}.5" for number in range(100)]}, watch("c0.y"), watch("c99.y"))
    for number, wanted in (0, "0.5"), (1, "99.5"):
        expect("a hundred consts", wanted, answer(said, "evaluate", number)["body"]["result"])

    refused = [
        ({"from": stream, "const": [["c0.x=2.5"]]}, "expected texts, numbers and lists of them"),
        ({"from": stream, "draw": 2}, "2 draws"),
        ({"from": stream, "draw": "x"}, "draw"),
        ({"from": stream, "stage": "cs"}, "draw 0 runs no shader of that stage"),
        ({"from": stream, "program": source}, "and not both"),
        ({"from": stream, "pixel": "5"}, "X,Y"),
        ({"from": stream, "image": "8x8"}, "image"),
        ({"from": stream, "policies": {"ir3-denorm": "neither"}}, "ir3-denorm"),
        ({"from": stream, "symbols": [stream + ".map"]}, "symbol file"),
        ({"from": stream + "x"}, "cannot"),
        ({"program": source.replace("streams/frame", "ir3/wheel"), "draw": "1"}, "draw 1: expected `from`"),
    ]
    for fields, wanted in refused:
        got = answer(talk(fields), "launch")
        expect(fields, wanted, "it was launched" if got["success"] else got["message"])
        if got.get("message", "").startswith(f"{stream}: {stream}"):
            bad.append(f"{fields}: the file is named twice: {got['message']}")
print("\n".join(bad))
sys.exit(bool(bad))
