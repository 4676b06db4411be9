/* SPDX-License-Identifier: MIT */
/* Lists of a dump in full: registers by name, of the GPU and of other processors, and messages of the power management.
 */
#include "pm4/crash/dump.h"
#include "pm4/crash/explain.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FEW 8 /* fields or words of a message, unless all is asked for */

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* A register or both words of one; `next` is the value after it in the list, or null. Returns how many were taken. */
static size_t put_register(const struct explanation *e, const struct gpucode_crash_register *reg,
                           const struct gpucode_crash_register *next)
{
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX];
    bool wide = next && next->number == reg->number + 1 && explain_is_wide(e, GPUCODE_SPACE_GPU, reg->number);
    uint64_t value = wide ? (uint64_t)next->value << 32 | reg->value : reg->value;
    const char *found = wide ? explain_name(e, GPUCODE_SPACE_GPU, reg->number, name)
                             : explain_word_name(e, GPUCODE_SPACE_GPU, reg->number, name);
    put_begin(e, GPU_REGISTER);
    put_number(e, GPU_REGISTER_NUMBER, reg->number);
    put_number(e, GPU_REGISTER_VALUE, value);
    put_text(e, GPU_REGISTER_NAME, found);
    put_text(e, GPU_REGISTER_TEXT, found ? explain_value(e, reg->number, value, text) : NULL);
    if (wide)
        put_number(e, GPU_REGISTER_WORDS, 2);
    put_end(e);
    return wide ? 2 : 1;
}

static void put_gmu_registers(const struct explanation *e)
{
    struct gpucode_crash_register reg;
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX];
    put_begin(e, GMU_VALUES);
    for (size_t i = 0; gpucode_crash_gmu_register(e->crash, i, &reg); i++) {
        bool named = gpucode_gmu_register_name(e->family, reg.number, name, sizeof name) != 0;
        if (named)
            gpucode_gmu_register_text(e->family, reg.number, reg.value, text, sizeof text);
        put_begin(e, GMU_REGISTER);
        put_number(e, GMU_REGISTER_NUMBER, reg.number);
        put_number(e, GMU_REGISTER_VALUE, reg.value);
        put_text(e, GMU_REGISTER_NAME, named ? name : NULL);
        put_text(e, GMU_REGISTER_TEXT, named ? text : NULL);
        put_end(e);
    }
    put_end(e);
}

/* Those with a name, and those that hold something. */
static void put_control_registers(const struct explanation *e)
{
    struct gpucode_crash_control control, next;
    char name[GPUCODE_NAME_MAX];
    put_begin(e, CONTROL_VALUES);
    for (size_t i = 0; gpucode_crash_control(e->crash, i, &control); i++) {
        uint64_t value = control.value;
        bool wide = explain_is_wide(e, GPUCODE_SPACE_CONTROL, control.number) &&
                    gpucode_crash_control(e->crash, i + 1, &next) && next.number == control.number + 1;
        const char *found = explain_name(e, GPUCODE_SPACE_CONTROL, control.number, name);
        if (wide)
            value |= (uint64_t)next.value << 32;
        i += wide;
        if (!found && !value)
            continue;
        put_begin(e, CONTROL_REGISTER);
        put_text(e, CONTROL_PROCESSOR, control.processor);
        if (control.pipe)
            put_number(e, CONTROL_PIPE, control.pipe);
        put_number(e, CONTROL_NUMBER, control.number);
        put_number(e, CONTROL_VALUE, value);
        if (found)
            put_format(e, CONTROL_NAME, "@%s", found);
        if (wide)
            put_number(e, CONTROL_WORDS, 2);
        put_end(e);
    }
    put_end(e);
}

void put_values(const struct explanation *e)
{
    struct gpucode_crash_register reg, next;
    put_begin(e, VALUES);
    for (size_t i = 0; gpucode_crash_register(e->crash, i, &reg);)
        i += put_register(e, &reg, gpucode_crash_register(e->crash, i + 1, &next) ? &next : NULL);
    put_end(e);
    put_gmu_registers(e);
    put_control_registers(e);
}

/* --- messages of the power management ----------------------------------------------------------------------------- */

static void put_queue(const struct explanation *e, const struct gpucode_crash_message_queue *queue)
{
    put_begin(e, HFI_QUEUE);
    put_number(e, HFI_QUEUE_NUMBER, queue->number);
    put_text(e, HFI_QUEUE_WAY, queue->number == 0 ? "to the GMU" : queue->number == 1 ? "from the GMU" : NULL);
    const uint64_t numbers[] = {queue->iova,
                                queue->size,
                                queue->read,
                                queue->write,
                                queue->dropped,
                                queue->message_size,
                                queue->status,
                                queue->type,
                                queue->receive_watermark,
                                queue->transmit_watermark,
                                queue->receive_request,
                                queue->transmit_request};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (i > 4 && !e->verbose)
            gpucode_answer_quiet(e->answer);
        put_number(e, HFI_QUEUE_IOVA + i, numbers[i]);
    }
    put_begin(e, HFI_HISTORY);
    for (unsigned i = 0; i < queue->history_count; i++)
        put_number(e, HFI_STARTS, queue->history[i]);
    put_end(e);
    put_end(e);
}

/* "GX_BW_PERF_VOTE 12": the message that a header is of */
static void put_meaning(const struct explanation *e, const struct gpucode_crash_message *message,
                        const struct gpucode_crash_message_field *field)
{
    const char *name = hfi_name(field->value & 0xff);
    if (message->name && strcmp(message->name, "ACK") == 0 && field->hex && name)
        put_format(e, MESSAGE_FIELD_TEXT, "%s %u", name, (unsigned)(field->value >> 20));
}

static bool put_fields(const struct explanation *e, size_t index, const struct gpucode_crash_message *message)
{
    struct gpucode_crash_message_field field;
    char text[80];
    size_t count = 0;
    put_begin(e, MESSAGE_FIELDS);
    for (; gpucode_crash_message_field(e->crash, index, count, &field); count++) {
        int length = snprintf(text, sizeof text, "%s", field.name);
        if (field.rank)
            length += snprintf(text + length, sizeof text - (size_t)length, "[%u]", field.row);
        if (field.rank > 1)
            length += snprintf(text + length, sizeof text - (size_t)length, "[%u]", field.item);
        if (field.member)
            snprintf(text + length, sizeof text - (size_t)length, ".%s", field.member);
        if (count >= FEW && !e->verbose)
            gpucode_answer_quiet(e->answer);
        put_begin(e, MESSAGE_FIELD);
        put_text(e, MESSAGE_FIELD_NAME, text);
        snprintf(text, sizeof text, field.hex ? "0x%" PRIx32 : "%" PRIu32, field.value);
        put_shown(e, MESSAGE_FIELD_VALUE, field.value, text);
        put_meaning(e, message, &field);
        put_end(e);
    }
    put_end(e);
    if (count > FEW && !e->verbose)
        put_text(e, MESSAGE_FIELDS_LEFT, "...");
    return count != 0;
}

/* The first words, and in text none where the fields tell them. */
static void put_words(const struct explanation *e, const struct gpucode_crash_message *message, bool quiet)
{
    uint32_t count = e->verbose || message->count < FEW / 2 ? message->count : FEW / 2;
    if (quiet)
        gpucode_answer_quiet(e->answer);
    put_begin(e, MESSAGE_WORDS);
    for (uint32_t k = 0; k < count; k++)
        put_number(e, MESSAGE_WORD, message->words[k]);
    put_end(e);
    if (count == message->count)
        return;
    if (quiet)
        gpucode_answer_quiet(e->answer);
    put_flag(e, MESSAGE_MORE, true);
}

void put_messages(const struct explanation *e)
{
    struct gpucode_crash_message_queue queue;
    struct gpucode_crash_message message;
    if (!gpucode_crash_blob(e->crash, "gmu-hfi", NULL, NULL))
        return;
    put_begin(e, HFI_QUEUES);
    for (size_t i = 0; gpucode_crash_message_queue(e->crash, i, &queue); i++)
        put_queue(e, &queue);
    put_end(e);
    put_begin(e, HFI);
    for (size_t i = 0; gpucode_crash_message(e->crash, i, &message); i++) {
        put_begin(e, MESSAGE);
        put_text(e, MESSAGE_MARK, message.queue ? "<-" : "->");
        put_number(e, MESSAGE_QUEUE, message.queue);
        put_number(e, MESSAGE_SEQUENCE, message.sequence);
        put_text(e, MESSAGE_NAME, message.name);
        put_number(e, MESSAGE_ID, message.id);
        if (!message.name)
            put_format(e, MESSAGE_KIND, "id %u", message.id);
        put_text(e, MESSAGE_TYPE, message.acknowledge ? "ack" : "command");
        bool told = put_fields(e, i, &message);
        put_words(e, &message, told);
        put_end(e);
    }
    put_end(e);
}
