/* SPDX-License-Identifier: MIT */
/* Statements of ir3 sources that are not instructions: raw words, and lines that begin with '@'. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "isa/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- declarations ------------------------------------------------------------------------------------------------- */

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
    {"@fullnopstart", "", "From here on (rpt5)nop stands in front of each instruction."},
    {"@fullnopend", "", "Ends what @fullnopstart began."},
    {"@fullsyncstart", "", "From here on (ss)(sy)nop stands in front of each instruction."},
    {"@fullsyncend", "", "Ends what @fullsyncstart began."},
    {"print", "REGISTER, REGISTER, ...", "Stores registers in a buffer; the first register and two more are written."},
    {NULL, NULL, NULL},
};

/* asm_state: and what stands in front of instructions. */
struct state {
    struct shader_declarations declarations;
    bool nops, sync;
};

static bool take_place(struct isa_scan *scan, const struct shape *shape, struct gpucode_declaration *out)
{
    struct shader_name name;
    if (!isa_take(scan, "("))
        return isa_expected(scan, "'('");
    if (!ir3_take_name(scan, &name))
        return false;
    bool is_register = name.what == SHADER_IS_GPR && shape->place != CONST;
    bool is_const = name.what == SHADER_IS_CONST && shape->place != REGISTER;
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

/* null: there is no memory */
static struct state *state_of(struct asm_context *context)
{
    return shader_state(context, sizeof(struct state));
}

static bool keep(struct asm_context *context, const struct gpucode_declaration *declaration)
{
    struct state *state = state_of(context);
    return state && shader_declare(context, &state->declarations, declaration);
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

/* "color(wrmask=0x7)": the mask says how many components there are, up to the last that is used. */
static void take_mask(char *name, struct gpucode_declaration *out)
{
    char *mask = strstr(name, "(wrmask=");
    unsigned long bits = mask ? strtoul(mask + 8, NULL, 0) & 15 : 0;
    if (!bits)
        return;
    *mask = 0;
    out->count = 32 - (uint32_t)__builtin_clz((unsigned)bits);
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
    if (copy) {
        memcpy(copy, start, length);
        take_mask(copy, out);
    }
    out->name = copy;
    return copy != NULL;
}

/* --- what stands in front of instructions ------------------------------------------------------------------------- */

/* isa_assembler.before, in the order of the reference's assembler. */
static void put_before(struct asm_context *context)
{
    const struct state *state = state_of(context);
    if (state && state->nops)
        asm_emit(context, UINT64_C(5) << 40, 8); /* (rpt5)nop */
    if (state && state->sync)
        asm_emit(context, IR3_SS | IR3_SY, 8); /* and nop */
}

static void put(struct asm_context *context, uint64_t bits)
{
    put_before(context);
    asm_emit(context, bits, 8);
}

/* "@fullnopstart", "@fullsyncend" and so on: 1; 0: something else, nothing taken; -1: no memory. */
static int take_section(struct asm_context *context, struct isa_scan *scan, size_t length)
{
    static const char *const names[] = {"fullnopend", "fullnopstart", "fullsyncend", "fullsyncstart"};
    unsigned i = 0;
    while (i < 4 && (strlen(names[i]) != length || memcmp(names[i], scan->at, length) != 0))
        i++;
    struct state *state = i < 4 ? state_of(context) : NULL;
    if (!state)
        return i < 4 ? -1 : 0;
    *(i < 2 ? &state->nops : &state->sync) = i & 1;
    scan->at += length;
    asm_calls_of(context)->ask_before(context, state->nops || state->sync);
    return 1;
}

static int ir3_directive(struct asm_context *context, struct isa_scan *scan)
{
    const char *start = scan->at++;
    size_t length = isa_name(scan);
    int taken = take_section(context, scan, length);
    if (taken)
        return taken;
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

/* --- statements --------------------------------------------------------------------------------------------------- */

/* "raw 0x..." of the reference's assembler: one 64-bit number. */
static int read_raw(struct asm_context *context, struct isa_scan *scan)
{
    uint64_t word;
    scan->at += 3;
    isa_skip_line(scan);
    if (!isa_number(scan, &word))
        return -1;
    put(context, word);
    return 1;
}

/* An instruction that is written as text. */
static bool put_text(struct asm_context *context, const struct isa_scan *scan, const char *format, ...)
{
    char text[80];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    struct isa_scan line = {.at = text, .end = text + length, .isa = scan->isa, .target = scan->target, .quiet = true};
    struct isa_build build;
    bool good = isa_parse(&line, &build);
    if (good)
        put(context, build.bits);
    return good;
}

/* The registers of print: a full one of r0 to r47, `after` it so many more that belong to it. */
static bool take_printed(struct isa_scan *scan, unsigned after, unsigned *number)
{
    isa_skip(scan);
    const char *start = scan->at;
    bool half;
    if (!ir3_take_register(scan, number, &half))
        return false;
    return (!half && *number + after < IR3_SHARED) || isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_PRINT,
                                                               NULL, "takes full registers up to r47.w", -1, NULL);
}

/*
 * "print r4.x, r0.x, r1.y": appends the values of the registers after the first to a buffer, whose first dword counts
 * its bytes. The words are those of the reference's assembler; r4.x, r4.y and r4.z are overwritten.
 */
static int read_print(struct asm_context *context, struct isa_scan *scan)
{
    enum { PRINTED = 32 };
    const char *start = scan->at;
    unsigned temporary, printed[PRINTED], count = 0;
    int64_t address;
    bool is_address;
    scan->at += 5;
    if (!take_printed(scan, 2, &temporary))
        return -1;
    while (isa_take(scan, ",")) {
        if (count == PRINTED) {
            isa_fail(scan, scan->at, 1, MSG_IR3_PRINT, NULL, "takes up to 32 registers", -1, NULL);
            return -1;
        }
        if (!take_printed(scan, 0, &printed[count++]))
            return -1;
    }
    const char *wrong = !count                                ? "wants a register to print"
                        : scan->target->generation < IR3_A6XX ? "exists from a6xx on"
                        : !scan->symbol || scan->symbol(scan->user, "print_buffer", 12, &address, &is_address) != 1
                            ? "has no buffer: .equ print_buffer, ADDRESS comes first"
                            : NULL;
    if (wrong) {
        isa_fail(scan, start, 5, MSG_IR3_PRINT, NULL, wrong, -1, NULL);
        return -1;
    }
    char low[8], high[8], size[8], value[8];
    *shader_put_register(low, temporary, false) = 0;
    *shader_put_register(high, temporary + 1, false) = 0;
    *shader_put_register(size, temporary + 2, false) = 0;
    bool good = put_text(context, scan, "mov.u32u32 %s, 0x%x", low, (unsigned)address) &&
                put_text(context, scan, "mov.u32u32 %s, 0x%x", high, (unsigned)((uint64_t)address >> 32)) &&
                put_text(context, scan, "mov.u32u32 %s, %u", size, 4 * count) && put_text(context, scan, "(rpt5)nop") &&
                put_text(context, scan, "atomic.g.add.untyped.1d.u32.1.g %s, %s, %s", low, low, size);
    for (unsigned i = 0; good && i < count; i++) {
        *shader_put_register(value, printed[i], false) = 0;
        good = put_text(context, scan, "(sy)stg.u32 g[%s], %s, 1", low, value) &&
               put_text(context, scan, "(ss)add.u %s, %s, 4", low, low) && put_text(context, scan, "(rpt5)nop");
    }
    return good ? 1 : -1;
}

static int read_statement(struct asm_context *context, struct isa_scan *scan)
{
    size_t rest = (size_t)(scan->end - scan->at);
    if (*scan->at == '@')
        return ir3_directive(context, scan);
    if (rest > 4 && memcmp(scan->at, "raw", 3) == 0 && (scan->at[3] == ' ' || scan->at[3] == '\t'))
        return read_raw(context, scan);
    if (rest > 6 && memcmp(scan->at, "print", 5) == 0 && (scan->at[5] == ' ' || scan->at[5] == '\t'))
        return read_print(context, scan);
    if (rest <= 5 || memcmp(scan->at, ".insn", 5) != 0 || isa_name_byte(scan->at[5]))
        return 0;
    struct isa_build build;
    if (!isa_parse(scan, &build))
        return -1;
    put(context, build.bits);
    return 1;
}

const struct isa_assembler ir3_assembler = {
    .directives = ir3_directives,
    .statement = read_statement,
    .before = put_before,
    .declaration = shader_declaration,
};
