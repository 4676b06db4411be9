/* SPDX-License-Identifier: MIT */
/* gpucode export --form json: SET.json, all that rows, tables of names and the manual say. docs/export.schema.json has the
 * form. */
#include "export/export.h"
#include <gpucode/answer.h>

#include <inttypes.h>
#include <string.h>

#define ANSWER_ROWS "export/answer.def"
#define ANSWER_PART_JSON
#include <gpucode/answer_rows.h>

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

static void write_hex(struct gpucode_answer *answer, unsigned field, uint64_t value, unsigned digits)
{
    char text[24];
    snprintf(text, sizeof text, "0x%0*" PRIx64, (int)digits, value);
    gpucode_answer_text(answer, &fields[field], text);
}

static void write_targets(struct gpucode_answer *answer, const struct export *export, const struct gpucode_target *set)
{
    const struct gpucode_target *target;
    gpucode_answer_begin(answer, &fields[TARGETS]);
    for (unsigned i = 0; (target = export_target(export, set, i)); i++) {
        gpucode_answer_begin(answer, &fields[TARGET]);
        gpucode_answer_text(answer, &fields[TARGET_NAME], gpucode_target_name(target));
        gpucode_answer_text(answer, &fields[TARGET_GENERATION], gpucode_target_generation(target));
        gpucode_answer_text(answer, &fields[TARGET_DESCRIPTION], gpucode_target_description(target));
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void write_fields(struct gpucode_answer *answer, const struct gpucode_target *target, unsigned row)
{
    struct gpucode_row_field field;
    gpucode_answer_begin(answer, &fields[FIELDS]);
    for (unsigned i = 0; gpucode_row_field(target, row, i, &field); i++) {
        const char letter[] = {field.letter, 0};
        gpucode_answer_begin(answer, &fields[FIELD]);
        gpucode_answer_text(answer, &fields[LETTER], letter);
        gpucode_answer_text(answer, &fields[KIND], field.kind);
        gpucode_answer_text(answer, &fields[TYPE], type_names[field.type]);
        if (field.type == GPUCODE_OPERAND_REGISTER) {
            gpucode_answer_text(answer, &fields[USE], use_names[field.use]);
            gpucode_answer_text(answer, &fields[FIELD_SPACE], gpucode_space_name(target, field.space));
        }
        gpucode_answer_number(answer, &fields[WIDTH], field.width);
        gpucode_answer_begin(answer, &fields[PIECES]);
        for (unsigned k = 0; k < field.piece_count; k++) {
            gpucode_answer_begin(answer, &fields[PIECE]);
            gpucode_answer_number(answer, &fields[SHIFT], field.pieces[k].shift);
            gpucode_answer_number(answer, &fields[PIECE_WIDTH], field.pieces[k].width);
            gpucode_answer_end(answer);
        }
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/* Of the instruction with all fields zero; the effects say what hangs on a field. */
static void write_flow(struct gpucode_answer *answer, const struct gpucode_target *target, unsigned row)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    if (gpucode_insn_init(target, row, &insn) != GPUCODE_OK || !gpucode_insn_flow(&insn, &flow))
        return;
    gpucode_answer_begin(answer, &fields[FLOW]);
    gpucode_answer_text(answer, &fields[FLOW_KIND], flow_names[flow.kind]);
    gpucode_answer_flag(answer, &fields[CONDITIONAL], flow.conditional);
    gpucode_answer_number(answer, &fields[DELAY_SLOTS], flow.delay_slots);
    gpucode_answer_end(answer);
}

/* A generation is named once, however many targets have it. */
static void write_generations(struct gpucode_answer *answer, const struct export *export,
                              const struct gpucode_target *set, unsigned row)
{
    const struct gpucode_target *target, *other;
    gpucode_answer_begin(answer, &fields[GENERATIONS]);
    for (unsigned i = 0; (target = export_target(export, set, i)); i++) {
        const char *name = gpucode_target_generation(target);
        bool seen = !gpucode_row_on_target(target, row);
        for (unsigned k = 0; k < i && !seen; k++)
            seen = (other = export_target(export, set, k)) && strcmp(gpucode_target_generation(other), name) == 0;
        if (!seen)
            gpucode_answer_text(answer, &fields[GENERATION], name);
    }
    gpucode_answer_end(answer);
}

static void write_row(struct gpucode_answer *answer, const struct export *export, const struct gpucode_target *set,
                      unsigned index)
{
    struct gpucode_row row;
    const struct gpucode_target *target = export_row_target(export, set, index);
    if (!target || !gpucode_row(target, index, &row))
        return;
    unsigned digits = 2 * row.size;
    gpucode_answer_begin(answer, &fields[INSN]);
    gpucode_answer_text(answer, &fields[INSN_ID], row.id);
    gpucode_answer_text(answer, &fields[MNEMONIC], row.mnemonic);
    gpucode_answer_text(answer, &fields[FORM], row.text);
    gpucode_answer_text(answer, &fields[BITS], row.bits);
    gpucode_answer_number(answer, &fields[SIZE], row.size);
    write_hex(answer, MASK, row.mask, digits);
    write_hex(answer, MATCH, row.match, digits);
    write_hex(answer, IGNORED, row.ignored, digits);
    write_generations(answer, export, set, index);
    write_fields(answer, target, index);
    gpucode_answer_text(answer, &fields[EFFECTS], row.effects);
    write_flow(answer, target, index);
    gpucode_answer_text(answer, &fields[DOC], row.doc);
    gpucode_answer_text(answer, &fields[ACTION], row.action);
    gpucode_answer_text(answer, &fields[SOURCE], row.source);
    gpucode_answer_text(answer, &fields[EVIDENCE], evidence_names[row.evidence]);
    gpucode_answer_end(answer);
}

static void write_rows(struct gpucode_answer *answer, const struct export *export, const struct gpucode_target *set)
{
    gpucode_answer_begin(answer, &fields[ROWS]);
    for (unsigned i = 0; i < gpucode_row_count(set); i++)
        write_row(answer, export, set, i);
    gpucode_answer_end(answer);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* The names of a space as targets have them, one entry for all targets that have the same ones. */
static void write_space(struct gpucode_answer *answer, const struct export *export, const struct gpucode_target *set,
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
        gpucode_answer_begin(answer, &fields[SPACE]);
        if (spaced)
            gpucode_answer_text(answer, &fields[SPACE_NAME], gpucode_space_name(set, space));
        gpucode_answer_begin(answer, &fields[SPACE_TARGETS]);
        for (unsigned k = i; (other = export_target(export, set, k)); k++)
            if (k == i || export_same_names(other, target, space))
                gpucode_answer_text(answer, &fields[SPACE_TARGET], gpucode_target_name(other));
        gpucode_answer_end(answer);
        gpucode_answer_begin(answer, &fields[NAMES]);
        for (; gpucode_name_next(target, space, &at); at++) {
            gpucode_name_of(target, NULL, space, at, name, sizeof name);
            snprintf(number, sizeof number, "0x%" PRIx32, at);
            gpucode_answer_key(answer, number);
            gpucode_answer_text(answer, &fields[NAME], name);
        }
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    }
}

static void write_names(struct gpucode_answer *answer, const struct export *export, const struct gpucode_target *set)
{
    gpucode_answer_begin(answer, &fields[REGISTERS]);
    for (enum gpucode_space space = 0; space < GPUCODE_SPACE_COUNT; space++)
        if (space != GPUCODE_SPACE_PACKET)
            write_space(answer, export, set, space, true);
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[PACKETS]);
    write_space(answer, export, set, GPUCODE_SPACE_PACKET, false);
    gpucode_answer_end(answer);
}

void export_json(struct export *export)
{
    const struct gpucode_target *set;
    for (unsigned i = 0; (set = export_set(export, i)); i++) {
        if (!export_begin(export, "%s.json", gpucode_target_isa(set)))
            return;
        struct gpucode_answer *answer = export_answer(export);
        gpucode_answer_begin(answer, &fields[SET]);
        gpucode_answer_number(answer, &fields[VERSION], SCHEMA_VERSION);
        gpucode_answer_text(answer, &fields[ISA], gpucode_target_isa(set));
        gpucode_answer_number(answer, &fields[UNIT_BYTES], gpucode_target_unit_bytes(set));
        gpucode_answer_flag(answer, &fields[FIXED_SIZE], gpucode_target_facts(set)->fixed_size);
        write_targets(answer, export, set);
        write_rows(answer, export, set);
        write_names(answer, export, set);
        gpucode_answer_text(answer, &fields[MANUAL], gpucode_target_manual(set));
        gpucode_answer_end(answer);
        export_answer_end(export, answer);
    }
}
