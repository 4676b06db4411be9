# SPDX-License-Identifier: MIT
"""Everything public is called with what it does not expect: it answers, or raises what callers may expect, and the
interpreter goes on."""
import inspect
import random

import gpucode

# what a wrong call may raise; a SystemError or a RecursionError would be ours
EXPECTED = (TypeError, ValueError, LookupError, OverflowError, AttributeError, OSError, MemoryError, StopIteration,
            gpucode.GpucodeError)
# calls that run code or give memory take their time when they are told to
RUNNING = {"run", "step", "cont", "until", "finish", "next", "call", "work", "count", "load", "memory"}
SMALL = [None, True, -1, 0, 1, 7, 100, 1.5, "", "x", "$02", "\0", "\udc80", b"", b"\0", b"\1\2\3\4" * 5, [], [1], [None], {},
         {"a": 1}, (), (0, 1), object(), lambda *all: None]
LARGE = [-1 << 63, 1 << 16, 1 << 31, 1 << 32, (1 << 64) - 1, 1 << 64, 1 << 200, 1e300, "afuc:a630", "a3xx", "hwsq:g94",
         "mov $02, 0x1\n", "CP_NOP", "a" * 1000]


# Of classes that a library without zlib or expat cannot make: a function that is missing then.
NEEDS = {"Stream": "gpucode_stream_open", "Crash": "gpucode_crash_open", "Xml": "gpucode_xml_load", "Fuzzer": "gpucode_fuzz_create",
         "Packets": "gpucode_packets_create"}


def objects(firmware):
    """One of each kind of object."""
    image, script = gpucode.Image(firmware), gpucode.Image(bytes([1, 2, 3, 0x7F]), "hwsq:g94")
    machine, analysis = image.machine(), image.analyse()
    source = ".equ K, 1\nloop: brne $02, 0x3, #loop\nnop\n"
    xml = b'<database><domain name="A6XX"><reg32 offset="0x1234" name="MINE"/></domain></database>'
    made = [gpucode.target("afuc:a630"), image, machine, machine.snapshot(), analysis, gpucode.compare(analysis, analysis),
            image.outline(), gpucode.target("afuc:a630").decode(b"\0\0\0\x01"), gpucode.Debugger(script.machine()),
            gpucode.Symbols("afuc:a630"), gpucode.assemble(source, "afuc:a630", tokens=True),
            gpucode.Source(".target afuc:a630\n" + source), gpucode.Image(b"\0" * 16, "a3xx").machine()]
    for name, build in (("Stream", lambda: gpucode.Stream(b"\x0d\0\0\0\4\0\0\0\x76\2\0\0")),
                        ("Crash", lambda: gpucode.Crash(gpucode.write_crash("6.9", 630, 0x6030002))),
                        ("Xml", lambda: gpucode.Xml(xml, "afuc:a630")),
                        ("Fuzzer", lambda: gpucode.Fuzzer([gpucode.Kind("a")], lambda records, edges: None)),
                        ("Packets", lambda: gpucode.Packets(made[0], lambda address, size: b"\0" * size,
                                                            lambda event: None))):
        if NEEDS.get(name) is None or hasattr(gpucode.lib, NEEDS[name]):
            made.append(build())
    return made


def most(call):
    """So many arguments it takes."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        return 3
    return sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters) + 1


def tried(name, get, values):
    """Calls it, and reads what it gives; how many answers came."""
    answers = 0
    for given in values:
        try:
            found = get(*given)
            if inspect.isgenerator(found) or hasattr(found, "__next__"):
                found = [one for one, _ in zip(found, range(10))]
            repr(found)
            answers += 1
        except EXPECTED:
            pass
        except Exception as error:
            raise AssertionError(f"{name}{given!r} raises {error!r}") from error
    return answers


def arguments(chance, name, call, extra, rounds):
    pool = SMALL + extra + ([] if name in RUNNING else LARGE)
    count = most(call)
    return [()] + [tuple(chance.choice(pool) for _ in range(chance.randrange(count + 1))) for _ in range(rounds)]


def test_functions_and_kinds(firmware):
    chance, extra, answers = random.Random(5), objects(firmware), 0
    for name in dir(gpucode):
        call = getattr(gpucode, name)
        if name.startswith("_") or not callable(call) or name in ("Record", "Any"):
            continue
        if inspect.isclass(call) and not issubclass(call, Exception) or inspect.isfunction(call):
            answers += tried(name, call, arguments(chance, name, call, extra, 60))
    assert answers > 100


def test_answers(firmware):
    """Every function that puts an answer is asked with arguments that are not its own."""
    chance, extra, answers, names = random.Random(8), objects(firmware), 0, [name for name in dir(gpucode.lib) if name.startswith("gpucode_")]
    extra += [{"image": extra[1]}, {"target": "afuc:a630"}, {"target": "x"}, gpucode.ffi.new("char[]", b"x"), gpucode.ffi.new("uint32_t *")]
    for name in names:
        if not any(one.cname == "struct gpucode_answer *" for one in getattr(gpucode.ffi.typeof(getattr(gpucode.lib, name)), "args", ())):
            continue
        count = len(gpucode.ffi.typeof(getattr(gpucode.lib, name)).args)
        given = [(name, *(chance.choice(SMALL + extra) for _ in range(size))) for size in range(count) for _ in range(40)]
        answers += tried("ask", gpucode.ask, given)
    assert answers > 5


def test_methods(firmware):
    chance, names, answers = random.Random(6), set(), 0
    for one in objects(firmware):
        extra = objects(firmware)[:3]
        for name in dir(one):
            if name.startswith("_") and name not in ("__getitem__", "__setitem__", "__iter__", "__len__", "__eq__"):
                continue
            names.add((type(one).__name__, name))
            try:
                call = getattr(one, name)
            except EXPECTED:
                continue
            if callable(call):
                answers += tried(f"{type(one).__name__}.{name}", call, arguments(chance, name, call, extra, 40))
            else:
                repr(call)
                tried(f"{type(one).__name__}.{name} = ", lambda value, target=one, key=name: setattr(target, key, value),
                      [(chance.choice(SMALL),) for _ in range(5)])
    assert len(names) > 150 and answers > 500
