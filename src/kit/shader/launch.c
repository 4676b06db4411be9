/* SPDX-License-Identifier: MIT */
/* Launch requests of editors for shaders: the work group or a picture's pixel, and what the threads find. */
#include "kit/shader/shader.h"

#include <gpucode/shader.h>
#include <string.h>

void shader_launch_begin(struct launch *launch, const struct shader_launch_set *set)
{
    struct shader_launch *shader = launch->state;
    shader->set = set;
    shader->groups[0] = shader->groups[1] = shader->groups[2] = 1;
    shader_group_declared(&shader->group, launch->program);
}

void shader_launch_settings(struct launch *launch, struct kit_settings *settings)
{
    struct shader_launch *shader = launch->state;
    if (shader->grid.width) { /* pixels have no number in a work group; they run in quads */
        shader->group = (struct shader_group){0};
        settings->list[0] = (struct gpucode_setting){shader->set->threads, "4"};
    } else if (shader_group_threads(&shader->group, settings->text))
        settings->list[0] = (struct gpucode_setting){shader->set->threads, settings->text};
}

enum gpucode_status shader_launch_give(struct launch *launch)
{
    struct shader_launch *shader = launch->state;
    shader->inputs = (struct shader_inputs){.machine = launch->machine,
                                            .read = launch->read,
                                            .user = launch->user,
                                            .on_diagnostic = launch->on_diagnostic,
                                            .wide = shader->set->wide,
                                            .texels = shader->set->texels,
                                            .grid = shader->grid.width};
    shader->grid.inputs = &shader->inputs;
    shader_group_give(&shader->group, &shader->inputs);
    shader_give_declared(&shader->inputs, launch->program);
    return shader->set->give ? shader->set->give(launch) : GPUCODE_OK;
}

#define SIZE_EXPECTED "X, X,Y or X,Y,Z, at most 1024 threads of a shader together"
#define ID_EXPECTED "the first of three registers (r0.x) of a shader"
#define NO_IMAGE_EXPECTED "a launch without image: pixels are in no group"
#define IMAGE_EXPECTED SHADER_PIXEL_SIZE_EXPECTED ", of a picture that a shader draws"
#define PIXEL_EXPECTED "X,Y of a pixel of a shader's picture, and image, its size, with it"
#define PLACE_EXPECTED SHADER_PIXEL_PAIR_EXPECTED ", and image, the size of a shader's picture, with it"
#define RECORDED_EXPECTED "`from`, the recording that it is of, and no program"
#define INPUT_FOREIGN "a shader that it is for"

static enum gpucode_status take_local_size(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = shader->grid.width ? NO_IMAGE_EXPECTED : SIZE_EXPECTED;
    return !shader->grid.width && shader_group_size(&shader->group, text) ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_local_id(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = shader->grid.width ? NO_IMAGE_EXPECTED : ID_EXPECTED;
    return !shader->grid.width && shader_group_id(&shader->group, launch->machine, text) ? GPUCODE_OK
                                                                                         : GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_image(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = IMAGE_EXPECTED;
    return shader_pixel_size(&shader->grid, text) ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_pixel(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = PIXEL_EXPECTED;
    shader->has_pixel = shader_pixel_place(&shader->grid, text, &shader->x, &shader->y);
    return shader->has_pixel ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_frag_coord(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    struct shader_grid *grid = &shader->grid;
    *expected = PLACE_EXPECTED;
    grid->has_place = grid->width && shader_pixel_register(launch->machine, text, &grid->place);
    return grid->has_place ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
}

/* The quad of the pixel gets its place in the picture, after all that everybody gets. */
enum gpucode_status shader_launch_finish(struct launch *launch, const char **field, const char **expected)
{
    struct shader_launch *shader = launch->state;
    struct shader_grid *grid = &shader->grid;
    struct gpucode_a3xx_usage usage;
    if (!grid->width)
        return GPUCODE_OK;
    if (!shader->has_pixel) {
        *field = "image";
        *expected = "pixel X,Y with it: one quad is debugged";
        return GPUCODE_ERROR_ARGUMENT;
    }
    if (!shader_pixel_has_quad(grid)) {
        *field = "policies";
        *expected = "the preset of threads, which is 4 here: pixels run in quads";
        return GPUCODE_ERROR_ARGUMENT;
    }
    gpucode_shader_usage(gpucode_machine_image(launch->machine), &usage);
    if (!grid->has_pair)
        shader_pixel_pair(grid, launch->program, &usage);
    if (!grid->has_pair && shader->inputs.varies) {
        *field = "ij";
        *expected = "the first of the two registers that have the barycentric pair: varyings change over the picture";
        return GPUCODE_ERROR_ARGUMENT;
    }
    launch->processor = shader_grid_place(grid, shader->x, shader->y);
    return GPUCODE_OK;
}

static enum gpucode_status take_input(struct launch *launch, enum shader_input kind, const char *text,
                                      const char **expected)
{
    struct shader_launch *shader = launch->state;
    enum shader_status status = shader_give(&shader->inputs, kind, text);
    *expected = shader->inputs.expected;
    return status == SHADER_GIVEN       ? GPUCODE_OK
           : status == SHADER_WRONG     ? GPUCODE_ERROR_ARGUMENT
           : status == SHADER_NO_MEMORY ? GPUCODE_ERROR_MEMORY
                                        : GPUCODE_ERROR_INPUT;
}

#define TAKES(name, kind)                                                                                              \
    static enum gpucode_status name(struct launch *launch, const char *text, const char **expected)                    \
    {                                                                                                                  \
        return take_input(launch, kind, text, expected);                                                               \
    }
TAKES(take_middle, SHADER_IJ)
TAKES(take_const, SHADER_CONST)
TAKES(take_register, SHADER_IN)
TAKES(take_varying, SHADER_VARYING)
TAKES(take_texture, SHADER_TEXTURE)
TAKES(take_memory, SHADER_MEMORY)

/* These are taken with `from`, and not here then. */
static enum gpucode_status take_recorded(struct launch *launch, const char *text, const char **expected)
{
    (void)launch;
    (void)text;
    *expected = RECORDED_EXPECTED;
    return GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_groups(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = "X, X,Y or X,Y,Z, of a shader whose set has several groups";
    return shader->set->read_groups && shader->set->read_groups(text, shader->groups) ? GPUCODE_OK
                                                                                      : GPUCODE_ERROR_ARGUMENT;
}

/* Only some sets have slots of buffers. */
static enum gpucode_status take_slot(struct launch *launch, bool constants, const char *text, const char **expected)
{
    const struct shader_launch *shader = launch->state;
    *expected = "an ir3 shader, whose buffers have slots";
    return shader->set->fill ? shader->set->fill(launch, constants, text, expected) : GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_buffer(struct launch *launch, const char *text, const char **expected)
{
    return take_slot(launch, false, text, expected);
}

static enum gpucode_status take_constants(struct launch *launch, const char *text, const char **expected)
{
    return take_slot(launch, true, text, expected);
}

/* In a picture the pair is each pixel's own, else that of the triangle's middle. */
static enum gpucode_status take_pair(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    struct shader_grid *grid = &shader->grid;
    if (!grid->width)
        return take_middle(launch, text, expected);
    *expected = SHADER_PIXEL_PAIR_EXPECTED;
    grid->has_pair = shader_pixel_register(launch->machine, text, &grid->pair);
    return grid->has_pair ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
}

const struct launch_field shader_launch_fields[] = {
    {"ij", false, LAUNCH_INPUTS, INPUT_FOREIGN, "First of the two registers of a shader with the barycentric pair.",
     take_pair},
    {"const", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Consts of a shader: `c0.x=VALUE`.", take_const},
    {"in", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Registers of a shader: `r0.x=VALUE`.", take_register},
    {"varying", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Varyings of a shader: `0=VALUE`.", take_varying},
    {"texture", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Textures of a shader: `0=FILE.png` or `0=FILE.f32:WIDTHxHEIGHT`.",
     take_texture},
    {"memory", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Memory of a shader: `ADDRESS=FILE`.", take_memory},
    {"image", false, LAUNCH_SETTINGS, IMAGE_EXPECTED,
     "The size of the picture of a shader that `pixel` is in: `WIDTHxHEIGHT`.", take_image},
    {"pixel", false, LAUNCH_SETTINGS, PIXEL_EXPECTED,
     "The pixel of a shader's picture, or with `from` of the draw, whose quad is debugged: `X,Y`.", take_pixel},
    {"draw", false, LAUNCH_SETTINGS, RECORDED_EXPECTED, "With `from`: the number of the draw or dispatch, from 0.",
     take_recorded},
    {"stage", false, LAUNCH_SETTINGS, RECORDED_EXPECTED,
     "With `from`: vs, hs, ds, gs, fs or cs; cs of a dispatch and fs of a draw unless given.", take_recorded},
    {"vertex", false, LAUNCH_SETTINGS, RECORDED_EXPECTED,
     "With `from`: the number of the vertex that a vertex shader runs for.", take_recorded},
    {"frag-coord", false, LAUNCH_INPUTS, PLACE_EXPECTED,
     "First of the two registers of a shader with a pixel's place in the picture.", take_frag_coord},
    {"local-size", false, LAUNCH_SETTINGS, SIZE_EXPECTED, "Threads of a shader's group: `X,Y,Z`.", take_local_size},
    {"local-id", false, LAUNCH_PLACES, ID_EXPECTED,
     "First of the three registers of a shader with a thread's place in its group.", take_local_id},
    {"groups", false, LAUNCH_PLACES, INPUT_FOREIGN, "How many work groups of an ir3 shader run: `X,Y,Z`.", take_groups},
    {"buffer", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Buffers of an ir3 shader: `0=FILE`.", take_buffer},
    {"ubo", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Buffers of constants of an ir3 shader: `0=FILE`.", take_constants},
    {0},
};
