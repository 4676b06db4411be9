/* SPDX-License-Identifier: MIT */
/*
 * A recording out of its text, line by line. Values with places in them are read twice: for their size when they are
 * met, and again when it is known where everything stands.
 */
#include "pm4/stream/encode.h"
#include "base/text.h"
#include "stream_messages.h"

#include <string.h>

/* --- records ------------------------------------------------------------------------------------------------------ */

static struct encode_buffer *last_buffer(struct encode *encode)
{
    return (struct encode_buffer *)encode->buffers.items + encode->last_buffer;
}

static void close_record(struct encode *encode)
{
    if (encode->record != SIZE_MAX) {
        size_t size = encode->out.length - encode->contents;
        encode_patch(encode, encode->record + 4, (uint32_t)size);
        if (encode->buffer != NO_BUFFER)
            last_buffer(encode)->contents = size;
    }
    encode->record = SIZE_MAX;
    encode->buffer = NO_BUFFER;
    encode->headless = false;
}

static void open_record(struct encode *encode, uint32_t type)
{
    close_record(encode);
    encode->record = encode->out.length;
    encode_word(encode, type);
    encode_word(encode, 0);
    encode->contents = encode->out.length;
}

/* A submit ends where buffers or a text follow its streams. */
static void open_submit(struct encode *encode)
{
    if (encode->closed)
        encode->submit++;
    encode->closed = false;
}

/* The operands of a directive: `least` to `most` of them, separated by commas. */
static unsigned take_operands(struct encode *encode, struct piece name, struct piece operands, struct piece *list,
                              unsigned least, unsigned most, const char *directive, const char *form)
{
    unsigned count = 0;
    for (struct piece rest = operands; rest.at && operands.at < operands.end; count++) {
        struct piece operand = piece_take(&rest, ',');
        if (count < most)
            list[count] = operand;
    }
    if (count >= least && count <= most)
        return count;
    encode_refuse(encode, operands.at < operands.end ? operands : name, MSG_ENCODE_OPERANDS, NULL, directive, form);
    return 0;
}

/* .buffer LABEL, ADDRESS, SIZE[, short] */
static void take_buffer(struct encode *encode, struct piece name, struct piece operands)
{
    struct piece list[4], expanded;
    uint64_t size, address;
    unsigned count = take_operands(encode, name, operands, list, 3, 4, ".buffer", "LABEL, ADDRESS, SIZE");
    bool narrow = count == 4 && piece_is(list[3], "short"), places;
    if (!count)
        return;
    if (count == 4 && !narrow) {
        encode_refuse(encode, list[3], MSG_ENCODE_OPERANDS, NULL, ".buffer",
                      "LABEL, ADDRESS, SIZE, and short where the address has 32 bits");
        return;
    }
    if (!piece_number(list[2], &size) || size > UINT32_MAX) {
        encode_refuse(encode, list[2], MSG_ENCODE_NUMBER, NULL);
        return;
    }
    encode->resolving = true; /* what it names stands before it */
    bool good = encode_expand(encode, list[1], &expanded, &places);
    encode->resolving = false;
    if (good && !piece_number(expanded, &address))
        good = encode_refuse(encode, list[1], MSG_ENCODE_NUMBER, NULL);
    if (!good)
        return;
    open_submit(encode);
    open_record(encode, GPUCODE_RECORD_BUFFER);
    struct encode_buffer *buffer = list_add(&encode->buffers, sizeof *buffer);
    encode->no_memory |= !buffer;
    if (!buffer)
        return;
    *buffer = (struct encode_buffer){.address = list[1],
                                     .declared = size,
                                     .record = encode->record,
                                     .contents = SIZE_MAX,
                                     .submit = encode->submit,
                                     .narrow = narrow};
    encode->last_buffer = encode->buffers.count - 1;
    encode->nameless = false;
    for (unsigned i = 0; i < (narrow ? 2 : 3); i++)
        encode_word(encode, 0);
    encode->buffer = encode->last_buffer; /* its own label is the beginning of its contents */
    encode->contents = encode->out.length;
    encode_label(encode, list[0]);
    encode->buffer = NO_BUFFER;
    encode->contents = encode->record + 8;
    close_record(encode);
}

static void take_contents(struct encode *encode, struct piece name)
{
    bool first =
        encode->buffers.count && last_buffer(encode)->contents == SIZE_MAX && !encode->closed && !encode->nameless;
    open_record(encode, GPUCODE_RECORD_CONTENTS);
    if (first) {
        encode->buffer = encode->last_buffer;
        last_buffer(encode)->contents_at = encode->contents;
        last_buffer(encode)->contents = 0;
    } else if (!encode->nameless) {
        encode_refuse(encode, name, MSG_ENCODE_CONTENTS, NULL);
    }
}

/* .stream ADDRESS, WORDS[, short] */
static void take_stream(struct encode *encode, struct piece name, struct piece operands)
{
    struct piece list[3];
    unsigned count = take_operands(encode, name, operands, list, 2, 3, ".stream", "ADDRESS, WORDS");
    bool narrow = count == 3 && piece_is(list[2], "short");
    if (!count)
        return;
    if (count == 3 && !narrow) {
        encode_refuse(encode, list[2], MSG_ENCODE_OPERANDS, NULL, ".stream",
                      "ADDRESS, WORDS, and short where the address has 32 bits");
        return;
    }
    open_record(encode, GPUCODE_RECORD_STREAM_ADDRESS);
    struct encode_fixup *fixup = list_add(&encode->fixups, sizeof *fixup);
    encode->no_memory |= !fixup;
    if (fixup) /* address and count are read when all is known */
        *fixup = (struct encode_fixup){.value = {list[0].at, list[1].end},
                                       .kind = FIXUP_STREAM,
                                       .words = narrow ? 2 : 3,
                                       .at = encode->contents,
                                       .word = (uint32_t)(list[1].at - list[0].at),
                                       .number = (uint32_t)(list[0].end - list[0].at),
                                       .buffer = NO_BUFFER};
    for (unsigned i = 0; i < (narrow ? 2 : 3); i++)
        encode_word(encode, 0);
    close_record(encode);
    encode->closed = true;
}

static bool take_number_at(struct encode *encode, struct piece value, uint64_t most, uint64_t *number)
{
    struct piece expanded;
    bool places;
    if (!encode_expand(encode, value, &expanded, &places))
        return false;
    return (piece_number(expanded, number) && *number <= most) || encode_refuse(encode, value, MSG_ENCODE_NUMBER, NULL);
}

static void resolve_stream(struct encode *encode, const struct encode_fixup *fixup)
{
    struct piece address = {fixup->value.at, fixup->value.at + fixup->number},
                 words = {fixup->value.at + fixup->word, fixup->value.end};
    uint64_t at, count;
    if (!take_number_at(encode, address, fixup->words == 2 ? UINT32_MAX : UINT64_MAX, &at) ||
        !take_number_at(encode, words, UINT32_MAX, &count))
        return;
    encode_patch(encode, fixup->at, (uint32_t)at);
    encode_patch(encode, fixup->at + 4, (uint32_t)count);
    if (fixup->words == 3)
        encode_patch(encode, fixup->at + 8, (uint32_t)(at >> 32));
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Records of one line: their types, and how many bytes a number has; 0: a text. */
static const struct {
    const char *name;
    uint32_t type;
    unsigned size;
} lines[] = {
    {".test", GPUCODE_RECORD_TEST, 0},
    {".process", GPUCODE_RECORD_COMMAND_LINE, 0},
    {".gpu", GPUCODE_RECORD_GPU_ID, 4},
    {".chip", GPUCODE_RECORD_CHIP_ID, 8},
};

static bool take_line_record(struct encode *encode, struct piece name, struct piece operands)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!piece_is(name, lines[i].name))
            continue;
        if (lines[i].type == GPUCODE_RECORD_COMMAND_LINE)
            open_submit(encode);
        open_record(encode, lines[i].type);
        if (lines[i].size)
            encode_value(encode, operands, lines[i].size);
        else
            encode_string(encode, operands);
        close_record(encode);
        return true;
    }
    return false;
}

static void take_family(struct encode *encode, struct piece name, struct piece operands)
{
    bool known = operands.end - operands.at == 4 && *operands.at == 'a' && memcmp(operands.at + 2, "xx", 2) == 0;
    unsigned family = known ? (unsigned)(operands.at[1] - '0') : 0;
    bool exists = family >= GPUCODE_FAMILY_MIN && family <= GPUCODE_FAMILY_MAX;
    if (operands.at == operands.end)
        encode_refuse(encode, name, MSG_ENCODE_OPERANDS, "a2xx to a8xx", ".recording", "a generation");
    else if (!exists)
        encode_refuse(encode, operands, MSG_ENCODE_FAMILY, "a2xx to a8xx", (int)(operands.end - operands.at),
                      operands.at);
    encode->family = exists ? family : 6; /* so that the rest is read */
}

static void take_directive(struct encode *encode, struct piece name, struct piece operands, const char **next)
{
    static const char *const data[] = {".word", ".byte", ".quad", ".ascii", ".zero", ".pad", ".align", ".code"};
    uint64_t type;
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        if (piece_is(name, data[i])) {
            encode_data(encode, name, operands, next);
            return;
        }
    if (piece_is(name, ".recording")) {
        take_family(encode, name, operands);
    } else if (piece_is(name, ".buffer")) {
        take_buffer(encode, name, operands);
    } else if (piece_is(name, ".stream")) {
        take_stream(encode, name, operands);
    } else if (piece_is(name, ".record")) {
        if (!piece_number(operands, &type) || type > UINT32_MAX)
            encode_refuse(encode, operands, MSG_ENCODE_NUMBER, NULL);
        if (type == GPUCODE_RECORD_BUFFER) { /* of a form of its own; contents after it are its */
            open_submit(encode);
            encode->nameless = true;
        }
        open_record(encode, (uint32_t)type);
    } else if (piece_is(name, ".contents") && operands.at == operands.end) {
        take_contents(encode, name);
    } else if (piece_is(name, ".mark") || piece_is(name, ".rest")) {
        close_record(encode);
        for (unsigned i = 0; i < 2 && piece_is(name, ".mark"); i++)
            encode_word(encode, UINT32_MAX);
        encode->headless = piece_is(name, ".rest");
        encode->contents = encode->out.length;
    } else if (!take_line_record(encode, name, operands)) {
        encode_refuse(encode, name, MSG_ENCODE_DIRECTIVE, NULL, (int)(name.end - name.at), name.at);
    }
}

/* The line without its comment. */
static struct piece strip(struct piece line)
{
    bool quoted = false;
    const char *semicolon = memchr(line.at, ';', (size_t)(line.end - line.at));
    if (semicolon)
        for (const char *at = line.at; at < line.end; at++) {
            if (*at == '\\' && quoted)
                at++;
            else if (*at == '"')
                quoted = !quoted;
            else if (*at == ';' && !quoted) {
                line.end = at;
                break;
            }
        }
    return piece_trim(line);
}

/* The first word of a line. */
static struct piece first_word(struct piece line)
{
    const char *at = line.at;
    while (at < line.end && !piece_space(*at))
        at++;
    return (struct piece){line.at, at};
}

/* Can the line only stand after a packet, never in it? Then the brace that ends the packet is missing. */
static bool is_outside(struct piece line)
{
    static const char *const directives[] = {".buffer", ".contents", ".stream", ".record", ".mark",
                                             ".rest",   ".code",     ".pad",    ".align"};
    struct piece name = first_word(line);
    size_t length = (size_t)(line.end - line.at);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (piece_is(name, directives[i]))
            return true;
    return line.end[-1] == ':' || (line.end[-1] == '{' && !memchr(line.at, '=', length));
}

static void take_line(struct encode *encode, struct piece line, const char **next)
{
    if (line.at == line.end)
        return;
    if (encode->packet.open && is_outside(line)) {
        encode_refuse(encode, encode->packet.name, MSG_ENCODE_NO_END, "} ends it");
        encode->packet.open = false;
    }
    if (encode->packet.open) {
        encode_packet_line(encode, line);
        return;
    }
    struct piece name = first_word(line);
    if (!encode->family && !piece_is(name, ".recording")) /* nothing tells what the lines mean */
        encode_refuse(encode, name, MSG_ENCODE_NOT, ".recording a6xx");
    else if (*line.at == '.')
        take_directive(encode, name, piece_trim((struct piece){name.end, line.end}), next);
    else if (line.end[-1] == ':')
        encode_label(encode, piece_trim((struct piece){line.at, line.end - 1}));
    else
        encode_packet_line(encode, line);
}

static void take_lines(struct encode *encode)
{
    const char *end = encode->text + encode->length, *at = encode->text + text_mark(encode->text, encode->length);
    while (at < end && !encode->no_memory && !encode->out.failed && encode->errors < 100 &&
           (encode->family || !encode->errors)) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
        take_line(encode, strip((struct piece){at, newline ? newline : end}), &next);
        at = next;
    }
    if (encode->packet.open)
        encode_refuse(encode, encode->packet.name, MSG_ENCODE_NO_END, "} ends it");
    if (!encode->family && !encode->errors)
        encode_refuse(encode, (struct piece){encode->text, encode->text}, MSG_ENCODE_NOT, ".recording a6xx");
    close_record(encode);
}

bool gpucode_stream_source_recognise(const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    for (at += text ? text_mark(text, length) : 0; text && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct piece line = strip((struct piece){at, newline ? newline : end});
        if (line.at < line.end)
            return line.end - line.at >= 10 && memcmp(line.at, ".recording", 10) == 0 &&
                   (line.end - line.at == 10 || piece_space(line.at[10]));
        at = newline ? newline + 1 : end;
    }
    return false;
}

enum gpucode_status gpucode_stream_encode(const char *text, size_t length,
                                          const struct gpucode_stream_encode_options *options, void **bytes,
                                          size_t *size)
{
    static const struct gpucode_stream_encode_options none;
    if (!text || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    struct encode *encode = calloc(1, sizeof *encode);
    if (!encode)
        return GPUCODE_ERROR_MEMORY;
    encode->text = text;
    encode->length = length;
    encode->options = options ? options : &none;
    encode->record = encode->buffer = SIZE_MAX;
    take_lines(encode);
    bool memory = !encode->no_memory && !encode->out.failed;
    if (memory && !encode->errors)
        encode_place_buffers(encode);
    for (size_t i = 0; memory && i < encode->fixups.count && encode->errors < 100; i++) {
        const struct encode_fixup *fixup = (const struct encode_fixup *)encode->fixups.items + i;
        encode->resolving = true;
        if (fixup->kind == FIXUP_STREAM)
            resolve_stream(encode, fixup);
        else
            encode_resolve(encode, fixup);
    }
    memory &= !encode->no_memory;
    enum gpucode_status status = !memory ? GPUCODE_ERROR_MEMORY : encode->errors ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
    *bytes = NULL;
    *size = 0;
    if (status == GPUCODE_OK && (encode->out.bytes || (encode->out.bytes = calloc(1, 1)))) {
        *bytes = encode->out.bytes;
        *size = encode->out.length;
        encode->out.bytes = NULL;
    }
    free(encode->out.bytes);
    encode_free_places(encode);
    free(encode);
    return status == GPUCODE_OK && !*bytes ? GPUCODE_ERROR_MEMORY : status;
}
