# SPDX-License-Identifier: MIT
"""limits.py GPUCODE: answers at the edges: places just inside and just outside of what is asked about, the largest that is
taken and one more, names with every byte that URIs write their own way, documents that no file stands for."""
import itertools
import os
import sys
import tempfile

from client import Client, Refused, apply_edits, place, place_of

PROGRAM = sys.argv[1]
URI = "file:///none/limits.asm"
TABS = {"tabSize": 8, "insertSpaces": False}
EVERY = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
checks = bad = version = 0


def equal(got, wanted, what):
    global checks, bad
    checks += 1
    if got != wanted:
        bad += 1
        print(f"FAILED: {what}\n  {got}\n  instead of\n  {wanted}")


def open_new(client, text, language="", uri=URI):
    """The diagnostics of a document that is opened, whatever it was before."""
    global version
    version += 1
    client.close(uri)
    client.open(uri, text, language, version)
    return client.settle(uri, version)


def ask(client, method, text=None, part="", more=0, uri=URI, **params):
    """The answer, or why it was refused; with a text at a place of it."""
    if text is not None:
        params["position"] = place_of(text, part, more)
    try:
        return client.request("textDocument/" + method, {"textDocument": {"uri": uri}, **params})
    except Refused as refused:
        return str(refused)


def command(client, name, *arguments):
    try:
        return client.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})
    except Refused as refused:
        return str(refused)


def span(text, part, length=None, more=0):
    return {"start": place_of(text, part, more), "end": place_of(text, part, more + (len(part) if length is None else length))}


def linted(client, uri=URI):
    """The findings of lint for a document that has some."""
    def found():
        told = client.diagnostics.get(uri, {})
        return [one for one in told.get("diagnostics", []) if "lint" in one["code"] and told["version"] == version]
    client.wait_until(found)
    return found()


def errors_at_places(client):
    """An error is told from its first character to right behind its last, and so is its mend and what lint finds."""
    text = ".target afuc:a630\n  mvo $02, 0x1 ; two\n"
    open_new(client, text)
    for more, there in ((-1, False), (0, True), (3, True), (4, False)):
        hover = ask(client, "hover", text, "mvo", more)
        equal("unknown-mnemonic" in str(hover), there, f"the error {more} characters from its start: {hover}")
        where = place_of(text, "mvo", more)
        for range_ in ({"start": where, "end": EVERY["end"]}, {"start": EVERY["start"], "end": where}, {"start": where, "end": where}):
            # all before the end, or behind the start
            wanted = there or (range_["start"] != where and more > 3) or (range_["end"] != where and more < 0)
            titles = [one["title"] for one in ask(client, "codeAction", range=range_, context={"diagnostics": []})]
            equal(titles, ["Replace by mov"] if wanted else [], f"mends in {range_}")
    text = ".target afuc:a630\nagain\nnop ; the error is here, and its mend above\n\tjump #again\n\tnop\n"
    open_new(client, text)
    for line, character, there in ((1, 4, False), (1, 5, True), (2, 0, True), (2, 1, True), (2, 2, False)):
        where = {"line": line, "character": character}
        titles = [one["title"] for one in ask(client, "codeAction", range={"start": where, "end": where}, context={"diagnostics": []})]
        equal(titles, ["Insert ':'"] if there else [], f"mends at {where}")
    text = ".target a3xx\n  mov.f32f32 r0.x, c0.x\n  add.f r1.x, r0.x, r0.y\nend\n"
    open_new(client, text, "a3xx")
    found = linted(client)[0]["range"]
    equal(found, span(text, "r0.x, r0.y", 4), "what lint finds")
    for more, there in ((-1, False), (0, True), (4, True), (5, False)):
        equal("a3xx-lint-delay" in str(ask(client, "hover", text, "r0.x, r0.y", more)), there, f"the finding, {more} from its start")


def finding_at_once(client):
    """A hover that comes with the document has what lint finds, which is told before the answer."""
    text = ".target a3xx\n  mov.f32f32 r0.x, c0.x\n  add.f r1.x, r0.x, r0.y\nend\n"
    client.close(URI)
    client.number += 1
    client.heard.clear()
    client.send({"method": "textDocument/didOpen", "params": {
                    "textDocument": {"uri": URI, "languageId": "a3xx", "version": 1, "text": text}}},
                {"id": client.number, "method": "textDocument/hover", "params": {
                    "textDocument": {"uri": URI}, "position": place_of(text, "r0.x, r0.y", 1)}})
    equal("a3xx-lint-delay" in str(client.answer(client.number)), True, "a finding in a hover that comes with the document")
    told = [one["params"]["diagnostics"] for one in client.heard if one["params"].get("version") == 1]
    equal(["a3xx-lint-delay" in str(one) for one in told], [True], f"what is told before the answer: {told}")


def many_findings(client):
    """Of what lint finds five hundred are shown as well, and the last says how many more there are."""
    for count, end in ((500, ""), (501, "and 1 more")):
        open_new(client, ".target a3xx\n  mov.f32f32 r0.x, c0.x\n" + "  add.f r0.x, r0.x, r1.x\n" * count + "end\n", "a3xx")
        found = linted(client)
        equal((len(found), found[-1]["range"]["start"]["line"], [("more" in one["message"]) for one in found].count(True),
               found[-1]["message"].endswith(end)), (500, 501, bool(end), True), f"{count} findings: {found[-1]['message']}")
    # those of two documents about a file that both include
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/part.inc", "w", encoding="utf-8") as out:
            out.write("  mov.f32f32 r0.x, c0.x\n" + "  add.f r0.x, r0.x, r1.x\n" * 300)
        inner, uris = f"file://{folder}/part.inc", [f"file://{folder}/{name}.a3xx" for name in "ab"]
        for uri in uris:
            client.open(uri, '.target a3xx\n.include "part.inc"\nend\n', "a3xx")
        client.wait_until(lambda: len(client.diagnostics.get(inner, {}).get("diagnostics", [])) == 500)
        equal(client.diagnostics[inner]["diagnostics"][-1]["message"].split("\n")[-1], "and 100 more", "findings of two documents")
        for uri in uris:
            client.close(uri)


def values(client):
    """Numbers are shown as floats where that says something: more than a millionth, less than ten thousand millions."""
    for number, more in ((0x501502f8, "1e+10"), (0x501502f9, ""), (0xd01502f8, "-1e+10"), (0xd01502f9, ""), (0x358637be, "1e-06"),
                         (0x358637bd, ""), (0xb58637be, "-1e-06"), (0xb58637bd, "")):
        text = f".target hwsq:nv50\ndata 0x{number:x}\nexit\n"
        open_new(client, text)
        said = ask(client, "hover", text, "0x")["contents"]["value"].split("\n")[0].rstrip()
        equal(said, f"`{number}` = `0x{number:x}`" + (f" = `{more}` as a float" if more else ""), "a number")
    for digits in (29, 30, 40):
        text = ".target afuc:a630\n\tmov $02, 0x" + "0" * (digits - 3) + "100\n"
        open_new(client, text)
        said = ask(client, "hover", text, "0x")["contents"]["value"].split("\n")[0].rstrip()
        equal(said.rstrip(), "`256` = `0x100`", f"a number of {digits} digits")
    text = ".target hwsq:nv50\ndata 0x1000000ff\nexit\n"
    open_new(client, text)
    equal(ask(client, "hover", text, "0x")["contents"]["value"].split("\n")[0], "`4294967551` = `0x1000000ff`", "more than 32 bits has no name")


def hovers(client, plain):
    """Registers are of their space; long bodies of macros are cut; clients without Markdown have no fences and quotes."""
    text = ".target a3xx\n  add.f hr0.x, hr1.x, hc2.x\n  mov.f32f32 r0.x, c0.x\n  end\n"
    open_new(client, text, "a3xx")
    for part, space in (("hr0.x", "half"), ("hc2.x", "const"), ("r0.x, c0", "general register"), ("c0.x", "const")):
        said = ask(client, "hover", text, part)["contents"]["value"].split("\n")[0]
        equal(said, f"`{part.split(',')[0]}`: {space}", "a register")
    for length in (1999, 2000, 2001):
        body = "nop\n" * (length // 4) + "\n" * (length % 4)
        text = f".target afuc:a630\n.macro much\n{body}.endm\n\tmuch\n"
        open_new(client, text)
        wanted = f"macro `much`, 1 use\n```gpucode\n{body[:2000]}\n```\n"
        equal(ask(client, "hover", text, "much")["contents"]["value"], wanted, f"a body of {length} bytes")
    for letters in (1, 126, 127, 128, 129, 300):
        text = ".target afuc:a630\n" + "a" * letters + ":\n\tnop\n"
        open_new(client, text)
        said = ask(client, "hover", text, "a" * letters + ":")["contents"]["value"].split("\n")[0]
        equal(said, "label `" + "a" * letters + "` at `0x0`, 0 uses", f"a label of {letters} letters")
    text = ".target afuc:a630\n.macro m x\n\tadd \\x, \\x, \\x\n.endm\n\tmov $01, 0x2\n\tm $02\n"
    open_new(client, text)
    open_new(plain, text)
    for part, more, wanted in (
            ("mov", 1, "(rep)mov $dst, IMM16 << SHIFT\nLoads the immediate, shifted left.\n\nBits: 10001 r hhhhh ddddd iiiiiiiiiiiiiiii\n"
             "{ D = B << SHIFT; }\nSource: AFUC manual, ALU Instructions (manual)\n\nHere: 88010002 at 0x0 of the image\n"),
            ("m x", 0, "macro m, 1 use\n\tadd \\x, \\x, \\x\n\n"),
            (".macro", 1, ".macro NAME PARAMETER, ...\n")):
        said = ask(plain, "hover", text, part, more)["contents"]
        equal((said["kind"], said["value"][:len(wanted)]), ("plaintext", wanted), f"plain text of {part}")
        marked = ask(client, "hover", text, part, more)["contents"]["value"]
        kept = "".join(line + "\n" for line in marked.rstrip("\n").split("\n") if not line.startswith("```")).replace("`", "").replace("*", "")
        equal(kept.split(), said["value"].split(), f"the words of {part}")


def formatting(client):
    """Comments stand below one another up to column 60; what is not understood stays; no comma of a line's end has a space."""
    for zeros, wanted in ((40, "\t; wide\n\tnop\t\t\t\t\t\t\t; narrow\n\tnop\t\t\t\t\t\t\t; last"), (41, "\t; wide\n\tnop\t; narrow\n\tnop\t; last")):
        text = ".target afuc:a630\n\tmov $02, 0x" + "0" * zeros + "1 ; wide\n\tnop ; narrow\n\tnop   ; last"
        open_new(client, text)
        made = apply_edits(text, ask(client, "formatting", options=TABS))
        equal(made, text.split(" ; wide")[0] + wanted, f"comments after {zeros + 20} columns")
    for lengths in ((1, 9, 1), (9, 1, 1), (1, 1, 9), (9, 9, 1)):   # the widest counts, wherever it stands
        text = ".target afuc:a630\n" + "".join("\tmov $02, 0x" + "0" * 2 * length + "1 ; c\n" for length in lengths)
        open_new(client, text)
        made = apply_edits(text, ask(client, "formatting", options={"tabSize": 4, "insertSpaces": True})).split("\n")[1:-1]
        equal([line.index(";") for line in made], [36] * 3, f"comments of lines with {lengths}")
    for text, wanted in (
            (".target afuc:a630\n  nop\n  add $02,$03,\n  add $02 ,$03,$04\n  @@@  x    ;  what\n\tmov $02,   ???    ; d  \n",
             ".target afuc:a630\n\tnop\n\tadd $02, $03,\n\tadd $02, $03, $04\n  @@@  x    ;  what\n\tmov $02, ??? ; d\n"),
            (".target afuc:a630\n\tmov $02\n  ,    ; c\n 0x1\n\tnop\n",) * 2,
            (".target afuc:a630\n.macro never\n\\ \n  \\x  \n   \n.endm\n\tnop \n", ".target afuc:a630\n.macro never\n\\ \n  \\x\n\n.endm\n\tnop\n")):
        open_new(client, text)
        made = apply_edits(text, ask(client, "formatting", options=TABS))
        equal(made, wanted, "a text with what is not understood")


def hints(client):
    """Hints of several kinds are in the order of the text, and those of a file are in that file alone."""
    text = ".target a3xx\n.equ TWO, 2\n  mov.f32f32 r0.x, c0.x\none:\n  mov.f32f32 r0.y, c0.y\ntwo: mov.u32u32 r0.z, TWO\n  end\n"
    open_new(client, text, "a3xx")
    found = ask(client, "inlayHint", range=EVERY)
    equal([(one["position"], one["label"]) for one in found], [
        (place_of(text, "c0.x", 4), "0-1 slots"), (place_of(text, "one:", 4), "0x1"), (place_of(text, "c0.y", 4), "1-2 slots"),
        (place_of(text, "two:", 4), "0x2"), (place_of(text, "TWO\n  end", 3), "= 0x2"), (place_of(text, "TWO\n  end", 3), "2-3 slots"),
        (place_of(text, "end", 3), "3-4 slots")], "hints in order")
    for one in found:
        for more, there in ((0, True), (1, False)):   # a range that begins where a hint stands has it
            begin = dict(one["position"], character=one["position"]["character"] + more)
            begin = begin if begin["character"] <= len(text.split("\n")[begin["line"]]) else {"line": begin["line"] + 1, "character": 0}
            first = ask(client, "inlayHint", range={"start": begin, "end": EVERY["end"]})[:2]
            equal(one in first, there, f"the hint {one['label']} from {begin} on")
    with tempfile.TemporaryDirectory() as folder:
        outer, inner = f"file://{folder}/outer.a3xx", f"file://{folder}/part.inc"
        part = "  add.f r1.x, r2.x, r3.x\n"
        with open(folder + "/part.inc", "w", encoding="utf-8") as out:
            out.write(part)
        text = '.target a3xx\n  mov.f32f32 r0.x, c0.x\n.include "part.inc"\n  end\n'
        open_new(client, text, "a3xx", outer)
        client.open(inner, part, "")
        for uri, wanted in ((outer, [(1, "0-1 slots"), (3, "2-3 slots")]), (inner, [(0, "1-2 slots")])):
            found = ask(client, "inlayHint", uri=uri, range=EVERY)
            equal([(one["position"]["line"], one["label"]) for one in found], wanted, "hints of one file")
        client.close(inner)
        client.close(outer)


def symbols(client):
    """A label ends where the next one begins, on its own line as well; an operator is no name, though one stands behind it."""
    text = ".target afuc:a630\n.equ ONE, 1\n.equ TWO, 2\n.equ BOTH, ONE | TWO\na: b:\n\tnop\n\nc:\tnop\n"
    open_new(client, text)
    found = {one["name"]: one["range"] for one in ask(client, "documentSymbol")}
    equal([found[name] for name in "abc"], [{"start": place_of(text, "a: b:"), "end": place_of(text, "a: b:", 1)},
                                           {"start": place_of(text, "b:"), "end": place_of(text, "\nc:")},
                                           {"start": place_of(text, "c:\tnop"), "end": place(text, len(text))}], "where labels end")
    for more, there in ((-2, "ONE"), (0, None), (2, "TWO")):
        said = ask(client, "hover", text, "| TWO", more)
        equal(said and said["contents"]["value"].split(",")[0].split("`")[1], there, f"{more} from an operator")


def tokens(client):
    """Words that touch a range only at its ends are not in it; the last line needs no end."""
    text = ".target afuc:a630\n\tmov $02, 0x1"
    open_new(client, text)

    def words(start, end):
        data = ask(client, "semanticTokens/range", range={"start": start, "end": end})["data"]
        line = column = 0
        for i in range(0, len(data), 5):
            line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
            yield text.split("\n")[line][column:column + data[i + 2]]
    for first, last, wanted in ((1, 4, ["mov"]), (0, 5, ["mov"]), (1, 5, ["mov"]), (4, 13, ["$02", "0x1"]), (3, 6, ["mov", "$02"]),
                                (5, 10, ["$02"]), (5, 11, ["$02", "0x1"]), (8, 10, []), (10, 13, ["0x1"])):
        found = list(words({"line": 1, "character": first}, {"line": 1, "character": last}))
        equal(found, wanted, f"words from {first} to {last}")
    text = ".target mme:fermi\n\tnop /* one\n two */"
    open_new(client, text, "mme")
    equal(list(words(EVERY["start"], EVERY["end"])), [".target", "mme:fermi", "nop", "/* one", " two */"], "a comment up to the end")


def letters(client):
    """Letters of three bytes are one unit of UTF-16, up to the last of them; those of four are two."""
    for letter, units in (("\u007f", 1), ("\u0800", 1), ("\uff5e", 1), ("\uffee", 1), ("\U00010000", 2), ("\U0010ffff", 2)):
        text = f".target mme:fermi\n/* {letter} */ mvo $r1 1\n"
        found = open_new(client, text, "mme")
        equal([one["range"]["start"]["character"] for one in found[:1]], [3 + units + 4], f"behind the letter {ord(letter):#x}")


def sections(client):
    """Registers and labels of a section that is not the first."""
    text = (".target mme:fermi\n.section #one\n\tmov $r3 (add $r1 1)\n\tsend $r3\n\texit\n\tnop\n.section #two\n\tmov $r3 $r1\n"
            "\tmov $r4 (add $r3 $r1)\n\tsend $r3\n\texit send $r4\n\tnop\n")
    open_new(client, text, "mme")
    first, second = [(3, "$r3 (add"), (2, "$r3\n\texit")], [(3, "$r3 $r1"), (2, "$r3 $r1)"), (2, "$r3\n\texit send")]
    second[0] = (3, "$r3 $r1\n")
    for places in (first, second):
        wanted = [(kind, span(text, part, 3)) for kind, part in places]
        for _, part in places:
            found = ask(client, "documentHighlight", text, part, 1)
            equal(found and [(one["kind"], one["range"]) for one in found], wanted, f"the value of {part!r}")
    # firmware of three processors; the header leads to the last one
    head, rest = "[01730001]\n[#jumptbl]\n[01000000]\n", "\twaitin\n\tmov $01, $data\nCP_NOP:\twaitin\n\tmov $01, $data\n.align 32\njumptbl:\n.jumptbl\n"
    text = (".target afuc:a730\nimage:\n[01730001]\n[#LPAC:end - #image]\n" + head + "\tmov $02, 0x10\n\tadd $03, $02, $02\n" + rest +
            ".section BV\n" + head + "\tmov $02, 0x20\n\tadd $04, $02, $02\n\tcall #leaf\n\tnop\n" +
            rest.replace("CP_NOP", "leaf:\tadd $05, $05, 0x1\n\tret\n\tnop\nCP_NOP") +
            ".section LPAC\n" + head + "\tmov $02, 0x30\n\tadd $06, $02, $02\n" + rest + "end:\n")
    equal(open_new(client, text), [], "three processors")
    for number in ("0x10", "0x20", "0x30"):
        line = place_of(text, number)["line"]
        found = ask(client, "documentHighlight", text, "$02, " + number, 1)
        equal(found and [(one["kind"], one["range"]["start"]) for one in found], [
            (kind, {"line": line + more, "character": character}) for kind, more, character in ((3, 0, 5), (2, 1, 10), (2, 1, 15))], f"the value {number}")
    leaf = ask(client, "prepareCallHierarchy", text, "leaf:", 1)[0]
    equal(leaf["selectionRange"], span(text, "leaf:", 4), "a routine of the second processor")
    found = client.request("callHierarchy/incomingCalls", {"item": leaf})
    equal([one["fromRanges"] for one in found], [[span(text, "call #leaf")]], "its caller")
    text = ".target a3xx\n  mov.f32f32 r0.x, c0.x\n  br p0.x, #out\n  add.f r1.x, r0.x, r0.x\nout:\n"   # control leaves the program
    open_new(client, text, "a3xx")
    found = ask(client, "documentHighlight", text, "r0.x, c0.x", 1)
    equal([(one["kind"], one["range"]) for one in found], [(3, span(text, "r0.x, c0.x", 4)), (2, span(text, "r0.x, r0.x", 4)),
                                                           (2, span(text, "r0.x\nout", 4))], "the value in front of a branch to the end")


def entries(client):
    """Scripts begin at their entry points, too, for what lint finds."""
    for label, code in (("entry1", "hwsq-lint-exit-paused"), ("entry4", "hwsq-lint-unreached"), ("other1", "hwsq-lint-unreached")):
        text = f".target hwsq:nv50\nwait 16us\nexit\n{label}:\nset1 #FB_PAUSE\newait #FB_PAUSED 1\nexit\n"
        open_new(client, text)
        equal([one["code"] for one in linted(client)], [code], f"what is found behind {label}")


def commands(client):
    """What was written as a number is no place of a match; what cannot be done is said."""
    text = ".target afuc:a630\n\tmov $02, 0x10\n[88030010]\n\tmov $04, 0x10\n"
    open_new(client, text)
    found = command(client, "gpucode.search", URI, "mov $x, 0x10")
    equal([(one["location"]["range"], one["bound"]) for one in found], [
        (span(text, "mov $02", 3), {"$x": "$02"}), (span(text, "mov $04", 3), {"$x": "$04"})], "matches")
    open_new(client, ".target afuc:a630\n\tmvo $02, 0x10\n")
    equal(command(client, "gpucode.search", URI, "mov"), "the program is wrong, and cannot be searched", "a wrong program")
    early = "  mov.f32f32 r0.x, c0.x\n  add.f r1.x, r0.x, r0.y\n"
    for text in (f".macro two\n{early}.endm\n  two\n  end\n", f"{early}.align 64\n  end\n", f"{early}.org 8\n  end\n"):
        open_new(client, ".target a3xx\n" + text, "a3xx")
        linted(client)
        equal(ask(client, "codeAction", range=EVERY, context={"diagnostics": []}), [], "what cannot be put in by editing lines")
        equal(command(client, "gpucode.schedule", URI), "nothing is missing, or it cannot be put in by editing lines", "nor by the command")
    for data, wanted in ((2**32 - 1, []), (2**32, "the item has no data of ours"), (-1, "the item has no data of ours")):
        try:
            found = client.request("callHierarchy/outgoingCalls", {"item": {"uri": URI, "data": data}})
        except Refused as refused:
            found = str(refused)
        equal(found, wanted, f"calls of {data}")


def registers_named(client):
    """Registers by name are offered from their first letter on, whichever that is; before, the list says that it is not all."""
    for typed, more in (("A", False), ("Z", False), ("R", False), ("a", True), ("", True)):
        text = f".target afuc:a630\n\tmov $02, {typed}"
        open_new(client, text)
        found = client.request("textDocument/completion", {"textDocument": {"uri": URI}, "position": place(text, len(text))})
        equal((found["isIncomplete"], any(one["kind"] == 6 and one["label"][0] == "R" for one in found["items"])), (more, typed == "R"),
              f"registers with {typed!r}")


def without_target(client):
    """A text whose target nobody knows has no words to ask about; where its language says it, it can be renamed and formatted."""
    text = "nop\nstart: mov $01, 2\n"
    open_new(client, text)
    for method, wanted in (("hover", None), ("completion", {"isIncomplete": False, "items": []}), ("signatureHelp", None),
                           ("documentHighlight", None), ("references", None), ("definition", None),
                           ("prepareRename", "nothing with a name stands here"), ("inlayHint", []), ("codeLens", []), ("codeAction", []),
                           ("formatting", None), ("documentSymbol", []), ("foldingRange", []), ("semanticTokens/full", {"data": []}),
                           ("prepareCallHierarchy", None)):
        equal(ask(client, method, text, "mov", 1, range=EVERY, context={"diagnostics": []}, options=TABS), wanted, f"{method} without a target")
    text = "again: set1 #FB_PAUSE\nexit\n"
    open_new(client, text, "hwsq:nv41")
    edit = ask(client, "rename", text, "again", newName="once")
    equal(apply_edits(text, edit["changes"][URI]), text.replace("again", "once"), "a name where the language is the target")
    made = apply_edits(text, ask(client, "formatting", options=TABS))
    equal(made, text, "formatted where the language is the target")


def changes(client):
    """A range without one of its ends changes nothing, nor does one that ends before it starts; a document that is opened
    again has the new text, and what is said of unknown ones is passed over."""
    here, there = {"line": 1, "character": 0}, {"line": 1, "character": 3}
    open_new(client, ".target afuc:a630\nnop\n")
    for number, range_ in enumerate(({"start": here}, {"end": there}, {"start": there, "end": here}, {"start": here, "end": {"line": 1}},
                                     {"start": {}, "end": there}, {})):
        client.change(URI, [{"range": range_, "text": "mvo"}], 1000 + number)
        equal(client.settle(URI, 1000 + number), [], f"after a change of {range_}")
    client.change(URI, [{"range": {"start": here, "end": there}, "text": "mvo"}], 1010)
    equal(len(client.settle(URI, 1010)) > 0, True, "after a change")
    client.open(URI, ".target afuc:a630\nnop\n", "", 1011)
    equal(client.settle(URI, 1011), [], "opened again")
    for method in ("didSave", "didClose", "didChange"):
        client.notify("textDocument/" + method, {"textDocument": {"uri": "file:///nobody"}})
    client.close(URI)
    equal(ask(client, "hover", "x", "x"), "no such document is open: " + URI, "it was open once")


def uris(client):
    """Names of files and URIs: what a client writes its own way is the same file, and what only we name is written so that
    every client reads it."""
    for written, name in (("%69n%5B%5D%5b%5d.inc", "in[][].inc"), ("%4A%4a%6F%6f.inc", "JJoo.inc"), ("a%2fb%2F%40.inc", "a/b/@.inc"),
                          ("%c3%A9%C3%a9.inc", "\u00e9\u00e9.inc"), ("a%25b.inc", "a%b.inc"), ("%4g%g4%G4%4G.inc", "%4g%g4%G4%4G.inc"),
                          ("%00.inc", "%00.inc"), ("%:0%0:%/0.inc", "%:0%0:%/0.inc"), ("%`1%@1%1`%1@.inc", "%`1%@1%1`%1@.inc"), ("%4", "%4"),
                          ("%", "%"), ("%09%90%f0%0F%aF.inc", None)):
        if name is None:
            continue
        inner, outer = "file:///none/here/" + written, "file:///none/here/outer.asm"
        text = f'.target afuc:a630\n.include "{name}"\n\tmov $01, INNER\n'
        client.open(inner, ".equ INNER, 5\n")
        equal(open_new(client, text, "", outer), [], f"the name {name}")
        found = ask(client, "definition", text, "INNER", uri=outer)
        equal([one["uri"] for one in found], [inner], f"where {name} is")
        client.close(outer)
        client.close(inner)
    with tempfile.TemporaryDirectory() as folder:
        for name, written in (("azAZ09-._~", "azAZ09-._~"), ("@[`{/:;<", "%40%5B%60%7B/%3A%3B%3C"), ("\u00e9 %+", "%C3%A9%20%25%2B")):
            path = f"{folder}/{name}.inc"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write("mvo $01, 1\n")
            outer = f"file://{folder}/outer.asm"
            open_new(client, f'.target afuc:a630\n.include "{name}.inc"\n', "", outer)
            found = ask(client, "documentLink", uri=outer)
            equal([one["target"] for one in found], [f"file://{folder}/{written}.inc"], f"the URI of {name}")
            client.close(outer)
    for outer, name, inner in (
            ("vscode-vfs://host/dir/a.asm", "../inc/x.inc", "vscode-vfs://host/inc/x.inc"),
            ("vscode-vfs://host/dir/a.asm", "../../../x.inc", "vscode-vfs://host/x.inc"),
            ("vscode-vfs://host/dir/a.asm", "./.x/..x/...inc", "vscode-vfs://host/dir/.x/..x/...inc"),
            ("memfs:///d/a.asm", "../../x.inc", "memfs:///x.inc"), ("file:///none/d/a.asm", "../../../x.inc", "file:///x.inc"),
            ("file://host/none/d/a.asm", "../x.inc", "file:///none/x.inc")):
        text = f'.target afuc:a630\n.include "{name}"\n\tmov $01, INNER\n'
        client.open(inner, ".equ INNER, 5\n")
        equal(open_new(client, text, "", outer), [], f"{name} from {outer}")
        found = ask(client, "definition", text, "INNER", uri=outer)
        equal([one["uri"] for one in found], [inner], f"what {name} from {outer} is")
        client.close(outer)
        client.close(inner)
    text = ".target afuc:a630\nstart: jump #start\n\tnop\n"
    for uri in ("untitled:Untitled-1", "odd://host", "odd:/a/../b", "file://host"):
        equal(open_new(client, text, "", uri), [], f"the document {uri}")
        equal(ask(client, "definition", text, "#start", 2, uri=uri), [{"uri": uri, "range": span(text, "start")}], f"a place in {uri}")
        client.close(uri)


def included(client, other):
    """A link leads to the file that the line includes, not to another whose name ends like it; in the edits of a client that
    knows versions each file has its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/sub")
        for name, text in (("xa.inc", ".equ XA, 1\n"), ("a.inc", ".equ PART, 2\n"), ("sub/a.inc", '.include "b.inc"\n'), ("sub/b.inc", ".equ B, 1\n"),
                           ("b.inc", ".equ OUTER, 1\n"), ("empty.inc", "")):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as out:
                out.write(text)
        outer, base = f"file://{folder}/outer.asm", f"file://{folder}/"
        names = ("xa.inc", "sub/a.inc", "b.inc", "empty.inc", "sub/../a.inc", "none.inc")
        text = ".target afuc:a630\n" + "".join(f'.include "{name}"\n' for name in names) + "\tmov $01, PART\n"
        found = open_new(client, text, "", outer)
        equal([(one["code"], one["range"]["start"]["line"]) for one in found], [("include", 6)], "a file that is not there")
        links = ask(client, "documentLink", uri=outer)
        equal([(one["range"]["start"]["line"], one["target"]) for one in links], [
            (1, base + "xa.inc"), (2, base + "sub/a.inc"), (3, base + "b.inc"), (4, base + "empty.inc"), (5, base + "a.inc")], "links")
        equal(ask(client, "definition", text, "none.inc", 2, uri=outer), None, "there is no such file")
        client.close(outer)
        text = f'.target afuc:a630\n.include "xa.inc"\n.include "{folder}/a.inc"\n\tmov $01, PART\n'
        equal(open_new(client, text, "", outer), [], "a whole path")
        equal([one["target"] for one in ask(client, "documentLink", uri=outer)], [base + "xa.inc", base + "a.inc"], "links of a whole path")
        for one, open_ in ((client, False), (other, False), (other, True)):
            open_new(one, text, "", outer)
            if open_:
                one.open(base + "a.inc", ".equ PART, 2\n", "", 7)
            edit = ask(one, "rename", text, "PART", uri=outer, newName="OTHER")
            if one == client:
                equal({uri: len(edits) for uri, edits in edit["changes"].items()}, {outer: 1, base + "a.inc": 1}, "edits of two files")
            else:
                equal([(part["textDocument"], len(part["edits"])) for part in edit["documentChanges"]], [
                    ({"uri": outer, "version": version}, 1), ({"uri": base + "a.inc", "version": 7 if open_ else None}, 1)], "edits of two files")
            one.close(base + "a.inc")
            one.close(outer)


def symbol_files(client):
    """A name of a symbol file leads there as long as it still stands there."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/names.sym"
        whole = "reg $02 header\nreg CP_SCRATCH[2].REG faults\n"
        for size, there in ((len(whole), True), (len(whole) - 1, True), (len(whole) - 2, False), (0, False), (None, False)):
            with open(path, "w", encoding="utf-8") as out:
                out.write(whole)
            client.notify("workspace/didChangeConfiguration", {"settings": {"symbols": [path]}})
            text = ".target afuc:a630\n\tmov $header, faults\n"
            equal(open_new(client, text), [], "names of a symbol file")
            if size is None:
                os.unlink(path)
            else:
                with open(path, "w", encoding="utf-8") as out:
                    out.write(whole[:size])
            found = ask(client, "definition", text, "faults", 1)
            wanted = [{"uri": "file://" + path, "range": {"start": {"line": 1, "character": 22}, "end": {"line": 1, "character": 28}}}]
            equal(found, wanted if there else [], f"where the name stands in a file of {size} bytes")
        client.notify("workspace/didChangeConfiguration", {"settings": {"symbols": []}})
        client.close(URI)


def line_ends(client):
    """Each of the three ends of a line counts, one after the other in any order; to the assembler a lone return is a blank."""
    for ends in itertools.product(("\n", "\r\n", "\r"), repeat=3):
        text = ".target afuc:a630\n" + "".join("; a comment" + end for end in ends) + "; and its end\nbadly x\n"
        starts = [one["range"]["start"] for one in open_new(client, text)]
        equal(starts, [{"line": 5, "character": 0}], f"the line after {ends}")


CAN = {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
client = Client(PROGRAM, capabilities=CAN)
plain = Client(PROGRAM)
other = Client(PROGRAM, capabilities=dict(CAN, workspace={"workspaceEdit": {"documentChanges": True}}))
for part in (errors_at_places, finding_at_once, many_findings, values, formatting, hints, symbols, tokens, letters, sections, entries,
             commands, registers_named, without_target, line_ends, changes, uris, symbol_files):
    part(client)
hovers(client, plain)
included(client, other)
for one in (client, plain, other):
    equal(one.end(), 0, "exit code")
print(checks, "checks")
sys.exit(bad > 0)
