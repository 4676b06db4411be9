#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The grammars of editors colour each word of real sources as the assembler reads it.

usage: grammars.py pygments|kate|vim GPUCODE SOURCE_ROOT TOKENS

TOKENS prints the words of a source as the assembler has them (tokens.c)."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

editor, program, root, tokens_program = sys.argv[1:5]
SOURCES = {"afuc": [("-", "examples/firmware/a6xx.asm"), ("-", "examples/firmware/a7xx.asm"),
                    ("afuc:a730", "tests/console/afuc.asm")],
           "hwsq": [("-", "tests/console/hwsq.hwsq")],
           "a3xx": [("-", "examples/a3xx/planet.asm"), ("-", "examples/a3xx/floor.asm"),
                    ("a3xx", "tests/console/shader.asm")],
           "ir3": [("ir3:a650", "examples/ir3/preamble.asm"), ("ir3:a630", "fuzz/a3xx/corpus/schedule/later.asm"),
                   ("ir3:a6xx", "tests/kit/ir3/cases/a6xx_memory.asm"),
                   ("ir3:a7xx", "tests/kit/ir3/cases/a7xx_lanes.asm")],
           "mme": [("mme:fermi", "examples/mme/macros.mme")]}


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def exported(folder):
    """Exports twice: the same bytes."""
    for name in ("first", "second"):
        subprocess.run([program, "export", editor, "-o", os.path.join(folder, name)], check=True)
    subprocess.run(["diff", "-r", os.path.join(folder, "first"), os.path.join(folder, "second")], check=True)
    return os.path.join(folder, "first")


def words(language):
    """(file, line, column, length, kind) of all its sources."""
    seen = set()
    for target, path in SOURCES[language]:
        lines = subprocess.run([tokens_program, target, os.path.join(root, path)], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.splitlines()
        assert len(lines) > 10, path
        for line in lines:
            file, row, column, length, kind = line.rsplit(" ", 4)
            seen.add((file, int(row), int(column), int(length), kind))
    return sorted(seen)


def compare(language, found, classes):
    """found[file][line][column]: the grammar's word for what stands there."""
    count = 0
    for file, line, column, length, kind in words(language):
        is_at = found[file][line - 1][column]
        if kind in classes:
            count += 1
            assert is_at in classes[kind], (file, line, column, length, kind, is_at)
            if kind not in ("macro", "comment"):  # comments may have several lines
                last = found[file][line - 1][column + length - 1]
                assert last in classes[kind], (file, line, column, length, kind, last)
        else:
            assert is_at not in classes["comment"], (file, line, column, kind, is_at)
    assert count > 5, language
    return count


def texts(language):
    return {file: open(file, encoding="utf-8").read() for file in {word[0] for word in words(language)}}


def check_pygments(folder):
    try:
        from pygments.token import Comment, Error, Keyword, Name
    except ImportError:
        skip("no pygments")
    sys.path.insert(0, folder)
    import gpucode_lexers
    classes = {"label": [Name.Label], "directive": [Keyword.Pseudo], "flag": [Keyword.Type, Keyword], "mnemonic": [Keyword],
               "comment": [Comment], "macro": [Name]}
    total = 0
    for language in SOURCES:
        found = {}
        for file, text in texts(language).items():
            kinds = []
            pieces = list(getattr(gpucode_lexers, language.capitalize() + "Lexer")(stripnl=False).get_tokens(text))
            assert "".join(piece for _, piece in pieces) == text and not any(kind is Error for kind, _ in pieces)
            for kind, piece in pieces:
                kinds += [(kind, char) for char in piece]
            lines = [[]]
            for kind, char in kinds:
                lines[-1].append(kind)
                if char == "\n":
                    lines.append([])
            found[file] = lines
        total += compare(language, found, classes)
        # a word that nothing knows is a plain name, in sets with marks in front of names and in those without
        lexer = getattr(gpucode_lexers, language.capitalize() + "Lexer")(stripnl=False)
        assert (Name, "frobnicated") in list(lexer.get_tokens("frobnicated")), language
    return total


def check_vim(folder):
    vim = shutil.which("vim")
    if not vim or subprocess.run([vim, "--version"], stdout=subprocess.PIPE).stdout.find(b"+syntax") < 0:
        skip("no vim with +syntax")
    classes = {kind: ["gpu%s" + kind.capitalize()] for kind in ("label", "directive", "mnemonic", "comment")}
    classes["flag"] = ["gpu%sModifier", "gpu%sMnemonic"]
    # meson has malloc() overwrite memory to find faults of ours; vim takes ten times as long with it
    environment = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}
    total = 0
    for language in SOURCES:
        found = {}
        chosen = {kind: [name % language.capitalize() for name in names] for kind, names in classes.items()}
        script, result = os.path.join(folder, "look.vim"), os.path.join(folder, "result")
        looks = []
        with open(script, "w", encoding="utf-8") as out:
            out.write("set nocompatible\nfiletype off\nlet out = []\n")
            all_words = words(language)
            for file, text in texts(language).items():
                found[file] = [{} for _ in text.split("\n")]
                out.write(f"silent edit {file}\nsyntax clear\nunlet! b:current_syntax\n"
                          f"source {folder}/syntax/{language}.vim\nsyntax sync fromstart\n")
                for line, column in sorted({(line, column) for name, line, start, length, _ in all_words if name == file
                                            for column in (start, start + length - 1)}):
                    looks.append((file, line, column))
                    out.write(f"call add(out, synIDattr(synID({line}, {column + 1}, 1), 'name'))\n")
            out.write(f"call writefile(out, '{result}')\nqa!\n")
        subprocess.run([vim, "-X", "-n", "-es", "-u", "NONE", "-i", "NONE", "-S", script], timeout=100,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)
        names = open(result, encoding="utf-8").read().split("\n")
        assert len(names) == len(looks) + 1, "vim did not come to the end"
        for (file, line, column), name in zip(looks, names):
            found[file][line - 1][column] = name
        total += compare(language, found, chosen)
    detect = open(os.path.join(folder, "ftdetect/gpucode.vim"), encoding="utf-8").read()
    assert all(f"*.{language} setfiletype {language}" in detect for language in SOURCES)
    return total


def check_kate(folder):
    """Well-formed, all that it refers to is there; and read as Kate does, rule after rule at each place."""
    classes = {"label": ["Function"], "directive": ["Preprocessor"], "flag": ["Attribute", "Keyword"], "mnemonic": ["Keyword"],
               "comment": ["Comment"], "macro": ["Normal"]}
    total = 0
    for language in SOURCES:
        tree = xml.etree.ElementTree.parse(os.path.join(folder, f"gpucode-{language}.xml")).getroot()
        assert tree.tag == "language" and all(tree.get(key) for key in ("name", "section", "version", "extensions"))
        styles = {item.get("name") for item in tree.iter("itemData")}
        contexts = {context.get("name"): context for context in tree.iter("context")}
        rules = {}
        for name, context in contexts.items():
            assert context.get("attribute") in styles
            rules[name] = []
            for rule in context:
                assert rule.tag == "RegExpr" and rule.get("attribute") in styles, rule.attrib
                assert rule.get("context") in ("#stay", "#pop") or rule.get("context") in contexts
                rules[name].append((re.compile(rule.get("String")), rule.get("attribute"), rule.get("context")))
        found = {}
        for file, text in texts(language).items():
            stack, lines = ["Line"], []
            for line in text.split("\n"):
                kinds, at = [], 0
                while at < len(line):
                    for pattern, style, to in rules[stack[-1]]:
                        match = pattern.match(line, at)
                        if match and match.end() > at:
                            kinds += [style] * (match.end() - at)
                            at = match.end()
                            if to == "#pop":
                                stack.pop()
                            elif to != "#stay":
                                stack.append(to)
                            break
                    else:
                        kinds.append(contexts[stack[-1]].get("attribute"))
                        at += 1
                lines.append(kinds)
            found[file] = lines
        total += compare(language, found, classes)
    return total


with tempfile.TemporaryDirectory() as temporary:
    checked = {"pygments": check_pygments, "kate": check_kate, "vim": check_vim}[editor](exported(temporary))
    print(f"{checked} words")
