/* SPDX-License-Identifier: MIT */
/* Flags in front of the mnemonic, the {rsv} suffix after the operands, and the raw word. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

#include <stdio.h>

/* --- (sy)(ss)(jp)(sat)(rptN)(ul) ----------------------------------------------------------------------------- */

/* Repeats begin at the same bit in category 0, where they have one bit more. */
_Static_assert((int)A3XX_FLOW_REPEAT_SHIFT == (int)A3XX_REPEAT_SHIFT, "two places of repeats");

static unsigned repeat_width(unsigned category)
{
    return category == 0 ? A3XX_FLOW_REPEAT_WIDTH : category < 5 ? A3XX_REPEAT_WIDTH : 0;
}

/* The flags of each category. */
#define ALWAYS (A3XX_SY | A3XX_JP)
#define ARITHMETIC (ALWAYS | A3XX_SS | A3XX_UL | A3XX_MASK(REPEAT))
static const uint64_t category_flags[8] = {ALWAYS | A3XX_SS | A3XX_MASK(FLOW_REPEAT),
                                           ARITHMETIC,
                                           ARITHMETIC | A3XX_MASK(SAT),
                                           ARITHMETIC | A3XX_MASK(SAT),
                                           ARITHMETIC | A3XX_MASK(SAT),
                                           ALWAYS,
                                           ALWAYS,
                                           0};

A3XX_PRINT(flags)
{
    (void)field;
    (void)options;
    uint64_t bits = insn->bits;
    unsigned category = shader_category(bits);
    bits &= category_flags[category];
    if (!bits)
        return at;
    if (bits & A3XX_SY)
        at = TEXT_LITERAL(at, "(sy)");
    if (bits & A3XX_SS)
        at = TEXT_LITERAL(at, "(ss)");
    if (bits & A3XX_JP)
        at = TEXT_LITERAL(at, "(jp)");
    if (category && bits & A3XX_MASK(SAT))
        at = TEXT_LITERAL(at, "(sat)");
    unsigned repeat = a3xx_bits(bits, A3XX_REPEAT_SHIFT, repeat_width(category));
    if (repeat) {
        at = TEXT_LITERAL(at, "(rpt");
        *at++ = (char)('0' + repeat);
        *at++ = ')';
    }
    if (bits & A3XX_UL)
        at = TEXT_LITERAL(at, "(ul)");
    return at;
}

static const struct flag {
    char text[6];
    uint8_t length,
        categories; /* bit per category that has it: category 0 has a part of (rptN) where others have (sat) */
    uint64_t mask;
    const char *hint;
} flags[] = {
    {"(sy)", 4, 0x7f, A3XX_SY, NULL},
    {"(ss)", 4, 0x1f, A3XX_SS, "put (ss) on an earlier instruction, a nop if need be"},
    {"(jp)", 4, 0x7f, A3XX_JP, NULL},
    {"(sat)", 5, 0x1c, A3XX_MASK(SAT), "categories 2 to 4 have it: arithmetic and special functions"},
    {"(ul)", 4, 0x1e, A3XX_UL, "categories 1 to 4 have it"},
};
enum { FLAG_REPEAT = sizeof flags / sizeof *flags };

/* Does it stand at `at`, where `rest` bytes, at least four, can be read? */
static inline bool is_flag(const struct flag *flag, const char *at, size_t rest)
{
    return memcmp(at, flag->text, 4) == 0 && (flag->length == 4 || (rest > 4 && at[4] == flag->text[4]));
}

/* "(rptN)" at the cursor; the digits are read and judged. */
static bool take_repeat(struct isa_scan *scan, struct isa_build *build, unsigned category)
{
    const char *start = scan->at;
    uint64_t count;
    if (!shader_take_count(scan, &count))
        return false;
    size_t span = (size_t)(scan->at - start);
    unsigned width = repeat_width(category);
    if (!width)
        return isa_fail(scan, start, span, MSG_A3XX_FLAG, "textures and memory accesses cannot be repeated", start,
                        (int)span, build->row->facts.mnemonic);
    if (count >> width)
        return isa_fail(scan, start, span, MSG_A3XX_REPEAT, NULL, category ? "3" : "7", -1, NULL);
    build->bits |= A3XX_PLACE(REPEAT, count);
    return true;
}

A3XX_PARSE(flags)
{
    (void)field;
    unsigned category = shader_category(build->bits);
    unsigned seen = 0;
    for (;;) {
        isa_skip(scan);
        const char *start = scan->at;
        size_t rest = (size_t)(scan->end - start);
        if (rest < 4 || *start != '(')
            return true;
        unsigned i = 0;
        while (i < FLAG_REPEAT && !is_flag(&flags[i], start, rest))
            i++;
        if (seen >> i & 1)
            return isa_fail(scan, start, 4, MSG_A3XX_FLAG_TWICE, NULL, NULL, 0, NULL);
        if (i == FLAG_REPEAT) {
            if (memcmp(start, "(rpt", 4) == 0) {
                if (!take_repeat(scan, build, category))
                    return false;
                seen |= 1u << FLAG_REPEAT;
                continue;
            }
            if (memcmp(start, "(nop", 4) == 0) {
                const char *close = memchr(start, ')', rest);
                return isa_fail(scan, start, close ? (size_t)(close - start) + 1 : 4, MSG_A3XX_NOP_FLAG, NULL, NULL, 0,
                                NULL);
            }
            return true; /* the caller says that it does not belong here */
        }
        if (!(flags[i].categories >> category & 1))
            return isa_fail(scan, start, flags[i].length, MSG_A3XX_FLAG, flags[i].hint, flags[i].text, -1,
                            build->row->facts.mnemonic);
        seen |= 1u << i;
        build->bits |= flags[i].mask;
        scan->at += flags[i].length;
    }
}

/* --- {rsv 0x...} ---------------------------------------------------------------------------------------------- */

A3XX_PRINT(reserved)
{
    (void)field;
    uint64_t reserved;
    if (options->user == a3xx_nothing_reserved)
        return at;
    a3xx_explain(&a3xx_rows.rows[insn->row], insn->bits, &reserved);
    if (!reserved)
        return at;
    at = text_hex(TEXT_LITERAL(at, " {rsv 0x"), reserved);
    *at++ = '}';
    return at;
}

/* Float immediates carry the width too. */
static void mark_half_floats(struct isa_build *build)
{
    if (!a3xx_takes_floats(build->row->marks))
        return;
    if (a3xx_form(A3XX_FIELD(build->bits, FIRST)) == A3XX_FORM_FLOAT)
        build->bits |= A3XX_PLACE(FIRST, A3XX_SOURCE_HALF_FLOAT);
    if (a3xx_two_sources(build->row) && a3xx_form(A3XX_FIELD(build->bits, SECOND)) == A3XX_FORM_FLOAT)
        build->bits |= A3XX_PLACE(SECOND, A3XX_SOURCE_HALF_FLOAT);
}

/*
 * Width bits of category 2 and 4: those of the sources, and whether the destination differs. Sources that do not
 * show a width have that of the destination.
 */
static void settle_width(struct isa_build *build)
{
    unsigned category = shader_category(build->bits), state = build->parse_state;
    if (category < 2 || category > 4)
        return;
    bool result_half = state & A3XX_PARSED_HALF_RESULT;
    bool half = category == 3               ? (build->row->marks & SHADER_MARK_HALF) != 0
                : state & A3XX_PARSED_WIDTH ? (state & A3XX_PARSED_HALF) != 0
                                            : result_half;
    if (category != 3 && !half)
        build->bits |= A3XX_FULL;
    if (half != result_half && !(state & A3XX_PARSED_SPECIAL_RESULT))
        build->bits |= A3XX_MASK(CONVERTS);
    if (half && category == 2)
        mark_half_floats(build);
}

/* "{rsv 0x...}" or nothing. */
static bool take_reserved(struct isa_scan *scan, struct isa_build *build)
{
    const char *before = scan->at;
    isa_skip(scan);
    if (scan->at >= scan->end || *scan->at != '{') {
        scan->at = before;
        return true;
    }
    scan->at++;
    if (!isa_take(scan, "rsv"))
        return isa_expected(scan, "'rsv'");
    isa_skip(scan);
    const char *start = scan->at;
    uint64_t value, found;
    if (!isa_number(scan, &value))
        return false;
    size_t span = (size_t)(scan->at - start);
    if (!isa_take(scan, "}"))
        return isa_expected(scan, "'}'");
    build->bits |= value;
    if (!a3xx_explain(build->row, build->bits, &found) || found != value ||
        (build->bits & build->row->facts.mask) != build->row->facts.match)
        return isa_fail(scan, start, span, MSG_A3XX_RESERVED, NULL, start, (int)span, NULL);
    return true;
}

A3XX_PARSE(reserved)
{
    (void)field;
    settle_width(build);
    return take_reserved(scan, build);
}

A3XX_READ(reserved)
{
    if (at >= scan->end || *at != '\n')
        return isa_read_by(a3xx_parse_reserved, at, scan, build, field);
    settle_width(build);
    return at;
}

/* --- parts of other operands ------------------------------------------------------------------------------------ */

A3XX_PRINT(hidden)
{
    (void)insn;
    (void)field;
    (void)options;
    return at;
}

A3XX_PARSE(hidden)
{
    (void)scan;
    (void)build;
    (void)field;
    return true;
}
