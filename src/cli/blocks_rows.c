/* SPDX-License-Identifier: MIT */
/* Two sides that were paired, as rows that are read from top to bottom, and the edits that lead from one to the other.
 */
#include "cli/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_rows(const struct block_side side[2], struct block_rows *rows)
{
    uint32_t i = 0, k = 0;
    rows->count = 0;
    rows->list = calloc((size_t)side[0].line_count + side[1].line_count + 1, sizeof *rows->list);
    if (!rows->list)
        return false;
    while (i < side[0].line_count || k < side[1].line_count) {
        struct block_row row = {{GPUCODE_NONE, GPUCODE_NONE}, false};
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

static const char *text_of(const struct block_side side[2], const struct block_row *row, unsigned which)
{
    return row->line[which] == GPUCODE_NONE ? NULL : side[which].lines[row->line[which]].text;
}

void blocks_text(const struct block_side side[2], unsigned which, uint32_t line, char text[BLOCK_TEXT_MAX])
{
    const struct block_line *shown = &side[which].lines[line];
    const char *place = strchr(shown->text, '_');
    if (place && shown->target != GPUCODE_NONE && shown->target < side[which].line_count)
        snprintf(text, BLOCK_TEXT_MAX, "%.*sl%u%s", (int)(place - shown->text), shown->text,
                 (unsigned)side[which].lines[shown->target].unit, place + 1);
    else
        snprintf(text, BLOCK_TEXT_MAX, "%s", shown->text);
}

/* --- edits --- */

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct block_edit *)a)->text, ((const struct block_edit *)b)->text);
}

static int by_count(const void *a, const void *b)
{
    const struct block_edit *left = a, *right = b;
    return left->count != right->count ? (left->count > right->count ? -1 : 1) : by_text(a, b);
}

static bool add_edit(struct block_edits *edits, const char *old, const char *new)
{
    size_t room = (old ? strlen(old) : 0) + (new ? strlen(new) : 0) + 8;
    char *text = malloc(room);
    if (!text)
        return false;
    if (old && new)
        snprintf(text, room, "%s -> %s", old, new);
    else
        snprintf(text, room, "%c %s", old ? '-' : '+', old ? old : new);
    edits->list[edits->count++] = (struct block_edit){text, 1};
    return true;
}

/* Does the row have a line that the other side lacks? */
static bool is_edit(const struct block_side side[2], const struct block_row *row)
{
    for (unsigned i = 0; i < 2; i++)
        if (row->line[i] != GPUCODE_NONE && side[i].lines[row->line[i]].pair == GPUCODE_NONE)
            return true;
    return false;
}

/* Of lines that are edited together the first is replaced by the first, and so on. */
static bool collect(const struct block_side side[2], const struct block_rows *rows, struct block_edits *edits)
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

static void join(struct block_edits *edits)
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

bool blocks_difference(const struct block_side side[2], struct block_difference *difference)
{
    struct block_edits edits = {0};
    struct block_rows rows = {0};
    bool good = make_rows(side, &rows) && collect(side, &rows, &edits);
    if (good)
        join(&edits);
    *difference = (struct block_difference){rows, edits};
    return good;
}

void blocks_difference_free(struct block_difference *difference)
{
    for (size_t i = 0; i < difference->edits.count; i++)
        free(difference->edits.list[i].text);
    free(difference->edits.list);
    free(difference->rows.list);
}
