/* SPDX-License-Identifier: MIT */
#include "running.h"

#include <stdio.h>
#include <string.h>

struct rig rig_bytes(const void *bytes, size_t size, const struct gpucode_setting *policies)
{
    struct rig rig = {.program = NULL};
    struct heard heard = {0};
    struct gpucode_image_options image = {.target = target_named("a3xx"), .on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_image_open(bytes, size, &image, &rig.image), GPUCODE_OK);
    struct gpucode_machine_options options = {.policies = policies, .on_diagnostic = listen(&heard)};
    if (gpucode_machine_create(rig.image, &options, &rig.machine) != GPUCODE_OK)
        fail_msg("%s", heard_text(&heard));
    return rig;
}

struct rig rig_text(const char *text, const struct gpucode_setting *policies)
{
    struct assembled assembled;
    assemble_text(&assembled, text, "a3xx");
    if (assembled.status != GPUCODE_OK)
        fail_msg("%s: %s", text, heard_text(&assembled.heard));
    struct rig rig =
        rig_bytes(gpucode_program_bytes(assembled.program), gpucode_program_size(assembled.program), policies);
    rig.program = assembled.program;
    return rig;
}

void rig_down(struct rig *rig)
{
    gpucode_machine_free(rig->machine);
    gpucode_image_free(rig->image);
    gpucode_program_free(rig->program);
}

static bool fail_hooked(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)user;
    (void)machine;
    (void)event;
    fail_msg("an event that nothing raises");
    return false;
}

void rig_watch(struct rig *rig)
{
    gpucode_machine_hook(rig->machine, GPUCODE_EVENT_PACKET, fail_hooked, NULL);
}

void rig_set_of(struct rig *rig, unsigned thread, const char *name, uint32_t value)
{
    unsigned space;
    uint32_t number;
    if (!gpucode_machine_find(rig->machine, name, &space, &number))
        fail_msg("no register %s", name);
    assert_int_equal(gpucode_machine_write(rig->machine, thread, space, number, value), GPUCODE_OK);
}

uint32_t rig_get_of(const struct rig *rig, unsigned thread, const char *name)
{
    unsigned space;
    uint32_t number, value = 0;
    if (!gpucode_machine_find(rig->machine, name, &space, &number))
        fail_msg("no register %s", name);
    assert_int_equal(gpucode_machine_read(rig->machine, thread, space, number, &value), GPUCODE_OK);
    return value;
}

void rig_set(struct rig *rig, const char *name, uint32_t value)
{
    rig_set_of(rig, 0, name, value);
}

uint32_t rig_get(const struct rig *rig, const char *name)
{
    return rig_get_of(rig, 0, name);
}

void rig_store(struct rig *rig, uint64_t address, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char raw[4] = {(unsigned char)words[i], (unsigned char)(words[i] >> 8),
                                (unsigned char)(words[i] >> 16), (unsigned char)(words[i] >> 24)};
        assert_int_equal(gpucode_machine_store(rig->machine, address + 4 * i, raw, 4), GPUCODE_OK);
    }
}

void rig_texture(struct rig *rig, unsigned unit, uint32_t width, uint32_t height, const uint32_t *texels)
{
    char name[32];
    snprintf(name, sizeof name, "t%u.width", unit);
    rig_set(rig, name, width);
    snprintf(name, sizeof name, "t%u.height", unit);
    rig_set(rig, name, height);
    rig_store(rig, GPUCODE_A3XX_TEXELS(unit), texels, (size_t)width * height * 4);
}

void rig_run(struct rig *rig, enum gpucode_stop_reason reason, const char *code)
{
    gpucode_machine_run(rig->machine, 100000, &rig->stop);
    if (rig->stop.reason != reason || (code && (!rig->stop.code || strcmp(code, rig->stop.code) != 0)))
        fail_msg("stopped at %llu: %s (%s)", (unsigned long long)rig->stop.pc, rig->stop.text,
                 rig->stop.code ? rig->stop.code : "no code");
}

uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct gpucode_scheduled rig_schedule(const void *bytes, size_t size, enum gpucode_strip strip, bool reorder)
{
    struct gpucode_image_options open = {.target = target_named("a3xx")};
    struct gpucode_schedule_options options = {.strip = strip, .reorder = reorder};
    struct gpucode_image *image;
    struct gpucode_scheduled scheduled;
    assert_int_equal(gpucode_image_open(bytes, size, &open, &image), GPUCODE_OK);
    assert_int_equal(gpucode_schedule(image, &options, &scheduled), GPUCODE_OK);
    gpucode_image_free(image);
    return scheduled;
}
