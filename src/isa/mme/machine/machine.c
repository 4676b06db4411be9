/* SPDX-License-Identifier: MIT */
/* The MME machine: running macros. What words do stands in insn.def; this file has the functions they name. */
#include "isa/mme/machine/machine.h"
#include "mme_messages.h"

#define POLICIES mme_policies
#define POLICY_LINKAGE static
#define POLICY_ROWS "isa/mme/machine/policies.def"
#define POLICY_SET(name) "mme-" name
#define POLICY_CHOICES struct mme_choices
#include "isa/policies.inc"

/* The first one of the logical operations. */
#define LOGICAL 8

/* One word on its way, and what its action may touch. */
struct run {
    struct machine_core *core;
    struct mme_state *state;
    struct gpucode_stop *stop;
    uint32_t word, result;
    bool done;     /* false: the word did nothing, and the macro stands still in front of it */
    bool branched; /* the word is a branch that was taken */
};

static void tell_access(struct run *run, enum gpucode_event_kind kind, unsigned space, uint32_t address, uint32_t value,
                        uint32_t old)
{
    if (!(run->core->hook_kinds & kind))
        return;
    struct gpucode_event event = {.kind = kind,
                                  .pc = run->state->pc,
                                  .time = run->core->time,
                                  .space = space,
                                  .address = address,
                                  .value = value,
                                  .old = old};
    run->state->stop_asked |= isa_event(run->core, &event);
}

/* --- values ------------------------------------------------------------------------------------------- */

static uint32_t register_value(struct run *run, unsigned number)
{
    uint32_t value = run->state->registers[number];
    if (number)
        tell_access(run, GPUCODE_EVENT_USE, GPUCODE_SPACE_GENERAL, number, value, value);
    return value;
}

static void set_register(struct run *run, uint32_t value)
{
    unsigned number = mme_destination(run->word);
    if (!number)
        return;
    uint32_t old = run->state->registers[number];
    run->state->registers[number] = value;
    tell_access(run, GPUCODE_EVENT_WRITE, GPUCODE_SPACE_GENERAL, number, value, old);
}

static uint32_t mask(unsigned size)
{
    return (UINT32_C(1) << size) - 1;
}

static uint32_t shift_left(uint32_t value, uint32_t count)
{
    return count > 31 ? 0 : value << count;
}

static uint32_t extract(uint32_t value, uint32_t from, unsigned size)
{
    return from > 31 ? 0 : value >> from & mask(size);
}

static uint32_t merge(uint32_t into, uint32_t value, unsigned from, unsigned size, unsigned to)
{
    return (into & ~(mask(size) << to)) | (value >> from & mask(size)) << to;
}

/* Operation number `operation`, in 64 bits; *sets_carry: bit 32 is the carry. */
static uint64_t operation_result(unsigned operation, uint64_t X, uint64_t Y, uint64_t C, bool *sets_carry)
{
    switch (operation) {
#define OPERATION(number, name, carry, ...)                                                                            \
    case number:                                                                                                       \
        *sets_carry = carry != GPUCODE_USE_NONE;                                                                       \
        return __VA_ARGS__;
#include "isa/mme/text/operation.def"
#undef OPERATION
    default:
        *sets_carry = false;
        return 0;
    }
}

/* Sums and differences: the result is in run->result. */
static void operate(struct run *run, unsigned operation, uint32_t left, uint32_t right)
{
    enum { FULL, MESA };
    enum { ADD, ADC, SUB, SBB };
    struct mme_state *state = run->state;
    bool sets_carry;
    uint64_t result = operation_result(operation, left, right, state->special[MME_CARRY], &sets_carry);
    uint32_t low = run->result = (uint32_t)result;
    if (sets_carry && state->choice.carry == FULL)
        state->special[MME_CARRY] = result >> 32 & 1;
    else if (sets_carry)
        state->special[MME_CARRY] = operation == ADD || operation == ADC ? low < left : low > left;
}

/* The logical operations by their low bits. */
static uint32_t combine(unsigned operation, uint32_t left, uint32_t right)
{
    bool sets_carry;
    return (uint32_t)operation_result(LOGICAL + operation, left, right, 0, &sets_carry);
}

static uint32_t read_state(struct run *run, uint32_t index)
{
    uint32_t address = (index & 0xfff) * 4, value = mme_shadow(run->core, address);
    tell_access(run, GPUCODE_EVENT_READ, GPUCODE_SPACE_GPU, address, value, value);
    return value;
}

/* --- what a word asks for before it does anything -------------------------------------------------------- */

/* Is there a parameter to take? Else the macro waits for it. */
static bool parameter(struct run *run)
{
    if (run->state->taken < run->state->fed)
        return true;
    isa_stop(run->stop, GPUCODE_STOP_IDLE, MSG_MME_TOO_FEW_PARAMETERS);
    run->done = false;
    return false;
}

/* The same for an instruction that takes one by policy only. */
static bool reloads(struct run *run)
{
    enum { PARAMETER, RESULT };
    return run->state->choice.load_maddr == RESULT || parameter(run);
}

/* May a send go out, though perhaps to nowhere? */
static bool has_method(struct run *run)
{
    enum { DROP, ZERO, FAULT };
    if (run->state->special[MME_HAS_METHOD] || run->state->choice.unset != FAULT)
        return true;
    isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_MME_NO_ADDRESS, (unsigned)run->state->pc);
    run->done = false;
    return false;
}

/* --- what happens with a result -------------------------------------------------------------------------- */

static uint32_t take_parameter(struct run *run)
{
    uint32_t value = 0;
    if (run->core->edges.map) /* to have come past here is something new */
        isa_edge_dynamic(&run->core->edges, run->state->pc, UINT32_MAX);
    pages_read(&run->core->files, MME_PARAMETERS + 4 * run->state->taken++, &value);
    return value;
}

static void set_method(struct run *run, uint32_t value)
{
    enum { SIX, FOUR };
    uint32_t *special = run->state->special;
    special[MME_METHOD] = (value & 0xfff) * 4;
    special[MME_INCREMENT] = (value >> 12 & (run->state->choice.increment == SIX ? 0x3f : 0xf)) * 4;
    special[MME_HAS_METHOD] = true;
}

static void send(struct run *run, uint32_t value)
{
    enum { DROP, ZERO, FAULT };
    uint32_t *special = run->state->special, address = special[MME_METHOD];
    if (!special[MME_HAS_METHOD] && run->state->choice.unset == DROP)
        return;
    uint32_t old = mme_shadow(run->core, address);
    unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                              (unsigned char)(value >> 24)};
    pages_store(&run->core->files, address, bytes, 4);
    special[MME_METHOD] = (address + special[MME_INCREMENT]) & 0xffff;
    tell_access(run, GPUCODE_EVENT_WRITE, GPUCODE_SPACE_GPU, address, value, old);
}

static void load(struct run *run, uint32_t result)
{
    (void)result;
    set_register(run, take_parameter(run));
}

static void move(struct run *run, uint32_t result)
{
    set_register(run, result);
}

static void move_maddr(struct run *run, uint32_t result)
{
    set_method(run, result);
    set_register(run, result);
}

static void load_send(struct run *run, uint32_t result)
{
    send(run, result);
    set_register(run, take_parameter(run));
}

static void move_send(struct run *run, uint32_t result)
{
    set_register(run, result);
    send(run, result);
}

static void load_maddr(struct run *run, uint32_t result)
{
    enum { PARAMETER, RESULT };
    set_method(run, result);
    set_register(run, run->state->choice.load_maddr == RESULT ? result : take_parameter(run));
}

static void move_maddr_send_parm(struct run *run, uint32_t result)
{
    move_maddr(run, result);
    send(run, take_parameter(run));
}

static void move_maddr_send(struct run *run, uint32_t result)
{
    move_maddr(run, result);
    send(run, result >> 12 & 0x3f);
}

static void branch(struct run *run, bool taken)
{
    run->branched = taken;
}

/* --- one word -------------------------------------------------------------------------------------------- */

#define M run
#define OPERATION mme_operation(run->word)
#define RESULT run->result
#define X register_value(run, mme_source(run->word))
#define Y register_value(run, mme_second_source(run->word))
#define I (uint32_t) mme_immediate(run->word)
#define FROM mme_operation(run->word)
#define SIZE (run->word >> 22 & 31)
#define TO (run->word >> 27)

/* The action of the word's row. */
static void execute(struct run *run, int row)
{
    switch (row) {
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    case MME_##id:                                                                                                     \
        __VA_ARGS__ break;
#include "isa/mme/text/insn.def"
#undef INSN
    default:
        break;
    }
}

#undef M
#undef OPERATION
#undef RESULT
#undef X
#undef Y
#undef I
#undef FROM
#undef SIZE
#undef TO

/* False: the machine stops in front of the word. */
static bool ask_hooks(struct run *run)
{
    struct mme_state *state = run->state;
    if (!state->seen && state->pc < state->units && state->breaks[state->pc]) {
        state->seen = true;
        run->stop->reason = GPUCODE_STOP_BREAKPOINT;
        return false;
    }
    if (!state->seen) {
        tell_access(run, GPUCODE_EVENT_INSN, GPUCODE_SPACE_GENERAL, state->pc, 0, 0);
        if (state->stop_asked) {
            state->stop_asked = false;
            state->seen = true;
            run->stop->reason = GPUCODE_STOP_HOOK;
            return false;
        }
    }
    state->seen = false;
    return true;
}

/* The word at pc; null with a fault when none is there that can run. */
static const struct mme_insn *fetch(struct run *run)
{
    enum { TAKEN, ALWAYS };
    struct mme_state *state = run->state;
    if (state->pc >= state->units || state->pc >= MME_CODE_WORDS) {
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_MME_OUT_OF_CODE, (unsigned)state->pc);
        return NULL;
    }
    const struct mme_insn *insn = &state->code[state->pc];
    if (insn->row < 0) {
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_MME_ILLEGAL_OPCODE, (unsigned)state->pc, (unsigned)insn->word);
        return NULL;
    }
    bool slot = state->after != MME_GO_ON || (state->behind_branch && state->choice.double_branch == ALWAYS);
    if (slot && insn->is_branch) {
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_MME_DOUBLE_BRANCH, (unsigned)state->pc);
        return NULL;
    }
    return insn;
}

/* Where the way goes on after the word, and what it leaves to be done after the next one. */
static void go_on(struct run *run, bool is_branch)
{
    struct mme_state *state = run->state;
    uint32_t target = state->pc + (uint32_t)mme_immediate(run->word);
    bool annul = is_branch && mme_annul(run->word), leaves = mme_exit(run->word) && !run->branched;
    enum mme_after before = state->after;
    state->after = leaves ? MME_LEAVE : run->branched && !annul ? MME_JUMP : MME_GO_ON;
    state->behind_branch = is_branch && !annul && !run->branched;
    if (before == MME_LEAVE)
        state->ended = true;
    if (before == MME_JUMP)
        state->pc = state->target;
    else
        state->pc = run->branched && annul ? target : state->pc + 1;
    state->target = target;
}

/* Runs the word at pc. False: the machine stands still in front of it. */
static bool step_word(struct run *run)
{
    struct mme_state *state = run->state;
    if (!ask_hooks(run))
        return false;
    const struct mme_insn *insn = fetch(run);
    if (!insn)
        return false;
    run->word = insn->word;
    run->done = true;
    run->branched = false;
    if (insn->is_branch && mme_source(run->word))
        tell_access(run, GPUCODE_EVENT_COMPARE, GPUCODE_SPACE_GENERAL, mme_source(run->word),
                    state->registers[mme_source(run->word)], 0);
    execute(run, insn->row);
    if (!run->done)
        return false;
    if (run->core->edges.map)
        isa_edge(&run->core->edges, 0, state->pc, run->branched, state->pc + (uint32_t)mme_immediate(run->word));
    run->core->count++;
    run->core->time++;
    if (run->core->coverage)
        state->covered[state->pc] = 1;
    state->begun = true;
    go_on(run, insn->is_branch);
    return true;
}

static uint64_t run_words(struct machine_core *core, void *opaque, unsigned processor, uint64_t limit,
                          struct gpucode_stop *stop)
{
    struct mme_state *state = opaque;
    struct run run = {.core = core, .state = state, .stop = stop};
    uint64_t count = 0;
    (void)processor;
    state->stop_asked = false;
    while (!state->ended && !state->stop_asked) {
        if (count == limit) {
            stop->reason = GPUCODE_STOP_LIMIT;
            return count;
        }
        if (!step_word(&run))
            return count;
        count++;
    }
    if (state->stop_asked)
        stop->reason = GPUCODE_STOP_HOOK;
    else
        isa_stop(stop, GPUCODE_STOP_END, MSG_MME_EXIT);
    state->stop_asked = false;
    return count;
}

static enum gpucode_status create(struct machine_core *core, void *opaque, const struct gpucode_setting *settings)
{
    struct mme_state *state = opaque;
    if (!read_policies(core, &state->choice, settings, MSG_POLICY_VALUE))
        return GPUCODE_ERROR_INPUT;
    state->units = core->layout->info.units;
    struct mme_insn *code = arena_array(&core->arena, state->units + 1, sizeof *code);
    state->breaks = arena_array(&core->arena, state->units + 1, 1);
    state->covered = arena_array(&core->arena, state->units + 1, 1);
    if (!code || !state->breaks || !state->covered || !pages_map(&core->files, 0, UINT64_C(0x10000)))
        return GPUCODE_ERROR_MEMORY;
    for (uint32_t i = 0; i < state->units; i++) {
        code[i].word = mme_word_at(core->layout, i);
        code[i].row = (int16_t)isa_row_of(core->target, code[i].word);
        code[i].is_branch = mme_is_branch(code[i].row);
    }
    state->code = code;
    return GPUCODE_OK;
}

const struct isa_machine mme_machine = {
    .state_size = sizeof(struct mme_state),
    .policies = mme_policies,
    .create = create,
    .run = run_words,
    .processor = mme_processor,
    .section = mme_section,
    .pc = mme_pc,
    .set_pc = mme_set_pc,
    .read = mme_read,
    .write = mme_write,
    .space = mme_space,
    .find = mme_find,
    .name = mme_name,
    .feed = mme_feed,
    .set_break = mme_set_break,
    .covered = mme_covered,
    .pending = mme_pending,
    .has_edges = true,
};
