/* SPDX-License-Identifier: MIT */
/*
 * The elements of rules-ng that name registers: domain, stripe, array, reg32, reg64; enum with its values for the
 * packets; words of packets. Everything else is passed over with what it contains.
 */
#include "xml/elements.h"
#include "xml_messages.h"

#include "base/text.h"
#include <gpucode/xml.h>

#include <string.h>

#define EXPANSIONS_MAX (1u << 20) /* elements of nested arrays, spelt out */

/* Limits of the spaces; packets of type 4 number GPU registers with 18 bits. */
static const uint32_t last_number[GPUCODE_SPACE_COUNT] = {
    [GPUCODE_SPACE_CONTROL] = 0xfff, [GPUCODE_SPACE_SQE] = 0xf,     [GPUCODE_SPACE_PIPE] = 0xff,
    [GPUCODE_SPACE_GPU] = 0x3ffff,   [GPUCODE_SPACE_PACKET] = 0x7f,
};

/* All the attributes named, null-terminated, must be there. */
static bool require(struct reader *reader, const char *element, const char **attributes, const char *const *names)
{
    bool all = true;
    for (; *names; names++)
        if (!reader_attribute(attributes, *names)) {
            reader_tell(reader, MSG_XML_MISSING, element, *names);
            all = false;
        }
    return all;
}

static bool is_name(struct reader *reader, const char *name)
{
    size_t length = strlen(name);
    if (!length || length > NAME_TEXT_MAX ||
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != length) {
        reader_tell(reader, MSG_XML_NAME, name, NULL);
        return false;
    }
    return true;
}

static void add(struct reader *reader, const char *text, size_t length, struct isa_name *name, uint64_t number)
{
    uint64_t last = number + (uint64_t)(name->count - 1) * name->stride +
                    (name->flags & NAME_CONTAINER ? name->stride : name->words) - 1;
    if (length > NAME_TEXT_MAX) {
        reader_tell(reader, MSG_XML_NAME, text, NULL);
        return;
    }
    if (last > last_number[reader->domains[reader->domain].space]) {
        reader_tell(reader, MSG_XML_RANGE, text, NULL);
        return;
    }
    name->number = (uint32_t)number;
    name->length = (uint8_t)length;
    if (!name->stride)
        name->subscript = name->length;
    switch (collection_add(reader->collection, reader->domain, text, name)) {
    case COLLECTION_OK:
        types_add_register(reader, name);
        break;
    case COLLECTION_FULL:
        reader_tell(reader, MSG_XML_COUNT, NULL, NULL);
        reader_stop(reader, GPUCODE_ERROR_INPUT);
        break;
    case COLLECTION_MEMORY:
        reader_stop(reader, GPUCODE_ERROR_MEMORY);
        break;
    }
}

/* Name so far, while the arrays around a register are walked from the outside in. */
struct path {
    char text[2 * NAME_TEXT_MAX + 40];
    size_t length;
    uint64_t base;
};

static bool path_append(struct reader *reader, struct path *path, const char *name)
{
    if (path->length + strlen(name) > NAME_TEXT_MAX) {
        reader_tell(reader, MSG_XML_NAME, name, NULL);
        return false;
    }
    if (path->length)
        path->text[path->length++] = '.';
    path->length = (size_t)(text_string(path->text + path->length, name) - path->text);
    path->text[path->length] = 0;
    return true;
}

/*
 * A row has one computed subscript: that of the innermost array. The elements of arrays around it, and of arrays
 * without a common stride, are spelt out, one row each.
 */
static void expand(struct reader *reader, unsigned level, const struct path *before, const struct leaf *leaf)
{
    struct path path = *before;
    if (reader->expansions++ == EXPANSIONS_MAX) {
        reader_tell(reader, MSG_XML_COUNT, NULL, NULL);
        reader_stop(reader, GPUCODE_ERROR_INPUT);
    }
    if (reader->status != GPUCODE_OK)
        return;
    while (level < reader->depth && reader->frames[level].kind != ARRAY)
        path.base += reader->frames[level++].offset;
    struct isa_name name = {.count = 1, .words = leaf->words, .flags = leaf->flags};
    if (level < reader->depth) {
        const struct frame *array = &reader->frames[level];
        bool innermost = leaf->count == 1;
        for (unsigned i = level + 1; i < reader->depth; i++)
            innermost = innermost && reader->frames[i].kind != ARRAY;
        if (!path_append(reader, &path, array->name))
            return;
        size_t subscript = path.length;
        if (!innermost || array->offsets) {
            for (uint32_t i = 0; i < array->count && reader->status == GPUCODE_OK; i++) {
                struct path inside = path;
                char *at = TEXT_LITERAL(inside.text + subscript, "[");
                at = i ? TEXT_LITERAL(at, "0x") : at;
                at = text_hex(at, i);
                at = TEXT_LITERAL(at, "]");
                inside.length = (size_t)(at - inside.text);
                inside.base += array->offsets ? array->offsets[i] : array->offset + (uint64_t)i * array->stride;
                expand(reader, level + 1, &inside, leaf);
            }
            return;
        }
        path.length = (size_t)(TEXT_LITERAL(path.text + subscript, "[]") - path.text);
        path.base += array->offset;
        for (unsigned i = level + 1; i < reader->depth; i++) /* stripes inside the array */
            path.base += reader->frames[i].offset;
        name.subscript = (uint8_t)subscript;
        name.count = (uint16_t)array->count;
        name.stride = (uint16_t)array->stride;
    }
    if (leaf->name && !path_append(reader, &path, leaf->name))
        return;
    if (leaf->count > 1) {
        name.subscript = (uint8_t)path.length;
        name.count = (uint16_t)leaf->count;
        name.stride = (uint16_t)leaf->stride;
        path.length = (size_t)(TEXT_LITERAL(path.text + path.length, "[]") - path.text);
    }
    path.text[path.length] = 0;
    add(reader, path.text, path.length, &name, path.base + leaf->offset);
}

static void add_leaf(struct reader *reader, const struct leaf *leaf)
{
    struct path path = {.length = 0};
    unsigned level = 0;
    while (level < reader->depth && reader->frames[level].kind != DOMAIN)
        level++;
    expand(reader, level + 1, &path, leaf);
}

static void read_register(struct reader *reader, const char *element, const char **attributes, struct frame *frame)
{
    static const char *const required[] = {"name", "offset", NULL};
    struct frame *around = &reader->frames[reader->depth - 1];
    const char *type = reader_attribute(attributes, "type");
    struct leaf leaf = {.name = reader_attribute(attributes, "name"), .count = 1, .stride = 0, .words = 1};
    uint16_t chips;
    if (!require(reader, element, attributes, required) || !is_name(reader, leaf.name) ||
        !reader_number(reader, attributes, "offset", 0, UINT32_MAX, &leaf.offset) ||
        !reader_number(reader, attributes, "stride", 1, UINT16_MAX, &leaf.stride) ||
        !reader_number(reader, attributes, "length", 1, UINT16_MAX, &leaf.count) ||
        !reader_chips(reader, around, attributes, &chips))
        return;
    around->has_members = true;
    if (!(chips & reader->chip))
        return;
    if (strcmp(element, "reg64") == 0)
        leaf.words = 2;
    if (leaf.count > 1 && !leaf.stride)
        leaf.stride = leaf.words;
    if (leaf.count == 1)
        leaf.stride = 0;
    if (type && (strcmp(type, "address") == 0 || strcmp(type, "waddress") == 0))
        leaf.flags = NAME_ADDRESS;
    struct meaning_type meant;
    if (!types_of_register(reader, attributes, leaf.words, &meant))
        return;
    frame->kind = REGISTER;
    frame->first = reader->meaning->registers.count;
    reader->type = &meant;
    add_leaf(reader, &leaf);
    reader->type = NULL;
    frame->last = reader->meaning->registers.count;
}

/* "0x10,0x20": where each element of an array stands. */
static bool read_offsets(struct reader *reader, const char *text, struct frame *frame)
{
    uint32_t *offsets = arena_array(&reader->arena, strlen(text) + 1, sizeof *offsets);
    if (!offsets) {
        reader_stop(reader, GPUCODE_ERROR_MEMORY);
        return false;
    }
    const char *at = text;
    frame->count = 0;
    while (*at) {
        if (*at == ',' || *at == ' ') {
            at++;
        } else if (frame->count == UINT16_MAX || !reader_take_number(&at, &offsets[frame->count++])) {
            reader_tell(reader, MSG_XML_NUMBER, "offsets", text);
            return false;
        }
    }
    frame->offsets = offsets;
    return true;
}

static void read_array(struct reader *reader, const char *element, const char **attributes, struct frame *frame)
{
    static const char *const required[] = {"name", "offset", "stride", "length", NULL};
    static const char *const listed[] = {"name", NULL};
    const char *name = reader_attribute(attributes, "name"), *offsets = reader_attribute(attributes, "offsets");
    reader->frames[reader->depth - 1].has_members = true;
    if (reader_attribute(attributes, "doffsets")) {
        reader_tell(reader, MSG_XML_UNSUPPORTED, "attribute 'doffsets'", NULL);
        return;
    }
    if (!require(reader, element, attributes, offsets ? listed : required) || !is_name(reader, name) ||
        !reader_number(reader, attributes, "offset", 0, UINT32_MAX, &frame->offset) ||
        !reader_number(reader, attributes, "stride", 1, UINT16_MAX, &frame->stride) ||
        !reader_number(reader, attributes, "length", 1, UINT16_MAX, &frame->count) ||
        (offsets && !read_offsets(reader, offsets, frame)) ||
        !reader_chips(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips))
        return;
    frame->name = arena_copy(&reader->arena, name, strlen(name));
    if (!frame->name)
        reader_stop(reader, GPUCODE_ERROR_MEMORY);
    else if (frame->chips & reader->chip)
        frame->kind = ARRAY;
}

static void read_stripe(struct reader *reader, const char **attributes, struct frame *frame)
{
    if (reader_attribute(attributes, "length") || reader_attribute(attributes, "name")) {
        reader_tell(reader, MSG_XML_UNSUPPORTED, "a stripe with a length or a name", NULL);
        return;
    }
    if (reader_number(reader, attributes, "offset", 0, UINT32_MAX, &frame->offset) &&
        reader_chips(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips) &&
        frame->chips & reader->chip)
        frame->kind = STRIPE;
}

/* Packets of other chips are understood too: they are needed to read listings of any chip. */
static void read_value(struct reader *reader, const char *element, const char **attributes)
{
    static const char *const required[] = {"name", "value", NULL};
    const char *text = reader_attribute(attributes, "name");
    uint16_t chips;
    uint32_t number = 0;
    struct isa_name name = {.count = 1, .words = 1};
    if (!require(reader, element, attributes, required) || !is_name(reader, text) ||
        !reader_number(reader, attributes, "value", 0, UINT32_MAX, &number) ||
        !reader_chips(reader, &reader->frames[reader->depth - 1], attributes, &chips))
        return;
    if (!(chips & reader->chip))
        name.flags = NAME_HIDDEN;
    add(reader, text, strlen(text), &name, number);
}

/* Opens a domain or an enumeration when the target has names there. */
static void read_domain(struct reader *reader, const char *element, const char **attributes, struct frame *frame)
{
    const char *name = reader_attribute(attributes, "name");
    bool values = strcmp(element, "enum") == 0;
    uint16_t chip;
    for (unsigned i = 0; name && reader->domains[i].name; i++) {
        if (strcmp(name, reader->domains[i].name) != 0 || values != (reader->domains[i].space == GPUCODE_SPACE_PACKET))
            continue;
        if (!variant_parse(reader->domains[i].chip, &chip))
            chip = VARIANT_ALL;
        if (!reader_chips(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips))
            return;
        reader->domains_seen++;
        if (values || frame->chips & chip) {
            reader->domain = i;
            reader->chip = chip;
            frame->kind = values ? VALUES : DOMAIN;
        }
        return;
    }
    if (values)
        types_begin_set(reader, false, attributes, frame);
    else if (name && packets_is_name(name))
        packets_begin(reader, attributes, frame);
}

static void start_in_packet(struct reader *reader, const char *element, const char **attributes, struct frame *frame)
{
    if (strcmp(element, "reg32") == 0 || strcmp(element, "reg64") == 0)
        packets_begin_word(reader, element, attributes, frame);
    else if (strcmp(element, "stripe") == 0 || strcmp(element, "array") == 0)
        packets_begin_part(reader, attributes, frame);
    else if (strcmp(element, "enum") == 0 || strcmp(element, "bitset") == 0)
        types_begin_set(reader, strcmp(element, "bitset") == 0, attributes, frame);
}

static void start(void *user, const char *element, const char **attributes)
{
    struct reader *reader = user;
    size_t length;
    struct frame frame = {.kind = PASSED_OVER, .chips = VARIANT_ALL, .at = parser_at(&reader->parser, &length)};
    if (reader->depth == READER_DEPTH_MAX) {
        reader_tell(reader, MSG_XML_DEPTH, NULL, NULL);
        reader_stop(reader, GPUCODE_ERROR_INPUT);
        return;
    }
    enum frame_kind around = reader->depth ? reader->frames[reader->depth - 1].kind : PASSED_OVER;
    bool registers = around == DOMAIN || around == STRIPE || around == ARRAY;
    if (!reader->depth && strcmp(element, "database") != 0) {
        reader_tell(reader, MSG_XML_ROOT, element, NULL);
        reader_stop(reader, GPUCODE_ERROR_INPUT);
        return;
    }
    if (!reader->depth)
        frame.kind = DATABASE;
    else if (around == DATABASE && (strcmp(element, "domain") == 0 || strcmp(element, "enum") == 0))
        read_domain(reader, element, attributes, &frame);
    else if (around == DATABASE && strcmp(element, "bitset") == 0)
        types_begin_set(reader, true, attributes, &frame);
    else if (registers && (strcmp(element, "reg32") == 0 || strcmp(element, "reg64") == 0))
        read_register(reader, element, attributes, &frame);
    else if (registers && strcmp(element, "array") == 0)
        read_array(reader, element, attributes, &frame);
    else if (registers && strcmp(element, "stripe") == 0)
        read_stripe(reader, attributes, &frame);
    else if (registers &&
             (strcmp(element, "reg8") == 0 || strcmp(element, "reg16") == 0 || strcmp(element, "use-group") == 0))
        reader_tell(reader, MSG_XML_UNSUPPORTED, element, NULL);
    else if (around == VALUES && strcmp(element, "value") == 0)
        read_value(reader, element, attributes);
    else if ((around == SET || around == REGISTER) && strcmp(element, "bitfield") == 0)
        types_add_field(reader, attributes, &frame);
    else if ((around == SET || around == FIELD || around == PACKET_FIELD) && strcmp(element, "value") == 0)
        types_add_value(reader, attributes);
    else if (around == PACKET)
        start_in_packet(reader, element, attributes, &frame);
    else if (around == PACKET_WORD && strcmp(element, "bitfield") == 0)
        packets_add_field(reader, attributes, &frame);
    reader->frames[reader->depth++] = frame;
}

static void end(void *user)
{
    struct reader *reader = user;
    if (reader->status == GPUCODE_ERROR_MEMORY || !reader->depth)
        return;
    struct frame *frame = &reader->frames[reader->depth - 1];
    if (frame->kind == ARRAY && reader->status == GPUCODE_OK) {
        /* after the members, which name their numbers first */
        struct leaf elements = {.count = 1, .words = 1, .flags = frame->offsets ? 0 : NAME_CONTAINER};
        reader->closing = frame;
        if (!frame->offsets || !frame->has_members)
            add_leaf(reader, &elements);
        reader->closing = NULL;
    }
    reader->depth--;
}

static void doctype(void *user)
{
    struct reader *reader = user;
    reader_tell(reader, MSG_XML_DOCTYPE, NULL, NULL);
    reader_stop(reader, GPUCODE_ERROR_INPUT);
}

static void wrong(void *user, const char *what)
{
    reader_tell(user, MSG_XML_SYNTAX, what, NULL);
}

enum gpucode_status xml_read(const struct reader_file *file, const struct isa_name_domain *domains,
                             const struct gpucode_diagnostic_handler *on_diagnostic, struct collection *collection,
                             struct meaning *meaning)
{
    static const struct parser_events events = {start, end, doctype, wrong};
    struct reader reader = {
        .parser = {.events = &events, .user = &reader},
        .on_diagnostic = on_diagnostic,
        .place = {.file = file->name, .text = file->bytes, .length = file->size},
        .domains = domains,
        .collection = collection,
        .meaning = meaning,
    };
    if (file->size > GPUCODE_XML_SIZE_MAX) {
        report(on_diagnostic, &reader.place, MSG_XML_SIZE, NULL);
        return GPUCODE_ERROR_INPUT;
    }
    uint32_t mark_sets = meaning->sets.count, mark_packets = meaning->packets.count;
    enum gpucode_status status = parser_run(&reader.parser, file->bytes, file->size);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        reader_tell(&reader, MSG_XML_ABSENT, NULL, NULL);
    else if (status != GPUCODE_OK)
        reader.status = status;
    arena_free(&reader.arena);
    if (reader.status == GPUCODE_OK && !reader.domains_seen && mark_sets == meaning->sets.count &&
        mark_packets == meaning->packets.count)
        report(on_diagnostic, &reader.place, MSG_XML_NOTHING, NULL, file->target);
    return reader.status;
}
