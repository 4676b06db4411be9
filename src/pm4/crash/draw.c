/* SPDX-License-Identifier: MIT */
/*
 * The draw in flight. The submits are decoded as `gpucode decode` does, so that draws have the same numbers, up to the
 * packet in hand; what a draw needs of the registers is kept from each to the next.
 */
#include "pm4/crash/draw.h"

#include "base/text.h"

#include <gpucode/fields.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What an address is, by the list of buffers and the kernel's log of mappings: inside a buffer, just past one, in one
 * that was unmapped, or never mapped. The log is told to have the oldest entry first.
 */

static bool is_unmap(const struct gpucode_crash_mapping *mapping)
{
    return mapping->operation && strncmp(mapping->operation, "unmap", 5) == 0;
}

/* The newest entry with the address. */
static bool find_mapping(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found)
{
    for (size_t i = crash->mappings.count; i-- > 0;) {
        const struct gpucode_crash_mapping *mapping = DUMP_ITEM(crash->mappings, struct gpucode_crash_mapping, i);
        if (address < mapping->start || address >= mapping->end)
            continue;
        found->mapping = *mapping;
        found->later = crash->mappings.count - 1 - i;
        return true;
    }
    return false;
}

/* The buffer that the address is inside of; else the one whose end is nearest before it, no further than its size. */
static void find_buffer(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found)
{
    for (size_t i = 0; i < crash->buffers.count; i++) {
        const struct gpucode_crash_buffer *buffer = DUMP_ITEM(crash->buffers, struct gpucode_crash_buffer, i);
        uint64_t at = address - buffer->iova;
        bool inside = address >= buffer->iova && at < buffer->size;
        bool past = address >= buffer->iova && !inside && at - buffer->size < buffer->size;
        if (!inside && (!past || (found->has_buffer && found->offset <= at - buffer->size)))
            continue;
        found->has_buffer = true;
        found->buffer = *buffer;
        found->offset = inside ? at : at - buffer->size;
        found->place = inside ? FAULT_INSIDE : FAULT_PAST;
        if (inside)
            return;
    }
}

void fault_classify(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found)
{
    *found = (struct fault_found){.place = FAULT_NEVER, .has_log = crash->mappings.count != 0};
    bool logged = find_mapping(crash, address, found);
    find_buffer(crash, address, found);
    if (logged && is_unmap(&found->mapping)) {
        found->place = FAULT_UNMAPPED;
        found->offset = address - found->mapping.start;
    } else if (logged && found->place != FAULT_INSIDE) {
        found->place = FAULT_MAPPED;
        found->offset = address - found->mapping.start;
    }
}

#define REGISTERS (GPUCODE_PACKET_REGISTER_MAX + 1)
#define MRTS 8

/* Numbers of registers that a draw is told by; 0: this GPU has none of that name. */
struct roles {
    uint32_t mrt_count, mrt_base[MRTS], mrt_info[MRTS], depth_control, depth_base, blit_base, resolve_base;
    struct {
        const char *stage;
        uint32_t base, config;
    } stages[DRAW_SHADERS_MAX];
};

struct finder {
    const struct gpucode_crash *crash;
    const struct gpucode_meanings *meanings;
    unsigned family;
    struct draw_found *found;
    struct roles roles;
    uint32_t *values;
    uint8_t *known;
    const struct gpucode_crash_submit *submit;
    size_t index; /* of the submit */
    uint64_t draws;
    unsigned reached;
    bool later;
    uint64_t packet[GPUCODE_PACKET_DEPTH_MAX + 2]; /* that was decoded last, at each depth */
    uint64_t hand;                                 /* draws before the packet in hand */
};

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Was it used again since the submit that is decoded had finished? Then how far it is to the end of that, else 0. */
static bool is_reused(const struct finder *finder, uint64_t address)
{
    if (finder->submit->state != GPUCODE_CRASH_FINISHED)
        return false;
    for (size_t i = 0; i < finder->crash->reuses.count; i++) {
        const struct gpucode_crash_reuse *reuse = DUMP_ITEM(finder->crash->reuses, struct gpucode_crash_reuse, i);
        if (reuse->submit == finder->index && address - reuse->address < reuse->bytes)
            return true;
    }
    return false;
}

/* A ring is there twice, one copy after the other. */
static size_t read_memory(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct finder *finder = user;
    const struct gpucode_crash_ring *ring =
        DUMP_ITEM(finder->crash->rings, struct gpucode_crash_ring, finder->submit->ring);
    uint64_t length = 4 * ring->data.size, at = address - ring->iova;
    if (at >= 2 * length)
        return is_reused(finder, address) ? 0 : gpucode_crash_load(finder->crash, address, bytes, size);
    size_t first = length - at % length < size ? (size_t)(length - at % length) : size;
    size_t done = gpucode_crash_load(finder->crash, ring->iova + at % length, bytes, first);
    if (done == first && first < size && at < length)
        done += gpucode_crash_load(finder->crash, ring->iova, (char *)bytes + first, size - first);
    return done;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static bool is_known(const struct finder *finder, uint32_t number)
{
    return number && (finder->known[number / 8] >> number % 8 & 1);
}

static uint64_t wide_value(const struct finder *finder, uint32_t number)
{
    uint64_t high = is_known(finder, number + 1) ? finder->values[number + 1] : 0;
    return high << 32 | finder->values[number];
}

static uint32_t number_of(const struct finder *finder, const char *name)
{
    uint32_t number;
    return gpucode_register_find(finder->family, name, strlen(name), &number) ? number : 0;
}

/* Asked when the first draw comes, as it takes a while. */
static void find_roles(struct finder *finder)
{
    static const char *const stages[DRAW_SHADERS_MAX] = {"VS", "HS", "DS", "GS", "PS", "CS"};
    struct roles *roles = &finder->roles;
    bool a5xx = finder->family == 5;
    char name[32];
    uint32_t first = number_of(finder, a5xx ? "RB_MRT[0].BASE_LO" : "RB_MRT[0].BASE");
    uint32_t second = number_of(finder, a5xx ? "RB_MRT[1].BASE_LO" : "RB_MRT[1].BASE");
    uint32_t info = number_of(finder, "RB_MRT[0].BUF_INFO");
    for (uint32_t i = 0; i < MRTS && first && info; i++) {
        roles->mrt_base[i] = first + i * (second - first);
        roles->mrt_info[i] = info + i * (second - first);
    }
    roles->mrt_count = number_of(finder, a5xx ? "RB_FS_OUTPUT_CNTL" : "RB_PS_MRT_CNTL");
    roles->depth_control = number_of(finder, "RB_DEPTH_CNTL");
    roles->depth_base = number_of(finder, a5xx ? "RB_DEPTH_BUFFER_BASE_LO" : "RB_DEPTH_BUFFER_BASE");
    roles->blit_base = number_of(finder, a5xx ? "RB_2D_DST_LO" : "RB_A2D_DEST_BUFFER_BASE");
    roles->resolve_base = a5xx ? 0 : number_of(finder, "RB_RESOLVE_SYSTEM_BUFFER_BASE");
    for (unsigned i = 0; i < DRAW_SHADERS_MAX; i++) {
        const char *stage = a5xx && strcmp(stages[i], "PS") == 0 ? "FS" : stages[i];
        roles->stages[i].stage = stages[i];
        snprintf(name, sizeof name, a5xx ? "SP_%s_OBJ_START_LO" : "SP_%s_BASE", stage);
        roles->stages[i].base = number_of(finder, name);
        snprintf(name, sizeof name, "SP_%s_CONFIG", stage);
        roles->stages[i].config = number_of(finder, name);
    }
}

/* A field of a register that was written; false: neither. Its text goes to `text`, where that is wanted. */
static bool read_field(const struct finder *finder, uint32_t number, const char *name, uint64_t *value, char *text)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    size_t count = is_known(finder, number)
                       ? gpucode_meanings_fields(finder->meanings, finder->family, number, finder->values[number],
                                                 fields, GPUCODE_FIELD_VALUES_MAX)
                       : 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0) {
            *value = fields[i].value;
            if (text)
                snprintf(text, GPUCODE_NAME_MAX, "%s", fields[i].text);
            return true;
        }
    return false;
}

/* --- the draw ----------------------------------------------------------------------------------------------------- */

/* Nothing is suspect twice: the first counts, and what comes after the packet in hand does not. */
static void suspect(struct finder *finder, enum draw_suspicion why, uint64_t packet, bool at_draw, const char *name,
                    uint64_t target)
{
    struct draw_suspect *first = &finder->found->suspect;
    const struct gpucode_crash_path *path = &finder->crash->path;
    bool after = finder->found->reached && packet != path->packets[path->count - 1];
    if (first->why != DRAW_NOT_SUSPECT || finder->submit->state == GPUCODE_CRASH_FINISHED || after)
        return;
    *first = (struct draw_suspect){
        .why = why, .address = packet, .at_draw = at_draw, .draw = finder->draws, .target = target};
    snprintf(first->name, sizeof first->name, "%s", name);
}

/* Is there anything to be told by the list of buffers, and is the address in none of them? */
static bool is_nowhere(const struct finder *finder, uint64_t address)
{
    struct fault_found place;
    if (!finder->crash->buffers.count)
        return false;
    fault_classify(finder->crash, address, &place);
    return place.place != FAULT_INSIDE && place.place != FAULT_MAPPED;
}

static void check_address(struct finder *finder, const struct draw *draw, const char *name, uint64_t address)
{
    if (is_nowhere(finder, address))
        suspect(finder, DRAW_NO_BUFFER, draw->address, true, name, address);
}

static void add_target(struct finder *finder, struct draw *draw, uint32_t number, uint32_t info)
{
    uint64_t value;
    if (!is_known(finder, number) || draw->target_count == DRAW_TARGETS_MAX || !wide_value(finder, number))
        return;
    struct draw_target *target = &draw->targets[draw->target_count++];
    *target = (struct draw_target){.address = wide_value(finder, number)};
    gpucode_register_name(finder->family, number, target->name, sizeof target->name);
    read_field(finder, info, "COLOR_FORMAT", &value, target->format);
    check_address(finder, draw, target->name, target->address);
}

static void find_targets(struct finder *finder, struct draw *draw, bool blit)
{
    const struct roles *roles = &finder->roles;
    uint64_t count = MRTS, value;
    bool resolve = blit && strncmp(draw->packet, "CP_EVENT", 8) == 0;
    if (blit) {
        add_target(finder, draw, resolve ? roles->resolve_base : roles->blit_base, 0);
        return;
    }
    read_field(finder, roles->mrt_count, "MRT", &count, NULL);
    for (unsigned i = 0; i < MRTS && i < count; i++) {
        if (count < MRTS && roles->mrt_base[i] && !is_known(finder, roles->mrt_base[i])) {
            char name[GPUCODE_NAME_MAX] = "";
            gpucode_register_name(finder->family, roles->mrt_base[i], name, sizeof name);
            suspect(finder, DRAW_NOT_WRITTEN, draw->address, true, name, 0);
        }
        add_target(finder, draw, roles->mrt_base[i], roles->mrt_info[i]);
    }
    if ((read_field(finder, roles->depth_control, "Z_TEST_ENABLE", &value, NULL) && value) ||
        (read_field(finder, roles->depth_control, "Z_WRITE_ENABLE", &value, NULL) && value))
        add_target(finder, draw, roles->depth_base, 0);
}

#define SHADER_WORDS_MAX (1u << 16)

static void read_shader(struct finder *finder, struct draw_shader *shader)
{
    uint32_t *words = malloc(4 * SHADER_WORDS_MAX);
    size_t count = words ? gpucode_crash_load(finder->crash, shader->address, words, 4 * SHADER_WORDS_MAX) / 4 : 0;
    words_of_memory(words, count);
    shader->bytes = (uint32_t)(4 * gpucode_shader_words(words, count));
    shader->hash = gpucode_shader_hash(words, count);
    free(words);
}

static void find_shaders(struct finder *finder, struct draw *draw, bool compute)
{
    char name[GPUCODE_NAME_MAX] = "";
    for (unsigned i = 0; i < DRAW_SHADERS_MAX; i++) {
        const char *stage = finder->roles.stages[i].stage;
        uint32_t base = finder->roles.stages[i].base;
        uint64_t enabled = 0;
        bool told = is_known(finder, finder->roles.stages[i].config);
        read_field(finder, finder->roles.stages[i].config, "ENABLED", &enabled, NULL);
        if ((strcmp(stage, "CS") == 0) != compute || (told && !enabled) || !base)
            continue;
        gpucode_register_name(finder->family, base, name, sizeof name);
        if (!is_known(finder, base)) {
            if (enabled || strcmp(stage, compute ? "CS" : "VS") == 0)
                suspect(finder, DRAW_NOT_WRITTEN, draw->address, true, name, 0);
            continue;
        }
        if (!wide_value(finder, base))
            continue;
        struct draw_shader *shader = &draw->shaders[draw->shader_count++];
        *shader = (struct draw_shader){.stage = stage, .address = wide_value(finder, base)};
        check_address(finder, draw, name, shader->address);
    }
}

/* Of draws that had finished nobody asks. */
static void keep_draw(struct finder *finder, const struct gpucode_packet_event *event)
{
    struct draw *draw = &finder->found->draw;
    if (!finder->roles.stages[0].stage)
        find_roles(finder);
    bool compute = event->text && strcmp(event->text, "compute") == 0,
         blit = strncmp(event->name, "CP_DRAW", 7) != 0 && !compute;
    *draw =
        (struct draw){.number = finder->draws, .address = event->address, .indices = event->count, .mode = event->mode};
    snprintf(draw->packet, sizeof draw->packet, "%s", event->name);
    snprintf(draw->primitive, sizeof draw->primitive, "%s", event->text ? event->text : "");
    if (!compute)
        find_targets(finder, draw, blit);
    if (!blit)
        find_shaders(finder, draw, compute);
}

static void take_draw(struct finder *finder, const struct gpucode_packet_event *event)
{
    struct draw_found *found = finder->found;
    const struct gpucode_crash_path *path = &finder->crash->path;
    bool open = finder->submit->state != GPUCODE_CRASH_FINISHED;
    if (!found->reached) {
        found->has_draw = open;
        if (open)
            keep_draw(finder, event);
    } else if (finder->draws == finder->hand && event->address == path->packets[path->count - 1]) {
        found->is_draw = found->has_draw = true;
        keep_draw(finder, event);
    } else {
        found->has_next = true;
        found->next = finder->draws;
        if (!found->has_draw)
            keep_draw(finder, event);
        finder->index = SIZE_MAX; /* nothing more is asked */
    }
    finder->draws++;
}

/* --- the way ------------------------------------------------------------------------------------------------------ */

static void reach(struct finder *finder, const struct gpucode_packet_event *event)
{
    const struct gpucode_crash_path *path = &finder->crash->path;
    if (finder->found->reached || finder->index != path->submit || event->depth > finder->reached)
        return;
    bool same = event->depth < path->count && path->packets[event->depth] == event->address;
    finder->reached = event->depth + same;
    if (!same || finder->reached != path->count)
        return;
    finder->found->reached = true;
    finder->hand = finder->draws;
    /* after what is not a packet nothing can be told */
    if (event->kind != GPUCODE_PACKET_BEGIN)
        finder->index = SIZE_MAX;
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct finder *finder = user;
    bool skipped = event->condition == GPUCODE_PACKET_SKIPPED || finder->later;
    switch (event->kind) {
    case GPUCODE_PACKET_WRITE:
        if (!skipped && event->number < REGISTERS) {
            uint8_t bit = (uint8_t)(1u << event->number % 8), *known = &finder->known[event->number / 8];
            *known = (uint8_t)(event->known ? *known | bit : *known & ~bit);
            finder->values[event->number] = (uint32_t)event->value;
        }
        break;
    case GPUCODE_PACKET_DRAW:
        if (!skipped)
            take_draw(finder, event);
        break;
    case GPUCODE_PACKET_ENTER:
        finder->later |= event->later;
        break;
    case GPUCODE_PACKET_LEAVE:
        finder->later &= !event->later;
        break;
    case GPUCODE_PACKET_NO_MEMORY:
        if (event->condition <= GPUCODE_PACKET_TAKEN && is_nowhere(finder, event->target_address))
            suspect(finder, DRAW_NO_BUFFER, finder->packet[event->depth ? event->depth - 1 : 0], false, "",
                    event->target_address);
        break;
    case GPUCODE_PACKET_BEGIN:
    case GPUCODE_PACKET_BAD_HEADER:
    case GPUCODE_PACKET_CUT:
        finder->packet[event->depth] = event->address;
        reach(finder, event);
        break;
    default:
        break;
    }
    return finder->index != SIZE_MAX;
}

static enum gpucode_status walk_all(struct finder *finder)
{
    const struct gpucode_crash *crash = finder->crash;
    struct gpucode_packet_options options = {.family = finder->family,
                                             .target = crash->head.target,
                                             .meanings = finder->meanings,
                                             .read = read_memory,
                                             .event = take_event,
                                             .user = finder,
                                             .limit = 1u << 18};
    struct gpucode_packets *packets = NULL;
    for (size_t i = 0; i < crash->span_count; i++)
        options.limit += 16 * crash->spans[i].data->count;
    enum gpucode_status status = gpucode_packets_create(&options, &packets);
    bool open = false;
    for (size_t i = 0; status == GPUCODE_OK && i <= crash->path.submit && finder->index != SIZE_MAX; i++) {
        finder->index = i;
        finder->reached = 0;
        finder->later = false;
        finder->submit = DUMP_ITEM(crash->submits, struct gpucode_crash_submit, i);
        if (!open && finder->submit->state != GPUCODE_CRASH_FINISHED) {
            finder->found->first = finder->draws;
            finder->found->first_submit = i;
            open = true;
        }
        status = gpucode_packets_walk(packets, finder->submit->address, finder->submit->words);
    }
    gpucode_packets_free(packets);
    return status == GPUCODE_ERROR_MEMORY ? status : GPUCODE_OK; /* streams without end are told by decoding */
}

enum gpucode_status draw_find(const struct gpucode_crash *crash, unsigned family,
                              const struct gpucode_meanings *meanings, struct draw_found *found)
{
    struct finder finder = {.crash = crash, .family = family, .meanings = meanings, .found = found};
    *found = (struct draw_found){.reached = false};
    if (!crash->has_path || family < 5 || crash->path.submit >= crash->submits.count)
        return GPUCODE_OK;
    finder.values = calloc(REGISTERS + 1, sizeof *finder.values);
    finder.known = calloc(REGISTERS / 8 + 1, 1);
    enum gpucode_status status = finder.values && finder.known ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK) {
        status = walk_all(&finder);
        for (unsigned i = 0; i < found->draw.shader_count; i++)
            read_shader(&finder, &found->draw.shaders[i]);
    }
    free(finder.values);
    free(finder.known);
    return status;
}
