/* SPDX-License-Identifier: MIT */
/* gpucode help --schema: what --json prints, as JSON Schema. */
#include "cli/help.h"
#include "front/answer.h"
#include "front/session.h"
#include <gpucode/report.h>
#include <gpucode/shader.h>
#include <gpucode/stream_decode.h>

#include "kit/kit.h"
#include <gpucode/crash.h>

#include <gpucode/coverage.h>
#include <stdlib.h>
#include <string.h>

/* Here, and not in help.c, which calls this file. */
#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_HELP
#include <gpucode/answer_rows.h>
static ANSWER_TABLE(help, "Commands and their options.");

#define COMMAND_TABLE(name) extern const struct gpucode_answer_table name##_answer_table;
#define LIBRARY_TABLE(name, function)
#include "cli/schema.def"

/* Number `index` of all tables, those of the sets last; null after the last. Several may be of one command. */
static const struct gpucode_answer_table *table_at(unsigned index)
{
    const struct kit *kit;
    unsigned count = 0;
#define COMMAND_TABLE(name)                                                                                            \
    if (count++ == index)                                                                                              \
        return &name##_answer_table;
#define LIBRARY_TABLE(name, function)                                                                                  \
    if (count++ == index)                                                                                              \
        return function();
#include "cli/schema.def"
    for (unsigned i = 0; (kit = kit_at(i)); i++) {
        if (kit->explain_table && count++ == index)
            return kit->explain_table();
        for (const struct gpucode_answer_table *const *table = kit->answers; table && *table; table++)
            if (count++ == index)
                return *table;
    }
    return NULL;
}

static bool is_first_of_name(unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (strcmp(table_at(i)->name, table_at(index)->name) == 0)
            return false;
    return true;
}

/* The schema of a command: what it prints fits one of its tables. */
static void put_schema(struct gpucode_answer *answer, unsigned first)
{
    const struct gpucode_answer_table *table;
    struct gpucode_answer_table all = *table_at(first);
    struct gpucode_answer_field *rows = NULL;
    all.count = 0;
    for (unsigned i = first; (table = table_at(i)); i++) {
        if (strcmp(table->name, all.name) != 0)
            continue;
        struct gpucode_answer_field *grown = realloc(rows, (all.count + table->count) * sizeof *rows);
        if (!grown) {
            gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
            break;
        }
        rows = grown;
        memcpy(rows + all.count, table->fields, table->count * sizeof *rows);
        all.count += table->count;
        all.fields = rows;
    }
    gpucode_answer_schema(&all, answer);
    free(rows);
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
        if ((name && strcmp(name, table->name) != 0) || !is_first_of_name(i))
            continue;
        any = true;
        if (!name)
            gpucode_answer_key(answer, table->name);
        put_schema(answer, i);
    }
    if (!name)
        gpucode_answer_end(answer);
    int code = answer_end(session, answer);
    return !code && !any ? complain(&session->diagnostics, CLI_NO_SCHEMA, NULL, "`gpucode help --schema`", name) : code;
}
