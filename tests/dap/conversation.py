#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays a recorded conversation and compares what the server says.

usage: conversation.py GPUCODE FILE.dap [--record]

Lines that begin with '>' are requests (without type and seq), those with '<' the messages expected. With --record
the expected ones are written anew. $HERE in requests is the folder of the file, $ROOT that of the tree; both stand for them in
answers."""
import json
import os
import queue
import subprocess
import sys
import threading

program, path = sys.argv[1:3]
here = os.path.dirname(os.path.realpath(path))
root = os.path.dirname(os.path.dirname(here))
lines = open(path, encoding="utf-8").read().splitlines()
requests = [line[1:].strip() for line in lines if line.startswith(">")]

def receive(pipe):
    """The next message; None at the end."""
    length = 0
    while True:
        line = pipe.readline()
        if not line:
            return None
        if line == b"\r\n":
            return json.loads(pipe.read(length))
        length = int(line.split(b":")[1])


# One request at a time, as people do who look at the answer first: what follows a response is its own, and the next
# request waits for the stops that were recorded, since it would interrupt a movement.
answers = {index: [] for index in range(1, len(requests) + 1)}
recording = "--record" in sys.argv


def stops(texts):
    return sum('"event": "stopped"' in text or '"event": "terminated"' in text for text in texts)


recorded = []
for line in lines:
    if line.startswith(">"):
        recorded.append(0)
    elif line.startswith("<"):
        recorded[-1] += stops([line])
server = subprocess.Popen([program, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
timer = threading.Timer(600, server.kill)
timer.start()
last = 0
messages = queue.Queue()


def listen():
    while (message := receive(server.stdout)) is not None:
        messages.put(message)
    messages.put(None)


threading.Thread(target=listen, daemon=True).start()


def note(message):
    global last
    message.pop("seq")
    if message["type"] == "response":
        last = message.pop("request_seq")
    text = json.dumps(message, sort_keys=True, ensure_ascii=False).replace(here, "$HERE").replace(root, "$ROOT")
    if last == 0:
        sys.exit(f"{path}: an event before the first response: {text}")
    answers[last].append("< " + text)


for number, text in enumerate(requests, 1):
    message = json.loads(text.replace("$HERE", here).replace("$ROOT", root))
    message.update(type="request", seq=number)
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()
    while last < number or recording or stops(answers[number]) < recorded[number - 1]:
        try:
            message = messages.get(timeout=0.5 if recording and last == number else None)
        except queue.Empty:
            break
        if message is not None:
            note(message)
        elif recording and last == number:
            messages.put(None)  # for the end
            break
        else:
            sys.exit(f"{path}: the server ended before all of its answer to {text}")
server.stdin.close()
while (message := messages.get()) is not None:
    note(message)
timer.cancel()
if server.wait() != 0:
    sys.exit(f"{path}: the server ended with {server.returncode}")

played, number = [], 0
for line in lines:
    if line.startswith("<"):
        continue
    played.append(line)
    if line.startswith(">"):
        number += 1
        played += answers[number]
if recording:
    open(path, "w", encoding="utf-8").write("\n".join(played) + "\n")
elif played != lines:
    for expected, got in zip(lines + [""] * len(played), played + [""] * len(lines)):
        if expected != got:
            sys.exit(f"{path}:\nexpected {expected}\ngot      {got}")
