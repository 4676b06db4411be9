/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as firmware that runs, with a few packets: as the file says, and as raw words of a target picked by the
 * last byte. It must stay within its limit, and run the same way again from a snapshot.
 */
#include "check.h"
#include <gpucode/gpucode.h>

#define LIMIT 3000

static uint64_t state_of(const struct gpucode_machine *machine)
{
    uint64_t hash = gpucode_machine_count(machine);
    for (unsigned processor = 0; gpucode_machine_processor(machine, processor); processor++) {
        hash = (hash ^ gpucode_machine_pc(machine, processor)) * UINT64_C(0x9e3779b97f4a7c15);
        for (uint32_t i = 0; i < 32; i++) {
            uint32_t value = 0;
            gpucode_machine_read(machine, processor, GPUCODE_SPACE_GENERAL, i, &value);
            hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
        }
    }
    return hash;
}

static bool note(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    gpucode_walk_step(user, event->processor, gpucode_machine_section(machine, event->processor), event->pc);
    return false;
}

/* Edges that ran are edges of the code, but for jumps that the analysis says it cannot resolve. */
static void check_edges(const struct gpucode_image *image, struct gpucode_walk *walk)
{
    struct gpucode_analysis *analysis;
    struct gpucode_analysis_options options = {0};
    const struct gpucode_block *block;
    options.seen = gpucode_walk_edges(walk, &options.seen_count);
    if (gpucode_analyse(image, &options, &analysis) != GPUCODE_OK)
        return;
    for (unsigned s = 0; s < gpucode_image_info(image)->section_count; s++)
        for (unsigned i = 0; (block = gpucode_analysis_block(analysis, s, i)); i++) {
            bool seen = false, unresolved = false;
            for (uint32_t k = 0; k < block->edge_count; k++) {
                seen |= block->edges[k].kind == GPUCODE_EDGE_SEEN;
                unresolved |= block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED;
            }
            check(unresolved || !seen);
        }
    gpucode_analysis_free(analysis);
}

static void run_twice(struct gpucode_machine *machine)
{
    static const uint32_t packets[] = {0x70108003, 1, 2, 3, 0x48088301, 9, 0x70bd8003, 0x2000, 0, 0xcafe};
    struct gpucode_stop stop = {0};
    struct gpucode_snapshot *snapshot;
    gpucode_machine_coverage(machine, true);
    check(gpucode_machine_run(machine, LIMIT, &stop) <= LIMIT);
    for (unsigned processor = 0; gpucode_machine_processor(machine, processor); processor++)
        check(gpucode_machine_feed(machine, processor, packets, sizeof packets / sizeof *packets) == GPUCODE_OK);
    check(gpucode_machine_snapshot(machine, &snapshot) == GPUCODE_OK);
    check(gpucode_machine_run(machine, LIMIT, &stop) <= LIMIT);
    uint64_t first = state_of(machine);
    gpucode_machine_hook(machine, 0, NULL, NULL); /* going back is not an edge */
    check(gpucode_machine_restore(machine, snapshot) == GPUCODE_OK);
    gpucode_machine_coverage(machine, false);
    check(gpucode_machine_run(machine, LIMIT, &stop) <= LIMIT);
    check(state_of(machine) == first);
    gpucode_snapshot_free(snapshot);
}

static void boot_image(const uint8_t *bytes, size_t size, const struct gpucode_image_options *options)
{
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    if (gpucode_image_open(bytes, size, options, &image) != GPUCODE_OK)
        return;
    /* a small window of memory, so that faults are reached */
    const struct gpucode_setting policies[] = {{"afuc-memory", "1"}, {NULL, NULL}};
    const struct gpucode_machine_options machines = {.policies = policies};
    if (gpucode_machine_create(image, &machines, &machine) == GPUCODE_OK) {
        struct gpucode_walk *walk = NULL;
        check(gpucode_walk_create(image, &walk) == GPUCODE_OK);
        gpucode_machine_hook(machine, GPUCODE_EVENT_INSN, note, walk);
        run_twice(machine);
        check_edges(image, walk);
        gpucode_walk_free(walk);
        gpucode_machine_free(machine);
    }
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"afuc:a530", "afuc:a630", "afuc:a660",
                                        "afuc:a730", "afuc:a750", "afuc:gen80000"};
    struct gpucode_image_options options = {0};
    boot_image(bytes, size, &options);
    if (!size)
        return 0;
    options.target = gpucode_target_find(names[bytes[size - 1] % (sizeof names / sizeof *names)]);
    options.raw = true;
    boot_image(bytes, size, &options);
    return 0;
}
