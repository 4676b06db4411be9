/* SPDX-License-Identifier: MIT */
/*
 * Debug marks: texts that drivers put into CP_NOP, for people who read the stream, and the outline of a frame by them.
 * Turnip's begin with a word that tells what they do (tu_cs_emit_debug_magic_strv() of Mesa); others are text alone.
 */
#include "base/text.h"
#include "pm4/stream/decode.h"
#include "utf8/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#define ANSWER_IDS_ONLY
#include <gpucode/answer_rows.h>

#define OPCODE_NOP 0x10
#define TEXT_LEAST 3 /* characters; fewer are as likely a number */

static const struct {
    uint32_t word;
    const char *name;
} kinds[] = {
    [MARK_MESSAGE] = {0x4d455347, "message"},
    [MARK_BEGIN] = {0x4245474e, "begin"},
    [MARK_END] = {0x454e4420, "end"},
    [MARK_TEXT] = {0, "text"},
};

static bool is_printable(uint32_t c)
{
    return (c >= ' ' && c < 0x7f) || c == '\t' || c == '\n' || (c >= 0xa0 && !utf8_is_format(c));
}

/* The bytes at a place, which is in the words, as far as a character can reach. */
static size_t take_bytes(const uint32_t *words, uint32_t count, size_t at, char bytes[UTF8_MOST])
{
    size_t length = 0;
    for (; length < UTF8_MOST && at < 4 * (size_t)count; length++, at++)
        bytes[length] = (char)(words[at / 4] >> (8 * (at % 4)));
    return length;
}

/*
 * Characters of words up to a zero, which are UTF-8, lines and tabs as spaces. Returns how many there are, of which the
 * string may have fewer; *plain: all are printable, and nothing comes after the zero.
 */
static size_t take_string(const uint32_t *words, uint32_t count, char string[MARK_STRING_MAX], bool *plain)
{
    size_t length = 0, characters = 0, at = 0, size;
    char bytes[UTF8_MOST];
    bool cut = false;
    *plain = true;
    for (; at < 4 * (size_t)count; at += size) {
        uint32_t c = 0;
        size_t known = take_bytes(words, count, at, bytes);
        if (!bytes[0])
            break;
        size = utf8_decode(bytes, known, &c);
        bool printable = is_printable(c);
        if (c == '\t' || c == '\n' || !printable)
            bytes[0] = printable ? ' ' : '?';
        known = printable ? size : 1;
        cut |= length + known >= MARK_STRING_MAX;
        if (!cut) {
            memcpy(string + length, bytes, known);
            length += known;
        }
        characters++;
        *plain &= printable;
        size += !size;
    }
    string[length] = 0;
    for (; at < 4 * (size_t)count && *plain; at++)
        *plain = !(words[at / 4] >> (8 * (at % 4)) & 0xff);
    return characters;
}

static enum mark_kind read_mark(const struct gpucode_packet_event *event, char string[MARK_STRING_MAX])
{
    bool plain;
    if (!event->count)
        return MARK_NONE;
    for (unsigned kind = MARK_MESSAGE; kind <= MARK_END; kind++)
        if (event->words[0] == kinds[kind].word) {
            take_string(event->words + 1, event->count - 1, string, &plain);
            return (enum mark_kind)kind;
        }
    return take_string(event->words, event->count, string, &plain) >= TEXT_LEAST && plain ? MARK_TEXT : MARK_NONE;
}

static void say(enum mark_kind kind, unsigned level, const char *string, char *text, size_t size)
{
    static const char *const signs[] = {[MARK_BEGIN] = ">>>", [MARK_END] = "<<<"};
    if (kind == MARK_TEXT)
        snprintf(text, size, "\"%s\"", string);
    else if (kind == MARK_MESSAGE)
        snprintf(text, size, "### %s", string);
    else
        snprintf(text, size, "%s #%u: %s", signs[kind], level + 1, string);
}

/* --- the outline -------------------------------------------------------------------------------------------------- */

static void begin_record(struct decode *decode, unsigned object, size_t stream)
{
    const uint64_t numbers[] = {decode->submit, stream, decode->number - (decode->command - stream)};
    gpucode_answer_begin(decode->answer, &decode_fields[object]);
    gpucode_answer_numbers(decode->answer, &decode_fields[object + 1], numbers, 3);
}

void marks_end_run(struct decode *decode)
{
    struct marks *marks = &decode->marks;
    struct gpucode_answer *answer = decode->answer;
    char draws[TEXT_SOME_MAX + 32];
    int indent = 2 * (int)(marks->open < MARK_DEPTH_MAX ? marks->open : MARK_DEPTH_MAX);
    if (!marks->run)
        return;
    begin_record(decode, RUN, marks->stream);
    gpucode_answer_number(answer, &decode_fields[RUN_LEVEL], marks->open);
    char *end = text_some(draws, "draw", marks->first, marks->last);
    end = TEXT_LITERAL(end, ": ");
    if (marks->run > 1)
        end = TEXT_LITERAL(text_decimal(end, marks->run), " ");
    gpucode_answer_format(answer, &decode_fields[RUN_SHOWN], "%*s%.*s", indent, "", (int)(end - draws), draws);
    gpucode_answer_number(answer, &decode_fields[RUN_FIRST], marks->first);
    gpucode_answer_number(answer, &decode_fields[RUN_LAST], marks->last);
    gpucode_answer_number(answer, &decode_fields[RUN_COUNT], marks->run);
    gpucode_answer_text(answer, &decode_fields[RUN_PACKET], marks->packet);
    gpucode_answer_text(answer, &decode_fields[RUN_PRIMITIVE], *marks->primitive ? marks->primitive : NULL);
    if (marks->indices)
        gpucode_answer_number(answer, &decode_fields[RUN_INDICES], marks->indices);
    gpucode_answer_text(answer, &decode_fields[RUN_MODE], decode_mode(marks->mode));
    gpucode_answer_end(answer);
    marks->run = 0;
}

/* `begun`: of an end whose begin is shown; else null. */
static void put_mark(struct decode *decode, enum mark_kind kind, unsigned level, size_t stream, uint64_t address,
                     const char *string, const struct mark_begun *begun)
{
    struct gpucode_answer *answer = decode->answer;
    char says[sizeof decode->marks.says];
    say(kind, level, string, says, sizeof says);
    begin_record(decode, MARK, stream);
    gpucode_answer_number(answer, &decode_fields[MARK_ADDRESS], address);
    gpucode_answer_text(answer, &decode_fields[MARK_KIND], kinds[kind].name);
    gpucode_answer_number(answer, &decode_fields[MARK_LEVEL], level);
    gpucode_answer_text(answer, &decode_fields[MARK_STRING], string);
    gpucode_answer_format(answer, &decode_fields[MARK_SHOWN], "%*s%s",
                          2 * (int)(level < MARK_DEPTH_MAX ? level : MARK_DEPTH_MAX), "", says);
    if (begun)
        gpucode_answer_number(answer, &decode_fields[MARK_DRAWS], decode->marks.draws - begun->draws);
    gpucode_answer_end(answer);
}

/* The marks that something shown is in, as far as they began in what is hidden. */
static void put_waiting(struct decode *decode)
{
    struct marks *marks = &decode->marks;
    for (unsigned i = 0; marks->begun && i < marks->open && i < MARK_DEPTH_MAX; i++) {
        struct mark_begun *begun = &marks->begun[i];
        if (begun->waiting)
            put_mark(decode, MARK_BEGIN, i, begun->stream, begun->address, begun->string, NULL);
        begun->waiting = false;
    }
}

void marks_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct marks *marks = &decode->marks;
    const char *primitive = event->text ? event->text : "";
    if (!decode_shows(decode))
        return;
    marks->draws++;
    if (decode->shown & GPUCODE_DECODE_DRAWS) {
        put_waiting(decode);
        return; /* they have records of their own */
    }
    if (marks->run && (marks->last + 1 != decode->state.draws || marks->mode != event->mode ||
                       strcmp(marks->packet, event->name) != 0 || strcmp(marks->primitive, primitive) != 0))
        marks_end_run(decode);
    put_waiting(decode);
    if (!marks->run) {
        marks->first = decode->state.draws;
        marks->indices = 0;
        marks->mode = event->mode;
        marks->stream = decode->command;
        snprintf(marks->packet, sizeof marks->packet, "%s", event->name);
        snprintf(marks->primitive, sizeof marks->primitive, "%s", primitive);
    }
    marks->run++;
    marks->last = decode->state.draws;
    marks->indices += event->count;
}

/* A mark that takes effect, in an outline. */
static void outline_mark(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct marks *marks = &decode->marks;
    bool begins = marks->kind == MARK_BEGIN, shown = decode_shows(decode);
    if (!marks->begun && !(marks->begun = calloc(MARK_DEPTH_MAX, sizeof *marks->begun))) {
        decode->status = GPUCODE_ERROR_MEMORY;
        return;
    }
    struct mark_begun *begun = marks->level < MARK_DEPTH_MAX ? &marks->begun[marks->level] : NULL;
    if (begun && begins) {
        *begun = (struct mark_begun){marks->draws, event->address, decode->command, !shown, {0}};
        memcpy(begun->string, marks->string, sizeof begun->string);
    }
    if (marks->kind != MARK_END || !marks->open)
        begun = NULL;
    if (begun ? begun->waiting : !shown)
        return; /* an end is shown where its begin is */
    marks_end_run(decode);
    put_waiting(decode);
    put_mark(decode, marks->kind, marks->level, decode->command, event->address, marks->string, begun);
}

void marks_note(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct marks *marks = &decode->marks;
    marks->kind = MARK_NONE;
    if (event->opcode != OPCODE_NOP || (event->type != 7 && event->type != 3))
        return;
    marks->kind = read_mark(event, marks->string);
    if (marks->kind == MARK_NONE)
        return;
    marks->level = marks->open - (marks->kind == MARK_END && marks->open);
    marks->name = kinds[marks->kind].name;
    say(marks->kind, marks->level, marks->string, marks->says, sizeof marks->says);
    if (event->condition == GPUCODE_PACKET_SKIPPED || decode->later)
        return;
    if (decode->shown & GPUCODE_DECODE_MARKS)
        outline_mark(decode, event);
    marks->open = marks->level + (marks->kind == MARK_BEGIN);
}

void marks_reset(struct decode *decode)
{
    struct mark_begun *begun = decode->marks.begun;
    decode->marks = (struct marks){.begun = begun};
}
