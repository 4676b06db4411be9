/* SPDX-License-Identifier: MIT */
#include "front/outline.h"

#include "front/json.h"

#include <inttypes.h>
#include <string.h>

struct outline_view {
    const struct gpucode_outline *outline;
    const struct gpucode_image_info *info;
    const struct gpucode_disasm_options *options;
    const char *text; /* of the listing */
    const struct gpucode_unit *units;
    const struct gpucode_mark *marks;
    const struct gpucode_routine *routines;
    bool bytes; /* the target counts bytes */
};

static void write_unit_labels(struct json *json, const struct outline_view *view, const struct gpucode_unit *unit)
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

static void write_insn_operand(struct json *json, const struct gpucode_insn *insn,
                               const struct gpucode_operand *operand, const char *text)
{
    static const char *const uses[] = {NULL, "read", "write", "both"};
    bool is_register = operand->type == GPUCODE_OPERAND_REGISTER;
    json_object(json, NULL);
    json_text(json, "text", text + operand->start, operand->length);
    json_string(json, "kind", operand->kind);
    if (is_register)
        json_string(json, "space", gpucode_space_name(insn->target, operand->space));
    if (is_register && operand->known)
        json_number(json, "number", operand->number);
    if (!is_register && operand->known)
        json_signed(json, "value", operand->value);
    json_string(json, "access", uses[operand->use]);
    json_end(json);
}

static void write_insn_flow(struct json *json, const struct outline_view *view, const struct gpucode_insn *insn)
{
    static const char *const kinds[] = {NULL, "jump", "branch", "call", "return", "stop"};
    struct gpucode_flow flow;
    if (!gpucode_insn_flow(insn, &flow) || flow.kind == GPUCODE_FLOW_NEXT)
        return;
    json_object(json, "flow");
    json_string(json, "kind", kinds[flow.kind]);
    json_bool(json, "conditional", flow.conditional);
    if (flow.known)
        json_number(json, view->bytes ? "target_bytes" : "target_words", flow.target);
    json_number(json, "delay_slots", flow.delay_slots);
    json_end(json);
}

/* A place in code, for names of targets. */
struct outline_place {
    const struct outline_view *view;
    unsigned section;
};

/* gpucode_format_options.label: the name that the listing's operands have for a place. */
static size_t find_target_name(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct outline_place *place = user;
    const struct outline_view *view = place->view;
    struct gpucode_flow flow;
    uint32_t index = gpucode_outline_find(view->outline, place->section, address);
    if (index == GPUCODE_NONE || view->units[index].at != address)
        return 0;
    bool is_call = gpucode_insn_flow(insn, &flow) && flow.kind == GPUCODE_FLOW_CALL;
    for (unsigned i = 0; i < view->units[index].label_count; i++) {
        const struct gpucode_mark *mark = &view->marks[view->units[index].first_label + i];
        if ((mark->kind != GPUCODE_MARK_SYMBOL &&
             mark->kind != (is_call ? GPUCODE_MARK_CALLED : GPUCODE_MARK_BRANCHED)) ||
            mark->name.length > size)
            continue;
        memcpy(text, view->text + mark->name.offset, mark->name.length);
        return mark->name.length;
    }
    return 0;
}

/* Operands and flow of an instruction. */
static void write_unit_meaning(struct json *json, const struct outline_view *view, const struct gpucode_unit *unit,
                               const struct gpucode_insn *insn)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    const struct outline_place place = {view, unit->section};
    const struct gpucode_format_options format = {.names = view->options->names,
                                                  .style = view->options->style,
                                                  .label = find_target_name,
                                                  .user = (void *)(uintptr_t)&place};
    unsigned count = gpucode_insn_operands(insn, &format, operands, GPUCODE_OPERANDS_MAX);
    if (gpucode_format(insn, &format, text, sizeof text, NULL) != GPUCODE_OK)
        return;
    json_array(json, "operands");
    for (unsigned i = 0; i < count; i++)
        if (operands[i].length) /* else the text leaves it out */
            write_insn_operand(json, insn, &operands[i], text);
    json_end(json);
    write_insn_flow(json, view, insn);
}

static void write_unit(struct json *json, const struct outline_view *view, const struct gpucode_unit *unit,
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
    write_unit_labels(json, view, unit);
    if (unit->routine != GPUCODE_NONE && unit->kind == GPUCODE_UNIT_CODE)
        json_string(json, "routine", view->routines[unit->routine].name);
    struct gpucode_insn insn;
    struct gpucode_row row;
    bool is_insn = unit->kind == GPUCODE_UNIT_CODE && gpucode_outline_insn(view->outline, index, &insn) &&
                   gpucode_row(insn.target, insn.row, &row);
    if (is_insn)
        json_string(json, "mnemonic", row.mnemonic);
    if (unit->text.length)
        json_text(json, "text", view->text + unit->text.offset, unit->text.length);
    if (is_insn)
        write_unit_meaning(json, view, unit, &insn);
    if (unit->comment.length)
        json_text(json, "comment", view->text + unit->comment.offset, unit->comment.length);
    json_end(json);
}

void outline_put_json(FILE *out, const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                      const struct gpucode_outline *outline)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    uint32_t count, marks, routines;
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    const struct outline_view view = {.outline = outline,
                                      .info = info,
                                      .options = options,
                                      .units = units,
                                      .text = gpucode_outline_text(outline, NULL),
                                      .marks = gpucode_outline_marks(outline, &marks),
                                      .routines = gpucode_outline_routines(outline, &routines),
                                      .bytes = gpucode_target_unit_bytes(info->target) == 1};
    struct json json = {.out = out};
    for (uint32_t i = 0; i < count; i++)
        write_unit(&json, &view, &units[i], i);
}
