/* SPDX-License-Identifier: MIT */
#include "kit/afuc/ring.h"

#include "front/arguments.h"
#include "front/session.h"
#include <gpucode/packet.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- PM4 packets from text: "CP_MEM_WRITE 0x100000 0 0xcafe" is type 7, "@CP_SCRATCH[0].REG 1" type 4 --- */

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

/*
 * Reads one packet into `words` (room: PACKET_WORDS_MAX). Complains about what is not one and returns an exit code;
 * *count is 0 for a line without a packet. `place` has the file and line that the text stands in, as its source;
 * without a file it is all zeros.
 */
static int packet_read(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
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

/* --- the ring --- */

static bool make_word_room(struct ring *ring, size_t more)
{
    return ring_make_room((void **)&ring->words, &ring->room, ring->count, more, sizeof *ring->words);
}

static int add_packet(struct session *session, const struct input *input, struct ring *ring, const char *text,
                      const struct gpucode_diagnostic *place)
{
    unsigned count;
    if (!make_word_room(ring, PACKET_WORDS_MAX))
        return out_of_memory(&session->diagnostics);
    int code = packet_read(session, input->target, input_names(input), text, place, ring->words + ring->count, &count);
    if (!code && count) {
        text += strspn(text, " \t\r\n,");
        snprintf(ring->last_packet, sizeof ring->last_packet, "%.*s", (int)strcspn(text, " \t\r\n,;#"), text);
        ring->last_payload = count - 1;
    }
    ring->count += code ? 0 : count;
    return code;
}

static int add_line(struct session *session, const struct input *input, struct ring *ring, const char *text,
                    const struct gpucode_diagnostic *place)
{
    const char *line = text + strspn(text, " \t\r,");
    return *line == '.' ? ring_add_step(session, ring, text, place) : add_packet(session, input, ring, text, place);
}

#define WRONG_MAX 20 /* wrong lines of a file that are told; more of them are another kind of file */

int ring_add_file(struct session *session, const struct input *input, struct ring *ring, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    struct gpucode_diagnostic place = {.file = file.name};
    unsigned wrong = 0;
    for (char *line = file.bytes, *end; line && wrong < WRONG_MAX && code != EXIT_FAULT; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        place.line++;
        place.source = line;
        place.source_length = strlen(line);
        int bad = add_line(session, input, ring, line, &place);
        wrong += bad != 0;
        code = bad ? bad : code;
    }
    file_free(&file);
    return code;
}

/* Words in hex, in groups of eight digits. */
static int add_words(struct session *session, struct ring *ring, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    code = file_from_hex(&file, &session->diagnostics);
    if (!code && !make_word_room(ring, file.size / 4))
        code = out_of_memory(&session->diagnostics);
    for (size_t i = 0; !code && i < file.size / 4; i++) {
        const unsigned char *at = (const unsigned char *)file.bytes + 4 * i;
        ring->words[ring->count++] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    file_free(&file);
    return code;
}

int ring_gather(struct session *session, const struct input *input, struct ring *ring)
{
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < session->arguments.given_count; i++) {
        const struct given *given = &session->arguments.given[i];
        size_t before = ring->count;
        if (given->option == OPTION_AFUC_PACKET) {
            code = add_packet(session, input, ring, given->value, &(struct gpucode_diagnostic){0});
            if (!code && ring->count == before)
                code = value_refuse(session, OPTION_AFUC_PACKET, given->value, "a packet and its words");
        } else if (given->option == OPTION_AFUC_PACKETS)
            code = ring_add_file(session, input, ring, given->value);
        else if (given->option == OPTION_AFUC_RING)
            code = add_words(session, ring, given->value);
    }
    return code;
}

void ring_free(struct ring *ring)
{
    for (size_t i = 0; i < ring->step_count; i++)
        free(ring->steps[i].line);
    free(ring->words);
    free(ring->steps);
    free(ring->given);
}
