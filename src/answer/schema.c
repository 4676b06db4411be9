/* SPDX-License-Identifier: MIT */
/* JSON Schema (draft 7) of a table of fields. */
#include "answer/answer.h"

#include <string.h>

enum { SCHEMA, MEMBER, WORD, FLAG, LEAST, MAP, ITEMS };

static const struct gpucode_answer_field rows[] = {
    [SCHEMA] = {.kind = GPUCODE_ANSWER_OBJECT}, [MEMBER] = {.kind = GPUCODE_ANSWER_OBJECT},
    [WORD] = {.kind = GPUCODE_ANSWER_TEXT},     [FLAG] = {.kind = GPUCODE_ANSWER_FLAG},
    [LEAST] = {.kind = GPUCODE_ANSWER_COUNT},   [MAP] = {.kind = GPUCODE_ANSWER_OBJECT},
    [ITEMS] = {.kind = GPUCODE_ANSWER_LIST},
};

static void text(struct gpucode_answer *out, const char *key, const char *value)
{
    gpucode_answer_key(out, key);
    gpucode_answer_text(out, &rows[WORD], value);
}

static void begin(struct gpucode_answer *out, const char *key, unsigned row)
{
    gpucode_answer_key(out, key);
    gpucode_answer_begin(out, &rows[row]);
}

/* The row after the one, with all that it holds. */
static const struct gpucode_answer_field *after(const struct gpucode_answer_field *row)
{
    unsigned depth = 0;
    do {
        depth += row->kind == GPUCODE_ANSWER_OBJECT || row->kind == GPUCODE_ANSWER_LIST;
        depth -= row->kind == GPUCODE_ANSWER_CLOSE;
        row++;
    } while (depth);
    return row;
}

static void put_row(struct gpucode_answer *out, const struct gpucode_answer_field *row);

/* Have two rows one key? A member that is now of one kind and now of another has a row for each, one after another. */
static bool is_same_key(const struct gpucode_answer_field *row, const struct gpucode_answer_field *next)
{
    return row->key && next->key && strcmp(row->key, next->key) == 0;
}

/* Calls put() for the members of an object: those of parts that are for text alone are among them. */
static void each_member(struct gpucode_answer *out, const struct gpucode_answer_field *row,
                        void (*put)(struct gpucode_answer *out, const struct gpucode_answer_field *row, bool optional),
                        bool optional)
{
    const struct gpucode_answer_field *before = row++;
    for (; row->kind != GPUCODE_ANSWER_CLOSE; before = row, row = after(row))
        if (is_same_key(before, row))
            continue;
        else if (row->key)
            put(out, row, row->optional || optional);
        else if (row->kind == GPUCODE_ANSWER_OBJECT || row->kind == GPUCODE_ANSWER_LIST)
            each_member(out, row, put, true);
}

static void put_choice(struct gpucode_answer *out, const struct gpucode_answer_field *row)
{
    gpucode_answer_begin(out, &rows[MEMBER]);
    put_row(out, row);
    gpucode_answer_end(out);
}

static void put_member(struct gpucode_answer *out, const struct gpucode_answer_field *row, bool optional)
{
    const struct gpucode_answer_field *next = after(row);
    (void)optional;
    begin(out, row->key, MEMBER);
    if (is_same_key(row, next)) {
        begin(out, "anyOf", ITEMS);
        put_choice(out, row);
        put_choice(out, next);
        gpucode_answer_end(out);
    } else {
        put_row(out, row);
    }
    gpucode_answer_end(out);
}

static void put_required(struct gpucode_answer *out, const struct gpucode_answer_field *row, bool optional)
{
    if (!optional)
        gpucode_answer_text(out, &rows[WORD], row->key);
}

/* An object whose keys are names of something has one row, without a key. */
static bool is_map(const struct gpucode_answer_field *row)
{
    return strcmp(row->unit, "map") == 0;
}

static void put_object(struct gpucode_answer *out, const struct gpucode_answer_field *row)
{
    text(out, "type", "object");
    if (is_map(row)) {
        begin(out, "additionalProperties", MAP);
        put_row(out, row + 1);
        gpucode_answer_end(out);
        return;
    }
    begin(out, "properties", MAP);
    each_member(out, row, put_member, false);
    gpucode_answer_end(out);
    begin(out, "required", ITEMS);
    each_member(out, row, put_required, false);
    gpucode_answer_end(out);
    gpucode_answer_key(out, "additionalProperties");
    gpucode_answer_flag(out, &rows[FLAG], false);
}

/*
 * Calls put() for rows that one of several values may fit, and returns how many these are. Outside of everything else
 * the items of a list are values of their own, and what has no key and no members is for text alone.
 */
static unsigned each_choice(struct gpucode_answer *out, const struct gpucode_answer_field *row,
                            const struct gpucode_answer_field *end, bool outermost,
                            void (*put)(struct gpucode_answer *out, const struct gpucode_answer_field *row))
{
    unsigned count = 0;
    for (; row < end; row = after(row)) {
        if (outermost && row->kind == GPUCODE_ANSWER_LIST && !row->key) {
            count += each_choice(out, row + 1, after(row) - 1, true, put);
        } else if (!outermost || row->kind == GPUCODE_ANSWER_OBJECT || row->key) {
            if (put)
                put(out, row);
            count++;
        }
    }
    return count;
}

static void put_choices(struct gpucode_answer *out, const struct gpucode_answer_field *row,
                        const struct gpucode_answer_field *end, bool outermost)
{
    if (each_choice(out, row, end, outermost, NULL) == 1) {
        each_choice(out, row, end, outermost, put_row);
        return;
    }
    begin(out, "anyOf", ITEMS);
    each_choice(out, row, end, outermost, put_choice);
    gpucode_answer_end(out);
}

static void put_list(struct gpucode_answer *out, const struct gpucode_answer_field *row)
{
    text(out, "type", "array");
    begin(out, "items", MEMBER);
    put_choices(out, row + 1, after(row) - 1, false);
    gpucode_answer_end(out);
}

static void put_text(struct gpucode_answer *out, const char *values)
{
    text(out, "type", "string");
    if (!strchr(values, '|'))
        return;
    begin(out, "enum", ITEMS);
    for (size_t length; *values; values += length + (values[length] == '|')) {
        length = strcspn(values, "|");
        gpucode_answer_bytes(out, &rows[WORD], values, length);
    }
    gpucode_answer_end(out);
}

/* Null is allowed where the row says so. */
static void put_type(struct gpucode_answer *out, const struct gpucode_answer_field *row)
{
    switch (row->kind) {
    case GPUCODE_ANSWER_OBJECT:
        put_object(out, row);
        break;
    case GPUCODE_ANSWER_LIST:
        put_list(out, row);
        break;
    case GPUCODE_ANSWER_TEXT:
        put_text(out, row->unit);
        break;
    case GPUCODE_ANSWER_COUNT:
    case GPUCODE_ANSWER_PLACE:
        text(out, "type", "integer");
        gpucode_answer_key(out, "minimum");
        gpucode_answer_number(out, &rows[LEAST], 0);
        break;
    case GPUCODE_ANSWER_HEX:
        text(out, "type", "string");
        text(out, "pattern", "^0x[0-9a-f]+$");
        break;
    case GPUCODE_ANSWER_WORD:
        text(out, "type", "string");
        text(out, "pattern", "^[0-9a-f]{8}([0-9a-f]{8})?$");
        break;
    case GPUCODE_ANSWER_SIGNED:
        text(out, "type", "integer");
        break;
    case GPUCODE_ANSWER_REAL:
        begin(out, "anyOf", ITEMS);
        gpucode_answer_begin(out, &rows[MEMBER]);
        text(out, "type", "number");
        gpucode_answer_end(out);
        gpucode_answer_begin(out, &rows[MEMBER]);
        text(out, "pattern", "^-?(nan|inf)$");
        gpucode_answer_end(out);
        gpucode_answer_end(out);
        break;
    case GPUCODE_ANSWER_FLAG:
        text(out, "type", "boolean");
        break;
    default:
        text(out, "type", "null");
        break;
    }
}

static void put_row(struct gpucode_answer *out, const struct gpucode_answer_field *row)
{
    if (row->meaning && *row->meaning)
        text(out, "description", row->meaning);
    if (*row->unit && row->kind != GPUCODE_ANSWER_TEXT && !is_map(row))
        text(out, "$comment", row->unit);
    if (!row->may_be_null) {
        put_type(out, row);
        return;
    }
    begin(out, "anyOf", ITEMS);
    gpucode_answer_begin(out, &rows[MEMBER]);
    text(out, "type", "null");
    gpucode_answer_end(out);
    gpucode_answer_begin(out, &rows[MEMBER]);
    put_type(out, row);
    gpucode_answer_end(out);
    gpucode_answer_end(out);
}

void gpucode_answer_schema(const struct gpucode_answer_table *table, struct gpucode_answer *schema)
{
    if (!table || !schema)
        return;
    gpucode_answer_begin(schema, &rows[SCHEMA]);
    text(schema, "$schema", "http://json-schema.org/draft-07/schema#");
    text(schema, "title", table->meaning);
    put_choices(schema, table->fields, table->fields + table->count, true);
    gpucode_answer_end(schema);
}
