/* SPDX-License-Identifier: MIT */
/* Points: the list of them, and what the machine must watch for their sake. */
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

static bool in_range(uint64_t at, uint64_t width, uint64_t start, uint64_t size)
{
    return at < start ? start - at < width : at - start < (size ? size : 1);
}

bool point_wants(const struct point *point, const struct gpucode_event *event)
{
    const struct gpucode_point *shown = &point->shown;
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
    case GPUCODE_POINT_REGISTER:
        return access && (set || use) && event->space == shown->space &&
               in_range(event->address, 1, shown->address, shown->size);
    case GPUCODE_POINT_MEMORY: /* machines access memory by words */
        return access && (event->kind == GPUCODE_EVENT_MEM_WRITE || event->kind == GPUCODE_EVENT_MEM_READ) &&
               in_range(event->address, 4, shown->address, shown->size);
    case GPUCODE_POINT_PACKET:
        return event->kind == GPUCODE_EVENT_PACKET &&
               (shown->address == GPUCODE_ANY || shown->address == event->address);
    case GPUCODE_POINT_ACTION:
        return event->kind == GPUCODE_EVENT_ACTION &&
               (shown->address == GPUCODE_ANY || (shown->address == event->address && shown->space == event->space));
    default:
        return false;
    }
}

static unsigned kinds_of(const struct gpucode_point *point)
{
    bool write = point->access & (GPUCODE_ACCESS_WRITE | GPUCODE_ACCESS_CHANGE);
    bool read = point->access & GPUCODE_ACCESS_READ;
    switch (point->kind) {
    case GPUCODE_POINT_REGISTER:
        return (write ? GPUCODE_EVENT_WRITE | GPUCODE_EVENT_CHANGE : 0u) |
               (read ? GPUCODE_EVENT_READ | GPUCODE_EVENT_USE : 0u);
    case GPUCODE_POINT_MEMORY:
        return (write ? GPUCODE_EVENT_MEM_WRITE : 0u) | (read ? GPUCODE_EVENT_MEM_READ : 0u);
    case GPUCODE_POINT_PACKET:
        return GPUCODE_EVENT_PACKET;
    case GPUCODE_POINT_ACTION:
        return GPUCODE_EVENT_ACTION;
    default:
        return 0;
    }
}

static bool on_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct gpucode_debug *debug = user;
    (void)machine;
    for (size_t i = 0; i < debug->hooked_count; i++) { /* the first event of an instruction that each point wants */
        struct point *point = &debug->points[debug->hooked[i]];
        if (!point->has_event && point_wants(point, event)) {
            point->event = *event;
            point->has_event = debug->has_event = true;
        }
    }
    return debug->has_event;
}

/* Sets or clears a breakpoint on the processors that a point means; how many there were. */
static unsigned set_break(struct gpucode_debug *debug, const struct gpucode_point *point, bool on)
{
    unsigned count = 0;
    for (unsigned i = 0; gpucode_machine_processor(debug->machine, i); i++)
        if (gpucode_machine_section(debug->machine, i) == point->section &&
            (!point->one_processor || point->processor == i) &&
            gpucode_machine_break(debug->machine, i, point->address, on) == GPUCODE_OK)
            count++;
    return count;
}

void points_forget_events(struct gpucode_debug *debug)
{
    for (size_t i = 0; debug->has_event && i < debug->point_count; i++)
        debug->points[i].has_event = false;
    debug->has_event = false;
}

void points_arm(struct gpucode_debug *debug, bool on)
{
    if (debug->armed == on)
        return;
    debug->armed = on;
    debug->hooked_count = 0;
    unsigned kinds = 0;
    for (size_t i = 0; i < debug->point_count; i++) {
        const struct gpucode_point *point = &debug->points[i].shown;
        if (point->disabled)
            continue;
        if (point->kind == GPUCODE_POINT_BREAK)
            set_break(debug, point, on);
        else if (on && kinds_of(point)) {
            debug->hooked[debug->hooked_count++] = (unsigned)i;
            kinds |= kinds_of(point);
        }
    }
    gpucode_machine_hook(debug->machine, kinds, kinds ? on_event : NULL, debug);
}

struct point *points_find(struct gpucode_debug *debug, unsigned number)
{
    for (size_t i = 0; i < debug->point_count; i++)
        if (debug->points[i].shown.number == number)
            return &debug->points[i];
    return NULL;
}

static struct point *add(struct gpucode_debug *debug)
{
    if (debug->point_count == debug->point_room) {
        size_t room = debug->point_room ? debug->point_room * 2 : 16;
        struct point *points = reallocarray(debug->points, room, sizeof *points);
        if (points)
            debug->points = points;
        unsigned *hooked = points ? reallocarray(debug->hooked, room, sizeof *hooked) : NULL;
        if (!hooked)
            return NULL;
        debug->hooked = hooked;
        debug->point_room = room;
    }
    struct point *point = &debug->points[debug->point_count++];
    *point = (struct point){0};
    return point;
}

static void remove_at(struct gpucode_debug *debug, size_t index)
{
    struct point *point = &debug->points[index];
    free((char *)point->shown.condition);
    free((char *)point->shown.label);
    free((char *)point->shown.code);
    debug->point_count--;
    memmove(point, point + 1, (debug->point_count - index) * sizeof *point);
}

void points_free(struct gpucode_debug *debug)
{
    while (debug->point_count)
        remove_at(debug, debug->point_count - 1);
    free(debug->points);
    free(debug->hooked);
}

struct point *points_add_internal(struct gpucode_debug *debug, unsigned processor, uint64_t pc)
{
    points_arm(debug, false);
    struct point *point = add(debug);
    if (point) {
        point->internal = true;
        point->shown = (struct gpucode_point){
            .kind = GPUCODE_POINT_BREAK,
            .section = gpucode_machine_section(debug->machine, processor),
            .one_processor = true,
            .processor = processor,
            .address = pc,
        };
    }
    return point;
}

void points_remove_internal(struct gpucode_debug *debug)
{
    points_arm(debug, false);
    for (size_t i = debug->point_count; i-- > 0;)
        if (debug->points[i].internal)
            remove_at(debug, i);
}

/* A copy of a string that may be null; false when out of memory. */
static bool copy(const char **text)
{
    if (*text)
        *text = strdup(*text);
    return *text;
}

enum gpucode_status gpucode_debug_add(struct gpucode_debug *debug, struct gpucode_point *point)
{
    if (!debug || !point)
        return GPUCODE_ERROR_ARGUMENT;
    points_arm(debug, false);
    if (point->kind == GPUCODE_POINT_BREAK) { /* the machine knows which addresses there are */
        if (!set_break(debug, point, true))
            return GPUCODE_ERROR_RANGE;
        set_break(debug, point, false);
    }
    struct gpucode_point mine = *point;
    bool condition = mine.condition, label = mine.label, code = mine.code;
    bool good = !condition || copy(&mine.condition); /* all are copied, so that all can be freed */
    good = (!label || copy(&mine.label)) && good;
    good = (!code || copy(&mine.code)) && good;
    struct point *added = good ? add(debug) : NULL;
    if (!added) {
        free((char *)(condition ? mine.condition : NULL));
        free((char *)(label ? mine.label : NULL));
        free((char *)(code ? mine.code : NULL));
        return GPUCODE_ERROR_MEMORY;
    }
    mine.number = point->number = ++debug->last_number;
    added->shown = mine;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_remove(struct gpucode_debug *debug, unsigned number)
{
    struct point *point = number ? points_find(debug, number) : NULL;
    if (!point)
        return GPUCODE_ERROR_RANGE;
    points_arm(debug, false);
    remove_at(debug, (size_t)(point - debug->points));
    return GPUCODE_OK;
}

bool gpucode_debug_point_at(const struct gpucode_debug *debug, unsigned index, struct gpucode_point *point)
{
    for (size_t i = 0; i < debug->point_count; i++)
        if (!debug->points[i].internal && index-- == 0) {
            *point = debug->points[i].shown;
            return true;
        }
    return false;
}

enum gpucode_status gpucode_debug_enable(struct gpucode_debug *debug, unsigned number, bool on)
{
    struct point *point = number ? points_find(debug, number) : NULL;
    if (!point)
        return GPUCODE_ERROR_RANGE;
    points_arm(debug, false);
    point->shown.disabled = !on;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_ignore(struct gpucode_debug *debug, unsigned number, uint64_t hits)
{
    struct point *point = number ? points_find(debug, number) : NULL;
    if (!point)
        return GPUCODE_ERROR_RANGE;
    point->shown.ignore = hits;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_condition(struct gpucode_debug *debug, unsigned number, const char *condition)
{
    struct point *point = number ? points_find(debug, number) : NULL;
    if (!point)
        return GPUCODE_ERROR_RANGE;
    if (condition && *condition && !copy(&condition))
        return GPUCODE_ERROR_MEMORY;
    free((char *)point->shown.condition);
    point->shown.condition = condition && *condition ? condition : NULL;
    return GPUCODE_OK;
}
