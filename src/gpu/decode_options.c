/* SPDX-License-Identifier: MIT */
/* gpucode decode: what its options ask for, and which of them go together. */
#include "cli_gpu_messages.h"
#include "gpu/crash.h"
#include "gpu/decode.h"
#include "gpu/recording.h"

#include "front/arguments.h"
#include "front/command.h"
#include "front/session.h"

#include <ctype.h>
#include <gpucode/stream_decode.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_pair(const char *text, uint64_t *first, uint64_t *second)
{
    return number_take(&text, first) && *text++ == ':' && number_read(text, UINT64_MAX, second);
}

/* --- options that go together ------------------------------------------------------------------------------------- */

/* Options that choose a part of what is shown. Which of them can do something depends on what is shown. */
#define PARTS(PART)                                                                                                    \
    PART(DRAWS)                                                                                                        \
    PART(SUMMARY)                                                                                                      \
    PART(ALL)                                                                                                          \
    PART(WHEN)                                                                                                         \
    PART(ONCE)                                                                                                         \
    PART(FRAME)                                                                                                        \
    PART(FROM)                                                                                                         \
    PART(TO)                                                                                                           \
    PART(MARKS)                                                                                                        \
    PART(PASSES)                                                                                                       \
    PART(EXE)                                                                                                          \
    PART(DRAW)                                                                                                         \
    PART(TEXTURES)                                                                                                     \
    PART(CONSTANTS)                                                                                                    \
    PART(BINDLESS)                                                                                                     \
    PART(VERTICES)                                                                                                     \
    PART(SHADERS)                                                                                                      \
    PART(EXTRACT_SHADERS) PART(HTML) PART(QUERY) PART(DIFF) PART(WHERE) PART(LINT) PART(MINIMISE) PART(SOURCE)         \
        PART(TIME_LINE) PART(PERFETTO)
#define NUMBER(part) NUMBER_##part,
enum { PARTS(NUMBER) };
#define PART_ID(part) OPTION_GPU_##part,
static const enum option_id parts[] = {PARTS(PART_ID)};

#define BIT(part) (1u << NUMBER_##part)
#define RANGES (BIT(ONCE) | BIT(FRAME) | BIT(FROM) | BIT(TO) | BIT(DRAW) | BIT(EXE))
#define CONTENTS (BIT(TEXTURES) | BIT(CONSTANTS) | BIT(BINDLESS) | BIT(VERTICES) | BIT(SHADERS))

/* The first of these that is given says what is shown, and what goes beside it. */
static const struct {
    unsigned given, beside;
} shown[] = {
    {BIT(DIFF), BIT(ALL) | RANGES},
    {BIT(WHERE), RANGES & ~BIT(ONCE)},
    {BIT(MINIMISE), 0},
    {BIT(SOURCE), 0},
    {BIT(LINT), RANGES & ~BIT(ONCE)},
    {BIT(PERFETTO), RANGES & ~BIT(ONCE)},
    {BIT(TIME_LINE), RANGES & ~BIT(ONCE)},
    {BIT(PASSES), BIT(QUERY) | (RANGES & ~BIT(ONCE)) | BIT(EXTRACT_SHADERS)},
    {BIT(QUERY), BIT(WHEN) | RANGES | BIT(EXTRACT_SHADERS)},
    {BIT(HTML), BIT(DRAWS) | BIT(ALL) | RANGES | BIT(EXTRACT_SHADERS) | BIT(MARKS)},
    {BIT(MARKS), BIT(DRAWS) | BIT(ALL) | RANGES | BIT(EXTRACT_SHADERS)},
};
/* What an option needs one of. */
static const struct {
    unsigned given, one_of;
} needs[] = {
    {BIT(WHEN), BIT(QUERY)},
    {BIT(PASSES), BIT(QUERY)},
    {BIT(ALL), BIT(DRAWS) | BIT(SUMMARY) | BIT(HTML) | BIT(DIFF) | CONTENTS},
};

static const char *name_of(unsigned bits)
{
    unsigned number = 0;
    while (!(bits >> number & 1))
        number++;
    return option_table[parts[number]].name;
}

static bool has_pair(const struct arguments *arguments)
{
    uint64_t first, second;
    bool pair = false;
    for (int i = 0; i < arguments->operand_count; i++)
        pair |= decode_pair(arguments->operands[i], &first, &second);
    return pair;
}

int decode_refuse(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    unsigned given = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        given |= arguments_have(arguments, parts[i]) ? 1u << i : 0;
    bool output = arguments_have(arguments, OPTION_OUTPUT), minimise = given & BIT(MINIMISE);
    if (output != minimise && !(output && given & BIT(SOURCE)))
        return complain(&session->diagnostics, CLI_GPU_OPTION_ALONE, NULL, NULL, minimise ? "minimise" : "output",
                        minimise ? "output" : "minimise");
    static const enum option_id not_of_source[] = {OPTION_JSON,       OPTION_GPU_REGISTERS, OPTION_GPU_SYMBOLS,
                                                   OPTION_GPU_SUBMIT, OPTION_GPU_FINISHED,  OPTION_GPU_WORK};
    for (size_t i = 0; given & BIT(SOURCE) && i < sizeof not_of_source / sizeof *not_of_source; i++)
        if (arguments_have(arguments, not_of_source[i]))
            return complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, option_table[not_of_source[i]].name,
                            name_of(BIT(SOURCE)));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        unsigned beside = shown[i].beside;
        if (!(given & shown[i].given))
            continue;
        if (shown[i].given == BIT(DIFF) && has_pair(arguments))
            beside = BIT(HTML);
        unsigned idle = given & ~beside & ~shown[i].given;
        if (idle)
            return complain(&session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, name_of(idle),
                            name_of(shown[i].given));
        break;
    }
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if ((given & needs[i].given) && !(given & needs[i].one_of))
            return complain(&session->diagnostics, CLI_GPU_OPTION_ALONE, NULL, NULL, name_of(needs[i].given),
                            name_of(needs[i].one_of));
    return EXIT_DONE;
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

/* N or N-M */
static int set_draws(struct session *session, struct gpucode_stream_decode_options *options)
{
    const char *text = session->arguments.value[OPTION_GPU_DRAW], *at = text;
    uint64_t last;
    if (!text)
        return EXIT_DONE;
    if (!number_take(&at, &options->draw) || (*at && *at != '-') || (*at && !number_read(at + 1, UINT64_MAX, &last)))
        return value_refuse(session, OPTION_GPU_DRAW, text, "the number of a draw, or the first and the last: 2-5");
    if (*at && last < options->draw)
        return value_refuse(session, OPTION_GPU_DRAW, text, "the last draw to be no less than the first");
    uint64_t after = *at ? last - options->draw : 0; /* draws after the first; no stream has all there can be */
    options->draw_count = after < UINT64_MAX ? after + 1 : after;
    return EXIT_DONE;
}

/* Which streams and draws are shown. */
static int set_range(struct session *session, struct gpucode_stream_decode_options *options)
{
    const struct arguments *arguments = &session->arguments;
    uint64_t last = UINT64_MAX;
    int code = value_number(session, OPTION_GPU_FROM, "the number of a stream", &options->first_stream);
    if (!code)
        code = value_number(session, OPTION_GPU_TO, "the number of a stream", &last);
    if (!code && arguments_have(arguments, OPTION_GPU_FRAME)) {
        code = value_number(session, OPTION_GPU_FRAME, "the number of a stream", &options->first_stream);
        last = options->first_stream;
    }
    if (!code && last < options->first_stream)
        code = value_refuse(session, OPTION_GPU_TO, arguments->value[OPTION_GPU_TO], "no less than --from");
    options->stream_count = last == UINT64_MAX ? 0 : last - options->first_stream + 1;
    return code ? code : set_draws(session, options);
}

static int set_queries(struct session *session, struct decoding *decoding)
{
    const struct arguments *arguments = &session->arguments;
    struct gpucode_stream_decode_options *options = &decoding->options;
    const char *when = arguments->value[OPTION_GPU_WHEN];
    unsigned count = arguments->count[OPTION_GPU_QUERY];
    options->when = !when || strcmp(when, "draws") == 0 ? GPUCODE_DECODE_AT_DRAWS
                    : strcmp(when, "writes") == 0       ? GPUCODE_DECODE_AT_WRITES
                                                        : GPUCODE_DECODE_AT_CHANGES;
    options->queries = decoding->queries = calloc(count, sizeof *decoding->queries);
    options->answered = decoding->answered = calloc(count, sizeof *decoding->answered);
    if (!decoding->queries || !decoding->answered)
        return out_of_memory(&session->diagnostics);
    for (; options->query_count < count; options->query_count++) {
        const char *text = arguments_value_at(arguments, OPTION_GPU_QUERY, (unsigned)options->query_count);
        if (!strcspn(text, "=") || strcspn(text, "=") >= GPUCODE_NAME_MAX)
            return value_refuse(session, OPTION_GPU_QUERY, text, "NAME or NAME=VALUE");
        decoding->queries[options->query_count] = text;
    }
    return EXIT_DONE;
}

static bool take_shader(void *user, const uint32_t *words, size_t count)
{
    struct decoding *decoding = user;
    decoding->shaders++;
    decoding->outputs.diagnostics = &decoding->session->diagnostics;
    if (decoding->prefix) {
        unsigned char *bytes = recording_bytes(words, count);
        decoding->code = bytes ? outputs_add_numbered(&decoding->outputs, decoding->prefix, decoding->shaders, "bin",
                                                      bytes, 4 * count)
                               : out_of_memory(&decoding->session->diagnostics);
        free(bytes);
    }
    return !decoding->code;
}

static bool take_submit(void *user, size_t submit, size_t count)
{
    struct decoding *decoding = user;
    progress_show(&decoding->progress, decoding->recording.file.name, (int)submit, (int)count);
    return !ferror(stdout);
}

void decode_extraction(struct decoding *decoding, const char *prefix)
{
    struct gpucode_stream_decode_options *options = &decoding->options;
    options->shown = GPUCODE_DECODE_SHADER_LIST | (prefix ? 0 : GPUCODE_DECODE_SHADER_CODE);
    options->shader = take_shader;
    options->progress = take_submit;
    options->user = decoding;
    decoding->prefix = prefix;
}

int decode_options(struct session *session, struct decoding *decoding)
{
    static const struct {
        unsigned option, shown;
    } bits[] = {
        {OPTION_GPU_ALL, GPUCODE_DECODE_ALL},
        {OPTION_GPU_ONCE, GPUCODE_DECODE_ONCE},
        {OPTION_GPU_DRAW, GPUCODE_DECODE_ONE_DRAW},
        {OPTION_GPU_TEXTURES, GPUCODE_DECODE_TEXTURES},
        {OPTION_GPU_CONSTANTS, GPUCODE_DECODE_CONSTANTS},
        {OPTION_GPU_SHADERS, GPUCODE_DECODE_SHADERS},
        {OPTION_GPU_BINDLESS, GPUCODE_DECODE_BINDLESS | GPUCODE_DECODE_TEXTURES},
        {OPTION_GPU_VERTICES, GPUCODE_DECODE_VERTICES},
        {OPTION_GPU_DRAWS, GPUCODE_DECODE_DRAWS},
        {OPTION_GPU_MARKS, GPUCODE_DECODE_MARKS},
        {OPTION_GPU_PASSES, GPUCODE_DECODE_PASSES},
        {OPTION_GPU_SUMMARY, GPUCODE_DECODE_DRAWS},
        {OPTION_GPU_EXTRACT_SHADERS, GPUCODE_DECODE_SHADER_LIST},
        {OPTION_GPU_HTML, GPUCODE_DECODE_DRAWS | GPUCODE_DECODE_SUBMITS},
    };
    /* any of these: packets or draws are shown beside the list of shaders */
    static const unsigned beside[] = {OPTION_GPU_SUMMARY,  OPTION_GPU_TEXTURES, OPTION_GPU_CONSTANTS,
                                      OPTION_GPU_BINDLESS, OPTION_GPU_VERTICES, OPTION_GPU_SHADERS};
    const struct arguments *arguments = &session->arguments;
    struct gpucode_stream_decode_options *options = &decoding->options;
    bool page = arguments_have(arguments, OPTION_GPU_HTML), query = arguments_have(arguments, OPTION_GPU_QUERY);
    bool summary = arguments_have(arguments, OPTION_GPU_SUMMARY);
    bool extract = arguments_have(arguments, OPTION_GPU_EXTRACT_SHADERS), packets = !extract;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        packets |= arguments_have(arguments, beside[i]);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        options->shown |= arguments_have(arguments, bits[i].option) ? bits[i].shown : 0;
    if (packets && !page && !query && !arguments_have(arguments, OPTION_GPU_DRAWS) &&
        !arguments_have(arguments, OPTION_GPU_MARKS))
        options->shown |= GPUCODE_DECODE_PACKETS | (summary ? 0 : GPUCODE_DECODE_WRITES);
    options->shader = extract ? take_shader : NULL;
    decoding->prefix = arguments->value[OPTION_GPU_EXTRACT_SHADERS];
    options->progress = take_submit;
    options->user = decoding;
    int code = set_range(session, options);
    options->process = arguments->value[OPTION_GPU_EXE];
    /* a submit that is named is shown, and of a dump all that hung */
    options->applications = !arguments_have(arguments, OPTION_GPU_FRAME) &&
                            !arguments_have(arguments, OPTION_GPU_SUBMIT) && !decoding->recording.made;
    return !code && query ? set_queries(session, decoding) : code;
}

/* --- what is not there -------------------------------------------------------------------------------------------- */

enum { NEAR_MAX = 3 };

struct near {
    struct spelling spelling;
    char found[NEAR_MAX][128];
    unsigned count;
};

static void offer(void *user, const char *name)
{
    struct near *near = user;
    for (unsigned i = 0; i < near->count; i++)
        if (strcmp(near->found[i], name) == 0)
            return;
    spelling_offer(&near->spelling, name);
}

/* "did you mean A, B or C?"; of a name with stars, without these. Names are in capitals, as a rule. */
static void tell_near(const struct gpucode_stream_decode_options *options, const char *query, char *hint, size_t size)
{
    char wanted[GPUCODE_NAME_MAX] = "";
    struct near near = {.count = 0};
    size_t length = 0;
    for (; query[length] && query[length] != '='; length++)
        wanted[length] = (char)toupper((unsigned char)query[length]);
    if (gpucode_stream_decode_knows(options, wanted)) {
        snprintf(hint, size, "did you mean %s?", wanted);
        return;
    }
    for (length = 0; *query && *query != '='; query++)
        if (*query != '*')
            wanted[length++] = *query;
    wanted[length] = 0;
    for (; near.count < NEAR_MAX; near.count++) {
        near.spelling = spelling_begin(wanted);
        gpucode_stream_decode_names(options, strchr(wanted, '.') != NULL, offer, &near);
        if (!near.spelling.best[0])
            break;
        memcpy(near.found[near.count], near.spelling.best, sizeof near.found[0]);
    }
    *hint = 0;
    for (unsigned i = 0; i < near.count; i++) {
        size_t used = strlen(hint);
        snprintf(hint + used, size - used, "%s%s",
                 !i                   ? "did you mean "
                 : i + 1 < near.count ? ", "
                                      : " or ",
                 near.found[i]);
    }
    if (near.count)
        snprintf(hint + strlen(hint), size - strlen(hint), "?");
}

/* Complains of each query that nothing has answered. */
static int check_queries(struct session *session, const struct decoding *decoding)
{
    const struct gpucode_stream_decode_options *options = &decoding->options;
    int code = EXIT_DONE;
    char hint[512];
    for (size_t i = 0; i < options->query_count; i++) {
        const char *query = options->queries[i];
        if (options->answered[i])
            continue;
        if (!gpucode_stream_decode_knows(options, query))
            tell_near(options, query, hint, sizeof hint);
        else
            snprintf(hint, sizeof hint, "the name is known, and nothing has it%s%s",
                     strchr(query, '=') ? " with that value" : "",
                     options->when == GPUCODE_DECODE_AT_WRITES ? "" : " at a draw; --when writes asks at each write");
        code = complain(&session->diagnostics, CLI_GPU_NO_ANSWER, decoding->recording.file.name, *hint ? hint : NULL,
                        query);
    }
    return code;
}

int decode_check(struct session *session, const struct decoding *decoding)
{
    const struct gpucode_stream_decode_options *options = &decoding->options;
    const struct gpucode_stream_decoded *decoded = &decoding->decoded;
    bool draw = (options->shown & GPUCODE_DECODE_ONE_DRAW) && options->draw >= decoded->draws;
    char number[24];
    if (options->process && decoded->submits && decoded->left_out == decoded->submits)
        return complain(&session->diagnostics, CLI_GPU_NO_PROCESS, decoding->recording.file.name, NULL,
                        options->process);
    if (!draw && (!options->first_stream || options->first_stream < decoded->streams))
        return check_queries(session, decoding);
    snprintf(number, sizeof number, "%" PRIu64, draw ? options->draw : options->first_stream);
    return complain(&session->diagnostics, CLI_GPU_NO_PART, decoding->recording.file.name, NULL,
                    draw ? "draw" : "command stream", number, (size_t)(draw ? decoded->draws : decoded->streams),
                    draw ? "draws" : "command streams");
}

/* What decode shows of a crash dump's work, and the dump's name in the commands that are to be typed next. */

char *crash_quoted(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    const char *name = strcmp(path, "-") == 0 ? "DUMP" : path;
    char *quoted = malloc(4 * strlen(name) + 3), *to = quoted;
    if (!quoted || (*name && !name[strspn(name, plain)]))
        return quoted ? strcpy(quoted, name) : NULL;
    *to++ = '\'';
    for (; *name; name++) {
        bool quote = *name == '\'';
        memcpy(to, quote ? "'\\''" : name, quote ? 4 : 1);
        to += quote ? 4 : 1;
    }
    strcpy(to, "'");
    return quoted;
}

/* Work that had finished is left out, unless it is asked for or a part is named. */
int decode_set_work(struct session *session, struct recording *recording, struct gpucode_stream_decode_options *options)
{
    static const struct value_word states[] = {{"finished", GPUCODE_DECODE_FINISHED},
                                               {"running", GPUCODE_DECODE_RUNNING},
                                               {"pending", GPUCODE_DECODE_PENDING},
                                               {NULL, 0}};
    static const enum option_id named[] = {OPTION_GPU_FRAME, OPTION_GPU_FROM, OPTION_GPU_TO, OPTION_GPU_SUBMIT,
                                           OPTION_GPU_DRAW};
    const struct arguments *arguments = &session->arguments;
    bool finished = arguments_have(arguments, OPTION_GPU_FINISHED), work = arguments_have(arguments, OPTION_GPU_WORK);
    unsigned wanted = GPUCODE_DECODE_RUNNING | GPUCODE_DECODE_PENDING;
    if (!recording->made && (finished || work))
        return complain(&session->diagnostics, CLI_GPU_NO_WORK, recording->file.name, NULL,
                        finished ? "finished" : "work");
    int code = value_number(session, OPTION_GPU_SUBMIT, "the number of a submit", &options->first_submit);
    options->submit_count = arguments_have(arguments, OPTION_GPU_SUBMIT);
    if (!code && work)
        code = value_trace(session, OPTION_GPU_WORK, states, 0, &wanted);
    if (code || !recording->made)
        return code;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        finished |= !work && arguments_have(arguments, named[i]);
    options->shown |= wanted | (finished ? GPUCODE_DECODE_FINISHED : 0);
    options->dump = recording->quoted = crash_quoted(recording->file.name);
    return options->dump ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

int decode_check_submit(struct session *session, const struct recording *recording,
                        const struct gpucode_stream_decode_options *options,
                        const struct gpucode_stream_decoded *decoded)
{
    if (!options->submit_count || options->first_submit < decoded->submits)
        return EXIT_DONE;
    return recording_lacks_submit(session, recording, options->first_submit, (size_t)decoded->submits);
}
