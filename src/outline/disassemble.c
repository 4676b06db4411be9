/* SPDX-License-Identifier: MIT */
/* The text of an image. */
#include "outline/outline.h"

#include "isa/isa.h"
#include "isa/machine.h"
#include "isa/plain/plain.h"
#include "machine/machine.h"

#include <stdlib.h>

/* Running an image a little, to learn what of it is code: its boot, and each packet handler on a payload of zeros. */

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

/*
 * A byte per unit of the image, 1 where it ran, to be freed by the caller; null when the image cannot be run or memory
 * is short. Takes a few milliseconds at most, whatever the image does.
 */
static uint8_t *outline_explore(const struct gpucode_image *image)
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

/* Text that is handed over in pieces of this size, or a little more. */
#define WINDOW 65536

/* Fills the text of *listing, or its window. */
static void list_image(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                       struct isa_lines *listing)
{
    static const struct gpucode_disasm_options defaults;
    const struct isa_layout *layout = image_layout(image);
    const struct isa *isa = layout->info.target->isa;
    if (!options)
        options = &defaults;
    listing->image = image;
    if (isa->machine && isa->machine->packet && !options->raw && !options->executed && !options->static_only)
        listing->explore = outline_explore;
    (isa->listing.disassemble ? isa->listing.disassemble : isa_plain_disassemble)(layout, options, listing);
}

enum gpucode_status outline_list(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                 bool recorded, struct isa_lines *listing)
{
    *listing = (struct isa_lines){.recorded = recorded};
    buffer_reserve(&listing->text, image_layout(image)->size * 8 + 4096);
    list_image(image, options, listing);
    buffer_append(&listing->text, "", 1);
    if (!listing->text.failed)
        return GPUCODE_OK;
    isa_lines_free(listing);
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_disassemble(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                        char **text, size_t *length)
{
    struct isa_lines listing;
    if (!image || !text || !length)
        return GPUCODE_ERROR_ARGUMENT;
    enum gpucode_status status = outline_list(image, options, false, &listing);
    if (status != GPUCODE_OK)
        return status;
    *text = listing.text.bytes;
    *length = listing.text.length - 1;
    listing.text = (struct buffer){0};
    isa_lines_free(&listing);
    return GPUCODE_OK;
}

enum gpucode_status gpucode_disassemble_to(const struct gpucode_image *image,
                                           const struct gpucode_disasm_options *options,
                                           bool (*write)(void *user, const char *text, size_t length), void *user)
{
    if (!image || !write)
        return GPUCODE_ERROR_ARGUMENT;
    struct isa_lines listing = {.text = {.flush = write, .user = user}};
    if (buffer_reserve(&listing.text, WINDOW))
        list_image(image, options, &listing);
    bool good = buffer_finish(&listing.text), refused = listing.text.refused;
    isa_lines_free(&listing);
    return good ? GPUCODE_OK : refused ? GPUCODE_ERROR_SPACE : GPUCODE_ERROR_MEMORY;
}
