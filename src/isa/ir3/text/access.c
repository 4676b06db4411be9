/* SPDX-License-Identifier: MIT */
/* Which registers an instruction reads and writes, and how many in a row. */
#include "isa/ir3/text/access.h"
#include "isa/ir3/text/access_list.h"

static const struct isa_field *field_of(const struct isa_row *row, char letter)
{
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->fields[i].letter == letter)
            return &row->fields[i];
    return NULL;
}

/* --- categories 0 to 4 -------------------------------------------------------------------------------------------- */

static void add_flow(struct shader_list *list, const struct gpucode_insn *insn)
{
    const struct isa_row *row = ir3_row(insn);
    const char letters[2] = {'P', 'Q'};
    for (unsigned i = 0; i < 2; i++) {
        const struct isa_field *field = field_of(row, letters[i]);
        if (field)
            shader_add_source(list,
                              shader_register(IR3_P0 + (unsigned)(isa_field_get(field, insn->bits) >> 1), false, 1),
                              letters[i], i + 1, false);
    }
    if (insn->row == IR3_PREDT || insn->row == IR3_PREDF)
        shader_add_source(list, shader_register(IR3_P0, false, 1), 0, 1, false);
}

/* Two or four moves at once: each takes a cycle of its own. */
static void add_moves(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = ir3_half_move(ir3_source_type(bits)), half_result = ir3_half_move(ir3_result_type(bits));
    unsigned sources = insn->row == IR3_SWZ ? 2 : insn->row == IR3_GAT ? 4 : 1;
    unsigned results = insn->row == IR3_SWZ ? 2 : insn->row == IR3_SCT ? 4 : 1;
    for (unsigned i = 0; i < sources; i++) {
        struct a3xx_access access =
            shader_register(ir3_bits(bits, 8 * i + 7, 8 * i), half, insn->row == IR3_SCT ? 4 : 1);
        access.cycle = (uint8_t)i;
        shader_add_source(list, access, '2', i + 1, false);
    }
    for (unsigned i = 0; i < results; i++) {
        unsigned shift = !i ? 32 : insn->row == IR3_SWZ ? 16 : 8 * i;
        struct a3xx_access access =
            shader_register(ir3_bits(bits, shift + 7, shift), half_result, insn->row == IR3_GAT ? 4 : 1);
        access.cycle = (uint8_t)i;
        shader_add_result(list, access, i ? '7' : '6', false);
    }
}

static struct a3xx_access move_source(const struct gpucode_insn *insn, bool half)
{
    uint64_t bits = insn->bits;
    unsigned source = ir3_bits(bits, 11, 0);
    if (insn->row == IR3_MOVA_R)
        return shader_number((int32_t)ir3_bits(bits, 13, 0), half);
    if (insn->row >= IR3_MOVA_R)
        return shader_register(source & 0xff, half, 1);
    switch (ir3_bits(bits, 54, 53)) {
    case 0:
        if (bits & IR3_RELATIVE_MOVE)
            return shader_relative(bits & IR3_RELATIVE_CONST ? A3XX_FILE_CONST
                                   : half                    ? A3XX_FILE_HALF
                                                             : A3XX_FILE_FULL,
                                   shader_signed(source, 10), half);
        return shader_register(source & 0xff, half, 1);
    case 1:
        return shader_const(source & 0x7ff, half);
    default:
        return shader_number((int32_t)(uint32_t)bits, half);
    }
}

static void add_move(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = ir3_half_move(ir3_source_type(bits)), half_result = ir3_half_move(ir3_result_type(bits));
    unsigned number = ir3_bits(bits, 39, 32);
    bool address =
        insn->row == IR3_MOVA || insn->row == IR3_MOVA1 || insn->row == IR3_MOVA_R || insn->row == IR3_MOVA_R_GPR;
    if (insn->row == IR3_MOVMSK) {
        shader_add_result(list, shader_register(number, false, ir3_repeat(bits) + 1), 'd', false);
        return;
    }
    bool steps = !address && bits & IR3_FIRST_R && ir3_repeat(bits);
    shader_add_source(list, move_source(insn, half), 'm', 1, steps);
    shader_add_result(list, shader_moved(number, half_result, !address && bits & IR3_BIT(49)), 'd', !address);
}

static struct a3xx_access source_2(unsigned source, bool half)
{
    struct a3xx_access access;
    enum ir3_form form = ir3_form_2(source);
    switch (form) {
    case IR3_FORM_GPR:
        access = shader_register(source & 0xff, half, 1);
        break;
    case IR3_FORM_RELATIVE:
        access = shader_relative(half ? A3XX_FILE_HALF : A3XX_FILE_FULL, shader_signed(source, 10), half);
        break;
    case IR3_FORM_RELATIVE_CONST:
        access = shader_relative(A3XX_FILE_CONST, shader_signed(source, 10), half);
        break;
    case IR3_FORM_CONST:
        access = shader_const(source & 0x7ff, half);
        break;
    default:
        access = shader_number(form == IR3_FORM_NUMBER ? shader_signed(source, 11) : (int32_t)(source & 0x3ff), half);
        access.table = form != IR3_FORM_NUMBER;
    }
    access.neg = source >> 14 & 1;
    access.abs = source >> 15 & 1;
    return access;
}

/* (r) of the sources, where there is a repeat; without one the bits are (nopN). */
static bool steps_by(uint64_t bits, uint64_t flag)
{
    return bits & flag && ir3_repeat(bits);
}

/* A scalar predicate is the predicate, written for all fibers at once. */
static struct a3xx_access result_2(uint64_t bits, bool half)
{
    unsigned number = ir3_bits(bits, 39, 32);
    bool scalar = shader_category(bits) == 2 && number >= IR3_A0 && number < IR3_P0;
    return shader_register(scalar ? number - IR3_A0 + IR3_P0 : number, half, 1);
}

static void add_arithmetic(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    bool half = !(bits & IR3_FULL), bary = insn->row == IR3_BARY_F;
    shader_add_source(list, source_2(ir3_bits(bits, 15, 0), half), 'a', 1, steps_by(bits, IR3_FIRST_R));
    if (field_of(ir3_row(insn), 'b') && insn->row != IR3_FLAT_B) {
        struct a3xx_access second = source_2(ir3_bits(bits, 31, 16), half);
        second.count = bary ? 2 : 1; /* the barycentric pair */
        shader_add_source(list, second, 'b', 2, steps_by(bits, IR3_SECOND_R_2));
    }
    shader_add_result(list, result_2(bits, half != ((bits & IR3_CONVERTS) != 0)), 'D', true);
}

static struct a3xx_access source_3(const struct gpucode_insn *insn, unsigned source, bool half, bool first)
{
    enum ir3_form form = ir3_form_3(ir3_row(insn), insn->target->generation, source, first);
    switch (form) {
    case IR3_FORM_GPR:
        return shader_register(source & 0xff, half, 1);
    case IR3_FORM_RELATIVE:
        return shader_relative(half ? A3XX_FILE_HALF : A3XX_FILE_FULL, shader_signed(source, 10), half);
    case IR3_FORM_RELATIVE_CONST:
        return shader_relative(A3XX_FILE_CONST, shader_signed(source, 10), half);
    case IR3_FORM_CONST:
        return shader_const(source & 0x7ff, half);
    default: {
        struct a3xx_access access = shader_number((int32_t)(source & (source & 0x1000 ? 0xfff : 0xff)), half);
        access.table = form != IR3_FORM_NUMBER;
        return access;
    }
    }
}

static void add_three(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    uint32_t marks = ir3_row(insn)->marks;
    bool dot = marks & IR3_MARK_DOT, matrix = marks & IR3_MARK_MATRIX;
    bool half = matrix                    ? !(bits & IR3_MATRIX_FULL)
                : marks & IR3_MARK_EITHER ? !(bits & IR3_EITHER_FULL)
                                          : (marks & SHADER_MARK_HALF) != 0;
    bool half_result = dot ? false : matrix ? !(bits & IR3_MATRIX_RESULT) : half != ((bits & IR3_CONVERTS) != 0);
    struct a3xx_access first = source_3(insn, ir3_bits(bits, 12, 0), half, true);
    struct a3xx_access second = shader_register(ir3_bits(bits, 54, 47), half, matrix ? 4 : 1);
    struct a3xx_access third = source_3(insn, ir3_bits(bits, 28, 16), half, false);
    struct a3xx_access result = shader_register(ir3_bits(bits, 39, 32), half_result, 1);
    unsigned block = (unsigned)third.number / 32;
    if (matrix) {
        first.count = 4;
        result.count = (uint8_t)(block < 6 ? 4u << block : 4u);
    }
    first.neg = (bits & IR3_FIRST_NEG) != 0;
    second.neg = (bits & IR3_SECOND_NEG) != 0;
    third.neg = (bits & IR3_THIRD_NEG) != 0;
    shader_add_source(list, first, 'A', 1, !dot && steps_by(bits, IR3_FIRST_R));
    shader_add_source(list, second, 'B', 2, !dot && steps_by(bits, IR3_SECOND_R_3));
    shader_add_source(list, third, 'C', 3, !dot && steps_by(bits, IR3_THIRD_R));
    if (insn->row == IR3_WMM_ACCU)
        shader_add_source(list, result, 0, 4, false);
    shader_add_result(list, result, 'D', !dot);
}

/* --- category 5 --------------------------------------------------------------------------------------------------- */

/* Registers in a row of the first source; cubes are not told from two dimensions. */
static unsigned coordinate_count(const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    uint32_t marks = ir3_row(insn)->marks;
    unsigned mask = ir3_bits(bits, 43, 40), place = bits & IR3_LOOK_3D ? 3 : 2;
    if (insn->row == IR3_DSX || insn->row == IR3_DSY || insn->row == IR3_DSXPP || insn->row == IR3_DSYPP)
        return mask ? 32 - (unsigned)__builtin_clz(mask) : 0;
    if (marks & IR3_MARK_LANES || !(marks & IR3_MARK_SAMPLER)) /* a level, a sample or a value */
        return 1;
    if (marks & IR3_MARK_FETCH && bits & IR3_LOOK_S) /* elements of a buffer */
        return 1;
    unsigned count = place + ((bits & IR3_LOOK_A) != 0) + ((bits & IR3_LOOK_S) != 0) +
                     (!(marks & IR3_MARK_FETCH) && bits & IR3_LOOK_P) + (insn->row == IR3_ISAMM);
    bool given = insn->row == IR3_SAMGQ || (insn->row >= IR3_SAMGP0 && insn->row <= IR3_SAMGP3);
    return given ? (count < 4 ? 4 : count) + 2 * place : count;
}

static unsigned parameter_count(const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    const struct isa_row *row = ir3_row(insn);
    if (row->marks & IR3_MARK_LANES)
        return row->marks & IR3_MARK_SECOND ? 1 : 0;
    return (bits & IR3_LOOK_O ? 2u : 0) + ((row->marks & IR3_MARK_SECOND) != 0) +
           (!(row->marks & IR3_MARK_FETCH) && bits & IR3_LOOK_CLP);
}

static void add_texture(struct shader_list *list, const struct gpucode_insn *insn)
{
    uint64_t bits = insn->bits;
    const struct isa_row *row = ir3_row(insn);
    if (insn->row == IR3_TCINV)
        return;
    bool half = !(bits & IR3_LOOK_FULL);
    if (row->marks & IR3_MARK_SOURCE)
        shader_add_source(list, shader_register(ir3_bits(bits, 8, 1), half, coordinate_count(insn)), 'U', 1, false);
    if (ir3_shows_second(row, bits))
        shader_add_source(list, shader_register(ir3_bits(bits, 16, 9), half, parameter_count(insn)), 'V', 2, false);
    const struct ir3_mode *mode = ir3_mode(bits);
    bool indirect = bits & IR3_LOOK_INDIRECT && !(row->marks & IR3_MARK_LANES);
    if (indirect && mode->in_register)
        shader_add_source(list, shader_register(ir3_bits(bits, 28, 21), !mode->bindless, 2), 'K', 3, false);
    if (indirect && mode->a1)
        shader_add(list, shader_register(IR3_A0 + 1, false, 1));
    unsigned mask = ir3_bits(bits, 43, 40), type = ir3_bits(bits, 46, 44);
    struct a3xx_access result = shader_register(ir3_bits(bits, 39, 32), IR3_HALF_TYPES >> type & 1, 1);
    if (!mask)
        return;
    if (result.file == A3XX_FILE_FULL || result.file == A3XX_FILE_HALF) {
        result.mask = type == IR3_U8_32 ? 1 : (uint8_t)mask;
        result.count = (uint8_t)(32 - __builtin_clz(result.mask));
    }
    if (insn->row == IR3_BRCST) /* the first half of a cluster keeps it */
        shader_add_source(list, result, 0, 4, false);
    shader_add_result(list, result, '3', false);
}

/* --- category 6 --------------------------------------------------------------------------------------------------- */

struct memory {
    const struct gpucode_insn *insn;
    const struct isa_row *row;
    unsigned generation;
    unsigned components; /* of the data */
    unsigned places;     /* registers of a place in a buffer or image */
    unsigned pair;       /* registers of an address */
    bool half;           /* the data */
    bool exchange;       /* two values: the new one, and what the old one must be */
};

static bool is_row_of(const struct gpucode_insn *insn, unsigned first, unsigned last)
{
    return insn->row >= first && insn->row <= last;
}

static struct memory memory_of(const struct gpucode_insn *insn)
{
    struct memory memory = {.insn = insn, .row = ir3_row(insn), .generation = insn->target->generation};
    const struct isa_field *size = field_of(memory.row, 'k'), *components = field_of(memory.row, 'E');
    const struct isa_field *dimensions = field_of(memory.row, 'v'), *typed = field_of(memory.row, 'f');
    unsigned type = ir3_memory_type(insn->bits);
    bool atomic = strncmp(memory.row->facts.mnemonic, "atomic", 6) == 0;
    memory.pair = memory.generation == IR3_A4XX ? 1 : 2;
    memory.half = field_of(memory.row, 'S') && IR3_HALF_TYPES >> type & 1 && !(atomic && type == IR3_U8);
    memory.exchange = strstr(memory.row->facts.mnemonic, "cmpxchg") != NULL;
    memory.places = typed && isa_field_get(typed, insn->bits) && dimensions
                        ? (unsigned)isa_field_get(dimensions, insn->bits) + 1
                        : 1;
    memory.components = size         ? ir3_low_first(size, insn->bits)
                        : atomic     ? (type == IR3_U8 && memory.row->marks & IR3_MARK_ATOMIC ? 2 : 1)
                        : components ? (unsigned)isa_field_get(components, insn->bits) + 1
                                     : 1;
    if (insn->row == IR3_LDC)
        memory.components = (unsigned)isa_field_get(dimensions, insn->bits) + 1;
    if (insn->row == IR3_RESINFO || insn->row == IR3_RESINFO_B)
        memory.components = 3;
    if (insn->row == IR3_RESBASE)
        memory.components = 2;
    if (insn->row == IR3_RAY_INTERSECTION)
        memory.components = 5;
    return memory;
}

/* Does the row's text name the data by this letter? Some have an address or a place there. */
static bool is_data(const struct memory *memory, char letter)
{
    const struct gpucode_insn *insn = memory->insn;
    if (letter == 'g')
        return true;
    return letter == 'p' && insn->row != IR3_LDG_A7 && insn->row != IR3_STG_A7 && insn->row != IR3_LDIB_B &&
           insn->row != IR3_STIB_B;
}

/* Registers from the field on: the row says what stands there. */
static unsigned count_of(const struct memory *memory, char letter)
{
    const struct gpucode_insn *insn = memory->insn;
    bool local = is_row_of(insn, IR3_ATOMIC_ADD, IR3_ATOMIC_B_XOR) &&
                 strncmp(memory->row->facts.mnemonic, "atomic.s", 8) != 0 &&
                 strncmp(memory->row->facts.mnemonic, "atomic.g", 8) != 0;
    bool global = strncmp(memory->row->facts.mnemonic, "atomic.g", 8) == 0;
    bool slot = strncmp(memory->row->facts.mnemonic, "atomic.s", 8) == 0;
    unsigned values = memory->components * (memory->exchange ? 2 : 1);
    switch (letter) {
    case 'I':
        return slot ? values : global ? memory->pair : local ? 1 : memory->pair;
    case 'H':
        return global || local ? values : slot ? 1 : insn->row == IR3_SHFL ? 1 : memory->places;
    case 'q':
        return slot ? memory->pair : insn->row == IR3_RAY_INTERSECTION ? 1 : memory->places;
    case 'r':
        return insn->row == IR3_RAY_INTERSECTION ? 8 : 1;
    case 'p':
        return insn->row == IR3_LDIB_B || insn->row == IR3_STIB_B ? memory->places : 1;
    case 'J':
        return memory->pair;
    default:
        return 1;
    }
}

/* The register, const or number of a field; false: it is none. */
static bool of_field(const struct memory *memory, const struct isa_field *field, struct a3xx_access *access)
{
    uint64_t bits = memory->insn->bits;
    unsigned value = (unsigned)isa_field_get(field, bits), count = count_of(memory, field->letter);
    bool number = false;
    switch (field->letter) {
    case 'g':
    case 'p':
    case 'q':
    case 'r':
    case 's':
        break;
    case '6':
        *access = shader_register(value, memory->half, 1);
        return true;
    case 'J':
        if (field->width > 8 && value & 1) {
            *access = shader_const(value >> 1, false);
            access->count = 2;
            return true;
        }
        value = field->width > 8 ? value >> 1 : value;
        break;
    case 'G':
        value = memory->insn->row == IR3_STG_A6 ? value >> 4 : value & 0xff;
        break;
    case 'h':
        number = !ir3_bits(bits, 7, 6);
        break;
    case 'F':
    case 'I':
        number = value >> 8;
        value &= 0xff;
        break;
    case 'H':
        number = value & 1;
        value >>= 1;
        break;
    case 'L':
        number = value >> 1 & 1;
        value >>= 2;
        break;
    default:
        return false;
    }
    *access = number                           ? shader_number((int32_t)value, false)
              : is_data(memory, field->letter) ? shader_register(value, memory->half, memory->components)
                                               : shader_register(value, false, count);
    if (field->letter == 'L' && !number && memory->generation >= IR3_A8XX && !(isa_field_get(field, bits) & 1))
        *access = shader_register(value, true, 1);
    return true;
}

static unsigned use_of(const struct isa_row *row, const struct isa_field *field)
{
    unsigned use = 0;
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_OPERAND && &row->fields[row->effects[i].field - 1] == field)
            use |= row->effects[i].use;
    return use;
}

/* A field of consts that the instruction writes, or that a1.x has a part of. */
static void add_const_place(struct shader_list *list, const struct gpucode_insn *insn)
{
    const struct isa_field *field = field_of(ir3_row(insn), 'Z');
    if ((field && isa_field_get(field, insn->bits) >> 8) || insn->row == IR3_LDC_K)
        shader_add(list, shader_register(IR3_A0 + 1, false, 1));
}

static void add_memory(struct shader_list *list, const struct gpucode_insn *insn)
{
    struct memory memory = memory_of(insn);
    struct a3xx_access access, result = {0};
    char result_letter = 0;
    unsigned source = 0;
    for (unsigned e = 0; e < memory.row->element_count; e++) {
        if (!memory.row->elements[e].is_field)
            continue;
        const struct isa_field *field = &memory.row->fields[memory.row->elements[e].index];
        if (!of_field(&memory, field, &access))
            continue;
        unsigned use = use_of(memory.row, field);
        if (use == (GPUCODE_USE_READ | GPUCODE_USE_WRITE)) { /* the data stand after the result */
            struct a3xx_access data = access;
            data.count = (uint8_t)(memory.components * (memory.exchange ? 3 : 2));
            shader_add_source(list, data, field->letter, ++source, false);
        }
        if (use & GPUCODE_USE_WRITE) {
            result = access;
            result_letter = field->letter;
        } else {
            shader_add_source(list, access, field->letter, ++source, false);
        }
    }
    add_const_place(list, insn);
    bool keeps = insn->row == IR3_SHFL || insn->row == IR3_RAY_INTERSECTION;
    if (result_letter && keeps)
        shader_add_source(list, result, 0, ++source, false);
    if (result_letter)
        shader_add_result(list, result, result_letter, false);
}

static void add_alias(struct shader_list *list, const struct gpucode_insn *insn)
{
    unsigned kind = ir3_bits(insn->bits, 52, 51);
    bool half = !(insn->bits & IR3_BIT(50));
    if (!kind)
        shader_add_source(list, shader_register(ir3_bits(insn->bits, 7, 0), half, 1), 'M', 1, false);
    else if (kind == 1)
        shader_add_source(list, shader_const(ir3_bits(insn->bits, 10, 0), half), 'M', 1, false);
}

/* --- all
 * -------------------------------------------------------------------------------------------------------------- */

/* What is read beside operands: a0.x for those relative to it, and the order of consts. */
static void add_implied(struct shader_list *list, const struct gpucode_insn *insn)
{
    bool relative = insn->row == IR3_MOVS_A0, consts = false;
    for (unsigned i = 0; i < list->count; i++) {
        relative |= list->access[i].relative;
        consts |= list->access[i].file == A3XX_FILE_CONST;
    }
    if (relative)
        shader_add(list, shader_register(IR3_A0, false, 1));
    bool writes = insn->row == IR3_STC || insn->row == IR3_STSC || insn->row == IR3_LDC_K || insn->row == IR3_LDG_K;
    if (consts)
        shader_add(list, (struct a3xx_access){.file = A3XX_FILE_ORDER, .number = A3XX_ORDER_CONSTS, .count = 1});
    if (writes)
        shader_add(list, (struct a3xx_access){
                             .file = A3XX_FILE_ORDER, .number = A3XX_ORDER_CONSTS, .count = 1, .write = true});
}

unsigned ir3_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX])
{
    struct shader_list list = {access, 0};
    if (insn->row == IR3_RAW)
        return 0;
    switch (shader_category(insn->bits)) {
    case 0:
        add_flow(&list, insn);
        break;
    case 1:
        (ir3_row(insn)->marks & IR3_MARK_MULTI ? add_moves : add_move)(&list, insn);
        break;
    case 2:
    case 4:
        add_arithmetic(&list, insn);
        break;
    case 3:
        add_three(&list, insn);
        break;
    case 5:
        add_texture(&list, insn);
        break;
    case 6:
        add_memory(&list, insn);
        break;
    default:
        if (insn->row == IR3_ALIAS)
            add_alias(&list, insn);
    }
    add_implied(&list, insn);
    return list.count;
}

/* up0.x: a predicate for all fibers at once. */
bool ir3_is_scalar_predicate(const struct gpucode_insn *insn)
{
    unsigned number = ir3_bits(insn->bits, 39, 32);
    return shader_category(insn->bits) == 2 && number >= IR3_A0 && number < IR3_P0;
}

bool ir3_is_scalar(const struct gpucode_insn *insn)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned category = shader_category(insn->bits), count = ir3_accesses(insn, access);
    if (!ir3_chip(insn->target)->scalar || category < 1 || category > 3 || insn->row == IR3_MOVMSK ||
        insn->row == IR3_MOVS || insn->row == IR3_MOVS_A0)
        return false;
    bool result = false;
    for (unsigned i = 0; i < count; i++) {
        bool shared = ir3_is_shared(&access[i]);
        if (access[i].write && !shared && !ir3_is_scalar_predicate(insn))
            return false;
        if (!access[i].write && !shared && (ir3_is_general(&access[i]) || access[i].relative))
            return false;
        result |= access[i].write;
    }
    return result;
}
