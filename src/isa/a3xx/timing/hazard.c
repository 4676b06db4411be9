/* SPDX-License-Identifier: MIT */
/* What is wrong with an instruction, given the scoreboard before it, and what it leaves after. */
#include "isa/a3xx/timing/reach.h"

/* --- one instruction ------------------------------------------------------------------------------------------- */

struct step {
    struct a3xx_scoreboard *state;
    const struct gpucode_insn *insn;
    const struct a3xx_watch *watch;
    const struct a3xx_access *access; /* the operand looked at */
    unsigned number;                  /* of the step */
    struct a3xx_set own;              /* registers that earlier steps wrote */
    unsigned category;
    bool dry; /* the state stays as it is: only the findings are wanted */
};

static void report_hazard(const struct step *step, struct a3xx_finding finding)
{
    finding.access = step->access;
    finding.step = step->number;
    if (step->watch->note)
        step->watch->note(step->watch->user, step->insn, &finding);
}

static void report_wait(const struct step *step, enum a3xx_hazard hazard, int reg, unsigned row)
{
    report_hazard(step, (struct a3xx_finding){.hazard = hazard,
                                              .reg = reg,
                                              .has_other = true,
                                              .other = step->state->by[row][reg],
                                              .own = a3xx_set_has(&step->own, reg)});
}

static void check_wait(struct step *step, int reg, bool write)
{
    uint8_t *wait = &step->state->wait[reg];
    bool too = *wait & A3XX_NEEDS_SS && !(*wait & A3XX_FROM_LOCAL) && step->category == 4;
    if (*wait & A3XX_NEEDS_SS)
        report_wait(step, too ? A3XX_NO_SS_TOO : A3XX_NO_SS, reg, A3XX_BY_SS);
    else if (write && *wait & A3XX_USED)
        report_wait(step, A3XX_IN_USE, reg, A3XX_BY_USER);
    if (*wait & A3XX_NEEDS_SY)
        report_wait(step, A3XX_NO_SY, reg, A3XX_BY_SY);
    unsigned stays = write ? 0u : A3XX_USED; /* the rest was said once */
    if (!write && too)                       /* others must wait for it all the same */
        stays |= A3XX_NEEDS_SS;
    if (!step->dry)
        *wait &= (uint8_t)stays;
}

static void read_one(struct step *step, int reg)
{
    struct a3xx_scoreboard *state = step->state;
    unsigned delay = a3xx_delay(step->insn, step->access);
    if (state->age[reg] < delay)
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_EARLY,
                                                  .reg = reg,
                                                  .slots = delay - state->age[reg],
                                                  .has_other = true,
                                                  .other = state->by[A3XX_BY_WRITER][reg],
                                                  .own = a3xx_set_has(&step->own, reg)});
    if (!a3xx_set_has(&state->path.written, reg) && (!step->access->relative || state->path.address_known))
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_UNWRITTEN, .reg = reg});
    if (reg == A3XX_ADDRESS && state->path.released)
        report_hazard(step,
                      (struct a3xx_finding){
                          .hazard = A3XX_RELEASED, .reg = reg, .has_other = true, .other = state->path.released_by});
    check_wait(step, reg, false);
}

/* What must be waited for before the result is used. */
static uint8_t result_wait(const struct gpucode_insn *insn)
{
    static const uint8_t waits[] = {[A3XX_ARITHMETIC] = 0,
                                    [A3XX_SPECIAL] = A3XX_NEEDS_SS,
                                    [A3XX_LOCAL_RESULT] = A3XX_NEEDS_SS | A3XX_FROM_LOCAL,
                                    [A3XX_LONG_LATENCY] = A3XX_NEEDS_SY};
    return waits[a3xx_unit(insn)];
}

/* The value that a move gives to a0.x, where the instruction shows it. */
static void learn_address(struct step *step)
{
    struct a3xx_scoreboard *state = step->state;
    const struct gpucode_insn *insn = step->insn;
    unsigned from = A3XX_FIELD(insn->bits, FROM_TYPE), to = A3XX_FIELD(insn->bits, TO_TYPE);
    bool shown =
        a3xx_category(insn->bits) == 1 && A3XX_FIELD(insn->bits, FROM_IMMEDIATE) && from == to && from < A3XX_U8;
    state->path.address_known = shown;
    state->path.address = (int16_t)(shown ? A3XX_FIELD(insn->bits, MOVE_SOURCE) : 0);
    state->path.reached = shown                     ? (struct a3xx_reached){state->path.address, state->path.address, 1}
                          : step->watch->given.step ? step->watch->given
                                                    : (struct a3xx_reached){INT16_MIN, INT16_MAX, 1};
    state->path.released = false;
    state->path.traces = 0;
}

static void write_one(struct step *step, int reg, uint8_t wait)
{
    struct a3xx_scoreboard *state = step->state;
    uint32_t at = (uint32_t)step->insn->address;
    check_wait(step, reg, true);
    if (step->dry)
        return;
    state->age[reg] = wait ? A3XX_READY : 0;
    state->wait[reg] = wait;
    for (unsigned row = 0; row < A3XX_BY_USER; row++)
        state->by[row][reg] = at;
    a3xx_set_add(&state->path.written, reg);
    a3xx_set_add(&step->own, reg);
    if (reg == A3XX_ADDRESS)
        learn_address(step);
}

/* Relative operands of an a0.x that is not known: those of the same offset are the same register. */
static void look_at_traces(struct step *step, bool write)
{
    struct a3xx_scoreboard *state = step->state;
    const struct a3xx_access *access = step->access;
    int offset = access->number + (access->steps ? (int)step->number : 0);
    for (unsigned i = 0; i < state->path.traces; i++) {
        const struct a3xx_trace *trace = &state->path.trace[i];
        unsigned delay = a3xx_delay(step->insn, access);
        if (trace->offset != offset || trace->half != (access->file == A3XX_FILE_HALF) || trace->used != write ||
            (!write && trace->age >= delay))
            continue;
        report_hazard(step, (struct a3xx_finding){.hazard = write ? A3XX_IN_USE : A3XX_EARLY,
                                                  .reg = -1,
                                                  .slots = write ? 0 : delay - trace->age,
                                                  .has_other = true,
                                                  .other = trace->by,
                                                  .own = trace->by == step->insn->address});
    }
    if (!write || step->dry)
        return;
    a3xx_scoreboard_add_trace(state, (struct a3xx_trace){.offset = (int16_t)offset,
                                                         .half = access->file == A3XX_FILE_HALF,
                                                         .by = (uint32_t)step->insn->address});
    unsigned first = access->file == A3XX_FILE_HALF ? A3XX_HALF_0 : A3XX_FULL_0;
    for (unsigned i = 0; i < A3XX_A0; i++) /* any may have been */
        a3xx_set_add(&state->path.written, (int)(first + i));
}

static void look_at_operand(struct step *step, const struct a3xx_access *access, uint8_t wait)
{
    struct a3xx_range range = a3xx_range_of(access, step->number, step->state, step->watch->follow_relative);
    int limit = access->file == A3XX_FILE_CONST ? A3XX_CONST_COUNT : A3XX_A0;
    /* the number of an immediate is its value */
    int64_t number = (int64_t)step->state->path.address + access->number + (access->steps ? step->number : 0);
    step->access = access;
    if (range.reach == A3XX_REACH_ADDED && (number < 0 || number >= limit))
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_OUTSIDE, .reg = -1});
    for (int n = 0, reg; n < range.count; n++) {
        if ((reg = a3xx_range_at(&range, n)) < 0)
            continue;
        if (access->write)
            write_one(step, reg, wait);
        else
            read_one(step, reg);
    }
    if (range.reach == A3XX_REACH_TRACE && a3xx_is_general(access))
        look_at_traces(step, access->write);
    step->access = NULL;
}

/* Sources of special functions, textures and memory may be read later. */
static void keep_sources(struct step *step, const struct a3xx_access *access, unsigned slots)
{
    struct a3xx_scoreboard *state = step->state;
    for (unsigned k = 0; k < slots; k++) {
        struct a3xx_range range = a3xx_range_of(access, k, state, step->watch->follow_relative);
        for (int n = 0, reg; n < range.count; n++)
            if ((reg = a3xx_range_at(&range, n)) >= 0) {
                state->wait[reg] |= A3XX_USED;
                state->by[A3XX_BY_USER][reg] = (uint32_t)step->insn->address;
            }
        if (range.reach == A3XX_REACH_TRACE && a3xx_is_general(access))
            a3xx_scoreboard_add_trace(
                state, (struct a3xx_trace){.offset = (int16_t)(access->number + (access->steps ? (int)k : 0)),
                                           .half = access->file == A3XX_FILE_HALF,
                                           .used = true,
                                           .by = (uint32_t)step->insn->address});
    }
}

static void look_at_sync(struct step *step)
{
    struct a3xx_scoreboard *state = step->state;
    bool ss = step->category < 5 && step->insn->bits & A3XX_SS, sy = (step->insn->bits & A3XX_SY) != 0;
    unsigned pending = 0;
    if (!ss && !sy)
        return;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        pending |= state->wait[i];
    for (unsigned i = 0; i < state->path.traces; i++)
        pending |= state->path.trace[i].used ? A3XX_USED : 0;
    if (ss && !(pending & (A3XX_NEEDS_SS | A3XX_USED)))
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_USELESS_SS, .reg = -1});
    if (sy && !(pending & A3XX_NEEDS_SY) && !state->path.stored)
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_USELESS_SY, .reg = -1});
    a3xx_scoreboard_sync(state, ss, sy);
}

static void look_at_varyings(struct step *step)
{
    struct a3xx_scoreboard *state = step->state;
    struct a3xx_finding finding = {.reg = -1, .has_other = true, .other = state->path.varyings_by};
    if (a3xx_flow(step->insn->row) == GPUCODE_FLOW_STOP && state->path.varyings & A3XX_VARYINGS_SOME) {
        finding.hazard = A3XX_WITHOUT_EI;
        report_hazard(step, finding);
    }
    if (!(a3xx_marks(step->insn->row) & A3XX_MARK_VARYING))
        return;
    if (state->path.varyings & A3XX_VARYINGS_ALL) {
        finding.hazard = A3XX_BEHIND_EI;
        report_hazard(step, finding);
    }
    /* Paths that had (ei) are not reported a second time, where they end. */
    unsigned kept = state->path.varyings & A3XX_VARYINGS_ALL;
    unsigned others = state->path.varyings & ~kept ? A3XX_VARYINGS_SOME : 0;
    state->path.varyings = (uint8_t)(step->insn->bits & A3XX_EI ? A3XX_VARYINGS_ALL : kept | others);
    state->path.varyings_by = (uint32_t)step->insn->address;
}

void a3xx_scoreboard_issue(struct a3xx_scoreboard *state, const struct gpucode_insn *insn,
                           const struct a3xx_watch *watch)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct step step = {.state = state, .insn = insn, .watch = watch, .category = a3xx_category(insn->bits)};
    unsigned count = a3xx_accesses(insn, access), slots = a3xx_repeat(insn->bits) + 1;
    uint8_t wait = result_wait(insn);
    look_at_sync(&step);
    look_at_varyings(&step);
    if (insn->row == A3XX_NOP) {
        a3xx_scoreboard_pass_slots(state, slots);
        return;
    }
    for (unsigned k = 0; k < slots; k++) {
        step.number = k;
        for (unsigned i = 0; i < count; i++)
            if (!access[i].write)
                look_at_operand(&step, &access[i], wait);
        a3xx_scoreboard_pass_slots(state, 1);
        for (unsigned i = 0; i < count; i++)
            if (access[i].write)
                look_at_operand(&step, &access[i], wait);
    }
    for (unsigned i = 0; step.category >= 4 && i < count; i++)
        if (!access[i].write && access[i].source)
            keep_sources(&step, &access[i], slots);
    /* a word that is not an instruction may store too */
    state->path.stored |= a3xx_stores(insn->row) || (insn->row == A3XX_RAW && step.category == 6);
    if (step.category >= 1 && step.category <= 4 && insn->bits & A3XX_UL) {
        state->path.released = true;
        state->path.released_by = (uint32_t)insn->address;
    }
}

static void add_need(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    struct a3xx_need *need = user;
    (void)insn;
    if (finding->own)
        return;
    switch (finding->hazard) {
    case A3XX_EARLY:
        need->slots = finding->slots > need->slots ? finding->slots : need->slots;
        break;
    case A3XX_NO_SS:
    case A3XX_NO_SS_TOO:
    case A3XX_IN_USE:
        need->ss = true;
        if (finding->reg >= 0)
            a3xx_set_add(&need->ss_of, finding->reg);
        else
            need->ss_trace = true;
        break;
    case A3XX_NO_SY:
        need->sy = true;
        break;
    default:
        break;
    }
}

struct a3xx_need a3xx_scoreboard_need(const struct a3xx_scoreboard *state, const struct gpucode_insn *insn)
{
    struct a3xx_need need = {0};
    struct a3xx_watch watch = {.note = add_need, .user = &need, .follow_relative = true};
    struct a3xx_scoreboard copy;
    bool sync = insn->bits & A3XX_SY || (a3xx_category(insn->bits) < 5 && insn->bits & A3XX_SS);
    if (insn->row == A3XX_NOP)
        return need;
    if (sync || a3xx_repeat(insn->bits)) {
        copy = *state;
        a3xx_scoreboard_issue(&copy, insn, &watch);
        return need;
    }
    /* one step, which nothing that it does itself can concern; nothing is written to the state */
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct step step = {.state = (struct a3xx_scoreboard *)state,
                        .insn = insn,
                        .watch = &watch,
                        .category = a3xx_category(insn->bits),
                        .dry = true};
    unsigned count = a3xx_accesses(insn, access);
    for (unsigned i = 0; i < count; i++)
        look_at_operand(&step, &access[i], 0);
    return need;
}
