/* SPDX-License-Identifier: MIT */
/* Names of registers, packets, flags and events in the manual: their numbers, chip by chip. */
#include "cli/help.h"
#include "front/arguments.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <stdlib.h>
#include <string.h>

/* The spaces with built-in names, and the mark that texts have in front of them. */
static const struct space {
    enum gpucode_space space;
    char mark;
    const char *title;
} spaces[] = {
    {GPUCODE_SPACE_CONTROL, '@', "control register"},
    {GPUCODE_SPACE_SQE, '%', "SQE register"},
    {GPUCODE_SPACE_PIPE, '|', "pipe register"},
    {GPUCODE_SPACE_PACKET, 0, "packet"},
    {GPUCODE_SPACE_FLAG, 0, "flag"},
    {GPUCODE_SPACE_EVENT, 0, "event"},
    {GPUCODE_SPACE_GPU, 0, "GPU register"},
};

static bool is_of_set(const struct manual *manual, const struct gpucode_target *target)
{
    return strcmp(gpucode_target_isa(target), manual->isa) == 0 && (!manual->narrow || target == manual->narrow);
}

static const char *short_name(const struct gpucode_target *target)
{
    const char *colon = strchr(gpucode_target_name(target), ':');
    return colon ? colon + 1 : gpucode_target_name(target);
}

/* The targets on which the name has the number of `first`, which is number `from` of all targets. */
static void print_targets(const struct manual *manual, const struct space *space, const char *name, uint32_t number,
                          unsigned from, FILE *out)
{
    const struct gpucode_target *target;
    uint32_t other;
    for (unsigned i = from; (target = gpucode_target_at(i)); i++)
        if (is_of_set(manual, target) && gpucode_number_of(target, NULL, space->space, name, strlen(name), &other) &&
            other == number)
            fprintf(out, "%s%s", i == from ? "" : ", ", short_name(target));
}

/* One row of the table for each number that the name has on some target, or for `only` where that is not null. */
static unsigned print_space(const struct manual *manual, const struct space *space, const char *name,
                            const uint32_t *only, bool started, FILE *out)
{
    const struct gpucode_target *target, *other;
    unsigned rows = 0;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        uint32_t number, before;
        char text[GPUCODE_NAME_MAX];
        if (!is_of_set(manual, target) || !gpucode_number_of(target, NULL, space->space, name, strlen(name), &number) ||
            (only && *only != number))
            continue;
        bool seen = false;
        for (unsigned j = 0; j < i && !seen; j++)
            seen = (other = gpucode_target_at(j)) && is_of_set(manual, other) &&
                   gpucode_number_of(other, NULL, space->space, name, strlen(name), &before) && before == number;
        if (seen)
            continue;
        if (!started && !rows)
            fputs("\n| name | what | number | where |\n|---|---|---|---|\n", out);
        size_t length = gpucode_name_of(target, NULL, space->space, number, text, sizeof text);
        bool same = length == strlen(name) && memcmp(text, name, length) == 0;
        const char mark[] = {space->mark, 0};
        fprintf(out, "| `%s%s%s` | %s%s%s | 0x%x | ", space->mark == '|' ? "\\" : "", mark, name, space->title,
                same || !length ? "" : ", also ", same || !length ? "" : text, (unsigned)number);
        print_targets(manual, space, name, number, i, out);
        fputs(" |\n", out);
        rows++;
    }
    return rows;
}

/* The last target that has the register, which is the one asked for where there is one; null: none. */
static const struct gpucode_target *last_with_register(const struct manual *manual, enum gpucode_space space,
                                                       const char *name, uint32_t *number)
{
    const struct gpucode_target *target, *last = NULL;
    char known[GPUCODE_NAME_MAX];
    uint64_t given;
    bool by_number = number_read(name, UINT32_MAX, &given);
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        uint32_t found = by_number ? (uint32_t)given : 0;
        if (!is_of_set(manual, target) ||
            !(by_number ? gpucode_name_of(target, NULL, space, found, known, sizeof known) > 0
                        : gpucode_number_of(target, NULL, space, name, strlen(name), &found)))
            continue;
        last = target;
        *number = found;
    }
    return last;
}

/* Everything that has the number, in the spaces with that mark, or in all. */
static unsigned print_number(const struct manual *manual, char mark, uint32_t number, FILE *out)
{
    const struct gpucode_target *target, *other;
    char name[GPUCODE_NAME_MAX + 1], before[GPUCODE_NAME_MAX];
    unsigned count = 0;
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        const struct space *space = &spaces[s];
        for (unsigned i = 0; (!mark || mark == space->mark) && (target = gpucode_target_at(i)); i++) {
            size_t length = is_of_set(manual, target)
                                ? gpucode_name_of(target, NULL, space->space, number, name, sizeof name - 1)
                                : 0;
            bool seen = false;
            for (unsigned j = 0; length && j < i && !seen; j++)
                seen = (other = gpucode_target_at(j)) && is_of_set(manual, other) &&
                       gpucode_name_of(other, NULL, space->space, number, before, sizeof before) == length &&
                       memcmp(before, name, length) == 0;
            name[length] = 0;
            if (length && !seen)
                count += print_space(manual, space, name, &number, count > 0, out);
        }
    }
    return count;
}

/* Fields of the registers of that name on the last target that has each; `mark`: of its space alone, 0: of all. */
static void print_all_fields(const struct manual *manual, char mark, const char *name, FILE *out)
{
    uint32_t number;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        const struct gpucode_target *target =
            !mark || mark == spaces[i].mark ? last_with_register(manual, spaces[i].space, name, &number) : NULL;
        if (target)
            manual_print_fields(target, spaces[i].space, number, NULL, out);
    }
}

/* "NAME=VALUE": what the set itself says of the register. GPU registers of a family are told elsewhere. */
static unsigned print_value(const struct manual *manual, const char *topic, FILE *out)
{
    const char *equals = strchr(topic, '=');
    char name[GPUCODE_NAME_MAX];
    uint64_t value;
    if (!equals || (size_t)(equals - topic) >= sizeof name || !number_read(equals + 1, UINT32_MAX, &value))
        return 0;
    memcpy(name, topic, (size_t)(equals - topic));
    name[equals - topic] = 0;
    bool marked = strchr("@%|", *name);
    unsigned count = 0;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        uint32_t number;
        bool gpu = spaces[i].space == GPUCODE_SPACE_GPU;
        const struct gpucode_target *target = (marked ? *name == spaces[i].mark : gpu || spaces[i].mark)
                                                  ? last_with_register(manual, spaces[i].space, name + marked, &number)
                                                  : NULL;
        if (!target || (gpu && gpucode_target_family(target)))
            continue;
        char known[GPUCODE_NAME_MAX];
        size_t length = gpucode_name_of(target, NULL, spaces[i].space, number, known, sizeof known);
        fprintf(out, "\n## %.*s\n\n%c%s 0x%x, value 0x%x.\n", (int)length, known, gpu ? 'R' : *spaces[i].title & ~32,
                gpu ? "egister" : spaces[i].title + 1, (unsigned)number, (unsigned)value);
        if (!manual_print_fields(target, spaces[i].space, number, &value, out))
            fputs("\nNothing is known of its fields.\n", out);
        count++;
    }
    return count;
}

unsigned manual_print_names(const struct manual *manual, const char *name, FILE *out)
{
    unsigned count = 0;
    uint64_t number;
    bool marked = *name && strchr("@%|", *name);
    if (number_read(name + marked, UINT32_MAX, &number))
        count = print_number(manual, marked ? *name : 0, (uint32_t)number, out);
    else if (strchr(name, '='))
        return print_value(manual, name, out);
    else
        for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
            if (!marked || *name == spaces[i].mark)
                count += print_space(manual, &spaces[i], name + marked, NULL, count > 0, out);
    print_all_fields(manual, marked ? *name : 0, name + marked, out);
    char first[GPUCODE_NAME_MAX]; /* of registers that are counted */
    if (!count && !strchr(name, '[') && snprintf(first, sizeof first, "%s[0]", name) < (int)sizeof first)
        count = manual_print_names(manual, first, out);
    return count;
}

void manual_offer_names(const struct manual *manual, void (*offer)(void *user, const char *word), void *user)
{
    char text[GPUCODE_NAME_MAX + 2];
    for (unsigned g = 0; g < manual->generation_count; g++)
        for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
            for (uint32_t number = 0; gpucode_name_next(manual->generations[g], spaces[i].space, &number); number++) {
                size_t mark = spaces[i].mark != 0;
                text[0] = spaces[i].mark;
                size_t length = gpucode_name_of(manual->generations[g], NULL, spaces[i].space, number, text + mark,
                                                GPUCODE_NAME_MAX);
                text[mark + length] = 0;
                if (length)
                    offer(user, text);
                if (number == UINT32_MAX)
                    break;
            }
}
