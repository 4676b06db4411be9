#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A `pause` that arrives just before the movement that it is meant for, or while that runs, ends it; never a later one.

usage: pause.py GPUCODE PROGRAM"""
import json
import subprocess
import sys
import threading
import time

program, source = sys.argv[1:3]
server = subprocess.Popen([program, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
timer = threading.Timer(600, server.kill)  # a server that is stuck; meson ends the test long before on a fast machine
timer.start()
sequence = 0


def send(*commands):
    """Requests in one write."""
    global sequence
    stream = b""
    for command, arguments in commands:
        sequence += 1
        body = json.dumps({"type": "request", "seq": sequence, "command": command, "arguments": arguments}).encode()
        stream += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    server.stdin.write(stream)
    server.stdin.flush()


def receive():
    length = 0
    while True:
        line = server.stdout.readline()
        if not line:
            sys.exit("the server does not answer")
        if line == b"\r\n":
            return json.loads(server.stdout.read(length))
        length = int(line.split(b":")[1])


def until(wanted):
    """Names of what comes up to an event or a response; output is left out."""
    names = []
    while not names or names[-1] != wanted:
        message = receive()
        if message["type"] == "response" and not message["success"]:
            sys.exit(f"refused: {message}")
        if message.get("event") != "output":
            names.append(message.get("event") or message["command"])
        if names and names[-1] == "stopped":
            names[-1] += " " + message["body"]["reason"]
    return names


def check(got, expected):
    if got != expected:
        sys.exit(f"expected {expected}, got {got}")


send(("initialize", {}), ("launch", {"program": source, "stopOnEntry": True}), ("configurationDone", {}))
until("stopped entry")
thread = {"threadId": 1}
for i in range(100):
    send(("continue", thread), ("pause", thread))
    check(until("stopped pause"), ["continue", "pause", "stopped pause"])
    send(("next", thread))
    check(until("stopped step"), ["next", "stopped step"])
    send(("pause", thread), ("stepBack", thread))  # nothing runs: the client knows already
    check(until("stopped step"), ["pause", "stepBack", "stopped step"])
for i in range(10):
    send(("continue", thread))
    check(until("continue"), ["continue"])
    time.sleep(0.01)
    send(("pause", thread))
    check(until("stopped pause"), ["pause", "stopped pause"])
    send(("evaluate", {"expression": "continue", "context": "repl"}))
    time.sleep(0.01)
    send(("pause", thread))
    check(until("stopped pause"), ["evaluate", "pause", "stopped pause"])
# a request that waits can be cancelled, and only that one
long = ("disassemble", {"memoryReference": "0x10000000000000", "instructionCount": 20000})
first = sequence + 1
send(*[long] * 3, ("evaluate", {"expression": "$02 + 1", "context": "watch"}), ("evaluate", {"expression": "2", "context": "watch"}),
     ("cancel", {"requestId": first + 3}), ("threads", {}))
answers = {}
while len(answers) < 7:
    message = receive()
    if message["type"] == "response":
        answers[message["request_seq"] - first] = message["success"] or message["message"]
check(answers, {**dict.fromkeys(range(7), True), 3: "cancelled"})
# what ends the session does not wait for a movement
send(("continue", thread), ("cancel", {"requestId": 99999999}), ("terminate", {}), ("disconnect", {}))
check(until("disconnect"), ["continue", "cancel", "terminate", "terminated", "disconnect"])
if server.wait() != 0:
    sys.exit("the server fails")
timer.cancel()
