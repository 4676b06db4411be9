/* SPDX-License-Identifier: MIT */
/*
 * Words of packets: a domain that is named like a packet, with registers for its words. Stripes and fields may be there
 * on some chips alone, or where another field selects them: their `variants` are chips, or values of the enumeration
 * that `varset` names.
 */
#include "xml/elements.h"
#include "xml_messages.h"

#include "base/text.h"

#include <string.h>

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
