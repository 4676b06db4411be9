/* SPDX-License-Identifier: MIT */
/* What the packet in hand tells by itself: why the command processor could not go on with it. */
#include "gpu/crash_reason.h"

#include <gpucode/packet.h>
#include <string.h>

/* Words from the packet's header to the end of what there is to read. */
static uint32_t words_behind(const struct crash_file *file, const struct gpucode_crash_position *position)
{
    const struct gpucode_crash_place *place = position->place;
    uint32_t write;
    if (position->level != GPUCODE_CRASH_RB)
        return place->words - place->word;
    if (!gpucode_crash_read(file->crash, gpucode_crash_number(file->crash, GPUCODE_CRASH_RB_WPTR), &write))
        return UINT32_MAX;
    return (uint32_t)((write % (uint64_t)place->words + place->words - place->word) % place->words);
}

/* The control register that asks for another context; known of a7xx and later, and of dumps that gpucode wrote. */
static bool is_switching(const struct crash_file *file)
{
    static const char name[] = "PREEMPT_TRIGGER";
    struct gpucode_crash_block block;
    uint32_t number;
    bool known =
        gpucode_target_family(file->target) >= 7 || (file->head->kernel && strcmp(file->head->kernel, "gpucode") == 0);
    return known && gpucode_number_of(file->target, NULL, GPUCODE_SPACE_CONTROL, name, sizeof name - 1, &number) &&
           gpucode_crash_find_block(file->crash, "SQE_UCODE_DBG", &block) && number < 0x400 &&
           gpucode_crash_word(&block.data, 7 * GPUCODE_CRASH_UCODE_SECTION + number) & 1;
}

const struct gpucode_crash_place *crash_call(const struct crash_file *file,
                                             const struct gpucode_crash_position *position)
{
    const struct gpucode_crash_place *place = position->place, *above = place ? place - 1 : NULL;
    struct gpucode_crash_block block;
    if (!place || position->level == GPUCODE_CRASH_RB || place->has_packet || !place->known || place->next)
        return NULL;
    bool same = !crash_file_has_states(file) || (gpucode_crash_find_block(file->crash, "SQE_STAT", &block) &&
                                                 gpucode_crash_word(&block.data, 1) == above->header);
    return same && above->has_packet ? above : NULL;
}

/* The fetcher reads up to so many bytes at once. */
#define FETCH_BYTES 64

static bool is_unreadable(const struct crash_file *file, const struct gpucode_crash_position *position)
{
    const struct gpucode_crash_place *place = position->place;
    struct gpucode_crash_fault fault;
    if (!place || !place->known || position->level == GPUCODE_CRASH_RB || place->next >= place->words ||
        !gpucode_crash_fault(file->crash, &fault) || (fault.direction && strcmp(fault.direction, "READ") != 0))
        return false;
    uint64_t next = place->buffer + 4 * (uint64_t)place->next;
    return fault.iova - next < FETCH_BYTES && fault.iova < place->buffer + 4 * (uint64_t)place->words;
}

unsigned crash_reasons(const struct crash_file *file, const struct gpucode_crash_position *position)
{
    const struct gpucode_crash_place *place = position->place;
    char name[GPUCODE_NAME_MAX];
    unsigned reasons = is_switching(file) ? CRASH_SWITCHING : 0;
    if (is_unreadable(file, position))
        reasons |= CRASH_UNREADABLE;
    if (!position->has_header)
        return reasons;
    if (!crash_is_header(position->header))
        return reasons | CRASH_NO_PACKET;
    /* firmware may pass over CP_NOP and unknown opcodes by the same code */
    const char *packet = crash_file_packet(file, position->header, name);
    if (position->unknown && (!packet || strcmp(packet, "CP_NOP") != 0))
        reasons |= CRASH_NO_HANDLER;
    if (place && place->has_packet && place->words && place->header == position->header &&
        gpucode_packet_header(position->header).count >= words_behind(file, position))
        reasons |= position->level == GPUCODE_CRASH_RB ? CRASH_NOT_WRITTEN : CRASH_CUT;
    return reasons;
}

const char *crash_reason(unsigned index)
{
    static const char *const names[] = {"no packet",       "unknown opcode",     "longer than its buffer",
                                        "not all written", "switch of contexts", "buffer not readable"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}
