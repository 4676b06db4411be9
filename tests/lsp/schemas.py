# SPDX-License-Identifier: MIT
"""What the server may send, as JSON Schemas by version 3.17 of the protocol: members of other names are refused."""

try:
    import jsonschema
except ImportError:
    jsonschema = None


def whole(properties, *optional):
    """An object with these members, all but the optional ones."""
    return {"type": "object", "properties": properties, "additionalProperties": False,
            "required": [name for name in properties if name not in optional]}


def several(item):
    return {"type": "array", "items": item}


def nothing_or(schema):
    return {"anyOf": [{"type": "null"}, schema]}


NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
INTEGER = {"type": "integer", "minimum": -2**31, "maximum": 2**31 - 1}
TEXT = {"type": "string"}
TRUTH = {"type": "boolean"}
URI = {"type": "string", "pattern": "^[a-z][a-z0-9+.-]*:"}
ANY = {}
POSITION = whole({"line": NUMBER, "character": NUMBER})
RANGE = whole({"start": POSITION, "end": POSITION})
LOCATION = whole({"uri": URI, "range": RANGE})
MARKUP = whole({"kind": {"enum": ["plaintext", "markdown"]}, "value": TEXT})
EDIT = whole({"range": RANGE, "newText": TEXT})
WORKSPACE_EDIT = {"anyOf": [
    whole({"changes": {"type": "object", "propertyNames": URI, "additionalProperties": several(EDIT)}}),
    whole({"documentChanges": several(whole({
        "textDocument": whole({"uri": URI, "version": nothing_or(INTEGER)}), "edits": several(EDIT)}))})]}
RELATED = whole({"location": LOCATION, "message": TEXT})
DIAGNOSTIC = whole({"range": RANGE, "severity": {"enum": [1, 2, 3, 4]}, "code": TEXT, "source": TEXT, "message": TEXT,
                    "relatedInformation": several(RELATED), "data": ANY}, "relatedInformation", "data")
COMMAND = whole({"title": TEXT, "command": TEXT, "arguments": several(ANY)}, "arguments")
SYMBOL = whole({"name": {"type": "string", "minLength": 1}, "kind": {"type": "integer", "minimum": 1, "maximum": 26},
                "range": RANGE, "selectionRange": RANGE, "children": several({"$ref": "#/definitions/symbol"})}, "children")
FLAT_SYMBOL = whole({"name": TEXT, "kind": {"type": "integer", "minimum": 1, "maximum": 26}, "location": LOCATION,
                     "containerName": TEXT}, "containerName")
CALL_ITEM = whole({"name": TEXT, "kind": {"type": "integer", "minimum": 1, "maximum": 26}, "uri": URI, "range": RANGE,
                   "selectionRange": RANGE, "data": ANY})
ITEM = whole({"label": {"type": "string", "minLength": 1}, "kind": {"type": "integer", "minimum": 1, "maximum": 25},
              "detail": TEXT, "documentation": {"anyOf": [TEXT, MARKUP]}, "textEdit": EDIT}, "detail", "documentation")
TOKENS = nothing_or(whole({"data": several(NUMBER)}))
SIGNATURE = whole({"label": TEXT, "documentation": MARKUP, "parameters": several(whole({
    "label": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}}))})

SCHEMAS = {
    "initialize": whole({"capabilities": {"type": "object"}, "serverInfo": whole({"name": TEXT, "version": TEXT})}),
    "shutdown": {"type": "null"},
    "textDocument/publishDiagnostics": whole({"uri": URI, "version": INTEGER, "diagnostics": several(DIAGNOSTIC)},
                                             "version"),
    "textDocument/hover": nothing_or(whole({"contents": MARKUP, "range": RANGE}, "range")),
    "textDocument/definition": nothing_or(several(LOCATION)),
    "textDocument/declaration": nothing_or(several(LOCATION)),
    "textDocument/references": nothing_or(several(LOCATION)),
    "textDocument/documentHighlight": nothing_or(several(whole({"range": RANGE, "kind": {"enum": [1, 2, 3]}}))),
    "textDocument/prepareRename": nothing_or(whole({"range": RANGE, "placeholder": TEXT})),
    "textDocument/rename": nothing_or(WORKSPACE_EDIT),
    "textDocument/completion": whole({"isIncomplete": TRUTH, "items": several(ITEM)}),
    "textDocument/signatureHelp": nothing_or(whole({"signatures": several(SIGNATURE), "activeSignature": NUMBER,
                                                    "activeParameter": NUMBER})),
    "textDocument/documentSymbol": {"anyOf": [several(SYMBOL), several(FLAT_SYMBOL)], "definitions": {"symbol": SYMBOL}},
    "workspace/symbol": several(FLAT_SYMBOL),
    "textDocument/foldingRange": several(whole({"startLine": NUMBER, "endLine": NUMBER,
                                                "kind": {"enum": ["comment", "imports", "region"]}}, "kind")),
    "textDocument/semanticTokens/full": TOKENS,
    "textDocument/semanticTokens/range": TOKENS,
    "textDocument/formatting": nothing_or(several(EDIT)),
    "textDocument/codeAction": several(whole({
        "title": TEXT, "kind": TEXT, "diagnostics": several(DIAGNOSTIC), "isPreferred": TRUTH, "edit": WORKSPACE_EDIT},
        "diagnostics", "isPreferred")),
    "textDocument/inlayHint": several(whole({"position": POSITION, "label": TEXT, "kind": {"enum": [1, 2]},
                                             "tooltip": TEXT, "paddingLeft": TRUTH}, "kind", "tooltip")),
    "textDocument/codeLens": several(whole({"range": RANGE, "command": COMMAND})),
    "textDocument/documentLink": several(whole({"range": RANGE, "target": URI})),
    "textDocument/prepareCallHierarchy": nothing_or(several(CALL_ITEM)),
    "callHierarchy/incomingCalls": nothing_or(several(whole({"from": CALL_ITEM, "fromRanges": several(RANGE)}))),
    "callHierarchy/outgoingCalls": nothing_or(several(whole({"to": CALL_ITEM, "fromRanges": several(RANGE)}))),
    "workspace/executeCommand": ANY,
    "workspace/applyEdit": whole({"label": TEXT, "edit": WORKSPACE_EDIT}),
}


def check(method, value):
    """Fails unless the value is what the protocol has for the method."""
    if jsonschema is None:
        return
    validator = VALIDATORS.get(method)
    if validator is None:
        raise AssertionError(f"no schema for {method}")
    for error in validator.iter_errors(value):
        raise AssertionError(f"{method}: {error.message[:300]} at {list(error.absolute_path)}")


VALIDATORS = {method: jsonschema.Draft7Validator(schema) for method, schema in SCHEMAS.items()} if jsonschema else {}
