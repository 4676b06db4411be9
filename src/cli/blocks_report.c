/* SPDX-License-Identifier: MIT */
/* What `diff` tells of two programs that are compared by blocks. */
#include "cli/blocks.h"

#include "front/json.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3 /* lines that are the same, around those that are not */

/* Two sides read together: a line of the old one, of the new one, or one that is both. */
struct row {
    uint32_t line[2];
    bool same;
};

struct rows {
    struct row *list;
    uint32_t count;
};

static bool make_rows(const struct block_side side[2], struct rows *rows)
{
    uint32_t i = 0, k = 0;
    rows->count = 0;
    rows->list = calloc((size_t)side[0].line_count + side[1].line_count + 1, sizeof *rows->list);
    if (!rows->list)
        return false;
    while (i < side[0].line_count || k < side[1].line_count) {
        struct row row = {{GPUCODE_NONE, GPUCODE_NONE}, false};
        bool gone = i < side[0].line_count && side[0].lines[i].pair == GPUCODE_NONE;
        bool new = k < side[1].line_count &&side[1].lines[k].pair == GPUCODE_NONE;
        row.same = !gone && !new &&blocks_same(side, i, k);
        if (gone || !new)
            row.line[GPUCODE_OLD] = i++;
        if (new || !gone)
            row.line[GPUCODE_NEW] = k++;
        rows->list[rows->count++] = row;
    }
    return true;
}

static const char *text_of(const struct block_side side[2], const struct row *row, unsigned which)
{
    return row->line[which] == GPUCODE_NONE ? NULL : side[which].lines[row->line[which]].text;
}

/* --- edits --- */

struct edit {
    char *text;
    unsigned count;
};

struct edits {
    struct edit *list;
    size_t count;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct edit *)a)->text, ((const struct edit *)b)->text);
}

static int by_count(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    return left->count != right->count ? (left->count > right->count ? -1 : 1) : by_text(a, b);
}

static bool add_edit(struct edits *edits, const char *old, const char *new)
{
    size_t room = (old ? strlen(old) : 0) + (new ? strlen(new) : 0) + 8;
    char *text = malloc(room);
    if (!text)
        return false;
    if (old && new)
        snprintf(text, room, "%s -> %s", old, new);
    else
        snprintf(text, room, "%c %s", old ? '-' : '+', old ? old : new);
    edits->list[edits->count++] = (struct edit){text, 1};
    return true;
}

/* Does the row have a line that the other side lacks? */
static bool is_edit(const struct block_side side[2], const struct row *row)
{
    for (unsigned i = 0; i < 2; i++)
        if (row->line[i] != GPUCODE_NONE && side[i].lines[row->line[i]].pair == GPUCODE_NONE)
            return true;
    return false;
}

/* Of lines that are edited together the first is replaced by the first, and so on. */
static bool collect(const struct block_side side[2], const struct rows *rows, struct edits *edits)
{
    edits->list = calloc((size_t)rows->count + 1, sizeof *edits->list);
    bool good = edits->list;
    for (uint32_t i = 0; good && i < rows->count; i++) {
        uint32_t at[2] = {i, i};
        while (i < rows->count && is_edit(side, &rows->list[i]))
            i++;
        for (bool more = at[0] < i; good && more;) {
            const char *text[2] = {NULL, NULL};
            for (unsigned k = 0; k < 2; k++) {
                while (at[k] < i && rows->list[at[k]].line[k] == GPUCODE_NONE)
                    at[k]++;
                text[k] = at[k] < i ? text_of(side, &rows->list[at[k]++], k) : NULL;
            }
            more = text[0] || text[1];
            good = !more || add_edit(edits, text[0], text[1]);
        }
    }
    return good;
}

static void join(struct edits *edits)
{
    size_t count = 0;
    qsort(edits->list, edits->count, sizeof *edits->list, by_text);
    for (size_t i = 0; i < edits->count; i++)
        if (count && strcmp(edits->list[count - 1].text, edits->list[i].text) == 0) {
            edits->list[count - 1].count += edits->list[i].count;
            free(edits->list[i].text);
        } else {
            edits->list[count++] = edits->list[i];
        }
    edits->count = count;
    qsort(edits->list, edits->count, sizeof *edits->list, by_count);
}

/* --- text --- */

static void put_line(const struct block_side side[2], char mark, const uint32_t line[2])
{
    unsigned which = line[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    const struct block_line *shown = &side[which].lines[line[which]];
    putchar(mark);
    for (unsigned i = GPUCODE_OLD; i <= GPUCODE_NEW; i++)
        if (line[i] == GPUCODE_NONE)
            printf(" %5s", "");
        else
            printf(" %5u", (unsigned)side[i].lines[line[i]].unit);
    const char *place = strchr(shown->text, '_');
    if (place && shown->target != GPUCODE_NONE && shown->target < side[which].line_count)
        printf("  %.*sl%u%s\n", (int)(place - shown->text), shown->text,
               (unsigned)side[which].lines[shown->target].unit, place + 1);
    else
        printf("  %s\n", shown->text);
}

static void put_rows(const struct block_side side[2], const struct rows *rows)
{
    uint32_t shown = 0; /* rows up to this one are shown, or were passed over */
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->list[i].same)
            continue;
        uint32_t from = i > CONTEXT ? i - CONTEXT : 0;
        if (from > shown)
            puts("  ...");
        else
            from = shown;
        for (; from < i; from++)
            put_line(side, ' ', rows->list[from].line);
        const struct row *row = &rows->list[i];
        for (unsigned which = GPUCODE_OLD; which <= GPUCODE_NEW; which++) {
            uint32_t line[2] = {GPUCODE_NONE, GPUCODE_NONE};
            line[which] = row->line[which];
            if (line[which] != GPUCODE_NONE)
                put_line(side, which == GPUCODE_OLD ? '-' : '+', line);
        }
        shown = i + 1;
        for (; shown < rows->count && shown <= i + CONTEXT && rows->list[shown].same; shown++)
            put_line(side, ' ', rows->list[shown].line);
    }
}

static void put_text(const struct block_side side[2], const struct rows *rows, const struct edits *edits)
{
    unsigned counts[GPUCODE_CHANGE_GONE + 1] = {0}, put = 0;
    for (uint32_t i = 0; i < side[1].block_count; i++)
        counts[side[1].blocks[i].change]++;
    for (uint32_t i = 0; i < side[0].block_count; i++)
        counts[GPUCODE_CHANGE_GONE] += side[0].blocks[i].change == GPUCODE_CHANGE_GONE;
    printf("blocks:");
    for (unsigned i = 0; i <= GPUCODE_CHANGE_GONE; i++)
        if (counts[i])
            printf("%s %u %s", put++ ? "," : "", counts[i], gpucode_change_name(i));
    putchar('\n');
    put_rows(side, rows);
    if (edits->count)
        puts("edits:");
    for (size_t i = 0; i < edits->count; i++)
        printf("  %s, %u place%s\n", edits->list[i].text, edits->list[i].count, edits->list[i].count > 1 ? "s" : "");
}

/* --- JSON --- */

static void put_block(struct json *json, const struct block_side side[2], uint32_t old, uint32_t new)
{
    const uint32_t number[2] = {old, new};
    json_object(json, NULL);
    for (unsigned i = GPUCODE_OLD; i <= GPUCODE_NEW; i++) {
        const char *key = i == GPUCODE_OLD ? "old_words" : "new_words";
        if (number[i] == GPUCODE_NONE)
            json_null(json, key);
        else
            json_number(json, key, side[i].lines[side[i].blocks[number[i]].first].unit);
    }
    json_string(json, "status",
                gpucode_change_name(new == GPUCODE_NONE ? side[0].blocks[old].change : side[1].blocks[new].change));
    json_end(json);
}

static void put_json(const struct block_side side[2], const struct edits *edits)
{
    struct json json = {.out = stdout, .indent = true};
    json_object(&json, NULL);
    json_array(&json, "blocks");
    for (uint32_t i = 0; i < side[1].block_count; i++)
        put_block(&json, side, side[1].blocks[i].pair, i);
    for (uint32_t i = 0; i < side[0].block_count; i++)
        if (side[0].blocks[i].pair == GPUCODE_NONE)
            put_block(&json, side, i, GPUCODE_NONE);
    json_end(&json);
    json_array(&json, "edits");
    for (size_t i = 0; i < edits->count; i++) {
        json_object(&json, NULL);
        json_string(&json, "text", edits->list[i].text);
        json_number(&json, "count", edits->list[i].count);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

/* --- all --- */

static int compare_sides(struct session *session, struct block_side side[2])
{
    struct rows rows = {0};
    struct edits edits = {0};
    bool differs = false;
    bool good = blocks_pair(side) && make_rows(side, &rows) && collect(side, &rows, &edits);
    if (good) {
        join(&edits);
        if (session->json)
            put_json(side, &edits);
        else
            put_text(side, &rows, &edits);
        for (uint32_t i = 0; i < rows.count; i++)
            differs |= !rows.list[i].same;
    }
    for (size_t i = 0; i < edits.count; i++)
        free(edits.list[i].text);
    free(edits.list);
    free(rows.list);
    if (!good)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    return differs ? EXIT_FINDINGS : EXIT_DONE;
}

int blocks_report(struct session *session, const struct input *before, const struct input *after)
{
    struct block_side side[2] = {{0}};
    bool good = gpucode_image_info(before->image)->section_count && gpucode_image_info(after->image)->section_count;
    int code = EXIT_DONE;
    if (!good || !blocks_read(&side[0], before, 0) || !blocks_read(&side[1], after, 0))
        code = complain(&session->diagnostics, good ? CLI_MEMORY : CLI_CANNOT, NULL, NULL,
                        gpucode_target_isa(before->target), session->command->name);
    else if (!side[0].instructions && !side[1].instructions)
        code = complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(before->target),
                        session->command->name);
    else
        code = compare_sides(session, side);
    for (unsigned i = 0; i < 2; i++)
        blocks_free(&side[i]);
    return code;
}
