/* SPDX-License-Identifier: MIT */
/*
 * Integer rows of shaders in p-code. Their actions are C for the machine, of which the forms below are known; the
 * constructor is one of its own, for words in which all is plain: full registers, no modifiers but (neg) and (abs), no
 * repeat, no (sat). Others stay functions. tests/export/sleigh_plain.py compares with the machine.
 */
#include "export/sleigh.h"

#include <string.h>

/* A condition's number is `k`. Where `when` is given the result is `value` if it holds, else `other`. */
#define COMPARED(less, not_more)                                                                                       \
    "((k == 0:4) && (" less ")) || ((k == 1:4) && (" not_more ")) || ((k == 2:4) && !(" not_more                       \
    ")) || ((k == 3:4) && !(" less ")) || ((k == 4:4) && (a == b)) || ((k > 4:4) && (a != b))"
#define UNSIGNED COMPARED("a < b", "a <= b")
#define SIGNED COMPARED("a s< b", "!(b s< a)")
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
    {"{ D = (uint32_t)((uint64_t)A << COUNT(B)); }", "(a << (b & 31:4))", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)A >> COUNT(B)); }", "(a >> (b & 31:4))", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)UNSIGNED(A) >> COUNT(B)); }", "(a >> (b & 31:4))", NULL, NULL},
    {"{ D = (uint32_t)((int64_t)SIGNED(A) >> COUNT(B)); }", "(a s>> (b & 31:4))", NULL, NULL},
    {"{ D = A >> (B & (WIDTH - 1)) & 1; }", "((a >> (b & 31:4)) & 1:4)", NULL, NULL},
    {"{ D = (A & 0xffff) * (B >> 16) * 65536 + C; }", MIDDLE, NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)(A & 0xffffff) * (B & 0xffffff)) + C; }",
     "(((a & 0xffffff:4) * (b & 0xffffff:4)) + c)", NULL, NULL},
    {"{ D = (uint32_t)((int64_t)SIGNED24(A) * SIGNED24(B)) + C; }", "((" LOW24("a") " * " LOW24("b") ") + c)", NULL,
     NULL},
    {"{ D = B != 0 ? A : C; }", "a", "b != 0:4", "c"},
    {"{ D = (int32_t)B >= 0 ? A : C; }", "a", "!(b s< 0:4)", "c"},
    {"{ D = SIGNED(B) >= 0 ? A : C; }", "a", "!(b s< 0:4)", "c"},
    {"{ D = B >> COUNT(A) & C; }", "((b >> (a & 31:4)) & c)", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)B << COUNT(A)) & C; }", "((b << (a & 31:4)) & c)", NULL, NULL},
    {"{ D = B >> COUNT(A) | C; }", "((b >> (a & 31:4)) | c)", NULL, NULL},
    {"{ D = (uint32_t)((uint64_t)B << COUNT(A)) | C; }", "((b << (a & 31:4)) | c)", NULL, NULL},
    {"{ D = (B & A) | C; }", "((b & a) | c)", NULL, NULL},
};

static const struct formula *formula_of(const struct sleigh_row *row)
{
    const char *type = strchr(row->facts->mnemonic, '.');
    bool moves = strncmp(row->facts->mnemonic, "mov.", 4) == 0; /* which copies bits of any type */
    if (!type || (type[1] == 'f' && !moves) || (moves && !strstr(type, "32")))
        return NULL;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (strcmp(formulas[i].action, row->facts->action) == 0)
            return &formulas[i];
    return NULL;
}

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
    const char kind = sleigh_sources_kind(row);
    const size_t count = kind == 'b' ? 1 : kind ? sizeof known / sizeof *known : 0;
    for (text = strchr(text, '('); text; text = strchr(text + 1, '(')) {
        bool is_known = false;
        for (size_t i = 0; i < count; i++)
            is_known |= strncmp(text, known[i], strlen(known[i])) == 0;
        if (!is_known)
            return true;
    }
    return false;
}

/* Is the word one of the row with nothing but operands and their signs, its result in a full register? Sources too:
 * `full`. */
static bool is_plain(const struct sleigh_row *row, uint64_t word, bool full)
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
        bool register_ = operand->type == GPUCODE_OPERAND_REGISTER, result = operand->use == GPUCODE_USE_WRITE;
        if (operand->type == GPUCODE_OPERAND_MODIFIER)
            continue;
        results += result;
        bool general = register_ && operand->space == GPUCODE_SPACE_GENERAL;
        if (operand->indirect || ((full || result) && !general))
            return false;
    }
    return results == 1 && !has_flags(row, behind_waits(text));
}

/* Can the bit be set where all is plain, be it with one other, which may say of what kind its operand is? */
static bool may_be_set(const struct sleigh_row *row, uint64_t word, uint64_t open, uint64_t bit)
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
    for (unsigned i = 0; i < gpucode_row_count(target); i++) {
        if (i == row->row || !gpucode_row_on_target(target, i) || !gpucode_row(target, i, &other) ||
            ((facts->match ^ other.match) & facts->mask & other.mask) || !(other.mask & ~facts->mask) ||
            !(facts->mask & ~other.mask))
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
    if (row->facts->size != 8 || !formula_of(row) ||
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

void sleigh_plain_code(struct sleigh_code *code, struct sleigh_operands *operands, const char *const *source)
{
    const struct formula *formula = formula_of(code->row);
    struct gpucode_row_field field;
    char name[64];
    FILE *out = code->out;
    for (unsigned i = 0; source[i]; i++)
        fprintf(out, "    local %c:4 = %s;\n", 'a' + (int)i, source[i]);
    if (!formula->when) {
        fprintf(out, "    state_value = %s;\n", formula->value);
        return;
    }
    if (strstr(formula->when, "k ==") && sleigh_field(code->row, 'c', &field)) {
        sleigh_table(code->row, 'N', 'c', 0, name);
        sleigh_add_operand(operands, name);
        fprintf(out, "    local k:4 = %s;\n", name);
    }
    fprintf(out,
            "    local holds:1 = %s;\n    local result:4 = %s;\n    if (holds) goto <L1>;\n    result = %s;\n    <L1>\n"
            "    state_value = result;\n",
            formula->when, formula->value, formula->other);
}
