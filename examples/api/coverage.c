/* SPDX-License-Identifier: MIT */
/* Runs a small script, and prints which of its instructions ran. */
#include <gpucode/asm.h>
#include <gpucode/coverage.h>
#include <stdio.h>
#include <string.h>

static const char source[] = ".target hwsq:nv50\n"
                             "set1 #FB_PAUSE\n"
                             "wait 2us\n"
                             "exit\n"
                             "wait 4us\n";

static bool write(void *user, const char *text, size_t length)
{
    (void)user;
    return fwrite(text, 1, length, stdout) == length;
}

static enum gpucode_status print_coverage(const struct gpucode_image *image, struct gpucode_machine *machine)
{
    struct gpucode_outline *outline = NULL;
    struct gpucode_coverage coverage = {0};
    struct gpucode_stop stop;
    struct gpucode_coverage_options options = {.file = "script", .stop = &stop};
    gpucode_machine_coverage(machine, true);
    options.instructions = gpucode_machine_run(machine, 1000, &stop);
    options.done = stop.reason == GPUCODE_STOP_END;
    enum gpucode_status status = gpucode_outline_create(image, NULL, &outline);
    if (status == GPUCODE_OK)
        status = gpucode_coverage_find(machine, image, outline, NULL, &coverage);
    if (status == GPUCODE_OK) {
        struct gpucode_answer *answer =
            gpucode_answer_stream(&(struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT, .write = write});
        gpucode_coverage_tell(&coverage, &options, answer);
        status = gpucode_answer_finish(answer);
        gpucode_answer_free(answer);
    }
    gpucode_coverage_free(&coverage);
    gpucode_outline_free(outline);
    return status;
}

int main(void)
{
    struct gpucode_program *program = NULL;
    struct gpucode_image *image = NULL;
    struct gpucode_machine *machine = NULL;
    struct gpucode_image_options options = {.target = gpucode_target_find("hwsq:nv50")};
    bool made = gpucode_assemble(source, strlen(source), NULL, &program) == GPUCODE_OK &&
                gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &options, &image) ==
                    GPUCODE_OK &&
                gpucode_machine_create(image, NULL, &machine) == GPUCODE_OK;
    made = made && print_coverage(image, machine) == GPUCODE_OK;
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return !made;
}
