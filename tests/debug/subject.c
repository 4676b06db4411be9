/* SPDX-License-Identifier: MIT */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void note(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct subject *subject = user;
    if (!subject->message[0] && diagnostic->severity == GPUCODE_ERROR)
        snprintf(subject->message, sizeof subject->message, "%u:%u: %s", diagnostic->line, diagnostic->column,
                 diagnostic->message);
}

void subject_open(struct subject *subject, const char *target, const char *source,
                  const struct gpucode_setting *policies, uint64_t gap)
{
    *subject = (struct subject){0};
    const struct gpucode_diagnostic_handler on_diagnostic = {note, subject};
    const struct gpucode_target *which = gpucode_target_find(target);
    struct gpucode_asm_options assemble = {
        .target = which, .file = "test.asm", .on_diagnostic = on_diagnostic, .record_lines = true};
    if (gpucode_assemble(source, strlen(source), &assemble, &subject->program) != GPUCODE_OK)
        fail_msg("%s", subject->message);
    const struct gpucode_image_options image = {.target = which, .on_diagnostic = on_diagnostic};
    const struct gpucode_machine_options machine = {.policies = policies, .on_diagnostic = on_diagnostic};
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(subject->program), gpucode_program_size(subject->program),
                                        &image, &subject->image),
                     GPUCODE_OK);
    if (gpucode_machine_create(subject->image, &machine, &subject->machine) != GPUCODE_OK)
        fail_msg("%s", subject->message);
    assert_int_equal(gpucode_symbols_create(which, NULL, &subject->symbols), GPUCODE_OK);
    assert_int_equal(gpucode_symbols_add(subject->symbols, subject->program), GPUCODE_OK);
    assert_int_equal(gpucode_symbols_bind(subject->symbols, subject->image, on_diagnostic), GPUCODE_OK);
    const struct gpucode_debug_options debug = {.symbols = subject->symbols, .gap = gap};
    assert_int_equal(gpucode_debug_create(subject->machine, &debug, &subject->debug), GPUCODE_OK);
}

void subject_close(struct subject *subject)
{
    gpucode_debug_free(subject->debug);
    gpucode_machine_free(subject->machine);
    gpucode_symbols_free(subject->symbols);
    gpucode_image_free(subject->image);
    gpucode_program_free(subject->program);
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

uint64_t subject_state(const struct subject *subject)
{
    struct gpucode_machine *machine = subject->machine;
    uint64_t hash = gpucode_machine_count(machine), target;
    struct gpucode_space_info info;
    struct gpucode_frame frame;
    unsigned char bytes[64];
    uint32_t value;
    mix(&hash, gpucode_machine_time(machine));
    for (unsigned p = 0; gpucode_machine_processor(machine, p); p++) {
        mix(&hash, gpucode_machine_pc(machine, p));
        mix(&hash, gpucode_machine_pending(machine, p, &target) ? target : 1);
        for (unsigned i = 0; gpucode_machine_frame(machine, p, i, &frame); i++)
            mix(&hash, frame.pc);
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++) {
            if (!gpucode_machine_space(machine, space, &info) || (info.shared && p))
                continue;
            for (uint32_t number = 0; number < info.count && number < 0x1000; number++)
                if (gpucode_machine_read(machine, p, space, number, &value) == GPUCODE_OK)
                    mix(&hash, value);
        }
    }
    for (uint64_t address = 0x100000; address < 0x100000 + 0x400; address += sizeof bytes)
        if (gpucode_machine_load(machine, address, bytes, sizeof bytes) == GPUCODE_OK)
            for (size_t i = 0; i < sizeof bytes; i++)
                mix(&hash, bytes[i]);
    return hash;
}

int64_t subject_value(struct subject *subject, const char *text)
{
    struct gpucode_value value;
    subject->message[0] = 0;
    if (gpucode_debug_evaluate(subject->debug, text, strlen(text), true,
                               (struct gpucode_diagnostic_handler){note, subject}, &value) != GPUCODE_OK)
        fail_msg("%s: %s", text, subject->message);
    return value.number;
}

uint32_t subject_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}
