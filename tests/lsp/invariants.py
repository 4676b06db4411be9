# SPDX-License-Identifier: MIT
"""invariants.py GPUCODE ROOT: what holds of every source: ranges lie in it, references have the definition, a renamed or
formatted text gives the same bytes, and edits leave what opening the result anew would."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

from client import Client, Refused, apply_edits, offset_of, place, units

program, root = sys.argv[1:3]
EXAMPLES = ["examples/a3xx/floor.asm", "examples/hwsq/reclock.hwsq", "examples/firmware/a6xx.asm",
            "examples/firmware/registers.asm", "examples/mme/macros.mme", "fuzz/corpus/source/macro.asm"]
LONG = "GPUCODE_LONG_TESTS" in os.environ
random.seed(17)
scratch = tempfile.TemporaryDirectory()


def inside(text, range_):
    lines = text.split("\n")
    start, end = range_["start"], range_["end"]
    assert (start["line"], start["character"]) <= (end["line"], end["character"]), range_
    for position in (start, end):
        assert position["line"] < len(lines), range_
        assert position["character"] <= units(lines[position["line"]]), (range_, lines[position["line"]])


def ranges_of(value):
    """All ranges of an answer, but those of other documents."""
    if isinstance(value, dict):
        if set(value) == {"start", "end"}:
            yield value
        elif "uri" not in value:
            for member in value.values():
                yield from ranges_of(member)
    elif isinstance(value, list):
        for item in value:
            yield from ranges_of(item)


def assembled(text, beside, target):
    """The bytes of a source as the command makes them; None: it is wrong."""
    path = os.path.join(os.path.dirname(beside), "edited.asm")
    result = os.path.join(scratch.name, "out")
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    given = ["-t", target] if target else []
    done = subprocess.run([program, "asm", *given, path, "-o", result], capture_output=True, check=False)
    return open(result, "rb").read() if done.returncode == 0 else None


def try_places(client, uri, text):
    here = {"textDocument": {"uri": uri}}
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink"):
        for range_ in ranges_of(client.request("textDocument/" + method, here)):
            inside(text, range_)
    for _ in range(200 if LONG else 40):
        at = place(text, random.randrange(len(text) + 1))
        params = dict(here, position=at, context={"includeDeclaration": True})
        for method in ("hover", "completion", "signatureHelp", "documentHighlight"):
            for range_ in ranges_of(client.request("textDocument/" + method, params)):
                inside(text, range_)
        places = client.request("textDocument/references", params)
        for one in client.request("textDocument/definition", params) or []:
            assert places is None or one in places, (one, places)
        for one in places or []:
            if one["uri"] == uri:
                inside(text, one["range"])
        # highlights are the references of this document
        marks = client.request("textDocument/documentHighlight", params) or []
        key = lambda range_: (range_["start"]["line"], range_["start"]["character"])
        assert sorted(key(mark["range"]) for mark in marks) == sorted(
            key(one["range"]) for one in places or [] if one["uri"] == uri)


def check_tokens(client, uri, text):
    """Tokens stand in order and do not overlap."""
    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    lines, line, start, end = text.split("\n"), 0, 0, 0
    for i in range(0, len(data), 5):
        if data[i]:
            line, start, end = line + data[i], 0, 0
        start += data[i + 1]
        assert start >= end and start + data[i + 2] <= units(lines[line]), (line, start)
        end = start + data[i + 2]


def try_renames(client, uri, text, path, target):
    before = assembled(text, path, target)
    for _ in range(40 if LONG else 6):
        params = {"textDocument": {"uri": uri}, "position": place(text, random.randrange(len(text) + 1)),
                  "newName": "quite_another"}
        try:
            edit = client.request("textDocument/rename", params)
        except Refused:
            continue
        if set(edit["changes"]) == {uri}:
            assert assembled(apply_edits(text, edit["changes"][uri]), path, target) == before


def try_format(client, uri, text, path, target):
    for spaces in (False, True):
        edits = client.request("textDocument/formatting", {
            "textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": spaces}})
        if edits is None:
            continue
        formatted = apply_edits(text, edits)
        assert assembled(formatted, path, target) == assembled(text, path, target)
        client.change(uri, [{"text": formatted}], 2)
        again = client.request("textDocument/formatting", {
            "textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": spaces}})
        assert again == [], again[:3]
        client.change(uri, [{"text": text}], 3)


def try_edits(client, uri, text, language):
    """After edits the diagnostics are those of the text opened anew."""
    pieces = ["x", "\n", " ", "$01", "#", ".equ é, 3\n", "𝄞", "label:\n", "", "\t; ", "nop\n", "'\"", "\r\n", "\\"]
    fresh_uri = uri + ".fresh"
    for number in range(1, 13 if LONG else 4):
        changes = []
        for _ in range(random.randrange(1, 6)):
            at = random.randrange(len(text) + 1)
            end = min(len(text), at + random.choice([0, 0, 1, 5, 30]))
            range_ = {"start": place(text, at), "end": place(text, end)}
            if "\r" in text[max(0, at - 1):end + 1]:  # these helpers know no other line ends
                continue
            piece = random.choice(pieces)
            changes.append({"range": range_, "text": piece})
            text = text[:at] + piece + text[end:]
            if "\r" in piece:
                break
        client.change(uri, changes, 10 + number)
        client.open(fresh_uri, text, language, number)
        keep = lambda found: [(one["range"], one["code"], one["message"]) for one in found]
        assert keep(client.settle(uri, 10 + number)) == keep(client.settle(fresh_uri, number)), text
        client.close(fresh_uri)
        if "\r" in text:
            break


client = Client(program, capabilities={"textDocument": {
    "hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}})
for folder in {os.path.dirname(name) for name in EXAMPLES}:
    shutil.copytree(os.path.join(root, folder), os.path.join(scratch.name, folder))
for name in EXAMPLES:
    path = os.path.join(scratch.name, name)
    text = open(path, encoding="utf-8").read()
    language = "mme" if name.endswith("mme") else ""
    target = "mme:fermi" if language else None
    uri = "file://" + path
    client.open(uri, text, language)
    for range_ in ranges_of(client.wait_diagnostics(uri)):
        inside(text, range_)
    try_places(client, uri, text)
    check_tokens(client, uri, text)
    try_renames(client, uri, text, path, target)
    try_format(client, uri, text, path, target)
    try_edits(client, uri, text, language)
    client.close(uri)
assert client.end() == 0
print("invariants: passed")
