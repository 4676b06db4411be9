/* SPDX-License-Identifier: MIT */
/*
 * What a machine's state is as the driver would find it on hardware. The machine keeps what is left of a buffer, the
 * hardware its start too: that is found in the packet that called it. A header that was refused counts as taken, as the
 * hardware takes it, and stands in $01.
 */
#include "cli_gpu_messages.h"
#include "front/output.h"
#include "front/session.h"
#include "gpu/crash.h"
#include <gpucode/crash.h>
#include <gpucode/fields.h>
#include <gpucode/packet.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS 0x40000u
#define CODE_WORDS 0x8000u /* of the debug memory */
#define CALL 0x3f          /* CP_INDIRECT_BUFFER */
#define BUFFERS_MAX 4      /* beside the regions */

struct level {
    uint64_t base;
    uint32_t words, left;
    bool known;
};

struct dump {
    const struct crash_ring *ring;
    const struct gpucode_machine *machine;
    const struct gpucode_target *target;
    const struct gpucode_stop *stop;
    bool bad_header; /* the packet in hand was refused, and no handler has it */
    uint32_t header;
    struct level level[3]; /* ring, IB1, IB2 */
    uint32_t previous[2];  /* headers before the packet in hand */
    uint32_t depth;        /* IB_LEVEL */
    uint32_t stat[0x40];
    uint32_t *code;
    struct gpucode_crash_register *registers;
    size_t register_count;
    struct gpucode_crash_fault fault;
    bool has_fault;
};

static uint32_t read_named(const struct dump *dump, const char *name, unsigned further)
{
    unsigned space;
    uint32_t number, value = 0;
    if (gpucode_machine_find(dump->machine, name, &space, &number))
        gpucode_machine_read(dump->machine, 0, space, number + further, &value);
    return value;
}

static bool load_word(const struct dump *dump, uint64_t address, uint32_t *word)
{
    unsigned char bytes[4];
    if (gpucode_machine_load(dump->machine, address, bytes, 4) != GPUCODE_OK)
        return false;
    *word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return true;
}

static uint32_t packet_words(uint32_t header)
{
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    return parts.type && parts.parity_is_odd ? parts.count + 1 : 1;
}

/* Word `index` of a level; a ring begins again at its start. */
static bool level_word(const struct dump *dump, const struct level *level, uint64_t index, uint32_t *word)
{
    return level->words && load_word(dump, level->base + index % level->words * 4, word);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* The call among the words from..to of `outer` whose buffer ends where the words left end; the last one. */
static void find_call(const struct dump *dump, const struct level *outer, uint64_t from, uint64_t to, uint64_t end,
                      struct level *inner)
{
    uint32_t header, low, high, size;
    for (uint64_t at = from; at < to && level_word(dump, outer, at, &header); at += packet_words(header)) {
        if (header >> 28 != 7 || (header >> 16 & 0x7f) != CALL || packet_words(header) < 4 ||
            !level_word(dump, outer, at + 1, &low) || !level_word(dump, outer, at + 2, &high) ||
            !level_word(dump, outer, at + 3, &size))
            continue;
        uint64_t base = (uint64_t)high << 32 | low;
        size &= 0xfffff;
        if (base + 4 * (uint64_t)size == end && size >= inner->left) {
            inner->base = base;
            inner->words = size;
            inner->known = true;
        }
    }
}

static void find_buffer(struct dump *dump, unsigned number, uint64_t from, uint64_t to)
{
    struct level *inner = &dump->level[number];
    const char *base = number == 1 ? "@IB1_BASE" : "@IB2_BASE";
    uint64_t at = read_named(dump, base, 0) | (uint64_t)read_named(dump, base, 1) << 32;
    inner->left = read_named(dump, number == 1 ? "@IB1_DWORDS" : "@IB2_DWORDS", 0);
    if (!at)
        return;
    find_call(dump, &dump->level[number - 1], from, to, at + 4 * (uint64_t)inner->left, inner);
    if (!inner->known && inner->left) {
        inner->base = at;
        inner->words = inner->left;
        inner->known = true;
    }
}

/* Headers of the packets before the one that holds word `at - 1`. */
static void find_previous(struct dump *dump, const struct level *level, uint64_t from, uint64_t at)
{
    uint32_t header;
    for (uint64_t index = from; level_word(dump, level, index, &header); index += packet_words(header)) {
        if (index + packet_words(header) >= at) {
            dump->header = header;
            return;
        }
        dump->previous[1] = dump->previous[0];
        dump->previous[0] = header;
    }
}

static bool is_a5xx(const struct dump *dump)
{
    return strcmp(gpucode_target_generation(dump->target), "a5xx") == 0;
}

static void find_levels(struct dump *dump)
{
    struct level *ring = &dump->level[0];
    uint32_t read = read_named(dump, "CP_RB_RPTR", 0), written = dump->ring->written;
    ring->base = read_named(dump, "CP_RB_BASE", 0) | (uint64_t)read_named(dump, "CP_RB_BASE", 1) << 32;
    ring->words = 2u << (read_named(dump, "CP_RB_CNTL", 0) & 0x1f);
    ring->left = (written - read) % ring->words;
    ring->known = true;
    uint64_t to = written - ring->left, from = to > ring->words - 64 ? to - (ring->words - 64) : 0;
    find_buffer(dump, 1, from, to);
    if (dump->level[1].known)
        find_buffer(dump, 2, 0, dump->level[1].words - dump->level[1].left);
    dump->depth = read_named(dump, "@IB_LEVEL", 0);
    if (is_a5xx(dump)) /* no level register is known: the machine reads the deepest buffer with words left */
        dump->depth = dump->level[2].left ? 2 : dump->level[1].left ? 1 : 0;
    unsigned deepest = dump->depth < 3 ? dump->depth : 0;
    struct level *level = &dump->level[deepest];
    if (dump->bad_header && level->known && level->left)
        level->left--;
    if (!deepest)
        find_previous(dump, level, from, (uint64_t)written - level->left);
    else if (level->known)
        find_previous(dump, level, 0, level->words - level->left);
}

/* --- registers --------------------------------------------------------------------------------------------------- */

#define NO_BIT 32

/*
 * What hardware would flag: bits of the interrupt status, and on gen8 of the hardware fault status. Nobody says what
 * hardware makes of the firmware's own faults, such as a call too many: an error of the ucode stands for them all,
 * and on a5xx, which has no bit for that, nothing.
 */
static const struct cause {
    const char *code;
    unsigned a5xx, bit, gen8, gen8_fault;
} causes[] = {
    {"afuc-header", 0, 0, 8, NO_BIT},
    {"afuc-handler", 0, 0, 8, NO_BIT},
    {"afuc-protected", 4, 4, 10, NO_BIT},
    {"afuc-no-insn", NO_BIT, 7, 11, NO_BIT},
    {"afuc-unmapped", NO_BIT, NO_BIT, 12, NO_BIT},
    {"afuc-stack-full", NO_BIT, 1, NO_BIT, 10},
    {"afuc-stack-empty", NO_BIT, 1, NO_BIT, 10},
    {"afuc-iret", NO_BIT, 1, NO_BIT, 10},
    {"afuc-left-section", NO_BIT, 1, NO_BIT, 10},
    {"afuc-two-branches", NO_BIT, 1, NO_BIT, 10},
    {"afuc-range", NO_BIT, 1, NO_BIT, 10},
    {"afuc-unaligned", NO_BIT, 1, NO_BIT, 10},
    {"afuc-level", NO_BIT, 1, NO_BIT, 10},
    {"afuc-no-table", NO_BIT, 1, NO_BIT, 10},
};

static uint32_t flag(unsigned bit)
{
    return (uint32_t)(UINT64_C(1) << bit);
}

/* *fault: of the hardware fault status. */
static uint32_t interrupt_bits(const struct dump *dump, uint32_t *fault)
{
    bool gen8 = strcmp(gpucode_target_generation(dump->target), "gen8") == 0;
    *fault = 0;
    for (size_t i = 0; dump->stop->code && i < sizeof causes / sizeof *causes; i++)
        if (strcmp(causes[i].code, dump->stop->code) == 0) {
            *fault = gen8 ? flag(causes[i].gen8_fault) : 0;
            return flag(gen8 ? causes[i].gen8 : is_a5xx(dump) ? causes[i].a5xx : causes[i].bit);
        }
    return 0;
}

/* A register of the position takes the place of what the machine had there. */
static void set_role(struct dump *dump, enum gpucode_crash_role role, unsigned further, uint32_t value)
{
    uint32_t number = gpucode_crash_number_of(dump->target, role);
    if (!number)
        return;
    for (size_t i = 0; i < dump->register_count; i++)
        if (dump->registers[i].number == number + further) {
            dump->registers[i].value = value;
            return;
        }
    dump->registers[dump->register_count++] = (struct gpucode_crash_register){number + further, value};
}

static int compare_registers(const void *left, const void *right)
{
    const struct gpucode_crash_register *a = left, *b = right;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void read_registers(struct dump *dump)
{
    const struct level *ring = &dump->level[0], *first = &dump->level[1], *second = &dump->level[2];
    uint32_t value;
    for (uint32_t i = 0; i < REGISTERS; i++)
        if (gpucode_machine_read(dump->machine, 0, GPUCODE_SPACE_GPU, i, &value) == GPUCODE_OK && value)
            dump->registers[dump->register_count++] = (struct gpucode_crash_register){i, value};
    set_role(dump, GPUCODE_CRASH_RB_RPTR, 0, (dump->ring->written - ring->left) % ring->words);
    set_role(dump, GPUCODE_CRASH_RB_WPTR, 0, dump->ring->written % ring->words);
    set_role(dump, GPUCODE_CRASH_IB1_BASE, 0, (uint32_t)first->base);
    set_role(dump, GPUCODE_CRASH_IB1_BASE, 1, (uint32_t)(first->base >> 32));
    set_role(dump, GPUCODE_CRASH_IB1_REM, 0, first->left);
    set_role(dump, GPUCODE_CRASH_IB1_SIZE, 0, first->words);
    set_role(dump, GPUCODE_CRASH_IB2_BASE, 0, (uint32_t)second->base);
    set_role(dump, GPUCODE_CRASH_IB2_BASE, 1, (uint32_t)(second->base >> 32));
    set_role(dump, GPUCODE_CRASH_IB2_REM, 0, second->left);
    set_role(dump, GPUCODE_CRASH_IB2_SIZE, 0, second->words);
    set_role(dump, GPUCODE_CRASH_RB_AVAIL, 0, 0);
    set_role(dump, GPUCODE_CRASH_IB1_AVAIL, 0, 0);
    set_role(dump, GPUCODE_CRASH_IB2_AVAIL, 0, 0);
    uint32_t fault, bits = interrupt_bits(dump, &fault);
    set_role(dump, GPUCODE_CRASH_INTERRUPT, 0, bits);
    set_role(dump, GPUCODE_CRASH_HW_FAULT, 0, fault);
    qsort(dump->registers, dump->register_count, sizeof *dump->registers, compare_registers);
}

/* State of the SQE: PC, registers, level, the headers it remembers. The last words are gpucode's own: the real $12. */
static void read_state(struct dump *dump)
{
    dump->stat[0] = (uint32_t)gpucode_machine_pc(dump->machine, 0);
    for (uint32_t i = 1; i < 32; i++)
        gpucode_machine_read(dump->machine, 0, GPUCODE_SPACE_GENERAL, i, &dump->stat[i]);
    /* those of type 4 reach the register of the machine without their upper bits */
    if (dump->bad_header || (dump->header >> 28 == 4 && dump->stat[1] == (dump->header & 0x0fffffff)))
        dump->stat[1] = dump->header;
    dump->stat[0x30] = dump->stat[0x12];
    dump->stat[0x31] = 0x12;
    dump->stat[0x12] = dump->depth & 7;
    dump->stat[0x24] = dump->stat[1];
    dump->stat[0x25] = dump->previous[0];
    dump->stat[0x26] = dump->previous[1];
    dump->stat[0x28] = dump->depth & 7;
}

/* Sections 4, 5 and 7 of the debug memory; the instruction cache stays 0. */
static void read_code(struct dump *dump)
{
    const char *name = gpucode_target_name(dump->target);
    uint32_t scratch = 0x100;
    if (strstr(name, "a750") || strstr(name, "gen3") || strstr(name, "gen70900"))
        scratch = 0x400;
    for (uint32_t i = 0; i < 0x1000; i++)
        gpucode_machine_read(dump->machine, 0, GPUCODE_SPACE_PACKET, i % 128, &dump->code[0x4000 + i]);
    for (uint32_t i = 0; i < 0x80; i++)
        gpucode_machine_read(dump->machine, 0, GPUCODE_SPACE_CONTROL, scratch + i, &dump->code[0x5000 + i]);
    for (uint32_t i = 0; i < 0x400; i++)
        gpucode_machine_read(dump->machine, 0, GPUCODE_SPACE_CONTROL, i, &dump->code[0x7000 + i]);
}

/* "memory is read at 0x1234, where nothing is mapped": the stop says it in words alone. */
static void find_fault(struct dump *dump)
{
    const char *at = strstr(dump->stop->text, " at 0x");
    if (!dump->stop->code || strcmp(dump->stop->code, "afuc-unmapped") != 0 || !at)
        return;
    dump->has_fault = true;
    dump->fault.iova = strtoull(at + 4, NULL, 16);
    dump->fault.direction = strstr(dump->stop->text, "is read") ? "READ" : "WRITE";
    dump->fault.type = "TRANSLATION";
    dump->fault.source = "CP";
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static uint32_t *load_words(const struct dump *dump, uint64_t address, uint64_t count)
{
    uint32_t *words = count < SIZE_MAX / 8 ? calloc((size_t)count + 1, sizeof *words) : NULL;
    for (uint64_t i = 0; words && i < count; i++)
        load_word(dump, address + 4 * i, &words[i]);
    return words;
}

static bool add_buffer(const struct dump *dump, struct gpucode_crash_contents *contents,
                       struct gpucode_crash_buffer *list, uint64_t address, uint64_t bytes, const char *name)
{
    for (size_t i = 0; i < contents->buffer_count; i++)
        if (address >= list[i].iova && address - list[i].iova < list[i].size)
            return true; /* it is there */
    struct gpucode_crash_buffer *buffer = &list[contents->buffer_count];
    uint32_t *words = load_words(dump, address, (bytes + 3) / 4);
    if (!words)
        return false;
    *buffer = (struct gpucode_crash_buffer){.iova = address, .size = bytes, .name = name};
    buffer->data.words = words;
    buffer->data.count = (size_t)((bytes + 3) / 4);
    contents->buffer_count++;
    return true;
}

#define EVENT_WRITE 0x46

/* The fences that packets of the ring write, of submits that were given and of those that the machine has passed. */
static void find_fences(const struct dump *dump, struct gpucode_crash_ring *ring)
{
    const struct level *level = &dump->level[0];
    uint64_t end = dump->ring->written, passed = end - level->left, size;
    uint32_t header, event, fence;
    ring->last_fence = 1;
    for (uint64_t at = end > level->words ? end - level->words : 0; at < end; at += size) {
        size = level_word(dump, level, at, &header) ? packet_words(header) : 1;
        if (size < 5 || at + size > end || header >> 28 != 7 || (header >> 16 & 0x7f) != EVENT_WRITE ||
            !level_word(dump, level, at + 1, &event) || !(event >> 31) || !level_word(dump, level, at + 4, &fence))
            continue;
        ring->last_fence = fence;
        if (at + size <= passed)
            ring->retired_fence = fence;
    }
}

/* RBBM_STATUS of a command processor that did not come to its end. */
static uint32_t busy_status(const struct dump *dump)
{
    static const char name[] = "RBBM_STATUS";
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    unsigned family = gpucode_target_family(dump->target);
    uint32_t number;
    if (dump->stop->reason == GPUCODE_STOP_IDLE)
        return 0;
    for (uint32_t bit = 1; bit && gpucode_register_find(family, name, sizeof name - 1, &number); bit <<= 1) {
        size_t count = gpucode_register_fields(family, number, bit, fields, GPUCODE_FIELD_VALUES_MAX);
        for (size_t i = 0; i < count; i++)
            if (fields[i].value && strcmp(fields[i].name, "CP_BUSY") == 0)
                return bit;
    }
    return 1;
}

static int write_file(struct session *session, struct dump *dump, const struct crash_region *regions, size_t count,
                      const char *path)
{
    struct gpucode_crash_buffer *buffers = calloc(count + BUFFERS_MAX, sizeof *buffers);
    const struct level *ring = &dump->level[0];
    bool wide = gpucode_crash_chip(dump->target) >> 24 > 6;
    struct gpucode_crash_ring rings = {.iova = ring->base,
                                       .rptr = (dump->ring->written - ring->left) % ring->words,
                                       .wptr = dump->ring->written % ring->words};
    find_fences(dump, &rings);
    uint32_t *words = load_words(dump, ring->base, ring->words);
    struct gpucode_crash_block blocks[] = {
        {.own = "CP_SQE_STAT", .data = {dump->stat, wide ? 0x40 : 0x33, wide ? 0x40 : 0x33}},
        {.own = "CP_SQE_UCODE_DBG", .data = {dump->code, CODE_WORDS, CODE_WORDS}}};
    rings.data = (struct gpucode_crash_words){words, ring->words, ring->words};
    struct gpucode_crash_contents contents = {.kernel = "gpucode",
                                              .comm = "gpucode",
                                              .chip_id = gpucode_crash_chip(dump->target),
                                              .status = busy_status(dump),
                                              .fault = dump->has_fault ? &dump->fault : NULL,
                                              .rings = &rings,
                                              .ring_count = 1,
                                              .buffers = buffers,
                                              .registers = dump->registers,
                                              .register_count = dump->register_count,
                                              .blocks = blocks,
                                              .block_count = is_a5xx(dump) ? 0 : 2};
    bool good = buffers && words;
    for (size_t i = 0; good && i < count; i++)
        good = add_buffer(dump, &contents, buffers, regions[i].address, regions[i].bytes, regions[i].name);
    for (unsigned i = 1; good && i < 3; i++)
        if (dump->level[i].known)
            good = add_buffer(dump, &contents, buffers, dump->level[i].base, 4 * (uint64_t)dump->level[i].words, NULL);
    void *bytes = NULL;
    size_t size;
    good = good && gpucode_crash_write(&contents, &bytes, &size) == GPUCODE_OK;
    int code = good ? outputs_write(&session->diagnostics, path, bytes, size) : out_of_memory(&session->diagnostics);
    for (size_t i = 0; i < contents.buffer_count; i++)
        free((void *)buffers[i].data.words);
    free(bytes);
    free(words);
    free(buffers);
    return code;
}

/* Did the machine stop at a header, before any handler had it? */
static bool is_refused(const struct gpucode_stop *stop)
{
    return stop->code && (strcmp(stop->code, "afuc-header") == 0 || strcmp(stop->code, "afuc-handler") == 0 ||
                          strcmp(stop->code, "afuc-no-table") == 0);
}

int crash_write(struct session *session, const struct crash_ring *ring, const struct gpucode_stop *stop,
                const struct crash_region *regions, size_t count, const char *path)
{
    struct dump dump = {.ring = ring,
                        .machine = ring->machine,
                        .target = gpucode_image_info(gpucode_machine_image(ring->machine))->target,
                        .stop = stop,
                        .bad_header = is_refused(stop),
                        .code = calloc(CODE_WORDS, sizeof(uint32_t)),
                        .registers =
                            calloc(REGISTERS + GPUCODE_CRASH_ROLES * 2, sizeof(struct gpucode_crash_register))};
    int code = EXIT_DONE;
    if (dump.code && dump.registers) {
        find_levels(&dump);
        read_registers(&dump);
        read_state(&dump);
        read_code(&dump);
        find_fault(&dump);
        code = write_file(session, &dump, regions, count, path);
    } else {
        code = out_of_memory(&session->diagnostics);
    }
    free(dump.code);
    free(dump.registers);
    return code;
}

/* --- the ring ---------------------------------------------------------------------------------------------------- */

#define RING_ADDRESS UINT64_C(0x1000000001000) /* where kernels have it */
#define RING_LOG 12                            /* of its size in pairs of words */
#define RING_WORDS (2u << RING_LOG)

static bool write_register(const struct crash_ring *ring, const char *name, unsigned further, uint32_t value)
{
    unsigned space;
    uint32_t number;
    return gpucode_machine_find(ring->machine, name, &space, &number) &&
           gpucode_machine_write(ring->machine, 0, space, number + further, value) == GPUCODE_OK;
}

int crash_ring_open(struct session *session, struct gpucode_machine *machine, struct crash_ring *ring)
{
    *ring = (struct crash_ring){.machine = machine};
    if (gpucode_machine_map(machine, RING_ADDRESS, RING_WORDS * 4) != GPUCODE_OK)
        return out_of_memory(&session->diagnostics);
    ring->ready = write_register(ring, "CP_RB_BASE", 0, (uint32_t)RING_ADDRESS) &&
                  write_register(ring, "CP_RB_BASE", 1, (uint32_t)(RING_ADDRESS >> 32)) &&
                  write_register(ring, "CP_RB_CNTL", 0, RING_LOG) && write_register(ring, "CP_RB_RPTR", 0, 0) &&
                  write_register(ring, "CP_RB_WPTR", 0, 0);
    return ring->ready ? EXIT_DONE : complain(&session->diagnostics, CLI_GPU_CRASH_RING, NULL, NULL);
}

size_t crash_ring_feed(struct crash_ring *ring, const uint32_t *words, size_t count)
{
    unsigned space;
    uint32_t number, read;
    if (!ring->ready || !gpucode_machine_find(ring->machine, "CP_RB_RPTR", &space, &number) ||
        gpucode_machine_read(ring->machine, 0, space, number, &read) != GPUCODE_OK)
        return 0;
    uint32_t write = ring->written % RING_WORDS, room = (read + RING_WORDS - 1 - write) % RING_WORDS;
    size_t part = count < room ? count : room;
    for (size_t i = 0; i < part; i++) {
        uint32_t word = words[i];
        unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                  (unsigned char)(word >> 24)};
        if (gpucode_machine_store(ring->machine, RING_ADDRESS + (write + i) % RING_WORDS * 4, bytes, 4) != GPUCODE_OK)
            return 0;
    }
    ring->written += (uint32_t)part;
    return write_register(ring, "CP_RB_WPTR", 0, ring->written % RING_WORDS) ? part : 0;
}
