/* SPDX-License-Identifier: MIT */
#include "kit/afuc/packet.h"

#include "front/arguments.h"
#include "front/session.h"
#include <gpucode/packet.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the next word of the text; false: there is none. */
static bool next_word(const char **at, const char **start, size_t *length)
{
    *at += strspn(*at, " \t\r\n,");
    *start = *at;
    *length = strcspn(*at, " \t\r\n,;#");
    *at += *length;
    return *length > 0;
}

static bool parse_word(const char *text, size_t length, uint32_t *value)
{
    char copy[32], *end;
    if (length >= sizeof copy || *text < '0' || *text > '9')
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    unsigned long long parsed = strtoull(copy, &end, 0);
    *value = (uint32_t)parsed;
    return !*end && parsed <= UINT32_MAX;
}

/* "UNKN12", as listings call an opcode that has no name. */
static bool is_unknown(const char *text, size_t length, uint32_t *opcode)
{
    return length > 4 && memcmp(text, "UNKN", 4) == 0 && parse_word(text + 4, length - 4, opcode);
}

/* A packet that is being read: its text, and where that stands. */
struct reading {
    struct session *session;
    const char *text;
    const struct gpucode_diagnostic *place;
};

/* Complains of the packet, with the word of its text that is wrong, if the text stands in a file. */
static int refuse_packet(const struct reading *reading, const char *word, size_t length, const char *hint,
                         const char *why)
{
    struct gpucode_diagnostic place = *reading->place;
    if (place.line) {
        place.column = (unsigned)(word - reading->text) + 1;
        place.length = (unsigned)length;
    }
    return complain_at(&reading->session->diagnostics, CLI_AFUC_PACKET, &place, hint, reading->text, why);
}

/* Complains of the name that a packet begins with; the nearest name of a packet is the hint. */
static int refuse_name(const struct reading *reading, const struct gpucode_target *target,
                       const struct gpucode_names *names, bool is_write)
{
    const char *why = is_write ? "no GPU register has that name" : "no packet has that name";
    char word[64], name[GPUCODE_NAME_MAX], hint[192] = "";
    const char *at = reading->text, *start;
    size_t length;
    next_word(&at, &start, &length);
    if (!is_write && length < sizeof word) {
        snprintf(word, sizeof word, "%.*s", (int)length, start);
        struct spelling spelling = spelling_begin(word);
        for (uint32_t i = 0; i <= GPUCODE_PACKET_OPCODE_MAX; i++)
            if (gpucode_name_of(target, names, GPUCODE_SPACE_PACKET, i, name, sizeof name))
                spelling_offer(&spelling, name);
        if (spelling.best[0])
            snprintf(hint, sizeof hint, "did you mean '%s'?", spelling.best);
    }
    return refuse_packet(reading, start, length, *hint ? hint : NULL, why);
}

int packet_read(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
                const char *text, const struct gpucode_diagnostic *place, uint32_t *words, unsigned *count)
{
    const struct reading reading = {session, text, place};
    const char *at = text, *word;
    size_t length;
    uint32_t opcode;
    *count = 0;
    if (!next_word(&at, &word, &length))
        return EXIT_DONE;
    bool is_write = *word == '@';
    word += is_write;
    length -= is_write;
    uint32_t last = is_write ? GPUCODE_PACKET_REGISTER_MAX : GPUCODE_PACKET_OPCODE_MAX;
    enum gpucode_space space = is_write ? GPUCODE_SPACE_GPU : GPUCODE_SPACE_PACKET;
    if ((!parse_word(word, length, &opcode) && !gpucode_number_of(target, names, space, word, length, &opcode) &&
         (is_write || !is_unknown(word, length, &opcode))) ||
        opcode > last)
        return refuse_name(&reading, target, names, is_write);
    unsigned words_read = 1, most = is_write ? GPUCODE_PACKET_COUNT4_MAX : GPUCODE_PACKET_COUNT7_MAX;
    while (next_word(&at, &word, &length)) {
        if (words_read > most)
            return refuse_packet(&reading, word, length, NULL, "it has too many words");
        if (!parse_word(word, length, &words[words_read++]))
            return refuse_packet(&reading, word, length, NULL, "its words are 32-bit numbers");
    }
    uint32_t payload = words_read - 1;
    if (is_write && !payload)
        return refuse_packet(&reading, word, 0, NULL, "a value is missing");
    words[0] = is_write ? gpucode_packet_type4(opcode, payload) : gpucode_packet_type7(opcode, payload);
    *count = words_read;
    return EXIT_DONE;
}
