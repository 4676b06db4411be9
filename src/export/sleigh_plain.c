/* SPDX-License-Identifier: MIT */
/*
 * Integer rows of shaders in p-code. Their actions are C for the machine, of which the forms below are known; the
 * constructor is one of its own, for words in which all is plain: no modifiers but (neg) and (abs), no repeat, no
 * (sat), and where sources are half registers no consts, whose conversion is a policy. Others stay functions.
 * tests/export/sleigh_plain.py compares with the machine.
 */
#include "export/sleigh.h"

#include <inttypes.h>
#include <string.h>

/* A condition's number is `k`; $ is the highest bit of a source. Where `when` is given the result is `value` if it
 * holds, else `other`. Of halves the low 16 bits of a, b and c are extended as the row's numbers are. */
#define COMPARED(less, not_more)                                                                                       \
    "((k == 0:4) && (" less ")) || ((k == 1:4) && (" not_more ")) || ((k == 2:4) && !(" not_more                       \
    ")) || ((k == 3:4) && !(" less ")) || ((k == 4:4) && (a == b)) || ((k > 4:4) && (a != b))"
#define UNSIGNED COMPARED("a < b", "a <= b")
#define SIGNED COMPARED("a s< b", "!(b s< a)")
#define LOW16(x) "((" x " << 16:4) s>> 16:4)"
#define LOW24(x) "((" x " << 8:4) s>> 8:4)"
#define MIDDLE "((((a & 0xffff:4) * (b >> 16:4)) << 16:4) + c)"

static const struct formula {
    const char *action, *value, *when, *other;
} formulas[] = {
    {"{ D = A; }", "a", NULL, NULL},
    {"{ D = UADD(A, B); }", "(a + b)", NULL, NULL},
    {"{ D = SADD(A, B); }", "(a + b)", NULL, NULL},
    {"{ D = AVERAGES ? (uint32_t)(((uint64_t)A + B) >> 1) : UADD(A, B); }", "(a + b)", NULL, NULL},
    {"{ D = AVERAGES ? (uint32_t)(((int64_t)SIGNED(A) + SIGNED(B)) >> 1) : SADD(A, B); }", "(a + b)", NULL, NULL},
    {"{ D = USUB(A, B); }", "(a - b)", NULL, NULL},
    {"{ D = SSUB(A, B); }", "(a - b)", NULL, NULL},
    {"{ D = A & B; }", "(a & b)", NULL, NULL},
    {"{ D = A | B; }", "(a | b)", NULL, NULL},
    {"{ D = A ^ B; }", "(a ^ b)", NULL, NULL},
    {"{ D = ~A; }", "(~a)", NULL, NULL},
    {"{ D = UCOMPARE(CONDITION, A, B); }", "0x1:4", UNSIGNED, "0x0:4"},
    {"{ D = SCOMPARE(CONDITION, A, B); }", "0x1:4", SIGNED, "0x0:4"},
    {"{ D = UCOMPARE(CONDITION, A, B) ? ALL_ONES : 0; }", "0xffffffff:4", UNSIGNED, "0x0:4"},
    {"{ D = SCOMPARE(CONDITION, A, B) ? ALL_ONES : 0; }", "0xffffffff:4", SIGNED, "0x0:4"},
    {"{ D = A < B ? A : B; }", "a", "a < b", "b"},
    {"{ D = A > B ? A : B; }", "a", "b < a", "b"},
    {"{ D = UNSIGNED(A) < UNSIGNED(B) ? A : B; }", "a", "a < b", "b"},
    {"{ D = UNSIGNED(A) > UNSIGNED(B) ? A : B; }", "a", "b < a", "b"},
    {"{ D = SIGNED(A) < SIGNED(B) ? A : B; }", "a", "a s< b", "b"},
    {"{ D = SIGNED(A) > SIGNED(B) ? A : B; }", "a", "b s< a", "b"},
    {"{ D = (uint32_t)((uint64_t)(A & 0xffffff) * (B & 0xffffff)); }", "((a & 0xffffff:4) * (b & 0xffffff:4))", NULL,
     NULL},
    {"{ D = (uint32_t)((int64_t)SIGNED24(A) * SIGNED24(B)); }", "(" LOW24("a") " * " LOW24("b") ")", NULL, NULL},
    {"{ D = (A & 0xffff) * (B & 0xffff); }", "((a & 0xffff:4) * (b & 0xffff:4))", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)A << COUNT(B)); }", "(a << (b & $:4))", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)A >> COUNT(B)); }", "(a >> (b & $:4))", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)UNSIGNED(A) >> COUNT(B)); }", "(a >> (b & $:4))", NULL, NULL},
    {"{ D = (uint32_t)((int64_t)SIGNED(A) >> COUNT(B)); }", "(a s>> (b & $:4))", NULL, NULL},
    {"{ D = A >> (B & (WIDTH - 1)) & 1; }", "((a >> (b & $:4)) & 1:4)", NULL, NULL},
    {"{ D = (A & 0xffff) * (B >> 16) * 65536 + C; }", MIDDLE, NULL, NULL},
    {"{ D = (A & 0xffff) * (B & 0xffff) + C; }", "(((a & 0xffff:4) * (b & 0xffff:4)) + c)", NULL, NULL},
    {"{ D = (uint32_t)((int16_t)A * (int16_t)B) + (uint32_t)(int16_t)C; }",
     "((" LOW16("a") " * " LOW16("b") ") + " LOW16("c") ")", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)(A & 0xffffff) * (B & 0xffffff)) + C; }",
     "(((a & 0xffffff:4) * (b & 0xffffff:4)) + c)", NULL, NULL},
    {"{ D = (uint32_t)((int64_t)SIGNED24(A) * SIGNED24(B)) + C; }", "((" LOW24("a") " * " LOW24("b") ") + c)", NULL,
     NULL},
    {"{ D = B != 0 ? A : C; }", "a", "b != 0:4", "c"},
    {"{ D = (B & 0xffff) != 0 ? A : C; }", "a", "(b & 0xffff:4) != 0:4", "c"},
    {"{ D = (int32_t)B >= 0 ? A : C; }", "a", "!(b s< 0:4)", "c"},
    {"{ D = (int16_t)B >= 0 ? A : C; }", "a", "!(" LOW16("b") " s< 0:4)", "c"},
    {"{ D = SIGNED(B) >= 0 ? A : C; }", "a", "!(b s< 0:4)", "c"},
    {"{ D = B >> COUNT(A) & C; }", "((b >> (a & $:4)) & c)", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)B << COUNT(A)) & C; }", "((b << (a & $:4)) & c)", NULL, NULL},
    {"{ D = B >> COUNT(A) | C; }", "((b >> (a & $:4)) | c)", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)B << COUNT(A)) | C; }", "((b << (a & $:4)) | c)", NULL, NULL},
    {"{ D = (B & A) | C; }", "((b & a) | c)", NULL, NULL},
};

static const struct formula *formula_of(const struct sleigh_row *row)
{
    const char *type = strchr(row->facts->mnemonic, '.');
    bool moves = strncmp(row->facts->mnemonic, "mov.", 4) == 0; /* which copies bits of any type */
    if (!type || (type[1] == 'f' && !moves) || (moves && !strstr(type, "32") && !strstr(type, "16")))
        return NULL;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (strcmp(formulas[i].action, row->facts->action) == 0)
            return &formulas[i];
    return NULL;
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

#define CONVERSION "{ D = CONVERT(SOURCE_TYPE, RESULT_TYPE, ROUNDING, A); }"

/* Types of conversions: bits, sign, and the ends of the range as floats; least + 2^bits is above all of them. */
static const struct sleigh_type {
    const char *name;
    unsigned bits;
    bool is_signed;
    uint32_t least, above;
} types[] = {
    {"f32", 0, true, 0, 0},
    {"u32", 32, false, 0, 0x4f800000},
    {"s32", 32, true, 0xcf000000, 0x4f000000},
    {"u16", 16, false, 0, 0x47800000},
    {"s16", 16, true, 0xc7000000, 0x47000000},
    {"u8_32", 8, false, 0, 0x43800000},
    {"u8", 8, false, 0, 0x43800000},
    {"s8", 8, true, 0xc3000000, 0x43000000},
};

static bool is_conversion(const struct sleigh_row *row)
{
    return strcmp(row->facts->action, CONVERSION) == 0;
}

static const struct sleigh_type *type_at(const char *text)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(text, types[i].name, strlen(types[i].name)) == 0)
            return &types[i];
    return NULL;
}

/*
 * The two types of "cov.u16s32 ". Halves that are floats have no p-code: emulators have floats of 4 and 8 bytes alone;
 * how u8 grows is a policy of the machine.
 */
static bool find_types(struct sleigh_row *row, const char *text)
{
    const char *at = strstr(text, "cov.");
    row->from = at ? type_at(at + 4) : NULL;
    row->to = row->from ? type_at(at + 4 + strlen(row->from->name)) : NULL;
    return row->to && strcmp(row->from->name, "u8") != 0;
}

/* The low bits of `name` as a number. */
static void extend_code(FILE *out, const struct sleigh_type *type, const char *name)
{
    if (type->bits < 32 && type->is_signed)
        fprintf(out, "    %s = (%s << %u:4) s>> %u:4;\n", name, name, 32 - type->bits, 32 - type->bits);
    else if (type->bits < 32)
        fprintf(out, "    %s = %s & 0x%x:4;\n", name, name, (1u << type->bits) - 1);
}

/* A float becomes a whole number that is in the range of the type; what is no number is 0. */
static void truncate_code(FILE *out, const struct sleigh_type *type)
{
    const uint32_t ones = type->bits < 32 ? (1u << type->bits) - 1 : UINT32_MAX;
    const uint32_t most = type->is_signed ? ones >> 1 : ones, least = type->is_signed ? ~most : 0;
    fprintf(out,
            "    local result:4 = 0x0:4;\n    local holds:1 = nan(a);\n    if (holds) goto <L1>;\n"
            "    result = 0x%" PRIx32 ":4;\n    holds = a f< 0x%" PRIx32 ":4;\n    if (holds) goto <L1>;\n"
            "    result = 0x%" PRIx32 ":4;\n    holds = 0x%" PRIx32 ":4 f<= a;\n    if (holds) goto <L1>;\n"
            "    local whole:8 = trunc(a);\n    result = whole:4;\n    <L1>\n",
            least, type->least, most, type->above);
}

static void conversion_code(const struct sleigh_row *row, FILE *out)
{
    if (!row->to->bits) {
        extend_code(out, row->from, "a");
        fprintf(out, "    local wide:8 = %s(a);\n    state_value = int2float(wide);\n",
                row->from->is_signed ? "sext" : "zext");
        return;
    }
    if (!row->from->bits) {
        truncate_code(out, row->to);
    } else {
        extend_code(out, row->from, "a");
        fputs("    local result:4 = a;\n", out);
    }
    extend_code(out, row->to, "result");
    fputs(row->half_result ? "    state_value = result & 0xffff:4;\n" : "    state_value = result;\n", out);
}

/* --- words that are plain ----------------------------------------------------------------------------------------- */

/* The text behind what only says when the instruction runs. */
static const char *behind_waits(const char *text)
{
    static const char *const waits[] = {"(sy)", "(ss)", "(jp)"};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        text += strncmp(text, waits[i], 4) == 0 ? 4 : 0;
    return strncmp(text, "(nop", 4) == 0 && strchr(text, ')') ? strchr(text, ')') + 1 : text;
}

/* Has the text flags other than those that tables of operands know? What (abs) does to bits they do not. */
static bool has_flags(const struct sleigh_row *row, const char *text)
{
    static const char *const known[] = {"(neg)", "(abs)", "(absneg)"};
    const size_t count = sleigh_has_mark(row, "bits") ? 1 : sizeof known / sizeof *known;
    for (text = strchr(text, '('); text; text = strchr(text + 1, '(')) {
        bool is_known = false;
        for (size_t i = 0; i < count; i++)
            is_known |= strncmp(text, known[i], strlen(known[i])) == 0;
        if (!is_known)
            return true;
    }
    return false;
}

/* A general register, of either width. */
static bool is_register(const struct sleigh_row *row, const struct gpucode_operand *operand, bool *half)
{
    *half = strcmp(gpucode_space_name(row->sleigh->target, operand->space), "half") == 0;
    return operand->type == GPUCODE_OPERAND_REGISTER && (operand->space == GPUCODE_SPACE_GENERAL || *half);
}

/*
 * Is the word one of the row with nothing but operands and their signs, its result in a register? `first`: its sources
 * are registers, too, and the widths of sources and result are taken from it.
 */
static bool is_plain(struct sleigh_row *row, uint64_t word, bool first)
{
    unsigned char bytes[8];
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    if (gpucode_decode(row->sleigh->target, bytes, row->facts->size, 0, &insn) != GPUCODE_OK || insn.row != row->row)
        return false;
    gpucode_format(&insn, NULL, text, sizeof text, NULL);
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX), results = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_operand *operand = &operands[i];
        bool result = operand->use == GPUCODE_USE_WRITE, half;
        if (operand->type == GPUCODE_OPERAND_MODIFIER)
            continue;
        results += result;
        const bool is = is_register(row, operand, &half);
        if (operand->indirect || ((first || result) && !is))
            return false;
        if (first && result)
            row->half_result = half;
        else if (first)
            row->half = half;
        else if (is ? half != (result ? row->half_result : row->half)
                    : row->half && operand->type == GPUCODE_OPERAND_REGISTER)
            return false;
    }
    if (first && is_conversion(row) && !find_types(row, text))
        return false;
    return results == 1 && !has_flags(row, behind_waits(text));
}

/* Can the bit be set where all is plain, be it with one other, which may say of what kind its operand is? */
static bool may_be_set(struct sleigh_row *row, uint64_t word, uint64_t open, uint64_t bit)
{
    if (is_plain(row, word ^ bit, false))
        return true;
    /* with three sources kinds of operands share bits with numbers: registers and constants are enough there */
    for (open = row->facts->match >> 61 == 3 ? 0 : open; open; open &= open - 1) {
        uint64_t other = open & (~open + 1);
        if (other != bit && is_plain(row, word ^ other, false) && is_plain(row, word ^ other ^ bit, false))
            return true;
    }
    return false;
}

/* A word that another row may explain, neither a case of the other, is not plain: a bit of the other row is 0. */
static bool keep_apart(const struct sleigh_row *row, struct gpucode_row *facts)
{
    const struct gpucode_target *target = row->sleigh->target;
    struct gpucode_row other;
    uint64_t mask = facts->mask, match = facts->match;
    sleigh_add_modifiers(row, &mask, &match);
    for (unsigned i = 0; i < gpucode_row_count(target); i++) {
        if (i == row->row || !gpucode_row_on_target(target, i) || !gpucode_row(target, i, &other) ||
            ((match ^ other.match) & mask & other.mask) || !(other.mask & ~facts->mask) || !(facts->mask & ~other.mask))
            continue;
        uint64_t apart = other.match & ~facts->mask;
        if (!apart)
            return false;
        facts->mask |= UINT64_C(1) << (63 - __builtin_clzll(apart));
    }
    return true;
}

bool sleigh_plain(struct sleigh_row *row, struct gpucode_row *facts)
{
    struct gpucode_insn insn;
    struct gpucode_row_field field;
    if (row->facts->size != 8 || !(formula_of(row) || is_conversion(row)) ||
        gpucode_insn_init(row->sleigh->target, row->row, &insn) != GPUCODE_OK)
        return false;
    insn.bits |= row->facts->match;
    sleigh_choose(row, &insn);
    if (!is_plain(row, insn.bits, true))
        return false;
    uint64_t open = ~(row->facts->mask | row->facts->ignored);
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++)
        if (strchr(row->present, field.letter) || strchr(row->absent, field.letter))
            open &= ~export_field_bits(&field);
    *facts = *row->facts;
    for (uint64_t left = open; left; left &= left - 1)
        if (!may_be_set(row, insn.bits, open, left & (~left + 1)))
            facts->mask |= left & (~left + 1);
    if (!keep_apart(row, facts))
        return false;
    row->facts = facts;
    row->plain = true;
    return true;
}

/* A piece of p-code with the highest bit of a source in place of $. */
static void put_code(FILE *out, const struct sleigh_row *row, const char *code)
{
    for (; *code; code++)
        if (*code == '$')
            fputs(row->half ? "15" : "31", out);
        else
            putc(*code, out);
}

/* The result as its register holds it. */
static void put_result(FILE *out, const struct sleigh_row *row)
{
    const bool extended = row->half && !row->half_result && !sleigh_has_mark(row, "result wide");
    if (row->half_result || (extended && !sleigh_has_mark(row, "signed") && !sleigh_has_mark(row, "result signed")))
        fputs("    state_value = result & 0xffff:4;\n", out);
    else if (extended && !sleigh_has_mark(row, "result unsigned"))
        fputs("    state_value = (result << 16:4) s>> 16:4;\n", out);
    else
        fputs("    state_value = result;\n", out);
}

void sleigh_plain_code(struct sleigh_code *code, struct sleigh_operands *operands, const char *const *source)
{
    const struct sleigh_row *row = code->row;
    const struct formula *formula = formula_of(row);
    struct gpucode_row_field field;
    char name[64];
    FILE *out = code->out;
    for (unsigned i = 0; source[i]; i++) {
        const char letter = (char)('a' + (int)i);
        fprintf(out, "    local %c:4 = %s;\n", letter, source[i]);
        if (row->half && sleigh_has_mark(row, "signed"))
            fprintf(out, "    %c = (%c << 16:4) s>> 16:4;\n", letter, letter);
        else if (row->half && formula)
            fprintf(out, "    %c = %c & 0xffff:4;\n", letter, letter);
    }
    if (!formula) {
        conversion_code(row, out);
        return;
    }
    if (formula->when && strstr(formula->when, "k ==") && sleigh_field(row, 'c', &field)) {
        sleigh_table(row, 'N', 'c', 0, name);
        sleigh_add_operand(operands, name);
        fprintf(out, "    local k:4 = %s;\n", name);
    }
    if (formula->when) {
        fputs("    local holds:1 = ", out);
        put_code(out, row, formula->when);
        fputs(";\n", out);
    }
    fputs("    local result:4 = ", out);
    put_code(out, row, formula->value);
    fputs(";\n", out);
    if (formula->when) {
        fputs("    if (holds) goto <L1>;\n    result = ", out);
        put_code(out, row, formula->other);
        fputs(";\n    <L1>\n", out);
    }
    put_result(out, row);
}
