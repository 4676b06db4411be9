/* SPDX-License-Identifier: MIT */
/* Actions as p-code: a tree becomes statements, with a temporary where a value needs branches. */
#include "export/sleigh.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define VALUE_MAX 1024

/* A tree on its way. The names of its variables end in `instance`, as a tree may stand in a constructor twice. */
struct emit {
    struct sleigh_code *code;
    const struct gpucode_action *nodes;
    unsigned instance;
    const char *space; /* of the register whose number is being written; null: none */
};

/* A value as text, and its bits. */
struct value {
    char text[VALUE_MAX];
    unsigned width;
};

static void emit_list(struct emit *emit, unsigned list);
static void emit_row(struct sleigh_code *code);
static struct value value_of(struct emit *emit, unsigned index);

/* Which operands stand in the pattern for this tree. */
static void use_table(struct sleigh_code *code, char kind, char letter)
{
    for (char *at = code->used; *at; at += 2)
        if (at[0] == kind && at[1] == letter)
            return;
    size_t length = strlen(code->used);
    if (length + 2 < sizeof code->used) {
        code->used[length] = kind;
        code->used[length + 1] = letter;
    }
}

/* --- what is known without running ---------------------------------------------------------------------------------
 */

/* The number of a register by its name; a name that the target lacks has none: 0. */
static uint64_t number_of_name(const struct emit *emit, const char *space, const char *name)
{
    const struct gpucode_target *target = emit->code->row->sleigh->target;
    uint32_t number = 0;
    for (enum gpucode_space s = 0; s < GPUCODE_SPACE_COUNT; s++)
        if (strcmp(gpucode_space_name(target, s), space) == 0)
            gpucode_number_of(target, NULL, s, name, strlen(name), &number);
    return number;
}

static bool known_binary(const char *text, uint64_t a, uint64_t b, uint64_t *number)
{
    static const char *const signs[] = {"||", "&&", "==", "!=", "<", ">", "<=", ">=", "+"};
    const uint64_t results[] = {a || b, a && b, a == b, a != b, a<b, a> b, a <= b, a >= b, a + b};
    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(text, signs[i]) == 0) {
            *number = results[i];
            return true;
        }
    return false;
}

static bool is_known(const struct emit *emit, unsigned index, uint64_t *number)
{
    const struct gpucode_action *n = &emit->nodes[index];
    const struct sleigh_row *row = emit->code->row;
    struct gpucode_row_field field;
    uint64_t a = 0, b = 0;
    switch (n->kind) {
    case GPUCODE_ACTION_NUMBER:
        *number = n->number;
        return true;
    case GPUCODE_ACTION_NAME:
        *number = emit->space ? number_of_name(emit, emit->space, n->text) : 0;
        return emit->space != NULL;
    case GPUCODE_ACTION_FIELD:
        *number = strchr(row->present, n->letter) != NULL;
        return strchr(row->absent, n->letter) || !sleigh_field(row, n->letter, &field) || (*number && field.width == 1);
    case GPUCODE_ACTION_UNARY:
        *number = 0;
        if (*n->text != '!' || !is_known(emit, n->first, &a))
            return false;
        *number = !a;
        return true;
    case GPUCODE_ACTION_BINARY: {
        bool left = is_known(emit, n->first, &a), right = is_known(emit, n->second, &b);
        *number = 0;
        if (strcmp(n->text, "&&") == 0 && ((left && !a) || (right && !b)))
            return true;
        return left && right && known_binary(n->text, a, b, number);
    }
    case GPUCODE_ACTION_CHOICE:
        return is_known(emit, n->first, &a) && is_known(emit, a ? n->second : n->third, number);
    case GPUCODE_ACTION_CALL:
        if (strcmp(n->text, "NUMBER") != 0 || !n->first)
            return false;
        char space[32] = "";
        for (unsigned i = 0; i + 1 < sizeof space && emit->nodes[n->first].text[i]; i++)
            space[i] = (char)tolower((unsigned char)emit->nodes[n->first].text[i]);
        *number = number_of_name(emit, space, emit->nodes[emit->nodes[n->first].next].text);
        return true;
    default:
        return false;
    }
}

/* --- values ---------------------------------------------------------------------------------------------------------
 */

static unsigned bytes_of(unsigned width)
{
    return width == 1 ? 1 : width / 8;
}

__attribute__((format(printf, 2, 3))) static struct value make_value(unsigned width, const char *format, ...)
{
    struct value value = {.width = width};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value.text, sizeof value.text, format, arguments);
    va_end(arguments);
    return value;
}

/* The same in a variable of its own. */
static struct value in_variable(struct emit *emit, struct value value)
{
    struct value name = make_value(value.width, "t%u", ++emit->code->count);
    fprintf(emit->code->out, "    local %s:%u = %s;\n", name.text, bytes_of(value.width), value.text);
    return name;
}

static struct value as_width(struct emit *emit, struct value value, unsigned width)
{
    if (value.width == width)
        return value;
    if (width == 1)
        return make_value(1, "(%.1000s != 0:%u)", value.text, bytes_of(value.width));
    if (value.width < width)
        return make_value(width, "zext(%.1000s)", value.text);
    value = in_variable(emit, value);
    return make_value(width, "%.1000s:%u", value.text, bytes_of(width));
}

static struct value number_value(uint64_t number, unsigned width)
{
    if (width == 1)
        return make_value(1, "%d:1", number != 0);
    return make_value(width, "0x%" PRIx64 ":%u", width == 32 ? number & UINT32_MAX : number, bytes_of(width));
}

static struct value field_value(struct emit *emit, char kind, char letter)
{
    char name[64];
    sleigh_table(emit->code->row, kind, letter, name);
    use_table(emit->code, kind, letter);
    return make_value(32, "%s", name);
}

/*
 * The operand's table is put where it is read first, so that queues are read in this order; its value is kept, as
 * reading another operand may change the register.
 */
static struct value operand_value(struct emit *emit, char letter)
{
    struct gpucode_row_field field;
    if (!sleigh_field(emit->code->row, letter, &field) || field.type != GPUCODE_OPERAND_REGISTER)
        return field_value(emit, 'N', letter);
    if (field.use == GPUCODE_USE_WRITE) { /* what the destination held */
        char name[64];
        sleigh_piece(emit->code->row, 'r', field.pieces[0].shift, field.width, name);
        use_table(emit->code, 'O', letter);
        return make_value(32, "%s", name);
    }
    struct value value = field_value(emit, 'R', letter);
    struct sleigh_code *code = emit->code;
    if (!strchr(code->read, letter)) {
        code->read[strlen(code->read)] = letter;
        fprintf(code->out, "    build %s;\n    local operand_%c:4 = %s;\n", value.text, letter, value.text);
    }
    return make_value(32, "operand_%c", letter);
}

/* The place of a register: its name, or where it lies in its space. */
static struct value element_place(struct emit *emit, const struct gpucode_action *n)
{
    uint64_t number;
    struct emit inside = *emit;
    inside.space = n->text;
    if (strcmp(n->text, "memory") == 0) {
        struct value address = in_variable(emit, as_width(emit, value_of(emit, n->first), 64));
        return make_value(32, "*[ram]:4 %s", address.text);
    }
    bool known = is_known(&inside, n->first, &number);
    if (known && strcmp(n->text, "general") == 0)
        return make_value(32, "r%02" PRIx64, number);
    struct value index =
        known ? number_value(number, 32) : in_variable(emit, as_width(emit, value_of(&inside, n->first), 32));
    return make_value(32, "*[%s]:4 %s", n->text, index.text);
}

static struct value choice_value(struct emit *emit, const struct gpucode_action *n)
{
    uint64_t number;
    if (is_known(emit, n->first, &number))
        return as_width(emit, value_of(emit, number ? n->second : n->third), n->width);
    FILE *out = emit->code->out;
    struct value condition = in_variable(emit, as_width(emit, value_of(emit, n->first), 1));
    struct value no_first = in_variable(emit, as_width(emit, value_of(emit, n->third), n->width));
    unsigned label = ++emit->code->count;
    fprintf(out, "    if (!%s) goto <L%u>;\n", condition.text, label);
    struct value yes = as_width(emit, value_of(emit, n->second), n->width);
    fprintf(out, "    %s = %s;\n    <L%u>\n", no_first.text, yes.text, label);
    return no_first;
}

static struct value binary_value(struct emit *emit, const struct gpucode_action *n)
{
    bool shift = strstr(n->text, "<<") || strstr(n->text, ">>"),
         logic = strcmp(n->text, "&&") == 0 || strcmp(n->text, "||") == 0;
    struct value left = value_of(emit, n->first);
    if (logic || shift || n->width != 32) /* what comes behind may write to variables */
        left = in_variable(emit, left);
    struct value right = value_of(emit, n->second);
    unsigned width = n->width;
    if (logic)
        width = 1;
    else if (n->width == 1)
        width = left.width > right.width ? left.width : right.width;
    width = !logic && width == 1 ? 32 : width;
    left = as_width(emit, left, width);
    right = as_width(emit, right, shift ? 32 : width);
    return make_value(n->width, "(%.480s %s %.480s)", left.text, n->text, right.text);
}

static struct value again(struct emit *emit, const struct gpucode_action *n)
{
    struct value value = field_value(emit, 'R', emit->nodes[n->first].letter);
    fprintf(emit->code->out, "    build %s;\n", value.text);
    return value;
}

static struct value call_value(struct emit *emit, const struct gpucode_action *n)
{
    char name[64], arguments[VALUE_MAX] = "";
    uint64_t number;
    if (is_known(emit, (unsigned)(n - emit->nodes), &number))
        return number_value(number, 32);
    if (strcmp(n->text, "AGAIN") == 0)
        return again(emit, n);
    for (unsigned i = n->first; i; i = emit->nodes[i].next) {
        struct value argument =
            emit->nodes[i].kind == GPUCODE_ACTION_NAME ? make_value(32, "0:4") : as_width(emit, value_of(emit, i), 32);
        if (emit->nodes[i].kind == GPUCODE_ACTION_NAME)
            continue;
        argument = in_variable(emit, argument);
        size_t used = strlen(arguments);
        snprintf(arguments + used, sizeof arguments - used, "%s%.64s", used ? ", " : "", argument.text);
    }
    snprintf(name, sizeof name, "%s", n->text);
    for (char *c = name; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    if (strcmp(name, "leading_zeros") == 0)
        snprintf(name, sizeof name, "lzcount");
    else if (strcmp(name, "bit_count") == 0)
        snprintf(name, sizeof name, "popcount");
    else
        sleigh_note(emit->code->row->sleigh, &emit->code->row->sleigh->calls, "%s", name);
    return make_value(32, "%s(%.900s)", name, arguments);
}

/* The unit behind the instruction and its delay slots. */
static struct value next_value(struct emit *emit)
{
    const struct sleigh_row *row = emit->code->row;
    unsigned unit = gpucode_target_unit_bytes(row->sleigh->target), shift = 0;
    struct gpucode_insn insn;
    struct gpucode_flow flow = {.delay_slots = 0};
    if (gpucode_insn_init(row->sleigh->target, row->row, &insn) == GPUCODE_OK)
        gpucode_insn_flow(&insn, &flow);
    while (1u << shift < unit)
        shift++;
    return make_value(32, "((inst_start + %u:4) >> %u:4)", row->facts->size + flow.delay_slots * unit, shift);
}

static struct value value_of(struct emit *emit, unsigned index)
{
    const struct gpucode_action *n = &emit->nodes[index];
    uint64_t number;
    if (n->kind != GPUCODE_ACTION_CALL && is_known(emit, index, &number))
        return number_value(number, n->width ? n->width : 32);
    switch (n->kind) {
    case GPUCODE_ACTION_VARIABLE:
        return make_value(n->width, "%s_%u", n->text, emit->instance);
    case GPUCODE_ACTION_STATE:
        return strcmp(n->text, "next") == 0 ? next_value(emit) : make_value(32, "%s", n->text);
    case GPUCODE_ACTION_FIELD:
        return field_value(emit, 'N', n->letter);
    case GPUCODE_ACTION_OPERAND:
        return operand_value(emit, n->letter);
    case GPUCODE_ACTION_ELEMENT:
        return in_variable(emit, element_place(emit, n));
    case GPUCODE_ACTION_UNARY: {
        struct value value = value_of(emit, n->first);
        value = as_width(emit, value, *n->text == '!' ? 1 : n->width);
        return make_value(n->width, "(%s%.1000s)", n->text, value.text);
    }
    case GPUCODE_ACTION_BINARY:
        return binary_value(emit, n);
    case GPUCODE_ACTION_CHOICE:
        return choice_value(emit, n);
    case GPUCODE_ACTION_CAST:
        return as_width(emit, value_of(emit, n->first), n->width);
    case GPUCODE_ACTION_CALL:
        return call_value(emit, n);
    default:
        return number_value(0, 32);
    }
}

/* --- statements ------------------------------------------------------------------------------------------------------
 */

static void build_write(struct sleigh_code *code, char letter)
{
    char name[64];
    sleigh_table(code->row, 'W', letter, name);
    use_table(code, 'W', letter);
    fprintf(code->out, "    build %s;\n", name);
}

static void emit_assignment(struct emit *emit, const struct gpucode_action *n)
{
    const struct gpucode_action *place = &emit->nodes[n->first];
    FILE *out = emit->code->out;
    struct value value =
        as_width(emit, value_of(emit, n->second), place->kind == GPUCODE_ACTION_VARIABLE ? place->width : 32);
    if (place->kind == GPUCODE_ACTION_OPERAND) {
        fprintf(out, "    value = %s;\n", value.text);
        if (emit->code->deferred)
            emit->code->result = place->letter;
        else
            build_write(emit->code, place->letter);
        return;
    }
    struct value to;
    if (place->kind == GPUCODE_ACTION_ELEMENT) {
        value = in_variable(emit, value);
        to = element_place(emit, place);
    } else if (place->kind == GPUCODE_ACTION_VARIABLE) {
        to = make_value(place->width, "%s_%u", place->text, emit->instance);
    } else {
        to = make_value(32, "%s", place->text);
    }
    fprintf(out, "    %s = %s;\n", to.text, value.text);
}

static void emit_place(struct sleigh_code *code, enum gpucode_action_place place, unsigned number)
{
    const struct gpucode_action *nodes = gpucode_place_action(code->row->sleigh->target, place, number, NULL);
    struct emit emit = {.code = code, .nodes = nodes, .instance = ++code->count};
    if (nodes)
        emit_list(&emit, 0);
}

/* Calls that mean something here; false: it is a function of the machine. */
static bool emit_known_call(struct emit *emit, const struct gpucode_action *n)
{
    struct sleigh_code *code = emit->code;
    if (strcmp(n->text, "PUT") == 0) {
        if (code->result)
            build_write(code, code->result);
    } else if (strcmp(n->text, "WRITE") == 0) {
        emit_place(code, GPUCODE_ACTION_WRITE, (unsigned)emit->nodes[n->first].number);
    } else if (strcmp(n->text, "GO") == 0) {
        struct value target = as_width(emit, value_of(emit, n->first), 32);
        fprintf(code->out, "    local target:4 = %s * %u:4;\n", target.text,
                gpucode_target_unit_bytes(code->row->sleigh->target));
        code->goes = true;
    } else if (strcmp(n->text, "BRANCH") == 0) {
        struct value taken = as_width(emit, value_of(emit, n->first), 1);
        fprintf(code->out, "    local branches:1 = %s;\n", taken.text);
        code->branches = true;
    } else {
        return false;
    }
    return true;
}

static void emit_condition(struct emit *emit, const struct gpucode_action *n)
{
    uint64_t number;
    FILE *out = emit->code->out;
    bool loops = n->kind == GPUCODE_ACTION_WHILE;
    if (!loops && is_known(emit, n->first, &number)) {
        unsigned list = number ? n->second : n->third;
        if (list)
            emit_list(emit, list);
        return;
    }
    unsigned again_label = ++emit->code->count, end = ++emit->code->count, other = ++emit->code->count;
    if (loops)
        fprintf(out, "    <L%u>\n", again_label);
    struct value condition = in_variable(emit, as_width(emit, value_of(emit, n->first), 1));
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

static void emit_statement(struct emit *emit, const struct gpucode_action *n)
{
    struct value value;
    switch (n->kind) {
    case GPUCODE_ACTION_DECLARE:
        value = as_width(emit, value_of(emit, n->first), n->width);
        fprintf(emit->code->out, "    local %s_%u:%u = %s;\n", n->text, emit->instance, bytes_of(n->width), value.text);
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
            fprintf(emit->code->out, "    %s;\n", call_value(emit, n).text);
        break;
    default:
        break;
    }
}

static void emit_list(struct emit *emit, unsigned list)
{
    for (unsigned i = emit->nodes[list].first; i; i = emit->nodes[i].next)
        emit_statement(emit, &emit->nodes[i]);
}

/* --- whole actions
 * ---------------------------------------------------------------------------------------------------- */

/* Does the tree say itself when the result is written? */
static bool puts_result(const struct gpucode_action *nodes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (nodes[i].kind == GPUCODE_ACTION_CALL && strcmp(nodes[i].text, "PUT") == 0)
            return true;
    return false;
}

/* Rows that are formulas read their operands in the order of the text, whichever the formula names first. */
static void read_operands(struct emit *emit, unsigned count)
{
    const struct sleigh_row *row = emit->code->row;
    for (const char *at = row->facts->text; *row->facts->action == '{' && (at = strchr(at, '{')) && at[1]; at++)
        for (unsigned i = 0; i < count; i++)
            if (emit->nodes[i].kind == GPUCODE_ACTION_OPERAND && emit->nodes[i].letter == at[1]) {
                struct gpucode_row_field field;
                if (sleigh_field(row, at[1], &field) && field.use == GPUCODE_USE_READ)
                    operand_value(emit, at[1]);
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
    struct emit emit = {.code = code, .nodes = nodes, .instance = ++code->count};
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
    struct emit emit = {.code = &code, .nodes = action, .instance = ++code.count};
    emit_list(&emit, 0);
}
