# SPDX-License-Identifier: MIT
"""everywhere.py GPUCODE everywhere.answers: what is asked at every word of documents of every instruction set has the
answers of the file, an answer a line. UPDATE_GOLDEN=1 writes the file anew: look at the difference then.

What must hold in any case is in exact.py and invariants.py; this is so that no member of an answer changes unseen."""
import difflib
import json
import os
import re
import sys

from client import Client, units

PROGRAM, GOLDEN = sys.argv[1:3]
DOCUMENTS = {
    "afuc.asm": ("afuc", """.target afuc:a630
.equ SIZE, 0x20 ; bytes
.macro twice reg
	add \\reg, \\reg, \\reg
.endm
[016ee001]
[#jumptbl]
start:
	mov $02, SIZE + 4
	cwrite $02, [$00 + @REG_READ_ADDR]
	(rep)mov $03, CP_SCRATCH[0x2].REG
	twice $03
	call #sub
	nop
	brne $02, b3, #start
	nop
	waitin
	mov $01, $data
sub:
	swrite $02, [$00 + %PREEMPT_INSTR]
	ret
	nop
CP_NOP:
	jump #start
	nop
jumptbl:
	.jumptbl
"""),
    "wrong.asm": ("", """.target afuc:a730
	mvo $02, 0x1
	add $02, $99, 0x1
	jump #nowhere
	mov $02, UNKNOWN ; no such name
	mov $02, 0x123456789
.equ A, 1
.equ A, 2
"""),
    "shader.a3xx": ("a3xx", """.target a3xx
@in(r0.x) x
@const(c0.x) 0.5, 2.0
start:
	mov.f32f32 r0.y, c0.x
	add.f r0.z, r0.x, r0.y
	rcp r0.w, r0.x
	mul.f r1.x, r0.w, (0.5)
	br p0.x, #out
	mad.f32 r1.y, c0.y, r0.z, r0.x
out:
	end
"""),
    "shader.ir3": ("ir3", """.target ir3:a630
@buf 16 1, 2, 3
	mov.u32u32 r1.x, 4
loop:
	(sy)add.u r2.x, r2.x, r1.x
	ldib.b.untyped.1d.u32.1.imm r2.y, r0.x, 0
	br p0.x, #loop
	end
"""),
    "script.hwsq": ("hwsq", """.target hwsq:g94
data 0x3f800000; addr PFB.REFCTRL
set1 #FB_PAUSE; ewait #FB_PAUSED 1
wait 20us
ewait #FB_PAUSED 0
exit
"""),
    "macros.mme": ("mme", """.target mme:fermi
.section #first
.equ #base 0x100
	parm $r2
again:
	mov $r3 (add $r1 $r2)
	maddr (add $r3 #base)
	branz $r2 #again
	send $r3
	exit
	nop
"""),
    "calls.a3xx": ("a3xx", """.target a3xx
	mov.f32f32 r0.x, (1.0) ; trailing	 
	call #outer
	(jp)add.s r2.x, r2.x, r0.x   	
	call #inner
	call #outer
	end
	.word 0xffffffff, 0xffffffff
outer:
	call #inner
	call #outer
	ret
inner:
	ret
"""),
    "calls.ir3": ("ir3", """.target ir3:a630
	call #leaf
	br.all p0.x, #leaf
	end
leaf:
	ret
"""),
    "two.mme": ("mme", """.target mme:fermi
.section #one
	mov $r2 (add $r1 1)
	send $r2
	exit
	nop
.section #two
	mov $r3 $r1 /* over  \t
 two lines\t 
	*/ 	
	mov $r3 (add $r3 $r1)
	exit send $r3
	nop
"""),
}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
FEW = 2  # items of a list that are shown, with how many there are
printed = []
followed = []  # calls whose ways were asked


def short(value):
    """A value on a line: ranges as line:from-to, lists of many by their first items."""
    if isinstance(value, dict):
        if set(value) == {"start", "end"}:
            a, b = value["start"], value["end"]
            end = b["character"] if a["line"] == b["line"] else f"{b['line']}:{b['character']}"
            return f"<{a['line']}:{a['character']}-{end}>"
        if set(value) == {"line", "character"}:
            return f"<{value['line']}:{value['character']}>"
        return {key: short(member) for key, member in value.items()}
    if isinstance(value, list):
        return [short(item) for item in value]
    return value


def put(label, value):
    printed.append(f"{label} {json.dumps(short(value), sort_keys=True, ensure_ascii=False)}")


def items(value):
    """Of a completion the first items, how many there are, and all their kinds."""
    found = value["items"]
    kinds = sorted({item.get("kind", 0) for item in found})
    return {**value, "items": [brief(item) for item in found[:FEW]], "count": len(found), "kinds": kinds,
            "last": [item["label"] for item in found[-1:]]}


def brief(item):
    """What is said of an item is what a hover says of it; here its beginning is enough."""
    said = item.get("documentation")
    said = said["value"] if isinstance(said, dict) else said
    return {**item, "documentation": said[:40]} if said else item


def ask(client, uri, text):
    here, asked, before = {"textDocument": {"uri": uri}}, [], None
    for method, more in (("documentSymbol", {}), ("foldingRange", {}), ("codeLens", {}), ("documentLink", {}),
                         ("inlayHint", {"range": WHOLE}), ("codeAction", {"range": WHOLE, "context": {"diagnostics": []}}),
                         ("formatting", {"options": {"tabSize": 2, "insertSpaces": True}}),
                         ("formatting", {"options": {"tabSize": 8, "insertSpaces": False}})):
        asked.append((method, client.ask("textDocument/" + method, {**here, **more})))
    for number, line in enumerate(text.split("\n")):
        for word in re.finditer(r"[^\s,;()\[\]+*]+|[,;\[(]\s*", line):
            for where in sorted({word.start(), word.end() - 1}):
                at = {**here, "position": {"line": number, "character": units(line[:where])}}
                label = f"{number}:{where} {word[0].strip()!r}"
                if where == word.start() and word[0][0] not in ",;[(":
                    for method in ("hover", "definition", "declaration", "documentHighlight", "prepareCallHierarchy", "signatureHelp",
                                   "prepareRename"):
                        asked.append((f"{label} {method}", client.ask("textDocument/" + method, at)))
                    asked.append((f"{label} rename", client.ask("textDocument/rename", {**at, "newName": "renamed"})))
                    asked.append((f"{label} references", client.ask(
                        "textDocument/references", {**at, "context": {"includeDeclaration": True}})))
                asked.append((f"{label} completion", client.ask("textDocument/completion", at)))
                before = answers(client, asked, before)  # not too many at once: both ends would wait for room
                asked = []


def answers(client, asked, before):
    for label, number in asked:
        try:
            value = client.answer(number)
        except Exception as refused:  # pylint: disable=broad-except
            value = {"refused": str(refused), "code": getattr(refused, "code", None)}
        if label.endswith(" completion") and value:
            value = items(value)
        if value in (None, []) or (value == before and not label.endswith(" hover")):
            continue  # the same as the line before, or nothing
        before = value
        put(label, value)
        for item in value if label.endswith(" prepareCallHierarchy") and isinstance(value, list) else ():
            if item in followed:
                continue
            followed.append(item)
            for way in ("incoming", "outgoing"):
                called = client.request(f"callHierarchy/{way}Calls", {"item": item})
                if called:
                    put(f"{label} {way}", called)
    return before


def tokens(client, uri, text):
    legend = client.initialized["capabilities"]["semanticTokensProvider"]["legend"]
    data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    line = column = 0
    for i in range(0, len(data), 5):
        line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
        word = text.split("\n")[line].encode("utf-16-le")[2 * column:2 * (column + data[i + 2])].decode("utf-16-le")
        marks = [name for k, name in enumerate(legend["tokenModifiers"]) if data[i + 4] >> k & 1]
        printed.append(f"{line}:{column} {word!r} {legend['tokenTypes'][data[i + 3]]} {' '.join(marks)}".rstrip())


client = Client(PROGRAM, settings={"commands": ["gpucode.run", "gpucode.debug", "gpucode.debugPacket"]}, capabilities={
    "textDocument": {"hover": {"contentFormat": ["markdown"]}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                     "publishDiagnostics": {"relatedInformation": True}, "completion": {"completionItem": {"snippetSupport": True}}}})
put("initialize", client.initialized)
for name, (language, text) in DOCUMENTS.items():
    uri = "file:///none/" + name
    printed.append(f"--- {name}")
    client.open(uri, text, language)
    client.settle(uri, 1)
    tokens(client, uri, text)
    ask(client, uri, text)
    symbols = client.request("workspace/symbol", {"query": ""})
    put("workspace/symbol", symbols)
    client.close(uri)
    for message in client.heard:
        if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
            last = message["params"] if message["params"]["diagnostics"] else {"diagnostics": []}
            for one in last["diagnostics"]:
                if (entry := f"diagnostic {json.dumps(short(one), sort_keys=True, ensure_ascii=False)}") not in printed:
                    printed.append(entry)
    client.heard.clear()
code = client.end()
printed.append(f"exit code {code}")
found = "".join(line + "\n" for line in printed)
if os.environ.get("UPDATE_GOLDEN"):
    with open(GOLDEN, "w", encoding="utf-8") as out:
        out.write(found)
with open(GOLDEN, encoding="utf-8") as file:
    wanted = file.read()
print(len(printed), "answers")
sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), found.splitlines(True), "everywhere.answers", "now", n=0))
sys.exit(found != wanted)
