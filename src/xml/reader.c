/* SPDX-License-Identifier: MIT */
/*
 * The elements of rules-ng that name registers: domain, stripe, array, reg32, reg64; and enum with its
 * values for the packets. Everything else is passed over with what it contains.
 */
#include "xml/reader.h"
#include "base/number.h"

#include "base/arena.h"
#include "base/text.h"
#include "xml/variant.h"
#include <gpucode/xml.h>

#include <expat.h>
#include <string.h>

#define DEPTH_MAX 64
#define MESSAGES_MAX 20
#define EXPANSIONS_MAX (1u << 20) /* elements of nested arrays, spelt out */

enum frame_kind { PASSED_OVER, DATABASE, DOMAIN, STRIPE, ARRAY, VALUES };

/* An open element. */
struct frame {
    enum frame_kind kind;
    uint16_t chips; /* variants it exists in, those of the elements around it taken into account */
    bool has_members;
    XML_Index at; /* of its start tag */
    uint32_t offset;
    /* ARRAY */
    const char *name;
    uint32_t count, stride;
    const uint32_t *offsets; /* of each element, when they have no common stride; otherwise null */
};

/* A register, or the elements of an array when name is null. */
struct leaf {
    const char *name;
    uint32_t offset, count, stride;
    uint8_t words, flags;
};

struct reader {
    XML_Parser parser;
    const struct gpucode_diagnostic_handler *on_diagnostic;
    struct place place; /* the file */
    const struct isa_name_domain *domains;
    struct collection *collection;
    struct arena arena;
    struct frame frames[DEPTH_MAX];
    unsigned depth;
    unsigned domain; /* index of the open domain or enumeration */
    uint16_t chip;   /* bit of the target's chip there */
    unsigned messages, domains_seen, expansions;
    const struct frame *closing; /* the element whose end is being read */
    enum gpucode_status status;
};

/* Limits of the spaces; packets of type 4 number GPU registers with 18 bits. */
static const uint32_t last_number[GPUCODE_SPACE_COUNT] = {
    [GPUCODE_SPACE_CONTROL] = 0xfff, [GPUCODE_SPACE_SQE] = 0xf,     [GPUCODE_SPACE_PIPE] = 0xff,
    [GPUCODE_SPACE_GPU] = 0x3ffff,   [GPUCODE_SPACE_PACKET] = 0x7f,
};

static void stop(struct reader *reader, enum gpucode_status status)
{
    if (reader->status == GPUCODE_OK || status == GPUCODE_ERROR_MEMORY)
        reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
}

/* A message at the current element; errors make the whole file fail, but reading goes on to find the others. */
static void tell(struct reader *reader, enum message message, const char *first, const char *second)
{
    struct place place = reader->place;
    XML_Index at = reader->closing ? reader->closing->at : XML_GetCurrentByteIndex(reader->parser);
    if (at >= 0 && (size_t)at <= place.length) {
        place.at = place.text + at;
        place.span = reader->closing ? 0 : (size_t)XML_GetCurrentByteCount(reader->parser);
    }
    if (message_severity(message) == GPUCODE_ERROR && reader->status == GPUCODE_OK)
        reader->status = GPUCODE_ERROR_INPUT;
    if (reader->messages < MESSAGES_MAX)
        report(reader->on_diagnostic, &place, message, NULL, first, second);
    else if (reader->messages == MESSAGES_MAX)
        report(reader->on_diagnostic, &place, MSG_XML_MORE, NULL);
    reader->messages++;
    if (reader->messages > MESSAGES_MAX && reader->status == GPUCODE_ERROR_INPUT)
        stop(reader, GPUCODE_ERROR_INPUT);
}

static const char *attribute(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static bool is_number_end(char c)
{
    return !c || c == ',' || c == ' ';
}

/* Takes a number at *text and moves behind it; false when there is none or it exceeds 32 bits. */
static bool take_number(const char **text, uint32_t *number)
{
    uint64_t value;
    const char *at = text_read_number(*text, *text + strlen(*text), &value);
    if (!at || !is_number_end(*at) || value > UINT32_MAX)
        return false;
    *text = at;
    *number = (uint32_t)value;
    return true;
}

/* A number attribute; when it is missing, *number stays. False when it is no number from `least` to `greatest`. */
static bool number_attribute(struct reader *reader, const XML_Char **attributes, const char *name, uint32_t least,
                             uint32_t greatest, uint32_t *number)
{
    const char *text = attribute(attributes, name), *end = text;
    if (!text)
        return true;
    uint32_t value;
    if (!take_number(&end, &value) || *end || value < least || value > greatest) {
        tell(reader, MSG_XML_NUMBER, name, text);
        return false;
    }
    *number = value;
    return true;
}

/* All the attributes named, null-terminated, must be there. */
static bool require(struct reader *reader, const char *element, const XML_Char **attributes, const char *const *names)
{
    bool all = true;
    for (; *names; names++)
        if (!attribute(attributes, *names)) {
            tell(reader, MSG_XML_MISSING, element, *names);
            all = false;
        }
    return all;
}

static bool is_name(struct reader *reader, const char *name)
{
    size_t length = strlen(name);
    if (!length || length > NAME_TEXT_MAX ||
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != length) {
        tell(reader, MSG_XML_NAME, name, NULL);
        return false;
    }
    return true;
}

/* Chips of an element inside `frame`; false: unknown, and told. */
static bool chips_of(struct reader *reader, const struct frame *frame, const XML_Char **attributes, uint16_t *chips)
{
    const char *variants = attribute(attributes, "variants");
    *chips = frame->chips;
    uint16_t named;
    if (variants && !variant_parse(variants, &named)) {
        tell(reader, MSG_XML_VARIANT, variants, NULL);
        return false;
    }
    if (variants)
        *chips &= named;
    return true;
}

static void add(struct reader *reader, const char *text, size_t length, struct isa_name *name, uint64_t number)
{
    uint64_t last = number + (uint64_t)(name->count - 1) * name->stride +
                    (name->flags & NAME_CONTAINER ? name->stride : name->words) - 1;
    if (length > NAME_TEXT_MAX) {
        tell(reader, MSG_XML_NAME, text, NULL);
        return;
    }
    if (last > last_number[reader->domains[reader->domain].space]) {
        tell(reader, MSG_XML_RANGE, text, NULL);
        return;
    }
    name->number = (uint32_t)number;
    name->length = (uint8_t)length;
    if (!name->stride)
        name->subscript = name->length;
    switch (collection_add(reader->collection, reader->domain, text, name)) {
    case COLLECTION_OK:
        break;
    case COLLECTION_FULL:
        tell(reader, MSG_XML_COUNT, NULL, NULL);
        stop(reader, GPUCODE_ERROR_INPUT);
        break;
    case COLLECTION_MEMORY:
        stop(reader, GPUCODE_ERROR_MEMORY);
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
        tell(reader, MSG_XML_NAME, name, NULL);
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
        tell(reader, MSG_XML_COUNT, NULL, NULL);
        stop(reader, GPUCODE_ERROR_INPUT);
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
                *at = 0;
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

static void read_register(struct reader *reader, const char *element, const XML_Char **attributes)
{
    static const char *const required[] = {"name", "offset", NULL};
    struct frame *around = &reader->frames[reader->depth - 1];
    const char *type = attribute(attributes, "type");
    struct leaf leaf = {.name = attribute(attributes, "name"), .count = 1, .stride = 0, .words = 1};
    uint16_t chips;
    if (!require(reader, element, attributes, required) || !is_name(reader, leaf.name) ||
        !number_attribute(reader, attributes, "offset", 0, UINT32_MAX, &leaf.offset) ||
        !number_attribute(reader, attributes, "stride", 1, UINT16_MAX, &leaf.stride) ||
        !number_attribute(reader, attributes, "length", 1, UINT16_MAX, &leaf.count) ||
        !chips_of(reader, around, attributes, &chips))
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
    if (type && strcmp(type, "void") == 0)
        leaf.flags = NAME_VOID;
    add_leaf(reader, &leaf);
}

/* "0x10,0x20": where each element of an array stands. */
static bool read_offsets(struct reader *reader, const char *text, struct frame *frame)
{
    uint32_t *offsets = arena_array(&reader->arena, strlen(text) + 1, sizeof *offsets);
    if (!offsets) {
        stop(reader, GPUCODE_ERROR_MEMORY);
        return false;
    }
    const char *at = text;
    frame->count = 0;
    while (*at) {
        if (*at == ',' || *at == ' ') {
            at++;
        } else if (frame->count == UINT16_MAX || !take_number(&at, &offsets[frame->count++])) {
            tell(reader, MSG_XML_NUMBER, "offsets", text);
            return false;
        }
    }
    frame->offsets = offsets;
    return true;
}

static void read_array(struct reader *reader, const char *element, const XML_Char **attributes, struct frame *frame)
{
    static const char *const required[] = {"name", "offset", "stride", "length", NULL};
    static const char *const listed[] = {"name", NULL};
    const char *name = attribute(attributes, "name"), *offsets = attribute(attributes, "offsets");
    reader->frames[reader->depth - 1].has_members = true;
    if (attribute(attributes, "doffsets")) {
        tell(reader, MSG_XML_UNSUPPORTED, "attribute 'doffsets'", NULL);
        return;
    }
    if (!require(reader, element, attributes, offsets ? listed : required) || !is_name(reader, name) ||
        !number_attribute(reader, attributes, "offset", 0, UINT32_MAX, &frame->offset) ||
        !number_attribute(reader, attributes, "stride", 1, UINT16_MAX, &frame->stride) ||
        !number_attribute(reader, attributes, "length", 1, UINT16_MAX, &frame->count) ||
        (offsets && !read_offsets(reader, offsets, frame)) ||
        !chips_of(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips))
        return;
    frame->name = arena_copy(&reader->arena, name, strlen(name));
    if (!frame->name)
        stop(reader, GPUCODE_ERROR_MEMORY);
    else if (frame->chips & reader->chip)
        frame->kind = ARRAY;
}

static void read_stripe(struct reader *reader, const XML_Char **attributes, struct frame *frame)
{
    if (attribute(attributes, "length") || attribute(attributes, "name")) {
        tell(reader, MSG_XML_UNSUPPORTED, "a stripe with a length or a name", NULL);
        return;
    }
    if (number_attribute(reader, attributes, "offset", 0, UINT32_MAX, &frame->offset) &&
        chips_of(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips) && frame->chips & reader->chip)
        frame->kind = STRIPE;
}

/* Packets of other chips are understood too: they are needed to read listings of any chip. */
static void read_value(struct reader *reader, const char *element, const XML_Char **attributes)
{
    static const char *const required[] = {"name", "value", NULL};
    const char *text = attribute(attributes, "name");
    uint16_t chips;
    uint32_t number = 0;
    struct isa_name name = {.count = 1, .words = 1};
    if (!require(reader, element, attributes, required) || !is_name(reader, text) ||
        !number_attribute(reader, attributes, "value", 0, UINT32_MAX, &number) ||
        !chips_of(reader, &reader->frames[reader->depth - 1], attributes, &chips))
        return;
    if (!(chips & reader->chip))
        name.flags = NAME_HIDDEN;
    add(reader, text, strlen(text), &name, number);
}

/* Opens a domain or an enumeration when the target has names there. */
static void read_domain(struct reader *reader, const char *element, const XML_Char **attributes, struct frame *frame)
{
    const char *name = attribute(attributes, "name");
    bool values = strcmp(element, "enum") == 0;
    uint16_t chip;
    for (unsigned i = 0; name && reader->domains[i].name; i++) {
        if (strcmp(name, reader->domains[i].name) != 0 || values != (reader->domains[i].space == GPUCODE_SPACE_PACKET))
            continue;
        if (!variant_parse(reader->domains[i].chip, &chip))
            chip = VARIANT_ALL;
        if (!chips_of(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips))
            return;
        reader->domains_seen++;
        if (values || frame->chips & chip) {
            reader->domain = i;
            reader->chip = chip;
            frame->kind = values ? VALUES : DOMAIN;
        }
        return;
    }
}

static void XMLCALL start(void *user, const XML_Char *element, const XML_Char **attributes)
{
    struct reader *reader = user;
    struct frame frame = {.kind = PASSED_OVER, .chips = VARIANT_ALL, .at = XML_GetCurrentByteIndex(reader->parser)};
    if (reader->depth == DEPTH_MAX) {
        tell(reader, MSG_XML_DEPTH, NULL, NULL);
        stop(reader, GPUCODE_ERROR_INPUT);
        return;
    }
    enum frame_kind around = reader->depth ? reader->frames[reader->depth - 1].kind : PASSED_OVER;
    bool registers = around == DOMAIN || around == STRIPE || around == ARRAY;
    if (!reader->depth && strcmp(element, "database") != 0) {
        tell(reader, MSG_XML_ROOT, element, NULL);
        stop(reader, GPUCODE_ERROR_INPUT);
        return;
    }
    if (!reader->depth)
        frame.kind = DATABASE;
    else if (around == DATABASE && (strcmp(element, "domain") == 0 || strcmp(element, "enum") == 0))
        read_domain(reader, element, attributes, &frame);
    else if (registers && (strcmp(element, "reg32") == 0 || strcmp(element, "reg64") == 0))
        read_register(reader, element, attributes);
    else if (registers && strcmp(element, "array") == 0)
        read_array(reader, element, attributes, &frame);
    else if (registers && strcmp(element, "stripe") == 0)
        read_stripe(reader, attributes, &frame);
    else if (registers &&
             (strcmp(element, "reg8") == 0 || strcmp(element, "reg16") == 0 || strcmp(element, "use-group") == 0))
        tell(reader, MSG_XML_UNSUPPORTED, element, NULL);
    else if (around == VALUES && strcmp(element, "value") == 0)
        read_value(reader, element, attributes);
    reader->frames[reader->depth++] = frame;
}

static void XMLCALL end(void *user, const XML_Char *element)
{
    struct reader *reader = user;
    (void)element;
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

static void XMLCALL doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                            int has_subset)
{
    struct reader *reader = user;
    (void)name;
    (void)system;
    (void)public_id;
    (void)has_subset;
    tell(reader, MSG_XML_DOCTYPE, NULL, NULL);
    stop(reader, GPUCODE_ERROR_INPUT);
}

enum gpucode_status xml_read(const char *bytes, size_t size, const char *file_name, const char *target_name,
                             const struct isa_name_domain *domains,
                             const struct gpucode_diagnostic_handler *on_diagnostic, struct collection *collection)
{
    struct reader reader = {
        .on_diagnostic = on_diagnostic,
        .place = {.file = file_name, .text = bytes, .length = size},
        .domains = domains,
        .collection = collection,
    };
    if (size > GPUCODE_XML_SIZE_MAX) {
        report(on_diagnostic, &reader.place, MSG_XML_SIZE, NULL);
        return GPUCODE_ERROR_INPUT;
    }
    reader.parser = XML_ParserCreate("UTF-8");
    if (!reader.parser)
        return GPUCODE_ERROR_MEMORY;
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, start, end);
    XML_SetStartDoctypeDeclHandler(reader.parser, doctype);
    XML_SetParamEntityParsing(reader.parser, XML_PARAM_ENTITY_PARSING_NEVER);
    if (XML_Parse(reader.parser, bytes, (int)size, 1) != XML_STATUS_OK) {
        enum XML_Error error = XML_GetErrorCode(reader.parser);
        if (error == XML_ERROR_NO_MEMORY)
            reader.status = GPUCODE_ERROR_MEMORY;
        else if (error != XML_ERROR_ABORTED)
            tell(&reader, MSG_XML_SYNTAX, XML_ErrorString(error), NULL);
    }
    XML_ParserFree(reader.parser);
    arena_free(&reader.arena);
    if (reader.status == GPUCODE_OK && !reader.domains_seen)
        report(on_diagnostic, &reader.place, MSG_XML_NOTHING, NULL, target_name ? target_name : "the target");
    return reader.status;
}
