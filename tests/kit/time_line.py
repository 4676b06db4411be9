# SPDX-License-Identifier: MIT
"""usage: time_line.py GPUCODE EXAMPLES

Time lines of runs: scripts, shaders and firmware. The debugger, sent to the position of an event, stands before the
event's instruction; lanes have no gaps and no overlaps; the trace has the same events, by the rules of the Trace Event
Format, so that viewers open it."""
import json
import os
import re
import subprocess
import sys
import tempfile

gpucode, examples = sys.argv[1], sys.argv[2]
KEYS = {"M": {"name", "ph", "pid", "args"}, "X": {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"},
        "i": {"name", "cat", "ph", "s", "ts", "pid", "tid", "args"}}  # what the format asks for, and no more


def run(*arguments, codes=(0,), **options):
    result = subprocess.run([gpucode, *arguments], capture_output=True, text=True, **options)
    assert result.returncode in codes, (arguments, result.returncode, result.stderr)
    return result


def records(*arguments, codes=(0,)):
    line, *events = [json.loads(one) for one in run("run", *arguments, "--time-line", "--json", codes=codes).stdout.splitlines()]
    return line, events


def check_positions(code, threads, events):
    """`threads`: by lane the name of the debugger's thread; other lanes are left out."""
    wanted = [event for event in events if event["lane"] in threads and "address" in event]
    commands = "".join(f"goto {event['position']}\nthread {threads[event['lane']]}\nprint $pc\nprint $position\n" for event in wanted)
    said = run("debug", *code, input=commands, codes=(0, 1)).stdout
    places = [int(one, 16) for one in re.findall(r"\$pc = 0x([0-9a-f]+)", said)]
    positions = [int(one, 0) for one in re.findall(r"\$position = (\w+)", said)]
    assert len(wanted) > 3
    for event, place, position in zip(wanted, places, positions, strict=True):
        assert (place, position) == (event["address"], event["position"]), (event, place, position)


def check_lanes(line, events):
    rows = {}
    for event in events:
        assert event["lane"] in line["lanes"] and event["start"] <= event["end"], event
        rows.setdefault((event["lane"], event["level"]), []).append(event)
    for row in rows.values():
        for before, after in zip(row, row[1:]):
            assert before["end"] <= after["start"], (before, after)
    numbers = {}
    for event in events:
        numbers.setdefault(event["lane"], []).append(event["number"])
    for lane, list_of in numbers.items():
        assert sorted(list_of) == list(range(len(list_of))), lane
    return rows


def check_trace(folder, events, arguments, nanoseconds=None, codes=(0,)):
    path = os.path.join(folder, "trace.json")
    said = run("run", *arguments, "--perfetto", path, codes=codes).stdout
    assert said == run("run", *arguments, codes=codes).stdout  # what is printed besides is as without
    with open(path) as file:
        trace = json.load(file)
    assert set(trace) == {"displayTimeUnit", "traceEvents"} and trace["displayTimeUnit"] in ("ms", "ns")
    lanes, timed, ends = {}, [], {}
    for event in trace["traceEvents"]:
        assert KEYS[event["ph"]] <= set(event) <= KEYS[event["ph"]] | {"tid"}, event
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name", "thread_sort_index"), event
            lanes.update({event["tid"]: event["args"]["name"]} if event["name"] == "thread_name" else {})
        else:
            assert event["ts"] >= 0 and event.get("dur", 1) > 0 and event.get("s", "t") == "t" and lanes[event["tid"]] == event["cat"]
            timed.append(event)
    for event in sorted((one for one in timed if one["ph"] == "X"), key=lambda one: (one["tid"], one["ts"], -one["dur"])):
        stack = ends.setdefault(event["tid"], [])
        while stack and stack[-1] <= event["ts"] + 1e-6:
            stack.pop()
        assert not stack or event["ts"] + event["dur"] <= stack[-1] + 1e-6, event  # in one another, or apart
        stack.append(event["ts"] + event["dur"])
    scale = nanoseconds / 1000 if nanoseconds else 1
    shown = [(event["args"]["id"], event["name"], round(event["ts"], 3), round(event.get("dur", 0), 3)) for event in timed]
    assert shown == [(f"{one['lane']}:{one['number']}", one["name"], round(one["start"] * scale, 3), round((one["end"] - one["start"]) * scale, 3))
                     for one in events]


def check_refusals(code):
    assert "--trace has no effect with --time-line" in run("run", *code, "--time-line", "--trace", codes=(2,)).stderr


with tempfile.TemporaryDirectory() as scratch:
    script = [f"{examples}/hwsq/reclock.hwsq"]
    head, found = records(*script)
    assert head["lanes"][0] == "memory paused" and head["unit"] == "clocks" and head["unit_nanoseconds"] == 32
    check_lanes(head, found)
    check_trace(scratch, found, script, 32)
    check_refusals(script)

    for pixel in ("3,3", "32,40"):
        planet = ["-t", "a3xx", "--image", "64x64", "--pixel", pixel, "--varying", "0=-1.1,1.1,-1.1", "--varying", "1=1.1,1.1,-1.1",
                  f"{examples}/a3xx/planet.asm"]
        head, found = records(*planet)
        fibers = {f"fiber {i}": str(i) for i in range(4)}
        assert head["lanes"] == [*fibers, "waits", "memory", "faults"] and head["unit"] == "slots"
        rows = check_lanes(head, found)
        for fiber in fibers:  # one instruction after the other
            row = rows[fiber, 0]
            assert row[0]["start"] == 0 and all(a["end"] == b["start"] for a, b in zip(row, row[1:])), fiber
        with open(f"{examples}/a3xx/planet.asm") as file:
            source = file.read().split("\n")
        for event in rows["fiber 0", 0]:
            assert event["name"].split()[0] in source[event["line"] - 1], event
        assert [one["name"] for one in rows["waits", 0]] == [one["name"] for one in rows["fiber 0", 0] if "(ss)" in one["name"] or "(sy)" in one["name"]]
        check_positions(planet, fibers, found[:80] + found[-8:])
        check_trace(scratch, found, planet)
    check_refusals(planet)

    sums = ["-t", "ir3:a630", f"{examples}/ir3/sum.asm"]
    head, found = records(*sums)
    rows = check_lanes(head, found)
    fibers = {f"fiber {i}": str(i) for i in range(8)}
    assert head["lanes"] == [*fibers, "waits", "memory", "faults"]
    waits = [event for event in found if event["name"] == "waits for other fibers"]
    assert waits and all(event["mark"] == "skipped" and "address" not in event for event in waits)
    assert any(event["name"].endswith("bar.g.l") for event in rows["waits", 0])
    assert "local [0x0] <= 0x1" in [event["name"] for event in rows["memory", 0]]
    assert [event["detail"] for event in rows["memory", 0]][-1] == "fiber 0"
    check_positions(sums, fibers, [event for event in found if event["name"].split()[0] in ("getone", "ldl.u32", "end")])
    check_trace(scratch, found, sums)
    head, cut = records(*sums, "--limit", "20", codes=(1,))
    assert cut[-1]["lane"] == "faults" and cut[-1]["mark"] == "fault" and "limit" in cut[-1]["name"], cut[-1]
    ran = [event for event in cut if event["lane"] != "faults" and "address" in event]
    assert ran[:100] == [event for event in found if "address" in event][:100]  # the same names

    for chip, processor in (("a6xx", "SQE"), ("a7xx", "BR")):
        firmware = [f"{examples}/firmware/{chip}.asm"]
        given = ["--packet", "CP_MEM_WRITE 0x100000, 0, 0xcafe, 0xf00d", "--packet", "CP_NOP 1, 2"]
        head, found = records(*given, *firmware)
        rows = check_lanes(head, found)
        assert [one["name"] for one in rows[processor, 0]] == ["boot", "CP_MEM_WRITE", "CP_NOP"]
        assert [one["name"] for one in rows["memory", 0]] == ["[0x100000] <= 0x0000cafe", "[0x100004] <= 0x0000f00d"]
        inside = [one["name"] for one in rows[processor, 1] if rows[processor, 0][1]["start"] <= one["start"] < rows[processor, 0][1]["end"]]
        assert inside == ["CP_MEM_WRITE", "open_memory", "CP_MEM_WRITE+0x3"], inside
        check_positions([*given, *firmware], {processor: processor}, found)
        check_trace(scratch, found, [*given, *firmware])
    check_refusals(firmware)
    hang = ["--packet", "CP_WAIT_REG_MEM 0x13 0x100000 0 1 0xffffffff 16", f"{examples}/firmware/a6xx.asm"]
    head, found = records(*hang, codes=(1,))
    assert found[-1]["lane"] == "faults" and found[-1]["mark"] == "fault" and found[-1]["position"] > 0, found[-1]
