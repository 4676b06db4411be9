# SPDX-License-Identifier: MIT
"""session.py GPUCODE METHOD.DEF: a session with every request, asked and refused."""
import json
import os
import re
import sys
import tempfile

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


def expect_refused(client, method, params, code, text=""):
    try:
        client.request(method, params)
    except Refused as refused:
        check(refused.code == code and text in str(refused), f"{method}: {refused.code} {refused}, and not {code} {text}")
        return
    check(False, f"{method} was not refused")


def hovers(client):
    for part, wanted in (("cwrite", "control register"), ("REG_READ", "Which GPU register"), ("SIZE + 4", "`0x20`"),
                         ("store $03", "macro `store`"), ("0x20", "`32`"), ("CP_SCRATCH", "GPU register `0x885`"),
                         ("afuc:a630", "Adreno 630"), (".equ", "Defines a constant"), ("CP_NOP", "handler of packet"),
                         ("$data", "next word of the packet"), ("reg, label", "of macro `store`")):
        hover = client.request("textDocument/hover", at(part, 1))
        check(hover and wanted in hover["contents"]["value"], f"hover over {part}: {hover}")
    numbers = ".target hwsq:nv50\ndata {}\nexit\n"
    for number, wanted in (("0x3fc00000", "`1069547520` = `0x3fc00000` = `1.5` as a float"),
                           ("0xbf800000", "`3212836864` = `0xbf800000` = `-1` as a float"),
                           ("1065353216", "`1065353216` = `0x3f800000` = `1` as a float"),
                           ("0xffff", "`65535` = `0xffff`"), ("0x7fc00000", "`2143289344` = `0x7fc00000`"),
                           ("0x12345", "`74565` = `0x12345`")):
        client.open("file:///none/value.hwsq", numbers.format(number))
        hover = client.request("textDocument/hover", {"textDocument": {"uri": "file:///none/value.hwsq"},
                                                      "position": place_of(numbers.format(number), number, 1)})
        check(hover and hover["contents"]["value"].split("\n")[0].rstrip() == wanted, f"value {number}: {hover}")
        client.close("file:///none/value.hwsq")
    for uri, text, part, wanted in (
            ("file:///none/packet.asm", ".target afuc:a630\nCP_SET_DRAW_STATE:\n\twaitin\n\tmov $01, $data\n",
             "CP_SET", "* word 0, bits 15:0 `COUNT`"),
            ("file:///none/number.asm", ".target afuc:a630\n\tmov $01, 0x8820\n", "0x8820", "`ROP_CODE`"),
            ("file:///none/script.hwsq", ".target hwsq:nv50\naddr PBUS.HWSQ.STATUS\nexit\n", "PBUS", "* bits 7:0 `A_IP`")):
        client.open(uri, text)
        hover = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": place_of(text, part, 1)})
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
    for name in ("_aA_zZ_09", "z", "Z", "a", "A", "_", "x9"):
        check(client.request("textDocument/rename", dict(at("SIZE + 4"), newName=name)), f"a name: {name}")
    for part, name, why in (("SIZE + 4", "start", "with that name the program would be another one"),
                            *(("SIZE + 4", name, "a name is letters, digits and _, no digit first") for name in (
                                "4x", "0x", "9x", "", "two words", "a-b", "a.b", "a/", "a:", "a@", "a[", "a`", "a{", "\u00e9", "/a")),
                            ("CP_NOP", "CP_OTHER", "with that name the program would be another one"),
                            ("loop", "again", "a macro makes the name up"), ("REG_READ_ADDR", "X", "the name is built in"),
                            ("nop", "X", "nothing with a name stands here")):
        expect_refused(client, "textDocument/rename", dict(at(part, 1), newName=name), -32803, why)
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
    declared = "file:///none/declared.asm"
    client.open(declared, ".target a3xx\n@const(c0.x) 1.5 ; half of three\nnop\nend\n")
    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": declared}})["data"]
    types = client.initialized["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    words = [(data[i], data[i + 1], types[data[i + 3]]) for i in range(0, len(data), 5)]
    check((1, 0, "macro") in words and words[-1][2] == "keyword", f"tokens of a declaration: {words}")
    client.close(declared)
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


def typing(client):
    """Of many changes that come at once only the last is looked at."""
    uri = "file:///none/typed.asm"
    client.open(uri, ".target afuc:a630\n")
    client.settle(uri, 1)
    client.heard.clear()
    end = {"line": 1, "character": 0}
    messages = b""
    for version in range(2, 102):
        text = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": {"start": end, "end": end}, "text": "nop\n"}]}}).encode()
        messages += b"Content-Length: %d\r\n\r\n" % len(text) + text
    client.process.stdin.write(messages)
    client.process.stdin.flush()
    check(client.settle(uri, 101) == [], "all of them together are right")
    check(len(client.heard) < 50, f"told {len(client.heard)} times")
    client.close(uri)


def refusals(client):
    for method in ("hover", "definition", "references", "rename", "completion", "documentSymbol"):
        expect_refused(client, "textDocument/" + method, {"textDocument": {"uri": "file:///nobody"}}, -32602,
                       "no such document is open: file:///nobody")
    expect_refused(client, "textDocument/hover", {"textDocument": {"uri": MAIN}}, -32602, "position is missing, or none")
    for method in ("codeAction", "inlayHint", "semanticTokens/range"):
        expect_refused(client, "textDocument/" + method, {"textDocument": {"uri": MAIN}}, -32602, "range is missing, or none")
    expect_refused(client, "textDocument/hover", None, -32602, "textDocument.uri is missing")
    expect_refused(client, "no/such/method", {}, -32601, "there is no method 'no/such/method'")
    expect_refused(client, "initialize", {"capabilities": {}}, -32600, "`initialize` comes once")
    client.notify("no/such/notification", {})
    client.notify("$/whatever", {})


def calls(client):
    """start calls sub, which jumps into other."""
    uri = "file:///none/calls.asm"
    text = ("[016ee001]\n[#jumptbl]\nmov $01, #main\nmain:\ncall #sub\nnop\nwaitin\nmov $01, $data\n"
            "sub:\nadd $02, $02, 0x1\nret\nnop\nCP_NOP:\ncall #sub\nnop\nwaitin\nmov $01, $data\n"
            "jumptbl:\n.jumptbl\n")
    client.open(uri, text)
    check(client.wait_diagnostics(uri) == [], "the calls assemble")
    item = client.request("textDocument/prepareCallHierarchy",
                          {"textDocument": {"uri": uri}, "position": place_of(text, "sub:")})
    check(item[0]["name"] == "sub", f"item: {item}")
    callers = client.request("callHierarchy/incomingCalls", {"item": item[0]})
    check(sorted(call["from"]["name"] for call in callers) == ["CP_NOP", "main"] or len(callers) == 2,
          f"callers: {callers}")
    check(client.request("callHierarchy/outgoingCalls", {"item": item[0]}) == [], "sub calls nobody")
    called = client.request("callHierarchy/outgoingCalls", {"item": callers[-1]["from"]})
    check([call["to"]["name"] for call in called] == ["sub"], f"called: {called}")
    hover = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": place_of(text, "sub:")})
    check("called by" in hover["contents"]["value"], f"hover: {hover}")
    client.close(uri)


def related(client):
    """A finding about two instructions leads to the other one, too."""
    uri = "file:///none/pair.asm"
    client.open(uri, ".target a3xx\nsam (f32)(xyzw)r0.x, r2.x, s#0, t#0\nnop\nadd.f r1.x, r0.x, r0.y\nend\n")
    client.wait_until(lambda: any("lint" in one["code"] for one in client.diagnostics.get(uri, {}).get("diagnostics", [])))
    found = [one for one in client.diagnostics[uri]["diagnostics"] if one["range"]["start"]["line"] == 3]
    places = [more["location"] for one in found for more in one.get("relatedInformation", [])]
    check([(place["uri"], place["range"]["start"]["line"]) for place in places] == [(uri, 1)], f"the other place: {found}")
    client.close(uri)


def many_calls(client):
    """More functions, calls and lines than the lists begin with: each has the callers that it has."""
    uri, count = "file:///none/many.asm", 150
    body = "".join(f"s{i}:\ncall #s{i + 1}\nnop\ncall #last\nnop\nret\nnop\n" for i in range(count))
    text = ("[016ee001]\n[#jumptbl]\nCP_NOP:\ncall #s0\nnop\nwaitin\nmov $01, $data\n" + body +
            f"s{count}:\nret\nnop\nlast:\nret\nnop\njumptbl:\n.jumptbl\n")
    client.open(uri, text)
    check(client.wait_diagnostics(uri) == [], "many calls assemble")

    def neighbours(name, direction, key):
        item = client.request("textDocument/prepareCallHierarchy",
                              {"textDocument": {"uri": uri}, "position": place_of(text, f"\n{name}:", 1)})
        found = client.request(f"callHierarchy/{direction}Calls", {"item": item[0]})
        return [(call[key]["name"], len(call["fromRanges"])) for call in found]
    check(neighbours("last", "incoming", "from") == [(f"s{i}", 1) for i in range(count)], "all callers of one function")
    for i in (1, 40, 70, 140, count):
        check(neighbours(f"s{i}", "incoming", "from") == [(f"s{i - 1}", 1)], f"the caller of s{i}")
    check(neighbours("s120", "outgoing", "to") == [("s121", 1), ("last", 1)], "what s120 calls")
    tokens = token_words(client, uri, text)
    check(tokens.count("last") == count + 1 and len(tokens) > 3 * 3 * count, "the words of many lines")
    edits = client.request("textDocument/formatting", {"textDocument": {"uri": uri},
                                                       "options": {"tabSize": 8, "insertSpaces": False}})
    check(apply_edits(text, edits).split() == text.split(), "many lines are formatted")
    client.close(uri)


def token_words(client, uri, text):
    """The words of the semantic tokens, which must come in the order of the text."""
    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    lines, words, line, column, end = text.split("\n"), [], 0, 0, 0
    for i in range(0, len(data), 5):
        check(data[i] >= 0 and data[i + 1] >= 0, "tokens go on")
        line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
        check(data[i] or column >= end, f"token at {line}:{column} begins in the one before")
        end = column + data[i + 2]
        words.append(lines[line][column:end])
    return words


def token_order(client):
    uri = "file:///none/order.asm"
    text = (".target afuc:a630\n.equ SIZE, 0x4 ; four\nstart:\t(rep)(xmov1)add $02, $03, $data\n"
            "\tcwrite $02, [$04 + @REG_READ_ADDR]! ; to\n\tmov $05, SIZE + 0x2\n\tjump #start\n")
    client.open(uri, text)
    words = token_words(client, uri, text)
    check(words == [".target", "afuc:a630", ".equ", "SIZE", "0x4", "; four", "start", "(rep)", "(xmov", "1", ")", "add", "$02", "$03",
                    "$data", "cwrite", "$02", "$04", "@", "REG_READ_ADDR", "; to", "mov", "$05", "SIZE", "0x2", "jump", "start"],
          f"order of words: {words}")
    client.close(uri)


def editing(client):
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    here = {"textDocument": {"uri": MAIN}}
    edits = client.request("textDocument/formatting", dict(here, options={"tabSize": 8, "insertSpaces": False}))
    check(edits == [], f"the text is formatted: {edits}")
    hints = client.request("textDocument/inlayHint", dict(here, range=whole))
    check("= 0x20" in [hint["label"] for hint in hints], f"hints: {hints}")
    uri = "file:///none/shader.a3xx"
    text = ".target a3xx\n  mov.f32f32   r0.x,c0.x;  one\n  add.f r0.y, r0.x , r0.x\nend\n"
    client.open(uri, text, "a3xx")
    client.wait_diagnostics(uri)
    shader = {"textDocument": {"uri": uri}}
    edits = client.request("textDocument/formatting", dict(shader, options={"tabSize": 4, "insertSpaces": True}))
    text = apply_edits(text, edits)
    check(text == ".target a3xx\n    mov.f32f32 r0.x, c0.x   ;  one\n    add.f r0.y, r0.x, r0.x\n    end\n", repr(text))
    hints = client.request("textDocument/inlayHint", dict(shader, range=whole))
    check([hint["label"] for hint in hints] == ["0-1 slots", "1-2 slots", "2-3 slots"], f"slots: {hints}")
    actions = client.request("textDocument/codeAction", dict(shader, range=whole, context={"diagnostics": []}))
    check([action["kind"] for action in actions] == ["refactor.rewrite"], f"actions: {actions}")
    titles = [lens["command"]["title"] for lens in client.request("textDocument/codeLens", shader)]
    check(titles == ["Run", "Debug", "Put missing delays and sync bits in"], f"lenses: {titles}")
    client.heard.clear()
    client.request("workspace/executeCommand", {"command": "gpucode.schedule", "arguments": [uri]})
    edit = [message for message in client.heard if message["method"] == "workspace/applyEdit"][0]["params"]["edit"]
    check("nop" in edit["changes"][uri][0]["newText"], f"scheduled: {edit}")
    client.send({"id": "gpucode.schedule", "result": {"applied": True}})
    expect_refused(client, "workspace/executeCommand", {"command": "gpucode.schedule", "arguments": [MAIN]}, -32803,
                   "nothing is missing, or it cannot be put in by editing lines")
    found = client.request("workspace/executeCommand", {"command": "gpucode.search", "arguments": [MAIN, "mov $x, *"]})
    check(found and all(one["location"]["uri"].endswith(".asm") and one["bound"]["$x"] for one in found), f"found: {found}")
    expect_refused(client, "workspace/executeCommand", {"command": "gpucode.search", "arguments": [MAIN, "mvo"]}, -32602)
    client.close(uri)
    packets = [lens["command"] for lens in client.request("textDocument/codeLens", here)]
    check([command["arguments"][1:] for command in packets if command["command"] == "gpucode.debugPacket"] ==
          [["CP_NOP", 16]], f"packets: {packets}")


def files(client):
    """A file that includes another, which comes from the disk or from the editor."""
    with tempfile.TemporaryDirectory() as folder:
        inner = os.path.join(folder, "two words é.inc")
        with open(inner, "w", encoding="utf-8") as out:
            out.write(".equ INNER, 5\nbad\n")
        uri = "file://" + folder + "/outer.asm"
        text = '.target afuc:a630\n.include "two words é.inc"\nmov $01, INNER\n'
        client.open(uri, text)
        inner_uri = "file://" + folder + "/two%20words%20%C3%A9.inc"
        check(client.wait_diagnostics(inner_uri)[0]["code"] == "label-colon", f"{client.diagnostics}")
        links = client.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        check([link["target"] for link in links] == [inner_uri], f"links: {links}")
        one = client.request("textDocument/definition",
                             {"textDocument": {"uri": uri}, "position": place_of(text, "INNER")})
        check(one[0]["uri"] == inner_uri, f"definition: {one}")
        client.open(inner_uri, ".equ INNER, 6\n")
        client.settle(inner_uri, 1)
        client.wait_until(lambda: client.diagnostics[inner_uri]["diagnostics"] == [])
        edit = client.request("textDocument/rename", {"textDocument": {"uri": inner_uri},
                                                      "position": {"line": 0, "character": 6}, "newName": "DEEP"})
        check(set(edit["changes"]) == {uri, inner_uri}, f"rename in both: {edit}")
        client.close(inner_uri)
        # the name of a file that is included by a way with detours is the one of the file
        detour = text.replace('"two', '"./sub/../sub/.././two')
        os.mkdir(os.path.join(folder, "sub"))
        client.close(uri)
        client.open(uri, detour)
        links = client.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        check([link["target"] for link in links] == [inner_uri], f"links: {links}")
        one = client.request("textDocument/definition", {"textDocument": {"uri": uri}, "position": place_of(detour, "INNER")})
        check(one[0]["uri"] == inner_uri, f"definition behind a detour: {one}")
        client.close(uri)
        client.wait_until(lambda: client.diagnostics[inner_uri]["diagnostics"] == [])  # nobody includes it now


def settings(client):
    uri = "file:///none/untold.asm"
    client.open(uri, "nop\n")
    check(client.wait_diagnostics(uri)[0]["code"] == "no-target", "no target")
    client.notify("workspace/didChangeConfiguration", {"settings": {"gpucode": {"target": "afuc:a630"}}})
    check(client.wait_diagnostics(uri) == [], "the target of the settings")
    with tempfile.NamedTemporaryFile("w", suffix=".sym") as symbols:
        symbols.write("reg $02 header\nreg CP_SCRATCH[2].REG faults\n")
        symbols.flush()
        client.notify("workspace/didChangeConfiguration", {"settings": {"symbols": [symbols.name]}})
        client.change(uri, [{"text": "mov $header, faults\n"}], 2)
        check(client.settle(uri, 2) == [], f"names of symbol files: {client.diagnostics[uri]}")
        hover = client.request("textDocument/hover", {"textDocument": {"uri": uri},
                                                      "position": {"line": 0, "character": 14}})
        check("0x885" in hover["contents"]["value"], f"hover: {hover}")
        one = client.request("textDocument/definition", {"textDocument": {"uri": uri},
                                                         "position": {"line": 0, "character": 14}})
        check(one == [{"uri": "file://" + symbols.name, "range": {
            "start": {"line": 1, "character": 22}, "end": {"line": 1, "character": 28}}}], f"definition: {one}")
    client.close(uri)


def later_shaders(client):
    """All of it for a set whose rows come by generation and whose operands have nested forms."""
    uri = "file:///none/shader.ir3"
    text = (".target ir3:a650\n@localsize 32, 1, 1\n.equ COUNT, 3\nloop:\n  (sy)(ss)mov.f32f32   r0.x,c0.x;  one\n"
            "  add.f r0.y, r0.x , r0.x\n  add.s r1.x, r0.x, COUNT\n  br !p0.x, #loop\n"
            "  sam (f32)(xyzw)r2.x, r0.x, s#0, t#0\n  end\n")
    wrong = text.replace("add.f", "ad.f").replace("br !", "alias.tex.f32.0 r0.x, r1.x\n  br !")
    client.open(uri, wrong, "ir3")
    found = client.wait_diagnostics(uri)
    check([one["code"] for one in found] == ["unknown-mnemonic", "other-generation"], f"diagnostics: {found}")
    actions = client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": found[0]["range"],
                                                         "context": {"diagnostics": [found[0]]}})
    check("Replace by add.f" in [action["title"] for action in actions], f"actions: {actions}")
    client.close(uri)
    client.open(uri, text, "ir3")
    client.wait_diagnostics(uri)
    shader = {"textDocument": {"uri": uri}}
    def ask(method, part, more=0, **rest):
        return client.request("textDocument/" + method, dict(shader, position=place_of(text, part, more), **rest))
    for part, wanted in (("add.f", "add.f dst, src0, src1"), ("COUNT\n", "`0x3`"), ("@localsize", "work group"),
                         ("sam (", "Samples a texture"), ("ir3:a650", "Adreno a650"), ("#loop", "label `loop`")):
        hover = ask("hover", part, 1)
        check(hover and wanted in hover["contents"]["value"], f"hover over {part}: {hover}")
    one = ask("definition", "#loop", 2)
    check([place["range"]["start"] for place in one] == [place_of(text, "loop:")], f"definition: {one}")
    check(len(ask("references", "#loop", 2, context={"includeDeclaration": True})) == 2, "references")
    for part, wanted in (("  br", "braa"), ("@loc", "@fullsyncstart"), ("add.s", "absneg.s")):
        items = ask("completion", part, len(part))
        labels = [item["label"] for item in (items["items"] if isinstance(items, dict) else items)]
        check(wanted in labels, f"completion of {part}: {labels}")
    check(ask("signatureHelp", "r0.y", 1)["signatures"][0]["label"].endswith("add.f dst, src0, src1"), "signature")
    names = [symbol["name"] for symbol in client.request("textDocument/documentSymbol", shader)]
    check(names == ["COUNT", "loop"], f"symbols: {names}")
    check(len(client.request("textDocument/semanticTokens/full", shader)["data"]) > 100, "tokens")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = [hint["label"] for hint in client.request("textDocument/inlayHint", dict(shader, range=whole))]
    check("= 0x3" in hints and "0-1 slots" in hints, f"hints: {hints}")
    titles = [lens["command"]["title"] for lens in client.request("textDocument/codeLens", shader)]
    check("Put missing delays and sync bits in" in titles, f"lenses: {titles}")
    edits = client.request("textDocument/formatting", dict(shader, options={"tabSize": 4, "insertSpaces": True}))
    check("    (sy)(ss)mov.f32f32 r0.x, c0.x   ;  one\n    add.f r0.y, r0.x, r0.x\n" in apply_edits(text, edits), "format")
    client.close(uri)


def all_methods(client):
    table = open(sys.argv[2], encoding="utf-8").read()
    methods = re.findall(r'^REQUEST\("([^"]+)"', table, re.MULTILINE)
    check(len(methods) > 20, "the table can be read")
    for method in methods:
        check(method in client.done, f"{method} was never asked")
        if method.startswith("textDocument/"):
            try:
                client.request(method, {"textDocument": {"uri": "file:///nobody"}})
            except Refused:
                pass
        check(method in client.refused or method in ("shutdown", "workspace/symbol"), f"{method} was never refused")


client = Client(sys.argv[1], capabilities=CAN,
                settings={"commands": ["gpucode.run", "gpucode.debug", "gpucode.debugPacket"]})
client.open(MAIN, TEXT)
check(client.wait_diagnostics(MAIN) == [], f"diagnostics: {client.diagnostics}")
for part in (hovers, navigation, renaming, completion, lists, errors, typing, refusals, calls, related, many_calls, token_order, editing,
             later_shaders, files, settings):
    part(client)
client.request("textDocument/declaration", at("SIZE + 4"))
client.request("textDocument/semanticTokens/range", {"textDocument": {"uri": MAIN}, "range": {
    "start": {"line": 3, "character": 0}, "end": {"line": 5, "character": 0}}})
for method in ("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"):
    expect_refused(client, method, {}, -32602)
client.done |= {"initialize", "shutdown"}
client.refused |= {"initialize"}
all_methods(client)
check(client.end() == 0, "exit code")
print(checks, "checks")
