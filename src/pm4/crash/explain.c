/* SPDX-License-Identifier: MIT */
/* A crash dump explained: the verdict, then the evidence for it. */
#include "pm4/crash/explain.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FEW 4 /* of a list, unless all is asked for */

/* --- head and status ---------------------------------------------------------------------------------------------- */

static void put_head(const struct explanation *e)
{
    const struct gpucode_crash_head *head = e->head;
    struct gpucode_crash_register reg;
    struct gpucode_crash_block block;
    size_t count = 0;
    bool snapshot = head->format == GPUCODE_CRASH_KGSL;
    while (gpucode_crash_register(e->crash, count, &reg))
        count++;
    put_text(e, DUMP_FORMAT, snapshot ? "kgsl" : "devcoredump");
    put_text(e, DUMP_TITLE, snapshot ? "Snapshot of KGSL" : "Devcoredump");
    put_begin(e, GPU);
    put_text(e, GPU_NAME, head->gpu);
    put_text(e, GPU_UNKNOWN, head->gpu ? NULL : "unknown");
    if (head->chip_id)
        put_number(e, CHIP_ID, head->chip_id);
    put_text(e, GENERATION, head->generation);
    put_text(e, NO_GENERATION, head->generation ? NULL : "of an unknown generation");
    put_end(e);
    put_text(e, KERNEL, head->kernel);
    put_text(e, TIME, head->time);
    put_text(e, COMM, head->comm);
    put_text(e, CMDLINE, head->cmdline);
    put_number(e, REGISTER_COUNT, count);
    put_begin(e, INDEXED);
    for (size_t i = 0; gpucode_crash_block(e->crash, i, &block); i++)
        put_text(e, INDEXED_NAME, block.name);
    put_end(e);
}

/* A register whose bits have names: its value and the list of what is set. */
static void put_bits(const struct explanation *e, enum gpucode_crash_role role,
                     const char *(*name_of)(const struct gpucode_crash *crash, unsigned bit), unsigned value_row,
                     unsigned list_row)
{
    uint32_t value;
    if (!gpucode_crash_read(e->crash, gpucode_crash_number(e->crash, role), &value))
        return;
    put_number(e, value_row, value);
    put_begin(e, list_row);
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = name_of(e->crash, bit);
        if (value >> bit & 1 && name)
            put_text(e, list_row + 1, name);
        else if (value >> bit & 1)
            put_format(e, list_row + 1, "bit %u", bit);
    }
    put_end(e);
    put_text(e, NO_BITS, value ? NULL : "none");
    put_text(e, END_LINE, "");
}

static void put_protection(const struct explanation *e)
{
    struct gpucode_crash_protection protection;
    if (!gpucode_crash_protection(e->crash, &protection))
        return;
    put_number(e, PROTECTION, protection.status);
    if (protection.refused)
        put_refusal(e, e->has_states ? NEW_REFUSED : OLD_REFUSED, protection.write, protection.number);
    else
        put_text(e, NO_VIOLATION, "no violation");
    if (e->has_states)
        put_flag(e, HALTED, protection.halted);
    put_text(e, END_LINE, "");
}

/* The blocks that are busy, by RBBM_STATUS: its fields that are not zero. */
static void put_blocks(const struct explanation *e, uint32_t number, uint32_t status)
{
    struct gpucode_field_value values[GPUCODE_FIELD_VALUES_MAX];
    size_t count = gpucode_meanings_fields(e->meanings, e->family, number, status, values, GPUCODE_FIELD_VALUES_MAX);
    put_begin(e, BUSY);
    for (size_t i = 0; i < count; i++)
        if (values[i].value && strcmp(values[i].name, "-") != 0)
            put_text(e, BUSY_NAME, values[i].name);
    put_end(e);
}

/* What the dump says was busy. Its registers were read at another time than its head. */
static void put_busy(const struct explanation *e)
{
    uint32_t number = 0, status, own;
    if (!explain_status(e, &number, &status))
        return;
    put_number(e, RBBM, e->head->has_status ? e->head->status : status);
    if (e->family && e->head->has_status && e->head->status != status)
        put_number(e, RBBM_REGISTER, status);
    else if (number && e->head->has_status && gpucode_crash_read(e->crash, number, &own) && own != status)
        put_number(e, RBBM_REGISTER, own);
    if (number)
        put_blocks(e, number, status);
    put_text(e, RBBM_IDLE, status ? NULL : "idle");
    put_text(e, END_LINE, "");
}

static void put_status(const struct explanation *e)
{
    put_begin(e, STATUS);
    put_busy(e);
    put_bits(e, GPUCODE_CRASH_INTERRUPT, gpucode_crash_interrupt, INTERRUPT_VALUE, e->has_states ? INTERRUPT : ERRORS);
    put_protection(e);
    put_bits(e, GPUCODE_CRASH_HW_FAULT, gpucode_crash_hardware_fault, HARDWARE_VALUE, HARDWARE);
    if (e->has_fault)
        put_fault(e, FAULT, &e->fault);
    put_end(e);
}

/* --- processors --------------------------------------------------------------------------------------------------- */

/* What registers hold by convention of the firmware; others are its working registers. */
static const char *register_use(unsigned number)
{
    static const char *const uses[32] = {[0x01] = "header of the packet in hand",
                                         [0x12] = "level of buffers",
                                         [0x1b] = "words of the packet that are left",
                                         [0x1c] = "last data from memory",
                                         [0x1d] = "last value at $addr",
                                         [0x1e] = "last value at $usraddr",
                                         [0x1f] = "last value at $data"};
    return number < 32 ? uses[number] : NULL;
}

static void put_registers(const struct explanation *e, const struct gpucode_crash_block *block, bool uses)
{
    char key[8], shown[32];
    put_begin(e, STATE_REGISTERS);
    for (unsigned i = 1; i < 32; i++) {
        uint32_t value = gpucode_crash_word(&block->data, i);
        const char *use = uses ? register_use(i) : NULL;
        snprintf(key, sizeof key, "$%02x", i);
        snprintf(shown, sizeof shown, "%s 0x%08" PRIx32, key, value);
        gpucode_answer_key(e->answer, key);
        put_shown(e, STATE_REGISTER, value, shown);
        if (use)
            put_text(e, STATE_USE, use);
        else if (i % 4 == 0 || i == 31 || (uses && register_use(i + 1)))
            put_text(e, STATE_END, "");
    }
    put_end(e);
}

static void put_processors(const struct explanation *e)
{
    struct gpucode_crash_block block;
    char text[512], name[32];
    put_begin(e, PROCESSORS);
    for (size_t i = 0; gpucode_crash_block(e->crash, i, &block); i++) {
        const char *processor = block_processor(block.name, "SQE_STAT", name);
        bool first = processor && strcmp(processor, "SQE") == 0;
        if (!processor || !block.data.count)
            continue;
        put_begin(e, STATE);
        put_text(e, STATE_NAME, processor);
        if (block.pipe)
            put_number(e, STATE_PIPE, block.pipe);
        put_number(e, STATE_PC, gpucode_crash_word(&block.data, 0));
        if (first && explain_own_handler(e, text, sizeof text)) {
            uint32_t words = e->position.pc - e->position.handler;
            put_format(e, STATE_HANDLER, "%" PRIu32 " word%s after the start of the handler of %s", words,
                       words == 1 ? "" : "s", text);
        }
        if (!first && !e->verbose)
            gpucode_answer_quiet(e->answer);
        put_registers(e, &block, first);
        put_end(e);
    }
    put_end(e);
}

/* --- rings, buffers, messages ------------------------------------------------------------------------------------- */

static void put_rings(const struct explanation *e)
{
    struct gpucode_crash_ring ring;
    put_begin(e, RINGS);
    for (size_t i = 0; gpucode_crash_ring(e->crash, i, &ring); i++) {
        put_begin(e, RING);
        put_text(e, RING_MARK, ring.current ? "=>" : "  ");
        put_number(e, RING_ID, ring.id);
        put_number(e, RING_IOVA, ring.iova);
        put_number(e, RING_RPTR, ring.rptr);
        put_number(e, RING_WPTR, ring.wptr);
        put_number(e, RING_SIZE, ring.data.size);
        put_number(e, LAST_FENCE, ring.last_fence);
        put_number(e, RETIRED_FENCE, ring.retired_fence);
        put_flag(e, RING_CURRENT, ring.current);
        put_fences(e, FENCES, true, ring.retired_fence, ring.last_fence);
        put_end(e);
    }
    put_end(e);
}

/* Does a level read this buffer? */
static bool is_read(const struct explanation *e, const struct gpucode_crash_buffer *buffer)
{
    for (unsigned level = 0; level < 3 && e->located; level++) {
        const struct gpucode_crash_place *place = &e->position.places[level];
        if (place->known && place->buffer - buffer->iova < buffer->size)
            return true;
    }
    return false;
}

static void put_buffer(const struct explanation *e, const struct gpucode_crash_buffer *buffer, bool read)
{
    static const char *const marks[] = {NULL, "inside", "behind"};
    static const char *const texts[] = {NULL, "the fault is inside", "the fault is after its end"};
    put_begin(e, MEMORY);
    put_text(e, MEMORY_MARK, buffer->mark ? "==" : read ? "=>" : "  ");
    put_number(e, MEMORY_IOVA, buffer->iova);
    put_number(e, MEMORY_SIZE, buffer->size);
    put_flag(e, MEMORY_DUMPED, buffer->dumped);
    put_format(e, MEMORY_CONTENTS, "%-*s", buffer->name ? 11 : 0, buffer->dumped ? "dumped" : "not dumped");
    put_text(e, MEMORY_NAME, buffer->name);
    if (e->located)
        put_flag(e, MEMORY_READ, read);
    put_text(e, MEMORY_FAULT, marks[buffer->mark]);
    put_text(e, MEMORY_FAULT_TEXT, texts[buffer->mark]);
    put_end(e);
}

static void put_buffers(const struct explanation *e)
{
    struct gpucode_crash_buffer buffer;
    size_t left = 0;
    bool shown = false;
    put_begin(e, BUFFERS_PART);
    put_begin(e, BUFFERS);
    for (size_t i = 0; gpucode_crash_buffer(e->crash, i, &buffer); i++) {
        bool read = is_read(e, &buffer), far = !e->verbose && buffer.mark == GPUCODE_CRASH_FAR && !read;
        left += far;
        shown |= !far;
        if (far)
            gpucode_answer_quiet(e->answer);
        put_buffer(e, &buffer, read);
    }
    put_end(e);
    if (left)
        put_format(e, BUFFERS_LEFT, "%zu %s; --verbose lists them", left,
                   !shown      ? "of which none is read or near a fault"
                   : left == 1 ? "other"
                               : "others");
    put_end(e);
}

/* A write, or both of a register of two words: `next` is the write after it, or null. Returns how many were taken. */
static size_t put_waiting(const struct explanation *e, const struct gpucode_crash_write *write,
                          const struct gpucode_crash_write *next)
{
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX] = "", plain[24];
    enum gpucode_space space = write->pipe ? GPUCODE_SPACE_PIPE : GPUCODE_SPACE_GPU;
    bool wide = next && next->pipe == write->pipe && next->number == write->number + 1 &&
                explain_is_wide(e, space, write->number);
    uint64_t value = wide ? (uint64_t)next->value << 32 | write->value : write->value;
    const char *found =
        wide ? explain_name(e, space, write->number, name) : explain_word_name(e, space, write->number, name);
    snprintf(plain, sizeof plain, "0x%08" PRIx64, value);
    if (found && !write->pipe)
        explain_value(e, write->number, value, text);
    put_begin(e, WAIT);
    put_text(e, WAIT_MARK, write->pipe ? "|" : " ");
    if (write->pipe)
        put_flag(e, WAIT_PIPE, true);
    put_number(e, WAIT_NUMBER, write->number);
    put_text(e, WAIT_NAME, found);
    put_shown(e, WAIT_VALUE, value, *text ? text : plain);
    put_text(e, WAIT_TEXT, *text ? text : NULL);
    if (wide)
        put_number(e, WAIT_WORDS, 2);
    put_end(e);
    return wide ? 2 : 1;
}

static void put_queues(const struct explanation *e)
{
    struct gpucode_crash_queue queue;
    struct gpucode_crash_write write, next;
    if (!gpucode_crash_queue(e->crash, 0, &queue))
        return;
    put_begin(e, POOL);
    for (size_t i = 0; gpucode_crash_queue(e->crash, i, &queue); i++) {
        if (!queue.entries && !queue.damaged)
            gpucode_answer_quiet(e->answer);
        put_begin(e, QUEUE);
        put_text(e, QUEUE_NAME, queue.name);
        put_number(e, QUEUE_ENTRIES, queue.entries);
        if (queue.damaged)
            put_flag(e, QUEUE_DAMAGED, true);
        put_text(e, QUEUE_END, "");
        put_begin(e, WAITING);
        for (size_t k = 0; (e->verbose || k < FEW) && gpucode_crash_queue_write(e->crash, i, k, &write);)
            k += put_waiting(e, &write, gpucode_crash_queue_write(e->crash, i, k + 1, &next) ? &next : NULL);
        put_end(e);
        put_end(e);
    }
    put_end(e);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void put_all(const struct explanation *e)
{
    put_begin(e, CRASH);
    put_verdict(e);
    put_work(e);
    put_head(e);
    put_status(e);
    put_position(e);
    put_processors(e);
    put_firmware(e, 0, e->located && e->position.has_pc, e->position.pc);
    put_rings(e);
    put_buffers(e);
    put_memories(e);
    put_queues(e);
    put_messages(e);
    if (e->verbose)
        put_values(e);
    put_end(e);
}

enum gpucode_status gpucode_crash_explain(const struct gpucode_crash *crash,
                                          const struct gpucode_crash_explain_options *options,
                                          struct gpucode_answer *answer)
{
    struct crash_code *code = NULL;
    if (!crash)
        return GPUCODE_ERROR_ARGUMENT;
    struct explanation e;
    explain_begin(&e, crash, options, answer);
    enum gpucode_status status =
        options && options->firmware ? crash_code_open(crash, options->firmware, &code) : GPUCODE_OK;
    if (status == GPUCODE_OK) {
        e.code = code;
        crash_code_confirm(&e);
        status = draw_find(crash, e.family, e.meanings, &e.found);
    }
    if (status == GPUCODE_OK) {
        put_all(&e);
        status = gpucode_answer_status(answer);
    }
    crash_code_close(code);
    return status;
}
