/* SPDX-License-Identifier: MIT */
/*
 * gpucode export --form names: places are offsets in the file, which all three programs can turn into addresses, wherever the
 * file lies in their memory.
 */
#include "export/names.h"
#include "front/code.h"

#include <string.h>

struct names {
    const struct input *input;
    const struct gpucode_image_info *info;
    const struct gpucode_outline *outline;
    const struct gpucode_notes *notes; /* null: nothing more is known of such code */
    const char *text;
    const struct gpucode_unit *units;
    const struct gpucode_mark *marks;
    const struct gpucode_routine *routines;
    uint32_t count;
};

static uint64_t offset_of(const struct names *names, const struct gpucode_unit *unit)
{
    return names->info->prefix + (uint64_t)unit->unit * gpucode_target_unit_bytes(names->info->target);
}

/* --- code and data ------------------------------------------------------------------------------------------------ */

static void write_ranges(const struct names *names, const struct names_form *form, FILE *out)
{
    struct names_range range = {.length = 0};
    for (uint32_t i = 0; i < names->count; i++) {
        const struct gpucode_unit *unit = &names->units[i];
        if (unit->unit == GPUCODE_NONE || !unit->size)
            continue;
        uint64_t offset = offset_of(names, unit);
        bool same = range.length && unit->kind == range.kind && offset == range.offset + range.length &&
                    (unit->size == range.size || unit->kind == GPUCODE_UNIT_CODE);
        if (!same && range.length)
            form->range(out, &range);
        if (!same)
            range = (struct names_range){.offset = offset, .kind = unit->kind, .size = unit->size};
        range.length += unit->size;
    }
    if (range.length)
        form->range(out, &range);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Files with several sections have the same names in each. */
static void qualify(const struct names *names, const struct gpucode_unit *unit, const char *name, size_t length,
                    char text[NAMES_TEXT_MAX])
{
    bool several = names->info->section_count > 1;
    snprintf(text, NAMES_TEXT_MAX, "%s%s%.*s", several ? names->info->sections[unit->section].name : "",
             several ? "." : "", (int)length, name);
}

/* `routine`: the first instruction of one, in front of which it may have a header. */
static void write_unit_names(const struct names *names, const struct names_form *form, FILE *out,
                             const struct gpucode_unit *unit, bool routine)
{
    char text[NAMES_TEXT_MAX];
    size_t length = 0;
    const char *best = gpucode_outline_name(names->outline, unit->section, unit->at, &length);
    if (!best && routine) {
        best = names->routines[unit->routine].name;
        length = strlen(best);
    }
    if (!best)
        return;
    qualify(names, unit, best, length, text);
    form->name(out, offset_of(names, unit), text, routine);
    for (unsigned i = 0; i < unit->label_count; i++) {
        const struct gpucode_span *name = &names->marks[unit->first_label + i].name;
        if (name->length == length && memcmp(names->text + name->offset, best, length) == 0)
            continue;
        qualify(names, unit, names->text + name->offset, name->length, text);
        form->name(out, offset_of(names, unit), text, false);
    }
}

static void write_names(const struct names *names, const struct names_form *form, FILE *out)
{
    uint32_t last = GPUCODE_NONE;
    for (uint32_t i = 0; i < names->count; i++) {
        const struct gpucode_unit *unit = &names->units[i];
        if (unit->unit == GPUCODE_NONE)
            continue;
        bool begins = unit->kind == GPUCODE_UNIT_CODE && unit->routine != GPUCODE_NONE && unit->routine != last;
        if (begins)
            last = unit->routine;
        write_unit_names(names, form, out, unit, begins);
    }
}

/* --- comments ----------------------------------------------------------------------------------------------------- */

static void write_unit_comment(const struct names *names, const struct names_form *form, FILE *out,
                               const struct gpucode_unit *unit)
{
    char note[NAMES_TEXT_MAX] = "", text[2 * NAMES_TEXT_MAX];
    if (names->notes && unit->kind == GPUCODE_UNIT_CODE)
        gpucode_notes_text(names->notes, unit->section, (uint32_t)unit->at, note, sizeof note);
    size_t length = unit->comment.length < NAMES_TEXT_MAX ? unit->comment.length : NAMES_TEXT_MAX - 1;
    snprintf(text, sizeof text, "%.*s%s%s", (int)length, names->text + unit->comment.offset,
             length && *note ? "; " : "", note);
    if (*text)
        form->comment(out, offset_of(names, unit), text);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void write_form(struct export *export, const struct names *names, const struct names_form *form)
{
    FILE *out = export_begin(export, "%s", form->path);
    if (!out)
        return;
    form->begin(out, names->input);
    form->begin_list(out, "RANGES");
    write_ranges(names, form, out);
    form->end_list(out);
    form->begin_list(out, "NAMES");
    write_names(names, form, out);
    form->end_list(out);
    form->begin_list(out, "COMMENTS");
    for (uint32_t i = 0; i < names->count; i++)
        if (names->units[i].unit != GPUCODE_NONE)
            write_unit_comment(names, form, out, &names->units[i]);
    form->end_list(out);
    form->end(out);
}

void export_names(struct export *export)
{
    struct input input;
    if ((export->code = input_open(export->session, export->input, &input)))
        return;
    struct names names = {.input = &input, .info = gpucode_image_info(input.image), .outline = input_outline(&input)};
    if (names.outline) {
        size_t length;
        uint32_t count;
        names.notes = input_notes(&input);
        names.text = gpucode_outline_text(names.outline, &length);
        names.units = gpucode_outline_units(names.outline, &names.count);
        names.marks = gpucode_outline_marks(names.outline, &count);
        names.routines = gpucode_outline_routines(names.outline, &count);
        for (const struct names_form *form = names_forms; form->path; form++)
            write_form(export, &names, form);
    }
    if (export->session->diagnostics.lacked_memory)
        export->code = EXIT_FAULT;
    input_close(&input);
}
