/* SPDX-License-Identifier: MIT */
#include "kit/afuc/ring.h"

#include "front/session.h"
#include "front/values.h"
#include "kit/afuc/packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
