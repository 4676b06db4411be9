/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a shader of A3XX, and of a later generation which their count picks, or as its source: checked by the
 * rules, and scheduled in every way. What comes out is scheduled again without change, and says of every instruction
 * where it came from.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <string.h>

static void check_finding(void *user, const struct gpucode_finding *finding)
{
    check(finding->message && finding->code && finding->reason && finding->unit < *(const uint32_t *)user);
    check(!finding->has_other || finding->other < *(const uint32_t *)user);
}

static struct gpucode_image *open_code(const struct gpucode_target *target, const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target};
    struct gpucode_image *image;
    check(gpucode_image_open(bytes, size, &options, &image) == GPUCODE_OK);
    return image;
}

static void schedule_twice(const struct gpucode_image *image, enum gpucode_strip strip, bool reorder)
{
    struct gpucode_schedule_options options = {.strip = strip, .reorder = reorder};
    struct gpucode_scheduled done, again;
    if (gpucode_schedule(image, &options, &done) != GPUCODE_OK)
        return;
    uint32_t units = gpucode_image_info(image)->units;
    for (uint32_t i = 0; i < done.units; i++)
        check(done.origins[i] == GPUCODE_SCHEDULE_NEW || done.origins[i] < units);
    struct gpucode_image *out = open_code(gpucode_image_info(image)->target, done.bytes, done.size);
    if (strip != GPUCODE_STRIP_ALL && gpucode_schedule(out, NULL, &again) == GPUCODE_OK) {
        check(again.size == done.size && (!done.size || memcmp(again.bytes, done.bytes, done.size) == 0));
        gpucode_scheduled_free(&again);
    }
    gpucode_image_free(out);
    gpucode_scheduled_free(&done);
}

static void check_code(const struct gpucode_target *target, const void *bytes, size_t size)
{
    struct gpucode_image *image = open_code(target, bytes, size);
    uint32_t units = gpucode_image_info(image)->units ? gpucode_image_info(image)->units : 1;
    struct gpucode_lint_options options = {.report = check_finding, .user = &units};
    check(gpucode_lint(image, &options, NULL) == GPUCODE_OK);
    schedule_twice(image, GPUCODE_STRIP_NOTHING, false);
    schedule_twice(image, GPUCODE_STRIP_NEEDLESS, false);
    schedule_twice(image, GPUCODE_STRIP_NEEDLESS, true);
    schedule_twice(image, GPUCODE_STRIP_ALL, false);
    gpucode_image_free(image);
}

static void check_as(const char *name, const uint8_t *bytes, size_t size)
{
    const struct gpucode_target *target = gpucode_target_find(name);
    struct gpucode_asm_options options = {.target = target};
    struct gpucode_program *program;
    check_code(target, bytes, size);
    if (gpucode_assemble((const char *)bytes, size, &options, &program) == GPUCODE_OK) {
        check_code(gpucode_program_target(program), gpucode_program_bytes(program), gpucode_program_size(program));
        gpucode_program_free(program);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const later[] = {"ir3:a4xx", "ir3:a5xx", "ir3:a6xx", "ir3:a7xx", "ir3:a8xx", "ir3:a650"};
    check_as("a3xx", bytes, size);
    check_as(later[size % (sizeof later / sizeof *later)], bytes, size);
    return 0;
}
