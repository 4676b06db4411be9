/* SPDX-License-Identifier: MIT */
#include "shader/inputs.h"

#include "shader/value.h"

#include <stdlib.h>
#include <string.h>

static enum shader_status wrong(struct shader_inputs *inputs, const char *expected)
{
    inputs->expected = expected;
    return SHADER_WRONG;
}

bool shader_find(const struct gpucode_machine *machine, const char *text, size_t length, unsigned *space,
                 uint32_t *number)
{
    char name[32];
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    return gpucode_machine_find(machine, name, space, number);
}

void shader_give_value(struct shader_inputs *inputs, unsigned thread, unsigned space, uint32_t number, uint32_t value)
{
    gpucode_machine_write(inputs->machine, thread, space, number, value);
    if (number < SHADER_REGISTERS && (space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF))
        inputs->given[space == GPUCODE_A3XX_HALF][number] = true;
}

static void write_register(struct shader_inputs *inputs, unsigned space, uint32_t number, uint32_t value)
{
    for (unsigned i = 0; gpucode_machine_processor(inputs->machine, i); i++)
        shader_give_value(inputs, i, space, number, value);
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
    for (unsigned i = 0; gpucode_machine_processor(inputs->machine, i); i++) {
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
    for (unsigned i = 0; gpucode_machine_processor(inputs->machine, i); i++) {
        size_t length = strcspn(text, ",");
        bool last = !gpucode_machine_processor(inputs->machine, i + 1);
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
    bool found = equals && shader_find(inputs->machine, text, (size_t)(equals - text), &space, &number);
    bool right = found && (kind == SHADER_CONST ? space == GPUCODE_A3XX_CONST
                                                : space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF);
    if (!right)
        return wrong(inputs, kind == SHADER_CONST ? "c0.x=VALUE" : "r0.x=VALUE or hr0.x=VALUE");
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
                               "behind the ="
                             : SHADER_VALUE_FORM);
}

/* The barycentric pair: the middle of the triangle. */
static enum shader_status give_pair(struct shader_inputs *inputs, const char *text)
{
    unsigned space;
    uint32_t number;
    if (!shader_find(inputs->machine, text, strlen(text), &space, &number) || space != GPUCODE_A3XX_FULL ||
        number > 242)
        return wrong(inputs, "the first of two registers (r0.x)");
    write_register(inputs, space, number, shader_float_bits(1.0f / 3));
    write_register(inputs, space, number + 1, shader_float_bits(1.0f / 3));
    return SHADER_GIVEN;
}

static enum shader_status give_varying(struct shader_inputs *inputs, const char *text)
{
    char *equals;
    unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, &equals, 10) : GPUCODE_A3XX_VARYINGS;
    const char *end = text + strlen(text);
    uint32_t value;
    if (number >= GPUCODE_A3XX_VARYINGS || *equals != '=')
        return wrong(inputs, "NUMBER=VALUE, numbers from 0 to 127");
    bool flat = end - equals > 5 && strcmp(end - 5, ":flat") == 0;
    if (!shader_read_value(equals + 1, end - (flat ? 5 : 0), false, &value))
        return wrong(inputs, SHADER_VALUE_FORM);
    gpucode_machine_write(inputs->machine, 0, GPUCODE_A3XX_VARYING, (uint32_t)number, value);
    gpucode_machine_write(inputs->machine, 0, GPUCODE_A3XX_FLAT, (uint32_t)number, flat);
    return SHADER_GIVEN;
}

static enum shader_status bind_texture(struct shader_inputs *inputs, const char *text)
{
    static const char expected[] = "UNIT=FILE.f32:WIDTHxHEIGHT, units from 0 to 15 and sides from 1 to 8192";
    char *equals, *stop;
    unsigned long unit = *text >= '0' && *text <= '9' ? strtoul(text, &equals, 10) : GPUCODE_A3XX_TEXTURES;
    const char *colon = strrchr(text, ':');
    if (unit >= GPUCODE_A3XX_TEXTURES || *equals != '=' || !colon || colon - equals < 6 ||
        memcmp(colon - 4, ".f32", 4) != 0 || colon[1] < '1' || colon[1] > '9')
        return wrong(inputs, expected);
    unsigned long width = strtoul(colon + 1, &stop, 10), height = 0;
    if (*stop == 'x' && stop[1] >= '1' && stop[1] <= '9')
        height = strtoul(stop + 1, &stop, 10);
    if (*stop || !height || width > GPUCODE_A3XX_TEXTURE_SIDE_MAX || height > GPUCODE_A3XX_TEXTURE_SIDE_MAX)
        return wrong(inputs, expected);
    char *path = strndup(equals + 1, (size_t)(colon - equals - 1)), *bytes = NULL;
    size_t size = 0;
    if (!path)
        return SHADER_NO_MEMORY;
    enum shader_status status = inputs->read(inputs->user, path, &bytes, &size) ? SHADER_GIVEN : SHADER_NO_FILE;
    free(path);
    if (status != SHADER_GIVEN)
        return status;
    if (size != (size_t)width * height * 16)
        status = wrong(inputs, "a file of four 32-bit floats for each texel");
    else if (gpucode_machine_store(inputs->machine, GPUCODE_A3XX_TEXELS(unit), bytes, size) != GPUCODE_OK)
        status = SHADER_NO_MEMORY;
    free(bytes);
    if (status != SHADER_GIVEN)
        return status;
    uint32_t first = GPUCODE_A3XX_TEXTURE_FIELDS * (uint32_t)unit;
    gpucode_machine_write(inputs->machine, 0, GPUCODE_A3XX_TEXTURE, first + GPUCODE_A3XX_TEXTURE_WIDTH,
                          (uint32_t)width);
    gpucode_machine_write(inputs->machine, 0, GPUCODE_A3XX_TEXTURE, first + GPUCODE_A3XX_TEXTURE_HEIGHT,
                          (uint32_t)height);
    return SHADER_GIVEN;
}

static enum shader_status load_memory(struct shader_inputs *inputs, const char *text)
{
    char *equals, *bytes = NULL;
    size_t size = 0;
    uint64_t address = *text >= '0' && *text <= '9' ? strtoull(text, &equals, 0) : UINT64_MAX;
    if (address > UINT32_MAX || *equals != '=')
        return wrong(inputs, "ADDRESS=FILE, addresses of 32 bits");
    if (!inputs->read(inputs->user, equals + 1, &bytes, &size))
        return SHADER_NO_FILE;
    enum shader_status status = SHADER_GIVEN;
    if (size > (UINT64_C(1) << 32) - address)
        status = wrong(inputs, "an address behind which the file has room");
    else if (gpucode_machine_store(inputs->machine, address, bytes, size) != GPUCODE_OK)
        status = SHADER_NO_MEMORY;
    free(bytes);
    return status;
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
        return bind_texture(inputs, text);
    default:
        return load_memory(inputs, text);
    }
}
