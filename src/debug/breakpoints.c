/* SPDX-License-Identifier: MIT */
/* The list of breakpoints, and the hook and addresses that the machine stops at for them. */
#include "base/arena.h"
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

static bool in_range(uint64_t at, uint64_t width, uint64_t start, uint64_t size)
{
    return at < start ? start - at < width : at - start < (size ? size : 1);
}

/* Can a breakpoint be hit by what the hook saw? */
static bool breakpoint_wants(const struct breakpoint *breakpoint, const struct gpucode_event *event)
{
    const struct gpucode_breakpoint *shown = &breakpoint->shown;
    if (shown->disabled || (shown->one_processor && shown->processor != event->processor))
        return false;
    bool set = event->kind == GPUCODE_EVENT_WRITE || event->kind == GPUCODE_EVENT_CHANGE;
    bool write = set || event->kind == GPUCODE_EVENT_MEM_WRITE;
    bool use = event->kind == GPUCODE_EVENT_READ || event->kind == GPUCODE_EVENT_USE;
    bool read = use || event->kind == GPUCODE_EVENT_MEM_READ;
    bool access = (write && (shown->access & GPUCODE_ACCESS_WRITE)) ||
                  (read && (shown->access & GPUCODE_ACCESS_READ)) ||
                  (write && (shown->access & GPUCODE_ACCESS_CHANGE) && event->value != event->old);
    switch (shown->kind) {
    case GPUCODE_WATCHPOINT_REGISTER:
        return access && (set || use) && event->space == shown->space &&
               in_range(event->address, 1, shown->address, shown->size);
    case GPUCODE_WATCHPOINT_MEMORY: /* machines access memory by words */
        return access && (event->kind == GPUCODE_EVENT_MEM_WRITE || event->kind == GPUCODE_EVENT_MEM_READ) &&
               in_range(event->address, 4, shown->address, shown->size);
    case GPUCODE_CATCHPOINT_PACKET:
        return event->kind == GPUCODE_EVENT_PACKET &&
               (shown->address == GPUCODE_ANY || shown->address == event->address);
    default: /* GPUCODE_CATCHPOINT_ACTION: others do not hear of events */
        return event->kind == GPUCODE_EVENT_ACTION &&
               (shown->address == GPUCODE_ANY || (shown->address == event->address && shown->space == event->space));
    }
}

static unsigned kinds_of(const struct gpucode_breakpoint *breakpoint)
{
    bool write = breakpoint->access & (GPUCODE_ACCESS_WRITE | GPUCODE_ACCESS_CHANGE);
    bool read = breakpoint->access & GPUCODE_ACCESS_READ;
    switch (breakpoint->kind) {
    case GPUCODE_WATCHPOINT_REGISTER:
        return (write ? GPUCODE_EVENT_WRITE | GPUCODE_EVENT_CHANGE : 0u) |
               (read ? GPUCODE_EVENT_READ | GPUCODE_EVENT_USE : 0u);
    case GPUCODE_WATCHPOINT_MEMORY:
        return (write ? GPUCODE_EVENT_MEM_WRITE : 0u) | (read ? GPUCODE_EVENT_MEM_READ : 0u);
    case GPUCODE_CATCHPOINT_PACKET:
        return GPUCODE_EVENT_PACKET;
    case GPUCODE_CATCHPOINT_ACTION:
        return GPUCODE_EVENT_ACTION;
    default:
        return 0;
    }
}

static bool on_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct gpucode_debug *debug = user;
    (void)machine;
    for (size_t i = 0; i < debug->hooked_count;
         i++) { /* each breakpoint keeps the first event of an instruction that it is for */
        struct breakpoint *breakpoint = &debug->breakpoints[debug->hooked[i]];
        if (!breakpoint->has_event && breakpoint_wants(breakpoint, event)) {
            breakpoint->event = *event;
            breakpoint->has_event = debug->has_event = true;
        }
    }
    return debug->has_event;
}

/* Sets or clears the machine's breakpoint on each processor that this one is for; returns on how many. */
static unsigned set_break(struct gpucode_debug *debug, const struct gpucode_breakpoint *breakpoint, bool on)
{
    unsigned count = 0;
    for (unsigned i = 0; gpucode_machine_processor(debug->machine, i); i++)
        if (gpucode_machine_section(debug->machine, i) == breakpoint->section &&
            (!breakpoint->one_processor || breakpoint->processor == i) &&
            gpucode_machine_break(debug->machine, i, breakpoint->address, on) == GPUCODE_OK)
            count++;
    return count;
}

void breakpoints_forget_events(struct gpucode_debug *debug)
{
    for (size_t i = 0; debug->has_event && i < debug->breakpoint_count; i++)
        debug->breakpoints[i].has_event = false;
    debug->has_event = false;
}

void breakpoints_arm(struct gpucode_debug *debug, bool on)
{
    if (debug->armed == on)
        return;
    debug->armed = on;
    debug->hooked_count = 0;
    unsigned kinds = 0;
    for (size_t i = 0; i < debug->breakpoint_count; i++) {
        const struct gpucode_breakpoint *breakpoint = &debug->breakpoints[i].shown;
        if (breakpoint->disabled)
            continue;
        if (breakpoint->kind == GPUCODE_BREAKPOINT_CODE)
            set_break(debug, breakpoint, on);
        else if (on && kinds_of(breakpoint)) {
            debug->hooked[debug->hooked_count++] = (unsigned)i;
            kinds |= kinds_of(breakpoint);
        }
    }
    gpucode_machine_hook(debug->machine, kinds, kinds ? on_event : NULL, debug);
}

struct breakpoint *breakpoints_find(struct gpucode_debug *debug, unsigned number)
{
    for (size_t i = 0; i < debug->breakpoint_count; i++)
        if (debug->breakpoints[i].shown.number == number)
            return &debug->breakpoints[i];
    return NULL;
}

static struct breakpoint *append_breakpoint(struct gpucode_debug *debug)
{
    if (debug->breakpoint_count == debug->breakpoint_room) {
        size_t room = debug->breakpoint_room ? debug->breakpoint_room * 2 : 16;
        struct breakpoint *breakpoints = reallocarray(debug->breakpoints, room, sizeof *breakpoints);
        if (breakpoints)
            debug->breakpoints = breakpoints;
        unsigned *hooked = breakpoints ? reallocarray(debug->hooked, room, sizeof *hooked) : NULL;
        if (!hooked)
            return NULL;
        debug->hooked = hooked;
        debug->breakpoint_room = room;
    }
    struct breakpoint *breakpoint = &debug->breakpoints[debug->breakpoint_count++];
    *breakpoint = (struct breakpoint){0};
    return breakpoint;
}

static void remove_at(struct gpucode_debug *debug, size_t index)
{
    struct breakpoint *breakpoint = &debug->breakpoints[index];
    FREE_ALL((char *)breakpoint->shown.condition, (char *)breakpoint->shown.label, (char *)breakpoint->shown.code);
    debug->breakpoint_count--;
    memmove(breakpoint, breakpoint + 1, (debug->breakpoint_count - index) * sizeof *breakpoint);
}

void breakpoints_free(struct gpucode_debug *debug)
{
    while (debug->breakpoint_count)
        remove_at(debug, debug->breakpoint_count - 1);
    free(debug->breakpoints);
    free(debug->hooked);
}

struct breakpoint *breakpoints_add_internal(struct gpucode_debug *debug, unsigned processor, uint64_t pc)
{
    breakpoints_arm(debug, false);
    struct breakpoint *breakpoint = append_breakpoint(debug);
    if (breakpoint) {
        breakpoint->internal = true;
        breakpoint->shown = (struct gpucode_breakpoint){
            .kind = GPUCODE_BREAKPOINT_CODE,
            .section = gpucode_machine_section(debug->machine, processor),
            .one_processor = true,
            .processor = processor,
            .address = pc,
        };
    }
    return breakpoint;
}

void breakpoints_remove_internal(struct gpucode_debug *debug)
{
    breakpoints_arm(debug, false);
    for (size_t i = debug->breakpoint_count; i-- > 0;)
        if (debug->breakpoints[i].internal)
            remove_at(debug, i);
}

/* A copy of a string that may be null; false when out of memory. */
static bool copy_string(const char **text)
{
    if (*text)
        *text = strdup(*text);
    return *text;
}

enum gpucode_status gpucode_debug_add(struct gpucode_debug *debug, struct gpucode_breakpoint *breakpoint)
{
    if (!debug || !breakpoint)
        return GPUCODE_ERROR_ARGUMENT;
    breakpoints_arm(debug, false);
    if (breakpoint->kind == GPUCODE_BREAKPOINT_CODE) { /* the machine refuses addresses without code */
        if (!set_break(debug, breakpoint, true))
            return GPUCODE_ERROR_RANGE;
        set_break(debug, breakpoint, false);
    }
    struct gpucode_breakpoint mine = *breakpoint;
    bool condition = mine.condition, label = mine.label, code = mine.code;
    bool good = !condition || copy_string(&mine.condition); /* all are copied, so that all can be freed */
    good = (!label || copy_string(&mine.label)) && good;
    good = (!code || copy_string(&mine.code)) && good;
    struct breakpoint *added = good ? append_breakpoint(debug) : NULL;
    if (!added) {
        FREE_ALL((char *)(condition ? mine.condition : NULL), (char *)(label ? mine.label : NULL),
                 (char *)(code ? mine.code : NULL));
        return GPUCODE_ERROR_MEMORY;
    }
    mine.number = breakpoint->number = ++debug->last_number;
    added->shown = mine;
    return GPUCODE_OK;
}

/* The breakpoint that a caller means by its number; not GPUCODE_OK: what to tell the caller. */
static enum gpucode_status find_numbered(struct gpucode_debug *debug, unsigned number, struct breakpoint **breakpoint)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    *breakpoint = number ? breakpoints_find(debug, number) : NULL;
    return *breakpoint ? GPUCODE_OK : GPUCODE_ERROR_RANGE;
}

enum gpucode_status gpucode_debug_remove(struct gpucode_debug *debug, unsigned number)
{
    struct breakpoint *breakpoint;
    enum gpucode_status status = find_numbered(debug, number, &breakpoint);
    if (status != GPUCODE_OK)
        return status;
    breakpoints_arm(debug, false);
    remove_at(debug, (size_t)(breakpoint - debug->breakpoints));
    return GPUCODE_OK;
}

bool gpucode_debug_breakpoint_at(const struct gpucode_debug *debug, unsigned index,
                                 struct gpucode_breakpoint *breakpoint)
{
    if (!debug)
        return false;
    for (size_t i = 0; i < debug->breakpoint_count; i++)
        if (!debug->breakpoints[i].internal && index-- == 0) {
            *breakpoint = debug->breakpoints[i].shown;
            return true;
        }
    return false;
}

enum gpucode_status gpucode_debug_enable(struct gpucode_debug *debug, unsigned number, bool on)
{
    struct breakpoint *breakpoint;
    enum gpucode_status status = find_numbered(debug, number, &breakpoint);
    if (status != GPUCODE_OK)
        return status;
    breakpoints_arm(debug, false);
    breakpoint->shown.disabled = !on;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_ignore(struct gpucode_debug *debug, unsigned number, uint64_t hits)
{
    struct breakpoint *breakpoint;
    enum gpucode_status status = find_numbered(debug, number, &breakpoint);
    if (status != GPUCODE_OK)
        return status;
    breakpoint->shown.ignore = hits;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_tell(struct gpucode_debug *debug, unsigned number,
                                       void (*tell)(void *user, unsigned number), void *user)
{
    struct breakpoint *breakpoint;
    enum gpucode_status status = find_numbered(debug, number, &breakpoint);
    if (status != GPUCODE_OK)
        return status;
    breakpoint->tell = tell;
    breakpoint->user = user;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_condition(struct gpucode_debug *debug, unsigned number, const char *condition)
{
    struct breakpoint *breakpoint;
    enum gpucode_status status = find_numbered(debug, number, &breakpoint);
    if (status != GPUCODE_OK)
        return status;
    if (condition && *condition && !copy_string(&condition))
        return GPUCODE_ERROR_MEMORY;
    free((char *)breakpoint->shown.condition);
    breakpoint->shown.condition = condition && *condition ? condition : NULL;
    return GPUCODE_OK;
}
