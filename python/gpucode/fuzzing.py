# SPDX-License-Identifier: MIT
"""Fuzzing anything that Python can run, with the engine of `gpucode fuzz`."""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

from ._core import Calls, a, called, check, data_of, encoded, ffi, lib, record_as, text
from .structs import FuzzNumbers

__all__ = ["Fuzzer", "Kind"]


class Kind(NamedTuple):
    """A kind of records: its name, how often one is made, and how many words one has."""

    name: str
    weight: int = 1
    least: int = 0
    most: int = 1


Records = List[Tuple[str, List[int]]]

if hasattr(lib, "gpucode_fuzz_create"):

    @called(0)
    def gpucode_py_attach(subject: Any, edges: Any, size: int) -> int:
        subject._map = ffi.buffer(edges, size) if edges != ffi.NULL else None
        return int(lib.GPUCODE_OK)

    @called()
    def gpucode_py_run(subject: Any, records: Any, count: int, outcome: Any) -> None:
        found = subject._run(subject._records(records, count), subject._map)
        if found is not None:
            key, sentence = found
            outcome.judgement = lib.GPUCODE_FUZZ_FINDING
            outcome.key, outcome.text = data_of(key)[:63], data_of(sentence)[:319]


class Fuzzer:
    """Makes inputs, lists of (kind, words), and keeps those that reach something new.

    run(records, map) runs one from the same state as every time, counts in the bytes of the map what it reaches, and returns None, or
    (key, sentence) for a finding. The same seed gives the same findings.
    """

    def __init__(self, kinds: Sequence[Kind], run: Callable[[Records, Any], Optional[Tuple[str, str]]], map_size: int = 1024, seed: int = 1):
        if not callable(run):
            raise TypeError(f"{a(run)} cannot be called: expected a function of records and a map")
        self.kinds, self._run, self._map = list(kinds), run, None
        self._calls = Calls()
        names = [self._calls.keep(encoded(kind.name)) for kind in self.kinds]
        self._kinds = ffi.new("struct gpucode_fuzz_kind[]", [
            {"name": name, "weight": kind.weight, "least": kind.least, "most": kind.most} for name, kind in zip(names, self.kinds)])
        self._subject = ffi.new("struct gpucode_fuzz_subject *", {
            "kind_count": len(self.kinds), "kinds": self._kinds, "map_size": map_size, "attach": lib.gpucode_py_attach,
            "run": lib.gpucode_py_run, "user": self._calls.subject(self)})
        out, worker = ffi.new("struct gpucode_fuzz **"), ffi.new("struct gpucode_fuzz_worker **")
        check(lib.gpucode_fuzz_create(self._subject, seed, out))
        self._c = ffi.gc(out[0], lib.gpucode_fuzz_free)
        check(lib.gpucode_fuzz_worker_create(self._c, self._subject, worker))
        self._worker = ffi.gc(worker[0], lib.gpucode_fuzz_worker_free)
        self._task = 0

    def __del__(self) -> None:
        worker = getattr(self, "_worker", None)
        if worker is not None:
            ffi.release(worker)  # workers go before what they work for

    def _records(self, records: Any, count: int) -> Records:
        return [(self.kinds[records[i].kind].name, [records[i].words[k] for k in range(records[i].count)]) for i in range(count)]

    def work(self, runs: int = 1000) -> None:
        """About so many runs more."""
        result = ffi.new("struct gpucode_fuzz_result **")
        check(lib.gpucode_fuzz_work(self._worker, self._task, runs, result))
        self._task += 1
        check(lib.gpucode_fuzz_merge(self._worker, result[0]))
        self._calls.check()

    @property
    def findings(self) -> List[Tuple[str, str, Records]]:
        """(key, sentence, records of the least input) of each finding."""
        found: List[Tuple[str, str, Records]] = []
        out = ffi.new("struct gpucode_fuzz_finding *")
        while lib.gpucode_fuzz_finding_at(self._c, len(found), out):
            room = max(1, out.size)
            records = ffi.new("struct gpucode_fuzz_record[]", room)
            words = ffi.new("uint32_t[]", room * lib.GPUCODE_FUZZ_WORDS_MAX)
            count = lib.gpucode_fuzz_read(len(self.kinds), out.bytes, out.size, records, room, words)
            found.append((text(out.outcome.key) or "", text(out.outcome.text) or "", self._records(records, count)))
        return found

    @property
    def numbers(self) -> FuzzNumbers:
        """How far it is: runs, inputs kept, findings."""
        out = ffi.new("struct gpucode_fuzz_numbers *")
        lib.gpucode_fuzz_numbers(self._c, out)
        return record_as(FuzzNumbers, out)
