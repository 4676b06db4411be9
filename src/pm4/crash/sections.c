/* SPDX-License-Identifier: MIT */
/* One section of the file, with names of registers and words instead of their encoding. */
#include "pm4/crash/dump.h"
#include "pm4/crash/explain.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096 /* of a line; longer ones are data */

struct printer {
    struct explanation e;
    struct gpucode_crash_block block; /* the memory whose words come next */
    struct buffer line;
};

static void end_line(struct printer *printer)
{
    if (printer->line.failed)
        gpucode_answer_fail(printer->e.answer, GPUCODE_ERROR_MEMORY);
    else
        gpucode_answer_bytes(printer->e.answer, &crash_rows[LINE], printer->line.length ? printer->line.bytes : "",
                             printer->line.length);
    printer->line.length = 0;
}

static void put_words(struct printer *printer, const uint32_t *words, size_t count)
{
    bool hidden = false;
    for (size_t i = 0; i < count; i += 8) {
        bool shown = printer->e.ucode || gpucode_crash_is_open(&printer->block, i);
        if (!shown && hidden)
            continue;
        hidden = !shown;
        buffer_format(&printer->line, "      %05zx ", i);
        if (hidden)
            buffer_text(&printer->line, " firmware, or words nobody knows; --ucode-cache shows them");
        for (size_t k = i; shown && k < count && k < i + 8; k++)
            buffer_format(&printer->line, " %08" PRIx32, words[k]);
        end_line(printer);
    }
}

static void put_data(struct printer *printer, const char *text, size_t length)
{
    uint32_t *words = calloc(length + 1, sizeof *words);
    if (!words) {
        gpucode_answer_fail(printer->e.answer, GPUCODE_ERROR_MEMORY);
        return;
    }
    while (length && *text == ' ') {
        text++;
        length--;
    }
    put_words(printer, words, gpucode_crash_ascii85(text, length, words, length));
    free(words);
}

/* The hexadecimal number after `key` in a line; false: there is none. */
static bool find_number(const char *line, size_t length, const char *key, uint32_t *number)
{
    const char *at = memmem(line, length, key, strlen(key));
    char digits[24] = ""; /* what was decompressed has no zero after it */
    if (!at)
        return false;
    size_t left = (size_t)(line + length - at) - strlen(key);
    memcpy(digits, at + strlen(key), left < sizeof digits - 1 ? left : sizeof digits - 1);
    *number = (uint32_t)strtoull(digits, NULL, 16);
    return true;
}

/* A line "  - { offset: 0x002000, value: ... }" of a GPU register; false: it is not one. */
static bool read_register(const char *line, size_t length, uint32_t *number, uint32_t *value)
{
    if (!find_number(line, length, "offset: 0x", number) || !find_number(line, length, "value: 0x", value))
        return false;
    *number /= 4;
    return true;
}

/* The register that a line is about. Of a register of two words the first line has the value of both. */
static void tell_register(struct printer *printer, const char *line, size_t length, const char *end)
{
    const struct explanation *e = &printer->e;
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX];
    const char *next = line + length + 1, *newline = next < end ? memchr(next, '\n', (size_t)(end - next)) : NULL;
    uint32_t number, low, second = 0, high = 0;
    if (!read_register(line, length, &number, &low))
        return;
    bool wide = newline && newline - next < LONGEST && read_register(next, (size_t)(newline - next), &second, &high) &&
                second == number + 1 && explain_is_wide(e, GPUCODE_SPACE_GPU, number);
    uint64_t value = wide ? (uint64_t)high << 32 | low : low;
    const char *found =
        wide ? explain_name(e, GPUCODE_SPACE_GPU, number, name) : explain_word_name(e, GPUCODE_SPACE_GPU, number, name);
    if (found)
        buffer_format(&printer->line, "  %s = %s", found, explain_value(e, number, value, text));
}

static void tell_gmu_register(struct printer *printer, const char *line, size_t length)
{
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX];
    unsigned family = printer->e.family;
    uint32_t number, value;
    if (!read_register(line, length, &number, &value) || !gpucode_gmu_register_name(family, number, name, sizeof name))
        return;
    gpucode_gmu_register_text(family, number, value, text, sizeof text);
    buffer_format(&printer->line, "  %s = %s", name, text);
}

/* The name that a line gives to the words after it; other sections than indexed registers have none of code. */
static void note_name(struct printer *printer, const char *line, size_t length, char *name, size_t size)
{
    const char *at = memmem(line, length, "regs-name: ", 11);
    if (!at)
        return;
    size_t rest = (size_t)(line + length - at) - 11, part = rest < size ? rest : size - 1;
    memcpy(name, at + 11, part);
    name[part] = 0;
    printer->block.name = name;
}

static void put_lines(struct printer *printer, const struct gpucode_crash_section *section)
{
    const char *at = section->text, *end = at + section->length;
    bool gmu = strcmp(section->name, "registers-gmu") == 0;
    bool registers = !gmu && strncmp(section->name, "registers", 9) == 0;
    bool indexed = strcmp(section->name, "indexed-registers") == 0, data = false;
    char name[128];
    /* where no line says whose words come next they may be anyone's */
    printer->block.name = indexed ? "UCODE" : "words";
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        if (data) {
            put_data(printer, at, length);
            if (indexed)
                printer->block.name = "UCODE";
        } else if (length < LONGEST) {
            note_name(printer, at, length, name, sizeof name);
            buffer_append(&printer->line, at, length);
            if (registers || strcmp(section->name, "clusters") == 0)
                tell_register(printer, at, length, end);
            if (gmu)
                tell_gmu_register(printer, at, length);
            end_line(printer);
        }
        data = length < LONGEST && memmem(at, length, "data: !!ascii85", 15);
        at += length + 1;
    }
}

/* A section of a snapshot that has memories of processors: these have their own list. */
static bool is_memory(const char *name)
{
    return strcmp(name, "0x0501") == 0 || strcmp(name, "0x0502") == 0;
}

/* A section of a snapshot: its bytes as words; memories of processors by their name. */
static void put_part(struct printer *printer, const struct gpucode_crash_section *section)
{
    size_t count = section->length / 4;
    uint32_t *words = calloc(count + 1, sizeof *words);
    buffer_format(&printer->line, "section %s, %zu bytes", section->name, section->length);
    end_line(printer);
    if (!words) {
        gpucode_answer_fail(printer->e.answer, GPUCODE_ERROR_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)section->text + 4 * i;
        words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    printer->block.name = "words";
    if (!is_memory(section->name))
        put_words(printer, words, count);
    free(words);
}

static void put_blocks(struct printer *printer)
{
    for (size_t i = 0; gpucode_crash_block(printer->e.crash, i, &printer->block); i++) {
        buffer_format(&printer->line, "%s, %" PRIu64 " words", printer->block.name, printer->block.data.size);
        end_line(printer);
        put_words(printer, printer->block.data.words, printer->block.data.count);
    }
}

static bool has_section(const struct gpucode_crash *crash, const char *name)
{
    struct gpucode_crash_section section;
    for (size_t i = 0; name && gpucode_crash_section(crash, i, &section); i++)
        if (strcmp(section.name, name) == 0)
            return true;
    return false;
}

enum gpucode_status gpucode_crash_explain_section(const struct gpucode_crash *crash, const char *name,
                                                  const struct gpucode_crash_explain_options *options,
                                                  struct gpucode_answer *answer)
{
    struct printer printer = {0};
    struct gpucode_crash_section section;
    if (!crash || !name)
        return GPUCODE_ERROR_ARGUMENT;
    if (!has_section(crash, name))
        return GPUCODE_ERROR_INPUT;
    explain_begin(&printer.e, crash, options, answer);
    bool snapshot = printer.e.head->format == GPUCODE_CRASH_KGSL;
    put_begin(&printer.e, SECTION);
    put_text(&printer.e, SECTION_NAME, name);
    put_begin(&printer.e, LINES);
    for (size_t i = 0; gpucode_crash_section(crash, i, &section); i++)
        if (strcmp(section.name, name) == 0 && snapshot)
            put_part(&printer, &section);
        else if (strcmp(section.name, name) == 0)
            put_lines(&printer, &section);
    if (snapshot && is_memory(name))
        put_blocks(&printer);
    put_end(&printer.e);
    put_end(&printer.e);
    buffer_free(&printer.line);
    return gpucode_answer_status(answer);
}

/* Lists of a dump in full: registers by name, of the GPU and of other processors, and messages of the power management.
 */

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
static void put_message_words(const struct explanation *e, const struct gpucode_crash_message *message, bool quiet)
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
        put_message_words(e, &message, told);
        put_end(e);
    }
    put_end(e);
}
