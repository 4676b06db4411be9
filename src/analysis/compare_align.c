/* SPDX-License-Identifier: MIT */
/*
 * Lays the words of two functions side by side: as many equal ones as there can be (the longest common subsequence),
 * and of such alignments the one with the fewest edits. Long functions are divided first.
 */
#include "analysis/compare.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define CELLS_MAX (UINT64_C(1) << 22) /* of one table */

/* What an edit costs, where the number of equal words is the same. */
enum { COST_ADD = 2, COST_REPLACE = 2, COST_REPLACE_OTHER = 3 };

struct word {
    uint64_t id; /* with the callee of a call */
    uint32_t unit;
    uint16_t row;
};

struct aligning {
    struct compare_pair *pair;
    struct list units;
    struct word *words[2];
    size_t counts[2];
    struct list lines;
    bool failed;
};

static void put_line(struct aligning *aligning, const struct word *a, const struct word *b)
{
    struct gpucode_compared_line *line = list_add(&aligning->lines, sizeof *line);
    if (line)
        *line = (struct gpucode_compared_line){{a ? a->unit : GPUCODE_NONE, b ? b->unit : GPUCODE_NONE},
                                               a && b && a->id == b->id};
}

/* --- small ones: a table --- */

enum { STEP_BOTH, STEP_OLD, STEP_NEW };

static int64_t replace_cost(const struct word *a, const struct word *b)
{
    return a->row == b->row ? COST_REPLACE : COST_REPLACE_OTHER;
}

/* A row of scores of what begins at word `i` of the first; an equal word is worth more than all costs. */
static void score_row(const struct word *a, const struct word *b, size_t m, int64_t worth, int64_t *row,
                      unsigned char *steps)
{
    int64_t corner = row[m];
    row[m] -= COST_ADD;
    steps[m] = STEP_OLD;
    for (size_t k = m; k-- > 0;) {
        int64_t both = corner + (a->id == b[k].id ? worth : -replace_cost(a, &b[k]));
        int64_t old = row[k] - COST_ADD, new = row[k + 1] - COST_ADD;
        corner = row[k];
        steps[k] = both >= old && both >= new ? STEP_BOTH : old >= new ? STEP_OLD : STEP_NEW;
        row[k] = both >= old && both >= new ? both : old >= new ? old : new;
    }
}

static void align_small(struct aligning *aligning, const struct word *a, size_t n, const struct word *b, size_t m)
{
    size_t wide = m + 1;
    unsigned char *steps = malloc((n + 1) * wide);
    int64_t *row = calloc(wide, sizeof *row), worth = (int64_t)(n + m + 1) * 4;
    if (!steps || !row) {
        aligning->failed = true;
    } else {
        for (size_t k = m; k-- > 0;)
            row[k] = row[k + 1] - COST_ADD;
        memset(steps + n * wide, STEP_NEW, wide);
        for (size_t i = n; i-- > 0;)
            score_row(&a[i], b, m, worth, row, steps + i * wide);
        for (size_t i = 0, k = 0; i < n || k < m;) {
            unsigned step = steps[i * wide + k];
            put_line(aligning, step != STEP_NEW ? &a[i] : NULL, step != STEP_OLD ? &b[k] : NULL);
            i += step != STEP_NEW;
            k += step != STEP_OLD;
        }
    }
    free(steps);
    free(row);
}

/* --- large ones: divided --- */

static void align(struct aligning *aligning, const struct word *a, size_t n, const struct word *b, size_t m);

/* Equal words of a[0..n) and b[0..k) for all k; `back`: of the last n and the last k. */
static bool count_equal(const struct word *a, size_t n, const struct word *b, size_t m, bool back, uint32_t *row)
{
    memset(row, 0, (m + 1) * sizeof *row);
    for (size_t i = 0; i < n; i++) {
        uint32_t corner = 0;
        uint64_t id = a[back ? n - 1 - i : i].id;
        for (size_t k = 0; k < m; k++) {
            uint32_t above = row[k + 1];
            if (id == b[back ? m - 1 - k : k].id)
                row[k + 1] = corner + 1;
            else if (row[k] > above)
                row[k + 1] = row[k];
            corner = above;
        }
    }
    return true;
}

static void align_halves(struct aligning *aligning, const struct word *a, size_t n, const struct word *b, size_t m)
{
    uint32_t *front = malloc((m + 1) * sizeof *front), *back = malloc((m + 1) * sizeof *back), best = 0;
    size_t half = n / 2, split = 0;
    if (!front || !back) {
        aligning->failed = true;
    } else {
        count_equal(a, half, b, m, false, front);
        count_equal(a + half, n - half, b, m, true, back);
        for (size_t k = 0; k <= m; k++)
            if (front[k] + back[m - k] > best) {
                best = front[k] + back[m - k];
                split = k;
            }
    }
    free(front);
    free(back);
    if (aligning->failed)
        return;
    align(aligning, a, half, b, split);
    align(aligning, a + half, n - half, b + split, m - split);
}

/* Nobody reads a listing of so many differences: one by one. */
static void align_blindly(struct aligning *aligning, const struct word *a, size_t n, const struct word *b, size_t m)
{
    for (size_t i = 0; i < n || i < m; i++)
        put_line(aligning, i < n ? &a[i] : NULL, i < m ? &b[i] : NULL);
}

static void align(struct aligning *aligning, const struct word *a, size_t n, const struct word *b, size_t m)
{
    while (n && m && a->id == b->id) {
        put_line(aligning, a++, b++);
        n--;
        m--;
    }
    size_t tail = 0;
    while (tail < n && tail < m && a[n - 1 - tail].id == b[m - 1 - tail].id)
        tail++;
    n -= tail;
    m -= tail;
    uint64_t cells = (uint64_t)(n + 1) * (m + 1), *work = &aligning->pair->work;
    if (cells > *work || !n || !m) {
        align_blindly(aligning, a, n, b, m);
    } else {
        *work -= cells;
        if (cells <= CELLS_MAX || n < 2)
            align_small(aligning, a, n, b, m);
        else
            align_halves(aligning, a, n, b, m);
    }
    for (size_t i = 0; i < tail; i++)
        put_line(aligning, &a[n + i], &b[m + i]);
}

/* --- all --- */

/* Calls are equal where what they call is matched. */
static uint64_t identify(const struct compare_pair *pair, unsigned s, uint32_t unit)
{
    const struct compare_side *side = &pair->side[s];
    uint32_t callee = compare_callee(side, unit);
    uint64_t id = side->ids[unit];
    if (callee == GPUCODE_NONE)
        return id;
    bool matched = side->partner[callee] != GPUCODE_NONE;
    uint64_t shared = s && matched ? side->partner[callee] : callee;
    return id | (4 * shared + (matched ? 1 : 2 + s)) << 32;
}

static bool collect(struct aligning *aligning, unsigned s, uint32_t function)
{
    const struct compare_side *side = &aligning->pair->side[s];
    if (!compare_units(side, function, &aligning->units))
        return false;
    const uint32_t *units = aligning->units.items;
    size_t count = aligning->units.count;
    free(aligning->words[s]);
    aligning->counts[s] = count;
    if (!(aligning->words[s] = calloc(count + 1, sizeof *aligning->words[s])))
        return false;
    for (size_t i = 0; i < count; i++)
        aligning->words[s][i] = (struct word){identify(aligning->pair, s, units[i]), units[i], side->rows[units[i]]};
    return true;
}

static bool align_function(struct aligning *aligning, struct gpucode_compared_function *function)
{
    if (!collect(aligning, 0, function->function[0]) || !collect(aligning, 1, function->function[1]))
        return false;
    align(aligning, aligning->words[0], aligning->counts[0], aligning->words[1], aligning->counts[1]);
    function->line_count = (uint32_t)aligning->lines.count;
    function->lines = list_keep(&aligning->lines, aligning->pair->arena, sizeof *function->lines);
    return function->lines && !aligning->failed;
}

bool compare_align(struct compare_pair *pair)
{
    struct aligning aligning = {.pair = pair};
    struct gpucode_compared_function *functions = (struct gpucode_compared_function *)pair->out->functions;
    bool good = true;
    for (uint32_t i = 0; good && i < pair->out->function_count; i++)
        if (functions[i].change == GPUCODE_CHANGE_CHANGED)
            good = align_function(&aligning, &functions[i]);
    FREE_ALL(aligning.words[0], aligning.words[1], aligning.units.items, aligning.lines.items);
    return good;
}
