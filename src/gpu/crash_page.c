/* SPDX-License-Identifier: MIT */
/* The page for people: the verdict, then the evidence for it. */
#include "gpu/crash_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_pair(const char *key, const char *value)
{
    if (!value)
        return;
    printf("  %-14s ", key);
    crash_print_text(value);
    putchar('\n');
}

static void print_head(const struct crash_page *page)
{
    const struct gpucode_crash_head *head = page->file->head;
    crash_heading(page, head->format == GPUCODE_CRASH_KGSL ? "Snapshot of KGSL" : "Devcoredump");
    printf("  %-14s %s", "GPU", head->gpu ? head->gpu : "unknown");
    if (head->chip_id)
        printf(", chip id 0x%08" PRIx32, head->chip_id);
    printf(", %s\n", head->generation ? head->generation : "of an unknown generation");
    print_pair("kernel", head->kernel);
    print_pair("time", head->time);
    print_pair("process", head->comm);
    print_pair("command line", head->cmdline);
}

/* --- status ------------------------------------------------------------------------------------------------------ */

/* A register whose bits have names. */
static void print_bits(const char *key, uint32_t value,
                       const char *(*name)(const struct gpucode_crash *crash, unsigned bit),
                       const struct gpucode_crash *crash)
{
    printf("  %-14s 0x%08" PRIx32, key, value);
    for (unsigned bit = 0; bit < 32; bit++)
        if (value >> bit & 1 && name(crash, bit))
            printf(", %s", name(crash, bit));
        else if (value >> bit & 1)
            printf(", bit %u", bit);
    puts(value ? "" : ", none");
}

static void print_interrupts(const struct crash_page *page)
{
    const struct gpucode_crash *crash = page->file->crash;
    uint32_t value;
    if (gpucode_crash_read(crash, gpucode_crash_number(crash, GPUCODE_CRASH_INTERRUPT), &value))
        print_bits("interrupts", value, gpucode_crash_interrupt, crash);
}

static void print_protection(const struct crash_page *page)
{
    struct gpucode_crash_protection protection;
    char name[GPUCODE_NAME_MAX];
    if (!gpucode_crash_protection(page->file->crash, &protection))
        return;
    printf("  %-14s 0x%08" PRIx32, "protection", protection.status);
    const char *reg = crash_file_name(page->file, GPUCODE_SPACE_GPU, protection.number, name);
    if (protection.refused)
        printf(", %s of 0x%" PRIx32 "%s%s refused", protection.write ? "write" : "read", protection.number,
               reg ? " " : "", reg ? reg : "");
    else
        fputs(", no violation", stdout);
    puts(protection.halted ? ", CP halted" : "");
}

static void print_status(const struct crash_page *page)
{
    const struct gpucode_crash *crash = page->file->crash;
    struct gpucode_crash_fault fault;
    uint32_t value;
    crash_heading(page, "Status");
    if (page->file->head->has_status)
        printf("  %-14s 0x%08" PRIx32 "%s\n", "RBBM", page->file->head->status,
               page->file->head->status ? "" : ", idle");
    print_interrupts(page);
    print_protection(page);
    if (gpucode_crash_read(crash, gpucode_crash_number(crash, GPUCODE_CRASH_HW_FAULT), &value))
        print_bits("hardware fault", value, gpucode_crash_hardware_fault, crash);
    if (!gpucode_crash_fault(crash, &fault))
        return;
    printf("  %-14s ", "SMMU fault");
    if (fault.direction)
        crash_print_text(fault.direction);
    printf(" at 0x%" PRIx64, fault.iova);
    if (fault.type) {
        fputs(", ", stdout);
        crash_print_text(fault.type);
    }
    if (fault.source) {
        fputs(", by ", stdout);
        crash_print_text(fault.source);
    }
    putchar('\n');
}

/* --- processors -------------------------------------------------------------------------------------------------- */

static void print_position(const struct crash_page *page)
{
    static const char *const signs[] = {"its header is in $01",
                                        "the headers of the two packets before it are remembered",
                                        "no deeper buffer has words left", "the PC is in its handler"};
    const struct gpucode_crash_position *position = &page->position;
    if (!crash_file_has_states(page->file)) {
        crash_heading(page, "Place");
        puts("  by the words left of each buffer alone: dumps of this GPU have no state of the processors.\n"
             "  Words that were fetched ahead count as taken.");
        return;
    }
    crash_heading(page, "Signs for the place of the SQE");
    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++)
        if (position->asked >> i & 1)
            printf("  %-4s %s%s\n", position->confirmed >> i & 1 ? "yes" : "NO", signs[i],
                   page->led && 1u << i == GPUCODE_CRASH_BY_HANDLER ? ", or in what that leads to" : "");
    if (position->elsewhere)
        printf("  The header in $01 stands at word %" PRIu32 " of 0x%" PRIx64
               ": by $01, not by position, it was that.\n",
               position->elsewhere_word, position->elsewhere_buffer);
    if (!position->asked)
        puts("  none: the dump has no state of the SQE");
    if (position->asked && !position->has_handler)
        puts("  The dump has no packet table, so that nothing says whose code the PC is in.");
}

/* What registers hold by convention of the firmware; others are its working registers. */
static const char *register_use(unsigned number)
{
    switch (number) {
    case 0x01:
        return "header of the packet in hand";
    case 0x12:
        return "level of buffers";
    case 0x1b:
        return "words of the packet that are left";
    case 0x1c:
        return "last data from memory";
    case 0x1d:
        return "last value at $addr";
    case 0x1e:
        return "last value at $usraddr";
    case 0x1f:
        return "last value at $data";
    default:
        return NULL;
    }
}

static void print_registers(const struct gpucode_crash_block *block, bool uses)
{
    for (unsigned i = 1; i < 32; i++) {
        const char *use = uses ? register_use(i) : NULL;
        printf("  $%02x 0x%08" PRIx32, i, gpucode_crash_word(&block->data, i));
        if (use)
            printf("  %s\n", use);
        else if (i % 4 == 0 || i == 31 || (uses && register_use(i + 1)))
            putchar('\n');
    }
}

static void print_processors(const struct crash_page *page)
{
    struct gpucode_crash_block block;
    char text[512], name[32];
    for (size_t i = 0; gpucode_crash_block(page->file->crash, i, &block); i++) {
        const char *processor = crash_processor_name(&block, name, sizeof name);
        bool first = processor && strcmp(processor, "SQE") == 0;
        if (!processor || !block.data.count)
            continue;
        if (block.pipe)
            snprintf(text, sizeof text, "%s, pipe %" PRIu32 ", at PC 0x%" PRIx32, processor, block.pipe,
                     gpucode_crash_word(&block.data, 0));
        else
            snprintf(text, sizeof text, "%s at PC 0x%" PRIx32, processor, gpucode_crash_word(&block.data, 0));
        if (first || page->verbose)
            crash_heading(page, text);
        else
            printf("\n%s\n", text);
        if (first && crash_handlers(page, text, sizeof text))
            printf("  %" PRIu32 " words behind the start of the handler of %s\n",
                   page->position.pc - page->position.handler, text);
        if (first || page->verbose)
            print_registers(&block, first);
    }
}

/* --- rings, buffers, messages ------------------------------------------------------------------------------------ */

static void print_rings(const struct crash_page *page)
{
    struct gpucode_crash_ring ring;
    for (size_t i = 0; gpucode_crash_ring(page->file->crash, i, &ring); i++) {
        if (!i)
            crash_heading(page, "Rings");
        printf("  %s %" PRIu32 " at 0x%" PRIx64 ": read %" PRIu32 ", written %" PRIu32 " of %" PRIu64 " words; ",
               ring.current ? "=>" : "  ", ring.id, ring.iova, ring.rptr, ring.wptr, ring.data.size);
        if (ring.last_fence == ring.retired_fence)
            printf("fence %" PRIu32 ", nothing in flight\n", ring.last_fence);
        else
            printf("fences %" PRIu32 " to %" PRIu32 " in flight\n", ring.retired_fence + 1, ring.last_fence);
    }
}

/* Does a level read this buffer? */
static bool is_read(const struct crash_page *page, const struct gpucode_crash_buffer *buffer)
{
    for (unsigned level = 0; level < 3 && page->located; level++) {
        const struct gpucode_crash_place *place = &page->position.places[level];
        if (place->known && place->buffer - buffer->iova < buffer->size)
            return true;
    }
    return false;
}

static void print_buffers(const struct crash_page *page)
{
    static const char *const marks[] = {"", "  the fault is inside", "  the fault is behind its end"};
    struct gpucode_crash_buffer buffer;
    size_t left = 0, shown = 0;
    for (size_t i = 0; gpucode_crash_buffer(page->file->crash, i, &buffer); i++) {
        if (!page->verbose && buffer.mark == GPUCODE_CRASH_FAR && !is_read(page, &buffer)) {
            left++;
            continue;
        }
        if (!shown++)
            crash_heading(page, "Buffers");
        printf("  %s 0x%012" PRIx64 " %10" PRIu64 " bytes  %-*s",
               buffer.mark              ? "=="
               : is_read(page, &buffer) ? "=>"
                                        : "  ",
               buffer.iova, buffer.size, buffer.name ? 11 : 0, buffer.dumped ? "dumped" : "not dumped");
        if (buffer.name)
            crash_print_text(buffer.name);
        puts(marks[buffer.mark]);
    }
    if (left && !shown)
        crash_heading(page, "Buffers");
    if (left)
        printf("  %zu %s; --verbose lists them\n", left,
               !shown      ? "of which none is read or near a fault"
               : left == 1 ? "other"
                           : "others");
}

static void print_messages(const struct crash_page *page)
{
    struct gpucode_crash_message message;
    for (size_t i = 0; gpucode_crash_message(page->file->crash, i, &message); i++) {
        if (!i)
            crash_heading(page, "Messages of the power management (HFI), oldest first in each queue");
        printf("  %s %4u  %s", message.queue ? "<-" : "->", message.sequence, message.name ? message.name : "id");
        if (!message.name)
            printf(" %u", message.id);
        for (uint32_t k = 0; k < message.count && (page->verbose || k < 4); k++)
            printf(" 0x%" PRIx32, message.words[k]);
        puts(!page->verbose && message.count > 4 ? " ..." : "");
    }
}

static void print_queues(const struct crash_page *page)
{
    struct gpucode_crash_queue queue;
    struct gpucode_crash_write write;
    char name[GPUCODE_NAME_MAX], text[CRASH_TEXT_MAX];
    bool any = false;
    for (size_t i = 0; gpucode_crash_queue(page->file->crash, i, &queue); i++) {
        if (!queue.entries && !queue.damaged)
            continue;
        if (!any)
            crash_heading(page, "Register writes that clusters had not taken (memory pool)");
        any = true;
        printf("  %-8s %" PRIu32 " entr%s%s\n", queue.name, queue.entries, queue.entries == 1 ? "y" : "ies",
               queue.damaged ? ", and then its list leads nowhere" : "");
        for (size_t k = 0; (page->verbose || k < 4) && gpucode_crash_queue_write(page->file->crash, i, k, &write);
             k++) {
            enum gpucode_space space = write.pipe ? GPUCODE_SPACE_PIPE : GPUCODE_SPACE_GPU;
            const char *reg = crash_file_name(page->file, space, write.number, name);
            printf("    %s0x%05" PRIx32 " %s = ", write.pipe ? "|" : " ", write.number, reg ? reg : "");
            if (reg && !write.pipe)
                fputs(crash_file_value(page->file, write.number, write.value, text), stdout);
            else
                printf("0x%08" PRIx32, write.value);
            putchar('\n');
        }
    }
}

static void print_all_registers(const struct crash_page *page)
{
    struct gpucode_crash_register reg;
    char name[GPUCODE_NAME_MAX], text[CRASH_TEXT_MAX];
    for (size_t i = 0; gpucode_crash_register(page->file->crash, i, &reg); i++) {
        const char *found = crash_file_name(page->file, GPUCODE_SPACE_GPU, reg.number, name);
        if (!i)
            crash_heading(page, "Registers");
        printf("  0x%05" PRIx32 " 0x%08" PRIx32, reg.number, reg.value);
        if (found)
            printf("  %s = %s", found, crash_file_value(page->file, reg.number, reg.value, text));
        putchar('\n');
    }
}

void crash_print_page(const struct crash_page *page)
{
    crash_print_verdict(page);
    print_head(page);
    print_status(page);
    if (page->located) {
        print_position(page);
        crash_print_packets(page);
    }
    print_processors(page);
    crash_print_code(page);
    print_rings(page);
    print_buffers(page);
    print_queues(page);
    print_messages(page);
    if (page->verbose)
        print_all_registers(page);
}
