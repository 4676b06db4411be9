/* SPDX-License-Identifier: MIT */
#include "isa/a3xx/hazard.h"

#define READY (A3XX_DELAY_MAX + 1) /* slots after which no consumer must wait */

/* Bits of a3xx_state.wait. */
/* FROM_NEAR: on some path not only category 4 delivers what (ss) is needed for. */
enum { NEEDS_SS = 1, NEEDS_SY = 2, IN_USE = 4, FROM_NEAR = 8, WRITTEN = 16, LAST_USED = 32 };
enum { PENDING = NEEDS_SS | NEEDS_SY | IN_USE | FROM_NEAR };

/* Bits of a3xx_state.varyings: there is a path on which bary.f ... */
enum { NONE_YET = 1, SOME = 2, ALL_READ = 4 };

const char *a3xx_register_name(int reg, char text[16])
{
    char *at = reg == A3XX_ADDRESS       ? a3xx_put_register(text, A3XX_A0, false)
               : reg >= A3XX_PREDICATE_0 ? a3xx_put_register(text, A3XX_P0 + (unsigned)(reg - A3XX_PREDICATE_0), false)
               : reg >= A3XX_HALF_0      ? a3xx_put_register(text, (unsigned)(reg - A3XX_HALF_0), true)
                                         : a3xx_put_register(text, (unsigned)reg, false);
    *at = 0;
    return text;
}

/* Registers of one access at one step, one after the other: any of its file when it is relative and followed. */
struct range {
    int first, count;
    const struct a3xx_access *access;
    unsigned step;
};

static struct range range_of(const struct a3xx_access *access, unsigned step, bool follow_relative)
{
    struct range range = {.access = access, .step = step, .count = access->count};
    bool general = access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
    if (access->relative) {
        range.first = access->file == A3XX_FILE_HALF ? A3XX_HALF_0 : A3XX_FULL_0;
        range.count = general && follow_relative ? A3XX_A0 : 0;
    }
    return range;
}

static int range_at(const struct range *range, int index)
{
    return range->access->relative ? range->first + index
                                   : a3xx_register_at(range->access, range->step, (unsigned)index);
}

void a3xx_state_start(struct a3xx_state *state)
{
    memset(state, 0, sizeof *state);
    memset(state->age, READY, sizeof state->age);
    state->varyings = NONE_YET;
}

bool a3xx_state_join(struct a3xx_state *into, const struct a3xx_state *from)
{
    bool worse = (from->varyings & ~into->varyings) != 0;
    into->varyings |= from->varyings;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        if (from->age[i] < into->age[i]) {
            into->age[i] = from->age[i];
            into->writer[i] = from->writer[i];
            worse = true;
        }
        if (from->wait[i] & ~into->wait[i]) {
            if (!(into->wait[i] & PENDING))
                into->writer[i] = from->writer[i];
            into->wait[i] |= from->wait[i];
            worse = true;
        }
    }
    return worse;
}

void a3xx_state_slots(struct a3xx_state *state, unsigned slots)
{
    for (unsigned i = 0; slots && i < A3XX_REGISTERS; i++)
        state->age[i] = (uint8_t)(state->age[i] + slots < READY ? state->age[i] + slots : READY);
}

void a3xx_state_sync(struct a3xx_state *state, bool ss, bool sy)
{
    unsigned cleared = (ss ? NEEDS_SS | IN_USE | FROM_NEAR : 0) | (sy ? NEEDS_SY : 0);
    for (unsigned i = 0; cleared && i < A3XX_REGISTERS; i++)
        state->wait[i] &= (uint8_t)~cleared;
}

/* --- one instruction ------------------------------------------------------------------------------------------- */

struct step {
    struct a3xx_state *state;
    const struct gpucode_insn *insn;
    const struct a3xx_watch *watch;
    struct a3xx_set own; /* registers that earlier steps wrote */
    unsigned category;
};

static void note(const struct step *step, struct a3xx_finding finding)
{
    if (step->watch->note)
        step->watch->note(step->watch->user, step->insn, &finding);
}

static void check_wait(struct step *step, int reg, bool write)
{
    uint8_t *wait = &step->state->wait[reg];
    struct a3xx_finding finding = {.reg = reg, .writer = step->state->writer[reg]};
    bool too = *wait & NEEDS_SS && !(*wait & FROM_NEAR) && step->category == 4;
    if (*wait & NEEDS_SS) {
        finding.hazard = too ? A3XX_NO_SS_TOO : A3XX_NO_SS;
        note(step, finding);
    } else if (write && *wait & IN_USE) {
        finding.hazard = A3XX_IN_USE;
        note(step, finding);
    }
    if (*wait & NEEDS_SY) {
        finding.hazard = A3XX_NO_SY;
        note(step, finding);
    }
    unsigned stays = write ? 0u : IN_USE; /* the rest was said once */
    if (!write && too)                    /* others must wait for it all the same */
        stays |= NEEDS_SS;
    *wait &= (uint8_t)(~PENDING | stays);
}

static void read_one(struct step *step, const struct a3xx_access *access, int reg)
{
    struct a3xx_state *state = step->state;
    unsigned delay = a3xx_delay(step->insn, access);
    if (state->age[reg] < delay)
        note(step, (struct a3xx_finding){.hazard = A3XX_EARLY,
                                         .reg = reg,
                                         .slots = delay - state->age[reg],
                                         .writer = state->writer[reg],
                                         .own = a3xx_set_has(&step->own, reg)});
    if (!(state->wait[reg] & WRITTEN) && !access->relative)
        note(step, (struct a3xx_finding){.hazard = A3XX_UNWRITTEN,
                                         .reg = reg,
                                         .pair = step->insn->row == A3XX_BARY_F && access->source == 2});
    if (reg == A3XX_ADDRESS && state->wait[reg] & LAST_USED)
        note(step, (struct a3xx_finding){.hazard = A3XX_RELEASED, .reg = reg});
    check_wait(step, reg, false);
}

/* What must be waited for before the result is used. */
static uint8_t result_wait(const struct gpucode_insn *insn)
{
    static const uint8_t waits[] = {
        [A3XX_ARITHMETIC] = 0, [A3XX_SPECIAL] = NEEDS_SS, [A3XX_NEAR] = NEEDS_SS | FROM_NEAR, [A3XX_FAR] = NEEDS_SY};
    return waits[a3xx_unit(insn)];
}

static void write_one(struct step *step, int reg, uint8_t wait)
{
    struct a3xx_state *state = step->state;
    check_wait(step, reg, true);
    state->age[reg] = wait ? READY : 0;
    state->wait[reg] = wait | WRITTEN;
    state->writer[reg] = (uint32_t)step->insn->address;
    a3xx_set_add(&step->own, reg);
}

/* Operands of an unfollowed relative write: nothing is known of the file's registers but that they may be written. */
static void mark_written(struct a3xx_state *state, const struct a3xx_access *access)
{
    unsigned first = access->file == A3XX_FILE_HALF ? A3XX_HALF_0 : A3XX_FULL_0;
    for (unsigned i = 0; i < A3XX_A0; i++)
        state->wait[first + i] |= WRITTEN;
}

static void look_at_sync(struct step *step)
{
    bool ss = step->category < 5 && step->insn->bits & A3XX_SS, sy = (step->insn->bits & A3XX_SY) != 0;
    unsigned pending = 0;
    if (!ss && !sy)
        return;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        pending |= step->state->wait[i];
    if (ss && !(pending & (NEEDS_SS | IN_USE)))
        note(step, (struct a3xx_finding){.hazard = A3XX_USELESS_SS, .reg = -1});
    if (sy && !(pending & NEEDS_SY))
        note(step, (struct a3xx_finding){.hazard = A3XX_USELESS_SY, .reg = -1});
    a3xx_state_sync(step->state, ss, sy);
}

static void look_at_varyings(struct step *step)
{
    uint8_t *varyings = &step->state->varyings;
    if (step->insn->row == A3XX_END && *varyings & SOME)
        note(step, (struct a3xx_finding){.hazard = A3XX_WITHOUT_EI, .reg = -1});
    if (step->insn->row != A3XX_BARY_F)
        return;
    if (*varyings & ALL_READ)
        note(step, (struct a3xx_finding){.hazard = A3XX_BEHIND_EI, .reg = -1});
    *varyings = step->insn->bits & A3XX_EI ? ALL_READ : SOME;
}

void a3xx_state_step(struct a3xx_state *state, const struct gpucode_insn *insn, const struct a3xx_watch *watch)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct step step = {.state = state, .insn = insn, .watch = watch, .category = a3xx_category(insn->bits)};
    unsigned count = a3xx_accesses(insn, access), slots = a3xx_repeat(insn->bits) + 1;
    uint8_t wait = result_wait(insn);
    look_at_sync(&step);
    look_at_varyings(&step);
    for (unsigned k = 0; k < slots; k++) {
        for (unsigned i = 0; i < count; i++) {
            struct range range = range_of(&access[i], k, watch->follow_relative);
            for (int n = 0, reg; !access[i].write && n < range.count; n++)
                if ((reg = range_at(&range, n)) >= 0)
                    read_one(&step, &access[i], reg);
        }
        a3xx_state_slots(state, 1);
        for (unsigned i = 0; i < count; i++) {
            struct range range = range_of(&access[i], k, watch->follow_relative);
            for (int n = 0, reg; access[i].write && n < range.count; n++)
                if ((reg = range_at(&range, n)) >= 0)
                    write_one(&step, reg, wait);
            if (access[i].write && access[i].relative)
                mark_written(state, &access[i]);
        }
    }
    for (unsigned i = 0; step.category >= 4 && i < count; i++)
        for (unsigned k = 0; !access[i].write && k < slots; k++) {
            struct range range = range_of(&access[i], k, watch->follow_relative);
            for (int n = 0, reg; n < range.count; n++)
                if ((reg = range_at(&range, n)) >= 0)
                    state->wait[reg] |= IN_USE;
        }
    if (step.category >= 1 && step.category <= 4 && insn->bits & A3XX_UL)
        state->wait[A3XX_ADDRESS] |= LAST_USED;
}

static void add_need(void *user, const struct gpucode_insn *insn, const struct a3xx_finding *finding)
{
    struct a3xx_need *need = user;
    (void)insn;
    switch (finding->hazard) {
    case A3XX_EARLY:
        if (!finding->own && finding->slots > need->slots)
            need->slots = finding->slots;
        break;
    case A3XX_NO_SS:
    case A3XX_NO_SS_TOO:
    case A3XX_IN_USE:
        need->ss = true;
        break;
    case A3XX_NO_SY:
        need->sy = true;
        break;
    default:
        break;
    }
}

struct a3xx_need a3xx_state_need(const struct a3xx_state *state, const struct gpucode_insn *insn, bool follow_relative)
{
    struct a3xx_need need = {0};
    struct a3xx_watch watch = {.note = add_need, .user = &need, .follow_relative = follow_relative};
    struct a3xx_state copy = *state;
    a3xx_state_step(&copy, insn, &watch);
    return need;
}

void a3xx_uses(const struct gpucode_insn *insn, struct a3xx_set *read, struct a3xx_set *written)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(insn, access);
    *read = *written = (struct a3xx_set){{0}};
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k <= a3xx_repeat(insn->bits); k++) {
            struct a3xx_set *set = access[i].write ? written : read;
            struct range range = range_of(&access[i], k, true);
            for (int n = 0, reg; n < range.count; n++)
                if ((reg = range_at(&range, n)) >= 0)
                    a3xx_set_add(set, reg);
        }
}

bool a3xx_set_meets(const struct a3xx_set *a, const struct a3xx_set *b)
{
    uint64_t common = 0;
    for (unsigned i = 0; i < sizeof a->bits / sizeof *a->bits; i++)
        common |= a->bits[i] & b->bits[i];
    return common != 0;
}
