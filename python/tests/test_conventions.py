# SPDX-License-Identifier: MIT
"""What docs/python.md promises to users of capstone and unicorn, row by row."""
import pytest

import gpucode

CODE = "".join(f"{line}\n" for line in ("mov $02, 0x2a", "add $03, $02, 0x1", "load $04, [$05 + 0x0]", "mov $06, 0x7"))


@pytest.fixture
def program():
    return gpucode.assemble(CODE, "afuc:a630")


def test_instructions(program):
    target, code = gpucode.target("afuc:a630"), program.bytes[program.prefix:]
    found = list(target.disasm(code, 0x10, 2))
    assert [(one.mnemonic, one.text, one.address, one.size, one.bytes) for one in found] == [
        ("mov", "mov $02, 0x2a", 0x10, 4, code[:4]), ("add", "add $03, $02, 0x1", 0x11, 4, code[4:8])]
    assert len(found[1].operands) == 3
    assert any(target.space_name(one.space) == "state" and one.use == gpucode.Use.WRITE for one in found[1].effects)  # the carry
    load = list(target.disasm(code))[2]
    assert any(one.kind == gpucode.EffectKind.MEMORY and one.use == gpucode.Use.READ for one in load.effects)
    jump = gpucode.assemble("loop: jump #loop\nnop\n", target).image().outline()
    flow = next(jump.insn(i).flow for i in range(len(jump)) if jump[i].text.startswith("jump"))
    assert flow.kind == gpucode.FlowKind.JUMP and flow.known and flow.delay_slots == 1
    assert [unit.text for unit in program.image().outline() if unit.text] == CODE.splitlines()


def test_errors():
    with pytest.raises(gpucode.GpucodeError):
        gpucode.target("afuc:a630").decode(b"")
    with pytest.raises(gpucode.InputError) as caught:
        gpucode.assemble("movv $02, 0x1\naddd $02, 0x1\n", "afuc:a630")
    assert len(caught.value.diagnostics) == 2 and isinstance(caught.value, gpucode.GpucodeError)


def test_running(program):
    machine, seen = program.image().machine(), []
    machine.map(0x5000_0000, 4096)
    machine.store(0x5000_0000, b"\1\2\3\4")
    assert machine.load(0x5000_0000, 4) == b"\1\2\3\4"
    start = machine.snapshot()
    machine["$05"] = 0x5000_0000
    machine.breakpoint(3)
    stop = machine.run(100)
    assert (stop.reason, stop.pc) == (gpucode.StopReason.BREAKPOINT, 3)
    assert machine["$03"] == machine[machine.find("$03")] == 0x2b and machine["$04"] == 0x04030201
    machine.store(0x5000_0000, b"\0\0\0\0")
    machine.restore(start)
    assert (machine.pc(), machine["$03"], machine.load(0x5000_0000, 4)) == (0, 0, b"\1\2\3\4")
    machine.set_pc(1)
    machine.hook(gpucode.EventKind.INSN | gpucode.EventKind.WRITE, lambda event: seen.append(event.kind) or event.pc == 2)
    stop = machine.run(100)
    assert stop.reason == gpucode.StopReason.HOOK and {gpucode.EventKind.INSN, gpucode.EventKind.WRITE} == set(seen)
    machine.hook(0, None)
    count = len(seen)
    machine.step()
    assert len(seen) == count
