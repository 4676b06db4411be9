/* SPDX-License-Identifier: MIT */
/* gpucode explain: what a message means. */
#include "front/json.h"
#include "front/session.h"
#include "front/spelling.h"

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

static void put_json(const char *only)
{
    struct json json = {.out = stdout, .indent = true};
    const char *code;
    json_object(&json, NULL);
    json_array(&json, "messages");
    for (unsigned i = 0; (code = code_at(i)); i++) {
        if (only && strcmp(only, code) != 0)
            continue;
        json_object(&json, NULL);
        json_string(&json, "code", code);
        json_string(&json, "explanation", explanation(code));
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

/* Breaks at spaces so that lines stay readable on any terminal. */
static void put_wrapped(const char *text)
{
    const size_t width = 78;
    while (strlen(text) > width) {
        size_t cut = width;
        while (cut && text[cut] != ' ')
            cut--;
        if (!cut)
            break;
        printf("%.*s\n", (int)cut, text);
        text += cut + 1;
    }
    printf("%s\n", text);
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
    if (session->json)
        put_json(wanted);
    else if (wanted)
        put_wrapped(explanation(wanted));
    else
        for (unsigned i = 0; (code = code_at(i)); i++)
            printf("%-24s %s\n", code, explanation(code));
    return EXIT_DONE;
}
