# SPDX-License-Identifier: MIT
"""That the reader of modules refuses what Ghidra's compiler refuses: modules as they are exported, each with one mistake."""
import os
import re

import sleigh_reader

# (what is found in the module, what stands there instead); patterns of whole lines as they are exported
HWSQ = [
    ("define endian=little;", "define alignment=1;"),
    (r" default;", ";"),
    (r"define space ram type=ram_space size=8;", "define space ram type=ram_space size=8 default;"),
    (r"define space ram type=ram_space size=8;", "define space ram type=ram_space size=8 wordsize=4;"),
    (r"define space sqe ", "define space gpu "),
    (r"define space sqe ", "define space unique "),
    (r"\[ r00 r01 ", "[ r00 R00 "),
    (r"\[ r00 r01 ", "[ r00 gpu "),
    (r"offset=0x800 size=8", "offset=0x0 size=4"),
    (r"define pcodeop wait_units;", ""),
    (r"define pcodeop wait_units;", "define pcodeop zext;"),
    (r"instruction1\(8\)", "instruction1(9)"),
    (r"f1_1_0 = \(0, 1\)", "f1_1_0 = (0, 8)"),
    (r"f1_1_0 = \(0, 1\)", "f1_7_0 = (0, 1)"),
    (r"is f1_7_0=0x0 \{", "is f1_7_0=0x100 {"),
    (r"is f1_7_0=0x7f \{", "is f1_7_0=0x0 {"),
    (r"is f1_7_6=0x0 & shown_0", "is f5_7_0=0x0 & shown_0"),
    (r"\^shown_0\^", "^Nothing^"),
    (r"state_data = Nd5_39_32;", "state_data = Na5_39_32;"),
    (r"return \[0:8\];", "return [0:4];"),
    (r"return \[0:8\];", "return [r00];"),
    (r"return \[0:8\];", "export r00;"),
    (r"local t4:4 = t3:4;", "local t4:4 = t3;"),
    (r"local t4:4 = t3:4;", "local t3:4 = t3:4;"),
    (r"local t4:4 = t3:4;", "local r00:4 = t3:4;"),
    (r"local t4:4 = t3:4;", "local t4:4 = t4;"),
    (r"local t4:4 = t3:4;", "local t4:4 = t3:8;"),
    (r"local t4:4 = t3:4;", "if (t3) goto <L1>; <L1> local t4:4 = t3:4;"),
    (r"local t4:4 = t3:4;", "<L1> local t4:4 = t3:4;"),
    (r"local t4:4 = t3:4;", "goto <L1>; local t4:4 = t3:4;"),
    (r"local t4:4 = t3:4;", "build Nl1_1_2; build Nl1_1_2; local t4:4 = t3:4;"),
    (r"local t4:4 = t3:4;", "local t4:4 = 0x100000000:4;"),
    (r"wait_units\(t4\);", "local t5:8 = zext(wait_event(t4, t4)); wait_units(t4);"),
    (r"\*\[gpu\]:4 t3 = t2;", "*[gpu]:4 t3 = t2; local t4:8 = zext(t3); *[gpu]:4 t4 = t2;"),
    (r"Nd5_39_32: number is f5_39_8 \[ number = \(f5_39_8 << 0\); \] \{ export \*\[const\]:4 number; \}",
     "Nd5_39_32: number is f5_39_8 [ number = (f5_39_8 << 0); ] { }"),
    (r"Nd5_39_32: number is f5_39_8 \[ number", "Nd5_39_32: f5_39_8 is f5_39_8 [ number"),
    (r"Nd5_39_32: number is f5_39_8 \[ number = \(f5_39_8 << 0\)", "Nd5_39_32: number is f5_7_0=0 [ number = (f5_39_8 << 0)"),
    (r"(?m)^(Nl1_1_2: .*)\n((?:.*\n)*)$", r"\2\1" + "\n"),
    (r"(?m)^(Nl1_1_2: .*)$", r"\1" + "\n" + r"Other: number is f1_1_0 [ number = f1_1_0; ] { export *[const]:4 number; }"),
]
MME = [
    (r"attach names \[ l1_4_10_8 \] \[ \"0x0\" ", "attach names [ l1_4_10_8 ] [ "),
    (r"attach names \[ l1_4_10_8 \]", "attach names [ l0_4_13_11 ]"),
    (r"attach variables \[ l0_4_10_8 \] \[ r00", "attach variables [ l0_4_10_8 ] [ pc"),
    (r'Rx4_13_3: "" is l0_4_13_11 \{ export l0_4_13_11; \}', 'Rx4_13_3: "" is l0_4_13_11 { export 0x0:1; }'),
    (r'shown_0: "exit " is', r'shown_0: "\\"" is'),
    (r"    delayslot\(1\);", "    delayslot(1);\n    delayslot(1);"),
    (r" & in_slot=1", ""),
    (r" & in_slot=0", ""),
    (r"in_slot=1 (.*\{\n)", r"in_slot=1 \1    delayslot(1);\n"),
    (r"\{ l0_4_10_8 = state_value; \}", "{ delayslot(1); l0_4_10_8 = state_value; }"),
]


def check(folder, name, mistakes):
    """`folder` has the languages of one module; files of the name are written anew for each mistake."""
    texts = {}
    for ending in (".slaspec", ".sinc"):
        with open(os.path.join(folder, name + ending), encoding="utf-8") as file:
            texts[ending] = file.read()
    for found, instead in mistakes:
        wrong = {ending: re.sub(found, instead, text, count=1) for ending, text in texts.items()}
        assert wrong != texts, f"nothing to damage: {found}"
        for ending, text in wrong.items():
            with open(os.path.join(folder, name + ending), "w", encoding="utf-8") as file:
                file.write(text)
        try:
            sleigh_reader.Module(os.path.join(folder, name + ".slaspec"))
        except (AssertionError, KeyError):  # a rule, or a name that is not there
            continue
        raise SystemExit(f"{name}: '{instead}' instead of '{found}' is taken")
    return len(mistakes)


def check_all(folder):
    return (check(os.path.join(folder, "HWSQ/data/languages"), "HWSQ_nv41", HWSQ) +
            check(os.path.join(folder, "MME/data/languages"), "MME_fermi", MME))
