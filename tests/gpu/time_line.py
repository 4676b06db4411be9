# SPDX-License-Identifier: MIT
"""usage: time_line.py GPUCODE STREAM_SOURCE

Time lines of streams: every packet that decoding shows has its event, in order and without a gap; the trace says the
same as the records, and nests; the names of events stay when a part is asked for; the page has the picture."""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

gpucode, source = sys.argv[1], sys.argv[2]
traces = os.path.join(os.environ.get("GPUCODE_VECTORS", "/nowhere"), "../traces")


def run(*arguments, codes=(0,)):
    result = subprocess.run([gpucode, *arguments], capture_output=True, text=True)
    assert result.returncode in codes, (arguments, result.returncode, result.stderr)
    return result


def lines(*arguments, codes=(0, 1)):
    return [json.loads(line) for line in run(*arguments, "--json", codes=codes).stdout.splitlines()]


def events(path, *options):
    records = [one for one in lines("decode", "--time-line", path, *options) if "left_out_submits" not in one]
    assert records[0]["unit"] == "words" and records[0]["order"] is True
    return records[1:], records[0]["lanes"]


def check_order(path, found):
    by_lane = {}
    for event in found:
        assert event["start"] <= event["end"], event
        by_lane.setdefault((event["lane"], event["level"]), []).append(event)
    for row in by_lane.values():
        row.sort(key=lambda event: (event["start"], event["number"]))
        for before, after in zip(row, row[1:]):
            assert before["end"] <= after["start"], (path, before, after)
    end = max(event["end"] for event in found if event["lane"] == "submits")
    packets = by_lane["packets", 0]
    assert packets[0]["start"] == 0 and all(event["end"] <= end for event in found)
    troubles = sum(event["end"] - event["start"] for event in by_lane.get(("faults", 0), []))
    assert sum(event["end"] - event["start"] for event in packets) + troubles >= end, path
    for level in range(1, 4):  # a buffer is in one of the level above
        for inner in by_lane.get(("buffers", level), []):
            assert any(outer["start"] <= inner["start"] and inner["end"] <= outer["end"]
                       for outer in by_lane["buffers", level - 1]), inner
    return packets


def check_packets(path, packets):
    decoded = [one for one in lines("decode", path) if "header" in one]
    assert len(decoded) == len(packets), (path, len(decoded), len(packets))
    for one, event in zip(decoded, packets):
        assert one["address"] == event["address"] and one["frame"] == event["frame"], (one, event)
        assert len(one["words"]) + 1 == event["end"] - event["start"], (one, event)
        assert one.get("packet", event["name"]) == event["name"], (one, event)
        assert one.get("condition") in (None, "taken", event.get("mark")), (one, event)


def check_trace(path, folder, found, lanes):
    out = os.path.join(folder, "trace.json")
    run("decode", "--perfetto", out, path, codes=(0, 1))
    with open(out) as file:
        trace = json.load(file)["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in trace if event["name"] == "thread_name"}
    assert [names[tid] for tid in sorted(names)] == lanes
    timed = [event for event in trace if event["ph"] != "M"]
    assert len(timed) == len(found)
    for event, record in zip(timed, found):
        assert names[event["tid"]] == event["cat"] == record["lane"]
        assert event["args"]["id"] == f"{record['lane']}:{record['number']}"
        assert (event["ts"], event.get("dur", 0)) == (record["start"], record["end"] - record["start"])
        assert event["ph"] == ("X" if record["end"] > record["start"] else "i") and event["pid"] == 1
        assert event["name"] == record["name"]
    open_until = {}  # what viewers need: of one lane, events are in one another or apart
    for event in sorted((e for e in timed if e["ph"] == "X"), key=lambda e: (e["tid"], e["ts"], -e["dur"])):
        stack = open_until.setdefault(event["tid"], [])
        while stack and stack[-1] <= event["ts"]:
            stack.pop()
        assert not stack or event["ts"] + event["dur"] <= stack[-1], event
        stack.append(event["ts"] + event["dur"])


def check_parts(path, found):
    frames = sorted({event["frame"] for event in found})
    wanted = frames[len(frames) // 2]
    part, _ = events(path, "--frame", str(wanted))
    inside = [event for event in part if event["lane"] not in ("submits", "streams")]
    assert inside == [event for event in found if event["lane"] not in ("submits", "streams") and event["frame"] == wanted]
    outline = [event for event in found if event["lane"] in ("submits", "streams")]
    assert [event for event in part if event["lane"] in ("submits", "streams")] == outline


def check_page(path, folder, found):
    out = os.path.join(folder, "page.html")
    run("decode", "--html", out, path, codes=(0, 1))
    with open(out) as file:
        text = file.read()
    picture = xml.etree.ElementTree.fromstring(
        text[text.index("<svg"):text.index("</svg>") + 6].replace("class=time-line role=img", ""))
    rows = {text.text for text in picture.findall("text")}
    assert {event["lane"] for event in found} <= rows, rows
    bars = picture.findall(".//rect")
    assert len(bars) <= 1200 * 16, len(bars)
    draws = {event["draw"] for event in found if "draw" in event}
    linked = {int(link.get("href")[2:]) for link in picture.findall(".//a")}
    assert linked <= draws and bool(linked) == bool(draws)
    assert all(f"id=d{draw}>" in text for draw in linked)


def check(path, folder):
    found, lanes = events(path)
    packets = check_order(path, found)
    check_packets(path, packets)
    check_trace(path, folder, found, lanes)
    check_parts(path, found)
    check_page(path, folder, found)
    return found


def check_replay(stream, firmware, folder):
    """Handlers in the order in which they ran, with what `replay` says that they write."""
    records = lines("replay", stream, "--firmware", firmware, "--time-line")
    head, found = records[0], records[1:]
    assert head["unit"] == "instructions" and head["lanes"] == ["submits", "streams", "SQE", "faults"], head
    handlers = [event for event in found if event["lane"] == "SQE"]
    assert [event["number"] for event in handlers] == list(range(len(handlers)))
    assert handlers[0]["name"] == "boot" and handlers[0]["start"] == 0
    for before, after in zip(handlers, handlers[1:]):
        assert before["start"] < before["end"] < after["start"], (before, after)
    writes = {}
    for one in lines("replay", stream, "--firmware", firmware):
        if "register" in one:
            writes.setdefault((one["submit"], one["stream"]), []).append(one["packet"])
    shown = {}
    for event in handlers[1:]:
        detail = event.get("detail", "")
        count = int(detail.split(" register")[0].split()[-1]) if "register" in detail else 0
        shown.setdefault((event["submit"], event["stream"]), []).extend([event["name"]] * count)
    assert {key: value for key, value in shown.items() if value} == writes, (shown, writes)
    # a handler has the words of its packet
    packets = [one for one in lines("decode", stream) if "header" in one]
    nop = next(one for one in packets if one.get("packet") == "CP_NOP")
    first = next(event for event in handlers if event["name"] == "CP_NOP")
    assert first["detail"] == f"{len(nop['words']) + 1} words", (first, nop)
    streams = [event for event in found if event["lane"] == "streams"]
    assert [event["frame"] for event in streams] == list(range(len(streams)))
    for event in handlers[1:]:
        around = next(one for one in streams if one["frame"] == event["frame"])
        assert around["start"] <= event["start"] and event["end"] <= around["end"], (around, event)
    submits = [event for event in found if event["lane"] == "submits"]
    assert [event["number"] for event in submits] == sorted({event["submit"] for event in streams})
    out = os.path.join(folder, "replay.json")
    run("replay", stream, "--firmware", firmware, "--perfetto", out)
    with open(out) as file:
        trace = json.load(file)["traceEvents"]
    timed = [(event["cat"], event["ts"], event.get("dur", 0)) for event in trace if event["ph"] != "M"]
    assert timed == [(event["lane"], event["start"], event["end"] - event["start"]) for event in found]
    page = os.path.join(folder, "replay.html")
    run("replay", stream, "--firmware", firmware, "--html", page)
    with open(page) as file:
        text = file.read()
    assert text.index("</svg>") < text.index("CP_SCRATCH") and text.count("<svg") == 1
    assert "<title>CP_NOP: " in text
    run("replay", stream, "--firmware", firmware, "--against", "decode", "--html", page, codes=(0, 1))
    with open(page) as file:
        assert "register writes equal" in file.read()
    for first, second in (("--html", "--perfetto"), ("--time-line", "--perfetto"), ("--time-line", "--html"),
                          ("--against", "--time-line"), ("--against", "--perfetto")):
        options = [part for one in (first, second)
                   for part in ({"--against": [one, "decode"], "--time-line": [one]}.get(one, [one, page + ".none"]))]
        refused = run("replay", stream, "--firmware", firmware, *options, codes=(2,))
        assert "[cli-option-idle]" in refused.stderr and not os.path.exists(page + ".none")
    # firmware that stops: the moment is there, the files are whole, and the exit code says it
    limited = ["replay", stream, "--firmware", firmware, "--limit", "60"]
    faults = [event for event in lines(*limited, "--time-line", codes=(1,)) if event.get("lane") == "faults"]
    assert [(event["start"], event["mark"]) for event in faults] == [(faults[0]["end"], "fault")], faults
    assert faults[0]["name"] == "the limit of instructions is reached"
    for option in ("--perfetto", "--html"):
        out = os.path.join(folder, "stopped" + option)
        run(*limited, option, out, codes=(1,))
        with open(out) as file:
            assert "the limit of instructions is reached" in file.read()


def check_crash_page(dump, folder):
    page = os.path.join(folder, "crash.html")
    run("crash", dump, "--html", page)
    with open(page) as file:
        text = file.read()
    assert text.index("<svg") < text.index("in hand: CP_WAIT_REG_MEM") < text.index("</svg>") < text.index("The SQE ")
    for options in (["--markdown"], ["--redact", page + ".none"], ["--section", "registers"]):
        refused = run("crash", dump, "--html", page + ".none", *options, codes=(2,))
        assert "[cli-option-idle]" in refused.stderr and not os.path.exists(page + ".none"), options
    assert run("crash", dump, "--html", os.path.join(folder, "none", "x.html"), codes=(2, 3)).stderr
    # a log of the kernel has no streams, and a page without a picture
    log = os.path.join(folder, "msm.log")
    with open(log, "w") as file:
        file.write("revision: 640 (06040001)\n*** gpu fault: iova=0000000000001000 flags=1 (0,0,0,0)\n")
    run("crash", log, "--html", page)
    with open(page) as file:
        text = file.read()
    assert "<svg" not in text and "An SMMU fault was seen" in text


with tempfile.TemporaryDirectory() as folder:
    stream = os.path.join(folder, "stream.rd")
    run("asm", source, "-o", stream)
    found = check(stream, folder)
    skipped = {event["name"] for event in found if event.get("mark") == "skipped" and event["lane"] == "packets"}
    assert skipped == {"RB_MODE_CNTL", "CP_NOP", "0x8814"}, skipped
    assert [event["draw"] for event in found if event["lane"] == "draws"] == [0, 1, 2, 3]
    assert any(event["name"] == "memory not recorded" and event["mark"] == "fault" for event in found)
    again = run("decode", "--time-line", stream).stdout
    assert again.startswith("times are words in their order, not time; lanes: submits, streams"), again[:80]
    for beside in ("--draws", "--textures", "--once"):
        assert "[cli-option-idle]" in run("decode", "--time-line", stream, beside, codes=(2,)).stderr
    assert not os.path.exists(os.path.join(folder, "none.json"))
    run("decode", "--perfetto", os.path.join(folder, "none.json"), stream, "--frame", "99", codes=(2,))
    assert "[cli-" in run("decode", "--perfetto", os.path.join(folder, "none", "x.json"), stream, codes=(2, 3)).stderr
    dump = os.path.join(folder, "hang.devcore")
    run("run", os.path.join(os.path.dirname(source), "../../examples/firmware/a6xx.asm"), "--packet",
        "CP_WAIT_REG_MEM 0x13 0x100000 0 1 0xffffffff 16", "--crash", dump, codes=(1,))
    faults = [event for event in events(dump)[0] if event["lane"] == "faults"]
    assert [(event["name"], event["mark"]) for event in faults] == [("in hand: CP_WAIT_REG_MEM", "fault")], faults
    check_crash_page(dump, folder)
    firmware = os.path.join(folder, "a6xx.fw")
    run("asm", os.path.join(os.path.dirname(source), "../../examples/firmware/a6xx.asm"), "-o", firmware)
    check_replay(stream, firmware, folder)
    if not os.path.isdir(traces):
        print("skipped: the recordings, as GPUCODE_VECTORS has none")
    for name in sorted(os.listdir(traces)) if os.path.isdir(traces) else []:
        if name.endswith(".rd.gz"):
            check(os.path.join(traces, name), folder)
