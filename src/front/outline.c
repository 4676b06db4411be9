/* SPDX-License-Identifier: MIT */
#include "front/outline.h"

#include "front/json.h"

#include <inttypes.h>

struct outline_view {
    const struct gpucode_outline *outline;
    const struct gpucode_image_info *info;
    const char *text; /* of the listing */
    const struct gpucode_mark *marks;
    const struct gpucode_routine *routines;
    bool bytes; /* the target counts bytes */
};

static void put_labels(struct json *json, const struct outline_view *view, const struct gpucode_unit *unit)
{
    if (!unit->label_count)
        return;
    json_array(json, "labels");
    for (unsigned i = 0; i < unit->label_count; i++) {
        const struct gpucode_span *name = &view->marks[unit->first_label + i].name;
        json_text(json, NULL, view->text + name->offset, name->length);
    }
    json_end(json);
}

static void put_insn(struct json *json, const struct outline_view *view, uint32_t index)
{
    struct gpucode_insn insn;
    struct gpucode_row row;
    if (gpucode_outline_insn(view->outline, index, &insn) && gpucode_row(insn.target, insn.row, &row))
        json_string(json, "mnemonic", row.mnemonic);
}

static void put_unit(struct json *json, const struct outline_view *view, const struct gpucode_unit *unit,
                     uint32_t index)
{
    static const char *const kinds[] = {"code", "data", "table", "text"};
    char bits[24];
    snprintf(bits, sizeof bits, "0x%0*" PRIx64, 2 * unit->size, unit->bits);
    json_object(json, NULL);
    json_string(json, "section",
                unit->section < view->info->section_count ? view->info->sections[unit->section].name : "");
    json_number(json, view->bytes ? "at_bytes" : "at_words", unit->at);
    json_string(json, "bits", bits);
    json_string(json, "kind", kinds[unit->kind]);
    put_labels(json, view, unit);
    if (unit->routine != GPUCODE_NONE && unit->kind == GPUCODE_UNIT_CODE)
        json_string(json, "routine", view->routines[unit->routine].name);
    if (unit->kind == GPUCODE_UNIT_CODE)
        put_insn(json, view, index);
    if (unit->text.length)
        json_text(json, "text", view->text + unit->text.offset, unit->text.length);
    if (unit->comment.length)
        json_text(json, "comment", view->text + unit->comment.offset, unit->comment.length);
    json_end(json);
}

void outline_put_json(FILE *out, const struct gpucode_image *image, const struct gpucode_outline *outline)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    uint32_t count, marks, routines;
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    const struct outline_view view = {.outline = outline,
                                      .info = info,
                                      .text = gpucode_outline_text(outline, NULL),
                                      .marks = gpucode_outline_marks(outline, &marks),
                                      .routines = gpucode_outline_routines(outline, &routines),
                                      .bytes = gpucode_target_unit_bytes(info->target) == 1};
    struct json json = {.out = out};
    for (uint32_t i = 0; i < count; i++)
        put_unit(&json, &view, &units[i], i);
}
