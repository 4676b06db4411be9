# SPDX-License-Identifier: MIT
"""exact.py GPUCODE: answers in full for small documents, each place worked out from their text."""
import os
import sys
import tempfile

from client import Client, Refused, apply_edits, place_of

URI = "file:///none/exact.asm"
TEXT = """[016ee001]
[#jumptbl]
.equ SIZE, 0x20	; bytes
.macro twice reg
add \\reg, \\reg, \\reg
nop
.endm
start:
	mov $02, SIZE + 0x4
	call #sub
	nop
	twice $03
	waitin
	mov $01, $data

sub:
	ret
	nop

CP_NOP:
	waitin
	mov $01, $data
jumptbl:
.jumptbl
"""
SHADER = "file:///none/exact.a3xx"
EARLY = ".target a3xx\n(rpt1)mov.f32f32 r0.x, c0.x\n  add.f r1.x, r0.x, r0.y ; sum\nend\n"
checks = bad = 0


def equal(got, wanted, what):
    global checks, bad
    checks += 1
    if got != wanted:
        bad += 1
        print(f"FAILED: {what}\n  {got}\n  instead of\n  {wanted}")


def span(part, more=0, number=0, length=None, text=TEXT):
    """The range of a part of the text, without `more` characters in front."""
    end = more + (len(part) - more if length is None else length)
    return {"start": place_of(text, part, more, number), "end": place_of(text, part, end, number)}


def lines(first, last, text=TEXT):
    """From the start of a part to the line after another one."""
    return {"start": place_of(text, first), "end": {"line": place_of(text, last)["line"] + 1, "character": 0}}


def names_and_places(client, here):
    every = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    units = "units from the start of the section"
    wanted = [{"label": label, "paddingLeft": True, "position": span(part)["end"], **more} for part, label, more in (
        ("start:", "0x2", {"tooltip": units}), ("mov $02, SIZE", "= 0x20", {"kind": 1}), ("sub:", "0x9", {"tooltip": units}),
        ("CP_NOP:", "0xb", {"tooltip": units}), ("jumptbl:", "0xd", {"tooltip": units}))]
    equal(client.request("textDocument/inlayHint", dict(here, range=every)), wanted, "hints")
    for one in wanted:  # a range that ends where a hint stands has it
        part = {"start": {"line": 0, "character": 0}, "end": one["position"]}
        equal(client.request("textDocument/inlayHint", dict(here, range=part))[-1:], [one], f"the last hint of {part}")
    for first, last, count in (("call", "twice $03", 0), (".equ", "call", 2), ("mov $02", "call", 1), ("sub:", "CP_NOP", 1)):
        part = {"start": place_of(TEXT, first), "end": place_of(TEXT, last)}
        hints = client.request("textDocument/inlayHint", dict(here, range=part))
        equal(len(hints), count, f"hints from {first} to {last}")
    symbols = client.request("textDocument/documentSymbol", here)
    equal([(one["name"], one["kind"], one["range"], one["selectionRange"]) for one in symbols], [
        ("SIZE", 14, span("SIZE, 0x20\t; bytes"), span("SIZE")),
        ("twice", 25, lines("twice", ".endm") | {"end": place_of(TEXT, ".endm")}, span("twice")),
        ("start", 12, lines("start", "mov $01"), span("start")),
        ("sub", 12, lines("sub:", "ret") | {"end": {"line": 18, "character": 0}}, span("sub:", length=3)),
        ("CP_NOP", 12, span("CP_NOP:\n\twaitin\n\tmov $01, $data"), span("CP_NOP")),
        ("jumptbl", 12, lines("jumptbl:", ".jumptbl"), span("jumptbl:", length=7))], "symbols")
    equal([(fold["startLine"], fold["endLine"]) for fold in client.request("textDocument/foldingRange", here)],
          [(3, 6), (7, 13), (15, 17), (19, 21), (22, 23)], "folds")
    found = client.request("workspace/symbol", {"query": "s"})
    equal([(one["name"], one["kind"], one["location"]) for one in found], [
        ("SIZE", 14, {"uri": URI, "range": span("SIZE")}), ("start", 12, {"uri": URI, "range": span("start")}),
        ("sub", 12, {"uri": URI, "range": span("sub:", length=3)})], "names with s")
    equal(client.request("workspace/symbol", {"query": "sx"}), [], "names with s and x")


def uses(client, here):
    at_use = dict(here, position=place_of(TEXT, "SIZE +", 2))
    for with_it, parts in ((True, [span("SIZE"), span("SIZE +", length=4)]), (False, [span("SIZE +", length=4)])):
        found = client.request("textDocument/references", dict(at_use, context={"includeDeclaration": with_it}))
        equal(found, [{"uri": URI, "range": part} for part in parts], "references")
    marks = client.request("textDocument/documentHighlight", at_use)
    equal([(mark["kind"], mark["range"]) for mark in marks], [(3, span("SIZE")), (2, span("SIZE +", length=4))], "highlights")
    at_call = dict(here, position=place_of(TEXT, "#sub", 2))
    equal(client.request("textDocument/definition", at_call), [{"uri": URI, "range": span("sub:", length=3)}], "definition")
    item = client.request("textDocument/prepareCallHierarchy", at_call)[0]
    equal((item["name"], item["kind"], item["uri"], item["selectionRange"]), ("sub", 12, URI, span("sub:", length=3)), "item")
    callers = client.request("callHierarchy/incomingCalls", {"item": item})
    equal([(one["from"]["name"], one["from"]["selectionRange"], one["fromRanges"]) for one in callers],
          [("start", span("start"), [span("call #sub")])], "callers")
    called = client.request("callHierarchy/outgoingCalls", {"item": callers[0]["from"]})
    equal([(one["to"]["name"], one["to"]["selectionRange"], one["fromRanges"]) for one in called],
          [("sub", span("sub:", length=3), [span("call #sub")])], "what start calls")
    for part, more, value, where in (
            ("SIZE +", 1, "constant `SIZE` = `32` = `0x20`, 1 use\n", span("SIZE +", length=4)),
            ("#sub", 2, "label `sub` at `0x9`, 1 use  \nroutine, 1 block  \ncalled by `boot`\n\n", span("#sub", 1)),
            ("twice $03", 2, "macro `twice`, 1 use\n```gpucode\nadd \\reg, \\reg, \\reg\nnop\n\n```\n",
             span("twice $03", length=5))):
        hover = client.request("textDocument/hover", dict(here, position=place_of(TEXT, part, more)))
        equal((hover["contents"]["value"], hover["range"]), (value, where), f"hover over {part}")
    equal(client.request("textDocument/hover", dict(here, position=place_of(TEXT, "\n\nsub", 1))), None, "hover over nothing")


def words(client, here):
    """Each word with its type and whether it is what is defined there; of some lines alone, those."""
    legend = client.initialized["capabilities"]["semanticTokensProvider"]["legend"]

    def tokens(method, **more):
        data = client.request("textDocument/semanticTokens/" + method, dict(here, **more))["data"]
        line = column = 0
        for i in range(0, len(data), 5):
            line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
            text = TEXT.split("\n")[line][column:column + data[i + 2]]
            yield line, text, legend["tokenTypes"][data[i + 3]], [name for k, name in enumerate(legend["tokenModifiers"])
                                                                   if data[i + 4] >> k & 1]
    found = [(text, kind, marks) for _, text, kind, marks in tokens("full")]
    for text, kind, marks in (("SIZE", "variable", ["definition", "readonly"]), ("SIZE", "variable", ["readonly"]),
                              ("start", "function", ["definition"]), ("sub", "function", []), ("mov", "keyword", []),
                              ("; bytes", "comment", []), ("twice", "macro", ["definition"]), ("twice", "macro", []),
                              ("0x20", "number", []), (".equ", "macro", [])):
        equal((text, kind, marks) in found, True, f"a word {text}, {kind}, {marks} in {found}")
    part = {"start": {"line": 8, "character": 0}, "end": {"line": 9, "character": 99}}
    equal([text for _, text, _, _ in tokens("range", range=part)], [text for line, text, _, _ in tokens("full") if line in (8, 9)],
          "words of two lines")


def writing(client, here):
    rest = span("#sub", length=3)
    items = client.request("textDocument/completion", dict(here, position=place_of(TEXT, "#sub", 3)))["items"]
    equal([(one["label"], one["kind"], one["detail"], one["textEdit"]) for one in items],
          [("#" + name, 3, f"+0x{unit:x}", {"range": rest, "newText": "#" + name})
           for name, unit in (("start", 2), ("sub", 9), ("CP_NOP", 11), ("jumptbl", 13))], "labels")
    items = client.request("textDocument/completion", dict(here, position=place_of(TEXT, "SIZE +", 2)))["items"]
    constants = [(one["label"], one["detail"], one["textEdit"]) for one in items if one["kind"] == 21]
    equal(constants, [("SIZE", "= 0x20", {"range": span("SIZE +", length=2), "newText": "SIZE"})], "constants")
    registers = {one["label"]: one["detail"] for one in items if one["kind"] == 6}
    equal((registers.get("SCRATCH_ADDR"), all(name[0] == "S" for name in registers)), ("GPU register 0x1dd", True),
          "registers with S")
    help_ = client.request("textDocument/signatureHelp", dict(here, position=place_of(TEXT, "SIZE +")))
    forms = [(one["label"], [one["label"][a:b] for a, b in (p["label"] for p in one["parameters"])])
             for one in help_["signatures"]]
    equal((help_["activeParameter"], help_["activeSignature"], forms), (1, 0, [
        ("(rep)mov $dst, IMM16 << SHIFT", ["$dst", "IMM16", " << SHIFT"]),
        ("(rep)(xmovN)(peek)mov $dst, $src2", ["$dst", "$src2"])]), "signatures")
    lenses = client.request("textDocument/codeLens", here)
    first, label = span("mov $02", length=3), span("CP_NOP:", length=6)
    equal([(one["range"], one["command"]) for one in lenses], [
        (first, {"title": "Run", "command": "gpucode.run", "arguments": [URI]}),
        (first, {"title": "Debug", "command": "gpucode.debug", "arguments": [URI]}),
        (label, {"title": "Debug this packet", "command": "gpucode.debugPacket", "arguments": [URI, "CP_NOP", 16]})], "lenses")


def included_twice(client):
    """A file that is included twice has its diagnostics once, and the document's own beside them."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/twice.inc", "w", encoding="utf-8") as out:
            out.write("nop\n")
        outer, inner = f"file://{folder}/outer.asm", f"file://{folder}/twice.inc"
        client.heard.clear()
        client.open(outer, '.target afuc:a630\n.include "twice.inc"\nmvo $01, 1\n.include "twice.inc"\n')
        equal([one["code"] for one in client.settle(outer, 1)], ["unknown-mnemonic"], "the document's own")
        client.request("textDocument/documentSymbol", {"textDocument": {"uri": outer}})
        told = [one["params"]["uri"] for one in client.heard if one["method"] == "textDocument/publishDiagnostics" and
                folder in one["params"]["uri"]]
        equal((told.count(inner), told.count(outer) >= 1, set(told)), (1, True, {inner, outer}), "told of each file")
        client.heard.clear()
        client.change(outer, [{"text": '.target afuc:a630\n.include "twice.inc"\nmvo $01, 1\n'}], 2)
        client.settle(outer, 2)
        client.request("textDocument/documentSymbol", {"textDocument": {"uri": outer}})
        told = [one["params"]["uri"] for one in client.heard if one["method"] == "textDocument/publishDiagnostics"]
        equal(told.count(inner), 1, "told of it once after a change")
        client.close(outer)


def other_bytes(client):
    """Bytes of an included file that are not UTF-8 are question marks, each of them, and what is around them stays."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/bytes.inc", "wb") as out:
            out.write(b'.include "gr\xc3\xb6\xdf\xe6\x97x\xe6\x97\xa5\xff"\n')
        outer, inner = f"file://{folder}/outer.asm", f"file://{folder}/bytes.inc"
        client.open(outer, '.target afuc:a630\n.include "bytes.inc"\n')
        client.wait_until(lambda: inner in client.diagnostics)
        messages = [one["message"].split("'")[1] for one in client.diagnostics[inner]["diagnostics"]]
        equal(messages, ["gr\u00f6???x\u65e5?"], "a name of other bytes")
        client.close(outer)


def bytes_as_positions(client, other):
    """All answers of a server that counts bytes are those of one that counts UTF-16, each place moved."""
    text = (".target mme:fermi\n.section #one\n.equ #size 0x20\n/* \u00e9\U0001d11e */\tmov $r2 (add $r1 #size) // \u2026\n"
            "/* \U0001d11e */ #loop:\tmov $r3 #size\n/* \u00e9 */ bra #loop\n  \U0001d11e mvo $r2 1 \u00e9\nexit\n\tnop\n")
    rows, uri = text.split("\n"), "file:///none/letters.mme"
    here = {"textDocument": {"uri": uri}}

    def moved(place, encoding, to):
        bytes_ = rows[place["line"]].encode(encoding) if place["line"] < len(rows) else b""
        size = 2 if encoding == "utf-16-le" else 1
        return {"line": place["line"], "character":
                len(bytes_[:place["character"] * size].decode(encoding).encode(to)) // (1 if to == "utf-8" else 2)}

    def all_moved(answer):
        if isinstance(answer, list):
            return [all_moved(one) for one in answer]
        if not isinstance(answer, dict):
            return answer
        return moved(answer, "utf-8", "utf-16-le") if answer.keys() == {"line", "character"} else {
            key: all_moved(value) for key, value in answer.items()}

    equal((client.initialized["capabilities"].get("positionEncoding", "utf-16"),
           other.initialized["capabilities"]["positionEncoding"]), ("utf-16", "utf-8"), "what is counted")
    for one in client, other:
        one.open(uri, text)
    told = 0
    equal(all_moved(other.settle(uri, 1)), client.settle(uri, 1), "diagnostics")
    for method, part, more in (("hover", "#size)", 1), ("definition", "#size)", 1), ("references", "#size)", 2), ("rename", "#size)", 2),
                               ("prepareRename", "#size)", 1), ("documentHighlight", "$r1 ", 1), ("completion", "#size)", 3),
                               ("signatureHelp", "$r1 ", 2), ("hover", "bra", 1), ("definition", "#loop\n", 1), ("documentSymbol", "", 0),
                               ("foldingRange", "", 0), ("inlayHint", "", 0), ("codeLens", "", 0), ("formatting", "", 0),
                               ("rangeFormatting", "", 0)):
        place = place_of(text, part, more)
        asked = dict(here, position=place, context={"includeDeclaration": True}, newName="OTHER", options={"tabSize": 8, "insertSpaces": True},
                     range={"start": {"line": 0, "character": 0}, "end": {"line": len(rows), "character": 0}})
        found, wanted = [], []
        for one, at, answers in ((client, place, wanted), (other, moved(place, "utf-16-le", "utf-8"), found)):
            try:
                answers.append(one.request("textDocument/" + method, dict(asked, position=at)))
            except Refused as refused:
                answers.append(str(refused))
        equal(all_moved(found), wanted, f"{method} at {part!r}")
        told += bool(wanted[0]) and not isinstance(wanted[0], str)
    equal(told > 10, True, f"{told} answers with something in them")
    for number, one in ((0, client), (1, other)):   # an edit after characters that are not ASCII
        place = place_of(text, " #size)")
        place = moved(place, "utf-16-le", "utf-8") if number else place
        one.change(uri, [{"range": {"start": place, "end": place}, "text": " $r9"}], 2)
    equal(all_moved(other.settle(uri, 2)), client.settle(uri, 2), "diagnostics after an edit")
    equal(len(client.diagnostics[uri]["diagnostics"]) > 0, True, "there are some")
    client.close(uri)


def files_that_change(client):
    """What is included is read again when the client says so, or when it saves a document."""
    with tempfile.TemporaryDirectory() as folder:
        outer, inner = f"file://{folder}/outer.asm", f"{folder}/part.inc"

        def write(text):
            with open(inner, "w", encoding="utf-8") as out:
                out.write(text)

        write("nop\n")
        client.open(outer, '.target afuc:a630\n.include "part.inc"\n')
        client.settle(outer, 1)
        for method, params, text, codes in (
                ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file://" + inner, "type": 2}]}, "nope 1\n", ["unknown-mnemonic"]),
                ("textDocument/didSave", {"textDocument": {"uri": outer}}, "nop\nmvo $02, 1\nnope 1\n", ["unknown-mnemonic"] * 2),
                ("workspace/didChangeConfiguration", {"settings": {}}, "nop\n", [])):
            write(text)
            client.notify(method, params)
            for _ in range(500):   # what is told of the change may come after another answer
                client.request("textDocument/documentSymbol", {"textDocument": {"uri": outer}})
                found = client.diagnostics.get("file://" + inner, {}).get("diagnostics", [])
                found = [one["code"] for one in found if "lint" not in one["code"]]
                if found == codes:
                    break
            equal(found, codes, f"after {method}")
        client.close(outer)


def documents_that_are_included(client):
    """What an open document has now is what a document that includes it reads, until it is closed."""
    with tempfile.TemporaryDirectory() as folder:
        outer, inner = f"file://{folder}/outer.asm", f"file://{folder}/part.inc"
        with open(f"{folder}/part.inc", "w", encoding="utf-8") as out:
            out.write(".equ OTHER, 1\n")

        def told(codes, when):
            for _ in range(500):   # what is told of the change may come after another answer
                client.request("textDocument/documentSymbol", {"textDocument": {"uri": outer}})
                found = [one["code"] for one in client.diagnostics[outer]["diagnostics"] if "lint" not in one["code"]]
                if found == codes:
                    break
            equal(found, codes, when)

        client.open(outer, '.target afuc:a630\n.include "part.inc"\nmov $01, SIZE\n')
        client.settle(outer, 1)
        told(["undefined"], "from the disk")
        client.open(inner, ".equ SIZE, 1\n")
        told([], "opened")
        client.change(inner, [{"text": ".equ OTHER, 1\n"}], 2)
        told(["undefined"], "changed")
        client.change(inner, [{"text": ".equ SIZE, 1\n"}], 3)
        told([], "changed back")
        client.close(inner)
        told(["undefined"], "closed")
        client.close(outer)


def many_errors(client):
    """Five hundred are shown, and the last says how many more there are."""
    for count, end in ((500, ""), (501, "and 1 more"), (620, "and 120 more")):
        uri = f"file:///none/many{count}.asm"
        client.open(uri, ".target afuc:a630\n" + "mvo $02, 1\n" * count)
        found = client.settle(uri, 1)
        equal((len(found), [one["message"].endswith(end) and ("more" in one["message"]) == bool(end) for one in found[-1:]],
               [one["range"]["start"]["line"] for one in found]), (500, [True], list(range(1, 501))), f"{count} errors")
        client.close(uri)


def many_callers(client):
    """A hover names twenty callers, and how many more there are; without Markdown the words are the same."""
    names = ("NOP", "ME_INIT", "WAIT_FOR_IDLE", "WAIT_FOR_ME", "WAIT_REG_MEM", "MEM_WRITE", "REG_RMW", "REG_TO_MEM", "MEM_TO_REG",
             "MEM_TO_MEM", "SET_BIN_DATA5", "DRAW_INDX_OFFSET", "DRAW_INDIRECT", "SET_DRAW_STATE", "SET_MARKER", "EVENT_WRITE",
             "EXEC_CS", "INDIRECT_BUFFER", "COND_EXEC", "SKIP_IB2_ENABLE_GLOBAL", "SET_MODE", "LOAD_STATE6_GEOM")
    for count, end in ((20, ""), (21, " and 1 more"), (22, " and 2 more")):
        text = ".target afuc:a630\n[016ee001]\n[#jumptbl]\nwaitin\nmov $01, $data\n" + "".join(
            f"CP_{name}:\n\tcall #leaf\n\tnop\n\twaitin\n\tmov $01, $data\n" for name in names[:count]) + "leaf:\n\tret\n\tnop\njumptbl:\n\t.jumptbl\n"
        uri = f"file:///none/callers{count}.asm"
        client.open(uri, text)
        client.settle(uri, 1)
        hover = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": place_of(text, "leaf:", 1)})
        said = [line for line in hover["contents"]["value"].split("\n") if "called by" in line]
        equal((len(said), [line.count("`CP_") for line in said], [line.split("called by")[1].rpartition("`")[2] for line in said]),
              (1, [20], [end]), f"{count} callers: {said}")
        client.close(uri)


def many_names(client):
    """Three thousand names are offered; of one more it is said that there are more."""
    for count, more in ((3000, False), (3001, True)):
        uri = f"file:///none/names{count}.asm"
        text = ".target afuc:a630\n" + "".join(f".equ Q{i}, 1\n" for i in range(count)) + "\tmov $02, Q\n"
        client.open(uri, text)
        found = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": place_of(text, "$02, Q", 6)})
        equal((len(found["items"]), found["isIncomplete"]), (3000, more), f"{count} names")
        client.close(uri)


def after_directives(client):
    """What follows a directive is offered wherever that stands in its line."""
    uri = "file:///none/directives.mme"
    for indent in ("", " ", "\t", "  \t "):
        text = f"{indent}.target h\n{indent}.section #o\n{indent}.include o\n{indent}.equ #other o\n.section #one\n\texit\n\tnop\n"
        client.open(uri, text, "mme")
        for part, wanted in ((".target h", ["hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"]), (".section #o", ["o", "one"]),
                             (".include o", []), (".equ #other o", [])):
            items = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": place_of(text, part, len(part))})["items"]
            equal([item["label"] for item in items][:4], wanted, f"after {indent!r}{part}")
        client.close(uri)


def documents_apart(client):
    """Documents that are closed in any order are gone, and the others stay; a file that another includes is no document of
    its own, and two ways to it lead to one file."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/sub")
        with open(folder + "/inner.inc", "w", encoding="utf-8") as out:
            out.write("mvo $01, 1\n")
        uris = [f"file://{folder}/{name}.asm" for name in "abc"]
        for uri in uris:
            client.open(uri, f".target afuc:a630\n.equ IN_{uri[-5].upper()}, 1\n")

        def names():
            return sorted(one["name"] for one in client.request("workspace/symbol", {"query": "IN"}) if folder in one["location"]["uri"])

        equal(names(), ["IN_A", "IN_B", "IN_C"], "all of them")
        client.close(uris[0])
        equal(names(), ["IN_B", "IN_C"], "without the oldest")
        client.close(uris[1])
        equal(names(), ["IN_C"], "without the one between")
        outer, inner = f"file://{folder}/outer.asm", f"file://{folder}/inner.inc"
        client.heard.clear()
        text = '.target afuc:a630\n.include "inner.inc"\n.include "sub/../inner.inc"\nmvo $02, 1\n'
        client.open(outer, text)
        client.settle(outer, 1)
        client.wait_until(lambda: inner in client.diagnostics)
        client.request("textDocument/documentSymbol", {"textDocument": {"uri": outer}})
        equal([one["code"] for one in client.diagnostics[inner]["diagnostics"]][:1], ["unknown-mnemonic"], "the included file")
        equal([one["code"] for one in client.diagnostics[outer]["diagnostics"]], ["unknown-mnemonic"], "the document")
        told = [one["params"]["uri"] for one in client.heard if one["method"] == "textDocument/publishDiagnostics"]
        equal((told.count(inner), {one for one in told if "inner" in one}), (1, {inner}), "told of the file once")
        client.open(inner, ".equ IN_NER, 1\n")
        client.settle(inner, 1)
        equal(names(), ["IN_C", "IN_NER"], "once, by the document that includes it")
        for uri in (inner, outer, uris[2]):
            client.close(uri)
        equal(names(), [], "none")


def languages(client):
    """The language of a document is its target where it is the name of one, or of a set with one, and the text says none."""
    for name, language, text, codes in (
            ("a", "hwsq", "nop\n", ["no-target"]), ("b", "a3xx", "nop\nend\n", []), ("c", "mme", "\tnop\n", []),
            ("d", "afuc", "nop\n", ["no-target"]), ("e", "", "nop\n", ["no-target"]), ("f", "plaintext", "nop\n", ["no-target"]),
            ("g", "a3xx", ".target hwsq:g94\nwait 16us\nexit\n", []), ("h", "hwsq:nv41", "set1 #FB_PAUSE\nexit\n", [])):
        uri = f"file:///none/{name}.txt"
        client.open(uri, text, language)
        found = [one["code"] for one in client.settle(uri, 1)]
        equal(found, codes, f"the language {language}")
        client.close(uri)


def schedules(client):
    """What is put in is offered while something is missing, and no longer when it is there; times are those of the slots."""
    every = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    here = {"textDocument": {"uri": SHADER}}
    client.open(SHADER, EARLY, "a3xx")
    client.settle(SHADER, 1)
    actions = client.request("textDocument/codeAction", dict(here, range=every, context={"diagnostics": []}))
    equal([(one["title"], one["kind"]) for one in actions if one["kind"] == "refactor.rewrite"],
          [("Put missing delays and sync bits in", "refactor.rewrite")], "actions while something is missing")
    good = apply_edits(EARLY, actions[-1]["edit"]["changes"][SHADER])
    equal(good.replace("(rpt1)nop\n", "(rpt2)nop\n").count("nop"), 1, f"what is put in: {good}")
    for only, count in ((["quickfix"], 0), (["refactor"], 1), (["refactor.rewrite"], 1)):
        actions = client.request("textDocument/codeAction", dict(here, range=every, context={"diagnostics": [], "only": only}))
        equal(len([one for one in actions if one["kind"] == "refactor.rewrite"]), count, f"actions of {only}")
    client.change(SHADER, [{"text": good}], 2)
    client.settle(SHADER, 2)
    equal(client.request("textDocument/codeAction", dict(here, range=every, context={"diagnostics": []})), [],
          "no actions when nothing is missing")
    titles = [one["command"]["title"] for one in client.request("textDocument/codeLens", here)]
    equal(titles, ["Run", "Debug"], "no lens either")
    hints = client.request("textDocument/inlayHint", dict(here, range=every))
    steps, at, wanted = (("(rpt1)mov", 2), ("nop", 3), ("add.f", 1), ("end", 1)), 0, []
    for part, slots in steps:
        line = place_of(good, part)["line"]
        text = good.split("\n")[line].split(" ;")[0].rstrip()
        wanted.append({"label": f"{at}-{at + slots} slots", "paddingLeft": True, "tooltip": f"slots: {slots}, in front of it {at}",
                       "position": {"line": line, "character": len(text)}})
        at += slots
    equal(hints, wanted, "times")
    client.close(SHADER)



def same_values(client):
    """Registers: what writes and reads the same value, by the ways that control can go, and not the same letters."""
    shader = (".target a3xx\n  add.f r0.x, c0.x, r9.x\n  (rpt5)nop\n  cmps.f.gt p0.x, r0.x, c1.x\n  (rpt5)nop\n  br p0.x, #other\n"
              "  mov.f32f32 r0.x, c2.x\nother:\n  (jp)mul.f r3.x, r0.x, c4.x\n  add.f r0.x, r5.x, c0.x\n  (rpt5)nop\n  add.f r4.x, r0.x, r0.x\nend\n")
    firmware = (".target afuc:a6xx\nstart:\n  mov $02, 0x10\n  mov $03, 0x4\nloop:\n  sub $03, $03, 0x1\n  add $04, $02, $03\n"
                "  brne $03, b0, #loop\n  nop\n  mov $02, $04\n  add $05, $02, $02\n  mov $06, $data\n  mov $02, $data\n  waitin\n  mov $01, $data\n")
    branch = [(3, "r0.x, c0.x, r9.x"), (2, "r0.x, c1.x"), (3, "r0.x, c2.x"), (2, "r0.x, c4.x")]
    later, first = [(3, "r0.x, r5.x"), (2, "r0.x, r0.x"), (2, "r0.x\nend")], [(3, "$02, 0x10"), (2, "$02, $03")]
    counter = [(3, "$03, 0x4"), (3, "$03, $03, 0x1"), (2, "$03, 0x1"), (2, "$03\n  brne"), (2, "$03, b0")]
    for uri, language, text, asked, marks in (
            ("file:///none/same.a3xx", "a3xx", shader, ["r0.x, c0.x, r9.x", "r0.x, c1.x", "r0.x, c2.x", "r0.x, c4.x"], branch),
            ("file:///none/same.a3xx", "a3xx", shader, ["r0.x, r5.x", "r0.x, r0.x", "r0.x\nend"], later),
            ("file:///none/same.asm", "afuc", firmware, ["$02, 0x10", "$02, $03"], first),
            ("file:///none/same.asm", "afuc", firmware, ["$03, 0x4", "$03, $03, 0x1", "$03, 0x1", "$03, b0"], counter),
            ("file:///none/same.asm", "afuc", firmware, ["$02, $04"], [(3, "$02, $04"), (2, "$02, $02"), (2, "$02\n")]),
            ("file:///none/same.asm", "afuc", firmware, ["$data\n  mov $02", "nop"], None)):  # a word is taken once
        client.open(uri, text, language)
        client.settle(uri, 1)
        length = len(marks[0][1].split(",")[0]) if marks else 0
        ranges = [(kind, span(part, length=length, text=text)) for kind, part in marks or []]
        for part in asked:
            here = {"textDocument": {"uri": uri}, "position": place_of(text, part, 1)}
            found = client.request("textDocument/documentHighlight", here)
            equal(found and [(one["kind"], one["range"]) for one in found], ranges or None, f"the same value as in {part!r}")
            for with_it in (True, False):
                found = client.request("textDocument/references", dict(here, context={"includeDeclaration": with_it}))
                equal(found, [{"uri": uri, "range": one} for kind, one in ranges if with_it or kind == 2] or None, "its references")
            equal(client.request("textDocument/definition", here), [{"uri": uri, "range": one} for kind, one in ranges if kind == 3] or None,
                  "where it comes from")
        client.close(uri)


CAN = {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
OWN = {"commands": ["gpucode.run", "gpucode.debug", "gpucode.debugPacket"]}
client = Client(sys.argv[1], capabilities=CAN, settings=OWN)
client.open(URI, TEXT)
equal(client.settle(URI, 1), [], "diagnostics")
for asked in (names_and_places, uses, words, writing):
    asked(client, {"textDocument": {"uri": URI}})
schedules(client)
included_twice(client)
documents_apart(client)
many_callers(client)
many_names(client)
after_directives(client)
other_bytes(client)
languages(client)
same_values(client)
files_that_change(client)
documents_that_are_included(client)
many_errors(client)
other = Client(sys.argv[1], settings=OWN, capabilities=dict(CAN, general={"positionEncodings": ["utf-32", "utf-8", "utf-16"]}))
bytes_as_positions(client, other)
equal(other.end(), 0, "exit code of the other")
equal(client.end(), 0, "exit code")
print(checks, "checks")
sys.exit(bad > 0)
