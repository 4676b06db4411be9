/* SPDX-License-Identifier: MIT */
/* A3XX as an instruction set: the struct that plugs it into everything else. */
#include "isa/a3xx/machine/machine.h"

#include "base/text.h"
#include "isa/scan.h"

#include "a3xx_rows.inc"

static const char *const generations[] = {"a3xx", NULL};

static const struct gpucode_target targets[] = {
    {.name = "a3xx", .isa = &a3xx_isa, .description = "Adreno 3xx shaders", .is_generation = true},
    {.name = "a3xx:a320", .isa = &a3xx_isa, .description = "shaders of Adreno 320"},
    {.name = "a3xx:a330", .isa = &a3xx_isa, .description = "shaders of Adreno 330"},
};

/* Names in other texts: later tools, the old disassembler, the wiki page. */
static const struct isa_old_name old_names[] = {
    {"mul.u24", "mul.u"},
    {"mul.s24", "mul.s"},
    {"cls.s", "clz.s"},
    {NULL, NULL},
};

/* What later generations added; see isa.later. */
static const struct isa_later_name later_names[] = {
#define LATER(name, since) {name, since},
#include "isa/a3xx/text/later.def"
#undef LATER
    {NULL, NULL},
};

struct gpucode_insn a3xx_insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t word = 0;
    for (unsigned i = 8; i-- > 0;)
        word = word << 8 | bytes[8 * (size_t)index + i];
    return (struct gpucode_insn){.target = target,
                                 .bits = word,
                                 .address = index,
                                 .row = (uint16_t)a3xx_refine(isa_decode_row(&a3xx_rows, 0, word), word),
                                 .size = 8};
}

/* Has a register been told of already? */
static bool is_seen(const char *text, const char *token, size_t length)
{
    for (const char *at = text; at + length <= token; at++)
        if (memcmp(at, token, length) == 0 && !isa_name_byte(at[length]) && at[length] != '.' &&
            (at == text || !isa_name_byte(at[-1])))
            return true;
    return false;
}

/* "r1.y = uv, c0.x = scale": the names that users gave to registers of an instruction's text. */
static char *put_names(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_format_options plain = {.style = options->style};
    const char *end = isa_format(text, insn, &plain), *limit = at + GPUCODE_TEXT_MAX / 2;
    const char *between = "\t; ";
    for (const char *token = text; token < end;) {
        size_t length = 0;
        while (token + length < end && (isa_name_byte(token[length]) || token[length] == '.'))
            length++;
        unsigned space;
        uint32_t number;
        char name[GPUCODE_NAME_MAX];
        if (a3xx_space_find(NULL, token, length, &space, &number) && !is_seen(text, token, length)) {
            char *name_end = isa_name_of(NULL, options->names, (enum gpucode_space)space, number, name);
            size_t named = (size_t)(name_end - name);
            if (named && (size_t)(limit - at) > named + length + 8) {
                at = text_put(text_string(at, between), token, length);
                at = text_put(TEXT_LITERAL(at, " = "), name, named);
                between = ", ";
            }
        }
        token += length ? length : 1;
    }
    return at;
}

static bool own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    return a3xx_space_find(NULL, text, length, space, number);
}

char *a3xx_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != A3XX_RAW)
        return options->names ? put_names(at, insn, options) : at;
    int row = isa_decode_row(&a3xx_rows, 0, insn->bits);
    if (row == A3XX_RAW)
        return a3xx_category(insn->bits) == 7 ? TEXT_LITERAL(at, "\t; category 7, barriers of later generations")
                                              : TEXT_LITERAL(at, "\t; no instruction of A3XX");
    struct gpucode_insn nearly = *insn;
    nearly.row = (uint16_t)row;
    at = isa_format(TEXT_LITERAL(at, "\t; nearly "), &nearly, options);
    return TEXT_LITERAL(at, ", an operand of which is not allowed");
}

const struct isa a3xx_isa = {
    .name = "a3xx",
    .title = "A3XX, shaders of Adreno 3xx",
    .unit_bytes = 8,
    .facts = {.calls = true, .float_registers = true, .threads = true, .fixed_size = true, .whole_code = true},
    .generations = generations,
    .targets = targets,
    .target_count = sizeof targets / sizeof *targets,
    .rows = &a3xx_rows,
    .operand_classes = a3xx_kinds,
    .syntax = {.comment = ";"},
    .old_names = old_names,
    .later_names = later_names,
    .comment = a3xx_comment,
    .own_register = own_register,
    .refine = a3xx_refine,
    .layout = a3xx_layout,
    .disassemble = a3xx_disassemble,
    .assembler = &a3xx_assembler,
    .machine = &a3xx_machine,
    .lint = &a3xx_lint,
    .schedule = &a3xx_schedule,
};
