/* SPDX-License-Identifier: MIT */
/* Names of registers, packets, flags and events in the manual: their numbers, chip by chip. */
#include "cli/help.h"

#include "front/arguments.h"
#include "kit/kit.h"

#include <gpucode/fields.h>
#include <gpucode/lint.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the manual says of values: a register by its number, the fields of a value, the fields of packets; and the
 * policies of all sets.
 */

#define WORDS_MAX 64
#define PACKET_NUMBERS 128

static const char *const type_names[] = {
    [GPUCODE_FIELD_HEX] = "bits",         [GPUCODE_FIELD_UINT] = "number",       [GPUCODE_FIELD_INT] = "signed number",
    [GPUCODE_FIELD_FLOAT] = "float",      [GPUCODE_FIELD_FIXED] = "fixed point", [GPUCODE_FIELD_UFIXED] = "fixed point",
    [GPUCODE_FIELD_BOOLEAN] = "flag",     [GPUCODE_FIELD_REGID] = "register",    [GPUCODE_FIELD_ADDRESS] = "address",
    [GPUCODE_FIELD_WADDRESS] = "address", [GPUCODE_FIELD_ENUM] = "named values"};

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* The family whose registers a target's code is about: that of its packets, else "a6xx" in its generation. */
static unsigned family_of(const struct gpucode_target *target)
{
    unsigned family = gpucode_target_family(target);
    char rest;
    if (!family && sscanf(gpucode_target_generation(target), "a%uxx%c", &family, &rest) != 1)
        family = 0;
    return family;
}

static bool is_wanted(const struct manual *manual, unsigned family)
{
    bool known = false;
    for (unsigned i = 0; i < manual->generation_count; i++)
        known |= family_of(manual->generations[i]) == family;
    return known && (!manual->narrow || family_of(manual->narrow) == family);
}

/* The number of a register by its name or number; false: the family has none. */
static bool find_register(unsigned family, const char *name, uint32_t *number)
{
    char known[GPUCODE_NAME_MAX];
    uint64_t given;
    if (!number_read(name, UINT32_MAX, &given))
        return gpucode_register_find(family, name, strlen(name), number);
    *number = (uint32_t)given;
    return gpucode_register_name(family, *number, known, sizeof known) > 0;
}

/* Fields as rows of a table, with values where `value` is not null. */
static void print_fields(const struct gpucode_field_value *fields, size_t count, const uint64_t *value, FILE *out)
{
    fputs(value ? "\n| bits | field | value |\n|---|---|---|\n" : "\n| bits | field | what |\n|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++)
        if (value)
            fprintf(out, "| `%u:%u` | %s | %s |\n", fields[i].high, fields[i].low, fields[i].name, fields[i].text);
        else if (fields[i].name[0] != '-')
            fprintf(out, "| `%u:%u` | %s | %s |\n", fields[i].high, fields[i].low, fields[i].name,
                    type_names[fields[i].type]);
}

static void print_register_fields(unsigned family, uint32_t number, const uint64_t *value, FILE *out)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t count =
        gpucode_register_fields(family, number, value ? *value : UINT32_MAX, fields, GPUCODE_FIELD_VALUES_MAX);
    if (count <= GPUCODE_FIELD_VALUES_MAX && (value || count > 1))
        print_fields(fields, count, value, out);
}

static unsigned manual_print_fields(const struct gpucode_target *target, enum gpucode_space space, uint32_t number,
                                    const uint64_t *value, FILE *out)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t count = gpucode_target_register_fields(target, space, number, value ? *value : UINT32_MAX, fields,
                                                  GPUCODE_FIELD_VALUES_MAX);
    if (count < (value ? 1 : 2) || count > GPUCODE_FIELD_VALUES_MAX)
        return 0;
    const char *name = gpucode_target_name(target), *colon = strchr(name, ':');
    if (!value)
        fprintf(out, "\nFields on %s:\n", colon ? colon + 1 : name);
    print_fields(fields, count, value, out);
    return (unsigned)count;
}

/* A family's registers have a meaning together with those of the family before. */
static bool same_text(unsigned family, unsigned other, uint32_t number, uint64_t value)
{
    char mine[1024], its[1024], my_name[GPUCODE_NAME_MAX], its_name[GPUCODE_NAME_MAX];
    return gpucode_register_name(family, number, my_name, sizeof my_name) &&
           gpucode_register_name(other, number, its_name, sizeof its_name) && strcmp(my_name, its_name) == 0 &&
           gpucode_register_text(family, number, value, mine, sizeof mine) &&
           gpucode_register_text(other, number, value, its, sizeof its) && strcmp(mine, its) == 0;
}

/* What registers of that name or number are, family by family; equal ones once. */
static unsigned print_registers(const struct manual *manual, const char *name, const uint64_t *value, FILE *out)
{
    unsigned count = 0;
    char known[GPUCODE_NAME_MAX];
    for (unsigned family = GPUCODE_FAMILY_MIN; family <= GPUCODE_FAMILY_MAX; family++) {
        uint32_t number, other;
        if (!is_wanted(manual, family) || !find_register(family, name, &number) ||
            (value && *value > UINT32_MAX && gpucode_register_words(family, number) < 2))
            continue;
        bool told = false;
        for (unsigned i = GPUCODE_FAMILY_MIN; i < family && !told; i++)
            told = is_wanted(manual, i) && find_register(i, name, &other) && other == number &&
                   same_text(family, i, number, value ? *value : UINT32_MAX);
        if (told)
            continue;
        gpucode_register_name(family, number, known, sizeof known);
        fprintf(out, "\n## %s\n\nGPU register 0x%x on a%uxx", known, (unsigned)number, family);
        for (unsigned i = family + 1; i <= GPUCODE_FAMILY_MAX; i++)
            if (is_wanted(manual, i) && find_register(i, name, &other) && other == number &&
                same_text(family, i, number, value ? *value : UINT32_MAX))
                fprintf(out, ", a%uxx", i);
        fprintf(out, "%s.\n", gpucode_register_words(family, number) > 1 ? ", the first of two words" : "");
        if (value)
            fprintf(out, "\nValue 0x%" PRIx64 ":\n", *value);
        print_register_fields(family, number, value, out);
        count++;
    }
    return count;
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

/* The opcode of a packet by its name or number; false: the family has none. */
static bool find_packet(unsigned family, const char *name, unsigned *opcode)
{
    uint64_t given;
    if (!number_read(name, PACKET_NUMBERS - 1, &given))
        return gpucode_packet_find(family, name, strlen(name), opcode);
    *opcode = (unsigned)given;
    return gpucode_packet_name(family, *opcode) != NULL;
}

static bool same_field(const struct gpucode_payload_field *a, const struct gpucode_payload_field *b)
{
    return strcmp(a->name, b->name) == 0 && a->word == b->word && a->low == b->low && a->high == b->high &&
           a->type == b->type && a->values == b->values && a->selector == b->selector &&
           strcmp(a->selected, b->selected) == 0 && a->repeat == b->repeat;
}

static bool same_packet(unsigned family, unsigned other, unsigned opcode)
{
    struct gpucode_payload_field mine, its;
    const char *my_name = gpucode_packet_name(family, opcode), *its_name = gpucode_packet_name(other, opcode);
    if (!my_name || !its_name || strcmp(my_name, its_name) != 0)
        return false;
    for (unsigned i = 0;; i++) {
        bool have = gpucode_payload_field(family, opcode, i, &mine);
        if (have != gpucode_payload_field(other, opcode, i, &its))
            return false;
        if (!have || !same_field(&mine, &its))
            return !have;
    }
}

static void print_payload(unsigned family, unsigned opcode, FILE *out)
{
    struct gpucode_payload_field field;
    for (unsigned i = 0; gpucode_payload_field(family, opcode, i, &field); i++) {
        if (!i)
            fputs("\n| word | bits | field | what | when |\n|---|---|---|---|---|\n", out);
        fprintf(out, "| %u%s | `%u:%u` | %s | %s%s%s%s | %s%s%s |\n", field.word, field.repeat ? "..." : "", field.high,
                field.low, strcmp(field.name, "-") == 0 ? "" : field.name, type_names[field.type],
                field.values ? " (" : "", field.values ? field.values : "", field.values ? ")" : "",
                field.selector ? field.selector : "", field.selector ? " = " : "", field.selected);
    }
}

/* Words of a packet in memory, for the decoder. */
struct sample {
    uint32_t words[WORDS_MAX + 1];
    unsigned count, shown;
    FILE *out;
};

static size_t read_sample(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct sample *sample = user;
    size_t all = sample->count * sizeof *sample->words;
    size_t some = address >= all ? 0 : size < all - address ? size : all - (size_t)address;
    for (size_t i = 0; i < some; i++) /* GPU memory has the lowest byte of a word first */
        ((unsigned char *)bytes)[i] = (unsigned char)(sample->words[(address + i) / 4] >> (address + i) % 4 * 8);
    return some;
}

static bool show_sample(void *user, const struct gpucode_packet_event *event)
{
    struct sample *sample = user;
    if (event->kind != GPUCODE_PACKET_FIELD)
        return true;
    if (!sample->shown++)
        fputs("\n| word | field | value |\n|---|---|---|\n", sample->out);
    fprintf(sample->out, "| %u | %s | %s |\n", (unsigned)(event->address / 4) - 1, event->name, event->text);
    return true;
}

static void print_words(unsigned family, unsigned opcode, const struct sample *words, FILE *out)
{
    struct sample sample = *words;
    struct gpucode_packets *packets = NULL;
    const struct gpucode_packet_options options = {
        .family = family, .read = read_sample, .event = show_sample, .user = &sample, .fields = true};
    sample.out = out;
    sample.words[0] = gpucode_packet_type7(opcode, words->count - 1); /* no set has packets of a family before a5xx */
    if (gpucode_packets_create(&options, &packets) == GPUCODE_OK)
        gpucode_packets_walk(packets, 0, sample.count);
    gpucode_packets_free(packets);
    for (unsigned i = 1; !sample.shown && i < words->count; i++)
        fprintf(out, "%s0x%x", i > 1 ? ", " : "\nNo fields are known of the words ", (unsigned)words->words[i]);
    if (!sample.shown)
        fputs(".\n", out);
}

static unsigned print_packets(const struct manual *manual, const char *name, const struct sample *words, FILE *out)
{
    unsigned count = 0, opcode, other;
    for (unsigned family = GPUCODE_FAMILY_MIN; family <= GPUCODE_FAMILY_MAX; family++) {
        if (!is_wanted(manual, family) || !find_packet(family, name, &opcode))
            continue;
        bool told = false;
        for (unsigned i = GPUCODE_FAMILY_MIN; i < family && !told; i++)
            told = is_wanted(manual, i) && find_packet(i, name, &other) && other == opcode &&
                   same_packet(family, i, opcode);
        if (told)
            continue;
        fprintf(out, "\n## %s\n\nPacket 0x%x on a%uxx", gpucode_packet_name(family, opcode), opcode, family);
        for (unsigned i = family + 1; i <= GPUCODE_FAMILY_MAX; i++)
            if (is_wanted(manual, i) && find_packet(i, name, &other) && other == opcode &&
                same_packet(family, i, opcode))
                fprintf(out, ", a%uxx", i);
        fputs(".\n", out);
        if (words)
            print_words(family, opcode, words, out);
        else
            print_payload(family, opcode, out);
        count++;
    }
    return count;
}

/* --- what is asked for -------------------------------------------------------------------------------------------- */

/* "0x1,2,3" into words after the header; false: something else, or a value of more than 32 bits, where `wide` is it. */
static bool read_words(const char *text, struct sample *sample, uint64_t *wide)
{
    sample->count = 1;
    for (const char *at = text;; at++) {
        uint64_t value;
        if (!number_take(&at, &value) || (*at && *at != ',') || sample->count > WORDS_MAX)
            return false;
        if (sample->count == 1)
            *wide = value;
        if (value > UINT32_MAX && (*at || sample->count > 1))
            return false;
        sample->words[sample->count++] = (uint32_t)value;
        if (!*at)
            return true;
    }
}

unsigned manual_print_meanings(const struct manual *manual, const char *topic, FILE *out)
{
    const char *equals = strchr(topic, '=');
    char name[GPUCODE_NAME_MAX];
    struct sample sample = {.count = 0};
    uint64_t value = 0;
    if (!equals) /* sets of shaders have no names of registers of their own */
        return gpucode_target_family(manual->any) ? print_packets(manual, topic, NULL, out)
                                                  : print_registers(manual, topic, NULL, out);
    size_t length = (size_t)(equals - topic);
    if (!length || length >= sizeof name || !read_words(equals + 1, &sample, &value))
        return 0;
    memcpy(name, topic, length);
    name[length] = 0;
    unsigned count = sample.count == 2 ? print_registers(manual, name, &value, out) : 0;
    if (value <= UINT32_MAX && gpucode_target_family(manual->any) && !(count && number_read(name, UINT32_MAX, &value)))
        count += print_packets(manual, name, &sample, out);
    return count;
}

/* --- policies ----------------------------------------------------------------------------------------------------- */

static unsigned print_policies(const struct gpucode_target *target, FILE *out)
{
    struct gpucode_policy policy;
    struct gpucode_lint_limit limit;
    const char *doc;
    unsigned count = 0;
    for (; gpucode_policy_at(target, count, &policy); count++)
        fprintf(out, "%s### `%s=%s`\n\nPreset `%s`. %s\n", count ? "\n" : "\n## Choices\n\n", policy.name,
                policy.values, policy.preset, policy.doc);
    for (unsigned i = 0; gpucode_lint_limit_at(target, i, &limit, &doc); i++, count++)
        fprintf(out, "%s### `%s=NUMBER`\n\nPreset `%" PRIu64 "`. %s\n", i ? "\n" : "\n## Limits of `lint`\n\n",
                limit.name, limit.value, doc ? doc : "");
    return count;
}

unsigned manual_print_policies(const char *isa, FILE *out)
{
    const struct gpucode_target *target;
    const char *last = "";
    unsigned count = 0;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        const char *set = gpucode_target_isa(target);
        struct gpucode_policy policy;
        if (strcmp(set, last) == 0 || (isa && strcmp(set, isa) != 0) || !gpucode_policy_at(target, 0, &policy))
            continue;
        last = set;
        fprintf(out, "\n# Policies of %s\n\nWhat nobody knows of the hardware is a choice: `--policy NAME=VALUE`.\n",
                set);
        count += print_policies(target, out);
    }
    return count;
}

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
