/* SPDX-License-Identifier: MIT */
/* Snapshots of KGSL: little-endian binary, a list of sections with a magic number, an id and a size each. */
#include "crash_messages.h"
#include "pm4/crash/dump.h"

#include <string.h>

#define FILE_MAGIC 0x504d0002u
#define SECTION_MAGIC 0xabcd
#define HEADER 12

struct part {
    struct gpucode_crash *crash;
    const uint8_t *bytes; /* after the section's header */
    size_t size;
};

static uint32_t get_u32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get_u64(const uint8_t *at)
{
    return get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}

/* Words from a place of a part on: those that the part has, at most `size`. */
static void take_words(struct part *part, size_t at, uint64_t size, struct gpucode_crash_words *words)
{
    uint64_t count = at < part->size ? (part->size - at) / 4 : 0;
    if (count < size)
        dump_warn(part->crash, NULL, MSG_CRASH_SHORT, (size_t)((const char *)part->bytes - part->crash->text));
    else
        count = size;
    words->size = size;
    uint32_t *list = arena_array(&part->crash->loader.arena, (size_t)count, sizeof *list);
    if (!list) {
        part->crash->no_memory |= count != 0;
        return;
    }
    for (size_t i = 0; i < count; i++)
        list[i] = get_u32(part->bytes + at + 4 * i);
    words->words = list;
    words->count = (size_t)count;
}

static const char *take_name(struct part *part, size_t at, size_t size)
{
    return dump_text(part->crash, (const char *)part->bytes + at, strnlen((const char *)part->bytes + at, size));
}

static void take_system(struct part *part)
{
    part->crash->head.kernel = take_name(part, 64, 32);
    part->crash->head.comm = take_name(part, 128, 16);
}

static void take_registers(struct part *part)
{
    uint32_t count = get_u32(part->bytes);
    if (count > (part->size - 4) / 8) {
        count = (uint32_t)((part->size - 4) / 8);
        dump_warn(part->crash, NULL, MSG_CRASH_SHORT, (size_t)((const char *)part->bytes - part->crash->text));
    }
    for (uint32_t i = 0; i < count; i++) {
        struct gpucode_crash_register *reg = dump_add(part->crash, &part->crash->registers, sizeof *reg);
        if (!reg)
            return;
        reg->number = get_u32(part->bytes + 4 + 8 * (size_t)i);
        reg->value = get_u32(part->bytes + 8 + 8 * (size_t)i);
    }
}

static void take_ring(struct part *part)
{
    struct gpucode_crash_ring *ring = dump_add(part->crash, &part->crash->rings, sizeof *ring);
    if (!ring)
        return;
    ring->wptr = get_u32(part->bytes + 12);
    ring->rptr = get_u32(part->bytes + 16);
    ring->last_fence = get_u32(part->bytes + 24);
    ring->retired_fence = get_u32(part->bytes + 28);
    ring->iova = get_u64(part->bytes + 32);
    ring->id = get_u32(part->bytes + 40);
    take_words(part, 44, get_u32(part->bytes + 20), &ring->data);
    ring->data.size = get_u32(part->bytes + 8);
}

static void take_object(struct part *part, size_t head)
{
    struct gpucode_crash_buffer *buffer = dump_add(part->crash, &part->crash->buffers, sizeof *buffer);
    if (!buffer)
        return;
    uint64_t words = get_u64(part->bytes + head + 16);
    buffer->iova = get_u64(part->bytes + head);
    if (words > UINT64_MAX / 4) {
        dump_warn(part->crash, NULL, MSG_CRASH_SHORT, (size_t)((const char *)part->bytes - part->crash->text));
        words = 0;
    }
    buffer->size = words * 4;
    buffer->dumped = true;
    take_words(part, head + 24, words, &buffer->data);
}

static void take_buffer(struct part *part)
{
    take_object(part, 0);
}

static void take_gpu_object(struct part *part)
{
    take_object(part, 4);
}

static void take_block(struct part *part, size_t head)
{
    uint32_t address = get_u32(part->bytes), data = get_u32(part->bytes + 4);
    const char *name = block_name_by_registers(address, data);
    struct gpucode_crash_block *block = dump_add(part->crash, &part->crash->blocks, sizeof *block);
    if (!block)
        return;
    block->name = name;
    if (!name)
        block->name = arena_format(&part->crash->loader.arena, "0x%x/0x%x", (unsigned)address, (unsigned)data);
    part->crash->no_memory |= !block->name;
    block->pipe = head > 16 ? get_u32(part->bytes + 16) : 0;
    take_words(part, head, get_u32(part->bytes + 12), &block->data);
}

static void take_indexed(struct part *part)
{
    take_block(part, 16);
}

static void take_indexed_v2(struct part *part)
{
    take_block(part, 24);
}

static const struct {
    unsigned id;
    size_t least; /* bytes after the header */
    void (*take)(struct part *part);
} kinds[] = {{0x0101, 160, take_system},   {0x0201, 4, take_registers},   {0x0302, 44, take_ring},
             {0x0402, 24, take_buffer},    {0x0b02, 28, take_gpu_object}, {0x0501, 16, take_indexed},
             {0x0502, 24, take_indexed_v2}};

static void take_part(struct part *part, unsigned id)
{
    struct gpucode_crash_section *section = dump_add(part->crash, &part->crash->sections, sizeof *section);
    if (!section)
        return;
    section->name = arena_format(&part->crash->loader.arena, "0x%04x", id);
    part->crash->no_memory |= !section->name;
    section->text = (const char *)part->bytes - 8;
    section->length = part->size + 8;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].id != id)
            continue;
        if (part->size >= kinds[i].least)
            kinds[i].take(part);
        else
            dump_warn(part->crash, NULL, MSG_CRASH_SHORT, (size_t)(section->text - part->crash->text));
    }
}

bool snapshot_recognise(const char *bytes, size_t size)
{
    return size >= HEADER && get_u32((const uint8_t *)bytes) == FILE_MAGIC;
}

bool snapshot_read(struct gpucode_crash *crash)
{
    const uint8_t *bytes = (const uint8_t *)crash->text;
    crash->head.format = GPUCODE_CRASH_KGSL;
    crash->head.chip_id = get_u32(bytes + 8);
    for (size_t at = HEADER; !crash->no_memory && at < crash->size;) {
        size_t left = crash->size - at;
        unsigned magic = left >= 8 ? get_u32(bytes + at) & 0xffff : 0, id = left >= 8 ? get_u32(bytes + at) >> 16 : 0;
        uint32_t size = left >= 8 ? get_u32(bytes + at + 4) : 0;
        if (magic != SECTION_MAGIC || size < 8 || size > left) {
            dump_warn(crash, NULL, MSG_CRASH_SECTION, at);
            /* a part that was cut off still has a beginning */
            if (magic != SECTION_MAGIC || size < 8)
                break;
            size = (uint32_t)left;
        }
        if (id == 0xffff)
            break;
        take_part(&(struct part){crash, bytes + at + 8, size - 8}, id);
        at += size;
    }
    return true;
}
