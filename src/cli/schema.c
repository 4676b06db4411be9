/* SPDX-License-Identifier: MIT */
/* gpucode help --schema: what --json prints, as JSON Schema. */
#include "cli/help.h"
#include "front/answer.h"
#include "front/session.h"
#include <gpucode/stream_decode.h>

#include <string.h>

#define COMMAND_TABLE(name) extern const struct gpucode_answer_table name##_answer_table;
#define LIBRARY_TABLE(name, function)
#include "cli/schema.def"

static const struct gpucode_answer_table *table_at(unsigned index)
{
    unsigned count = 0;
#define COMMAND_TABLE(name)                                                                                            \
    if (count++ == index)                                                                                              \
        return &name##_answer_table;
#define LIBRARY_TABLE(name, function)                                                                                  \
    if (count++ == index)                                                                                              \
        return function();
#include "cli/schema.def"
    return NULL;
}

static const struct gpucode_answer_field all = {.kind = GPUCODE_ANSWER_OBJECT, .text = "%s"};

int help_schema(struct session *session, const char *name)
{
    const struct gpucode_answer_table *table;
    struct gpucode_answer *answer;
    bool json = session->json, any = false;
    session->json = true;
    answer = answer_begin_indented(session);
    session->json = json;
    if (!name)
        gpucode_answer_begin(answer, &all);
    for (unsigned i = 0; (table = table_at(i)); i++) {
        if (name && strcmp(name, table->name) != 0)
            continue;
        any = true;
        if (!name)
            gpucode_answer_key(answer, table->name);
        gpucode_answer_schema(table, answer);
    }
    if (!name)
        gpucode_answer_end(answer);
    int code = answer_end(session, answer);
    return !code && !any ? complain(&session->diagnostics, CLI_NO_SCHEMA, NULL, "`gpucode help --schema`", name) : code;
}
