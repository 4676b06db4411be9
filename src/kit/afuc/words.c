/* SPDX-License-Identifier: MIT */
/* What the debugger says and takes for AFUC alone: packets, queues, protected registers. */
#include "gpu/words.h"
#include "kit/afuc/kit.h"

#include <gpucode/gpucode.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool show_packets(struct console *console, const struct console_arguments *arguments)
{
    const struct gpucode_image *image = gpucode_debug_image(console_debug(console));
    unsigned section = console_section(console), i;
    char name[GPUCODE_NAME_MAX];
    uint32_t handler;
    (void)arguments;
    for (i = 0; gpucode_image_handler(image, section, i, &handler); i++) {
        if (!gpucode_name_of(console_target(console), NULL, GPUCODE_SPACE_PACKET, i, name, sizeof name))
            continue; /* nobody knows such a packet; its handler is the default one */
        console_say(console, "0x%02x %-32s 0x%04x\n", i, name, (unsigned)handler);
    }
    return i || console_complain(console, "the section has no packet table");
}

/* The registers that tell of queues, wherever the chip has them. A wide one is two, the lower half first. */
static const struct {
    const char *name;
    bool wide;
} queue_registers[] = {
    {"@IB_LEVEL", false},
    {"@IB1_BASE", true},
    {"@IB1_DWORDS", false},
    {"@IB2_BASE", true},
    {"@IB2_DWORDS", false},
    {"@IB3_BASE", true},
    {"@IB3_DWORDS", false},
    {"@SDS_BASE", true},
    {"@SDS_DWORDS", false},
    {"@MEM_READ_ADDR", true},
    {"@MEM_READ_DWORDS", false},
    {"@REG_READ_ADDR", false},
    {"@REG_READ_DWORDS", false},
    {"CP_RB_BASE", true},
    {"CP_RB_RPTR", false},
    {"CP_RB_WPTR", false},
    {"$rem", false},
};

static bool show_queues(struct console *console, const struct console_arguments *arguments)
{
    const struct gpucode_machine *machine = gpucode_debug_machine(console_debug(console));
    unsigned processor = gpucode_debug_processor(console_debug(console)), space, found = 0;
    uint32_t number, value, high;
    (void)arguments;
    for (size_t i = 0; i < sizeof queue_registers / sizeof *queue_registers; i++) {
        const char *name = queue_registers[i].name;
        if (!gpucode_machine_find(machine, name, &space, &number) ||
            gpucode_machine_read(machine, processor, space, number, &value) != GPUCODE_OK)
            continue;
        found++;
        if (queue_registers[i].wide && gpucode_machine_read(machine, processor, space, number + 1, &high) == GPUCODE_OK)
            console_say(console, "%-20s 0x%" PRIx64 "\n", name, (uint64_t)high << 32 | value);
        else
            console_say(console, "%-20s 0x%x\n", name, (unsigned)value);
    }
    return found || console_complain(console, "this machine has no queues");
}

static enum console_caught catch_packet(struct console *console, const char *name,
                                        struct gpucode_breakpoint *breakpoint)
{
    struct gpucode_value value;
    uint32_t number;
    breakpoint->kind = GPUCODE_CATCHPOINT_PACKET;
    breakpoint->address = GPUCODE_ANY;
    if (!*name)
        return CONSOLE_CAUGHT;
    if (gpucode_number_of(console_target(console), NULL, GPUCODE_SPACE_PACKET, name, strlen(name), &number)) {
        breakpoint->address = number;
        return CONSOLE_CAUGHT;
    }
    if (!console_evaluate_all(console, name, &value))
        return CONSOLE_WRONG;
    breakpoint->address = (uint64_t)value.number;
    return CONSOLE_CAUGHT;
}

static enum console_caught catch_own(struct console *console, const char *word, const char *argument,
                                     struct gpucode_breakpoint *breakpoint)
{
    if (strcmp(word, "packet") == 0)
        return catch_packet(console, argument, breakpoint);
    if (strcmp(word, "protected") != 0)
        return CONSOLE_OTHER;
    breakpoint->kind = GPUCODE_CATCHPOINT_FAULT;
    breakpoint->code = "protect";
    return CONSOLE_CAUGHT;
}

static bool catch_anything(struct console *console, const struct console_arguments *arguments)
{
    return console_catch(console, arguments, catch_own);
}

static bool read_register(const struct gpucode_debug *debug, const char *name, uint32_t *value)
{
    const struct gpucode_machine *machine = gpucode_debug_machine(debug);
    unsigned space;
    uint32_t number;
    return gpucode_machine_find(machine, name, &space, &number) &&
           gpucode_machine_read(machine, gpucode_debug_processor(debug), space, number, value) == GPUCODE_OK;
}

/* Which queue is read, and how much of a packet is left. */
static int tell_status(const struct gpucode_debug *debug, char *text, size_t size)
{
    uint32_t level, rem;
    if (!read_register(debug, "@IB_LEVEL", &level) || !read_register(debug, "$rem", &rem))
        return 0;
    return snprintf(text, size, "IB%u $rem %u", (unsigned)level, (unsigned)rem);
}

static const struct console_command commands[] = {
    {"catch", "cat", catch_anything, false, "packet [NAME] | fault [CODE] | protected | action | NAME [if CONDITION]",
     "Breakpoints",
     "Stop when a packet is taken, a fault happens, a protected register is written, or a flag or event NAME is acted "
     "upon."},
    {"crash", "cr", crash_word, false, "break FILE | compare FILE", "Breakpoints",
     "Stop where the packet of a crash dump is about to be taken, or tell which registers are not as in the dump."},
    {"packet", "pa", packet_send, false, "NAME [WORD,...] | reg REGISTER [WORD,...] | raw WORD,...", "Input",
     "Send a packet to the selected processor: type 7, type 4 (also @REGISTER), or words as they are. Commas may be "
     "left out where it stays clear."},
    {0},
};

static const struct console_part parts[] = {
    {"packets", "", show_packets},
    {"queues", "", show_queues},
    {0},
};

const struct kit_words afuc_words = {.commands = commands, .parts = parts, .status = tell_status};
