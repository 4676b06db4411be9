/* SPDX-License-Identifier: MIT */
/*
 * What the manual says of values: a register by its number, the fields of a value, the fields of packets; and the
 * policies of all sets.
 */
#include "cli/help.h"
#include "front/arguments.h"
#include "kit/kit.h"

#include <gpucode/fields.h>
#include <gpucode/lint.h>
#include <gpucode/packet.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

unsigned manual_print_fields(const struct gpucode_target *target, enum gpucode_space space, uint32_t number,
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
    sample.words[0] = family < 5 ? UINT32_C(3) << 30 | (words->count - 2) << 16 | opcode << 8
                                 : gpucode_packet_type7(opcode, words->count - 1);
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
