/* SPDX-License-Identifier: MIT */
/* Inputs as files of packets, which `run`, `coverage` and `debug` take with --packets. */
#include "kit/afuc/fuzz.h"
#include "kit/afuc/ring.h"

#include "front/session.h"
#include "gpu/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --------------------------------------------------------------------------------------------------- */

static void write_register(const struct fuzzed *fuzzed, uint32_t number, FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    uint32_t found;
    const struct gpucode_names *names = input_names(fuzzed->input);
    if (gpucode_name_of(fuzzed->input->target, names, GPUCODE_SPACE_GPU, number, name, sizeof name) &&
        !strpbrk(name, " \t,;#") &&
        gpucode_number_of(fuzzed->input->target, names, GPUCODE_SPACE_GPU, name, strlen(name), &found) &&
        found == number)
        fputs(name, out);
    else
        fprintf(out, "0x%x", (unsigned)number);
}

/* Packets, a line each with `ahead` in front. */
static void write_packets(const struct fuzzed *fuzzed, const uint32_t *words, uint32_t count, const char *ahead,
                          FILE *out)
{
    for (uint32_t at = 0, next; at < count; at = next) {
        struct gpucode_packet_header header = gpucode_packet_header(words[at]);
        fputs(ahead, out);
        if (header.type == 4) {
            fputc('@', out);
            write_register(fuzzed, header.number, out);
        } else {
            fputs(fuzzed->names[header.number], out);
        }
        next = at + 1 + header.count;
        for (uint32_t i = at + 1; i < next && i < count; i++)
            fprintf(out, " 0x%x", (unsigned)words[i]);
        fputc('\n', out);
    }
}

static void write_words(const struct fuzzed *fuzzed, const struct plan_step *step, FILE *out)
{
    const uint32_t *words = fuzzed->plan.words + step->first;
    if (step->count && step->address >= FUZZ_BUFFERS &&
        step->address < FUZZ_BUFFERS + (uint64_t)FUZZ_BUFFER_STEP * GPUCODE_FUZZ_RECORDS_MAX &&
        step->address % FUZZ_BUFFER_STEP == 0) {
        fprintf(out, "; a buffer of %u words at 0x%" PRIx64 "\n", (unsigned)step->count, step->address);
        write_packets(fuzzed, words, step->count, ";   ", out);
    }
    for (uint32_t i = 0; i < step->count; i++) {
        if (i % 8 == 0)
            fprintf(out, "%s.memory 0x%" PRIx64, i ? "\n" : "", step->address + 4 * (uint64_t)i);
        fprintf(out, " 0x%x", (unsigned)words[i]);
    }
    if (step->count)
        fputc('\n', out);
}

/* Policies with those that fuzzing presets, and what else was given. */
static void write_settings(const struct fuzzed *fuzzed, enum command_id command, FILE *out)
{
    static const enum option_id written[] = {OPTION_POLICY, OPTION_AFUC_LIMIT, OPTION_COUNT};
    for (const struct gpucode_setting *setting = fuzzed->settings; setting->name; setting++)
        if (strcmp(setting->name, "afuc-processor") != 0)
            fprintf(out, " --policy %s=%s", setting->name, setting->value);
    kit_fuzz_write_options(fuzzed->session, gpucode_target_isa(fuzzed->input->target), command, written, out);
}

static void write_how(const struct fuzzed *fuzzed, const struct kit_fuzz_files *files, size_t count, FILE *out)
{
    const char *firmware = fuzzed->input->file.name;
    fprintf(out, "; %s\n; gpucode run ", files->outcome->text);
    kit_fuzz_write_word("", firmware, out);
    kit_fuzz_write_word(" --packets ", files->text, out);
    write_settings(fuzzed, COMMAND_run, out);
    /* `run` counts boot and packets together */
    fprintf(out, " --limit %" PRIu64 "\n; gpucode debug ", fuzzed->limit * (count + 1) + 100000);
    kit_fuzz_write_word("", firmware, out);
    kit_fuzz_write_word(" --packets ", files->text, out);
    kit_fuzz_write_word(" -x ", files->debugger, out);
    write_settings(fuzzed, COMMAND_debug, out);
    fputs("\n; gpucode fuzz ", out);
    kit_fuzz_write_word("", firmware, out);
    kit_fuzz_write_word(" --try ", files->text, out);
    kit_fuzz_write_options(fuzzed->session, gpucode_target_isa(fuzzed->input->target), COMMAND_fuzz, NULL, out);
    fputc('\n', out);
    if (fuzzed->other)
        return;
    fprintf(out, ".check %" PRIu64 "\n", fuzzed->limit);
    for (unsigned i = 0; i < fuzzed->assert_count; i++)
        fprintf(out, ".assert %s\n", fuzzed->asserts[i].text);
}

/* Plans the input; `records` and `words` are room. */
static size_t plan_bytes(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                         struct gpucode_fuzz_record *records, uint32_t *words)
{
    struct fuzzed *fuzzed = fuzzed_of(subject);
    size_t count = gpucode_fuzz_read(fuzzed->kind_count, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    fuzz_plan(fuzzed, records, count);
    return count;
}

void fuzz_write_text(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                     const struct kit_fuzz_files *files, FILE *out)
{
    struct fuzzed *fuzzed = fuzzed_of(subject);
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    size_t count = plan_bytes(subject, bytes, size, records, words);
    if (files)
        write_how(fuzzed, files, count, out);
    for (unsigned i = 0; i < fuzzed->plan.count; i++) {
        const struct plan_step *step = &fuzzed->plan.steps[i];
        if (step->kind == PLAN_FEED) {
            write_packets(fuzzed, fuzzed->plan.words + step->first, step->count, "", out);
        } else if (step->kind == PLAN_STORE) {
            write_words(fuzzed, step, out);
        } else if (step->kind == PLAN_SET) {
            fputs(".register ", out);
            write_register(fuzzed, (uint32_t)step->address, out);
            fprintf(out, " 0x%x\n", (unsigned)step->count);
        } else {
            fputs(".run\n.register @PREEMPT_TRIGGER 0x1\n", out);
        }
    }
}

/*
 * The debugger begins in front of the boot, and gives the firmware each portion when it waits for it, as the run did:
 * it goes on by as many instructions.
 */
void fuzz_write_debugger(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size, FILE *out)
{
    struct fuzzed *fuzzed = fuzzed_of(subject);
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    struct gpucode_fuzz_outcome outcome = {.judgement = GPUCODE_FUZZ_PASS};
    fuzzed->outcome = &outcome;
    fuzzed->records = records;
    fuzzed->record_count = gpucode_fuzz_read(fuzzed->kind_count, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    fuzz_plan(fuzzed, records, fuzzed->record_count);
    fuzz_run_plan(fuzzed);
    fprintf(out, "stepi %" PRIu64 "\n", gpucode_machine_count(fuzzed->machine));
}

/*
 * Inputs out of packets: of files of packets, and of recorded streams. Where a packet calls a buffer whose words are
 * known and are packets to the last one, the buffer's packets become records of their own.
 */

#define PACKETS_MAX 12u /* of one input out of a stream */

struct seeding {
    const struct fuzzed *fuzzed;
    /* A word of memory; false: it is not known. `used`: a record has it. */
    bool (*word)(struct seeding *seeding, uint64_t address, bool used, uint32_t *word);
    const struct ring *ring;
    uint8_t *used;                       /* by word of ring->given */
    const struct gpucode_submit *submit; /* of a stream */
    unsigned char *bytes;
    size_t size;
    unsigned records;
};

/* --- records --------------------------------------------------------------------------------------------------- */

static void add_record(struct seeding *seeding, unsigned kind, const uint32_t *words, unsigned count)
{
    if (seeding->records == GPUCODE_FUZZ_RECORDS_MAX)
        return;
    const struct gpucode_fuzz_record record = {(uint8_t)kind, (uint8_t)count, words};
    seeding->size +=
        gpucode_fuzz_write(&record, 1, seeding->bytes + seeding->size, GPUCODE_FUZZ_INPUT_MAX - seeding->size);
    seeding->records++;
}

static void add_special(struct seeding *seeding, enum fuzz_special special, const uint32_t *words, unsigned count)
{
    add_record(seeding, seeding->fuzzed->packets + special, words, count);
}

/* The kind of packets with the opcode; one that the firmware does not know stands for all of those. */
static unsigned kind_of(const struct fuzzed *fuzzed, unsigned opcode)
{
    unsigned unknown = 0;
    for (unsigned i = 0; i < fuzzed->packets; i++) {
        if (fuzzed->opcodes[i] == opcode)
            return i;
        if (fuzzed->kinds[i].weight < fuzzed->kinds[unknown].weight)
            unknown = i;
    }
    return unknown;
}

static void add_registers(struct seeding *seeding, uint32_t number, const uint32_t *values, uint32_t count)
{
    uint32_t words[GPUCODE_FUZZ_WORDS_MAX];
    for (uint32_t done = 0, part; done < count; done += part) {
        part = count - done < GPUCODE_FUZZ_WORDS_MAX - 1 ? count - done : GPUCODE_FUZZ_WORDS_MAX - 1;
        words[0] = number + done;
        memcpy(words + 1, values + done, 4 * (size_t)part);
        add_special(seeding, FUZZ_REGISTERS, words, part + 1);
    }
}

/* --- packets --------------------------------------------------------------------------------------------------- */

static void add_packets(struct seeding *seeding, const uint32_t *words, uint32_t count, unsigned depth, unsigned most);

/* Are these words packets, to the last one? */
static bool are_packets(const uint32_t *words, uint32_t count)
{
    uint32_t at = 0;
    while (at < count) {
        struct gpucode_packet_header header = gpucode_packet_header(words[at]);
        if (!header.type || !header.parity_is_odd)
            return false;
        at += 1 + header.count;
    }
    return count && at == count;
}

/* The buffer that a packet calls becomes records; false: its words are not known, or no packets. */
static bool add_buffer(struct seeding *seeding, enum fuzz_special special, const uint32_t *flags, uint64_t address,
                       uint32_t count, unsigned depth, unsigned most)
{
    bool good = count && count < 0x10000 && depth + 1 < FUZZ_DEPTH;
    uint32_t *words = good ? malloc(4 * (size_t)count) : NULL;
    for (unsigned pass = 0; words && good && pass < 2; pass++) {
        for (uint32_t i = 0; good && i < count; i++)
            good = seeding->word(seeding, address + 4 * (uint64_t)i, pass, &words[i]);
        good = good && (pass || are_packets(words, count));
    }
    good = good && words;
    if (good) {
        add_special(seeding, special, flags, flags ? 1 : 0);
        add_packets(seeding, words, count, depth + 1, most);
        add_special(seeding, FUZZ_END, NULL, 0);
    }
    free(words);
    return good;
}

static void add_packet(struct seeding *seeding, unsigned opcode, const uint32_t *words, uint32_t count, unsigned depth,
                       unsigned most)
{
    const struct fuzzed *fuzzed = seeding->fuzzed;
    if ((int)opcode == fuzzed->indirect && count == 3 &&
        add_buffer(seeding, FUZZ_BUFFER, NULL, words[0] | (uint64_t)words[1] << 32, words[2] & 0xfffff, depth, most))
        return;
    if ((int)opcode == fuzzed->draw_state && count == 3 && (words[0] & 0x00ff0000) == 0xf00000 &&
        add_buffer(seeding, FUZZ_GROUP, words, words[1] | (uint64_t)words[2] << 32, words[0] & 0xffff, depth, most))
        return;
    add_record(seeding, kind_of(fuzzed, opcode), words,
               count < GPUCODE_FUZZ_WORDS_MAX ? count : GPUCODE_FUZZ_WORDS_MAX);
}

static void add_packets(struct seeding *seeding, const uint32_t *words, uint32_t count, unsigned depth, unsigned most)
{
    uint32_t at = 0;
    for (unsigned done = 0; at < count && done < most; done++) {
        struct gpucode_packet_header header = gpucode_packet_header(words[at]);
        uint32_t left = count - at - 1, payload = header.count < left ? header.count : left;
        if (header.type == 4)
            add_registers(seeding, header.number, words + at + 1, payload);
        else if (header.type == 7)
            add_packet(seeding, header.number, words + at + 1, payload, depth, most);
        at += 1 + payload;
    }
}

/* --- files of packets ------------------------------------------------------------------------------------------ */

/* Memory that the file gives; the last line that does so counts. */
static bool given_word(struct seeding *seeding, uint64_t address, bool used, uint32_t *word)
{
    const struct ring *ring = seeding->ring;
    for (size_t i = ring->step_count; i--;) {
        const struct ring_step *step = &ring->steps[i];
        if (step->kind != RING_STORE || address < step->address || (address - step->address) / 4 >= step->count ||
            address % 4)
            continue;
        size_t index = step->first + (size_t)((address - step->address) / 4);
        *word = ring->given[index];
        if (used)
            seeding->used[index] = 1;
        return true;
    }
    return false;
}

/* Memory that no buffer has used. */
static void add_memory(struct seeding *seeding, const struct ring_step *step)
{
    for (size_t i = 0; i < step->count;) {
        uint32_t words[GPUCODE_FUZZ_WORDS_MAX];
        unsigned count = 2;
        uint64_t address = step->address + 4 * i;
        for (; i < step->count && !seeding->used[step->first + i] && count < GPUCODE_FUZZ_WORDS_MAX; i++)
            words[count++] = seeding->ring->given[step->first + i];
        words[0] = (uint32_t)address;
        words[1] = (uint32_t)(address >> 32);
        if (count > 2)
            add_special(seeding, FUZZ_STORE, words, count);
        while (i < step->count && seeding->used[step->first + i])
            i++;
    }
}

/* A register that the file sets. Complains and returns an exit code. */
static int add_set(struct session *session, struct seeding *seeding, const struct ring_step *step, bool *preempts)
{
    const struct fuzzed *fuzzed = seeding->fuzzed;
    unsigned space;
    uint32_t number, value = seeding->ring->given[step->first];
    if (!gpucode_machine_find(fuzzed->machine, step->name, &space, &number))
        return ring_refuse_register(session, step, NULL);
    *preempts = space == GPUCODE_SPACE_CONTROL && number == fuzzed->trigger && value & 1;
    if (*preempts)
        return EXIT_DONE;
    if (space != GPUCODE_SPACE_GPU)
        return ring_refuse_register(session, step, "an input sets GPU registers, and @PREEMPT_TRIGGER after .run");
    add_special(seeding, FUZZ_SET, (const uint32_t[]){number, value}, 2);
    return EXIT_DONE;
}

/* The file's packets and steps in their order; a first pass finds out which memory is buffers. */
static int add_all(struct session *session, struct seeding *seeding)
{
    const struct ring *ring = seeding->ring;
    size_t fed = 0, end = 0;
    seeding->size = seeding->records = 0;
    for (size_t i = 0; i <= ring->step_count; i++) {
        const struct ring_step *step = i < ring->step_count ? &ring->steps[i] : NULL;
        bool preempts = false;
        int code = EXIT_DONE;
        if (!step || step->kind == RING_RUN)
            end = step ? step->words : ring->count;
        if (!step || step->kind == RING_RUN) {
            add_packets(seeding, ring->words + fed, (uint32_t)(end - fed), 0, UINT32_MAX);
            fed = end;
        } else if (step->kind == RING_STORE) {
            add_memory(seeding, step);
        } else if (step->kind == RING_SET) {
            code = add_set(session, seeding, step, &preempts);
        }
        if (code)
            return code;
        if (preempts)
            add_special(seeding, FUZZ_PREEMPT, NULL, 0);
    }
    return EXIT_DONE;
}

/* Is the input of a file one that is run as the file says, and not a seed? */
static bool is_checked(const struct arguments *arguments, const struct session *session)
{
    return session->command == &command_table[COMMAND_run] || arguments_have(arguments, OPTION_FUZZ_TRY) ||
           arguments_have(arguments, OPTION_FUZZ_MINIMISE);
}

/* `.check` and `.assert`, where the command line does not say otherwise. */
static int take_checks(struct session *session, struct fuzzed *fuzzed, const struct ring *ring)
{
    const struct arguments *arguments = &session->arguments;
    int code = EXIT_DONE;
    if (!is_checked(arguments, session))
        return code;
    bool own = arguments_have(arguments, OPTION_AFUC_FUZZ_ASSERT);
    if (!own)
        fuzz_forget_asserts(fuzzed);
    for (size_t i = 0; !code && i < ring->step_count; i++) {
        const struct ring_step *step = &ring->steps[i];
        fuzzed->checked |= step->kind == RING_CHECK || step->kind == RING_ASSERT;
        if (step->kind == RING_CHECK && step->address &&
            (session->command == &command_table[COMMAND_run] || !arguments_have(arguments, OPTION_AFUC_LIMIT)))
            fuzzed->limit = step->address;
        if (step->kind == RING_ASSERT && !own)
            code = fuzz_take_assert(fuzzed, ring_assert_text(step), &step->place);
    }
    if (!own)
        fuzz_watch_on(fuzzed, 0);
    return code;
}

int fuzz_read_text(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                   unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size)
{
    struct ring ring = {0};
    struct seeding seeding = {.fuzzed = fuzzed_of(subject), .word = given_word, .ring = &ring, .bytes = bytes};
    int code = ring_add_file(session, seeding.fuzzed->input, &ring, path);
    if (!code) {
        seeding.used = calloc(ring.given_count + 1, 1);
        code = seeding.used ? EXIT_DONE : out_of_memory(&session->diagnostics);
    }
    for (unsigned pass = 0; !code && pass < 2; pass++)
        code = add_all(session, &seeding);
    if (!code)
        code = take_checks(session, fuzzed_of(subject), &ring);
    *size = seeding.size;
    free(seeding.used);
    ring_free(&ring);
    return code;
}

/* --- recorded streams ------------------------------------------------------------------------------------------ */

static bool recorded_word(struct seeding *seeding, uint64_t address, bool used, uint32_t *word)
{
    (void)used;
    for (size_t i = 0; i < seeding->submit->buffer_count; i++) {
        const struct gpucode_stream_buffer *buffer = &seeding->submit->buffers[i];
        if (address < buffer->address || address - buffer->address + 4 > buffer->length)
            continue;
        const unsigned char *at = (const unsigned char *)buffer->bytes + (address - buffer->address);
        *word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        return true;
    }
    return false;
}

/* Cuts one stream into inputs of some packets each. */
static int take_stream(struct seeding *seeding, const struct gpucode_stream_command *command,
                       const struct kit_fuzz_sink *sink)
{
    uint32_t *words = malloc(4 * (size_t)command->words + 4), count = 0;
    int code = EXIT_DONE;
    if (!words)
        return EXIT_FAULT;
    while (count < command->words &&
           recorded_word(seeding, command->address + 4 * (uint64_t)count, false, &words[count]))
        count++;
    for (uint32_t at = 0, next = 0; !code && at < count; at = next) {
        for (unsigned i = 0; i < PACKETS_MAX && next < count; i++)
            next += 1 + gpucode_packet_header(words[next]).count;
        next = next < count ? next : count;
        seeding->size = seeding->records = 0;
        add_packets(seeding, words + at, next - at, 0, PACKETS_MAX);
        if (seeding->size)
            code = sink->take(sink->to, seeding->bytes, seeding->size);
    }
    free(words);
    return code;
}

int fuzz_take_seeds(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                    const struct kit_fuzz_sink *sink)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    struct recording recording;
    struct gpucode_submit submit;
    struct seeding seeding = {.fuzzed = fuzzed_of(subject), .word = recorded_word, .submit = &submit, .bytes = bytes};
    int code = recording_open(session, path, &recording);
    if (code)
        return code;
    for (size_t i = 0; !code && gpucode_stream_submit(recording.stream, i, &submit); i++)
        for (size_t k = 0; !code && k < submit.command_count; k++)
            code = take_stream(&seeding, &submit.commands[k], sink);
    recording_close(&recording);
    return code;
}
