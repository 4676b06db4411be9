# SPDX-License-Identifier: MIT
"""Wrong calls raise; nothing crashes the interpreter."""
import gc
import random

import pytest

import gpucode


def test_unknown_target():
    with pytest.raises(KeyError):
        gpucode.target("nothing")
    with pytest.raises(KeyError):
        gpucode.disassemble(b"\0\0\0\0", "nothing")


def test_no_image():
    with pytest.raises(gpucode.InputError) as caught:
        gpucode.Image(b"not code at all")
    assert caught.value.diagnostics[0].code == "image-unknown"
    with pytest.raises(gpucode.GpucodeError):
        gpucode.target("afuc:a630").decode(b"\0")
    with pytest.raises(TypeError):
        gpucode.Image(None)
    with pytest.raises(TypeError):
        gpucode.Image("text")


def test_all_errors_of_a_source():
    with pytest.raises(gpucode.InputError) as caught:
        gpucode.assemble("movv $02, 0x1\nadd $99, $02, 0x1\n", "a630", file="my.asm")
    assert [(one.line, one.column) for one in caught.value.diagnostics] == [(1, 1), (2, 5)]
    assert "my.asm:1:1: error: there is no instruction 'movv'" in str(caught.value)


def test_registers_and_memory(firmware):
    machine = gpucode.Image(firmware).machine()
    with pytest.raises(KeyError):
        machine["$99"]
    with pytest.raises(gpucode.GpucodeError):
        machine.read((0, 1 << 20))
    with pytest.raises(OverflowError):
        machine["$02"] = 1 << 40
    with pytest.raises(gpucode.GpucodeError):
        machine.load(0xFFFF_0000_0000_0000, 4)
    with pytest.raises(gpucode.GpucodeError):
        machine.feed([1], processor=77)
    assert not any(machine.covered())
    assert machine.edge(10**6) is None


def test_exception_in_a_hook(firmware):
    machine = gpucode.Image(firmware).machine()

    def fail(event):
        raise RuntimeError("mine")

    machine.hook(gpucode.EventKind.INSN, fail)
    with pytest.raises(RuntimeError, match="mine"):
        machine.run()
    machine.hook(0, None)
    assert machine.run().reason == gpucode.StopReason.IDLE


def test_a_hook_stays_where_another_is_refused(firmware):
    machine, seen = gpucode.Image(firmware).machine(), []
    machine.hook(gpucode.EventKind.INSN, lambda event: seen.append(event.pc))
    with pytest.raises(OverflowError):
        machine.hook(1 << 40, print)
    gc.collect()
    assert machine.run(5).ran == 5 and len(seen) == 5


def test_a_hook_takes_itself_away(firmware):
    machine = gpucode.Image(firmware).machine()

    def once(event):
        machine.hook(0, None)
        gc.collect()
        raise RuntimeError("mine")

    machine.hook(gpucode.EventKind.INSN, once)
    with pytest.raises(RuntimeError, match="mine"):
        machine.run()
    assert machine.run().reason == gpucode.StopReason.IDLE


@pytest.mark.parametrize("move", [lambda machine, start, debugger: machine.run(5), lambda machine, start, debugger: machine.step(),
                                  lambda machine, start, debugger: machine.restore(start),
                                  lambda machine, start, debugger: debugger.step()])
def test_a_hook_does_not_run_its_machine(firmware, move):
    machine = gpucode.Image(firmware).machine()
    start, debugger = machine.snapshot(), gpucode.Debugger(machine)
    machine.hook(gpucode.EventKind.INSN, lambda event: move(machine, start, debugger))
    with pytest.raises(gpucode.GpucodeError, match="the machine runs"):
        machine.run()
    machine.hook(0, None)
    machine.restore(start)
    assert machine.run().reason == gpucode.StopReason.IDLE


def test_exception_in_include():
    def fail(origin, name):
        raise OSError(f"{origin} wants {name}")

    with pytest.raises(OSError, match="a.asm wants b.asm"):
        gpucode.assemble('.include "b.asm"\n', "a630", file="a.asm", include=fail)


def test_objects_keep_what_they_need(firmware):
    machine = gpucode.Image(bytes(firmware)).machine()
    snapshot = machine.snapshot()
    functions = gpucode.Image(bytes(firmware)).analyse().functions()
    gc.collect()
    machine.run()
    machine.restore(snapshot)
    assert machine.run().reason == gpucode.StopReason.IDLE
    assert any(function.name == "CP_ME_INIT" for function in functions)


def test_a_snapshot_of_another_machine(firmware):
    first, second = gpucode.Image(firmware).machine(), gpucode.Image(firmware).machine()
    with pytest.raises(gpucode.GpucodeError):
        second.restore(first.snapshot())
    with pytest.raises(gpucode.GpucodeError):
        gpucode.Debugger(second).restore(first.snapshot())


def test_pictures():
    if not hasattr(gpucode.lib, "gpucode_picture_read"):
        with pytest.raises(gpucode.GpucodeError, match="without gpucode_picture_read"):
            gpucode.read_picture(b"no picture")
        pytest.skip("built without libpng")
    with pytest.raises(ValueError):
        gpucode.write_picture(b"\0" * 4, 2, 2)
    with pytest.raises(gpucode.InputError):
        gpucode.read_picture(b"no picture")


def test_random_bytes_everywhere():
    chance = random.Random(7)
    for _ in range(300):
        data = bytes(chance.getrandbits(8) for _ in range(chance.randrange(1, 200)))
        for name in ("afuc:a630", "hwsq:g94", "a3xx"):
            try:
                image = gpucode.Image(data, name, raw=True)
                assert data in gpucode.assemble(image.disassemble(), name).bytes
                image.lint()
                image.machine().run(1000)
            except gpucode.GpucodeError:
                pass
        for kind in (gpucode.Stream, gpucode.Crash, gpucode.read_picture, gpucode.extract_scripts):
            try:
                kind(data)
            except gpucode.GpucodeError:
                pass
