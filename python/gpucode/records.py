# SPDX-License-Identifier: MIT
"""What was recorded: packets and registers in words, command streams, crash dumps, pictures, XML names, scripts in logs."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

from ._core import (Calls, File, GpucodeError, Messages, a, buffer_of, bytes_of, called, check, data_of, encoded, ffi, lib,
                    named, needs, record, record_as, records, source_of, taken, text)
from ._enums import PacketEventKind
from .structs import (Chip, CrashBlock, CrashBuffer, CrashFault, CrashHandler, CrashHead, CrashMessage, CrashPosition,
                      CrashProtection, CrashQueue, CrashRing, CrashSection, FieldValue, HwsqFacts, HwsqScript, PacketEvent,
                      PacketHeader, StageUnit, Submit)
from .targets import Target, Where, pointer_of

__all__ = ["Crash", "PacketEventKind", "Packets", "Stage", "Stream", "chip", "descriptor_fields", "encode_stream", "extract_scripts", "handler_of", "hwsq_facts", "packet_header",
           "packet_name", "read_picture", "register_fields", "register_find", "register_name", "register_text", "svg", "write_crash",
           "write_picture", "Xml"]


@called(0)
def gpucode_py_read(function: Any, address: int, out: Any, size: int) -> int:
    data = function(address, size) or b""
    ffi.memmove(out, data, min(len(data), size))
    return min(len(data), size)


@called(False)
def gpucode_py_packet(function: Any, event: Any) -> bool:
    made = record(event)
    made.words = [event.words[i] for i in range(event.count)] if event.words != ffi.NULL else []
    return function(made) is not False


@called(False)
def gpucode_py_write(function: Any, piece: Any, length: int) -> bool:
    return function(bytes(ffi.buffer(piece, length))) is not False


@called()
def gpucode_py_script(function: Any, script: Any) -> None:
    made = record(script)
    made.bytes = bytes(ffi.buffer(script.bytes, script.size))
    function(made)


def packet_header(word: int) -> PacketHeader:
    """A packet's header: type, number, count, and whether its parity is odd as it must be."""
    return record_as(PacketHeader, ffi.new("struct gpucode_packet_header *", lib.gpucode_packet_header(word)))


def chip(gpu_id: int, chip_id: int = 0) -> Optional[Chip]:
    """Name and family of a GPU."""
    out = ffi.new("struct gpucode_chip *")
    return record(out) if lib.gpucode_chip_find(gpu_id, chip_id, out) else None


def packet_name(family: int, opcode: int) -> Optional[str]:
    """The name of a packet by the family of its GPU (6: a6xx); None where it has none."""
    return text(lib.gpucode_packet_name(family, opcode))


def register_name(family: int, number: int) -> str:
    """The name of a GPU register in a family; "" where it has none."""
    return named(lib.gpucode_register_name, family, number)


def register_find(family: int, name: str) -> Optional[int]:
    """The number of a GPU register of that name in a family; None where there is none."""
    out, data = ffi.new("uint32_t *"), data_of(name)
    return out[0] if lib.gpucode_register_find(family, data, len(data), out) else None


def register_fields(family: int, number: int, value: int) -> List[FieldValue]:
    """A register's fields, each with its value in words."""
    out = ffi.new("struct gpucode_field_value[]", 64)
    return [record(out[i]) for i in range(min(64, lib.gpucode_register_fields(family, number, value, out, 64)))]


def register_text(family: int, number: int, value: int) -> str:
    """What a register's value means, field by field, in one line."""
    return named(lib.gpucode_register_text, family, number, value)


def register_words(family: int, number: int) -> int:
    """How many words a register has: 2 for addresses of 64 bits."""
    return int(lib.gpucode_register_words(family, number))


def descriptor_fields(family: int, kind: str, words: List[int]) -> List[FieldValue]:
    """Fields of a descriptor, such as a texture's; KeyError for a kind that is not known."""
    if not lib.gpucode_descriptor_words(data_of(kind)):
        raise KeyError(f"there is no descriptor {kind!r}: expected a name as 'A6XX_TEX_CONST'")
    out, data = ffi.new("struct gpucode_field_value[]", 256), ffi.new("uint32_t[]", words)
    count = lib.gpucode_descriptor_fields(family, data_of(kind), data, len(words), out, 256)
    return [record(out[i]) for i in range(min(256, count))]


class Packets:
    """Walks packets and tells of each: function(event) for what it means.

    `read(address, size)` gives the bytes of memory; what it lacks is unknown.
    """

    def __init__(self, target: Where, read: Callable[[int, int], bytes], event: Callable[[PacketEvent], Any], fields: bool = True,
                 family: int = 0, unwritten_zero: bool = False, limit: int = 0, xml: Optional["Xml"] = None):
        self._calls = Calls()
        out = ffi.new("struct gpucode_packets **")
        for function in (read, event):
            if not callable(function):
                raise TypeError(f"{a(function)} cannot be called: expected a function")
        self._both, self._xml = (read, event), xml
        options = ffi.new("struct gpucode_packet_options *", {
            "target": pointer_of(target), "family": family, "read": lib.gpucode_py_read, "event": lib.gpucode_py_packet,
            "user": self._calls.handle(self._answer), "fields": fields, "unwritten_zero": unwritten_zero, "limit": limit,
            "names": ffi.NULL if xml is None else lib.gpucode_xml_names(xml._c),
            "meanings": ffi.NULL if xml is None else xml.meanings})
        check(lib.gpucode_packets_create(options, out))
        self._c = ffi.gc(out[0], lib.gpucode_packets_free)

    def _answer(self, *arguments: Any) -> Any:
        return self._both[1](arguments[0]) if len(arguments) == 1 else self._both[0](*arguments)

    def set(self, number: int, value: int) -> None:
        """A register's value before the walk."""
        lib.gpucode_packets_set(self._c, number, value)

    def walk(self, address: int, words: int) -> None:
        """Walks so many words of packets from an address on, and calls the function for each event."""
        status = lib.gpucode_packets_walk(self._c, address, words)
        self._calls.check()
        check(status)


STAGES = ("VS", "HS", "DS", "GS", "FS", "CS")


class Stream:
    """A recorded command stream: records, and submits with their buffers and commands."""

    def __init__(self, data: bytes, file: File = None, limit: int = 0):
        messages, out = Messages(), ffi.new("struct gpucode_stream **")
        options = ffi.new("struct gpucode_stream_options *", {"limit": limit, "file_name": messages.calls.keep(encoded(file)),
                                                             "on_diagnostic": messages.handler})
        self._data = ffi.from_buffer(bytes_of(data, "a recorded stream"))  # the stream refers to it
        messages.check(lib.gpucode_stream_open(self._data, len(self._data), options, out))
        self._c = ffi.gc(out[0], lib.gpucode_stream_free)
        self.diagnostics = messages.list

    def __repr__(self) -> str:
        gpu = chip(self.gpu_id, self.chip_id)
        return f"<gpucode.Stream {gpu.name if gpu else 'of an unknown GPU'}, {len(self.submits)} submits>"

    @property
    def gpu_id(self) -> int:
        """The number of the GPU, as 630; 0 where the stream does not say."""
        return int(lib.gpucode_stream_gpu_id(self._c))

    @property
    def chip_id(self) -> int:
        """The chip id of the GPU; 0 where the stream does not say."""
        return int(lib.gpucode_stream_chip_id(self._c))

    @property
    def test(self) -> Optional[str]:
        """The name of the test that made the stream; None where it does not say."""
        return text(lib.gpucode_stream_test(self._c))

    @property
    def target(self) -> Optional[Target]:
        """The firmware's target; None where the GPU is not known."""
        return Target._of(lib.gpucode_stream_target(self._c))

    @property
    def records(self) -> Iterator[Tuple[int, bytes]]:
        """(type, bytes) of each record."""
        out, index = ffi.new("struct gpucode_record *"), 0
        while lib.gpucode_stream_record(self._c, index, out):
            yield out.type, bytes(ffi.buffer(out.bytes, out.size)) if out.size else b""
            index += 1

    @property
    def submits(self) -> List[Submit]:
        """The submits in their order, each with its buffers and commands."""
        out = ffi.new("struct gpucode_submit *")
        found: List[Submit] = []
        for index in range(lib.gpucode_stream_submit_count(self._c)):
            lib.gpucode_stream_submit(self._c, index, out)
            made = record(out)
            made.buffers = [record(out.buffers[i]) for i in range(out.buffer_count)]
            made.commands = [record(out.commands[i]) for i in range(out.command_count)]
            found.append(made)
        return found

    def source(self, shaders: Where = None, family: int = 0) -> str:
        """The recording as text that can be edited; encode_stream() makes a recording of it. `shaders` is the target of its
        shaders, without which they are words; `family` (6: a6xx) is needed where it does not say its GPU."""
        pieces, calls = [], Calls()

        def take(piece: bytes) -> bool:
            pieces.append(piece)
            return True

        options = ffi.new("struct gpucode_stream_source_options *", {"family": family, "shaders": pointer_of(shaders)})
        status = lib.gpucode_stream_source(self._c, options, lib.gpucode_py_write, calls.handle(take))
        calls.check()
        check(status)
        return b"".join(pieces).decode("ascii")

    def stage(self, draw: int, name: Optional[str] = None, family: int = 0) -> Optional["Stage"]:
        """What a draw gives one of its shaders ("FS"; without a name that of a dispatch or the fragment shader); None where
        there is no such draw or shader."""
        calls, out = Calls(), ffi.new("struct gpucode_stream_stage **")
        options = ffi.new("struct gpucode_stream_decode_options *", {"target": lib.gpucode_stream_target(self._c),
                                                                    "family": family})
        if name is not None and name not in STAGES:
            raise ValueError(f"there is no shader {name!r} of a draw: expected one of {', '.join(STAGES)}")
        check(lib.gpucode_stream_stage_open(self._c, options, draw, calls.keep(encoded(name)), out, ffi.NULL))
        return Stage(self, out[0]) if out[0] else None

    def load(self, submit: int, address: int, size: int) -> bytes:
        """Memory as it was at a submit; shorter where it was not recorded."""
        buffer = ffi.new("unsigned char[]", size)
        return bytes(ffi.buffer(buffer, lib.gpucode_stream_load(self._c, submit, address, buffer, size)))


class Stage:
    """What a draw gives one of its shaders: Stream.stage() finds it."""

    def __init__(self, stream: Stream, pointer: Any):
        self._stream, self._c = stream, ffi.gc(pointer, lib.gpucode_stream_stage_free)
        code = lib.gpucode_stream_stage_code(self._c)
        self.name, self.packet = text(code.name), text(code.packet)
        self.submit, self.address = code.submit, code.address
        self.words: List[int] = list(code.words[0:code.count])

    @property
    def constants(self) -> Dict[int, int]:
        """Components that packets loaded, by number."""
        value, found = ffi.new("uint32_t *"), dict[int, int]()
        for number in range(2048):
            if lib.gpucode_stream_stage_constant(self._c, number, value):
                found[number] = value[0]
        return found

    @property
    def units(self) -> List[StageUnit]:
        """Its descriptors: resource, kind, index, words."""
        out, found = ffi.new("struct gpucode_stage_unit *"), list[StageUnit]()
        while lib.gpucode_stream_stage_unit(self._c, len(found), out):
            made = record(out)
            made.words = list(out.words[0:out.count])
            found.append(made)
        return found

    def register(self, name: str, field: Optional[str] = None) -> Optional[int]:
        """A register's value, or that of a field of it; None where it is not known."""
        value = ffi.new("uint64_t *")
        found = (lib.gpucode_stream_stage_register(self._c, data_of(name), value) if field is None else
                 lib.gpucode_stream_stage_field(self._c, data_of(name), data_of(field), value))
        return int(value[0]) if found else None


def encode_stream(source: Union[str, bytes], file: File = None) -> bytes:
    """The recording that a text describes, as Stream.source() has it, text or bytes."""
    messages, data = Messages(), source_of(source)
    options = ffi.new("struct gpucode_stream_encode_options *", {"file_name": messages.calls.keep(encoded(file)),
                                                                "on_diagnostic": messages.handler})
    out, size = ffi.new("void **"), ffi.new("size_t *")
    messages.check(lib.gpucode_stream_encode(data, len(data), options, out, size))
    return taken(out[0], size[0])


class Crash:
    """A crash dump of a GPU."""

    def __init__(self, data: bytes, file: File = None, limit: int = 0):
        messages, out = Messages(), ffi.new("struct gpucode_crash **")
        options = ffi.new("struct gpucode_crash_options *", {"limit": limit, "file_name": messages.calls.keep(encoded(file)),
                                                            "on_diagnostic": messages.handler})
        self._data = ffi.from_buffer(bytes_of(data, "a crash dump"))  # the dump refers to it
        messages.check(lib.gpucode_crash_open(self._data, len(self._data), options, out))
        self._c = ffi.gc(out[0], lib.gpucode_crash_free)
        self.diagnostics = messages.list

    def __repr__(self) -> str:
        return f"<gpucode.Crash {self.head.gpu or 'of an unknown GPU'}>"

    @staticmethod
    def recognise(data: bytes) -> bool:
        """Do the bytes look like a crash dump?"""
        return bool(lib.gpucode_crash_recognise(buffer_of(data), len(data)))

    @property
    def head(self) -> CrashHead:
        """What the dump says of itself: GPU, chip id, kernel, time, the process."""
        return record_as(CrashHead, lib.gpucode_crash_head(self._c))

    @staticmethod
    def _words(data: Any) -> List[int]:
        return [data.words[i] for i in range(data.count)]

    def _with_words(self, function: Any, name: str) -> List[Any]:
        found, out, index = [], ffi.new(f"struct {name} *"), 0
        while function(self._c, index, out):
            made = record(out)
            made.data = self._words(out.data)
            found.append(made)
            index += 1
        return found

    @property
    def rings(self) -> List[CrashRing]:
        """Ring buffers, each with its pointers and `data`, its words."""
        return self._with_words(lib.gpucode_crash_ring, "gpucode_crash_ring")

    @property
    def buffers(self) -> List[CrashBuffer]:
        """Buffers of the submits, each with its address, size and `data`."""
        return self._with_words(lib.gpucode_crash_buffer, "gpucode_crash_buffer")

    @property
    def blocks(self) -> List[CrashBlock]:
        """Debug buses and other blocks of registers, each with `data`."""
        return self._with_words(lib.gpucode_crash_block, "gpucode_crash_block")

    @property
    def sections(self) -> List[CrashSection]:
        """The parts of the dump that are kept as they stand, by name."""
        return records(lib.gpucode_crash_section, self._c, "struct gpucode_crash_section")

    @property
    def registers(self) -> Dict[int, int]:
        """Registers' values by number."""
        return {one.number: one.value for one in records(lib.gpucode_crash_register, self._c, "struct gpucode_crash_register")}

    def read(self, number: int) -> Optional[int]:
        """The value of a register in the dump; None where it is not there."""
        out = ffi.new("uint32_t *")
        return out[0] if lib.gpucode_crash_read(self._c, number, out) else None

    def load(self, address: int, size: int) -> bytes:
        """Bytes of memory; fewer than `size` where the dump has no more."""
        buffer = ffi.new("unsigned char[]", size)
        return bytes(ffi.buffer(buffer, lib.gpucode_crash_load(self._c, address, buffer, size)))

    @property
    def position(self) -> Optional[CrashPosition]:
        """Where the processor stood, and how sure that is."""
        out = ffi.new("struct gpucode_crash_position *")
        if not lib.gpucode_crash_position(self._c, out):
            return None
        made = record_as(CrashPosition, out)
        made.place = record(out.place) if out.place != ffi.NULL else None
        return made

    @property
    def fault(self) -> Optional[CrashFault]:
        """The page fault that the dump tells of, if there is one."""
        out = ffi.new("struct gpucode_crash_fault *")
        return record(out) if lib.gpucode_crash_fault(self._c, out) else None

    @property
    def protection(self) -> Optional[CrashProtection]:
        """Which access to a protected register was refused, if one was."""
        out = ffi.new("struct gpucode_crash_protection *")
        return record(out) if lib.gpucode_crash_protection(self._c, out) else None

    @property
    def table(self) -> Optional[List[int]]:
        """The packet table that was loaded: 128 places."""
        out = ffi.new("uint32_t[128]")
        return list(out) if lib.gpucode_crash_table(self._c, out) else None

    @property
    def messages(self) -> List[CrashMessage]:
        """Messages of the GMU's queue, each with its words."""
        out = ffi.new("struct gpucode_crash_message *")
        found: List[CrashMessage] = []
        while lib.gpucode_crash_message(self._c, len(found), out):
            made = record(out)
            made.words = [out.words[i] for i in range(out.count)]
            found.append(made)
        return found

    @property
    def queues(self) -> List[CrashQueue]:
        """The GMU's queues with their pointers."""
        return records(lib.gpucode_crash_queue, self._c, "struct gpucode_crash_queue")

    def redact(self, without: int = 0) -> bytes:
        """The dump without firmware, and without what the bits GPUCODE_CRASH_WITHOUT_... say."""
        out, size = ffi.new("void **"), ffi.new("size_t *")
        check(lib.gpucode_crash_redact(self._c, without, out, size))
        return taken(out[0], size[0])


def handler_of(table: List[int], pc: int) -> Optional[CrashHandler]:
    """Which handler of a packet table a PC is in."""
    if len(table) != 128:
        raise ValueError(f"a packet table of {len(table)} places: expected 128")
    out = ffi.new("struct gpucode_crash_handler *")
    return record(out) if lib.gpucode_crash_handler(ffi.new("uint32_t[128]", table), pc, out) else None


def write_crash(kernel: str, gpu_id: int, chip_id: int, comm: str = "", cmdline: str = "", status: int = 0,
                registers: Optional[Dict[int, int]] = None) -> bytes:
    """A crash dump of one's own, with these registers."""
    kept = [encoded(kernel), encoded(comm), encoded(cmdline)]
    values = ffi.new("struct gpucode_crash_register[]", [{"number": number, "value": value} for number, value in (registers or {}).items()])
    contents = ffi.new("struct gpucode_crash_contents *", {
        "kernel": kept[0], "comm": kept[1], "cmdline": kept[2], "gpu_id": gpu_id, "chip_id": chip_id, "status": status,
        "registers": values, "register_count": len(registers or {})})
    out, size = ffi.new("void **"), ffi.new("size_t *")
    check(lib.gpucode_crash_write(contents, out, size))
    return taken(out[0], size[0])


class Xml:
    """Names and fields from a rules-ng XML file, for a target or, without one, a family of GPUs (2: a2xx, to 4)."""

    def __init__(self, data: bytes, target: Where, file: File = None, family: int = 0):
        needs("gpucode_xml_load")
        messages, out = Messages(), ffi.new("struct gpucode_xml **")
        handler = ffi.new("struct gpucode_diagnostic_handler *", messages.handler)
        name = messages.calls.keep(encoded(file))
        messages.check(lib.gpucode_xml_load_family(buffer_of(data), len(data), name, family, handler, out) if family else
                       lib.gpucode_xml_load(buffer_of(data), len(data), name, pointer_of(target), handler, out))
        self._c = ffi.gc(out[0], lib.gpucode_xml_free)
        self._target = pointer_of(target)

    def __len__(self) -> int:
        return int(lib.gpucode_xml_count(self._c))

    @property
    def meanings(self) -> Any:
        """What the registers and packets mean, for Packets(); null where the file says nothing of it."""
        return lib.gpucode_xml_meanings(self._c)

    def name_of(self, space: int, number: int) -> str:
        """The name of a register or packet: the file's, or else the built-in one; "" where it has none."""
        return named(lib.gpucode_name_of, self._target, lib.gpucode_xml_names(self._c), space, number)

    def number_of(self, space: int, name: str) -> Optional[int]:
        """The number of a name in a space; None where there is none."""
        out, data = ffi.new("uint32_t *"), data_of(name)
        return out[0] if lib.gpucode_number_of(self._target, lib.gpucode_xml_names(self._c), space, data, len(data), out) else None


def read_picture(data: bytes, file: File = None) -> Tuple[int, int, List[float]]:
    """A PNG file: width, height, and red, green, blue, alpha of each texel."""
    needs("gpucode_picture_read")
    messages, out = Messages(), ffi.new("struct gpucode_picture *")
    options = ffi.new("struct gpucode_picture_options *", {"file_name": messages.calls.keep(encoded(file)), "on_diagnostic": messages.handler})
    messages.check(lib.gpucode_picture_read(buffer_of(data), len(data), options, out))
    texels = list(ffi.unpack(out.texels, out.width * out.height * 4))
    made = (out.width, out.height, texels)
    lib.gpucode_picture_free(out)
    return made


def write_picture(rgba: bytes, width: int, height: int) -> bytes:
    """A PNG file of red, green, blue, alpha bytes."""
    if width < 1 or height < 1 or len(rgba) != 4 * width * height:
        raise ValueError(f"{len(rgba)} bytes for {width} x {height} pixels")
    needs("gpucode_picture_write")
    out, size = ffi.new("void **"), ffi.new("size_t *")
    check(lib.gpucode_picture_write(ffi.from_buffer("uint8_t[]", rgba), width, height, out, size))
    return taken(out[0], size[0])


def svg(dot: str) -> str:
    """A graph in graphviz' language as a picture."""
    needs("gpucode_drawing_svg")
    out, length = ffi.new("char **"), ffi.new("size_t *")
    status = lib.gpucode_drawing_svg(data_of(dot), out, length)
    if status == lib.GPUCODE_ERROR_INPUT:
        raise GpucodeError(status, "the text is not a graph in graphviz' language")
    check(status)
    return taken(out[0], length[0]).decode()


def hwsq_facts(target: Where) -> Optional[HwsqFacts]:
    """What is known of a target's scripts: sizes, times; None for targets of other sets."""
    out = ffi.new("struct gpucode_hwsq_facts *")
    return record(out) if lib.gpucode_hwsq_facts(pointer_of(target), out) else None


def extract_scripts(data: bytes, target: Where = None, file: File = None) -> List[HwsqScript]:
    """HWSQ scripts in a trace, a VBIOS image or a log, each with its bytes and place."""
    messages = Messages()
    found: List[HwsqScript] = []
    options = ffi.new("struct gpucode_hwsq_extract_options *", {
        "target": pointer_of(target), "file_name": messages.calls.keep(encoded(file)), "on_diagnostic": messages.handler,
        "script": lib.gpucode_py_script, "user": messages.calls.handle(found.append)})
    messages.check(lib.gpucode_hwsq_extract(buffer_of(data), len(data), options, ffi.new("unsigned *")))
    return found
