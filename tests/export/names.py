#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpucode export names: the scripts run under stand-ins for what Ghidra and IDA have, the commands of rizin are read by
its rules and, where rizin is installed, by itself; what comes out is what `disasm --json` knows of the same file.

usage: names.py GPUCODE SOURCE_ROOT"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types

program, root = sys.argv[1:3]
BASE = 0x4000  # where the stand-ins have the file in their memory


def gpucode(*arguments, code=0):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout


class Ghidra:
    """What the functions of FlatProgramAPI do, as its documentation has it; instructions have the sizes of the file's."""

    class Address(int):
        def add(self, number):
            return Ghidra.Address(self + number)

    def __init__(self, sizes, file_size):
        self.sizes, self.code, self.data, self.functions, self.labels, self.comments = sizes, set(), {}, {}, {}, {}
        self.file_size = file_size

    def globals(self):
        outer = self

        class Memory:
            @staticmethod
            def locateAddressesForFileOffset(offset):
                return [Ghidra.Address(BASE + offset)] if offset < outer.file_size else []

        class Instruction:
            def __init__(self, size):
                self.size = size

            def getLength(self):
                return self.size

        def instruction_at(address):
            return Instruction(self.sizes[address - BASE]) if address - BASE in self.code else None

        def data(size):
            def create(address, length=None):
                assert address - BASE not in self.code
                self.data[address - BASE] = length or size
            return create

        def label(address, name, primary):
            assert not re.search(r"\s", name) and name
            self.labels.setdefault(address - BASE, []).insert(0 if primary else len(self.labels), name)

        return {"currentProgram": types.SimpleNamespace(getMemory=Memory), "getInstructionAt": instruction_at,
                "disassemble": lambda address: self.code.add(address - BASE),
                "clearListing": lambda first, last: self.code.difference_update(range(first - BASE, last - BASE + 1)),
                "createDWord": data(4), "createQWord": data(8), "createByte": data(1), "createAsciiString": data(0),
                "getFunctionAt": lambda address: self.functions.get(address - BASE),
                "createFunction": lambda address, name: self.functions.setdefault(address - BASE, name),
                "createLabel": label,
                "setEOLComment": lambda address, text: self.comments.__setitem__(address - BASE, text)}


class Ida:
    """The modules of IDAPython that the script takes, with what it calls in them and nothing else."""

    def __init__(self, sizes):
        self.code, self.data, self.functions, self.labels, self.comments = set(), {}, set(), {}, {}
        bad = (1 << 64) - 1

        def instruction(address):
            self.code.add(address - BASE)
            return sizes.get(address - BASE, 0)

        def data(address, flags, size, type_id):
            assert type_id == bad and flags in ("byte", "dword", "qword")
            self.data[address - BASE] = size
            return True

        self.modules = {
            "ida_bytes": {"FF_BYTE": "byte", "FF_DWORD": "dword", "FF_QWORD": "qword", "create_data": data,
                          "del_items": lambda address, flags, size: True,
                          "set_cmt": lambda address, text, again: self.comments.__setitem__(address - BASE, text)},
            "ida_funcs": {"add_func": lambda address: self.functions.add(address - BASE)},
            "ida_idaapi": {"BADADDR": bad},
            "ida_loader": {"get_fileregion_ea": lambda offset: BASE + offset},
            "ida_name": {"SN_NOCHECK": 1, "SN_NOWARN": 0x100, "SN_FORCE": 0x800,
                         "set_name": lambda address, name, flags: self.labels.__setitem__(address - BASE, name)},
            "ida_ua": {"create_insn": instruction}}

    def run(self, text):
        for name, members in self.modules.items():
            sys.modules[name] = types.SimpleNamespace(**members)
        exec(compile(text, "names_ida.py", "exec"), {})


class Overlay(Ghidra):
    """The same with blocks that the loader makes: their addresses are (section, offset), here as one number."""

    STEP = 1 << 24

    def __init__(self, sizes):
        super().__init__(sizes, 0)
        self.blocks, self.entries = {"old": b""}, set()

    def globals(self, path):
        outer = self

        class Block:
            def __init__(self, name):
                self.name = name

            def getStart(self):
                return Ghidra.Address(BASE + Overlay.STEP * (list(outer.blocks).index(self.name)))

            def setPermissions(self, read, write, execute):
                assert read and execute and not write

        class Memory:
            @staticmethod
            def getBlocks():
                return [Block(name) for name in outer.blocks]

            @staticmethod
            def removeBlock(block, monitor):
                del outer.blocks[block.name]

            @staticmethod
            def createInitializedBlock(name, start, stream, length, monitor, overlay):
                assert start == 0 and len(stream) == length and overlay == bool(outer.blocks)
                outer.blocks[name] = bytes(stream)
                return Block(name)

        return {**super().globals(), "currentProgram": types.SimpleNamespace(getMemory=Memory), "monitor": None,
                "toAddr": lambda number: number, "getScriptArgs": lambda: [path],
                "addEntryPoint": lambda address: self.entries.add(address - BASE)}


def check_loader(folder, path, target):
    """The script of a language module, which takes what disasm writes."""
    lines = gpucode("disasm", "--json", *target, path).decode()
    with open(os.path.join(folder, "lines.json"), "w", encoding="utf-8") as file:
        file.write(lines)
    units, sizes, names, starts, at = [json.loads(line) for line in lines.splitlines()], {}, {}, {}, {}
    order = list(dict.fromkeys(unit["section"] for unit in units))
    for unit in units:
        place = Overlay.STEP * order.index(unit["section"]) + at.get(unit["section"], 0)
        size = (len(unit["bits"]) - 2) // 2
        at[unit["section"]] = at.get(unit["section"], 0) + size
        sizes[place] = size
        if unit["kind"] == "code":
            starts.setdefault((unit["section"], unit["routine"]), place)
        if unit.get("labels"):
            names[place] = set(unit["labels"])
    ghidra = Overlay(sizes)
    java = types.ModuleType("java")
    sys.modules.update({"java": java, "java.io": types.SimpleNamespace(ByteArrayInputStream=bytes)})
    made = glob.glob(os.path.join(folder, "modules/*/ghidra_scripts/gpucode_load_*.py"))
    assert len(made) == 1
    with open(made[0], encoding="utf-8") as file:
        exec(compile(file.read(), made[0], "exec"), ghidra.globals(os.path.join(folder, "lines.json")))
    with open(path, "rb") as file:
        assert file.read().endswith(b"".join(ghidra.blocks.values())) and list(ghidra.blocks) == order
    assert ghidra.entries == set(starts.values()) == set(ghidra.functions)
    assert all(names[place] <= set(ghidra.labels[place]) for place in names)
    assert ghidra.code | set(ghidra.data) == set(sizes)
    return len(ghidra.entries)


def read_rizin(path):
    """Names, comments and data of the commands, whose arguments are quoted as rizin's shell has it."""
    names, comments, data = {}, {}, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            match = re.match(r"(f\+|CCu|Cd|Csa) (?:'((?:[^'\\]|\\['\\])*)'|(\w+))(?: (\d+))? @ (0x[0-9a-f]+)\n$", line)
            assert match, line
            command, text, size, count, at = match.groups()
            text = re.sub(r"\\(.)", r"\1", text or "")
            at = int(at, 16)
            if command == "f+":
                names.setdefault(at, []).append(text)
            elif command == "CCu":
                comments[at] = text
            elif command == "Cd":
                data.update({at + int(size) * i: int(size) for i in range(int(count))})
            else:
                data[at] = int(size, 0)
    return names, comments, data


def check_rizin(folder, path, names, comments):
    rizin = shutil.which("rizin")
    if not rizin:
        return False
    def ask(command):
        text = subprocess.run([rizin, "-q", "-n", "-i", os.path.join(folder, "names.rz"), "-c", command, path],
                              stdout=subprocess.PIPE, check=True).stdout
        return json.loads(text)
    assert {flag["offset"] for flag in ask("flj")} >= set(names)
    assert {item["offset"]: item["name"] for item in ask("CClj")} == comments
    return True


def known(path, target):
    """(sizes of code, sizes of the rest, labels, comments, routines), all by offset, from the lines of disasm."""
    info = json.loads(gpucode("info", "--json", *target, path))
    lines = [json.loads(line) for line in gpucode("disasm", "--json", *target, path).splitlines()]
    with open(path, "rb") as file:
        size = len(file.read())
    at = size - sum((len(line["bits"]) - 2) // 2 for line in lines)  # what is in front of the image
    several = len({line["section"] for line in lines}) > 1
    code, rest, labels, comments, routines = {}, {}, {}, {}, {}
    for line in lines:
        length = (len(line["bits"]) - 2) // 2
        (code if line["kind"] == "code" else rest)[at] = length
        prefix = line["section"] + "." if several else ""
        if "labels" in line:
            labels[at] = {prefix + label for label in line["labels"]}
        if "comment" in line:
            comments[at] = line["comment"]
        if line.get("routine"):
            routines.setdefault((line["section"], line["routine"]), at)
        at += length
    assert info and at == size
    return code, rest, labels, comments, routines


def check(folder, path, target):
    code, rest, labels, comments, routines = known(path, target)
    size = os.path.getsize(path)
    gpucode("export", "names", "-o", folder, *target, path)
    with open(os.path.join(folder, "names_ghidra.py"), encoding="utf-8") as file:
        text = file.read()
    ghidra = Ghidra(code, size)
    exec(compile(text, "names_ghidra.py", "exec"), ghidra.globals())
    assert ghidra.code == set(code), "code is marked as code"
    assert {at for at in ghidra.data} == set(rest), "and the rest as data"
    assert {at: set(names) for at, names in ghidra.labels.items() if at in labels} == labels
    assert set(ghidra.functions) == set(routines.values()), set(ghidra.functions) ^ set(routines.values())
    assert all(comments[at] in ghidra.comments[at] for at in comments)
    with open(os.path.join(folder, "names_ida.py"), encoding="utf-8") as file:
        text = file.read()
    for sizes in (code, {}):  # a processor that IDA knows, and one that it does not
        ida = Ida(sizes)
        ida.run(text)
        assert ida.functions == set(ghidra.functions) and set(ida.data) == set(rest)
        assert ida.code >= set(sizes) and ida.code
        assert set(ida.labels) == set(ghidra.labels), (set(ida.labels) ^ set(ghidra.labels), sizes and 1)
        assert all(ghidra.comments[at] in ida.comments[at] for at in ghidra.comments)
    for name in os.listdir(folder):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                head = file.read(300).splitlines()
            assert re.fullmatch(rf"# Names, comments, code and data of '{re.escape(path)}' \(\S+\)\.", head[1]), head
    names, marks, data = read_rizin(os.path.join(folder, "names.rz"))
    assert marks == ghidra.comments and set(data) == set(rest)
    assert {at: set(texts) for at, texts in names.items()} == {at: set(texts) for at, texts in ghidra.labels.items()}
    flat = [name for texts in names.values() for name in texts]
    assert len(flat) == len(set(flat)), "names are unique in rizin and IDA"
    first = {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}
    gpucode("export", "names", "-o", folder, *target, path)
    assert first == {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}
    return len(flat), len(ghidra.comments), check_rizin(folder, path, names, marks)


def main():
    asked = False
    with tempfile.TemporaryDirectory() as folder:
        for source, target in (("firmware/a7xx.asm", []), ("firmware/a6xx.asm", []),
                               ("hwsq/reclock.hwsq", ["-t", "hwsq:nv50"]), ("mme/macros.mme", ["-t", "mme:fermi"]),
                               ("a3xx/planet.asm", ["-t", "a3xx"])):
            path = os.path.join(folder, "code.bin")
            gpucode("asm", *target, os.path.join(root, "examples", source), "-o", path)
            names, comments, asked = check(os.path.join(folder, "made"), path, target)
            name = target[1] if target else json.loads(gpucode("info", "--json", path))["target"]
            shutil.rmtree(os.path.join(folder, "modules"), ignore_errors=True)
            gpucode("export", "sleigh", "-t", name, "-o", os.path.join(folder, "modules"))
            entries = check_loader(folder, path, target)
            print(f"{source}: {names} names, {comments} comments; loader: {entries} routines")
        # names that the user has
        with open(os.path.join(folder, "own.sym"), "w", encoding="utf-8") as file:
            file.write("* 0x2b my_start\n")
        gpucode("asm", os.path.join(root, "examples/firmware/a7xx.asm"), "-o", path)
        gpucode("export", "names", "--symbols", os.path.join(folder, "own.sym"), "-o", folder, path)
        with open(os.path.join(folder, "names.rz"), encoding="utf-8") as file:
            assert "my_start" in file.read()
        # mistakes
        gpucode("export", "names", "-o", folder, code=2)
        gpucode("export", "names", "-o", folder, os.path.join(folder, "none"), code=2)
        gpucode("export", "names", path, code=2)
    print("rizin has read them too" if asked else "rizin: skipped, it is not installed")


main()
