#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every request of the server's table occurs in a recorded conversation, done and (if it can be) refused.

usage: requests.py REQUEST.DEF FILE.dap..."""
import json
import re
import sys

NEVER_REFUSED = {"initialize", "disconnect", "terminate", "cancel"}
table = re.findall(r"^REQUEST\((\w+), \w+\)", open(sys.argv[1], encoding="utf-8").read(), re.MULTILINE)
done, refused = set(), set()
for path in sys.argv[2:]:
    for line in open(path, encoding="utf-8"):
        message = json.loads(line[1:]) if line.startswith("<") else {}
        if message.get("type") == "response":
            (done if message["success"] else refused).add(message["command"])
bad = [f"no conversation has `{name}`" for name in table if name not in done]
bad += [f"no conversation has `{name}` refused" for name in table if name not in refused | NEVER_REFUSED]
if len(table) < 30:
    bad.append("the table cannot be read")
sys.exit("\n".join(bad) or 0)
