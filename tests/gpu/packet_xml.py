#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of packets, written as XML in the form of Mesa's, must decode random packets as the built-in ones do; and a
file that has other fields must be believed.

    packet_xml.py GPUCODE DATA
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

from packets import recording, type7

BUFFER = 0x100000
CHIPS = {5: 530, 6: 630, 7: 730, 8: 0}
TARGETS = {8: ["-t", "afuc:gen8"]}
# packets that lead elsewhere, or decide what is read next
LEADING = {"CP_INDIRECT_BUFFER", "CP_INDIRECT_BUFFER_PFD", "CP_INDIRECT_BUFFER_PFE", "CP_INDIRECT_BUFFER_CHAIN",
           "CP_COND_INDIRECT_BUFFER_PFE", "CP_COND_INDIRECT_BUFFER_PFD", "CP_SET_DRAW_STATE", "CP_SET_AMBLE",
           "CP_SET_RENDER_MODE", "CP_COMPUTE_CHECKPOINT", "CP_START_BIN", "CP_FIXED_STRIDE_DRAW_TABLE", "CP_COND_EXEC",
           "CP_COND_REG_EXEC", "CP_REG_TEST", "CP_COND_WRITE5", "CP_SKIP_IB2_ENABLE_GLOBAL",
           "CP_SKIP_IB2_ENABLE_LOCAL"}


def table(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def variants(chips):
    return "" if chips == "*" else f' variants="{chips}"'


def typed(kind, of):
    if kind in ("enum", "bitset"):
        return f' type="{of}"'
    return "" if kind == "hex" else ' type="{}"'.format("a3xx_regid" if kind == "regid" else kind)


def field_xml(row, selector):
    """A bit field of: field low high type of shr radix chips when"""
    name, low, high, kind, of, shr, radix, chips, when = row
    # a field without a type is a flag when it is bit 0 alone
    kind_text = ' type="hex"' if kind == "hex" else typed(kind, of)
    more = (f' shr="{shr}"' if shr != "0" else "") + (f' radix="{radix}"' if radix != "0" else "")
    chip = f' varset="chip"{variants(chips)}' if chips != "*" else ""
    select = f' varset="{when.split("=")[0]}" variants="{when.split("=")[1].replace("|", ",")}"' if when != "-" else ""
    return f'<bitfield name="{name}" low="{low}" high="{high}"{kind_text}{more}{select or chip}{selector}/>'


def make_xml(data):
    out = ['<database xmlns="http://nouveau.freedesktop.org/">']
    for name, rows in grouped(table(data, "enums.tsv")).items():
        values = "".join(f'<value name="{value}" value="{number}"{variants(chips)}/>'
                         for _, value, number, chips in rows if number != "-")
        out.append(f'<enum name="{name}">{values}</enum>')
    for name, rows in grouped(table(data, "bitsets.tsv")).items():
        fields = "".join(field_xml(row[1:9] + ["-"], "") for row in rows)
        out.append(f'<bitset name="{name}">{fields}</bitset>')
    for name, rows in grouped(table(data, "packet_fields.tsv")).items():
        out.append(f'<domain name="{name}" width="32" varset="chip">{"".join(words(rows))}</domain>')
    return "\n".join(out + ["</database>"])


def grouped(rows):
    groups = collections.OrderedDict()
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    return groups


def words(rows):
    """Words of a packet: rows of one form. What a whole word has in common stands at it or in a stripe around it."""
    forms = collections.OrderedDict()
    for row in rows:
        forms.setdefault((row[1], row[2]), []).append(row)
    for (_, word), fields in forms.items():
        whens, repeats = {row[11] for row in fields}, {row[12] for row in fields}
        when = whens.pop() if len(whens) == 1 else "-"
        repeat = repeats.pop()
        wide = any(int(row[5]) > 31 for row in fields)
        element = "reg64" if wide else "reg32"
        first = fields[0]
        whole = len(fields) == 1 and first[4] == "0" and int(first[5]) in (31, 63) and first[6] != "boolean"
        if whole:
            name = first[3]
            inside, kind = "", typed(first[6], first[7])
            chip = f' varset="chip"{variants(first[10])}' if first[10] != "*" else ""
        else:
            name, kind = word, ""
            chips = {row[10] for row in fields}
            union = sorted({chip for row in fields for chip in row[10].split(",")})
            chip = "" if "*" in chips else f' varset="chip"{variants(",".join(union))}'
            inside = "".join(field_xml(row[3:11] + [row[11] if when == "-" else "-"],
                                       ' addvariant="yes"' if row[13] == "selects" else "") for row in fields)
        text = f'<{element} offset="{word}" name="{name}"{kind}{chip}>{inside}</{element}>'
        if when != "-":
            text = (f'<stripe varset="{when.split("=")[0]}" variants="{when.split("=")[1].replace("|", " ")}">'
                    f'{text}</stripe>')
        if repeat != "-":
            stride, count = repeat.split("*")
            count = "1000" if count == "-" else count
            text = f'<array offset="0" stride="{stride}" length="{count}">{text}</array>'
        yield text


def main():
    gpucode, data = sys.argv[1:]
    rounds = 60 if os.environ.get("GPUCODE_LONG_TESTS") else 8
    errors, compared = [], 0
    packets = [(row[0], int(row[1], 16), row[2]) for row in table(data, "packets.tsv")]
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)

        def decode(*options):
            done = subprocess.run([gpucode, "decode", path("random.rd"), *options], capture_output=True, check=False)
            if done.returncode == 2 or done.returncode < 0:
                errors.append(f"exit code {done.returncode}: {done.stderr.decode()[:300]}")
            return done.stdout.decode()

        with open(path("packets.xml"), "w", encoding="utf-8") as file:
            file.write(make_xml(data))
        for family in CHIPS:
            chosen = random.Random(family)
            stream = []
            for name, opcode, chips in packets * rounds:
                if f"A{family}XX" in chips and name not in LEADING and opcode < 128:
                    small = chosen.randrange(2)
                    payload = [chosen.randrange(16) if small else chosen.getrandbits(32)
                               for _ in range(chosen.randrange(16))]
                    stream += type7(opcode, *payload)
            with open(path("random.rd"), "wb") as file:
                file.write(recording(CHIPS[family], stream, BUFFER))
            target = TARGETS.get(family, [])
            plain = decode(*target)
            if "UNKN" in plain.split("\n")[0] or plain.count("\n") < 100:
                errors.append(f"a{family}xx: {plain[:200]}")
            own = decode("--registers", path("packets.xml"), *target)
            compared += plain.count("\n")
            for left, right in zip(plain.split("\n"), own.split("\n")):
                if left != right:
                    errors.append(f"a{family}xx: {right}, not {left}")
        # other fields, of a packet that is known and of one that is not
        with open(path("random.rd"), "wb") as file:
            file.write(recording(CHIPS[6], type7(0x26, 0x305) + type7(0x7E, 7, 9, 2), BUFFER))
        with open(path("new.xml"), "w", encoding="utf-8") as file:
            file.write('''<database><enum name="adreno_pm4_type3_packets"><value name="CP_NEW" value="0x7e"/></enum>
<domain name="CP_WAIT_FOR_IDLE" varset="chip"><enum name="why"><value name="BECAUSE" value="3"/></enum>
<reg32 offset="0" name="0"><bitfield name="LOW" low="0" high="7" type="uint"/>
<bitfield name="WHY" low="8" high="15" type="why" addvariant="yes"/><bitfield name="NOT" pos="0" variants="A5XX"/></reg32>
</domain><domain name="CP_NEW" variants="A5XX"><reg32 offset="0" name="OLD"/></domain>
<domain name="CP_NEW" variants="A6XX-"><reg32 offset="0" name="0"/><array offset="1" stride="1" length="300">
<reg32 offset="0" name="THING" type="uint"/></array></domain></database>''')
        found = decode("--registers", path("new.xml"))
        for wanted in ("CP_WAIT_FOR_IDLE LOW=5 WHY=BECAUSE", "CP_NEW"):
            if wanted not in found:
                errors.append(f"no {wanted!r} in {found}")
        if not re.search(r"CP_NEW WORD0=0x7 THING=9\n *THING=2", found) or "OLD" in found or "NOT" in found:
            errors.append(f"another domain: {found}")
    print("\n".join(errors[:20]))
    print(f"{compared} lines, {len(errors)} errors")
    sys.exit(1 if errors or compared < 1000 else 0)


main()
