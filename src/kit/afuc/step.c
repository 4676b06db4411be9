/* SPDX-License-Identifier: MIT */
/* Lines of a file of packets that are not packets: what is in memory and registers, and when it is there. */
#include "kit/afuc/ring.h"

#include "front/arguments.h"
#include "front/session.h"
#include <gpucode/machine.h>

#include <stdlib.h>
#include <string.h>

bool ring_make_room(void **list, size_t *room, size_t count, size_t more, size_t size)
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

int ring_add_step(struct session *session, struct ring *ring, const char *text, const struct gpucode_diagnostic *place)
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
