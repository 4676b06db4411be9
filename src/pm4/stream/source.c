/* SPDX-License-Identifier: MIT */
/*
 * The text of a recording, record by record. Before the first record of a submit is written its streams are walked, so
 * that it is known where packets begin; then what they point to is marked, and what can be a label gets one.
 */
#include "pm4/stream/source.h"
#include "base/arena.h"
#include "base/text.h"

#include <gpucode/asm.h>
#include <gpucode/fields.h>
#include <gpucode/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT "    "
#define MARK UINT32_MAX /* stands in front of every record of some recorders' files */

static int compare_regions(const void *left, const void *right)
{
    const struct region *a = *(struct region *const *)left, *b = *(struct region *const *)right;
    return a->address != b->address ? ORDER(a->address, b->address) : ORDER(a->number, b->number);
}

/* --- what is in the buffers of a submit --------------------------------------------------------------------------- */

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct source *source = user;
    return gpucode_stream_load(source->stream, source->submit, address, bytes, size);
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct source *source = user;
    uint64_t address = event->kind == GPUCODE_PACKET_BEGIN ? event->address : event->target_address;
    bool shader = event->kind == GPUCODE_PACKET_LOAD && strcmp(event->name, "shader") == 0 &&
                  (event->target_address < event->address ||
                   event->target_address - event->address > 4 * (uint64_t)GPUCODE_PACKET_COUNT7_MAX);
    if (event->kind != GPUCODE_PACKET_BEGIN && !shader)
        return true;
    struct region *region = source_find(source, address);
    if (region && region->marks && address - region->address < region->length && (address - region->address) % 4 == 0)
        region->marks[(address - region->address) / 4] |= shader ? MARK_SHADER : MARK_PACKET;
    return true;
}

/* Walks the streams of a submit for where packets begin. */
static void walk_submit(struct source *source, struct gpucode_packets *packets, size_t submit)
{
    struct gpucode_submit what;
    source->submit = submit;
    gpucode_stream_submit(source->stream, submit, &what);
    for (size_t i = 0; i < what.command_count && source->status == GPUCODE_OK; i++) {
        char text[SOURCE_REFERENCE];
        uint64_t from = what.commands[i].address;
        enum gpucode_status status = gpucode_packets_walk(packets, from, what.commands[i].words);
        if (status == GPUCODE_ERROR_MEMORY) /* where the walk was given up, what it has not seen stays words */
            source->status = status;
        source_refer(source, from, 0, text);
        source_measure(source, &from, from + 4 * (uint64_t)what.commands[i].words, text);
    }
}

/* The packet whose text stands at a word; false: there is none. */
static bool packet_at(const struct source *source, const struct region *region, size_t word,
                      struct source_packet *packet)
{
    return (region->marks[word] & MARK_PACKET) &&
           source_header(source->family, region_word(region, word), region->length / 4 - word, packet);
}

/* Words of the shader that begins there; 0: none. */
static size_t shader_at(const struct source *source, const struct region *region, size_t word)
{
    size_t count = 1, all = region->length / 4;
    if (!(region->marks[word] & MARK_SHADER) || !source->options->shaders)
        return 0;
    while (word + count < all && !(region->marks[word + count] & (MARK_PACKET | MARK_SHADER)))
        count++;
    uint32_t *words = malloc(4 * count);
    for (size_t i = 0; words && i < count; i++)
        words[i] = region_word(region, word + i);
    size_t used = words ? gpucode_shader_words(words, count) : 0;
    free(words);
    return (used + used % 2) <= count ? used + used % 2 : 0;
}

/* Finds where lines begin, and has packets mark what they point to. */
static void mark_items(struct source *source, struct region *region)
{
    size_t count = region->length / 4;
    struct source_packet packet;
    for (size_t word = 0; word < count;) {
        region->marks[word] |= MARK_ITEM;
        if (packet_at(source, region, word, &packet)) {
            source_packet(source, region, word, &packet);
            word += 1 + packet.count;
        } else {
            word++;
        }
    }
    region->marks[count] |= MARK_ITEM;
}

/* Words inside of shaders are not places for labels any more; the others get theirs. */
static void mark_labels(struct source *source, struct region *region)
{
    size_t count = region->length / 4;
    for (size_t word = 0; word < count;) {
        size_t shader = region->marks[word] & MARK_ITEM ? shader_at(source, region, word) : 0;
        for (size_t i = 1; i < shader; i++)
            region->marks[word + i] &= (uint8_t)~MARK_ITEM;
        word += shader ? shader : 1;
    }
    for (size_t word = 1; word < count; word++)
        if (region->marks[word] & MARK_TARGET)
            region->marks[source_item(region, word)] |= MARK_LABEL;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static bool fails(struct source *source)
{
    if (source->status == GPUCODE_OK && source->out.failed)
        source->status = source->out.refused ? GPUCODE_ERROR_SPACE : GPUCODE_ERROR_MEMORY;
    return source->status != GPUCODE_OK;
}

/* The text of a shader that gives these bytes again; null: there is none, or no memory. */
static char *shader_text(const struct source *source, const uint8_t *bytes, size_t size, size_t *length)
{
    struct gpucode_image_options options = {.target = source->options->shaders};
    struct gpucode_asm_options again = {.target = options.target};
    struct gpucode_image *image;
    struct gpucode_program *program = NULL;
    char *text = NULL;
    if (gpucode_image_open(bytes, size, &options, &image) != GPUCODE_OK)
        return NULL;
    bool same = gpucode_disassemble(image, NULL, &text, length) == GPUCODE_OK &&
                gpucode_assemble(text, *length, &again, &program) == GPUCODE_OK &&
                gpucode_program_size(program) == size && memcmp(gpucode_program_bytes(program), bytes, size) == 0;
    gpucode_program_free(program);
    gpucode_image_free(image);
    if (same)
        return text;
    free(text);
    return NULL;
}

static bool put_shader(struct source *source, const struct region *region, size_t word, size_t count)
{
    size_t length;
    char *text = shader_text(source, region->bytes + 4 * word, 4 * count, &length);
    if (!text)
        return false;
    buffer_text(&source->out, INDENT ".code ");
    buffer_text(&source->out, gpucode_target_name(source->options->shaders));
    buffer_text(&source->out, "\n");
    for (const char *line = text, *end; line < text + length; line = end) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        end = end ? end + 1 : text + length;
        if (*line != '\n' && strncmp(line, ".target", 7) != 0) /* that is said above */
            buffer_append(&source->out, line, (size_t)(end - line));
    }
    buffer_text(&source->out, INDENT ".end\n");
    free(text);
    return true;
}

/* Words of data up to the next line that is something else. */
static size_t data_words(const struct region *region, size_t word)
{
    size_t end = word + 1, count = region->length / 4;
    while (end < count && !(region->marks[end] & (MARK_PACKET | MARK_SHADER | MARK_END | MARK_LABEL)))
        end++;
    return end - word;
}

/* Words, and runs of zeros in short; `fills`: those at the end are what fills up to the next place. */
static void put_data(struct source *source, const struct region *region, size_t word, size_t count, bool fills)
{
    size_t end = word + count;
    while (word < end && !fails(source)) {
        size_t zeros = 0, words = 0;
        while (word + zeros < end && !region_word(region, word + zeros))
            zeros++;
        bool filled = fills && zeros && word + zeros == end;
        if (filled || zeros >= 8) {
            buffer_format(&source->out, filled ? INDENT ".pad 0x%zx\n" : INDENT ".zero 0x%zx\n",
                          4 * (filled ? end : zeros));
            word += zeros;
            continue;
        }
        for (zeros = 0; word + words < end && zeros < 8; words++)
            zeros = region_word(region, word + words) ? 0 : zeros + 1;
        words -= zeros == 8 || (fills && word + words == end) ? zeros : 0;
        source_words(source, region, word, words, INDENT);
        word += words;
    }
}

/* Of a buffer: zeros fill up to the next label, or to the end. */
static void put_data_of(struct source *source, const struct region *region, size_t word, size_t count)
{
    size_t end = word + count;
    put_data(source, region, word, count, end == region->length / 4 || region->marks[end] & MARK_LABEL);
}

static void put_labels(struct source *source, const struct region *region, size_t word)
{
    if (region->marks[word] & MARK_END)
        buffer_format(&source->out, "b%zu_to_%zx:\n", region->number, 4 * word);
    if (!(region->marks[word] & MARK_LABEL) || !word)
        return;
    uint64_t at = 4 * (uint64_t)word, low = at & (0 - at), most = region->marks[word] & MARK_SHADER ? 128 : 64;
    if ((region->marks[word] & MARK_ALIGNED) && low > 4)
        buffer_format(&source->out, INDENT ".align %" PRIu64 "\n", low < most ? low : most);
    buffer_format(&source->out, "b%zu_%zx:\n", region->number, 4 * word);
}

static void put_bytes(struct source *source, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buffer_format(&source->out, i % 16 ? ", 0x%02x%s" : INDENT ".byte 0x%02x%s", bytes[i],
                      i % 16 == 15 || i + 1 == size ? "\n" : "");
}

/* The contents of a buffer of the submit. */
static void put_region(struct source *source, const struct region *region)
{
    size_t count = region->length / 4;
    struct source_packet packet;
    for (size_t word = 0; word < count && !fails(source);) {
        put_labels(source, region, word);
        if (packet_at(source, region, word, &packet)) {
            source_packet(source, region, word, &packet);
            word += 1 + packet.count;
            continue;
        }
        size_t shader = shader_at(source, region, word);
        if (shader && !put_shader(source, region, word, shader))
            source_words(source, region, word, shader, INDENT);
        if (!shader)
            put_data_of(source, region, word, shader = data_words(region, word));
        word += shader;
    }
    put_labels(source, region, count);
    put_bytes(source, region->bytes + 4 * count, region->length % 4);
}

/* What nothing is known of: texts line by line, else words and bytes. */
static void put_plain(struct source *source, const uint8_t *bytes, size_t size)
{
    struct region region = {.bytes = bytes, .length = size};
    size_t text = 0;
    while (text < size && (bytes[text] == '\n' || bytes[text] == '\t' || (bytes[text] >= ' ' && bytes[text] <= '~')))
        text++;
    if (text < 4)
        text = 0;
    for (size_t at = 0; at < text && !fails(source);) {
        const uint8_t *newline = memchr(bytes + at, '\n', text - at);
        size_t end = newline ? (size_t)(newline - bytes) + 1 : text;
        buffer_text(&source->out, INDENT ".ascii ");
        source_quote(&source->out, bytes + at, end - at);
        buffer_text(&source->out, "\n");
        at = end;
    }
    region.bytes += text;
    region.length -= text;
    put_data(source, &region, 0, region.length / 4, false);
    put_bytes(source, region.bytes + region.length / 4 * 4, region.length % 4);
}

/* --- record by record --------------------------------------------------------------------------------------------- */

/* Where the reader of the file stands. */
struct reader {
    const uint8_t *bytes;
    size_t size, at;
    size_t buffer, command; /* those in front of it that the loader took */
    size_t submit;          /* whose buffers are at hand, and those after it that share them: the first that are not */
    size_t ready;           /* buffers before this one are at hand */
};

static void leave_submit(struct source *source)
{
    for (size_t i = 0; i < source->region_count; i++)
        free(source->regions[i].marks);
    FREE_ALL(source->regions, source->by_address);
    source->regions = NULL;
    source->by_address = NULL;
    source->region_count = 0;
}

/* With an address of 64 bits, or of 32 where it has no more. */
static bool is_place(const struct gpucode_record *record)
{
    return record->size == 8 || record->size == 12;
}

/* Does the loader take it as a buffer? */
static bool is_taken(const struct gpucode_record *record)
{
    if (record->type != GPUCODE_RECORD_BUFFER || record->size < 8)
        return false;
    uint64_t address = stream_word(record->bytes, 0), size = stream_word(record->bytes, 1);
    address |= record->size >= 12 ? (uint64_t)stream_word(record->bytes, 2) << 32 : 0;
    return !size || address <= UINT64_MAX - (size - 1);
}

/* Which buffers have a label: not those whose record has another form, or contents that are longer than they are. */
static void find_names(struct source *source)
{
    const struct gpucode_stream *stream = source->stream;
    size_t number = 0;
    for (size_t i = 0; i < stream->record_count && number < stream->buffer_count; i++) {
        if (!is_taken(&stream->records[i]))
            continue;
        const struct gpucode_stream_buffer *buffer = &stream->buffers[number];
        const uint8_t *bytes = buffer->bytes;
        source->named[number++] =
            is_place(&stream->records[i]) && (!bytes || stream_word(bytes - 4, 0) <= buffer->size);
    }
}

/* The buffers of a submit, with room for marks. */
static bool take_buffers(struct source *source, const struct recorded_submit *submit)
{
    const struct gpucode_stream *stream = source->stream;
    source->regions = calloc(submit->buffer_count + 1, sizeof *source->regions);
    source->by_address = calloc(submit->buffer_count + 1, sizeof *source->by_address);
    if (!source->regions || !source->by_address)
        return false;
    source->region_count = submit->buffer_count;
    for (size_t i = 0; i < submit->buffer_count; i++) {
        const struct gpucode_stream_buffer *buffer = &stream->buffers[submit->buffer + i];
        struct region *region = &source->regions[i];
        *region = (struct region){.address = buffer->address,
                                  .size = buffer->size,
                                  .bytes = buffer->bytes,
                                  .length = buffer->length,
                                  .number = submit->buffer + i};
        source->by_address[i] = region;
        if (!source->named[region->number]) { /* nothing can be called by it */
            region->size = 0;
            continue;
        }
        if (buffer->bytes && !(region->marks = calloc(buffer->length / 4 + 1, 1)))
            return false;
    }
    qsort(source->by_address, source->region_count, sizeof(struct region *), compare_regions);
    for (size_t i = 0; i < source->region_count; i++) {
        struct region *region = source->by_address[i];
        uint64_t last = region->address + (region->size ? region->size - 1 : 0);
        region->most = i && source->by_address[i - 1]->most > last ? source->by_address[i - 1]->most : last;
    }
    return true;
}

/* Finds out about the next submit, and those after it with the same buffers. */
static void enter_submit(struct source *source, struct reader *reader, struct gpucode_packets *packets)
{
    const struct gpucode_stream *stream = source->stream;
    leave_submit(source);
    if (reader->submit == stream->submit_count) {
        reader->ready = SIZE_MAX;
        return;
    }
    const struct recorded_submit *submit = &stream->submits[reader->submit];
    reader->ready = submit->buffer + submit->buffer_count;
    if (!take_buffers(source, submit)) {
        source->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    source->marking = true;
    do
        walk_submit(source, packets, reader->submit++);
    while (reader->submit < stream->submit_count && stream->submits[reader->submit].same_buffers);
    for (size_t i = 0; i < source->region_count; i++)
        if (source->regions[i].marks)
            mark_items(source, &source->regions[i]);
    for (size_t i = 0; i < source->region_count; i++)
        if (source->regions[i].marks)
            mark_labels(source, &source->regions[i]);
    source->marking = false;
}

/* The buffer by which an address is called that was recorded before; the buffer itself where it is the first one. */
static size_t first_with(struct source *source, uint64_t address, size_t number)
{
    size_t mask = source->address_room - 1, at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
    while (source->address_buffers[at] && source->addresses[at] != address)
        at = (at + 1) & mask;
    if (!source->address_buffers[at]) {
        source->addresses[at] = address;
        source->address_buffers[at] = number + 1;
    }
    return source->address_buffers[at] - 1;
}

static void put_buffer(struct source *source, size_t number, const struct gpucode_record *record)
{
    const struct gpucode_stream_buffer *buffer = &source->stream->buffers[number];
    size_t first = first_with(source, buffer->address, number);
    buffer_format(&source->out, "\n.buffer b%zu, ", number);
    buffer_format(&source->out, first == number ? "0x%" PRIx64 : "&b%" PRIu64,
                  first == number ? buffer->address : (uint64_t)first);
    buffer_format(&source->out, ", 0x%" PRIx64 "%s\n", buffer->size, record->size == 8 ? ", short" : "");
}

static void put_stream(struct source *source, const struct gpucode_record *record)
{
    char from[SOURCE_NAME], words[SOURCE_REFERENCE];
    uint64_t address =
        stream_word(record->bytes, 0) | (record->size == 12 ? (uint64_t)stream_word(record->bytes, 2) << 32 : 0);
    uint32_t count = stream_word(record->bytes, 1);
    if (!source_refer(source, address, 0, from))
        snprintf(from, sizeof from, "0x%" PRIx64, address);
    if (!count || !source_measure(source, &address, address + 4 * (uint64_t)count, words))
        snprintf(words, sizeof words, "%" PRIu32, count);
    buffer_format(&source->out, "\n.stream %s, %s%s\n", from, words, record->size == 8 ? ", short" : "");
}

/* Records with a line of their own; false: it is written as any other. */
static bool put_line(struct source *source, struct reader *reader, const struct gpucode_record *record)
{
    switch (record->type) {
    case GPUCODE_RECORD_TEST:
    case GPUCODE_RECORD_COMMAND_LINE:
        buffer_text(&source->out, record->type == GPUCODE_RECORD_TEST ? ".test " : "\n.process ");
        source_quote(&source->out, record->bytes, record->size);
        buffer_text(&source->out, "\n");
        return true;
    case GPUCODE_RECORD_GPU_ID:
        if (record->size == 4)
            buffer_format(&source->out, ".gpu %" PRIu32 "\n", stream_word(record->bytes, 0));
        return record->size == 4;
    case GPUCODE_RECORD_CHIP_ID:
        if (record->size == 8)
            buffer_format(&source->out, ".chip 0x%" PRIx64 "\n",
                          stream_word(record->bytes, 0) | (uint64_t)stream_word(record->bytes, 1) << 32);
        return record->size == 8;
    case GPUCODE_RECORD_BUFFER:
        if (!is_taken(record))
            return false;
        reader->buffer++;
        if (source->named[reader->buffer - 1])
            put_buffer(source, reader->buffer - 1, record);
        return source->named[reader->buffer - 1];
    case GPUCODE_RECORD_STREAM_ADDRESS:
        if (is_place(record))
            put_stream(source, record);
        return is_place(record);
    default:
        return false;
    }
}

static void put_record(struct source *source, struct reader *reader, const struct gpucode_record *record)
{
    const struct region *region = NULL;
    if (put_line(source, reader, record))
        return;
    for (size_t i = 0; record->type == GPUCODE_RECORD_CONTENTS && i < source->region_count && !region; i++)
        if (source->regions[i].bytes == record->bytes && source->regions[i].length == record->size)
            region = &source->regions[i];
    if (record->type == GPUCODE_RECORD_CONTENTS)
        buffer_text(&source->out, ".contents\n");
    else
        buffer_format(&source->out, "\n.record %" PRIu32 "\n", record->type);
    if (region && region->marks)
        put_region(source, region);
    else
        put_plain(source, record->bytes, record->size);
}

/* The next record; false at the end, or where there is only a part of one. */
static bool take_record(struct source *source, struct reader *reader, struct gpucode_record *record)
{
    for (; reader->size - reader->at >= 8; reader->at += 8) {
        const uint8_t *header = reader->bytes + reader->at;
        uint32_t type = stream_word(header, 0), size = stream_word(header, 1);
        if (type != MARK || size != MARK) {
            if (size > reader->size - reader->at - 8)
                return false;
            *record = (struct gpucode_record){type, header + 8, size};
            reader->at += 8 + (size_t)size;
            return true;
        }
        buffer_text(&source->out, ".mark\n");
    }
    return false;
}

static void put_recording(struct source *source, struct gpucode_packets *packets)
{
    const struct loader *loader = &source->stream->loader;
    struct reader reader = {.bytes = loader->bytes, .size = loader->size};
    struct gpucode_record record;
    buffer_format(&source->out, "; gpucode encode makes a recording of this text\n.recording a%uxx\n", source->family);
    enter_submit(source, &reader, packets);
    while (!fails(source) && take_record(source, &reader, &record)) {
        bool opens = record.type == GPUCODE_RECORD_BUFFER || record.type == GPUCODE_RECORD_STREAM_ADDRESS;
        while (opens && reader.buffer >= reader.ready && record.type == GPUCODE_RECORD_BUFFER && !fails(source))
            enter_submit(source, &reader, packets);
        put_record(source, &reader, &record);
    }
    if (reader.at < reader.size && !fails(source)) {
        buffer_text(&source->out, "\n.rest\n");
        put_plain(source, reader.bytes + reader.at, reader.size - reader.at);
    }
}

static bool take_room(struct source *source)
{
    source->address_room = 64;
    while (source->address_room < 2 * source->stream->buffer_count)
        source->address_room *= 2;
    source->addresses = calloc(source->address_room, sizeof *source->addresses);
    source->address_buffers = calloc(source->address_room, sizeof *source->address_buffers);
    source->kept = calloc(KEPT_TEXTS, sizeof *source->kept);
    source->pointers = calloc(GPUCODE_PACKET_REGISTER_MAX + 1 + GPUCODE_PACKET_COUNT7_MAX + 1, 1);
    source->register_named = calloc(GPUCODE_PACKET_REGISTER_MAX + 1 + GPUCODE_PACKET_COUNT7_MAX + 1, 1);
    source->named = calloc(source->stream->buffer_count + 1, sizeof *source->named);
    if (source->named)
        find_names(source);
    return source->named && source->register_named && source->addresses && source->address_buffers && source->kept &&
           source->pointers;
}

enum gpucode_status gpucode_stream_source(const struct gpucode_stream *stream,
                                          const struct gpucode_stream_source_options *options,
                                          bool (*write)(void *user, const char *text, size_t length), void *user)
{
    if (!stream || !options || !write)
        return GPUCODE_ERROR_ARGUMENT;
    if (stream->parts.read)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct source *source = calloc(1, sizeof *source);
    struct gpucode_packets *packets = NULL;
    if (!source)
        return GPUCODE_ERROR_MEMORY;
    source->stream = stream;
    source->options = options;
    source->out.flush = write;
    source->out.user = user;
    const struct gpucode_target *target = options->target ? options->target : gpucode_stream_target(stream);
    source->family = options->family ? options->family : gpucode_target_family(target);
    struct gpucode_packet_options walk = {
        .family = source->family, .read = load_recorded, .event = take_event, .user = source, .fields = true};
    for (size_t i = 0; i < stream->record_count; i++)
        walk.limit += 16 * (uint64_t)(stream->records[i].size / 4) + 1024;
    if (!source->family)
        source->status = GPUCODE_ERROR_UNSUPPORTED;
    else if (!take_room(source))
        source->status = GPUCODE_ERROR_MEMORY;
    else
        source->status = gpucode_packets_create(&walk, &packets);
    if (source->status == GPUCODE_OK)
        put_recording(source, packets);
    if (!fails(source) && !buffer_finish(&source->out))
        fails(source);
    enum gpucode_status status = source->status;
    gpucode_packets_free(packets);
    leave_submit(source);
    buffer_free(&source->out);
    FREE_ALL(source->named, source->register_named, source->addresses, source->address_buffers, source->kept,
             source->pointers, source);
    return status;
}
