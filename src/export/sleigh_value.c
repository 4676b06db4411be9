/* SPDX-License-Identifier: MIT */
/* Values of actions as expressions of p-code, with a temporary where one needs branches. */
#include "export/sleigh_emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Notes that the letter's table stands in the pattern. */
static void sleigh_use_table(struct sleigh_code *code, char kind, char letter, unsigned copy)
{
    for (unsigned i = 0; i < code->used_count; i++)
        if (code->used[i].kind == kind && code->used[i].letter == letter && code->used[i].copy == copy)
            return;
    if (code->used_count < SLEIGH_USES_MAX)
        code->used[code->used_count++] = (struct sleigh_use){kind, letter, copy};
}

void sleigh_build(struct sleigh_code *code, char kind, char letter, char name[64])
{
    unsigned copy = 0;
    for (unsigned i = 0; i < code->used_count; i++)
        copy += code->used[i].kind == kind && code->used[i].letter == letter;
    sleigh_table(code->row, kind, letter, copy, name);
    sleigh_use_table(code, kind, letter, copy);
    fprintf(code->out, "    build %s;\n", name);
}

unsigned sleigh_bytes(unsigned width)
{
    return width == 1 ? 1 : width / 8;
}

__attribute__((format(printf, 2, 3))) struct sleigh_value sleigh_make_value(unsigned width, const char *format, ...)
{
    struct sleigh_value value = {.width = width};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value.text, sizeof value.text, format, arguments);
    va_end(arguments);
    return value;
}

/* The same in a variable of its own. */
struct sleigh_value sleigh_in_variable(struct sleigh_emit *emit, struct sleigh_value value)
{
    struct sleigh_value name = sleigh_make_value(value.width, "t%u", ++emit->code->count);
    fprintf(emit->code->out, "    local %s:%u = %s;\n", name.text, sleigh_bytes(value.width), value.text);
    return name;
}

struct sleigh_value sleigh_as_width(struct sleigh_emit *emit, struct sleigh_value value, unsigned width)
{
    if (value.width == width)
        return value;
    if (width == 1)
        return sleigh_make_value(1, "(%.1000s != 0:%u)", value.text, sleigh_bytes(value.width));
    if (value.width < width)
        return sleigh_make_value(width, "zext(%.1000s)", value.text);
    value = sleigh_in_variable(emit, value);
    return sleigh_make_value(width, "%.1000s:%u", value.text, sleigh_bytes(width));
}

static struct sleigh_value sleigh_number(uint64_t number, unsigned width)
{
    if (width == 1)
        return sleigh_make_value(1, "%d:1", number != 0);
    return sleigh_make_value(width, "0x%" PRIx64 ":%u", width == 32 ? number & UINT32_MAX : number,
                             sleigh_bytes(width));
}

static struct sleigh_value sleigh_field_value(struct sleigh_emit *emit, char kind, char letter)
{
    char name[64];
    sleigh_table(emit->code->row, kind, letter, 0, name);
    sleigh_use_table(emit->code, kind, letter, 0);
    return sleigh_make_value(32, "%s", name);
}

/*
 * The operand's table is put where it is read first, so that queues are read in this order; its value is kept, as
 * reading another operand may change the register.
 */
struct sleigh_value sleigh_operand_value(struct sleigh_emit *emit, char letter)
{
    struct gpucode_row_field field;
    if (!sleigh_field(emit->code->row, letter, &field) || !sleigh_names_registers(&field))
        return sleigh_field_value(emit, 'N', letter);
    if (field.use == GPUCODE_USE_WRITE) { /* what the destination held */
        char name[64];
        sleigh_register_piece(emit->code->row, &field, 0, name);
        sleigh_use_table(emit->code, 'O', letter, 0);
        return sleigh_make_value(32, "%s", name);
    }
    struct sleigh_code *code = emit->code;
    if (!strchr(code->read, letter)) {
        char name[64];
        sleigh_build(code, 'R', letter, name);
        code->read[strlen(code->read)] = letter;
        fprintf(code->out, "    local operand_%c:4 = %s;\n", letter, name);
    }
    return sleigh_make_value(32, "operand_%c", letter);
}

/* The place of a register: its name, or where it lies in its space. */
struct sleigh_value sleigh_element(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    uint64_t number;
    struct sleigh_emit inside = *emit;
    inside.space = n->text;
    if (strcmp(n->text, "memory") == 0) {
        struct sleigh_value address = sleigh_in_variable(emit, sleigh_as_width(emit, sleigh_value(emit, n->first), 64));
        return sleigh_make_value(32, "*[ram]:4 %s", address.text);
    }
    bool known = sleigh_known(&inside, n->first, &number);
    if (known && strcmp(n->text, "general") == 0) {
        char name[24];
        return sleigh_make_value(32, "%s", sleigh_general(emit->code->row->sleigh, number, name));
    }
    struct sleigh_value index =
        known ? sleigh_number(number, 32)
              : sleigh_in_variable(emit, sleigh_as_width(emit, sleigh_value(&inside, n->first), 32));
    return sleigh_make_value(32, "*[%s]:4 %s", n->text, index.text);
}

static struct sleigh_value choice_value(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    uint64_t number;
    if (sleigh_known(emit, n->first, &number))
        return sleigh_as_width(emit, sleigh_value(emit, number ? n->second : n->third), n->width);
    FILE *out = emit->code->out;
    struct sleigh_value condition = sleigh_in_variable(emit, sleigh_as_width(emit, sleigh_value(emit, n->first), 1));
    struct sleigh_value no_first =
        sleigh_in_variable(emit, sleigh_as_width(emit, sleigh_value(emit, n->third), n->width));
    unsigned label = ++emit->code->count;
    fprintf(out, "    if (!%s) goto <L%u>;\n", condition.text, label);
    struct sleigh_value yes = sleigh_as_width(emit, sleigh_value(emit, n->second), n->width);
    fprintf(out, "    %s = %s;\n    <L%u>\n", no_first.text, yes.text, label);
    return no_first;
}

static struct sleigh_value binary_value(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    bool shift = strstr(n->text, "<<") || strstr(n->text, ">>"),
         logic = strcmp(n->text, "&&") == 0 || strcmp(n->text, "||") == 0;
    uint64_t known = 0;
    if (strcmp(n->text, "&&") == 0 && sleigh_known(emit, n->first, &known) && known)
        return sleigh_as_width(emit, sleigh_value(emit, n->second), 1);
    struct sleigh_value left = sleigh_value(emit, n->first);
    if (logic || shift || n->width != 32) /* what follows may write to variables */
        left = sleigh_in_variable(emit, left);
    struct sleigh_value right = sleigh_value(emit, n->second);
    unsigned width = n->width;
    if (logic)
        width = 1;
    else if (n->width == 1)
        width = left.width > right.width ? left.width : right.width;
    width = !logic && width == 1 ? 32 : width;
    left = sleigh_as_width(emit, left, width);
    right = sleigh_as_width(emit, right, shift ? 32 : width);
    return sleigh_make_value(n->width, "(%.480s %s %.480s)", left.text, n->text, right.text);
}

static struct sleigh_value again(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    char name[64];
    sleigh_build(emit->code, 'R', emit->nodes[n->first].letter, name);
    return sleigh_make_value(32, "%s", name);
}

struct sleigh_value sleigh_call(struct sleigh_emit *emit, const struct gpucode_action *n)
{
    char name[64], arguments[SLEIGH_VALUE_MAX] = "";
    uint64_t number;
    if (sleigh_known(emit, (unsigned)(n - emit->nodes), &number))
        return sleigh_number(number, 32);
    if (strcmp(n->text, "AGAIN") == 0)
        return again(emit, n);
    for (unsigned i = n->first; i; i = emit->nodes[i].next) {
        struct sleigh_value argument = emit->nodes[i].kind == GPUCODE_ACTION_NAME
                                           ? sleigh_make_value(32, "0:4")
                                           : sleigh_as_width(emit, sleigh_value(emit, i), 32);
        if (emit->nodes[i].kind == GPUCODE_ACTION_NAME)
            continue;
        argument = sleigh_in_variable(emit, argument);
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
    return sleigh_make_value(32, "%s(%.900s)", name, arguments);
}

static struct sleigh_value state_value(const char *text)
{
    char name[64];
    sleigh_state_name(text, name);
    return sleigh_make_value(32, "%s", name);
}

/* The unit after the instruction and its delay slots. */
static struct sleigh_value next_value(struct sleigh_emit *emit)
{
    const struct sleigh_row *row = emit->code->row;
    unsigned unit = gpucode_target_unit_bytes(row->sleigh->target), shift = 0;
    struct gpucode_insn insn;
    struct gpucode_flow flow = {.delay_slots = 0};
    if (gpucode_insn_init(row->sleigh->target, row->row, &insn) == GPUCODE_OK)
        gpucode_insn_flow(&insn, &flow);
    while (1u << shift < unit)
        shift++;
    return sleigh_make_value(32, "((inst_start + %u:4) >> %u:4)", row->facts->size + flow.delay_slots * unit, shift);
}

struct sleigh_value sleigh_value(struct sleigh_emit *emit, unsigned index)
{
    const struct gpucode_action *n = &emit->nodes[index];
    uint64_t number;
    if (n->kind != GPUCODE_ACTION_CALL && sleigh_known(emit, index, &number))
        return sleigh_number(number, n->width ? n->width : 32);
    switch (n->kind) {
    case GPUCODE_ACTION_VARIABLE:
        return sleigh_make_value(n->width, "%s_%u", n->text, emit->instance);
    case GPUCODE_ACTION_STATE:
        return strcmp(n->text, "next") == 0 ? next_value(emit) : state_value(n->text);
    case GPUCODE_ACTION_FIELD:
        return sleigh_field_value(emit, 'N', n->letter);
    case GPUCODE_ACTION_OPERAND:
        return sleigh_operand_value(emit, n->letter);
    case GPUCODE_ACTION_ELEMENT:
        return sleigh_in_variable(emit, sleigh_element(emit, n));
    case GPUCODE_ACTION_UNARY: {
        struct sleigh_value value = sleigh_value(emit, n->first);
        value = sleigh_as_width(emit, value, *n->text == '!' ? 1 : n->width);
        return sleigh_make_value(n->width, "(%s%.1000s)", n->text, value.text);
    }
    case GPUCODE_ACTION_BINARY:
        return binary_value(emit, n);
    case GPUCODE_ACTION_CHOICE:
        return choice_value(emit, n);
    case GPUCODE_ACTION_CAST:
        return sleigh_as_width(emit, sleigh_value(emit, n->first), n->width);
    case GPUCODE_ACTION_CALL:
        return sleigh_call(emit, n);
    default:
        return sleigh_number(0, 32);
    }
}
