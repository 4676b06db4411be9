/* SPDX-License-Identifier: MIT */
#include "isa/afuc/text/found.h"

#include <stdlib.h>

bool afuc_found_decode(struct afuc_found *found, const struct isa_layout *layout, bool edits)
{
    uint32_t words = (uint32_t)(layout->size / 4);
    *found = (struct afuc_found){.layout = layout,
                                 .edits = edits,
                                 .rows = malloc(((size_t)words + 1) * sizeof *found->rows),
                                 .marks = malloc((size_t)words + 1)};
    if (!found->rows || !found->marks)
        return false;
    afuc_decode_words(layout->info.target, layout->bytes, words, found->rows);
    return true;
}

void afuc_found_free(struct afuc_found *found)
{
    free(found->rows);
    free(found->marks);
}

void afuc_found_section(const struct afuc_found *found, unsigned number, struct afuc_run *run)
{
    const struct gpucode_image_info *info = &found->layout->info;
    const struct gpucode_section *section = &info->sections[number];
    uint32_t next = number + 1 < info->section_count ? info->sections[number + 1].start : info->units;
    const uint8_t *words = found->layout->bytes + info->prefix + 4 * (size_t)section->start;
    bool a5xx = info->target->generation == AFUC_A5XX;
    /* a5xx as the reference has it is code to the end; to be edited it has labels where its header has no more than one
     */
    bool linear = section->table == GPUCODE_NONE ||
                  (a5xx && !(found->edits && section->size > 1 && afuc_word_at(words, 1) == section->table));
    size_t first = info->prefix / 4 + section->start;
    run->bytes = found->layout->bytes + 4 * first;
    run->rows = found->rows + first;
    run->marks = found->marks + first;
    run->start = section->start;
    run->end = next - section->start;
    run->words = linear ? run->end : section->table;
    run->table = linear ? GPUCODE_NONE : section->table;
    run->has_table = section->table != GPUCODE_NONE;
    for (unsigned i = 0; run->has_table && i < AFUC_TABLE_ENTRIES; i++)
        run->has_table = afuc_handler(found->layout, number, i, &run->handlers[i]);
}

void afuc_found_file(const struct afuc_found *found, struct afuc_run *run)
{
    uint32_t words = (uint32_t)(found->layout->size / 4);
    run->bytes = found->layout->bytes;
    run->rows = found->rows;
    run->marks = found->marks;
    run->start = 0;
    run->words = run->end = words;
    run->table = GPUCODE_NONE;
    run->has_table = false;
}

static struct afuc_flow flow_of_run(const struct afuc_found *found, const struct afuc_run *run)
{
    return (struct afuc_flow){.target = found->layout->info.target,
                              .bytes = run->bytes,
                              .words = run->words,
                              .rows = run->rows,
                              .handlers = run->handlers,
                              .handler_count = run->has_table ? AFUC_TABLE_ENTRIES : 0};
}

/* Marks the words of a section that paths lead to, and data; false when out of memory. */
static bool mark_section(const struct afuc_found *found, struct afuc_places *places, unsigned number,
                         const uint8_t *executed, bool *doubtful)
{
    struct afuc_run run;
    uint8_t *known;
    afuc_found_section(found, number, &run);
    afuc_places_enter(places, number);
    executed = executed ? executed + run.start : NULL;
    if (!afuc_places_known(places, executed, run.words, &known))
        return false;
    struct afuc_flow flow = flow_of_run(found, &run);
    flow.executed = known ? known : executed;
    bool good = afuc_flow_marks(&flow, true, run.marks);
    *doubtful |= flow.doubtful;
    free(known);
    return good;
}

static bool mark_sections(const struct afuc_found *found, struct afuc_places *places, const uint8_t *executed,
                          bool *doubtful)
{
    *doubtful = false;
    for (unsigned i = 0; i < found->layout->info.section_count; i++)
        if (!mark_section(found, places, i, executed, doubtful))
            return false;
    return true;
}

/* Did an instruction run to which no known path leads? */
static bool resolves_doubt(const struct afuc_found *found, const uint8_t *ran)
{
    for (unsigned i = 0; i < found->layout->info.section_count; i++) {
        struct afuc_run run;
        afuc_found_section(found, i, &run);
        for (uint32_t k = 0; k < run.words; k++)
            if (ran[run.start + k] && run.rows[k] & AFUC_WORD_ROW && !(run.marks[k] & AFUC_MARK_REACHED))
                return true;
    }
    return false;
}

bool afuc_found_sections(const struct afuc_found *found, struct afuc_places *places, const struct isa_lines *lines,
                         const uint8_t *executed)
{
    bool doubtful;
    if (!mark_sections(found, places, executed, &doubtful))
        return false;
    uint8_t *ran = lines->explore && doubtful ? lines->explore(lines->image) : NULL;
    bool good = !ran || !resolves_doubt(found, ran) || mark_sections(found, places, ran, &doubtful);
    free(ran);
    for (unsigned i = 0; good && i < found->layout->info.section_count; i++) {
        struct afuc_run run;
        afuc_found_section(found, i, &run);
        struct afuc_flow flow = flow_of_run(found, &run);
        afuc_flow_finish(&flow, run.marks);
    }
    return good;
}
