# SPDX-License-Identifier: MIT
"""Fuzzing a calculator: which record makes it divide by zero?"""
import gpucode


def run(records, edges):
    for kind, words in records:
        edges[0 if kind == "add" else 1] = b"\x01"
        if kind == "divide" and words and words[0] == 0:
            return "zero", "division by zero"
    return None


fuzzer = gpucode.Fuzzer([gpucode.Kind("add", least=1), gpucode.Kind("divide", least=1)], run, map_size=16)
fuzzer.work(1000)
for key, sentence, records in fuzzer.findings:
    print(f"{key}: {sentence}:" + "".join(f" {kind} {words[0] if words else 0}" for kind, words in records))
