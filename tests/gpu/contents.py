#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes made-up recordings whose registers point to shaders, descriptors, bindless sets, vertices and indices; all
output as data must keep to docs/decode.schema.json.

    contents.py GPUCODE SCHEMA
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
from features import reads_gzip
from packets import recording, type0, type3, type4, type7

try:
    import jsonschema
except ImportError:
    jsonschema = None

BUFFER, DATA = 0x100000, 0x200000
VERTICES, INDICES, SHADER, TEXTURES, SAMPLERS, SET = (DATA + 0x1000 * i for i in range(6))


def vertices():
    """Two vertices of 28 bytes: three floats, a colour of four bytes, two small floats, and 10, 10, 10 and 2 bits."""
    data = b""
    for number, colour in ((1.0, 0xFF0080FF), (-2.5, 0x00FFFFFF)):
        data += struct.pack("<fffIeeI", number, 0.5, 0.25, colour, number, 0.125, 0x3 << 30 | 0x3FF << 20 | 0x200)
        data += b"\0" * 4
    return data


def make():
    stride = 28
    formats = [(0, 0x74), (12, 0x30), (16, 0x45), (20, 0x36)]  # numbers of the enumeration a6xx_format
    words = type4(0xA000, 1 | len(formats) << 8)  # VFD_CNTL_0
    words += type4(0xA010, VERTICES, 0, 2 * stride, stride)  # VFD_VERTEX_BUFFER[0]
    for i, (offset, number) in enumerate(formats):
        words += type4(0xA090 + 2 * i, 0 | offset << 5 | number << 20)  # VFD_FETCH_INSTR[i].INSTR
    words += type4(0xA983, SHADER, 0)  # SP_PS_BASE
    words += type4(0xAB04, 1 << 8 | 1 << 9 | 2 << 17)  # SP_PS_CONFIG: one texture, two samplers
    words += type4(0xA9E0, SAMPLERS, 0) + type4(0xA9E4, TEXTURES, 0)
    words += type4(0xAB10, SET | 3, 0)  # SP_GFX_BINDLESS_BASE[0]
    # CP_DRAW_INDX_OFFSET: indices of 16 bits from memory
    words += type7(0x38, 4 | 0 << 6 | 1 << 10, 1, 3, 1, INDICES, 0, 100)
    texture, sampler = [0] * 16, [0] * 4
    texture[1] = 7 | 5 << 15  # 7 by 5
    texture[4] = 0x1000
    sampler[3] = 1
    slots = [0x1234000, 0x00200000] + [0] * 14 + [0] * 16 + sampler + [0] * 12 + texture
    return recording(630, words, BUFFER, {
        VERTICES: vertices(),
        INDICES: struct.pack("<5H", 9, 2, 1, 65535, 7),
        SHADER: struct.pack("<8I", 0x11111111, 2, 3, 4, 0, 0, 0, 0),
        TEXTURES: struct.pack("<16I", *texture),
        SAMPLERS: struct.pack("<8I", *(sampler + [2, 0, 0, 0])),
        SET: struct.pack(f"<{len(slots)}I", *slots),
    })


# three floats, a colour of four bytes, two small floats, 10, 10, 10 and 2 bits
FORMATS = {3: (0x02, 0x2F, 0x05, 0x39), 4: (0x03, 0x2F, 0x06, 0x39), 5: (0x74, 0x30, 0x45, 0x36)}


def older(family):
    """The same vertices on a3xx to a5xx: attributes of 12, 4, 4 and 4 bytes one after another, and 16-bit indices."""
    sizes, numbers, stride = (12, 4, 4, 4), FORMATS[family], 28
    if family == 5:  # a buffer for each attribute
        words, offset = type4(0xE400, 4), 0  # VFD_CONTROL_0.VTXCNT
        for i, (size, number) in enumerate(zip(sizes, numbers)):
            words += type4(0xE40A + 4 * i, VERTICES + offset, 0, 2 * stride, stride)  # VFD_FETCH[i]
            words += type4(0xE48A + 2 * i, i | number << 20)  # VFD_DECODE[i].INSTR
            offset += size
        words += type7(0x38, 4 | 0 << 6 | 1 << 10, 1, 3, 1, INDICES, 0, 100)
        return recording(530, words, BUFFER, {VERTICES: vertices(), INDICES: struct.pack("<5H", 9, 2, 1, 65535, 7)})
    fetch, decode = (0x2246, 0x2266) if family == 3 else (0x220A, 0x228A)
    count, places = (0x2240, (22, 27)) if family == 3 else (0x2200, (20, 26))
    words = type0(count, 4 << places[0] | 2 << places[1])  # VFD_CONTROL_0: four attributes, two buffers
    for i in range(2):  # the second one begins at the third attribute
        words += type0(fetch + (2 if family == 3 else 4) * i, stride << 7, VERTICES + 16 * i,
                       *([] if family == 3 else [2 * stride - 16 * i, 0]))
    for i, (size, number) in enumerate(zip(sizes, numbers)):
        words += type0(decode + i, number << 6 | size << 24 | (1 << 30 if i == 1 else 0))
    if family == 3:  # CP_DRAW_INDX
        words += type3(0x22, 0, 4 | 0 << 6 | 0 << 11, 3, INDICES, 100)
    else:  # CP_DRAW_INDX_OFFSET
        words += type3(0x38, 4 | 0 << 6 | 1 << 10, 1, 3, 0, INDICES, 100)
    return recording(320 if family == 3 else 420, words, BUFFER,
                     {VERTICES: vertices(), INDICES: struct.pack("<5H", 2, 1, 65535, 9, 7)})


class Contents:
    def __init__(self, gpucode, schema):
        self.gpucode, self.errors, self.lines = gpucode, [], 0
        with open(schema, encoding="utf-8") as file:
            schema = json.load(file)
        printed = subprocess.run([gpucode, "help", "--schema", "decode"], capture_output=True, check=True).stdout
        if json.loads(printed) != schema:
            self.errors.append("docs/decode.schema.json is that of an older program: gpucode help --schema decode")
        self.validator = None
        if jsonschema:
            jsonschema.Draft7Validator.check_schema(schema)
            self.validator = jsonschema.Draft7Validator(schema)

    def text(self, *arguments):
        done = subprocess.run([self.gpucode, "decode", *arguments], capture_output=True, check=False, text=True)
        if done.returncode not in (0, 1) or done.stderr:
            self.errors.append(f"{arguments}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def objects(self, *arguments):
        """Objects of JSON lines; a few of each kind are checked by the schema, all of them are too many."""
        seen, found = {}, []
        for line in self.text(*arguments, "--json").splitlines():
            item = json.loads(line)
            found.append(item)
            self.lines += 1
            kind = tuple(sorted(item))
            seen[kind] = seen.get(kind, 0) + 1
            if self.validator and seen[kind] <= 20:
                for error in self.validator.iter_errors(item):
                    self.errors.append(f"{arguments}: {error.message[:200]} in {line[:200]}")
        return found

    def expect(self, what, found, wanted):
        if found != wanted:
            self.errors.append(f"{what}: {found}, not {wanted}")

    def check_made(self, path):
        texts = self.text("--draws", "--vertices", "--shaders", "--bindless", path)
        for wanted in ("indices of 2 bytes at 000000201002: 2 1 65535\n",
                       "VFD_VERTEX_BUFFER[0]: vertices of 28 bytes at 000000200000\n",
                       "      0:  0 1 0.5 0.25 (FMT6_32_32_32_FLOAT)  1 1 0.501961 0 1 (FMT6_8_8_8_8_UNORM)",
                       "      1:  0 -2.5 0.5 0.25 (FMT6_32_32_32_FLOAT)  1 1 1 1 0 (FMT6_8_8_8_8_UNORM)",
                       "SP_PS_BASE: shader, 1 from 0 at 000000202000, 4 words\n",
                       "SP_PS_TEXMEMOBJ_BASE: A6XX_TEX_CONST, 1 from 0 at 000000203000",
                       "WIDTH=7 HEIGHT=5", "SP_PS_SAMPLER_BASE: A6XX_TEX_SAMP, 2 from 0 at 000000204000",
                       "SP_GFX_BINDLESS_BASE[0].DESCRIPTOR: A6XX_UBO, 1 from 0 at 000000205000",
                       "SP_GFX_BINDLESS_BASE[0].DESCRIPTOR: A6XX_TEX_SAMP, 1 from 2 at 000000205080",
                       "SP_GFX_BINDLESS_BASE[0].DESCRIPTOR: A6XX_TEX_CONST, 1 from 3 at 0000002050c0"):
            if wanted not in texts:
                self.errors.append(f"not shown: {wanted}")
        found = self.objects("--vertices", "--shaders", "--bindless", path)
        tables = [item for item in found if "vertices" in item]
        self.expect("tables", [table["vertices"] for table in tables], ["VFD_VERTEX_BUFFER[0]"])
        self.expect("a vertex", [cell["text"] for cell in tables[0]["rows"][1]][:2], ["-2.5 0.5 0.25", "1 1 1 0"])
        self.expect("indices", [item["indices"] for item in found if "indices" in item], [[2, 1, 65535]])
        self.expect("shaders", [item["words"] for item in found if item.get("load") == "shader"],
                    [["11111111", "00000002", "00000003", "00000004"]])
        for query, wanted in (("TEX*.WIDTH", 7), ("TEX_CONST[0].HEIGHT", 5), ("SP_PS_TEXMEMOBJ_BASE[0].WIDTH", 7),
                              ("TEX_CONST[0]", None), ("A6XX_TEX_SAMP*", None)):
            answers = self.objects("--query", query, path)
            if not answers or (wanted is not None and [answer["value"] for answer in answers] != [wanted]):
                self.errors.append(f"--query {query}: {answers}")
        self.text("--shaders", "--extract-shaders", os.path.join(os.path.dirname(path), "code"), path)
        with open(os.path.join(os.path.dirname(path), "code.1.bin"), "rb") as file:
            self.expect("the file", file.read(), struct.pack("<4I", 0x11111111, 2, 3, 4))

    def check_where(self, folder):
        """All kinds of things that point somewhere, each once, however often it is set."""
        words = type4(0xA000, 1 | 1 << 8) + type4(0xA010, VERTICES, 0, 28, 28) + type4(0xA090, 0x74 << 20)
        words += type4(0xA983, SHADER, 0) + type4(0xAB05, 1) + type4(0xAB04, 1 << 8 | 1 << 9)
        words += type4(0xA9E4, TEXTURES, 0)
        words += type4(0x8825, 0x1234000, 0)  # RB_MRT[0].BASE
        words += type7(0x34, 0 | 2 << 14 | 0 << 16 | 12 << 18 | 1 << 22, 0, 0, DATA + 0x100, 2 << 17)  # a UBO of SB6_FS_SHADER
        words += type7(0x3D, DATA + 0x40, 0, 1, 2)  # CP_MEM_WRITE of two words
        draw = type7(0x38, 4 | 0 << 6 | 1 << 10, 1, 3, 1, INDICES, 0, 100)
        texture = [0] * 16
        texture[4] = 0x1234000
        path = os.path.join(folder, "where.rd")
        with open(path, "wb") as file:
            file.write(recording(630, words + draw + words + draw, BUFFER, {
                VERTICES: vertices().ljust(0x1000, b"\0"), INDICES: struct.pack("<5H", 9, 2, 1, 65535, 7),
                SHADER: struct.pack("<2I", 1, 2).ljust(0x200, b"\0"), TEXTURES: struct.pack("<16I", *texture)}))
        for place, wanted in ((0x1234000, {("register", "RB_MRT[0].BASE", "at", True, 2),
                                           ("descriptor", "FS TEX_CONST[0].BASE", "at", False, 2)}),
                              (SHADER + 8, {("register", "SP_PS_BASE", "before", False, 2),
                                            ("shader", "SP_PS_BASE", "over", False, 2)}),
                              (INDICES + 4, {("indices", "CP_DRAW_INDX_OFFSET", "over", False, 2),
                                             ("packet", "CP_DRAW_INDX_OFFSET.INDX_BASE", "before", False, 2)}),
                              (DATA + 0x44, {("packet", "CP_MEM_WRITE.ADDR", "over", True, 2)}),
                              (DATA + 0x11c, {("descriptor", "FS UBO[0].BASE", "over", False, 2)}),
                              (DATA + 4, {("vertices", "VFD_VERTEX_BUFFER[0]", "over", False, 2)})):
            found = {(item["kind"], item["name"], item["relation"], item["writes"], item["count"])
                     for item in self.objects("--where", hex(place), path) if "kind" in item}
            if not wanted <= found:
                self.errors.append(f"--where {place:#x}: {found} lacks {wanted - found}")
        span = self.objects("--where", f"{DATA + 0x30:#x}+0x40", "--draw", "1", path)
        self.expect("a range", [item["name"] for item in span if item.get("relation") == "at"], ["CP_MEM_WRITE.ADDR"])
        for text, code, message in (("0x99", 1, "nothing points to 0x99"), ("here", 2, "expected an address"),
                                    ("0x99+0", 2, "expected an address")):
            done = subprocess.run([self.gpucode, "decode", "--where", text, path], capture_output=True, check=False,
                                  text=True)
            if done.returncode != code or message not in done.stderr:
                self.errors.append(f"--where {text}: exit code {done.returncode}: {done.stderr}")

    def check_lint(self, folder):
        """A dispatch needs its shader; a group that has other contents by now leaves what it wrote before."""
        def group(address, words):  # CP_SET_DRAW_STATE: group 3, in all modes
            return type7(0x43, words | 7 << 20 | 3 << 24, address, 0)

        draw = type7(0x38, 4 | 2 << 6, 1, 3)
        one, two = type4(0x8090, 5) + type4(0xA000, 0), type4(0xA000, 0)  # GRAS_SU_CNTL is in the first alone
        words = group(DATA, len(one)) + draw + group(DATA + 0x100, len(two)) + draw
        words += type4(0xA9B0, 0) + type4(0xA9BB, 0) + type4(0xA9B4, SHADER, 0)  # SP_CS_CNTL_0, _CONFIG, _BASE
        words += type7(0x33, 0, 1, 1, 1)  # CP_EXEC_CS
        path = os.path.join(folder, "lint.rd")
        with open(path, "wb") as file:
            file.write(recording(630, words, BUFFER, {DATA: struct.pack(f"<{len(one)}I", *one),
                                                      DATA + 0x100: struct.pack(f"<{len(two)}I", *two)}))
        found = {(item["finding"], item["register"], item["first_draw"]) for item in self.objects("--lint", path)}
        for wanted in (("leaks", "GRAS_SU_CNTL", 1), ("unwritten", "SP_CS_INSTR_SIZE", 2), ("unwritten", "SP_VS_CONFIG", 0)):
            if wanted not in found:
                self.errors.append(f"--lint lacks {wanted}: {found}")
        for name in ("SP_CS_BASE", "VFD_CNTL_0", "VFD_INDEX_OFFSET", "SP_PS_BASE"):  # written, left by drivers, not used
            if any(register == name for _, register, _ in found):
                self.errors.append(f"--lint finds {name}: {found}")
        self.expect("--lint of a draw", {item["register"] for item in self.objects("--lint", "--draw", "2", path)},
                    {"SP_CS_INSTR_SIZE", "SP_CS_NDRANGE_0"})

    def check_shaders(self, folder):
        """Each shader once, as long as its register says, with the draws that use it: a6xx counts 16 instructions, a
        load of the beginning alone is the same shader, and one that is set again is not another one."""
        code = struct.pack("<64I", *([0x11111111, 0x20000000] * 20 + [0, 0x03000000] + [0, 0] * 11))
        other = struct.pack("<32I", *([0x22222222, 0x20000000] + [0] * 30))
        draw = type7(0x38, 4 | 2 << 6, 1, 3)
        load = type7(0x32, 0 | 2 << 16 | 8 << 18 | 1 << 22, SHADER, 0)  # CP_LOAD_STATE6_GEOM: one unit, of SB6_VS_SHADER
        words = type4(0xA81C, SHADER, 0) + type4(0xA824, 2) + type4(0xA800, 0) + load + draw  # SP_VS_BASE, _INSTR_SIZE
        words += type4(0xA81C, SHADER + 0x400, 0) + type4(0xA824, 1) + draw
        words += type4(0xA81C, SHADER, 0) + type4(0xA824, 2) + draw + draw
        path = os.path.join(folder, "shaders.rd")
        with open(path, "wb") as file:
            file.write(recording(630, words, BUFFER, {SHADER: code.ljust(0x400, b"\0") + other.ljust(0x400, b"\x33")}))
        found = self.objects("--extract-shaders", os.path.join(folder, "once"), path)
        self.expect("shaders", [(item["stages"], item["size_bytes"], item["instructions"],
                                 [(run["first"], run["last"]) for run in item["draws"]]) for item in found],
                    [(["VS"], 256, 21, [(0, 0), (2, 3)]), (["VS"], 128, 1, [(1, 1)])])
        for number, wanted in enumerate((code, other), 1):
            with open(os.path.join(folder, f"once.{number}.bin"), "rb") as file:
                self.expect(f"file {number}", file.read(), wanted)
        self.expect("files", sorted(name for name in os.listdir(folder) if name.startswith("once.")),
                    ["once.1.bin", "once.2.bin"])
        printed = subprocess.run([self.gpucode, "extract", path], capture_output=True, check=True, text=True).stdout
        if not re.search(r"^shader 1: VS at 0x202000, 256 bytes, 21 instructions, .*draws 0, 2-3\n.*\n +\.target ir3:a630\n", printed):
            self.errors.append(f"extract: {printed[:200]}")
        subprocess.run([self.gpucode, "extract", "-o", os.path.join(folder, "again"), path], capture_output=True, check=True)
        with open(os.path.join(folder, "again.2.bin"), "rb") as file:
            self.expect("a file of extract", file.read(), other)
        part = self.objects("--draw", "1", "--extract-shaders", os.path.join(folder, "part"), path)
        self.expect("the shader of a draw", [item["size_bytes"] for item in part], [128])

    def check_older(self, path, family):
        found = self.objects("--vertices", path)
        tables = {item["vertices"]: item for item in found if "vertices" in item}
        names = [f"VFD_FETCH[{i and hex(i)}]" for i in range(4 if family == 5 else 2)]
        self.expect(f"tables of a{family}xx", sorted(tables), names)
        second = {}
        for table in tables.values():
            self.expect("a stride", table["stride_bytes"], 28)
            for cell in table["rows"][1]:
                second[cell["attribute"]] = cell["text"]
        self.expect(f"a vertex of a{family}xx", [second.get(i) for i in range(4)],
                    ["-2.5 0.5 0.25", "1 1 1 0", "-2.5 0.125", "0.500489 0 1 1"])
        self.expect(f"indices of a{family}xx", [item["indices"] for item in found if "indices" in item], [[2, 1, 65535]])

    def check_page(self, folder, path):
        """Folded parts stand as texts that a browser does not parse; a row that comes again is the number of the first."""
        page, rows, parts = os.path.join(folder, "page.html"), [], []
        self.text("--html", page, "--all", path)
        with open(page, encoding="utf-8") as file:
            html = file.read()
        for text in re.findall(r"</summary><script type=text/plain>(.*?)</script></details>", html, re.S):
            parts.append([])
            for row in re.findall(r"<tr>(.*?)</tr>\n", text, re.S):
                if re.fullmatch(r"@\d+", row):
                    row = rows[int(row[1:])]
                else:
                    rows.append(row)
                cells = re.sub(r"<td>", "\t", row)
                parts[-1].append(cells.split("\t")[2].removesuffix(" = "))
        draws = [item for item in self.objects("--draws", "--all", path) if "draw" in item]
        self.expect("the page's draws", parts, [[entry["register"] for entry in draw["registers"]] for draw in draws])
        if sum(map(len, parts)) > 20 * len(parts) > 20 and len(rows) == sum(map(len, parts)):
            self.errors.append("no row of the page comes again")
        if "position:sticky" in html or html.count("id=q ") != 1:
            self.errors.append("the page's search covers what it searches, or is not there")

    def check_schema(self, path, *some):
        for arguments in ((), ("--draws", "--all"), ("--summary", "--once"), ("--query", "*", "--when", "changes"),
                          ("--textures", "--constants", "--shaders", "--vertices", "--bindless")):
            self.objects(*arguments, *some, path)
        self.objects("--diff", path, path)
        self.objects("--diff", "0:0", path)


def main():
    gpucode, schema = sys.argv[1:]
    recorded = os.path.join(os.environ.get("GPUCODE_VECTORS", ""), "../traces/fd-clouds.rd.gz")
    contents = Contents(gpucode, schema)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.rd")
        with open(path, "wb") as file:
            file.write(make())
        contents.check_made(path)
        contents.check_shaders(folder)
        contents.check_page(folder, path)
        contents.check_where(folder)
        contents.check_lint(folder)
        contents.check_schema(path)
        for family in FORMATS:
            with open(path, "wb") as file:
                file.write(older(family))
            contents.check_older(path, family)
            contents.check_schema(path)
        if os.path.exists(recorded) and reads_gzip(gpucode):
            contents.check_schema(recorded, "--to", "1")
            shadow = recorded.replace("fd-clouds", "shadow")
            found = contents.objects("--extract-shaders", os.path.join(folder, "shadow"), shadow)
            contents.expect("shaders", len({item["hash"] for item in found}), len(found))
            answers = contents.objects("--query", "TEX*.BASE", "--when", "changes", shadow)
            contents.expect("a texture", answers[0]["value"], 0x4715000)
            contents.objects("--diff", "262:263", shadow)
            contents.check_page(folder, recorded)
    print("\n".join(contents.errors[:20]))
    print(f"{contents.lines} objects, {len(contents.errors)} errors" +
          ("" if jsonschema else "; skipped: no python3-jsonschema"))
    sys.exit(1 if contents.errors or not contents.lines else 0)


main()
