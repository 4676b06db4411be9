/* SPDX-License-Identifier: MIT */
/*
 * Which values a0.x can have, as the instructions before its write show: an index that was masked and scaled reaches
 * the registers of its array alone. Looked for backwards, where control can only have come straight down.
 */
#include "isa/ir3/timing/paths.h"
#include "isa/ir3/timing/scoreboard.h"

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

static struct numbers calculated(enum shader_operation operation, struct numbers a, struct numbers b)
{
    switch (operation) {
    case SHADER_AND:
        return masked(a, b);
    case SHADER_SHIFT_LEFT:
        return shifted(a, b, true);
    case SHADER_SHIFT_RIGHT:
        return shifted(a, b, false);
    case SHADER_ADD:
        return added(a, b);
    case SHADER_MIN_UNSIGNED:
    case SHADER_MIN_SIGNED:
        return smaller(a, b, operation == SHADER_MIN_SIGNED);
    case SHADER_COPY:
        return a;
    case SHADER_CONVERT: /* what does not fit may become the largest that does */
        return a.bounded ? a : any();
    default:
        return any();
    }
}

/* Its place in the row of registers; -1: it has none, or several. */
static int place_of(const struct shader_family *family, const struct a3xx_access *access)
{
    struct a3xx_range range = a3xx_range_of(family, access, 0, NULL, false);
    return access->relative || access->count != 1 || range.count < 1 ? -1 : a3xx_range_at(&range, 0);
}

/* What instruction `at` writes to its one register. */
static struct numbers written(struct search *search, uint32_t at, unsigned depth)
{
    const struct gpucode_insn *insn = &search->paths->insn[at];
    const struct shader_family *family = shader_family(insn);
    struct a3xx_access access[A3XX_ACCESS_MAX];
    struct numbers source[2] = {any(), any()};
    enum shader_operation operation = shader_repeat(insn) ? SHADER_OTHER : family->operation(insn);
    unsigned count = operation ? family->accesses(insn, access) : 0, sources = 0;
    for (unsigned i = 0; i < count && sources < 2; i++) {
        if (access[i].write || !access[i].source)
            continue;
        bool plain = !access[i].neg && !access[i].abs && !access[i].relative && !access[i].table;
        if (plain && access[i].file == A3XX_FILE_IMMEDIATE)
            source[sources] = constant(access[i].number);
        else if (plain && place_of(family, &access[i]) >= 0)
            source[sources] = numbers_of(search, at, &access[i], depth);
        sources++;
    }
    return calculated(operation, source[0], source[1]);
}

/* What stands in a register before instruction `at`. */
static struct numbers numbers_of(struct search *search, uint32_t at, const struct a3xx_access *access, unsigned depth)
{
    const struct shader_family *family = shader_family(search->paths->insn);
    struct a3xx_set wanted = {0}, read, changed, none = {0};
    int reg = place_of(family, access);
    a3xx_set_add(&wanted, reg);
    if (family->mixed && access->file == A3XX_FILE_FULL) /* both halves */
        a3xx_set_add(&wanted, reg + 1);
    while (at > 0 && !search->paths->leader[at] && search->left && depth < DEPTH_MAX) {
        at--;
        search->left--;
        read = changed = none;
        a3xx_uses(&search->paths->insn[at], &read, &changed);
        if (shader_is_raw(&search->paths->insn[at]))
            break;
        if (!a3xx_set_meets(&changed, &wanted))
            continue;
        struct a3xx_access all[A3XX_ACCESS_MAX];
        for (unsigned i = 0, count = family->accesses(&search->paths->insn[at], all); i < count; i++)
            if (all[i].write && all[i].half == access->half && place_of(family, &all[i]) == reg)
                return written(search, at, depth + 1);
        break; /* one of several that it may write, or a half of it */
    }
    return any();
}

struct a3xx_reached shader_address_given(const struct a3xx_paths *paths, uint32_t at)
{
    struct search search = {paths, STEPS_MAX};
    const struct gpucode_insn *insn = &paths->insn[at];
    struct a3xx_access access[A3XX_ACCESS_MAX];
    if (!shader_family(insn)->operation || shader_category(insn->bits) != 1)
        return (struct a3xx_reached){0};
    unsigned count = shader_family(insn)->accesses(insn, access);
    if (!count || !access[count - 1].write || access[count - 1].file != A3XX_FILE_ADDRESS || access[count - 1].number)
        return (struct a3xx_reached){0};
    struct numbers numbers = written(&search, at, 0);
    if (numbers.bounded)
        return (struct a3xx_reached){(int32_t)numbers.low, (int32_t)numbers.high, (int32_t)numbers.step};
    return (struct a3xx_reached){-LARGEST - 1 + (int32_t)numbers.rest, LARGEST, (int32_t)numbers.step};
}
