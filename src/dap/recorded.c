/* SPDX-License-Identifier: MIT */
/* Launch requests for the shader of a draw: their fields become the words of `gpucode debug --from`. */
#include "dap/server.h"
#include "kit/kit.h"
#include "wire/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A command line that grows; without memory `words` stays null. */
struct line {
    char **words;
    size_t count, room;
};

static void line_free(struct line *line)
{
    for (size_t i = 0; i < line->count; i++)
        free(line->words[i]);
    free(line->words);
}

/* Takes the word. */
static bool add_word(struct line *line, char *word)
{
    if (line->count == line->room) {
        size_t room = line->room ? 2 * line->room : 32;
        char **words = word ? memory_resize(line->words, room * sizeof *words) : NULL;
        if (!words) {
            free(word);
            return false;
        }
        line->words = words;
        line->room = room;
    }
    if (word)
        line->words[line->count++] = word;
    return word;
}

/* The four texts as one word. */
static bool add_text(struct line *line, const char *prefix, const char *name, const char *between, const char *text)
{
    size_t room = strlen(prefix) + strlen(name) + strlen(between) + strlen(text) + 1;
    char *word = memory_alloc(room);
    if (word)
        snprintf(word, room, "%s%s%s%s", prefix, name, between, text);
    return add_word(line, word);
}

/* A text, a number or a list of them; texts that are empty are fields that are not set. */
static bool add_option(struct line *line, const char *option, const json_t *value)
{
    const json_t *item;
    char number[24];
    size_t i;
    bool good = true;
    if (json_is_array(value)) {
        json_array_foreach(value, i, item) good = good && !json_is_array(item) && add_option(line, option, item);
        return good;
    }
    if (json_is_integer(value))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    const char *text = json_is_integer(value) ? number : json_string_value(value);
    return !text || !*text || add_text(line, "--", option, "=", text);
}

static bool add_policies(struct line *line, json_t *policies)
{
    const char *name;
    json_t *value;
    bool good = true;
    json_object_foreach(policies, name, value) if (good && json_is_string(value)) good =
        add_text(line, "--policy=", name, "=", json_string_value(value));
    return good;
}

/* The fields of a kit, unless they are those of one before it, too. */
static const struct launch_field *fields_of(const struct dap *dap, unsigned index)
{
    const struct kit_launch *launch = dap->kits(index)->launch;
    for (unsigned i = 0; launch && i < index; i++)
        if (dap->kits(i)->launch && dap->kits(i)->launch->fields == launch->fields)
            return NULL;
    return launch ? launch->fields : NULL;
}

static bool add_fields(struct line *line, const struct dap *dap, const json_t *arguments)
{
    bool good = add_option(line, "from", json_object_get(arguments, "from"));
    good = good && add_option(line, "target", json_object_get(arguments, "target"));
    for (unsigned i = 0; dap->kits && dap->kits(i); i++)
        for (const struct launch_field *field = fields_of(dap, i); good && field && field->name; field++)
            good = add_option(line, field->name, json_object_get(arguments, field->name));
    return good && add_policies(line, json_object_get(arguments, "policies"));
}

enum gpucode_status recorded_open(struct dap *dap, const json_t *arguments)
{
    static const char program_too[] = "expected a program, or a recording by `from`, and not both",
                      none[] = "recordings cannot be read here", within[] = "expected texts, numbers and lists of them";
    struct line line = {0};
    const char *wrong = *text_of(arguments, "program") ? program_too : !dap->recordings ? none : NULL;
    if (wrong) {
        dap_write(dap, wrong, strlen(wrong));
        return GPUCODE_ERROR_INPUT;
    }
    bool good = add_text(&line, "gpucode", "", "", "") && add_text(&line, "debug", "", "", "") &&
                add_fields(&line, dap, arguments);
    if (good)
        dap->recorded = dap->recordings->open((int)line.count, line.words, dap_write, dap);
    else
        line_free(&line);
    if (!good && memory_lacked())
        return GPUCODE_ERROR_MEMORY;
    if (!good)
        dap_write(dap, within, strlen(within));
    if (dap->recorded)
        dap->image = dap->recordings->image(dap->recorded);
    return dap->recorded ? GPUCODE_OK : GPUCODE_ERROR_INPUT;
}

enum gpucode_status recorded_machine(struct dap *dap)
{
    return dap->recordings->machine(dap->recorded, gpucode_symbols_names(dap->symbols), &dap->machine)
               ? GPUCODE_OK
               : GPUCODE_ERROR_INPUT;
}

enum gpucode_status recorded_begin(struct dap *dap)
{
    return dap->recordings->begin(dap->recorded, dap->debug) ? GPUCODE_OK : GPUCODE_ERROR_INPUT;
}

void recorded_free(struct dap *dap)
{
    if (dap->recorded)
        dap->recordings->close(dap->recorded);
    dap->recorded = NULL;
}
