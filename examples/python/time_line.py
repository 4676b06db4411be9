# SPDX-License-Identifier: MIT
"""What a made-up processor did, as a trace that ui.perfetto.dev opens: by the functions of the library themselves."""
import gpucode
from gpucode import ffi, lib

texts = {text: ffi.new("char[]", text.encode()) for text in ("a processor", "clocks", "programs", "waits", "boot", "for memory")}
lanes = ffi.new("char *[]", [texts["programs"], texts["waits"]])
options = ffi.new("struct gpucode_time_line_options *", {
    "form": lib.GPUCODE_TIME_LINE_TRACE, "title": texts["a processor"], "unit": texts["clocks"], "lanes": lanes, "lane_count": 2,
    "nanoseconds": 10})
answer = gpucode.Answer()
line = lib.gpucode_time_line_begin(answer._c, options)
for lane, name, start, end in (("programs", "boot", 0, 200), ("waits", "for memory", 50, 150)):
    lib.gpucode_time_line_put(line, ffi.new("struct gpucode_time_line_event *", {
        "lane": texts[lane], "name": texts[name], "start": start, "end": end}))
status = lib.gpucode_time_line_end(line)
text = answer.json()
print(f"{ffi.string(lib.gpucode_status_text(status)).decode()}: {len(text)} bytes")
print(text, end="")
