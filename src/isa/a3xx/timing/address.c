/* SPDX-License-Identifier: MIT */
/*
 * Which values a0.x can have, as the instructions before its write show: an index that was masked and scaled reaches
 * the registers of its array alone. Looked for backwards, where control can only have come straight down.
 */
#include "isa/a3xx/timing/paths.h"

#define STEPS_MAX 64 /* instructions looked at for one value */
#define DEPTH_MAX 8
#define LARGEST 0x7fff /* of a number that signed and unsigned instructions read alike */

/* Numbers low, low + step, ... high, all of them from 0 to LARGEST; or, not bounded, any with `rest` modulo step. */
struct numbers {
    bool bounded;
    uint32_t low, high;
    uint32_t step, rest; /* a power of two, at most LARGEST + 1 */
};

struct search {
    const struct a3xx_paths *paths;
    unsigned left;
};

static struct numbers numbers_of(struct search *search, uint32_t at, const struct a3xx_access *access, unsigned depth);

static struct numbers any(void)
{
    return (struct numbers){.step = 1};
}

static struct numbers constant(int64_t value)
{
    if (value < 0 || value > LARGEST)
        return any();
    return (struct numbers){true, (uint32_t)value, (uint32_t)value, LARGEST + 1, (uint32_t)value};
}

/* The same numbers, as far as they are known once they are between `low` and `high`. */
static struct numbers between(int64_t low, int64_t high, uint32_t step, uint32_t rest)
{
    step = step > LARGEST + 1 ? LARGEST + 1 : step;
    low += ((int64_t)rest - low) & (step - 1); /* the first that is one of them */
    bool bounded = low >= 0 && high <= LARGEST && low <= high;
    return (struct numbers){bounded, bounded ? (uint32_t)low : 0, bounded ? (uint32_t)high : 0, step,
                            rest & (step - 1)};
}

static struct numbers masked(struct numbers a, struct numbers b)
{
    if (!(b.bounded && b.low == b.high)) {
        struct numbers other = a;
        a = b;
        b = other;
    }
    if (!(b.bounded && b.low == b.high))
        return any();
    uint32_t mask = b.low, step = mask ? mask & (0 - mask) : LARGEST + 1;
    uint32_t high = a.bounded && a.high < mask ? a.high : mask;
    return a.step > step ? between(0, high, a.step, a.rest & mask) : between(0, high, step, 0);
}

static struct numbers shifted(struct numbers a, struct numbers by, bool left)
{
    if (!(by.bounded && by.low == by.high) || by.low > 15)
        return any();
    unsigned count = by.low;
    if (left)
        return a.bounded ? between((int64_t)a.low << count, (int64_t)a.high << count, a.step << count, a.rest << count)
                         : between(1, 0, a.step << count, a.rest << count);
    return a.bounded ? between(a.low >> count, a.high >> count, 1, 0) : any();
}

static struct numbers added(struct numbers a, struct numbers b)
{
    uint32_t step = a.step < b.step ? a.step : b.step;
    if (a.bounded && b.bounded)
        return between((int64_t)a.low + b.low, (int64_t)a.high + b.high, step, a.rest + b.rest);
    return between(1, 0, step, a.rest + b.rest);
}

static struct numbers smaller(struct numbers a, struct numbers b, bool is_signed)
{
    if (a.bounded && b.bounded)
        return between(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high, 1, 0);
    if (is_signed || (!a.bounded && !b.bounded))
        return any();
    return between(0, a.bounded ? a.high : b.high, 1, 0);
}

/* What an arithmetic instruction of two sources gives. */
static struct numbers calculated(int row, struct numbers a, struct numbers b)
{
    switch (row) {
    case A3XX_AND_B:
        return masked(a, b);
    case A3XX_SHL_B:
        return shifted(a, b, true);
    case A3XX_SHR_B:
        return shifted(a, b, false);
    case A3XX_ADD_U:
    case A3XX_ADD_S:
        return added(a, b);
    case A3XX_MIN_U:
    case A3XX_MIN_S:
        return smaller(a, b, row == A3XX_MIN_S);
    default:
        return any();
    }
}

static bool is_integer(unsigned type)
{
    return type == A3XX_U16 || type == A3XX_U32 || type == A3XX_S16 || type == A3XX_S32;
}

/* What instruction `at` writes to its one register. */
static struct numbers written(struct search *search, uint32_t at, unsigned depth)
{
    const struct gpucode_insn *insn = &search->paths->insn[at];
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct numbers source[2] = {any(), any()};
    unsigned count = a3xx_accesses(insn, access), sources = 0, category = a3xx_category(insn->bits);
    if (a3xx_repeat(insn->bits) || (category != 1 && category != 2))
        return any();
    if (category == 1 &&
        !(is_integer(A3XX_FIELD(insn->bits, FROM_TYPE)) && is_integer(A3XX_FIELD(insn->bits, TO_TYPE))))
        return any();
    if (category == 2 && (A3XX_FIELD(insn->bits, SAT) || A3XX_FIELD(insn->bits, CONVERTS)))
        return any();
    for (unsigned i = 0; i < count && sources < 2; i++) {
        if (access[i].write || !access[i].source)
            continue;
        bool plain = !access[i].neg && !access[i].abs && !access[i].relative && !access[i].table;
        if (plain && access[i].file == A3XX_FILE_IMMEDIATE)
            source[sources] = constant(access[i].number);
        else if (plain && a3xx_register_at(&access[i], 0, 0) >= 0)
            source[sources] = numbers_of(search, at, &access[i], depth);
        sources++;
    }
    if (category == 2)
        return calculated(insn->row, source[0], source[1]);
    bool same = A3XX_FIELD(insn->bits, FROM_TYPE) == A3XX_FIELD(insn->bits, TO_TYPE);
    return same || source[0].bounded ? source[0] : any(); /* what does not fit may become the largest that does */
}

/* What stands in a register before instruction `at`. */
static struct numbers numbers_of(struct search *search, uint32_t at, const struct a3xx_access *access, unsigned depth)
{
    int reg = a3xx_register_at(access, 0, 0);
    while (at > 0 && !search->paths->leader[at] && search->left && depth < DEPTH_MAX) {
        struct a3xx_set read = {0}, changed = {0};
        at--;
        search->left--;
        a3xx_uses(&search->paths->insn[at], &read, &changed);
        if (search->paths->insn[at].row == A3XX_RAW)
            break;
        if (!a3xx_set_has(&changed, reg))
            continue;
        struct a3xx_access all[A3XX_ACCESS_MAX];
        for (unsigned i = 0, count = a3xx_accesses(&search->paths->insn[at], all); i < count; i++)
            if (all[i].write && !all[i].relative && all[i].count == 1 && a3xx_register_at(&all[i], 0, 0) == reg)
                return written(search, at, depth + 1);
        break; /* one of several that it may write */
    }
    return any();
}

struct a3xx_reached a3xx_address_given(const struct a3xx_paths *paths, uint32_t at)
{
    struct search search = {paths, STEPS_MAX};
    struct numbers numbers = written(&search, at, 0);
    if (numbers.bounded)
        return (struct a3xx_reached){(int32_t)numbers.low, (int32_t)numbers.high, (int32_t)numbers.step};
    return (struct a3xx_reached){-LARGEST - 1 + (int32_t)numbers.rest, LARGEST, (int32_t)numbers.step};
}
