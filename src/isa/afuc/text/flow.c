/* SPDX-License-Identifier: MIT */
/*
 * Finding data between code without running anything. A word is called data only when three things come
 * together: no known path leads to it (paths start at the first word, at packet handlers, at call
 * targets and at words that the caller saw running, and follow branches and delay slots), it stands among words
 * that are no instructions, and it has few instructions beside it. So code that only computed jumps lead to is
 * mostly still taken for code, and always when it was seen running.
 */
#include "isa/afuc/text/flow.h"

#include "isa/afuc/afuc.h"

#include <stdlib.h>
#include <string.h>

/* So many unreached instructions in a row are still taken for data when words around them are no instructions. */
#define STRAY_INSNS 3

static uint16_t word_of_row(int row)
{
    if (row < 0)
        return AFUC_WORD_RARE;
    const struct isa_row *facts = &afuc_rows.rows[row];
    return (uint16_t)((row + 1) | (facts->flows ? AFUC_WORD_FLOWS : 0) |
                      (facts->facts.ignored ? AFUC_WORD_IGNORED : 0) | (afuc_row_names(facts) ? AFUC_WORD_NAMES : 0) |
                      (row == AFUC_UBFX || row == AFUC_BFI ? AFUC_WORD_RARE : 0));
}

_Static_assert((int)AFUC_ROW_COUNT < (int)AFUC_WORD_ROW, "a row has its place in a word");

void afuc_decode_words(const struct gpucode_target *target, const unsigned char *bytes, uint32_t words, uint16_t *rows)
{
    uint16_t of_row[AFUC_ROW_COUNT + 1];
    for (int row = -1; row < AFUC_ROW_COUNT; row++)
        of_row[row + 1] = word_of_row(row);
    for (uint32_t i = 0; i < words; i++)
        rows[i] = of_row[isa_decode_row(&afuc_rows, target->generation, afuc_word_at(bytes, i)) + 1];
}

/* The instruction that stands at a word, whose row is not 0. */
static struct gpucode_insn insn_at(const struct afuc_flow *flow, uint32_t index)
{
    uint16_t row = (uint16_t)afuc_row_of(flow->rows[index]);
    uint32_t word = afuc_word_at(flow->bytes, index);
    return (struct gpucode_insn){flow->target, word, index, row, 4, (word & afuc_rows.rows[row].facts.ignored) == 0};
}

/* A word that executes as nop although its text is a raw word. */
static bool is_payload(const struct afuc_flow *flow, uint32_t index)
{
    return (flow->bytes[4 * (size_t)index + 3] & 0xf8) == 0;
}

struct work {
    uint32_t *stack;
    size_t depth, room;
};

static bool push_word(struct work *work, uint8_t *marks, uint32_t words, int64_t index)
{
    if (index < 0 || index >= words || marks[index] & AFUC_MARK_REACHED)
        return true;
    if (work->depth == work->room) {
        size_t room = work->room ? 2 * work->room : 256;
        uint32_t *stack = realloc(work->stack, room * sizeof *stack);
        if (!stack)
            return false;
        work->stack = stack;
        work->room = room;
    }
    work->stack[work->depth++] = (uint32_t)index;
    return true;
}

/* Marks the word that an instruction leads to, or the instruction, when its text cannot lead there. */
static void mark_target(const struct afuc_flow *flow, const struct gpucode_insn *insn, bool leads, uint64_t target,
                        uint8_t *marks)
{
    if (!insn->exact || (leads && target >= flow->words))
        marks[insn->address] |= AFUC_MARK_LOSSY;
    else if (leads)
        marks[target] |= afuc_rows.rows[insn->row].flow == GPUCODE_FLOW_CALL ? AFUC_MARK_CALLED : AFUC_MARK_BRANCHED;
}

/* Marks the targets of the instructions that no path came to, and where the bits are not all in the text. */
static void mark_unreached_targets(const struct afuc_flow *flow, uint8_t *marks)
{
    const uint16_t *rows = flow->rows;
    const uint32_t words = flow->words;
    for (uint32_t i = 0; i < words; i++) {
        if (!(rows[i] & (AFUC_WORD_FLOWS | AFUC_WORD_IGNORED)))
            continue;
        if (marks[i] & AFUC_MARK_DATA)
            continue;
        if (!(rows[i] & AFUC_WORD_FLOWS)) {
            if (afuc_word_at(flow->bytes, i) & afuc_rows.rows[afuc_row_of(rows[i])].facts.ignored)
                marks[i] |= AFUC_MARK_LOSSY;
            continue;
        }
        if (marks[i] & AFUC_MARK_REACHED) /* the path has marked it */
            continue;
        struct gpucode_insn insn = insn_at(flow, i);
        uint64_t target = 0;
        bool leads = isa_target_of(&insn, &target);
        mark_target(flow, &insn, leads, target, marks);
    }
}

/* Marks everything that control reaches from `start` on without being called. */
static bool follow_paths(const struct afuc_flow *flow, uint8_t *marks, struct work *work, int64_t start)
{
    if (!push_word(work, marks, flow->words, start))
        return false;
    while (work->depth) {
        uint32_t index = work->stack[--work->depth];
        uint32_t end = flow->words; /* the path does not come to this word */
        for (; index < end && !(marks[index] & AFUC_MARK_REACHED); index++) {
            if (!(flow->rows[index] & AFUC_WORD_ROW) && !is_payload(flow, index))
                break; /* no instruction: the path ends */
            marks[index] |= AFUC_MARK_REACHED;
            if (!(flow->rows[index] & AFUC_WORD_FLOWS))
                continue;
            struct gpucode_insn insn = insn_at(flow, index);
            struct gpucode_flow way;
            isa_flow(&insn, &afuc_rows.rows[insn.row], &way);
            mark_target(flow, &insn, way.known, way.target, marks);
            if (way.known && !push_word(work, marks, flow->words, (int64_t)way.target))
                return false;
            bool comes_back = way.kind == GPUCODE_FLOW_NEXT || way.conditional || way.kind == GPUCODE_FLOW_CALL;
            if (!comes_back && index + 1 + way.delay_slots < end)
                end = index + 1 + way.delay_slots;
        }
    }
    return true;
}

static bool mark_reached(const struct afuc_flow *flow, uint8_t *marks)
{
    struct work work = {0};
    bool good = follow_paths(flow, marks, &work, 0);
    for (unsigned i = 0; good && i < flow->handler_count; i++)
        good = follow_paths(flow, marks, &work, flow->handlers[i]);
    /* in rising order: a branch has marked its delay slot then, so that no path begins there and runs on behind it */
    for (uint32_t i = 0; good && flow->executed && i < flow->words; i++)
        if (flow->executed[i])
            good = follow_paths(flow, marks, &work, i);
    free(work.stack);
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
    const uint16_t *rows = flow->rows;
    const uint32_t words = flow->words;
    for (uint32_t i = 0; i < words; i++) {
        if (rows[i] & AFUC_WORD_ROW || !is_stray(flow, marks, i))
            continue;
        marks[i] |= AFUC_MARK_DATA;
        /* the next word that is no instruction, and how many are between */
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
    memset(marks, 0, flow->words);
    flow->doubtful = false;
    if (find_data) {
        if (!mark_reached(flow, marks))
            return false;
        find_data_words(flow, marks);
    }
    mark_unreached_targets(flow, marks);
    return true;
}
