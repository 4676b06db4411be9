/* SPDX-License-Identifier: MIT */
/* Statements of ir3 sources that are not instructions: raw words, and lines that begin with '@'. */
#include "isa/ir3/ir3.h"

#include "isa/decimal.h"

/* --- declarations ----------------------------------------------------------------------------------------------------
 */

/* What stands in parentheses after the name of a directive, and what follows. */
enum where { NO_PLACE, REGISTER, CONST, EITHER };
enum rest { NOTHING, VALUES, BUFFER, TEXT };

static const struct shape {
    const char *kind;
    enum where place;
    enum rest rest;
    unsigned count; /* of values */
} shapes[] = {
    {"localsize", NO_PLACE, VALUES, 3},
    {"const", CONST, VALUES, 4},
    {"buf", CONST, BUFFER, 1},
    {"ubo", CONST, BUFFER, 1},
    {"invocationid", REGISTER, NOTHING, 0},
    {"wgid", EITHER, NOTHING, 0},
    {"numwg", CONST, NOTHING, 0},
    {"branchstack", NO_PLACE, VALUES, 1},
    {"pvtmem", NO_PLACE, VALUES, 1},
    {"localmem", NO_PLACE, VALUES, 1},
    {"earlypreamble", NO_PLACE, NOTHING, 0},
    {"in", REGISTER, TEXT, 0},
    {"out", REGISTER, TEXT, 0},
    {"tex", REGISTER, TEXT, 0},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const struct gpucode_directive ir3_directives[] = {
    {"@localsize", "X, Y, Z", "Size of a work group."},
    {"@const", "(CONST) VALUE, ...", "Up to four values."},
    {"@buf", "SIZE (CONST) VALUE, ...", "A buffer of so many dwords; its address goes to the const."},
    {"@ubo", "SIZE (CONST) VALUE, ...", "A buffer of constants of so many dwords."},
    {"@invocationid", "(REGISTER)", "Where the number of the invocation stands."},
    {"@wgid", "(REGISTER or CONST)", "Where the number of the work group stands."},
    {"@numwg", "(CONST)", "Where the count of work groups stands."},
    {"@branchstack", "NUMBER", "Taken, and kept."},
    {"@pvtmem", "BYTES", "Private memory of a fiber."},
    {"@localmem", "BYTES", "Local memory of a work group."},
    {"@earlypreamble", "", "Taken, and kept."},
    {"@in", "(REGISTER) NAME", "An input."},
    {"@out", "(REGISTER) NAME", "An output."},
    {"@tex", "(REGISTER) VALUES", "A texture that is looked up before the shader starts."},
    {NULL, NULL, NULL},
};

struct node {
    struct node *next;
    struct gpucode_declaration declaration;
};
/* asm_state: the list in the order of the source. */
struct state {
    struct node *first, *last;
};

static bool ir3_declaration(const void *state, unsigned index, struct gpucode_declaration *declaration)
{
    const struct node *node = state ? ((const struct state *)state)->first : NULL;
    for (; node && index; index--)
        node = node->next;
    if (node)
        *declaration = node->declaration;
    return node != NULL;
}

static bool take_place(struct isa_scan *scan, const struct shape *shape, struct gpucode_declaration *out)
{
    struct ir3_name name;
    if (!isa_take(scan, "("))
        return isa_expected(scan, "'('");
    if (!ir3_take_name(scan, &name))
        return false;
    bool is_register = name.what == IR3_IS_GPR && shape->place != CONST;
    bool is_const = name.what == IR3_IS_CONST && shape->place != REGISTER;
    if (!is_register && !is_const) {
        scan->at = name.start;
        return isa_expected(scan, shape->place == CONST      ? "a const"
                                  : shape->place == REGISTER ? "a register"
                                                             : "a register or a const");
    }
    *out = (struct gpucode_declaration){.kind = shape->kind,
                                        .file = is_register ? 'r' : 'c',
                                        .half = name.half,
                                        .first = (uint32_t)name.number,
                                        .count = 4};
    return isa_take(scan, ")") || isa_expected(scan, "')'");
}

/* A 32-bit value: 1.0, -1.5, 12, -12, 0x3f800000. */
static bool take_value(struct isa_scan *scan, uint32_t *bits)
{
    isa_skip(scan);
    struct decimal number;
    bool is_float;
    size_t length = decimal_read(scan->at, (size_t)(scan->end - scan->at), &number, &is_float);
    if (length && is_float) {
        scan->at += length;
        *bits = decimal_to_bits(&number, &decimal_f32);
        return true;
    }
    int64_t value;
    if (!ir3_take_number(scan, INT32_MIN, UINT32_MAX, "value", &value))
        return false;
    *bits = (uint32_t)value;
    return true;
}

static bool keep(struct asm_context *context, const struct gpucode_declaration *declaration)
{
    struct state **state = (struct state **)asm_state(context);
    if (!*state)
        *state = asm_memory(context, sizeof **state);
    struct node *node = asm_memory(context, sizeof *node);
    if (!*state || !node)
        return false;
    node->declaration = *declaration;
    *((*state)->last ? &(*state)->last->next : &(*state)->first) = node;
    (*state)->last = node;
    return true;
}

/* Values with commas between them. */
static bool take_values(struct isa_scan *scan, unsigned most, struct gpucode_declaration *out)
{
    do {
        if (out->value_count == most)
            return isa_fail(scan, scan->at - 1, 1, MSG_IR3_VALUES, NULL, NULL, 0, NULL);
        if (!take_value(scan, &out->value[out->value_count++]))
            return false;
    } while (isa_take(scan, ","));
    return true;
}

/* Those of a buffer: what its declaration has no room for is in declarations of the kind "data" after it. */
static bool take_content(struct asm_context *context, struct isa_scan *scan, struct gpucode_declaration *out)
{
    enum { KEPT = sizeof out->value / sizeof *out->value };
    uint32_t count = 0;
    do {
        if (out->value_count == KEPT) {
            if (!keep(context, out))
                return false;
            *out = (struct gpucode_declaration){.kind = "data", .first = count};
        }
        if (!take_value(scan, &out->value[out->value_count++]))
            return false;
        count++;
    } while (isa_take(scan, ","));
    return true;
}

/* "64 (c2.x) 1, 2, 3" */
static bool take_buffer(struct asm_context *context, struct isa_scan *scan, const struct shape *shape,
                        struct gpucode_declaration *out)
{
    uint32_t size;
    if (!take_value(scan, &size))
        return false;
    isa_skip_line(scan);
    if (scan->at < scan->end && *scan->at == '(' && !take_place(scan, shape, out))
        return false;
    out->value[out->value_count++] = size;
    isa_skip_line(scan);
    return scan->at >= scan->end || *scan->at == '\n' || *scan->at == ';' || take_content(context, scan, out);
}

/* The rest of the line. */
static bool take_text(struct asm_context *context, struct isa_scan *scan, struct gpucode_declaration *out)
{
    isa_skip_line(scan);
    const char *start = scan->at, *last = start;
    for (; scan->at < scan->end && *scan->at != '\n' && *scan->at != ';'; scan->at++)
        if (*scan->at != ' ' && *scan->at != '\t' && *scan->at != '\r')
            last = scan->at + 1;
    size_t length = (size_t)(last - start);
    char *copy = asm_memory(context, length + 1);
    if (copy)
        memcpy(copy, start, length);
    out->name = copy;
    return copy != NULL;
}

static int ir3_directive(struct asm_context *context, struct isa_scan *scan)
{
    const char *start = scan->at++;
    size_t length = isa_name(scan);
    unsigned i = 0;
    while (i < SHAPES && (strlen(shapes[i].kind) != length || memcmp(shapes[i].kind, scan->at, length) != 0))
        i++;
    if (i == SHAPES) {
        isa_fail(scan, start, length + 1, MSG_IR3_DIRECTIVE, NULL, start, (int)length + 1, NULL);
        return -1;
    }
    const struct shape *shape = &shapes[i];
    struct gpucode_declaration declaration = {.kind = shape->kind};
    scan->at += length;
    if (shape->place != NO_PLACE && shape->rest != BUFFER && !take_place(scan, shape, &declaration))
        return -1;
    bool good = shape->rest == VALUES   ? take_values(scan, shape->count, &declaration)
                : shape->rest == BUFFER ? take_buffer(context, scan, shape, &declaration)
                : shape->rest == TEXT   ? take_text(context, scan, &declaration)
                                        : true;
    return good && keep(context, &declaration) ? 1 : -1;
}

/* --- statements ------------------------------------------------------------------------------------------------------
 */

/* "raw 0x..." of the reference's assembler: one 64-bit number. */
static int read_raw(struct asm_context *context, struct isa_scan *scan)
{
    uint64_t word;
    scan->at += 3;
    isa_skip_line(scan);
    if (!isa_number(scan, &word))
        return -1;
    asm_emit(context, word, 8);
    return 1;
}

static int read_statement(struct asm_context *context, struct isa_scan *scan)
{
    size_t rest = (size_t)(scan->end - scan->at);
    if (*scan->at == '@')
        return ir3_directive(context, scan);
    if (rest > 4 && memcmp(scan->at, "raw", 3) == 0 && (scan->at[3] == ' ' || scan->at[3] == '\t'))
        return read_raw(context, scan);
    if (rest <= 5 || memcmp(scan->at, ".insn", 5) != 0 || isa_name_byte(scan->at[5]))
        return 0;
    struct isa_build build;
    if (!isa_parse(scan, &build))
        return -1;
    asm_emit(context, build.bits, 8);
    return 1;
}

static uint64_t padding_word(const struct gpucode_target *target)
{
    (void)target;
    return 0; /* nop */
}

const struct isa_assembler ir3_assembler = {
    .directives = ir3_directives,
    .statement = read_statement,
    .padding = padding_word,
    .declaration = ir3_declaration,
};
