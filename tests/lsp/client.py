# SPDX-License-Identifier: MIT
"""A client of `gpucode lsp`: messages with their headers, requests that wait for their answers."""
import json
import subprocess

import schemas


class Refused(Exception):
    """The server answered a request with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    def __init__(self, program, settings=None, capabilities=None, initialize=True):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.diagnostics = {}  # by URI, what came last
        self.heard = []        # notifications and requests of the server
        self.answers = {}      # that came before someone waited for them
        self.done, self.refused = set(), set()
        if initialize:
            self.initialized = self.request("initialize", {
                "processId": None, "rootUri": None, "capabilities": capabilities or {},
                "initializationOptions": settings or {}})
            self.notify("initialized", {})

    def send_bytes(self, *texts):
        """Sends messages, all at once: the server has the last one when it reads the first."""
        self.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(text) + text for text in texts))
        self.process.stdin.flush()

    def send(self, *messages):
        self.send_bytes(*(json.dumps(dict(message, jsonrpc="2.0")).encode() for message in messages))

    def read(self):
        """The next message of the server; None at its end."""
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if not line.strip():
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line[15:])
        return json.loads(self.process.stdout.read(length))

    def take(self, message):
        if "method" not in message:
            self.answers[message["id"]] = message
            return
        schemas.check(message["method"], message.get("params"))
        if message["method"] == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        self.heard.append(message)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request and returns its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def answer(self, number):
        while number not in self.answers:
            message = self.read()
            if message is None:
                raise AssertionError("the server is gone")
            self.take(message)
        message = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def request(self, method, params):
        try:
            result = self.answer(self.ask(method, params))
        except Refused:
            self.refused.add(method)
            raise
        self.done.add(method)
        schemas.check(method, result)
        return result

    def wait_until(self, holds):
        """Reads messages until something holds."""
        while not holds():
            message = self.read()
            if message is None:
                raise AssertionError("the server is gone")
            self.take(message)

    def settle(self, uri, version):
        """The diagnostics of a version of a document, but for what lint may add later."""
        self.wait_until(lambda: self.diagnostics.get(uri, {}).get("version") == version)
        return [one for one in self.diagnostics[uri]["diagnostics"] if "lint" not in one["code"]]

    def wait_diagnostics(self, uri):
        """The next diagnostics of a document."""
        self.diagnostics.pop(uri, None)
        self.wait_until(lambda: uri in self.diagnostics)
        return self.diagnostics[uri]["diagnostics"]

    def open(self, uri, text, language="", version=1):
        self.notify("textDocument/didOpen", {
            "textDocument": {"uri": uri, "languageId": language, "version": version, "text": text}})

    def change(self, uri, changes, version):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def end(self):
        """Shuts down; the exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait()


def units(text):
    """UTF-16 units of a text."""
    return len(text.encode("utf-16-le")) // 2


def place(text, offset):
    """The position of a character of a text."""
    before = text[:offset]
    start = before.rfind("\n") + 1
    return {"line": before.count("\n"), "character": units(before[start:])}


def place_of(text, part, more=0, number=0):
    """The position `more` characters behind where a part stands for the time `number` + 1."""
    at = -1
    for _ in range(number + 1):
        at = text.index(part, at + 1)
    return place(text, at + more)


def offset_of(text, position):
    """The character at a position."""
    lines = text.split("\n")
    line = lines[position["line"]]
    at = 0
    while at < len(line) and units(line[:at + 1]) <= position["character"]:
        at += 1
    return sum(len(before) + 1 for before in lines[:position["line"]]) + at


def apply_edits(text, edits):
    """The text with edits that do not overlap."""
    for edit in sorted(edits, key=lambda edit: offset_of(text, edit["range"]["start"]), reverse=True):
        start, end = offset_of(text, edit["range"]["start"]), offset_of(text, edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text
