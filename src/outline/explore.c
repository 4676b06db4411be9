/* SPDX-License-Identifier: MIT */
/* Running an image a little, to learn what of it is code: its boot, and each packet handler on a payload of zeros. */
#include "outline/outline.h"

#include "isa/isa.h"
#include "isa/machine.h"
#include "machine/machine.h"

#include <stdlib.h>

#define ENTRIES 128
#define PAYLOAD 16           /* words */
#define BOOT_LIMIT 20000     /* instructions */
#define HANDLERS_LIMIT 20000 /* of all handlers together */
#define HANDLER_LIMIT 200    /* of one: a loop that waits says nothing new */
#define REPETITIONS 1024     /* of one instruction of a handler, which has few words: more is a count that ran away */

void gpucode_machine_ran(const struct gpucode_machine *machine, const struct gpucode_image *image, uint8_t *ran)
{
    if (!machine)
        return;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    for (unsigned i = 0; gpucode_machine_processor(machine, i); i++) {
        unsigned number = gpucode_machine_section(machine, i);
        uint32_t start = number < info->section_count ? info->sections[number].start : 0;
        uint32_t size = number < info->section_count ? info->sections[number].size : info->units;
        size_t units;
        const uint8_t *covered = gpucode_machine_covered(machine, i, &units);
        for (size_t k = 0; covered && k < units && k < size && start + k < info->units; k++)
            ran[start + k] |= covered[k];
    }
}

/* Runs each handler of a processor once, from the state `booted`. */
static void run_handlers(const struct gpucode_image *image, struct gpucode_machine *machine, unsigned processor,
                         const struct gpucode_snapshot *booted, uint64_t *left)
{
    const struct isa_machine *emulator = image_layout(image)->info.target->isa->machine;
    unsigned section = gpucode_machine_section(machine, processor);
    uint32_t seen[ENTRIES], handler, words[PAYLOAD + 1] = {0};
    unsigned count = 0;
    for (unsigned entry = 0; *left && entry < ENTRIES && gpucode_image_handler(image, section, entry, &handler);
         entry++) {
        unsigned i = 0;
        while (i < count && seen[i] != handler)
            i++;
        if (i < count)
            continue;
        seen[count++] = handler;
        struct gpucode_stop stop;
        words[0] = emulator->packet(entry, PAYLOAD);
        if (gpucode_machine_restore(machine, booted) != GPUCODE_OK ||
            gpucode_machine_feed(machine, processor, words, PAYLOAD + 1) != GPUCODE_OK)
            return;
        uint64_t ran = gpucode_machine_run(machine, *left < HANDLER_LIMIT ? *left : HANDLER_LIMIT, &stop);
        *left -= ran < *left ? ran : *left;
    }
}

uint8_t *outline_explore(const struct gpucode_image *image)
{
    struct gpucode_machine *machine;
    struct gpucode_snapshot *booted;
    struct gpucode_stop stop;
    uint8_t *ran = calloc((size_t)gpucode_image_info(image)->units + 1, 1);
    if (!ran)
        return NULL;
    if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK) {
        free(ran);
        return NULL;
    }
    uint64_t left = HANDLERS_LIMIT;
    gpucode_machine_coverage(machine, true);
    gpucode_machine_run(machine, BOOT_LIMIT, &stop);
    if (stop.reason == GPUCODE_STOP_IDLE && gpucode_machine_snapshot(machine, &booted) == GPUCODE_OK) {
        machine->core.repetitions = REPETITIONS;
        for (unsigned i = 0; gpucode_machine_processor(machine, i); i++)
            run_handlers(image, machine, i, booted, &left);
        gpucode_snapshot_free(booted);
    }
    gpucode_machine_ran(machine, image, ran);
    gpucode_machine_free(machine);
    return ran;
}
