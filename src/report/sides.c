/* SPDX-License-Identifier: MIT */
#define SIDES_FIELDS
#include "report/sides.h"

#include <string.h>

const struct gpucode_answer_field *const report_changes = fields;

static const struct gpucode_answer_table by_functions = {"diff", "What has become of code that is analysed: `diff`.",
                                                         fields, BLOCK_CHANGES};
static const struct gpucode_answer_table by_blocks = {
    "diff-blocks", "What has become of shaders, macros and scripts: `diff`.", fields + BLOCK_CHANGES,
    sizeof fields / sizeof *fields - BLOCK_CHANGES};

const struct gpucode_answer_table *gpucode_report_changes_table(void)
{
    return &by_functions;
}

const struct gpucode_answer_table *gpucode_report_block_changes_table(void)
{
    return &by_blocks;
}

#define CONTEXT 3 /* lines that are the same, around those that are not */

/* The row of `first`'s listing that is `row` in the one that begins at LINES. */
#define OF(first, row) (&fields[(first) + (row)-LINES])

/* Is one of the lines near a different one? */
static bool is_shown(const struct sides *sides, uint32_t line)
{
    for (uint32_t i = line > CONTEXT ? line - CONTEXT : 0; i <= line + CONTEXT && i < sides->count; i++)
        if (!sides->lines[i].same)
            return true;
    return false;
}

static void put_same(struct gpucode_answer *answer, unsigned first, const struct sides *sides, uint32_t line)
{
    char text[SIDES_TEXT_MAX];
    const uint32_t *unit = sides->lines[line].unit;
    uint32_t old_at = sides->line(sides->user, GPUCODE_OLD, unit[GPUCODE_OLD], text);
    uint32_t new_at = sides->line(sides->user, GPUCODE_NEW, unit[GPUCODE_NEW], text); /* this text is shown */
    gpucode_answer_begin(answer, OF(first, LINES_SAME));
    gpucode_answer_begin(answer, OF(first, LINES_BOTH));
    gpucode_answer_number(answer, OF(first, LINES_OLD_AT), old_at);
    gpucode_answer_number(answer, OF(first, LINES_NEW_AT), new_at);
    gpucode_answer_text(answer, OF(first, LINES_TEXT), text);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

/* A line of one side; `row` is the one of its place. What a line that it replaces has as well is told from the rest. */
static void put_one(struct gpucode_answer *answer, const struct gpucode_answer_field *row, const struct sides *sides,
                    unsigned side, const uint32_t unit[2])
{
    char text[SIDES_TEXT_MAX], other[SIDES_TEXT_MAX] = "";
    size_t start = 0, end = 0, length, other_length;
    uint32_t at = sides->line(sides->user, side, unit[side], text);
    if (unit[!side] != GPUCODE_NONE)
        sides->line(sides->user, !side, unit[!side], other);
    length = strlen(text);
    other_length = strlen(other);
    while (start < length && start < other_length && text[start] == other[start])
        start++;
    while (end < length - start && end < other_length - start &&
           text[length - 1 - end] == other[other_length - 1 - end])
        end++;
    gpucode_answer_begin(answer, row - 1);
    gpucode_answer_number(answer, row, at);
    gpucode_answer_text(answer, row + 1, text);
    gpucode_answer_bytes(answer, row + 2, text, start);
    gpucode_answer_bytes(answer, row + 3, text + start, length - start - end);
    gpucode_answer_bytes(answer, row + 4, text + length - end, end);
    gpucode_answer_end(answer);
}

/* Lines `from` to `to` are all different: what goes, and what comes. */
static void put_other(struct gpucode_answer *answer, unsigned first, const struct sides *sides, uint32_t from,
                      uint32_t to)
{
    static const unsigned places[] = {LINES_BEFORE_AT, LINES_AFTER_AT};
    gpucode_answer_begin(answer, OF(first, LINES_OTHER));
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++) {
        const struct gpucode_answer_field *row = OF(first, places[side]);
        gpucode_answer_begin(answer, row - 2);
        for (uint32_t i = from; i < to; i++)
            if (sides->lines[i].unit[side] != GPUCODE_NONE)
                put_one(answer, row, sides, side, sides->lines[i].unit);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static void put_passed(struct gpucode_answer *answer, unsigned first, uint32_t lines)
{
    gpucode_answer_begin(answer, OF(first, LINES_PASSED));
    gpucode_answer_shown(answer, OF(first, LINES_COUNT), lines, "...");
    gpucode_answer_end(answer);
}

bool sides_put(struct gpucode_answer *answer, unsigned first, const struct sides *sides)
{
    bool any = false;
    uint32_t passed = 0;
    gpucode_answer_begin(answer, OF(first, LINES));
    for (uint32_t i = 0, end; i < sides->count; i = end) {
        end = i + 1;
        if (!is_shown(sides, i)) {
            passed++;
            continue;
        }
        if (passed)
            put_passed(answer, first, passed);
        passed = 0;
        if (sides->lines[i].same) {
            put_same(answer, first, sides, i);
            continue;
        }
        while (end < sides->count && !sides->lines[end].same)
            end++;
        put_other(answer, first, sides, i, end);
        any = true;
    }
    gpucode_answer_end(answer);
    return any;
}

void sides_put_counts(struct gpucode_answer *answer, unsigned first, const unsigned counts[GPUCODE_CHANGE_GONE + 1])
{
    const struct gpucode_answer_field *row = &fields[first];
    gpucode_answer_begin(answer, row);
    for (unsigned i = 0; i <= GPUCODE_CHANGE_GONE; i++) {
        if (!counts[i])
            continue;
        gpucode_answer_begin(answer, row + 1);
        gpucode_answer_number(answer, row + 2, counts[i]);
        gpucode_answer_text(answer, row + 3 + i, gpucode_change_name(i));
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

void sides_put_kind(struct gpucode_answer *answer, unsigned first, const char *text, unsigned count)
{
    const struct gpucode_answer_field *row = &fields[first];
    gpucode_answer_begin(answer, row + 1);
    gpucode_answer_text(answer, row + 2, text);
    gpucode_answer_number(answer, row + 3, count);
    gpucode_answer_end(answer);
}
