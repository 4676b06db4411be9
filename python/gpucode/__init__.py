# SPDX-License-Identifier: MIT
"""gpucode: the code of the small processors inside GPUs, read, written, run, debugged and explained.

    import gpucode
    program = gpucode.assemble("mov $02, 0x2a", target="afuc:a630")
    machine = program.image().machine()
    machine.run(1)
    print(machine["$02"])

Objects keep alive what they need, and nothing has to be closed. Functions raise InputError, with all diagnostics, where
an input is wrong, KeyError for names that are not known, TypeError, ValueError and OverflowError for wrong arguments,
GpucodeError for other failures and MemoryError. What functions return of structures is in gpucode.structs. Whatever has
no method of its own is in gpucode.lib and gpucode.ffi: all functions of the C library, by their own names.
"""

from . import structs
from ._core import Diagnostic, GpucodeError, InputError, Record, Severity, ffi, lib, text
from ._enums import (ActionKind, ConstantHalf, ConstantKind, CrashFormat, CrashLevel, CrashMark, EffectKind, ExpectedKind, FieldType,
                     LabelKind, LookupKind, OperandType, PacketCondition, PacketForm, PacketSource,
                     ScriptOrigin, SourceSymbolKind, StageResource, ValuePlace)
from ._version import __version__
from .analysis import Analysis, Change, Comparison, EdgeKind, FunctionKind, Notes, ReferenceKind, compare
from .answers import Answer, Field, ask
from .code import (Form, Image, Outline, Program, Strip, TokenKind, Unit, UnitKind, assemble,
                   disassemble, explain, lint_limits, read_elf, read_form, source_target, write_form)
from .debug import BreakpointKind, DebugReason, Debugger
from .fuzzing import Fuzzer, Kind
from .machines import Coverage, Cycles, EventKind, Machine, Snapshot, StopReason, packet
from .records import (Crash, PacketEventKind, Packets, Stage, Stream, Xml, chip, descriptor_fields, encode_stream, extract_scripts,
                      handler_of, hwsq_facts, packet_header, packet_name, read_picture, register_fields,
                      register_find, register_name, register_text, register_words, svg, write_crash, write_picture)
from .scripts import Draw, RegisterWrite, Script, State, StreamPacket
from .sources import Source, expect
from .symbols import Symbols
from .targets import Evidence, FlowKind, Insn, Names, Space, Target, Use, target, targets

core_version = text(lib.gpucode_version())

__all__ = [
    "ActionKind", "Analysis", "Answer", "BreakpointKind", "Change", "Comparison", "ConstantHalf", "ConstantKind",
    "Coverage", "Crash", "CrashFormat", "CrashLevel", "CrashMark", "Cycles", "DebugReason", "Debugger", "Diagnostic",
    "Draw", "EdgeKind", "EffectKind", "EventKind", "Evidence", "ExpectedKind", "Field", "FieldType", "FlowKind", "Form",
    "FunctionKind", "Fuzzer", "GpucodeError", "Image", "InputError", "Insn", "Kind", "LabelKind", "LookupKind", "Machine",
    "Names", "Notes", "OperandType", "Outline", "PacketCondition", "PacketEventKind", "PacketForm", "PacketSource",
    "Packets", "Program", "Record", "ReferenceKind", "RegisterWrite", "Script", "ScriptOrigin", "Severity", "Snapshot",
    "Source", "SourceSymbolKind", "Space", "Stage", "StageResource", "State", "StopReason", "Stream", "StreamPacket",
    "Strip", "Symbols", "Target", "TokenKind", "Unit", "UnitKind", "Use", "ValuePlace", "Xml", "ask", "assemble", "chip",
    "compare", "core_version", "descriptor_fields", "disassemble", "encode_stream", "expect", "explain", "extract_scripts",
    "ffi", "handler_of", "hwsq_facts", "lib", "lint_limits", "packet", "packet_header", "packet_name", "read_elf",
    "read_form", "read_picture", "register_fields", "register_find", "register_name", "register_text", "register_words",
    "source_target", "structs", "svg", "target", "targets", "write_crash", "write_form", "write_picture",
]
