/* SPDX-License-Identifier: MIT */
/*
 * What the text of a word shows. Two things are decided here: which word a text stands for, since some bits are not in
 * it (the difference is listed in {rsv 0x...}), and words whose operands have no form, which no row explains. The
 * parsers make the same words; a test on random words proves that the two agree.
 */
#include "isa/ir3/ir3.h"

#include "base/text.h"

const struct ir3_mode ir3_modes[8] = {
    {true, true, false, false, false},  {true, true, false, true, true},   {true, false, true, true, false},
    {true, false, true, true, true},    {true, false, true, false, false}, {true, true, false, true, false},
    {false, false, false, true, false}, {false, false, false, true, true},
};

const uint8_t ir3_a1_forms[IR3_GENERATIONS] = {IR3_A1_BOTH, IR3_A1_BOTH, IR3_A1_SAMPLER, IR3_A1_TEXTURE,
                                               IR3_A1_TEXTURE};

unsigned ir3_steps(const struct gpucode_insn *insn)
{
    unsigned category = shader_category(insn->bits);
    if (insn->row == IR3_RAW || category > 4)
        return 1;
    uint64_t known = insn->bits & ~ir3_row(insn)->facts.mask & ~ir3_row(insn)->facts.ignored;
    if (!category)
        return ir3_bits(known, 42, 40) + 1;
    if (ir3_row(insn)->marks & IR3_MARK_DOT || insn->row == IR3_MOVMSK)
        return 1;
    return ir3_repeat(known) + 1;
}

/* By bits 13:8 of the source. */
static const uint8_t forms_2[64] = {
#define EIGHT(first, second) first, first, first, first, second, second, second, second
    IR3_FORM_GPR,
    IR3_FORM_NONE,
    IR3_FORM_NONE,
    IR3_FORM_NONE,
    IR3_FORM_GPR,
    IR3_FORM_NONE,
    IR3_FORM_NONE,
    IR3_FORM_NONE, /* (last) */
    EIGHT(IR3_FORM_RELATIVE, IR3_FORM_RELATIVE_CONST),
    EIGHT(IR3_FORM_CONST, IR3_FORM_CONST),
    EIGHT(IR3_FORM_NONE, IR3_FORM_NONE),
    EIGHT(IR3_FORM_NUMBER, IR3_FORM_NUMBER),
    EIGHT(IR3_FORM_FLOAT, IR3_FORM_HALF_FLOAT),
    EIGHT(IR3_FORM_CONST, IR3_FORM_CONST),
    EIGHT(IR3_FORM_NONE, IR3_FORM_NONE),
#undef EIGHT
};

enum ir3_form ir3_form_2(unsigned source)
{
    return (enum ir3_form)forms_2[source >> 8 & 63];
}

bool ir3_takes_numbers(const struct isa_row *row, bool first)
{
    return row->marks & IR3_MARK_NUMBERS && !(first && row->marks & IR3_MARK_MATRIX);
}

enum ir3_form ir3_form_3(const struct isa_row *row, unsigned generation, unsigned source, bool first)
{
    if (source & 0x1000)
        return ir3_takes_numbers(row, first) ? IR3_FORM_NUMBER : IR3_FORM_CONST;
    if (source & 0x800)
        return source & 0x400 ? IR3_FORM_RELATIVE_CONST : IR3_FORM_RELATIVE;
    if (!(source & 0x300))
        return IR3_FORM_GPR;
    if (generation < IR3_A8XX || (source & 0x600) != 0x600)
        return IR3_FORM_NONE;
    if (!(source & 0x100))
        return IR3_FORM_NUMBER;
    return source & 0x80 ? IR3_FORM_HALF_FLOAT : IR3_FORM_FLOAT;
}

/* --- category 1 --------------------------------------------------------------------------------------------------- */

static void shown_1(unsigned row, uint64_t bits, uint64_t *shown)
{
    unsigned type = ir3_source_type(bits);
    if (row >= IR3_MOVA_R || ir3_bits(bits, 54, 53) != 2) /* an immediate */
        return;
    if (IR3_IS_MOVE(row))
        *shown &= ~IR3_FIRST_R;
    *shown &= ~IR3_MASK(31, 0);
    if (type == IR3_F16)
        *shown |= ir3_float_shown(bits & 0xffff, true);
    else if (type == IR3_F32)
        *shown |= ir3_float_shown(bits & 0xffffffff, false);
    else
        *shown |= bits & (type == IR3_S16 ? 0xffff : 0xffffffff);
}

/* --- categories 2 to 4 -------------------------------------------------------------------------------------------- */

/* A register, a const, and the number whose text has an h. */
static bool shows_width(enum ir3_form form, bool full)
{
    return form < IR3_FORM_NUMBER || (form == IR3_FORM_NUMBER && !full);
}

static void shown_source(enum ir3_form form, uint64_t bits, unsigned shift, uint64_t *shown)
{
    if (form == IR3_FORM_CONST)
        *shown &= ~((uint64_t)0x2000 << shift);
    else if (form == IR3_FORM_FLOAT && (bits >> shift & 0x3ff) >= SHADER_FLOATS) /* looks as a number does */
        *shown &= ~((uint64_t)0x800 << shift);
}

/* Results above r61 do not show their width. */
static uint64_t shown_conversion(uint64_t bits, bool full, bool shown_full)
{
    if (ir3_bits(bits, 39, 32) > IR3_LAST_HALF_SHOWN)
        return 0;
    bool half_result = full == ((bits & IR3_CONVERTS) != 0);
    return half_result == shown_full ? IR3_CONVERTS : 0;
}

static void shown_2(const struct isa_row *row, uint64_t bits, uint64_t *shown)
{
    bool full = bits & IR3_FULL, two = !(row->facts.ignored & IR3_MASK(31, 16));
    enum ir3_form first = ir3_form_2((unsigned)bits & 0xffff);
    enum ir3_form second = two ? ir3_form_2((unsigned)(bits >> 16) & 0xffff) : IR3_FORM_NONE;
    shown_source(first, bits, 0, shown);
    shown_source(second, bits, 16, shown);
    if (!shows_width(first, full) && !shows_width(second, full)) { /* the first one is read as it looks */
        bool shown_full = first != IR3_FORM_HALF_FLOAT;
        *shown &= ~(IR3_FULL | IR3_CONVERTS);
        *shown |= (shown_full ? IR3_FULL : 0) | shown_conversion(bits, full, shown_full);
    } else if (ir3_bits(bits, 39, 32) > IR3_LAST_HALF_SHOWN) {
        *shown &= ~IR3_CONVERTS;
    }
    if (!two && shader_category(bits) == 2 && ir3_repeat(bits))
        *shown &= ~IR3_SECOND_R_2;
}

static void shown_third(const struct isa_row *row, unsigned generation, uint64_t bits, unsigned shift, uint64_t *shown)
{
    unsigned source = ir3_bits(bits, shift + 12, shift);
    enum ir3_form form = ir3_form_3(row, generation, source, !shift);
    if (form == IR3_FORM_CONST)
        *shown &= ~((uint64_t)0x800 << shift);
    if (form == IR3_FORM_FLOAT || form == IR3_FORM_HALF_FLOAT)
        *shown &= ~((uint64_t)0x70 << shift);
    bool numbers = ir3_takes_numbers(row, !shift), odd = form == IR3_FORM_FLOAT && (source & 15) >= SHADER_FLOATS;
    if (odd) /* looks as a number does */
        *shown &= ~((uint64_t)0x100 << shift);
    if (numbers && !(source & 0x1000) && (odd || (form == IR3_FORM_NUMBER && !(source & 0x80)))) {
        *shown &= ~((uint64_t)0x1f80 << shift);
        *shown |= (uint64_t)0x1000 << shift;
    }
}

static void shown_3(const struct isa_row *row, unsigned generation, uint64_t bits, uint64_t *shown)
{
    shown_third(row, generation, bits, 0, shown);
    shown_third(row, generation, bits, 16, shown);
    if (row->marks & IR3_MARK_DOT) {
        *shown &= ~IR3_REPEATS;
        return;
    }
    if (ir3_nops(bits))
        *shown &= ~IR3_THIRD_R;
    if (!(row->marks & IR3_MARK_MATRIX) && ir3_bits(bits, 39, 32) > IR3_LAST_HALF_SHOWN)
        *shown &= ~IR3_CONVERTS;
}

/* --- category 5 --------------------------------------------------------------------------------------------------- */

bool ir3_shows_second(const struct isa_row *row, uint64_t bits)
{
    return row->marks & IR3_MARK_SECOND || (bits & IR3_LOOK_O && row != &ir3_rows.rows[IR3_BRCST]) ||
           (bits & IR3_LOOK_CLP && !(row->marks & (IR3_MARK_FETCH | IR3_MARK_LANES)));
}

/* Sampler and texture, or the register that has them. */
static uint64_t hidden_descriptors(const struct isa_row *row, unsigned generation, uint64_t bits)
{
    bool sampler = row->marks & IR3_MARK_SAMPLER, texture = row->marks & IR3_MARK_TEXTURE;
    if (!(bits & IR3_LOOK_INDIRECT))
        return (sampler ? 0 : IR3_MASK(24, 21)) | (texture ? 0 : IR3_MASK(31, 25));
    const struct ir3_mode *mode = ir3_mode(bits);
    if (mode->in_register)
        return 0;
    unsigned form = mode->a1 ? ir3_a1_forms[generation] : IR3_A1_BOTH;
    if (form != IR3_A1_BOTH)
        return (form == IR3_A1_SAMPLER ? sampler : texture) ? 0 : IR3_MASK(28, 21);
    return (sampler ? 0 : IR3_MASK(24, 21)) | (texture ? 0 : IR3_MASK(28, 25));
}

static void shown_5(const struct isa_row *row, unsigned generation, uint64_t bits, uint64_t *shown)
{
    if (row == &ir3_rows.rows[IR3_TCINV])
        return;
    bool second = ir3_shows_second(row, bits), fetch = row->marks & IR3_MARK_FETCH;
    bool offset = fetch && bits & IR3_LOOK_P && !second && bits & IR3_MASK(16, 9);
    if (!(row->marks & IR3_MARK_SOURCE))
        *shown &= ~IR3_MASK(8, 1);
    if (!second && !offset)
        *shown &= ~IR3_MASK(16, 9);
    if (fetch && !offset)
        *shown &= ~IR3_LOOK_P;
    if (!second && !(row->marks & IR3_MARK_SOURCE))
        *shown &= ~IR3_LOOK_FULL;
    if (row->marks & IR3_MARK_LANES)
        return;
    unsigned type = ir3_bits(bits, 46, 44);
    if (row->marks & IR3_MARK_UNTYPED && type != IR3_U8_32)
        *shown = (*shown & ~IR3_MASK(46, 44)) | (IR3_HALF_TYPES >> type & 1 ? 0 : (uint64_t)IR3_F32 << 44);
    if (!(bits & IR3_LOOK_INDIRECT) || !ir3_mode(bits)->bindless)
        *shown &= ~(IR3_BASE_LOW | IR3_BASE_HIGH);
    *shown &= ~hidden_descriptors(row, generation, bits);
}

/* --- categories 6 and 7 ------------------------------------------------------------------------------------------- */

static void shown_6(unsigned row, unsigned generation, uint64_t bits, uint64_t *shown)
{
    const uint64_t has_offset = IR3_BIT(23), full = IR3_BIT(21), number = IR3_BIT(23), bindless = IR3_BIT(8);
    if (row >= IR3_LDC_K && row <= IR3_ATOMIC_B_XOR && !(bits & bindless))
        *shown &= ~IR3_MASK(3, 1);
    switch (row) {
    case IR3_STG_A6:
    case IR3_LDG_A6:
        if (ir3_memory_type(bits) >= IR3_U8) /* bytes are not shifted */
            *shown &= ~IR3_MASK(13, 12);
        if (row == IR3_LDG_A6)
            break;
        /* fall through */
    case IR3_STG:
    case IR3_STG_A7:
        *shown |= IR3_STORES;
        break;
    case IR3_LDC:
    case IR3_LDC_K:
        if (generation < IR3_A8XX)
            *shown &= ~full;
        else if (bits & number)
            *shown |= full;
        break;
    case IR3_STIB_B:
    case IR3_LDIB_B:
        *shown &= ~has_offset;
        *shown |= bits & (IR3_MASK(58, 54) | IR3_MASK(5, 4)) ? has_offset : 0;
        break;
    default:
        break;
    }
}

/* alias: what of the last 32 bits is not shown depends on what replaces the register. */
static void shown_alias(uint64_t bits, uint64_t *shown)
{
    bool wide = bits & IR3_BIT(50), whole = bits & IR3_BIT(48);
    unsigned kind = ir3_bits(bits, 52, 51);
    if (bits & IR3_BIT(49)) /* two values mean memory */
        *shown &= ~IR3_BIT(47);
    else if (bits & IR3_BIT(47)) /* a component of a render target */
        *shown &= ~IR3_MASK(39, 37);
    if (kind == 3)
        *shown &= ~IR3_BIT(51);
    if (kind < 2) {
        *shown &= ~(kind ? IR3_MASK(31, 11) : IR3_MASK(31, 8));
        return;
    }
    *shown &= ~IR3_MASK(31, 0);
    uint32_t value = (uint32_t)bits & (wide ? 0xffffffff : 0xffff);
    *shown |= whole ? value : ir3_float_shown(value, !wide);
}

/* Have all operands a form? Those that are plain have been looked at. */
static __attribute__((noinline)) bool has_forms_closely(const struct isa_row *row, unsigned generation, uint64_t bits)
{
    const uint64_t high = IR3_MASK(31, 12), no_register = IR3_MASK(9, 8);
    if (row == &ir3_rows.rows[IR3_RAW])
        return true;
    switch (shader_category(bits)) {
    case 1:
        if (row >= &ir3_rows.rows[IR3_MOVA_R])
            return true;
        switch (ir3_bits(bits, 54, 53)) {
        case 0:
            return !(bits & (bits & IR3_RELATIVE_MOVE ? high : high | no_register));
        case 1:
            return !(bits & IR3_MASK(31, 11));
        default:
            return !(bits & IR3_BIT(53));
        }
    case 2:
    case 4:
        return ir3_form_2((unsigned)bits & 0xffff) != IR3_FORM_NONE &&
               (row->facts.ignored & IR3_MASK(31, 16) || ir3_form_2((unsigned)(bits >> 16) & 0xffff) != IR3_FORM_NONE);
    case 3:
        return ir3_form_3(row, generation, (unsigned)bits & 0x1fff, true) != IR3_FORM_NONE &&
               ir3_form_3(row, generation, (unsigned)(bits >> 16) & 0x1fff, false) != IR3_FORM_NONE;
    default:
        return true;
    }
}

static inline bool has_forms(const struct isa_row *row, unsigned generation, uint64_t bits)
{
    const uint64_t closer = 0x2f002f00; /* none of these is set in registers, and consts up to c63 */
    unsigned category = shader_category(bits);
    bool plain = category >= 2 && category <= 4 ? !(bits & closer) : category != 1;
    return plain || has_forms_closely(row, generation, bits);
}

/* Is it plain that all bits are shown? So it is where sources are registers and consts, of half the result's width or
 * not. */
static inline bool shows_all(const struct isa_row *row, uint64_t bits)
{
    /* of categories 2 and 4, and of category 3: forms of sources other than these, and bits that depend on others */
    const uint64_t two = 0x28002800 | IR3_CONVERTS | IR3_SECOND_R_2, three = 0x0b000b00 | IR3_CONVERTS | IR3_THIRD_R;
    switch (shader_category(bits)) {
    case 0:
        return !(bits & row->facts.ignored);
    case 1:
        return !(bits & (row->facts.ignored | IR3_BIT(54))); /* no immediate */
    case 2:
    case 4:
        return !(bits & (row->facts.ignored | two));
    case 3:
        return !(bits & (row->facts.ignored | three)) && !(row->marks & IR3_MARK_DOT);
    default:
        return false;
    }
}

/* What ir3_shown() gives of a word whose operands have forms, as all that are decoded have. */
static uint64_t shown_word(const struct isa_row *row, unsigned generation, uint64_t bits)
{
    if (shows_all(row, bits))
        return bits;
    unsigned number = (unsigned)(row - ir3_rows.rows);
    uint64_t shown = bits & ~row->facts.ignored;
    if (number == IR3_RAW)
        return shown;
    switch (shader_category(bits)) {
    case 1:
        shown_1(number, bits, &shown);
        break;
    case 2:
    case 4:
        shown_2(row, bits, &shown);
        break;
    case 3:
        shown_3(row, generation, bits, &shown);
        break;
    case 5:
        shown_5(row, generation, bits, &shown);
        break;
    case 6:
        shown_6(number, generation, bits, &shown);
        break;
    case 7:
        if (number == IR3_ALIAS)
            shown_alias(bits, &shown);
        break;
    default:
        break;
    }
    return shown;
}

/*
 * The bits in which a word differs from the one that its text stands for. It is in a comment, since the reference's
 * text does not have it; our assembler reads it there.
 */
IR3_PRINT(reserved)
{
    (void)field;
    (void)options;
    if (shows_all(ir3_row(insn), insn->bits))
        return at;
    uint64_t shown = shown_word(ir3_row(insn), insn->target->generation, insn->bits);
    if (shown == insn->bits)
        return at;
    at = text_hex(TEXT_LITERAL(at, " ;{rsv 0x"), shown ^ insn->bits);
    *at++ = '}';
    return at;
}

bool ir3_shown(const struct isa_row *row, unsigned generation, uint64_t bits, uint64_t *shown)
{
    bool good = has_forms(row, generation, bits);
    *shown = good ? shown_word(row, generation, bits) : 0;
    return good;
}

/* Of the rows that explain a word beside the one that is listed in ROW_FIRST, the one with most fixed bits. */
static int older_row(unsigned generation, int row, uint64_t bits)
{
    int best = -1;
    for (int i = IR3_RAW + 1; i < IR3_ROW_COUNT; i++) {
        const struct isa_row *other = &ir3_rows.rows[i];
        bool first = (i >= IR3_MOVA_R && i <= IR3_MOVS_A0) || i == IR3_LDIB_B || i == IR3_STIB_B;
        if (i == row || first || !(other->generations >> generation & 1) ||
            (bits & other->facts.mask) != other->facts.match)
            continue;
        if (best < 0 || __builtin_popcountll(other->facts.mask) > __builtin_popcountll(ir3_rows.rows[best].facts.mask))
            best = i;
    }
    return best;
}

static __attribute__((noinline)) int refine_ambiguous(const struct gpucode_target *target, int row, uint64_t bits)
{
    int older = -1;
    if (target->choices & (IR3_AMBIGUOUS_OLD | IR3_AMBIGUOUS_WORD) &&
        ((row >= IR3_MOVA_R && row <= IR3_MOVS_A0) || row == IR3_LDIB_B || row == IR3_STIB_B))
        older = older_row(target->generation, row, bits);
    return older < 0 ? row : target->choices & IR3_AMBIGUOUS_OLD ? older : IR3_RAW;
}

int ir3_refine(const struct gpucode_target *target, int row, uint64_t bits)
{
    if (target->choices)
        row = refine_ambiguous(target, row, bits);
    return row >= 0 && has_forms(&ir3_rows.rows[row], target->generation, bits) ? row : IR3_RAW;
}
