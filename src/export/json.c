/* SPDX-License-Identifier: MIT */
/* gpucode export json: SET.json, all that rows, tables of names and the manual say. docs/export.schema.json has the
 * form. */
#include "front/json.h"
#include "export/export.h"

#include <inttypes.h>
#include <string.h>

#define SCHEMA_VERSION 1

static const char *const evidence_names[] = {
    [GPUCODE_MANUAL] = "manual", [GPUCODE_OBSERVED] = "observed", [GPUCODE_INFERRED] = "inferred"};
static const char *const type_names[] = {[GPUCODE_OPERAND_VALUE] = "value",
                                         [GPUCODE_OPERAND_REGISTER] = "register",
                                         [GPUCODE_OPERAND_TARGET] = "target",
                                         [GPUCODE_OPERAND_MODIFIER] = "modifier"};
static const char *const use_names[] = {
    [GPUCODE_USE_NONE] = NULL, [GPUCODE_USE_READ] = "read", [GPUCODE_USE_WRITE] = "write", [GPUCODE_USE_BOTH] = "both"};
static const char *const flow_names[] = {
    [GPUCODE_FLOW_NEXT] = "next", [GPUCODE_FLOW_JUMP] = "jump",     [GPUCODE_FLOW_BRANCH] = "branch",
    [GPUCODE_FLOW_CALL] = "call", [GPUCODE_FLOW_RETURN] = "return", [GPUCODE_FLOW_STOP] = "stop"};

static void write_hex(struct json *json, const char *key, uint64_t value, unsigned digits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%0*" PRIx64, (int)digits, value);
    json_string(json, key, text);
}

static void write_targets(struct json *json, const struct export *export, const struct gpucode_target *set)
{
    const struct gpucode_target *target;
    json_array(json, "targets");
    for (unsigned i = 0; (target = export_target(export, set, i)); i++) {
        json_object(json, NULL);
        json_string(json, "name", gpucode_target_name(target));
        json_string(json, "generation", gpucode_target_generation(target));
        json_string(json, "description", gpucode_target_description(target));
        json_end(json);
    }
    json_end(json);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void write_fields(struct json *json, const struct gpucode_target *target, unsigned row)
{
    struct gpucode_row_field field;
    json_array(json, "fields");
    for (unsigned i = 0; gpucode_row_field(target, row, i, &field); i++) {
        const char letter[] = {field.letter, 0};
        json_object(json, NULL);
        json_string(json, "letter", letter);
        json_string(json, "kind", field.kind);
        json_string(json, "type", type_names[field.type]);
        if (field.type == GPUCODE_OPERAND_REGISTER) {
            json_string(json, "use", use_names[field.use]);
            json_string(json, "space", gpucode_space_name(target, field.space));
        }
        json_number(json, "width", field.width);
        json_array(json, "pieces");
        for (unsigned k = 0; k < field.piece_count; k++) {
            json_object(json, NULL);
            json_number(json, "shift", field.pieces[k].shift);
            json_number(json, "width", field.pieces[k].width);
            json_end(json);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* Of the instruction with all fields zero; the effects say what hangs on a field. */
static void write_flow(struct json *json, const struct gpucode_target *target, unsigned row)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    if (gpucode_insn_init(target, row, &insn) != GPUCODE_OK || !gpucode_insn_flow(&insn, &flow))
        return;
    json_object(json, "flow");
    json_string(json, "kind", flow_names[flow.kind]);
    json_bool(json, "conditional", flow.conditional);
    json_number(json, "delay_slots", flow.delay_slots);
    json_end(json);
}

/* A generation is named once, however many targets have it. */
static void write_generations(struct json *json, const struct export *export, const struct gpucode_target *set,
                              unsigned row)
{
    const struct gpucode_target *target, *other;
    json_array(json, "generations");
    for (unsigned i = 0; (target = export_target(export, set, i)); i++) {
        const char *name = gpucode_target_generation(target);
        bool seen = !gpucode_row_on_target(target, row);
        for (unsigned k = 0; k < i && !seen; k++)
            seen = (other = export_target(export, set, k)) && strcmp(gpucode_target_generation(other), name) == 0;
        if (!seen)
            json_string(json, NULL, name);
    }
    json_end(json);
}

static void write_row(struct json *json, const struct export *export, const struct gpucode_target *set, unsigned index)
{
    struct gpucode_row row;
    const struct gpucode_target *target = export_row_target(export, set, index);
    if (!target || !gpucode_row(target, index, &row))
        return;
    unsigned digits = 2 * row.size;
    json_object(json, NULL);
    json_string(json, "id", row.id);
    json_string(json, "mnemonic", row.mnemonic);
    json_string(json, "text", row.text);
    json_string(json, "bits", row.bits);
    json_number(json, "size_bytes", row.size);
    write_hex(json, "mask", row.mask, digits);
    write_hex(json, "match", row.match, digits);
    write_hex(json, "ignored", row.ignored, digits);
    write_generations(json, export, set, index);
    write_fields(json, target, index);
    json_string(json, "effects", row.effects);
    write_flow(json, target, index);
    json_string(json, "doc", row.doc);
    json_string(json, "action", row.action);
    json_string(json, "source", row.source);
    json_string(json, "evidence", evidence_names[row.evidence]);
    json_end(json);
}

static void write_rows(struct json *json, const struct export *export, const struct gpucode_target *set)
{
    json_array(json, "rows");
    for (unsigned i = 0; i < gpucode_row_count(set); i++)
        write_row(json, export, set, i);
    json_end(json);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* The names of a space as targets have them, one entry for all targets that have the same ones. */
static void write_space(struct json *json, const struct export *export, const struct gpucode_target *set,
                        enum gpucode_space space, bool spaced)
{
    const struct gpucode_target *target, *other;
    char name[GPUCODE_NAME_MAX], number[16];
    for (unsigned i = 0; (target = export_target(export, set, i)); i++) {
        uint32_t at = 0;
        bool seen = !gpucode_name_next(target, space, &at);
        for (unsigned k = 0; k < i && !seen; k++)
            seen = (other = export_target(export, set, k)) && export_same_names(other, target, space);
        if (seen)
            continue;
        json_object(json, NULL);
        if (spaced)
            json_string(json, "space", gpucode_space_name(set, space));
        json_array(json, "targets");
        for (unsigned k = i; (other = export_target(export, set, k)); k++)
            if (k == i || export_same_names(other, target, space))
                json_string(json, NULL, gpucode_target_name(other));
        json_end(json);
        json_object(json, "names");
        for (; gpucode_name_next(target, space, &at); at++) {
            gpucode_name_of(target, NULL, space, at, name, sizeof name);
            snprintf(number, sizeof number, "0x%" PRIx32, at);
            json_string(json, number, name);
        }
        json_end(json);
        json_end(json);
    }
}

static void write_names(struct json *json, const struct export *export, const struct gpucode_target *set)
{
    json_array(json, "registers");
    for (enum gpucode_space space = 0; space < GPUCODE_SPACE_COUNT; space++)
        if (space != GPUCODE_SPACE_PACKET)
            write_space(json, export, set, space, true);
    json_end(json);
    json_array(json, "packets");
    write_space(json, export, set, GPUCODE_SPACE_PACKET, false);
    json_end(json);
}

void export_json(struct export *export)
{
    const struct gpucode_target *set;
    for (unsigned i = 0; (set = export_set(export, i)); i++) {
        FILE *out = export_begin(export, "%s.json", gpucode_target_isa(set));
        if (!out)
            return;
        struct json json = {.out = out, .indent = true};
        json_object(&json, NULL);
        json_number(&json, "version", SCHEMA_VERSION);
        json_string(&json, "isa", gpucode_target_isa(set));
        json_number(&json, "unit_bytes", gpucode_target_unit_bytes(set));
        json_bool(&json, "fixed_size", gpucode_target_facts(set)->fixed_size);
        write_targets(&json, export, set);
        write_rows(&json, export, set);
        write_names(&json, export, set);
        json_string(&json, "manual", gpucode_target_manual(set));
        json_end(&json);
    }
}
