/* SPDX-License-Identifier: MIT */
/* Pieces of the text; labels, and what is written in terms of them: addresses and sizes. */
#include "base/text.h"
#include "pm4/stream/encode.h"
#include "stream_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- pieces of the text ------------------------------------------------------------------------------------------- */

bool encode_refuse(struct encode *encode, struct piece piece, message_id message, const char *hint, ...)
{
    struct place place = {.file = encode->options->file_name,
                          .text = encode->text,
                          .length = encode->length,
                          .at = piece.at,
                          .span = (size_t)(piece.end - piece.at)};
    va_list args;
    va_start(args, hint);
    report_v(&encode->options->on_diagnostic, &place, message, hint, args);
    va_end(args);
    encode->errors += message_severity(message) == GPUCODE_ERROR;
    return false;
}

bool piece_is(struct piece piece, const char *text)
{
    return strlen(text) == (size_t)(piece.end - piece.at) &&
           memcmp(piece.at, text, (size_t)(piece.end - piece.at)) == 0;
}

struct piece piece_trim(struct piece piece)
{
    while (piece.at < piece.end && piece_space(*piece.at))
        piece.at++;
    while (piece.end > piece.at && piece_space(piece.end[-1]))
        piece.end--;
    return piece;
}

struct piece piece_take(struct piece *rest, char stop)
{
    const char *found = NULL;
    unsigned depth = 0;
    for (const char *at = rest->at; at && at < rest->end && !found; at++) {
        depth += *at == '(' ? 1u : *at == ')' && depth ? -1u : 0;
        found = *at == stop && !depth ? at : NULL;
    }
    struct piece taken = piece_trim((struct piece){rest->at, found ? found : rest->end});
    rest->at = found ? found + 1 : NULL;
    if (found)
        *rest = piece_trim(*rest);
    return taken;
}

bool piece_number(struct piece piece, uint64_t *value)
{
    return piece.at < piece.end && text_read_number(piece.at, piece.end, value) == piece.end;
}

void encode_word(struct encode *encode, uint32_t word)
{
    if (buffer_reserve(&encode->out, 16))
        buffer_commit(&encode->out, text_put_bytes(buffer_end(&encode->out), word, 4));
}

void encode_patch(struct encode *encode, size_t at, uint32_t word)
{
    if (at + 4 <= encode->out.length && !encode->out.failed)
        text_put_bytes(encode->out.bytes + at, word, 4);
}

uint32_t encode_at(const struct encode *encode, size_t at)
{
    return at + 4 <= encode->out.length ? stream_word(encode->out.bytes + at, 0) : 0;
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

struct encode_buffer *encode_buffer_of(const struct encode *encode, size_t index)
{
    return (struct encode_buffer *)encode->buffers.items + index;
}

/* FNV-1a */
static uint32_t hash_of(struct piece name)
{
    uint32_t hash = 0x811c9dc5;
    for (const char *at = name.at; at < name.end; at++)
        hash = (hash ^ (unsigned char)*at) * 0x01000193;
    return hash;
}

static bool same_name(struct piece a, struct piece b)
{
    return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

/* A hash table of items that begin with their name. */
struct table {
    struct list *list;
    size_t item;
    uint32_t **slots;
    size_t *room;
};

static struct piece name_at(const struct table *table, size_t index)
{
    return *(const struct piece *)((const char *)table->list->items + index * table->item);
}

/* The slot of a name, which may be empty; null: no memory. */
static uint32_t *find_slot(struct encode *encode, const struct table *table, struct piece name)
{
    if (2 * (table->list->count + 1) > *table->room) {
        size_t room = *table->room ? 2 * *table->room : 1024;
        uint32_t *slots = calloc(room, sizeof *slots);
        encode->no_memory |= !slots;
        if (!slots)
            return NULL;
        for (size_t i = 0; i < table->list->count; i++) {
            size_t at = hash_of(name_at(table, i)) & (room - 1);
            while (slots[at])
                at = (at + 1) & (room - 1);
            slots[at] = (uint32_t)i + 1;
        }
        free(*table->slots);
        *table->slots = slots;
        *table->room = room;
    }
    size_t at = hash_of(name) & (*table->room - 1);
    while ((*table->slots)[at] && !same_name(name_at(table, (*table->slots)[at] - 1), name))
        at = (at + 1) & (*table->room - 1);
    return &(*table->slots)[at];
}

static struct table labels_of(struct encode *encode)
{
    return (struct table){&encode->labels, sizeof(struct encode_label), &encode->label_table, &encode->label_room};
}

uint32_t encode_name_find(struct encode *encode, bool packet, struct piece name,
                          uint32_t (*number)(struct encode *encode, struct piece name))
{
    struct list *names = &encode->names[packet];
    struct table table = {names, sizeof(struct encode_name), &encode->name_table[packet], &encode->name_room[packet]};
    uint32_t *slot = find_slot(encode, &table, name);
    if (!slot)
        return UINT32_MAX;
    if (*slot)
        return ((const struct encode_name *)names->items)[*slot - 1].number;
    uint32_t value = number(encode, name);
    struct encode_name *made = value != UINT32_MAX ? list_add(names, sizeof *made) : NULL;
    if (made) {
        *made = (struct encode_name){name, value};
        *slot = (uint32_t)names->count;
    }
    return value;
}

static bool is_name(struct piece name)
{
    for (const char *at = name.at; at < name.end; at++) {
        bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_';
        if (!letter && (at == name.at || ((*at < '0' || *at > '9') && *at != '.')))
            return false;
    }
    return name.at < name.end;
}

bool encode_label(struct encode *encode, struct piece name)
{
    struct table table = labels_of(encode);
    if (!is_name(name))
        return encode_refuse(encode, name, MSG_ENCODE_NAME, "letters, digits and _, a letter first");
    if (encode->buffer == NO_BUFFER)
        return encode_refuse(encode, name, MSG_ENCODE_LABEL_PLACE, "labels stand in the contents of buffers");
    uint32_t *slot = find_slot(encode, &table, name);
    if (slot && *slot)
        return encode_refuse(encode, name, MSG_ENCODE_LABEL_TWICE, NULL, (int)(name.end - name.at), name.at);
    struct encode_label *label = slot ? list_add(&encode->labels, sizeof *label) : NULL;
    encode->no_memory |= !label;
    if (!label)
        return false;
    *slot = (uint32_t)encode->labels.count;
    *label = (struct encode_label){name, encode->buffer, encode->out.length - encode->contents};
    return true;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* "label" or "label+8": the address, when it is known. */
static bool read_place(struct encode *encode, struct piece place, uint64_t *address)
{
    struct piece rest = piece_trim(place), name = piece_take(&rest, '+');
    struct table table = labels_of(encode);
    uint64_t more = 0;
    *address = 0;
    if (rest.at && !piece_number(piece_trim(rest), &more))
        return encode_refuse(encode, piece_trim(rest), MSG_ENCODE_NUMBER, NULL);
    if (!is_name(name))
        return encode_refuse(encode, name, MSG_ENCODE_PLACE, "a label, or LABEL+NUMBER");
    if (!encode->resolving)
        return true;
    uint32_t *slot = find_slot(encode, &table, name);
    if (!slot || !*slot)
        return encode_refuse(encode, name, MSG_ENCODE_NO_LABEL, NULL, (int)(name.end - name.at), name.at);
    const struct encode_label *label = (const struct encode_label *)encode->labels.items + *slot - 1;
    *address = encode_buffer_of(encode, label->buffer)->base + label->offset + more;
    return true;
}

/* The address after the packet that the value stands in; 0: it stands in none. */
static uint64_t after_packet(const struct encode *encode)
{
    const struct encode_fixup *fixup = encode->fixup;
    if (!fixup || fixup->kind != FIXUP_PAYLOAD || fixup->buffer == NO_BUFFER)
        return 0;
    uint32_t header = encode_at(encode, fixup->packet);
    uint32_t count = encode->family >= 5 ? header & GPUCODE_PACKET_COUNT7_MAX : (header >> 16 & 0x3fff) + 1;
    const struct encode_buffer *buffer = encode_buffer_of(encode, fixup->buffer);
    return buffer->base + (fixup->packet - buffer->contents_at) + 4 + 4 * (uint64_t)count;
}

/* words(FROM, TO), or words(TO) from the place after the packet on. */
static bool read_words(struct encode *encode, struct piece all, struct piece operands, uint64_t *value)
{
    struct piece rest = operands, first = piece_take(&rest, ',');
    uint64_t from, to;
    if (!read_place(encode, first, &from) || (rest.at && !read_place(encode, rest, &to)))
        return false;
    if (!rest.at) {
        to = from;
        from = after_packet(encode);
        if (encode->resolving && !from)
            return encode_refuse(encode, all, MSG_ENCODE_MEASURE, "words(FROM, TO) names both places");
    }
    *value = (to - from) / 4;
    if (to < from || (to - from) % 4)
        return encode_refuse(encode, all, MSG_ENCODE_MEASURE, "the second place comes after the first, by whole words");
    return true;
}

/* What stands after '&'; *rest begins after it. */
static bool read_reference(struct encode *encode, struct piece *rest, uint64_t *value)
{
    const char *at = rest->at, *start = at;
    while (at < rest->end && (*at == '_' || *at == '.' || (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
                              (*at >= 'A' && *at <= 'Z')))
        at++;
    struct piece name = {start, at};
    if (at < rest->end && *at == '(') {
        const char *close = memchr(at, ')', (size_t)(rest->end - at));
        struct piece all = {start, close ? close + 1 : rest->end}, inside = {at + 1, close ? close : rest->end};
        rest->at = all.end;
        if (!close)
            return encode_refuse(encode, all, MSG_ENCODE_PLACE, "the ) is missing");
        if (piece_is(name, "words"))
            return read_words(encode, all, inside, value);
        if (!read_place(encode, inside, value))
            return false;
        if (piece_is(name, "low"))
            *value &= UINT32_MAX;
        else if (piece_is(name, "high"))
            *value >>= 32;
        else
            return encode_refuse(encode, name, MSG_ENCODE_PLACE, "low, high or words");
        return true;
    }
    if (at < rest->end && *at == '+')
        for (at++; at < rest->end && *at != ' ' && *at != '|' && *at != ',' && *at != '}'; at++)
            ;
    rest->at = at;
    return read_place(encode, (struct piece){start, at}, value);
}

bool encode_expand(struct encode *encode, struct piece value, struct piece *expanded, bool *places)
{
    const char *mark = memchr(value.at, '&', (size_t)(value.end - value.at));
    char *to = encode->scratch, *end = to + sizeof encode->scratch;
    *expanded = value;
    *places = mark != NULL;
    while (mark) {
        struct piece rest = {mark + 1, value.end};
        uint64_t number;
        if (!read_reference(encode, &rest, &number))
            return false;
        if (end - to < mark - value.at + 24 || value.end - rest.at > end - to - (mark - value.at) - 24)
            return encode_refuse(encode, value, MSG_ENCODE_LONG, NULL);
        memcpy(to, value.at, (size_t)(mark - value.at));
        to += mark - value.at;
        to += snprintf(to, 24, "0x%" PRIx64, number);
        value.at = rest.at;
        mark = memchr(value.at, '&', (size_t)(value.end - value.at));
    }
    if (!*places)
        return true;
    memcpy(to, value.at, (size_t)(value.end - value.at));
    *expanded = (struct piece){encode->scratch, to + (value.end - value.at)};
    return true;
}

/* --- where buffers stand ------------------------------------------------------------------------------------------ */

static bool overlaps(const struct encode_buffer *a, uint64_t a_size, const struct encode_buffer *b, uint64_t b_size)
{
    return a_size && b_size && a->base <= b->base + (b_size - 1) && b->base <= a->base + (a_size - 1);
}

/* A buffer that was grown into another one that it did not reach before goes after all others. */
static void make_room(struct encode *encode, size_t first, size_t end, size_t index, uint64_t *free_from)
{
    struct encode_buffer *buffer = encode_buffer_of(encode, index);
    for (size_t i = first; i < end && buffer->size > buffer->declared; i++) {
        const struct encode_buffer *other = encode_buffer_of(encode, i);
        if (i == index || !overlaps(buffer, buffer->size, other, other->size) ||
            overlaps(buffer, buffer->declared, other, other->declared))
            continue;
        uint64_t most = buffer->narrow || encode->family < 5 ? UINT32_MAX : (UINT64_C(1) << 48) - 1;
        if (*free_from > most - buffer->size) {
            encode_refuse(encode, buffer->address, MSG_ENCODE_NO_ROOM, "give it an address with room after it");
            return;
        }
        buffer->base = *free_from;
        *free_from = (*free_from + buffer->size + 0xffff) & ~UINT64_C(0xffff);
        encode_refuse(encode, buffer->address, MSG_ENCODE_MOVED, "what points to it by number does not follow",
                      (unsigned long long)buffer->base);
        return;
    }
}

/* Its address as written; false: refused. */
static bool find_base(struct encode *encode, struct encode_buffer *buffer)
{
    struct piece address;
    bool places, grown = buffer->contents != SIZE_MAX && buffer->contents > buffer->declared;
    buffer->size = grown ? buffer->contents : buffer->declared;
    uint64_t most = (buffer->narrow ? UINT32_MAX : UINT64_MAX) - (buffer->size ? buffer->size - 1 : 0);
    if (!encode_expand(encode, buffer->address, &address, &places))
        return false;
    if (!piece_number(address, &buffer->base) || buffer->base > most || buffer->size > UINT32_MAX)
        return encode_refuse(encode, buffer->address, MSG_ENCODE_NUMBER,
                             "an address with room for the buffer after it");
    return true;
}

void encode_place_buffers(struct encode *encode)
{
    uint64_t free_from = 0x10000;
    bool good = true;
    encode->resolving = true;
    for (size_t i = 0; i < encode->buffers.count; i++) {
        struct encode_buffer *buffer = encode_buffer_of(encode, i);
        good &= find_base(encode, buffer);
        if (buffer->base < UINT64_C(1) << 48 && buffer->base + buffer->size > free_from)
            free_from = (buffer->base + buffer->size + 0xffff) & ~UINT64_C(0xffff);
    }
    for (size_t i = 0, end; good && i < encode->buffers.count; i = end) {
        /* what stands where one of an earlier submit does goes along with that */
        for (end = i; end < encode->buffers.count && encode_buffer_of(encode, end)->submit == encode_buffer_of(encode, i)->submit;
             end++)
            find_base(encode, encode_buffer_of(encode, end));
        for (size_t k = i; k < end; k++)
            make_room(encode, i, end, k, &free_from);
    }
    for (size_t i = 0; i < encode->buffers.count; i++) {
        const struct encode_buffer *buffer = encode_buffer_of(encode, i);
        encode_patch(encode, buffer->record + 8, (uint32_t)buffer->base);
        encode_patch(encode, buffer->record + 12, (uint32_t)buffer->size);
        if (!buffer->narrow)
            encode_patch(encode, buffer->record + 16, (uint32_t)(buffer->base >> 32));
    }
}

void encode_free_places(struct encode *encode)
{
    FREE_ALL(encode->label_table, encode->name_table[0], encode->name_table[1], encode->labels.items,
             encode->names[0].items, encode->names[1].items, encode->buffers.items, encode->fixups.items, encode->codes.items);
}
