/* SPDX-License-Identifier: MIT */
#include "cli_hwsq_messages.h"
#include "kit/hwsq/kit.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/file.h"
#include "front/grow.h"
#include "front/input.h"
#include "front/outcome.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FB_PAUSE 16

static struct action *add_action(struct actions *actions, enum action_kind kind, const struct gpucode_event *event)
{
    if (!grow(&actions->items, actions->count, &actions->room, sizeof *actions->items)) {
        actions->failed = true;
        return NULL;
    }
    struct action *action = &actions->items[actions->count++];
    *action = (struct action){.kind = kind,
                              .processor = event->processor,
                              .pc = (uint32_t)event->pc,
                              .position = gpucode_machine_count(actions->machine) - 1, /* it counts already */
                              .time = event->time,
                              .end = event->time,
                              .number = (uint32_t)event->address,
                              .value = event->value,
                              .old = event->old};
    return action;
}

static bool has_pause(const struct gpucode_machine *machine)
{
    unsigned space;
    uint32_t number;
    return gpucode_machine_find(machine, "FB_PAUSE", &space, &number) && space == GPUCODE_SPACE_FLAG &&
           number == FB_PAUSE;
}

static bool pause_is_set(const struct gpucode_machine *machine)
{
    uint32_t flag = 0;
    return gpucode_machine_read(machine, 0, GPUCODE_SPACE_FLAG, FB_PAUSE, &flag) == GPUCODE_OK && flag == 3;
}

bool script_is_paused(const struct gpucode_machine *machine)
{
    return has_pause(machine) && pause_is_set(machine);
}

/* Flags change by their opcodes and by writes to FLAGS. */
static void see_pause(struct actions *actions, const struct gpucode_event *event)
{
    bool paused = actions->has_pause && pause_is_set(actions->machine);
    if (paused && !actions->paused)
        actions->pause_begin = event->time;
    if (!paused && actions->paused)
        actions->paused_clocks += event->time - actions->pause_begin;
    actions->paused = paused;
    if (actions->count)
        actions->items[actions->count - 1].paused = paused;
}

static void see_general(struct actions *actions, const struct gpucode_event *event)
{
    struct action *action;
    switch (event->address) {
    case GPUCODE_HWSQ_WAIT:
        action = add_action(actions, ACTION_WAIT, event);
        actions->wait_units += event->value;
        if (action)
            action->end = action->time + event->value * GPUCODE_HWSQ_UNIT_CLOCKS;
        break;
    case GPUCODE_HWSQ_EXIT:
        add_action(actions, ACTION_EXIT, event);
        break;
    default:
        action = add_action(actions, ACTION_ILLEGAL, event);
        if (action)
            action->number = (uint32_t)event->value;
        break;
    }
}

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct actions *actions = user;
    struct action *action;
    actions->machine = machine;
    if (event->kind == GPUCODE_EVENT_WRITE) {
        add_action(actions, ACTION_WRITE, event);
    } else if (event->kind == GPUCODE_EVENT_READ) { /* an ewait has ended */
        actions->waited_event_clocks += event->time - event->old;
        if (actions->count && actions->items[actions->count - 1].kind == ACTION_EWAIT)
            actions->items[actions->count - 1].end = event->time;
    } else if (event->space == GPUCODE_SPACE_FLAG) {
        add_action(actions, ACTION_FLAG, event);
    } else if (event->space == GPUCODE_SPACE_EVENT) {
        action = add_action(actions, ACTION_EWAIT, event);
        if (action)
            action->end = UINT64_MAX;
    } else {
        see_general(actions, event);
    }
    see_pause(actions, event);
    return actions->failed;
}

/* "NAME=VALUE": a register, a flag, an event, ADDR or DATA. */
static int set_register(struct session *session, struct gpucode_machine *machine, const char *text)
{
    char name[GPUCODE_NAME_MAX];
    const char *number = value_split(text, name, sizeof name);
    unsigned space = GPUCODE_SPACE_GPU;
    uint64_t value, address;
    uint32_t index = 0;
    if (!number || !number_read(number, UINT32_MAX, &value))
        return value_refuse(session, OPTION_HWSQ_REG, text, "NAME=VALUE, a 32-bit number");
    bool found = number_read(name, UINT32_MAX, &address);
    index = found ? (uint32_t)address : 0;
    if ((!found && !gpucode_machine_find(machine, name[0] == '#' ? name + 1 : name, &space, &index)) ||
        gpucode_machine_write(machine, 0, space, index, (uint32_t)value) != GPUCODE_OK)
        return complain(&session->diagnostics, CLI_HWSQ_REGISTER, NULL, NULL, name);
    return EXIT_DONE;
}

int script_give(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    int code = EXIT_DONE;
    (void)input;
    for (unsigned i = 0; !code && i < session->arguments.given_count; i++) {
        const struct given *given = &session->arguments.given[i];
        if (given->option == OPTION_HWSQ_REG)
            code = set_register(session, machine, given->value);
        else if (given->option == OPTION_HWSQ_MEMORY)
            code = kit_load_memory(session, machine, given->option, given->value);
    }
    return code;
}

int actions_record(struct session *session, const struct input *input, const struct gpucode_setting *settings,
                   uint64_t limit, struct actions *actions)
{
    struct gpucode_machine_options options = {
        .policies = settings, .names = input_names(input), .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    struct gpucode_machine *machine;
    *actions = (struct actions){0};
    enum gpucode_status status = gpucode_machine_create(input->image, &options, &machine);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    int code = script_give(session, input, machine);
    if (code) {
        gpucode_machine_free(machine);
        return code;
    }
    actions->has_pause = has_pause(machine);
    actions->paused = actions->paused_before = script_is_paused(machine);
    while (gpucode_machine_processor(machine, actions->processors))
        actions->processors++;
    gpucode_machine_hook(machine, GPUCODE_EVENT_ACTION | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_READ, watch_event,
                         actions);
    actions->instructions = gpucode_machine_run(machine, limit, &actions->stop);
    actions->failed |= stop_has_no_memory(&actions->stop);
    if (actions->paused)
        actions->paused_clocks += actions->stop.time - actions->pause_begin;
    gpucode_machine_free(machine);
    actions->machine = NULL;
    return actions->failed ? out_of_memory(&session->diagnostics) : EXIT_DONE;
}

void actions_free(struct actions *actions)
{
    free(actions->items);
    *actions = (struct actions){0};
}

static const char *flag_verb(const struct action *action)
{
    return action->value < 2 ? "unset" : action->value == 3 ? "set1" : "set0";
}

void action_plain(const struct action *action, char *text, size_t size)
{
    text[0] = 0;
    if (action->kind == ACTION_WRITE)
        snprintf(text, size, "wr32 %06" PRIx32 " %08" PRIx64, action->number, action->value);
    else if (action->kind == ACTION_FLAG)
        snprintf(text, size, "%s %" PRIu32, flag_verb(action), action->number);
    else if (action->kind == ACTION_EWAIT)
        snprintf(text, size, "ewait %" PRIu32 " %" PRIu64, action->number, action->value);
}

static const char *name_of(const struct input *input, enum gpucode_space space, uint32_t number,
                           char name[GPUCODE_NAME_MAX])
{
    if (!gpucode_name_of(input->target, input_names(input), space, number, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, space == GPUCODE_SPACE_GPU ? "%06" PRIx32 : "%" PRIu32, number);
    return name;
}

void action_named(const struct input *input, const struct action *action, char *text, size_t size)
{
    char name[GPUCODE_NAME_MAX];
    switch (action->kind) {
    case ACTION_WRITE:
        if (gpucode_name_of(input->target, input_names(input), GPUCODE_SPACE_GPU, action->number, name, sizeof name))
            snprintf(text, size, "write %06" PRIx32 " <= %08" PRIx64 "  %s", action->number, action->value, name);
        else
            snprintf(text, size, "write %06" PRIx32 " <= %08" PRIx64, action->number, action->value);
        break;
    case ACTION_FLAG:
        snprintf(text, size, "%s %s", flag_verb(action), name_of(input, GPUCODE_SPACE_FLAG, action->number, name));
        break;
    case ACTION_EWAIT:
        snprintf(text, size, "ewait %s %" PRIu64, name_of(input, GPUCODE_SPACE_EVENT, action->number, name),
                 action->value);
        break;
    case ACTION_WAIT:
        snprintf(text, size, "wait %" PRIu64 " us", action->value);
        break;
    case ACTION_EXIT:
        snprintf(text, size, "exit");
        break;
    default:
        snprintf(text, size, "illegal opcode %02" PRIx32, action->number);
        break;
    }
}

/* --- What options and source say of how a script is run, for all commands ----------------------------------------- */

/* Opcodes of a run without --limit, or twice what a large script has: a loop of one that starts itself prints no more.
 */
#define LIMIT 100000

/* Entry points that the source has named with .entry; false: there is no source. */
static bool list_entries(const struct input *input, char *text, size_t size)
{
    unsigned long entry[4] = {0};
    struct gpucode_symbol symbol;
    for (unsigned i = 0; input->program && gpucode_program_symbol(input->program, i, &symbol); i++)
        if (symbol.section && strlen(symbol.name) == 6 && strncmp(symbol.name, "entry", 5) == 0 &&
            symbol.name[5] >= '0' && symbol.name[5] <= '3')
            entry[symbol.name[5] - '0'] = symbol.unit;
    snprintf(text, size, "%lu,%lu,%lu,%lu", entry[0], entry[1], entry[2], entry[3]);
    return input->program;
}

int script_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    const struct arguments *arguments = &session->arguments;
    struct gpucode_setting *at = settings->list;
    if (list_entries(input, settings->text, sizeof settings->text))
        *at++ = (struct gpucode_setting){"hwsq-entry-points", settings->text};
    if (arguments->value[OPTION_HWSQ_ENTRY])
        *at++ = (struct gpucode_setting){"hwsq-entry", arguments->value[OPTION_HWSQ_ENTRY]};
    if (arguments_have(arguments, OPTION_HWSQ_OVERSIZE))
        *at++ = (struct gpucode_setting){"hwsq-oversize", "yes"};
    /* Inputs say which events come, and when. Nothing comes while two scripts run side by side: a wait that the input
     * says nothing of ends then, for most scripts wait for an edge, which is two values one after the other. */
    if (session->command == &command_table[COMMAND_fuzz])
        *at++ = (struct gpucode_setting){"hwsq-events",
                                         arguments->value[OPTION_HWSQ_FUZZ_AGAINST] ? "satisfied" : "modelled"};
    return EXIT_DONE;
}

uint64_t script_limit(const struct input *input)
{
    uint64_t size = input->size;
    return 2 * size > LIMIT ? 2 * size : LIMIT;
}
