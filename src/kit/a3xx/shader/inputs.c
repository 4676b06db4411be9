/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum shader_status wrong(struct shader_inputs *inputs, const char *expected)
{
    inputs->expected = expected;
    return SHADER_WRONG;
}

/* "color" and "color.y": a component of what `@out(r1.x) color` and its like declare. */
static bool find_declared(const struct gpucode_program *program, const char *name, unsigned *space, uint32_t *number)
{
    static const char letters[] = "xyzw";
    const char *dot = strchr(name, '.'), *letter = dot && dot[1] && !dot[2] ? strchr(letters, dot[1]) : NULL;
    size_t length = letter ? (size_t)(dot - name) : strlen(name);
    uint32_t component = letter ? (uint32_t)(letter - letters) : 0;
    struct gpucode_declaration declared;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declared); i++) {
        if (!declared.name || !declared.file || component >= declared.count || strlen(declared.name) != length ||
            memcmp(declared.name, name, length) != 0)
            continue;
        *space = declared.file == 'c' ? (unsigned)GPUCODE_A3XX_CONST
                 : declared.half      ? (unsigned)GPUCODE_A3XX_HALF
                                      : (unsigned)GPUCODE_A3XX_FULL;
        *number = declared.first + component;
        return true;
    }
    return false;
}

bool shader_find(const struct gpucode_machine *machine, const struct gpucode_program *program, const char *text,
                 size_t length, unsigned *space, uint32_t *number)
{
    char name[GPUCODE_NAME_MAX];
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    return gpucode_machine_find(machine, name, space, number) || find_declared(program, name, space, number);
}

void shader_give_value(struct shader_inputs *inputs, unsigned thread, unsigned space, uint32_t number, uint32_t value)
{
    gpucode_machine_write(inputs->machine, thread, space, number, value);
    if (number < SHADER_REGISTERS && (space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF))
        inputs->given[space == GPUCODE_A3XX_HALF][number] = true;
    if (number < SHADER_CONSTS && space == GPUCODE_A3XX_CONST)
        inputs->given_const[number] = true;
}

static void write_register(struct shader_inputs *inputs, unsigned space, uint32_t number, uint32_t value)
{
    for (unsigned i = 0; gpucode_machine_processor(inputs->machine, i); i++)
        shader_give_value(inputs, i, space, number, value);
}

/* Pictures are given what one quad is given, however many run at once. */
static bool is_given(const struct shader_inputs *inputs, unsigned thread)
{
    return gpucode_machine_processor(inputs->machine, thread) && !(inputs->grid && thread >= 4);
}

/* "A..": A, A + 1 and so on; false: no such text. */
static bool give_rising(struct shader_inputs *inputs, unsigned space, uint32_t number, const char *text)
{
    size_t length = strlen(text);
    const char *end = text + length - 2;
    bool half = space == GPUCODE_A3XX_HALF;
    uint32_t first;
    if (length < 3 || strcmp(end, "..") != 0 || !shader_read_value(text, end, half, &first))
        return false;
    bool is_float = shader_is_float(text, end);
    for (unsigned i = 0; is_given(inputs, i); i++) {
        float value = (half ? shader_half_value(first) : shader_float_value(first)) + (float)i;
        uint32_t bits = half ? (first + i) & 0xffff : first + i;
        if (is_float)
            bits = half ? shader_half_bits(value) : shader_float_bits(value);
        shader_give_value(inputs, i, space, number, bits);
    }
    return true;
}

/* "A,B,C": as many as there are threads; false: no such text. */
static bool give_each(struct shader_inputs *inputs, unsigned space, uint32_t number, const char *text)
{
    for (unsigned i = 0; is_given(inputs, i); i++) {
        size_t length = strcspn(text, ",");
        bool last = !is_given(inputs, i + 1);
        uint32_t value;
        if (last != !text[length] || !shader_read_value(text, text + length, space == GPUCODE_A3XX_HALF, &value))
            return false;
        shader_give_value(inputs, i, space, number, value);
        text += length + 1;
    }
    return true;
}

static enum shader_status give_register(struct shader_inputs *inputs, enum shader_input kind, const char *text)
{
    const char *equals = strchr(text, '=');
    unsigned space;
    uint32_t number, value;
    bool found =
        equals && shader_find(inputs->machine, inputs->program, text, (size_t)(equals - text), &space, &number);
    bool right = found && (kind == SHADER_CONST ? space == GPUCODE_A3XX_CONST
                                                : space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF ||
                                                      space > GPUCODE_A3XX_FLAGS);
    if (!right)
        return wrong(inputs, kind == SHADER_CONST ? "c0.x=VALUE" : "r0.x=VALUE, hr0.x=VALUE or a declared name");
    const char *text_of_value = equals + 1;
    if (shader_read_value(text_of_value, text_of_value + strlen(text_of_value), space == GPUCODE_A3XX_HALF, &value)) {
        write_register(inputs, space, number, value);
        return SHADER_GIVEN;
    }
    bool group = kind == SHADER_IN && gpucode_machine_processor(inputs->machine, 1);
    if (group && (give_rising(inputs, space, number, text_of_value) || give_each(inputs, space, number, text_of_value)))
        return SHADER_GIVEN;
    return wrong(inputs, group
                             ? "a value (1.0, 3, 0x3f800000), one for each thread (1,2,3,4), or the first and .. (0..) "
                               "after the ="
                         : space == GPUCODE_A3XX_HALF ? SHADER_VALUE_FORM ", of 16 bits"
                                                      : SHADER_VALUE_FORM);
}

/* The barycentric pair: the middle of the triangle. */
static enum shader_status give_pair(struct shader_inputs *inputs, const char *text)
{
    unsigned space;
    uint32_t number;
    if (!shader_find(inputs->machine, inputs->program, text, strlen(text), &space, &number) ||
        space != GPUCODE_A3XX_FULL || number > 242)
        return wrong(inputs, "the first of two registers (r0.x)");
    write_register(inputs, space, number, shader_float_bits(1.0f / 3));
    write_register(inputs, space, number + 1, shader_float_bits(1.0f / 3));
    return SHADER_GIVEN;
}

/* "V", "V,V,V" or "V,V,V,V" up to `end`; returns how many, 0: something else. */
static unsigned read_corners(const char *text, const char *end, uint32_t corner[4])
{
    for (unsigned count = 0; count < 4;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        if (!shader_read_value(text, comma ? comma : end, false, &corner[count++]))
            return 0;
        if (!comma)
            return count == 2 ? 0 : count;
        text = comma + 1;
    }
    return 0;
}

static enum shader_status give_varying(struct shader_inputs *inputs, const char *text)
{
    char *equals;
    unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, &equals, 10) : GPUCODE_A3XX_VARYINGS;
    const char *end = text + strlen(text);
    uint32_t corner[4];
    if (number >= GPUCODE_A3XX_VARYINGS || *equals != '=')
        return wrong(inputs, "NUMBER=VALUE, numbers from 0 to 127");
    bool flat = end - equals > 5 && strcmp(end - 5, ":flat") == 0;
    unsigned count = read_corners(equals + 1, end - (flat ? 5 : 0), corner);
    if (!count)
        return wrong(inputs, SHADER_VALUE_FORM ", :flat after it, or three of them, or four, with commas between");
    if (flat && count > 1)
        return wrong(inputs, "one value for a flat component");
    if (count == 4 && !inputs->grid)
        return wrong(inputs, "one value, or three; the four corners of a grid are for --image");
    if (count == 1)
        corner[1] = corner[2] = corner[0];
    if (count < 4)
        corner[3] = shader_float_bits(shader_float_value(corner[1]) + shader_float_value(corner[2]) -
                                      shader_float_value(corner[0]));
    if (count == 1)
        corner[3] = corner[0]; /* its bits */
    memcpy(inputs->varying[number], corner, sizeof corner);
    inputs->given_varying[number] = true;
    inputs->varies |= count > 1;
    inputs->bends |= count == 4;
    static const unsigned spaces[] = {GPUCODE_A3XX_VARYING, GPUCODE_A3XX_VARYING_I, GPUCODE_A3XX_VARYING_J};
    for (unsigned i = 0; i < 3; i++)
        gpucode_machine_write(inputs->machine, 0, spaces[i], (uint32_t)number, corner[i]);
    gpucode_machine_write(inputs->machine, 0, GPUCODE_A3XX_FLAT, (uint32_t)number, flat);
    return SHADER_GIVEN;
}

static enum shader_status load_memory(struct shader_inputs *inputs, const char *text)
{
    char *equals, *bytes = NULL;
    size_t size = 0;
    uint64_t address = *text >= '0' && *text <= '9' ? strtoull(text, &equals, 0) : UINT64_MAX;
    uint64_t last = inputs->wide ? UINT64_MAX - 1 : UINT32_MAX;
    if (address > last || *equals != '=')
        return wrong(inputs, inputs->wide ? "ADDRESS=FILE" : "ADDRESS=FILE, addresses of 32 bits");
    if (!inputs->read(inputs->user, equals + 1, &bytes, &size))
        return SHADER_NO_FILE;
    enum shader_status status = SHADER_GIVEN;
    if (size > last - address + 1)
        status = wrong(inputs, "an address after which the file has room");
    else if (gpucode_machine_store(inputs->machine, address, bytes, size) != GPUCODE_OK)
        status = SHADER_NO_MEMORY;
    free(bytes);
    return status;
}

void shader_give_declared(struct shader_inputs *inputs, const struct gpucode_program *program)
{
    struct gpucode_declaration declaration;
    inputs->program = program;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declaration); i++)
        for (unsigned k = 0; strcmp(declaration.kind, "const") == 0 && k < declaration.value_count; k++)
            shader_give_value(inputs, 0, GPUCODE_A3XX_CONST, declaration.first + k, declaration.value[k]);
}

enum shader_status shader_give(struct shader_inputs *inputs, enum shader_input kind, const char *text)
{
    switch (kind) {
    case SHADER_CONST:
    case SHADER_IN:
        return give_register(inputs, kind, text);
    case SHADER_IJ:
        return give_pair(inputs, text);
    case SHADER_VARYING:
        return give_varying(inputs, text);
    case SHADER_TEXTURE:
        return shader_give_texture(inputs, text);
    default:
        return load_memory(inputs, text);
    }
}

#define LAST_VECTOR 241 /* r60.y: two more registers fit after it */

static struct shader_place place_of(const struct gpucode_declaration *declaration)
{
    bool is_const = declaration->file == 'c';
    return (struct shader_place){.there = declaration->file,
                                 .space = is_const            ? GPUCODE_A3XX_CONST
                                          : declaration->half ? GPUCODE_A3XX_HALF
                                                              : GPUCODE_A3XX_FULL,
                                 .number = declaration->first};
}

void shader_group_declared(struct shader_group *group, const struct gpucode_program *program)
{
    struct gpucode_declaration declaration;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declaration); i++) {
        if (strcmp(declaration.kind, "localsize") == 0) {
            group->sized = true;
            for (unsigned k = 0; k < 3; k++)
                group->size[k] = k < declaration.value_count ? declaration.value[k] : 1;
        } else if (strcmp(declaration.kind, "invocationid") == 0) {
            group->id = place_of(&declaration);
        } else if (strcmp(declaration.kind, "wgid") == 0) {
            group->work_group = place_of(&declaration);
        } else if (strcmp(declaration.kind, "numwg") == 0) {
            group->work_groups = place_of(&declaration);
        }
    }
}

/* UINT64_MAX: too many to count. */
static uint64_t threads_of(const uint32_t size[3])
{
    uint64_t area = (uint64_t)size[0] * size[1];
    return area >> 32 && size[2] ? UINT64_MAX : area * size[2];
}

bool shader_group_size(struct shader_group *group, const char *text)
{
    uint32_t size[3] = {1, 1, 1};
    for (unsigned i = 0;; i++) {
        char *end;
        unsigned long number = *text >= '1' && *text <= '9' ? strtoul(text, &end, 10) : 0;
        if (!number || number > GPUCODE_A3XX_THREADS_MAX || (*end && *end != ','))
            return false;
        size[i] = (uint32_t)number;
        if (!*end)
            break;
        if (i == 2)
            return false;
        text = end + 1;
    }
    if (threads_of(size) > GPUCODE_A3XX_THREADS_MAX)
        return false;
    group->sized = true;
    memcpy(group->size, size, sizeof size);
    return true;
}

bool shader_group_id(struct shader_group *group, const struct gpucode_machine *machine, const char *text)
{
    struct shader_place *id = &group->id;
    id->there = shader_find(machine, NULL, text, strlen(text), &id->space, &id->number) && id->number <= LAST_VECTOR &&
                (id->space == GPUCODE_A3XX_HALF || id->space == GPUCODE_A3XX_FULL);
    return id->there;
}

bool shader_group_threads(const struct shader_group *group, char text[SHADER_NUMBER])
{
    if (group->sized)
        snprintf(text, SHADER_NUMBER, "%" PRIu64, threads_of(group->size));
    return group->sized;
}

void shader_group_give(const struct shader_group *group, struct shader_inputs *inputs)
{
    uint32_t width = group->sized && group->size[0] ? group->size[0] : UINT32_MAX;
    uint32_t height = group->sized && group->size[1] ? group->size[1] : 1;
    for (unsigned i = 0; group->id.there && gpucode_machine_processor(inputs->machine, i); i++) {
        const uint32_t id[3] = {i % width, i / width % height, i / width / height};
        for (uint32_t k = 0; k < 3; k++)
            shader_give_value(inputs, i, group->id.space, group->id.number + k, id[k]);
    }
    for (unsigned i = 0; gpucode_machine_processor(inputs->machine, i); i++)
        for (uint32_t k = 0; k < 3; k++) {
            if (group->work_group.there)
                shader_give_value(inputs, i, group->work_group.space, group->work_group.number + k, 0);
            if (group->work_groups.there)
                shader_give_value(inputs, i, group->work_groups.space, group->work_groups.number + k, 1);
        }
}
