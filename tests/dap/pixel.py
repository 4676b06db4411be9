#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Launches of a shader for a pixel of its picture that cannot be are refused with a reason.

usage: pixel.py GPUCODE SHADER"""
import json
import subprocess
import sys

program, shader = sys.argv[1:]
QUAD = {"image": "8x8", "pixel": "3,5"}
wrong = [
    ({"image": "8"}, "image 8: expected WIDTHxHEIGHT"),
    ({"image": "0x8", "pixel": "0,0"}, "image 0x8: expected"),
    ({"image": "8x8193", "pixel": "0,0"}, "image 8x8193: expected"),
    ({"image": "8x8"}, "image 8x8: expected pixel X,Y with it"),
    ({"image": "8x8", "pixel": "8,0"}, "pixel 8,0: expected X,Y"),
    ({"image": "8x8", "pixel": "0,0,0"}, "pixel 0,0,0: expected X,Y"),
    ({"pixel": "0,0"}, "pixel 0,0: expected X,Y of a pixel"),
    ({"frag-coord": "r0.x"}, "frag-coord r0.x: expected"),
    ({**QUAD, "frag-coord": "c0.x"}, "frag-coord c0.x: expected"),
    ({**QUAD, "ij": "r60.w"}, "ij r60.w: expected the first of two registers"),
    ({**QUAD, "local-size": "8"}, "local-size 8: expected a launch without image"),
    ({**QUAD, "local-id": "r0.x"}, "local-id r0.x: expected a launch without image"),
    ({**QUAD, "policies": {"a3xx-threads": "2"}}, "policies : expected the preset of threads, which is 4"),
    ({**QUAD, "in": ["r0.x=0.5"], "varying": ["2=0.0,1.0,0.0"]}, "ij : expected the first of the two registers"),
]


def launched(fields):
    """What the server answers to a launch: (success, message)."""
    requests = [("initialize", {"adapterID": "gpucode"}),
                ("launch", {"program": shader, "target": "a3xx", **fields}), ("disconnect", {})]
    sent = b""
    for number, (command, arguments) in enumerate(requests, 1):
        body = json.dumps({"type": "request", "seq": number, "command": command, "arguments": arguments}).encode()
        sent += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    out = subprocess.run([program, "dap"], input=sent, capture_output=True, check=True, timeout=600).stdout
    while out:
        head, rest = out.split(b"\r\n\r\n", 1)
        length = int(head.split(b":")[1])
        message, out = json.loads(rest[:length]), rest[length:]
        if message["type"] == "response" and message["command"] == "launch":
            return message["success"], message.get("message", "")
    sys.exit(f"{fields}: no answer")


bad = [(fields, expected, got) for fields, expected in wrong if (got := launched(fields))[0] or expected not in got[1]]
good = launched({**QUAD, "ij": "r0.x"})
if not good[0]:
    bad.append(("a launch that can be", "", good))
for fields, expected, got in bad:
    print(f"{fields}: expected “{expected}”, the server said {got}")
sys.exit(bool(bad))
