/* SPDX-License-Identifier: MIT */
/* Inputs as files of packets, which `run`, `coverage` and `debug` take with --packets. */
#include "kit/afuc/fuzz.h"

#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
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
