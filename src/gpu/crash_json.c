/* SPDX-License-Identifier: MIT */
/* gpucode crash --json: a dump as one object. */
#include "gpu/crash_page.h"
#include "gpu/crash_reason.h"

#include <inttypes.h>
#include <string.h>

static void put_hex(struct json *json, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    json_string(json, key, text);
}

static void put_gpu(const struct crash_file *file, struct json *json)
{
    const struct gpucode_crash_head *head = file->head;
    json_object(json, "gpu");
    json_string(json, "name", head->gpu);
    if (head->chip_id)
        put_hex(json, "chip_id", head->chip_id);
    json_string(json, "generation", head->generation);
    json_end(json);
    json_string(json, "kernel", head->kernel);
    json_string(json, "comm", head->comm);
    json_string(json, "cmdline", head->cmdline);
}

static void put_rings(const struct crash_file *file, struct json *json)
{
    struct gpucode_crash_ring ring;
    json_array(json, "rings");
    for (size_t i = 0; gpucode_crash_ring(file->crash, i, &ring); i++) {
        json_object(json, NULL);
        json_number(json, "id", ring.id);
        put_hex(json, "iova", ring.iova);
        json_number(json, "rptr_words", ring.rptr);
        json_number(json, "wptr_words", ring.wptr);
        json_number(json, "last_fence", ring.last_fence);
        json_number(json, "retired_fence", ring.retired_fence);
        json_bool(json, "current", ring.current);
        json_end(json);
    }
    json_end(json);
}

static void put_buffers(const struct crash_file *file, struct json *json)
{
    static const char *const marks[] = {NULL, "inside", "behind"};
    struct gpucode_crash_buffer buffer;
    json_array(json, "buffers");
    for (size_t i = 0; gpucode_crash_buffer(file->crash, i, &buffer); i++) {
        json_object(json, NULL);
        put_hex(json, "iova", buffer.iova);
        json_number(json, "size_bytes", buffer.size);
        json_bool(json, "dumped", buffer.dumped);
        json_string(json, "name", buffer.name);
        json_string(json, "fault", marks[buffer.mark]);
        json_end(json);
    }
    json_end(json);
}

static void put_messages(const struct crash_file *file, struct json *json)
{
    struct gpucode_crash_message message;
    if (!gpucode_crash_blob(file->crash, "gmu-hfi", NULL, NULL))
        return;
    json_array(json, "hfi");
    for (size_t i = 0; gpucode_crash_message(file->crash, i, &message); i++) {
        json_object(json, NULL);
        json_number(json, "queue", message.queue);
        json_number(json, "sequence", message.sequence);
        json_number(json, "id", message.id);
        json_string(json, "name", message.name);
        json_string(json, "type", message.acknowledge ? "ack" : "command");
        json_end(json);
    }
    json_end(json);
}

static void put_queues(const struct crash_file *file, struct json *json)
{
    struct gpucode_crash_queue queue;
    if (!gpucode_crash_queue(file->crash, 0, &queue))
        return;
    json_array(json, "memory_pool");
    for (size_t i = 0; gpucode_crash_queue(file->crash, i, &queue); i++) {
        json_object(json, NULL);
        json_string(json, "queue", queue.name);
        json_number(json, "entries", queue.entries);
        if (queue.damaged)
            json_bool(json, "damaged", true);
        json_end(json);
    }
    json_end(json);
}

static void put_processors(const struct crash_file *file, struct json *json)
{
    struct gpucode_crash_block block;
    json_array(json, "indexed");
    for (size_t i = 0; gpucode_crash_block(file->crash, i, &block); i++)
        json_string(json, NULL, block.name);
    json_end(json);
    json_array(json, "processors");
    for (size_t i = 0; gpucode_crash_block(file->crash, i, &block); i++) {
        char text[32];
        const char *name = crash_processor_name(&block, text, sizeof text);
        if (!name || !block.data.count)
            continue;
        json_object(json, NULL);
        json_string(json, "name", name);
        json_number(json, "pc_words", gpucode_crash_word(&block.data, 0));
        json_object(json, "registers");
        for (unsigned k = 1; k < 32; k++) {
            char key[8];
            snprintf(key, sizeof key, "$%02x", k);
            put_hex(json, key, gpucode_crash_word(&block.data, k));
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* The bits that are set in the register of a role, by name; nothing where no name of a generation is known. */
static void put_bits(const struct crash_file *file, struct json *json, const char *key, enum gpucode_crash_role role,
                     const char *(*name_of)(const struct gpucode_crash *crash, unsigned bit), unsigned known_bit)
{
    uint32_t value, number = gpucode_crash_number(file->crash, role);
    if (!name_of(file->crash, known_bit) || !gpucode_crash_read(file->crash, number, &value))
        return;
    json_array(json, key);
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = name_of(file->crash, bit);
        char text[16];
        snprintf(text, sizeof text, "bit %u", bit);
        if (value >> bit & 1)
            json_string(json, NULL, name ? name : text);
    }
    json_end(json);
}

static void put_status(const struct crash_file *file, struct json *json)
{
    struct gpucode_crash_protection protection;
    struct gpucode_crash_fault fault;
    char name[GPUCODE_NAME_MAX];
    bool states = crash_file_has_states(file);
    json_object(json, "status");
    put_bits(file, json, states ? "interrupt" : "errors", GPUCODE_CRASH_INTERRUPT, gpucode_crash_interrupt,
             states ? 8 : 0);
    /* of others than gen8 only the number is known */
    put_bits(file, json, "hardware_fault", GPUCODE_CRASH_HW_FAULT, gpucode_crash_hardware_fault, 0);
    if (gpucode_crash_protection(file->crash, &protection) && protection.refused) {
        json_object(json, states ? "protect" : "refused");
        put_hex(json, "address", protection.number);
        json_string(json, "access", protection.write ? "write" : "read");
        json_string(json, "register", crash_file_name(file, GPUCODE_SPACE_GPU, protection.number, name));
        json_end(json);
    }
    if (gpucode_crash_fault(file->crash, &fault)) {
        json_object(json, "fault");
        put_hex(json, "iova", fault.iova);
        json_string(json, "type", fault.type);
        json_string(json, "dir", fault.direction);
        json_string(json, "source", fault.source);
        json_end(json);
    }
    json_end(json);
}

static void put_handler(const struct crash_file *file, const struct gpucode_crash_position *position, struct json *json)
{
    uint32_t handlers[128];
    char name[GPUCODE_NAME_MAX];
    if (!position->has_handler || !gpucode_crash_table(file->crash, handlers))
        return;
    json_number(json, "handler_offset_words", position->pc - position->handler);
    json_array(json, "handler");
    for (uint32_t i = 0; i < 128 && !position->unknown; i++)
        if (handlers[i] == position->handler)
            json_string(json, NULL, i == 4 ? "PKT4" : crash_file_name(file, GPUCODE_SPACE_PACKET, i, name));
    if (position->unknown)
        json_string(json, NULL, "unknown opcode");
    json_end(json);
}

/* The word of the packet in hand, its packet, and what fits the PC. */
static void put_packet(const struct crash_file *file, const struct gpucode_crash_position *position, struct json *json)
{
    char name[GPUCODE_NAME_MAX];
    if (position->place && position->place->known) {
        put_hex(json, "buffer", position->place->buffer);
        json_number(json, "buffer_words", position->place->words);
        if (position->place->has_packet)
            json_number(json, "word", position->place->word);
    }
    if (position->has_pc)
        json_number(json, "pc_words", position->pc);
    if (position->has_header) {
        put_hex(json, "header", position->header);
        json_string(json, "packet", crash_file_packet(file, position->header, name));
    }
    put_handler(file, position, json);
}

static void put_reasons(const struct crash_file *file, const struct gpucode_crash_position *position, struct json *json)
{
    unsigned reasons = crash_reasons(file, position);
    json_array(json, "reasons");
    for (unsigned i = 0; crash_reason(i); i++)
        if (reasons >> i & 1)
            json_string(json, NULL, crash_reason(i));
    json_end(json);
}

/* "position" is by the state of the SQE, "place" by words left of buffers alone. */
static void put_position(const struct crash_page *page, struct json *json)
{
    const struct crash_file *file = page->file;
    const struct gpucode_crash_position position = page->position;
    bool states = crash_file_has_states(file);
    if (!page->located)
        return;
    json_object(json, states ? "position" : "place");
    json_string(json, "processor", states ? "SQE" : NULL);
    json_string(json, "level", crash_level_name(position.level));
    put_packet(file, &position, json);
    if (states) {
        json_array(json, "confirmed");
        for (unsigned i = 0; crash_confirmation(i); i++)
            if (position.confirmed >> i & 1)
                json_string(json, NULL, crash_confirmation(i));
        json_end(json);
    }
    const struct gpucode_crash_place *call = crash_call(file, &position);
    if (call) {
        json_object(json, "called_by");
        json_string(json, "level", crash_level_name((enum gpucode_crash_level)(position.level - 1)));
        put_hex(json, "buffer", call->buffer);
        json_number(json, "word", call->word);
        put_hex(json, "header", call->header);
        json_end(json);
    }
    put_reasons(file, &position, json);
    if (position.elsewhere) {
        json_object(json, "elsewhere");
        put_hex(json, "buffer", position.elsewhere_buffer);
        json_number(json, "word", position.elsewhere_word);
        json_end(json);
    }
    json_end(json);
}

void crash_print_json(const struct crash_page *page)
{
    const struct crash_file *file = page->file;
    struct json json = {.out = stdout, .indent = true};
    struct gpucode_crash_register reg;
    size_t registers = 0;
    while (gpucode_crash_register(file->crash, registers, &reg))
        registers++;
    json_object(&json, NULL);
    json_string(&json, "format", file->head->format == GPUCODE_CRASH_KGSL ? "kgsl" : "devcoredump");
    put_gpu(file, &json);
    json_number(&json, "registers", registers);
    put_processors(file, &json);
    put_rings(file, &json);
    put_buffers(file, &json);
    put_messages(file, &json);
    put_queues(file, &json);
    put_status(file, &json);
    put_position(page, &json);
    crash_code_put(page, &json);
    json_end(&json);
}
