/* SPDX-License-Identifier: MIT */
/*
 * Packets, register writes and draws as records of an answer. There may be millions: what neither text nor JSON asks
 * for is not made.
 */
#include "base/text.h"
#include "pm4/stream/decode.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "pm4/stream/decode.answer.def"
#include <gpucode/answer_rows.h>

const struct gpucode_answer_field *const decode_fields = fields;

const struct gpucode_answer_table *gpucode_stream_decode_answer_table(void)
{
    static const struct gpucode_answer_table table = {"decode", "A line of `gpucode decode --json`.", fields,
                                                      sizeof fields / sizeof *fields};
    return &table;
}

/* Commands whose record text does not show: they write nothing, and the writes are not shown. */
static const struct gpucode_answer_field command_of_data = {.kind = GPUCODE_ANSWER_OBJECT, .unit = ""};
const struct gpucode_answer_field decode_flag = {.key = "value", .kind = GPUCODE_ANSWER_COUNT, .unit = ""};

/* --- parts of records --------------------------------------------------------------------------------------------- */

void decode_end_record(struct decode *decode)
{
    if (decode->in_fields)
        gpucode_answer_end(decode->answer);
    if (decode->open)
        gpucode_answer_end(decode->answer);
    decode->open = decode->in_fields = false;
}

void decode_put_stream(struct decode *decode)
{
    const uint64_t numbers[] = {decode->submit, decode->command, decode->number};
    gpucode_answer_numbers(decode->answer, &fields[COMMAND_SUBMIT], numbers, 3);
}

/* Twelve digits, or as many as there are. */
static char *put_address(char *to, uint64_t address)
{
    to = address >> 48 ? text_hex(to, address >> 32) : text_hex_fixed(to, address >> 32, 4);
    text_put_eight(to, text_hex_digits((uint32_t)address));
    return to + 8;
}

static const struct {
    const char *word;
    char mark;
} conditions[] = {
    [GPUCODE_PACKET_ALWAYS] = {NULL, ' '},
    [GPUCODE_PACKET_TAKEN] = {"taken", '+'},
    [GPUCODE_PACKET_SKIPPED] = {"skipped", '-'},
    [GPUCODE_PACKET_MAYBE] = {"maybe", '?'},
};

/*
 * What lines of text begin with: the mark of the condition, or of the packet in hand, the address, and spaces, 32 at
 * most.
 */
static char *put_margin(char *to, const struct gpucode_packet_event *event, bool in_hand, unsigned spaces)
{
    *to++ = in_hand ? '=' : conditions[event->condition].mark;
    *to++ = in_hand ? '>' : ' ';
    if (in_hand)
        *to++ = ' ';
    to = put_address(to, event->address);
    for (unsigned i = 0; i < spaces && i < 32; i++)
        *to++ = ' ';
    return to;
}

/* What all records of a stream begin with; with no spaces the line of text begins otherwise. */
static void put_standing(struct decode *decode, const struct gpucode_packet_event *event, unsigned spaces)
{
    struct gpucode_answer *answer = decode->answer;
    bool in_hand = work_in_hand(decode);
    char shown[64], *end = shown;
    if (decode->text && spaces)
        *(end = put_margin(shown, event, in_hand, spaces)) = 0;
    if (decode->data)
        decode_put_stream(decode);
    gpucode_answer_shown(answer, &fields[spaces ? COMMAND_ADDRESS : REGISTERS_ADDRESS], event->address,
                         end > shown ? shown : NULL);
    if (!decode->data)
        return;
    gpucode_answer_number(answer, &fields[COMMAND_DEPTH], event->depth);
    gpucode_answer_text(answer, &fields[COMMAND_CONDITION], conditions[event->condition].word);
    if (in_hand)
        gpucode_answer_flag(answer, &fields[COMMAND_CURRENT], true);
}

void decode_put_buffer(struct decode *decode, uint64_t address, unsigned buffer_field, unsigned offset_field)
{
    struct gpucode_stream_buffer buffer;
    char shown[56];
    if (!decode_buffer(decode, address, &buffer))
        return;
    uint64_t offset = address - buffer.address;
    char *end = text_hex(TEXT_LITERAL(shown, "(0x"), buffer.address);
    *TEXT_LITERAL(text_hex(TEXT_LITERAL(end, "+0x"), offset), ")") = 0;
    gpucode_answer_shown(decode->answer, &fields[buffer_field], buffer.address, shown);
    gpucode_answer_number(decode->answer, &fields[offset_field], offset);
}

/* Rows of REGISTER_VALUE, from its value on: those of all records are alike but for the text in front of it. */
static void put_value(struct decode *decode, unsigned value_field, uint32_t number, uint64_t value, uint64_t unknown)
{
    struct gpucode_answer *answer = decode->answer;
    const struct decode_number *kept = decode_number(decode, number);
    struct gpucode_field_value list[GPUCODE_FIELD_VALUES_MAX];
    char text[DECODE_TEXT_MAX];
    gpucode_answer_shown(answer, &fields[value_field], value,
                         decode->text ? decode_value(decode, number, value, text) : NULL);
    if (unknown)
        gpucode_answer_shown(answer, &fields[WRITE_BITS], unknown, decode_bits(unknown, text));
    size_t count = decode->data ? gpucode_meanings_fields(decode->options->meanings, decode->family, number, value,
                                                          list, GPUCODE_FIELD_VALUES_MAX)
                                : 0;
    if (count == 1 && list[0].name[0] == '-' && !list[0].name[1])
        gpucode_answer_text(answer, &fields[WRITE_TEXT], list[0].text);
    if (kept && kept->address)
        decode_put_buffer(decode, value, WRITE_BUFFER, WRITE_OFFSET);
    if (!decode->data)
        return;
    gpucode_answer_begin(answer, &fields[WRITE_FIELDS]);
    for (size_t i = 0; i < count; i++) {
        gpucode_answer_begin(answer, &fields[WRITE_FIELD]);
        gpucode_answer_text(answer, &fields[WRITE_FIELD_NAME], list[i].name);
        gpucode_answer_number(answer, &fields[WRITE_FIELD_VALUE], list[i].value);
        gpucode_answer_text(answer, &fields[WRITE_FIELD_TEXT], list[i].text);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/*
 * A register's line of text at once, where nothing but text is made: nearly all lines of a listing are these, and the
 * rows of WRITE and ENTRY, which say the same, take twice as long. Up to `end` the line is there.
 */
static void put_line(struct decode *decode, char *line, char *end, uint32_t number, uint64_t value, uint64_t unknown,
                     const char *after, size_t after_length)
{
    const struct decode_number *kept = decode_number(decode, number);
    struct gpucode_stream_buffer buffer;
    char room[GPUCODE_NAME_MAX];
    size_t length;
    const char *name = decode_name(decode, number, &length, room);
    end = TEXT_LITERAL(text_put_name(end, name, length), " = ");
    if (~(uint32_t)unknown) {
        size_t size =
            gpucode_meanings_text(decode->options->meanings, decode->family, number, value, end, DECODE_TEXT_MAX);
        end += size < DECODE_TEXT_MAX ? size : DECODE_TEXT_MAX - 1;
        if (unknown)
            end = TEXT_LITERAL(text_hex(TEXT_LITERAL(end, " (bits 0x"), unknown), " unknown)");
    } else {
        *end++ = '?';
    }
    if (!unknown && kept && kept->address && decode_buffer(decode, value, &buffer)) {
        end = text_hex(TEXT_LITERAL(end, " (0x"), buffer.address);
        end = TEXT_LITERAL(text_hex(TEXT_LITERAL(end, "+0x"), value - buffer.address), ")");
    }
    end = text_put(end, after, after_length);
    gpucode_answer_bytes(decode->answer, &fields[LINE], line, (size_t)(end - line));
}

/* --- lines of text between records -------------------------------------------------------------------------------- */

void decode_put_submit(struct decode *decode, const struct gpucode_submit *submit)
{
    if (!decode->text)
        return;
    gpucode_answer_number(decode->answer, &fields[SUBMIT_BEGINS], decode->submit);
    gpucode_answer_text(decode->answer, &fields[SUBMIT_IS], submit->text);
    gpucode_answer_text(decode->answer, &fields[SUBMIT_LINE], "");
}

void decode_put_command(struct decode *decode, const struct gpucode_stream_command *command)
{
    if (decode->text)
        gpucode_answer_format(decode->answer, &fields[STREAM_LINE], "stream %zu: %" PRIu32 " words at 0x%" PRIx64,
                              decode->command, command->words, command->address);
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

static void put_words(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_answer *answer = decode->answer;
    gpucode_answer_number(answer, &fields[COMMAND_HEADER], event->header);
    gpucode_answer_begin(answer, &fields[COMMAND_WORDS]);
    for (uint32_t i = 0; i < event->count; i++)
        gpucode_answer_number(answer, &fields[COMMAND_WORD], event->words[i]);
    gpucode_answer_end(answer);
}

/* Of a CP_NOP that is a debug mark. */
static void put_mark(struct decode *decode)
{
    const struct marks *marks = &decode->marks;
    if (decode->data) {
        gpucode_answer_text(decode->answer, &fields[COMMAND_MARK], marks->name);
        gpucode_answer_number(decode->answer, &fields[COMMAND_LEVEL], marks->level);
        gpucode_answer_text(decode->answer, &fields[COMMAND_STRING], marks->string);
    }
    gpucode_answer_text(decode->answer, &fields[COMMAND_SAYS], marks->says);
}

/* A packet that is a command stays open, as its fields come next. */
static void put_packet(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_answer *answer = decode->answer;
    bool command = event->type == 7 || event->type == 3, writes = decode->shown & GPUCODE_DECODE_WRITES;
    decode_end_record(decode);
    if (!command && !decode->data && work_in_hand(decode)) { /* the lines of its registers have other addresses */
        char line[80];
        *TEXT_LITERAL(put_margin(line, event, true, event->depth * 2 + 2), "a write of registers:") = 0;
        gpucode_answer_text(answer, &fields[LINE], line);
    }
    if (!command && (!writes || !decode->data))
        return; /* the records of its registers say all */
    if (!command) {
        gpucode_answer_begin(answer, &fields[REGISTERS]);
        put_standing(decode, event, 0);
        gpucode_answer_number(answer, &fields[COMMAND_TYPE], event->type);
        put_words(decode, event);
        gpucode_answer_end(answer);
        return;
    }
    bool mark = decode->marks.kind != MARK_NONE;
    bool wide = writes || mark || strcmp(event->name, "CP_NOP") != 0;
    if (!wide && !decode->data)
        return;
    gpucode_answer_begin(answer, wide ? &fields[COMMAND] : &command_of_data);
    put_standing(decode, event, event->depth * 2 + 2);
    if (decode->data)
        gpucode_answer_number(answer, &fields[COMMAND_TYPE], event->type);
    gpucode_answer_text(answer, &fields[COMMAND_NAME], event->name);
    if (decode->data) {
        gpucode_answer_number(answer, &fields[COMMAND_OPCODE], event->opcode);
        put_words(decode, event);
    }
    if (mark)
        put_mark(decode);
    decode->element = 0;
    decode->open = true;
}

/* Each element of a repeated layout has a line of its own in text. */
static void put_field(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_answer *answer = decode->answer;
    char line[48];
    if (!decode->open)
        return;
    if (!decode->in_fields)
        gpucode_answer_begin(answer, &fields[COMMAND_FIELDS]);
    decode->in_fields = true;
    gpucode_answer_begin(answer, &fields[COMMAND_FIELD]);
    if (decode->text && event->repeated && event->index != decode->element) {
        snprintf(line, sizeof line, "\n%*s", (int)event->depth * 2 + 18, "");
        gpucode_answer_text(answer, &fields[FIELD_LINE], line);
    }
    decode->element = event->repeated ? event->index : 0;
    gpucode_answer_text(answer, &fields[FIELD_NAME], event->name);
    if (event->repeated)
        gpucode_answer_number(answer, &fields[FIELD_INDEX], event->index);
    gpucode_answer_shown(answer, event->form == GPUCODE_PACKET_BOOLEAN ? &decode_flag : &fields[FIELD_VALUE],
                         event->value, event->register_name ? event->register_name : event->text);
    if (decode->data) {
        gpucode_answer_text(answer, &fields[FIELD_TEXT], event->text);
        gpucode_answer_text(answer, &fields[FIELD_REGISTER], event->register_name);
    }
    if (event->form == GPUCODE_PACKET_ADDRESS)
        decode_put_buffer(decode, event->value, FIELD_BUFFER, FIELD_OFFSET);
    gpucode_answer_end(answer);
}

/* The beginning and end of a buffer or group. */
static void put_entered(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_answer *answer = decode->answer;
    bool enter = event->kind == GPUCODE_PACKET_ENTER, group = event->number != GPUCODE_PACKET_NO_GROUP;
    decode_end_record(decode);
    if (!enter && !decode->data)
        return;
    gpucode_answer_begin(answer, &fields[enter ? ENTER : LEAVE]);
    put_standing(decode, event, 0);
    gpucode_answer_text(answer, &fields[enter ? ENTER_WHAT : LEAVE_WHAT], group ? "group" : "buffer");
    if (group)
        gpucode_answer_number(answer, &fields[ENTER_GROUP], event->number);
    gpucode_answer_number(answer, &fields[ENTER_TARGET], event->target_address);
    gpucode_answer_number(answer, &fields[ENTER_COUNT], event->count);
    if (event->later)
        gpucode_answer_flag(answer, &fields[ENTER_LATER], true);
    if (enter && decode->text) {
        char what[40] = "buffer";
        if (event->source == GPUCODE_PACKET_GROUP && group)
            snprintf(what, sizeof what, "group %" PRIu32, event->number);
        else if (event->later)
            snprintf(what, sizeof what, "buffer for a switch of contexts");
        gpucode_answer_format(answer, &fields[ENTER_SHOWN], "%*s%s: %" PRIu32 " words at 0x%" PRIx64,
                              (int)event->depth * 2 + 16, "", what, event->count, event->target_address);
    }
    gpucode_answer_end(answer);
}

const char *decode_trouble(const struct decode *decode, const struct gpucode_packet_event *event)
{
    switch (event->kind) {
    case GPUCODE_PACKET_BAD_HEADER:
        return "no packet header";
    case GPUCODE_PACKET_CUT:
        return "packet longer than its buffer";
    case GPUCODE_PACKET_NO_MEMORY:
        return gpucode_stream_reused(decode->stream, decode->submit, event->target_address) ? "used again since"
                                                                                            : "memory not recorded";
    default:
        return "too many buffers inside one another";
    }
}

static void put_trouble(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_answer *answer = decode->answer;
    bool elsewhere = event->kind == GPUCODE_PACKET_NO_MEMORY || event->kind == GPUCODE_PACKET_DEEP;
    char shown[24];
    decode_end_record(decode);
    gpucode_answer_begin(answer, &fields[TROUBLE]);
    put_standing(decode, event, event->depth * 2 + 2);
    gpucode_answer_text(answer, &fields[TROUBLE_WHAT], decode_trouble(decode, event));
    gpucode_answer_number(answer, &fields[TROUBLE_TARGET], event->target_address);
    snprintf(shown, sizeof shown, "0x%08" PRIx64, elsewhere ? event->target_address : event->value);
    gpucode_answer_shown(answer, &fields[TROUBLE_VALUE], event->value, shown);
    gpucode_answer_number(answer, &fields[TROUBLE_COUNT], event->count);
    gpucode_answer_end(answer);
}

void decode_put_event(struct decode *decode, const struct gpucode_packet_event *event)
{
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        put_packet(decode, event);
        break;
    case GPUCODE_PACKET_FIELD:
        put_field(decode, event);
        break;
    case GPUCODE_PACKET_ENTER:
    case GPUCODE_PACKET_LEAVE:
        put_entered(decode, event);
        break;
    default:
        put_trouble(decode, event);
        break;
    }
}

void decode_put_write(struct decode *decode, const struct decode_write *write)
{
    struct gpucode_answer *answer = decode->answer;
    const struct gpucode_packet_event *event = &write->event;
    unsigned spaces = event->depth * 2 + (event->type == 7 || event->type == 3 ? 4 : 2);
    char room[GPUCODE_NAME_MAX], line[DECODE_TEXT_MAX + 256];
    size_t length;
    decode_end_record(decode);
    if (!decode->data) {
        char *end = put_margin(line, event, work_in_hand(decode), spaces);
        put_line(decode, line, end, event->number, write->value, event->unknown, "", 0);
        return;
    }
    gpucode_answer_begin(answer, &fields[WRITE]);
    put_standing(decode, event, spaces);
    const char *name = decode_name(decode, event->number, &length, room);
    gpucode_answer_bytes(answer, &fields[WRITE_NAME], name, length);
    gpucode_answer_number(answer, &fields[WRITE_NUMBER], event->number);
    if (write->words == 2)
        gpucode_answer_number(answer, &fields[WRITE_WORDS], 2);
    if (event->known || ~event->unknown)
        put_value(decode, WRITE_VALUE, event->number, write->value, event->unknown);
    else
        gpucode_answer_text(answer, &fields[WRITE_UNKNOWN], "?");
    gpucode_answer_end(answer);
}

/* --- draws -------------------------------------------------------------------------------------------------------- */

static void put_entry(void *user, const struct state_entry *entry)
{
    struct decode *decode = user;
    struct gpucode_answer *answer = decode->answer;
    const char marks[] = {entry->changed ? '!' : ' ', ' ', entry->rewritten ? '+' : ' ', ' '};
    char room[GPUCODE_NAME_MAX], line[DECODE_TEXT_MAX + 256], at[56],
        *end = put_address(TEXT_LITERAL(at, "  ; "), entry->address);
    size_t length;
    if (entry->group != STATE_NO_GROUP)
        end = text_decimal(TEXT_LITERAL(end, " group "), entry->group);
    if (!decode->data && !gpucode_answer_has(answer, GPUCODE_ANSWER_AS_HTML)) {
        put_line(decode, line, text_put(line, marks, sizeof marks), entry->number, entry->value, entry->unknown, at,
                 (size_t)(end - at));
        return;
    }
    gpucode_answer_begin(answer, &fields[ENTRY]);
    gpucode_answer_bytes(answer, &fields[ENTRY_MARKS], marks, sizeof marks);
    const char *name = decode_name(decode, entry->number, &length, room);
    gpucode_answer_bytes(answer, &fields[ENTRY_NAME], name, length);
    gpucode_answer_number(answer, &fields[ENTRY_NUMBER], entry->number);
    gpucode_answer_flag(answer, &fields[ENTRY_CHANGED], entry->changed);
    gpucode_answer_flag(answer, &fields[ENTRY_REWRITTEN], entry->rewritten);
    gpucode_answer_number(answer, &fields[ENTRY_ADDRESS], entry->address);
    if (entry->group != STATE_NO_GROUP)
        gpucode_answer_number(answer, &fields[ENTRY_GROUP], entry->group);
    if (entry->known || ~(uint32_t)entry->unknown)
        put_value(decode, ENTRY_VALUE, entry->number, entry->value, entry->unknown);
    else
        gpucode_answer_text(answer, &fields[ENTRY_UNKNOWN], "?");
    gpucode_answer_bytes(answer, &fields[ENTRY_AT], at + 4, (size_t)(end - at - 4));
    gpucode_answer_end(answer);
}

void decode_put_draw(struct decode *decode, const struct gpucode_packet_event *event)
{
    struct gpucode_answer *answer = decode->answer;
    decode_end_record(decode);
    bool in_hand = decode->place.is_draw && decode->place.draw == decode->state.draws;
    decode->place.here = in_hand && !(decode->shown & GPUCODE_DECODE_PACKETS);
    gpucode_answer_begin(answer, &fields[DRAW]);
    put_standing(decode, event, 0); /* where it is comes last in its line */
    gpucode_answer_text(answer, &fields[DRAW_MARK], in_hand ? "=> " : NULL);
    gpucode_answer_number(answer, &fields[DRAW_NUMBER], decode->state.draws);
    gpucode_answer_text(answer, &fields[DRAW_PACKET], event->name);
    gpucode_answer_text(answer, &fields[DRAW_PRIMITIVE], event->text);
    gpucode_answer_number(answer, &fields[DRAW_COUNT], event->count);
    if (event->count)
        gpucode_answer_number(answer, &fields[DRAW_INDICES], event->count);
    gpucode_answer_text(answer, &fields[DRAW_MODE], decode_mode(event->mode));
    gpucode_answer_format(answer, &fields[DRAW_AT], "submit %zu stream %zu at %012" PRIx64 "%s", decode->submit,
                          decode->command, event->address,
                          event->condition == GPUCODE_PACKET_MAYBE ? ", if its condition holds" : "");
    gpucode_answer_begin(answer, &fields[DRAW_REGISTERS]);
    state_visit(&decode->state, decode->shown & GPUCODE_DECODE_ALL, put_entry, decode);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}
