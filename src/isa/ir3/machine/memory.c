/* SPDX-License-Identifier: MIT */
/* Category 6: loads, stores and atomic operations, on addresses, buffers, images and consts. */
#include "isa/ir3/machine/image.h"

static const char *mnemonic_of(const struct ir3_op *op)
{
    return ir3_rows.rows[op->row].facts.mnemonic;
}

static void refuse_form(struct ir3_run *run, const struct ir3_op *op, const char *what)
{
    IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_FORM, mnemonic_of(op), what);
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* Helpers and killed fibers go through the motions, without effect on memory. */
static bool is_dark(const struct ir3_run *run, unsigned lane)
{
    return run->state->fiber[run->lane[lane]].killed;
}

/* Register `component` of data, of one fiber. */
static uint32_t data_of(const struct ir3_run *run, const struct ir3_operand *operand, unsigned lane, unsigned component)
{
    if (!operand || operand->none)
        return 0;
    return operand->access.file == A3XX_FILE_IMMEDIATE
               ? operand->value[0]
               : ir3_read_register(run->state, run->lane[lane], operand->access.half,
                                   (uint32_t)operand->access.number + component);
}

/* An address of one or two registers or consts, as the generation has it. */
static void fetch_addresses(struct ir3_run *run, const struct ir3_operand *operand, uint64_t *addresses)
{
    uint32_t low[IR3_WAVE_MAX], high[IR3_WAVE_MAX] = {0};
    struct ir3_operand nothing = {.none = true};
    ir3_fetch(run, operand ? operand : &nothing, 0, 0, low);
    if (operand && operand->access.count > 1)
        ir3_fetch(run, operand, 0, 1, high);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] = low[i] | (uint64_t)high[i] << 32;
}

static void fetch_letter(struct ir3_run *run, const struct ir3_op *op, char letter, uint32_t *values)
{
    const struct ir3_operand *operand = ir3_operand_of(op, letter);
    struct ir3_operand nothing = {.none = true};
    ir3_fetch(run, operand ? operand : &nothing, 0, 0, values);
}

static const struct isa_field *field_of(const struct ir3_op *op, char letter)
{
    const struct isa_row *row = &ir3_rows.rows[op->row];
    for (unsigned i = 0; i < row->field_count; i++)
        if (row->fields[i].letter == letter)
            return &row->fields[i];
    return NULL;
}

static unsigned low_first(const struct ir3_op *op, char letter)
{
    const struct isa_field *field = field_of(op, letter);
    return field ? ir3_low_first(field, op->insn.bits) : 0;
}

static int64_t signed_offset(const struct ir3_op *op)
{
    const struct isa_field *field = field_of(op, 'o');
    return field ? ir3_signed(ir3_low_first(field, op->insn.bits), field->width) : 0;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* The form of a6xx: ((R2 << S) + O) << T, where loads and stores have the parts in another order. */
static void add_shifted(struct ir3_run *run, const struct ir3_op *op, uint64_t *addresses)
{
    unsigned value = ir3_field(op, 'G'), bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits));
    bool store = op->row == IR3_STG_A6;
    unsigned shift = store ? value >> 2 & 3 : value >> 10, offset = store ? value & 3 : value >> 8 & 3;
    uint32_t index[IR3_WAVE_MAX];
    fetch_letter(run, op, 'G', index);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] += (((uint64_t)index[i] << shift) + offset) * bytes;
}

static void add_bytes(struct ir3_run *run, const struct ir3_op *op, uint64_t *addresses)
{
    uint32_t index[IR3_WAVE_MAX];
    fetch_letter(run, op, 'p', index);
    for (unsigned i = 0; i < run->lanes; i++)
        addresses[i] += (uint64_t)index[i] + ir3_field(op, 'l');
}

static void find_addresses(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space, uint64_t *addresses)
{
    fetch_addresses(run, ir3_operand_of(op, space == IR3_GLOBAL ? 'J' : 'q'), addresses);
    if (op->row == IR3_LDG_A6 || op->row == IR3_STG_A6)
        add_shifted(run, op, addresses);
    else if (op->row == IR3_LDG_A7 || op->row == IR3_STG_A7)
        add_bytes(run, op, addresses);
    for (unsigned i = 0; i < run->lanes; i++) {
        addresses[i] += (uint64_t)signed_offset(op);
        if (space != IR3_GLOBAL || run->core->target->generation == IR3_A4XX)
            addresses[i] = (uint32_t)addresses[i];
    }
}

static void load(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space)
{
    unsigned bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits)), count = low_first(op, 'k');
    uint64_t addresses[IR3_WAVE_MAX], value;
    uint32_t values[IR3_WAVE_MAX];
    find_addresses(run, op, space, addresses);
    for (unsigned k = 0; k < count && !run->halted; k++) {
        for (unsigned i = 0; i < run->lanes; i++) {
            run->index = run->lane[i];
            if (!ir3_read_bytes(run, space, addresses[i] + (uint64_t)k * bytes, bytes, &value))
                return;
            values[i] = (uint32_t)value;
        }
        ir3_put(run, &op->result, 0, k, values);
    }
}

static void store(struct ir3_run *run, const struct ir3_op *op, enum ir3_space space, char letter)
{
    unsigned bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits)), count = low_first(op, 'k');
    const struct ir3_operand *data = ir3_operand_of(op, letter);
    uint64_t addresses[IR3_WAVE_MAX];
    find_addresses(run, op, space, addresses);
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        for (unsigned k = 0; k < count && !is_dark(run, i); k++)
            if (!ir3_write_bytes(run, space, addresses[i] + (uint64_t)k * bytes, bytes, data_of(run, data, i, k)))
                return;
    }
}

/* --- buffers by their slots --------------------------------------------------------------------------------------- */

/* The slots that the fibers name: those of a uniform operand are the same. */
static bool fetch_slots(struct ir3_run *run, const struct ir3_op *op, uint32_t *slots)
{
    char letter = field_of(op, 'h') ? 'h' : 'F';
    bool uniform = ir3_bits(op->insn.bits, 7, 6) == 1;
    fetch_letter(run, op, letter, slots);
    for (unsigned i = 1; i < run->lanes && letter == 'h' && uniform; i++) {
        if (slots[i] != slots[0] && run->state->choice.uniform_traps) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_UNIFORM, "the slot");
            return false;
        }
        slots[i] = slots[0];
    }
    return true;
}

static bool is_bindless(const struct ir3_op *op)
{
    return field_of(op, 'h') && op->insn.bits & IR3_BIT(8);
}

/* Where a bindless descriptor lies: the low two bits of its base say how far they are apart, 2 << N words. */
static bool find_descriptor(struct ir3_run *run, const struct ir3_op *op, uint32_t slot, uint64_t *address)
{
    unsigned number = ir3_bits(op->insn.bits, 3, 1);
    const uint32_t *word = run->state->bindless[number];
    uint64_t base = word[0] | (uint64_t)word[1] << 32;
    *address = (base & ~UINT64_C(3)) + (uint64_t)slot * (8u << (base & 3));
    if (!(base & ~UINT64_C(3)))
        IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_BINDLESS, mnemonic_of(op), number);
    return !run->halted;
}

/* The format of texels by its number in descriptors of a6xx and a7xx; GPUCODE_IR3_FORMATS: the machine has none such.
 */
static uint32_t format_of_number(unsigned number)
{
    static const uint8_t numbers[GPUCODE_IR3_FORMATS][3] = {
        [GPUCODE_IR3_R32] = {0x4a, 0x4b, 0x4c},    [GPUCODE_IR3_RG32] = {0x67, 0x68, 0x69},
        [GPUCODE_IR3_RGBA32] = {0x82, 0x83, 0x84}, [GPUCODE_IR3_R16] = {0x17, 0x18, 0x19},
        [GPUCODE_IR3_RG16] = {0x45, 0x46, 0x47},   [GPUCODE_IR3_RGBA16] = {0x62, 0x63, 0x64},
        [GPUCODE_IR3_R8] = {0x05, 0x06},           [GPUCODE_IR3_RG8] = {0x11, 0x12},
        [GPUCODE_IR3_RGBA8] = {0x33, 0x34},        [GPUCODE_IR3_RGBA8_UNORM] = {0x30},
    };
    uint32_t format = 0;
    for (; format < GPUCODE_IR3_FORMATS; format++)
        for (unsigned i = 0; i < 3; i++)
            if (numbers[format][i] == number)
                return format;
    return format;
}

/* A buffer or image by its words, laid out as those of textures (Mesa's register database: A6XX_TEX_CONST). */
static bool take_descriptor(struct ir3_run *run, const struct ir3_op *op, const uint32_t word[6])
{
    struct ir3_bound *found = &run->found;
    uint32_t width = word[1] & 0x7fff, height = word[1] >> 15 & 0x7fff, depth = word[5] >> 17 & 0x1fff;
    uint32_t format = format_of_number(word[0] >> 22 & 0xff);
    bool buffer = word[2] >> 29 == 4;
    if (run->core->target->generation > IR3_A7XX || word[0] & 3 || format == GPUCODE_IR3_FORMATS) {
        refuse_form(run, op, "a descriptor of that format, tiling or generation");
        return false;
    }
    found->field[GPUCODE_IR3_BUFFER_ADDRESS] = word[4] & ~UINT32_C(31);
    found->field[GPUCODE_IR3_BUFFER_HIGH] = word[5] & 0x1ffff;
    found->field[GPUCODE_IR3_BUFFER_FORMAT] = format;
    uint32_t pitch = word[2] >> 7 & 0x3fffff, layer = (word[3] & 0x7fffff) << 12, texel = ir3_texel_bytes(found);
    if (buffer) { /* elements are counted in both fields together (Mesa, fd6_image.cc) */
        found->field[GPUCODE_IR3_BUFFER_SIZE] = (width | height << 15) * texel;
        return true;
    }
    pitch = pitch ? pitch : width * texel;
    layer = layer ? layer : height * pitch;
    found->field[GPUCODE_IR3_BUFFER_WIDTH] = width;
    found->field[GPUCODE_IR3_BUFFER_HEIGHT] = height;
    found->field[GPUCODE_IR3_BUFFER_DEPTH] = depth;
    found->field[GPUCODE_IR3_BUFFER_PITCH] = pitch;
    found->field[GPUCODE_IR3_BUFFER_LAYER] = layer;
    found->field[GPUCODE_IR3_BUFFER_SIZE] = layer * (depth ? depth : 1);
    return true;
}

/* What a bindless descriptor in memory says; it counts up to the next call. */
static const struct ir3_bound *bindless_at(struct ir3_run *run, const struct ir3_op *op, uint32_t slot, bool constants)
{
    uint64_t address, value;
    uint32_t word[6] = {0};
    if (!find_descriptor(run, op, slot, &address))
        return NULL;
    for (unsigned i = 0; i < (constants ? 2u : 6u); i++) {
        if (!ir3_read_bytes(run, IR3_GLOBAL, address + 4 * i, 4, &value))
            return NULL;
        word[i] = (uint32_t)value;
    }
    run->found = (struct ir3_bound){{0}};
    if (!constants)
        return take_descriptor(run, op, word) ? &run->found : NULL;
    run->found.field[GPUCODE_IR3_BUFFER_ADDRESS] = word[0];
    run->found.field[GPUCODE_IR3_BUFFER_HIGH] = word[1] & 0x1ffff;
    run->found.field[GPUCODE_IR3_BUFFER_SIZE] = 16 * (word[1] >> 17);
    return &run->found;
}

static const struct ir3_bound *bound_at(struct ir3_run *run, const struct ir3_op *op, uint32_t slot, bool constants)
{
    struct ir3_state *state = run->state;
    if (is_bindless(op))
        return bindless_at(run, op, slot, constants);
    uint32_t room = constants ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS;
    const struct ir3_bound *bound = constants ? state->ubo : state->buffer;
    if (slot < room && (bound[slot].field[GPUCODE_IR3_BUFFER_ADDRESS] | bound[slot].field[GPUCODE_IR3_BUFFER_HIGH]))
        return &bound[slot];
    IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_NO_BUFFER, constants ? "buffer of constants" : "buffer", (unsigned)slot);
    return NULL;
}

/* Is that within the buffer? What is not reads as 0, and is not stored. */
static bool is_within(const struct ir3_bound *bound, uint64_t offset, unsigned bytes)
{
    uint64_t size = bound->field[GPUCODE_IR3_BUFFER_SIZE];
    return bytes <= size && offset <= size - bytes;
}

/* What an access by slot has in common, whatever the form of the row. */
struct access {
    uint32_t slot[IR3_WAVE_MAX];
    uint64_t offset[IR3_WAVE_MAX];   /* bytes; untyped */
    uint32_t place[3][IR3_WAVE_MAX]; /* coordinates; typed */
    unsigned type, bytes, count;
    bool typed;
};

static void fetch_place(struct ir3_run *run, const struct ir3_op *op, struct access *access)
{
    char letter = field_of(op, 'h') ? field_of(op, 'O') ? 'p' : 'q' : 'H';
    const struct ir3_operand *operand = ir3_operand_of(op, letter);
    struct ir3_operand nothing = {.none = true};
    unsigned dimensions = ir3_field(op, 'v') + 1;
    for (unsigned d = 0; d < 3; d++)
        ir3_fetch(run, operand && d < dimensions ? operand : &nothing, 0, d, access->place[d]);
}

/* Offsets: elements and a number of them, or bytes, which the old forms have beside those in words. */
static void fetch_offsets(struct ir3_run *run, const struct ir3_op *op, struct access *access)
{
    bool old = !field_of(op, 'h'), atomic = field_of(op, 'q') != NULL && !old;
    unsigned number = ir3_field(op, 'O'), element = (number & 3) << 5 | number >> 3;
    uint32_t offset[IR3_WAVE_MAX];
    unsigned unit = atomic && access->bytes == 8 ? 2 : access->bytes;
    bool loads = op->row == IR3_LDGB_4 || op->row == IR3_LDGB_5 || op->row == IR3_LDIB;
    bool stores = op->row == IR3_STGB_4 || op->row == IR3_STGB_5 || op->row == IR3_STIB_4 || op->row == IR3_STIB_5;
    fetch_letter(run, op, !old ? (atomic ? 'q' : 'p') : loads || stores ? 'I' : 'q', offset);
    for (unsigned i = 0; i < run->lanes; i++)
        access->offset[i] = old ? offset[i] : ((uint64_t)offset[i] + element) * unit;
}

static bool fetch_access(struct ir3_run *run, const struct ir3_op *op, struct access *access)
{
    access->type = ir3_memory_type(op->insn.bits);
    access->bytes = ir3_type_bytes(access->type);
    access->count = ir3_field(op, 'E') + 1;
    access->typed = ir3_field(op, 'f');
    if (!fetch_slots(run, op, access->slot))
        return false;
    if (access->typed)
        fetch_place(run, op, access);
    return true;
}

static bool load_texels(struct ir3_run *run, const struct ir3_op *op, const struct access *access)
{
    uint32_t values[4][IR3_WAVE_MAX];
    for (unsigned i = 0; i < run->lanes; i++) {
        const struct ir3_bound *bound = bound_at(run, op, access->slot[i], false);
        const uint32_t place[3] = {access->place[0][i], access->place[1][i], access->place[2][i]};
        uint32_t texel[4];
        run->index = run->lane[i];
        if (!bound || !ir3_load_texel(run, bound, place, access->type, texel))
            return false;
        for (unsigned k = 0; k < 4; k++)
            values[k][i] = texel[k];
    }
    for (unsigned k = 0; k < access->count; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
    return true;
}

static void load_elements(struct ir3_run *run, const struct ir3_op *op)
{
    struct access access;
    uint32_t values[IR3_WAVE_MAX];
    if (ir3_field(op, 'w')) {
        refuse_form(run, op, "a residency code");
        return;
    }
    if (!fetch_access(run, op, &access) || (access.typed && (load_texels(run, op, &access), true)))
        return;
    fetch_offsets(run, op, &access);
    for (unsigned k = 0; k < access.count; k++) {
        for (unsigned i = 0; i < run->lanes; i++) {
            const struct ir3_bound *bound = bound_at(run, op, access.slot[i], false);
            uint64_t value = 0, offset = access.offset[i] + (uint64_t)k * access.bytes;
            run->index = run->lane[i];
            if (!bound || (is_within(bound, offset, access.bytes) &&
                           !ir3_read_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset, access.bytes, &value)))
                return;
            values[i] = (uint32_t)value;
        }
        ir3_put(run, &op->result, 0, k, values);
    }
}

static void store_elements(struct ir3_run *run, const struct ir3_op *op)
{
    struct access access;
    const struct ir3_operand *data = ir3_operand_of(op, field_of(op, 'g') ? 'g' : 'p');
    if (!fetch_access(run, op, &access))
        return;
    if (!access.typed)
        fetch_offsets(run, op, &access);
    for (unsigned i = 0; i < run->lanes; i++) {
        const struct ir3_bound *bound = is_dark(run, i) ? NULL : bound_at(run, op, access.slot[i], false);
        const uint32_t place[3] = {access.place[0][i], access.place[1][i], access.place[2][i]};
        uint32_t texel[4] = {0};
        run->index = run->lane[i];
        for (unsigned k = 0; bound && k < access.count; k++) {
            uint64_t offset = access.offset[i] + (uint64_t)k * access.bytes;
            texel[k] = data_of(run, data, i, k);
            if (!access.typed && is_within(bound, offset, access.bytes) &&
                !ir3_write_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset, access.bytes, texel[k]))
                return;
        }
        if (run->halted || (bound && access.typed && !ir3_store_texel(run, bound, place, access.type, texel)))
            return;
    }
}

static void tell_size(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], values[3][IR3_WAVE_MAX] = {0};
    unsigned bytes = ir3_type_bytes(ir3_memory_type(op->insn.bits));
    if (!fetch_slots(run, op, slots))
        return;
    for (unsigned i = 0; i < run->lanes; i++) {
        const struct ir3_bound *bound = bound_at(run, op, slots[i], false);
        if (!bound)
            return;
        uint32_t width = bound->field[GPUCODE_IR3_BUFFER_WIDTH],
                 elements = bound->field[GPUCODE_IR3_BUFFER_SIZE] / bytes;
        bool old = run->core->target->generation < IR3_A6XX;
        values[0][i] = width ? width : old ? elements & 0xffff : elements;
        values[1][i] = width ? bound->field[GPUCODE_IR3_BUFFER_HEIGHT] : old ? elements >> 16 : 0;
        values[2][i] = width ? bound->field[GPUCODE_IR3_BUFFER_DEPTH] : 0;
    }
    for (unsigned k = 0; k < 3; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
}

/* resbase: where a bindless descriptor lies. */
static void tell_base(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], values[2][IR3_WAVE_MAX];
    if (!is_bindless(op)) {
        ir3_trap(run, op);
        return;
    }
    if (!fetch_slots(run, op, slots))
        return;
    for (unsigned i = 0; i < run->lanes; i++) {
        uint64_t address;
        if (!find_descriptor(run, op, slots[i], &address))
            return;
        values[0][i] = (uint32_t)address;
        values[1][i] = (uint32_t)(address >> 32);
    }
    for (unsigned k = 0; k < 2; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
}

/* --- consts ------------------------------------------------------------------------------------------------------- */

/* Where in the const file it begins, components: a1.x is that of the first fiber. */
static uint32_t const_place(const struct ir3_run *run, const struct ir3_op *op)
{
    unsigned place = ir3_field(op, 'Z');
    bool indirect = op->row == IR3_LDC_K || place >> 8;
    uint32_t base = indirect ? ir3_read_register(run->state, run->lane[0], false, IR3_A0 + 1) & 0xffff : 0;
    return base + (op->row == IR3_LDC_K ? 0 : place & 0xff);
}

static bool set_const(struct ir3_run *run, uint32_t number, uint32_t value)
{
    if (number < A3XX_CONST_COUNT) {
        if (run->core->hook_kinds & GPUCODE_EVENT_WRITE)
            ir3_raise(run, GPUCODE_EVENT_WRITE, run->lane[0], GPUCODE_A3XX_CONST, number, value,
                      run->state->consts[number]);
        run->state->consts[number] = value;
        return true;
    }
    if (!run->state->choice.range_zero)
        IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_OUTSIDE, (int)number);
    return !run->halted;
}

/* stc: values of 16 bits lie in pairs, the lower first. */
static void store_consts(struct ir3_run *run, const struct ir3_op *op)
{
    const struct ir3_operand *data = ir3_operand_of(op, 'p');
    unsigned count = low_first(op, 'k');
    uint32_t place = const_place(run, op);
    bool half = ir3_type_bytes(ir3_memory_type(op->insn.bits)) < 4;
    for (unsigned k = 0; k < count; k += half ? 2 : 1) {
        uint32_t value = data_of(run, data, 0, k);
        if (half && k + 1 < count)
            value |= data_of(run, data, 0, k + 1) << 16;
        if (!set_const(run, place + (half ? k / 2 : k), value))
            return;
    }
}

static bool read_constants(struct ir3_run *run, const struct ir3_bound *bound, uint64_t offset, uint32_t *word)
{
    uint64_t value = 0;
    bool good =
        !is_within(bound, offset, 4) || ir3_read_bytes(run, IR3_GLOBAL, ir3_bound_address(bound) + offset, 4, &value);
    *word = (uint32_t)value;
    return good;
}

/* ldc: the offset counts vectors; with .k vectors go to consts. */
static void load_constants(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t slots[IR3_WAVE_MAX], offsets[IR3_WAVE_MAX], values[IR3_WAVE_MAX];
    bool into_consts = op->row == IR3_LDC_K;
    unsigned count = into_consts ? 4 * (ir3_field(op, 'v') + 1) : ir3_field(op, 'v') + 1;
    if (!fetch_slots(run, op, slots))
        return;
    fetch_letter(run, op, 'L', offsets);
    for (unsigned k = 0; k < count && !run->halted; k++) {
        for (unsigned i = 0; i < (into_consts ? 1 : run->lanes); i++) {
            const struct ir3_bound *bound = bound_at(run, op, slots[i], true);
            unsigned component = into_consts ? 0 : ir3_field(op, 'Y');
            run->index = run->lane[i];
            if (!bound || !read_constants(run, bound, 16 * (uint64_t)offsets[i] + 4 * (component + k), &values[i]))
                return;
        }
        if (!into_consts)
            ir3_put(run, &op->result, 0, k, values);
        else if (!set_const(run, const_place(run, op) + k, values[0]))
            return;
    }
}

/* ldg.k: vectors from an address. */
static void load_global_consts(struct ir3_run *run, const struct ir3_op *op)
{
    uint64_t addresses[IR3_WAVE_MAX], value;
    uint32_t place = const_place(run, op);
    find_addresses(run, op, IR3_GLOBAL, addresses);
    run->index = run->lane[0];
    for (unsigned k = 0; k < 4 * low_first(op, 'k'); k++)
        if (!ir3_read_bytes(run, IR3_GLOBAL, addresses[0] + 4 * k, 4, &value) ||
            !set_const(run, place + k, (uint32_t)value))
            return;
}

static void load_varyings(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t values[IR3_WAVE_MAX];
    for (unsigned k = 0; k < low_first(op, 'k'); k++) {
        uint32_t location = ir3_field(op, 'l') + k;
        if (location >= GPUCODE_A3XX_VARYINGS) {
            IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_VARYING, (unsigned)location);
            return;
        }
        for (unsigned i = 0; i < run->lanes; i++)
            values[i] = run->state->varying[0][location];
        ir3_put(run, &op->result, 0, k, values);
    }
}

static void tell_number(struct ir3_run *run, const struct ir3_op *op)
{
    uint32_t values[IR3_WAVE_MAX];
    for (unsigned i = 0; i < run->lanes; i++)
        values[i] = op->row == IR3_GETFIBERID ? run->lane[i] - run->first
                    : op->row == IR3_GETWID   ? run->first / run->state->choice.width % 16
                                              : 0;
    ir3_put(run, &op->result, 0, 0, values);
}

void ir3_memory(struct ir3_run *run, const struct ir3_op *op)
{
    switch (op->row) {
    case IR3_LDG:
    case IR3_LDG_A6:
    case IR3_LDG_A7:
        load(run, op, IR3_GLOBAL);
        return;
    case IR3_STG:
    case IR3_STG_A6:
    case IR3_STG_A7:
        store(run, op, IR3_GLOBAL, 'g');
        return;
    case IR3_LDL:
    case IR3_LDLW:
        load(run, op, IR3_LOCAL);
        return;
    case IR3_STL:
    case IR3_STLW:
        store(run, op, IR3_LOCAL, 'p');
        return;
    case IR3_LDP:
        load(run, op, IR3_PRIVATE);
        return;
    case IR3_STP:
        store(run, op, IR3_PRIVATE, 'p');
        return;
    case IR3_LDG_K:
        load_global_consts(run, op);
        return;
    case IR3_LDLV:
        load_varyings(run, op);
        return;
    case IR3_STC:
        store_consts(run, op);
        return;
    case IR3_LDC:
    case IR3_LDC_K:
        load_constants(run, op);
        return;
    case IR3_LDIB_B:
    case IR3_LDGB_4:
    case IR3_LDGB_5:
    case IR3_LDIB:
        load_elements(run, op);
        return;
    case IR3_STIB_B:
    case IR3_STGB_4:
    case IR3_STGB_5:
    case IR3_STIB_4:
    case IR3_STIB_5:
        store_elements(run, op);
        return;
    case IR3_RESINFO:
    case IR3_RESINFO_B:
        tell_size(run, op);
        return;
    case IR3_GETFIBERID:
    case IR3_GETWID:
    case IR3_GETSPID:
        tell_number(run, op);
        return;
    case IR3_RESBASE:
        tell_base(run, op);
        return;
    default: /* stsc */
        ir3_trap(run, op);
    }
}

/* --- atomic operations -------------------------------------------------------------------------------------------- */

static uint64_t atomic_result(enum ir3_atomic action, bool is_signed, uint64_t old, uint64_t data, uint64_t compared)
{
    bool less = is_signed ? (int32_t)old < (int32_t)data : old < data;
    switch (action) {
    case IR3_ADD:
        return old + data;
    case IR3_SUB:
        return old - data;
    case IR3_XCHG:
        return data;
    case IR3_INC:
        return old + 1;
    case IR3_DEC:
        return old - 1;
    case IR3_CMPXCHG:
        return old == compared ? data : old;
    case IR3_MIN:
        return less ? old : data;
    case IR3_MAX:
        return less ? data : old;
    case IR3_AND:
        return old & data;
    case IR3_OR:
        return old | data;
    default:
        return old ^ data;
    }
}

/* Where each fiber's value lies, and whether it is within its buffer. False with the machine halted. */
static bool find_values(struct ir3_run *run, const struct ir3_op *op, enum ir3_atomic_form form, unsigned bytes,
                        uint64_t *addresses, bool *within)
{
    for (unsigned i = 0; i < run->lanes; i++)
        within[i] = true;
    if (form == IR3_ATOMIC_LOCAL || form == IR3_ATOMIC_G) {
        fetch_addresses(run, ir3_operand_of(op, 'I'), addresses);
        return true;
    }
    struct access access;
    if (!fetch_access(run, op, &access))
        return false;
    access.bytes = bytes;
    if (!access.typed)
        fetch_offsets(run, op, &access);
    for (unsigned i = 0; i < run->lanes; i++) {
        const struct ir3_bound *bound = bound_at(run, op, access.slot[i], false);
        const uint32_t place[3] = {access.place[0][i], access.place[1][i], access.place[2][i]};
        if (!bound)
            return false;
        if (access.typed)
            within[i] = ir3_texel_offset(bound, place, &access.offset[i]);
        within[i] = within[i] && is_within(bound, access.offset[i], bytes);
        addresses[i] = ir3_bound_address(bound) + access.offset[i];
    }
    return true;
}

static uint64_t value_of(const struct ir3_run *run, const struct ir3_operand *data, unsigned lane, unsigned component,
                         bool wide)
{
    uint64_t low = data_of(run, data, lane, component);
    return wide ? low | (uint64_t)data_of(run, data, lane, component + 1) << 32 : low;
}

void ir3_atomic(struct ir3_run *run, const struct ir3_op *op, enum ir3_atomic_form form, enum ir3_atomic action)
{
    unsigned type = ir3_memory_type(op->insn.bits);
    bool wide = type == IR3_U8, within[IR3_WAVE_MAX], first = !run->state->choice.compare_first;
    unsigned bytes = wide ? 8 : 4, words = bytes / 4;
    uint64_t addresses[IR3_WAVE_MAX], old;
    uint32_t values[2][IR3_WAVE_MAX] = {0};
    if (type != IR3_U32 && type != IR3_S32 && (!wide || form < IR3_ATOMIC_G)) {
        refuse_form(run, op, "its type");
        return;
    }
    if (!find_values(run, op, form, bytes, addresses, within))
        return;
    const struct ir3_operand *data =
        form == IR3_ATOMIC_B ? &op->result : ir3_operand_of(op, form == IR3_ATOMIC_S ? 'I' : 'H');
    unsigned from = form == IR3_ATOMIC_B ? words : 0; /* the data stand after the result */
    enum ir3_space space = form == IR3_ATOMIC_LOCAL ? IR3_LOCAL : IR3_GLOBAL;
    for (unsigned i = 0; i < run->lanes; i++) {
        run->index = run->lane[i];
        if (is_dark(run, i) || !within[i])
            continue;
        uint64_t one = value_of(run, data, i, from, wide);
        uint64_t other = action == IR3_CMPXCHG ? value_of(run, data, i, from + words, wide) : 0;
        if (addresses[i] % bytes) {
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_UNALIGNED, (unsigned long long)addresses[i], bytes);
            return;
        }
        bool swaps = action == IR3_CMPXCHG && !first;
        if (!ir3_read_bytes(run, space, addresses[i], bytes, &old) ||
            !ir3_write_bytes(run, space, addresses[i], bytes,
                             atomic_result(action, type == IR3_S32, old, swaps ? other : one, swaps ? one : other)))
            return;
        values[0][i] = (uint32_t)old;
        values[1][i] = (uint32_t)(old >> 32);
    }
    for (unsigned k = 0; k < words; k++)
        ir3_put(run, &op->result, 0, k, values[k]);
}
