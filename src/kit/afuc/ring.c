/* SPDX-License-Identifier: MIT */
#include "kit/afuc/ring.h"
#include "cli_afuc_messages.h"

#include "front/arguments.h"
#include "front/session.h"

#include <gpucode/machine.h>
#include <gpucode/packet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a file of packets that are not packets: what is in memory and registers, and when it is there. */

/* Room for `more` things of `size` bytes after the `count` that are in a list; false: no memory. */
static bool ring_make_room(void **list, size_t *room, size_t count, size_t more, size_t size)
{
    if (*room - count >= more)
        return true;
    size_t wanted = 2 * *room + more;
    void *grown = realloc(*list, wanted * size);
    if (!grown)
        return false;
    *list = grown;
    *room = wanted;
    return true;
}

/* A line that is being read. */
struct reading {
    struct session *session;
    struct ring *ring;
    const char *line, *at;
    struct gpucode_diagnostic place; /* of the line; no line number: it stands in no file */
};

static size_t word_length(const char *text)
{
    return strcspn(text, " \t\r\n,;#");
}

static void skip_blanks(struct reading *reading)
{
    reading->at += strspn(reading->at, " \t\r,");
}

static bool is_at_end(struct reading *reading)
{
    skip_blanks(reading);
    return strchr("\n;#", *reading->at);
}

/* A place in the line; where that stands in no file, none. */
static struct gpucode_diagnostic place_at(const struct gpucode_diagnostic *line, size_t column, size_t length)
{
    struct gpucode_diagnostic place = *line;
    if (place.line) {
        place.column = (unsigned)column + 1;
        place.length = (unsigned)(length ? length : 1);
    }
    return place;
}

/* Complains of the word that reading stands at. */
static int refuse_word(const struct reading *reading, const char *why)
{
    struct gpucode_diagnostic place =
        place_at(&reading->place, (size_t)(reading->at - reading->line), word_length(reading->at));
    return complain_at(&reading->session->diagnostics, CLI_AFUC_PACKET_LINE, &place, NULL,
                       reading->line + strspn(reading->line, " \t"), why);
}

/* Takes a number up to `most`. Complains and returns an exit code. */
static int take_number(struct reading *reading, uint64_t most, const char *what, uint64_t *value)
{
    skip_blanks(reading);
    const char *at = reading->at;
    if (!number_take(&at, value) || *value > most || !strchr(" \t\r\n,;#", *at))
        return refuse_word(reading, what);
    reading->at = at;
    return EXIT_DONE;
}

/* Takes 32-bit numbers to the end of the line; at least one. */
static int take_numbers(struct reading *reading, struct ring_step *step)
{
    struct ring *ring = reading->ring;
    int code = EXIT_DONE;
    step->first = ring->given_count;
    do {
        uint64_t value;
        if (!ring_make_room((void **)&ring->given, &ring->given_room, ring->given_count, 1, sizeof *ring->given))
            return out_of_memory(&reading->session->diagnostics);
        code = take_number(reading, UINT32_MAX, "a 32-bit number is due here", &value);
        if (!code)
            ring->given[ring->given_count++] = (uint32_t)value;
    } while (!code && !is_at_end(reading));
    step->count = ring->given_count - step->first;
    return code;
}

static int read_store(struct reading *reading, struct ring_step *step)
{
    step->kind = RING_STORE;
    int code = take_number(reading, UINT64_MAX, "an address is due here", &step->address);
    return code ? code : take_numbers(reading, step);
}

static int read_set(struct reading *reading, struct ring_step *step)
{
    step->kind = RING_SET;
    skip_blanks(reading);
    size_t length = word_length(reading->at);
    if (!length || length >= sizeof step->name)
        return refuse_word(reading, "the name of a register is due here");
    memcpy(step->name, reading->at, length);
    step->place = place_at(&step->place, (size_t)(reading->at - reading->line), length);
    reading->at += length;
    uint64_t value;
    int code = take_number(reading, UINT32_MAX, "a 32-bit number is due here", &value);
    if (code)
        return code;
    if (!is_at_end(reading))
        return refuse_word(reading, "the line ends before this");
    struct ring *ring = reading->ring;
    if (!ring_make_room((void **)&ring->given, &ring->given_room, ring->given_count, 1, sizeof *ring->given))
        return out_of_memory(&reading->session->diagnostics);
    step->first = ring->given_count;
    step->count = 1;
    ring->given[ring->given_count++] = (uint32_t)value;
    return EXIT_DONE;
}

static int read_run(struct reading *reading, struct ring_step *step)
{
    step->kind = RING_RUN;
    return is_at_end(reading) ? EXIT_DONE : refuse_word(reading, "the line ends before this");
}

static int read_check(struct reading *reading, struct ring_step *step)
{
    step->kind = RING_CHECK;
    if (is_at_end(reading))
        return EXIT_DONE;
    int code = take_number(reading, UINT64_MAX, "a number of instructions is due here", &step->address);
    return code || is_at_end(reading) ? code : refuse_word(reading, "the line ends before this");
}

static int read_assert(struct reading *reading, struct ring_step *step)
{
    step->kind = RING_ASSERT;
    if (is_at_end(reading))
        return refuse_word(reading, "what must not happen is due here");
    size_t length = strcspn(reading->at, "\r\n;#"), whole = step->place.line ? step->place.source_length : 0;
    step->line = malloc(whole + length + 2); /* the line for messages, and the text after it */
    if (!step->line)
        return out_of_memory(&reading->session->diagnostics);
    if (whole)
        memcpy(step->line, step->place.source, whole);
    step->line[whole] = 0;
    step->first = whole + 1;
    memcpy(step->line + step->first, reading->at, length);
    step->line[step->first + length] = 0;
    if (step->place.line)
        step->place.source = step->line;
    return EXIT_DONE;
}

const char *ring_assert_text(const struct ring_step *step)
{
    return step->line + step->first;
}

/* Keeps the line for what is only found out when the step is done. */
static bool keep_line(struct ring_step *step)
{
    if (!step->place.line || step->line)
        return true;
    char *copy = malloc(step->place.source_length + 1);
    if (!copy)
        return false;
    memcpy(copy, step->place.source, step->place.source_length);
    copy[step->place.source_length] = 0;
    step->place.source = step->line = copy;
    return true;
}

/* Takes a line that begins with a dot; `place` has file and line, or is all zeros. */
static int ring_add_step(struct session *session, struct ring *ring, const char *text,
                         const struct gpucode_diagnostic *place)
{
    static const struct {
        const char *word;
        int (*read)(struct reading *reading, struct ring_step *step);
    } kinds[] = {{".memory", read_store},
                 {".register", read_set},
                 {".run", read_run},
                 {".check", read_check},
                 {".assert", read_assert}};
    struct reading reading = {session, ring, text, text, *place};
    skip_blanks(&reading);
    if (!ring_make_room((void **)&ring->steps, &ring->step_room, ring->step_count, 1, sizeof *ring->steps))
        return out_of_memory(&session->diagnostics);
    struct ring_step *step = &ring->steps[ring->step_count];
    *step = (struct ring_step){.words = ring->count, .place = *place};
    size_t length = word_length(reading.at), i = 0;
    while (i < sizeof kinds / sizeof *kinds &&
           (length != strlen(kinds[i].word) || memcmp(reading.at, kinds[i].word, length) != 0))
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return refuse_word(&reading, "no such line is known");
    reading.at += length;
    int code = kinds[i].read(&reading, step);
    if (!code && !keep_line(step))
        code = out_of_memory(&session->diagnostics);
    ring->step_count += !code;
    return code;
}

int ring_refuse_register(struct session *session, const struct ring_step *step, const char *hint)
{
    return complain_at(&session->diagnostics, CLI_AFUC_RUN_REGISTER, &step->place, hint, step->name);
}

int ring_give(struct session *session, const struct ring *ring, const struct ring_step *step,
              struct gpucode_machine *machine, unsigned processor)
{
    unsigned space;
    uint32_t number;
    if (step->kind == RING_SET && (!gpucode_machine_find(machine, step->name, &space, &number) ||
                                   gpucode_machine_write(machine, processor, space, number, ring->given[step->first])))
        return ring_refuse_register(session, step, NULL);
    for (size_t i = 0; step->kind == RING_STORE && i < step->count; i++) {
        uint32_t word = ring->given[step->first + i];
        unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                  (unsigned char)(word >> 24)};
        if (gpucode_machine_store(machine, step->address + 4 * i, bytes, 4) != GPUCODE_OK)
            return out_of_memory(&session->diagnostics);
    }
    return EXIT_DONE;
}

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
    const char *at = text;
    uint64_t parsed;
    bool good = number_take(&at, &parsed) && at == text + length && parsed <= UINT32_MAX;
    *value = good ? (uint32_t)parsed : 0;
    return good;
}

/* "UNKN12", as listings call an opcode that has no name. */
static bool is_unknown(const char *text, size_t length, uint32_t *opcode)
{
    return length > 4 && memcmp(text, "UNKN", 4) == 0 && parse_word(text + 4, length - 4, opcode);
}

/* A packet that is being read: its text, and where that stands. */
struct packet_reading {
    struct session *session;
    const char *text;
    const struct gpucode_diagnostic *place;
};

/* Complains of the packet, with the word of its text that is wrong, if the text stands in a file. */
static int refuse_packet(const struct packet_reading *reading, const char *word, size_t length, const char *hint,
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
static int refuse_name(const struct packet_reading *reading, const struct gpucode_target *target,
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
    const struct packet_reading reading = {session, text, place};
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
