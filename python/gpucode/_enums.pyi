# SPDX-License-Identifier: MIT
# Made from the C headers by python/tests/test_types.py (GPUCODE_WRITE_STUBS=1 writes it).
import enum
from typing import Dict, Type

BY_C_NAME: Dict[str, Type[enum.IntEnum]]

def make_enum(name: str, c_name: str, prefix: str) -> Type[enum.IntEnum]: ...

class BreakpointKind(enum.IntEnum):
    BREAKPOINT_CODE = 0
    WATCHPOINT_REGISTER = 1
    WATCHPOINT_MEMORY = 2
    CATCHPOINT_PACKET = 3
    CATCHPOINT_ACTION = 4
    CATCHPOINT_FAULT = 5

class Change(enum.IntEnum):
    SAME = 0
    MOVED = 1
    CHANGED = 2
    NEW = 3
    GONE = 4

class DebugReason(enum.IntEnum):
    DONE = 0
    BREAKPOINT = 1
    MACHINE = 2
    BEGINNING = 3
    INTERRUPT = 4
    MEMORY = 5
    LIMIT = 6

class EdgeKind(enum.IntEnum):
    NEXT = 0
    TAKEN = 1
    TABLE = 2
    UNRESOLVED = 3
    RETURN = 4
    DISPATCH = 5
    SEEN = 6
    STOP = 7

class EventKind(enum.IntEnum):
    INSN = 1
    WRITE = 2
    READ = 4
    MEM_WRITE = 8
    MEM_READ = 16
    PACKET = 32
    ACTION = 64
    USE = 128
    CHANGE = 256
    COMPARE = 512
    HANDLED = 1024

class Evidence(enum.IntEnum):
    MANUAL = 0
    OBSERVED = 1
    INFERRED = 2

class FlowKind(enum.IntEnum):
    NEXT = 0
    JUMP = 1
    BRANCH = 2
    CALL = 3
    RETURN = 4
    STOP = 5

class Form(enum.IntEnum):
    HEX = 0
    WORDS = 1
    C = 2
    CALLS = 3

class FunctionKind(enum.IntEnum):
    BOOT = 0
    HANDLER = 1
    PREEMPT = 2
    ROUTINE = 3
    START = 4

class PacketEventKind(enum.IntEnum):
    BEGIN = 0
    FIELD = 1
    WRITE = 2
    ENTER = 3
    LEAVE = 4
    DRAW = 5
    LOAD = 6
    BAD_HEADER = 7
    CUT = 8
    NO_MEMORY = 9
    DEEP = 10

class ReferenceKind(enum.IntEnum):
    READ = 0
    WRITE = 1
    CALL = 2
    JUMP = 3
    ADDRESS = 4

class Severity(enum.IntEnum):
    NOTE = 0
    WARNING = 1
    ERROR = 2

class Space(enum.IntEnum):
    GENERAL = 0
    CONTROL = 1
    SQE = 2
    PIPE = 3
    GPU = 4
    PACKET = 5
    FLAG = 6
    EVENT = 7
    COUNT = 8

class StopReason(enum.IntEnum):
    LIMIT = 0
    HOOK = 1
    IDLE = 2
    END = 3
    HANG = 4
    FAULT = 5
    UNKNOWN = 6
    BREAKPOINT = 7

class Strip(enum.IntEnum):
    NOTHING = 0
    NEEDLESS = 1
    ALL = 2

class TokenKind(enum.IntEnum):
    LABEL = 0
    USE = 1
    DIRECTIVE = 2
    MACRO = 3
    FLAG = 4
    MNEMONIC = 5
    OPERAND = 6
    STATEMENT = 7
    COMMENT = 8
    CONSTANT = 9
    SECTION = 10
    MACRO_NAME = 11
    PARAMETER = 12
    FILE = 13
    TARGET = 14
    NAME = 15
    NUMBER = 16

class UnitKind(enum.IntEnum):
    CODE = 0
    DATA = 1
    TABLE = 2
    TEXT = 3

class Use(enum.IntEnum):
    NONE = 0
    READ = 1
    WRITE = 2
    BOTH = 3
