/* SPDX-License-Identifier: MIT */
#include "kit/afuc/kit.h"

#include <gpucode/machine.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LIMIT 1000000

/* The first table entry of a processor that differs from the image's; false: all are the same, or nothing was loaded.
 */
static bool find_difference(const struct gpucode_image *image, const struct gpucode_machine *machine,
                            unsigned processor, struct boot *boot, unsigned *loaded)
{
    unsigned section = gpucode_machine_section(machine, processor);
    for (unsigned entry = 0; entry < 128; entry++) {
        uint32_t expected, value;
        if (!gpucode_image_handler(image, section, entry, &expected) ||
            gpucode_machine_read(machine, processor, GPUCODE_SPACE_PACKET, entry, &value) != GPUCODE_OK)
            return false;
        *loaded += entry == 0;
        if (value != expected) {
            boot->result = "differs";
            snprintf(boot->detail, sizeof boot->detail,
                     "%s entry 0x%02x: 0x%04" PRIx32 " loaded, 0x%04" PRIx32 " in the image",
                     gpucode_machine_processor(machine, processor), entry, value, expected);
            return true;
        }
    }
    return false;
}

bool boot_compare(const struct gpucode_image *image, struct boot *boot)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    unsigned loaded = 0;
    *boot = (struct boot){0};
    /* a5xx hardware reads the table by itself; other sets have no tables */
    if (!info->section_count || info->sections[0].table == GPUCODE_NONE ||
        strcmp(gpucode_target_generation(info->target), "a5xx") == 0)
        return true;
    enum gpucode_status status = gpucode_machine_create(image, NULL, &machine);
    if (status != GPUCODE_OK)
        return status != GPUCODE_ERROR_MEMORY;
    boot->instructions = gpucode_machine_run(machine, LIMIT, &stop);
    bool differs = false;
    for (unsigned i = 0; !differs && gpucode_machine_processor(machine, i); i++)
        differs = find_difference(image, machine, i, boot, &loaded);
    if (!differs && (stop.reason != GPUCODE_STOP_IDLE || !loaded)) {
        boot->result = "stopped";
        snprintf(boot->detail, sizeof boot->detail, "%s at word 0x%" PRIx64 ": %s",
                 gpucode_machine_processor(machine, stop.processor), stop.pc,
                 !stop.text[0]                      ? "the limit of instructions is reached"
                 : stop.reason == GPUCODE_STOP_IDLE ? "no packet table was loaded"
                                                    : stop.text);
    } else if (!differs) {
        boot->result = "agrees";
        snprintf(boot->detail, sizeof boot->detail, "packet tables of %u of %u sections loaded as in the image", loaded,
                 info->section_count);
    }
    gpucode_machine_free(machine);
    return true;
}
