/* SPDX-License-Identifier: MIT */
/* Names of registers, packets, flags and events in the manual: their numbers, chip by chip. */
#include "cli/help.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <string.h>

/* The spaces with built-in names, the mark that texts have in front of them, and how many numbers are worth a look. */
static const struct space {
    enum gpucode_space space;
    char mark;
    const char *title;
    uint32_t numbers;
    uint32_t step;
} spaces[] = {
    {GPUCODE_SPACE_CONTROL, '@', "control register", 0x1000, 1},
    {GPUCODE_SPACE_SQE, '%', "SQE register", 16, 1},
    {GPUCODE_SPACE_PIPE, '|', "pipe register", 256, 1},
    {GPUCODE_SPACE_PACKET, 0, "packet", 128, 1},
    {GPUCODE_SPACE_FLAG, 0, "flag", 32, 1},
    {GPUCODE_SPACE_EVENT, 0, "event", 32, 1},
    {GPUCODE_SPACE_GPU, 0, "GPU register", 0x20000, 1},
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

static const char *const type_names[] = {
    [GPUCODE_FIELD_HEX] = "bits",         [GPUCODE_FIELD_UINT] = "number",       [GPUCODE_FIELD_INT] = "signed number",
    [GPUCODE_FIELD_FLOAT] = "float",      [GPUCODE_FIELD_FIXED] = "fixed point", [GPUCODE_FIELD_UFIXED] = "fixed point",
    [GPUCODE_FIELD_BOOLEAN] = "flag",     [GPUCODE_FIELD_REGID] = "register",    [GPUCODE_FIELD_ADDRESS] = "address",
    [GPUCODE_FIELD_WADDRESS] = "address", [GPUCODE_FIELD_ENUM] = "named values"};

/* The fields of a GPU register, where they are known: those of a value with all bits set, which leaves out none. */
static void print_fields(const struct gpucode_target *target, uint32_t number, FILE *out)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    unsigned family = gpucode_target_family(target);
    size_t count = family ? gpucode_register_fields(family, number, UINT32_MAX, fields, GPUCODE_FIELD_VALUES_MAX) : 0;
    if (count < 2 || count > GPUCODE_FIELD_VALUES_MAX)
        return;
    fprintf(out, "\nFields on %s:\n\n| bits | field | what |\n|---|---|---|\n", short_name(target));
    for (size_t i = 0; i < count; i++)
        if (fields[i].name[0] != '-')
            fprintf(out, "| `%u:%u` | %s | %s |\n", fields[i].high, fields[i].low, fields[i].name,
                    type_names[fields[i].type]);
}

/* One row of the table for each number that the name has on some target. */
static unsigned print_space(const struct manual *manual, const struct space *space, const char *name, bool started,
                            FILE *out)
{
    const struct gpucode_target *target, *other;
    unsigned rows = 0;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        uint32_t number, before;
        char text[GPUCODE_NAME_MAX];
        if (!is_of_set(manual, target) || !gpucode_number_of(target, NULL, space->space, name, strlen(name), &number))
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

/* The fields of the register on the last target that has it, which is the one asked for where there is one. */
static void print_gpu_fields(const struct manual *manual, const char *name, FILE *out)
{
    const struct gpucode_target *target, *last = NULL;
    uint32_t number, found = 0;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        if (is_of_set(manual, target) &&
            gpucode_number_of(target, NULL, GPUCODE_SPACE_GPU, name, strlen(name), &number)) {
            last = target;
            found = number;
        }
    if (last)
        print_fields(last, found, out);
}

unsigned manual_print_names(const struct manual *manual, const char *name, FILE *out)
{
    unsigned count = 0;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        bool marked = *name && strchr("@%|", *name);
        if (marked && *name != spaces[i].mark)
            continue;
        count += print_space(manual, &spaces[i], name + marked, count > 0, out);
    }
    print_gpu_fields(manual, name, out);
    char first[GPUCODE_NAME_MAX]; /* of registers that are counted */
    if (!count && !strchr(name, '[') && snprintf(first, sizeof first, "%s[0]", name) < (int)sizeof first)
        count = manual_print_names(manual, first, out);
    return count;
}

void manual_offer_names(const struct manual *manual, void (*offer)(void *user, const char *word), void *user)
{
    char text[GPUCODE_NAME_MAX + 1];
    for (unsigned g = 0; g < manual->generation_count; g++)
        for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
            for (uint32_t number = 0; number < spaces[i].numbers; number++) {
                size_t mark = spaces[i].mark != 0;
                text[0] = spaces[i].mark;
                if (gpucode_name_of(manual->generations[g], NULL, spaces[i].space, number, text + mark,
                                    GPUCODE_NAME_MAX))
                    offer(user, text);
            }
}
