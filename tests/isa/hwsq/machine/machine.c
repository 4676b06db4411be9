/* SPDX-License-Identifier: MIT */
#include "machine.h"

struct rig rig_up(const char *target, const char *text, const struct gpucode_setting *settings)
{
    struct rig rig = {.program = assemble(target, text, NULL, true)};
    rig.image = image_of(target, gpucode_program_bytes(rig.program), gpucode_program_size(rig.program));
    struct told told;
    struct gpucode_machine_options options = {.policies = settings, .on_diagnostic = told_handler(&told)};
    if (gpucode_machine_create(rig.image, &options, &rig.machine) != GPUCODE_OK)
        fail_msg("%s", told.messages);
    return rig;
}

void rig_down(struct rig *rig)
{
    gpucode_machine_free(rig->machine);
    gpucode_image_free(rig->image);
    gpucode_program_free(rig->program);
}

uint64_t rig_run(struct rig *rig)
{
    return gpucode_machine_run(rig->machine, 10000, &rig->stop);
}

bool rig_reaches(struct rig *rig, uint32_t address)
{
    uint32_t value;
    bool reads = gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_GPU, address, &value) == GPUCODE_OK;
    bool writes = reads && gpucode_machine_write(rig->machine, 0, GPUCODE_SPACE_GPU, address, value) == GPUCODE_OK;
    assert_int_equal(reads, writes);
    return reads;
}

uint32_t rig_read(struct rig *rig, uint32_t address)
{
    uint32_t value = 0;
    assert_int_equal(gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_GPU, address, &value), GPUCODE_OK);
    return value;
}

void rig_write(struct rig *rig, uint32_t address, uint32_t value)
{
    assert_int_equal(gpucode_machine_write(rig->machine, 0, GPUCODE_SPACE_GPU, address, value), GPUCODE_OK);
}

uint32_t rig_effective(struct rig *rig, uint32_t address)
{
    struct gpucode_space_info info;
    uint32_t value = 0;
    assert_true(gpucode_machine_space(rig->machine, GPUCODE_SPACE_COUNT, &info));
    assert_string_equal(info.name, "effective");
    assert_int_equal(gpucode_machine_read(rig->machine, 0, GPUCODE_SPACE_COUNT, address, &value), GPUCODE_OK);
    return value;
}

uint32_t rig_general(struct rig *rig, unsigned slot, const char *name)
{
    unsigned space;
    uint32_t number, value = 0;
    assert_true(gpucode_machine_find(rig->machine, name, &space, &number));
    assert_int_equal(gpucode_machine_read(rig->machine, slot, space, number, &value), GPUCODE_OK);
    return value;
}

void rig_event(struct rig *rig, unsigned event, uint32_t value)
{
    assert_int_equal(gpucode_machine_write(rig->machine, 0, GPUCODE_SPACE_EVENT, event, value), GPUCODE_OK);
}
