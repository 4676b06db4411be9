/* SPDX-License-Identifier: MIT */
/*
 * Code that reads no packets, under fuzz: an input is what registers, events and memory hold before the code runs, and
 * at moments while it runs. Each set says which registers are worth it (kit/fuzz_state.h).
 *
 * As text an input is commands of the debugger: `set NAME = VALUE`, `set *ADDRESS = VALUE`, `stepi COUNT`; so the text
 * of a finding is what brings the debugger there. What the debugger cannot say stands in comments: `#texture VALUE...`.
 */
#include "kit/fuzz_state.h"

#include "front/file.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/machine_made.h"
#include <gpucode/insn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 20000
#define VALUES_MAX 256u
#define MAP_REST 2048u
#define STEPS_MAX 256u /* instructions of one record */

enum { STATE_MEMORY, STATE_STEPS, STATE_TEXTURE, STATE_SPECIALS };

struct state {
    struct session *session;
    const struct input *input;
    const struct fuzz_state_set *set;
    struct gpucode_machine *machine;
    struct gpucode_snapshot *start;
    struct gpucode_stop stop;
    struct gpucode_fuzz_kind kinds[FUZZ_STATE_KINDS + STATE_SPECIALS];
    unsigned own; /* kinds of the set, which the special ones follow */
    uint32_t values[VALUES_MAX];
    size_t value_count;
    uint64_t limit;
    uint32_t texture[4];
    bool textured;
};

/* --- one run --------------------------------------------------------------------------------------------------- */

static bool answer_texture(void *user, struct gpucode_machine *machine, const struct gpucode_texture_lookup *lookup,
                           uint32_t values[4])
{
    const struct state *state = user;
    (void)machine, (void)lookup;
    memcpy(values, state->texture, sizeof state->texture);
    return state->textured;
}

static void store_word(struct state *state, uint64_t address, uint32_t word)
{
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 24)};
    gpucode_machine_store(state->machine, address, bytes, 4);
}

/* Does what a record says; `left` is what remains of the limit. */
static void perform(struct state *state, const struct gpucode_fuzz_record *record, uint64_t *left)
{
    const uint32_t *words = record->words;
    if (record->kind < state->own) {
        const struct fuzz_state_kind *kind = &state->set->kinds[record->kind];
        if (record->count > 1)
            gpucode_machine_write(state->machine, 0, kind->space, kind->count ? words[0] % kind->count : words[0],
                                  words[1] & (kind->mask ? kind->mask : UINT32_MAX));
        return;
    }
    switch (record->kind - state->own) {
    case STATE_MEMORY:
        for (unsigned i = 1; i < record->count; i++)
            store_word(state, (words[0] & ~UINT32_C(3)) + 4 * (uint64_t)(i - 1), words[i]);
        return;
    case STATE_STEPS:
        if (record->count && *left) {
            uint64_t wanted = 1 + words[0] % STEPS_MAX, ran;
            ran = gpucode_machine_run(state->machine, wanted < *left ? wanted : *left, &state->stop);
            *left -= ran < *left ? ran : *left;
        }
        return;
    default:
        for (unsigned i = 0; i < 4; i++)
            state->texture[i] = i < record->count ? words[i] : 0;
        state->textured = true;
        return;
    }
}

/* May the code go on? A machine that waits for an event may. */
static bool goes_on(const struct state *state)
{
    return state->stop.reason == GPUCODE_STOP_LIMIT || state->stop.reason == GPUCODE_STOP_IDLE;
}

static void find(const struct state *state, struct gpucode_fuzz_outcome *outcome, const char *what, const char *text)
{
    outcome->judgement = strcmp(what, "gap") == 0 ? GPUCODE_FUZZ_GAP : GPUCODE_FUZZ_FINDING;
    snprintf(outcome->key, sizeof outcome->key, "%s-%" PRIx64, what, state->stop.pc);
    snprintf(outcome->text, sizeof outcome->text, "%s at 0x%" PRIx64 ": %s", what, state->stop.pc, text);
}

static void judge(struct state *state, struct gpucode_fuzz_outcome *outcome)
{
    const struct gpucode_stop *stop = &state->stop;
    const char *code = stop->code ? stop->code : "", *dash = strchr(code, '-'), *why = NULL;
    switch (stop->reason) {
    case GPUCODE_STOP_FAULT:
        find(state, outcome, dash ? dash + 1 : code, stop->text);
        return;
    case GPUCODE_STOP_HANG:
    case GPUCODE_STOP_IDLE: /* an event that nobody will bring any more */
        find(state, outcome, "hang", stop->text);
        return;
    case GPUCODE_STOP_LIMIT:
        find(state, outcome, "endless", "no end within the limit");
        state->stop.pc = 0;
        snprintf(outcome->key, sizeof outcome->key, "endless");
        return;
    case GPUCODE_STOP_UNKNOWN:
        find(state, outcome, "gap", stop->text);
        return;
    default:
        if (state->set->wrong_end && (why = state->set->wrong_end(state->machine)))
            find(state, outcome, "left", why);
        return;
    }
}

static void run_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                        struct gpucode_fuzz_outcome *outcome)
{
    struct state *state = user;
    uint64_t left = state->limit;
    gpucode_machine_restore(state->machine, state->start);
    state->stop.reason = GPUCODE_STOP_LIMIT;
    state->textured = false;
    for (size_t i = 0; i < count && goes_on(state); i++)
        perform(state, &records[i], &left);
    if (goes_on(state))
        gpucode_machine_run(state->machine, left, &state->stop);
    judge(state, outcome);
}

static enum gpucode_status attach_map(void *user, uint8_t *map, size_t size)
{
    return gpucode_machine_edges(((struct state *)user)->machine, map, size);
}

/* --- making ------------------------------------------------------------------------------------------------------ */

static void add_value(struct state *state, uint32_t value)
{
    for (size_t i = 0; i < state->value_count; i++)
        if (state->values[i] == value)
            return;
    if (state->value_count < VALUES_MAX)
        state->values[state->value_count++] = value;
}

/* Numbers of the code: immediates, and registers that it names. */
static void find_values(struct state *state)
{
    const struct gpucode_image_info *info = gpucode_image_info(state->input->image);
    unsigned unit = gpucode_target_unit_bytes(state->input->target);
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(state->input->image, &size);
    for (size_t at = info->prefix, step; at < size; at += step) {
        struct gpucode_insn insn;
        struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
        step = unit;
        if (gpucode_decode(state->input->target, bytes + at, size - at, at / unit, &insn) != GPUCODE_OK)
            continue;
        step = insn.size;
        unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
        for (unsigned i = 0; i < count; i++)
            if (operands[i].type != GPUCODE_OPERAND_MODIFIER && operands[i].type != GPUCODE_OPERAND_TARGET)
                add_value(state,
                          operands[i].type == GPUCODE_OPERAND_VALUE ? (uint32_t)operands[i].value : operands[i].number);
    }
    static const uint32_t floats[] = {0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x00000001};
    for (unsigned i = 0; state->set->floats && i < sizeof floats / sizeof *floats; i++)
        add_value(state, floats[i]);
}

static void make_kinds(struct state *state)
{
    for (const struct fuzz_state_kind *kind = state->set->kinds; kind->name; kind++)
        state->kinds[state->own++] =
            (struct gpucode_fuzz_kind){.name = kind->name, .weight = kind->weight, .least = 2, .most = 2};
    const struct gpucode_fuzz_kind specials[STATE_SPECIALS] = {
        [STATE_MEMORY] = {.name = "memory", .weight = state->set->memory ? 4 : 0, .least = 2, .most = 9},
        [STATE_STEPS] = {.name = "steps", .weight = 4, .least = 1, .most = 1},
        [STATE_TEXTURE] = {.name = "texture", .weight = state->set->textures ? 4 : 0, .least = 4, .most = 4}};
    memcpy(state->kinds + state->own, specials, sizeof specials);
}

static int make(struct state *state)
{
    const struct kit_machine_parts parts = {state->set->settings, state->set->give, input_names(state->input)};
    int code = kit_machine_made(state->session, state->input, &parts, &state->machine);
    if (!code)
        code = value_number(state->session, state->set->limit, "a number of instructions", &state->limit);
    if (code)
        return code;
    if (state->set->textures)
        gpucode_machine_texture(state->machine, answer_texture, state);
    if (gpucode_machine_snapshot(state->machine, &state->start) != GPUCODE_OK)
        return complain(&state->session->diagnostics, CLI_MEMORY, NULL, NULL);
    find_values(state);
    make_kinds(state);
    return EXIT_DONE;
}

int fuzz_state_open(struct session *session, const struct input *input, const struct fuzz_state_set *set,
                    struct gpucode_fuzz_subject *subject)
{
    *subject = (struct gpucode_fuzz_subject){0};
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    subject->user = state;
    state->session = session;
    state->input = input;
    state->set = set;
    state->limit = LIMIT;
    int code = make(state);
    if (code)
        return code;
    size_t map = 1;
    while (map < gpucode_machine_edge_count(state->machine) + 1 + MAP_REST)
        map *= 2;
    *subject = (struct gpucode_fuzz_subject){.kind_count = state->own + STATE_SPECIALS,
                                             .kinds = state->kinds,
                                             .values = state->values,
                                             .value_count = state->value_count,
                                             .map_size = map,
                                             .attach = attach_map,
                                             .run = run_records,
                                             .user = state};
    return EXIT_DONE;
}

void fuzz_state_close(struct gpucode_fuzz_subject *subject)
{
    struct state *state = subject->user;
    if (!state)
        return;
    gpucode_snapshot_free(state->start);
    gpucode_machine_free(state->machine);
    free(state);
    subject->user = NULL;
}

struct gpucode_machine *fuzz_state_machine(const struct gpucode_fuzz_subject *subject)
{
    return ((struct state *)subject->user)->machine;
}

/* --- text ----------------------------------------------------------------------------------------------------------
 */

static void write_record(const struct state *state, const struct gpucode_fuzz_record *record, FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    const uint32_t *words = record->words;
    if (record->kind < state->own) {
        const struct fuzz_state_kind *kind = &state->set->kinds[record->kind];
        uint32_t number = record->count && kind->count ? words[0] % kind->count : record->count ? words[0] : 0;
        if (record->count > 1 && gpucode_machine_name(state->machine, kind->space, number, name, sizeof name))
            fprintf(out, "set %s = 0x%x\n", name, (unsigned)(words[1] & (kind->mask ? kind->mask : UINT32_MAX)));
        return;
    }
    switch (record->kind - state->own) {
    case STATE_MEMORY:
        for (unsigned i = 1; i < record->count; i++)
            fprintf(out, "set *0x%" PRIx64 " = 0x%x\n", (words[0] & ~UINT32_C(3)) + 4 * (uint64_t)(i - 1),
                    (unsigned)words[i]);
        return;
    case STATE_STEPS:
        if (record->count)
            fprintf(out, "stepi %u\n", (unsigned)(1 + words[0] % STEPS_MAX));
        return;
    default:
        fputs("#texture", out);
        for (unsigned i = 0; i < 4; i++)
            fprintf(out, " 0x%x", i < record->count ? (unsigned)words[i] : 0u);
        fputc('\n', out);
        return;
    }
}

void fuzz_state_write(const struct gpucode_fuzz_subject *subject, const void *bytes, size_t size,
                      const struct kit_fuzz_files *files, FILE *out)
{
    const struct state *state = subject->user;
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    size_t count = gpucode_fuzz_read(subject->kind_count, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    if (files) {
        const char *name = state->input->file.name;
        fprintf(out, "# %s\n# gpucode fuzz '%s' --try '%s'\n", files->outcome->text, name, files->text);
        fprintf(out, "# gpucode debug '%s' -x '%s'%s\n", name, files->text,
                state->set->options ? state->set->options : "");
    }
    for (size_t i = 0; i < count; i++)
        write_record(state, &records[i], out);
    if (files)
        fputs("continue\n", out);
}

/* --- text read ------------------------------------------------------------------------------------------------------
 */

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

/* Takes the number behind a name and '='; false: there is none. */
static bool take_value(const char *at, uint64_t *value)
{
    at += strspn(at, " \t");
    if (*at != '=')
        return false;
    at++;
    at += strspn(at, " \t");
    return number_take(&at, value) && *value <= UINT32_MAX && !at[strspn(at, " \t\r")];
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
        if (!number_take(&at, &address) || address > UINT32_MAX || !take_value(at, &value))
            return false;
        add_record(reading, state->own + STATE_MEMORY, (const uint32_t[]){(uint32_t)address, (uint32_t)value}, 2);
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

static bool read_line(struct reading *reading, const char *line)
{
    uint64_t number;
    line += strspn(line, " \t\r");
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
        return true;
    }
    if (!*line || *line == '#' || strncmp(line, "continue", 8) == 0)
        return true;
    if (strncmp(line, "set ", 4) == 0)
        return read_set(reading, line + 4);
    if (strncmp(line, "stepi ", 6) != 0)
        return false;
    line += 6 + strspn(line + 6, " \t");
    if (!number_take(&line, &number) || !number || number > STEPS_MAX)
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
