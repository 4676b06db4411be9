/* SPDX-License-Identifier: MIT */
/* Coverage as people and programs read it: the listing with marks and a summary, JSON, or lcov. */
#include "front/code.h"
#include "front/coverage.h"
#include "front/lcov.h"
#include "front/output.h"
#include "front/places.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- text ---------------------------------------------------------------------------------------------------- */

/* The listing, each line behind + when its instruction ran, - when it did not. */
static void print_listing(const struct coverage *coverage)
{
    size_t length;
    const char *text = gpucode_outline_text(coverage->outline, &length), *at = text, *end = text + length;
    uint32_t next = 0;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline + 1 : end;
        const struct gpucode_unit *unit;
        while (next < coverage->unit_count && text + coverage->units[next].line < at)
            next++;
        const char *mark = "  ";
        if (next < coverage->unit_count && text + (unit = &coverage->units[next])->line == at &&
            coverage_is_insn(coverage, unit))
            mark = coverage_has_run(coverage, unit) ? "+ " : "- ";
        fwrite(*at == '\n' ? "" : mark, 1, *at == '\n' ? 0 : 2, stdout);
        fwrite(at, 1, (size_t)(stop - at), stdout);
        at = stop;
    }
}

static void print_share(uint32_t ran, uint32_t instructions)
{
    unsigned percent = instructions ? (unsigned)(UINT64_C(100) * ran / instructions) : 100;
    printf("%6" PRIu32 " of %6" PRIu32 "  %3u%%", ran, instructions, percent);
}

/* A name of the caller's and the packet's, if it has both. */
static void print_routine(const struct gpucode_routine *routine)
{
    bool both = routine->symbol && routine->packet && strcmp(routine->symbol, routine->packet) != 0;
    printf("  %s%s%s", routine->name, both ? " = " : "", both ? routine->packet : "");
    if (routine->entry_count > 1)
        printf(" and %" PRIu32 " more", routine->entry_count - 1);
}

/* The packets that lead to what no packet names. */
static void print_packets(const struct coverage *coverage, const struct gpucode_routine *routine)
{
    char text[GPUCODE_NOTE_MAX];
    if (coverage->comments && !routine->packet &&
        places_packets(coverage->input, routine->section, coverage->units[routine->first].at, text))
        printf("  from %s", text);
}

static void print_section(const struct coverage *coverage, unsigned section)
{
    struct coverage_count all = {0};
    printf("\n%s%s", coverage_section(coverage, section), *coverage_section(coverage, section) ? "\n" : "");
    for (uint32_t i = 0; i < coverage->routine_count; i++) {
        const struct gpucode_routine *routine = &coverage->routines[i];
        const struct coverage_count *count = &coverage->count[i];
        if (routine->section != section || !count->instructions) /* without instructions: a table */
            continue;
        printf("  0x%04" PRIx64, coverage->units[routine->first].at);
        print_share(count->ran, count->instructions);
        print_routine(routine);
        print_packets(coverage, routine);
        putchar('\n');
        all.ran += count->ran;
        all.instructions += count->instructions;
    }
    printf("  all   ");
    print_share(all.ran, all.instructions);
    putchar('\n');
}

static void print_summary(const struct coverage *coverage)
{
    for (unsigned section = 0; section < coverage_sections(coverage); section++)
        if (coverage->present[section])
            print_section(coverage, section);
}

/* --- JSON ---------------------------------------------------------------------------------------------------- */

/* Runs of units that ran, first and last. */
static void write_runs(struct json *json, const struct coverage *coverage, uint32_t start, uint32_t size)
{
    json_array(json, gpucode_target_unit_bytes(coverage->input->target) == 1 ? "ran_bytes" : "ran_words");
    uint32_t end = size < coverage->info->units - start ? size : coverage->info->units - start;
    const uint8_t *ran = coverage->ran + start;
    for (uint32_t i = 0, last; i < end; i = last + 1) {
        last = i;
        if (!ran[i])
            continue;
        while (last + 1 < end && ran[last + 1])
            last++;
        json_array(json, NULL);
        json_number(json, NULL, i);
        json_number(json, NULL, last);
        json_end(json);
    }
    json_end(json);
}

static void write_routine(struct json *json, const struct coverage *coverage, uint32_t index)
{
    const struct gpucode_routine *routine = &coverage->routines[index];
    bool bytes = gpucode_target_unit_bytes(coverage->input->target) == 1;
    json_object(json, NULL);
    json_string(json, "name", routine->name);
    json_string(json, "symbol", routine->symbol);
    json_string(json, "packet", routine->packet);
    json_number(json, bytes ? "start_bytes" : "start_words", coverage->units[routine->first].at);
    json_number(json, "more_handlers", routine->entry_count > 1 ? routine->entry_count - 1 : 0);
    json_number(json, "ran", coverage->count[index].ran);
    json_number(json, "instructions", coverage->count[index].instructions);
    json_end(json);
}

static void write_sections(struct json *json, const struct coverage *coverage)
{
    json_array(json, "sections");
    for (unsigned section = 0; section < coverage_sections(coverage); section++) {
        if (!coverage->present[section])
            continue;
        bool named = section < coverage->info->section_count;
        json_object(json, NULL);
        json_string(json, "name", coverage_section(coverage, section));
        json_array(json, "routines");
        for (uint32_t i = 0; i < coverage->routine_count; i++)
            if (coverage->routines[i].section == section && coverage->count[i].instructions)
                write_routine(json, coverage, i);
        json_end(json);
        write_runs(json, coverage, named ? coverage->info->sections[section].start : 0,
                   named ? coverage->info->sections[section].size : coverage->info->units);
        json_end(json);
    }
    json_end(json);
}

/* --- all of it ------------------------------------------------------------------------------------------------ */

static int write_lcov(struct session *session, const struct coverage *coverage, const char *path)
{
    size_t length;
    char *text = lcov_text(coverage, &length);
    if (!text)
        return out_of_memory(&session->diagnostics);
    int code = outputs_write(&session->diagnostics, path, text, length);
    free(text);
    return code;
}

int coverage_report(struct session *session, const struct input *input, const struct gpucode_machine *machine,
                    const char *section, const struct coverage_ending *ending)
{
    const char *lcov = session->arguments.value[OPTION_LCOV];
    struct coverage coverage;
    enum gpucode_status status = coverage_find(&coverage, input, machine, section);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    coverage.comments = arguments_have(&session->arguments, OPTION_COMMENTS);
    int code = lcov ? write_lcov(session, &coverage, lcov) : EXIT_DONE;
    bool alone = lcov && strcmp(lcov, "-") == 0; /* standard output is taken */
    if (!code && !alone) {
        struct report report = report_begin(session);
        if (report.is_json) {
            ending->tell(ending->user, &report);
            write_sections(&report.json, &coverage);
        } else {
            print_listing(&coverage);
            print_summary(&coverage);
            ending->tell(ending->user, &report);
        }
        report_end(&report);
    }
    coverage_free(&coverage);
    return code;
}
