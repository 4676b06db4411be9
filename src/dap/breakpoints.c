/* SPDX-License-Identifier: MIT */
/* Breakpoints of all kinds. Each request gives the whole list of its kind anew. */
#include "dap/server.h"
#include "wire/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct breakpoint_list {
    enum owner owner;
    const char *path;  /* SOURCE: of the file, */
    int64_t reference; /* or the number of the listing */
    const char *key;   /* SOURCE: as in struct owned; else null */
};

/* Makes the breakpoint that an element of a list describes; returns the protocol's breakpoint. */
typedef json_t *make_breakpoint(struct dap *dap, const struct breakpoint_list *list, const json_t *wanted);

static void forget_breakpoints(struct dap *dap, enum owner owner, const char *source)
{
    size_t kept = 0;
    for (size_t i = 0; i < dap->owned_count; i++) {
        struct owned *owned = &dap->owned[i];
        if (owned->owner == owner && (!source || (owned->source && strcmp(owned->source, source) == 0))) {
            gpucode_debug_remove(dap->debug, owned->number);
            free(owned->source);
            free(owned->log);
        } else {
            dap->owned[kept++] = *owned;
        }
    }
    dap->owned_count = kept;
}

/* The protocol's breakpoint for one that cannot be made. */
static json_t *unverified(const char *why)
{
    if (strncmp(why, "error: ", 7) == 0) /* the console's lines; an editor shows this beside the breakpoint */
        why += 7;
    json_t *text = json_stringn(why, strcspn(why, "\n"));
    return text ? json_pack("{s:b, s:o}", "verified", 0, "message", text) : json_pack("{s:b}", "verified", 0);
}

/* --- log points --------------------------------------------------------------------------------------------------- */

/* The message with the values of what stands in braces in it; "{" and "}" doubled are themselves. */
static void tell_log(void *user, unsigned number)
{
    struct dap *dap = user;
    char text[4096], value_shown[VALUE_TEXT];
    size_t length = 0;
    const char *at = "";
    struct gpucode_value value;
    for (size_t i = 0; i < dap->owned_count; i++)
        if (dap->owned[i].number == number && dap->owned[i].log)
            at = dap->owned[i].log;
    while (*at && length + VALUE_TEXT + 2 < sizeof text) {
        const char *end = *at == '{' && at[1] != '{' ? strchr(at, '}') : NULL;
        if (!end) {
            at += (*at == '{' || *at == '}') && at[1] == *at;
            text[length++] = *at++;
            continue;
        }
        bool known = gpucode_debug_evaluate(dap->debug, at + 1, (size_t)(end - at) - 1, false,
                                            (struct gpucode_diagnostic_handler){0}, &value) == GPUCODE_OK;
        if (known)
            value_text(dap, &value, false, value_shown);
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", known ? value_shown : "?");
        at = end + 1;
    }
    memcpy(text + length, "\n", 2);
    dap_output(dap, "console", text);
}

/* Is everything in braces an expression? Else dap_take_text() says what is wrong. */
static bool is_log(struct dap *dap, const char *at)
{
    struct gpucode_value value;
    for (; *at; at++) {
        const char *end = *at == '{' && at[1] != '{' ? strchr(at, '}') : NULL;
        if (end && gpucode_debug_evaluate(dap->debug, at + 1, (size_t)(end - at) - 1, false,
                                          dap_diagnostic_handler(dap), &value) != GPUCODE_OK)
            return false;
        at = end ? end : at + (*at == '{' && at[1] == '{');
    }
    return true;
}

/* --- making ------------------------------------------------------------------------------------------------------- */

/* For make_breakpoint: adds a breakpoint with the conditions that `wanted` has (may be null). */
static json_t *add_breakpoint(struct dap *dap, struct gpucode_breakpoint *breakpoint, const json_t *wanted,
                              enum owner owner, const char *source)
{
    const char *condition = text_of(wanted, "condition"), *hits = text_of(wanted, "hitCondition");
    const char *message = text_of(wanted, "logMessage");
    struct gpucode_value value;
    breakpoint->condition = *condition ? condition : NULL;
    dap_take_text(dap);
    if (*condition && gpucode_debug_evaluate(dap->debug, condition, strlen(condition), false,
                                             dap_diagnostic_handler(dap), &value) != GPUCODE_OK)
        return unverified(dap_take_text(dap));
    if (*hits) { /* the Nth hit stops */
        if (gpucode_debug_evaluate(dap->debug, hits, strlen(hits), false, dap_diagnostic_handler(dap), &value) !=
                GPUCODE_OK ||
            value.number < 1)
            return unverified("a hit condition is a count");
        breakpoint->ignore = (uint64_t)value.number - 1;
    }
    if (*message && !is_log(dap, message))
        return unverified(dap_take_text(dap));
    if (dap->owned_count == OWNED_MAX)
        return unverified("too many breakpoints");
    char *key = source ? memory_copy(source) : NULL, *log = *message ? memory_copy(message) : NULL;
    if ((source && !key) || (*message && !log) || !memory_done(gpucode_debug_add(dap->debug, breakpoint))) {
        free(key);
        free(log);
        return unverified("nothing runs there");
    }
    if (log)
        gpucode_debug_tell(dap->debug, breakpoint->number, tell_log, dap);
    dap->owned[dap->owned_count++] = (struct owned){breakpoint->number, breakpoint->number, owner, key, log};
    json_t *result = json_pack("{s:b, s:i}", "verified", 1, "id", (int)breakpoint->number);
    if (breakpoint->kind == GPUCODE_BREAKPOINT_CODE) {
        char reference[32];
        snprintf(reference, sizeof reference, "0x%" PRIx64,
                 code_address(dap, breakpoint->section, breakpoint->address));
        json_object_set_new(result, "instructionReference", json_string(reference));
        add_source(dap, result, breakpoint->section, breakpoint->address);
    }
    return result;
}

unsigned breakpoints_shown(const struct dap *dap, unsigned number)
{
    for (size_t i = 0; i < dap->owned_count; i++)
        if (dap->owned[i].number == number)
            return dap->owned[i].shown;
    return number;
}

const char *breakpoints_reason(const struct dap *dap, unsigned number)
{
    static const char *const reasons[] = {[OWNER_FUNCTION] = "function breakpoint",
                                          [OWNER_INSTRUCTION] = "instruction breakpoint",
                                          [OWNER_DATA] = "data breakpoint",
                                          [OWNER_EXCEPTION] = "exception"};
    for (size_t i = 0; i < dap->owned_count; i++)
        if (dap->owned[i].number == number)
            return reasons[dap->owned[i].owner];
    return NULL;
}

bool breakpoints_line(struct dap *dap, const char *path, int64_t reference, int64_t line, bool later, uint32_t from,
                      struct gpucode_breakpoint *breakpoint)
{
    struct gpucode_section section;
    uint32_t unit;
    if (line < 1 || line > INT32_MAX)
        return false;
    if (reference > 0 && reference <= UINT32_MAX &&
        gpucode_debug_section(dap->debug, (unsigned)reference - 1, &section)) {
        breakpoint->section = (unsigned)reference - 1;
        return !from && listing_place(dap, breakpoint->section, line, &breakpoint->address);
    }
    if (!gpucode_symbols_unit(dap->symbols, path, (unsigned)line, later, from, &unit))
        return false;
    for (unsigned i = 0; gpucode_debug_section(dap->debug, i, &section); i++)
        if (unit >= section.start && unit - section.start < section.size) {
            breakpoint->section = i;
            breakpoint->address = unit - section.start;
            return true;
        }
    return false;
}

/* Breakpoints at the other places that come from the same line; the client knows them by the first one's number. */
static void add_others(struct dap *dap, const char *path, const struct gpucode_breakpoint *first, const json_t *wanted,
                       const char *key)
{
    struct gpucode_place place;
    struct gpucode_section section;
    struct gpucode_breakpoint breakpoint = *first;
    while (gpucode_debug_place(dap->debug, breakpoint.section, breakpoint.address, &place) &&
           gpucode_debug_section(dap->debug, breakpoint.section, &section) &&
           breakpoints_line(dap, path, 0, place.line, false, (uint32_t)(section.start + breakpoint.address + 1),
                            &breakpoint)) {
        size_t before = dap->owned_count;
        json_decref(add_breakpoint(dap, &breakpoint, wanted, OWNER_SOURCE, key));
        if (dap->owned_count == before)
            return;
        dap->owned[before].shown = first->number;
    }
}

/* Removes what the list has and makes it of `elements`; the answer tells of each. */
static void set_breakpoint_list(struct dap *dap, const struct breakpoint_list *list, const json_t *elements,
                                make_breakpoint *make, struct answer *answer)
{
    const json_t *wanted;
    size_t i;
    json_t *made = json_array();
    forget_breakpoints(dap, list->owner, list->key);
    json_array_foreach(elements, i, wanted) json_array_append_new(made, make(dap, list, wanted));
    answer->body = json_pack("{s:o}", "breakpoints", made);
}

static json_t *make_source_breakpoint(struct dap *dap, const struct breakpoint_list *list, const json_t *wanted)
{
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE};
    int64_t line = number_of(wanted, "line", 0) + dap->lines_from_0;
    if (!breakpoints_line(dap, list->path, list->reference, line, true, 0, &breakpoint))
        return unverified("no code comes from this line");
    json_t *result = add_breakpoint(dap, &breakpoint, wanted, list->owner, list->key);
    if (breakpoint.number && !list->reference)
        add_others(dap, list->path, &breakpoint, wanted, list->key);
    return result;
}

void request_setBreakpoints(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const json_t *source = json_object_get(arguments, "source");
    struct breakpoint_list list = {OWNER_SOURCE, text_of(source, "path"), number_of(source, "sourceReference", 0),
                                   NULL};
    char name[32];
    snprintf(name, sizeof name, "#%" PRId64, list.reference);
    list.key = list.reference ? name : list.path;
    set_breakpoint_list(dap, &list, json_object_get(arguments, "breakpoints"), make_source_breakpoint, answer);
}

static json_t *make_function_breakpoint(struct dap *dap, const struct breakpoint_list *list, const json_t *wanted)
{
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .label = text_of(wanted, "name")};
    dap_take_text(dap);
    return console_place(dap->console, breakpoint.label, &breakpoint.section, &breakpoint.address)
               ? add_breakpoint(dap, &breakpoint, wanted, list->owner, NULL)
               : unverified(dap_take_text(dap));
}

void request_setFunctionBreakpoints(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    set_breakpoint_list(dap, &(struct breakpoint_list){.owner = OWNER_FUNCTION},
                        json_object_get(arguments, "breakpoints"), make_function_breakpoint, answer);
}

static json_t *make_instruction_breakpoint(struct dap *dap, const struct breakpoint_list *list, const json_t *wanted)
{
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE};
    uint64_t address;
    bool good =
        take_reference(wanted, "instructionReference", &address) &&
        code_place(dap, address + (uint64_t)number_of(wanted, "offset", 0), &breakpoint.section, &breakpoint.address);
    return good ? add_breakpoint(dap, &breakpoint, wanted, list->owner, NULL)
                : unverified("there is no code at that reference");
}

void request_setInstructionBreakpoints(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    set_breakpoint_list(dap, &(struct breakpoint_list){.owner = OWNER_INSTRUCTION},
                        json_object_get(arguments, "breakpoints"), make_instruction_breakpoint, answer);
}

static json_t *make_exception_filter(struct dap *dap, const struct breakpoint_list *list, const json_t *filter)
{
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_CATCHPOINT_PACKET, .address = GPUCODE_ANY};
    const char *name = json_string_value(filter);
    return name && strcmp(name, "packet") == 0 ? add_breakpoint(dap, &breakpoint, NULL, list->owner, NULL)
                                               : unverified("no such filter");
}

void request_setExceptionBreakpoints(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    set_breakpoint_list(dap, &(struct breakpoint_list){.owner = OWNER_EXCEPTION}, json_object_get(arguments, "filters"),
                        make_exception_filter, answer);
}

/* Lines that code comes from, of those asked for. */
void request_breakpointLocations(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const json_t *source = json_object_get(arguments, "source");
    const char *path = text_of(source, "path");
    int64_t reference = number_of(source, "sourceReference", 0), first = number_of(arguments, "line", 0);
    int64_t last = number_of(arguments, "endLine", first);
    if (last < first || last - first > 100000) {
        refuse(answer, "a range of at most 100000 lines is wanted");
        return;
    }
    json_t *list = json_array();
    struct gpucode_breakpoint breakpoint;
    for (int64_t line = first;
         line <= last && breakpoints_line(dap, path, reference, line + dap->lines_from_0, true, 0, &breakpoint);
         line++) {
        struct gpucode_place place;
        if (!reference && gpucode_debug_place(dap->debug, breakpoint.section, breakpoint.address, &place))
            line = (int64_t)place.line - dap->lines_from_0; /* the nearest that has code */
        if (line <= last)
            json_array_append_new(list, json_pack("{s:I}", "line", (json_int_t)line));
    }
    answer->body = json_pack("{s:o}", "breakpoints", list);
}

/* Of the last stop, if the machine's fault or a filter was its reason. */
void request_exceptionInfo(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const struct gpucode_debug_stop *stop = &dap->stop;
    const char *reason = stop->reason == GPUCODE_DEBUG_BREAKPOINT ? breakpoints_reason(dap, stop->breakpoint) : NULL;
    char name[GPUCODE_NAME_MAX + 16];
    (void)arguments;
    if (stop->reason == GPUCODE_DEBUG_MACHINE && stop->machine.code) {
        answer->body = json_pack("{s:s, s:s, s:s}", "exceptionId", stop->machine.code, "description",
                                 stop->machine.text, "breakMode", "always");
    } else if (reason && strcmp(reason, "exception") == 0) {
        const struct gpucode_target *target = gpucode_image_info(dap->image)->target;
        if (!gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, (uint32_t)stop->event.address, name, GPUCODE_NAME_MAX))
            snprintf(name, sizeof name, "0x%02" PRIx64, stop->event.address);
        answer->body =
            json_pack("{s:s, s:s, s:s}", "exceptionId", "packet", "description", name, "breakMode", "always");
    } else {
        refuse(answer, "the last stop was not an exception");
    }
}

/* --- watchpoints, which the protocol calls data breakpoints ------------------------------------------------------- */

/* "reg SPACE NUMBER PROCESSOR" or "mem ADDRESS SIZE" */
void request_dataBreakpointInfo(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const char *name = text_of(arguments, "name");
    int64_t scope = number_of(arguments, "variablesReference", 0) - 1;
    struct gpucode_value value;
    char id[96];
    if (scope >= 0 && scope <= 1 << 20)
        gpucode_debug_select(dap->debug, (unsigned)scope / SPACES);
    dap_take_text(dap);
    if (gpucode_debug_evaluate(dap->debug, name, strlen(name), false, dap_diagnostic_handler(dap), &value) !=
            GPUCODE_OK ||
        (value.place != GPUCODE_VALUE_REGISTER && value.place != GPUCODE_VALUE_MEMORY)) {
        answer->body = json_pack("{s:n, s:s}", "dataId", "description", "only registers and memory can be watched");
        return;
    }
    if (value.place == GPUCODE_VALUE_REGISTER)
        snprintf(id, sizeof id, "reg %u %" PRIu64 " %u", value.space, value.address,
                 gpucode_debug_processor(dap->debug));
    else
        snprintf(id, sizeof id, "mem %" PRIu64 " %u", value.address, value.size);
    json_t *text = json_string(name);
    answer->body = json_pack("{s:s, s:o, s:[s,s,s], s:b}", "dataId", id, "description", text ? text : json_string("?"),
                             "accessTypes", "read", "write", "readWrite", "canPersist", 0);
}

static bool take_data(struct dap *dap, const char *id, const char *access, struct gpucode_breakpoint *breakpoint)
{
    unsigned space, processor;
    uint64_t address, size;
    struct gpucode_space_info info;
    breakpoint->access = strcmp(access, "read") == 0        ? GPUCODE_ACCESS_READ
                         : strcmp(access, "readWrite") == 0 ? GPUCODE_ACCESS_READ | GPUCODE_ACCESS_WRITE
                                                            : GPUCODE_ACCESS_CHANGE;
    if (sscanf(id, "reg %u %" SCNu64 " %u", &space, &address, &processor) == 3) {
        *breakpoint = (struct gpucode_breakpoint){
            .kind = GPUCODE_WATCHPOINT_REGISTER, .access = breakpoint->access, .space = space, .address = address};
        if (gpucode_machine_space(dap->machine, space, &info) && !info.shared) {
            breakpoint->one_processor = true;
            breakpoint->processor = processor;
        }
        return true;
    }
    if (sscanf(id, "mem %" SCNu64 " %" SCNu64, &address, &size) == 2) {
        *breakpoint = (struct gpucode_breakpoint){
            .kind = GPUCODE_WATCHPOINT_MEMORY, .access = breakpoint->access, .address = address, .size = size};
        return true;
    }
    return false;
}

static json_t *make_data_breakpoint(struct dap *dap, const struct breakpoint_list *list, const json_t *wanted)
{
    struct gpucode_breakpoint breakpoint = {0};
    return take_data(dap, text_of(wanted, "dataId"), text_of(wanted, "accessType"), &breakpoint)
               ? add_breakpoint(dap, &breakpoint, wanted, list->owner, NULL)
               : unverified("nothing has this dataId");
}

void request_setDataBreakpoints(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    set_breakpoint_list(dap, &(struct breakpoint_list){.owner = OWNER_DATA}, json_object_get(arguments, "breakpoints"),
                        make_data_breakpoint, answer);
}
