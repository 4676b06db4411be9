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
    if not os.path.isdir(traces):
        print("skipped: the recordings, as GPUCODE_VECTORS has none")
    for name in sorted(os.listdir(traces)) if os.path.isdir(traces) else []:
        if name.endswith(".rd.gz"):
            check(os.path.join(traces, name), folder)
