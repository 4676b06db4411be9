/* SPDX-License-Identifier: MIT */
/* Differences of shaders, macros and scripts as one page: edits, and the blocks that differ with both sides. */
#include "cli/blocks.h"

#include "cli/sides.h"
#include "front/output.h"
#include "front/page.h"
#include "front/session.h"

#include <string.h>

struct page {
    FILE *out;
    const struct block_side *side;
    const struct block_difference *difference;
};

/*
 * The blocks that a row belongs to: the new line's with the one that it was, else the old line's with the one that it
 * has become.
 */
static void blocks_of(const struct page *page, const struct block_row *row, uint32_t block[2])
{
    unsigned which = row->line[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    block[which] = page->side[which].lines[row->line[which]].block;
    block[!which] = page->side[which].blocks[block[which]].pair;
}

/* The row behind the last one of the same blocks as row `first`. */
static uint32_t end_of(const struct page *page, uint32_t first, uint32_t block[2])
{
    const struct block_rows *rows = &page->difference->rows;
    uint32_t other[2];
    blocks_of(page, &rows->list[first], block);
    for (uint32_t i = first + 1; i < rows->count; i++) {
        blocks_of(page, &rows->list[i], other);
        if (other[0] != block[0] || other[1] != block[1])
            return i;
    }
    return rows->count;
}

static bool is_near(const struct block_row *rows, uint32_t first, uint32_t end, uint32_t at)
{
    for (uint32_t i = at > first + SIDES_CONTEXT ? at - SIDES_CONTEXT : first; i <= at + SIDES_CONTEXT && i < end; i++)
        if (!rows[i].same)
            return true;
    return false;
}

static void put_row(const struct page *page, const struct block_row *row)
{
    char text[2][BLOCK_TEXT_MAX] = {"", ""};
    uint32_t unit[2] = {GPUCODE_NONE, GPUCODE_NONE};
    for (unsigned i = GPUCODE_OLD; i <= GPUCODE_NEW; i++)
        if (row->line[i] != GPUCODE_NONE) {
            unit[i] = page->side[i].lines[row->line[i]].unit;
            blocks_text(page->side, i, row->line[i], text[i]);
        }
    sides_put_row(page->out, unit, (const char *[]){text[0], text[1]}, row->same);
}

static void put_start(const struct page *page, unsigned which, uint32_t block)
{
    if (block == GPUCODE_NONE)
        fputs("&ndash;", page->out);
    else
        fprintf(page->out, "%u", (unsigned)page->side[which].lines[page->side[which].blocks[block].first].unit);
}

static void put_block(const struct page *page, uint32_t first, uint32_t end, const uint32_t block[2])
{
    const struct block_row *rows = page->difference->rows.list;
    unsigned which = block[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    const char *change = gpucode_change_name(page->side[which].blocks[block[which]].change);
    uint32_t hidden = 0;
    fprintf(page->out, "<div class=f><div><h3>block <span class=dim>");
    put_start(page, GPUCODE_OLD, block[GPUCODE_OLD]);
    fputs(" &rarr; ", page->out);
    put_start(page, GPUCODE_NEW, block[GPUCODE_NEW]);
    fprintf(page->out, "</span> <b class=%s>%s</b></h3></div>\n", change, change);
    sides_begin(page->out);
    for (uint32_t i = first; i < end; i++) {
        if (!is_near(rows, first, end, i)) {
            hidden++;
            continue;
        }
        sides_put_hidden(page->out, hidden, "");
        hidden = 0;
        put_row(page, &rows[i]);
    }
    sides_put_hidden(page->out, hidden, "");
    sides_end(page->out);
}

/* Blocks without a difference are counted, those with one are shown. */
static void put_blocks(const struct page *page)
{
    const struct block_rows *rows = &page->difference->rows;
    unsigned passed = 0;
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        uint32_t block[2];
        bool same = true;
        end = end_of(page, first, block);
        for (uint32_t i = first; i < end; i++)
            same &= rows->list[i].same;
        passed += same;
        if (passed && (!same || end == rows->count))
            fprintf(page->out, "<p class=dim>%u block%s without a difference</p>\n", passed, passed == 1 ? "" : "s");
        if (same)
            continue;
        passed = 0;
        put_block(page, first, end, block);
    }
}

static void put_page(FILE *out, const void *user)
{
    const struct page *page =
        &(const struct page){out, ((const struct page *)user)->side, ((const struct page *)user)->difference};
    const struct block_edits *edits = &page->difference->edits;
    unsigned counts[GPUCODE_CHANGE_GONE + 1];
    sides_put_head(out, page->side[GPUCODE_OLD].input->file.name, page->side[GPUCODE_NEW].input->file.name);
    if (edits->count)
        fputs("<h2>Edits</h2>\n<table class=e>\n", out);
    for (size_t i = 0; i < edits->count; i++)
        sides_put_edit(out, edits->list[i].text, edits->list[i].count);
    fputs(edits->count ? "</table>\n<h2>What became of it</h2>\n" : "<h2>What became of it</h2>\n", out);
    blocks_count(page->side, counts);
    for (unsigned i = 0; i <= GPUCODE_CHANGE_GONE; i++)
        if (counts[i])
            sides_put_heading(out, "block", i, counts[i]);
    put_blocks(page);
    page_end(out);
}

int blocks_html(struct session *session, const struct block_side side[2], const struct block_difference *difference,
                const char *path)
{
    return outputs_write_text(&session->diagnostics, path, put_page, &(const struct page){NULL, side, difference});
}
