#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gpucode export json: the files are as docs/export.schema.json says, and say what the program does.

usage: schema.py GPUCODE SOURCE_ROOT"""
import json
import random
import subprocess
import sys

program, root = sys.argv[1:3]


def gpucode(*arguments, **options):
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True, **options).stdout


def exported(*arguments):
    files = json.loads(gpucode("export", "json", "--json", *arguments))["files"]
    return {file["path"]: json.loads(file["text"]) for file in files}


def check_bits(row):
    """mask, match, ignored and the fields once more, from the pattern."""
    pattern = row["bits"].replace(" ", "")
    assert len(pattern) == 8 * row["size_bytes"], row["id"]
    numbers = {"mask": 0, "match": 0, "ignored": 0}
    places = {}
    for bit, sign in zip(range(len(pattern) - 1, -1, -1), pattern):
        if sign in "01":
            numbers["mask"] |= 1 << bit
            numbers["match"] |= int(sign) << bit
        elif sign == "-":
            numbers["ignored"] |= 1 << bit
        else:
            places.setdefault(sign, []).append(bit)
    for name, number in numbers.items():
        assert int(row[name], 16) == number, (row["id"], name)
    for field in row["fields"]:
        bits = [piece["shift"] + k for piece in field["pieces"] for k in range(piece["width"] - 1, -1, -1)]
        assert bits == places.pop(field["letter"], []) and len(bits) == field["width"], (row["id"], field)
    places.pop(".", None)  # bits of operands that other letters stand for
    assert not places, (row["id"], "a letter without a field")


def check_decoding(target, rows):
    """Words made from the rows are what the disassembler says."""
    chance = random.Random(1)
    for row in rows:
        word = int(row["match"], 16)
        for field in row["fields"]:
            for piece in field["pieces"]:
                word |= (chance.getrandbits(piece["width"]) if chance.random() < .5 else 0) << piece["shift"]
        matching = [other for other in rows if word & int(other["mask"], 16) == int(other["match"], 16)]
        best = max(matching, key=lambda other: bin(int(other["mask"], 16)).count("1"))
        lines = gpucode("disasm", "-r", "-t", target, "--json", "-", input=word.to_bytes(row["size_bytes"], "little"))
        unit = [json.loads(line) for line in lines.splitlines()]
        unit = next((line for line in unit if line.get("mnemonic")), None)
        assert unit is None or unit["mnemonic"] == best["mnemonic"], (target, hex(word), unit, best["mnemonic"])


def check_set(document, name):
    assert document["isa"] == name
    manual = json.loads(gpucode("manual", "--json", name))
    assert [row["id"] for row in document["rows"]] == [row["id"] for row in manual["rows"]]
    for row, other in zip(document["rows"], manual["rows"]):
        check_bits(row)
        assert all(row[key] == other[key] for key in ("bits", "text", "generations", "action"))
        assert int(row["mask"], 16) == int(other["mask"], 16)
    for entry in document["registers"] + document["packets"]:
        number, text = random.Random(2).choice(sorted(entry["names"].items()))
        assert entry["targets"] == sorted(set(entry["targets"]), key=entry["targets"].index)
        page = gpucode("manual", "-t", entry["targets"][0], name, text).decode()
        assert f"| {number} |" in page, (name, text, number)


everything = exported()
assert everything == exported(), "two exports differ"
targets = json.loads(gpucode("targets", "--json"))["targets"]
assert {path[:-5] for path in everything} == {target["isa"] for target in targets} - {"data"}
for path, document in everything.items():
    check_set(document, path[:-5])
afuc = exported("-t", "afuc:a730")["afuc.json"]
assert [target["name"] for target in afuc["targets"]] == ["afuc:a730"]
assert all(row["generations"] == ["a7xx"] for row in afuc["rows"])
assert afuc["packets"][0]["names"]["0x10"] == "CP_NOP"
check_decoding("afuc:a730", afuc["rows"])
try:
    import jsonschema
except ImportError:
    print("skipped: no jsonschema; the rest is as it should be")
    sys.exit(77)
with open(root + "/docs/export.schema.json", encoding="utf-8") as file:
    schema = json.load(file)
validator = jsonschema.Draft7Validator(schema)
jsonschema.Draft7Validator.check_schema(schema)
for document in [*everything.values(), afuc]:
    validator.validate(document)
afuc["rows"][0]["mask"] = "12"  # and it does look
assert len(list(validator.iter_errors(afuc))) == 1
print(f"{sum(len(document['rows']) for document in everything.values())} rows of {len(everything)} sets")
