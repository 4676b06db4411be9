/* SPDX-License-Identifier: MIT */
/* gpucode lint: findings about code, at their place in the source where there is one. */
#include "front/excerpt.h"
#include "front/input.h"
#include "front/json.h"
#include "front/session.h"
#include "front/symbols.h"
#include "front/values.h"
#include "kit/kit.h"

#include <gpucode/lint.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int command_lint(struct session *session);

#define LIMITS_MAX 16
#define ENTRIES_MAX 16
#define EXPLAINED_MAX 64

struct lint {
    struct session *session;
    const struct input *input;
    unsigned errors, warnings;
    const char *explained[EXPLAINED_MAX]; /* codes whose reason was shown: once is enough */
    unsigned explained_count;
};

/* Where a finding is in the source; not placed: the input is binary, or no line of the source stands for it. */
struct spot {
    struct gpucode_line line;
    bool placed;
    unsigned column, span; /* 0: the whole line */
};

static bool place_of(const struct lint *lint, const struct gpucode_finding *finding, uint64_t unit,
                     struct gpucode_line *line)
{
    const struct gpucode_section *section = &gpucode_image_info(lint->input->image)->sections[finding->section];
    return lint->input->program && gpucode_program_line(lint->input->program, (uint32_t)(section->start + unit), line);
}

static struct spot find_spot(const struct lint *lint, const struct gpucode_finding *finding)
{
    const struct kit *kit = kit_of(lint->input->target);
    struct spot spot = {.placed = place_of(lint, finding, finding->unit, &spot.line)};
    if (spot.placed && kit && kit->locate && !kit->locate(&spot.line, finding, &spot.column, &spot.span))
        spot.column = spot.span = 0;
    return spot;
}

static void write_finding(const struct lint *lint, const struct gpucode_finding *finding, const struct spot *spot)
{
    struct json json = {.out = stdout};
    struct gpucode_line other;
    json_object(&json, NULL);
    json_string(&json, "file", spot->placed ? spot->line.file : lint->input->file.name);
    if (spot->placed)
        json_number(&json, "line", spot->line.line);
    if (spot->column) {
        json_number(&json, "column", spot->column);
        json_number(&json, "length", spot->span);
    }
    json_number(&json, "section", finding->section);
    json_number(&json, "unit", finding->unit);
    json_number(&json, "units", finding->units);
    char where[SYMBOLS_WHERE_MAX];
    if (gpucode_symbols_near(lint->input->symbols, finding->section, finding->unit, where, sizeof where))
        json_string(&json, "where", where);
    json_string(&json, "severity", finding->severity == GPUCODE_ERROR ? "error" : "warning");
    json_string(&json, "code", finding->code);
    json_string(&json, "message", finding->message);
    if (finding->has_other) {
        json_number(&json, "other_unit", finding->other);
        if (place_of(lint, finding, finding->other, &other)) {
            json_string(&json, "other_file", other.file);
            json_number(&json, "other_line", other.line);
        }
    }
    if (finding->slots)
        json_number(&json, "missing_slots", finding->slots);
    json_string(&json, "fix", finding->fix);
    json_string(&json, "reason", finding->reason);
    json_string(&json, "reference", finding->reference);
    json_end(&json);
}

/* Prints the instruction at a unit; for binaries, which have no source line to show. */
static void print_insn(const struct lint *lint, const struct gpucode_finding *finding, uint64_t unit)
{
    char text[GPUCODE_TEXT_MAX];
    if (gpucode_target_facts(lint->input->target)->fixed_size &&
        input_insn_text(lint->input, finding->section, unit, NULL, text))
        printf("    0x%03" PRIx64 ": %s\n", unit, text);
}

static void print_place(const struct lint *lint, const struct spot *spot, uint64_t unit)
{
    const char *file = spot->placed ? spot->line.file : lint->input->file.name;
    excerpt_text(stdout, file, strlen(file));
    if (!spot->placed)
        printf(":0x%03" PRIx64 ": ", unit);
    else if (spot->column)
        printf(":%u:%u: ", spot->line.line, spot->column);
    else
        printf(":%u: ", spot->line.line);
}

static void print_other(const struct lint *lint, const struct gpucode_finding *finding, bool placed)
{
    struct spot spot = {.placed = placed && place_of(lint, finding, finding->other, &spot.line)};
    if (finding->other == finding->unit)
        return;
    if (!spot.placed) {
        print_insn(lint, finding, finding->other);
        return;
    }
    print_place(lint, &spot, finding->other);
    printf("note: instruction %" PRIu64 " is here\n", finding->other);
    excerpt_line(stdout, spot.line.source, spot.line.source_length, 0, 0, "", "");
}

static void show_finding(void *user, const struct gpucode_finding *finding)
{
    struct lint *lint = user;
    bool error = finding->severity == GPUCODE_ERROR, color = lint->session->color;
    struct spot spot = find_spot(lint, finding);
    lint->errors += error;
    lint->warnings += !error;
    if (lint->session->json) {
        write_finding(lint, finding, &spot);
        return;
    }
    const char *plain = color ? "\033[0m" : "", *paint = !color ? "" : error ? "\033[1;31m" : "\033[1;35m";
    print_place(lint, &spot, finding->unit);
    char where[SYMBOLS_WHERE_MAX];
    const char *in = symbols_where(lint->input->symbols, finding->section, finding->unit, where);
    printf("%s%s:%s%s%s %s [%s]\n", paint, error ? "error" : "warning", plain, in, *in ? ":" : "", finding->message,
           finding->code);
    if (spot.placed)
        excerpt_line(stdout, spot.line.source, spot.line.source_length, spot.column, spot.span,
                     color ? "\033[1;32m" : "", plain);
    else
        print_insn(lint, finding, finding->unit);
    if (finding->has_other)
        print_other(lint, finding, spot.placed);
    if (finding->fix)
        printf("    fix: %s\n", finding->fix);
    for (unsigned i = 0; i < lint->explained_count; i++)
        if (strcmp(lint->explained[i], finding->code) == 0)
            return;
    if (lint->explained_count < EXPLAINED_MAX)
        lint->explained[lint->explained_count++] = finding->code;
    printf("    %s\n    from: %s\n", finding->reason, finding->reference);
}

/* NAME=NUMBER of each --policy. */
static int read_limits(struct lint *lint, struct gpucode_lint_limit *limits, char names[LIMITS_MAX][64])
{
    const struct arguments *arguments = &lint->session->arguments;
    for (unsigned i = 0; i < arguments->count[OPTION_POLICY]; i++) {
        const char *text = arguments_value_at(arguments, OPTION_POLICY, i), *equals = strchr(text, '=');
        struct gpucode_lint_limit known;
        unsigned index = 0;
        size_t length = equals ? (size_t)(equals - text) : 0;
        while (gpucode_lint_limit_at(lint->input->target, index, &known, NULL) &&
               (strlen(known.name) != length || strncmp(known.name, text, length) != 0))
            index++;
        uint64_t value;
        if (i + 1 >= LIMITS_MAX || length >= 64 || !equals || !number_read(equals + 1, UINT64_MAX, &value) ||
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

/* Entry points that labels of the source place. */
static void find_entries(const struct gpucode_program *program, uint64_t *entries, unsigned *count)
{
    struct gpucode_symbol symbol;
    bool first = false;
    for (unsigned i = 0; gpucode_program_symbol(program, i, &symbol); i++)
        if (symbol.section && strlen(symbol.name) == 6 && strncmp(symbol.name, "entry", 5) == 0 &&
            symbol.name[5] >= '0' && symbol.name[5] <= '3') {
            entries[(*count)++] = symbol.unit;
            first |= symbol.name[5] == '0';
        }
    if (*count && !first) /* entry point 0 is at 0 unless the source places it */
        entries[(*count)++] = 0;
}

/* Those of the source, where the set has them, and those of --entries. */
static int read_entries(struct lint *lint, uint64_t *entries, unsigned *count)
{
    const char *text = lint->session->arguments.value[OPTION_ENTRY_POINTS];
    if (gpucode_target_facts(lint->input->target)->entry_labels && lint->input->program)
        find_entries(lint->input->program, entries, count);
    for (const char *at = text; at && *at; at += *at == ',') {
        uint64_t entry;
        if (!number_take(&at, &entry) || (*at && *at != ',') || *count == ENTRIES_MAX)
            return complain(&lint->session->diagnostics, CLI_ENTRY_POINTS, NULL, NULL, text);
        entries[(*count)++] = entry;
    }
    return EXIT_DONE;
}

/* What the source declares, to be freed; null when out of memory. */
static struct gpucode_declaration *read_declarations(const struct gpucode_program *program, unsigned *count)
{
    struct gpucode_declaration one;
    unsigned all = 0;
    while (program && gpucode_program_declaration(program, all, &one))
        all++;
    struct gpucode_declaration *declarations = calloc(all + 1, sizeof *declarations);
    for (*count = 0; declarations && *count < all; ++*count)
        gpucode_program_declaration(program, *count, &declarations[*count]);
    return declarations;
}

static int check_input(struct lint *lint)
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
    unsigned declared = 0;
    struct gpucode_declaration *declarations = read_declarations(lint->input->program, &declared);
    if (!declarations)
        return complain(&lint->session->diagnostics, CLI_MEMORY, NULL, NULL);
    struct gpucode_lint_options options = {.report = show_finding,
                                           .user = lint,
                                           .limits = limits,
                                           .entries = entry_count ? entries : NULL,
                                           .entry_count = entry_count,
                                           .declarations = declarations,
                                           .declaration_count = declared};
    enum gpucode_status status = gpucode_lint(lint->input->image, &options, &count);
    free(declarations);
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
    code = input_check_whole(session, &input);
    if (!code)
        code = check_input(&lint);
    input_close(&input);
    return code;
}
