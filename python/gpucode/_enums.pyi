# SPDX-License-Identifier: MIT
# Made from the C headers by python/tests/test_types.py (GPUCODE_WRITE_STUBS=1 writes it).
import enum
from typing import Dict, Type

BY_C_NAME: Dict[str, Type[enum.IntEnum]]

def make_enum(name: str, c_name: str, prefix: str) -> Type[enum.IntEnum]: ...

class ActionKind(enum.IntEnum):
    LIST = 0
    DECLARE = 1
    ASSIGN = 2
    IF = 3
    WHILE = 4
    CALL = 5
    NUMBER = 6
    NAME = 7
    VARIABLE = 8
    FIELD = 9
    OPERAND = 10
    STATE = 11
    ELEMENT = 12
    UNARY = 13
    BINARY = 14
    CHOICE = 15
    CAST = 16

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

class ConstantHalf(enum.IntEnum):
    NONE = 0
    LOW = 1
    HIGH = 2

class ConstantKind(enum.IntEnum):
    INTERRUPT = 0
    JUMPS = 1
    CODE = 2
    PACKETS = 3
    SECTION = 4
    END = 5

class CrashFormat(enum.IntEnum):
    DEVCOREDUMP = 0
    KGSL = 1

class CrashLevel(enum.IntEnum):
    RB = 0
    IB1 = 1
    IB2 = 2
    IB3 = 3
    SDS = 4

class CrashMark(enum.IntEnum):
    FAR = 0
    INSIDE = 1
    BEHIND = 2

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

class EffectKind(enum.IntEnum):
    REGISTER = 0
    QUEUE = 1
    MEMORY = 2

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

class ExpectedKind(enum.IntEnum):
    MNEMONIC = 0
    OPERAND = 1
    INSIDE = 2
    TEXT = 3
    END = 4

class FieldType(enum.IntEnum):
    HEX = 0
    UINT = 1
    INT = 2
    FLOAT = 3
    FIXED = 4
    UFIXED = 5
    BOOLEAN = 6
    REGID = 7
    ADDRESS = 8
    WADDRESS = 9
    ENUM = 10

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

class LabelKind(enum.IntEnum):
    CODE = 0
    CONSTANT = 1
    REGISTER = 2
    MEMORY = 3

class LookupKind(enum.IntEnum):
    SAMPLE = 0
    FETCH = 1
    GATHER = 2
    SIZE = 3
    LEVELS = 4

class OperandType(enum.IntEnum):
    VALUE = 0
    REGISTER = 1
    TARGET = 2
    MODIFIER = 3

class PacketCondition(enum.IntEnum):
    ALWAYS = 0
    TAKEN = 1
    SKIPPED = 2
    MAYBE = 3

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

class PacketForm(enum.IntEnum):
    HEX = 0
    DECIMAL = 1
    BOOLEAN = 2
    ADDRESS = 3
    NAMED = 4
    REGISTER = 5

class PacketSource(enum.IntEnum):
    STREAM = 0
    BUFFER = 1
    GROUP = 2

class ReferenceKind(enum.IntEnum):
    READ = 0
    WRITE = 1
    CALL = 2
    JUMP = 3
    ADDRESS = 4

class ScriptOrigin(enum.IntEnum):
    TRIGGERED = 0
    UPLOADED = 1
    VBIOS = 2
    LOG = 3

class Severity(enum.IntEnum):
    NOTE = 0
    WARNING = 1
    ERROR = 2

class SourceSymbolKind(enum.IntEnum):
    LABEL = 0
    CONSTANT = 1
    SECTION = 2
    MACRO = 3
    PARAMETER = 4

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

class StageResource(enum.IntEnum):
    TEXTURE = 0
    SAMPLER = 1
    UBO = 2
    BUFFER = 3

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

class ValuePlace(enum.IntEnum):
    PLAIN = 0
    REGISTER = 1
    MEMORY = 2
    PC = 3
