/* SPDX-License-Identifier: MIT */
/* The outline of a small firmware: its routines, and each unit with its labels. */
#include <gpucode/outline.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char source[] = "[016ee001]\n"
                             "[01000000]\n"
                             "call #add_one\n"
                             "nop\n"
                             "waitin\n"
                             "mov $01, $data\n"
                             "add_one: ret\n"
                             "add $02, $02, 0x1\n";

static void print_outline(const struct gpucode_outline *outline)
{
    uint32_t unit_count, mark_count, routine_count;
    const char *text = gpucode_outline_text(outline, NULL);
    const struct gpucode_unit *units = gpucode_outline_units(outline, &unit_count);
    const struct gpucode_mark *marks = gpucode_outline_marks(outline, &mark_count);
    const struct gpucode_routine *routines = gpucode_outline_routines(outline, &routine_count);
    for (uint32_t i = 0; i < routine_count; i++)
        printf("%s: %" PRIu32 " units\n", routines[i].name, routines[i].count);
    for (uint32_t i = 0; i < unit_count; i++) {
        for (unsigned k = 0; k < units[i].label_count; k++) {
            const struct gpucode_span *name = &marks[units[i].first_label + k].name;
            printf("%.*s ", (int)name->length, text + name->offset);
        }
        printf("%" PRIu64 " %08" PRIx64 " %s %.*s\n", units[i].at, units[i].bits,
               units[i].kind == GPUCODE_UNIT_CODE ? "code" : "data", (int)units[i].text.length,
               text + units[i].text.offset);
    }
}

int main(void)
{
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_outline *outline;
    if (gpucode_assemble(source, strlen(source), NULL, &program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) != GPUCODE_OK ||
        gpucode_outline_create(image, NULL, &outline) != GPUCODE_OK)
        return 1;
    print_outline(outline);
    gpucode_outline_free(outline);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}
