/* SPDX-License-Identifier: MIT */
/* Instructions of a shader's bytes. */
#include "isa/ir3/a3xx/a3xx.h"

#include "base/text.h"

struct gpucode_insn a3xx_insn_at(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index)
{
    uint64_t reserved;
    return a3xx_insn_known(target, bytes, index, &reserved);
}

struct gpucode_insn a3xx_insn_known(const struct gpucode_target *target, const unsigned char *bytes, uint32_t index,
                                    uint64_t *reserved)
{
    uint64_t word = text_load64(&bytes[8 * (size_t)index]);
    int row = isa_decode_row(&a3xx_rows, 0, word);
    if (row < 0 || !a3xx_explain(&a3xx_rows.rows[row], word, reserved)) {
        row = A3XX_RAW;
        *reserved = 0;
    }
    return (struct gpucode_insn){.target = target, .bits = word, .address = index, .row = (uint16_t)row, .size = 8};
}

/* --- the steps of a repeat, each as the instruction that it amounts to -------------------------------------------- */

static uint64_t add_to(uint64_t bits, unsigned shift, unsigned width, unsigned step)
{
    uint64_t mask = ((UINT64_C(1) << width) - 1) << shift;
    return (bits & ~mask) | ((bits + ((uint64_t)step << shift)) & mask);
}

/* Steps a source of category 1 to 4 that lies at `shift`. */
static uint64_t step_source(uint64_t bits, unsigned shift, unsigned source, unsigned step)
{
    unsigned width = a3xx_stepping_width(a3xx_form(source));
    return width ? add_to(bits, shift, width, step) : bits;
}

static uint64_t step_move(uint64_t bits, unsigned step)
{
    if (!A3XX_FIELD(bits, FROM_IMMEDIATE))
        return step_source(bits, A3XX_MOVE_SOURCE_SHIFT, a3xx_move_source(bits), step);
    bool half = a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, FROM_TYPE));
    return add_to(bits, A3XX_MOVE_SOURCE_SHIFT, half ? 16 : 32, step);
}

static uint64_t step_mad(uint64_t bits, unsigned step)
{
    if (A3XX_FIELD(bits, FIRST_STEPS))
        bits = step_source(bits, A3XX_MAD_FIRST_SHIFT, A3XX_FIELD(bits, MAD_FIRST), step);
    if (A3XX_FIELD(bits, MAD_SECOND_STEPS))
        bits = add_to(bits, A3XX_MAD_SECOND_SHIFT, A3XX_MAD_SECOND_WIDTH, step);
    if (A3XX_FIELD(bits, MAD_THIRD_STEPS))
        bits = step_source(bits, A3XX_MAD_THIRD_SHIFT, A3XX_FIELD(bits, MAD_THIRD), step);
    return bits;
}

uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step)
{
    uint64_t bits = insn->bits & ~(A3XX_SY | A3XX_JP);
    unsigned category = shader_category(bits);
    if (category > 4)
        return bits;
    if (category == 0)
        return bits & ~(A3XX_SS | A3XX_MASK(FLOW_REPEAT));
    bits &= ~(A3XX_SS | A3XX_UL | A3XX_MASK(REPEAT));
    if (category == 1) {
        bits = add_to(bits, A3XX_MOVE_RESULT_SHIFT, A3XX_MOVE_RESULT_WIDTH, step);
        return A3XX_FIELD(bits, FIRST_STEPS) ? step_move(bits, step) : bits;
    }
    bits = add_to(bits, A3XX_RESULT_SHIFT, A3XX_RESULT_WIDTH, step);
    if (category == 3)
        return step_mad(bits, step);
    if (A3XX_FIELD(bits, FIRST_STEPS))
        bits = step_source(bits, A3XX_FIRST_SHIFT, A3XX_FIELD(bits, FIRST), step);
    if (category == 2 && A3XX_FIELD(bits, SECOND_STEPS))
        bits = step_source(bits, A3XX_SECOND_SHIFT, A3XX_FIELD(bits, SECOND), step);
    return bits;
}

/* --- files: they have no header, and are instructions from the first byte to the last ----------------------------- */

enum gpucode_status a3xx_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options)
{
    if (!options->target) /* the bytes do not show it */
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    if (!section)
        return GPUCODE_ERROR_MEMORY;
    layout->info.layout = "raw words";
    layout->info.units = (uint32_t)(layout->size / 8);
    layout->info.tail = (uint32_t)(layout->size % 8);
    *section = (struct gpucode_section){
        .name = "code", .size = layout->info.units, .table = GPUCODE_NONE, .start_source = "start of the file"};
    layout->info.sections = section;
    layout->info.section_count = layout->info.units ? 1 : 0;
    return GPUCODE_OK;
}

/*
 * Which words a row's text can bring back. Two things are decided here: bits that the text does not show (they are
 * listed in {rsv 0x...}), and words whose operands are undefined or forbidden, which no row explains. The parsers
 * refuse the same operands; a test on random words proves that the two agree.
 */

const char a3xx_nothing_reserved[1] = "";

struct tally {
    uint64_t reserved;
    unsigned consts, immediates, floats, shows_width;
};

/* A source of category 2 or 4 that lies at `shift`. */
static bool explain_source(struct tally *tally, uint64_t bits, unsigned shift, bool floats)
{
    unsigned source = a3xx_bits(bits, shift, A3XX_FIRST_WIDTH);
    switch (a3xx_form(source)) {
    case A3XX_FORM_GPR:
        tally->reserved |= (uint64_t)(source & A3XX_SOURCE_REGISTER_RESERVED) << shift;
        tally->shows_width += !a3xx_is_special(source & A3XX_SOURCE_REGISTER);
        return true;
    case A3XX_FORM_RELATIVE:
        tally->consts += (source & A3XX_SOURCE_OF_CONSTS) != 0;
        tally->shows_width++;
        return true;
    case A3XX_FORM_CONST_TOO:
        tally->reserved |= (uint64_t)(source & A3XX_SOURCE_CONST_TOO) << shift;
        /* fall through */
    case A3XX_FORM_CONST:
        tally->consts++;
        tally->shows_width++;
        return true;
    case A3XX_FORM_INTEGER:
        tally->immediates++;
        return !floats;
    case A3XX_FORM_FLOAT:
        tally->immediates++;
        tally->floats++;
        return floats && (source & A3XX_SOURCE_OFFSET) < SHADER_FLOATS &&
               !(source & A3XX_SOURCE_HALF_FLOAT) == ((bits & A3XX_FULL) != 0);
    default:
        return false;
    }
}

bool a3xx_shows_width(const struct isa_row *row, uint64_t bits)
{
    struct tally tally = {0};
    explain_source(&tally, bits, A3XX_FIRST_SHIFT, true);
    if (shader_category(bits) == 2 && a3xx_two_sources(row))
        explain_source(&tally, bits, A3XX_SECOND_SHIFT, true);
    return tally.shows_width;
}

/* The width of sources that only immediates and special registers stand for follows the destination. */
static bool explain_width(struct tally *tally, uint64_t bits)
{
    bool full = bits & A3XX_FULL, converts = bits & A3XX_MASK(CONVERTS);
    if (a3xx_is_special(A3XX_FIELD(bits, RESULT)))
        tally->reserved |= bits & A3XX_MASK(CONVERTS);
    else if (!tally->shows_width && full && converts) {
        if (tally->floats)
            return false;
        tally->reserved |= A3XX_FULL | A3XX_MASK(CONVERTS);
    }
    return true;
}

static bool explain_2(const struct isa_row *row, uint64_t bits, struct tally *tally)
{
    bool two = a3xx_two_sources(row), floats = a3xx_takes_floats(row->marks);
    if (!explain_source(tally, bits, A3XX_FIRST_SHIFT, floats) ||
        (two && !explain_source(tally, bits, A3XX_SECOND_SHIFT, floats)))
        return false;
    if (tally->consts > 1 || tally->immediates > 1)
        return false;
    unsigned used =
        a3xx_modifiers_of(A3XX_FIELD(bits, FIRST)) | (two ? a3xx_modifiers_of(A3XX_FIELD(bits, SECOND)) : 0);
    if (used & ~a3xx_modifiers(row->marks))
        return false;
    if (!(row->facts.ignored & A3XX_MASK(CONDITION)) && A3XX_FIELD(bits, CONDITION) >= A3XX_CONDITION_COUNT)
        return false;
    return explain_width(tally, bits);
}

static bool explain_3(const struct isa_row *row, uint64_t bits, struct tally *tally)
{
    static const uint8_t shifts[] = {A3XX_MAD_FIRST_SHIFT, A3XX_MAD_THIRD_SHIFT};
    const uint64_t neg = A3XX_MASK(MAD_FIRST_NEG) | A3XX_MASK(MAD_SECOND_NEG) | A3XX_MASK(MAD_THIRD_NEG);
    for (unsigned i = 0; i < 2; i++) {
        unsigned source = a3xx_bits(bits, shifts[i], A3XX_MAD_FIRST_WIDTH);
        if (a3xx_form(source) > A3XX_FORM_CONST)
            return false;
        if (a3xx_form(source) == A3XX_FORM_GPR)
            tally->reserved |= (uint64_t)(source & A3XX_SOURCE_REGISTER_RESERVED) << shifts[i];
    }
    if (bits & neg && !(row->marks & SHADER_MARK_NEG))
        return false;
    if (a3xx_is_special(A3XX_FIELD(bits, RESULT)))
        tally->reserved |= bits & A3XX_MASK(CONVERTS);
    return true;
}

static bool explain_4(uint64_t bits, struct tally *tally)
{
    return explain_source(tally, bits, A3XX_FIRST_SHIFT, true) && !tally->consts && !tally->immediates &&
           explain_width(tally, bits);
}

static bool explain_1(uint64_t bits, struct tally *tally)
{
    uint64_t low = bits & A3XX_MASK(MOVE_SOURCE);
    unsigned source = a3xx_move_source(bits);
    if (A3XX_FIELD(bits, FROM_IMMEDIATE)) {
        tally->reserved |= bits & A3XX_MASK(FROM_CONST);
        if (a3xx_is_half((enum a3xx_type)A3XX_FIELD(bits, FROM_TYPE)))
            tally->reserved |= low & ~UINT64_C(0xffff);
        return true;
    }
    switch (a3xx_form(source)) {
    case A3XX_FORM_CONST:
        tally->reserved |= low & ~(uint64_t)A3XX_SOURCE_NUMBER;
        return true;
    case A3XX_FORM_RELATIVE:
        tally->reserved |= low & ~(uint64_t)source;
        return !A3XX_FIELD(bits, TO_RELATIVE);
    default:
        tally->reserved |= low & ~(uint64_t)A3XX_SOURCE_REGISTER;
        return true;
    }
}

static bool explain_5(const struct isa_row *row, uint64_t bits, struct tally *tally)
{
    uint64_t ignored = row->facts.ignored;
    bool in_register = bits & A3XX_S2EN;
    bool first = !(ignored & A3XX_MASK(COORDINATES)), second = a3xx_has_flag(bits, A3XX_TEXTURE_OFFSET);
    bool shows_type = false;
    for (unsigned i = 0; i < row->field_count; i++) {
        second |= row->fields[i].letter == 'V';
        shows_type |= row->fields[i].letter == 'w';
    }
    if (!second)
        ignored |= A3XX_MASK(PARAMETERS);
    if (!first && !second)
        ignored |= A3XX_MASK(SOURCES_FULL);
    if (in_register)
        ignored = (ignored | A3XX_TEXTURE_NUMBERS) & ~A3XX_MASK(TEXTURE_INDEX);
    tally->reserved = bits & ignored;
    enum a3xx_type type = (enum a3xx_type)A3XX_FIELD(bits, TEXTURE_TYPE);
    if (!shows_type)
        tally->reserved |= A3XX_PLACE(TEXTURE_TYPE, a3xx_is_half(type) ? type ^ A3XX_F16 : type ^ A3XX_F32);
    return !a3xx_is_special(A3XX_FIELD(bits, TEXTURE_RESULT)) &&
           !(first && a3xx_is_special(A3XX_FIELD(bits, COORDINATES))) &&
           !(second && a3xx_is_special(A3XX_FIELD(bits, PARAMETERS))) &&
           !(in_register && a3xx_is_special(A3XX_FIELD(bits, TEXTURE_INDEX)));
}

/* Registers are general ones; fields that hold immediates by a flag are not looked at. */
static bool explain_6(const struct isa_row *row, uint64_t bits)
{
    for (unsigned i = 0; i < row->field_count; i++) {
        const struct isa_field *field = &row->fields[i];
        bool is_register = strchr("gRN469", field->letter) && !a3xx_is_number(field->letter, bits);
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
    switch (shader_category(bits)) {
    case 1:
        good = explain_1(bits, &tally);
        break;
    case 2:
        good = explain_2(row, bits, &tally);
        break;
    case 3:
        good = explain_3(row, bits, &tally);
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

int a3xx_refine(const struct gpucode_target *target, int row, uint64_t bits)
{
    (void)target;
    uint64_t reserved;
    return row >= 0 && a3xx_explain(&a3xx_rows.rows[row], bits, &reserved) ? row : A3XX_RAW;
}
