/* SPDX-License-Identifier: MIT */
/* What `diff` tells of two programs that are compared by blocks. */
#include "cli/blocks.h"

#include "front/json.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3 /* lines that are the same, around those that are not */

/* --- text --- */

static void put_line(const struct block_side side[2], char mark, const uint32_t line[2])
{
    unsigned which = line[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    char text[BLOCK_TEXT_MAX];
    putchar(mark);
    for (unsigned i = GPUCODE_OLD; i <= GPUCODE_NEW; i++)
        if (line[i] == GPUCODE_NONE)
            printf(" %5s", "");
        else
            printf(" %5u", (unsigned)side[i].lines[line[i]].unit);
    blocks_text(side, which, line[which], text);
    printf("  %s\n", text);
}

static void put_rows(const struct block_side side[2], const struct block_rows *rows)
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
        const struct block_row *row = &rows->list[i];
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

static void put_text(const struct block_side side[2], const struct block_rows *rows, const struct block_edits *edits)
{
    unsigned counts[GPUCODE_CHANGE_GONE + 1], put = 0;
    blocks_count(side, counts);
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

static void put_json(const struct block_side side[2], const struct block_edits *edits)
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
    struct block_difference difference = {0};
    const char *page = session->arguments.value[OPTION_HTML];
    int code = EXIT_DONE;
    if (!blocks_pair(side) || !blocks_difference(side, &difference))
        code = out_of_memory(&session->diagnostics);
    else if (page)
        code = blocks_html(session, side, &difference, page);
    else if (session->json)
        put_json(side, &difference.edits);
    else
        put_text(side, &difference.rows, &difference.edits);
    for (uint32_t i = 0; !code && i < difference.rows.count; i++)
        code = difference.rows.list[i].same ? EXIT_DONE : EXIT_FINDINGS;
    blocks_difference_free(&difference);
    return code;
}

int blocks_report(struct session *session, const struct input *before, const struct input *after)
{
    struct block_side side[2] = {{0}};
    bool good = gpucode_image_info(before->image)->section_count && gpucode_image_info(after->image)->section_count;
    int code = EXIT_DONE;
    if (good && (!blocks_read(&side[0], before, 0) || !blocks_read(&side[1], after, 0)))
        code = out_of_memory(&session->diagnostics);
    else if (!good || (!side[0].instructions && !side[1].instructions))
        code = complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(before->target),
                        session->command->name);
    else
        code = compare_sides(session, side);
    for (unsigned i = 0; i < 2; i++)
        blocks_free(&side[i]);
    return code;
}
