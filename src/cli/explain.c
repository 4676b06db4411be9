/* SPDX-License-Identifier: MIT */
/* gpucode explain: what a message means. */
#include "front/answer.h"
#include "front/arguments.h"
#include "front/input.h"
#include "front/output.h"
#include "front/session.h"
#include "kit/kit.h"

#include <gpucode/diagnostic.h>
#include <gpucode/lint.h>
#include <gpucode/target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_EXPLAIN
#include <gpucode/answer_rows.h>
ANSWER_TABLE(explain, "What messages mean.");

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

/* Lines of an example as text shows them: labels at the margin, instructions further in. *text is malloc'ed. */
static bool shift_code(const char *code, char **text, size_t *length)
{
    FILE *out = text_stream_open(text, length);
    for (const char *line = code, *end; out && *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        fwrite("        ", 1, end > line && end[-1] == ':' ? 4 : 8, out);
        fwrite(line, 1, (size_t)(end - line), out);
        fwrite("\n", 1, 1, out);
    }
    return out && text_stream_close(out);
}

static void tell_code(const struct session *session, struct gpucode_answer *answer, unsigned field, const char *code)
{
    char *text = NULL;
    size_t length = 0;
    if (session->json)
        gpucode_answer_text(answer, &fields[field], code);
    else if (shift_code(code, &text, &length))
        gpucode_answer_bytes(answer, &fields[field], text, length);
    else
        gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
    free(text);
}

/* All codes, or one; text shows the example of that one. */
static int tell_codes(struct session *session, const char *only)
{
    struct gpucode_answer *answer = answer_begin_indented(session);
    struct gpucode_lint_example example;
    const char *code;
    gpucode_answer_begin(answer, &fields[ALL]);
    gpucode_answer_begin(answer, &fields[MESSAGES]);
    for (unsigned i = 0; (code = code_at(i)); i++) {
        if (only && strcmp(only, code) != 0)
            continue;
        gpucode_answer_begin(answer, &fields[MESSAGE]);
        gpucode_answer_text(answer, &fields[CODE], code);
        gpucode_answer_text(answer, &fields[CODE_SHOWN], only ? NULL : code);
        gpucode_answer_text(answer, &fields[EXPLANATION], explanation(code));
        if ((only || session->json) && find_example(code, &example)) {
            gpucode_answer_text(answer, &fields[EXAMPLE_TARGET], example.target);
            tell_code(session, answer, EXAMPLE_FOUND, example.wrong);
            tell_code(session, answer, EXAMPLE_NOT_FOUND, example.right);
        }
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}

/* The operand is not code, but there is a file of that name. */
static bool is_file(const char *name)
{
    struct stat status;
    return strcmp(name, "-") == 0 || stat(name, &status) == 0 || strpbrk(name, "./");
}

static int explain_file(struct session *session, const char *path)
{
    struct input input;
    int code = input_open(session, path, &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = input_check_whole(session, &input);
    if (!code)
        code = kit && kit->explain ? kit->explain(session, &input)
                                   : complain(&session->diagnostics, CLI_CANNOT, path, NULL,
                                              gpucode_target_isa(input.target), "explain");
    input_close(&input);
    return code;
}

int command_explain(struct session *session)
{
    const char *wanted = session->arguments.operand_count ? session->arguments.operands[0] : NULL, *code;
    if (wanted && !explanation(wanted) && is_file(wanted))
        return explain_file(session, wanted);
    if (wanted && !explanation(wanted)) {
        struct spelling spelling = spelling_begin(wanted);
        char hint[192] = "`gpucode explain` lists them";
        for (unsigned i = 0; (code = code_at(i)); i++)
            spelling_offer(&spelling, code);
        if (spelling.best[0])
            snprintf(hint, sizeof hint, "did you mean '%s'?", spelling.best);
        return complain(&session->diagnostics, CLI_CODE, NULL, hint, wanted);
    }
    return tell_codes(session, wanted);
}
