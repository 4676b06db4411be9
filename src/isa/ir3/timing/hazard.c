/* SPDX-License-Identifier: MIT */
/* What is wrong with an instruction, given the scoreboard before it, and what it leaves after. */
#include "isa/ir3/timing/scoreboard.h"

/* --- one instruction ------------------------------------------------------------------------------------------- */

/* What wrote registers that an earlier step has perhaps written, and perhaps not: the wait for it stays. */
struct earlier {
    struct a3xx_set registers;
    int8_t age[A3XX_REGISTERS]; /* in step `number`, after its slot */
    uint8_t number[A3XX_REGISTERS];
    uint32_t by[A3XX_REGISTERS];
};

struct step {
    struct a3xx_scoreboard *state;
    const struct gpucode_insn *insn;
    const struct a3xx_watch *watch;
    const struct a3xx_access *access; /* the operand looked at */
    unsigned number;                  /* of the step */
    struct a3xx_set own;              /* registers that earlier steps wrote */
    struct earlier *earlier;          /* null where there are no earlier steps */
    bool counts;                      /* each step takes a slot */
    unsigned category;
    uint32_t marks;
    const struct shader_family *family;
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

/* Is the wait only for others than the unit of shared registers, to which the instruction belongs? */
static bool is_in_order(const struct step *step, int reg, bool write)
{
    const struct a3xx_path_state *path = &step->state->path;
    bool half = step->access->half;
    if (!(step->marks & SHADER_SCALAR) || !(step->state->wait[reg] & A3XX_FROM_SCALAR))
        return false;
    return write || !a3xx_set_has(half ? &path->wide : &path->narrow, reg);
}

static void check_ss(struct step *step, int reg, bool write, bool too)
{
    uint8_t wait = step->state->wait[reg];
    enum a3xx_hazard missing = reg == A3XX_ORDER_0 ? A3XX_CONSTS_SS : too ? A3XX_NO_SS_TOO : A3XX_NO_SS;
    bool used = wait & (A3XX_USED | A3XX_USED_EITHER) || (wait & A3XX_USED_BY_SCALAR && !(step->marks & SHADER_SCALAR));
    if (wait & A3XX_NEEDS_SS && !is_in_order(step, reg, write))
        report_wait(step, missing, reg, A3XX_BY_SS);
    else if (write && used)
        report_wait(step, A3XX_IN_USE, reg, A3XX_BY_USER);
}

static void check_wait(struct step *step, int reg, bool write)
{
    uint8_t *wait = &step->state->wait[reg];
    if (!*wait)
        return;
    bool too = *wait & A3XX_NEEDS_SS && !(*wait & A3XX_FROM_LOCAL) && step->category == 4 && step->family->chains;
    bool in_order = is_in_order(step, reg, write);
    check_ss(step, reg, write, too);
    if (*wait & A3XX_NEEDS_SY)
        report_wait(step, reg == A3XX_ORDER_0 ? A3XX_CONSTS_SY : A3XX_NO_SY, reg, A3XX_BY_SY);
    else if (write && *wait & A3XX_USED_SY)
        report_wait(step, A3XX_IN_USE_SY, reg, A3XX_BY_USER);
    unsigned stays = write ? 0u : A3XX_USES; /* the rest was said once */
    if (!write && too)                       /* others must wait for it all the same */
        stays |= A3XX_NEEDS_SS;
    if (!write && in_order)
        stays |= A3XX_NEEDS_SS | A3XX_FROM_SCALAR;
    /* what an earlier step delivers cannot be waited for in front of it, and perhaps it is another register */
    bool perhaps = step->access->relative && !step->state->path.address_known && a3xx_set_has(&step->own, reg);
    if (!step->dry && !perhaps)
        *wait &= (uint8_t)stays;
}

/* Slots from what wrote the register: more where it wrote the register that this one is a half of, or a half of it. */
static unsigned delay_of(const struct step *step, int reg)
{
    const struct a3xx_access *access = step->access;
    const struct a3xx_path_state *path = &step->state->path;
    unsigned delay = step->family->delay(step->insn, access);
    if (!step->family->mixed || !a3xx_is_general(access) || !delay)
        return delay;
    bool other = a3xx_set_has(access->half ? &path->wide : &path->narrow, reg);
    return other && step->family->mixed > delay ? step->family->mixed : delay;
}

static void read_one(struct step *step, int reg)
{
    struct a3xx_scoreboard *state = step->state;
    int delay = (int)delay_of(step, reg) - step->access->cycle;
    const struct earlier *earlier = step->earlier;
    if (earlier && a3xx_set_has(&earlier->registers, reg)) {
        int age = earlier->age[reg] + (step->counts ? (int)step->number - earlier->number[reg] - 1 : 0);
        if (age < delay)
            report_hazard(step, (struct a3xx_finding){.hazard = A3XX_EARLY,
                                                      .reg = reg,
                                                      .slots = (unsigned)(delay - age),
                                                      .has_other = true,
                                                      .other = earlier->by[reg]});
    }
    if (state->age[reg] < delay)
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_EARLY,
                                                  .reg = reg,
                                                  .slots = (unsigned)(delay - state->age[reg]),
                                                  .has_other = true,
                                                  .other = state->by[A3XX_BY_WRITER][reg],
                                                  .own = a3xx_set_has(&step->own, reg)});
    if (reg < A3XX_ADDRESS_1 && !a3xx_set_has(&state->path.written, reg) &&
        (!step->access->relative || state->path.address_known))
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_UNWRITTEN, .reg = reg});
    if (reg == A3XX_ADDRESS && state->path.released)
        report_hazard(step,
                      (struct a3xx_finding){
                          .hazard = A3XX_RELEASED, .reg = reg, .has_other = true, .other = state->path.released_by});
    check_wait(step, reg, false);
}

/* The value that a move gives to a0.x, where the instruction shows it. */
static void learn_address(const struct step *step)
{
    struct a3xx_path_state *path = &step->state->path;
    int16_t value = 0;
    path->address_known = step->family->address(step->insn, &value);
    path->address = path->address_known ? value : 0;
    path->reached = path->address_known       ? (struct a3xx_reached){value, value, 1}
                    : step->watch->given.step ? step->watch->given
                                              : (struct a3xx_reached){INT16_MIN, INT16_MAX, 1};
    path->released = false;
    path->traces = 0;
}

/* Notes with which width a half of a register was written; `perhaps`: and an earlier width may be that of what is read.
 */
static void note_width(struct step *step, int reg, bool perhaps)
{
    struct a3xx_path_state *path = &step->state->path;
    bool half = step->access->half;
    uint64_t bit = UINT64_C(1) << reg % 64;
    a3xx_set_add(half ? &path->narrow : &path->wide, reg);
    if (!perhaps)
        (half ? &path->wide : &path->narrow)->bits[reg / 64] &= ~bit;
}

static void write_one(struct step *step, int reg, uint8_t wait)
{
    struct a3xx_scoreboard *state = step->state;
    uint32_t at = (uint32_t)step->insn->address;
    check_wait(step, reg, true);
    if (step->dry)
        return;
    bool perhaps = step->access->relative && !state->path.address_known && state->age[reg] < A3XX_READY;
    if (perhaps && step->earlier && !a3xx_set_has(&step->own, reg)) {
        a3xx_set_add(&step->earlier->registers, reg);
        step->earlier->age[reg] = state->age[reg];
        step->earlier->number[reg] = (uint8_t)step->number;
        step->earlier->by[reg] = state->by[A3XX_BY_WRITER][reg];
    }
    int8_t age = (int8_t)(wait ? A3XX_READY : -(int)step->access->cycle);
    bool later = perhaps && state->age[reg] < age; /* what wrote it before takes longer still */
    if (!later)
        state->age[reg] = age;
    if (step->family->mixed && a3xx_is_general(step->access))
        note_width(step, reg, perhaps);
    state->wait[reg] = wait;
    for (unsigned row = later ? A3XX_BY_WRITER + 1 : A3XX_BY_WRITER; row < A3XX_BY_USER; row++)
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
        unsigned delay = step->family->delay(step->insn, access);
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
    unsigned first = !step->family->mixed && access->file == A3XX_FILE_HALF ? A3XX_HALF_0 : A3XX_FULL_0;
    for (unsigned i = 0; i < (step->family->mixed ? 2 * SHADER_SHARED : A3XX_A0); i++) /* any may have been */
        a3xx_set_add(&state->path.written, (int)(first + i));
}

static void look_at_operand(struct step *step, const struct a3xx_access *access)
{
    struct a3xx_range range =
        a3xx_range_of(step->family, access, step->number, step->state, step->watch->follow_relative);
    int limit = access->file == A3XX_FILE_CONST ? A3XX_CONST_COUNT : A3XX_A0;
    const struct a3xx_reached *reached = &step->state->path.reached;
    /* the number of an immediate is its value */
    int64_t number = (int64_t)access->number + (access->steps ? step->number : 0);
    uint8_t wait = access->write ? step->family->result(step->insn, access) : 0;
    step->access = access;
    if (access->relative && (number + reached->high < 0 || number + reached->low >= limit))
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
    uint8_t keeps = step->family->keeps(step->insn, access);
    if (!keeps)
        return;
    for (unsigned k = 0; k < slots; k++) {
        struct a3xx_range range = a3xx_range_of(step->family, access, k, state, step->watch->follow_relative);
        for (int n = 0, reg; n < range.count; n++)
            if ((reg = a3xx_range_at(&range, n)) >= 0) {
                state->wait[reg] |= keeps;
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
    bool ss = shader_takes_ss(step->insn) && step->insn->bits & SHADER_SS, sy = (step->insn->bits & SHADER_SY) != 0;
    unsigned pending = state->path.barrier | (step->marks & SHADER_WAITS ? A3XX_NEEDS_SS | A3XX_NEEDS_SY : 0u);
    if (!ss && !sy)
        return;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        pending |= state->wait[i];
    for (unsigned i = 0; i < state->path.traces; i++)
        pending |= state->path.trace[i].used ? A3XX_USED : 0;
    if (ss && !(pending & A3XX_WAITS_SS))
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_USELESS_SS, .reg = -1});
    if (sy && !(pending & A3XX_WAITS_SY) && !state->path.stored)
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_USELESS_SY, .reg = -1});
    a3xx_scoreboard_sync(state, ss, sy);
}

/* After a barrier, and at what always waits for everything. */
static void look_at_barrier(struct step *step)
{
    struct a3xx_path_state *path = &step->state->path;
    bool ss = shader_takes_ss(step->insn) && step->insn->bits & SHADER_SS, sy = (step->insn->bits & SHADER_SY) != 0;
    bool barrier = path->barrier, waits = step->marks & SHADER_WAITS;
    unsigned missing = path->barrier | (waits ? (ss ? 0u : A3XX_NEEDS_SS) | (sy ? 0u : A3XX_NEEDS_SY) : 0u);
    if (missing && !shader_is_nop(step->insn))
        report_hazard(step, (struct a3xx_finding){.hazard = A3XX_UNFENCED,
                                                  .reg = -1,
                                                  .slots = missing,
                                                  .has_other = barrier,
                                                  .other = barrier ? path->barrier_by : 0});
    if (!step->dry && !shader_is_nop(step->insn))
        path->barrier = 0;
    if (!step->dry && step->marks & SHADER_BARRIER) {
        path->barrier = A3XX_NEEDS_SS | A3XX_NEEDS_SY;
        path->barrier_by = (uint32_t)step->insn->address;
    }
}

static void look_at_varyings(struct step *step)
{
    struct a3xx_scoreboard *state = step->state;
    struct a3xx_finding finding = {.reg = -1, .has_other = true, .other = state->path.varyings_by};
    if (shader_flow(step->insn) == GPUCODE_FLOW_STOP && state->path.varyings & A3XX_VARYINGS_SOME) {
        finding.hazard = A3XX_WITHOUT_EI;
        report_hazard(step, finding);
    }
    if (!(step->marks & SHADER_VARYING))
        return;
    if (state->path.varyings & A3XX_VARYINGS_ALL) {
        finding.hazard = A3XX_BEHIND_EI;
        report_hazard(step, finding);
    }
    /* Paths that had (ei) are not reported a second time, where they end. */
    unsigned kept = state->path.varyings & A3XX_VARYINGS_ALL;
    unsigned others = state->path.varyings & ~kept ? A3XX_VARYINGS_SOME : 0;
    state->path.varyings = (uint8_t)(step->insn->bits & SHADER_EI ? A3XX_VARYINGS_ALL : kept | others);
    state->path.varyings_by = (uint32_t)step->insn->address;
}

static struct step step_of(struct a3xx_scoreboard *state, const struct gpucode_insn *insn,
                           const struct a3xx_watch *watch)
{
    return (struct step){.state = state,
                         .insn = insn,
                         .watch = watch,
                         .category = shader_category(insn->bits),
                         .marks = shader_marks(insn),
                         .family = shader_family(insn)};
}

void a3xx_scoreboard_issue(struct a3xx_scoreboard *state, const struct gpucode_insn *insn,
                           const struct a3xx_watch *watch)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct step step = step_of(state, insn, watch);
    unsigned count = step.family->accesses(insn, access), slots = shader_repeat(insn) + 1;
    look_at_sync(&step);
    look_at_barrier(&step);
    look_at_varyings(&step);
    if (shader_is_nop(insn)) {
        a3xx_scoreboard_pass_slots(state, slots);
        return;
    }
    bool counts = !(step.marks & SHADER_APART) || watch->counts_issues;
    struct earlier earlier; /* the rest of it is set where a register is added */
    earlier.registers = (struct a3xx_set){{0}};
    step.earlier = slots > 1 ? &earlier : NULL;
    step.counts = counts;
    for (unsigned k = 0; k < slots; k++) {
        step.number = k;
        for (unsigned i = 0; i < count; i++)
            if (!access[i].write)
                look_at_operand(&step, &access[i]);
        a3xx_scoreboard_pass_slots(state, counts);
        for (unsigned i = 0; i < count; i++)
            if (access[i].write)
                look_at_operand(&step, &access[i]);
    }
    a3xx_scoreboard_pass_slots(state, shader_idle(insn));
    for (unsigned i = 0; i < count; i++)
        if (!access[i].write)
            keep_sources(&step, &access[i], slots);
    /* a word that is not an instruction may store too */
    state->path.stored |= shader_stores(insn) || (shader_is_raw(insn) && step.category == 6);
    if (step.category >= 1 && step.category <= 4 && insn->bits & SHADER_UL) {
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
    case A3XX_UNFENCED:
        need->ss |= (finding->slots & A3XX_NEEDS_SS) != 0;
        need->sy |= (finding->slots & A3XX_NEEDS_SY) != 0;
        break;
    case A3XX_NO_SS:
    case A3XX_NO_SS_TOO:
    case A3XX_CONSTS_SS:
    case A3XX_IN_USE:
        need->ss = true;
        if (finding->reg >= 0)
            a3xx_set_add(&need->ss_of, finding->reg);
        else
            need->ss_trace = true;
        break;
    case A3XX_NO_SY:
    case A3XX_CONSTS_SY:
    case A3XX_IN_USE_SY:
        need->sy = true;
        break;
    default:
        break;
    }
}

struct a3xx_need a3xx_scoreboard_need(const struct a3xx_scoreboard *state, const struct gpucode_insn *insn)
{
    struct a3xx_need need = {0};
    const struct a3xx_watch watch = {.note = add_need, .user = &need, .follow_relative = true};
    struct a3xx_scoreboard copy;
    bool sync = insn->bits & SHADER_SY || (shader_takes_ss(insn) && insn->bits & SHADER_SS);
    if (shader_is_nop(insn))
        return need;
    if (sync || shader_repeat(insn)) {
        copy = *state;
        a3xx_scoreboard_issue(&copy, insn, &watch);
        return need;
    }
    /* one step, which nothing that it does itself can concern; nothing is written to the state */
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct step step = step_of((struct a3xx_scoreboard *)state, insn, &watch);
    step.dry = true;
    unsigned count = step.family->accesses(insn, access);
    look_at_barrier(&step);
    for (unsigned i = 0; i < count; i++)
        look_at_operand(&step, &access[i]);
    return need;
}
