/* SPDX-License-Identifier: MIT */
/*
 * Textures and samplers of a recorded draw, as the machine has them. Descriptors are those of a6xx and later (Mesa's
 * register database). How tiles and compressed blocks lie in memory is not known here; a texture of these, or one that
 * the recording has no bytes of, stays unbound, and a note says so.
 */
#include "cli_ir3_messages.h"
#include "kit/ir3/kit.h"

#include "front/session.h"
#include "gpu/recorded.h"

#include <gpucode/ir3.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields of descriptors and registers by their names. */

const struct gpucode_field_value *ir3_named_field(const struct ir3_fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->list[i].name, name) == 0)
            return &fields->list[i];
    return NULL;
}

uint64_t ir3_number_field(const struct ir3_fields *fields, const char *name)
{
    const struct gpucode_field_value *found = ir3_named_field(fields, name);
    return found ? found->value : 0;
}

const char *ir3_text_field(const struct ir3_fields *fields, const char *name)
{
    const struct gpucode_field_value *found = ir3_named_field(fields, name);
    return found ? found->text : "";
}

#define TEXELS_MAX (UINT64_C(1) << 24)

struct source {
    const struct recorded *recorded;
    struct gpucode_machine *machine;
    const struct ir3_fields *fields;
    uint32_t unit;
    struct shader_texels texels;
    unsigned swizzle[4];
    uint32_t width, height, layers; /* layers, slices, faces of cubes */
    unsigned kind;
    uint64_t base, pitch, layer_pitch;
    size_t texel_bytes;
};

enum { SWIZZLE_ZERO = 4, SWIZZLE_ONE };

/* "A6XX_TEX_X" */
static bool find_swizzle(const char *text, unsigned *swizzle)
{
    static const char *const names[] = {"X", "Y", "Z", "W", "ZERO", "ONE"};
    if (strcmp(text, "A8XX_SWIZ_IDENTITY") == 0)
        return true; /* it is that of the component */
    const char *last = strrchr(text, '_');
    for (unsigned i = 0; last && i < sizeof names / sizeof *names; i++)
        if (strcmp(last + 1, names[i]) == 0) {
            *swizzle = i;
            return true;
        }
    return false;
}

static const char *find_shape(struct source *source)
{
    const char *type = strrchr(ir3_text_field(source->fields, "TYPE"), '_');
    uint32_t depth = (uint32_t)ir3_number_field(source->fields, "DEPTH");
    source->width = (uint32_t)ir3_number_field(source->fields, "WIDTH");
    source->height = (uint32_t)ir3_number_field(source->fields, "HEIGHT");
    source->layers = depth ? depth : 1;
    source->kind = GPUCODE_A3XX_2D;
    if (!type || strcmp(type, "_BUFFER") == 0) { /* the count stands in both fields together (Mesa, fd6_texture.cc) */
        source->width |= source->height << 15;
        source->height = source->layers = 1;
    } else if (strcmp(type, "_3D") == 0) {
        source->kind = GPUCODE_A3XX_3D;
    } else if (strcmp(type, "_CUBE") == 0) {
        source->kind = GPUCODE_A3XX_CUBE;
        source->layers *= 6;
    } else if (strcmp(type, "_1D") != 0 && strcmp(type, "_2D") != 0) {
        return "nothing is known of its type";
    }
    source->height = source->height ? source->height : 1;
    uint64_t count = (uint64_t)source->width * source->height * source->layers;
    return !source->width || source->width > GPUCODE_IR3_TEXTURE_SIDE_MAX ||
                   source->height > GPUCODE_IR3_TEXTURE_SIDE_MAX || count > TEXELS_MAX
               ? "its size is more than the machine takes"
               : NULL;
}

/* Why it cannot be bound; null: it can. */
static const char *understand(struct source *source)
{
    const struct ir3_fields *fields = source->fields;
    static const char *const swizzles[] = {"SWIZ_X", "SWIZ_Y", "SWIZ_Z", "SWIZ_W"};
    if (strcmp(ir3_text_field(fields, "TILE_MODE"), "TILE6_LINEAR") != 0)
        return "its texels lie in tiles, whose order is not known here";
    if (ir3_number_field(fields, "FLAG"))
        return "it is compressed, in a way that is not known here";
    if (!shader_texels_find(ir3_text_field(fields, "FMT"), ir3_text_field(fields, "SWAP"), &source->texels))
        return "its format is not known here";
    source->texels.srgb = ir3_number_field(fields, "SRGB");
    for (unsigned i = 0; i < 4; i++) {
        source->swizzle[i] = i;
        if (!find_swizzle(ir3_text_field(fields, swizzles[i]), &source->swizzle[i]))
            return "nothing is known of its swizzle";
    }
    const char *why = find_shape(source);
    source->texel_bytes = (size_t)source->texels.count * source->texels.bits / 8;
    source->base = ir3_number_field(fields, "BASE_LO") | ir3_number_field(fields, "BASE_HI") << 32;
    /* a descriptor has one of the names; that of a8xx is in bits (Mesa's tu_desc_set_tex_line_offset()) */
    source->pitch = ir3_number_field(fields, "PITCH") + ir3_number_field(fields, "TEX_LINE_OFFSET") / 8;
    source->layer_pitch = ir3_number_field(fields, "ARRAY_PITCH") + ir3_number_field(fields, "ARRAY_SLICE_OFFSET");
    bool buffer = strstr(ir3_text_field(fields, "TYPE"), "BUFFER");
    if (!source->pitch || buffer)
        source->pitch = source->width * source->texel_bytes;
    if (!source->layer_pitch || buffer)
        source->layer_pitch = source->pitch * source->height;
    return why;
}

/* Copies a row; false: its bytes were not recorded, or there is no memory (*memory is false then). */
static bool give_row(const struct source *source, unsigned char *bytes, unsigned char *out, uint32_t y, uint32_t z,
                     bool *memory)
{
    bool whole = source->texels.kind == SHADER_UINT || source->texels.kind == SHADER_SINT;
    const uint32_t one = whole ? 1 : 0x3f800000;
    size_t size = source->width * source->texel_bytes;
    uint64_t row = (uint64_t)z * source->height + y;
    if (gpucode_stream_load(source->recorded->recording.stream,
                            gpucode_stream_stage_code(source->recorded->stage).submit,
                            source->base + z * source->layer_pitch + y * source->pitch, bytes, size) < size)
        return false;
    for (uint32_t x = 0; x < source->width; x++) {
        uint32_t rgba[6];
        shader_texels_read(&source->texels, bytes + x * source->texel_bytes, rgba);
        rgba[SWIZZLE_ZERO] = 0;
        rgba[SWIZZLE_ONE] = one;
        for (unsigned i = 0; i < 16; i++)
            out[16 * (size_t)x + i] = (unsigned char)(rgba[source->swizzle[i / 4]] >> 8 * (i % 4));
    }
    *memory = gpucode_machine_store(source->machine, GPUCODE_IR3_TEXELS(source->unit) + 16 * row * source->width, out,
                                    16 * (size_t)source->width) == GPUCODE_OK;
    return *memory;
}

/* Why it could not be bound; null: it is. */
static const char *give_rows(const struct source *source, bool *memory)
{
    unsigned char *bytes = malloc(source->width * source->texel_bytes), *out = malloc(16 * (size_t)source->width);
    const char *why = NULL;
    *memory = bytes && out;
    for (uint32_t z = 0; *memory && !why && z < source->layers; z++)
        for (uint32_t y = 0; *memory && !why && y < source->height; y++)
            if (!give_row(source, bytes, out, y, z, memory) && *memory)
                why = "its bytes were not recorded";
    free(bytes);
    free(out);
    return why;
}

/* Does --texture give that unit? */
static bool is_replaced(const struct session *session, uint32_t unit)
{
    const char *value;
    for (unsigned i = 0; (value = arguments_value_at(&session->arguments, OPTION_IR3_TEXTURE, i)); i++)
        if (strtoul(value, NULL, 10) == unit)
            return true;
    return false;
}

int ir3_recorded_texture(struct session *session, const struct recorded *recorded, struct gpucode_machine *machine,
                         uint32_t unit, const struct ir3_fields *fields)
{
    struct source source = {.recorded = recorded, .machine = machine, .fields = fields, .unit = unit};
    bool memory = true;
    if (unit >= GPUCODE_A3XX_TEXTURES || is_replaced(session, unit))
        return EXIT_DONE;
    const char *why = understand(&source);
    if (!why)
        why = give_rows(&source, &memory);
    if (!memory)
        return out_of_memory(&session->diagnostics);
    if (why) {
        complain(&session->diagnostics, CLI_IR3_TEXTURE_LEFT, recorded->name, "--texture UNIT=FILE binds another one",
                 unit, why);
        return EXIT_DONE;
    }
    if (ir3_number_field(fields, "MIPLVLS"))
        complain(&session->diagnostics, CLI_IR3_TEXTURE_LEVELS, recorded->name, NULL, unit);
    const uint32_t values[GPUCODE_A3XX_TEXTURE_FIELDS] = {
        source.width, source.height, source.kind == GPUCODE_A3XX_CUBE ? source.layers / 6 : source.layers, 1,
        source.kind};
    for (uint32_t i = 0; i < GPUCODE_A3XX_TEXTURE_FIELDS; i++)
        gpucode_machine_write(machine, 0, GPUCODE_A3XX_TEXTURE, GPUCODE_A3XX_TEXTURE_FIELDS * unit + i, values[i]);
    return EXIT_DONE;
}

void ir3_recorded_sampler(struct gpucode_machine *machine, uint32_t slot, const struct ir3_fields *fields)
{
    static const char *const wraps[] = {"CLAMP_TO_EDGE", "REPEAT", "MIRROR_REPEAT"};
    static const char *const compares[] = {"LEQUAL", "LESS",     "GEQUAL", "GREATER",
                                           "EQUAL",  "NOTEQUAL", "ALWAYS", "NEVER"};
    uint32_t values[GPUCODE_IR3_SAMPLER_FIELDS] = {0};
    const char *filter = strrchr(ir3_text_field(fields, "XY_MAG"), '_'), *wrap = ir3_text_field(fields, "WRAP_S"),
               *compare = strrchr(ir3_text_field(fields, "COMPARE_FUNC"), '_');
    if (slot >= GPUCODE_IR3_SAMPLERS)
        return;
    if (filter)
        values[GPUCODE_IR3_SAMPLER_FILTER] = strcmp(filter, "_NEAREST") == 0  ? 1
                                             : strcmp(filter, "_LINEAR") == 0 ? 2
                                                                              : 0;
    values[GPUCODE_IR3_SAMPLER_MIP] = 1 + (ir3_number_field(fields, "MIPFILTER_LINEAR_NEAR") != 0);
    for (uint32_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        if (strlen(wrap) > 9 && strcmp(wrap + 9, wraps[i]) == 0) /* after "A6XX_TEX_" */
            values[GPUCODE_IR3_SAMPLER_WRAP] = i + 1;
    for (uint32_t i = 0; compare && i < sizeof compares / sizeof *compares; i++)
        if (strcmp(compare + 1, compares[i]) == 0)
            values[GPUCODE_IR3_SAMPLER_COMPARE] = i + 1;
    for (uint32_t i = 0; i < GPUCODE_IR3_SAMPLER_FIELDS; i++)
        gpucode_machine_write(machine, 0, GPUCODE_IR3_SAMPLER, slot * GPUCODE_IR3_SAMPLER_FIELDS + i, values[i]);
}
