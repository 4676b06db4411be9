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

/* So many unreached instructions in a row are still taken for data when words around them are no instructions. */
#define STRAY_INSNS 3

static bool decode_word(const struct afuc_flow *flow, uint32_t index, struct gpucode_insn *insn)
{
    const unsigned char *at = flow->bytes + 4 * (size_t)index;
    uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    int row = isa_decode_row(&afuc_rows, flow->target->generation, word);
    if (row < 0)
        return false;
    *insn = (struct gpucode_insn){flow->target, word, index, (uint16_t)row, 4, true};
    insn->exact = (word & afuc_rows.rows[row].facts.ignored) == 0;
    return true;
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

/* Marks everything that control reaches from `start` on without being called. */
static bool follow_paths(const struct afuc_flow *flow, uint8_t *marks, struct work *work, int64_t start)
{
    if (!push_word(work, marks, flow->words, start))
        return false;
    while (work->depth) {
        uint32_t index = work->stack[--work->depth];
        uint32_t end = flow->words; /* the path does not come to this word */
        for (; index < end && !(marks[index] & AFUC_MARK_REACHED); index++) {
            struct gpucode_insn insn;
            struct gpucode_flow way;
            bool good = decode_word(flow, index, &insn);
            if (!good && !is_payload(flow, index))
                break; /* no instruction: the path ends */
            marks[index] |= AFUC_MARK_REACHED;
            if (!good || !afuc_rows.rows[insn.row].flows || !gpucode_insn_flow(&insn, &way))
                continue;
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

/* Marks data in runs of words that nothing reaches. */
static void find_data_words(const struct afuc_flow *flow, uint8_t *marks)
{
    for (uint32_t i = 0; i < flow->words; i++) {
        struct gpucode_insn insn;
        if (marks[i] & AFUC_MARK_REACHED || decode_word(flow, i, &insn))
            continue;
        marks[i] |= AFUC_MARK_DATA;
        /* the next word that is no instruction, and how many are between */
        uint32_t next = i + 1;
        while (next < flow->words && next - i <= STRAY_INSNS + 1 && !(marks[next] & AFUC_MARK_REACHED) &&
               decode_word(flow, next, &insn))
            next++;
        if (next < flow->words && next - i <= STRAY_INSNS + 1 && !(marks[next] & AFUC_MARK_REACHED) &&
            !decode_word(flow, next, &insn))
            for (uint32_t k = i + 1; k < next; k++)
                marks[k] |= AFUC_MARK_DATA;
    }
}

uint8_t *afuc_flow_marks(const struct afuc_flow *flow, bool find_data)
{
    uint8_t *marks = calloc((size_t)flow->words + 1, 1);
    if (!marks)
        return NULL;
    if (find_data) {
        if (!mark_reached(flow, marks)) {
            free(marks);
            return NULL;
        }
        find_data_words(flow, marks);
    }
    for (uint32_t i = 0; i < flow->words; i++) {
        struct gpucode_insn insn;
        uint64_t target;
        if (marks[i] & AFUC_MARK_DATA || !decode_word(flow, i, &insn) || !afuc_rows.rows[insn.row].flows ||
            !insn.exact || !isa_target_of(&insn, &target) || target >= flow->words)
            continue; /* no branch, or one that is printed as a raw word, without a label */
        marks[target] |= afuc_rows.rows[insn.row].flow == GPUCODE_FLOW_CALL ? AFUC_MARK_CALLED : AFUC_MARK_BRANCHED;
    }
    return marks;
}
