/* SPDX-License-Identifier: MIT */
/* <gpucode/shader.h>: what a shader uses, as text, and an input with which another one does something else. */
#include <gpucode/asm.h>
#include <gpucode/shader.h>
#include <gpucode/target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shader {
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
};

static bool open_shader(struct shader *shader, const char *text)
{
    const struct gpucode_asm_options source = {.target = gpucode_target_find("ir3:a750")};
    const struct gpucode_image_options options = {.target = source.target};
    return gpucode_assemble(text, strlen(text), &source, &shader->program) == GPUCODE_OK &&
           gpucode_image_open(gpucode_program_bytes(shader->program), gpucode_program_size(shader->program), &options,
                              &shader->image) == GPUCODE_OK &&
           gpucode_machine_create(shader->image, NULL, &shader->machine) == GPUCODE_OK;
}

static void close_shader(const struct shader *shader)
{
    gpucode_machine_free(shader->machine);
    gpucode_image_free(shader->image);
    gpucode_program_free(shader->program);
}

static enum gpucode_status compare(const struct shader shaders[2], struct gpucode_answer *answer)
{
    const struct gpucode_subject subjects[2] = {
        {.image = shaders[0].image, .file = "first", .program = shaders[0].program},
        {.image = shaders[1].image, .file = "second", .program = shaders[1].program},
    };
    struct gpucode_shader_compare_options options = {.seed = 1, .runs = 1000};
    struct gpucode_shader_comparison found;
    enum gpucode_status status = gpucode_shader_compare(shaders[0].machine, shaders[1].machine, &options, &found);
    if (status == GPUCODE_OK) {
        status = gpucode_shader_comparison_tell(&found, shaders[0].machine, subjects, answer);
        gpucode_shader_comparison_free(&found);
    }
    return status;
}

int main(void)
{
    struct shader shaders[2] = {{NULL, NULL, NULL}, {NULL, NULL, NULL}};
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_answer_options how = {.form = GPUCODE_ANSWER_AS_TEXT};
    char *text = NULL;
    size_t length;
    bool good = open_shader(&shaders[0], "max.s r1.x, r0.x, c0.x\nend\n") &&
                open_shader(&shaders[1], "max.u r1.x, r0.x, c0.x\nend\n");
    good = good && gpucode_shader_usage_tell(shaders[0].image, answer) == GPUCODE_OK;
    good = good && compare(shaders, answer) == GPUCODE_OK;
    good = good && gpucode_answer_print(answer, &how, &text, &length) == GPUCODE_OK;
    if (text)
        fputs(text, stdout);
    free(text);
    gpucode_answer_free(answer);
    close_shader(&shaders[0]);
    close_shader(&shaders[1]);
    return !good;
}
