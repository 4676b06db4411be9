/* SPDX-License-Identifier: MIT */
/* Launch requests of editors for A3XX shaders: the work group, and what its threads find. */
#include "kit/launch.h"
#include "kit/a3xx/shader/group.h"

struct shader_launch {
    struct shader_group group;
    struct shader_inputs inputs;
};

static void begin_group(struct launch *launch)
{
    struct shader_launch *shader = launch->state;
    shader_group_declared(&shader->group, launch->program);
}

static void set_threads(struct launch *launch, struct kit_settings *settings)
{
    struct shader_launch *shader = launch->state;
    if (shader_group_threads(&shader->group, settings->text))
        settings->list[0] = (struct gpucode_setting){"a3xx-threads", settings->text};
}

static void give_declared(struct launch *launch)
{
    struct shader_launch *shader = launch->state;
    shader->inputs = (struct shader_inputs){
        .machine = launch->machine, .read = launch->read, .user = launch->user, .on_diagnostic = launch->on_diagnostic};
    shader_group_give(&shader->group, &shader->inputs);
    shader_give_declared(&shader->inputs, launch->program);
}

#define SIZE_EXPECTED "X, X,Y or X,Y,Z, at most 1024 threads of an A3XX shader together"
#define ID_EXPECTED "the first of three registers (r0.x) of an A3XX shader"
#define INPUT_FOREIGN "an A3XX shader that it is for"

static enum gpucode_status take_local_size(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = SIZE_EXPECTED;
    return shader_group_size(&shader->group, text) ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
}

static enum gpucode_status take_local_id(struct launch *launch, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    *expected = ID_EXPECTED;
    return shader_group_id(&shader->group, launch->machine, text) ? GPUCODE_OK : GPUCODE_ERROR_ARGUMENT;
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
TAKES(take_pair, SHADER_IJ)
TAKES(take_const, SHADER_CONST)
TAKES(take_register, SHADER_IN)
TAKES(take_varying, SHADER_VARYING)
TAKES(take_texture, SHADER_TEXTURE)
TAKES(take_memory, SHADER_MEMORY)

static const struct launch_field fields[] = {
    {"ij", false, LAUNCH_INPUTS, INPUT_FOREIGN,
     "First of the two registers of an A3XX shader with the barycentric pair.", take_pair},
    {"const", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Consts of an A3XX shader: `c0.x=VALUE`.", take_const},
    {"in", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Registers of an A3XX shader: `r0.x=VALUE`.", take_register},
    {"varying", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Varyings of an A3XX shader: `0=VALUE`.", take_varying},
    {"texture", true, LAUNCH_INPUTS, INPUT_FOREIGN,
     "Textures of an A3XX shader: `0=FILE.png` or `0=FILE.f32:WIDTHxHEIGHT`.", take_texture},
    {"memory", true, LAUNCH_INPUTS, INPUT_FOREIGN, "Memory of an A3XX shader: `ADDRESS=FILE`.", take_memory},
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
};
