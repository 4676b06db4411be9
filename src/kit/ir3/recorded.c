/* SPDX-License-Identifier: MIT */
/*
 * --from: the shader of a draw with what the recording has for it. Registers say where inputs are (Mesa's register
 * database); what the rasteriser would have made, the middle of a triangle stands for.
 */
#include "gpu/recorded.h"
#include "cli_ir3_messages.h"
#include "front/arguments.h"
#include "front/session.h"
#include "kit/ir3/kit.h"
#include <gpucode/ir3.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_REGISTER 252 /* r63.x */
#define ATTRIBUTES 32
#define A_THIRD 0x3eaaaaab

struct giving {
    struct session *session;
    const struct recorded *recorded;
    const struct gpucode_stream_stage *stage;
    struct shader_inputs *inputs;
    char taken[400]; /* what is taken as given */
};

/* --- registers of the GPU ----------------------------------------------------------------------------------------- */

/* The field of whichever of the registers, by its names in several generations, the GPU has. */
static bool find_field(const struct gpucode_stream_stage *stage, const char *const names[], const char *field,
                       uint64_t *value)
{
    for (; *names; names++)
        if (gpucode_stream_stage_field(stage, *names, field, value))
            return true;
    return false;
}

static bool find_register(const struct gpucode_stream_stage *stage, const char *const names[], uint64_t *value)
{
    for (; *names; names++)
        if (gpucode_stream_stage_register(stage, *names, value))
            return true;
    return false;
}

static const char *const local_names[] = {"SP_CS_NDRANGE_0", "HLSQ_CS_NDRANGE_0", "HLSQ_CL_NDRANGE_0", NULL};
static const char *const id_names[] = {"SP_CS_CONST_CONFIG_0", "SP_CS_WIE_CNTL_0", "HLSQ_CS_CNTL_0",
                                       "HLSQ_CL_CONTROL_0", NULL};

static bool is_stage(const struct recorded *recorded, const char *name)
{
    return strcmp(gpucode_stream_stage_code(recorded->stage).name, name) == 0;
}

bool ir3_recorded_is_pixel(const struct session *session)
{
    return session->recorded && is_stage(session->recorded, "FS");
}

static void find_local_size(const struct recorded *recorded, uint32_t size[3])
{
    static const char *const fields[] = {"LOCALSIZEX", "LOCALSIZEY", "LOCALSIZEZ"};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t less = 0; /* than the size, by one */
        find_field(recorded->stage, local_names, fields[i], &less);
        size[i] = (uint32_t)less + 1;
    }
}

/* Full registers, where the field names one; else consts, on a4xx. */
static void find_place(const struct recorded *recorded, const char *field, bool consts, struct shader_place *place)
{
    uint64_t number;
    if (!find_field(recorded->stage, id_names, field, &number) || number == NO_REGISTER)
        return;
    *place = (struct shader_place){true, consts ? (unsigned)GPUCODE_A3XX_CONST : (unsigned)GPUCODE_A3XX_FULL,
                                   (uint32_t)number};
}

void ir3_recorded_group(const struct session *session, struct shader_group *group)
{
    const struct recorded *recorded = session->recorded;
    if (!recorded)
        return;
    group->sized = true;
    if (is_stage(recorded, "CS")) {
        find_local_size(recorded, group->size);
        find_place(recorded, "LOCALIDREGID", false, &group->id);
        find_place(recorded, "WGIDCONSTID", recorded->recording.family == 4, &group->work_group);
        return;
    }
    group->size[0] = group->size[1] = is_stage(recorded, "FS") ? 2 : 1;
    group->size[2] = 1;
}

void ir3_recorded_groups(const struct recorded *recorded, uint32_t groups[3])
{
    static const char *const names[3][4] = {
        {"SP_CS_NDRANGE_1", "HLSQ_CS_NDRANGE_1", "HLSQ_CL_NDRANGE_1", NULL},
        {"SP_CS_NDRANGE_3", "HLSQ_CS_NDRANGE_3", "HLSQ_CL_NDRANGE_3", NULL},
        {"SP_CS_NDRANGE_5", "HLSQ_CS_NDRANGE_5", "HLSQ_CL_NDRANGE_5", NULL},
    };
    uint32_t size[3];
    if (!is_stage(recorded, "CS"))
        return;
    find_local_size(recorded, size);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t all = 0;
        if (find_register(recorded->stage, names[i], &all) && all)
            groups[i] = (uint32_t)((all + size[i] - 1) / size[i]);
    }
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

static uint64_t base_of(const struct ir3_fields *fields)
{
    return ir3_number_field(fields, "BASE_LO") | ir3_number_field(fields, "BASE_HI") << 32 |
           ir3_number_field(fields, "BASE");
}

static void set_field(const struct giving *giving, unsigned space, uint32_t slot, unsigned field, uint64_t value)
{
    gpucode_machine_write(giving->inputs->machine, 0, space, slot * GPUCODE_IR3_BUFFER_FIELDS + field, (uint32_t)value);
}

static void bind_memory(const struct giving *giving, unsigned space, uint32_t slot, uint64_t address, uint64_t bytes)
{
    set_field(giving, space, slot, GPUCODE_IR3_BUFFER_ADDRESS, address);
    set_field(giving, space, slot, GPUCODE_IR3_BUFFER_HIGH, address >> 32);
    set_field(giving, space, slot, GPUCODE_IR3_BUFFER_SIZE, bytes);
}

/* What typed accesses convert to and from; false: the machine has no such format. */
static bool find_format(const struct shader_texels *texels, uint32_t *format)
{
    static const uint8_t first[] = {[8] = GPUCODE_IR3_R8, [16] = GPUCODE_IR3_R16, [32] = GPUCODE_IR3_R32};
    bool fixed = texels->kind == SHADER_UNORM || texels->kind == SHADER_SNORM;
    *format = fixed ? (uint32_t)GPUCODE_IR3_RGBA8_UNORM : first[texels->bits] + texels->count / 2;
    return fixed ? texels->kind == SHADER_UNORM && texels->count == 4 && texels->bits == 8 : texels->count != 3;
}

/* The bits of its address and its size stand in several descriptors of a4xx and a5xx, in one of later ones. */
static void give_buffer(const struct giving *giving, const struct gpucode_stage_unit *unit,
                        const struct ir3_fields *fields)
{
    uint32_t slot = unit->index;
    struct shader_texels texels;
    if (slot >= GPUCODE_IR3_BUFFERS)
        return;
    uint64_t width = ir3_number_field(fields, "WIDTH"), height = ir3_number_field(fields, "HEIGHT");
    if (strstr(unit->kind, "SSBO_1")) {
        set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_SIZE, 4 * (width | height << 16));
        return;
    }
    if (strstr(unit->kind, "SSBO")) {
        if (strstr(unit->kind, "SSBO_2") || strstr(unit->kind, "A4XX")) {
            uint64_t address = base_of(fields);
            set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_ADDRESS, address);
            set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_HIGH, address >> 32);
        }
        return;
    }
    uint32_t format;
    if (!shader_texels_find(ir3_text_field(fields, "FMT"), ir3_text_field(fields, "SWAP"), &texels) ||
        !find_format(&texels, &format) || strcmp(ir3_text_field(fields, "TILE_MODE"), "TILE6_LINEAR") != 0)
        return;
    uint64_t texel = texels.count * texels.bits / 8, depth = ir3_number_field(fields, "DEPTH");
    set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_FORMAT, format);
    /* the elements of a buffer are counted in both fields together (Mesa, fd6_image.cc) */
    if (strstr(ir3_text_field(fields, "TYPE"), "BUFFER")) {
        bind_memory(giving, GPUCODE_IR3_BUFFER, slot, base_of(fields), (width | height << 15) * texel);
        return;
    }
    uint64_t pitch = ir3_number_field(fields, "PITCH"), layer = ir3_number_field(fields, "ARRAY_PITCH");
    pitch = pitch ? pitch : width * texel;
    layer = layer ? layer : height * pitch;
    bind_memory(giving, GPUCODE_IR3_BUFFER, slot, base_of(fields), layer * (depth ? depth : 1));
    set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_WIDTH, width);
    set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_HEIGHT, height);
    set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_DEPTH, depth);
    set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_PITCH, pitch);
    set_field(giving, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_LAYER, layer);
}

static int give_unit(const struct giving *giving, const struct gpucode_stage_unit *unit)
{
    struct ir3_fields fields;
    fields.count = gpucode_descriptor_fields(giving->recorded->recording.family, unit->kind, unit->words, unit->count,
                                             fields.list, GPUCODE_FIELD_VALUES_MAX);
    if (unit->resource == GPUCODE_STAGE_UBO && unit->index < GPUCODE_IR3_UBOS)
        bind_memory(giving, GPUCODE_IR3_UBO, unit->index, base_of(&fields), 16 * ir3_number_field(&fields, "SIZE"));
    if (unit->resource == GPUCODE_STAGE_BUFFER)
        give_buffer(giving, unit, &fields);
    if (unit->resource == GPUCODE_STAGE_SAMPLER)
        ir3_recorded_sampler(giving->inputs->machine, unit->index, &fields);
    return unit->resource == GPUCODE_STAGE_TEXTURE
               ? ir3_recorded_texture(giving->session, giving->recorded, giving->inputs->machine, unit->index, &fields)
               : EXIT_DONE;
}

/* Bases of bindless descriptors, with the bits that say how far these are apart. */
static void give_bases(const struct giving *giving)
{
    const char *stage = is_stage(giving->recorded, "CS") ? "CS" : "GFX";
    for (uint32_t i = 0; i < GPUCODE_IR3_BASES; i++) {
        char name[GPUCODE_NAME_MAX];
        uint64_t base = 0;
        snprintf(name, sizeof name, "SP_%s_BINDLESS_BASE[%" PRIu32 "].DESCRIPTOR", stage, i);
        gpucode_stream_stage_register(giving->stage, name, &base);
        gpucode_machine_write(giving->inputs->machine, 0, GPUCODE_IR3_BINDLESS, 2 * i, (uint32_t)base);
        gpucode_machine_write(giving->inputs->machine, 0, GPUCODE_IR3_BINDLESS, 2 * i + 1, (uint32_t)(base >> 32));
    }
}

/* Of stages that draw: where those of dispatches lie is not known. */
static void give_pushed(const struct giving *giving)
{
    for (uint32_t i = 0; i < GPUCODE_IR3_PUSHES && !is_stage(giving->recorded, "CS"); i++) {
        char name[GPUCODE_NAME_MAX];
        uint64_t value;
        snprintf(name, sizeof name, "SP_SHARED_CONSTANT_GFX[%" PRIu32 "]", i);
        if (gpucode_stream_stage_register(giving->stage, name, &value))
            gpucode_machine_write(giving->inputs->machine, 0, GPUCODE_IR3_PUSH, i, (uint32_t)value);
    }
}

/* --- inputs ------------------------------------------------------------------------------------------------------- */

static void note(struct giving *giving, const char *what, uint32_t number)
{
    char name[16];
    size_t length = strlen(giving->taken);
    gpucode_machine_name(giving->inputs->machine, GPUCODE_A3XX_FULL, number, name, sizeof name);
    snprintf(giving->taken + length, sizeof giving->taken - length, "%s%s in %s", length ? ", " : "", what, name);
}

/* The first full registers of the pairs of barycentric numbers that the shader is given; returns how many. */
#define PAIRS 6
static unsigned find_pairs(const struct recorded *recorded, uint32_t pairs[PAIRS])
{
    static const char *const names[] = {"SP_REG_PROG_ID_1", "SP_REG_PROG_ID_2", "HLSQ_CONTROL_3_REG",
                                        "HLSQ_CONTROL_4_REG"};
    static const char *const fields[PAIRS] = {"IJ_PERSP_PIXEL",     "IJ_LINEAR_PIXEL", "IJ_PERSP_CENTROID",
                                              "IJ_LINEAR_CENTROID", "IJ_PERSP_SAMPLE", "IJ_LINEAR_SAMPLE"};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t whole;
        uint32_t number;
        struct ir3_fields found;
        unsigned family = recorded->recording.family;
        if (!gpucode_stream_stage_register(recorded->stage, names[i], &whole) ||
            !gpucode_register_find(family, names[i], strlen(names[i]), &number))
            continue;
        found.count = gpucode_register_fields(family, number, whole, found.list, GPUCODE_FIELD_VALUES_MAX);
        for (unsigned k = 0; k < PAIRS && count < PAIRS; k++) {
            const struct gpucode_field_value *pair = ir3_named_field(&found, fields[k]);
            if (pair && pair->value != NO_REGISTER)
                pairs[count++] = (uint32_t)pair->value;
        }
    }
    return count;
}

/* The middle of the triangle; in a picture the first pair is each pixel's own. */
static void give_pairs(struct giving *giving)
{
    uint32_t pairs[PAIRS];
    unsigned count = find_pairs(giving->recorded, pairs);
    bool picture = arguments_have(&giving->session->arguments, OPTION_IR3_IMAGE);
    for (unsigned i = 0; i < count; i++) {
        shader_give_full(giving->inputs, SHADER_ALL_THREADS, pairs[i], A_THIRD);
        shader_give_full(giving->inputs, SHADER_ALL_THREADS, pairs[i] + 1, A_THIRD);
        if (i || !picture)
            note(giving, "the middle of the triangle", pairs[i]);
    }
}

/* "X,Y" */
static bool read_pixel(const char *text, uint64_t pixel[2])
{
    for (unsigned i = 0; i < 2; i++) {
        if (!number_take(&text, &pixel[i]) || pixel[i] > 32767 || *text != (i ? 0 : ','))
            return false;
        text++;
    }
    return true;
}

static bool find_pixel_place(const struct recorded *recorded, uint64_t *place)
{
    static const char *const names[] = {"SP_REG_PROG_ID_2", "HLSQ_CONTROL_4_REG", NULL};
    return find_field(recorded->stage, names, "XYCOORDREGID", place) && *place != NO_REGISTER;
}

/* The quad of a pixel: x and y of its fibers' middles, in 16ths. Those of a picture get them when it is drawn. */
static int give_pixel(struct giving *giving)
{
    const char *text = giving->session->arguments.value[OPTION_IR3_PIXEL];
    uint64_t pixel[2] = {0, 0}, place;
    if (arguments_have(&giving->session->arguments, OPTION_IR3_IMAGE))
        return EXIT_DONE;
    if (text && !read_pixel(text, pixel))
        return value_refuse(giving->session, OPTION_IR3_PIXEL, text, "X,Y, numbers from 0 to 32767");
    if (!find_pixel_place(giving->recorded, &place))
        return EXIT_DONE;
    for (unsigned i = 0; gpucode_machine_processor(giving->inputs->machine, i); i++)
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t at = ((uint32_t)pixel[k] & ~1u) + (i >> k & 1);
            shader_give_full(giving->inputs, i, (uint32_t)place + k, 16 * at + 8);
        }
    if (!text)
        note(giving, "the pixel 0,0", (uint32_t)place);
    return EXIT_DONE;
}

/* The first value that is there, of NAME[i]PART by two names. */
static bool find_indexed(const struct giving *giving, const char *const forms[], unsigned index, uint64_t *value,
                         const char *field)
{
    for (; *forms; forms++) {
        char name[GPUCODE_NAME_MAX];
        const char *bracket = strchr(*forms, '[');
        snprintf(name, sizeof name, "%.*s[%u%s", (int)(bracket - *forms), *forms, index, bracket + 1);
        if (field ? gpucode_stream_stage_field(giving->stage, name, field, value)
                  : gpucode_stream_stage_register(giving->stage, name, value))
            return true;
    }
    return false;
}

/* Where the colours of render targets are. */
static void find_colors(const struct giving *giving, struct shader_picture *picture)
{
    static const char *const counts[] = {"SP_PS_MRT_CNTL", "SP_FS_OUTPUT_CNTL", "SP_FS_OUTPUT_REG", NULL};
    static const char *const outputs[] = {"SP_PS_OUTPUT[].REG", "SP_FS_OUTPUT[].REG", "SP_FS_MRT[].REG", NULL};
    uint64_t count = 0, number, half;
    find_field(giving->stage, counts, "MRT", &count);
    for (unsigned i = 0; i < count && i < SHADER_PICTURE_TARGETS; i++) {
        if (!find_indexed(giving, outputs, i, &number, "REGID") || number >= NO_REGISTER ||
            !find_indexed(giving, outputs, i, &half, "HALF_PRECISION"))
            return;
        picture->color[picture->targets].half = half;
        picture->color[picture->targets++].first = (uint32_t)number;
    }
}

static bool find_float(const struct giving *giving, const char *form, double *value)
{
    const char *const names[] = {form, NULL};
    uint64_t bits;
    if (!find_indexed(giving, names, 0, &bits, NULL))
        return false;
    uint32_t word = (uint32_t)bits;
    float number;
    memcpy(&number, &word, sizeof number);
    *value = number;
    return true;
}

/* The rectangle of the viewport, where it is one. */
static void find_rectangle(const struct giving *giving, struct shader_picture *picture)
{
    double x, y, across, down;
    if (!find_float(giving, "GRAS_CL_VIEWPORT[].XOFFSET", &x) ||
        !find_float(giving, "GRAS_CL_VIEWPORT[].XSCALE", &across) ||
        !find_float(giving, "GRAS_CL_VIEWPORT[].YOFFSET", &y) ||
        !find_float(giving, "GRAS_CL_VIEWPORT[].YSCALE", &down))
        return;
    across = across < 0 ? -across : across;
    down = down < 0 ? -down : down;
    if (!(across > 0 && down > 0 && x >= across && y >= down && x + across <= 32768 && y + down <= 32768))
        return;
    picture->left = x - across;
    picture->top = y - down;
    picture->across = 2 * across;
    picture->down = 2 * down;
}

void ir3_recorded_picture(const struct session *session, struct shader_picture *picture)
{
    const struct recorded *recorded = session->recorded;
    uint32_t pairs[PAIRS];
    uint64_t place;
    const struct giving giving = {.recorded = recorded, .stage = recorded->stage};
    picture->has_pair = find_pairs(recorded, pairs) > 0;
    picture->pair = picture->has_pair ? pairs[0] : 0;
    picture->has_place = find_pixel_place(recorded, &place);
    picture->place = picture->has_place ? (uint32_t)place : 0;
    find_colors(&giving, picture);
    find_rectangle(&giving, picture);
}

static const char *const fetch_names[] = {"VFD_FETCH_INSTR[].INSTR", "VFD_DECODE[].INSTR", NULL};

/* The text of a field of attribute `index`. */
static void text_of_fetch(const struct giving *giving, unsigned index, const char *field,
                          char text[GPUCODE_FIELD_TEXT_MAX])
{
    unsigned family = giving->recorded->recording.family;
    *text = 0;
    for (const char *const *form = fetch_names; *form; form++) {
        char name[GPUCODE_NAME_MAX];
        uint64_t whole;
        uint32_t number;
        struct ir3_fields found;
        snprintf(name, sizeof name, "%.*s%u%s", (int)(strchr(*form, ']') - *form), *form, index, strchr(*form, ']'));
        if (!gpucode_stream_stage_register(giving->stage, name, &whole) ||
            !gpucode_register_find(family, name, strlen(name), &number))
            continue;
        found.count = gpucode_register_fields(family, number, whole, found.list, GPUCODE_FIELD_VALUES_MAX);
        snprintf(text, GPUCODE_FIELD_TEXT_MAX, "%s", ir3_text_field(&found, field));
        return;
    }
}

/* An attribute of a vertex, which memory has at the buffer's stride. False: the recording has not all of it. */
static bool give_attribute(const struct giving *giving, unsigned index, uint64_t vertex)
{
    static const char *const destinations[] = {"VFD_DEST_CNTL[].INSTR", NULL};
    static const char *const bases[] = {"VFD_VERTEX_BUFFER[].BASE", "VFD_FETCH[].BASE_LO", NULL};
    static const char *const highs[] = {"VFD_FETCH[].BASE_HI", NULL};
    static const char *const strides[] = {"VFD_VERTEX_BUFFER[].STRIDE", "VFD_FETCH[].STRIDE", NULL};
    uint64_t mask, place, buffer = 0, offset = 0, base, high = 0, stride;
    char format[GPUCODE_FIELD_TEXT_MAX], swap[GPUCODE_FIELD_TEXT_MAX];
    struct shader_texels texels;
    unsigned char bytes[16] = {0};
    uint32_t rgba[4];
    if (!find_indexed(giving, destinations, index, &mask, "WRITEMASK") ||
        !find_indexed(giving, destinations, index, &place, "REGID") || place >= NO_REGISTER)
        return true;
    text_of_fetch(giving, index, "FORMAT", format);
    text_of_fetch(giving, index, "SWAP", swap);
    find_indexed(giving, fetch_names, index, &buffer, "IDX");
    find_indexed(giving, fetch_names, index, &offset, "OFFSET");
    if (!find_indexed(giving, bases, (unsigned)buffer, &base, NULL) ||
        !find_indexed(giving, strides, (unsigned)buffer, &stride, NULL) || !shader_texels_find(format, swap, &texels))
        return false;
    if (find_indexed(giving, highs, (unsigned)buffer, &high, NULL))
        base |= high << 32;
    size_t size = texels.count * texels.bits / 8;
    if (gpucode_stream_load(giving->recorded->recording.stream, gpucode_stream_stage_code(giving->stage).submit,
                            base + offset + vertex * stride, bytes, size) < size)
        return false;
    shader_texels_read(&texels, bytes, rgba);
    for (uint32_t k = 0; k < 4; k++)
        if (mask >> k & 1)
            shader_give_full(giving->inputs, SHADER_ALL_THREADS, (uint32_t)place + k, rgba[k]);
    return true;
}

static int give_vertex(struct giving *giving)
{
    static const char *const counts[] = {"VFD_CNTL_0", NULL}, *const earlier[] = {"VFD_CONTROL_0", NULL};
    static const char *const numbers[] = {"VFD_CNTL_1", "VFD_CONTROL_1", NULL};
    uint64_t vertex = 0, count = 0, place;
    int code = value_number(giving->session, OPTION_IR3_VERTEX, "the number of a vertex", &vertex);
    if (code)
        return code;
    if (!find_field(giving->stage, counts, "DECODE_CNT", &count))
        find_field(giving->stage, earlier, "VTXCNT", &count);
    for (unsigned i = 0; i < count && i < ATTRIBUTES; i++)
        if (!give_attribute(giving, i, vertex))
            complain(&giving->session->diagnostics, CLI_IR3_ATTRIBUTE, giving->recorded->name, NULL, i);
    if (find_field(giving->stage, numbers, "REGID4VTX", &place) && place != NO_REGISTER)
        shader_give_full(giving->inputs, SHADER_ALL_THREADS, (uint32_t)place, (uint32_t)vertex);
    if (find_field(giving->stage, numbers, "REGID4INST", &place) && place != NO_REGISTER)
        shader_give_full(giving->inputs, SHADER_ALL_THREADS, (uint32_t)place, 0);
    return EXIT_DONE;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

#define ZEROS_MAX ((uint64_t)64 << 20)
#define ZEROS_AT_ONCE 65536

/* Buffers are listed of which the recording has no contents, or not all of them: their bytes are 0. */
static int give_zeros(const struct giving *giving)
{
    static const unsigned char zeros[ZEROS_AT_ONCE];
    const struct gpucode_submit *submit = &giving->recorded->submit;
    uint64_t left = ZEROS_MAX;
    unsigned buffers = 0;
    for (size_t i = 0; i < submit->buffer_count; i++) {
        const struct gpucode_stream_buffer *buffer = &submit->buffers[i];
        uint64_t at = buffer->length, most = buffer->size - at > left ? at + left : buffer->size;
        buffers += !at && most;
        left -= most - at;
        for (; at < most; at += ZEROS_AT_ONCE) {
            size_t size = most - at < ZEROS_AT_ONCE ? (size_t)(most - at) : ZEROS_AT_ONCE;
            if (gpucode_machine_store(giving->inputs->machine, buffer->address + at, zeros, size) != GPUCODE_OK)
                return out_of_memory(&giving->session->diagnostics);
        }
    }
    if (buffers)
        complain(&giving->session->diagnostics, CLI_IR3_ZEROS, giving->recorded->name, NULL, buffers);
    return EXIT_DONE;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

int ir3_recorded_give(struct session *session, const struct recorded *recorded, struct shader_inputs *inputs)
{
    struct giving giving = {.session = session, .recorded = recorded, .stage = recorded->stage, .inputs = inputs};
    struct gpucode_stage_unit unit;
    uint32_t value;
    int code = give_zeros(&giving);
    if (!code)
        code = recording_store(session, &recorded->recording, &recorded->submit, inputs->machine);
    for (uint32_t i = 0; i < SHADER_CONSTS; i++)
        if (gpucode_stream_stage_constant(recorded->stage, i, &value))
            shader_give_const(inputs, i, value);
    for (size_t i = 0; !code && gpucode_stream_stage_unit(recorded->stage, i, &unit); i++)
        code = give_unit(&giving, &unit);
    give_bases(&giving);
    give_pushed(&giving);
    if (!code && is_stage(recorded, "FS")) {
        give_pairs(&giving);
        code = give_pixel(&giving);
    }
    if (!code && arguments_have(&session->arguments, OPTION_IR3_IMAGE)) {
        struct shader_picture picture = {0};
        ir3_recorded_picture(session, &picture);
        complain(&session->diagnostics, CLI_IR3_RECTANGLE, recorded->name, NULL,
                 picture.across > 0 ? ", the viewport," : "");
    }
    if (!code && is_stage(recorded, "VS"))
        code = give_vertex(&giving);
    if (!code && *giving.taken)
        complain(&session->diagnostics, CLI_IR3_TAKEN, recorded->name, NULL, giving.taken);
    return code;
}
