/* SPDX-License-Identifier: MIT */
/* backtrace, frame, up, down: the calls that have not returned. */
#include "console/internal.h"

#include <inttypes.h>
#include <string.h>

bool frame_place(struct console *console, unsigned index, uint64_t *pc, bool *link)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    struct gpucode_frame frame = {.pc = gpucode_machine_pc(console->machine, processor)};
    if (index && !gpucode_machine_frame(console->machine, processor, index - 1, &frame))
        return false;
    *pc = frame.pc;
    *link = frame.link;
    return true;
}

static void show_frame(struct console *console, unsigned index)
{
    unsigned section = console_section(console);
    uint64_t pc;
    bool link;
    if (!frame_place(console, index, &pc, &link))
        return;
    console_say(console, "#%-2u ", index);
    put_address(console, section, pc);
    put_source(console, section, pc, "  ");
    console_say(console, "%s\n", link ? "  (link register, may be old)" : "");
}

bool do_backtrace(struct console *console, const struct console_arguments *arguments)
{
    uint64_t limit = arguments->at[0].given ? arguments->at[0].number : UINT64_MAX, pc;
    bool link;
    for (unsigned i = 0; i < limit && frame_place(console, i, &pc, &link); i++)
        show_frame(console, i);
    if (!gpucode_target_facts(console_target(console))->calls)
        console_say(console, "(scripts have no calls)\n");
    return true;
}

static bool select_frame(struct console *console, unsigned index)
{
    uint64_t pc;
    bool link;
    if (!frame_place(console, index, &pc, &link))
        return console_complain(console, "there is no call %u", index);
    console->frame = index;
    console->shower = SHOWED_NOTHING;
    console->next_line = 0;
    show_frame(console, index);
    return true;
}

bool do_frame(struct console *console, const struct console_arguments *arguments)
{
    return select_frame(console, arguments->at[0].given ? (unsigned)arguments->at[0].number : console->frame);
}

bool do_up(struct console *console, const struct console_arguments *arguments)
{
    uint64_t count = arguments->at[0].number;
    return select_frame(console, count > INT32_MAX ? INT32_MAX : console->frame + (unsigned)count);
}

bool do_down(struct console *console, const struct console_arguments *arguments)
{
    uint64_t count = arguments->at[0].number;
    if (!console->frame)
        return console_complain(console, "this is the innermost call");
    return select_frame(console, count > console->frame ? 0 : console->frame - (unsigned)count);
}
