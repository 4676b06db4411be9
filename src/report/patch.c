/* SPDX-License-Identifier: MIT */
/*
 * Routines replaced in an image: its listing with labels for all that is a place, the routine's lines left out for the
 * caller's source, assembled again.
 */
#include "report/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "report/answer.def"
#define ANSWER_PART_PATCH
#include <gpucode/answer_rows.h>

REPORT_TABLE(gpucode_report_patch_table, "patch", "Routines that were replaced: `asm --patch`.")

/* A routine that is replaced: bytes of the listing. */
struct replaced {
    const struct gpucode_patch *patch;
    const struct gpucode_routine *routine;
    uint32_t first, last;    /* units of the outline */
    uint32_t units;          /* of the target */
    size_t head, start, end; /* its labels' lines, its first line, the end of its last one */
};

struct patching {
    struct gpucode_subject subject;
    const struct gpucode_asm_options *options;
    const struct gpucode_patch *patches;
    size_t count;
    struct gpucode_analysis *analysis;
    struct gpucode_outline *outline;
    struct replaced *replaced; /* by place */
    const char *listing;       /* the name of the text in messages */
    FILE *out;
    bool lacked; /* memory, for it */
};

/* --- which lines -------------------------------------------------------------------------------------------------- */

static size_t line_end(const struct patching *patching, const struct gpucode_unit *unit)
{
    size_t length;
    const char *text = gpucode_outline_text(patching->outline, &length);
    const char *newline = memchr(text + unit->line, '\n', length - unit->line);
    return newline ? (size_t)(newline - text) + 1 : length;
}

/* The routine that begins at a place; null: none does. */
static const struct gpucode_routine *routine_at(const struct patching *patching, unsigned section, uint32_t unit)
{
    uint32_t count, units;
    const struct gpucode_routine *routines = gpucode_outline_routines(patching->outline, &count);
    const struct gpucode_unit *list = gpucode_outline_units(patching->outline, &units);
    for (uint32_t i = 0; i < count; i++)
        if (routines[i].count && routines[i].section == section && list[routines[i].first].at == unit)
            return &routines[i];
    return NULL;
}

/* From its first unit to its last one that is code: tables that stand after it are not part of it. */
static bool find_lines(const struct patching *patching, struct replaced *replaced)
{
    uint32_t count;
    const struct gpucode_unit *units = gpucode_outline_units(patching->outline, &count);
    uint32_t end = replaced->routine->first + replaced->routine->count;
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_image_info(patching->subject.image)->target);
    replaced->first = replaced->routine->first;
    while (end > replaced->first && units[end - 1].kind != GPUCODE_UNIT_CODE)
        end--;
    if (end == replaced->first)
        return false;
    replaced->last = end - 1;
    const struct gpucode_unit *first = &units[replaced->first], *last = &units[replaced->last];
    replaced->units = (uint32_t)(last->at - first->at) + last->size / unit_bytes;
    replaced->head = replaced->first ? line_end(patching, &units[replaced->first - 1]) : 0;
    replaced->start = first->line;
    replaced->end = line_end(patching, last);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct replaced *left = a, *right = b;
    return left->first != right->first ? (left->first < right->first ? -1 : 1) : 0;
}

static enum gpucode_status find_routines(struct patching *patching, const struct gpucode_patch **wrong)
{
    patching->replaced = calloc(patching->count + 1, sizeof *patching->replaced);
    if (!patching->replaced)
        return GPUCODE_ERROR_MEMORY;
    for (size_t i = 0; i < patching->count; i++) {
        struct replaced *replaced = &patching->replaced[i];
        uint32_t unit;
        replaced->patch = *wrong = &patching->patches[i];
        for (unsigned s = 0; !replaced->routine && s < gpucode_image_info(patching->subject.image)->section_count; s++)
            if (gpucode_subject_locate(&patching->subject, s, replaced->patch->routine, &unit))
                replaced->routine = routine_at(patching, s, unit);
        if (!replaced->routine || !find_lines(patching, replaced))
            return GPUCODE_ERROR_RANGE;
    }
    qsort(patching->replaced, patching->count, sizeof *patching->replaced, by_place);
    for (size_t i = 1; i < patching->count; i++)
        if (patching->replaced[i].first == patching->replaced[i - 1].first) {
            *wrong = patching->replaced[i].patch;
            return GPUCODE_ERROR_RANGE;
        }
    *wrong = NULL;
    return GPUCODE_OK;
}

/* --- the text ----------------------------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Does the source place a label of that name? */
static bool places(const struct gpucode_patch *patch, const char *name, size_t length)
{
    const char *end = patch->text + patch->length;
    for (const char *at = patch->text; at < end; at++) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if ((size_t)(end - at) > length && memcmp(at, name, length) == 0 && at[length] == ':')
            return true;
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return false;
    }
    return false;
}

/* A stream in memory that finds none tells of it here alone. */
static void put(struct patching *patching, const char *text, size_t length)
{
    patching->lacked |= fwrite(text, 1, length, patching->out) != length;
}

/* The lines in front of a routine's first one, without labels that the source places itself. */
static void put_head(struct patching *patching, const struct replaced *replaced, const char *text)
{
    for (size_t at = replaced->head; at < replaced->start;) {
        const char *newline = memchr(text + at, '\n', replaced->start - at);
        size_t end = newline ? (size_t)(newline - text) + 1 : replaced->start, name = at;
        while (name < end && is_name(text[name]))
            name++;
        bool label = name > at && name < end && text[name] == ':';
        if (!label || !places(replaced->patch, text + at, name - at))
            put(patching, text + at, end - at);
        at = end;
    }
}

/*
 * Sources stand in the listing as `.include "/patch 7/FILE"`, and what they include as "/patch 7/FOLDER/NAME": the file
 * after it and the patch's number; null: another file.
 */
static const char *own_file(const struct patching *patching, const char *file, size_t *number)
{
    static const char prefix[] = "/patch ";
    char *end;
    if (!file || strncmp(file, prefix, sizeof prefix - 1) != 0)
        return NULL;
    *number = strtoul(file + sizeof prefix - 1, &end, 10);
    return end > file + sizeof prefix - 1 && *end == '/' && *number < patching->count ? end + 1 : NULL;
}

static bool write_text(struct patching *patching, char **made, size_t *made_length)
{
    size_t length, at = 0;
    const char *text = gpucode_outline_text(patching->outline, &length);
    if (!(patching->out = open_memstream(made, made_length)))
        return false;
    for (size_t i = 0; i < patching->count; i++) {
        const struct replaced *replaced = &patching->replaced[i];
        put(patching, text + at, replaced->head - at);
        put_head(patching, replaced, text);
        patching->lacked |= fprintf(patching->out, ".include \"/patch %zu/%s\"\n", i,
                                    replaced->patch->file ? replaced->patch->file : "") < 0;
        at = replaced->end;
    }
    put(patching, text + at, length - at);
    return fclose(patching->out) == 0 && !patching->lacked && *made; /* which may be null, and nothing tells of it */
}

/* --- assembling --------------------------------------------------------------------------------------------------- */

/* gpucode_asm_options.include: the sources themselves, and what they include as the caller has it. */
static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    const struct patching *patching = user;
    const struct gpucode_asm_options *options = patching->options;
    size_t number = 0;
    *length = 0;
    if (strcmp(from, patching->listing) != 0 || !own_file(patching, name, &number)) {
        const char *file = own_file(patching, from, &number);
        return options && options->include && options->include(options->user, file ? file : from, name, text, length);
    }
    const struct gpucode_patch *patch = patching->replaced[number].patch;
    *text = malloc(patch->length + 1);
    if (!*text) {
        *length = GPUCODE_NO_MEMORY;
        return false;
    }
    memcpy(*text, patch->text, patch->length);
    *length = patch->length;
    return true;
}

/* Messages about a source have its name, as the caller knows it. */
static void tell(void *user, const struct gpucode_diagnostic *diagnostic)
{
    const struct patching *patching = user;
    struct gpucode_diagnostic named = *diagnostic;
    size_t number;
    const char *file = own_file(patching, diagnostic->file, &number);
    if (diagnostic->file && strcmp(diagnostic->file, patching->listing) == 0 &&
        strcmp(diagnostic->code, "included-here") == 0)
        return; /* nobody has written that line */
    if (file)
        named.file = file;
    if (patching->options && patching->options->on_diagnostic.report)
        patching->options->on_diagnostic.report(patching->options->on_diagnostic.user, &named);
}

static enum gpucode_status assemble(struct patching *patching, struct gpucode_program **program)
{
    struct gpucode_asm_options options = patching->options ? *patching->options : (struct gpucode_asm_options){0};
    char *text = NULL;
    size_t length;
    if (!write_text(patching, &text, &length)) {
        free(text);
        return GPUCODE_ERROR_MEMORY;
    }
    options.target = gpucode_image_info(patching->subject.image)->target;
    options.file = patching->listing;
    options.names = patching->subject.names;
    options.on_diagnostic = (struct gpucode_diagnostic_handler){tell, patching};
    options.include = include;
    options.user = patching;
    options.record_lines = true;
    options.passed = NULL;
    enum gpucode_status status = gpucode_assemble(text, length, &options, program);
    free(text);
    return status;
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

static bool is_of(const struct patching *patching, const struct gpucode_line *line, size_t number)
{
    size_t found;
    return own_file(patching, line->file, &found) && found == number;
}

/* Units of the new program that come from a source. */
static uint32_t count_units(const struct patching *patching, const struct gpucode_program *program, size_t number)
{
    struct gpucode_line line, use;
    uint32_t count = 0;
    size_t bytes = gpucode_program_size(program) - gpucode_program_prefix(program);
    for (uint32_t unit = 0; unit < bytes / gpucode_target_unit_bytes(gpucode_program_target(program)); unit++) {
        bool known = gpucode_program_line(program, unit, &line);
        for (unsigned i = 0; known && !is_of(patching, &line, number) && gpucode_program_use(program, unit, i, &use);
             i++)
            line = use;
        count += known && is_of(patching, &line, number);
    }
    return count;
}

static void put_lost(const struct patching *patching, struct gpucode_answer *answer)
{
    size_t count = 0;
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_lost_place *lost =
        patching->analysis ? gpucode_analysis_lost(patching->analysis, &count) : NULL;
    gpucode_answer_begin(answer, &fields[LOST]);
    for (size_t i = 0; i < count; i++) {
        gpucode_answer_begin(answer, &fields[PLACE_LOST]);
        gpucode_answer_text(answer, &fields[LOST_SECTION], subject_section(&patching->subject, lost[i].section));
        gpucode_answer_number(answer, &fields[LOST_AT], lost[i].at);
        gpucode_outline_near(patching->outline, lost[i].section, lost[i].at, text, sizeof text);
        gpucode_answer_text(answer, &fields[LOST_WHERE], text);
        gpucode_answer_text(answer, &fields[LOST_TEXT],
                            gpucode_subject_text(&patching->subject, lost[i].section, lost[i].at, text) ? text : "");
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static void put_patched(const struct patching *patching, const struct gpucode_program *program,
                        struct gpucode_answer *answer)
{
    gpucode_answer_begin(answer, &fields[PATCHED]);
    gpucode_answer_begin(answer, &fields[ROUTINES]);
    for (size_t i = 0; i < patching->count; i++) {
        const struct replaced *replaced = &patching->replaced[i];
        uint32_t count;
        gpucode_answer_begin(answer, &fields[ROUTINE]);
        gpucode_answer_text(answer, &fields[NAME], replaced->patch->routine);
        gpucode_answer_text(answer, &fields[SECTION], subject_section(&patching->subject, replaced->routine->section));
        if (gpucode_image_info(patching->subject.image)->section_count > 1)
            gpucode_answer_text(answer, &fields[SECTION_TEXT],
                                subject_section(&patching->subject, replaced->routine->section));
        gpucode_answer_number(answer, &fields[START],
                              gpucode_outline_units(patching->outline, &count)[replaced->first].at);
        gpucode_answer_number(answer, &fields[OLD], replaced->units);
        gpucode_answer_number(answer, &fields[NEW], count_units(patching, program, i));
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    put_lost(patching, answer);
    gpucode_answer_end(answer);
}

/* The listing that is edited, and the analysis that knows its places. */
static enum gpucode_status list_image(struct patching *patching)
{
    const struct gpucode_subject *subject = &patching->subject;
    struct gpucode_disasm_options options = {.names = subject->names,
                                             .label = subject->symbols ? gpucode_symbols_label : NULL,
                                             .user = (void *)(uintptr_t)subject->symbols,
                                             .gathered = true};
    bool complete = false;
    enum gpucode_status status = gpucode_analyse_places(subject->image, subject->names, &patching->analysis, &complete);
    if (status == GPUCODE_OK) {
        options.constants = gpucode_analysis_constants(patching->analysis, &options.constant_count);
        options.constants_complete = complete;
    } else if (status == GPUCODE_ERROR_UNSUPPORTED) { /* branches are all that is a place */
        status = gpucode_analyse(subject->image, NULL, &patching->analysis);
    }
    if (status == GPUCODE_OK)
        status = gpucode_outline_create(subject->image, &options, &patching->outline);
    patching->subject.analysis = patching->analysis;
    patching->subject.outline = patching->outline;
    return status;
}

enum gpucode_status gpucode_patch(const struct gpucode_subject *subject, const struct gpucode_patch *patches,
                                  size_t count, const struct gpucode_asm_options *options,
                                  struct gpucode_answer *answer, struct gpucode_program **program,
                                  const struct gpucode_patch **wrong)
{
    static const char suffix[] = " (listing)";
    struct patching patching = {.options = options, .patches = patches, .count = count};
    const struct gpucode_patch *at = NULL;
    if (!subject || !subject->image || !patches || !count || !program || !answer)
        return GPUCODE_ERROR_ARGUMENT;
    *program = NULL;
    patching.subject = *subject;
    char *name = malloc((subject->file ? strlen(subject->file) : 0) + sizeof suffix);
    enum gpucode_status status = name ? list_image(&patching) : GPUCODE_ERROR_MEMORY;
    if (name)
        patching.listing = strcat(strcpy(name, subject->file ? subject->file : ""), suffix);
    if (status == GPUCODE_OK)
        status = find_routines(&patching, &at);
    if (status == GPUCODE_OK)
        status = assemble(&patching, program);
    if (status == GPUCODE_OK)
        put_patched(&patching, *program, answer);
    if (wrong)
        *wrong = at;
    gpucode_outline_free(patching.outline);
    gpucode_analysis_free(patching.analysis);
    free(patching.replaced);
    free(name);
    return status;
}
