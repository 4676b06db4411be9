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
