# SPDX-License-Identifier: MIT
"""What the examples do not show."""
import pickle

import gpucode
import pytest


def test_text_and_bytes_are_the_same(firmware):
    image = gpucode.Image(firmware)
    assert gpucode.assemble(image.disassemble(), image.target).bytes == firmware
    assert image.handlers()[0x3D] == image.handler(0, 0x3D)
    assert "".join(sorted(image.facts[0].__dict__)) == "namesourcevalue"


def test_labels_of_one_s_own(firmware):
    text = gpucode.disassemble(firmware, label=lambda section, unit, index: "mine" if unit == 0x19 and index == 0 else None)
    assert "\nmine:\n" in text


def test_symbols_from_a_source(firmware):
    program = gpucode.assemble("start: mov $02, 0x1\njump #start\nnop\n", "afuc:a630", file="x.asm")
    symbols = gpucode.Symbols("afuc:a630").add(program)
    image = program.image()
    symbols.bind(image)
    assert "start:" in image.disassemble(symbols=symbols)
    assert symbols.place(0).line == 1
    assert symbols.unit("x.asm", 2) == 1
    assert program.line(1).source == "jump #start"


def test_time_travel(firmware):
    machine = gpucode.Image(firmware).machine()
    debugger = gpucode.Debugger(machine)
    debugger.cont()
    debugger.feed(gpucode.packet(0x3D, [0x100000, 0, 0xCAFE]))
    debugger.cont()
    assert debugger.evaluate("$02").number == machine["$02"]
    there, value = debugger.position, machine["$02"]
    debugger.step(back=True)
    assert debugger.position == there - 1
    debugger.goto(there)
    assert machine["$02"] == value
    number = debugger.breakpoint(0x7C)
    assert [one.number for one in debugger.breakpoints] == [number]
    assert debugger.cont(back=True).reason == gpucode.DebugReason.BREAKPOINT
    assert debugger.label(machine.pc()) == "CP_MEM_WRITE"


def test_input_for_later(firmware):
    machine = gpucode.Image(firmware).machine()
    debugger = gpucode.Debugger(machine)
    for value in (1, 2):
        debugger.defer()
        debugger.feed(gpucode.packet(0x3D, [0x100000, 0, value]))
    debugger.defer(False)
    debugger.cont()
    assert machine.load(0x100000, 4) == b"\2\0\0\0"
    assert debugger.history.inputs == 2


def test_memory_of_one_s_own(firmware):
    machine, seen = gpucode.Image(firmware).machine(), {}
    machine.run()

    def memory(access, value):
        if access.write:
            seen[access.address] = value
            return True
        return seen.get(access.address, 0)

    machine.memory(memory)
    machine.feed(gpucode.packet(0x3D, [0x100000, 0, 0xCAFE]))
    machine.run()
    assert seen[0x100000] == 0xCAFE


def test_coverage_and_edges(firmware):
    machine = gpucode.Image(firmware).machine()
    machine.coverage()
    edges = machine.edges()
    machine.run()
    machine.feed(gpucode.packet(0x3D, [0x100000, 0, 0xCAFE]) * 2)
    machine.run()
    assert sum(machine.covered()) > 20
    assert machine.edge(1) is not None and machine.edge_count > 50
    assert any(byte != b"\0" for byte in edges)


def test_crash_dump_written_and_read():
    data = gpucode.write_crash("6.9", 630, 0x06030002, comm="me", registers={0x800: 7})
    crash = gpucode.Crash(data)
    assert crash.head.comm == "me"
    assert crash.read(0x800) == 7
    assert crash.protection is None
    assert gpucode.handler_of([0] * 127 + [9], 11).start == 9 and gpucode.handler_of([0] * 127 + [9], 8) is None
    refused = gpucode.Crash(gpucode.write_crash("6.9", 630, 0x06030002, registers={0x824: 1 << 22 | 0x8c01})).protection
    assert refused.refused and refused.write and refused.number == 0x8c01
    assert gpucode.Crash.recognise(data)


def test_rows_tell_their_fields():
    rows = gpucode.target("a3xx").rows
    assert all(row.fields or not any(letter.isalpha() for letter in row.bits) for row in rows)
    names = gpucode.target("afuc:a630").names(gpucode.Space.PACKET)
    assert names[0x10] == "CP_NOP"


@pytest.mark.skipif(not hasattr(gpucode.lib, "gpucode_xml_load"), reason="built without expat")
def test_packets_by_xml():
    xml = gpucode.Xml(b'<database><domain name="CP_WAIT_FOR_IDLE"><reg32 offset="0" name="NOTE" type="uint"/></domain></database>', None, family=3)
    words = (3 << 30 | 0x26 << 8).to_bytes(4, "little") + (7).to_bytes(4, "little")
    told = []
    packets = gpucode.Packets(None, lambda address, size: words[address:address + size], told.append, family=3, xml=xml)
    packets.walk(0, 2)
    assert [(event.name, event.text) for event in told if event.kind == gpucode.PacketEventKind.FIELD] == [("NOTE", "7")]


def test_two_shaders():
    one, two = (gpucode.Machine(gpucode.assemble(text + "\nend\n", "ir3:a750").image())
                for text in ("max.s r1.x, r0.x, c0.x", "max.u r1.x, r0.x, c0.x"))
    same = gpucode.Machine(one.image)
    assert one.compare(same, runs=100)["same"] is True
    found = one.compare(two)
    assert found["differs"] == "register" and found["where"] == "r1.x"
    assert [side["text"] for side in found["sides"]] == ["max.s r1.x, r0.x, c0.x", "max.u r1.x, r0.x, c0.x"]
    assert {given["name"]: int(given["value"], 16) >> 31 for given in found["inputs"]} in ({"r0.x": 1}, {"c0.x": 1})
    assert one.compare(two, outputs=["r2.x"], runs=50)["same"] is True
    assert one.compare(two, kept=["r0.x", "c0.x"], runs=50)["same"] is True  # both hold 0
    with pytest.raises(gpucode.GpucodeError):
        one.compare(gpucode.Machine(two.image, {"ir3-fibers": "2"}))


def test_instructions_one_after_the_other(firmware):
    target, code = gpucode.target("afuc:a630"), gpucode.Image(firmware).bytes[12:]
    found = list(target.disasm(code, 2, count=3))
    assert [one.address for one in found] == [2, 3, 4] and [one.bytes for one in found] == [code[i:i + 4] for i in (0, 4, 8)]
    script = gpucode.assemble("wait 2us\nexit\n", "hwsq:g94").bytes
    assert "".join(f"{one.text}\n" for one in gpucode.target("hwsq:g94").disasm(script)) == "wait 0x2 shl 0x0\nexit\n"
    assert list(target.disasm(b"")) == [] and list(target.disasm(b"\0")) == []
    assert len(list(target.disasm(code))) < len(code) // 4  # the table at the end is no code


def test_a_listing_is_a_sequence(firmware):
    outline = gpucode.Image(firmware).outline()
    assert [unit.at for unit in outline] == [outline[i].at for i in range(len(outline))]
    assert outline[-1] == list(outline)[-1] == outline[-1:][0] and len(outline) > 800


def test_registers_by_number(firmware):
    machine = gpucode.Image(firmware).machine()
    machine["$02"] = 7
    assert machine[0, 2] == machine[[0, 2]] == machine[machine.find("$02")] == 7


def test_a_name_that_does_not_look_at_the_index(firmware):
    text = gpucode.Image(firmware).disassemble(label=lambda section, unit, index: f"at{unit}")
    assert text.count("\nat5:\n") == 1


def test_what_survives_pickling(firmware):
    image = gpucode.Image(firmware)
    for one in (image.target, image.info, image.machine().run(3)):
        assert pickle.loads(pickle.dumps(one)) == one
    again = pickle.loads(pickle.dumps(image))
    assert again.disassemble() == image.disassemble()
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(image.machine())


def test_what_a_prompt_shows(firmware):
    image = gpucode.Image(firmware)
    shown = [repr(one) for one in (image, image.machine(), image.outline(), image.analyse(), gpucode.Debugger(image.machine()),
                                   gpucode.assemble("nop\n", "a630"), image.machine().run(2), image.target)]
    assert all("afuc:a630" in one or one.startswith("Stop(reason=<StopReason.LIMIT") for one in shown), shown
    assert shown[0] == f"<gpucode.Image afuc:a630, {len(firmware)} bytes: SQE>"


def test_names_of_files_may_be_paths(tmp_path):
    (tmp_path / "part.asm").write_text("nop\n")
    program = gpucode.assemble('.include "part.asm"\n', "a630", file=tmp_path / "main.asm")
    assert program.bytes[-4:] == gpucode.target("a630").parse("nop").bytes
