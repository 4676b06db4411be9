/* SPDX-License-Identifier: MIT */
#include "xml/elements.h"
#include "xml_messages.h"

#include "base/text.h"

#include <string.h>

/* Takes "A6XX"; the digit, or -1 and no move. */
static int take_chip(const char **text)
{
    const char *at = *text;
    if (at[0] != 'A' || at[1] < '0' || at[1] > '9' || at[2] != 'X' || at[3] != 'X')
        return -1;
    *text += 4;
    return at[1] - '0';
}

bool variant_parse(const char *text, uint16_t *chips)
{
    *chips = 0;
    while (*text) {
        if (*text == ' ' || *text == ',') {
            text++;
            continue;
        }
        int first = take_chip(&text), last = first;
        if (*text == '-' || *text == ':') {
            bool half_open = *text++ == ':';
            last = take_chip(&text);
            if (first < 0 && last < 0)
                return false;
            if (last < 0)
                last = 9;
            else if (half_open)
                last--;
            if (first < 0)
                first = 0;
        }
        if (first < 0 || (*text && *text != ' ' && *text != ','))
            return false;
        for (int chip = first; chip <= last; chip++)
            *chips |= (uint16_t)(1 << chip);
    }
    return true;
}

/* What all elements need: messages at their place, and their attributes. */

#define MESSAGES_MAX 20

void reader_stop(struct reader *reader, enum gpucode_status status)
{
    if (reader->status == GPUCODE_OK || status == GPUCODE_ERROR_MEMORY)
        reader->status = status;
    parser_stop(&reader->parser);
}

void reader_tell(struct reader *reader, message_id message, const char *first, const char *second)
{
    struct place place = reader->place;
    size_t length = 0;
    long at = reader->closing ? reader->closing->at : parser_at(&reader->parser, &length);
    if (at >= 0 && (size_t)at <= place.length) {
        place.at = place.text + at;
        place.span = length;
    }
    if (message_severity(message) == GPUCODE_ERROR && reader->status == GPUCODE_OK)
        reader->status = GPUCODE_ERROR_INPUT;
    if (reader->messages < MESSAGES_MAX)
        report(reader->on_diagnostic, &place, message, NULL, first, second);
    else if (reader->messages == MESSAGES_MAX)
        report(reader->on_diagnostic, &place, MSG_XML_MORE, NULL);
    reader->messages++;
    if (reader->messages > MESSAGES_MAX && reader->status == GPUCODE_ERROR_INPUT)
        reader_stop(reader, GPUCODE_ERROR_INPUT);
}

const char *reader_attribute(const char **attributes, const char *name)
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

bool reader_take_number(const char **text, uint32_t *number)
{
    uint64_t value;
    const char *at = text_read_number(*text, *text + strlen(*text), &value);
    if (!at || !is_number_end(*at) || value > UINT32_MAX)
        return false;
    *text = at;
    *number = (uint32_t)value;
    return true;
}

bool reader_number(struct reader *reader, const char **attributes, const char *name, uint32_t least, uint32_t greatest,
                   uint32_t *number)
{
    const char *text = reader_attribute(attributes, name), *end = text;
    if (!text)
        return true;
    uint32_t value;
    if (!reader_take_number(&end, &value) || *end || value < least || value > greatest) {
        reader_tell(reader, MSG_XML_NUMBER, name, text);
        return false;
    }
    *number = value;
    return true;
}

bool reader_chips(struct reader *reader, const struct frame *frame, const char **attributes, uint16_t *chips)
{
    const char *variants = reader_attribute(attributes, "variants");
    *chips = frame->chips;
    uint16_t named;
    if (variants && !variant_parse(variants, &named)) {
        reader_tell(reader, MSG_XML_VARIANT, variants, NULL);
        return false;
    }
    if (variants)
        *chips &= named;
    return true;
}
