/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
            memcpy(group->size, declaration.value, sizeof group->size);
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
    for (unsigned i = 0; i < 3; i++) {
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
