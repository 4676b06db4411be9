/* SPDX-License-Identifier: MIT */
/*
 * Which words a row's text can bring back. Two things are decided here: bits that the text does not show (they are
 * listed in {rsv 0x...}), and words whose operands are undefined or forbidden, which no row explains. The parsers
 * refuse the same operands; a test on random words proves that the two agree.
 */
#include "isa/a3xx/a3xx.h"

struct tally {
    uint64_t reserved;
    unsigned consts, immediates, floats, told;
};

/* A 16-bit source field that lies at `shift`. */
static bool explain_source(struct tally *tally, uint64_t bits, unsigned shift, bool floats)
{
    unsigned source = a3xx_bits(bits, shift, 16);
    switch (a3xx_form(source)) {
    case A3XX_FORM_GPR:
        tally->reserved |= (uint64_t)(source & 0x700) << shift;
        tally->told += !a3xx_is_special(source & 0xff);
        return true;
    case A3XX_FORM_RELATIVE:
        tally->consts += source >> 10 & 1;
        tally->told++;
        return true;
    case A3XX_FORM_CONST_TOO:
        tally->reserved |= (uint64_t)(source & 0x2000) << shift;
        /* fall through */
    case A3XX_FORM_CONST:
        tally->consts++;
        tally->told++;
        return true;
    case A3XX_FORM_INTEGER:
        tally->immediates++;
        return !floats;
    case A3XX_FORM_FLOAT:
        tally->immediates++;
        tally->floats++;
        return floats && (source & 0x3ff) < A3XX_FLOAT_COUNT && (source >> 10 & 1) == !(bits & A3XX_FULL);
    default:
        return false;
    }
}

/* Modifiers that integer operations take: bit 0 neg, bit 1 abs. */
static unsigned integer_modifiers(unsigned opcode)
{
    if ((opcode >= 16 && opcode <= 19) || (opcode >= 22 && opcode <= 25) || (opcode >= 48 && opcode <= 50))
        return 0;
    return 3; /* on logical operations (neg) inverts the bits */
}

unsigned a3xx_modifiers(uint64_t bits)
{
    switch (a3xx_category(bits)) {
    case 2:
        return a3xx_float_sources(bits) ? 3 : integer_modifiers(a3xx_bits(bits, 53, 6));
    case 3:
        return 0x30c0 >> a3xx_bits(bits, 55, 4) & 1; /* mad.f, sel.f: neg only */
    default:
        return 3;
    }
}

bool a3xx_width_is_told(const struct isa_row *row, uint64_t bits)
{
    struct tally tally = {0};
    explain_source(&tally, bits, 0, true);
    if (a3xx_category(bits) == 2 && a3xx_two_sources(row))
        explain_source(&tally, bits, 16, true);
    return tally.told;
}

/* The width of sources that only immediates and special registers stand for follows the destination. */
static bool explain_width(struct tally *tally, uint64_t bits)
{
    bool full = bits & A3XX_FULL, converts = bits & A3XX_CONV;
    if (a3xx_is_special(a3xx_bits(bits, 32, 8)))
        tally->reserved |= bits & A3XX_CONV;
    else if (!tally->told && full && converts) {
        if (tally->floats)
            return false;
        tally->reserved |= A3XX_FULL | A3XX_CONV;
    }
    return true;
}

static bool explain_2(const struct isa_row *row, uint64_t bits, struct tally *tally)
{
    bool two = a3xx_two_sources(row), floats = a3xx_float_sources(bits);
    if (!explain_source(tally, bits, 0, floats) || (two && !explain_source(tally, bits, 16, floats)))
        return false;
    if (tally->consts > 1 || tally->immediates > 1)
        return false;
    unsigned used = a3xx_bits(bits, 14, 2) | (two ? a3xx_bits(bits, 30, 2) : 0);
    if (used & ~a3xx_modifiers(bits))
        return false;
    if (!(row->facts.ignored >> 48 & 1) && a3xx_bits(bits, 48, 3) > 5)
        return false;
    return explain_width(tally, bits);
}

static bool explain_3(uint64_t bits, struct tally *tally)
{
    for (unsigned shift = 0; shift <= 16; shift += 16) {
        unsigned source = a3xx_bits(bits, shift, 13);
        if (source >> 11 == 3)
            return false;
        if (source >> 11 == 0)
            tally->reserved |= (uint64_t)(source & 0x700) << shift;
    }
    if (bits & (1u << 14 | 3u << 30) && !a3xx_modifiers(bits))
        return false;
    if (a3xx_is_special(a3xx_bits(bits, 32, 8)))
        tally->reserved |= bits & A3XX_CONV;
    return true;
}

static bool explain_4(uint64_t bits, struct tally *tally)
{
    return explain_source(tally, bits, 0, true) && !tally->consts && !tally->immediates && explain_width(tally, bits);
}

static bool explain_1(uint64_t bits, struct tally *tally)
{
    bool immediate = bits >> 54 & 1, constant = bits >> 53 & 1;
    if (immediate) {
        tally->reserved |= bits & UINT64_C(1) << 53;
        if (a3xx_is_half((enum a3xx_type)a3xx_bits(bits, 50, 3)))
            tally->reserved |= bits & 0xffff0000;
    } else if (constant) {
        tally->reserved |= bits & 0xfffff800;
    } else if (bits >> 11 & 1) {
        tally->reserved |= bits & 0xfffff000;
        return !(bits >> 49 & 1);
    } else {
        tally->reserved |= bits & 0xfffff700;
    }
    return true;
}

static bool explain_5(const struct isa_row *row, uint64_t bits, struct tally *tally)
{
    uint64_t ignored = row->facts.ignored;
    bool offsets = bits >> 52 & 1;
    bool first = !(ignored & 2), second = offsets;
    for (unsigned i = 0; i < row->field_count; i++)
        second |= row->fields[i].letter == 'V';
    if (!second)
        ignored |= 0x1fe00;
    if (!first && !second)
        ignored |= 1;
    if (bits & A3XX_S2EN)
        ignored = (ignored & ~UINT64_C(0xffe00000)) | 0xe0000000;
    tally->reserved = bits & ignored;
    enum a3xx_type type = (enum a3xx_type)a3xx_bits(bits, 44, 3);
    if (row == &a3xx_rows.rows[A3XX_DSXPP] || row == &a3xx_rows.rows[A3XX_DSYPP])
        tally->reserved |= (uint64_t)(a3xx_is_half(type) ? type : type & 6) << 44;
    return !a3xx_is_special(a3xx_bits(bits, 32, 8)) && !(first && a3xx_is_special(a3xx_bits(bits, 1, 8))) &&
           !(second && a3xx_is_special(a3xx_bits(bits, 9, 8))) &&
           !(bits & A3XX_S2EN && a3xx_is_special(a3xx_bits(bits, 21, 8)));
}

/* Registers are general ones; fields that hold immediates by a flag are not looked at. */
static bool explain_6(const struct isa_row *row, uint64_t bits)
{
    for (unsigned i = 0; i < row->field_count; i++) {
        const struct isa_field *field = &row->fields[i];
        bool is_register = false;
        switch (field->letter) {
        case 'g':
        case 'R':
        case 'N':
            is_register = true;
            break;
        case '4':
            is_register = !(bits >> 53 & 1);
            break;
        case '6':
            is_register = !(bits >> 22 & 1);
            break;
        case '9':
            is_register = !(bits >> 23 & 1);
            break;
        default:
            break;
        }
        if (is_register && a3xx_is_special((unsigned)isa_field_get(field, bits)))
            return false;
    }
    return true;
}

bool a3xx_explain(const struct isa_row *row, uint64_t bits, uint64_t *reserved)
{
    struct tally tally = {.reserved = bits & row->facts.ignored};
    bool good = true;
    *reserved = 0;
    if (row == &a3xx_rows.rows[A3XX_RAW])
        return true;
    switch (a3xx_category(bits)) {
    case 1:
        good = explain_1(bits, &tally);
        break;
    case 2:
        good = explain_2(row, bits, &tally);
        break;
    case 3:
        good = explain_3(bits, &tally);
        break;
    case 4:
        good = explain_4(bits, &tally);
        break;
    case 5:
        good = explain_5(row, bits, &tally);
        break;
    case 6:
        good = explain_6(row, bits);
        break;
    default:
        break;
    }
    *reserved = tally.reserved;
    return good;
}

int a3xx_refine(int row, uint64_t bits)
{
    uint64_t reserved;
    return row >= 0 && a3xx_explain(&a3xx_rows.rows[row], bits, &reserved) ? row : A3XX_RAW;
}
