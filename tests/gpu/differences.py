#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""decode --diff of two recordings that are made here: all that its JSON says of draws and registers that differ.

usage: differences.py GPUCODE"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from packets import recording, type4, type7

program = sys.argv[1]
bad = []


def draw(primitive, indices):
    return type7(0x38, 0x80 | primitive, 1, indices)


def check(what, got, wanted):
    if got != wanted:
        bad.append(f"{what}:\n  {got}\nnot\n  {wanted}")


def compare(first, second, code):
    with tempfile.TemporaryDirectory() as name:
        paths = [f"{name}/{number}.rd" for number in (1, 2)]
        for path, stream in zip(paths, (first, second)):
            Path(path).write_bytes(recording(630, stream, 0x100000))
        done = subprocess.run([program, "decode", "--json", "--diff", *paths], capture_output=True, text=True)
        check("exit code", (done.returncode, done.stderr), (code, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]


TRIANGLES, STRIP = 4, 6
same = type4(0x8890, 7) + draw(TRIANGLES, 3)
# draw 1: the value differs of one, one is only in the first, one only in the second
first = same + type4(0x883, 1) + type4(0x884, 2) + draw(TRIANGLES, 3)
second = same + type4(0x883, 5) + type4(0x885, 3) + draw(TRIANGLES, 3)
# draw 2: another primitive and another count; draw 3: the count alone; then the second has one more
first += draw(TRIANGLES, 6) + draw(STRIP, 8)
second += draw(STRIP, 7) + draw(STRIP, 9) + draw(STRIP, 9)

lines = compare(first, second, 1)
total = lines.pop()
registers = [line for line in lines if "register" in line]
draws = [line for line in lines if "register" not in line]
check("draws", draws, [
    {"draw": 2, "first_draw": "DI_PT_TRILIST", "first_count_indices": 6, "second_draw": "DI_PT_TRISTRIP", "second_count_indices": 7},
    {"draw": 3, "first_draw": "DI_PT_TRISTRIP", "first_count_indices": 8, "second_draw": "DI_PT_TRISTRIP", "second_count_indices": 9}])
check("registers", registers, [
    {"draw": 1, "register": "CP_SCRATCH[0].REG", "first": "1", "second": "5"},
    {"draw": 1, "register": "CP_SCRATCH[0x1].REG", "first": "2"},
    {"draw": 1, "register": "CP_SCRATCH[0x2].REG", "second": "3"}])
check("the last line", total, {"first_draws": 4, "second_draws": 5, "different_draws": 3, "different_registers": 3})
# the other way round each side has the other's
other = compare(second, first, 1)
check("the other way round", [line for line in other if "register" in line], [
    {"draw": 1, "register": "CP_SCRATCH[0].REG", "first": "5", "second": "1"},
    {"draw": 1, "register": "CP_SCRATCH[0x1].REG", "second": "2"},
    {"draw": 1, "register": "CP_SCRATCH[0x2].REG", "first": "3"}])
check("its draws", [line["second_draw"] for line in other if "first_draw" in line],
      [line["first_draw"] for line in draws])
check("its last line", other[-1], {"first_draws": 5, "second_draws": 4, "different_draws": 3, "different_registers": 3})
# what the same draws have left: nothing, and more draws alone are a difference, too
check("the same", compare(first, first, 0), [{"first_draws": 4, "second_draws": 4, "different_draws": 0, "different_registers": 0}])
check("one more", compare(same, same + draw(STRIP, 3), 1),
      [{"first_draws": 1, "second_draws": 2, "different_draws": 0, "different_registers": 0}])
# many draws with many registers each: lists that grow
many = [word for i in range(400) for word in type4(0x8810, i) + type4(0x8890, i) + draw(TRIANGLES, 3 + i)]
lines = compare(many, many[:-len(draw(TRIANGLES, 3))] + draw(TRIANGLES, 9), 1)
check("of many, the last", lines, [
    {"draw": 399, "first_draw": "DI_PT_TRILIST", "first_count_indices": 402, "second_draw": "DI_PT_TRILIST", "second_count_indices": 9},
    {"first_draws": 400, "second_draws": 400, "different_draws": 1, "different_registers": 0}])


def load_texture(width, height):
    """CP_LOAD_STATE6_FRAG with a descriptor of one texture in the packet."""
    return type7(0x34, 1 << 22 | 4 << 18 | 1 << 14, 0, 0, 0x30, width | height << 15, *[0] * 14)


# two draws of one recording: the draw, its textures, its registers, each on its own side
stream = type4(0x883, 1) + load_texture(64, 16) + draw(TRIANGLES, 3)
stream += type4(0x883, 2) + type4(0x884, 3) + load_texture(32, 16) + draw(STRIP, 5)
with tempfile.TemporaryDirectory() as name:
    path = f"{name}/pair.rd"
    Path(path).write_bytes(recording(630, stream, 0x100000))
    for order, sides in (("0:1", ("first", "second")), ("1:0", ("second", "first"))):
        done = subprocess.run([program, "decode", "--json", path, "--diff", order], capture_output=True, text=True)
        old, new = sides
        check(f"draws {order}", [json.loads(line) for line in done.stdout.splitlines()], [
            {"part": "draw", "differences": [{"name": "draw", old: "CP_DRAW_INDX_OFFSET DI_PT_TRILIST 3 SYSMEM",
                                              new: "CP_DRAW_INDX_OFFSET DI_PT_TRISTRIP 5 SYSMEM"}]},
            {"part": "textures", "differences": [{"name": "FS TEX_CONST[0].WIDTH", "block": "SB6_FS_TEX", old: "64", new: "32"}]},
            {"part": "registers", "differences": [{"name": "CP_SCRATCH[0].REG", old: "1", new: "2"},
                                                  {"name": "CP_SCRATCH[0x1].REG", new: "3"}]},
            {"first_number": int(order[0]), "second_number": int(order[2]), "different": 4}])
for line in bad:
    print("FAILED:", line)
sys.exit(bool(bad))
