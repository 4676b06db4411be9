# SPDX-License-Identifier: MIT
"""Reads what `decode --json` tells of stream.asm and holds it against what the packets there mean: which registers get
which values, in which order, under which condition, and between which draws. A register without a value is unknown."""
import json
import sys

FIRST = """8800=11 8801=12 8801=10 8810=1 8890=2 8800=113 885=? 883=0
-8811=21 -8812=22 -8813=23 -8814=24 -8815=25 8812=31 883=1 +8813=41 -8814=51
draw a000=a0 a002=a2 draw draw a000=a0 a001=a1 9800=9 draw ?8815=77 8800=99 9801=97"""
MARKS = {"skipped": "-", "taken": "+", "maybe": "?", None: ""}
told, fields = [], {}
for line in sys.stdin:
    one = json.loads(line)
    if "register" in one:
        value = f"{one['value']:x}" if "value" in one else "?"
        told.append(f"{MARKS[one.get('condition')]}{one['number']:x}={value}")
        fields.setdefault(one["register"], one.get("fields"))
    elif one.get("packet") == "CP_DRAW_INDX_OFFSET":
        told.append("draw")
# a draw is told before the groups that it runs
if told != FIRST.split():
    sys.exit(f"what is written:\n{' '.join(told)}\nand not\n{FIRST}")
wanted = [("BINW", 0x11 << 5), ("BINH", 0)]
if [(field["name"], field["value"]) for field in fields["RB_CNTL"]][:2] != wanted:
    sys.exit(f"fields of RB_CNTL: {fields['RB_CNTL']}")
