/* SPDX-License-Identifier: MIT */
/* gpucode lint: findings about code, at their place in the source where there is one. */
#include "cli/input.h"
#include "cli/json.h"
#include "cli/session.h"
#include "cli/symbols.h"

#include <gpucode/lint.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int command_lint(struct session *session);

#define LIMITS_MAX 16
#define ENTRIES_MAX 16
#define DECLARATIONS_MAX 256

struct lint {
    struct session *session;
    const struct input *input;
    unsigned errors, warnings;
};

static void put_json(const struct lint *lint, const struct gpucode_finding *finding, const struct gpucode_line *line)
{
    struct json json = {.out = stdout};
    json_object(&json, NULL);
    json_string(&json, "file", line ? line->file : lint->input->file.name);
    if (line)
        json_number(&json, "line", line->line);
    json_number(&json, "section", finding->section);
    json_number(&json, "unit", finding->unit);
    json_number(&json, "units", finding->units);
    char where[SYMBOLS_WHERE_MAX];
    if (gpucode_symbols_near(lint->input->symbols, finding->section, finding->unit, where, sizeof where))
        json_string(&json, "where", where);
    json_string(&json, "severity", finding->severity == GPUCODE_ERROR ? "error" : "warning");
    json_string(&json, "code", finding->code);
    json_string(&json, "message", finding->message);
    json_string(&json, "reason", finding->reason);
    json_string(&json, "reference", finding->reference);
    json_end(&json);
}

static void show(void *user, const struct gpucode_finding *finding)
{
    struct lint *lint = user;
    struct gpucode_line line;
    bool error = finding->severity == GPUCODE_ERROR;
    lint->errors += error;
    lint->warnings += !error;
    const struct gpucode_section *section = &gpucode_image_info(lint->input->image)->sections[finding->section];
    bool placed = lint->input->program &&
                  gpucode_program_line(lint->input->program, (uint32_t)(section->start + finding->unit), &line);
    if (lint->session->json) {
        put_json(lint, finding, placed ? &line : NULL);
        return;
    }
    if (placed)
        printf("%s:%u: ", line.file, line.line);
    else
        printf("%s:0x%03" PRIx64 ": ", lint->input->file.name, finding->unit);
    char where[SYMBOLS_WHERE_MAX];
    const char *in = symbols_where(lint->input->symbols, finding->section, finding->unit, where);
    printf("%s:%s%s %s [%s]\n    %s\n    from: %s\n", error ? "error" : "warning", in, *in ? ":" : "", finding->message,
           finding->code, finding->reason, finding->reference);
}

/* NAME=NUMBER of each --limit. */
static int read_limits(struct lint *lint, struct gpucode_lint_limit *limits, char names[LIMITS_MAX][64])
{
    const struct arguments *arguments = &lint->session->arguments;
    for (unsigned i = 0; i < arguments->count[OPTION_POLICY]; i++) {
        const char *text = arguments->policies[i], *equals = strchr(text, '=');
        struct gpucode_lint_limit known;
        unsigned index = 0;
        size_t length = equals ? (size_t)(equals - text) : 0;
        while (gpucode_lint_limit_at(lint->input->target, index, &known, NULL) &&
               (strlen(known.name) != length || strncmp(known.name, text, length) != 0))
            index++;
        char *end = NULL;
        uint64_t value = equals && equals[1] >= '0' && equals[1] <= '9' ? strtoull(equals + 1, &end, 0) : 0;
        if (i + 1 >= LIMITS_MAX || length >= 64 || !end || *end ||
            !gpucode_lint_limit_at(lint->input->target, index, &known, NULL)) {
            char hint[256] = "limits:";
            for (index = 0; gpucode_lint_limit_at(lint->input->target, index, &known, NULL); index++) {
                size_t used = strlen(hint);
                snprintf(hint + used, sizeof hint - used, " %s=%" PRIu64, known.name, known.value);
            }
            return complain(&lint->session->diagnostics, CLI_POLICY, NULL, hint, text);
        }
        memcpy(names[i], text, length);
        names[i][length] = 0;
        limits[i] = (struct gpucode_lint_limit){names[i], value};
    }
    return EXIT_DONE;
}

/* Entry points that the source names, and those of --entry-point. */
static int read_entries(struct lint *lint, uint64_t *entries, unsigned *count)
{
    struct gpucode_symbol symbol;
    bool first = false;
    for (unsigned i = 0; lint->input->program && gpucode_program_symbol(lint->input->program, i, &symbol); i++)
        if (*count + 1 < ENTRIES_MAX && symbol.section && strlen(symbol.name) == 6 &&
            strncmp(symbol.name, "entry", 5) == 0) {
            entries[(*count)++] = symbol.unit;
            first |= symbol.name[5] == '0';
        }
    if (*count && !first) /* entry point 0 is at 0 unless the source places it */
        entries[(*count)++] = 0;
    const char *text = lint->session->arguments.value[OPTION_ENTRY_POINTS];
    for (const char *at = text; at && *at; at += *at == ',') {
        char *end;
        uint64_t entry = strtoull(at, &end, 0);
        if (end == at || (*end && *end != ',') || *count == ENTRIES_MAX)
            return complain(&lint->session->diagnostics, CLI_ENTRY_POINTS, NULL, NULL, text);
        entries[(*count)++] = entry;
        at = end;
    }
    return EXIT_DONE;
}

static int check(struct lint *lint)
{
    struct gpucode_lint_limit limits[LIMITS_MAX] = {{0}};
    char names[LIMITS_MAX][64];
    uint64_t entries[ENTRIES_MAX];
    unsigned entry_count = 0, count = 0;
    int code = read_limits(lint, limits, names);
    if (!code)
        code = read_entries(lint, entries, &entry_count);
    if (code)
        return code;
    struct gpucode_declaration declarations[DECLARATIONS_MAX];
    unsigned declared = 0;
    while (lint->input->program && declared < DECLARATIONS_MAX &&
           gpucode_program_declaration(lint->input->program, declared, &declarations[declared]))
        declared++;
    struct gpucode_lint_options options = {.report = show,
                                           .user = lint,
                                           .limits = limits,
                                           .entries = entry_count ? entries : NULL,
                                           .entry_count = entry_count,
                                           .declarations = declarations,
                                           .declaration_count = declared};
    enum gpucode_status status = gpucode_lint(lint->input->image, &options, &count);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&lint->session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(lint->input->target),
                        "lint");
    if (status != GPUCODE_OK)
        return complain(&lint->session->diagnostics, CLI_MEMORY, NULL, NULL);
    unsigned shown = lint->errors + lint->warnings;
    if (!lint->session->json && count > shown)
        printf("%u more findings are not shown\n", count - shown);
    return count ? EXIT_FINDINGS : EXIT_DONE;
}

int command_lint(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    struct lint lint = {.session = session, .input = &input};
    code = check(&lint);
    input_close(&input);
    return code;
}
