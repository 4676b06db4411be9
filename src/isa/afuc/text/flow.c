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
    return (uint16_t)((row + 1) | (facts->flows ? AFUC_WORD_FLOWS : 0) | (afuc_row_names(facts) ? AFUC_WORD_NAMES : 0) |
                      (row == AFUC_UBFX || row == AFUC_BFI ? AFUC_WORD_RARE : 0));
}

_Static_assert((int)AFUC_ROW_COUNT < (int)AFUC_WORD_ROW, "a row has its place in a word");

void afuc_decode_words(const struct gpucode_target *target, const unsigned char *bytes, uint32_t words,
                       uint16_t *restrict rows)
{
    struct {
        uint32_t ignored;
        uint16_t word;
    } of_row[AFUC_ROW_COUNT + 1];
    for (int row = -1; row < AFUC_ROW_COUNT; row++) {
        of_row[row + 1].word = word_of_row(row);
        of_row[row + 1].ignored = row < 0 ? 0 : (uint32_t)afuc_rows.rows[row].facts.ignored;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = afuc_word_at(bytes, i);
        int row = isa_decode_row(&afuc_rows, target->generation, word) + 1;
        rows[i] = (uint16_t)(of_row[row].word | (word & of_row[row].ignored ? AFUC_WORD_LOSSY : 0));
    }
}

uint32_t afuc_next_word(const uint16_t *rows, uint32_t first, uint32_t words, uint16_t row)
{
    const uint64_t each = UINT64_C(0x0001000100010001);
    for (; first + 4 <= words; first += 4) {
        uint64_t four;
        memcpy(&four, &rows[first], sizeof four);
        four = (four & each * AFUC_WORD_ROW) ^ each * row;
        if ((four - each) & ~four & each << 15) /* a word of them is zero */
            break;
    }
    while (first < words && (rows[first] & AFUC_WORD_ROW) != row)
        first++;
    return first;
}

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
    bool comes_back;     /* control may come behind its delay slots */
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

struct work {
    uint32_t *stack;
    size_t depth, room;
};

/* Room for one more word; false when out of memory. */
static bool reserve_work(struct work *work)
{
    if (work->depth < work->room)
        return true;
    size_t room = work->room ? 2 * work->room : 256;
    uint32_t *stack = realloc(work->stack, room * sizeof *stack);
    if (!stack)
        return false;
    work->stack = stack;
    work->room = room;
    return true;
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

/* Marks the targets of the instructions that no path came to. */
static void mark_unreached_targets(const struct afuc_flow *flow, const struct row_flows *flows, uint8_t *marks)
{
    const uint64_t reached = UINT64_C(0x0101010101010101) * AFUC_MARK_REACHED;
    for (uint32_t i = 0, end; i < flow->words; i = end) {
        uint64_t eight, target;
        end = flow->words - i < 8 ? flow->words : i + 8;
        if (end == i + 8 && (memcpy(&eight, &marks[i], sizeof eight), (eight & reached) == reached))
            continue;
        for (uint32_t k = i; k < end; k++)
            if (flow->rows[k] & AFUC_WORD_FLOWS && !(marks[k] & (AFUC_MARK_DATA | AFUC_MARK_REACHED)))
                mark_target(flow, &flows->rows[afuc_row_of(flow->rows[k])], k, marks, &target);
    }
}

/*
 * Goes on from an instruction with a flow: notes where it leads to, and brings the path's end nearer when control does
 * not come back. False when out of memory.
 */
static inline bool follow_insn(const struct afuc_flow *flow, const struct row_flow *row, uint8_t *marks,
                               struct work *work, uint32_t index, uint32_t *end)
{
    uint64_t target;
    if (!row->comes_back && index + 1 + row->slots < *end)
        *end = index + 1 + row->slots;
    if (!mark_target(flow, row, index, marks, &target))
        return true;
    if (!reserve_work(work))
        return false;
    work->stack[work->depth] = (uint32_t)target;
    work->depth += !(marks[target] & AFUC_MARK_REACHED); /* no branch: nobody can guess it */
    return true;
}

/* Marks everything that control reaches from `start` on without being called. */
static bool follow_paths(const struct afuc_flow *flow, const struct row_flows *flows, uint8_t *marks, struct work *work,
                         uint32_t start)
{
    const uint16_t *rows = flow->rows;
    const uint32_t words = flow->words;
    if (start >= words)
        return true;
    if (!reserve_work(work))
        return false;
    work->stack[work->depth++] = start;
    while (work->depth) {
        uint32_t index = work->stack[--work->depth];
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
    struct work work = {0};
    bool good = follow_paths(flow, flows, marks, &work, 0);
    for (unsigned i = 0; good && i < flow->handler_count; i++)
        good = follow_paths(flow, flows, marks, &work, flow->handlers[i]);
    /* in rising order: a branch has marked its delay slot then, so that no path begins there and runs on behind it */
    for (uint32_t i = 0; good && flow->executed && i < flow->words; i++)
        if (flow->executed[i])
            good = follow_paths(flow, flows, marks, &work, i);
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
    for (uint32_t i = 0; (i = afuc_next_word(flow->rows, i, flow->words, 0)) < flow->words; i++) {
        if (!is_stray(flow, marks, i))
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
