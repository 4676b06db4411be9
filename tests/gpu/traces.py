#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes recorded streams and compares one with the text that Mesa's decoder gives for it.

    traces.py GPUCODE FIRMWARE_SOURCE

Every packet of the text must be one of ours: address, words, name of the packet or first register; and the other way
round, with two exceptions: the text shows the contents of an indirect buffer once in each render mode, and it does
not look into a CP_NOP, where drivers put the words for the case that a condition does not hold.

Then the streams run through the firmware: its register writes must be those of plain decoding, once with what a
machine that has just been switched on has in its registers, and once with everything visible, so that no draw is skipped.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.dont_write_bytecode = True
from features import reads_gzip

# GPU registers that say in which bins there is something to draw; CP_REG_TEST looks at them
VISIBLE = [f"VSC_CHANNEL_VISIBILITY[{i}].REG=0xffffffff" for i in range(32)]
TRACES = ("fd-clouds", "shadow", "deqp-vk-indirect-draw", "compute-a540")


def decode(gpucode, path):
    run = subprocess.run([gpucode, "decode", "--json", path], capture_output=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{path}: exit code {run.returncode}: {run.stderr.decode()}")
    return [json.loads(line) for line in run.stdout.decode().splitlines()]


def finish(packet):
    """The rest of the words was left out."""
    packet[1].extend([0] * (packet[3] - len(packet[1])))


def text_packets(path):
    """(address, words, name) of each packet in Mesa's text."""
    packets, pending = [], []  # pending: names without words yet; those of buffers and draws wait for their contents
    for line in open(path, encoding="utf-8"):
        head = re.match(r"\t*write (\S+) \(([0-9a-f]+)\)$", line)
        if head:
            pending.append((4, head.group(1), int(head.group(2), 16)))
            continue
        head = re.match(r"\t*opcode: (\S+) \(([0-9a-f]+)\) \((\d+) dwords\)$", line)
        if head:
            pending.append((7, head.group(1), int(head.group(2), 16)))
            continue
        dump = re.match(r"([0-9a-f]{16}):\t+([0-9a-f]{4}): ((?:[0-9a-f]{8} ?)+)$", line)
        if not dump:
            continue
        words = [int(word, 16) for word in dump.group(3).split()]
        if packets and len(packets[-1][1]) < packets[-1][3]:
            # lines of zeros are left out
            place = int(dump.group(2), 16) // 4
            if not place:
                finish(packets[-1])
            else:
                packets[-1][1].extend([0] * (place - len(packets[-1][1])) + words)
                continue
        if not pending:
            continue
        if words[0] >> 28 == pending[-1][0]:
            # dumps of shaders and groups stand between a packet's fields and its words
            number = words[0] >> 8 & 0x3FFFF if pending[-1][0] == 4 else words[0] >> 16 & 0x7F
            count = words[0] & (0x7F if pending[-1][0] == 4 else 0x3FFF)
            if number == pending[-1][2]:
                packets.append([int(dump.group(1), 16), words, pending.pop()[1], count + 1])
    assert not pending
    return [(address, words, name) for address, words, name, _ in packets]


def own_packets(events):
    """The same from ours; contents of buffers that were shown in the same mode are left out."""
    packets, seen, mode, hidden = [], set(), None, None
    left_out = 0
    nop_end = 0
    waiting = []  # a packet comes behind what it runs, as in the text

    def flush(depth):
        while waiting and waiting[-1][0] >= depth:
            packets.append(tuple(waiting.pop()[1:]))

    for event in events:
        if event["submit"] or event["stream"]:
            continue
        assert "trouble" not in event, event
        if event.get("enter") == "buffer" and hidden is None:
            key = (event["target_address"], mode)
            if key in seen:
                hidden = event["depth"]
            seen.add(key)
        elif event.get("leave") == "buffer" and hidden == event["depth"]:
            hidden = None
        elif "type" in event:
            if hidden is not None:
                left_out += 1
                continue
            if event["address"] < nop_end <= event["address"] + 4 * len(event["words"]) + 4:
                continue  # inside a CP_NOP
            nop_end = 0
            if event.get("packet") == "CP_NOP":
                nop_end = event["address"] + 4 * len(event["words"]) + 4
            words = [int(event["header"], 16)] + [int(word, 16) for word in event["words"]]
            flush(event["depth"])
            waiting.append([event["depth"], event["address"], words, event.get("packet")])
            if event.get("packet") == "CP_SET_MARKER":
                mode = next(field["text"] for field in event["fields"] if field["name"] == "MODE")
        elif "register" in event and hidden is None and waiting[-1][3] is None and not nop_end:
            waiting[-1][3] = event["register"]
    flush(0)
    return packets, left_out


# packets whose word the text leaves out
WITHOUT_FIELDS = {"CP_SET_MODE", "CP_SKIP_IB2_ENABLE_GLOBAL", "CP_SKIP_IB2_ENABLE_LOCAL", "CP_SET_VISIBILITY_OVERRIDE"}


def text_fields(path):
    """(address, packet): the fields of each type-7 packet in Mesa's text, as ours are written."""
    packets, pending = {}, []
    for line in open(path, encoding="utf-8"):
        head = re.match(r"(\t*)opcode: (\S+) \(([0-9a-f]+)\) \(\d+ dwords\)$", line)
        fields = re.match(r"(\t*)\{ (.*) \}$", line)
        dump = re.match(r"([0-9a-f]{16}):\t+0000: ([0-9a-f]{8})", line)
        if head:
            pending.append((len(head[1]), head[2], int(head[3], 16), []))
        elif fields and pending and len(fields[1]) == pending[-1][0] + 1:
            # "[0].ADDR" has its index in front, words without a name have their number
            for field in fields[2].split(" | "):
                pending[-1][3].append(re.sub(r"^(\d+) =", r"WORD\1 =", re.sub(r"^\[[0-9a-fx]+\]\.", "", field)))
        elif dump and pending:
            word = int(dump[2], 16)
            if word >> 28 == 7 and word >> 16 & 0x7F == pending[-1][2]:
                _, name, _, found = pending.pop()
                packets.setdefault((int(dump[1], 16), name), found)
    return packets


def own_fields(events):
    packets = {}
    for event in events:
        if "packet" not in event or event["submit"] or "words" not in event:
            continue
        found = [field["name"] if field["text"] == "set" else
                 field["text"] if field["name"] == "-" else f"{field['name']} = {field['text']}"
                 for field in event.get("fields", [])]
        packets.setdefault((event["address"], event["packet"]), found)
    return packets


def compare_packet_fields(gpucode, traces):
    theirs = text_fields(os.path.join(traces, "fd-clouds.decoded.txt"))
    ours = own_fields(decode(gpucode, os.path.join(traces, "fd-clouds.rd.gz")))
    fields = 0
    for key, wanted in theirs.items():
        if key[1] in WITHOUT_FIELDS:
            assert not wanted and ours[key], key
            continue
        if ours.get(key) != wanted:
            sys.exit(f"{key[1]} at {key[0]:#x}: Mesa {wanted}, gpucode {ours.get(key)}")
        fields += len(wanted)
    assert len(theirs) > 150 and fields > 200
    print(f"fd-clouds: {fields} fields of {len(theirs)} packets equal")


def compare(gpucode, traces):
    theirs = text_packets(os.path.join(traces, "fd-clouds.decoded.txt"))
    ours, left_out = own_packets(decode(gpucode, os.path.join(traces, "fd-clouds.rd.gz")))
    for at, (one, other) in enumerate(zip(theirs, ours)):
        if one != other:
            sys.exit(f"packet {at} differs: Mesa {one}, gpucode {other}")
    if len(theirs) != len(ours):
        sys.exit(f"Mesa shows {len(theirs)} packets, gpucode {len(ours)}")
    print(f"fd-clouds: {len(ours)} packets equal, {left_out} in buffers that the text does not repeat")


def replay(gpucode, firmware, path, registers):
    """Counts of the classes of register writes."""
    run = subprocess.run(
        [gpucode, "replay", path, "--firmware", firmware, "--against", "decode", "--json"]
        + [part for register in registers for part in ("--reg", register)],
        capture_output=True, check=False)
    lines = [json.loads(line) for line in run.stdout.decode().splitlines()]
    if run.returncode != 0:
        print(lines[:20])
        sys.exit(f"{path}: exit code {run.returncode}: {run.stderr.decode()}")
    counts = lines[-1]
    assert counts["different"] == 0 and len(lines) == 1
    return counts


def check_replay(gpucode, source, traces):
    with tempfile.TemporaryDirectory() as folder:
        firmware = os.path.join(folder, "a6xx.fw")
        subprocess.run([gpucode, "asm", source, "-o", firmware], check=True)
        for name in ("fd-clouds", "shadow"):
            path = os.path.join(traces, name + ".rd.gz")
            dark, visible = (replay(gpucode, firmware, path, registers) for registers in ([], VISIBLE))
            print(f"{name}: {dark}\n{name}, all visible: {visible}")
            # what conditions skip in the dark is run and equal when all is visible
            assert dark["skipped"] and dark["equal"] and visible["equal"] > dark["equal"]
            assert visible["skipped"] == 0
            assert sum(dark["handlers"].values()) == dark["handler"]
            if name == "fd-clouds":
                assert visible["equal"] == dark["equal"] + dark["skipped"]
        indirect = replay(gpucode, firmware, os.path.join(traces, "deqp-vk-indirect-draw.rd.gz"), [])
        print(f"deqp-vk-indirect-draw: {indirect}")
        assert indirect["equal"] == 414 and indirect["handlers"]["CP_DRAW_INDIRECT_MULTI"] == 15


def check_fields(gpucode, vectors, traces, name):
    """Fields of registers, one a row: stream, packet, register, field, value, address of the packet."""
    path = os.path.join(vectors, "decode", name + ".fields.tsv")
    if not os.path.exists(path):
        return
    found, packet = set(), 0
    for event in decode(gpucode, os.path.join(traces, name + ".rd.gz")):
        if "words" in event:
            packet = event["address"]
        elif "register" in event:
            for field in event.get("fields", []):
                found.add((event["frame"], packet, event["register"], field["name"], field["text"]))
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    for stream, _, register, field, value, address in rows:
        row = (int(stream), int(address, 16), register, field, value)
        assert row in found, row
    print(f"{name}: {len(rows)} fields equal")


def main():
    vectors = os.environ.get("GPUCODE_VECTORS") or os.path.join(os.environ["GPUCODE_SOURCE_ROOT"], "../shared/vectors")
    traces = os.path.join(vectors, "../traces")
    if not os.path.isdir(traces):
        print("skipped: no vectors")
        sys.exit(77)
    if not reads_gzip(sys.argv[1]):
        print("skipped: built without zlib")
        sys.exit(77)
    compare(sys.argv[1], traces)
    compare_packet_fields(sys.argv[1], traces)
    check_replay(sys.argv[1], sys.argv[2], traces)
    for name in TRACES:
        check_fields(sys.argv[1], vectors, traces, name)
    for name in TRACES:
        events = decode(sys.argv[1], os.path.join(traces, name + ".rd.gz"))
        packets = sum("type" in event for event in events)
        writes = sum("register" in event for event in events)
        print(f"{name}: {packets} packets, {writes} register writes")
        assert packets and writes, name


main()
