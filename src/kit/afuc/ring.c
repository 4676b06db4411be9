/* SPDX-License-Identifier: MIT */
#include "kit/afuc/ring.h"

#include "front/session.h"
#include "front/values.h"
#include "kit/afuc/packet.h"
#include <gpucode/machine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(void **list, size_t *room, size_t count, size_t more, size_t size)
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

static bool make_word_room(struct ring *ring, size_t more)
{
    return make_room((void **)&ring->words, &ring->room, ring->count, more, sizeof *ring->words);
}

static int add_packet(struct session *session, const struct input *input, struct ring *ring, const char *text)
{
    unsigned count;
    if (!make_word_room(ring, PACKET_WORDS_MAX))
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    int code = packet_read(session, input->target, input_names(input), text, ring->words + ring->count, &count);
    if (!code && count) {
        text += strspn(text, " \t\r\n,");
        snprintf(ring->last_packet, sizeof ring->last_packet, "%.*s", (int)strcspn(text, " \t\r\n,;#"), text);
        ring->last_payload = count - 1;
    }
    ring->count += code ? 0 : count;
    return code;
}

/* --- lines that are no packets ------------------------------------------------------------------------------------ */

static const char *behind_blanks(const char *text)
{
    return text + strspn(text, " \t\r,");
}

/* Takes a number that ends in front of a blank, a comment or the end of the line. */
static bool take_number(const char **text, uint64_t most, uint64_t *value)
{
    *text = behind_blanks(*text);
    return number_take(text, value) && *value <= most && strchr(" \t\r\n,;#", **text);
}

static bool is_at_end(const char *text)
{
    return strchr("\n;#", *behind_blanks(text));
}

static int refuse_line(struct session *session, const char *text, const char *why)
{
    return complain(&session->diagnostics, CLI_AFUC_PACKET, NULL,
                    ".memory ADDRESS WORD..., .register NAME VALUE and .run are what packets may stand between", text,
                    why);
}

/* The numbers up to the end of the line; false: something else stands there, or (*code) there is no memory. */
static bool add_numbers(struct session *session, struct ring *ring, struct ring_step *step, const char *text, int *code)
{
    step->first = ring->given_count;
    while (!is_at_end(text)) {
        uint64_t value;
        if (!make_room((void **)&ring->given, &ring->given_room, ring->given_count, 1, sizeof *ring->given)) {
            *code = complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
            return false;
        }
        if (!take_number(&text, UINT32_MAX, &value))
            return false;
        ring->given[ring->given_count++] = (uint32_t)value;
    }
    step->count = ring->given_count - step->first;
    return step->count;
}

static int add_step(struct session *session, struct ring *ring, const char *line)
{
    size_t length = strcspn(line, " \t\r\n,;#");
    const char *text = line + length;
    int code = EXIT_DONE;
    bool good = false;
    if (!make_room((void **)&ring->steps, &ring->step_room, ring->step_count, 1, sizeof *ring->steps))
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    struct ring_step *step = &ring->steps[ring->step_count];
    *step = (struct ring_step){.words = ring->count};
    if (length == 4 && memcmp(line, ".run", 4) == 0) {
        step->kind = RING_RUN;
        good = is_at_end(text);
    } else if (length == 7 && memcmp(line, ".memory", 7) == 0) {
        step->kind = RING_STORE;
        good = take_number(&text, UINT64_MAX, &step->address) && add_numbers(session, ring, step, text, &code);
    } else if (length == 9 && memcmp(line, ".register", 9) == 0) {
        step->kind = RING_SET;
        text = behind_blanks(text);
        size_t name = strcspn(text, " \t\r\n,;#");
        if (name && name < sizeof step->name) {
            memcpy(step->name, text, name);
            good = add_numbers(session, ring, step, text + name, &code) && step->count == 1;
        }
    } else {
        return refuse_line(session, line, "no such line is known");
    }
    if (code)
        return code;
    if (!good)
        return refuse_line(session, line, "what stands behind the first word does not belong there");
    ring->step_count++;
    return EXIT_DONE;
}

int ring_add_line(struct session *session, const struct input *input, struct ring *ring, const char *text)
{
    const char *line = behind_blanks(text);
    return *line == '.' ? add_step(session, ring, line) : add_packet(session, input, ring, text);
}

int ring_give(struct session *session, const struct ring *ring, const struct ring_step *step,
              struct gpucode_machine *machine, unsigned processor)
{
    unsigned space;
    uint32_t number;
    if (step->kind == RING_SET && (!gpucode_machine_find(machine, step->name, &space, &number) ||
                                   gpucode_machine_write(machine, processor, space, number, ring->given[step->first])))
        return complain(&session->diagnostics, CLI_AFUC_RUN_REGISTER, NULL, NULL, step->name);
    for (size_t i = 0; step->kind == RING_STORE && i < step->count; i++) {
        uint32_t word = ring->given[step->first + i];
        unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                  (unsigned char)(word >> 24)};
        if (gpucode_machine_store(machine, step->address + 4 * i, bytes, 4) != GPUCODE_OK)
            return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    }
    return EXIT_DONE;
}

static int add_packets(struct session *session, const struct input *input, struct ring *ring, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    for (char *line = file.bytes, *end; !code && line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        code = ring_add_line(session, input, ring, line);
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
        code = complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
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
        if (given->option == OPTION_AFUC_PACKET)
            code = add_packet(session, input, ring, given->value);
        else if (given->option == OPTION_AFUC_PACKETS)
            code = add_packets(session, input, ring, given->value);
        else if (given->option == OPTION_AFUC_RING)
            code = add_words(session, ring, given->value);
    }
    return code;
}

void ring_free(struct ring *ring)
{
    free(ring->words);
    free(ring->steps);
    free(ring->given);
}
