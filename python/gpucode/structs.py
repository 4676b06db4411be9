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
    """`struct gpucode_a3xx_cost`.

    runs: issues: the threads of a group that run it together count once
    slots: of issue: steps of repeats count
    sy: slots that (ss) waited on top of that, and (sy)
    threads: runs, each thread for itself
    """

    runs: int
    slots: int
    ss: int
    sy: int
    threads: int


class A3xxFile(Struct):
    """`struct gpucode_a3xx_file`.

    inputs: read where nothing before it in the text wrote them: the shader's inputs, if it has no loops
    outputs: written, and not read after that in the text: its outputs, if it has no loops
    components: how many are used
    vectors: vectors of four up to the highest used: what the driver reserves per fiber
    relative: addressed through a0.x, so that more may be used
    """

    read: List[int]
    written: List[int]
    inputs: List[int]
    outputs: List[int]
    components: int
    vectors: int
    relative: bool


class A3xxUsage(Struct):
    """`struct gpucode_a3xx_usage`.

    instructions: up to the last `end`; nops after it are padding
    padding: after it
    category: instructions by category
    unknown: words that no row explains
    nops: nop instructions ...
    nop_slots: ... and the issue slots they take
    slots: issue slots of all, repeats counted, jumps not taken
    sy: sync points: instructions with (ss), with (sy)
    const_reads: bit per component c0.x to c511.w that is read by number
    textures: bit per texture t#N
    varyings: one more than the highest component that bary.f reads by number; 0: none
    varying_reads: bit per component 0 to 127 that it reads
    """

    instructions: int
    padding: int
    category: List[int]
    unknown: int
    nops: int
    nop_slots: int
    slots: int
    ss: int
    sy: int
    full: A3xxFile
    half: A3xxFile
    consts: int
    const_reads: List[int]
    relative_const: bool
    samplers: int
    textures: List[int]
    varyings: int
    varying_reads: List[int]
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
    """`struct gpucode_action`.

    text: "" where the kind has none
    """

    kind: ActionKind
    width: int
    letter: str
    first: int
    second: int
    third: int
    next: int
    text: str
    number: int


class Block(Struct):
    """`struct gpucode_block`.

    end: units; `end` is exclusive
    """

    start: int
    end: int
    edge_count: int
    edges: List[Edge]


class Breakpoint(Struct):
    """`struct gpucode_breakpoint`.

    number: given by gpucode_debug_add(): 1, 2, ...
    one_processor: only on `processor`, else on any
    space: REGISTER
    address: CODE: units from the section's start; register number, memory address, opcode or GPUCODE_ANY
    size: MEMORY: bytes; REGISTER: count; 0 counts as 1
    condition: expression that must not be 0, or None; copied
    label: what the user called it, or None; copied
    code: FAULT: only stops whose code contains this, or None; copied
    ignore: pass so many hits first
    hits: those that passed the condition, going forwards into the unknown or again
    temporary: goes away when hit
    """

    number: int
    kind: BreakpointKind
    section: int
    one_processor: bool
    processor: int
    access: int
    space: int
    address: int
    size: int
    condition: Optional[str]
    label: Optional[str]
    code: Optional[str]
    ignore: int
    hits: int
    temporary: bool
    disabled: bool


class Chip(Struct):
    """`struct gpucode_chip`.

    name: "FD630"; None: the id is not known, the family is guessed from its bits
    """

    name: Optional[str]
    family: int


class CodeConstant(Struct):
    """`struct gpucode_code_constant`.

    at: and its unit there
    count: of a table of jumps: its units
    scale: 1, 2 or 4: bytes
    from_image: counted from the start of the image
    half: the immediate is that of the number: its lower 16 bits, or those above
    """

    kind: ConstantKind
    section: int
    at: int
    to_section: int
    to: int
    count: int
    scale: int
    from_image: bool
    half: ConstantHalf


class ComparedFunction(Struct):
    """`struct gpucode_compared_function`.

    line_count: of changed functions alone; from the entry on, round to what stands in front of it
    """

    change: Change
    function: List[int]
    line_count: int
    change_name: str
    lines: List[ComparedLine]


class ComparedLine(Struct):
    """`struct gpucode_compared_line`.

    unit: of the section; GPUCODE_NONE: this side has no such line. Both, and not same: replaced
    """

    unit: List[int]
    same: bool


class ComparedSection(Struct):
    """`struct gpucode_compared_section`.

    section: of the images, GPUCODE_NONE: this side lacks it
    has_packets: some side has a packet table
    packets: enum gpucode_change of each packet
    """

    section: List[int]
    function_count: int
    has_packets: bool
    packets: List[int]
    functions: List[ComparedFunction]


class Counter(Struct):
    """`struct gpucode_counter`.

    name: "thread-slots"
    value: since creation; restore sets it back
    doc: what is counted, one sentence
    """

    name: str
    value: int
    doc: str


class CrashBlock(Struct):
    """`struct gpucode_crash_block`.

    name: the same in all dumps: "SQE_STAT", "SQE_UCODE_DBG"
    own: as the dump has it; None in snapshots
    pipe: snapshots of gen8; 0 elsewhere
    """

    name: str
    own: Optional[str]
    pipe: int
    data: List[int]


class CrashBuffer(Struct):
    """`struct gpucode_crash_buffer`.

    size: bytes
    name: or None
    """

    iova: int
    size: int
    name: Optional[str]
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
    """`struct gpucode_crash_handler`.

    start: the largest entry that is not 0 and not after the PC
    unknown: it is the one for opcodes that nobody handles: the most frequent entry, of 16 opcodes or more
    """

    start: int
    unknown: bool


class CrashHead(Struct):
    """`struct gpucode_crash_head`.

    chip_id: core, major, minor, patch, a byte each; 0: not told
    gpu: "A630"; None: nobody knows it
    generation: "a6xx"; None: not known
    target: whose names fit; None for GPUs before a5xx
    status: RBBM_STATUS
    """

    format: CrashFormat
    gpu_id: int
    chip_id: int
    gpu: Optional[str]
    generation: Optional[str]
    target: Optional[Target]
    kernel: Optional[str]
    module: Optional[str]
    time: Optional[str]
    comm: Optional[str]
    cmdline: Optional[str]
    has_status: bool
    status: int


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
    """`struct gpucode_crash_place`.

    known: the buffer was found
    ahead: the fetcher was in a later buffer than the SQE
    guessed: no packet that calls it is in the dump: address and size are those of the registers
    buffer: GPU address
    words: of the buffer
    next: the word that the SQE would read next, `words` at the end
    header: that word; it may not be a header
    """

    known: bool
    ahead: bool
    guessed: bool
    buffer: int
    words: int
    next: int
    has_packet: bool
    word: int
    header: int


class CrashPosition(Struct):
    """`struct gpucode_crash_position`.

    has_handler: a packet table was loaded, and the PC is not before its first handler
    unknown: the handler is that of opcodes nobody handles
    handler: where it begins
    """

    level: CrashLevel
    places: List[CrashPlace]
    has_header: bool
    header: int
    has_pc: bool
    pc: int
    has_handler: bool
    unknown: bool
    handler: int
    confirmed: int
    asked: int
    elsewhere: bool
    elsewhere_buffer: int
    elsewhere_word: int
    place: Optional[CrashPlace]


class CrashProtection(Struct):
    """`struct gpucode_crash_protection`.

    status: its value
    refused: an access was; a5xx has no bit for it, its interrupt status tells
    write: it was a write
    halted: the processor stopped for it; not told on a5xx
    number: of the register that was to be accessed
    """

    status: int
    refused: bool
    write: bool
    halted: bool
    number: int


class CrashQueue(Struct):
    """`struct gpucode_crash_queue`.

    name: "FE"
    entries: that were not taken yet
    damaged: its list of blocks leads nowhere; the entries are those up to there
    """

    name: str
    entries: int
    damaged: bool


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
    """`struct gpucode_crash_section`.

    name: "registers"; of snapshots the number: "0x0201"
    text: its bytes, from the line with its name on
    """

    name: str
    text: str
    length: int
    line: int


class CrashWords(Struct):
    """`struct gpucode_crash_words`."""

    count: int
    size: int


class DebugStop(Struct):
    """`struct gpucode_debug_stop`.

    pc: of the processor
    temporary: BREAKPOINT: it is gone now
    condition_failed: BREAKPOINT: its condition could not be evaluated
    also: BREAKPOINT: others that were hit at the same time, as many as there is room for;
    also_count: temporary ones are gone too
    event: BREAKPOINT that watches or catches something but a fault: what happened
    """

    reason: DebugReason
    processor: int
    pc: int
    position: int
    breakpoint: int
    temporary: bool
    condition_failed: bool
    also: List[int]
    also_count: int
    event: Event
    machine: Stop


class Declaration(Struct):
    """`struct gpucode_declaration`.

    kind: "const", "attribute", "varying", "out", "uniform", "sampler", "buf", "localsize", ...
    name: what the source calls it; None: nothing
    file: 'r' registers, 'c' consts, 0 neither
    half: half registers
    first: first component (r1.y is 5), or the number of a sampler
    count: components
    value: bits of the values given
    """

    kind: str
    name: Optional[str]
    file: str
    half: bool
    first: int
    count: int
    value: List[int]
    value_count: int


class Edge(Struct):
    """`struct gpucode_edge`.

    seen: a run went there: gpucode_analysis_options.seen
    to: units from the section's start; after the code or in data: what is there is not known
    """

    kind: EdgeKind
    known: bool
    seen: bool
    to: int


class Edit(Struct):
    """`struct gpucode_edit`.

    text: "and $02, $03, 0x3 -> and $02, $03, 0x7", "+ nop", "- nop"; without targets
    kind: the same with "$x", "$y" for general registers
    """

    text: str
    kind: str
    count: int


class Effect(Struct):
    """`struct gpucode_effect`.

    space: enum gpucode_space, or a space of the set
    number: the first register,
    count: and how many from there on
    mask: bit i: number + i takes part; 0: all of count
    known: false: one register of these, or any of the space where count is 0
    maybe: it happens or not, by values that the instruction does not have
    operand: index of the operand, as gpucode_insn_operands() counts; -1: the text does not name it
    """

    kind: EffectKind
    use: Use
    space: int
    number: int
    count: int
    mask: int
    known: bool
    maybe: bool
    operand: int


class Event(Struct):
    """`struct gpucode_event`.

    pc: of the instruction
    address: register number, memory address, packet opcode
    value: what was written or read
    old: register or memory writes: what was there
    """

    kind: EventKind
    processor: int
    pc: int
    time: int
    space: int
    address: int
    value: int
    old: int


class Expected(Struct):
    """`struct gpucode_expected`.

    letter: OPERAND, INSIDE: of its field, as in the row's text
    name: OPERAND, INSIDE: "destination register"; TEXT: the punctuation, `length` bytes of it
    space: of registers
    operand: number of operands in front of it
    ['from'], int: OPERAND, INSIDE: where it begins in the text
    """

    kind: ExpectedKind
    row: int
    letter: str
    name: str
    length: int
    type: OperandType
    space: int
    operand: int


class Facts(Struct):
    """`struct gpucode_facts`.

    packets: firmware that is fed PM4 packets, which a packet table leads to their handlers
    protected_registers: writes to some GPU registers are refused
    calls: instructions call and return; there are frames to show
    delay_slots: instructions after a jump run before it is taken
    events: instructions wait for events from outside
    float_registers: general registers hold floats more often than integers
    threads: a machine's processors are the threads of one program
    fixed_size: every instruction is one unit; false: one to several units
    whole_code: a file has only code: it is not empty, and ends with a whole instruction
    words: listings and files are told of in 32-bit words, whatever a unit is
    entry_labels: the labels "entry0" to "entry3" of a source are where its code is entered
    """

    packets: bool
    protected_registers: bool
    calls: bool
    delay_slots: bool
    events: bool
    float_registers: bool
    threads: bool
    fixed_size: bool
    whole_code: bool
    words: bool
    entry_labels: bool


class Field(Struct):
    """`struct gpucode_field`.

    letter: as in the row's bits and text
    kind: "destination register"
    width: bits
    value: as encoded, not sign-extended
    """

    letter: str
    kind: str
    width: int
    value: int


class FieldValue(Struct):
    """`struct gpucode_field_value`.

    name: constant; "-": bits that belong to no field
    named: the text is a value's name
    value: shifted as the field says: a count of 32-byte units comes in bytes
    """

    name: str
    low: int
    high: int
    type: FieldType
    named: bool
    value: int
    text: str


class Finding(Struct):
    """`struct gpucode_finding`.

    section: index into the image's sections
    unit: place, units from the section's start
    units: units concerned, at least 1
    message: one sentence, no full stop
    reason: why it matters: gpucode_explain(code)
    reference: where the fact comes from
    has_other: another instruction has part in it:
    other: its place, units: the one that writes, delivers, branches here, ...
    slots: issue slots that are missing, 0: none are
    operand: 1 = the first in the text, up to the first comma; 0: the whole instruction
    analysed: the code was analysed (gpucode/analysis.h):
    function: the function that it stands in, or None
    fix: what to do, in a few words; None: that depends
    """

    severity: Severity
    code: Optional[str]
    section: int
    unit: int
    units: int
    message: str
    reason: str
    reference: str
    has_other: bool
    other: int
    slots: int
    operand: int
    analysed: bool
    function: Optional[str]
    fix: Optional[str]


class Flow(Struct):
    """`struct gpucode_flow`.

    ends: where a branch is not taken the program ends, after `ending_slots` instructions
    known: the instruction says where to: `target`
    """

    kind: FlowKind
    conditional: bool
    ends: bool
    known: bool
    target: int
    delay_slots: int
    ending_slots: int
    operand: int


class Frame(Struct):
    """`struct gpucode_frame`.

    pc: where it returns to
    link: found in a link register, which nobody clears: it may be old
    """

    pc: int
    link: bool


class Function(Struct):
    """`struct gpucode_function`.

    start: units from the section's start
    """

    start: int
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
    """`struct gpucode_function_call`.

    to: units; `to` is the start of a function, or outside the code
    linked: the return address goes to a register, not on the hardware's stack
    function: index of the function called; GPUCODE_NONE: `to` is outside
    """

    at: int
    to: int
    linked: bool
    function: int


class FuzzNumbers(Struct):
    """`struct gpucode_fuzz_numbers`.

    edges: bytes of the map that some run has raised
    """

    runs: int
    entries: int
    findings: int
    gaps: int
    edges: int


class History(Struct):
    """`struct gpucode_history`.

    gap: present least distance of two, in instructions
    inputs: changes from outside that were recorded
    changes: all that were ever made
    """

    snapshots: int
    bytes: int
    gap: int
    inputs: int
    changes: int


class HwsqFacts(Struct):
    """`struct gpucode_hwsq_facts`.

    chipset: "G94"; None for a variant that is several chipsets
    id: chipset field of PMC.ID (bits 27:20 of register 0); 0 for such a variant
    code_bytes: code RAM
    window: register where all of the code RAM begins
    slots: 1 or 2
    unknown_hangs: else an unknown opcode is one byte that does nothing
    """

    chipset: Optional[str]
    id: int
    code_bytes: int
    window: int
    slots: int
    unknown_hangs: bool


class HwsqScript(Struct):
    """`struct gpucode_hwsq_script`.

    address: where the first byte stands in the code RAM
    line: text: 1 = first; of the trigger, the last upload or the dump. VBIOS: offset of the entry
    time: seconds, as the trace has it; 0 where there is none
    device: PCI bus and device of a trace, bus << 8 | devfn; 0 where there is none
    entry: traces: which entry point; VBIOS: index of the table's entry
    slot: traces: 'A' or 'B', 0 when not started or with one slot
    entry_points: VBIOS: the value for ENTRY_POINT
    starts: how often it was started before it changed
    complete: ends in an exit, and all of it was seen
    """

    origin: ScriptOrigin
    target: Target
    size: int
    address: int
    line: int
    time: float
    device: int
    entry: int
    slot: str
    entry_points: int
    starts: int
    complete: bool
    bytes: bytes


class ImageFact(Struct):
    """`struct gpucode_image_fact`.

    name: "id", "version", "total words"
    value: as text
    source: "word 0 bits 23:12"
    """

    name: str
    value: str
    source: str


class ImageInfo(Struct):
    """`struct gpucode_image_info`.

    target: what the code is decoded as
    format: "afuc", "hwsq", "a3xx"
    layout: which container form: "a7xx header", "plain", "AQE", "raw words"
    id: AFUC firmware id, 0xfff bits; GPUCODE_NONE: none
    version: AFUC low 12 bits of the first word; GPUCODE_NONE: none
    id_known: the id is in the table of known firmware
    target_given: the caller chose the target
    prefix: bytes before the image that are not code (AFUC: the zero word)
    units: units of the image, tail bytes not counted
    tail: bytes after the last whole unit
    trailer: unit where a build-date trailer starts; GPUCODE_NONE: none
    date: "2025-02-14" from the trailer, or empty
    """

    target: Target
    format: str
    layout: str
    id: int
    version: int
    id_known: bool
    target_given: bool
    prefix: int
    units: int
    tail: int
    trailer: int
    date: str
    section_count: int
    fact_count: int


class Ir3Usage(Struct):
    """`struct gpucode_ir3_usage`.

    idle_slots: of (nopN)
    branches: and jumps
    joins: instructions with (jp)
    shared: shared registers up to the highest used, in vectors of four from r48 on
    """

    shader: A3xxUsage
    barriers: int
    idle_slots: int
    branches: int
    joins: int
    shared: int
    registers: int
    constlen: int
    waves: int
    double_waves: int


class Label(Struct):
    """`struct gpucode_label`.

    section: CODE: its name, "*" for the first one; else None
    text: REGISTER: the register's other name as it was written ("$02"); else None
    space: REGISTER: a space of names.h, or of the machine for registers that names.h does not know
    """

    kind: LabelKind
    name: Optional[str]
    section: Optional[str]
    text: Optional[str]
    space: int
    value: int


class Line(Struct):
    """`struct gpucode_line`.

    macro: of gpucode_program_use(): the macro used there; else None
    """

    file: Optional[str]
    line: int
    source_length: int
    from_macro: bool
    macro: Optional[str]
    source: Optional[str]


class LostPlace(Struct):
    """`struct gpucode_lost_place`.

    at: unit from the section's start
    """

    kind: ConstantKind
    section: int
    at: int


class MachineEdge(Struct):
    """`struct gpucode_machine_edge`.

    ['from'], int:
    """

    section: int
    to: int
    taken: bool


class Operand(Struct):
    """`struct gpucode_operand`.

    kind: "destination register"
    use: of registers: what the instruction does with them
    space: of registers: enum gpucode_space, or a space of the set; see gpucode_space_name()
    mask: bit i: number + i takes part; 0: all of count
    known: registers: the instruction alone tells which ones; else true
    indirect: registers: another register's value is added to `number`
    value: values with their sign and scale, targets in units, registers their number
    start: where it stands in the instruction's text, bytes
    length: 0: the text leaves it out
    """

    type: OperandType
    letter: str
    kind: str
    use: Use
    space: int
    number: int
    count: int
    mask: int
    known: bool
    indirect: bool
    value: int
    start: int
    length: int


class PacketEvent(Struct):
    """`struct gpucode_packet_event`.

    address: GPU address: of the packet; FIELD, WRITE: of the word
    opcode: type 7: 0 to 127; type 3: 0 to 255; types 0 and 4: the first register
    outer: opcode of the type-7 packet whose handling this belongs to: a draw's for its groups. 0x80: type 4
    name: of the packet ("CP_NOP", "UNKN5"; type 4: first register) or field
    index: FIELD: element of a repeated field; 0 of others
    repeated: FIELD: it has an index
    known: WRITE: false: the value, or some of its bits, is not in the stream (CP_MEM_TO_REG, CP_REG_RMW, ...)
    register_name: FIELD: of the GPU register that the value is the number of, or None
    mode: DRAW, ENTER: 1 binning, 2 bins in GMEM, 4 system memory
    later: ENTER: the buffer runs when contexts are switched; told after the stream
    """

    kind: PacketEventKind
    source: PacketSource
    condition: PacketCondition
    depth: int
    address: int
    header: int
    type: int
    opcode: int
    outer: int
    name: str
    index: int
    repeated: bool
    count: int
    number: int
    value: int
    known: bool
    form: PacketForm
    text: Optional[str]
    register_name: Optional[str]
    mode: int
    later: bool
    target_address: int
    unknown: int
    words: List[int]


class PacketHeader(Struct):
    """`struct gpucode_packet_header`.

    type: 4 or 7; 0: it is not a header
    number: type 4: the first register; type 7: the opcode
    count: payload words
    parity_is_odd: as it must be
    """

    type: int
    number: int
    count: int
    parity_is_odd: bool


class Place(Struct):
    """`struct gpucode_place`."""

    file: Optional[str]
    line: int
    from_macro: bool
    macro: Optional[str]


class Policy(Struct):
    """`struct gpucode_policy`.

    name: "afuc-bfi"
    values: what may be chosen, separated by '|': "replace|or"; "NUMBER" for numbers, "TEXT" for what doc says
    preset: the default
    doc: what is not known, and what the choices mean
    """

    name: str
    values: str
    preset: str
    doc: str


class Privileges(Struct):
    """`struct gpucode_privileges`.

    effects: enum gpucode_privilege, 0: none
    tried: gpucode_analysis_trials() has run the handler,
    seen: and this is what it did
    led: the firmware's own packets led to that level, too,
    led_seen: where the handler did this;
    put_seen: with the same packets, but put at that level, it did that
    """

    section: int
    packet: int
    level: int
    level_name: Optional[str]
    effects: int
    tried: bool
    seen: int
    led: bool
    led_seen: int
    put_seen: int


class ProgramSection(Struct):
    """`struct gpucode_program_section`.

    name: "" for what stands in front of the first `.section`
    size: its bytes in the program
    base: address of its first unit, as labels count
    """

    name: str
    offset: int
    size: int
    base: int


class Reference(Struct):
    """`struct gpucode_reference`.

    unit: where the access stands, from the section's start
    space: enum gpucode_space, GPUCODE_SPACE_CODE or GPUCODE_SPACE_MEMORY
    number: of the register; of code the unit; memory: 0
    exact: false: a register adds something unknown to `number`
    has_value: it writes `value`, on all paths
    in_table: it stands in a packet table, whose entry is `packet`
    """

    kind: ReferenceKind
    section: int
    unit: int
    space: int
    number: int
    exact: bool
    has_value: bool
    value: int
    via: Optional[str]
    in_table: bool
    packet: int
    name: str


class Routine(Struct):
    """`struct gpucode_routine`.

    name: of its labels the best: the caller's, the packet's, "fxn12"; "start" without a label
    first: number of its first entry in gpucode_outline_units()
    count: how many
    entry_count: packets that it handles
    section: as in gpucode_unit
    packet: its first packet that has a name, or the first; None: it handles none
    symbol: the caller's first name; None: none
    """

    name: str
    first: int
    count: int
    entry_count: int
    section: int
    packet: Optional[str]
    symbol: Optional[str]


class Row(Struct):
    """`struct gpucode_row`.

    id: unique in the instruction set: "ADD_IMM"
    mnemonic: "add"
    bits: as a data sheet writes them: "00001 r sssss ..."
    text: template of the text: "{r}add {d}, {s}, {i}"
    effects: flow and use beyond what operands say: "branch a, slots 1"; "" for most
    doc: what it does
    source: where the fact comes from
    action: the semantics, C expressions as written in the row
    match: and their values
    ignored: bits that the processor ignores
    size: bytes
    """

    id: str
    mnemonic: str
    bits: str
    text: str
    effects: str
    doc: str
    source: str
    action: str
    evidence: Evidence
    mask: int
    match: int
    ignored: int
    size: int
    on_target: bool
    fields: List[RowField]


class RowField(Struct):
    """`struct gpucode_row_field`.

    letter: as in the row's bits and text
    kind: "destination register"
    space: of registers: enum gpucode_space, or a space of the set
    width: bits shift .. shift + width - 1 of the instruction
    pieces: the first one holds the most significant bits of the field
    """

    letter: str
    kind: str
    type: OperandType
    use: Use
    space: int
    width: int
    piece_count: int
    pieces: List[Record]


class Scheduled(Struct):
    """`struct gpucode_scheduled`.

    size: For each unit of the result, which unit of the image it was, perhaps with other flags; GPUCODE_SCHEDULE_NEW.
    slots: issue slots of all instructions to the last `end`, jumps not taken
    sync_bits: (ss) and (sy)
    """

    size: int
    units: int
    slots_before: int
    slots: int
    sync_bits_before: int
    sync_bits: int
    bytes: bytes
    origins: List[int]
    diagnostics: List[Diagnostic]


class Section(Struct):
    """`struct gpucode_section`.

    name: "SQE", "BR", "BV", "LPAC", "DDE", "AQE", "PFP", "PM4", "CP"
    start: first unit, from the start of the image
    size: units, packet table included
    table: packet table, from the start of the section; GPUCODE_NONE without one
    start_source: how start was found, for people: "table end of BR, 32-byte aligned"
    table_source: how table was found; None without a table
    """

    name: str
    start: int
    size: int
    table: int
    start_source: str
    table_source: Optional[str]


class SourceDiagnostic(Struct):
    """`struct gpucode_source_diagnostic`.

    severity: notes belong to the one in front of them
    file: number of the file; GPUCODE_NONE: it has no place
    span: what is wrong, at least one byte but at the end of a line
    replacement: the text that mends it; None: nobody knows one
    replaced: in whose place that comes; of length 0: it is put in
    exact: false: the text comes from a macro; the span is as near as one gets
    """

    severity: Severity
    code: Optional[str]
    message: Optional[str]
    hint: Optional[str]
    file: int
    span: Span
    replacement: Optional[str]
    replaced: Span
    exact: bool


class SourceFile(Struct):
    """`struct gpucode_source_file`.

    name: options.file, or the path that `.include` made: as gpucode_asm_options.include has it
    text: a copy
    """

    name: str
    text: str
    length: int


class SourceSymbol(Struct):
    """`struct gpucode_source_symbol`.

    parent: of a label its section, of a parameter its macro; else None
    parent_symbol: the symbol of that; GPUCODE_NONE: none
    value: CONSTANT; LABEL: units from the section's start
    unit: LABEL: of the image; else GPUCODE_NONE
    definition: word where it is defined; GPUCODE_NONE: nowhere that can be shown
    first: its first word, by file and place; GPUCODE_NONE: none
    body: MACRO: the lines between .macro and .endm, in the file of its definition
    parameters: MACRO: how many; they are the symbols after it
    """

    kind: SourceSymbolKind
    name: Optional[str]
    parent: Optional[str]
    parent_symbol: int
    value: int
    unit: int
    definition: int
    first: int
    body: Span
    parameters: int


class SpaceInfo(Struct):
    """`struct gpucode_space_info`.

    name: "general", "control"
    prefix: how the text marks it: "$", "@"; "" none
    count: numbers go from 0 to count - 1
    shared: one for all processors
    addressed: numbers are byte addresses of 32-bit registers, which stand where others have memory
    effective: what the registers of GPUCODE_SPACE_GPU hold while they cannot be read there
    float_bits: 32 or 16: registers hold floats of so many bits more often than integers; 0: they do not
    float_count: those with numbers below this; what comes after holds no floats
    """

    name: str
    prefix: str
    count: int
    shared: bool
    addressed: bool
    effective: bool
    float_bits: int
    float_count: int


class Span(Struct):
    """`struct gpucode_span`."""

    offset: int
    length: int


class StageUnit(Struct):
    """`struct gpucode_stage_unit`.

    index: its slot
    count: words
    """

    resource: StageResource
    kind: Optional[str]
    index: int
    count: int
    words: List[int]


class Stop(Struct):
    """`struct gpucode_stop`.

    pc: units from the start of its section
    time: gpucode_machine_time()
    code: stable name of the stop ("afuc-hang"): gpucode_explain() knows it; None for LIMIT, HOOK, BREAKPOINT
    text: for people, one sentence
    """

    reason: StopReason
    processor: int
    pc: int
    time: int
    code: Optional[str]
    text: str
    ran: int


class StreamBuffer(Struct):
    """`struct gpucode_stream_buffer`.

    address: GPU address
    size: bytes, never beyond the end of the address space
    length: bytes recorded, at most `size`
    """

    address: int
    size: int
    length: int


class StreamCommand(Struct):
    """`struct gpucode_stream_command`.

    address: GPU address of the first packet
    words: 32-bit
    """

    address: int
    words: int


class Submit(Struct):
    """`struct gpucode_submit`.

    text: the last command line recorded for it ("glmark2/53710: fence=165247"); None: none
    """

    text: Optional[str]
    buffer_count: int
    command_count: int
    buffers: List[StreamBuffer]
    commands: List[StreamCommand]


class Symbol(Struct):
    """`struct gpucode_symbol`.

    value: label: units from the section's start
    unit: label: units from the image's start; GPUCODE_NONE for constants
    """

    name: Optional[str]
    section: Optional[str]
    value: int
    unit: int


class Tail(Struct):
    """`struct gpucode_tail`.

    at: unit of the transfer, or of the last unit in front of where one function falls into another
    function: index of the other one
    """

    at: int
    function: int


class TextureLookup(Struct):
    """`struct gpucode_texture_lookup`.

    thread: which one looks
    texture: s#, t#; of .s2en what the registers say, any number
    mask: which of the four values are used: bit 0 the first
    type: of the result: 0 f16, 1 f32, 2 u16, 3 u32, 4 s16, 5 s32, 6 u8, 7 s8
    source: sam and samb: the first source of the threads of the quad (0: here, 1: next in x, 2: next in y, 3), for the
        level of detail. Null when the machine has no quads; `quad` says how many threads there are.
    """

    kind: LookupKind
    mnemonic: Optional[str]
    thread: int
    pc: int
    flags: int
    sampler: int
    texture: int
    mask: int
    type: int
    half: bool
    count: List[int]
    source: List[List[int]]
    quad: int


class Token(Struct):
    """`struct gpucode_token`.

    span: in the file's text
    line: from 1
    column: bytes from the start of the line, from 0
    unit: of the image: what stands here, or comes next
    operand: OPERAND: which one, from 0; else 0
    """

    kind: TokenKind
    file: Optional[str]
    span: Span
    line: int
    column: int
    unit: int
    operand: int


class Value(Struct):
    """`struct gpucode_value`.

    space: REGISTER
    address: register number or memory address
    size: bytes of what can be assigned: 4, and 1, 2 or 8 for {address, size}
    is_code: a label took part: the number is a code address
    section: is_code: of this section; else GPUCODE_VALUE_FLOAT of floats, and 0
    """

    number: int
    place: ValuePlace
    space: int
    address: int
    size: int
    is_code: bool
    section: int


class Word(Struct):
    """`struct gpucode_word`.

    span: in the file's text
    symbol: whose name it is; GPUCODE_NONE: nobody's
    next: the next word with this symbol, as gpucode_source_word() counts; GPUCODE_NONE: none
    defines: the symbol is defined here
    expanded: it was read where a macro is used, and stands in its body or among its arguments
    part: only a part of the name stands here: the rest comes from a macro's substitution
    unit: of the image: what stands here, or comes next
    operand: OPERAND: which one, from 0; PARAMETER: number of the parameter
    row: MNEMONIC: its row; GPUCODE_NONE: none fits
    space: NAME: enum gpucode_space; OPERAND: of a register
    number: NAME: number of the register, packet, flag or event
    type: OPERAND
    """

    kind: TokenKind
    file: int
    span: Span
    symbol: int
    next: int
    defines: bool
    expanded: bool
    part: bool
    unit: int
    operand: int
    row: int
    space: int
    number: int
    type: OperandType


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
