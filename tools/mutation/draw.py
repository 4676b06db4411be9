# SPDX-License-Identifier: MIT
"""Mutants of C sources: small changes of statements, each of which is switched on while the program runs.

A source is taken apart into tokens, the bodies of its functions into statements. A statement is changed in one way:
an operator is another one, a number one more or less, a condition never or always true, `!` goes away, two arguments
change places, the statement is left out. What was drawn stands beside what was there, `mutant_on(K)` between them."""
import re
from collections import namedtuple

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<directive>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)"""
    r"""|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')|(?P<word>[A-Za-z_]\w*)|(?P<number>(?:0[xX][0-9a-fA-F]+|\d[\w.]*)\w*)"""
    r"""|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.S)
Token = namedtuple("Token", "kind text start end")
# A statement: its kind, where it begins and ends, and the tokens of its expression.
Statement = namedtuple("Statement", "kind start end tokens")
# A change: what is put in place of the text from `start` to `end`; `kind` is what it is drawn by.
Change = namedtuple("Change", "kind what start end text")

OTHERS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
          "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=",
          "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<=", "++": "--", "--": "++"}
UNARY_TOO = {"+", "-", "*", "&"}
OPENING, CLOSING = "([{", ")]}"
# Which change of order or of sign means the same, or what is not evaluated.
SYMMETRIC = {"strcmp", "memcmp", "sizeof", "calloc", "max", "min"}
# What gets memory: one more of what is asked for is room that nobody uses.
ALLOCATIONS = {"malloc", "calloc", "realloc", "reallocarray", "memory_alloc", "memory_zeroed"}
WORDS = {"if", "while", "for", "switch", "return", "sizeof", "do", "else", "case", "goto", "break", "continue"}


def tokens_of(text):
    return [Token(m.lastgroup, m[0], m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != "space"]


def closing(tokens, at):
    """The place of the bracket that closes the one at `at`; None when there is none."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i].text in OPENING) - (tokens[i].text in CLOSING)
        if depth == 0:
            return i
    return None


def statements(text):
    """The statements in the bodies of functions that can be changed; what stands under a condition of the preprocessor is not."""
    tokens = tokens_of(text)
    guard = any(t.kind == "directive" and t.text.lstrip().startswith("#ifndef") for t in tokens[:2])
    conditions, i = -1 if guard else 0, 0
    while i < len(tokens):
        conditions += condition_step(tokens[i])
        if tokens[i].text == "{" and (tokens[i].start == 0 or text[tokens[i].start - 1] == "\n"):
            end = closing(tokens, i)
            if end is None:
                return
            if conditions <= 0:
                yield from within(tokens[i + 1:end])
            conditions += sum(map(condition_step, tokens[i:end]))
            i = end
        i += 1


def condition_step(token):
    """What a directive adds to the number of conditions that it stands in."""
    words = token.text.lstrip(" #\t") if token.kind == "directive" else ""
    return words.startswith("if") - words.startswith("endif")


def within(tokens):
    i = conditions = 0
    while i < len(tokens):
        t = tokens[i]
        if t.kind == "directive" or conditions:
            conditions += condition_step(t)
            i += 1
        elif t.text in ("if", "while", "for", "switch") and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            end = closing(tokens, i + 1)
            inside = tokens[i + 2:end]
            if t.text == "for":
                parts = [k for k, u in enumerate(inside) if u.text == ";"]
                inside = inside[parts[0] + 1:parts[1]] if len(parts) == 2 else []
            # while: also that of do, whose condition stands before a semicolon
            if inside and t.text != "switch":
                yield Statement("condition" if t.text != "while" else "loop", inside[0].start, inside[-1].end, inside)
            i = end + 1
        elif t.text in ("{", "}", ";", "else", "do"):
            i += 1
        elif t.text in ("case", "default") or (i + 1 < len(tokens) and t.kind == "word" and tokens[i + 1].text == ":"):
            while i < len(tokens) and tokens[i].text != ":":
                i += 1
            i += 1
        else:
            end = i
            while end < len(tokens) and tokens[end].text != ";":
                end = closing(tokens, end) + 1 if tokens[end].text in OPENING else end + 1
            whole = tokens[i:end + 1]
            i = end + 1
            if not any(u.kind == "directive" or u.text in ("asm", "static") for u in whole) and whole[-1].text == ";":
                yield from simple(whole)


def simple(whole):
    """A statement that ends with a semicolon."""
    first, start, end = whole[0].text, whole[0].start, whole[-1].end
    if first in ("break", "continue"):
        yield Statement("jump", start, end, [])
    elif first == "return":
        if len(whole) > 2:
            yield Statement("value", whole[1].start, whole[-2].end, whole[1:-1])
    elif first != "goto" and whole[0].kind in ("word", "sign") and not unused(whole):
        declared = declaration(whole)
        if declared:
            if whole[declared].text != "{":
                yield Statement("value", whole[declared].start, whole[-2].end, whole[declared:-1])
        elif declared is None:
            yield Statement("statement", start, end, whole[:-1])


def unused(whole):
    """Is it `(void)name;`, once or more, which does nothing?"""
    words = [t.text for t in whole if t.kind == "word"]
    return words[:1] == ["void"] and words.count("void") == sum(t.text == "(" for t in whole)


def declaration(whole):
    """Of a declaration with one initializer where that begins; 0 of another declaration, None of what is none."""
    k = 0
    while k < len(whole) and (whole[k].kind == "word" or whole[k].text == "*"):
        k += 1
    if sum(t.kind == "word" for t in whole[:k]) < 2:
        return None
    depth = 0
    for t in whole[k:]:
        depth += (t.text in OPENING) - (t.text in CLOSING)
        if t.text == "," and depth == 0:
            return 0
    return k + 1 if whole[k].text == "=" else 0


def spare(tokens):
    """The places of tokens that say how much room there is beyond what is needed, which nobody can notice: the first
    size and the factor in `room ? 2 * room : 16`, and what is added in a call that gets memory. Of the first two any
    change means the same; of the others, more. Two sets."""
    any_change, more = set(), set()
    for i, t in enumerate(tokens):
        if t.text == "?":
            colon = next((k for k in range(i, len(tokens)) if tokens[k].text == ":"), None)
            inside = [u.text for u in tokens[i + 1:colon]] if colon else []
            first = inside[:1] == ["2"]
            name = inside[2:] if first else inside[:-2]
            grows = "*" in (inside[1:2] if first else inside[-2:-1]) and "2" in (inside[:1] if first else inside[-1:])
            before = [u.text for u in tokens[i - len(name):i]] if i >= len(name) else []
            if grows and name == before and colon + 1 < len(tokens) and tokens[colon + 1].kind == "number":
                more.add(i + 1 if first else colon - 1)
                any_change |= {i + 2 if first else colon - 2, colon + 1}
        elif t.text in ALLOCATIONS and i + 1 < len(tokens) and tokens[i + 1].text == "(":
            end = closing(tokens, i + 1) or len(tokens)
            more |= {k for k in range(i + 2, end) if tokens[k].kind == "number" and tokens[k - 1].text == "+"}
    return any_change, more


def changes(statement):
    """All changes of a statement; their texts are for the places of its tokens."""
    ts = statement.tokens
    any_change, more = spare(ts)
    for i, t in enumerate(ts):
        if i in any_change:
            continue
        before = ts[i - 1] if i else None
        operand = before and (before.kind in ("word", "number", "text") and before.text not in WORDS or before.text in ")]")
        if t.text in OTHERS and t.kind == "sign" and (operand or t.text not in UNARY_TOO) and (i + 1 < len(ts) or t.text in ("++", "--")):
            yield Change("operator", f"{t.text} to {OTHERS[t.text]}", t.start, t.end, OTHERS[t.text])
        elif t.text == "!":
            yield Change("operator", "! left out", t.start, t.end, "")
        elif t.text in ("true", "false"):
            other = "false" if t.text == "true" else "true"
            yield Change("operator", f"{t.text} to {other}", t.start, t.end, other)
        elif t.kind == "number" and re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", t.text):
            suffix = re.search(r"[uUlL]*$", t.text)[0]
            digits = t.text[:len(t.text) - len(suffix)]
            value = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
            for other in (value + 1, value - 1) if value else (1,):
                if i in more and other > value:
                    continue
                yield Change("number", f"{t.text} to {other}", t.start, t.end, f"{other}{suffix}")
        elif t.text == "(" and before and before.kind == "word" and before.text not in WORDS | SYMMETRIC:
            yield from swaps(ts, i)
    if statement.kind == "condition":
        yield Change("operator", "never true", statement.start, statement.end, "0")
        yield Change("operator", "always true", statement.start, statement.end, "1")


def swaps(ts, at):
    end = closing(ts, at)
    cuts, depth = [at], 0
    for i in range(at + 1, end or at):
        depth += (ts[i].text in OPENING) - (ts[i].text in CLOSING)
        if ts[i].text == "," and depth == 0:
            cuts.append(i)
    parts = [ts[a + 1:b] for a, b in zip(cuts, cuts[1:] + [end])] if len(cuts) > 1 else []
    for k, (a, b) in enumerate(zip(parts, parts[1:])):
        if a and b and [t.text for t in a] != [t.text for t in b]:
            yield Change("order", f"arguments {k + 1} and {k + 2} of {ts[at - 1].text} change places", a[0].start, b[-1].end, (a, b))


def changed(text, statement, change):
    """What the change makes of the statement; nothing where it is left out."""
    if change is None:
        return ""
    new = change.text
    if isinstance(new, tuple):
        (a, b) = new
        new = text[b[0].start:b[-1].end] + text[a[-1].end:b[0].start] + text[a[0].start:a[-1].end]
    return text[statement.start:change.start] + new + text[change.end:statement.end]


def switched(text, statement, change, number):
    """The source with one statement that is also what the change makes of it; it is left out when the change is none."""
    s, e = statement.start, statement.end
    old = text[s:e]
    on = f"mutant_on({number})"
    if change is None:
        return f"{text[:s]}{{ if (!{on}) {old} }}{text[e:]}"
    new = changed(text, statement, change)
    if statement.kind == "statement":
        return f"{text[:s]}{{ if ({on}) {{ {new} }} else {{ {old} }} }}{text[e:]}"   # an `else` may follow
    return f"{text[:s]}({on} ? ({new}) : ({old})){text[e:]}"


def draw(text, statement, rng):
    """One change of a statement, by the seed, with its name; None where it has none."""
    kinds = {}
    for change in changes(statement):
        kinds.setdefault(change.kind, []).append((change.what, change))
    droppable = statement.kind == "jump" or (statement.kind == "statement" and "free" not in text[statement.start:statement.end])
    if droppable:
        kinds["left out"] = [("left out", None)]
    if not kinds:
        return None
    weights = {"operator": 4, "number": 2, "order": 1, "left out": 4}
    kind = rng.choices(sorted(kinds), [weights[k] for k in sorted(kinds)])[0]
    return rng.choice(kinds[kind])
