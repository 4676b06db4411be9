/* SPDX-License-Identifier: MIT */
/* Flags in front of the mnemonic, the {rsv} suffix after the operands, the raw word. */
#include "ir3_messages.h"
#include "isa/ir3/ir3.h"

#include "base/text.h"

/* --- flags -------------------------------------------------------------------------------------------------------- */

/* The bits of a row that its text shows as flags. */
static inline uint64_t flags_of(const struct isa_field *field)
{
    uint64_t mask = IR3_SY | IR3_JP;
    for (unsigned i = 0; i < field->pieces; i++)
        mask |= IR3_MASK(field->piece[i].shift + field->piece[i].width - 1, field->piece[i].shift);
    return mask;
}

static char *put_repeat(char *at, const char *flag, unsigned count)
{
    at = text_put(at, flag, 4);
    *at++ = (char)('0' + count);
    *at++ = ')';
    return at;
}

static char *put_flow_flags(char *at, uint64_t bits)
{
    if (bits & IR3_EQ)
        at = TEXT_LITERAL(at, "(eq)");
    if (bits & IR3_JP)
        at = TEXT_LITERAL(at, "(jp)");
    if (bits & IR3_EOLM)
        at = TEXT_LITERAL(at, "(eolm)");
    if (bits & IR3_EOGM)
        at = TEXT_LITERAL(at, "(eogm)");
    if (bits & IR3_EOSTSC)
        at = TEXT_LITERAL(at, "(eostsc)");
    unsigned repeat = ir3_bits(bits, 42, 40);
    return repeat ? put_repeat(at, "(rpt", repeat) : at;
}

IR3_PRINT(flags)
{
    (void)options;
    const uint64_t all = IR3_SY | IR3_JP | IR3_SS | IR3_SAT | IR3_REPEATS;
    const uint64_t of_flow = all | IR3_EQ | IR3_EOLM | IR3_EOGM | IR3_EOSTSC;
    const uint64_t others = all | IR3_UL | IR3_FIRST_R | IR3_SECOND_R_2 | IR3_SECOND_R_3;
    unsigned category = shader_category(insn->bits);
    if (!(insn->bits & (category ? others : of_flow))) /* most have none */
        return at;
    unsigned nops = ir3_nops(insn->bits);
    uint64_t bits = insn->bits & flags_of(field);
    if (!bits && !nops)
        return at;
    if (bits & IR3_SY)
        at = TEXT_LITERAL(at, "(sy)");
    if (bits & IR3_SS)
        at = TEXT_LITERAL(at, "(ss)");
    if (!category)
        return put_flow_flags(at, bits);
    if (bits & IR3_JP)
        at = TEXT_LITERAL(at, "(jp)");
    if (bits & IR3_SAT)
        at = TEXT_LITERAL(at, "(sat)");
    if (ir3_repeat(bits))
        at = put_repeat(at, "(rpt", ir3_repeat(bits));
    if (nops) {
        at = put_repeat(at, "(nop", nops);
        *at++ = ' ';
    }
    return bits & IR3_UL ? TEXT_LITERAL(at, "(ul)") : at;
}

static const struct flag {
    char text[9];
    uint8_t length;
    uint64_t mask;
    bool of_flow; /* in category 0 alone; else in the others alone, where `everywhere` is not set */
    bool everywhere;
} flags[] = {
    {"(sy)", 4, IR3_SY, false, true},         {"(ss)", 4, IR3_SS, false, true},
    {"(jp)", 4, IR3_JP, false, true},         {"(sat)", 5, IR3_SAT, false, false},
    {"(ul)", 4, IR3_UL, false, false},        {"(eq)", 4, IR3_EQ, true, false},
    {"(eolm)", 6, IR3_EOLM, true, false},     {"(eogm)", 6, IR3_EOGM, true, false},
    {"(eostsc)", 8, IR3_EOSTSC, true, false},
};
enum { FLAGS = sizeof flags / sizeof *flags, FLAG_REPEAT = FLAGS, FLAG_NOPS };

static bool refuse_flag(struct isa_scan *scan, const struct isa_build *build, const char *start, size_t span,
                        const char *hint)
{
    return isa_fail(scan, start, span, MSG_IR3_FLAG, hint, start, (int)span, build->row->facts.mnemonic);
}

/* (rptN) and (nopN) share their bits with (r) of sources. */
static bool take_counted(struct isa_scan *scan, struct isa_build *build, const struct isa_field *field, bool nops)
{
    const char *start = scan->at;
    uint64_t count, repeats = flags_of(field) & IR3_REPEATS;
    unsigned category = shader_category(build->bits);
    if (!shader_take_count(scan, &count))
        return false;
    if (count > (category ? 3 : 7))
        return isa_fail(scan, start, (size_t)(scan->at - start), MSG_IR3_COUNT, NULL, category ? "3" : "7", -1, NULL);
    if (nops ? category != 2 && category != 3 : !repeats)
        return refuse_flag(scan, build, start, (size_t)(scan->at - start),
                           nops ? "put a nop with (rptN) after it: categories 2 and 3 have (nopN)"
                                : "write it as often as it is to be issued");
    if (!nops) {
        build->bits |= count << 40;
        return true;
    }
    build->bits |= count & 1 ? IR3_FIRST_R : 0;
    build->bits |= count & 2 ? (category == 2 ? IR3_SECOND_R_2 : IR3_SECOND_R_3) : 0;
    build->parse_state |= count ? IR3_PARSED_NOPS : 0;
    return true;
}

/* Does it stand at `at`, where `rest` bytes, at least four, can be read? */
static inline bool is_flag(const struct flag *flag, const char *at, size_t rest)
{
    return memcmp(at, flag->text, 4) == 0 &&
           (flag->length == 4 || (rest >= flag->length && memcmp(at + 4, flag->text + 4, flag->length - 4u) == 0));
}

IR3_PARSE(flags)
{
    if (scan->at < scan->end && isa_name_byte(*scan->at)) /* none, as most have it */
        return true;
    uint64_t mask = flags_of(field);
    unsigned seen = 0;
    bool flow = !shader_category(build->bits);
    for (;;) {
        isa_skip(scan);
        const char *start = scan->at;
        size_t rest = (size_t)(scan->end - start);
        if (rest < 4 || *start != '(')
            return true;
        unsigned i = memcmp(start, "(rpt", 4) == 0 ? FLAG_REPEAT : memcmp(start, "(nop", 4) == 0 ? FLAG_NOPS : 0;
        while (i < FLAGS && !is_flag(&flags[i], start, rest))
            if (++i == FLAGS)
                return true; /* the caller says that it does not belong here */
        if (seen >> i & 1)
            return isa_fail(scan, start, 4, MSG_IR3_FLAG_TWICE, NULL, NULL, 0, NULL);
        seen |= 1u << i;
        if (i >= FLAGS) {
            if (!take_counted(scan, build, field, i == FLAG_NOPS))
                return false;
            if (build->parse_state & IR3_PARSED_NOPS && ir3_repeat(build->bits))
                return refuse_flag(scan, build, start, (size_t)(scan->at - start),
                                   "the bits of (nopN) are those of (r) where there is (rptN)");
            continue;
        }
        size_t span = flags[i].length;
        if (!(mask & flags[i].mask) || (!flags[i].everywhere && flags[i].of_flow != flow))
            return refuse_flag(scan, build, start, span,
                               flags[i].mask == IR3_SS     ? "put (ss) on an earlier instruction, a nop if need be"
                               : flags[i].of_flow && !flow ? "put it on a nop"
                                                           : NULL);
        build->bits |= flags[i].mask;
        scan->at += span;
    }
}

/* --- {rsv 0x...}
 * ------------------------------------------------------------------------------------------------------ */

/* Moves to "{rsv", in a comment or not; false: there is none on this line, and nothing is taken. */
static bool find_reserved(struct isa_scan *scan)
{
    const char *at = scan->at, *end = scan->end;
    if (at < end && *at == '\n') /* as most end */
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && *at == ';')
        at++;
    while (at < end && *at == ' ')
        at++;
    if (end - at < 5 || memcmp(at, "{rsv", 4) != 0 || isa_name_byte(at[4]))
        return false;
    scan->at = at + 4;
    return true;
}

static bool take_reserved(struct isa_scan *scan, struct isa_build *build)
{
    isa_skip(scan);
    const char *start = scan->at;
    uint64_t value, shown;
    if (!isa_number(scan, &value))
        return false;
    size_t span = (size_t)(scan->at - start);
    if (!isa_take(scan, "}"))
        return isa_expected(scan, "'}'");
    uint64_t bits = build->bits ^ value;
    if ((bits & build->row->facts.mask) != build->row->facts.match ||
        !ir3_shown(build->row, scan->target->generation, bits, &shown) || shown != build->bits)
        return isa_fail(scan, start, span, MSG_IR3_RESERVED, NULL, start, (int)span, NULL);
    build->bits = bits;
    return true;
}

/* Is it plain that no other row explains the word? */
static inline bool has_one_meaning(const struct isa_scan *scan, const struct isa_build *build)
{
    unsigned category = shader_category(build->bits), result = ir3_bits(build->bits, 39, 32);
    if (category != 1)
        return category != 6;
    return IR3_IS_MOVE(build->row->action) && result != IR3_A0 && result != IR3_A0 + 1 && !scan->target->choices;
}

/* A word that would be read as something else is refused; but mova and mov are special cases of mov and cov. */
static bool check_meaning(struct isa_scan *scan, const struct isa_build *build)
{
    unsigned generation = scan->target->generation;
    if (has_one_meaning(scan, build))
        return true;
    int number = isa_decode_row(&ir3_rows, generation, build->bits);
    if (scan->target->choices)
        number = ir3_refine(scan->target, number, build->bits);
    const struct isa_row *row = &ir3_rows.rows[number < 0 ? IR3_RAW : number];
    uint64_t shown, mask = build->row->facts.mask;
    if (!ir3_shown(row, generation, build->bits, &shown))
        return isa_fail(scan, scan->at, 1, MSG_IR3_OPERAND, NULL, "an operand", -1, NULL);
    bool same = row < &ir3_rows.rows[IR3_MOVA_R] && (row->facts.mask & mask) == mask && shown == build->bits;
    return row == build->row || same ||
           isa_fail(scan, scan->at, 1, MSG_IR3_TWO_MEANINGS, NULL, row->facts.mnemonic, -1, NULL);
}

/* The widths that the operands of a row have shown, at the end of its text. */
static inline void settle_widths(struct isa_build *build)
{
    unsigned state = build->parse_state, category = shader_category(build->bits);
    bool half = state & IR3_PARSED_WIDTH ? state & IR3_PARSED_HALF : state & IR3_PARSED_WEAK_HALF;
    bool result_half = state & IR3_PARSED_HALF_RESULT;
    uint32_t marks = build->row->marks;
    if (category < 2 || category > 4 || marks & IR3_MARK_DOT)
        return;
    if (marks & IR3_MARK_MATRIX) {
        build->bits |= (half ? 0 : IR3_MATRIX_FULL) | (result_half ? 0 : IR3_MATRIX_RESULT);
        return;
    }
    if (category != 3)
        build->bits |= half ? 0 : IR3_FULL;
    else if (marks & IR3_MARK_EITHER)
        build->bits |= half ? 0 : IR3_EITHER_FULL;
    else
        half = marks & SHADER_MARK_HALF;
    if (half != result_half && ir3_bits(build->bits, 39, 32) <= IR3_LAST_HALF_SHOWN)
        build->bits |= IR3_CONVERTS;
}

IR3_PARSE(reserved)
{
    (void)field;
    settle_widths(build);
    const char *behind = scan->at;
    bool reserved = find_reserved(scan);
    if (reserved && !take_reserved(scan, build))
        return false;
    unsigned category = shader_category(build->bits);
    if (build->parse_state & IR3_PARSED_STEPS && !ir3_repeat(build->bits) && (category == 2 || category == 3))
        return isa_fail(scan, behind, 1, MSG_IR3_STEPS, NULL, NULL, 0, NULL);
    return check_meaning(scan, build);
}

IR3_READ(reserved)
{
    if (at >= scan->end || *at != '\n' || build->parse_state & IR3_PARSED_STEPS || !has_one_meaning(scan, build))
        return isa_read_by(ir3_parse_reserved, at, scan, build, field);
    settle_widths(build);
    return at;
}
