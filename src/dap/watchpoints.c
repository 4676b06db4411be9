/* SPDX-License-Identifier: MIT */
/* Watchpoints, which the protocol calls data breakpoints. */
#include "dap/breakpoint_list.h"

#include <inttypes.h>
#include <string.h>

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
               ? dap_add_breakpoint(dap, &breakpoint, wanted, list->owner, NULL)
               : dap_unverified("nothing has this dataId");
}

void request_setDataBreakpoints(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    set_breakpoint_list(dap, &(struct breakpoint_list){.owner = OWNER_DATA}, json_object_get(arguments, "breakpoints"),
                        make_data_breakpoint, answer);
}
