# SPDX-License-Identifier: MIT
# Made from the C headers by python/tests/test_types.py (GPUCODE_WRITE_STUBS=1 writes it).
"""Kinds of records: what functions of this package return of the C library's structures, and what each member is.

    def see(event: gpucode.structs.Event) -> bool:
        return event.address == 0x100000
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional

from ._core import BY_STRUCT, Diagnostic, Record
from ._enums import (ActionKind, BreakpointKind, Change, ConstantHalf, ConstantKind, CrashFormat, CrashLevel,
                    CrashMark, DebugReason, EdgeKind, EffectKind, EventKind, Evidence, ExpectedKind,
                    FieldType, FlowKind, FunctionKind, LabelKind, LookupKind, OperandType, PacketCondition,
                    PacketEventKind, PacketForm, PacketSource, ReferenceKind, ScriptOrigin, Severity, SourceSymbolKind,
                    StageResource, StopReason, TokenKind, Use, ValuePlace)

if TYPE_CHECKING:
    from .targets import Target

__all__ = ["A3xxCost", "A3xxFile", "A3xxUsage", "Access", "Action", "Block", "Breakpoint",
           "Chip", "CodeConstant", "ComparedFunction", "ComparedLine", "ComparedSection", "Counter", "CrashBlock",
           "CrashBuffer", "CrashFault", "CrashHandler", "CrashHead", "CrashMessage", "CrashPlace", "CrashPosition",
           "CrashProtection", "CrashQueue", "CrashRegister", "CrashRing", "CrashSection", "CrashWords", "DebugStop",
           "Declaration", "Edge", "Edit", "Effect", "Event", "Expected", "Facts",
           "Field", "FieldValue", "Finding", "Flow", "Frame", "Function", "FunctionCall",
           "FuzzNumbers", "History", "HwsqFacts", "HwsqScript", "ImageFact", "ImageInfo", "Ir3Usage",
           "Label", "Line", "LostPlace", "MachineEdge", "Operand", "PacketEvent", "PacketHeader",
           "Place", "Policy", "Privileges", "ProgramSection", "Reference", "Routine", "Row",
           "RowField", "Scheduled", "Section", "SourceDiagnostic", "SourceFile", "SourceSymbol", "SpaceInfo",
           "Span", "StageUnit", "Stop", "StreamBuffer", "StreamCommand", "Struct", "Submit",
           "Symbol", "Tail", "TextureLookup", "Token", "Value", "Word"]


class Struct(Record):
    """A record whose members are known."""

    if TYPE_CHECKING:  # a Record may have any member, and these have not
        __getattribute__: Any = None
        __setattr__: Any = None


class A3xxCost(Struct):
    """`struct gpucode_a3xx_cost`."""

    runs: int  # issues: the threads of a group that run it together count once
    slots: int  # of issue: steps of repeats count
    ss: int
    sy: int  # slots that (ss) waited on top of that, and (sy)
    threads: int  # runs, each thread for itself


class A3xxFile(Struct):
    """`struct gpucode_a3xx_file`."""

    read: List[int]
    written: List[int]
    inputs: List[int]  # read where nothing before it in the text wrote them: the shader's inputs, if it has no loops
    outputs: List[int]  # written, and not read after that in the text: its outputs, if it has no loops
    components: int  # how many are used
    vectors: int  # vectors of four up to the highest used: what the driver reserves per fiber
    relative: bool  # addressed through a0.x, so that more may be used


class A3xxUsage(Struct):
    """`struct gpucode_a3xx_usage`."""

    instructions: int  # up to the last `end`; nops after it are padding
    padding: int  # after it
    category: List[int]  # instructions by category
    unknown: int  # words that no row explains
    nops: int  # nop instructions ...
    nop_slots: int  # ... and the issue slots they take
    slots: int  # issue slots of all, repeats counted, jumps not taken
    ss: int
    sy: int  # sync points: instructions with (ss), with (sy)
    full: A3xxFile
    half: A3xxFile
    consts: int
    const_reads: List[int]  # bit per component c0.x to c511.w that is read by number
    relative_const: bool
    samplers: int
    textures: List[int]  # bit per texture t#N
    varyings: int  # one more than the highest component that bary.f reads by number; 0: none
    varying_reads: List[int]  # bit per component 0 to 127 that it reads
    kills: bool
    calls: bool
    reads_memory: bool
    writes_memory: bool


class Access(Struct):
    """`struct gpucode_access`."""

    processor: int
    pc: int
    address: int
    bytes: int
    write: bool


class Action(Struct):
    """`struct gpucode_action`."""

    kind: ActionKind
    width: int
    letter: str
    first: int
    second: int
    third: int
    next: int
    text: str  # "" where the kind has none
    number: int


class Block(Struct):
    """`struct gpucode_block`."""

    start: int
    end: int  # units; `end` is exclusive
    edge_count: int
    edges: List[Edge]


class Breakpoint(Struct):
    """`struct gpucode_breakpoint`."""

    number: int  # given by gpucode_debug_add(): 1, 2, ...
    kind: BreakpointKind
    section: int
    one_processor: bool  # only on `processor`, else on any
    processor: int
    access: int
    space: int  # REGISTER
    address: int  # CODE: units from the section's start; register number, memory address, opcode or GPUCODE_ANY
    size: int  # MEMORY: bytes; REGISTER: count; 0 counts as 1
    condition: Optional[str]  # expression that must not be 0, or None; copied
    label: Optional[str]  # what the user called it, or None; copied
    code: Optional[str]  # FAULT: only stops whose code contains this, or None; copied
    ignore: int  # pass so many hits first
    hits: int  # those that passed the condition, going forwards into the unknown or again
    temporary: bool  # goes away when hit
    disabled: bool


class Chip(Struct):
    """`struct gpucode_chip`."""

    name: Optional[str]  # "FD630"; None: the id is not known, the family is guessed from its bits
    family: int


class CodeConstant(Struct):
    """`struct gpucode_code_constant`."""

    kind: ConstantKind
    section: int
    at: int  # and its unit there
    to_section: int
    to: int
    count: int  # of a table of jumps: its units
    scale: int  # 1, 2 or 4: bytes
    from_image: bool  # counted from the start of the image
    half: ConstantHalf  # the immediate is that of the number: its lower 16 bits, or those above


class ComparedFunction(Struct):
    """`struct gpucode_compared_function`."""

    change: Change
    function: List[int]
    line_count: int  # of changed functions alone; from the entry on, round to what stands in front of it
    change_name: str
    lines: List[ComparedLine]


class ComparedLine(Struct):
    """`struct gpucode_compared_line`."""

    unit: List[int]  # of the section; GPUCODE_NONE: this side has no such line. Both, and not same: replaced
    same: bool


class ComparedSection(Struct):
    """`struct gpucode_compared_section`."""

    section: List[int]  # of the images, GPUCODE_NONE: this side lacks it
    function_count: int
    has_packets: bool  # some side has a packet table
    packets: List[int]  # enum gpucode_change of each packet
    functions: List[ComparedFunction]


class Counter(Struct):
    """`struct gpucode_counter`."""

    name: str  # "thread-slots"
    value: int  # since creation; restore sets it back
    doc: str  # what is counted, one sentence


class CrashBlock(Struct):
    """`struct gpucode_crash_block`."""

    name: str  # the same in all dumps: "SQE_STAT", "SQE_UCODE_DBG"
    own: Optional[str]  # as the dump has it; None in snapshots
    pipe: int  # snapshots of gen8; 0 elsewhere
    data: List[int]


class CrashBuffer(Struct):
    """`struct gpucode_crash_buffer`."""

    iova: int
    size: int  # bytes
    name: Optional[str]  # or None
    flags: int
    dumped: bool
    mark: CrashMark
    data: List[int]


class CrashFault(Struct):
    """`struct gpucode_crash_fault`."""

    iova: int
    type: Optional[str]
    direction: Optional[str]
    source: Optional[str]


class CrashHandler(Struct):
    """`struct gpucode_crash_handler`."""

    start: int  # the largest entry that is not 0 and not after the PC
    unknown: bool  # it is the one for opcodes that nobody handles: the most frequent entry, of 16 opcodes or more


class CrashHead(Struct):
    """`struct gpucode_crash_head`."""

    format: CrashFormat
    gpu_id: int
    chip_id: int  # core, major, minor, patch, a byte each; 0: not told
    gpu: Optional[str]  # "A630"; None: nobody knows it
    generation: Optional[str]  # "a6xx"; None: not known
    target: Optional[Target]  # whose names fit; None for GPUs before a5xx
    kernel: Optional[str]
    module: Optional[str]
    time: Optional[str]
    comm: Optional[str]
    cmdline: Optional[str]
    has_status: bool
    status: int  # RBBM_STATUS


class CrashMessage(Struct):
    """`struct gpucode_crash_message`."""

    queue: int
    sequence: int
    id: int
    name: Optional[str]
    acknowledge: bool
    count: int
    words: List[int]


class CrashPlace(Struct):
    """`struct gpucode_crash_place`."""

    known: bool  # the buffer was found
    ahead: bool  # the fetcher was in a later buffer than the SQE
    guessed: bool  # no packet that calls it is in the dump: address and size are those of the registers
    buffer: int  # GPU address
    words: int  # of the buffer
    next: int  # the word that the SQE would read next, `words` at the end
    has_packet: bool
    word: int
    header: int  # that word; it may not be a header


class CrashPosition(Struct):
    """`struct gpucode_crash_position`."""

    level: CrashLevel
    places: List[CrashPlace]
    has_header: bool
    header: int
    has_pc: bool
    pc: int
    has_handler: bool  # a packet table was loaded, and the PC is not before its first handler
    unknown: bool  # the handler is that of opcodes nobody handles
    handler: int  # where it begins
    confirmed: int
    asked: int
    elsewhere: bool
    elsewhere_buffer: int
    elsewhere_word: int
    place: Optional[CrashPlace]


class CrashProtection(Struct):
    """`struct gpucode_crash_protection`."""

    status: int  # its value
    refused: bool  # an access was; a5xx has no bit for it, its interrupt status tells
    write: bool  # it was a write
    halted: bool  # the processor stopped for it; not told on a5xx
    number: int  # of the register that was to be accessed


class CrashQueue(Struct):
    """`struct gpucode_crash_queue`."""

    name: str  # "FE"
    entries: int  # that were not taken yet
    damaged: bool  # its list of blocks leads nowhere; the entries are those up to there


class CrashRegister(Struct):
    """`struct gpucode_crash_register`."""

    number: int
    value: int


class CrashRing(Struct):
    """`struct gpucode_crash_ring`."""

    id: int
    iova: int
    last_fence: int
    retired_fence: int
    rptr: int
    wptr: int
    current: bool
    data: List[int]


class CrashSection(Struct):
    """`struct gpucode_crash_section`."""

    name: str  # "registers"; of snapshots the number: "0x0201"
    text: str  # its bytes, from the line with its name on
    length: int
    line: int


class CrashWords(Struct):
    """`struct gpucode_crash_words`."""

    count: int
    size: int


class DebugStop(Struct):
    """`struct gpucode_debug_stop`."""

    reason: DebugReason
    processor: int
    pc: int  # of the processor
    position: int
    breakpoint: int
    temporary: bool  # BREAKPOINT: it is gone now
    condition_failed: bool  # BREAKPOINT: its condition could not be evaluated
    also: List[int]  # BREAKPOINT: others that were hit at the same time, as many as there is room for;
    also_count: int  # temporary ones are gone too
    event: Event  # BREAKPOINT that watches or catches something but a fault: what happened
    machine: Stop


class Declaration(Struct):
    """`struct gpucode_declaration`."""

    kind: str  # "const", "attribute", "varying", "out", "uniform", "sampler", "buf", "localsize", ...
    name: Optional[str]  # what the source calls it; None: nothing
    file: str  # 'r' registers, 'c' consts, 0 neither
    half: bool  # half registers
    first: int  # first component (r1.y is 5), or the number of a sampler
    count: int  # components
    value: List[int]  # bits of the values given
    value_count: int


class Edge(Struct):
    """`struct gpucode_edge`."""

    kind: EdgeKind
    known: bool
    seen: bool  # a run went there: gpucode_analysis_options.seen
    to: int  # units from the section's start; after the code or in data: what is there is not known


class Edit(Struct):
    """`struct gpucode_edit`."""

    text: str  # "and $02, $03, 0x3 -> and $02, $03, 0x7", "+ nop", "- nop"; without targets
    kind: str  # the same with "$x", "$y" for general registers
    count: int


class Effect(Struct):
    """`struct gpucode_effect`."""

    kind: EffectKind
    use: Use
    space: int  # enum gpucode_space, or a space of the set
    number: int  # the first register,
    count: int  # and how many from there on
    mask: int  # bit i: number + i takes part; 0: all of count
    known: bool  # false: one register of these, or any of the space where count is 0
    maybe: bool  # it happens or not, by values that the instruction does not have
    operand: int  # index of the operand, as gpucode_insn_operands() counts; -1: the text does not name it


class Event(Struct):
    """`struct gpucode_event`."""

    kind: EventKind
    processor: int
    pc: int  # of the instruction
    time: int
    space: int
    address: int  # register number, memory address, packet opcode
    value: int  # what was written or read
    old: int  # register or memory writes: what was there


class Expected(Struct):
    """`struct gpucode_expected`."""

    kind: ExpectedKind
    row: int
    letter: str  # OPERAND, INSIDE: of its field, as in the row's text
    name: str  # OPERAND, INSIDE: "destination register"; TEXT: the punctuation, `length` bytes of it
    length: int
    type: OperandType
    space: int  # of registers
    operand: int  # number of operands in front of it
    # its member ['from'] is of type int  # OPERAND, INSIDE: where it begins in the text


class Facts(Struct):
    """`struct gpucode_facts`."""

    packets: bool  # firmware that is fed PM4 packets, which a packet table leads to their handlers
    protected_registers: bool  # writes to some GPU registers are refused
    calls: bool  # instructions call and return; there are frames to show
    delay_slots: bool  # instructions after a jump run before it is taken
    events: bool  # instructions wait for events from outside
    float_registers: bool  # general registers hold floats more often than integers
    threads: bool  # a machine's processors are the threads of one program
    fixed_size: bool  # every instruction is one unit; false: one to several units
    whole_code: bool  # a file has only code: it is not empty, and ends with a whole instruction
    words: bool  # listings and files are told of in 32-bit words, whatever a unit is
    entry_labels: bool  # the labels "entry0" to "entry3" of a source are where its code is entered


class Field(Struct):
    """`struct gpucode_field`."""

    letter: str  # as in the row's bits and text
    kind: str  # "destination register"
    width: int  # bits
    value: int  # as encoded, not sign-extended


class FieldValue(Struct):
    """`struct gpucode_field_value`."""

    name: str  # constant; "-": bits that belong to no field
    low: int
    high: int
    type: FieldType
    named: bool  # the text is a value's name
    value: int  # shifted as the field says: a count of 32-byte units comes in bytes
    text: str


class Finding(Struct):
    """`struct gpucode_finding`."""

    severity: Severity
    code: Optional[str]
    section: int  # index into the image's sections
    unit: int  # place, units from the section's start
    units: int  # units concerned, at least 1
    message: str  # one sentence, no full stop
    reason: str  # why it matters: gpucode_explain(code)
    reference: str  # where the fact comes from
    has_other: bool  # another instruction has part in it:
    other: int  # its place, units: the one that writes, delivers, branches here, ...
    slots: int  # issue slots that are missing, 0: none are
    operand: int  # 1 = the first in the text, up to the first comma; 0: the whole instruction
    analysed: bool  # the code was analysed (gpucode/analysis.h):
    function: Optional[str]  # the function that it stands in, or None
    fix: Optional[str]  # what to do, in a few words; None: that depends


class Flow(Struct):
    """`struct gpucode_flow`."""

    kind: FlowKind
    conditional: bool
    ends: bool  # where a branch is not taken the program ends, after `ending_slots` instructions
    known: bool  # the instruction says where to: `target`
    target: int
    delay_slots: int
    ending_slots: int
    operand: int


class Frame(Struct):
    """`struct gpucode_frame`."""

    pc: int  # where it returns to
    link: bool  # found in a link register, which nobody clears: it may be old


class Function(Struct):
    """`struct gpucode_function`."""

    start: int  # units from the section's start
    kind: FunctionKind
    depth: int
    block_count: int
    call_count: int
    tail_count: int
    name: str
    packets: List[int]
    reached_by: List[int]
    blocks: List[int]
    calls: List[FunctionCall]
    tails: List[Tail]


class FunctionCall(Struct):
    """`struct gpucode_function_call`."""

    at: int
    to: int  # units; `to` is the start of a function, or outside the code
    linked: bool  # the return address goes to a register, not on the hardware's stack
    function: int  # index of the function called; GPUCODE_NONE: `to` is outside


class FuzzNumbers(Struct):
    """`struct gpucode_fuzz_numbers`."""

    runs: int
    entries: int
    findings: int
    gaps: int
    edges: int  # bytes of the map that some run has raised


class History(Struct):
    """`struct gpucode_history`."""

    snapshots: int
    bytes: int
    gap: int  # present least distance of two, in instructions
    inputs: int  # changes from outside that were recorded
    changes: int  # all that were ever made


class HwsqFacts(Struct):
    """`struct gpucode_hwsq_facts`."""

    chipset: Optional[str]  # "G94"; None for a variant that is several chipsets
    id: int  # chipset field of PMC.ID (bits 27:20 of register 0); 0 for such a variant
    code_bytes: int  # code RAM
    window: int  # register where all of the code RAM begins
    slots: int  # 1 or 2
    unknown_hangs: bool  # else an unknown opcode is one byte that does nothing


class HwsqScript(Struct):
    """`struct gpucode_hwsq_script`."""

    origin: ScriptOrigin
    target: Target
    size: int
    address: int  # where the first byte stands in the code RAM
    line: int  # text: 1 = first; of the trigger, the last upload or the dump. VBIOS: offset of the entry
    time: float  # seconds, as the trace has it; 0 where there is none
    device: int  # PCI bus and device of a trace, bus << 8 | devfn; 0 where there is none
    entry: int  # traces: which entry point; VBIOS: index of the table's entry
    slot: str  # traces: 'A' or 'B', 0 when not started or with one slot
    entry_points: int  # VBIOS: the value for ENTRY_POINT
    starts: int  # how often it was started before it changed
    complete: bool  # ends in an exit, and all of it was seen
    bytes: bytes


class ImageFact(Struct):
    """`struct gpucode_image_fact`."""

    name: str  # "id", "version", "total words"
    value: str  # as text
    source: str  # "word 0 bits 23:12"


class ImageInfo(Struct):
    """`struct gpucode_image_info`."""

    target: Target  # what the code is decoded as
    format: str  # "afuc", "hwsq", "a3xx"
    layout: str  # which container form: "a7xx header", "plain", "AQE", "raw words"
    id: int  # AFUC firmware id, 0xfff bits; GPUCODE_NONE: none
    version: int  # AFUC low 12 bits of the first word; GPUCODE_NONE: none
    id_known: bool  # the id is in the table of known firmware
    target_given: bool  # the caller chose the target
    prefix: int  # bytes before the image that are not code (AFUC: the zero word)
    units: int  # units of the image, tail bytes not counted
    tail: int  # bytes after the last whole unit
    trailer: int  # unit where a build-date trailer starts; GPUCODE_NONE: none
    date: str  # "2025-02-14" from the trailer, or empty
    section_count: int
    fact_count: int


class Ir3Usage(Struct):
    """`struct gpucode_ir3_usage`."""

    shader: A3xxUsage
    barriers: int
    idle_slots: int  # of (nopN)
    branches: int  # and jumps
    joins: int  # instructions with (jp)
    shared: int  # shared registers up to the highest used, in vectors of four from r48 on
    registers: int
    constlen: int
    waves: int
    double_waves: int


class Label(Struct):
    """`struct gpucode_label`."""

    kind: LabelKind
    name: Optional[str]
    section: Optional[str]  # CODE: its name, "*" for the first one; else None
    text: Optional[str]  # REGISTER: the register's other name as it was written ("$02"); else None
    space: int  # REGISTER: a space of names.h, or of the machine for registers that names.h does not know
    value: int


class Line(Struct):
    """`struct gpucode_line`."""

    file: Optional[str]
    line: int
    source_length: int
    from_macro: bool
    macro: Optional[str]  # of gpucode_program_use(): the macro used there; else None
    source: Optional[str]


class LostPlace(Struct):
    """`struct gpucode_lost_place`."""

    kind: ConstantKind
    section: int
    at: int  # unit from the section's start


class MachineEdge(Struct):
    """`struct gpucode_machine_edge`."""

    section: int
    # its member ['from'] is of type int
    to: int
    taken: bool


class Operand(Struct):
    """`struct gpucode_operand`."""

    type: OperandType
    letter: str
    kind: str  # "destination register"
    use: Use  # of registers: what the instruction does with them
    space: int  # of registers: enum gpucode_space, or a space of the set; see gpucode_space_name()
    number: int
    count: int
    mask: int  # bit i: number + i takes part; 0: all of count
    known: bool  # registers: the instruction alone tells which ones; else true
    indirect: bool  # registers: another register's value is added to `number`
    value: int  # values with their sign and scale, targets in units, registers their number
    start: int  # where it stands in the instruction's text, bytes
    length: int  # 0: the text leaves it out


class PacketEvent(Struct):
    """`struct gpucode_packet_event`."""

    kind: PacketEventKind
    source: PacketSource
    condition: PacketCondition
    depth: int
    address: int  # GPU address: of the packet; FIELD, WRITE: of the word
    header: int
    type: int
    opcode: int  # type 7: 0 to 127; type 3: 0 to 255; types 0 and 4: the first register
    outer: int  # opcode of the type-7 packet whose handling this belongs to: a draw's for its groups. 0x80: type 4
    name: str  # of the packet ("CP_NOP", "UNKN5"; type 4: first register) or field
    index: int  # FIELD: element of a repeated field; 0 of others
    repeated: bool  # FIELD: it has an index
    count: int
    number: int
    value: int
    known: bool  # WRITE: false: the value, or some of its bits, is not in the stream (CP_MEM_TO_REG, CP_REG_RMW, ...)
    form: PacketForm
    text: Optional[str]
    register_name: Optional[str]  # FIELD: of the GPU register that the value is the number of, or None
    mode: int  # DRAW, ENTER: 1 binning, 2 bins in GMEM, 4 system memory
    later: bool  # ENTER: the buffer runs when contexts are switched; told after the stream
    target_address: int
    unknown: int
    words: List[int]


class PacketHeader(Struct):
    """`struct gpucode_packet_header`."""

    type: int  # 4 or 7; 0: it is not a header
    number: int  # type 4: the first register; type 7: the opcode
    count: int  # payload words
    parity_is_odd: bool  # as it must be


class Place(Struct):
    """`struct gpucode_place`."""

    file: Optional[str]
    line: int
    from_macro: bool
    macro: Optional[str]


class Policy(Struct):
    """`struct gpucode_policy`."""

    name: str  # "afuc-bfi"
    values: str  # what may be chosen, separated by '|': "replace|or"; "NUMBER" for numbers, "TEXT" for what doc says
    preset: str  # the default
    doc: str  # what is not known, and what the choices mean


class Privileges(Struct):
    """`struct gpucode_privileges`."""

    section: int
    packet: int
    level: int
    level_name: Optional[str]
    effects: int  # enum gpucode_privilege, 0: none
    tried: bool  # gpucode_analysis_trials() has run the handler,
    seen: int  # and this is what it did
    led: bool  # the firmware's own packets led to that level, too,
    led_seen: int  # where the handler did this;
    put_seen: int  # with the same packets, but put at that level, it did that


class ProgramSection(Struct):
    """`struct gpucode_program_section`."""

    name: str  # "" for what stands in front of the first `.section`
    offset: int
    size: int  # its bytes in the program
    base: int  # address of its first unit, as labels count


class Reference(Struct):
    """`struct gpucode_reference`."""

    kind: ReferenceKind
    section: int
    unit: int  # where the access stands, from the section's start
    space: int  # enum gpucode_space, GPUCODE_SPACE_CODE or GPUCODE_SPACE_MEMORY
    number: int  # of the register; of code the unit; memory: 0
    exact: bool  # false: a register adds something unknown to `number`
    has_value: bool  # it writes `value`, on all paths
    value: int
    via: Optional[str]
    in_table: bool  # it stands in a packet table, whose entry is `packet`
    packet: int
    name: str


class Routine(Struct):
    """`struct gpucode_routine`."""

    name: str  # of its labels the best: the caller's, the packet's, "fxn12"; "start" without a label
    first: int  # number of its first entry in gpucode_outline_units()
    count: int  # how many
    entry_count: int  # packets that it handles
    section: int  # as in gpucode_unit
    packet: Optional[str]  # its first packet that has a name, or the first; None: it handles none
    symbol: Optional[str]  # the caller's first name; None: none


class Row(Struct):
    """`struct gpucode_row`."""

    id: str  # unique in the instruction set: "ADD_IMM"
    mnemonic: str  # "add"
    bits: str  # as a data sheet writes them: "00001 r sssss ..."
    text: str  # template of the text: "{r}add {d}, {s}, {i}"
    effects: str  # flow and use beyond what operands say: "branch a, slots 1"; "" for most
    doc: str  # what it does
    source: str  # where the fact comes from
    action: str  # the semantics, C expressions as written in the row
    evidence: Evidence
    mask: int
    match: int  # and their values
    ignored: int  # bits that the processor ignores
    size: int  # bytes
    on_target: bool
    fields: List[RowField]


class RowField(Struct):
    """`struct gpucode_row_field`."""

    letter: str  # as in the row's bits and text
    kind: str  # "destination register"
    type: OperandType
    use: Use
    space: int  # of registers: enum gpucode_space, or a space of the set
    width: int  # bits shift .. shift + width - 1 of the instruction
    piece_count: int
    pieces: List[Record]  # the first one holds the most significant bits of the field


class Scheduled(Struct):
    """`struct gpucode_scheduled`."""

    size: int  # For each unit of the result, which unit of the image it was, perhaps with other flags; GPUCODE_SCHEDULE_NEW.
    units: int
    slots_before: int
    slots: int  # issue slots of all instructions to the last `end`, jumps not taken
    sync_bits_before: int
    sync_bits: int  # (ss) and (sy)
    bytes: bytes
    origins: List[int]
    diagnostics: List[Diagnostic]


class Section(Struct):
    """`struct gpucode_section`."""

    name: str  # "SQE", "BR", "BV", "LPAC", "DDE", "AQE", "PFP", "PM4", "CP"
    start: int  # first unit, from the start of the image
    size: int  # units, packet table included
    table: int  # packet table, from the start of the section; GPUCODE_NONE without one
    start_source: str  # how start was found, for people: "table end of BR, 32-byte aligned"
    table_source: Optional[str]  # how table was found; None without a table


class SourceDiagnostic(Struct):
    """`struct gpucode_source_diagnostic`."""

    severity: Severity  # notes belong to the one in front of them
    code: Optional[str]
    message: Optional[str]
    hint: Optional[str]
    file: int  # number of the file; GPUCODE_NONE: it has no place
    span: Span  # what is wrong, at least one byte but at the end of a line
    replacement: Optional[str]  # the text that mends it; None: nobody knows one
    replaced: Span  # in whose place that comes; of length 0: it is put in
    exact: bool  # false: the text comes from a macro; the span is as near as one gets


class SourceFile(Struct):
    """`struct gpucode_source_file`."""

    name: str  # options.file, or the path that `.include` made: as gpucode_asm_options.include has it
    text: str  # a copy
    length: int


class SourceSymbol(Struct):
    """`struct gpucode_source_symbol`."""

    kind: SourceSymbolKind
    name: Optional[str]
    parent: Optional[str]  # of a label its section, of a parameter its macro; else None
    parent_symbol: int  # the symbol of that; GPUCODE_NONE: none
    value: int  # CONSTANT; LABEL: units from the section's start
    unit: int  # LABEL: of the image; else GPUCODE_NONE
    definition: int  # word where it is defined; GPUCODE_NONE: nowhere that can be shown
    first: int  # its first word, by file and place; GPUCODE_NONE: none
    body: Span  # MACRO: the lines between .macro and .endm, in the file of its definition
    parameters: int  # MACRO: how many; they are the symbols after it


class SpaceInfo(Struct):
    """`struct gpucode_space_info`."""

    name: str  # "general", "control"
    prefix: str  # how the text marks it: "$", "@"; "" none
    count: int  # numbers go from 0 to count - 1
    shared: bool  # one for all processors
    addressed: bool  # numbers are byte addresses of 32-bit registers, which stand where others have memory
    effective: bool  # what the registers of GPUCODE_SPACE_GPU hold while they cannot be read there
    float_bits: int  # 32 or 16: registers hold floats of so many bits more often than integers; 0: they do not
    float_count: int  # those with numbers below this; what comes after holds no floats


class Span(Struct):
    """`struct gpucode_span`."""

    offset: int
    length: int


class StageUnit(Struct):
    """`struct gpucode_stage_unit`."""

    resource: StageResource
    kind: Optional[str]
    index: int  # its slot
    count: int  # words
    words: List[int]


class Stop(Struct):
    """`struct gpucode_stop`."""

    reason: StopReason
    processor: int
    pc: int  # units from the start of its section
    time: int  # gpucode_machine_time()
    code: Optional[str]  # stable name of the stop ("afuc-hang"): gpucode_explain() knows it; None for LIMIT, HOOK, BREAKPOINT
    text: str  # for people, one sentence
    ran: int


class StreamBuffer(Struct):
    """`struct gpucode_stream_buffer`."""

    address: int  # GPU address
    size: int  # bytes, never beyond the end of the address space
    length: int  # bytes recorded, at most `size`


class StreamCommand(Struct):
    """`struct gpucode_stream_command`."""

    address: int  # GPU address of the first packet
    words: int  # 32-bit


class Submit(Struct):
    """`struct gpucode_submit`."""

    text: Optional[str]  # the last command line recorded for it ("glmark2/53710: fence=165247"); None: none
    buffer_count: int
    command_count: int
    buffers: List[StreamBuffer]
    commands: List[StreamCommand]


class Symbol(Struct):
    """`struct gpucode_symbol`."""

    name: Optional[str]
    section: Optional[str]
    value: int  # label: units from the section's start
    unit: int  # label: units from the image's start; GPUCODE_NONE for constants


class Tail(Struct):
    """`struct gpucode_tail`."""

    at: int  # unit of the transfer, or of the last unit in front of where one function falls into another
    function: int  # index of the other one


class TextureLookup(Struct):
    """`struct gpucode_texture_lookup`."""

    kind: LookupKind
    mnemonic: Optional[str]
    thread: int  # which one looks
    pc: int
    flags: int
    sampler: int
    texture: int  # s#, t#; of .s2en what the registers say, any number
    mask: int  # which of the four values are used: bit 0 the first
    type: int  # of the result: 0 f16, 1 f32, 2 u16, 3 u32, 4 s16, 5 s32, 6 u8, 7 s8
    half: bool
    count: List[int]
    source: List[List[int]]
    quad: int


class Token(Struct):
    """`struct gpucode_token`."""

    kind: TokenKind
    file: Optional[str]
    span: Span  # in the file's text
    line: int  # from 1
    column: int  # bytes from the start of the line, from 0
    unit: int  # of the image: what stands here, or comes next
    operand: int  # OPERAND: which one, from 0; else 0


class Value(Struct):
    """`struct gpucode_value`."""

    number: int
    place: ValuePlace
    space: int  # REGISTER
    address: int  # register number or memory address
    size: int  # bytes of what can be assigned: 4, and 1, 2 or 8 for {address, size}
    is_code: bool  # a label took part: the number is a code address
    section: int  # is_code: of this section; else GPUCODE_VALUE_FLOAT of floats, and 0


class Word(Struct):
    """`struct gpucode_word`."""

    kind: TokenKind
    file: int
    span: Span  # in the file's text
    symbol: int  # whose name it is; GPUCODE_NONE: nobody's
    next: int  # the next word with this symbol, as gpucode_source_word() counts; GPUCODE_NONE: none
    defines: bool  # the symbol is defined here
    expanded: bool  # it was read where a macro is used, and stands in its body or among its arguments
    part: bool  # only a part of the name stands here: the rest comes from a macro's substitution
    unit: int  # of the image: what stands here, or comes next
    operand: int  # OPERAND: which one, from 0; PARAMETER: number of the parameter
    row: int  # MNEMONIC: its row; GPUCODE_NONE: none fits
    space: int  # NAME: enum gpucode_space; OPERAND: of a register
    number: int  # NAME: number of the register, packet, flag or event
    type: OperandType  # OPERAND


BY_STRUCT.update({
    "struct gpucode_a3xx_cost": A3xxCost,
    "struct gpucode_a3xx_file": A3xxFile,
    "struct gpucode_a3xx_usage": A3xxUsage,
    "struct gpucode_access": Access,
    "struct gpucode_action": Action,
    "struct gpucode_block": Block,
    "struct gpucode_breakpoint": Breakpoint,
    "struct gpucode_chip": Chip,
    "struct gpucode_code_constant": CodeConstant,
    "struct gpucode_compared_function": ComparedFunction,
    "struct gpucode_compared_line": ComparedLine,
    "struct gpucode_compared_section": ComparedSection,
    "struct gpucode_counter": Counter,
    "struct gpucode_crash_block": CrashBlock,
    "struct gpucode_crash_buffer": CrashBuffer,
    "struct gpucode_crash_fault": CrashFault,
    "struct gpucode_crash_handler": CrashHandler,
    "struct gpucode_crash_head": CrashHead,
    "struct gpucode_crash_message": CrashMessage,
    "struct gpucode_crash_place": CrashPlace,
    "struct gpucode_crash_position": CrashPosition,
    "struct gpucode_crash_protection": CrashProtection,
    "struct gpucode_crash_queue": CrashQueue,
    "struct gpucode_crash_register": CrashRegister,
    "struct gpucode_crash_ring": CrashRing,
    "struct gpucode_crash_section": CrashSection,
    "struct gpucode_crash_words": CrashWords,
    "struct gpucode_debug_stop": DebugStop,
    "struct gpucode_declaration": Declaration,
    "struct gpucode_edge": Edge,
    "struct gpucode_edit": Edit,
    "struct gpucode_effect": Effect,
    "struct gpucode_event": Event,
    "struct gpucode_expected": Expected,
    "struct gpucode_facts": Facts,
    "struct gpucode_field": Field,
    "struct gpucode_field_value": FieldValue,
    "struct gpucode_finding": Finding,
    "struct gpucode_flow": Flow,
    "struct gpucode_frame": Frame,
    "struct gpucode_function": Function,
    "struct gpucode_function_call": FunctionCall,
    "struct gpucode_fuzz_numbers": FuzzNumbers,
    "struct gpucode_history": History,
    "struct gpucode_hwsq_facts": HwsqFacts,
    "struct gpucode_hwsq_script": HwsqScript,
    "struct gpucode_image_fact": ImageFact,
    "struct gpucode_image_info": ImageInfo,
    "struct gpucode_ir3_usage": Ir3Usage,
    "struct gpucode_label": Label,
    "struct gpucode_line": Line,
    "struct gpucode_lost_place": LostPlace,
    "struct gpucode_machine_edge": MachineEdge,
    "struct gpucode_operand": Operand,
    "struct gpucode_packet_event": PacketEvent,
    "struct gpucode_packet_header": PacketHeader,
    "struct gpucode_place": Place,
    "struct gpucode_policy": Policy,
    "struct gpucode_privileges": Privileges,
    "struct gpucode_program_section": ProgramSection,
    "struct gpucode_reference": Reference,
    "struct gpucode_routine": Routine,
    "struct gpucode_row": Row,
    "struct gpucode_row_field": RowField,
    "struct gpucode_scheduled": Scheduled,
    "struct gpucode_section": Section,
    "struct gpucode_source_diagnostic": SourceDiagnostic,
    "struct gpucode_source_file": SourceFile,
    "struct gpucode_source_symbol": SourceSymbol,
    "struct gpucode_space_info": SpaceInfo,
    "struct gpucode_span": Span,
    "struct gpucode_stage_unit": StageUnit,
    "struct gpucode_stop": Stop,
    "struct gpucode_stream_buffer": StreamBuffer,
    "struct gpucode_stream_command": StreamCommand,
    "struct gpucode_submit": Submit,
    "struct gpucode_symbol": Symbol,
    "struct gpucode_tail": Tail,
    "struct gpucode_texture_lookup": TextureLookup,
    "struct gpucode_token": Token,
    "struct gpucode_value": Value,
    "struct gpucode_word": Word,
})
