/* SPDX-License-Identifier: MIT */
/*
 * What an input is compared with goes back into it. Where a word of the input, or a field of one, holds what was
 * compared, it gets what it was compared with. Where none does, but the comparison changes with a word, the word was
 * shifted, masked, added to or combined with something on its way: the change tells how, and is undone on the way back.
 */
#include "fuzzer/corpus.h"

#define COMPARISONS 64u /* of one input that are looked at, */
#define TRIES 64u       /* runs that words which hold a value may take, */
#define SOLUTIONS 64u   /* those that are computed, */
#define PROBES 24u      /* and those that find out which words take part */
#define PROBE UINT32_C(0x11111111)

struct comparisons {
    unsigned count;
    bool all; /* in their order; else each once */
    uint32_t pairs[COMPARISONS][2];
};

static void note_comparison(void *to, uint32_t value, uint32_t wanted)
{
    struct comparisons *seen = to;
    if ((value == wanted && !seen->all) || seen->count == COMPARISONS)
        return;
    for (unsigned i = 0; i < seen->count && !seen->all; i++)
        if (seen->pairs[i][0] == value && seen->pairs[i][1] == wanted)
            return;
    seen->pairs[seen->count][0] = value;
    seen->pairs[seen->count++][1] = wanted;
}

/* Where a word, or a field of one, holds what was compared, it gets what it was compared with. False: it does not. */
static bool replace_word(uint32_t *word, unsigned way, uint32_t value, uint32_t wanted)
{
    static const struct {
        unsigned bits, step;
    } ways[] = {{32, 0}, {16, 16}, {16, 0}, {8, 0}, {8, 8}, {8, 16}, {8, 24}};
    uint32_t mask = ways[way].bits == 32 ? UINT32_MAX : (UINT32_C(1) << ways[way].bits) - 1;
    unsigned shift = ways[way].step;
    if (value & ~mask || wanted & ~mask || (*word >> shift & mask) != value)
        return false;
    *word = (*word & ~(mask << shift)) | wanted << shift;
    return true;
}
#define WAYS 7u

static void note_all(struct gpucode_fuzz_worker *worker, const struct draft *draft, struct comparisons *seen)
{
    seen->count = 0;
    worker->subject.compare(worker->subject.user, worker->records, draft_view(draft, worker->records), note_comparison,
                            seen);
}

struct turning {
    struct task *task;
    size_t source;
    task_runner *run;
    unsigned tries;
};

/* Runs the input with another word; true: it is kept. */
static bool try_word(struct turning *turning, unsigned record, unsigned word, uint32_t value)
{
    struct gpucode_fuzz_worker *worker = turning->task->worker;
    worker->draft = worker->other;
    draft_words(&worker->draft, record)[word] = value;
    turning->tries++;
    return turning->run(turning->task, turning->source, "compare");
}

/* Tries a comparison on all words of the input that hold its value; where none does, its word is worth trying anywhere.
 */
static void turn_comparison(struct turning *turning, const uint32_t pair[2])
{
    struct draft *base = &turning->task->worker->other;
    unsigned before = turning->tries;
    for (unsigned k = 0; k < base->count; k++)
        for (unsigned w = 0; w < base->records[k].count; w++)
            for (unsigned way = 0; way < WAYS && turning->tries < TRIES; way++) {
                uint32_t word = draft_words(base, k)[w];
                if (replace_word(&word, way, pair[0], pair[1]))
                    try_word(turning, k, w, word);
            }
    if (turning->tries == before)
        learned_add(&turning->task->result->learned, pair[1]);
}

/* --- solving ----------------------------------------------------------------------------------------------------- */

/*
 * A word that was turned by PROBE has made the value another one: what it must be for the wanted value, if it was added
 * to something, taken from something, or shifted and combined by xor. Returns how many solutions there are.
 */
static unsigned solve(uint32_t word, uint32_t value, uint32_t changed, uint32_t wanted, uint32_t solutions[66])
{
    unsigned count = 0;
    uint32_t turned = value ^ changed, missing = value ^ wanted, more = (word ^ PROBE) - word;
    if (changed - value == more)
        solutions[count++] = word + (wanted - value);
    if (value - changed == more)
        solutions[count++] = word - (wanted - value);
    for (unsigned shift = 0; shift < 32; shift++) {
        uint32_t mask = turned, up = PROBE << shift;
        for (unsigned i = 1; i < 32; i *= 2)
            mask |= mask >> i;
        if ((PROBE >> shift & mask) == turned && missing << shift >> shift == missing)
            solutions[count++] = word ^ missing << shift;
        if (shift && (up & mask) == turned && missing >> shift << shift == missing)
            solutions[count++] = word ^ missing >> shift;
    }
    return count;
}

static void solve_word(struct turning *turning, const struct comparisons *before, unsigned record, unsigned word)
{
    struct gpucode_fuzz_worker *worker = turning->task->worker;
    struct comparisons after = {.all = true};
    uint32_t held = draft_words(&worker->other, record)[word], solutions[66];
    worker->draft = worker->other;
    draft_words(&worker->draft, record)[word] ^= PROBE;
    note_all(worker, &worker->draft, &after);
    turning->task->result->runs++;
    for (unsigned i = 0; i < before->count && i < after.count; i++) {
        const uint32_t *pair = before->pairs[i];
        if (pair[0] == pair[1] || pair[0] == after.pairs[i][0] || pair[0] == held)
            continue;
        unsigned count = solve(held, pair[0], after.pairs[i][0], pair[1], solutions);
        for (unsigned k = 0; k < count && turning->tries < SOLUTIONS; k++)
            if (try_word(turning, record, word, solutions[k]))
                break;
    }
}

void turn_comparisons(struct task *task, size_t source, task_runner *run)
{
    struct gpucode_fuzz_worker *worker = task->worker;
    struct turning turning = {task, source, run, 0};
    struct comparisons seen = {.all = false}, before = {.all = true};
    unsigned probes = 0;
    if (!worker->subject.compare)
        return;
    worker->other = worker->draft;
    note_all(worker, &worker->other, &seen);
    task->result->runs++;
    for (unsigned i = 0; i < seen.count && turning.tries < TRIES; i++)
        turn_comparison(&turning, seen.pairs[i]);
    if (!seen.count)
        return;
    note_all(worker, &worker->other, &before);
    task->result->runs++;
    turning.tries = 0;
    for (unsigned k = worker->other.count; k-- && probes < PROBES;) /* what is new is at the end as a rule */
        for (unsigned w = 0; w < worker->other.records[k].count && probes < PROBES; w++, probes++)
            solve_word(&turning, &before, k, w);
}
