/* SPDX-License-Identifier: MIT */
/* Actions as p-code: a tree becomes statements. */
#include "export/sleigh_emit.h"

#include <string.h>

static void emit_list(struct sleigh_emit *emit, unsigned list);
static void emit_row(struct sleigh_code *code);

static void build_write(struct sleigh_code *code, char letter)
{
    char name[64];
    sleigh_build(code, 'W', letter, name);
}

static void emit_assignment(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    const struct gpucode_action *place = &emit->nodes[n->first];
    FILE *out = emit->code->out;
    struct sleigh_value value = sleigh_as_width(emit, sleigh_value(emit, n->second),
                                                place->kind == GPUCODE_ACTION_VARIABLE ? place->width : 32);
    if (place->kind == GPUCODE_ACTION_OPERAND) {
        fprintf(out, "    state_value = %s;\n", value.text);
        if (emit->code->deferred)
            emit->code->result = place->letter;
        else
            build_write(emit->code, place->letter);
        return;
    }
    struct sleigh_value to;
    if (place->kind == GPUCODE_ACTION_ELEMENT) {
        value = sleigh_in_variable(emit, value);
        to = sleigh_element(emit, place);
    } else if (place->kind == GPUCODE_ACTION_VARIABLE) {
        to = sleigh_make_value(place->width, "%s_%u", place->text, emit->instance);
    } else {
        char name[64];
        sleigh_state_name(place->text, name);
        to = sleigh_make_value(32, "%s", name);
    }
    fprintf(out, "    %s = %s;\n", to.text, value.text);
}

static void emit_place(struct sleigh_code *code, enum gpucode_action_place place, unsigned number)
{
    const struct gpucode_action *nodes = gpucode_place_action(code->row->sleigh->target, place, number, NULL);
    struct sleigh_emit emit = {.code = code, .nodes = nodes, .instance = ++code->count};
    if (nodes)
        emit_list(&emit, 0);
}

/* Calls that mean something here; false: it is a function of the machine. */
static bool emit_known_call(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    struct sleigh_code *code = emit->code;
    if (strcmp(n->text, "PUT") == 0) {
        if (code->result)
            build_write(code, code->result);
    } else if (strcmp(n->text, "WRITE") == 0) {
        emit_place(code, GPUCODE_ACTION_WRITE, (unsigned)emit->nodes[n->first].number);
    } else if (strcmp(n->text, "GO") == 0) {
        struct sleigh_value target =
            sleigh_in_variable(emit, sleigh_as_width(emit, sleigh_value(emit, n->first), 32)); /* zext() needs a size */
        /* numbers of units have 32 bits, so that bytes need more: places after the end stay there */
        fprintf(code->out, "    local target:8 = zext(%s) * %u:8;\n", target.text,
                gpucode_target_unit_bytes(code->row->sleigh->target));
        code->goes = true;
    } else if (strcmp(n->text, "BRANCH") == 0) {
        struct sleigh_value taken = sleigh_as_width(emit, sleigh_value(emit, n->first), 1);
        fprintf(code->out, "    local branches:1 = %s;\n", taken.text);
        code->branches = true;
    } else {
        return false;
    }
    return true;
}

static void emit_condition(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    uint64_t number;
    FILE *out = emit->code->out;
    bool loops = n->kind == GPUCODE_ACTION_WHILE;
    if (!loops && sleigh_known(emit, n->first, &number)) {
        unsigned list = number ? n->second : n->third;
        if (list)
            emit_list(emit, list);
        return;
    }
    unsigned again_label = ++emit->code->count, end = ++emit->code->count, other = ++emit->code->count;
    if (loops)
        fprintf(out, "    <L%u>\n", again_label);
    struct sleigh_value condition = sleigh_in_variable(emit, sleigh_as_width(emit, sleigh_value(emit, n->first), 1));
    fprintf(out, "    if (!%s) goto <L%u>;\n", condition.text, n->third ? other : end);
    emit_list(emit, n->second);
    if (loops || n->third)
        fprintf(out, "    goto <L%u>;\n", loops ? again_label : end);
    if (n->third) {
        fprintf(out, "    <L%u>\n", other);
        emit_list(emit, n->third);
    }
    fprintf(out, "    <L%u>\n", end);
}

static void emit_statement(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    struct sleigh_value value;
    switch (n->kind) {
    case GPUCODE_ACTION_DECLARE:
        value = sleigh_as_width(emit, sleigh_value(emit, n->first), n->width);
        fprintf(emit->code->out, "    local %s_%u:%u = %s;\n", n->text, emit->instance, sleigh_bytes(n->width),
                value.text);
        break;
    case GPUCODE_ACTION_ASSIGN:
        emit_assignment(emit, n);
        break;
    case GPUCODE_ACTION_IF:
    case GPUCODE_ACTION_WHILE:
        emit_condition(emit, n);
        break;
    case GPUCODE_ACTION_LIST:
        emit_list(emit, (unsigned)(n - emit->nodes));
        break;
    case GPUCODE_ACTION_CALL:
        if (strcmp(n->text, "ROW") == 0)
            emit_row(emit->code);
        else if (!emit_known_call(emit, n))
            fprintf(emit->code->out, "    %s;\n", sleigh_call(emit, n).text);
        break;
    default:
        break;
    }
}

static void emit_list(struct sleigh_emit *emit, unsigned list)
{
    for (unsigned i = emit->nodes[list].first; i; i = emit->nodes[i].next)
        emit_statement(emit, &emit->nodes[i]);
}

/* --- whole actions ------------------------------------------------------------------------------------------------ */

/* Does the tree say itself when the result is written? */
static bool puts_result(const struct gpucode_action *nodes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (nodes[i].kind == GPUCODE_ACTION_CALL && strcmp(nodes[i].text, "PUT") == 0)
            return true;
    return false;
}

/* Rows that are formulas read their operands in the order of the text, whichever the formula names first. */
static void read_operands(struct sleigh_emit *emit, unsigned count)
{
    const struct sleigh_row *row = emit->code->row;
    for (const char *at = row->facts->text; *row->facts->action == '{' && (at = strchr(at, '{')) && at[1]; at++)
        for (unsigned i = 0; i < count; i++)
            if (emit->nodes[i].kind == GPUCODE_ACTION_OPERAND && emit->nodes[i].letter == at[1]) {
                struct gpucode_row_field field;
                if (sleigh_field(row, at[1], &field) && field.use == GPUCODE_USE_READ)
                    sleigh_operand_value(emit, at[1]);
                break;
            }
}

/* The row with what the modifiers in `around` add, the outermost first. */
static void emit_row(struct sleigh_code *code)
{
    const struct gpucode_target *target = code->row->sleigh->target;
    const char *before = code->around;
    unsigned count = 0;
    const struct gpucode_action *nodes = NULL;
    while (!nodes && *code->around)
        nodes = gpucode_place_action(target, GPUCODE_ACTION_AROUND, (unsigned char)*code->around++, &count);
    bool deferred = code->deferred;
    code->deferred |= nodes && puts_result(nodes, count);
    bool is_row = !nodes;
    if (is_row)
        nodes = gpucode_row_action(target, code->row->row, &count);
    struct sleigh_emit emit = {.code = code, .nodes = nodes, .instance = ++code->count};
    if (is_row)
        read_operands(&emit, count);
    emit_list(&emit, 0);
    code->deferred = deferred;
    code->around = before;
}

bool sleigh_code(struct sleigh_code *code)
{
    if (!gpucode_row_action(code->row->sleigh->target, code->row->row, NULL))
        return false;
    code->around = code->row->present;
    emit_row(code);
    return true;
}

void sleigh_place_code(const struct sleigh_row *row, FILE *out, const struct gpucode_action *action)
{
    struct sleigh_code code = {.row = row, .out = out, .around = ""};
    struct sleigh_emit emit = {.code = &code, .nodes = action, .instance = ++code.count};
    emit_list(&emit, 0);
}
