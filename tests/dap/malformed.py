#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is no message gets an answer and the server goes on. usage: malformed.py GPUCODE"""
import json
import subprocess
import sys
import tempfile


def frame(bytes_):
    return b"Content-Length: %d\r\n\r\n" % len(bytes_) + bytes_


def request(sequence, command, **arguments):
    return frame(json.dumps({"seq": sequence, "type": "request", "command": command, "arguments": arguments}).encode())


text = request(1, "initialize")
text += frame(b"{no json") + frame(b"") + frame(b"\xff\xfe")
text += frame(b"[" * 100000 + b"]" * 100000)
text += frame(b'{"a":' * 70 + b"1" + b"}" * 70)
text += frame(b'{"type":"event","pad":"' + b"0" * ((4 << 20) - 100) + b'"}')  # not too long, and what comes after it is
text += frame(b"0" * (5 << 20))
text += b"\r\n" + b"X-Other: 1\r\n\r\n"
text += frame(b'{"seq":2,"type":"request","command":"launch","arguments":{"program":"a\\u0000b"}}')
text += frame(b'{"seq":3,"type":"request","command":"no\\u0000such"}')
text += request(4, "threads") + request(5, "disconnect")
done = subprocess.run([sys.argv[1], "dap"], input=text, capture_output=True, timeout=600)
messages, at = [], 0
while at < len(done.stdout):
    end = done.stdout.index(b"\r\n\r\n", at)
    length = int(done.stdout[at:end].split(b":")[1])
    messages.append(json.loads(done.stdout[end + 4:end + 4 + length]))
    at = end + 4 + length
said = [m["body"]["output"].strip() for m in messages if m.get("event") == "output"]
expected = ["a message is not a JSON object"] * 3 + ["a message has too many lists within one another"] * 2 + [
    "a message is too long", "a header has no Content-Length"]
assert said[:7] == expected, said
answered = [m["request_seq"] for m in messages if m["type"] == "response"]
assert answered == [1, 2, 3, 4, 5], answered
assert [m["success"] for m in messages if m["type"] == "response"] == [True, False, False, False, True], messages
assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
for text, wrong in ((b"Content-Length: 9\r\n\r\n{}", "the stream ends within a message"),
                    (b"hello", "the stream ends within a message"), (b"x" * 70000, "a header is too long")):
    done = subprocess.run([sys.argv[1], "dap"], input=text, capture_output=True, timeout=600)
    assert wrong.encode() in done.stdout and done.returncode == 0, (text[:20], done.stdout)
with tempfile.NamedTemporaryFile("w", suffix=".asm") as source:  # each error of a source once, and nothing of it besides
    source.write(".target afuc:a6xx\n[016ee001]\n  mvo $02, $03\n  add $02, $99, $03\n")
    source.flush()
    done = subprocess.run([sys.argv[1], "dap"], input=request(1, "initialize") + request(2, "launch", program=source.name) + request(3, "disconnect"),
                          capture_output=True, timeout=600)
    wanted = f"{source.name}:3:3: there is no instruction 'mvo'\n{source.name}:4:12: there is no register '$99'\n"
    assert json.dumps(wanted)[1:-1].encode() in done.stdout and b'"event"' not in done.stdout, done.stdout
    assert done.stdout.count(b"mvo") == 2 and done.stdout.count(source.name.encode() + b": ") == 0, done.stdout  # "message", and "format" of "error"
assert not subprocess.run([sys.argv[1], "dap"], input=b"", capture_output=True, timeout=600).stdout
print("malformed: passed")
