/* SPDX-License-Identifier: MIT */
/* Changes that keep an input well formed: records come, go, move and are wrapped; words take values worth trying. */
#include "fuzzer/corpus.h"

#include <string.h>

#define CHANGES_MAX 6   /* of one input */
#define NEW_RECORDS 16u /* no record is added to an input with so many, so that runs stay short; splices may */

/* --- words --------------------------------------------------------------------------------------------------- */

static const uint32_t usual[] = {0,    1,    2,     3,      4,          8,          0x10,       0x20,      0x40,
                                 0x80, 0xff, 0x100, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

void learned_add(struct learned *learned, uint32_t word)
{
    unsigned count = learned->count < LEARNED_MAX ? learned->count : LEARNED_MAX;
    for (unsigned i = 0; i < count; i++)
        if (learned->words[i] == word)
            return;
    learned->words[learned->count++ % LEARNED_MAX] = word;
}

static uint32_t listed(uint64_t *random, const uint32_t *values, size_t count)
{
    return values[random_below(random, (uint32_t)count)];
}

/* A value for a word of such a record. */
static uint32_t new_word(const struct mutation *mutation, unsigned kind)
{
    const struct gpucode_fuzz_subject *subject = mutation->subject;
    const struct gpucode_fuzz_kind *facts = &subject->kinds[kind];
    const struct learned *learned = mutation->learned;
    uint64_t *random = mutation->random;
    if (learned && learned->count && !random_below(random, 8))
        return listed(random, learned->words, learned->count < LEARNED_MAX ? learned->count : LEARNED_MAX);
    switch (random_below(random, 8)) {
    case 0:
    case 1:
    case 2:
        if (facts->value_count)
            return listed(random, facts->values, facts->value_count);
        /* fall through */
    case 3:
        if (subject->value_count)
            return listed(random, subject->values, subject->value_count);
        /* fall through */
    case 4:
        return listed(random, usual, sizeof usual / sizeof *usual);
    case 5:
        return UINT32_C(1) << random_below(random, 32);
    case 6:
        return random_below(random, 64);
    default:
        return random_next(random);
    }
}

static void change_word(const struct mutation *mutation, struct draft *draft, unsigned index)
{
    uint64_t *random = mutation->random;
    struct draft_record *record = &draft->records[index];
    if (!record->count)
        return;
    uint32_t *words = draft_words(draft, index), *word = &words[random_below(random, record->count)];
    switch (random_below(random, 8)) {
    case 0:
        *word ^= UINT32_C(1) << random_below(random, 32);
        break;
    case 1:
        *word += random_below(random, 33) - 16;
        break;
    case 2:
        *word |= new_word(mutation, record->kind);
        break;
    case 3:
        *word = words[random_below(random, record->count)];
        break;
    case 4: /* a field */
        *word = (*word & ~(UINT32_C(0xff) << 4 * random_below(random, 7))) | random_below(random, 256)
                                                                                 << 4 * random_below(random, 7);
        break;
    default:
        *word = new_word(mutation, record->kind);
        break;
    }
}

static void change_count(const struct mutation *mutation, struct draft *draft, unsigned index)
{
    uint64_t *random = mutation->random;
    struct draft_record *record = &draft->records[index];
    const struct gpucode_fuzz_kind *facts = &mutation->subject->kinds[record->kind];
    uint32_t *words = draft_words(draft, index);
    unsigned count = facts->least + random_below(random, facts->most - facts->least + 1);
    if (!random_below(random, 4)) /* a wrong one */
        count = random_below(random, facts->most < GPUCODE_FUZZ_WORDS_MAX ? facts->most + 2 : facts->most + 1);
    for (unsigned i = record->count; i < count; i++)
        words[i] = new_word(mutation, record->kind);
    record->count = (uint8_t)count;
}

/* --- records ------------------------------------------------------------------------------------------------- */

static unsigned new_kind(const struct mutation *mutation)
{
    uint32_t at = random_below(mutation->random, mutation->weight);
    for (unsigned i = 0; i < mutation->subject->kind_count; i++) {
        if (at < mutation->subject->kinds[i].weight)
            return i;
        at -= mutation->subject->kinds[i].weight;
    }
    return 0;
}

static void add_record(const struct mutation *mutation, struct draft *draft)
{
    unsigned index = random_below(mutation->random, draft->count + 1), kind = new_kind(mutation);
    if (draft->count >= NEW_RECORDS || !draft_insert(draft, index, kind))
        return;
    const struct gpucode_fuzz_kind *facts = &mutation->subject->kinds[kind];
    unsigned count = facts->least;
    if (facts->most > facts->least && random_below(mutation->random, 3)) {
        unsigned more = facts->most - facts->least;
        count += 1 + random_below(mutation->random, more < 8 || !random_below(mutation->random, 4) ? more : 8);
    }
    uint32_t *words = draft_words(draft, index);
    for (unsigned i = 0; i < count; i++)
        words[i] = new_word(mutation, kind);
    draft->records[index].count = (uint8_t)count;
}

static void swap_records(const struct mutation *mutation, struct draft *draft)
{
    struct draft_record *one = &draft->records[random_below(mutation->random, draft->count)];
    struct draft_record *other = &draft->records[random_below(mutation->random, draft->count)], kept = *one;
    *one = *other;
    *other = kept;
}

/* Puts a record that opens in front of some, and one that closes after them. */
static void wrap_records(const struct mutation *mutation, struct draft *draft)
{
    const struct gpucode_fuzz_subject *subject = mutation->subject;
    unsigned opens[GPUCODE_FUZZ_KINDS_MAX], open_count = 0, closes = subject->kind_count;
    for (unsigned i = 0; i < subject->kind_count; i++) {
        if (subject->kinds[i].nesting == GPUCODE_FUZZ_OPENS && subject->kinds[i].weight)
            opens[open_count++] = i;
        if (subject->kinds[i].nesting == GPUCODE_FUZZ_CLOSES)
            closes = i;
    }
    if (!open_count || closes == subject->kind_count || draft->count + 2 > GPUCODE_FUZZ_RECORDS_MAX)
        return;
    unsigned first = random_below(mutation->random, draft->count);
    unsigned last = first + 1 + random_below(mutation->random, draft->count - first);
    draft_insert(draft, last, closes);
    draft_insert(draft, first, opens[random_below(mutation->random, open_count)]);
    change_count(mutation, draft, first);
}

/* Some records of another input go in, or in place of what came next. */
static void splice(const struct mutation *mutation, struct draft *draft, const struct draft *other)
{
    if (!other->count)
        return;
    unsigned at = random_below(mutation->random, draft->count + 1),
             first = random_below(mutation->random, other->count);
    unsigned count = 1 + random_below(mutation->random, other->count - first);
    if (random_below(mutation->random, 2))
        while (draft->count > at)
            draft_remove(draft, draft->count - 1);
    for (unsigned i = 0; i < count && draft->count < 2 * NEW_RECORDS; i++)
        draft_copy(draft, at + i, other, first + i);
}

static void change_once(const struct mutation *mutation, struct draft *draft)
{
    unsigned index = draft->count ? random_below(mutation->random, draft->count) : 0;
    unsigned choice = draft->count ? random_below(mutation->random, 16) : 0;
    switch (choice) {
    case 0:
    case 1:
    case 2:
        add_record(mutation, draft);
        break;
    case 3:
        draft_remove(draft, index);
        break;
    case 4:
        if (draft->count < NEW_RECORDS)
            draft_copy(draft, random_below(mutation->random, draft->count + 1), draft, index);
        break;
    case 5:
        swap_records(mutation, draft);
        break;
    case 6:
        wrap_records(mutation, draft);
        break;
    case 7:
        draft->records[index].kind = (uint8_t)new_kind(mutation);
        break;
    case 8:
        change_count(mutation, draft, index);
        break;
    default:
        change_word(mutation, draft, index);
        break;
    }
}

/* --- whole inputs -------------------------------------------------------------------------------------------- */

struct mutation mutation_begin(const struct gpucode_fuzz_subject *subject, uint64_t *random)
{
    struct mutation mutation = {.subject = subject, .random = random};
    for (unsigned i = 0; i < subject->kind_count; i++)
        mutation.weight += subject->kinds[i].weight;
    return mutation;
}

const char *mutate(const struct mutation *mutation, struct draft *draft, const struct draft *other)
{
    bool spliced = other && !random_below(mutation->random, 6);
    if (spliced)
        splice(mutation, draft, other);
    unsigned changes = 1 + random_below(mutation->random, 1 + random_below(mutation->random, CHANGES_MAX));
    for (unsigned i = spliced; i < changes && mutation->weight; i++)
        change_once(mutation, draft);
    if (!draft->count && mutation->weight)
        add_record(mutation, draft);
    return spliced ? "splice" : "havoc";
}

size_t gpucode_fuzz_mutate(const struct gpucode_fuzz_subject *subject, uint64_t *random, const void *bytes, size_t size,
                           const void *other, size_t other_size, void *out, size_t room)
{
    struct draft draft, second;
    if (!subject || !random || !subject->kind_count || !subject->kinds || !out || (!bytes && size))
        return 0;
    struct mutation mutation = mutation_begin(subject, random);
    draft_read(&draft, subject->kind_count, bytes, size);
    if (other)
        draft_read(&second, subject->kind_count, other, other_size);
    mutate(&mutation, &draft, other ? &second : NULL);
    size_t written;
    while (!(written = draft_write(&draft, out, room)) && draft.count > 1)
        draft_remove(&draft, draft.count - 1);
    return written;
}

/*
 * What an input is compared with goes back into it. Where a word of the input, or a field of one, holds what was
 * compared, it gets what it was compared with. Where none does, but the comparison changes with a word, the word was
 * shifted, masked, added to or combined with something on its way: the change tells how, and is undone on the way back.
 */

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
