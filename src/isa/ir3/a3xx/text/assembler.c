/* SPDX-License-Identifier: MIT */
/*
 * Statements of A3XX sources that are not instructions: declarations, raw words, columns of a dump; and whose source a
 * text is.
 */
#include "a3xx_messages.h"
#include "isa/decimal.h"
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

/*
 * Lines that begin with '@', those of both reference assemblers. None makes code; they say where inputs, outputs,
 * consts and samplers are.
 */

/* What stands in parentheses after the name, and what follows them. */
enum where { NO_PLACE, REGISTERS, CONSTS, REGISTERS_OR_CONSTS, INDEX };
enum rest { NOTHING, A_NAME, VALUES, NUMBERS, SIZE };

static const struct shape {
    const char *kind;
    enum where place;
    bool optional; /* the place may be absent */
    enum rest rest;
    unsigned count; /* of numbers */
} shapes[] = {
    {"attribute", REGISTERS, false, A_NAME, 0},
    {"varying", REGISTERS, false, A_NAME, 0},
    {"in", REGISTERS, false, A_NAME, 0},
    {"out", REGISTERS, false, A_NAME, 0},
    {"tex", REGISTERS_OR_CONSTS, true, A_NAME, 0},
    {"uniform", CONSTS, false, A_NAME, 0},
    {"const", CONSTS, false, VALUES, 4},
    {"sampler", INDEX, false, A_NAME, 0},
    {"buf", CONSTS, true, SIZE, 1},
    {"invocationid", REGISTERS, false, NOTHING, 0},
    {"wgid", REGISTERS_OR_CONSTS, false, NOTHING, 0},
    {"numwg", CONSTS, false, NOTHING, 0},
    {"localsize", NO_PLACE, false, NUMBERS, 3},
    {"branchstack", NO_PLACE, false, NUMBERS, 1},
    {"pvtmem", NO_PLACE, false, NUMBERS, 1},
    {"earlypreamble", NO_PLACE, false, NOTHING, 0},
};

/* The lines that begin with '@', for isa_assembler.directives. */
static const struct gpucode_directive a3xx_directives[] = {
    {"@attribute", "(REGISTERS) NAME", "An input of a vertex shader. A single register means its vector of four."},
    {"@varying", "(REGISTERS) NAME", "An input. A single register means its vector of four."},
    {"@in", "(REGISTERS) NAME", "An input. A single register means its vector of four."},
    {"@out", "(REGISTERS) NAME", "An output. A single register means its vector of four."},
    {"@tex", "(REGISTERS or CONSTS) NAME", "A texture."},
    {"@uniform", "(CONSTS) NAME", "Named consts."},
    {"@const", "(CONSTS) VALUE, ...", "Up to four values."},
    {"@sampler", "(NUMBER) NAME", "A sampler, 0 to 15."},
    {"@buf", "(CONSTS) NAME", "A buffer by the const with its address, or by its size."},
    {"@invocationid", "(REGISTERS)", "Where the number of the invocation stands."},
    {"@wgid", "(REGISTERS or CONSTS)", "Where the number of the work group stands."},
    {"@numwg", "(CONSTS)", "Where the count of work groups stands."},
    {"@localsize", "X, Y, Z", "Size of a work group."},
    {"@branchstack", "NUMBER", "Taken, and kept."},
    {"@pvtmem", "BYTES", "Taken, and kept."},
    {"@earlypreamble", "", "Taken, and kept."},
    {NULL, NULL, NULL},
};

/* "r0.x" or "r0.x-r2.w"; one register means its vector of four. */
static bool take_registers(struct isa_scan *scan, const struct shape *shape, struct gpucode_declaration *out)
{
    struct shader_name name, last;
    if (!a3xx_take_name(scan, &name))
        return false;
    bool is_register = name.what == SHADER_IS_GPR && shape->place != CONSTS;
    bool is_const = name.what == SHADER_IS_CONST && shape->place != REGISTERS;
    if (!is_register && !is_const) {
        scan->at = name.start;
        return isa_expected(scan, shape->place == REGISTERS ? "a register"
                                  : shape->place == CONSTS  ? "a const"
                                                            : "a register or a const");
    }
    out->file = is_register ? 'r' : 'c';
    out->half = name.half;
    out->first = (uint32_t)name.number;
    out->count = 4;
    isa_skip(scan);
    if (scan->at < scan->end && *scan->at == '-') {
        scan->at++;
        if (!a3xx_take_name(scan, &last))
            return false;
        if (last.what != name.what || last.half != name.half || last.number < name.number)
            return isa_fail(scan, last.start, last.span ? last.span : 1, MSG_A3XX_RANGE, NULL, NULL, 0, NULL);
        out->count = (uint32_t)(last.number - name.number) + 1;
    }
    return true;
}

/* A 32-bit value: 1.0, -1.5e3, 12, -12, 0x3f800000. */
static bool take_value(struct isa_scan *scan, uint32_t *bits)
{
    isa_skip(scan);
    struct decimal number;
    bool is_float;
    const char *at = scan->at;
    bool parentheses = at < scan->end && *at == '(';
    if (parentheses) {
        struct a3xx_float value;
        if (a3xx_take_float(scan, false, &value)) {
            *bits = value.bits;
            return true;
        }
    }
    size_t length = decimal_read(at, (size_t)(scan->end - at), &number, &is_float);
    if (length && is_float) {
        scan->at += length;
        *bits = decimal_to_bits(&number, &decimal_f32);
        return true;
    }
    struct isa_value value;
    if (!isa_expression(scan, &value) || !shader_is_known(scan, &value))
        return false;
    if (value.constant < INT32_MIN || value.constant > UINT32_MAX)
        return isa_fail(scan, value.start, value.length, MSG_TOO_WIDE, NULL, value.start, (int)value.length, "32");
    *bits = (uint32_t)value.constant;
    return true;
}

static bool take_values(struct isa_scan *scan, const struct shape *shape, struct gpucode_declaration *out)
{
    do {
        if (out->value_count == shape->count)
            return isa_fail(scan, scan->at - 1, 1, MSG_A3XX_VALUES, NULL, NULL, 0, NULL);
        if (!take_value(scan, &out->value[out->value_count++]))
            return false;
        isa_skip(scan);
    } while (scan->at < scan->end && *scan->at == ',' && scan->at++);
    return true;
}

/* A word, and whatever else stands on the line, as `in0 (wrmask=0x3)`. */
static bool take_name(struct asm_context *context, struct isa_scan *scan, struct gpucode_declaration *out)
{
    isa_skip(scan);
    const char *start = scan->at, *at = start, *last = start;
    for (; at < scan->end && *at != '\n' && *at != ';'; at++)
        if (*at != ' ' && *at != '\t' && *at != '\r')
            last = at + 1;
    scan->at = at;
    if (last == start)
        return true;
    size_t length = (size_t)(last - start);
    char *copy = asm_memory(context, length + 1);
    if (copy)
        memcpy(copy, start, length);
    out->name = copy;
    return copy != NULL;
}

static bool take_place(struct isa_scan *scan, const struct shape *shape, struct gpucode_declaration *out)
{
    if (!isa_take(scan, "("))
        return shape->optional || isa_expected(scan, "'('");
    if (shape->place == INDEX) {
        uint64_t index;
        isa_skip(scan);
        const char *start = scan->at;
        if (!isa_number(scan, &index))
            return false;
        if (index > 15)
            return isa_fail(scan, start, (size_t)(scan->at - start), MSG_A3XX_SAMPLER, NULL, NULL, 0, NULL);
        out->first = (uint32_t)index;
        out->count = 1;
    } else if (!take_registers(scan, shape, out)) {
        return false;
    }
    return isa_take(scan, ")") || isa_expected(scan, "')'");
}

static bool take_rest(struct asm_context *context, struct isa_scan *scan, const struct shape *shape,
                      struct gpucode_declaration *out)
{
    switch (shape->rest) {
    case VALUES:
    case NUMBERS:
        return take_values(scan, shape, out);
    case SIZE: /* "@buf(c5.z) name" or "@buf 64 (c5.z)" */
        if (out->file)
            return take_name(context, scan, out);
        if (!take_values(scan, shape, out))
            return false;
        isa_skip(scan);
        return scan->at >= scan->end || *scan->at != '(' || take_place(scan, shape, out);
    case A_NAME:
        return take_name(context, scan, out);
    default:
        return true;
    }
}

/* Statements that begin with '@'; as isa_assembler.statement. */
static int a3xx_directive(struct asm_context *context, struct isa_scan *scan)
{
    const char *start = scan->at++;
    size_t length = isa_name(scan);
    unsigned i = 0, count = sizeof shapes / sizeof *shapes;
    while (i < count && (strlen(shapes[i].kind) != length || memcmp(shapes[i].kind, scan->at, length) != 0))
        i++;
    if (i == count) {
        isa_fail(scan, start, length + 1, MSG_A3XX_DIRECTIVE, NULL, start, (int)length + 1, NULL);
        return -1;
    }
    scan->at += length;
    struct gpucode_declaration declaration = {.kind = shapes[i].kind};
    if ((shapes[i].place != NO_PLACE && !take_place(scan, &shapes[i], &declaration)) ||
        !take_rest(context, scan, &shapes[i], &declaration))
        return -1;
    struct shader_declarations *list = shader_state(context, sizeof *list);
    return shader_declare(context, list, &declaration) ? 1 : -1;
}

/* Statements of A3XX sources that are not instructions: raw words, columns of a dump; and whose source a text is. */

/* Eight hex digits and the x that some tools put after them. */
static bool take_half_word(const char **at, const char *end, uint64_t *word)
{
    unsigned count = 0;
    for (; *at < end && count < 8 && text_hex_digit(**at) >= 0; ++*at, count++)
        *word = *word << 4 | (unsigned)text_hex_digit(**at);
    if (count == 8 && *at < end && **at == 'x')
        ++*at;
    return count == 8;
}

/* "hi_lo", each with an x or without. */
static bool take_word(const char **at, const char *end, uint64_t *word)
{
    const char *start = *at;
    *word = 0;
    if (take_half_word(at, end, word) && *at < end && **at == '_' && (++*at, take_half_word(at, end, word)))
        return true;
    *at = start;
    return false;
}

enum column { NO_COLUMN, A_WORD, A_STEP, BAD_COLUMN };

/* "0003[hi_lo]", "0003[         ]" (a step of a repeat) or "hi_lo" at *at; moves after it. */
static enum column take_column(const char **at, const char *end, uint64_t *word)
{
    const char *mark = *at;
    if (take_word(&mark, end, word) && (mark == end || !(isa_name_byte(*mark) || *mark == ':'))) {
        *at = mark;
        return A_WORD;
    }
    mark = *at;
    while (mark < end && *mark >= '0' && *mark <= '9')
        mark++;
    if (mark == *at || mark == end || *mark != '[')
        return NO_COLUMN;
    const char *inside = ++mark;
    while (mark < end && *mark == ' ')
        mark++;
    if (mark < end && *mark == ']') {
        *at = mark + 1;
        return A_STEP;
    }
    bool good = take_word(&mark, end, word);
    while (mark < end && *mark == ' ')
        mark++;
    if (!good || mark == end || *mark != ']') {
        *at = inside;
        return BAD_COLUMN;
    }
    *at = mark + 1;
    return A_WORD;
}

/* A dump's column is passed over when a text follows; alone it is the instruction. */
static int read_column(struct asm_context *context, struct isa_scan *scan)
{
    uint64_t word;
    switch (take_column(&scan->at, scan->end, &word)) {
    case NO_COLUMN:
        return 0;
    case BAD_COLUMN:
        isa_fail(scan, scan->at, 1, MSG_A3XX_COLUMN, NULL, NULL, 0, NULL);
        return -1;
    case A_STEP: {
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline ? newline : scan->end;
        return 1;
    }
    default:
        isa_skip_line(scan);
        if (scan->at < scan->end && *scan->at != '\n')
            return 2;
        asm_emit(context, word, 8);
        return 1;
    }
}

static int read_statement(struct asm_context *context, struct isa_scan *scan)
{
    char c = *scan->at;
    if (c == '@')
        return a3xx_directive(context, scan);
    if (c == '.' && scan->end - scan->at > 5 && memcmp(scan->at, ".insn", 5) == 0 && !isa_name_byte(scan->at[5])) {
        struct isa_build build;
        if (!isa_parse(scan, &build))
            return -1;
        asm_emit(context, build.bits, 8);
        return 1;
    }
    return text_hex_digit(c) >= 0 ? read_column(context, scan) : 0;
}

/* --- is this an A3XX source? ------------------------------------------------------------------------------------- */

/* Who asks which set a text belongs to, and about whom. */
struct candidate {
    const struct isa *set;
    isa_elsewhere *elsewhere;
};

/* 1 an instruction that only A3XX has, 0 one that says nothing, -1 none of A3XX's. */
static int judge_mnemonic(const struct candidate *candidate, const char *word, size_t length)
{
    for (size_t prefix = length; prefix; prefix--) {
        if (prefix < length && word[prefix] != '.')
            continue;
        if (isa_find_mnemonic(candidate->set, word, prefix))
            return !candidate->elsewhere(candidate->set, word, prefix);
    }
    return -1;
}

static int judge_line(const struct candidate *candidate, const char *at, const char *end)
{
    uint64_t word;
    const char *mark = at;
    if (take_column(&mark, end, &word) != NO_COLUMN && *at != ':')
        return 1;
    if (*at == '@')
        return 1;
    if (*at == '(') {
        static const char *const flags[] = {"(sy)", "(ss)", "(jp)", "(rpt", "(ul)", "(sat)"};
        for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
            if ((size_t)(end - at) >= strlen(flags[i]) && memcmp(at, flags[i], strlen(flags[i])) == 0)
                return 1;
        return -1;
    }
    if (*at == '.') /* directives that all sets have, but for the raw word */
        return end - at > 5 && memcmp(at, ".insn", 5) == 0 && !isa_name_byte(at[5]);
    if (!isa_name_byte(*at))
        return -1;
    size_t length = 0;
    while (at + length < end && (isa_name_byte(at[length]) || at[length] == '.'))
        length++;
    const char *behind = at + length;
    while (behind < end && (*behind == ' ' || *behind == '\t'))
        behind++;
    if (behind < end && *behind == ':') {
        for (behind++; behind < end && (*behind == ' ' || *behind == '\t' || *behind == '\r');)
            behind++;
        return behind == end || *behind == ';' ? 0 : judge_line(candidate, behind, end);
    }
    return judge_mnemonic(candidate, at, length);
}

/* The first line that says something decides. */
static const struct gpucode_target *detect_source(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                                  size_t length)
{
    const struct candidate candidate = {set, elsewhere};
    for (const char *at = text, *end = text + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        while (at < stop && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        int verdict = at == stop || *at == ';' ? 0 : judge_line(&candidate, at, stop);
        if (verdict)
            return verdict > 0 ? &set->targets.list[0] : NULL;
        at = stop + 1;
    }
    return NULL;
}

const struct isa_assembler a3xx_assembler = {
    .directives = a3xx_directives,
    .statement = read_statement,
    .detect = detect_source,
    .declaration = shader_declaration,
};
