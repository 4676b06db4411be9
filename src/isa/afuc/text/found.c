/* SPDX-License-Identifier: MIT */
#include "isa/afuc/text/found.h"

#include "base/arena.h"
#include "isa/afuc/afuc.h"

#include <stdlib.h>
#include <string.h>

/*
 * Finding data between code without running anything. A word is called data only when three things come
 * together: no known path leads to it (paths start at the first word, at packet handlers, at call
 * targets and at words that the caller saw running, and follow branches and delay slots), it stands among words
 * that are not instructions, and it has few instructions beside it. So code that only computed jumps lead to is
 * mostly still taken for code, and always when it was seen running.
 */

/* So many unreached instructions in a row are still taken for data when words around them are not instructions. */
#define STRAY_INSNS 3

enum row_target {
    TARGET_UNKNOWN, /* or there is none */
    TARGET_NEAR,    /* a signed field says how many words from here */
    TARGET_FAR,     /* a signed field is the number of the word */
    TARGET_OTHER,   /* isa_target_of() tells */
};

/* What flow asks of a row, so that it is worked out once. */
struct row_flow {
    uint8_t target;      /* enum row_target */
    uint8_t left, right; /* shifts of the word that leave its field, signed */
    uint8_t slots;       /* of the delay */
    uint8_t mark;        /* of the word that it leads to */
    bool comes_back;     /* control may come after its delay slots */
};

static struct row_flow flow_of_row(const struct gpucode_target *target, unsigned number)
{
    const struct isa_row *row = &afuc_rows.rows[number];
    struct row_flow flow = {.comes_back = true};
    if (!row->flows)
        return flow;
    /* no bit of an AFUC instruction decides about its flow, except that jumps through some registers are returns */
    struct gpucode_insn insn = {target, row->facts.match, 0, (uint16_t)number, 4, true};
    struct gpucode_flow way;
    unsigned field = isa_flow(&insn, row, &way);
    flow.slots = way.delay_slots;
    flow.mark = way.kind == GPUCODE_FLOW_CALL ? AFUC_MARK_CALLED : AFUC_MARK_BRANCHED;
    flow.comes_back = way.kind == GPUCODE_FLOW_NEXT || way.conditional || way.kind == GPUCODE_FLOW_CALL;
    if (!way.known)
        return flow;
    const struct isa_field *at = &row->fields[field - 1];
    bool far = at->letter == 'f' || at->letter == 'g';
    flow.target = at->pieces != 1 ? TARGET_OTHER : far ? TARGET_FAR : at->letter == 'a' ? TARGET_NEAR : TARGET_OTHER;
    flow.right = (uint8_t)(32 - at->width);
    flow.left = (uint8_t)(flow.right - at->piece[0].shift);
    return flow;
}

struct row_flows {
    struct row_flow rows[AFUC_ROW_COUNT];
};

static void find_row_flows(const struct gpucode_target *target, struct row_flows *flows)
{
    for (unsigned row = 0; row < AFUC_ROW_COUNT; row++)
        if (gpucode_row_on_target(target, row))
            flows->rows[row] = flow_of_row(target, row);
}

/* Where the instruction at a word leads to; false: nobody can tell. */
static inline bool target_of(const struct afuc_flow *flow, const struct row_flow *row, uint32_t index, uint64_t *target)
{
    uint32_t word = afuc_word_at(flow->bytes, index);
    if (row->target == TARGET_NEAR || row->target == TARGET_FAR) {
        int64_t field = (int32_t)(word << row->left) >> row->right;
        *target = (uint64_t)(field + (row->target == TARGET_NEAR ? (int64_t)index : 0));
        return true;
    }
    struct gpucode_insn insn = {flow->target, word, index, (uint16_t)afuc_row_of(flow->rows[index]), 4, true};
    return row->target == TARGET_OTHER && isa_target_of(&insn, target);
}

/* A word that executes as nop although its text is a raw word. */
static bool is_payload(const struct afuc_flow *flow, uint32_t index)
{
    return (flow->bytes[4 * (size_t)index + 3] & 0xf8) == 0;
}

/*
 * Marks the word that an instruction leads to, or the instruction when its text cannot lead there. False: it leads to
 * no word of the code, or nobody can tell.
 */
static inline bool mark_target(const struct afuc_flow *flow, const struct row_flow *row, uint32_t index, uint8_t *marks,
                               uint64_t *target)
{
    if (!target_of(flow, row, index, target))
        return false;
    bool inside = *target < flow->words;
    if (!inside)
        marks[index] |= AFUC_MARK_OUTSIDE;
    else if (!(flow->rows[index] & AFUC_WORD_LOSSY))
        marks[*target] |= row->mark;
    return inside;
}

#define BATCH 256 /* words of which those with a flow are looked for before the first is followed */

/* Marks the targets of the instructions that no path came to. */
static void mark_unreached_targets(const struct afuc_flow *flow, const struct row_flows *flows, uint8_t *marks)
{
    uint64_t target;
    uint8_t found[BATCH];
    for (uint32_t start = 0; start < flow->words; start += BATCH) {
        uint32_t size = flow->words - start < BATCH ? flow->words - start : BATCH, count = 0;
        for (uint32_t k = 0; k < size; k++) { /* no branches: nobody can guess them */
            bool flows_on = flow->rows[start + k] & AFUC_WORD_FLOWS;
            bool known = marks[start + k] & (AFUC_MARK_DATA | AFUC_MARK_REACHED);
            found[count] = (uint8_t)k;
            count += flows_on & !known;
        }
        for (uint32_t n = 0; n < count; n++) {
            uint32_t index = start + found[n];
            mark_target(flow, &flows->rows[afuc_row_of(flow->rows[index])], index, marks, &target);
        }
    }
}

/*
 * Goes on from an instruction with a flow: notes where it leads to, and brings the path's end nearer when control does
 * not come back. False when out of memory.
 */
static inline bool follow_insn(const struct afuc_flow *flow, const struct row_flow *row, uint8_t *marks,
                               struct list *work, uint32_t index, uint32_t *end)
{
    uint64_t target;
    if (!row->comes_back && index + 1 + row->slots < *end)
        *end = index + 1 + row->slots;
    if (!mark_target(flow, row, index, marks, &target))
        return true;
    if (!list_push(work, (uint32_t)target))
        return false;
    work->count -= (marks[target] & AFUC_MARK_REACHED) != 0; /* no branch: nobody can guess it */
    return true;
}

/* Marks everything that control reaches from `start` on without being called. */
static bool follow_paths(const struct afuc_flow *flow, const struct row_flows *flows, uint8_t *marks, struct list *work,
                         uint32_t start)
{
    const uint16_t *rows = flow->rows;
    const uint32_t words = flow->words;
    if (start >= words)
        return true;
    if (!list_push(work, start))
        return false;
    while (work->count) {
        uint32_t index = list_pop(work);
        uint32_t end = words; /* the path does not come to this word */
        for (; index < end && !(marks[index] & AFUC_MARK_REACHED); index++) {
            uint16_t known = rows[index];
            if (!(known & AFUC_WORD_ROW) && !is_payload(flow, index))
                break; /* no instruction: the path ends */
            marks[index] |= AFUC_MARK_REACHED;
            if (known & AFUC_WORD_FLOWS &&
                !follow_insn(flow, &flows->rows[afuc_row_of(known)], marks, work, index, &end))
                return false;
        }
    }
    return true;
}

static bool mark_reached(const struct afuc_flow *flow, const struct row_flows *flows, uint8_t *marks)
{
    struct list work = {0};
    bool good = follow_paths(flow, flows, marks, &work, 0);
    for (unsigned i = 0; good && i < flow->handler_count; i++)
        good = follow_paths(flow, flows, marks, &work, flow->handlers[i]);
    /* in rising order: a branch has marked its delay slot then, so that no path begins there and runs on after it */
    for (uint32_t i = 0; good && flow->executed && i < flow->words; i++)
        if (flow->executed[i])
            good = follow_paths(flow, flows, marks, &work, i);
    free(work.items);
    return good;
}

/* Is the word neither an instruction nor on a known path? */
static bool is_stray(const struct afuc_flow *flow, const uint8_t *marks, uint32_t index)
{
    return index < flow->words && !(flow->rows[index] & AFUC_WORD_ROW) && !(marks[index] & AFUC_MARK_REACHED);
}

/* Marks data in runs of words that nothing reaches. */
static void find_data_words(struct afuc_flow *flow, uint8_t *marks)
{
    for (uint32_t i = 0; (i = afuc_next_word(flow->rows, i, flow->words, 0)) < flow->words; i++) {
        if (!is_stray(flow, marks, i))
            continue;
        marks[i] |= AFUC_MARK_DATA;
        /* the next word that is not an instruction, and how many are between */
        uint32_t next = i + 1;
        while (next < flow->words && next - i <= STRAY_INSNS + 1 && !(marks[next] & AFUC_MARK_REACHED) &&
               !is_stray(flow, marks, next))
            next++;
        if (next - i > STRAY_INSNS + 1 || !is_stray(flow, marks, next))
            continue;
        flow->doubtful |= next > i + 1;
        for (uint32_t k = i + 1; k < next; k++)
            marks[k] |= AFUC_MARK_DATA;
    }
}

bool afuc_flow_marks(struct afuc_flow *flow, bool find_data, uint8_t *marks)
{
    struct row_flows flows;
    find_row_flows(flow->target, &flows);
    memset(marks, 0, flow->words);
    flow->doubtful = false;
    if (find_data) {
        if (!mark_reached(flow, &flows, marks))
            return false;
        find_data_words(flow, marks);
    }
    return true;
}

void afuc_flow_finish(const struct afuc_flow *flow, uint8_t *marks)
{
    struct row_flows flows;
    find_row_flows(flow->target, &flows);
    mark_unreached_targets(flow, &flows, marks);
}

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
