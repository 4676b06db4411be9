/* SPDX-License-Identifier: MIT */
/* What values mean: bitsets and enumerations, of their own and inside of registers and fields. */
#include "xml/elements.h"

#include "base/text.h"
#include "xml_messages.h"

#include <string.h>

#define NAME_MAX_LENGTH 60

/* More rows than there is room for are an error of the file, else memory has run out. */
/* A new row of a list; null: there is no room, which ends the reading. */
static void *types_add_row(struct reader *reader, struct meaning_list *list, size_t size, uint32_t most)
{
    bool full = list->count >= most;
    void *row = meaning_add(list, size, most);
    if (row)
        return row;
    if (full)
        reader_tell(reader, MSG_XML_COUNT, NULL, NULL);
    reader_stop(reader, full ? GPUCODE_ERROR_INPUT : GPUCODE_ERROR_MEMORY);
    return NULL;
}

/* A copy of a name; 0: it is none that can be printed, and told, or there is no memory. */
/* A copy of a name in the strings; 0: it is none that can be printed, and told, or there is no memory. */
static uint32_t types_keep_name(struct reader *reader, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~')
            length = 0;
    if (!length || length > NAME_MAX_LENGTH || reader->meaning->strings.length > UINT32_MAX / 2) {
        reader_tell(reader, MSG_XML_NAME, name, NULL);
        return 0;
    }
    uint32_t kept = meaning_text(reader->meaning, name);
    if (!kept)
        reader_stop(reader, GPUCODE_ERROR_MEMORY);
    return kept;
}

/* Number of a new set, plus 1; 0: it cannot be. */
static uint32_t add_set(struct reader *reader, bool bitset, uint32_t name)
{
    struct meaning *meaning = reader->meaning;
    struct meaning_set *set = types_add_row(reader, &meaning->sets, sizeof *set, MEANING_TYPES_MAX);
    if (!set)
        return 0;
    *set = (struct meaning_set){name, bitset ? meaning->fields.count : meaning->values.count, 0, bitset};
    return meaning->sets.count;
}

static struct meaning_set *set_of(const struct reader *reader, uint32_t number)
{
    return number ? (struct meaning_set *)reader->meaning->sets.rows + (number - 1) : NULL;
}

void types_begin_set(struct reader *reader, bool bitset, const char **attributes, struct frame *frame)
{
    const char *name = reader_attribute(attributes, "name");
    if (!name || !reader_chips(reader, &reader->frames[reader->depth - 1], attributes, &frame->chips))
        return;
    uint32_t kept = types_keep_name(reader, name);
    frame->set = kept ? add_set(reader, bitset, kept) : 0;
    if (frame->set)
        frame->kind = SET;
}

/* Bits and form; false: told. */
static bool take_type(struct reader *reader, const char **attributes, unsigned width, struct meaning_type *type)
{
    const char *name = reader_attribute(attributes, "type");
    uint32_t low = 0, high = width - 1, at = UINT32_MAX, shr = 0, radix = 0;
    *type = (struct meaning_type){0};
    if (!reader_number(reader, attributes, "low", 0, 63, &low) ||
        !reader_number(reader, attributes, "high", 0, 63, &high) ||
        !reader_number(reader, attributes, "pos", 0, 63, &at) ||
        !reader_number(reader, attributes, "shr", 0, 63, &shr) ||
        !reader_number(reader, attributes, "radix", 0, 63, &radix))
        return false;
    if (at != UINT32_MAX)
        low = high = at;
    if (high < low) {
        const char *text = reader_attribute(attributes, "high");
        reader_tell(reader, text ? MSG_XML_NUMBER : MSG_XML_MISSING, text ? "high" : "bitfield", text ? text : "high");
        return false;
    }
    type->low = (uint8_t)low;
    type->high = (uint8_t)high;
    type->shr = (uint8_t)shr;
    type->radix = (uint8_t)radix;
    type->name = name ? types_keep_name(reader, name) : 0;
    return !name || type->name;
}

/* A field's name, bits and type; false: it is none, and told. */
static bool types_take_field(struct reader *reader, const char **attributes, uint16_t chips,
                             struct meaning_field *field)
{
    const char *name = reader_attribute(attributes, "name");
    struct meaning_type type;
    if (!name || !take_type(reader, attributes, 1, &type))
        return false;
    uint32_t kept = types_keep_name(reader, name);
    *field = (struct meaning_field){.type = type, .name = kept, .chips = chips};
    return kept;
}

void types_add_field(struct reader *reader, const char **attributes, struct frame *frame)
{
    struct frame *around = &reader->frames[reader->depth - 1];
    struct meaning *meaning = reader->meaning;
    struct meaning_field taken;
    uint16_t chips;
    if (around->kind == REGISTER && !around->set)
        around->set = add_set(reader, true, 0);
    if (!around->set || !set_of(reader, around->set)->bitset || !reader_chips(reader, around, attributes, &chips) ||
        !types_take_field(reader, attributes, chips, &taken))
        return;
    struct meaning_field *field = types_add_row(reader, &meaning->fields, sizeof *field, MEANING_ROWS_MAX);
    if (!field)
        return;
    *field = taken;
    set_of(reader, around->set)->count++;
    struct meaning_register *registers = meaning->registers.rows;
    for (uint32_t i = around->first; around->kind == REGISTER && i < around->last; i++)
        registers[i].inside = around->set;
    frame->kind = FIELD;
    frame->chips = chips;
    frame->first = meaning->fields.count - 1;
}

void types_add_value(struct reader *reader, const char **attributes)
{
    struct frame *around = &reader->frames[reader->depth - 1];
    const char *name = reader_attribute(attributes, "name");
    struct meaning *meaning = reader->meaning;
    uint32_t number = 0;
    uint16_t chips;
    /* some have no number: they only reserve a name */
    if (!name || !reader_attribute(attributes, "value") ||
        !reader_number(reader, attributes, "value", 0, UINT32_MAX, &number) ||
        !reader_chips(reader, around, attributes, &chips))
        return;
    bool inside = around->kind == FIELD || around->kind == PACKET_FIELD;
    if (inside && !around->set)
        around->set = add_set(reader, false, 0);
    if (!around->set || set_of(reader, around->set)->bitset)
        return;
    uint32_t kept = types_keep_name(reader, name);
    struct meaning_value *value =
        kept ? types_add_row(reader, &meaning->values, sizeof *value, MEANING_ROWS_MAX) : NULL;
    if (!value)
        return;
    *value = (struct meaning_value){kept, number, chips};
    set_of(reader, around->set)->count++;
    if (around->kind == FIELD)
        ((struct meaning_field *)meaning->fields.rows)[around->first].inside = around->set;
    if (around->kind == PACKET_FIELD)
        ((struct meaning_packet_row *)meaning->packet_rows.rows)[around->first].field.inside = around->set;
}

bool types_of_register(struct reader *reader, const char **attributes, unsigned words, struct meaning_type *type)
{
    return take_type(reader, attributes, 32 * words, type);
}

void types_add_register(struct reader *reader, const struct isa_name *name)
{
    struct meaning *meaning = reader->meaning;
    if (!reader->type || reader->domains[reader->domain].space != GPUCODE_SPACE_GPU)
        return;
    if (meaning->elements > MEANING_ELEMENTS_MAX - (name->count < MEANING_ELEMENTS_MAX ? name->count : 0) ||
        name->count >= MEANING_ELEMENTS_MAX) {
        reader_tell(reader, MSG_XML_COUNT, NULL, NULL);
        reader_stop(reader, GPUCODE_ERROR_INPUT);
        return;
    }
    struct meaning_register *row = types_add_row(reader, &meaning->registers, sizeof *row, MEANING_REGISTERS_MAX);
    if (!row)
        return;
    meaning->elements += name->count;
    *row = (struct meaning_register){.number = name->number,
                                     .type = *reader->type,
                                     .count = name->count,
                                     .stride = name->stride,
                                     .words = name->words,
                                     .domain = (uint8_t)reader->domain};
}

/*
 * Words of packets: a domain that is named like a packet, with registers for its words. Stripes and fields may be there
 * on some chips alone, or where another field selects them: their `variants` are chips, or values of the enumeration
 * that `varset` names.
 */

#define WORDS_MAX 255 /* of a payload that are explained one by one */

bool packets_is_name(const char *name)
{
    return strncmp(name, "CP_", 3) == 0;
}

/* What an element says of the chips and values that it is there with, beside what those around it say. */
static bool take_variants(struct reader *reader, const char **attributes, struct frame *frame)
{
    const struct frame *around = &reader->frames[reader->depth - 1];
    const char *varset = reader_attribute(attributes, "varset"), *variants = reader_attribute(attributes, "variants");
    bool chip = varset && strcmp(varset, "chip") == 0;
    frame->chips = around->chips;
    frame->varset = around->varset;
    frame->when = around->when;
    frame->which = around->which;
    if (varset)
        frame->varset = chip ? 0 : types_keep_name(reader, varset);
    if (varset && !chip && !frame->varset)
        return false;
    if (!variants)
        return true;
    if (!frame->varset)
        return reader_chips(reader, around, attributes, &frame->chips);
    frame->when = frame->varset;
    frame->which = meaning_text(reader->meaning, variants);
    if (!frame->which)
        reader_stop(reader, GPUCODE_ERROR_MEMORY);
    return frame->which;
}

void packets_begin(struct reader *reader, const char **attributes, struct frame *frame)
{
    struct meaning *meaning = reader->meaning;
    uint32_t name = types_keep_name(reader, reader_attribute(attributes, "name"));
    if (!name || !take_variants(reader, attributes, frame))
        return;
    struct meaning_packet *packet = types_add_row(reader, &meaning->packets, sizeof *packet, MEANING_PACKETS_MAX);
    if (!packet)
        return;
    *packet = (struct meaning_packet){name, meaning->packet_rows.count, 0, frame->chips};
    reader->forms = 0;
    frame->kind = PACKET;
}

void packets_begin_part(struct reader *reader, const char **attributes, struct frame *frame)
{
    const struct frame *around = &reader->frames[reader->depth - 1];
    uint32_t offset = 0, stride = 0, count = 0;
    if (!reader_number(reader, attributes, "offset", 0, WORDS_MAX, &offset) ||
        !reader_number(reader, attributes, "stride", 1, WORDS_MAX, &stride) ||
        !reader_number(reader, attributes, "length", 1, UINT16_MAX, &count) ||
        !take_variants(reader, attributes, frame))
        return;
    frame->kind = PACKET;
    frame->offset = around->offset + offset;
    frame->stride = stride ? stride : around->stride;
    frame->count = count > WORDS_MAX ? 0 : count ? count : around->count; /* 0: to the end of the payload */
}

/* A row of the word that is open. */
static struct meaning_packet_row *add_row(struct reader *reader, const struct frame *word)
{
    struct meaning *meaning = reader->meaning;
    struct meaning_packet_row *row = types_add_row(reader, &meaning->packet_rows, sizeof *row, MEANING_PACKET_ROWS_MAX);
    if (!row)
        return NULL;
    ((struct meaning_packet *)meaning->packets.rows)[meaning->packets.count - 1].count++;
    *row = (struct meaning_packet_row){.when = word->when,
                                       .which = word->which,
                                       .word = (uint8_t)word->offset,
                                       .form = (uint8_t)word->form,
                                       .stride = (uint8_t)word->stride,
                                       .repeat = (uint8_t)word->count};
    return row;
}

void packets_begin_word(struct reader *reader, const char *element, const char **attributes, struct frame *frame)
{
    const struct frame *around = &reader->frames[reader->depth - 1];
    const char *name = reader_attribute(attributes, "name");
    uint32_t offset = 0;
    char text[NAME_TEXT_MAX + 8];
    struct meaning_type type;
    if (!name || strlen(name) > NAME_TEXT_MAX || !reader_attribute(attributes, "offset") ||
        !reader_number(reader, attributes, "offset", 0, WORDS_MAX, &offset) ||
        !types_of_register(reader, attributes, strcmp(element, "reg64") == 0 ? 2 : 1, &type) ||
        !take_variants(reader, attributes, frame))
        return;
    frame->offset = around->offset + offset;
    frame->stride = around->stride;
    frame->count = around->count;
    frame->form = reader->forms++;
    if (frame->offset > WORDS_MAX || frame->form > WORDS_MAX) {
        reader_tell(reader, MSG_XML_RANGE, name, NULL);
        return;
    }
    /* many have a number for a name */
    char *end = name[0] >= '0' && name[0] <= '9' ? TEXT_LITERAL(text, "WORD") : text;
    *text_string(end, name) = 0;
    uint32_t kept = types_keep_name(reader, text);
    struct meaning_packet_row *row = kept ? add_row(reader, frame) : NULL;
    if (!row)
        return;
    row->field = (struct meaning_field){.type = type, .name = kept, .chips = frame->chips};
    row->whole = true;
    frame->kind = PACKET_WORD;
    frame->first = reader->meaning->packet_rows.count - 1;
}

void packets_add_field(struct reader *reader, const char **attributes, struct frame *frame)
{
    struct meaning *meaning = reader->meaning;
    struct frame *word = &reader->frames[reader->depth - 1], here = *word;
    const char *variant = reader_attribute(attributes, "addvariant");
    struct meaning_field field;
    if (!take_variants(reader, attributes, &here) || !types_take_field(reader, attributes, here.chips, &field))
        return;
    here.offset = word->offset;
    struct meaning_packet_row *row = (struct meaning_packet_row *)meaning->packet_rows.rows + word->first;
    if (!row->whole) { /* the word's own row is that of its first field */
        row = add_row(reader, &here);
        if (!row)
            return;
    }
    row->whole = false;
    row->field = field;
    row->when = here.when;
    row->which = here.which;
    row->selects = variant && strcmp(variant, "yes") == 0;
    frame->kind = PACKET_FIELD;
    frame->chips = here.chips;
    frame->first = meaning->packet_rows.count - 1;
}
