/* SPDX-License-Identifier: MIT */
/* gpucode lint: findings about code, at their place in the source where there is one. */
#include "cli/findings.h"
#include "front/answer.h"
#include "front/arguments.h"
#include "front/input.h"
#include "front/session.h"

#include <gpucode/lint.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIMITS_MAX 16

struct lint {
    struct session *session;
    const struct input *input;
    struct findings findings;
};

/* NAME=NUMBER of each --policy that the target has not taken. */
static int read_limits(struct lint *lint, struct gpucode_lint_limit *limits, char names[LIMITS_MAX][64])
{
    const struct arguments *arguments = &lint->session->arguments;
    unsigned count = 0;
    for (unsigned i = 0; i < arguments->count[OPTION_POLICY]; i++) {
        const char *text = arguments_value_at(arguments, OPTION_POLICY, i), *equals = strchr(text, '=');
        struct gpucode_lint_limit known;
        unsigned index = 0;
        size_t length = equals ? (size_t)(equals - text) : 0;
        while (gpucode_lint_limit_at(lint->input->target, index, &known, NULL) &&
               (strlen(known.name) != length || strncmp(known.name, text, length) != 0))
            index++;
        uint64_t value;
        if (lint->session->target && !gpucode_lint_limit_at(lint->input->target, index, &known, NULL))
            continue;
        if (count + 1 >= LIMITS_MAX || length >= 64 || !equals || !number_read(equals + 1, UINT64_MAX, &value) ||
            !gpucode_lint_limit_at(lint->input->target, index, &known, NULL)) {
            char hint[256] = "limits:";
            for (index = 0; gpucode_lint_limit_at(lint->input->target, index, &known, NULL); index++) {
                size_t used = strlen(hint);
                snprintf(hint + used, sizeof hint - used, " %s=%" PRIu64, known.name, known.value);
            }
            return complain(&lint->session->diagnostics, CLI_POLICY, NULL, hint, text);
        }
        memcpy(names[count], text, length);
        names[count][length] = 0;
        limits[count] = (struct gpucode_lint_limit){names[count], value};
        count++;
    }
    return EXIT_DONE;
}

/* Those of the source, where the set has them, and those of --entries. */
static int read_entries(struct lint *lint, uint64_t *entries, unsigned *count)
{
    const char *text = lint->session->arguments.value[OPTION_ENTRY_POINTS];
    *count = facts_entries(lint->input->program, entries);
    for (const char *at = text; at && *at; at += *at == ',') {
        uint64_t entry;
        if (!number_take(&at, &entry) || (*at && *at != ',') || *count == FACTS_ENTRIES_MAX)
            return complain(&lint->session->diagnostics, CLI_ENTRY_POINTS, NULL, NULL, text);
        entries[(*count)++] = entry;
    }
    return EXIT_DONE;
}

/* Complains of a code in --ignore that no rule has. */
static int check_ignored(struct session *session)
{
    const char *list;
    char code[64];
    for (unsigned i = 0; (list = arguments_value_at(&session->arguments, OPTION_IGNORE, i)); i++)
        for (const char *at = list; *at; at += *at == ',') {
            size_t length = strcspn(at, ",");
            snprintf(code, sizeof code, "%.*s", (int)(length < sizeof code ? length : sizeof code - 1), at);
            if (!gpucode_explain(code))
                return complain(&session->diagnostics, CLI_CODE, NULL, "`gpucode explain` lists the codes", code);
            at += length;
        }
    return EXIT_DONE;
}

static int check_input(struct lint *lint)
{
    struct gpucode_lint_limit limits[LIMITS_MAX] = {{0}};
    char names[LIMITS_MAX][64];
    uint64_t entries[FACTS_ENTRIES_MAX];
    unsigned entry_count = 0, count = 0;
    int code = check_ignored(lint->session);
    if (!code)
        code = read_limits(lint, limits, names);
    if (!code)
        code = read_entries(lint, entries, &entry_count);
    if (code)
        return code;
    unsigned declared = 0;
    struct gpucode_declaration *declarations = facts_declarations(lint->input->program, &declared);
    if (!declarations)
        return out_of_memory(&lint->session->diagnostics);
    struct gpucode_lint_options options = {.report = findings_take,
                                           .user = &lint->findings,
                                           .limits = limits,
                                           .entries = entry_count ? entries : NULL,
                                           .entry_count = entry_count,
                                           .declarations = declarations,
                                           .declaration_count = declared};
    lint->findings.answer = answer_begin(lint->session);
    enum gpucode_status status = gpucode_lint(lint->input->image, &options, &count);
    free(declarations);
    bool shown = findings_show(&lint->findings);
    if ((code = answer_end(lint->session, lint->findings.answer)) != 0)
        return code;
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&lint->session->diagnostics, CLI_CANNOT, lint->input->file.name, NULL,
                        gpucode_target_isa(lint->input->target), "lint");
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&lint->session->diagnostics, CLI_TANGLED, lint->input->file.name, NULL);
    if (status != GPUCODE_OK || !shown)
        return out_of_memory(&lint->session->diagnostics);
    const struct findings *findings = &lint->findings;
    unsigned told = findings->errors + findings->warnings + findings->notes + findings->ignored;
    if (!lint->session->json)
        findings_total(findings, count > told ? count - told : 0);
    return findings->errors || findings->warnings || count > told ? EXIT_FINDINGS : EXIT_DONE;
}

int command_lint(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    struct lint lint = {.session = session, .input = &input, .findings = {.session = session, .input = &input}};
    code = input_check_whole(session, &input);
    if (!code)
        code = check_input(&lint);
    input_close(&input);
    return code;
}
