#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Registers by name and messages of the power management: of the GPU, the GMU and the processors, on dumps made here.

    power.py GPUCODE [--write FOLDER]

With --write, seeds for fuzzing.
"""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

errors = []
QUEUES, BLOB = 0x60000000, 0x400
VALUES = {"vote": 1, "acd": 2, "freq": 3}


def check(what, good):
    if not good:
        errors.append(what)


def ascii85(words):
    used = len(words)
    while used and not words[used - 1]:
        used -= 1
    digits = lambda word: "".join(chr(33 + word // 85**i % 85) for i in range(4, -1, -1))
    return "".join(digits(word) if word else "z" for word in words[:used])


def message(sequence, number, *words, kind=0):
    return [number | (len(words) + 1) << 8 | kind << 16 | sequence << 20, *words]


def perf_table(legacy):
    """Two levels of the GPU, one of the GMU; what is not in use is there all the same."""
    names = ("vote", "freq") if legacy else ("vote", "acd", "freq")
    votes = [VALUES[name] + 16 * level if level < 2 else 0 for level in range(16) for name in names]
    return message(0xFFF, 4, 2, 1, *votes, *[7, 8], *[0] * 6)


def bw_table():
    return message(0, 3, 2, 1, 3, 1, 7, *range(0x50000, 0x50006), *range(12), *range(0x60000, 0x60008),
                   *range(0x100, 0x180))


class Queue:
    def __init__(self, size, legacy, at=0):
        self.words, self.at, self.starts, self.legacy = [0] * size, at, [], legacy

    def put(self, *words):
        self.starts.append(self.at)
        for i in range(len(words) if self.legacy else -(-len(words) // 4) * 4):
            self.words[self.at] = words[i] if i < len(words) else 0
            self.at = (self.at + 1) % len(self.words)


def queues(legacy):
    """The first one goes on at its start in the middle of a message."""
    sent, back = Queue(0x200, legacy, at=0x1A0), Queue(0x40, legacy)
    sent.put(*perf_table(legacy))
    sent.put(*bw_table())
    sent.put(*message(1, 30, 1, 6, 9))
    sent.put(*message(2, 33, 4, 5))
    sent.put(*message(3, 77, 11, 12))
    sent.put(*message(4, 0, 1, 0x60FF0000, 4096, 2))
    sent.put(*message(5, 14, 3))
    sent.put(*message(6, 1, 0x10001))
    back.put(*message(9, 126, sent.words[sent.starts[2]], 0, kind=1))
    back.put(*message(10, 100, 0x21, 0x41424344, 0))
    return [sent, back]


def dump(revision, gpu, gmu, control, legacy, row=12):
    both = queues(legacy)
    blob, at = [1, BLOB // 4, 6, row, 2, 2], 0x40
    for number, queue in enumerate(both):
        blob += [1, QUEUES + 4 * at, number, len(queue.words), 0, number, 3, 4, 1, 0, queue.at, queue.at]
        blob += [0xFFFFFFFF] * (row - 12)  # words of a row that nobody knows yet
        at += len(queue.words)
    blob += [0] * (0x40 - len(blob))
    for queue in both:
        blob += queue.words
    lines = ["---", "module: msm", f"revision: {revision}", "gmu-hfi:", f"    iova: {QUEUES:#018x}", f"    size: {4 * at}"]
    lines += [f"    queue-history[{i}]: {' '.join(map(str, [-1] * (8 - len(queue.starts)) + queue.starts))}"
              for i, queue in enumerate(both)]
    lines += ["    data: !!ascii85 |", "     " + ascii85(blob)]
    for section, values in (("registers", gpu), ("registers-gmu", gmu)):
        lines += [f"{section}:"] + [f"  - {{ offset: {4 * number:#08x}, value: {value:#010x} }}" for number, value in values]
    words = [0] * 0x8000
    for number, value in control.items():
        words[number] = value
    for name in ("CP_SQE_UCODE_DBG", "CP_BV_SQE_UCODE_DBG"):
        if name != "CP_BV_SQE_UCODE_DBG" or not legacy:
            lines += ["indexed-registers:", f"  - regs-name: {name}", "    dwords: 32768", "    data: !!ascii85 |",
                      "     " + ascii85(words)]
    return "\n".join(lines) + "\n"


A6XX = dump("630 (6.3.0.2)", [(0x800, 0x1000), (0x801, 0x10000), (0x830, 0x9000), (0x928, 5), (0x931, 7), (0x933, 1)],
            [(0x501A, 1), (0x50D0, 0x28), (0x5088, 0x22E30B), (0x4C02, 5), (0x346, 9)],
            {0x5000 + 0x12B - 0x100: 4, 0x5000 + 0x162 - 0x100: 0x80, 0x7010: 0x2000, 0x7011: 1, 0x7012: 33}, True)
A7XX = dump("0 (7.3.0.1)", [(0x800, 0x1000), (0x801, 0x10000)], [(0x501C, 0xBABEFACE), (0x51CD, 3)], {0x5000: 9}, False, row=14)


def run(*arguments, code=0):
    done = subprocess.run(arguments, capture_output=True, check=False, timeout=120, env={**os.environ, "COLUMNS": "4000"})
    if done.returncode != code:
        errors.append(f"{arguments[1:]}: exit code {done.returncode}, {done.stderr.decode()[:300]}")
    return done.stdout.decode()


def check_registers(told):
    values = {item["number"]: item for item in told["register_values"]}
    check(f"joined: {values}", values["0x800"]["value"] == "0x1000000001000" and "0x801" not in values)
    check("joined by name", (values["0x800"]["register"], values["0x800"]["words"]) == ("CP_RB_BASE", 2))
    # one word of two has neither the name nor the value of both
    check("low alone", (values["0x830"]["register"], values["0x830"]["value"]) == ("CP_SQE_INSTR_BASE+0", "0x9000"))
    check("no neighbour", values["0x928"]["register"] == "CP_IB1_BASE+0" and values["0x931"]["register"] == "CP_MRB_BASE+0")
    gmu = {item["number"]: item for item in told["gmu_register_values"]}
    check(f"gmu: {gmu}", gmu["0x501a"]["register"] == "GMU_CM3_FW_BUSY" and "register" not in gmu["0x4c02"])
    check("gmu fields", gmu["0x50d0"]["text"] == "{ SPTPRAC_GDSC_POWER_ON | GMU_UP_POWER_STATE }")
    # by numbers of its own: 0x346 is another register of the GPU
    check(f"gmu numbers: {gmu['0x346']}", gmu["0x346"]["register"] == "RSCC_TCS0_DRV0_STATUS")
    control = {item["number"]: item for item in told["control_registers"] if item["processor"] == "SQE"}
    check(f"control: {control}", (control["0x12b"]["register"], control["0x12b"]["value"]) == ("@MODE_BITMASK", "0x4"))
    check("control joined", (control["0x10"]["register"], control["0x10"]["value"]) == ("@IB1_BASE", "0x100002000"))
    check("control lists", "0x11" not in control and control["0x12"]["value"] == "0x21" and "0x162" in control)
    check("in order", list(control) == sorted(control, key=lambda number: int(number, 16)))


def check_messages(told, legacy):
    fields = [{field["name"]: int(field["value"], 16) for field in item["fields"]} for item in told["hfi"]]
    names = [item.get("name") for item in told["hfi"]]
    kinds = [item["type"] for item in told["hfi"]]
    check(f"directions: {kinds}", kinds == ["command"] * 8 + ["ack", "command"])
    check(f"messages: {names}", names == ["PERF_TABLE", "BW_TABLE", "GX_BW_PERF_VOTE", "PREPARE_SLUMBER", None, "INIT",
                                          "CORE_FW_START", "FW_VERSION", "ACK", "ERROR"])
    votes = {"num_gpu_levels": 2, "num_gmu_levels": 1, "cx_votes[0].vote": 7, "cx_votes[0].freq": 8}
    for level in range(2):
        for name in ("vote", "freq") if legacy else ("vote", "acd", "freq"):
            votes[f"gx_votes[{level}].{name}"] = VALUES[name] + 16 * level
    check(f"PERF_TABLE: {fields[0]}", fields[0] == votes)
    check(f"BW_TABLE: {fields[1]}", len(fields[1]) == 5 + 1 + 2 + 3 + 2 * 3 and fields[1]["ddr_cmds_data[1][2]"] == 0x10A
          and fields[1]["cnoc_cmds_data[1][0]"] == 6 and fields[1]["ddr_cmds_addrs[2]"] == 0x60002)
    check("votes", fields[2:5] == [{"ack_type": 1, "freq": 6, "bw": 9}, {"bw": 4, "freq": 5}, {}])
    check(f"ACK: {told['hfi'][8]}", told["hfi"][8]["fields"][0]["text"] == "GX_BW_PERF_VOTE 1" and fields[8]["error"] == 0)
    check("ERROR", fields[9] == {"code": 0x21, "payload[0]": 0x41424344, "payload[1]": 0})
    first, second = told["hfi_queues"]
    check(f"queues: {second}", (second["direction"], second["dropped"], second["size_words"]) == ("from the GMU", 1, 0x40))
    check("history", len(first["history_words"]) == 8 and first["history_words"][0] == 0x1A0)


def check_forms(gpucode, path):
    text, report = run(gpucode, "crash", "--verbose", path), run(gpucode, "crash", "--verbose", "--markdown", path)
    plain = lambda lines: [re.sub(r"\\(.)", r"\1", line).lstrip("# ") for line in lines.splitlines() if line.strip()]
    check("Markdown says what text does", plain(report) == plain(text))
    outside = [line for line in report.splitlines() if line and not line.startswith("    ")]
    check(f"headings: {outside}", all(line.startswith("## ") for line in outside[1:]) and len(outside) == 8)
    check("blank lines around headings", not re.search(r"[^\n]\n## |\n## .*\n[^\n]", report))
    section = run(gpucode, "crash", "--section", "registers-gmu", path)
    check("section of the GMU", "GMU_CM3_FW_BUSY = 0x1\n" in section)
    section = run(gpucode, "crash", "--section", "registers", path)
    check(f"section: {section}", "CP_RB_BASE = 0x1000000001000\n" in section and "CP_SQE_INSTR_BASE+0 = 0x9000\n" in section)
    for options in (["--json"], ["--redact", path + ".open"]):
        run(gpucode, "crash", "--markdown", *options, path, code=2)
    check("no file", not os.path.exists(path + ".open"))


def main():
    if sys.argv[2:3] == ["--write"]:
        with open(os.path.join(sys.argv[3], "power-a6xx.devcore"), "w", encoding="ascii") as file:
            file.write(A6XX.split("indexed-registers")[0])
        with gzip.GzipFile(os.path.join(sys.argv[3], "power-a7xx.devcore.gz"), "w", mtime=0) as file:
            file.write(A7XX.encode())
        return
    gpucode = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "dump")
        for text, legacy in ((A6XX, True), (A7XX, False)):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            told = json.loads(run(gpucode, "crash", "--verbose", "--json", path))
            check_messages(told, legacy)
            if legacy:
                check_registers(told)
                check_forms(gpucode, path)
            else:
                gmu = [(item["register"], item["text"]) for item in told["gmu_register_values"]]
                check(f"a7xx: {gmu}", gmu == [("GMU_CM3_FW_INIT_RESULT", "0xbabeface"), ("GMU_GENERAL_8", "0x3")])
                check("BV", [item["processor"] for item in told["control_registers"] if item["number"] == "0x100"] ==
                      ["SQE", "BV"])
    print("\n".join(errors) if errors else "registers and messages are as they should be")
    sys.exit(bool(errors))


main()
