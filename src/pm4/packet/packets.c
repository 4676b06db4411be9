/* SPDX-License-Identifier: MIT */
/* The decoder's public functions: creation, with what the packets of the target mean, and walking. */
#include "pm4/packet/packets.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* By name, because opcodes mean different packets on different chips. */
static const struct {
    const char *name;
    enum packet_action action;
} actions[] = {
    {"CP_NOP", ACTION_NOP},
    {"CP_INDIRECT_BUFFER", ACTION_INDIRECT_BUFFER},
    {"CP_INDIRECT_BUFFER_PFD", ACTION_INDIRECT_BUFFER},
    {"CP_INDIRECT_BUFFER_PFE", ACTION_INDIRECT_BUFFER},
    {"CP_INDIRECT_BUFFER_CHAIN", ACTION_CHAIN},
    {"CP_SET_DRAW_STATE", ACTION_SET_DRAW_STATE},
    {"CP_COND_INDIRECT_BUFFER_PFE", ACTION_CONDITIONAL_BUFFER},
    {"CP_COND_INDIRECT_BUFFER_PFD", ACTION_CONDITIONAL_BUFFER},
    {"CP_SET_AMBLE", ACTION_AMBLE},
    {"CP_SET_RENDER_MODE", ACTION_RENDER_MODE},
    {"CP_COMPUTE_CHECKPOINT", ACTION_CHECKPOINT},
    {"CP_START_BIN", ACTION_START_BIN},
    {"CP_FIXED_STRIDE_DRAW_TABLE", ACTION_DRAW_TABLE},
    {"CP_DRAW_INDX", ACTION_DRAW_COUNTED},
    {"CP_DRAW_INDX_2", ACTION_DRAW_COUNTED},
    {"CP_DRAW_INDX_OFFSET", ACTION_DRAW_COUNTED},
    {"CP_DRAW_INDX_BIN", ACTION_DRAW_BIN},
    {"CP_DRAW_INDX_2_BIN", ACTION_DRAW_BIN},
    {"CP_DRAW_INDIRECT", ACTION_DRAW},
    {"CP_DRAW_INDX_INDIRECT", ACTION_DRAW},
    {"CP_DRAW_INDIRECT_MULTI", ACTION_DRAW},
    {"CP_DRAW_AUTO", ACTION_DRAW},
    {"CP_EXEC_CS", ACTION_DISPATCH},
    {"CP_EXEC_CS_INDIRECT", ACTION_DISPATCH},
    {"CP_RUN_OPENCL", ACTION_DISPATCH_PLAIN},
    {"CP_BLIT", ACTION_BLIT},
    {"CP_EVENT_WRITE", ACTION_EVENT},
    {"CP_EVENT_WRITE7", ACTION_EVENT},
    {"CP_LOAD_STATE", ACTION_LOAD},
    {"CP_LOAD_STATE4", ACTION_LOAD},
    {"CP_LOAD_STATE6", ACTION_LOAD},
    {"CP_LOAD_STATE6_GEOM", ACTION_LOAD},
    {"CP_LOAD_STATE6_FRAG", ACTION_LOAD},
    {"CP_SET_MARKER", ACTION_SET_MARKER},
    {"CP_SKIP_IB2_ENABLE_GLOBAL", ACTION_SKIP_GLOBAL},
    {"CP_SKIP_IB2_ENABLE_LOCAL", ACTION_SKIP_LOCAL},
    {"CP_SET_VISIBILITY_OVERRIDE", ACTION_OVERRIDE},
    {"CP_REG_TEST", ACTION_REG_TEST},
    {"CP_COND_REG_EXEC", ACTION_COND_REG_EXEC},
    {"CP_COND_EXEC", ACTION_COND_EXEC},
    {"CP_REG_WRITE", ACTION_REG_WRITE},
    {"CP_CONTEXT_REG_BUNCH", ACTION_REG_BUNCH},
    {"CP_NON_CONTEXT_REG_BUNCH", ACTION_REG_BUNCH_LATER},
    {"CP_SET_CONSTANT", ACTION_SET_CONSTANT},
    {"CP_WIDE_REG_WRITE", ACTION_WIDE_WRITE},
    {"CP_REG_RMW", ACTION_REG_RMW},
    {"CP_MEM_TO_REG", ACTION_MEM_TO_REG},
    {"CP_SCRATCH_TO_REG", ACTION_SCRATCH_TO_REG},
    {"CP_COND_WRITE5", ACTION_COND_WRITE},
};

static enum packet_action action_of(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(name, actions[i].name) == 0)
            return actions[i].action;
    return ACTION_NONE;
}

/* The caller's rows for a packet of that name; null: there are none. */
static const struct field_layout *own_layout(const struct gpucode_packets *packets, const char *name)
{
    const struct gpucode_meanings *own = packets->options.meanings;
    for (uint32_t i = 0; own && own->family == packets->chip && i < own->packet_count; i++)
        if (strcmp(own->set.strings + own->packets[i].name, name) == 0)
            return &own->packets[i];
    return NULL;
}

/* Whose rows are shown: the caller's for the packet's name, or for the one whose payload it has. */
static void find_shown(const struct gpucode_packets *packets, const char *name, struct packet_opcode *opcode)
{
    opcode->shown = own_layout(packets, name);
    if (!opcode->shown && opcode->layout)
        opcode->shown = own_layout(packets, field_string(opcode->layout->name));
    opcode->shown_set = opcode->shown ? &packets->options.meanings->set : &field_built_in;
    if (!opcode->shown)
        opcode->shown = opcode->layout;
}

/* What each opcode is. The built-in name decides what it does, the caller's names only how it is called. */
static bool find_opcodes(struct gpucode_packets *packets)
{
    const struct gpucode_packet_options *options = &packets->options;
    char *at = packets->names = calloc(PACKET_OPCODES, GPUCODE_NAME_MAX);
    if (!at)
        return false;
    for (unsigned i = 0; i < PACKET_OPCODES; i++) {
        struct packet_opcode *opcode = &packets->opcodes[i];
        const char *name = gpucode_packet_name(packets->chip, i);
        if (name) {
            opcode->action = action_of(name);
            opcode->layout = field_packet_layout(packets->chip, i);
        }
        if (packets_callers_name(options->names, GPUCODE_SPACE_PACKET, i, at)) {
            ;
        } else if (name) {
            memcpy(at, name, strlen(name) + 1);
        } else {
            memcpy(at, "UNKN", 4);
            size_t length = 4;
            for (unsigned place = 100; place; place /= 10)
                if (i >= place || place == 1)
                    at[length++] = (char)('0' + i / place % 10);
            at[length] = 0;
        }
        find_shown(packets, at, opcode);
        opcode->name = (uint16_t)(at - packets->names);
        at += strlen(at) + 1;
    }
    return true;
}

enum gpucode_status gpucode_packets_create(const struct gpucode_packet_options *options, struct gpucode_packets **out)
{
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!options || (!options->target && !options->family) || !options->read || !options->event)
        return GPUCODE_ERROR_ARGUMENT;
    unsigned chip = options->family ? options->family : gpucode_target_family(options->target);
    if (chip < GPUCODE_FAMILY_MIN || chip > GPUCODE_FAMILY_MAX)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_packets *packets = calloc(1, sizeof *packets);
    if (!packets)
        return GPUCODE_ERROR_MEMORY;
    packets->options = *options;
    packets->chip = chip;
    packets->left = options->limit ? options->limit : GPUCODE_PACKET_WORDS_MAX;
    packets->state.mode = MODE_SYSMEM;
    packets->state.predicates_known = options->unwritten_zero ? UINT32_MAX : 0;
    packets->shadow = calloc(1, sizeof *packets->shadow);
    enum gpucode_status status = packets->shadow && find_opcodes(packets) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    return DELIVER(status, packets, out, gpucode_packets_free);
}

void gpucode_packets_free(struct gpucode_packets *packets)
{
    if (!packets)
        return;
    FREE_ALL(packets->names, packets->shadow, packets);
}

bool gpucode_packets_set(struct gpucode_packets *packets, uint32_t number, uint32_t value)
{
    if (!packets || number >= PACKET_REGISTERS)
        return false;
    packets->shadow->value[number] = value;
    packets->shadow->state[number] = REGISTER_KNOWN;
    return true;
}

enum gpucode_status gpucode_packets_walk(struct gpucode_packets *packets, uint64_t address, uint32_t words)
{
    if (!packets)
        return GPUCODE_ERROR_ARGUMENT;
    struct packet_buffer stream = {.address = address, .words = words, .source = GPUCODE_PACKET_STREAM};
    packets->stopped = false;
    packets->status = GPUCODE_OK;
    packets_read(packets, &stream);
    if (!packets->stopped)
        packets_tell_later(packets);
    packets->later_count = 0;
    return packets->status;
}
