/* SPDX-License-Identifier: MIT */
/*
 * Inputs as text: commands of the debugger, `set NAME = VALUE`, `set *ADDRESS = VALUE`, `stepi COUNT`; so the text of a
 * finding is what brings the debugger there. What the debugger cannot say stands in comments: `#texture VALUE...`.
 */
#include "kit/fuzz_state.h"

#include "front/arguments.h"
#include "front/file.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- writing ----------------------------------------------------------------------------------------------------- */

/* A register by its name, by its address where it has one, or as NUMBER of its kind. */
static void write_register(const struct state *state, const struct fuzz_state_kind *kind, const uint32_t *words,
                           FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_space_info info;
    uint32_t number = state_number(kind, words[0]);
    if (gpucode_machine_space(state->machine, kind->space, &info) && info.addressed)
        fprintf(out, "set *0x%x", (unsigned)number);
    else if (gpucode_machine_name(state->machine, kind->space, number, name, sizeof name))
        fprintf(out, "set %s", name);
    else
        fprintf(out, "set %s%u", kind->name, (unsigned)number);
    fprintf(out, " = 0x%x\n", (unsigned)(words[1] & (kind->mask ? kind->mask : UINT32_MAX)));
}

static void write_record(const struct state *state, const struct gpucode_fuzz_record *record, FILE *out)
{
    const uint32_t *words = record->words;
    if (record->kind < state->own) {
        write_register(state, &state->set->kinds[record->kind], words, out);
        return;
    }
    switch (record->kind - state->own) {
    case STATE_MEMORY:
        for (unsigned i = 1; i < record->count; i++)
            fprintf(out, "set *0x%" PRIx64 " = 0x%x\n", state_address(state, words[0]) + 4 * (uint64_t)(i - 1),
                    (unsigned)words[i]);
        return;
    case STATE_STEPS:
        if (record->count)
            fprintf(out, "stepi %u\n", (unsigned)(1 + words[0] % STATE_STEPS_MAX));
        return;
    case STATE_FEED:
        fputs(state->set->feeds, out);
        for (unsigned i = 0; i < record->count; i++)
            fprintf(out, "%s0x%x", i ? "," : " ", (unsigned)words[i]);
        fputc('\n', out);
        return;
    default:
        fputs("#texture", out);
        for (unsigned i = 0; i < 4; i++)
            fprintf(out, " 0x%x", i < record->count ? (unsigned)words[i] : 0u);
        fputc('\n', out);
        return;
    }
}

/* The finding, and two command lines that show it again. */
static void write_how(const struct state *state, const struct kit_fuzz_files *files, FILE *out)
{
    const char *name = state->input->file.name, *set = gpucode_target_isa(state->input->target);
    fprintf(out, "# %s\n", files->outcome->text);
    kit_fuzz_write_word("# gpucode fuzz ", name, out);
    kit_fuzz_write_word(" --try ", files->text, out);
    kit_fuzz_write_options(state->session, set, COMMAND_fuzz, NULL, out);
    kit_fuzz_write_word("\n# gpucode debug ", name, out);
    kit_fuzz_write_word(" -x ", files->text, out);
    kit_fuzz_write_options(state->session, set, COMMAND_debug, NULL, out);
    fprintf(out, "%s\n", state->set->options && !state->other ? state->set->options : "");
}

#define ENDLESS_STEPS (4u * STATE_STEPS_MAX)

/*
 * What brings the debugger to the end of the run, which for what is forbidden is in the middle of the code. Where there
 * is not an end, to where it goes round.
 */
static void write_end(struct state *state, const struct gpucode_fuzz_record *records, size_t count, FILE *out)
{
    state_run(state, records, count);
    bool endless = !*state->broken.key && state->stop.reason == GPUCODE_STOP_LIMIT;
    if (!*state->broken.key && !endless) {
        fputs("continue\n", out);
        return;
    }
    uint64_t left = gpucode_machine_count(state->machine);
    gpucode_machine_restore(state->machine, state->start);
    left -= gpucode_machine_count(state->machine);
    if (endless && left > ENDLESS_STEPS)
        left = ENDLESS_STEPS;
    for (size_t i = 0; i < count; i++)
        if (records[i].kind == state->own + STATE_STEPS && records[i].count) {
            uint64_t steps = 1 + records[i].words[0] % STATE_STEPS_MAX;
            left -= steps < left ? steps : left;
        }
    for (uint64_t part; left; left -= part) {
        part = left < STATE_STEPS_MAX ? left : STATE_STEPS_MAX;
        fprintf(out, "stepi %" PRIu64 "\n", part);
    }
}

void fuzz_state_write(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                      const struct kit_fuzz_files *files, FILE *out)
{
    const struct state *state = subject->user;
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    size_t count = gpucode_fuzz_read(subject->kind_count, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    if (files)
        write_how(state, files, out);
    bool ran = false;
    for (size_t i = 0; i < count; i++) {
        if (!state_skips(state, &records[i], ran))
            write_record(state, &records[i], out);
        ran |= records[i].kind == state->own + STATE_STEPS;
    }
    if (files)
        write_end(subject->user, records, count, out);
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

struct reading {
    const struct state *state;
    unsigned char *bytes;
    size_t size;
};

static void add_record(struct reading *reading, unsigned kind, const uint32_t *words, unsigned count)
{
    const struct gpucode_fuzz_record record = {(uint8_t)kind, (uint8_t)count, words};
    reading->size +=
        gpucode_fuzz_write(&record, 1, reading->bytes + reading->size, GPUCODE_FUZZ_INPUT_MAX - reading->size);
}

static bool is_blank(const char *rest)
{
    return !rest[strspn(rest, " \t\r")];
}

/* Takes the number after a name and '='; false: there is none. */
static bool take_value(const char *at, uint64_t *value)
{
    at += strspn(at, " \t");
    if (*at != '=')
        return false;
    at++;
    at += strspn(at, " \t");
    return number_take(&at, value) && *value <= UINT32_MAX && is_blank(at);
}

/* Where words have addresses: memory, or registers. */
static unsigned addressed_kind(const struct state *state)
{
    struct gpucode_space_info info;
    for (unsigned i = 0; i < state->own; i++)
        if (gpucode_machine_space(state->machine, state->set->kinds[i].space, &info) && info.addressed)
            return i;
    return state->own + STATE_MEMORY;
}

static bool read_set(struct reading *reading, const char *at)
{
    const struct state *state = reading->state;
    char name[GPUCODE_NAME_MAX];
    uint64_t value, address;
    unsigned space;
    uint32_t number;
    at += strspn(at, " \t");
    if (*at == '*') {
        at++;
        if (!number_take(&at, &address) || !take_value(at, &value))
            return false;
        unsigned kind = addressed_kind(state);
        if (state->set->wide && kind == state->own + STATE_MEMORY)
            address /= 4;
        if (address > UINT32_MAX)
            return false;
        add_record(reading, kind, (const uint32_t[]){(uint32_t)address, (uint32_t)value}, 2);
        return true;
    }
    size_t length = strcspn(at, " \t=");
    if (!length || length >= sizeof name || !take_value(at + length, &value))
        return false;
    memcpy(name, at, length);
    name[length] = 0;
    if (!gpucode_machine_find(state->machine, name, &space, &number))
        return false;
    for (unsigned i = 0; i < state->own; i++)
        if (state->set->kinds[i].space == space) {
            add_record(reading, i, (const uint32_t[]){number, (uint32_t)value}, 2);
            return true;
        }
    return false;
}

/* "3, 0x5": as many words as a record has, and more records. */
static bool read_words(struct reading *reading, unsigned kind, const char *at)
{
    uint32_t words[GPUCODE_FUZZ_WORDS_MAX];
    uint64_t number;
    for (unsigned count = 0;;) {
        at += strspn(at, " \t");
        if (!number_take(&at, &number) || number > UINT32_MAX)
            return false;
        words[count++] = (uint32_t)number;
        at += strspn(at, " \t\r");
        if (!*at || count == GPUCODE_FUZZ_WORDS_MAX) {
            add_record(reading, kind, words, count);
            count = 0;
        }
        if (!*at)
            return true;
        if (*at++ != ',')
            return false;
    }
}

static bool read_line(struct reading *reading, const char *line)
{
    uint64_t number;
    const char *feeds = reading->state->set->feeds;
    line += strspn(line, " \t\r");
    if (feeds && strncmp(line, feeds, strlen(feeds)) == 0 && line[strlen(feeds)] == ' ')
        return read_words(reading, reading->state->own + STATE_FEED, line + strlen(feeds));
    if (strncmp(line, "#texture", 8) == 0) {
        uint32_t words[4] = {0};
        line += 8;
        for (unsigned i = 0; i < 4; i++) {
            line += strspn(line, " \t");
            if (!number_take(&line, &number) || number > UINT32_MAX)
                return false;
            words[i] = (uint32_t)number;
        }
        add_record(reading, reading->state->own + STATE_TEXTURE, words, 4);
        return is_blank(line);
    }
    if (!*line || *line == '#')
        return true;
    if (strncmp(line, "continue", 8) == 0)
        return is_blank(line + 8);
    if (strncmp(line, "set ", 4) == 0)
        return read_set(reading, line + 4);
    if (strncmp(line, "stepi ", 6) != 0)
        return false;
    line += 6 + strspn(line + 6, " \t");
    if (!number_take(&line, &number) || !number || number > STATE_STEPS_MAX || !is_blank(line))
        return false;
    add_record(reading, reading->state->own + STATE_STEPS, (const uint32_t[]){(uint32_t)number - 1}, 1);
    return true;
}

int fuzz_state_read(struct session *session, const struct gpucode_fuzz_subject *subject, const char *path,
                    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size)
{
    struct reading reading = {subject->user, bytes, 0};
    struct file file;
    unsigned number = 0;
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    for (char *line = file.bytes, *end; !code && line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        number++;
        if (read_line(&reading, line))
            continue;
        const struct gpucode_diagnostic place = {.file = file.name,
                                                 .line = number,
                                                 .column = 1,
                                                 .length = (unsigned)strlen(line),
                                                 .source = line,
                                                 .source_length = strlen(line)};
        code = complain_at(&session->diagnostics, CLI_FUZZ_TEXT, &place, NULL);
    }
    *size = reading.size;
    file_free(&file);
    return code;
}
