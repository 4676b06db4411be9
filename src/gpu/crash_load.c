/* SPDX-License-Identifier: MIT */
/* What a dump does not have (the hardware stack, other processors) is as the machine begins. */
#include "cli_gpu_messages.h"
#include "front/session.h"
#include "gpu/crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOOT_MAX 10000000 /* instructions, where the dump has no packet table */
#define RING_WORDS_MAX (1u << 20)

/* How a dump is put into a machine, and what came of it. */
struct crash_loading {
    bool from_ring;     /* wanted: the oldest packet of the ring that is still whole, after boot; else the crash */
    bool unchecked;     /* the dump has no packet table; the firmware has booted to have one */
    bool no_ring;       /* from_ring: the dump has none whose packets can be told, or the firmware does not boot */
    unsigned different; /* entries of the packet table that are not the firmware's */
};

struct loader {
    const struct gpucode_crash *crash;
    const struct gpucode_crash_head *head;
    struct gpucode_machine *machine;
    struct crash_loading *loading;
    bool good;
};

static void write_named(const struct loader *loader, const char *name, unsigned further, uint32_t value)
{
    unsigned space;
    uint32_t number;
    if (gpucode_machine_find(loader->machine, name, &space, &number))
        gpucode_machine_write(loader->machine, 0, space, number + further, value);
}

static void store_words(struct loader *loader, uint64_t address, const struct gpucode_crash_words *data, uint64_t bytes)
{
    unsigned char *copy = malloc(4 * data->count + 1);
    /* zeros at the end are not in the dump; a size that cannot be is as if there were none */
    if (bytes <= UINT32_MAX)
        gpucode_machine_map(loader->machine, address, bytes);
    for (size_t i = 0; copy && i < data->count; i++)
        for (unsigned k = 0; k < 4; k++)
            copy[4 * i + k] = (unsigned char)(data->words[i] >> 8 * k);
    enum gpucode_status status =
        copy ? gpucode_machine_store(loader->machine, address, copy, 4 * data->count) : GPUCODE_ERROR_MEMORY;
    loader->good &= status != GPUCODE_ERROR_MEMORY;
    free(copy);
}

static void load_memory(struct loader *loader)
{
    struct gpucode_crash_buffer buffer;
    struct gpucode_crash_ring ring;
    for (size_t i = 0; gpucode_crash_buffer(loader->crash, i, &buffer); i++)
        store_words(loader, buffer.iova, &buffer.data, buffer.size);
    for (size_t i = 0; gpucode_crash_ring(loader->crash, i, &ring); i++)
        store_words(loader, ring.iova, &ring.data, ring.data.size * 4);
}

/* Compares the packet table with that of the image; without one there is nothing to compare. */
static bool compare_table(struct loader *loader, uint32_t handlers[128])
{
    const struct gpucode_image *image = gpucode_machine_image(loader->machine);
    unsigned section = gpucode_machine_section(loader->machine, 0);
    uint32_t handler;
    if (!gpucode_crash_table(loader->crash, handlers)) {
        loader->loading->unchecked = true;
        return false;
    }
    for (unsigned i = 0; i < 128; i++)
        loader->loading->different +=
            gpucode_image_handler(image, section, i, &handler) && (handler & 0x1fff) != handlers[i];
    return true;
}

/* Without a packet table the firmware boots to have its own. */
static void load_table(struct loader *loader)
{
    uint32_t handlers[128];
    struct gpucode_stop stop;
    if (!compare_table(loader, handlers))
        gpucode_machine_run(loader->machine, BOOT_MAX, &stop);
    else
        for (unsigned i = 0; i < 128; i++)
            gpucode_machine_write(loader->machine, 0, GPUCODE_SPACE_PACKET, i, handlers[i]);
}

/* Those of the SQE, of several pipes the first one's. */
static void load_control(const struct loader *loader)
{
    struct gpucode_crash_control control;
    int64_t pipe = -1;
    for (size_t i = 0; gpucode_crash_control(loader->crash, i, &control); i++) {
        if (strcmp(control.processor, "SQE") != 0 || (pipe >= 0 && control.pipe != pipe))
            continue;
        pipe = control.pipe;
        gpucode_machine_write(loader->machine, 0, GPUCODE_SPACE_CONTROL, control.number, control.value);
    }
}

static void load_registers(const struct loader *loader)
{
    struct gpucode_crash_register reg;
    struct gpucode_crash_block block;
    for (size_t i = 0; gpucode_crash_register(loader->crash, i, &reg); i++)
        gpucode_machine_write(loader->machine, 0, GPUCODE_SPACE_GPU, reg.number, reg.value);
    load_control(loader);
    if (!gpucode_crash_find_block(loader->crash, "SQE_STAT", &block) || !block.data.count)
        return;
    for (uint32_t i = 1; i < 32; i++)
        gpucode_machine_write(loader->machine, 0, GPUCODE_SPACE_GENERAL, i, gpucode_crash_word(&block.data, i));
    /* without the upper bits, as those of type 4 reach the machine's register */
    uint32_t header = gpucode_crash_word(&block.data, 1);
    if (header >> 28 == 4)
        gpucode_machine_write(loader->machine, 0, GPUCODE_SPACE_GENERAL, 1, header & 0x0fffffff);
    /* dumps of the machine itself have the level in its place, and this in a later word */
    if (loader->head->kernel && strcmp(loader->head->kernel, "gpucode") == 0 &&
        gpucode_crash_word(&block.data, 0x31) == 0x12)
        gpucode_machine_write(loader->machine, 0, GPUCODE_SPACE_GENERAL, 0x12, gpucode_crash_word(&block.data, 0x30));
    gpucode_machine_set_pc(loader->machine, 0, gpucode_crash_word(&block.data, 0));
}

/* Size of a ring as the register has it: the logarithm of its pairs of words. */
static uint32_t ring_log(uint32_t words)
{
    uint32_t log = 0;
    while (log < 20 && (2u << log) < words)
        log++;
    return log;
}

/* What is left of each level's buffer, as the machine has it: the rest's address and words. */
static void load_queues(const struct loader *loader)
{
    static const char *const names[][2] = {{NULL, NULL}, {"@IB1_BASE", "@IB1_DWORDS"}, {"@IB2_BASE", "@IB2_DWORDS"}};
    struct gpucode_crash_position position;
    if (!gpucode_crash_position(loader->crash, &position))
        return;
    for (unsigned level = 1; level < 3; level++) {
        const struct gpucode_crash_place *place = &position.places[level];
        uint64_t next = place->buffer + 4 * (uint64_t)place->next;
        write_named(loader, names[level][0], 0, place->known ? (uint32_t)next : 0);
        write_named(loader, names[level][0], 1, place->known ? (uint32_t)(next >> 32) : 0);
        write_named(loader, names[level][1], 0, place->known ? place->words - place->next : 0);
    }
    write_named(loader, "@IB_LEVEL", 0, position.level <= GPUCODE_CRASH_IB2 ? position.level : 0);
    if (!position.places[0].known || position.places[0].words > RING_WORDS_MAX)
        return;
    write_named(loader, "CP_RB_CNTL", 0, ring_log(position.places[0].words));
    write_named(loader, "CP_RB_RPTR", 0, position.places[0].next);
}

/* The ring that was read, from its oldest whole packet on. */
static void load_ring(struct loader *loader)
{
    struct gpucode_crash_ring ring;
    uint64_t from, words;
    for (size_t i = 0; gpucode_crash_ring(loader->crash, i, &ring); i++) {
        if (!ring.current || !gpucode_crash_ring_packets(&ring, &from, &words))
            continue;
        write_named(loader, "CP_RB_BASE", 0, (uint32_t)ring.iova);
        write_named(loader, "CP_RB_BASE", 1, (uint32_t)(ring.iova >> 32));
        write_named(loader, "CP_RB_CNTL", 0, ring_log((uint32_t)ring.data.size));
        write_named(loader, "CP_RB_RPTR", 0, (uint32_t)from);
        write_named(loader, "CP_RB_WPTR", 0, (uint32_t)((from + words) % ring.data.size));
        return;
    }
    loader->loading->no_ring = true;
}

/*
 * Puts the dump into a machine that has not run: memory of rings and buffers; and registers, packet table, queues and
 * PC of the SQE, or with from_ring the ring alone. What GPU registers held at the start of a ring nobody knows: they
 * are as boot leaves them. Returns GPUCODE_OK or GPUCODE_ERROR_MEMORY.
 */
static enum gpucode_status crash_load_into(const struct gpucode_crash *crash, struct gpucode_machine *machine,
                                           struct crash_loading *loading)
{
    struct loader loader = {
        .crash = crash, .head = gpucode_crash_head(crash), .machine = machine, .loading = loading, .good = true};
    uint32_t handlers[128];
    struct gpucode_stop stop;
    if (loading->from_ring) {
        compare_table(&loader, handlers);
        gpucode_machine_run(machine, BOOT_MAX, &stop);
        load_memory(&loader);
        loading->no_ring = stop.reason != GPUCODE_STOP_IDLE;
        if (!loading->no_ring)
            load_ring(&loader);
    } else {
        load_table(&loader);
        load_memory(&loader);
        load_registers(&loader);
        load_queues(&loader);
    }
    return loader.good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* What came of it. Returns an exit code. */
static int tell_loading(struct session *session, const char *file, const struct crash_loading *loading)
{
    char text[16];
    snprintf(text, sizeof text, "%u", loading->different);
    if (loading->no_ring)
        return complain(&session->diagnostics, CLI_GPU_CRASH_NO_RING, file, NULL);
    if (loading->different)
        return complain(&session->diagnostics, CLI_GPU_CRASH_OTHER, file, NULL, text);
    return loading->unchecked ? complain(&session->diagnostics, CLI_GPU_CRASH_UNCHECKED, file, NULL) : EXIT_DONE;
}

int crash_load(struct session *session, const char *path, bool from_ring, struct gpucode_machine *machine)
{
    struct crash_file file;
    struct crash_loading loading = {.from_ring = from_ring};
    int code = crash_file_open(session, path, &file);
    if (!code && !gpucode_target_facts(gpucode_image_info(gpucode_machine_image(machine))->target)->packets)
        code = complain(&session->diagnostics, CLI_GPU_CRASH_CODE, file.file.name, NULL);
    if (!code)
        code = crash_load_into(file.crash, machine, &loading) == GPUCODE_OK
                   ? tell_loading(session, file.file.name, &loading)
                   : out_of_memory(&session->diagnostics);
    crash_file_close(&file);
    return code;
}

/* --- launch requests of editors ---------------------------------------------------------------------------------- */

static enum gpucode_status take_dump(struct launch *launch, const char *path, bool from_ring, const char **expected)
{
    struct gpucode_crash *crash;
    struct crash_loading loading = {.from_ring = from_ring};
    char *bytes;
    size_t size;
    *expected = "a crash dump of the GPU that the firmware is for";
    if (!launch->read(launch->user, path, &bytes, &size))
        return GPUCODE_ERROR_INPUT;
    enum gpucode_status status = gpucode_crash_open(bytes, size, NULL, &crash);
    if (status == GPUCODE_ERROR_INPUT)
        status = GPUCODE_ERROR_ARGUMENT;
    if (status == GPUCODE_OK)
        status = crash_load_into(crash, launch->machine, &loading);
    if (status == GPUCODE_OK && loading.no_ring)
        status = GPUCODE_ERROR_ARGUMENT;
    gpucode_crash_free(crash);
    free(bytes);
    return status;
}

enum gpucode_status crash_launch(struct launch *launch, const char *text, const char **expected)
{
    return take_dump(launch, text, false, expected);
}

enum gpucode_status crash_launch_ring(struct launch *launch, const char *text, const char **expected)
{
    return take_dump(launch, text, true, expected);
}
