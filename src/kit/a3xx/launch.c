/* SPDX-License-Identifier: MIT */
/* Launch requests of editors for A3XX shaders: the work group or a picture's pixel, and what the threads find. */
#include "kit/launch.h"
#include "kit/a3xx/shader/grid.h"
#include "kit/a3xx/shader/group.h"

struct shader_launch {
    struct shader_group group;
    struct shader_inputs inputs;
    struct shader_grid grid; /* width 0: no picture */
    bool has_pixel;
    unsigned x, y; /* of the pixel */
};

static void begin_group(struct launch *launch)
{
    struct shader_launch *shader = launch->state;
    shader_group_declared(&shader->group, launch->program);
}

static void set_threads(struct launch *launch, struct kit_settings *settings)
{
    struct shader_launch *shader = launch->state;
    if (shader->grid.width) { /* pixels have no number in a work group; they run in quads */
        shader->group = (struct shader_group){0};
        settings->list[0] = (struct gpucode_setting){"a3xx-threads", "4"};
    } else if (shader_group_threads(&shader->group, settings->text))
        settings->list[0] = (struct gpucode_setting){"a3xx-threads", settings->text};
}

static void give_declared(struct launch *launch)
{
    struct shader_launch *shader = launch->state;
    shader->inputs = (struct shader_inputs){
        .machine = launch->machine, .read = launch->read, .user = launch->user, .on_diagnostic = launch->on_diagnostic};
    shader->inputs.grid = shader->grid.width;
    shader->grid.inputs = &shader->inputs;
    shader_group_give(&shader->group, &shader->inputs);
    shader_give_declared(&shader->inputs, launch->program);
}

#define SIZE_EXPECTED "X, X,Y or X,Y,Z, at most 1024 threads of an A3XX shader together"
#define ID_EXPECTED "the first of three registers (r0.x) of an A3XX shader"
#define NO_IMAGE_EXPECTED "a launch without image: pixels are in no group"
#define IMAGE_EXPECTED SHADER_PIXEL_SIZE_EXPECTED ", of a picture that an A3XX shader draws"
#define PIXEL_EXPECTED "X,Y of a pixel of an A3XX shader's picture, and image, its size, with it"
#define PLACE_EXPECTED SHADER_PIXEL_PAIR_EXPECTED ", and image, the size of an A3XX shader's picture, with it"
#define INPUT_FOREIGN "an A3XX shader that it is for"

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
static enum gpucode_status place_pixel(struct launch *launch, const char **field, const char **expected)
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
        *expected = "a3xx-threads 4, which is the preset here: pixels run in quads";
        return GPUCODE_ERROR_ARGUMENT;
    }
    gpucode_a3xx_usage(gpucode_machine_image(launch->machine), &usage);
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

static const struct launch_field fields[] = {
    {"ij", false, LAUNCH_INPUTS, INPUT_FOREIGN,
     "First of the two registers of an A3XX shader with the barycentric pair.", take_pair},
    {"const", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Consts of an A3XX shader: `c0.x=VALUE`.", take_const},
    {"in", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Registers of an A3XX shader: `r0.x=VALUE`.", take_register},
    {"varying", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Varyings of an A3XX shader: `0=VALUE`.", take_varying},
    {"texture", true, LAUNCH_INPUTS, INPUT_FOREIGN,
     "Textures of an A3XX shader: `0=FILE.png` or `0=FILE.f32:WIDTHxHEIGHT`.", take_texture},
    {"memory", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Memory of an A3XX shader: `ADDRESS=FILE`.", take_memory},
    {"image", false, LAUNCH_SETTINGS, IMAGE_EXPECTED,
     "The size of the picture of an A3XX shader that `pixel` is in: `WIDTHxHEIGHT`.", take_image},
    {"pixel", false, LAUNCH_SETTINGS, PIXEL_EXPECTED,
     "The pixel of an A3XX shader's picture whose quad is debugged: `X,Y`.", take_pixel},
    {"frag-coord", false, LAUNCH_INPUTS, PLACE_EXPECTED,
     "First of the two registers of an A3XX shader with a pixel's place in the picture.", take_frag_coord},
    {"local-size", false, LAUNCH_SETTINGS, SIZE_EXPECTED, "Threads of an A3XX shader's group: `X,Y,Z`.",
     take_local_size},
    {"local-id", false, LAUNCH_PLACES, ID_EXPECTED,
     "First of the three registers of an A3XX shader with a thread's place in its group.", take_local_id},
    {0},
};

extern const struct kit_launch a3xx_launch;

const struct kit_launch a3xx_launch = {
    .fields = fields,
    .state_size = sizeof(struct shader_launch),
    .begin = begin_group,
    .settings = set_threads,
    .give = give_declared,
    .finish = place_pixel,
};
