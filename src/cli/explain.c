/* SPDX-License-Identifier: MIT */
/* gpucode explain: what a message means. */
#include "front/arguments.h"
#include "front/report.h"
#include "front/session.h"
#include "front/terminal.h"

#include <gpucode/diagnostic.h>
#include <gpucode/lint.h>
#include <gpucode/target.h>
#include <stdio.h>
#include <string.h>

/* The library's codes first, then the command line's. */
static const char *code_at(unsigned index)
{
    unsigned library = 0;
    const char *code = gpucode_diagnostic_code(index);
    if (code)
        return code;
    while (gpucode_diagnostic_code(library))
        library++;
    return cli_diagnostic_code(index - library);
}

static const char *explanation(const char *code)
{
    const char *text = gpucode_explain(code);
    return text ? text : cli_explain(code);
}

/* What a rule of lint finds, of whatever instruction set. */
static bool find_example(const char *code, struct gpucode_lint_example *example)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        if (gpucode_lint_example(target, code, example))
            return true;
    return false;
}

/* Labels at the margin, instructions behind them. */
static void print_code(const char *title, const char *text)
{
    printf("\n%s\n", title);
    for (const char *line = text, *end; *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        printf("%s%.*s\n", end > line && end[-1] == ':' ? "    " : "        ", (int)(end - line), line);
        if (!*end)
            break;
    }
}

static void print_example(const char *code)
{
    struct gpucode_lint_example example;
    char title[64];
    if (!find_example(code, &example))
        return;
    snprintf(title, sizeof title, "found (%s):", example.target);
    print_code(title, example.wrong);
    print_code("not found:", example.right);
}

/* All codes, or one, as a table or as objects. */
static void tell_codes(const struct session *session, const char *only)
{
    struct report report = report_begin_indented(session);
    const char *code;
    report_array(&report, "messages");
    for (unsigned i = 0; (code = code_at(i)); i++) {
        if (only && strcmp(only, code) != 0)
            continue;
        report_object(&report, NULL);
        report_column(&report, "code", 24, code);
        report_string(&report, "explanation", " %s\n", explanation(code));
        struct gpucode_lint_example example;
        if (session->json && find_example(code, &example)) {
            report_string(&report, "example_target", "", example.target);
            report_string(&report, "example_found", "", example.wrong);
            report_string(&report, "example_not_found", "", example.right);
        }
        report_end(&report);
    }
    report_end(&report);
    report_end(&report);
}

int command_explain(struct session *session)
{
    const char *wanted = session->arguments.operand_count ? session->arguments.operands[0] : NULL, *code;
    if (wanted && !explanation(wanted)) {
        struct spelling spelling = spelling_begin(wanted);
        char hint[192] = "`gpucode explain` lists them";
        for (unsigned i = 0; (code = code_at(i)); i++)
            spelling_offer(&spelling, code);
        if (spelling.best[0])
            snprintf(hint, sizeof hint, "did you mean '%s'?", spelling.best);
        return complain(&session->diagnostics, CLI_CODE, NULL, hint, wanted);
    }
    if (wanted && !session->json) {
        wrap_text(stdout, explanation(wanted), 0, 0, 78);
        print_example(wanted);
    } else
        tell_codes(session, wanted);
    return EXIT_DONE;
}
