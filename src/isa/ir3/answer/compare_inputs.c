/* SPDX-License-Identifier: MIT */
/* What is varied when two shaders are compared, and with which values. */
#include "isa/ir3/answer/compare.h"

#include <gpucode/insn.h>
#include <stdlib.h>
#include <string.h>

#define RELATIVE_REACH 64u /* components that are varied where a0.x says which one is read */

/* --- numbers ------------------------------------------------------------------------------------------------------ */

uint64_t compare_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void compare_numbers_add(struct compare_numbers *numbers, uint32_t value)
{
    for (unsigned i = 0; i < numbers->count; i++)
        if (numbers->list[i] == value)
            return;
    if (numbers->count < COMPARE_NUMBERS_MAX)
        numbers->list[numbers->count++] = value;
    else
        numbers->list[COMPARE_NUMBERS_MAX / 2 + numbers->next++ % (COMPARE_NUMBERS_MAX / 2)] = value;
}

/* Immediates of the code, also as floats. */
static void add_code(struct compare_numbers *numbers, const struct gpucode_image *image)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(image, &size);
    for (size_t at = info->prefix; at + 8 <= size; at += 8) {
        struct gpucode_insn insn;
        struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
        if (gpucode_decode(info->target, bytes + at, 8, at / 8, &insn) != GPUCODE_OK)
            continue;
        unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
        for (unsigned i = 0; i < count; i++)
            if (operands[i].type == GPUCODE_OPERAND_VALUE) {
                compare_numbers_add(numbers, (uint32_t)operands[i].value);
                compare_numbers_add(numbers, (uint32_t)operands[i].value + 1);
                compare_numbers_add(numbers, (uint32_t)operands[i].value - 1);
            }
    }
}

void compare_numbers_init(struct compare_numbers *numbers, const struct gpucode_image *const images[2])
{
    static const uint32_t corners[] = {
        0,          0xffffffff, 0x7fffffff, 3,          0xfffffffd, 0xff,       0xffff,     0xffff8000,
        0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc00000,
        0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x4b000000,
        0x4b800000, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x3c00,     0xbc00,
        0x3800,     0x7c00,     0xfc00,     0x7e00,     0x0400,     0x03ff,     0x7bff,     0x3c003c00,
        0x80008000, 0x7fff7fff, 0x00ff00ff, 0x3effffff, 0x3f7fffff, 0x3f800001, 0xbf000000, 0x40490fdb,
    };
    *numbers = (struct compare_numbers){{0}, 0, 0, {{0, 0}}, 0};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        compare_numbers_add(numbers, corners[i]);
    for (unsigned bit = 0; bit < 32; bit++) {
        compare_numbers_add(numbers, UINT32_C(1) << bit);
        compare_numbers_add(numbers, ~(UINT32_C(1) << bit));
    }
    for (unsigned i = 0; i < 2; i++)
        add_code(numbers, images[i]);
}

uint32_t compare_value(const struct compare_numbers *numbers, uint64_t *state, unsigned corners)
{
    uint64_t random = compare_random(state);
    uint32_t bits = (uint32_t)(random >> 32);
    if (random % 8 < corners)
        return numbers->list[bits % numbers->count];
    switch (random >> 3 & 3) {
    case 0: /* a float near 1, of either sign */
        return (bits & 0x807fffff) | (117 + (uint32_t)(random >> 8) % 20) << 23;
    case 1:
        return bits % 64;
    default:
        return bits;
    }
}

/* --- which registers ---------------------------------------------------------------------------------------------- */

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

static bool is_kept(const struct gpucode_shader_places *kept, struct gpucode_shader_place place)
{
    for (size_t i = 0; i < kept->count; i++)
        if (kept->list[i].space == place.space && kept->list[i].number == place.number)
            return true;
    return false;
}

static bool is_shared(const struct gpucode_machine *machine, unsigned space)
{
    struct gpucode_space_info info;
    return gpucode_machine_space(machine, space, &info) && info.shared;
}

/* An input for each thread, where threads have one each. False: no memory. */
static bool add_place(struct compare_inputs *inputs, struct gpucode_machine *const machines[2],
                      const struct gpucode_shader_compare_options *options, struct gpucode_shader_place place)
{
    struct compare_input input = {.place = place, .start = (uint32_t)inputs->count};
    for (size_t i = 0; i < inputs->place_count; i++) {
        const struct gpucode_shader_place *other = &inputs->list[inputs->places[i]].place;
        if (other->space == place.space && other->number == place.number)
            return true;
    }
    for (unsigned side = 0; side < 2; side++)
        input.skip[side] = is_kept(&options->kept[side], place);
    if (input.skip[0] && input.skip[1])
        return true;
    unsigned threads = 1;
    while (!is_shared(machines[0], place.space) && gpucode_machine_processor(machines[0], threads))
        threads++;
    if (inputs->count + threads > inputs->room) {
        size_t room = 2 * (inputs->count + threads);
        struct compare_input *list = realloc(inputs->list, room * sizeof *list);
        inputs->list = list ? list : inputs->list;
        uint32_t *places = list ? realloc(inputs->places, room * sizeof *places) : NULL;
        if (!places)
            return false;
        inputs->places = places;
        inputs->room = room;
    }
    inputs->places[inputs->place_count++] = input.start;
    for (; input.thread < threads; input.thread++)
        inputs->list[inputs->count++] = input;
    return true;
}

static bool add_usage(struct compare_inputs *inputs, struct gpucode_machine *const machines[2],
                      const struct gpucode_shader_compare_options *options, const struct gpucode_a3xx_usage *usage)
{
    static const unsigned spaces[] = {GPUCODE_A3XX_FULL, GPUCODE_A3XX_HALF};
    static const unsigned varyings[] = {GPUCODE_A3XX_VARYING, GPUCODE_A3XX_VARYING_I, GPUCODE_A3XX_VARYING_J};
    const struct gpucode_a3xx_file *files[] = {&usage->full, &usage->half};
    bool good = true;
    for (unsigned f = 0; f < 2; f++)
        for (uint32_t i = 0; i < 61 * 4; i++)
            if (has_bit(files[f]->inputs, i) || (files[f]->relative && i < RELATIVE_REACH))
                good = good && add_place(inputs, machines, options, (struct gpucode_shader_place){spaces[f], i});
    for (uint32_t i = 0; i < 32 * sizeof usage->const_reads / sizeof *usage->const_reads; i++)
        if (has_bit(usage->const_reads, i) || (usage->relative_const && i < RELATIVE_REACH))
            good = good && add_place(inputs, machines, options, (struct gpucode_shader_place){GPUCODE_A3XX_CONST, i});
    for (uint32_t i = 0; i < GPUCODE_A3XX_VARYINGS; i++)
        for (unsigned k = 0; k < 3 && has_bit(usage->varying_reads, i); k++)
            good = good && add_place(inputs, machines, options, (struct gpucode_shader_place){varyings[k], i});
    return good;
}

bool compare_inputs_find(struct compare_inputs *inputs, struct gpucode_machine *const machines[2],
                         const struct gpucode_shader_compare_options *options)
{
    struct gpucode_a3xx_usage usage;
    bool good = true;
    for (size_t i = 0; good && i < options->inputs.count; i++)
        good = add_place(inputs, machines, options, options->inputs.list[i]);
    for (unsigned side = 0; good && side < 2 && !options->inputs.count; side++)
        if (gpucode_shader_usage(gpucode_machine_image(machines[side]), &usage) == GPUCODE_OK)
            good = add_usage(inputs, machines, options, &usage);
    inputs->value = good ? calloc(inputs->count + 1, sizeof *inputs->value) : NULL;
    return inputs->value != NULL;
}

size_t compare_outputs_find(const struct gpucode_image *const images[2], struct gpucode_shader_place *list)
{
    struct gpucode_a3xx_usage usage[2];
    size_t count = 0;
    if (gpucode_shader_usage(images[0], &usage[0]) != GPUCODE_OK ||
        gpucode_shader_usage(images[1], &usage[1]) != GPUCODE_OK)
        return 0;
    for (uint32_t i = 0; i < 61 * 4 && count + 2 <= COMPARE_OUTPUTS_MAX; i++) {
        if (has_bit(usage[0].full.outputs, i) && has_bit(usage[1].full.outputs, i))
            list[count++] = (struct gpucode_shader_place){GPUCODE_A3XX_FULL, i};
        if (has_bit(usage[0].half.outputs, i) && has_bit(usage[1].half.outputs, i))
            list[count++] = (struct gpucode_shader_place){GPUCODE_A3XX_HALF, i};
    }
    return count;
}

/* --- what nobody has bound ---------------------------------------------------------------------------------------- */

static uint32_t read_field(const struct gpucode_machine *machine, unsigned space, uint32_t number)
{
    uint32_t value = 0;
    gpucode_machine_read(machine, 0, space, number, &value);
    return value;
}

void compare_bind_buffers(struct gpucode_machine *const machines[2])
{
    static const uint32_t fields[GPUCODE_IR3_BUFFER_FIELDS] = {
        [GPUCODE_IR3_BUFFER_SIZE] = 65536, [GPUCODE_IR3_BUFFER_WIDTH] = 64,  [GPUCODE_IR3_BUFFER_HEIGHT] = 64,
        [GPUCODE_IR3_BUFFER_DEPTH] = 4,    [GPUCODE_IR3_BUFFER_PITCH] = 256, [GPUCODE_IR3_BUFFER_LAYER] = 16384};
    for (unsigned space = GPUCODE_IR3_BUFFER; space <= GPUCODE_IR3_UBO; space++)
        for (uint32_t slot = 0; slot < (space == GPUCODE_IR3_UBO ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS); slot++) {
            uint32_t first = slot * GPUCODE_IR3_BUFFER_FIELDS;
            if (read_field(machines[0], space, first) || read_field(machines[0], space, first + 1) ||
                read_field(machines[1], space, first) || read_field(machines[1], space, first + 1))
                continue;
            for (unsigned side = 0; side < 2; side++) {
                for (uint32_t i = 0; i < GPUCODE_IR3_BUFFER_FIELDS; i++)
                    gpucode_machine_write(machines[side], 0, space, first + i, fields[i]);
                gpucode_machine_write(machines[side], 0, space, first + GPUCODE_IR3_BUFFER_ADDRESS, slot << 20);
                gpucode_machine_write(machines[side], 0, space, first + GPUCODE_IR3_BUFFER_HIGH,
                                      0x100u << (space == GPUCODE_IR3_UBO));
            }
        }
}

uint64_t compare_texels(const struct gpucode_machine *machine, unsigned unit)
{
    struct gpucode_space_info info;
    return gpucode_machine_space(machine, GPUCODE_IR3_BUFFER, &info) ? GPUCODE_IR3_TEXELS(unit)
                                                                     : GPUCODE_A3XX_TEXELS(unit);
}

enum { LOOKS = 1, LOOKS_INTO_VOLUME = 2, LOOKS_INTO_ARRAY = 4 };

/* Which units an image's instructions look into, and how: by their texts. */
static void find_looks(const struct gpucode_image *image, uint8_t looks[GPUCODE_A3XX_TEXTURES])
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(image, &size);
    for (size_t at = info->prefix; at + 8 <= size; at += 8) {
        struct gpucode_insn insn;
        char text[GPUCODE_TEXT_MAX], *unit, *end;
        if (gpucode_decode(info->target, bytes + at, 8, at / 8, &insn) != GPUCODE_OK ||
            gpucode_format(&insn, NULL, text, sizeof text, NULL) != GPUCODE_OK)
            continue;
        unit = strstr(text, "t#");
        bool any = strstr(text, ".s2en") != NULL;
        if (!unit && !any)
            continue;
        unsigned long number = unit ? strtoul(unit + 2, NULL, 10) : 0;
        if ((end = strchr(text, ' ')))
            *end = 0;
        uint8_t how = (uint8_t)(LOOKS | (strstr(text, ".3d") ? LOOKS_INTO_VOLUME : 0) |
                                (strstr(text, ".a") ? LOOKS_INTO_ARRAY : 0));
        for (unsigned i = 0; i < GPUCODE_A3XX_TEXTURES; i++)
            if (any || i == number)
                looks[i] |= how;
    }
}

void compare_textures_bind(struct compare_textures *textures, struct gpucode_machine *const machines[2])
{
    uint8_t looks[GPUCODE_A3XX_TEXTURES] = {0};
    for (unsigned side = 0; side < 2; side++)
        find_looks(gpucode_machine_image(machines[side]), looks);
    textures->count = 0;
    for (uint32_t unit = 0; unit < GPUCODE_A3XX_TEXTURES; unit++) {
        uint32_t first = unit * GPUCODE_A3XX_TEXTURE_FIELDS;
        if (!looks[unit] || read_field(machines[0], GPUCODE_A3XX_TEXTURE, first) ||
            read_field(machines[1], GPUCODE_A3XX_TEXTURE, first))
            continue;
        bool volume = looks[unit] & LOOKS_INTO_VOLUME;
        uint32_t depth = volume ? 8 : looks[unit] & LOOKS_INTO_ARRAY ? 2 : 1;
        const uint32_t fields[GPUCODE_A3XX_TEXTURE_FIELDS] = {8, 8, depth, 1,
                                                              volume ? GPUCODE_A3XX_3D : GPUCODE_A3XX_2D};
        for (unsigned side = 0; side < 2; side++)
            for (uint32_t i = 0; i < GPUCODE_A3XX_TEXTURE_FIELDS; i++)
                gpucode_machine_write(machines[side], 0, GPUCODE_A3XX_TEXTURE, first + i, fields[i]);
        textures->texels[textures->count] = 64 * depth;
        textures->unit[textures->count++] = (uint8_t)unit;
    }
}

/*
 * Memory of shaders that are compared: a word that a machine does not hold is random, by its address and the run's
 * seed, so that both shaders read the same whatever address they come to. Nothing that is stored reaches the machine.
 */

static uint64_t hash_of(uint64_t address)
{
    uint64_t state = address;
    return compare_random(&state);
}

/* Where the word is, or would be; `words` has room. */
static struct compare_word *find_word(const struct compare_memory *memory, struct compare_word *words, size_t room,
                                      uint64_t address)
{
    size_t at = (size_t)hash_of(address) & (room - 1);
    while (words[at].run == memory->run && words[at].address != address)
        at = (at + 1) & (room - 1);
    return &words[at];
}

static bool make_room(struct compare_memory *memory)
{
    if (2 * memory->count < memory->room)
        return true;
    size_t room = memory->room ? 2 * memory->room : 256;
    struct compare_word *words = calloc(room, sizeof *words);
    if (!words)
        return false;
    for (size_t i = 0; i < memory->room; i++)
        if (memory->words[i].run == memory->run)
            *find_word(memory, words, room, memory->words[i].address) = memory->words[i];
    free(memory->words);
    memory->words = words;
    memory->room = room;
    return true;
}

static uint32_t start_of(const struct compare_memory *memory, uint64_t address)
{
    unsigned char bytes[4];
    if (gpucode_machine_load(memory->machine, address, bytes, 4) == GPUCODE_OK) {
        uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        if (word)
            return word;
    }
    uint64_t state = memory->seed ^ hash_of(address);
    return memory->zero ? 0 : compare_value(memory->numbers, &state, 2);
}

/* The word at an address that is a multiple of four; null: no memory. */
static struct compare_word *word_at(struct compare_memory *memory, uint64_t address)
{
    if (!make_room(memory)) {
        memory->failed = true;
        return NULL;
    }
    struct compare_word *word = find_word(memory, memory->words, memory->room, address);
    if (word->run != memory->run) {
        *word = (struct compare_word){.run = memory->run, .address = address};
        word->start = word->value = start_of(memory, address);
        memory->count++;
    }
    return word;
}

static bool answer_access(void *user, struct gpucode_machine *machine, const struct gpucode_access *access,
                          uint32_t *value)
{
    struct compare_memory *memory = user;
    uint32_t found = 0;
    (void)machine;
    for (unsigned i = 0; i < access->bytes; i++) {
        uint64_t address = access->address + i;
        struct compare_word *word = word_at(memory, address & ~UINT64_C(3));
        unsigned shift = 8 * (unsigned)(address & 3);
        if (!word)
            return true;
        if (access->write) {
            word->value = (word->value & ~(UINT32_C(255) << shift)) | (*value >> 8 * i & 255) << shift;
            word->written = true;
            word->thread = access->processor;
            word->pc = access->pc;
        } else {
            found |= (word->value >> shift & 255) << 8 * i;
            word->read = true;
        }
    }
    if (!access->write)
        *value = found;
    return true;
}

enum gpucode_status compare_memory_open(struct compare_memory *memory, struct gpucode_machine *machine,
                                        const struct compare_numbers *numbers)
{
    *memory = (struct compare_memory){.machine = machine, .numbers = numbers};
    return gpucode_machine_memory(machine, answer_access, memory);
}

void compare_memory_close(struct compare_memory *memory)
{
    if (memory->machine)
        gpucode_machine_memory(memory->machine, NULL, NULL);
    free(memory->words);
}

void compare_memory_begin(struct compare_memory *memory, uint64_t seed, bool zero)
{
    memory->run++;
    memory->count = 0;
    memory->seed = seed;
    memory->zero = zero;
}

uint32_t compare_memory_value(struct compare_memory *memory, uint64_t address)
{
    const struct compare_word *word = word_at(memory, address);
    return word ? word->value : 0;
}

bool compare_memory_at(const struct compare_memory *memory, size_t index, const struct compare_word **word)
{
    *word = NULL;
    if (index >= memory->room)
        return false;
    if (memory->words[index].run == memory->run)
        *word = &memory->words[index];
    return true;
}
