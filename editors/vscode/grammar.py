#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the TextMate grammars of the three assembly languages.

usage: grammar.py GPUCODE FOLDER [--check]

The mnemonics are those of `gpucode manual`, so that a new instruction is coloured too. --check writes nothing and
fails where a file differs."""
import json
import os
import re
import subprocess
import sys

program, folder = sys.argv[1:3]


def mnemonics(name):
    manual = subprocess.run([program, "manual", "--json", name], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = sorted({row["mnemonic"] for row in json.loads(manual)["rows"]}, key=lambda word: (-len(word), word))
    found = [word for word in found if re.fullmatch(r"[\w.]+", word)]
    return [word for word in found if not word.startswith(".")]


def rule(scope, match, **captures):
    made = {"name": scope, "match": match}
    if captures:
        made["captures"] = {number[1:]: {"name": name} for number, name in captures.items()}
    return made


def words(name):
    return "|".join(re.escape(word) for word in mnemonics(name))


DIRECTIVE = rule("keyword.control.directive", r"(?<![\w.])\.[a-z][a-z0-9]*\b")
LABEL = rule("entity.name.function.label", r"^\s*[A-Za-z_][\w@\\]*(?=:)")
REFERENCE = rule("entity.name.function.label", r"#(?:[A-Za-z_]\w*:)?[A-Za-z_][\w@\\]*")
NUMBER = rule("constant.numeric", r"(?<![\w.])-?(?:0[xX][0-9a-fA-F_]+|[0-9]+(?:\.[0-9]+)?)(?![\w.])")
STRING = {"name": "string.quoted.double", "begin": '"', "end": '"|$',
          "patterns": [rule("constant.character.escape", r"\\.")]}
MACRO = rule("variable.parameter.macro", r"\\(?:\w+|@)")
ADDRESS = rule("constant.numeric.address", r"^[0-9a-f]{4,8}(?=  )")  # of the debugger's listings
SEMICOLON = rule("comment.line.semicolon", ";.*$")

GRAMMARS = {
    "afuc": [
        SEMICOLON, STRING, ADDRESS, LABEL, DIRECTIVE,
        rule("constant.numeric.word", r"\[[0-9a-fA-F]{8}\]"),
        rule("storage.modifier", r"\((?:rep|peek|xmov[0-9]|sds[0-9])\)"),
        rule("keyword.mnemonic", rf"(?<![\w$@%#.\\])(?:{words('afuc')})(?![\w:])"),
        rule("variable.language.register", r"\$(?:[0-9a-f]{2}|[a-z]\w*)\b"),
        rule("support.constant.register", r"[@%][A-Za-z_]\w*"),
        REFERENCE, MACRO,
        rule("constant.numeric.bit", r"\bb[0-9]{1,2}\b"),
        NUMBER,
    ],
    "hwsq": [
        rule("keyword.control.target", r"^\s*//!.*$"),
        rule("comment.line.double-slash", "//.*$"),
        {"name": "comment.block", "begin": r"/\*", "end": r"\*/"},
        {"name": "comment.block", "begin": r"/\+", "end": r"\+/"},
        STRING, ADDRESS, LABEL, DIRECTIVE,
        rule("keyword.mnemonic", rf"(?i)(?<![\w$@%#.\\])(?:{words('hwsq')})(?![\w:])"),
        rule("constant.numeric.time", r"~?\b[0-9]+(?:us|ms)\b"),
        REFERENCE, MACRO, NUMBER,
        rule("comment.line.number-sign", r"#(?![A-Za-z_]).*$"),
        rule("support.constant.name", r"\b[A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*\b"),
    ],
    "a3xx": [
        SEMICOLON, STRING, ADDRESS, LABEL,
        rule("keyword.control.declaration", r"^\s*@[a-z]+"),
        rule("storage.modifier", r"\((?:sy|ss|jp|sat|ul|rpt[0-9]|neg|abs|absneg|r)\)"),
        rule("keyword.mnemonic", rf"(?<![\w$@%#.\\])(?:{words('a3xx')})(?:\.[a-z0-9]+)*(?![\w:])"),
        DIRECTIVE,
        rule("variable.language.register", r"\bh?[rc][0-9]+\.[xyzw]\b|\b[ap]0\.[xyzw]\b|\bh?[rc]<"),
        REFERENCE, MACRO,
        rule("constant.numeric.word", r"\b[0-9a-fA-F]{8}[x_][0-9a-fA-F]{8}\b"),
        rule("constant.numeric.float", r"\((?:-?[0-9][^()]*|e|pi|1/pi|log2\([^()]*\)|1/log2\([^()]*\))\)"),
        NUMBER,
    ],
}

for name, patterns in GRAMMARS.items():
    grammar = {"scopeName": "source." + name, "name": name.upper(),
               "patterns": [dict(pattern) for pattern in patterns]}
    text = json.dumps(grammar, indent=1)
    # names end in the language's, as in all grammars
    text = re.sub(r'("name": "[a-z-]+\.[a-z.-]+)"', rf'\1.{name}"', text) + "\n"
    path = os.path.join(folder, name + ".tmLanguage.json")
    if "--check" in sys.argv:
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            sys.exit(f"{path} is not what {os.path.basename(sys.argv[0])} writes")
    else:
        open(path, "w", encoding="utf-8").write(text)
