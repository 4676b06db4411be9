/* SPDX-License-Identifier: MIT */
/* The runs of two shaders that are compared, and the one that tells them apart. */
#include "isa/ir3/answer/compare.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 10000
#define LIMIT 20000
#define WORDS_SHOWN 64u
#define BITS_OF 64u /* inputs whose bits are looked at one by one */

enum verdict { ALIKE, STOPPED, UNDECIDED, APART };

struct comparing {
    struct gpucode_machine *machine[2];
    const struct gpucode_image *image[2];
    struct gpucode_snapshot *start[2];
    struct compare_memory memory[2];
    struct compare_numbers numbers;
    struct compare_inputs inputs;
    struct compare_textures textures;
    struct gpucode_shader_place *outputs;
    size_t output_count;
    uint64_t limit;
    uint64_t seed, texel_seed; /* of the run */
    bool zero_memory, zero_texels;
    struct gpucode_shader_comparison *found;
    enum gpucode_status status;
    /* while the last run is done again: who writes the output that differs */
    unsigned side;
    bool merged; /* half registers lie in full ones */
};

static void note(struct comparing *comparing, enum gpucode_status status)
{
    if (comparing->status == GPUCODE_OK)
        comparing->status = status;
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

static void give_inputs(struct comparing *comparing, unsigned side)
{
    for (size_t i = 0; i < comparing->inputs.count; i++) {
        const struct compare_input *input = &comparing->inputs.list[i];
        if (!input->skip[side])
            gpucode_machine_write(comparing->machine[side], input->thread, input->place.space, input->place.number,
                                  comparing->inputs.value[i]);
    }
}

static void give_texels(struct comparing *comparing, unsigned side)
{
    unsigned char bytes[16 * 64];
    for (unsigned i = 0; i < comparing->textures.count; i++) {
        uint64_t address = compare_texels(comparing->machine[side], comparing->textures.unit[i]);
        uint64_t state = comparing->texel_seed + i;
        for (unsigned done = 0; done < comparing->textures.texels[i]; done += 64, address += sizeof bytes) {
            for (size_t at = 0; at < sizeof bytes; at += 4) {
                uint32_t word = comparing->zero_texels ? 0 : compare_value(&comparing->numbers, &state, 1);
                for (unsigned k = 0; k < 4; k++)
                    bytes[at + k] = (unsigned char)(word >> 8 * k);
            }
            note(comparing, gpucode_machine_store(comparing->machine[side], address, bytes, sizeof bytes));
        }
    }
}

static void run_one(struct comparing *comparing, unsigned side)
{
    struct gpucode_machine *machine = comparing->machine[side];
    note(comparing, gpucode_machine_restore(machine, comparing->start[side]));
    give_inputs(comparing, side);
    give_texels(comparing, side);
    compare_memory_begin(&comparing->memory[side], comparing->seed, comparing->zero_memory);
    gpucode_machine_run(machine, comparing->limit, &comparing->found->stop[side]);
    if (comparing->memory[side].failed)
        note(comparing, GPUCODE_ERROR_MEMORY);
}

/* --- what differs ------------------------------------------------------------------------------------------------- */

static uint32_t read_of(const struct comparing *comparing, unsigned side, unsigned thread,
                        struct gpucode_shader_place place)
{
    uint32_t value = 0;
    gpucode_machine_read(comparing->machine[side], thread, place.space, place.number, &value);
    return value;
}

static bool differs(struct comparing *comparing, enum gpucode_shader_differs how, unsigned thread, uint32_t first,
                    uint32_t second)
{
    struct gpucode_shader_comparison *found = comparing->found;
    if (first == second)
        return false;
    found->differs = how;
    found->thread = thread;
    found->value[0] = first;
    found->value[1] = second;
    return true;
}

static bool registers_differ(struct comparing *comparing)
{
    struct gpucode_shader_comparison *found = comparing->found;
    const struct gpucode_shader_place killed = {GPUCODE_A3XX_FLAGS, 0};
    for (unsigned thread = 0; thread < found->threads; thread++) {
        uint32_t dead = read_of(comparing, 0, thread, killed);
        if (differs(comparing, GPUCODE_SHADER_KILLED, thread, dead, read_of(comparing, 1, thread, killed)))
            return true;
        for (size_t i = 0; i < comparing->output_count && !dead; i++) {
            found->place = comparing->outputs[i];
            if (differs(comparing, GPUCODE_SHADER_REGISTER, thread, read_of(comparing, 0, thread, found->place),
                        read_of(comparing, 1, thread, found->place)))
                return true;
        }
    }
    return false;
}

/* The lowest address of a word that one of them has written, and that is not the same then. */
static bool memory_differs(struct comparing *comparing)
{
    struct gpucode_shader_comparison *found = comparing->found;
    const struct compare_word *word;
    bool any = false;
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; compare_memory_at(&comparing->memory[side], i, &word); i++) {
            if (!word || !word->written || (any && word->address >= found->address))
                continue;
            uint64_t address = word->address;
            uint32_t value = word->value, other = compare_memory_value(&comparing->memory[!side], address);
            if (!differs(comparing, GPUCODE_SHADER_MEMORY, word->thread, side ? other : value, side ? value : other))
                continue;
            found->address = address;
            any = true;
        }
    return any;
}

static bool same_stop(const struct gpucode_stop *first, const struct gpucode_stop *second)
{
    return first->reason == second->reason &&
           strcmp(first->code ? first->code : "", second->code ? second->code : "") == 0;
}

static bool is_undecided(const struct gpucode_stop *stop)
{
    return stop->reason == GPUCODE_STOP_LIMIT || stop->reason == GPUCODE_STOP_UNKNOWN;
}

static enum verdict run_both(struct comparing *comparing)
{
    struct gpucode_shader_comparison *found = comparing->found;
    run_one(comparing, 0);
    run_one(comparing, 1);
    found->differs = GPUCODE_SHADER_SAME;
    if (is_undecided(&found->stop[0]) || is_undecided(&found->stop[1]))
        return UNDECIDED;
    if (!same_stop(&found->stop[0], &found->stop[1])) {
        differs(comparing, GPUCODE_SHADER_STOPS, found->stop[0].processor, 0, 1);
        return APART;
    }
    if (found->stop[0].reason != GPUCODE_STOP_END)
        return STOPPED;
    return registers_differ(comparing) || memory_differs(comparing) ? APART : ALIKE;
}

/* --- inputs of a run ---------------------------------------------------------------------------------------------- */

/* A value for all threads of a place, or one for each. */
static void fill_place(struct comparing *comparing, size_t place, uint64_t *state, unsigned corners, bool alike)
{
    struct compare_inputs *inputs = &comparing->inputs;
    uint32_t start = inputs->places[place], value = compare_value(&comparing->numbers, state, corners);
    for (size_t i = start; i < inputs->count && inputs->list[i].start == start; i++)
        inputs->value[i] = alike || i == start ? value : compare_value(&comparing->numbers, state, corners);
}

static void fill_all(struct comparing *comparing, uint64_t *state)
{
    struct compare_inputs *inputs = &comparing->inputs;
    static const uint8_t corners[] = {1, 4, 4, 8};
    uint64_t how = compare_random(state);
    for (size_t i = 0; i < inputs->place_count; i++)
        fill_place(comparing, i, state, corners[how & 3], (how >> 2 & 3) == 0);
    if (inputs->count > 1 && (how >> 4 & 7) == 0) /* two that are equal */
        inputs->value[(how >> 16) % inputs->count] = inputs->value[(how >> 40) % inputs->count];
}

/* Each place with each number of the list, in the first half of the runs at most. */
static void put_corner(struct comparing *comparing, uint64_t run, uint64_t runs)
{
    struct compare_inputs *inputs = &comparing->inputs;
    if (!inputs->place_count || run >= runs / 2 || run / inputs->place_count >= comparing->numbers.count)
        return;
    uint32_t start = inputs->places[run % inputs->place_count];
    for (size_t i = start; i < inputs->count && inputs->list[i].start == start; i++)
        inputs->value[i] = comparing->numbers.list[run / inputs->place_count];
}

/* The run before again, but that two sides of a comparison become equal, or nearly. */
static void answer_comparison(struct comparing *comparing, uint64_t *state)
{
    uint64_t random = compare_random(state);
    unsigned pair = (unsigned)(random >> 8) % comparing->numbers.pair_count;
    uint32_t value = comparing->numbers.pairs[pair].value, wanted = comparing->numbers.pairs[pair].wanted;
    for (size_t i = 0; i < comparing->inputs.count; i++)
        if (comparing->inputs.value[i] == value)
            comparing->inputs.value[i] = wanted + (uint32_t)(random & 3) - 1;
}

static bool see_comparison(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct compare_numbers *numbers = user;
    uint32_t sides[2] = {(uint32_t)event->value, (uint32_t)event->old};
    (void)machine;
    for (unsigned i = 0; i < 2 && numbers->pair_count < COMPARE_PAIRS_MAX; i++) {
        numbers->pairs[numbers->pair_count].value = sides[i];
        numbers->pairs[numbers->pair_count++].wanted = sides[!i];
        compare_numbers_add(numbers, sides[i]);
    }
    return false;
}

static void watch(struct comparing *comparing, bool on)
{
    if (on)
        comparing->numbers.pair_count = 0;
    for (unsigned side = 0; side < 2; side++)
        gpucode_machine_hook(comparing->machine[side], on ? GPUCODE_EVENT_COMPARE : 0u, on ? see_comparison : NULL,
                             &comparing->numbers);
}

/* One run out of four notes what is compared; the three after it answer that. */
static enum verdict make_run(struct comparing *comparing, uint64_t run, uint64_t runs)
{
    uint64_t state = comparing->found->seed ^ run * UINT64_C(0xd1342543de82ef95);
    bool notes = run % 4 == 0;
    if (notes || !comparing->numbers.pair_count) {
        comparing->seed = compare_random(&state);
        comparing->texel_seed = compare_random(&state);
        fill_all(comparing, &state);
        put_corner(comparing, run, runs);
    } else {
        answer_comparison(comparing, &state);
    }
    if (notes)
        watch(comparing, true);
    enum verdict verdict = run_both(comparing);
    if (notes)
        watch(comparing, false);
    return verdict;
}

/* --- the input that tells them apart ------------------------------------------------------------------------------ */

static bool still_apart(struct comparing *comparing)
{
    return run_both(comparing) == APART && comparing->status == GPUCODE_OK;
}

/* Clears the bits of inputs that the difference does not need. */
static void minimise_bits(struct comparing *comparing)
{
    struct compare_inputs *inputs = &comparing->inputs;
    size_t left = 0;
    for (size_t i = 0; i < inputs->count && left < BITS_OF; i++)
        for (uint32_t bit = inputs->value[i] ? UINT32_C(1) << 31 : 0; bit; bit >>= 1) {
            left += bit >> 31;
            if (!(inputs->value[i] & bit))
                continue;
            inputs->value[i] ^= bit;
            if (!still_apart(comparing))
                inputs->value[i] ^= bit;
        }
}

/* Makes as many inputs 0 as the difference allows, first many at once. */
static void minimise(struct comparing *comparing)
{
    struct compare_inputs *inputs = &comparing->inputs;
    uint32_t *kept = malloc((inputs->count + 1) * sizeof *kept);
    if (!kept) {
        note(comparing, GPUCODE_ERROR_MEMORY);
        return;
    }
    comparing->zero_memory = true;
    comparing->zero_memory = still_apart(comparing);
    comparing->zero_texels = true;
    comparing->zero_texels = still_apart(comparing);
    for (size_t step = inputs->count; step; step /= 2)
        for (size_t at = 0; at < inputs->count; at += step) {
            size_t size = (inputs->count - at < step ? inputs->count - at : step) * sizeof *kept;
            memcpy(kept, inputs->value + at, size);
            memset(inputs->value + at, 0, size);
            if (memcmp(kept, inputs->value + at, size) != 0 && !still_apart(comparing))
                memcpy(inputs->value + at, kept, size);
        }
    free(kept);
    minimise_bits(comparing);
}

static bool writes_output(const struct comparing *comparing, const struct gpucode_event *event)
{
    const struct gpucode_shader_place *place = &comparing->found->place;
    bool half = event->space == GPUCODE_A3XX_HALF, wanted_half = place->space == GPUCODE_A3XX_HALF;
    if (event->processor != comparing->found->thread || (!half && event->space != GPUCODE_A3XX_FULL))
        return false;
    if (half == wanted_half)
        return event->address == place->number;
    return comparing->merged && (half ? event->address / 2 == place->number : event->address == place->number / 2);
}

static bool see_write(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct comparing *comparing = user;
    (void)machine;
    if (writes_output(comparing, event)) {
        comparing->found->made[comparing->side] = true;
        comparing->found->pc[comparing->side] = event->pc;
    }
    return false;
}

static void find_writers(struct comparing *comparing)
{
    struct gpucode_shader_comparison *found = comparing->found;
    const struct compare_word *word;
    uint32_t half = 0;
    gpucode_machine_write(comparing->machine[0], 0, GPUCODE_A3XX_FULL, 0, 0x12345678);
    gpucode_machine_read(comparing->machine[0], 0, GPUCODE_A3XX_HALF, 0, &half);
    comparing->merged = half == 0x5678;
    for (unsigned side = 0; side < 2; side++) {
        comparing->side = side;
        gpucode_machine_hook(comparing->machine[side],
                             found->differs == GPUCODE_SHADER_REGISTER ? (unsigned)GPUCODE_EVENT_WRITE : 0u, see_write,
                             comparing);
        run_one(comparing, side);
        gpucode_machine_hook(comparing->machine[side], 0, NULL, NULL);
        for (size_t i = 0; compare_memory_at(&comparing->memory[side], i, &word); i++)
            if (found->differs == GPUCODE_SHADER_MEMORY && word && word->written && word->address == found->address) {
                found->made[side] = true;
                found->pc[side] = word->pc;
            }
    }
}

static int compare_addresses(const void *a, const void *b)
{
    const struct gpucode_shader_word *first = a, *second = b;
    return (first->address > second->address) - (first->address < second->address);
}

/* The inputs that are left, and words that were read. */
static bool keep_inputs(struct comparing *comparing)
{
    struct gpucode_shader_comparison *found = comparing->found;
    const struct compare_inputs *inputs = &comparing->inputs;
    struct gpucode_shader_given *given = calloc(inputs->count + 1, sizeof *given);
    struct gpucode_shader_word *words = calloc(WORDS_SHOWN, sizeof *words);
    const struct compare_word *word;
    found->given = given;
    found->words = words;
    if (!given || !words)
        return false;
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->value[i])
            given[found->given_count++] =
                (struct gpucode_shader_given){inputs->list[i].thread, inputs->list[i].place, inputs->value[i]};
    for (size_t i = 0; compare_memory_at(&comparing->memory[0], i, &word); i++)
        if (word && word->read && word->start && found->word_count < WORDS_SHOWN)
            words[found->word_count++] = (struct gpucode_shader_word){word->address, word->start};
    qsort(words, found->word_count, sizeof *words, compare_addresses);
    found->texels = comparing->textures.count && !comparing->zero_texels;
    return true;
}

static void tell_apart(struct comparing *comparing)
{
    struct gpucode_shader_comparison *found = comparing->found;
    comparing->zero_memory = comparing->zero_texels = false;
    minimise(comparing);
    if (!still_apart(comparing))
        return;
    struct gpucode_shader_comparison kept = *found;
    find_writers(comparing);
    kept.made[0] = found->made[0], kept.made[1] = found->made[1];
    kept.pc[0] = found->pc[0], kept.pc[1] = found->pc[1];
    *found = kept;
    if (!keep_inputs(comparing))
        note(comparing, GPUCODE_ERROR_MEMORY);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool is_shader(const struct gpucode_image *image)
{
    struct gpucode_a3xx_usage usage;
    return gpucode_shader_usage(image, &usage) == GPUCODE_OK;
}

static unsigned threads_of(const struct gpucode_machine *machine)
{
    unsigned threads = 0;
    while (gpucode_machine_processor(machine, threads))
        threads++;
    return threads;
}

static enum gpucode_status find_outputs(struct comparing *comparing,
                                        const struct gpucode_shader_compare_options *options)
{
    size_t room = options->outputs.count ? options->outputs.count : COMPARE_OUTPUTS_MAX;
    comparing->outputs = calloc(room, sizeof *comparing->outputs);
    if (!comparing->outputs)
        return GPUCODE_ERROR_MEMORY;
    comparing->output_count = options->outputs.count;
    if (options->outputs.count)
        memcpy(comparing->outputs, options->outputs.list, room * sizeof *comparing->outputs);
    else
        comparing->output_count = compare_outputs_find(comparing->image, comparing->outputs);
    comparing->found->outputs = comparing->outputs;
    comparing->found->output_count = comparing->output_count;
    return GPUCODE_OK;
}

static enum gpucode_status prepare(struct comparing *comparing, const struct gpucode_shader_compare_options *options)
{
    enum gpucode_status status = find_outputs(comparing, options);
    for (unsigned side = 0; side < 2 && status == GPUCODE_OK; side++) /* what is restored at the end */
        status = gpucode_machine_snapshot(comparing->machine[side], &comparing->start[side]);
    if (status != GPUCODE_OK)
        return status;
    compare_numbers_init(&comparing->numbers, comparing->image);
    if (!compare_inputs_find(&comparing->inputs, comparing->machine, options))
        return GPUCODE_ERROR_MEMORY;
    for (unsigned side = 0; side < 2 && status == GPUCODE_OK; side++)
        status = compare_memory_open(&comparing->memory[side], comparing->machine[side], &comparing->numbers);
    return status;
}

static void run_all(struct comparing *comparing, uint64_t runs)
{
    struct gpucode_shader_comparison *found = comparing->found;
    struct gpucode_snapshot *bound[2] = {NULL, NULL}, *before[2] = {comparing->start[0], comparing->start[1]};
    struct gpucode_stop stop[2];
    bool stops = false;
    compare_bind_buffers(comparing->machine);
    compare_textures_bind(&comparing->textures, comparing->machine);
    for (unsigned side = 0; side < 2; side++)
        note(comparing, gpucode_machine_snapshot(comparing->machine[side], &bound[side]));
    memcpy(comparing->start, bound, sizeof bound);
    while (comparing->status == GPUCODE_OK && found->runs < runs && !found->differs) {
        enum verdict verdict = make_run(comparing, found->runs++, runs);
        found->ended += verdict == ALIKE;
        found->stopped += verdict == STOPPED;
        found->undecided += verdict == UNDECIDED;
        if (verdict == STOPPED || verdict == UNDECIDED) {
            memcpy(stop, found->stop, sizeof stop);
            stops = true;
        }
        if (verdict == APART)
            tell_apart(comparing);
    }
    if (stops && !found->differs)
        memcpy(found->stop, stop, sizeof stop);
    memcpy(comparing->start, before, sizeof before);
    for (unsigned side = 0; side < 2; side++)
        gpucode_snapshot_free(bound[side]);
}

static void close_all(struct comparing *comparing)
{
    for (unsigned side = 0; side < 2; side++) {
        compare_memory_close(&comparing->memory[side]);
        if (comparing->start[side])
            gpucode_machine_restore(comparing->machine[side], comparing->start[side]);
        gpucode_snapshot_free(comparing->start[side]);
    }
    free(comparing->inputs.list);
    free(comparing->inputs.places);
    free(comparing->inputs.value);
}

enum gpucode_status gpucode_shader_compare(struct gpucode_machine *first, struct gpucode_machine *second,
                                           const struct gpucode_shader_compare_options *options,
                                           struct gpucode_shader_comparison *out)
{
    static const struct gpucode_shader_compare_options nothing;
    if (!first || !second || first == second || !out)
        return GPUCODE_ERROR_ARGUMENT;
    options = options ? options : &nothing;
    *out = (struct gpucode_shader_comparison){.seed = options->seed, .threads = threads_of(first)};
    if (!is_shader(gpucode_machine_image(first)) || !is_shader(gpucode_machine_image(second)))
        return GPUCODE_ERROR_UNSUPPORTED;
    if (threads_of(second) != out->threads)
        return GPUCODE_ERROR_RANGE;
    struct comparing *comparing = calloc(1, sizeof *comparing);
    if (!comparing)
        return GPUCODE_ERROR_MEMORY;
    comparing->machine[0] = first;
    comparing->machine[1] = second;
    for (unsigned side = 0; side < 2; side++)
        comparing->image[side] = gpucode_machine_image(comparing->machine[side]);
    comparing->limit = options->limit ? options->limit : LIMIT;
    comparing->found = out;
    note(comparing, prepare(comparing, options));
    if (comparing->status == GPUCODE_OK)
        run_all(comparing, options->runs ? options->runs : RUNS);
    close_all(comparing);
    enum gpucode_status status = comparing->status;
    free(comparing);
    if (status != GPUCODE_OK)
        gpucode_shader_comparison_free(out);
    return status;
}

void gpucode_shader_comparison_free(struct gpucode_shader_comparison *comparison)
{
    if (!comparison)
        return;
    free((void *)(uintptr_t)comparison->outputs);
    free((void *)(uintptr_t)comparison->given);
    free((void *)(uintptr_t)comparison->words);
    *comparison = (struct gpucode_shader_comparison){.differs = GPUCODE_SHADER_SAME};
}

const char *gpucode_shader_differs_name(enum gpucode_shader_differs how)
{
    static const char *const names[GPUCODE_SHADER_DIFFERENCES] = {"same", "stops", "killed", "register", "memory"};
    return (unsigned)how < GPUCODE_SHADER_DIFFERENCES ? names[how] : NULL;
}
