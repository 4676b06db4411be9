# SPDX-License-Identifier: MIT
"""session.py GPUCODE: a session with every request, asked and refused."""
import sys

from client import Client, Refused, apply_edits, place_of

MAIN = "file:///none/main.asm"
TEXT = """.target afuc:a630
; first
.equ SIZE, 0x20
.macro store reg, label
loop\\@:	mov \\reg, SIZE ; body
	jump #\\label
	nop
	brne \\reg, 0x3, #loop\\@
	nop
.endm
start:
	mov $02, SIZE + 4	; é𝄞 hi
	cwrite $02, [$00 + @REG_READ_ADDR], 0x0
	store $03, start
	(rep)mov $data, CP_SCRATCH[0x2].REG
.jumptbl
CP_NOP:
	waitin
	mov $01, $data
"""
CAN = {"textDocument": {"hover": {"contentFormat": ["markdown"]},
                        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                        "publishDiagnostics": {"relatedInformation": True}}}
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


def at(part, more=0, number=0):
    return {"textDocument": {"uri": MAIN}, "position": place_of(TEXT, part, more, number),
            "context": {"includeDeclaration": True}}


def expect_refused(client, method, params, code):
    try:
        client.request(method, params)
    except Refused as refused:
        check(refused.code == code, f"{method}: code {refused.code} and not {code}")
        return
    check(False, f"{method} was not refused")


def hovers(client):
    for part, wanted in (("cwrite", "control register"), ("REG_READ", "Which GPU register"), ("SIZE + 4", "`0x20`"),
                         ("store $03", "macro `store`"), ("0x20", "`32`"), ("CP_SCRATCH", "GPU register `0x885`"),
                         ("afuc:a630", "Adreno 630"), (".equ", "Defines a constant"), ("CP_NOP", "handler of packet"),
                         ("$data", "next word of the packet"), ("reg, label", "of macro `store`")):
        hover = client.request("textDocument/hover", at(part, 1))
        check(hover and wanted in hover["contents"]["value"], f"hover over {part}: {hover}")


def navigation(client):
    one = client.request("textDocument/definition", at("SIZE + 4"))
    check([place["range"]["start"] for place in one] == [place_of(TEXT, "SIZE")], f"definition: {one}")
    places = client.request("textDocument/references", at("SIZE"))
    check(len(places) == 3, f"references: {places}")
    check(len(client.request("textDocument/documentHighlight", at("start:"))) == 2, "highlights")
    check(client.request("textDocument/definition", at("nop", 1)) is None, "a nop is defined nowhere")


def renaming(client):
    check(client.request("textDocument/prepareRename", at("SIZE"))["placeholder"] == "SIZE", "placeholder")
    edit = client.request("textDocument/rename", dict(at("SIZE + 4"), newName="BIG"))
    text = apply_edits(TEXT, edit["changes"][MAIN])
    check(text.count("BIG") == 3 and "SIZE" not in text, f"rename: {text}")
    for part, name in (("SIZE + 4", "start"), ("SIZE + 4", "4x"), ("CP_NOP", "CP_OTHER"), ("loop", "again"),
                       ("REG_READ_ADDR", "X"), ("nop", "X")):
        expect_refused(client, "textDocument/rename", dict(at(part, 1), newName=name), -32803)
    expect_refused(client, "textDocument/prepareRename", at("CP_SCRATCH"), -32803)


def completion(client):
    def labels(part, more):
        return [item["label"] for item in client.request("textDocument/completion", at(part, more))["items"]]
    check({"mov", ".equ", "store"} <= set(labels("mov $02", 0)), "what begins a statement")
    check("mov" in labels("mov $02", 2) and "add" not in labels("mov $02", 2), "mnemonics with m")
    check("$02" in labels("mov $02", 4) and "SIZE" not in labels("mov $02", 4), "registers")
    check("SIZE" in labels("SIZE + 4", 1), "constants")
    check("@REG_READ_ADDR" in labels("@REG_READ", 3), "control registers")
    check("CP_SCRATCH[0].REG" in labels("CP_SCRATCH", 3), "GPU registers")
    check("#start" in labels("#\\label", 1), "labels")
    check(labels("; first", 4) == [], "nothing in a comment")
    help_ = client.request("textDocument/signatureHelp", at("SIZE + 4"))
    check(help_["activeParameter"] == 1, f"signature: {help_}")


def lists(client):
    here = {"textDocument": {"uri": MAIN}}
    names = [symbol["name"] for symbol in client.request("textDocument/documentSymbol", here)]
    check({"SIZE", "store", "start", "CP_NOP"} <= set(names), f"symbols: {names}")
    check({"startLine": 3, "endLine": 9} in client.request("textDocument/foldingRange", here), "the macro folds")
    data = client.request("textDocument/semanticTokens/full", here)["data"]
    check(len(data) % 5 == 0 and len(data) > 150, "tokens")
    found = client.request("workspace/symbol", {"query": "cpn"})
    check([symbol["name"] for symbol in found] == ["CP_NOP"], f"workspace symbols: {found}")


def errors(client):
    uri = "file:///none/wrong.asm"
    client.open(uri, ".target afuc:a630\n\tcwrit $01, [$00 + @RB_RPTR], 0x0\n")
    found = client.wait_diagnostics(uri)
    check(found[0]["code"] == "unknown-mnemonic" and found[0]["data"]["text"] == "cwrite", f"errors: {found}")
    edit = {"range": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 6}}, "text": "cwrite"}
    client.change(uri, [edit], 2)
    check(client.wait_diagnostics(uri) == [], "no errors left")
    client.close(uri)


def refusals(client):
    for method in ("hover", "definition", "references", "rename", "completion", "documentSymbol"):
        expect_refused(client, "textDocument/" + method, {"textDocument": {"uri": "file:///nobody"}}, -32602)
    expect_refused(client, "textDocument/hover", {"textDocument": {"uri": MAIN}}, -32602)
    expect_refused(client, "textDocument/hover", None, -32602)
    expect_refused(client, "no/such/method", {}, -32601)
    expect_refused(client, "initialize", {"capabilities": {}}, -32600)
    client.notify("no/such/notification", {})
    client.notify("$/whatever", {})


client = Client(sys.argv[1], capabilities=CAN)
client.open(MAIN, TEXT)
check(client.wait_diagnostics(MAIN) == [], f"diagnostics: {client.diagnostics}")
for part in (hovers, navigation, renaming, completion, lists, errors, refusals):
    part(client)
check(client.end() == 0, "exit code")
print(checks, "checks")
