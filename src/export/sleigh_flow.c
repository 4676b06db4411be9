/* SPDX-License-Identifier: MIT */
/* Where control goes after an instruction; and rows without a formula, of which flow and operands are known. */
#include "export/sleigh_emit.h"

#include <string.h>

/* The constructor's instruction with its modifiers; other fields are zero. */
static bool constructor_flow(const struct sleigh_row *row, struct gpucode_insn *insn, struct gpucode_flow *flow)
{
    if (gpucode_insn_init(row->sleigh->target, row->row, insn) != GPUCODE_OK)
        return false;
    insn->address = 0x100000;
    sleigh_choose(row, insn);
    return gpucode_insn_flow(insn, flow);
}

/* --- rows that are functions -------------------------------------------------------------------------------------- */

/* Is nothing left to say of the row beside where control goes? */
static bool is_flow_alone(const struct sleigh_row *row, const struct gpucode_flow *flow)
{
    struct gpucode_row_field field;
    if (strcmp(row->facts->action, "{}") == 0)
        return true;
    if (flow->kind == GPUCODE_FLOW_NEXT || flow->kind == GPUCODE_FLOW_BRANCH)
        return false;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++)
        if (field.piece_count && field.type != GPUCODE_OPERAND_MODIFIER && field.type != GPUCODE_OPERAND_TARGET)
            return false;
    return true;
}

/* What the function takes, and tables that its result goes to. */
struct call {
    char arguments[1024], results[GPUCODE_FIELDS_MAX + 1][64];
    char source[GPUCODE_FIELDS_MAX + 1][64]; /* the arguments, one by one */
    size_t used;
    unsigned result_count, source_count;
};

static void add_argument(struct call *call, const char *name)
{
    call->used += (size_t)snprintf(call->arguments + call->used, sizeof call->arguments - call->used, "%s%s",
                                   call->used ? ", " : "", name);
    snprintf(call->source[call->source_count++], sizeof *call->source, "%s", name);
}

/* `field`: null for what the text does not name. */
static void add_uses(struct sleigh_code *code, struct sleigh_operands *operands, struct call *call,
                     const struct gpucode_row_field *field)
{
    char name[64];
    bool used = false;
    if (sleigh_uses_table(code->row, field, GPUCODE_USE_READ, name)) {
        used = true;
        fprintf(code->out, "    build %s;\n", name);
        sleigh_add_operand(operands, name);
        add_argument(call, name);
    }
    if (sleigh_uses_table(code->row, field, GPUCODE_USE_WRITE, name)) {
        used = true;
        sleigh_add_operand(operands, name);
        memcpy(call->results[call->result_count++], name, sizeof name);
    }
    if (used || !field || field->type == GPUCODE_OPERAND_MODIFIER || field->type == GPUCODE_OPERAND_TARGET ||
        !field->piece_count)
        return;
    sleigh_table(code->row, 'N', field->letter, 0, name);
    sleigh_add_operand(operands, name);
    add_argument(call, name);
}

/* Operands in the order of the text, then what it does not show. */
static void add_operands(struct sleigh_code *code, struct sleigh_operands *operands, struct call *call)
{
    struct gpucode_row_field field;
    char shown[GPUCODE_FIELDS_MAX + 1] = "";
    size_t count = 0;
    for (const char *at = code->row->facts->text; (at = strchr(at, '{')) && at[1]; at++)
        if (!strchr(shown, at[1]) && count < GPUCODE_FIELDS_MAX && sleigh_field(code->row, at[1], &field))
            add_uses(code, operands, call, (shown[count++] = at[1], &field));
    for (unsigned i = 0; gpucode_row_field(code->row->sleigh->target, code->row->row, i, &field); i++)
        if (!strchr(shown, field.letter))
            add_uses(code, operands, call, &field);
    add_uses(code, operands, call, NULL);
}

void sleigh_function(struct sleigh_code *code, struct sleigh_operands *operands)
{
    const struct sleigh_row *row = code->row;
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    char function[64];
    struct call call = {.result_count = 0};
    if (!constructor_flow(row, &insn, &flow) || is_flow_alone(row, &flow))
        return;
    snprintf(function, sizeof function, "do_%.60s", row->facts->id);
    add_operands(code, operands, &call);
    if (!row->plain)
        sleigh_note(row->sleigh, &row->sleigh->calls, "%s", function);
    if (row->plain) {
        const char *source[GPUCODE_FIELDS_MAX + 2] = {NULL};
        for (unsigned i = 0; i < call.source_count; i++)
            source[i] = call.source[i];
        sleigh_plain_code(code, operands, source);
    } else if (flow.kind == GPUCODE_FLOW_BRANCH) {
        fprintf(code->out, "    local holds:4 = %s(%s);\n    local branches:1 = (holds != 0:4);\n", function,
                call.arguments);
        code->branches = true;
    } else {
        fprintf(code->out, "    %s%s(%s);\n", call.result_count ? "state_value = " : "", function, call.arguments);
    }
    for (unsigned i = 0; i < call.result_count; i++)
        fprintf(code->out, "    build %s;\n", call.results[i]);
}

/* --- where control goes ------------------------------------------------------------------------------------------- */

/* The table of the operand that says where to; empty: none. */
static void target_table(const struct sleigh_row *row, const struct gpucode_insn *insn, const struct gpucode_flow *flow,
                         char name[64])
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    name[0] = 0;
    if (flow->operand >= 0 && (unsigned)flow->operand < count && operands[flow->operand].type == GPUCODE_OPERAND_TARGET)
        sleigh_table(row, 'N', operands[flow->operand].letter, 0, name);
}

void sleigh_flow(const struct sleigh_code *code, struct sleigh_operands *operands)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    FILE *out = code->out;
    char target[64];
    if (!constructor_flow(code->row, &insn, &flow))
        return;
    target_table(code->row, &insn, &flow, target);
    if (*target)
        sleigh_add_operand(operands, target);
    /* where a branch that goes at once is not taken, the end may come after one more */
    bool later = flow.ends && flow.ending_slots && !flow.delay_slots;
    if (flow.delay_slots)
        fputs(SLEIGH_DELAY_SLOT, out);
    const char *to = code->goes ? "[target]" : *target ? target : NULL;
    switch (flow.kind) {
    case GPUCODE_FLOW_BRANCH:
        if (code->branches && *target)
            fprintf(out, "    if (branches) goto %s;\n", target);
        if (flow.ends)
            fprintf(out, "%s    return [0:8];\n", later ? SLEIGH_DELAY_SLOT : "");
        break;
    case GPUCODE_FLOW_JUMP:
    case GPUCODE_FLOW_CALL:
        if (to)
            fprintf(out, "    %s %s;\n", flow.kind == GPUCODE_FLOW_CALL ? "call" : "goto", to);
        break;
    case GPUCODE_FLOW_RETURN:
        fprintf(out, "    return %s;\n", code->goes ? "[target]" : "[0:8]");
        break;
    case GPUCODE_FLOW_STOP: /* the end of what runs: for the decompiler, of the function */
        fputs("    return [0:8];\n", out);
        break;
    default:
        break;
    }
}
