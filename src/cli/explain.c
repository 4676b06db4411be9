/* SPDX-License-Identifier: MIT */
/* gpucode explain: what a message means. */
#include "front/report.h"
#include "front/session.h"
#include "front/spelling.h"
#include "front/wrap.h"

#include <gpucode/diagnostic.h>
#include <string.h>

int command_explain(struct session *session);

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
    if (wanted && !session->json)
        wrap_text(stdout, explanation(wanted), 0, 0, 78);
    else
        tell_codes(session, wanted);
    return EXIT_DONE;
}
