# SPDX-License-Identifier: MIT
"""malformed.py GPUCODE: messages that are wrong, come at the wrong time, or are cancelled."""
import json
import os
import subprocess
import sys
import tempfile

from client import Client, Refused

program = sys.argv[1]
URI = "file:///none/a.asm"
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


def expect_refused(client, number, code, text=""):
    try:
        client.answer(number)
    except Refused as refused:
        assert refused.code == code and text in str(refused), (refused.code, code, str(refused))
    else:
        raise AssertionError(f"not refused with {code}")


# before `initialize`
client = Client(program, initialize=False)
expect_refused(client, client.ask("textDocument/hover", {}), -32002, "`initialize` comes first")
expect_refused(client, client.ask("shutdown", None), -32002)
client.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "text": "x", "version": 1, "languageId": ""}})
client.request("initialize", INITIALIZE)
expect_refused(client, client.ask("textDocument/hover", {"textDocument": {"uri": URI}}), -32602)  # it was not opened

# texts that are no messages: each has an answer without an id, and what follows is understood
wrongs = {-32700: "the message is not JSON", "list": "a message is an object", "none": "the message has no method",
          "id": "an id is a number or a string"}
for text, wrong in ((b"no JSON", -32700), (b"", -32700), (b"[1, 2]", "list"), (b"3", -32700), (b"[" * 100000, -32700),
                    (b'{"jsonrpc":"2.0","id":5}', "none"), (b'{"jsonrpc":"2.0","id":{},"method":"shutdown"}', "id"),
                    (b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', "id"), (b"\xff\xfe{}", -32700)):
    client.send_bytes(text)
    answer = client.read()
    error = {"code": wrong if wrong == -32700 else -32600, "message": wrongs[wrong]}
    assert answer["error"] == error and answer["id"] == (5 if wrong == "none" else None), (text[:40], answer)
for text in (b'{"method":7}', b'{"jsonrpc":"2.0","id":9,"result":null}', b'{"jsonrpc":"2.0","method":"nobody/knows"}',
             b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":[1]}',
             b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":5}}}',
             b'{"jsonrpc":"2.0","method":"textDocument/didClose"}', b'{"jsonrpc":"2.0","method":"$/setTrace"}'):
    client.send_bytes(text)
client.process.stdin.write(b"Other-Header: 1\r\n\r\ncontent-length: 2\nX: y\n\n{}")
client.process.stdin.flush()
codes = sorted(client.read()["error"]["code"] for _ in range(3))
assert codes == [-32700, -32600, -32600], codes  # a header without a length; 7 is no method, nor is nothing

# ids are numbers or strings, and answers have the same
client.send({"id": "a string", "method": "no/method"})
answer = client.read()
assert answer["id"] == "a string" and answer["error"]["message"] == "there is no method 'no/method'", answer

# a request that is cancelled before it is its turn
client.open(URI, ".target afuc:a630\nstart: jump #start\nnop\n")
params = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 14}}
messages = b""
for message in ({"id": 100, "method": "textDocument/definition", "params": params},
                {"id": "x", "method": "textDocument/hover", "params": params},
                {"method": "$/cancelRequest", "params": {"id": 100}},
                {"method": "$/cancelRequest", "params": {"id": "x"}},
                {"method": "$/cancelRequest", "params": {"id": 12345}},
                {"id": 101, "method": "textDocument/definition", "params": params}):
    text = json.dumps(dict(message, jsonrpc="2.0")).encode()
    messages += b"Content-Length: %d\r\n\r\n" % len(text) + text
client.process.stdin.write(messages)
client.process.stdin.flush()
answers = {}
while len(answers) < 3:
    message = client.read()
    if "method" not in message:
        answers[message["id"]] = message
assert answers[100]["error"]["code"] == -32800 and answers["x"]["error"]["code"] == -32800, answers
assert answers[101]["result"][0]["range"]["start"] == {"line": 1, "character": 0}, answers

# places that are not in the text, changes that make no sense
for line, character in ((10**6, 0), (1, 10**6), (0, 2**31)):
    client.request("textDocument/hover", {"textDocument": {"uri": URI},
                                          "position": {"line": line, "character": character}})
expect_refused(client, client.ask("textDocument/hover", {"textDocument": {"uri": URI},
                                                         "position": {"line": -1, "character": 0}}), -32602)
expect_refused(client, client.ask("textDocument/hover", {"textDocument": {"uri": URI},
                                                         "position": {"line": "1", "character": 0}}), -32602)
back = {"start": {"line": 2, "character": 0}, "end": {"line": 1, "character": 0}}
client.change(URI, [{"range": back, "text": "x"}, {"range": 5}, {}, 7], 2)
assert client.wait_diagnostics(URI) == []
for method in ("textDocument/inlayHint", "textDocument/codeAction", "textDocument/semanticTokens/range"):
    expect_refused(client, client.ask(method, {"textDocument": {"uri": URI}}), -32602)
for method in ("callHierarchy/incomingCalls", "workspace/executeCommand", "textDocument/rename"):
    expect_refused(client, client.ask(method, {}), -32602)
expect_refused(client, client.ask("callHierarchy/outgoingCalls", {"item": {"uri": URI}}), -32602, "the item has no data of ours")

# after `shutdown`
client.request("shutdown", None)
expect_refused(client, client.ask("textDocument/hover", params), -32600, "the server has been shut down")
client.notify("exit", None)
assert client.process.wait() == 0
# without it, or when the client is gone
for end in (b'{"jsonrpc":"2.0","method":"exit"}', None):
    client = Client(program)
    if end:
        client.send_bytes(end)
    else:
        client.process.stdin.close()
    assert client.process.wait() == 1
# a message longer than any may be is passed over, one that is cut off ends the session
client = Client(program)
client.process.stdin.write(b"Content-Length: 70000000\r\n\r\n")
for _ in range(70):
    client.process.stdin.write(b" " * 1000000)
client.process.stdin.flush()
assert client.read()["error"]["code"] == -32700
assert client.end() == 0
done = subprocess.run([program, "lsp"], input=b"Content-Length: 100\r\n\r\n{}", capture_output=True, check=False)
assert done.returncode == 1 and b"the stream ends within a message" in done.stdout, done
# from a file all has come at once, its end too: it is taken before anything is worked on, and then all is answered
with tempfile.TemporaryFile() as file:
    for message in ({"id": 1, "method": "initialize", "params": INITIALIZE},
                    {"id": 2, "method": "textDocument/hover", "params": params}, {"id": 3, "method": "none"},
                    {"method": "$/cancelRequest", "params": {"id": 3}}):
        text = json.dumps(message).encode()
        file.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    file.write(b"Content-Length: 100\r\n\r\n{}")
    file.seek(0)
    done = subprocess.run([program, "lsp"], stdin=file, capture_output=True, check=False)
answers = [json.loads(part.split(b"Content-Length")[0]) for part in done.stdout.split(b"\r\n\r\n")[1:]]
assert [(answer["id"], answer.get("error", {}).get("code")) for answer in answers] == \
    [(None, -32700), (1, None), (2, -32602), (3, -32800)] and done.returncode == 1, answers
# what cannot be read is the end: a folder has no bytes
for server, code in (("lsp", 1), ("dap", 0)):
    folder = os.open("/", os.O_RDONLY)
    done = subprocess.run([program, server], stdin=folder, capture_output=True, timeout=120)
    assert done.returncode == code and not done.stdout, (server, done)
    os.close(folder)
print("malformed: passed")
