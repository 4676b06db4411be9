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

void show_frame(struct console *console, unsigned index)
{
    unsigned section = gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    uint64_t pc;
    bool link;
    if (!frame_place(console, index, &pc, &link))
        return;
    say(console, "#%-2u ", index);
    put_address(console, section, pc);
    put_source(console, section, pc, "  ");
    say(console, "%s\n", link ? "  (link register, may be old)" : "");
}

bool do_backtrace(struct console *console, const char *arguments)
{
    uint64_t limit = UINT64_MAX, pc;
    bool link;
    if (*arguments && !take_count(console, arguments, &limit))
        return false;
    for (unsigned i = 0; i < limit && frame_place(console, i, &pc, &link); i++)
        show_frame(console, i);
    if (!gpucode_target_facts(gpucode_image_info(gpucode_debug_image(console->debug))->target)->calls)
        say(console, "(scripts have no calls)\n");
    return true;
}

static bool select_frame(struct console *console, unsigned index)
{
    uint64_t pc;
    bool link;
    if (!frame_place(console, index, &pc, &link))
        return complain_of(console, "there is no call %u", index);
    console->frame = index;
    console->shower = SHOWED_NOTHING;
    console->next_line = 0;
    show_frame(console, index);
    return true;
}

bool do_frame(struct console *console, const char *arguments)
{
    struct gpucode_value value = {.number = console->frame};
    if (*arguments && !evaluate_all(console, arguments, &value))
        return false;
    if (value.number < 0 || value.number > INT32_MAX)
        return complain_of(console, "there is no call %" PRId64, value.number);
    return select_frame(console, (unsigned)value.number);
}

bool do_up(struct console *console, const char *arguments)
{
    uint64_t count;
    if (!take_count(console, arguments, &count))
        return false;
    return select_frame(console, count > INT32_MAX ? INT32_MAX : console->frame + (unsigned)count);
}

bool do_down(struct console *console, const char *arguments)
{
    uint64_t count;
    if (!take_count(console, arguments, &count))
        return false;
    if (!console->frame)
        return complain_of(console, "this is the innermost call");
    return select_frame(console, count > console->frame ? 0 : console->frame - (unsigned)count);
}
