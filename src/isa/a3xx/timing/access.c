/* SPDX-License-Identifier: MIT */
#include "isa/a3xx/timing/access.h"

struct list {
    struct a3xx_access *access;
    unsigned count;
};

/* A register number as fields have it, in the file that `half` means. */
static struct a3xx_access of_register(unsigned number, bool half)
{
    struct a3xx_access access = {.count = 1, .half = half, .number = (int32_t)number};
    if (a3xx_is_special(number)) {
        access.file = number < A3XX_P0 ? A3XX_FILE_ADDRESS : A3XX_FILE_PREDICATE;
        access.number = number & 3;
        access.half = false;
    } else {
        access.file = half ? A3XX_FILE_HALF : A3XX_FILE_FULL;
    }
    return access;
}

static void add(struct list *list, struct a3xx_access access)
{
    bool none = (access.file == A3XX_FILE_FULL || access.file == A3XX_FILE_HALF) && !access.relative &&
                access.number >= A3XX_R63;
    if (!none && list->count < A3XX_ACCESS_MAX)
        list->access[list->count++] = access;
}

static void add_address(struct list *list)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->access[i].relative) {
            add(list, (struct a3xx_access){.file = A3XX_FILE_ADDRESS, .count = 1});
            return;
        }
}

static struct a3xx_access of_relative(unsigned field, bool half)
{
    return (struct a3xx_access){.file = field & 0x400 ? A3XX_FILE_CONST
                                        : half        ? A3XX_FILE_HALF
                                                      : A3XX_FILE_FULL,
                                .number = a3xx_signed(field & 0x3ff, 10),
                                .count = 1,
                                .half = half,
                                .relative = true};
}

/* Sources of category 2 and 4. */
static struct a3xx_access of_source(unsigned field, bool half)
{
    struct a3xx_access access;
    switch (a3xx_form(field)) {
    case A3XX_FORM_GPR:
        access = of_register(field & 0xff, half);
        break;
    case A3XX_FORM_RELATIVE:
        access = of_relative(field, half);
        break;
    case A3XX_FORM_INTEGER:
        access = (struct a3xx_access){
            .file = A3XX_FILE_IMMEDIATE, .number = a3xx_signed(field & 0x7ff, 11), .count = 1, .half = half};
        break;
    case A3XX_FORM_FLOAT:
        access = (struct a3xx_access){
            .file = A3XX_FILE_IMMEDIATE, .number = (int32_t)(field & 0x3ff), .count = 1, .half = half, .table = true};
        break;
    default:
        access =
            (struct a3xx_access){.file = A3XX_FILE_CONST, .number = (int32_t)(field & 0x7ff), .count = 1, .half = half};
    }
    access.neg = field >> 14 & 1;
    access.abs = field >> 15 & 1;
    return access;
}

static struct a3xx_access of_mad_source(unsigned field, bool half)
{
    if (field >> 11 == 0)
        return of_register(field & 0xff, half);
    if (field >> 11 == 1)
        return of_relative(field, half);
    return (struct a3xx_access){.file = A3XX_FILE_CONST, .number = (int32_t)(field & 0x7ff), .count = 1, .half = half};
}

static void add_source(struct list *list, struct a3xx_access access, unsigned source, bool steps)
{
    access.source = (uint8_t)source;
    access.steps = steps;
    add(list, access);
}

static void add_result(struct list *list, struct a3xx_access access, bool steps)
{
    access.write = true;
    access.steps = steps;
    add(list, access);
}

static void flow(struct list *list, const struct gpucode_insn *insn)
{
    if (insn->row == A3XX_BR || insn->row == A3XX_KILL)
        add_source(list, of_register(A3XX_P0 + a3xx_bits(insn->bits, 53, 2), false), 1, false);
}

static void move(struct list *list, uint64_t bits)
{
    bool half = a3xx_is_half((enum a3xx_type)a3xx_bits(bits, 50, 3));
    bool half_result = a3xx_is_half((enum a3xx_type)a3xx_bits(bits, 46, 3));
    bool steps = bits >> 43 & 1;
    unsigned low = (unsigned)bits & 0xfff;
    struct a3xx_access source;
    if (bits >> 54 & 1)
        source = (struct a3xx_access){
            .file = A3XX_FILE_IMMEDIATE, .number = (int32_t)(uint32_t)bits, .count = 1, .half = half};
    else if (bits >> 53 & 1)
        source =
            (struct a3xx_access){.file = A3XX_FILE_CONST, .number = (int32_t)(low & 0x7ff), .count = 1, .half = half};
    else
        source = low & 0x800 ? of_relative(low, half) : of_register(low & 0xff, half);
    add_source(list, source, 1, steps);
    unsigned number = a3xx_bits(bits, 32, 8);
    struct a3xx_access result = of_register(number, half_result);
    if (bits >> 49 & 1)
        result = (struct a3xx_access){.file = half_result ? A3XX_FILE_HALF : A3XX_FILE_FULL,
                                      .number = (int32_t)number,
                                      .count = 1,
                                      .half = half_result,
                                      .relative = true};
    add_result(list, result, true);
}

static void arithmetic(struct list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = !(bits & A3XX_FULL), two = a3xx_category(bits) == 2 && a3xx_two_sources(&a3xx_rows.rows[insn->row]);
    add_source(list, of_source(a3xx_bits(bits, 0, 16), half), 1, bits >> 43 & 1);
    if (two) {
        struct a3xx_access second = of_source(a3xx_bits(bits, 16, 16), half);
        if (insn->row == A3XX_BARY_F) /* the barycentric pair */
            second.count = 2;
        add_source(list, second, 2, bits >> 51 & 1);
    }
    add_result(list, of_register(a3xx_bits(bits, 32, 8), half != ((bits & A3XX_CONV) != 0)), true);
}

static void mad(struct list *list, uint64_t bits)
{
    bool half = !a3xx_mad_full(a3xx_bits(bits, 55, 4));
    struct a3xx_access source[3] = {of_mad_source(a3xx_bits(bits, 0, 13), half),
                                    of_register(a3xx_bits(bits, 47, 8), half),
                                    of_mad_source(a3xx_bits(bits, 16, 13), half)};
    static const uint8_t neg[3] = {14, 30, 31}, repeat[3] = {43, 15, 29};
    for (unsigned i = 0; i < 3; i++) {
        source[i].neg = bits >> neg[i] & 1;
        add_source(list, source[i], i + 1, bits >> repeat[i] & 1);
    }
    add_result(list, of_register(a3xx_bits(bits, 32, 8), half != ((bits & A3XX_CONV) != 0)), true);
}

/* Components of the vectors of a texture instruction (A3XX notes, category 5). */
static unsigned coordinates(const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool cube = bits >> 48 & 1, array = bits >> 49 & 1, shadow = bits >> 50 & 1, projected = bits >> 53 & 1;
    if (insn->row == A3XX_GETSIZE || insn->row == A3XX_GETPOS || insn->row == A3XX_RGETPOS)
        return 1;
    if (insn->row == A3XX_DSX || insn->row == A3XX_DSY || insn->row == A3XX_DSXPP || insn->row == A3XX_DSYPP) {
        unsigned mask = a3xx_bits(bits, 40, 4);
        return mask ? 32 - (unsigned)__builtin_clz(mask) : 0;
    }
    unsigned count = (cube ? 3u : 2u) + array + shadow + projected;
    if (insn->row == A3XX_SAMGQ) /* padded to four, then two derivatives */
        return 4 + 2 * (cube ? 3u : 2u);
    return count;
}

static void texture(struct list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = !(bits & 1), offsets = bits >> 52 & 1, parameters = a3xx_has_letter(insn->row, 'V');
    if (a3xx_has_letter(insn->row, 'U')) {
        struct a3xx_access source = of_register(a3xx_bits(bits, 1, 8), half);
        source.count = (uint8_t)coordinates(insn);
        add_source(list, source, 1, false);
    }
    if (offsets || parameters) {
        struct a3xx_access source = of_register(a3xx_bits(bits, 9, 8), half);
        source.count = (uint8_t)((offsets ? (bits >> 48 & 1 ? 3u : 2u) : 0) + parameters);
        add_source(list, source, 2, false);
    }
    if (bits & A3XX_S2EN) {
        struct a3xx_access source = of_register(a3xx_bits(bits, 21, 8), true);
        source.count = 2;
        add_source(list, source, 3, false);
    }
    unsigned mask = a3xx_bits(bits, 40, 4);
    if (!mask)
        return;
    struct a3xx_access result =
        of_register(a3xx_bits(bits, 32, 8), a3xx_is_half((enum a3xx_type)a3xx_bits(bits, 44, 3)));
    result.mask = (uint8_t)mask;
    result.count = (uint8_t)(32 - __builtin_clz(mask));
    add_result(list, result, false);
}

static void memory(struct list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = a3xx_is_half((enum a3xx_type)a3xx_bits(bits, 49, 3));
    const struct isa_row *row = &a3xx_rows.rows[insn->row];
    unsigned size = a3xx_bits(bits, 24, 8), source = 0;
    bool sized = a3xx_has_letter(insn->row, 'l');
    bool store = a3xx_has_letter(insn->row, 'O') || a3xx_has_letter(insn->row, 'M');
    store |= insn->row == A3XX_STG_DIRECT || insn->row == A3XX_STL_DIRECT || insn->row == A3XX_STP_DIRECT ||
             insn->row == A3XX_STLW_DIRECT;
    for (unsigned e = 0; e < row->element_count; e++) {
        if (!row->elements[e].is_field)
            continue;
        const struct isa_field *field = &row->fields[row->elements[e].index];
        unsigned value = (unsigned)isa_field_get(field, bits);
        bool immediate = (field->letter == '4' && bits >> 53 & 1) || (field->letter == '6' && bits >> 22 & 1) ||
                         (field->letter == '9' && bits >> 23 & 1);
        struct a3xx_access access = of_register(value, false);
        switch (field->letter) {
        case 'g':
            access = of_register(value, half);
            access.count = sized ? (uint8_t)size : 1;
            if (!store || !access.count)
                break;
            add_source(list, access, ++source, false);
            break;
        case 'N':
            access = of_register(value, true);
            /* fall through */
        case 'R':
        case '4':
        case '6':
        case '9':
            if (immediate)
                access = (struct a3xx_access){.file = A3XX_FILE_IMMEDIATE, .number = (int32_t)value, .count = 1};
            add_source(list, access, ++source, false);
            break;
        default:
            break;
        }
    }
    for (unsigned i = 0; i < row->field_count && !store; i++)
        if (row->fields[i].letter == 'g') {
            struct a3xx_access access = of_register((unsigned)isa_field_get(&row->fields[i], bits), half);
            access.count = sized ? (uint8_t)size : 1;
            if (access.count)
                add_result(list, access, false);
        }
}

unsigned a3xx_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX])
{
    struct list list = {access, 0};
    if (insn->row == A3XX_RAW)
        return 0;
    switch (a3xx_category(insn->bits)) {
    case 0:
        flow(&list, insn);
        break;
    case 1:
        move(&list, insn->bits);
        break;
    case 2:
    case 4:
        arithmetic(&list, insn);
        break;
    case 3:
        mad(&list, insn->bits);
        break;
    case 5:
        texture(&list, insn);
        break;
    case 6:
        memory(&list, insn);
        break;
    default:
        break;
    }
    add_address(&list);
    return list.count;
}

/* --- steps of a repeat ----------------------------------------------------------------------------------------- */

static uint64_t add_to(uint64_t bits, unsigned shift, unsigned width, unsigned step)
{
    uint64_t mask = ((UINT64_C(1) << width) - 1) << shift;
    return (bits & ~mask) | ((bits + ((uint64_t)step << shift)) & mask);
}

/* A source field of category 2 or 3. */
static uint64_t step_source(uint64_t bits, unsigned shift, unsigned step)
{
    switch (bits >> (shift + 11) & 7) {
    case A3XX_FORM_GPR:
        return add_to(bits, shift, 8, step);
    case A3XX_FORM_RELATIVE:
        return add_to(bits, shift, 10, step);
    case A3XX_FORM_FLOAT:
        return bits; /* an entry of a table has no next one */
    default:
        return add_to(bits, shift, 11, step);
    }
}

static uint64_t step_mad_source(uint64_t bits, unsigned shift, unsigned step)
{
    unsigned form = a3xx_bits(bits, shift + 11, 2);
    return add_to(bits, shift, form == 0 ? 8 : form == 1 ? 10 : 11, step);
}

uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step)
{
    uint64_t bits = insn->bits;
    unsigned category = a3xx_category(bits);
    bool first = bits >> 43 & 1;
    bits &= ~(UINT64_C(3) << 59); /* (sy), (jp) */
    if (category > 4)
        return bits;
    bits &= ~(UINT64_C(1) << 44 | (category ? UINT64_C(0x23) << 40 : UINT64_C(7) << 40));
    if (category == 0)
        return bits;
    bits = add_to(bits, 32, 8, step);
    switch (category) {
    case 1:
        if (!first)
            return bits;
        if (bits >> 54 & 1)
            return add_to(bits, 0, a3xx_is_half((enum a3xx_type)a3xx_bits(bits, 50, 3)) ? 16 : 32, step);
        if (bits >> 53 & 1)
            return add_to(bits, 0, 11, step);
        return add_to(bits, 0, bits >> 11 & 1 ? 10 : 8, step);
    case 2:
        if (first)
            bits = step_source(bits, 0, step);
        if (bits >> 51 & 1)
            bits = step_source(bits, 16, step);
        return bits;
    case 3:
        if (first)
            bits = step_mad_source(bits, 0, step);
        if (bits >> 15 & 1)
            bits = add_to(bits, 47, 8, step);
        return bits >> 29 & 1 ? step_mad_source(bits, 16, step) : bits;
    default:
        return first ? step_source(bits, 0, step) : bits;
    }
}
