# SPDX-License-Identifier: MIT
"""Reads language modules for Ghidra as far as `gpucode export sleigh` uses them, decodes instructions with them and runs
their p-code. Written from the documentation of SLEIGH and from what its compiler refuses: words of the language as names,
tables built twice, labels that nobody goes to, names defined twice, tables of which some constructors export, patterns of
which neither is a case of the other. Stricter than Ghidra: sizes must agree."""
import os
import re

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|0x[0-9a-f]+|\d+|s>>|s<|[A-Za-z_.][\w.]*|<<|>>|&&|\|\||==|!=|<=|>=|<L\d+>|.)', re.S)
SPECIFIC = {"inst_start", "inst_next"}
# words of definitions and of p-code, which the compiler's lexer takes for itself
DEFINITION_WORDS = set("space type ram_space default register_space token context bitrange signed noflow hex dec endian "
                       "alignment big little size wordsize offset names values variables pcodeop".split())
CODE_WORDS = set("zext carry borrow sext scarry sborrow nan abs sqrt ceil floor round int2float float2float trunc cpool "
                 "newobject popcount lzcount if goto call return delayslot crossbuild export build local".split())


def tokens_of(text):
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            break
        found.append(match.group(1))
        at = match.end()
    return [token for token in found if token.strip()]


class Module:
    def __init__(self, path):
        self.spaces, self.registers, self.fields, self.variables, self.names = {}, {}, {}, {}, {}
        self.pcodeops, self.tables, self.found = set(), {}, {}
        self.read(path)
        for table in self.tables.values():
            for constructor in table:
                constructor.compile(self)
        self.check_names()
        for name, table in self.tables.items():
            self.check_table(name, table)

    def check_names(self):
        """Names are not words of the language, and each means one thing."""
        kinds = [self.spaces, self.registers, self.fields, self.pcodeops, self.tables]
        for kind in kinds:
            for name in kind:
                assert name not in CODE_WORDS and name not in DEFINITION_WORDS and name != "instruction", name
                assert sum(name in other for other in kinds) == 1, f"{name} is two things"
        for values in self.names.values():
            assert all("\\" not in value and value.count('"') == 2 for value in values)

    @staticmethod
    def check_table(name, table):
        """All constructors of a table export something, or none; of two patterns that both fit a word one is a case of the
        other, or there is one for exactly what they share."""
        exports = {any(statement[0] == "export" for statement in constructor.body.statements) for constructor in table}
        assert len(exports) == 1 and (name or exports == {False}), f"some constructors of {name} export"
        if name:
            assert not any(statement[0] == "delayslot" for constructor in table for statement in constructor.body.statements)
        patterns = [(mask, match, constructor) for constructor in table for mask, match in constructor.patterns()]
        known = {(mask, match) for mask, match, _ in patterns}
        by_mask = {}
        for mask, match, constructor in patterns:
            other = by_mask.setdefault(mask, {}).setdefault(match, constructor)
            assert other is constructor, f"{constructor.text} and {other.text} have one pattern"
        masks = sorted(by_mask)
        for index, mask in enumerate(masks):
            for other in masks[index + 1:]:
                if mask & other in (mask, other):
                    continue  # one says more than the other wherever both fit
                common = mask & other
                shared = {}
                for match, constructor in by_mask[mask].items():
                    shared.setdefault(match & common, []).append((match, constructor))
                for match, constructor in by_mask[other].items():
                    for own, first in shared.get(match & common, ()):
                        assert first is constructor or (mask | other, match | own) in known, (
                            f"neither is a case of the other: {first.text} / {constructor.text}")

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^#.*$", "", file.read(), flags=re.M)
        while text.strip():
            text = text.lstrip()
            if text.startswith("@include"):
                name = re.match(r'@include "([^"]+)"', text)
                self.read(os.path.join(os.path.dirname(path), name.group(1)))
                text = text[name.end():]
            elif text.startswith(("define ", "attach ")):
                end = text.index(";")
                self.define(text[:end].split())
                text = text[end + 1:]
            else:
                end = self.end_of_constructor(text)
                self.constructor(text[:end])
                text = text[end:]

    @staticmethod
    def end_of_constructor(text):
        return text.index("}", text.index("{")) + 1

    def define(self, words):
        if words[0] == "attach":
            text = " ".join(words)
            match = re.match(r"attach (\w+) \[ (.*?) \] \[(.*)\]", text)
            values = re.findall(r'"[^"]*"|\S+', match.group(3))
            for field in match.group(2).split():
                low, high, _ = self.fields[field]
                assert len(values) == 1 << (high - low + 1), (field, len(values))
                (self.variables if match.group(1) == "variables" else self.names)[field] = values
                if match.group(1) == "variables":
                    assert all(value in self.registers for value in values)
        elif words[1] == "space":
            options = dict(word.split("=") for word in words[3:] if "=" in word)
            assert options["type"] in ("ram_space", "register_space")
            if "default" in words[3:]:
                self.default = words[2]
            self.spaces[words[2]] = (int(options["size"]), int(options.get("wordsize", 1)))
        elif words[1] == "register":
            offset, size = int(words[2].split("=")[1], 0), int(words[3].split("=")[1])
            for name in words[5:-1]:
                assert name not in self.registers
                self.registers[name] = (offset, size)
                offset += size
        elif words[1] == "token":
            bits = int(re.search(r"\((\d+)\)", words[2]).group(1))
            assert bits % 8 == 0
            for match in re.finditer(r"(\w+) = \((\d+), ?(\d+)\)( signed)?", " ".join(words[3:])):
                low, high = int(match.group(2)), int(match.group(3))
                assert 0 <= low <= high < bits and match.group(1) not in self.fields
                self.fields[match.group(1)] = (low, high, bool(match.group(4)))
        elif words[1] == "pcodeop":
            self.pcodeops.add(words[2])
        else:
            assert words[1].startswith(("endian=", "alignment=")), words

    def constructor(self, text):
        made = Constructor(text)
        self.tables.setdefault(made.table, []).append(made)

    def field(self, name, word):
        low, high, signed = self.fields[name]
        value = word >> low & ((1 << (high - low + 1)) - 1)
        return value - (2 << (high - low)) if signed and value >> (high - low) else value

    def find(self, table, word):
        """The constructor with most bits that decide."""
        found = self.found.get((table, word))
        if found is None:
            fitting = sorted((constructor for constructor in self.tables[table] if constructor.matches(word)),
                             key=lambda constructor: -constructor.bits)
            assert len(fitting) < 2 or fitting[0].bits > fitting[1].bits, f"two constructors of {table} fit 0x{word:x}"
            found = self.found[table, word] = fitting[0] if fitting else None
        return found

    def text(self, word, address, constructor=None):
        constructor = constructor or self.find("", word)
        if constructor is None:
            return None
        out = ""
        local = constructor.actions_of(self, word, address)
        for piece in constructor.display:
            if piece.startswith('"'):
                out += re.sub(r"\\(.)", r"\1", piece[1:-1])
            elif piece in self.tables:
                out += self.text(word, address, self.find(piece, word))
            elif piece in local:
                out += hex(local[piece])
            elif piece in self.names:
                out += self.names[piece][self.field(piece, word)].strip('"')
            elif piece in self.fields:
                out += hex(self.field(piece, word))
            elif piece != "^":
                out += piece
        return out


class Constructor:
    def __init__(self, text):
        self.text = text.strip().split("\n")[0]
        head, self.body_text = text[:text.index("{")], text[text.index("{") + 1:-1]
        match = re.match(r'\s*([A-Za-z_]\w*)?\s*:((?:"(?:[^"\\]|\\.)*"|[^"])*?)\sis\s(.*)$', head, re.S)
        assert match, head
        self.table = match.group(1) or ""
        self.display = re.findall(r'"(?:[^"\\]|\\.)*"|\w+|\s+|.', match.group(2).strip())
        pattern = match.group(3)
        self.actions = []
        if "[" in pattern:
            inside = pattern[pattern.index("[") + 1:pattern.rindex("]")]
            self.actions = [part.split("=", 1) for part in inside.split(";") if part.strip()]
            pattern = pattern[:pattern.index("[")]
        self.constraints, self.operands = [], []
        for part in pattern.strip().split(" & "):
            match = re.match(r"(\w+)(!=|=)(0x[0-9a-f]+|\d+)$", part.strip())
            if match:
                self.constraints.append((match.group(1), match.group(2), int(match.group(3), 0)))
            elif part.strip() != "epsilon":
                assert re.match(r"\w+$", part.strip()), part
                self.operands.append(part.strip())

    def compile(self, module):
        self.bits = self.mask = self.match = 0
        self.not_zero = []
        for field, sign, value in self.constraints:
            low, high, _ = module.fields[field]
            ones = ((2 << (high - low)) - 1) << low
            if sign == "=":
                self.mask |= ones
                self.match |= value << low
            else:
                assert value == 0
                self.not_zero.append(ones)
            assert value >> (high - low + 1) == 0, (self.text, field, value)
            # "not 0" says less than a value, more than nothing
            self.bits += (high - low + 1) * 2 if sign == "=" else 1
        for operand in self.operands:
            assert operand in module.tables or operand in module.fields, (self.text, operand)
        for piece in self.display:
            assert not piece.startswith('"') or "\\" not in piece, (self.text, "no sign hides another in a text")
            known = piece in self.operands or piece in [name.strip() for name, _ in self.actions]
            assert not re.match(r"[A-Za-z_]\w*$", piece) or known, (self.text, piece)
        self.body = Body(module, self)

    def patterns(self):
        """(mask, match) of each value of the fields that must not be 0, as the compiler takes them apart."""
        found = [(self.mask, self.match)]
        for ones in self.not_zero:
            low = (ones & -ones).bit_length() - 1
            values = range(1, (ones >> low) + 1)
            found = [(mask | ones, match | value << low) for mask, match in found for value in values
                     if not (match ^ value << low) & mask & ones]
        return found

    def matches(self, word):
        return word & self.mask == self.match and all(word & ones for ones in self.not_zero)

    def actions_of(self, module, word, address):
        local = {}
        for name, formula in self.actions:
            names = {field: module.field(field, word) for field in self.operands if field in module.fields}
            names.update(inst_start=address)
            local[name.strip()] = eval(formula, {"__builtins__": {}}, names)  # numbers, +, *, << and | alone
        return local


class Body:
    """The p-code of a constructor as a list of statements, and its labels."""

    def __init__(self, module, constructor):
        self.module, self.constructor = module, constructor
        self.tokens, self.at = tokens_of(constructor.body_text), 0
        self.statements, self.labels, self.sizes, self.locals = [], {}, {}, set()
        while self.at < len(self.tokens):
            self.statement()
        used = {statement[-1][1] for statement in self.statements
                if statement[0] in ("goto", "if") and statement[-1][0] == "label"}
        assert set(self.labels) == used, (constructor.text, "labels that nobody goes to")
        built = [statement[1] for statement in self.statements if statement[0] == "build"]
        assert len(built) == len(set(built)), (constructor.text, "a table is built twice")
        assert all(name in module.tables for name in built), (constructor.text, "only tables are built")
        assert sum(statement[0] == "delayslot" for statement in self.statements) < 2
        for statement in self.statements:
            if statement[0] in ("goto", "if") and str(statement[-1][0]) == "label":
                assert statement[-1][1] in self.labels, (constructor.text, statement)

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token):
        found = self.next()
        assert found == token, (self.constructor.text, found, "instead of", token, self.tokens[self.at - 8:self.at + 4])

    def statement(self):
        token = self.next()
        if token.startswith("<L"):
            assert token not in self.labels
            self.labels[token] = len(self.statements)
            return
        if token == "build":
            name = self.next()
            assert name in self.constructor.operands, (self.constructor.text, name)
            self.statements.append(("build", name))
        elif token == "delayslot":
            self.expect("(")
            self.next()
            self.expect(")")
            self.statements.append(("delayslot",))
        elif token in ("goto", "call", "return"):
            self.statements.append((token, self.destination()))
        elif token == "if":
            self.expect("(")
            negated = self.peek() == "!"
            if negated:
                self.next()
            condition = self.primary()
            if self.peek() != ")":
                condition = self.binary(condition)
            self.expect(")")
            self.expect("goto")
            assert condition[-1] == 1, (self.constructor.text, condition)
            assert self.peek() != "[", (self.constructor.text, "only jumps without a condition go to computed places")
            self.statements.append(("if", negated, condition, self.destination()))
        elif token == "export":
            if self.peek() == "*":
                self.next()
                self.expect("[")
                space = self.next()
                self.expect("]")
                self.expect(":")
                size = int(self.next())
                self.statements.append(("export", space, self.next(), size))
            else:
                self.statements.append(("export", None, self.primary()))
        else:
            self.assignment(token)
        self.expect(";")

    def destination(self):
        token = self.next()
        if token.startswith("<L"):
            return ("label", token)
        if token == "[":
            value = self.primary()
            self.expect("]")
            assert value[-1] == self.module.spaces[self.module.default][0], self.constructor.text
            return ("value", value)
        assert token in SPECIFIC or token in self.constructor.operands, (self.constructor.text, token)
        return ("name", token)

    def assignment(self, token):
        if self.peek() == "(" and token in self.module.pcodeops:
            self.at -= 1
            self.statements.append(("do", self.primary()))
            return
        if token == "*":
            place = self.dereference()
        else:
            new = token == "local"
            name = self.next() if new else token
            if new:
                self.expect(":")
                size = int(self.next())
                assert self.sizes.get(name, size) == size
                assert name not in self.module.registers and name not in self.module.fields
                assert name not in CODE_WORDS and name not in self.locals, (self.constructor.text, name, "is defined twice")
                self.locals.add(name)
                self.sizes[name] = size
            place = ("name", name, self.size_of(name))
        self.expect("=")
        value = self.expression()
        assert value[-1] in (place[-1], None), (self.constructor.text, place, value)
        self.statements.append(("=", place, value))

    def size_of(self, name):
        if name == "inst_start":
            return 4
        if name in self.sizes:
            return self.sizes[name]
        if name in self.module.registers:
            return self.module.registers[name][1]
        made = [action.strip() for action, _ in self.constructor.actions]
        assert name in self.constructor.operands or name in made, (self.constructor.text, name)
        return 4

    def dereference(self):
        self.expect("[")
        space = self.next()
        self.expect("]")
        self.expect(":")
        size = int(self.next())
        address = self.primary()
        assert address[-1] == self.module.spaces[space][0], (self.constructor.text, space, address)
        return ("load", space, address, size)

    def expression(self):
        value = self.primary()
        while self.peek() not in (";", ")", ","):
            value = self.binary(value)
        return value

    def binary(self, left):
        sign = self.next()
        right = self.primary()
        if sign in ("<<", ">>", "s>>"):
            return ("binary", sign, left, right, left[-1])
        size = left[-1] or right[-1]
        assert right[-1] in (size, None) and left[-1] in (size, None), (self.constructor.text, sign, left, right)
        if sign in ("==", "!=", "<", ">", "<=", ">=", "s<"):
            return ("binary", sign, left, right, 1)
        if sign in ("&&", "||"):
            assert size == 1
        assert sign in ("+", "-", "*", "&", "|", "^", "&&", "||"), (self.constructor.text, sign)
        return ("binary", sign, left, right, size)

    def primary(self):
        token = self.next()
        if token == "(":
            value = self.expression()
            self.expect(")")
            return value
        if token in ("!", "~", "-"):
            value = self.primary()
            assert token != "!" or value[-1] == 1
            return ("unary", token, value, value[-1])
        if token == "*":
            return self.dereference()
        if re.match(r"0x|\d", token):
            self.expect(":")
            return ("number", int(token, 0), int(self.next()))
        if self.peek() == "(":
            return self.call(token)
        if self.peek() == ":":
            self.next()
            size = int(self.next())
            assert self.size_of(token) > size
            return ("cut", token, size)
        return ("name", token, self.size_of(token))

    def call(self, name):
        self.expect("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.expression())
            if self.peek() == ",":
                self.next()
        self.expect(")")
        if name == "zext":
            return ("zext", arguments[0], None)
        if name in ("popcount", "lzcount"):
            return ("count", name, arguments[0], 4)
        assert name in self.module.pcodeops, (self.constructor.text, name)
        return ("call", name, arguments, 4)
