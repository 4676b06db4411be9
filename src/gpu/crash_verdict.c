/* SPDX-License-Identifier: MIT */
/* The first sentence: where the SQE stood, how sure that is, and why it stopped. */
#include "front/terminal.h"
#include "gpu/crash_page.h"
#include "gpu/crash_reason.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool crash_handlers(const struct crash_page *page, char *text, size_t size)
{
    uint32_t handlers[128];
    if (!page->located || !page->position.has_handler || !gpucode_crash_table(page->file->crash, handlers))
        return false;
    const struct gpucode_crash_handler handler = {page->position.handler, page->position.unknown};
    crash_handler_names(page->file->target, page->file->names, handlers, &handler, text, size);
    return true;
}

static void print_packet(const struct crash_page *page, uint32_t header)
{
    char name[GPUCODE_NAME_MAX];
    const char *packet = crash_file_packet(page->file, header, name);
    if (!crash_is_header(header))
        printf("0x%08" PRIx32 ", which is no packet", header);
    else if (header >> 28 == 4)
        printf("a write of %s and what follows",
               (packet = crash_file_name(page->file, GPUCODE_SPACE_GPU, header >> 8 & 0x3ffff, name)) ? packet
                                                                                                      : "registers");
    else if (packet)
        fputs(packet, stdout);
    else
        printf("a packet with the unknown opcode 0x%02x", (unsigned)(header >> 16 & 0x7f));
}

static void print_word(const struct gpucode_crash_place *place, enum gpucode_crash_level level)
{
    printf(", word %" PRIu32 " of %" PRIu32 " of the %s at 0x%" PRIx64, place->word, place->words,
           level == GPUCODE_CRASH_RB ? "ring" : crash_level_name(level), place->buffer);
}

static void print_place(const struct crash_page *page)
{
    const struct gpucode_crash_position *position = &page->position;
    const struct gpucode_crash_place *place = position->place;
    const struct gpucode_crash_place *call = crash_call(page->file, position);
    char text[512];
    printf("The %s stood in ", crash_file_has_states(page->file) ? "SQE" : "command processor");
    if (call || position->has_header)
        print_packet(page, call ? call->header : position->header);
    else
        fputs("an unknown packet", stdout);
    if (call) {
        print_word(call, (enum gpucode_crash_level)(position->level - 1));
        printf(", and had read nothing yet of the %s at 0x%" PRIx64 " that it calls", crash_level_name(position->level),
               place->buffer);
    } else if (place && place->has_packet)
        print_word(place, position->level);
    else if (position->level == GPUCODE_CRASH_SDS)
        fputs(", in a draw-state group", stdout);
    else
        printf(", in %s", crash_level_name(position->level));
    if (position->has_pc)
        printf(", at PC 0x%" PRIx32, position->pc);
    struct crash_place code;
    if (position->has_pc && crash_code_place(page->code, position->pc, &code)) {
        fputs(", ", stdout);
        crash_print_code_place(&code);
    } else if (crash_handlers(page, text, sizeof text))
        /* a table says where handlers begin; whether the next ones are routines, none can tell without the code */
        printf(", %" PRIu32 " word%s %s the code for %s", position->pc - position->handler,
               position->pc - position->handler == 1 ? "" : "s",
               position->confirmed & GPUCODE_CRASH_BY_HANDLER ? "into" : "behind the start of", text);
    unsigned asked = 0, good = 0;
    for (unsigned i = 0; crash_confirmation(i); i++) {
        asked += position->asked >> i & 1;
        good += position->confirmed >> i & 1;
    }
    if (asked)
        printf(" (%u of %u signs agree)", good, asked);
    else if (!crash_file_has_states(page->file))
        fputs(" (by the words left of its buffers alone)", stdout);
    putchar('.');
}

/* A fault's place beside the buffers. */
static void print_fault(const struct crash_page *page, const struct gpucode_crash_fault *fault)
{
    struct gpucode_crash_buffer buffer;
    printf(" An SMMU fault was seen: %s%s0x%" PRIx64, fault->direction ? fault->direction : "",
           fault->direction ? " of " : "address ", fault->iova);
    for (size_t i = 0; gpucode_crash_buffer(page->file->crash, i, &buffer); i++) {
        if (buffer.mark == GPUCODE_CRASH_FAR)
            continue;
        uint64_t end = buffer.iova + buffer.size;
        printf(", 0x%" PRIx64 " %s the buffer ",
               fault->iova - (buffer.mark == GPUCODE_CRASH_INSIDE ? buffer.iova : end),
               buffer.mark == GPUCODE_CRASH_INSIDE ? "into" : "behind");
        if (buffer.name)
            excerpt_text(stdout, buffer.name, strlen(buffer.name));
        else
            printf("at 0x%" PRIx64, buffer.iova);
    }
    if (fault->source) {
        fputs(", by ", stdout);
        crash_print_text(fault->source);
    }
    if (fault->type) {
        fputs(" (", stdout);
        crash_print_text(fault->type);
        putchar(')');
    }
    putchar('.');
}

static bool print_protection(const struct crash_page *page)
{
    struct gpucode_crash_protection protection;
    char name[GPUCODE_NAME_MAX];
    if (!gpucode_crash_protection(page->file->crash, &protection) || !protection.refused)
        return false;
    const char *reg = crash_file_name(page->file, GPUCODE_SPACE_GPU, protection.number, name);
    printf(" A %s of the protected register %s%s0x%" PRIx32 "%s was refused.", protection.write ? "write" : "read",
           reg ? reg : "", reg ? " (" : "", protection.number, reg ? ")" : "");
    return true;
}

static bool print_interrupts(const struct crash_page *page)
{
    const struct gpucode_crash *crash = page->file->crash;
    uint32_t value, number = gpucode_crash_number(crash, GPUCODE_CRASH_INTERRUPT);
    unsigned told = 0;
    if (!gpucode_crash_read(crash, number, &value))
        return false;
    for (unsigned bit = 0; bit < 32; bit++)
        if (value >> bit & 1 && gpucode_crash_interrupt(crash, bit))
            printf("%s%s", told++ ? ", " : " It reported: ", gpucode_crash_interrupt(crash, bit));
    if (told)
        putchar('.');
    return told != 0;
}

static bool print_hardware_fault(const struct crash_page *page)
{
    const struct gpucode_crash *crash = page->file->crash;
    uint32_t value, number = gpucode_crash_number(crash, GPUCODE_CRASH_HW_FAULT);
    unsigned told = 0;
    if (!gpucode_crash_hardware_fault(crash, 0) || !gpucode_crash_read(crash, number, &value))
        return false;
    for (unsigned bit = 0; bit < 32; bit++)
        if (value >> bit & 1 && gpucode_crash_hardware_fault(crash, bit))
            printf("%s%s", told++ ? ", " : " Hardware fault: ", gpucode_crash_hardware_fault(crash, bit));
    if (told)
        putchar('.');
    return told != 0;
}

/* What the packet itself tells. */
static void print_reasons(const struct crash_page *page)
{
    const char *const sentences[] = {
        " What it was given there is no command: the command stream is wrong, or memory was overwritten.",
        " The firmware has no code for this opcode.",
        " The packet has more words than its buffer: one of their sizes is wrong.",
        " Not all words of the packet were in the ring: the write pointer stands inside of it.",
        " A switch of contexts (preemption) was under way.",
        (" That is where the next words of the buffer of packets would be: its address or size is wrong, or it was "
         "freed."),
    };
    unsigned reasons = page->located ? crash_reasons(page->file, &page->position) : 0;
    for (unsigned i = 0; crash_reason(i); i++)
        if (reasons >> i & 1)
            fputs(sentences[i], stdout);
}

/* No error was flagged: what it may be waiting for. */
static void print_hang(const struct crash_page *page)
{
    struct gpucode_crash_queue queue;
    struct gpucode_crash_ring ring;
    char name[GPUCODE_NAME_MAX];
    const char *packet =
        page->located && page->position.has_header ? crash_file_packet(page->file, page->position.header, name) : NULL;
    if (packet && strncmp(packet, "CP_WAIT", 7) == 0)
        fputs(" No error is flagged: it waits there for something that did not come.", stdout);
    else
        fputs(" No error is flagged: the GPU hung.", stdout);
    for (size_t i = 0; gpucode_crash_queue(page->file->crash, i, &queue); i++)
        if (queue.entries) {
            printf(" Cluster %s had not taken %" PRIu32 " register writes that wait for it.", queue.name,
                   queue.entries);
            return;
        }
    for (size_t i = 0; gpucode_crash_ring(page->file->crash, i, &ring); i++)
        if (ring.last_fence == ring.retired_fence && ring.current)
            fputs(" All that was submitted had been finished.", stdout);
}

void crash_print_verdict(const struct crash_page *page)
{
    struct gpucode_crash_fault fault;
    bool reason = false;
    if (page->color)
        fputs("\033[1m", stdout);
    if (page->located)
        print_place(page);
    else
        printf("%s dumps do not tell where the command processor stood.",
               page->file->head->gpu ? page->file->head->gpu : "Such");
    reason |= print_protection(page);
    reason |= print_interrupts(page);
    reason |= print_hardware_fault(page);
    if (gpucode_crash_fault(page->file->crash, &fault)) {
        print_fault(page, &fault);
        reason = true;
    }
    print_reasons(page);
    if (!reason)
        print_hang(page);
    puts(page->color ? "\033[0m" : "");
}
