/* SPDX-License-Identifier: MIT */
#include "front/values.h"

#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit_value(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                          : 16;
}

bool number_take(const char **at, uint64_t *value)
{
    const char *text = *at;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_value(text[2]) < 16;
    unsigned base = hex ? 16 : 10;
    text += hex ? 2 : 0;
    if (digit_value(*text) >= (int)base)
        return false;
    for (*value = 0; digit_value(*text) < (int)base; text++) {
        unsigned digit = (unsigned)digit_value(*text);
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    *at = text;
    return true;
}

bool number_read(const char *text, uint64_t most, uint64_t *value)
{
    return number_take(&text, value) && !*text && *value <= most;
}

const char *value_split(const char *text, char *name, size_t size)
{
    const char *equals = strrchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (!equals || length >= size)
        return NULL;
    memcpy(name, text, length);
    name[length] = 0;
    return equals + 1;
}

int value_refuse(struct session *session, enum option_id option, const char *value, const char *expected)
{
    return complain(&session->diagnostics, CLI_RUN_VALUE, NULL, NULL, option_table[option].name, value, expected);
}

int value_number(struct session *session, enum option_id option, const char *expected, uint64_t *number)
{
    const char *text = session->arguments.value[option];
    return !text || number_read(text, UINT64_MAX, number) ? EXIT_DONE : value_refuse(session, option, text, expected);
}

/* All words of the list, for a hint. */
static void list_words(const struct value_word *words, char *text, size_t size)
{
    *text = 0;
    for (; words->name; words++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", length ? ", " : "", words->name);
    }
}

int value_trace(struct session *session, enum option_id option, const struct value_word *words, unsigned preset,
                unsigned *bits)
{
    const char *text = session->arguments.value[option], *at = text;
    *bits = !text && arguments_have(&session->arguments, option) ? preset : 0;
    while (at) {
        const struct value_word *word = words;
        size_t length = strcspn(at, ",");
        while (word->name && (strlen(word->name) != length || memcmp(word->name, at, length) != 0))
            word++;
        if (!word->name) {
            char hint[160];
            list_words(words, hint, sizeof hint);
            return complain(&session->diagnostics, CLI_TRACE, NULL, hint, text);
        }
        *bits |= word->bit;
        at = at[length] ? at + length + 1 : NULL;
    }
    return EXIT_DONE;
}

int policies_read(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings)
{
    const struct arguments *arguments = &session->arguments;
    size_t count = 0, bytes = 0, given = arguments->count[OPTION_POLICY];
    const char *policy;
    while (more && more[count].name)
        count++;
    for (unsigned i = 0; (policy = arguments_value_at(arguments, OPTION_POLICY, i)); i++)
        bytes += strlen(policy) + 1;
    struct gpucode_setting *list = calloc(1, (count + given + 1) * sizeof *list + bytes);
    if (!list)
        return out_of_memory(&session->diagnostics);
    if (count)
        memcpy(list, more, count * sizeof *list);
    char *text = (char *)(list + count + given + 1);
    for (unsigned i = 0; (policy = arguments_value_at(arguments, OPTION_POLICY, i)); i++) {
        size_t length = strlen(policy) + 1;
        memcpy(text, policy, length);
        char *equals = strchr(text, '=');
        if (!equals) {
            free(list);
            return complain(&session->diagnostics, CLI_POLICY, NULL, "write --policy NAME=VALUE", policy);
        }
        *equals = 0;
        list[count + i] = (struct gpucode_setting){text, equals + 1};
        text += length;
    }
    *settings = list;
    return EXIT_DONE;
}

/* Packets that are named where several lead to a place. */
#define PACKETS_SHOWN 4

const char *places_where(const struct input *input, unsigned section, uint64_t unit, char *text)
{
    static const char in[] = " in ";
    memcpy(text, in, sizeof in);
    if (!gpucode_outline_near(input_outline(input), section, unit, text + sizeof in - 1,
                              PLACES_WHERE_MAX - sizeof in + 1))
        *text = 0;
    return text;
}

bool places_enter(struct places_walk *walk, const struct input *input, unsigned processor, unsigned section,
                  uint64_t unit, char near[PLACES_WHERE_MAX])
{
    if (!gpucode_outline_near(input_outline(input), section, unit, near, PLACES_WHERE_MAX))
        return false;
    size_t length = strcspn(near, "+");
    bool same = walk->processor == processor && strlen(walk->name) == length && memcmp(walk->name, near, length) == 0;
    if (length >= sizeof walk->name)
        length = sizeof walk->name - 1;
    memcpy(walk->name, near, length);
    walk->name[length] = 0;
    walk->processor = processor;
    return !same || !strchr(near, '+');
}

void places_note(const struct input *input, unsigned section, uint64_t unit, char text[PLACES_NOTED_MAX])
{
    char note[GPUCODE_NOTE_MAX];
    size_t length = strlen(text);
    if (unit <= UINT32_MAX && gpucode_notes_text(input_notes(input), section, (uint32_t)unit, note, sizeof note))
        snprintf(text + length, PLACES_NOTED_MAX - length, "%s%s", strstr(text, "\t; ") ? "; " : "\t; ", note);
}

size_t places_packets(const struct input *input, unsigned section, uint64_t unit, char text[GPUCODE_NOTE_MAX])
{
    uint64_t packets[2];
    const struct gpucode_analysis *analysis = input_analysis(input);
    *text = 0;
    if (unit > UINT32_MAX || !gpucode_analysis_reached_by(analysis, section, (uint32_t)unit, packets))
        return 0;
    return gpucode_analysis_packets(analysis, packets, PACKETS_SHOWN, text, GPUCODE_NOTE_MAX);
}

void places_put_packets(const struct gpucode_analysis *analysis, const uint64_t packets[2],
                        struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; i < 128; i++)
        if (packets[i / 64] >> i % 64 & 1 && gpucode_analysis_packet_name(analysis, i, name, sizeof name))
            gpucode_answer_text(answer, field, name);
}

size_t places_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct places_code *code = user;
    char plain[64];
    (void)insn;
    size_t length;
    const struct gpucode_outline *outline = input_outline(code->input);
    const char *name = outline ? gpucode_outline_name(outline, code->section, address, &length) : NULL;
    if (name && length <= size) {
        memcpy(text, name, length);
        return length;
    }
    if (!code->prefix)
        return 0;
    int written = snprintf(plain, sizeof plain, "%s%" PRIu64, code->prefix, address);
    if (written < 0 || (size_t)written >= sizeof plain || (size_t)written > size)
        return 0;
    memcpy(text, plain, (size_t)written);
    return (size_t)written;
}
