/* SPDX-License-Identifier: MIT */
/* gpucode decode: the packets of a recorded stream, with names. */
#include "front/code.h"
#include "front/excerpt.h"
#include "front/json.h"
#include "front/registers.h"
#include "front/session.h"
#include "front/symbols.h"
#include "kit/pm4/recording.h"
#include <gpucode/packet.h>

#include <inttypes.h>
#include <string.h>

int command_decode(struct session *session);

struct view {
    const struct recording *recording;
    const struct gpucode_names *names;
    struct json json; /* used with --json */
    size_t submit, command;
    bool open;        /* the packet's line or object is not ended yet */
    unsigned element; /* of a repeated layout, in the open line */
    bool in_array;    /* and the array of its fields */
    bool trouble;     /* something that is no packet was found */
};

static const char *const conditions[] = {
    [GPUCODE_PACKET_ALWAYS] = NULL,
    [GPUCODE_PACKET_TAKEN] = "taken",
    [GPUCODE_PACKET_SKIPPED] = "skipped",
    [GPUCODE_PACKET_MAYBE] = "maybe",
};

static const char *trouble_text(enum gpucode_packet_event_kind kind)
{
    switch (kind) {
    case GPUCODE_PACKET_BAD_HEADER:
        return "no packet header";
    case GPUCODE_PACKET_CUT:
        return "packet longer than its buffer";
    case GPUCODE_PACKET_NO_MEMORY:
        return "memory not recorded";
    case GPUCODE_PACKET_DEEP:
        return "too many buffers inside one another";
    default:
        return NULL;
    }
}

static size_t load_recorded(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct view *view = user;
    return gpucode_stream_load(view->recording->stream, view->submit, address, bytes, size);
}

static const char *register_name(const struct view *view, uint32_t number, char name[GPUCODE_NAME_MAX])
{
    if (!gpucode_name_of(view->recording->target, view->names, GPUCODE_SPACE_GPU, number, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "0x%04" PRIx32, number);
    return name;
}

/* --- text -------------------------------------------------------------------------------------------- */

static void end_line(struct view *view)
{
    if (view->open)
        putchar('\n');
    view->open = false;
}

/* Address and indentation; what does not run is marked in front. */
static void begin_line(struct view *view, const struct gpucode_packet_event *event)
{
    static const char marks[] = {[GPUCODE_PACKET_ALWAYS] = ' ',
                                 [GPUCODE_PACKET_TAKEN] = '+',
                                 [GPUCODE_PACKET_SKIPPED] = '-',
                                 [GPUCODE_PACKET_MAYBE] = '?'};
    end_line(view);
    printf("%c %012" PRIx64 " %*s", marks[event->condition], event->address, (int)event->depth * 2 + 1, "");
}

/* Booleans stand there when they are true; each element of a repeated layout has a line of its own. */
static void print_field(struct view *view, const struct gpucode_packet_event *event)
{
    if (event->repeated && event->index != view->element)
        printf("\n%*s", (int)event->depth * 2 + 18, "");
    view->element = event->repeated ? event->index : 0;
    if (event->form == GPUCODE_PACKET_BOOLEAN) {
        if (event->value)
            printf(" %s", event->name);
        return;
    }
    printf(" %s", event->name);
    if (event->text)
        printf("=%s", event->text);
    else if (event->form == GPUCODE_PACKET_DECIMAL)
        printf("=%" PRIu64, event->value);
    else
        printf("=0x%" PRIx64, event->value);
}

static bool print_event(void *user, const struct gpucode_packet_event *event)
{
    struct view *view = user;
    char name[GPUCODE_NAME_MAX];
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        end_line(view);
        if (event->type == 4)
            break; /* the lines of its registers say all */
        begin_line(view, event);
        printf("%s", event->name);
        view->element = 0;
        view->open = true;
        break;
    case GPUCODE_PACKET_FIELD:
        print_field(view, event);
        break;
    case GPUCODE_PACKET_WRITE:
        begin_line(view, event);
        printf("%s%s = ", event->type == 7 ? "  " : "", register_name(view, event->number, name));
        if (event->known)
            printf("0x%" PRIx64 "\n", event->value);
        else
            puts("?");
        break;
    case GPUCODE_PACKET_ENTER:
        end_line(view);
        if (event->source == GPUCODE_PACKET_GROUP && event->number != GPUCODE_PACKET_NO_GROUP)
            printf("  %*sgroup %" PRIu32 ": %" PRIu32 " words at 0x%" PRIx64 "\n", (int)event->depth * 2 + 14, "",
                   event->number, event->count, event->target_address);
        else
            printf("  %*sbuffer: %" PRIu32 " words at 0x%" PRIx64 "\n", (int)event->depth * 2 + 14, "", event->count,
                   event->target_address);
        break;
    case GPUCODE_PACKET_LEAVE:
        end_line(view);
        break;
    default:
        begin_line(view, event);
        printf("*** %s: 0x%08" PRIx64 ", %" PRIu32 " words passed over\n", trouble_text(event->kind),
               event->kind == GPUCODE_PACKET_NO_MEMORY || event->kind == GPUCODE_PACKET_DEEP ? event->target_address
                                                                                             : event->value,
               event->count);
        break;
    }
    return !ferror(stdout);
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void end_object(struct view *view)
{
    if (view->in_array)
        json_end(&view->json);
    if (view->open)
        json_end(&view->json);
    view->open = view->in_array = false;
}

static void begin_object(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    end_object(view);
    json_object(json, NULL);
    json_number(json, "submit", view->submit);
    json_number(json, "stream", view->command);
    json_number(json, "address", event->address);
    json_number(json, "depth", event->depth);
    json_string(json, "condition", conditions[event->condition]);
    view->open = true;
}

static void print_packet_json(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    char word[9];
    begin_object(view, event);
    json_number(json, "type", event->type);
    if (event->type == 7) {
        json_string(json, "packet", event->name);
        json_number(json, "opcode", event->opcode);
    }
    snprintf(word, sizeof word, "%08" PRIx32, event->header);
    json_string(json, "header", word);
    json_array(json, "words");
    for (uint32_t i = 0; i < event->count; i++) {
        snprintf(word, sizeof word, "%08" PRIx32, event->words[i]);
        json_string(json, NULL, word);
    }
    json_end(json);
}

static void print_field_json(struct view *view, const struct gpucode_packet_event *event)
{
    struct json *json = &view->json;
    if (!view->in_array)
        json_array(json, "fields");
    view->in_array = true;
    json_object(json, NULL);
    json_string(json, "name", event->name);
    if (event->repeated)
        json_number(json, "index", event->index);
    json_number(json, "value", event->value);
    json_string(json, "text", event->text);
    json_end(json);
}

static bool print_event_json(void *user, const struct gpucode_packet_event *event)
{
    struct view *view = user;
    struct json *json = &view->json;
    char name[GPUCODE_NAME_MAX];
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        print_packet_json(view, event);
        return !ferror(stdout);
    case GPUCODE_PACKET_FIELD:
        print_field_json(view, event);
        return !ferror(stdout);
    case GPUCODE_PACKET_WRITE:
        begin_object(view, event);
        json_string(json, "register", register_name(view, event->number, name));
        json_number(json, "number", event->number);
        if (event->known)
            json_number(json, "value", event->value);
        break;
    case GPUCODE_PACKET_ENTER:
    case GPUCODE_PACKET_LEAVE:
        begin_object(view, event);
        json_string(json, event->kind == GPUCODE_PACKET_ENTER ? "enter" : "leave",
                    event->number == GPUCODE_PACKET_NO_GROUP ? "buffer" : "group");
        if (event->number != GPUCODE_PACKET_NO_GROUP)
            json_number(json, "group", event->number);
        json_number(json, "target_address", event->target_address);
        json_number(json, "count_words", event->count);
        break;
    default:
        begin_object(view, event);
        json_string(json, "trouble", trouble_text(event->kind));
        json_number(json, "target_address", event->target_address);
        json_number(json, "value", event->value);
        json_number(json, "count_words", event->count);
        break;
    }
    end_object(view);
    return !ferror(stdout);
}

/* --- both -------------------------------------------------------------------------------------------- */

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct view *view = user;
    if (event->condition != GPUCODE_PACKET_SKIPPED) /* what is skipped may be anything */
        view->trouble |= event->kind == GPUCODE_PACKET_BAD_HEADER || event->kind == GPUCODE_PACKET_CUT ||
                         event->kind == GPUCODE_PACKET_DEEP;
    return view->json.out ? print_event_json(user, event) : print_event(user, event);
}

static enum gpucode_status decode_submit(struct view *view, const struct gpucode_submit *submit)
{
    struct gpucode_packet_options options = {
        .target = view->recording->target,
        .names = view->names,
        .read = load_recorded,
        .event = take_event,
        .user = view,
        .fields = true,
    };
    struct gpucode_packets *packets;
    enum gpucode_status status = gpucode_packets_create(&options, &packets);
    if (status != GPUCODE_OK)
        return status;
    if (!view->json.out) {
        printf("submit %zu", view->submit);
        if (submit->text) {
            fputs(": ", stdout);
            excerpt_text(stdout, submit->text, strlen(submit->text));
        }
        putchar('\n');
    }
    for (view->command = 0; view->command < submit->command_count && status == GPUCODE_OK; view->command++) {
        const struct gpucode_stream_command *command = &submit->commands[view->command];
        if (!view->json.out)
            printf("stream %zu: %" PRIu32 " words at 0x%" PRIx64 "\n", view->command, command->words, command->address);
        status = gpucode_packets_walk(packets, command->address, command->words);
        if (view->json.out)
            end_object(view);
        else
            end_line(view);
    }
    gpucode_packets_free(packets);
    return status;
}

int command_decode(struct session *session)
{
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct recording recording;
    int code = recording_open(session, session->arguments.operands[0], &recording);
    if (code)
        return code;
    code = recording_target(session, &recording);
    if (!code)
        code = registers_load(session, recording.target, &registers);
    if (!code)
        code = symbols_load(session, recording.target, registers_names(registers), &symbols);
    struct view view = {
        .recording = &recording,
        .names = symbols_names(symbols, registers_names(registers)),
        .json = {.out = session->json ? stdout : NULL},
    };
    struct gpucode_submit submit;
    for (; !code && gpucode_stream_submit(recording.stream, view.submit, &submit); view.submit++) {
        enum gpucode_status status = decode_submit(&view, &submit);
        if (status == GPUCODE_ERROR_UNSUPPORTED)
            code = complain(&session->diagnostics, CLI_PM4_STREAM_PACKETS, recording.file.name, NULL,
                            gpucode_target_name(recording.target));
        else if (status == GPUCODE_ERROR_RANGE)
            code = complain(&session->diagnostics, CLI_PM4_STREAM_LONG, recording.file.name, NULL);
        else if (status != GPUCODE_OK)
            code = code_status(session, recording.file.name, status);
    }
    if (!code && view.trouble)
        code = EXIT_FINDINGS;
    gpucode_symbols_free(symbols);
    registers_free(registers);
    recording_close(&recording);
    return code;
}
