/* SPDX-License-Identifier: MIT */
/* What the debugger says and takes for AFUC alone: packets, queues, protected registers. */
#include "cli_afuc_messages.h"
#include "kit/afuc/kit.h"
#include "kit/afuc/ring.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "gpu/replay.h"
#include "gpu/words.h"

#include <gpucode/debug.h>
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
     "Stop when a packet is taken, a fault happens or a protected register is written; or a flag or event NAME is acted "
     "upon."},
    {"crash", "cr", crash_word, false, "break FILE | compare FILE", "Breakpoints",
     "Stop where the packet of a crash dump is about to be taken; or tell which registers are not as in the dump."},
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

/* Packets of a debugger's session: in the ring from the beginning, or in portions for when the firmware waits. */

static int refuse_memory(struct session *session, enum gpucode_status status)
{
    return status == GPUCODE_OK ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

/* What a step says, now or kept for later. */
static int debug_step(struct session *session, struct gpucode_debug *debug, unsigned processor, const struct ring *ring,
                      const struct ring_step *step)
{
    unsigned space;
    uint32_t number;
    unsigned char bytes[4];
    enum gpucode_status status = GPUCODE_OK;
    if (step->kind == RING_SET) {
        if (!gpucode_machine_find(gpucode_debug_machine(debug), step->name, &space, &number))
            return ring_give(session, ring, step, gpucode_debug_machine(debug),
                             processor); /* complains as `run` does */
        status = gpucode_debug_write(debug, processor, space, number, ring->given[step->first]);
    }
    for (size_t i = 0; step->kind == RING_STORE && status == GPUCODE_OK && i < step->count; i++) {
        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (unsigned char)(ring->given[step->first + i] >> 8 * k);
        status = gpucode_debug_store(debug, step->address + 4 * i, bytes, 4);
    }
    return refuse_memory(session, status);
}

/*
 * What stands between packets is for the time when the firmware has booted, or has taken the packets above `.run`: as
 * `run` does it, each portion is given when the firmware waits.
 */
static int defer_steps(struct session *session, struct gpucode_debug *debug, unsigned processor,
                       const struct ring *ring)
{
    size_t fed = 0;
    int code = refuse_memory(session, gpucode_debug_defer(debug, true));
    for (size_t i = 0; !code && i <= ring->step_count; i++) {
        const struct ring_step *step = i < ring->step_count ? &ring->steps[i] : NULL;
        if (step && step->kind != RING_RUN) {
            code = debug_step(session, debug, processor, ring, step);
            continue;
        }
        size_t words = step ? step->words : ring->count;
        if (words > fed)
            code = refuse_memory(session, gpucode_debug_feed(debug, processor, ring->words + fed, words - fed));
        fed = words;
        if (!code && step)
            code = refuse_memory(session, gpucode_debug_defer(debug, true));
    }
    gpucode_debug_defer(debug, false);
    return code;
}

/* With --stream: a stop where the firmware first does something else than the stream says. */
static int firmware_stop_at_divergence(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    const struct arguments *arguments = &session->arguments;
    const char *path = arguments->value[OPTION_AFUC_STREAM];
    struct replay_first first;
    uint64_t submit = 0;
    if (!path || arguments_have(arguments, OPTION_AFUC_DEVCORE)) /* with a dump's state it is another run */
        return EXIT_DONE;
    int code = value_number(session, OPTION_AFUC_SUBMIT, "a number", &submit);
    if (!code)
        code = replay_find_first(session, input, path, submit, &first);
    if (code || !first.found)
        return code;
    if (first.last) {
        complain(&session->diagnostics, CLI_AFUC_DIVERGES_LAST, path, NULL, first.text);
        return EXIT_DONE;
    }
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_WATCHPOINT_REGISTER,
                                            .access = GPUCODE_ACCESS_WRITE,
                                            .space = GPUCODE_SPACE_GPU,
                                            .address = first.number,
                                            .ignore = first.passes,
                                            .temporary = true};
    enum gpucode_status status = gpucode_debug_add(debug, &breakpoint);
    if (status != GPUCODE_OK)
        return code_status(session, path, status);
    complain(&session->diagnostics, CLI_AFUC_DIVERGES, path, NULL, first.text, breakpoint.number);
    return EXIT_DONE;
}

int firmware_debugger(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    unsigned processor = firmware_processor(session, gpucode_debug_machine(debug));
    struct ring ring = {0};
    int code = ring_gather(session, input, &ring);
    if (!code && ring.step_count)
        code = defer_steps(session, debug, processor, &ring);
    else if (!code && ring.count)
        code = refuse_memory(session, gpucode_debug_feed(debug, processor, ring.words, ring.count));
    ring_free(&ring);
    return code ? code : firmware_stop_at_divergence(session, input, debug);
}
