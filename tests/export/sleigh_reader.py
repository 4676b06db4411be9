# SPDX-License-Identifier: MIT
"""Reads language modules for Ghidra as far as `gpucode export sleigh` uses them, decodes instructions with them. Written from
the documentation of SLEIGH and from what its compiler refuses; sleigh_rules.py has what concerns the whole module."""
import os
import re

import sleigh_rules
from sleigh_rules import CODE_WORDS

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|0x[0-9a-f]+|\d+|s>>|s<|f<=|f<|[A-Za-z_.][\w.]*|<<|>>|&&|\|\||==|!=|<=|>=|<L\d+>|.)', re.S)
BLANK, INCLUDE = re.compile(r"\s*"), re.compile(r'@include "([^"]+)"\n')
HEAD = re.compile(r'\s*([A-Za-z_]\w*)?\s*:((?:"(?:[^"\\]|\\.)*"|[^"])*?)\sis\s(.*)$', re.S)
PIECE, CONSTRAINT = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|\s+|.'), re.compile(r"(\w+)(!=|=)(0x[0-9a-f]+|0|[1-9]\d*)$")
WORD, NAME = re.compile(r"\w+$"), re.compile(r"[A-Za-z_]\w*$")
SPECIFIC = {"inst_start", "inst_next"}


def tokens_of(text):
    return [token for token in TOKEN.findall(text) if token.strip()]


class Module:
    def __init__(self, path):
        self.spaces, self.registers, self.fields, self.variables, self.names = {}, {}, {}, {}, {}
        self.tokens, self.token_of, self.default, self.alignment, self.endian = {}, {}, None, 1, None
        self.pcodeops, self.tables, self.exports, self.found, self.labels = set(), {}, {}, {}, set()
        self.context, self.by_mask = {}, {}
        self.read(path)
        sleigh_rules.check(self)

    def general(self, number):
        """The name of a general register."""
        return next(name for name, (offset, size) in self.registers.items() if (offset, size) == (4 * number, 4))

    def number_of_general(self, name):
        """None: it is another register."""
        offset = self.registers[name][0]
        return offset // 4 if offset < 0x800 else None

    def is_name(self, name):
        """Is it something already?"""
        kinds = (self.spaces, self.registers, self.fields, self.tokens, self.pcodeops, self.tables, self.context)
        return name in sleigh_rules.PREDEFINED or any(name in kind for kind in kinds)

    def add_name(self, name):
        assert sleigh_rules.NAME.match(name), name
        assert name not in sleigh_rules.CODE_WORDS and name not in sleigh_rules.DEFINITION_WORDS, name
        assert not self.is_name(name), f"{name} is two things"

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^#.*$", "", file.read(), flags=re.M)
        at = BLANK.match(text).end()
        while at < len(text):
            if text.startswith("@include", at):
                name = INCLUDE.match(text, at)
                self.read(os.path.join(os.path.dirname(path), name.group(1)))
                end = name.end()
            elif text.startswith(("define ", "attach "), at):
                end = text.index(";", at) + 1
                self.define(text[at:end - 1].split())
            else:
                end = text.index("}", text.index("{", at)) + 1
                Constructor(self, text[at:end])
            at = BLANK.match(text, end).end()

    def define(self, words):
        assert self.endian or words[1].startswith("endian="), "the byte order comes first"
        if words[0] == "attach":
            self.attach(" ".join(words))
        elif words[1] == "space":
            self.define_space(words[2], words[3:])
        elif words[1] in self.spaces:
            offset, size = int(words[2].split("=")[1], 0), int(words[3].split("=")[1])
            assert words[4] == "[" and words[-1] == "]"
            for name in words[5:-1]:
                self.add_name(name)
                assert offset + size <= 1 << 8 * self.spaces[words[1]][0]
                self.registers[name] = (offset, size)
                offset += size
        elif words[1] == "context":
            assert words[2] in self.registers and not self.context and words[3:7] == ["in_slot", "=", "(0,0)", "noflow"], words
            assert words[7:] in ([], ["brief", "=", "(1,1)"]), words
            for name in words[3::4]:
                self.add_name(name)
                self.context[name] = 1
        elif words[1] == "token":
            self.define_token(" ".join(words[2:]))
        elif words[1] == "pcodeop":
            self.add_name(words[2])
            assert len(words) == 3
            self.pcodeops.add(words[2])
        elif words[1].startswith("endian="):
            self.endian = words[1][7:]
            assert self.endian in ("little", "big") and not self.spaces
        else:
            assert words[1].startswith("alignment="), words
            self.alignment = int(words[1][10:])

    def define_space(self, name, words):
        options = dict(word.split("=") for word in words if "=" in word)
        assert set(options) <= {"type", "size", "wordsize"} and set(words) - {"default"} <= {
            f"{option}={value}" for option, value in options.items()}, words
        assert options["type"] in ("ram_space", "register_space")
        self.add_name(name)
        if "default" in words:
            assert self.default is None, "two default spaces"
            self.default = name
        self.spaces[name] = (int(options["size"]), int(options.get("wordsize", 1)))

    def define_token(self, text):
        token, bits, fields = re.match(r"(\w+)\((\d+)\)(.*)$", text).groups()
        self.add_name(token)
        self.tokens[token] = int(bits)
        for match in re.finditer(r"(\w+) = \((\d+), ?(\d+)\)( signed)?", fields):
            low, high = int(match.group(2)), int(match.group(3))
            self.add_name(match.group(1))
            assert 0 <= low <= high < int(bits)
            self.fields[match.group(1)] = (low, high, bool(match.group(4)))
            self.token_of[match.group(1)] = token

    def attach(self, text):
        match = re.match(r"attach (variables|names) \[ (.*?) \] \[(.*)\]$", text)
        values = re.findall(r'"[^"]*"|\S+', match.group(3))
        for field in match.group(2).split():
            low, high, signed = self.fields[field]
            assert len(values) == 1 << (high - low + 1) and not signed, (field, len(values))
            assert field not in self.variables and field not in self.names, f"{field} has two lists"
            assert not self.tables, "lists come before constructors"
            (self.variables if match.group(1) == "variables" else self.names)[field] = values
            if match.group(1) == "variables":
                assert len({self.registers[value][1] for value in values}) == 1, "registers of one size"
            else:
                assert all(value.startswith('"') and "\\" not in value for value in values)

    def size_of_field(self, name):
        return self.registers[self.variables[name][0]][1] if name in self.variables else None

    def field(self, name, word):
        low, high, signed = self.fields[name]
        value = word >> low & ((1 << (high - low + 1)) - 1)
        return value - (2 << (high - low)) if signed and value >> (high - low) else value

    def masks_of(self, table):
        """{mask: {match: constructors}} of those that are looked for: tables have thousands, and few masks."""
        if table not in self.by_mask:
            masks = self.by_mask[table] = {}
            for constructor in self.tables[table]:
                if constructor.slot != 1 and constructor.brief != 1:
                    masks.setdefault(constructor.mask, {}).setdefault(constructor.match, []).append(constructor)
        return self.by_mask[table]

    def find(self, table, word):
        """The constructor with most bits that decide, of an instruction that runs and does not stand in a delay slot."""
        found = self.found.get((table, word))
        if found is None:
            fitting = sorted((constructor for mask, known in self.masks_of(table).items()
                              for constructor in known.get(word & mask, ()) if constructor.matches(word)),
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
    def __init__(self, module, text):
        self.text = text.strip().split("\n")[0]
        head, self.body_text = text[:text.index("{")], text[text.index("{") + 1:-1]
        match = HEAD.match(head)
        assert match, head
        self.table = match.group(1) or ""
        self.display = PIECE.findall(match.group(2).strip())
        pattern = match.group(3)
        self.actions, self.slot, self.brief, self.begins_slot = [], None, None, False
        if "[" in pattern:
            inside = pattern[pattern.index("[") + 1:pattern.rindex("]")]
            self.begins_slot = inside.strip() == "in_slot = 1; globalset(inst_next, in_slot);"
            inside = "" if self.begins_slot else inside
            self.actions = [[part.strip() for part in piece.split("=", 1)] for piece in inside.split(";") if piece.strip()]
            pattern = pattern[:pattern.index("[")]
        self.constraints, self.operands = [], []
        for part in pattern.strip().split(" & "):
            match = CONSTRAINT.match(part.strip())
            if match and match.group(1) in module.context:
                known = "slot" if match.group(1) == "in_slot" else "brief"
                assert match.group(2) == "=" and getattr(self, known) is None and match.group(3) in "01", part
                setattr(self, known, int(match.group(3)))
            elif match:
                self.constraints.append((match.group(1), match.group(2), int(match.group(3), 0)))
            elif part.strip() != "epsilon":
                assert WORD.match(part.strip()), part
                self.operands.append(part.strip())
        if self.table not in module.tables:
            if self.table:
                module.add_name(self.table)
            module.tables[self.table] = []
        self.compile(module)
        module.tables[self.table].append(self)

    def compile(self, module):
        self.bits = self.mask = self.match = 0
        self.not_zero = []
        for field, sign, value in self.constraints:
            low, high, signed = module.fields[field]
            ones = ((2 << (high - low)) - 1) << low
            if sign == "=":
                self.mask |= ones
                self.match |= value << low
            else:  # the compiler makes a pattern of each other value
                assert value == 0 and high - low < 8
                self.not_zero.append(ones)
            assert value >> (high - low + 1) == 0 and not signed, (self.text, field, value)
            # "not 0" says less than a value, more than nothing
            self.bits += (high - low + 1) * 2 if sign == "=" else 1
        self.check_operands(module)
        self.body = Body(module, self)

    def check_operands(self, module):
        assert len(set(self.operands)) == len(self.operands), (self.text, "an operand stands twice")
        made = [name for name, _ in self.actions]
        assert len(set(made)) == len(made)
        for name in made:
            assert not module.is_name(name) and name not in CODE_WORDS and name in self.display, (self.text, name)
        for operand in self.operands:  # tables stand in front of their uses
            assert operand in module.tables and operand != self.table or operand in module.fields, (self.text, operand)
        for piece in self.display:
            assert not piece.startswith('"') or "\\" not in piece, (self.text, "no sign hides another in a text")
            assert not NAME.match(piece) or piece in self.operands + made, (self.text, piece)
            assert piece != "is"
        for _, formula in self.actions:
            for name in re.findall(r"[A-Za-z_]\w*", re.sub(r"\b0x[0-9a-f]+", "", formula)):
                assert name == "inst_start" or name in self.operands and name in module.fields, (self.text, name)
        tokens = {module.token_of[name] for name in [field for field, _, _ in self.constraints] + self.operands
                  if name in module.fields}
        for operand in self.operands:
            for constructor in module.tables.get(operand, ()):
                tokens |= constructor.tokens
        assert len(tokens) <= 1, (self.text, "fields of two tokens")
        self.tokens = tokens

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
            local[name] = eval(formula, {"__builtins__": {}}, names)  # numbers, +, *, << and | alone
        return local


class Body:
    """The p-code of a constructor as a list of statements, and its labels. A size is None where the compiler has none and
    takes that of what stands beside it."""

    def __init__(self, module, constructor):
        self.module, self.constructor = module, constructor
        self.tokens, self.at = tokens_of(constructor.body_text), 0
        self.statements, self.labels, self.sizes = [], {}, {}
        while self.at < len(self.tokens):
            self.statement()
        kinds = [statement[0] for statement in self.statements]
        used = {statement[-1][1] for statement in self.statements
                if statement[0] in ("goto", "if", "call") and statement[-1][0] == "label"}
        assert set(self.labels) == used, (constructor.text, "labels that nobody goes to")
        built = [statement[1] for statement in self.statements if statement[0] == "build"]
        assert len(built) == len(set(built)), (constructor.text, "a table is built twice")
        assert all(name in module.tables for name in built), (constructor.text, "only tables are built")
        assert kinds.count("delayslot") < 2 and "export" not in kinds[:-1], constructor.text
        assert constructor.table or "export" not in kinds, "instructions export nothing"
        assert not constructor.table or "delayslot" not in kinds, "delay slots are of instructions"
        assert ("delayslot" in kinds) == constructor.begins_slot, (constructor.text, "what follows is in the slot, or not")
        assert "delayslot" not in kinds or constructor.slot == 0, (constructor.text, "delay slots do not nest")
        exported = self.statements[-1][-1] if "export" in kinds else 0
        exports = exported[-1] if isinstance(exported, tuple) else exported
        assert exports is not None, (constructor.text, "what is exported has no size")
        assert module.exports.setdefault(constructor.table, exports) == exports, (constructor.text, "exports something else")

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
            assert token not in self.labels and not self.is_name(token[1:-1])
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
            assert condition[-1] == 1 and self.peek(), (self.constructor.text, condition)
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
                assert space in self.module.spaces or space == "const", (self.constructor.text, space)
                name = self.next()  # where it lies
                assert self.size_of(name) in (None, self.module.spaces.get(space, (size,))[0]), (self.constructor.text, name)
                self.statements.append(("export", space, name, size))
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
            name, size = self.next() if new else token, None
            if new:
                self.expect(":")
                size = int(self.next())
                assert not self.is_name(name) and name not in CODE_WORDS, (self.constructor.text, name, "is defined twice")
            place = ("name", name, size or self.size_of(name))
        self.expect("=")
        value = self.expression()
        assert place[-1] and value[-1] in (place[-1], None), (self.constructor.text, place, value)
        if place[0] == "name" and token == "local":  # it is not there before
            self.sizes[name] = size
        self.statements.append(("=", place, value))

    def is_name(self, name):
        made = [action for action, _ in self.constructor.actions]
        return self.module.is_name(name) or name in self.sizes or f"<{name}>" in self.labels or name in made

    def size_of(self, name):
        if name in self.sizes:
            return self.sizes[name]
        if name in self.module.registers:
            return self.module.registers[name][1]
        made = [action for action, _ in self.constructor.actions]
        assert name in self.constructor.operands or name in made or name == "inst_start", (self.constructor.text, name)
        if name in self.module.tables:
            assert self.module.exports[name], (self.constructor.text, name, "exports nothing")
            return self.module.exports[name]
        return self.module.size_of_field(name) if name in self.module.fields else None

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
        if sign in ("==", "!=", "<", ">", "<=", ">=", "s<", "f<", "f<="):
            assert size, (self.constructor.text, sign, "of what size?")
            return ("binary", sign, left, right, 1)
        if sign in ("&&", "||"):
            assert left[-1] == right[-1] == 1
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
            size = int(self.next())
            assert int(token, 0) < 1 << 8 * size and size <= 8, (self.constructor.text, token, size)
            assert token == "0" or token[0] != "0" or token[1:2] == "x", token
            return ("number", int(token, 0), size)
        if self.peek() == "(":
            return self.call(token)
        if self.peek() == ":":
            self.next()
            size = int(self.next())
            assert (self.size_of(token) or 0) > size, (self.constructor.text, token, size)
            return ("cut", token, size)
        return ("name", token, self.size_of(token))

    def call(self, name):
        self.expect("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.expression())
            assert arguments[-1][-1], (self.constructor.text, name, "takes something without a size")
            if self.peek() == ",":
                self.next()
        self.expect(")")
        if name == "zext":
            return ("zext", arguments[0], None)
        if name in ("sext", "int2float", "trunc"):
            return (name, arguments[0], None)
        if name == "nan":
            return (name, arguments[0], 1)
        if name in ("popcount", "lzcount"):
            return ("count", name, arguments[0], None)
        assert name in self.module.pcodeops, (self.constructor.text, name)
        return ("call", name, arguments, None)
