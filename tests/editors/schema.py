#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The launch request in the extension's manifest is the one that the server knows. usage: schema.py GPUCODE MANIFEST"""
import json
import subprocess
import sys

program, manifest = sys.argv[1:]
known = json.loads(subprocess.run([program, "dap", "--launch-schema"], check=True, capture_output=True).stdout)
with open(manifest, encoding="utf-8") as file:
    debuggers = json.load(file)["contributes"]["debuggers"]
told = debuggers[0]["configurationAttributes"]["launch"]
assert len(known["properties"]) > 10, "the schema is nearly empty"
if told != known:
    for name in sorted(set(told["properties"]) | set(known["properties"])):
        if told["properties"].get(name) != known["properties"].get(name):
            print(f"{name}: the manifest has {told['properties'].get(name)}, the server {known['properties'].get(name)}")
    sys.exit("the manifest's launch attributes are those of an older server: gpucode dap --launch-schema")
