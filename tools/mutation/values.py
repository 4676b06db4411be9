# SPDX-License-Identifier: MIT
"""Changes of the code that no test can notice, because where they stand they have never made another value.

All changes of comparisons, operators, conditions, numbers in them and assignments are watched at once, in one build: where
an expression has no side effects, what a change would make of it is computed beside it. A change that stays without a
difference while all tests run is one that they cannot tell from the code."""
import bisect
import re
import subprocess
from collections import namedtuple

import draw

PRECEDENCE = {op: level for level, ops in enumerate((
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%")))
    for op in ops}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
ORDERED, COMPARED = {"<", "<=", ">", ">="}, {"<", "<=", ">", ">=", "==", "!="}
TYPE = re.compile(r"(\w+_t|\w+_fn|int|char|unsigned|signed|long|short|struct|union|enum|const|bool|void|double|float|FILE)$")
# What is called and has no side effects.
PURE = {"strcmp", "strlen", "strncmp", "memcmp", "strchr", "COUNT"}
# A change that is watched: how (`differs`: C that says whether it makes a difference; None: of a condition, `wanted` being
# whether it must be true), from where to where in the text, and the change itself, None where a statement is left out.
Watched = namedtuple("Watched", "differs wanted start end change")


class Unread(Exception):
    """An expression that is not understood; nothing of its statement is watched."""


class Node:
    def __init__(self, kind, text, parts, start, end, pure):
        self.kind, self.text, self.parts, self.start, self.end, self.pure = kind, text, parts, start, end, pure


class Reader:
    """Reads the tokens of an expression."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def next(self):
        return self.tokens[self.at].text if self.at < len(self.tokens) else None

    def take(self, wanted=None):
        if self.at >= len(self.tokens) or wanted not in (None, self.next()):
            raise Unread
        self.at += 1
        return self.tokens[self.at - 1]

    def all(self):
        node = self.sequence()
        if self.at != len(self.tokens):
            raise Unread
        return node

    def sequence(self):
        node = self.assignment()
        while self.next() == ",":
            self.take()
            node = self.joined("sequence", ",", node, self.assignment())
        return node

    def joined(self, kind, text, *parts):
        return Node(kind, text, parts, parts[0].start, parts[-1].end, all(part.pure for part in parts))

    def assignment(self):
        node = self.binary(0)
        if self.next() == "?":
            self.take()
            middle = self.sequence()
            self.take(":")
            node = self.joined("choice", "?", node, middle, self.assignment())
        elif self.next() in ASSIGNMENTS:
            sign = self.take().text
            node = self.joined("assignment", sign, node, self.assignment())
            node.pure = False
        return node

    def binary(self, least):
        node = self.unary()
        while PRECEDENCE.get(self.next(), -1) >= least:
            sign = self.take()
            node = self.joined("binary", sign.text, node, self.binary(PRECEDENCE[sign.text] + 1))
            node.sign = sign
        return node

    def cast_end(self):
        """Where a cast ends whose parenthesis comes next; None where it is none."""
        end = draw.closing(self.tokens, self.at)
        inside = self.tokens[self.at + 1:end] if end else []
        plain = all(t.kind == "word" or t.text in "*[]" or t.kind == "number" for t in inside)
        return end if inside and plain and TYPE.match(inside[0].text) else None

    def unary(self):
        first = self.next()
        if first in ("!", "~", "-", "+", "*", "&", "++", "--"):
            sign = self.take()
            inner = self.unary()
            return Node("unary", first, (inner,), sign.start, inner.end, inner.pure and first not in ("++", "--"))
        if first == "sizeof":
            sign = self.take()
            end = draw.closing(self.tokens, self.at) if self.next() == "(" else None
            if end is None:
                return Node("leaf", first, (), sign.start, self.unary().end, True)
            self.at = end + 1
            return Node("leaf", first, (), sign.start, self.tokens[end].end, True)
        end = self.cast_end() if first == "(" else None
        if end is None:
            return self.postfix()
        start, self.at = self.tokens[self.at].start, end + 1
        if self.next() == "{":
            return self.after(self.initializer(start))
        inner = self.unary()
        return Node("cast", "", (inner,), start, inner.end, inner.pure)

    def initializer(self, start):
        end, parts = draw.closing(self.tokens, self.at), []
        self.take("{")
        while self.at < end:
            while self.next() in (".", "["):
                while self.take().text != "=":
                    pass
            parts.append(self.initializer(start) if self.next() == "{" else self.assignment())
            if self.at < end:
                self.take(",")
        self.take("}")
        return Node("initializer", "{", parts, start, self.tokens[end].end, False)

    def postfix(self):
        token = self.take()
        if token.text == "(":
            inner = self.sequence()
            return self.after(Node("parentheses", "(", (inner,), token.start, self.take(")").end, inner.pure))
        if token.kind not in ("number", "text", "word") or token.text in draw.WORDS:
            raise Unread
        end = token.end
        while token.kind == "text" and self.at < len(self.tokens) and self.tokens[self.at].kind in ("text", "word"):
            end = self.take().end
        return self.after(Node("number" if token.kind == "number" else "leaf", token.text, (), token.start, end, True))

    def after(self, node):
        while self.next() in ("(", "[", ".", "->", "++", "--"):
            sign = self.take()
            if sign.text == "(":
                parts = [node]
                while self.next() != ")":
                    parts.append(self.assignment())
                    if self.next() == ",":
                        self.take()
                pure = node.text in PURE and all(part.pure for part in parts)
                node = Node("call", node.text, parts, node.start, self.take(")").end, pure)
            elif sign.text == "[":
                inner = self.sequence()
                node = Node("element", "[", (node, inner), node.start, self.take("]").end, node.pure and inner.pure)
            elif sign.text in (".", "->"):
                node = Node("member", sign.text, (node,), node.start, self.take().end, node.pure)
            else:
                node = Node("unary", sign.text, (node,), node.start, sign.end, False)
        return node


def shown_by(node, around):
    """The expression whose value tells a change of `node`: as far as operators alone stand around it, to a comparison."""
    shown = node if node.kind == "binary" else None
    for outer in reversed(around):
        if outer.kind == "binary" and outer.pure and outer.text not in ("&&", "||"):
            if outer.text in "/%" and node is outer.parts[1]:   # which may become 0
                break
            shown = outer
            if outer.text in COMPARED:
                break
        elif outer.kind not in ("parentheses", "cast") and not (outer.kind == "unary" and outer.text in "-~+"):
            break
        node = outer
    return shown


def watched(text, statement):
    """The changes of a statement that can be watched."""
    if not statement.tokens:   # a jump
        return []
    root, found = Reader(statement.tokens).all(), []

    def of(node):
        return f"({text[node.start:node.end]})"

    def instead(node, change):
        return f"({text[node.start:change.start]}{change.text}{text[change.end:node.end]})"

    def walk(node, around):
        if node.kind == "binary" and node.text in draw.OTHERS:
            other = draw.OTHERS[node.text]
            change = draw.Change("operator", f"{node.text} to {other}", node.sign.start, node.sign.end, other)
            if node.text in ("&&", "||"):
                found.append(Watched(None, node.text == "||", node.start, node.end, change))
            elif node.pure and node.text in ORDERED:
                found.append(Watched(f"{of(node.parts[0])} == {of(node.parts[1])}", None, node.start, node.end, change))
            elif node.pure and node.text not in COMPARED:
                shown = shown_by(node, around)
                found.append(Watched(f"{of(shown)} != {instead(shown, change)}", None, shown.start, shown.end, change))
        number = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", node.text) if node.kind == "number" else None
        shown = shown_by(node, around) if number else None
        if shown:
            value = int(number[1], 16 if number[1][:2] in ("0x", "0X") else 10)
            divides = any(outer.text in "/%" for outer in around)
            for other in (value + 1, value - 1) if value else (1,):
                if other or not divides:
                    change = draw.Change("number", f"{node.text} to {other}", node.start, node.end, f"{other}{number[2]}")
                    found.append(Watched(f"{of(shown)} != {instead(shown, change)}", None, shown.start, shown.end, change))
        for part in node.parts:
            walk(part, [*around, node])

    walk(root, [])
    if statement.kind == "condition":
        for wanted, what, new in ((True, "never true", "0"), (False, "always true", "1")):
            change = draw.Change("operator", what, statement.start, statement.end, new)
            found.append(Watched(None, wanted, statement.start, statement.end, change))
    if statement.kind == "statement" and root.kind == "assignment" and all(part.pure for part in root.parts):
        place, value = map(of, root.parts)
        new = value if root.text == "=" else f"({place} {root.text[:-1]} {value})"
        found.append(Watched(f"{place} != {new}", None, statement.start, statement.end, None))
    return found


def written(text, numbered):
    """The source that watches these changes, by their numbers, and where in it each number's C stands."""
    pieces = []   # place, closing ones first, inner before outer there; at the start outer before inner
    for number, row in numbered:
        size, whole = row.end - row.start, row.change is None
        if row.differs is None:
            first, second = (number, 0) if row.wanted else (0, number)
            opening, end = f"values_both({first}, {second}, (", "))"
        elif whole:
            opening, end, size = f"{{ VALUES_OF({number}, {row.differs}); ", "}", size + 1
        else:
            opening, end = f"(VALUES_OF({number}, {row.differs}), ", ")"
        pieces += [(row.start, 1, -size, opening, number), (row.end, 0, size, end, number)]
    out, at, length, places = [], 0, 0, []
    for place, _, _, piece, number in sorted(pieces, key=lambda p: p[:3]):
        out += [text[at:place], piece]
        length += place - at
        places.append((length, length + len(piece), number))
        length += len(piece)
        at = place
    return "".join(out) + text[at:], places


def compiled(path, text, numbered, command, head):
    """Writes a source that watches what the compiler allows; returns those numbers. `command`: its words and folder."""
    words, folder = command
    while True:
        body, places = written(text, numbered)
        path.write_text(f"{head}\n#line 1\n{body}" if numbered else text)
        done = subprocess.run([*words, "-w", "-fsyntax-only", "-fdiagnostics-color=never", "-fmax-errors=0", str(path)], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode == 0 or not numbered:
            return [number for number, _ in numbered]
        starts, begins, refused = [0] + [m.end() for m in re.finditer("\n", body)], [place[0] for place in places], set()
        for line, column in re.findall(rf"^[^\n:]*{re.escape(path.name)}:(\d+):(\d+): error", done.stderr, re.M):
            at = bisect.bisect(begins, starts[int(line) - 1] + int(column) - 1) - 1
            refused.add(places[max(at, 0)][2])
        if not refused:
            refused = {number for number, _ in numbered}
        numbered = [row for row in numbered if row[0] not in refused]
