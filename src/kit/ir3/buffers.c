/* SPDX-License-Identifier: MIT */
/* Buffers and work groups of a machine before it runs: what sources declare, and files. */
#include "front/arguments.h"
#include "kit/ir3/kit.h"
#include <gpucode/ir3.h>

#include <string.h>

/* Buffers lie one after the other with a gap between them. */
#define GAP 4096
#define BUFFER_WORDS_MAX (UINT32_C(1) << 26)

uint32_t ir3_buffer_field(const struct gpucode_machine *machine, unsigned space, uint32_t slot, unsigned field)
{
    uint32_t value = 0;
    gpucode_machine_read(machine, 0, space, slot * GPUCODE_IR3_BUFFER_FIELDS + field, &value);
    return value;
}

uint64_t ir3_buffer_address(const struct gpucode_machine *machine, unsigned space, uint32_t slot)
{
    return ir3_buffer_field(machine, space, slot, GPUCODE_IR3_BUFFER_ADDRESS) |
           (uint64_t)ir3_buffer_field(machine, space, slot, GPUCODE_IR3_BUFFER_HIGH) << 32;
}

/* Memory for a slot; false: there is none. */
static bool bind(struct ir3_buffers *buffers, unsigned space, uint32_t slot, uint64_t bytes)
{
    struct gpucode_machine *machine = buffers->inputs->machine;
    const uint32_t number = slot * GPUCODE_IR3_BUFFER_FIELDS;
    uint64_t address = buffers->next;
    if (gpucode_machine_map(machine, address, bytes ? bytes : 4) != GPUCODE_OK)
        return false;
    gpucode_machine_write(machine, 0, space, number + GPUCODE_IR3_BUFFER_ADDRESS, (uint32_t)address);
    gpucode_machine_write(machine, 0, space, number + GPUCODE_IR3_BUFFER_HIGH, (uint32_t)(address >> 32));
    gpucode_machine_write(machine, 0, space, number + GPUCODE_IR3_BUFFER_SIZE, (uint32_t)bytes);
    buffers->next = (address + bytes + 2 * GAP) / GAP * GAP;
    return true;
}

void ir3_buffer_give_address(const struct ir3_buffers *buffers, uint32_t slot, uint32_t number)
{
    uint64_t address = ir3_buffer_address(buffers->inputs->machine, GPUCODE_IR3_BUFFER, slot);
    shader_give_const(buffers->inputs, number, (uint32_t)address);
    shader_give_const(buffers->inputs, number + 1, (uint32_t)(address >> 32));
}

static bool store_words(const struct ir3_buffers *buffers, uint64_t address, const uint32_t *words, unsigned count)
{
    unsigned char bytes[16];
    for (unsigned i = 0; i < 4 * count; i++)
        bytes[i] = (unsigned char)(words[i / 4] >> 8 * (i % 4));
    return gpucode_machine_store(buffers->inputs->machine, address, bytes, 4 * (size_t)count) == GPUCODE_OK;
}

bool ir3_buffers_declared(struct ir3_buffers *buffers, const struct gpucode_program *program, const char **wrong)
{
    struct gpucode_declaration declared;
    unsigned space = GPUCODE_IR3_BUFFER;
    uint32_t slot = 0, counts[2] = {0, 0}, size = 0;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declared); i++) {
        bool ubo = strcmp(declared.kind, "ubo") == 0, begins = ubo || strcmp(declared.kind, "buf") == 0;
        if (!begins && strcmp(declared.kind, "data") != 0)
            continue;
        if (begins) {
            space = ubo ? GPUCODE_IR3_UBO : GPUCODE_IR3_BUFFER;
            slot = counts[ubo]++;
            size = declared.value[0];
            if (slot >= (ubo ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS) || size > BUFFER_WORDS_MAX) {
                *wrong = declared.kind;
                return false;
            }
            if (!bind(buffers, space, slot, 4 * (uint64_t)size))
                return false;
            if (declared.file == 'c' && !ubo)
                ir3_buffer_give_address(buffers, slot, declared.first);
        }
        uint32_t first = begins ? 0 : declared.first, count = declared.value_count - begins;
        count = first >= size ? 0 : count > size - first ? size - first : count;
        if (!store_words(buffers, ir3_buffer_address(buffers->inputs->machine, space, slot) + 4 * (uint64_t)first,
                         declared.value + begins, count))
            return false;
    }
    return true;
}

const char *ir3_buffer_slot(const char *text, uint32_t room, uint32_t *slot)
{
    uint64_t number;
    const char *at = text;
    if (!number_take(&at, &number) || *at != '=' || number >= room)
        return NULL;
    *slot = (uint32_t)number;
    return at + 1;
}

bool ir3_buffer_fill(struct ir3_buffers *buffers, unsigned space, uint32_t slot, const void *bytes, size_t size)
{
    struct gpucode_machine *machine = buffers->inputs->machine;
    return size <= 4 * (size_t)BUFFER_WORDS_MAX && bind(buffers, space, slot, size) &&
           gpucode_machine_store(machine, ir3_buffer_address(machine, space, slot), bytes, size) == GPUCODE_OK;
}

uint64_t ir3_declared_size(const struct gpucode_program *program, const char *kind)
{
    struct gpucode_declaration declared;
    uint64_t size = UINT64_MAX;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declared); i++)
        if (strcmp(declared.kind, kind) == 0)
            size = declared.value[0];
    return size;
}

/* --- work groups -------------------------------------------------------------------------------------------------- */

bool ir3_groups_read(const char *text, uint32_t groups[3])
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t number;
        if (!number_take(&text, &number) || !number || number > UINT32_MAX || (*text && *text != ','))
            return false;
        groups[i] = (uint32_t)number;
        if (!*text)
            return true;
        text++;
    }
    return false;
}

void ir3_groups_give(struct shader_inputs *inputs, const uint32_t size[3], const struct shader_place *number,
                     const struct shader_place *all)
{
    for (unsigned i = 0; i < 3; i++) {
        gpucode_machine_write(inputs->machine, 0, GPUCODE_IR3_SETUP, GPUCODE_IR3_GROUPS + i, size[i]);
        if (all->there)
            shader_give_const(inputs, all->number + i, size[i]);
    }
    if (number->there)
        gpucode_machine_write(inputs->machine, 0, GPUCODE_IR3_SETUP, GPUCODE_IR3_GROUP_PLACE,
                              number->number + 1 + (number->space == GPUCODE_A3XX_CONST ? 65536u : 0));
}
