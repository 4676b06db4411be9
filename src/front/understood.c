/* SPDX-License-Identifier: MIT */
#include "front/understood.h"

#include "front/code.h"
#include "front/edges.h"
#include "front/session.h"
#include "front/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int understood_open(struct session *session, const struct input *input, struct understood *understood)
{
    struct gpucode_analysis_options options = {.names = input_names(input)};
    struct gpucode_seen_edge *seen = NULL;
    const char *coverage = session->arguments.value[OPTION_SEEN];
    int code = coverage ? edges_read(session, coverage, input->image, &seen, &options.seen_count) : EXIT_DONE;
    if (code)
        return code;
    options.seen = seen;
    *understood = (struct understood){.session = session, .input = input, .info = gpucode_image_info(input->image)};
    enum gpucode_status status = gpucode_analyse(input->image, &options, &understood->analysis);
    free(seen);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_CANNOT, input->file.name, NULL, gpucode_target_isa(input->target),
                        session->command->name);
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&session->diagnostics, CLI_TANGLED, input->file.name, NULL);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, input->file.name, status);
}

void understood_close(struct understood *understood)
{
    gpucode_analysis_free(understood->analysis);
    understood->analysis = NULL;
}

int understood_first(struct session *session, int (*use)(struct session *session, const struct understood *understood))
{
    struct input input;
    struct understood understood;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    code = understood_open(session, &input, &understood);
    if (!code) {
        code = use(session, &understood);
        understood_close(&understood);
    }
    input_close(&input);
    return code;
}

/* --- names --- */

/* fxnN and lN, as listings write them. */
static bool is_made_up(const char *label, uint32_t *unit)
{
    const char *digits = strncmp(label, "fxn", 3) == 0 ? label + 3 : *label == 'l' ? label + 1 : "";
    size_t length = strspn(digits, "0123456789");
    if (!length || length > 9 || digits[length])
        return false;
    *unit = (uint32_t)strtoul(digits, NULL, 10);
    return true;
}

static bool find_in_source(const struct understood *understood, const struct gpucode_section *place, const char *label,
                           uint32_t *unit)
{
    struct gpucode_symbol symbol;
    for (unsigned i = 0; understood->input->program && gpucode_program_symbol(understood->input->program, i, &symbol);
         i++)
        if (symbol.section && strcmp(symbol.name, label) == 0 && symbol.unit >= place->start &&
            symbol.unit - place->start < place->size) {
            *unit = symbol.unit - place->start;
            return true;
        }
    return false;
}

/* The packet that a function handles has that name. */
static bool handles(const struct understood *understood, const struct gpucode_function *function, const char *label)
{
    char name[GPUCODE_NAME_MAX], number[16];
    for (unsigned i = 0; i < 128; i++) {
        if (!(function->packets[i / 64] >> i % 64 & 1))
            continue;
        snprintf(number, sizeof number, "UNKN%u", i);
        if (strcmp(label, number) == 0 ||
            (gpucode_analysis_packet_name(understood->analysis, i, name, sizeof name) && strcmp(label, name) == 0))
            return true;
    }
    return false;
}

bool understood_find(const struct understood *understood, unsigned section, const char *label, uint32_t *unit)
{
    const struct gpucode_section *place = &understood->info->sections[section];
    const struct gpucode_function *function;
    struct gpucode_label symbol;
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; (function = gpucode_analysis_function(understood->analysis, section, i)); i++)
        if (handles(understood, function, label) ||
            (gpucode_analysis_name(understood->analysis, section, i, name, sizeof name) && strcmp(name, label) == 0)) {
            *unit = function->start;
            return true;
        }
    if (find_in_source(understood, place, label, unit))
        return true;
    if (understood->input->symbols &&
        gpucode_symbols_find(understood->input->symbols, place->name, label, strlen(label), &symbol) &&
        symbol.kind == GPUCODE_LABEL_CODE) {
        *unit = (uint32_t)symbol.value;
        return true;
    }
    return is_made_up(label, unit) && *unit < place->size;
}

int understood_no_place(const struct understood *understood, const char *name)
{
    return complain(&understood->session->diagnostics, CLI_PLACE, understood->input->file.name,
                    "`gpucode info --calls` lists the functions", name);
}

uint32_t understood_function(const struct understood *understood, unsigned section, uint32_t unit)
{
    uint32_t owner = gpucode_analysis_owner(understood->analysis, section, unit);
    const struct gpucode_function *function = gpucode_analysis_function(understood->analysis, section, owner);
    return function && function->start == unit ? owner : GPUCODE_NONE;
}

/* The outline's name of a place, "" where it has none. */
static void outline_name(const struct understood *understood, unsigned section, uint32_t unit,
                         char name[GPUCODE_NAME_MAX])
{
    size_t length;
    const struct gpucode_outline *outline = input_outline(understood->input);
    const char *found = gpucode_outline_name(outline, section, unit, &length);
    snprintf(name, GPUCODE_NAME_MAX, "%.*s", found ? (int)length : 0, found ? found : "");
}

void understood_name(const struct understood *understood, unsigned section, uint32_t index, char name[GPUCODE_NAME_MAX])
{
    gpucode_analysis_listed_name(understood->analysis, input_outline(understood->input), section, index, name,
                                 GPUCODE_NAME_MAX);
}

void understood_place(const struct understood *understood, unsigned section, uint32_t unit, char name[GPUCODE_NAME_MAX])
{
    uint32_t function = understood_function(understood, section, unit);
    if (function != GPUCODE_NONE)
        understood_name(understood, section, function, name);
    else
        outline_name(understood, section, unit, name);
    if (!*name)
        snprintf(name, GPUCODE_NAME_MAX, "l%" PRIu32, unit);
}

/* --- text --- */

struct naming {
    const struct understood *understood;
    unsigned section;
};

static size_t name_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct naming *naming = user;
    const struct understood *understood = naming->understood;
    char name[GPUCODE_NAME_MAX];
    (void)insn;
    if (address >= understood->info->sections[naming->section].size)
        return 0;
    understood_place(understood, naming->section, (uint32_t)address, name);
    int length = snprintf(text, size, "%s", name);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

bool understood_text(const struct understood *understood, unsigned section, uint32_t unit, char text[GPUCODE_TEXT_MAX])
{
    struct naming naming = {understood, section};
    const struct gpucode_format_options options = {
        .names = input_names(understood->input), .label = name_target, .user = &naming};
    return input_insn_text(understood->input, section, unit, &options, text);
}

/* --- JSON --- */

void understood_put_line(const struct understood *understood, struct json *json, unsigned section, uint32_t unit)
{
    struct gpucode_line line;
    if (!understood->input->program ||
        !gpucode_program_line(understood->input->program, understood->info->sections[section].start + unit, &line))
        return;
    json_string(json, "file", line.file);
    json_number(json, "line", line.line);
}

void understood_put_packets(const struct understood *understood, struct json *json, const char *key,
                            const uint64_t packets[2])
{
    places_put_packets(understood->analysis, json, key, packets);
}
