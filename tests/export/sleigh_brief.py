# SPDX-License-Identifier: MIT
"""The readable form of AFUC in Ghidra (`brief`): what decompiled handlers of the example firmware of each generation must
have, and what the constructors of the form must and must not do where there is no decompiler."""
import os
import re

# Of each target: handler, and statements of it in the decompiler's C.
HANDLERS = {
    "afuc:a530": {
        "CP_EVENT_WRITE": ["xVar2 = take_word();", "CP_ME_NRT_ADDR_LO = xVar2;", "CP_ME_NRT_DATA = xVar2;", "next_packet();"],
        "CP_MEM_TO_REG": ["r02 = take_word();", "CP_ME_NRT_ADDR_HI = r06;", "xVar3 = take_memdata();", "*pxVar2 = xVar3;"],
    },
    "afuc:a630": {
        "CP_EVENT_WRITE": ["PC_EVENT_INITIATOR = r04 & 0xff;", "EVENT_CMD = 1;", "REG_READ_ADDR = 0x980;",
                           "uVar2 = take_regdata();", "*extraout_state_place = r05;"],
        "CP_INDIRECT_BUFFER": ["r02 = take_word();", "r06 = IB_LEVEL;", "IB_LEVEL = r06;", "*(uint4 *)(r07 + 0x12) = r04;"],
        "CP_MEM_TO_REG": ["MEM_READ_ADDR = r02;", "MEM_READ_DWORDS = uVar2;", "iVar4 = take_memdata();"],
        "CP_REG_RMW": ["r04 = take_word();", "*(uint4 *)(r02 & 0xffff) = r10 | r04;"],
    },
    "afuc:a730": {
        "CP_EVENT_WRITE7": ["PC_EVENT_INITIATOR = r04 & 0xff;", "EVENT_CMD = 1;", "REG_READ_DWORDS = r08;", "r06 = take_regdata();"],
        "CP_COND_WRITE5": ["r09 = take_word();", "*extraout_state_place = r09;", "*(xunknown4 *)(r02 & 0xffff) = r09;"],
        "CP_MEM_TO_REG": ["MEM_READ_ADDR = r02;", "iVar4 = take_memdata();", "*piVar3 = iVar4 << 2;"],
    },
}
# The hardware stack and its depth, and what the exact form reads queues by.
EXACT = re.compile(r"STACK|\bsqe\b|in_sp\b|state_taken")
DECLARATION = re.compile(r"  \w+ \*?\w+;\n")


def without_numbers(code):
    """Routines that have no name are numbered from the top of the file."""
    return re.sub(r"\bfxn\d+", "fxn", code)


def pictures(root):
    """Functions that docs/export.md shows, by name."""
    with open(os.path.join(root, "docs/export.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```c\n(.*?)```", file.read(), re.S)
    return {match.group(1): match.group(0) for block in blocks for match in re.finditer(r"\w+ (\w+)\([^\n]*\)\n\{\n.*?\n\}\n", block, re.S)}


def body_of(text):
    """Decompiled C as the page has it: without declarations."""
    return re.sub(r"\n\n+", "\n", DECLARATION.sub("", text).replace("\n  \n", "\n")).strip() + "\n"


def check_handlers(target, found):
    """`found`: the C of all routines. Returns how many handlers were looked at."""
    for name, text in found.items():
        assert not EXACT.search(text), (target, name, text)
    for handler, statements in HANDLERS[target].items():
        texts = [text for text in found.values() if f"void {handler}(void)\n" in text]
        assert texts, (target, handler)
        for statement in statements:
            assert any(f" {statement}\n" in text for text in texts), (target, handler, statement, texts)
    return len(HANDLERS[target])


def check_pictures(root, found):
    """`found`: the C of all routines of all languages. The page shows what the decompiler does."""
    bodies = {without_numbers(body_of(text)) for text in found}
    shown = pictures(root)
    for handler in ("CP_INDIRECT_BUFFER", "CP_COND_WRITE5", "CP_WAIT_REG_MEM", "CP_EVENT_WRITE"):
        assert without_numbers(shown[handler]) in bodies, (handler, shown[handler])


def check_module(text, variant):
    """The constructors and tables of a module's .sinc that are for decompilers; those for emulators do more."""
    found = re.findall(r"^(?:# (\w+)[^\n]*\n:[^\n]*|(\w+): \"\" is f4_\d+_\d+=(\d+)) & brief=([01])[^\n]*\{\n(.*?)^\}", text, re.M | re.S)
    rows, reads, writes = {}, {}, {}
    for row, table, number, brief, body in found:
        if row:
            rows.setdefault((row, brief), []).append(body)
        elif table[0] in "RW":
            (reads if table[0] == "R" else writes).setdefault((int(number), brief), []).append(body)
    for row in ("CALL", "RET"):
        assert rows[row, "0"] and rows[row, "1"], (variant, row)
        assert all("*[sqe]" in body for body in rows[row, "0"]), (variant, row)
        assert not any("*[sqe]" in body for body in rows[row, "1"]), (variant, row)
    assert all(re.search(r"call \w+;", body) for body in rows["CALL", "1"]), variant
    queues = {31: "word"} if variant == "a530" else {31: "word", 30: "regdata", 29: "memdata"}
    for number, queue in queues.items():
        assert reads[number, "1"] and all(re.search(rf"(take|next)_{queue}\(\)", body) for body in reads[number, "1"]), (variant, number)
    assert writes[31, "1"] and all("state_place" in body for body in writes[31, "1"]), variant
    assert not any("state_place" in body for body in writes[31, "0"]), variant
