/* SPDX-License-Identifier: MIT */
#include <gpucode/coverage.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "analysis/coverage.answer.def"
#include <gpucode/answer_rows.h>

/* Packets that are named where several lead to a routine. */
#define PACKETS_SHOWN 4

const struct gpucode_answer_table *gpucode_coverage_answer_table(void)
{
    static const struct gpucode_answer_table table = {"coverage", "How much of each routine ran.", fields,
                                                      sizeof fields / sizeof *fields};
    return &table;
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

bool gpucode_coverage_has_run(const struct gpucode_coverage *coverage, const struct gpucode_unit *unit)
{
    return coverage && coverage->info && unit && unit->unit < coverage->info->units && coverage->ran[unit->unit];
}

bool gpucode_coverage_is_insn(const struct gpucode_coverage *coverage, const struct gpucode_unit *unit)
{
    return coverage && coverage->present && unit && coverage->present[unit->section] &&
           (unit->kind == GPUCODE_UNIT_CODE || gpucode_coverage_has_run(coverage, unit));
}

static void count_units(struct gpucode_coverage *coverage)
{
    for (uint32_t i = 0; i < coverage->unit_count; i++) {
        const struct gpucode_unit *unit = &coverage->units[i];
        if (unit->routine == GPUCODE_NONE)
            continue;
        coverage->count[unit->routine].instructions += gpucode_coverage_is_insn(coverage, unit);
        coverage->count[unit->routine].ran += gpucode_coverage_has_run(coverage, unit);
    }
}

enum gpucode_status gpucode_coverage_find(const struct gpucode_machine *machine, const struct gpucode_image *image,
                                          const struct gpucode_outline *outline, const char *section,
                                          struct gpucode_coverage *coverage)
{
    const char *name;
    if (!machine || !image || !coverage)
        return GPUCODE_ERROR_ARGUMENT;
    *coverage = (struct gpucode_coverage){.machine = machine, .info = gpucode_image_info(image), .outline = outline};
    if (!outline) /* it could not be made */
        return GPUCODE_ERROR_MEMORY;
    coverage->units = gpucode_outline_units(outline, &coverage->unit_count);
    coverage->routines = gpucode_outline_routines(outline, &coverage->routine_count);
    coverage->ran = calloc((size_t)coverage->info->units + 1, 1);
    coverage->present = calloc((size_t)coverage->info->section_count + 1, sizeof *coverage->present);
    coverage->count = calloc((size_t)coverage->routine_count + 1, sizeof *coverage->count);
    if (!coverage->ran || !coverage->present || !coverage->count) {
        gpucode_coverage_free(coverage);
        return GPUCODE_ERROR_MEMORY;
    }
    gpucode_machine_ran(machine, image, coverage->ran);
    for (unsigned i = 0; (name = gpucode_machine_processor(machine, i)); i++)
        if (!section || strcmp(section, name) == 0)
            coverage->present[gpucode_machine_section(machine, i)] = true;
    count_units(coverage);
    return GPUCODE_OK;
}

void gpucode_coverage_free(struct gpucode_coverage *coverage)
{
    if (!coverage)
        return;
    free(coverage->ran);
    free(coverage->present);
    free(coverage->count);
    *coverage = (struct gpucode_coverage){0};
}

/* --- telling ------------------------------------------------------------------------------------------------------ */

/* The listing, each line after + when its instruction ran, - when it did not. */
static void tell_listing(const struct gpucode_coverage *coverage, struct gpucode_answer *answer)
{
    size_t length, lines = 1;
    const char *text = gpucode_outline_text(coverage->outline, &length), *at = text, *end = text + length;
    for (const char *line = text; (line = memchr(line, '\n', (size_t)(end - line))); line++)
        lines++;
    char *marked = malloc(length + 2 * lines + 1), *to = marked;
    if (!marked) {
        gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
        return;
    }
    for (uint32_t next = 0; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline + 1 : end;
        char mark = ' ';
        while (next < coverage->unit_count && text + coverage->units[next].line < at)
            next++;
        const struct gpucode_unit *unit = next < coverage->unit_count ? &coverage->units[next] : NULL;
        if (unit && text + unit->line == at && gpucode_coverage_is_insn(coverage, unit))
            mark = gpucode_coverage_has_run(coverage, unit) ? '+' : '-';
        if (*at != '\n') {
            *to++ = mark;
            *to++ = ' ';
        }
        memcpy(to, at, (size_t)(stop - at));
        to += stop - at;
        at = stop;
    }
    gpucode_answer_bytes(answer, &fields[LISTED], marked, (size_t)(to - marked));
    free(marked);
}

static unsigned percent_of(const struct gpucode_coverage_count *count)
{
    return count->instructions ? (unsigned)(UINT64_C(100) * count->ran / count->instructions) : 100;
}

static bool counts_bytes(const struct gpucode_coverage *coverage)
{
    return gpucode_target_unit_bytes(coverage->info->target) == 1;
}

static void tell_routine(const struct gpucode_coverage *coverage, uint32_t index,
                         const struct gpucode_analysis *analysis, struct gpucode_answer *answer)
{
    const struct gpucode_routine *routine = &coverage->routines[index];
    const struct gpucode_coverage_count *count = &coverage->count[index];
    uint64_t start = coverage->units[routine->first].at, packets[2];
    char text[GPUCODE_NOTE_MAX];
    bool both = routine->symbol && routine->packet && strcmp(routine->symbol, routine->packet) != 0;
    gpucode_answer_begin(answer, &fields[ROUTINE]);
    gpucode_answer_format(answer, &fields[ROUTINE_PLACE], "0x%04" PRIx64, start);
    gpucode_answer_text(answer, &fields[ROUTINE_NAME], routine->name);
    gpucode_answer_text(answer, &fields[ROUTINE_SYMBOL], routine->symbol);
    gpucode_answer_text(answer, &fields[ROUTINE_PACKET], routine->packet);
    gpucode_answer_number(answer, &fields[counts_bytes(coverage) ? ROUTINE_START_BYTES : ROUTINE_START_WORDS], start);
    gpucode_answer_number(answer, &fields[ROUTINE_MORE], routine->entry_count > 1 ? routine->entry_count - 1 : 0);
    gpucode_answer_number(answer, &fields[ROUTINE_RAN], count->ran);
    gpucode_answer_number(answer, &fields[ROUTINE_INSTRUCTIONS], count->instructions);
    gpucode_answer_number(answer, &fields[ROUTINE_SHARE], percent_of(count));
    gpucode_answer_text(answer, &fields[ROUTINE_SHOWN], routine->name);
    gpucode_answer_text(answer, &fields[ROUTINE_SYNONYM], both ? routine->packet : NULL);
    if (routine->entry_count > 1)
        gpucode_answer_number(answer, &fields[ROUTINE_OTHERS], routine->entry_count - 1);
    if (analysis && !routine->packet && start <= UINT32_MAX &&
        gpucode_analysis_reached_by(analysis, routine->section, (uint32_t)start, packets) &&
        gpucode_analysis_packets(analysis, packets, PACKETS_SHOWN, text, sizeof text))
        gpucode_answer_text(answer, &fields[ROUTINE_FROM], text);
    gpucode_answer_end(answer);
}

/* Runs of units that ran, first and last. */
static void tell_runs(const struct gpucode_coverage *coverage, uint32_t start, uint32_t size,
                      struct gpucode_answer *answer)
{
    bool bytes = counts_bytes(coverage);
    uint32_t end = size < coverage->info->units - start ? size : coverage->info->units - start;
    const uint8_t *ran = coverage->ran + start;
    gpucode_answer_begin(answer, &fields[bytes ? RAN_BYTES : RAN_WORDS]);
    for (uint32_t i = 0, last; i < end; i = last + 1) {
        last = i;
        if (!ran[i])
            continue;
        while (last + 1 < end && ran[last + 1])
            last++;
        gpucode_answer_begin(answer, &fields[bytes ? RUN_BYTES : RUN_WORDS]);
        gpucode_answer_number(answer, &fields[bytes ? RUN_PLACE_BYTES : RUN_PLACE], i);
        gpucode_answer_number(answer, &fields[bytes ? RUN_PLACE_BYTES : RUN_PLACE], last);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static void tell_section(const struct gpucode_coverage *coverage, unsigned section,
                         const struct gpucode_analysis *analysis, struct gpucode_answer *answer)
{
    struct gpucode_coverage_count all = {0};
    bool named = section < coverage->info->section_count;
    const struct gpucode_section *place = named ? &coverage->info->sections[section] : NULL;
    gpucode_answer_begin(answer, &fields[SECTION]);
    gpucode_answer_text(answer, &fields[SECTION_NAME], named ? place->name : "");
    gpucode_answer_text(answer, &fields[SECTION_HEADING], named && *place->name ? place->name : NULL);
    gpucode_answer_begin(answer, &fields[ROUTINES]);
    for (uint32_t i = 0; i < coverage->routine_count; i++) {
        if (coverage->routines[i].section != section || !coverage->count[i].instructions) /* a table */
            continue;
        tell_routine(coverage, i, analysis, answer);
        all.ran += coverage->count[i].ran;
        all.instructions += coverage->count[i].instructions;
    }
    gpucode_answer_end(answer);
    gpucode_answer_number(answer, &fields[SECTION_RAN], all.ran);
    gpucode_answer_number(answer, &fields[SECTION_INSTRUCTIONS], all.instructions);
    gpucode_answer_number(answer, &fields[SECTION_SHARE], percent_of(&all));
    tell_runs(coverage, named ? place->start : 0, named ? place->size : coverage->info->units, answer);
    gpucode_answer_end(answer);
}

static void tell_stop(const struct gpucode_coverage *coverage, const struct gpucode_coverage_options *options,
                      struct gpucode_answer *answer)
{
    static const char *const reasons[] = {[GPUCODE_STOP_LIMIT] = "limit",     [GPUCODE_STOP_HOOK] = "hook",
                                          [GPUCODE_STOP_IDLE] = "idle",       [GPUCODE_STOP_END] = "end",
                                          [GPUCODE_STOP_HANG] = "hang",       [GPUCODE_STOP_FAULT] = "fault",
                                          [GPUCODE_STOP_UNKNOWN] = "unknown", [GPUCODE_STOP_BREAKPOINT] = "breakpoint"};
    const struct gpucode_stop *stop = options->stop;
    const char *processor = gpucode_machine_processor(coverage->machine, stop->processor);
    unsigned section = gpucode_machine_section(coverage->machine, stop->processor);
    char near[GPUCODE_NAME_MAX + 32], place[2 * GPUCODE_NAME_MAX + 64], of[GPUCODE_NAME_MAX + 8] = "";
    if (!gpucode_outline_near(coverage->outline, section, stop->pc, near, sizeof near))
        *near = 0;
    if (options->takes_packets)
        snprintf(of, sizeof of, " of %s", processor);
    snprintf(place, sizeof place, "%s 0x%" PRIx64 "%s%s%s", options->takes_packets ? "word" : "at", stop->pc, of,
             *near ? " in " : "", near);
    gpucode_answer_begin(answer, &fields[STOP]);
    gpucode_answer_text(answer, &fields[STOP_REASON], reasons[stop->reason]);
    gpucode_answer_text(answer, &fields[STOP_CODE], stop->code);
    gpucode_answer_text(answer, &fields[STOP_TEXT],
                        stop->text[0] ? stop->text : "the limit of instructions is reached");
    gpucode_answer_text(answer, &fields[STOP_PROCESSOR], processor);
    gpucode_answer_shown(answer, &fields[STOP_PC], stop->pc, place);
    gpucode_answer_text(answer, &fields[STOP_WHERE], *near ? near : NULL);
    gpucode_answer_end(answer);
    gpucode_answer_number(answer, &fields[INSTRUCTIONS], options->instructions);
}

enum gpucode_status gpucode_coverage_tell(const struct gpucode_coverage *coverage,
                                          const struct gpucode_coverage_options *options, struct gpucode_answer *answer)
{
    static const struct gpucode_coverage_options none = {0};
    if (!coverage || !coverage->info || !answer)
        return answer || !coverage ? GPUCODE_ERROR_ARGUMENT : GPUCODE_ERROR_MEMORY;
    unsigned sections = coverage->info->section_count ? coverage->info->section_count : 1;
    if (!options)
        options = &none;
    gpucode_answer_begin(answer, &fields[COVERAGE]);
    gpucode_answer_text(answer, &fields[FILE_NAME], options->file);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(coverage->info->target));
    if (options->stop)
        gpucode_answer_flag(answer, &fields[options->takes_packets ? CONSUMED : ENDED], options->done);
    tell_listing(coverage, answer);
    gpucode_answer_begin(answer, &fields[SECTIONS]);
    for (unsigned i = 0; i < sections; i++)
        if (coverage->present[i])
            tell_section(coverage, i, options->analysis, answer);
    gpucode_answer_end(answer);
    if (options->stop)
        tell_stop(coverage, options, answer);
    gpucode_answer_end(answer);
    return gpucode_answer_status(answer);
}
