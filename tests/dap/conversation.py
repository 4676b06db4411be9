#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays a recorded conversation and compares what the server says.

usage: conversation.py GPUCODE FILE.dap [--record]

Lines that begin with '>' are requests (without type and seq), those with '<' the messages expected. With --record
the expected ones are written anew. $HERE in requests is the folder of the file, and stands for it in answers."""
import json
import os
import subprocess
import sys

program, path = sys.argv[1:3]
here = os.path.dirname(os.path.realpath(path))
lines = open(path, encoding="utf-8").read().splitlines()
requests = [line[1:].strip() for line in lines if line.startswith(">")]

stream = b""
for number, text in enumerate(requests, 1):
    message = json.loads(text.replace("$HERE", here))
    message.update(type="request", seq=number)
    body = json.dumps(message).encode()
    stream += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
result = subprocess.run([program, "dap"], input=stream, stdout=subprocess.PIPE, timeout=60, check=False)
if result.returncode != 0:
    sys.exit(f"{path}: the server ended with {result.returncode}")

answers, rest, last = {}, result.stdout, 0
for index in range(1, len(requests) + 1):
    answers[index] = []
while rest:
    head, rest = rest.split(b"\r\n\r\n", 1)
    length = int(head.split(b":")[1])
    message, rest = json.loads(rest[:length]), rest[length:]
    message.pop("seq")
    if message["type"] == "response":
        last = message.pop("request_seq")
    text = json.dumps(message, sort_keys=True, ensure_ascii=False).replace(here, "$HERE")
    if last == 0:
        sys.exit(f"{path}: an event before the first response: {text}")
    answers[last].append("< " + text)

played, number = [], 0
for line in lines:
    if line.startswith("<"):
        continue
    played.append(line)
    if line.startswith(">"):
        number += 1
        played += answers[number]
if "--record" in sys.argv:
    open(path, "w", encoding="utf-8").write("\n".join(played) + "\n")
elif played != lines:
    for expected, got in zip(lines + [""] * len(played), played + [""] * len(lines)):
        if expected != got:
            sys.exit(f"{path}:\nexpected {expected}\ngot      {got}")
