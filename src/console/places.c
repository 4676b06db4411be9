/* SPDX-License-Identifier: MIT */
/* Places in code: finding them, and showing them. */
#include "console/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *section_name(struct console *console, unsigned section, struct gpucode_section *room)
{
    return gpucode_debug_section(console->debug, section, room) && *room->name ? room->name : "code";
}

void put_address(struct console *console, unsigned section, uint64_t pc)
{
    char label[GPUCODE_NAME_MAX];
    if (gpucode_debug_label(console->debug, section, pc, label, sizeof label))
        console_say(console, "0x%04" PRIx64 " <%s>", pc, label);
    else
        console_say(console, "0x%04" PRIx64, pc);
}

bool put_source(struct console *console, unsigned section, uint64_t pc, const char *lead)
{
    struct gpucode_place place, use;
    if (!gpucode_debug_place(console->debug, section, pc, &place))
        return false;
    console_say(console, "%s%s:%u", lead, place.file, place.line);
    bool known = false;
    for (unsigned i = 0; gpucode_debug_use(console->debug, section, pc, i, &use); i++, known = true)
        console_say(console, ", in macro %s used at %s:%u", use.macro, use.file, use.line);
    if (place.from_macro && !known)
        console_say(console, " (macro)");
    return true;
}

static void show_bytes(struct console *console, unsigned section, uint64_t pc, unsigned units)
{
    struct gpucode_insn insn;
    const unsigned char *bytes;
    unsigned count = units * gpucode_target_unit_bytes(console_target(console));
    gpucode_debug_insn(console->debug, section, pc, &insn, &bytes);
    for (unsigned i = 0; bytes && i < count; i++)
        console_say(console, "%02x%s", bytes[i], i + 1 < count ? " " : "\t");
}

void show_place_as(struct console *console, unsigned section, uint64_t pc, bool here, unsigned units, bool noted)
{
    const struct gpucode_notes *notes = noted || !console->plain ? console_notes(console) : NULL;
    char note[GPUCODE_NOTE_MAX];
    char text[GPUCODE_TEXT_MAX];
    unsigned processor = gpucode_debug_processor(console->debug);
    uint64_t target;
    bool pending = here && gpucode_machine_pending(console->machine, processor, &target);
    console_say(console, "%s", here ? "=> " : "   ");
    put_address(console, section, pc);
    if (!gpucode_debug_text(console->debug, section, pc, text, sizeof text))
        snprintf(text, sizeof text, "(no code)");
    console_say(console, ":\t");
    if (units)
        show_bytes(console, section, pc, units);
    console_say(console, "%s", text);
    if (pending && target == UINT64_MAX)
        console_say(console, "\t(delay slot)");
    else if (pending) {
        console_say(console, "\t(delay slot, then ");
        put_address(console, section, target);
        console_say(console, ")");
    }
    if (pc <= UINT32_MAX && gpucode_notes_text(notes, section, (uint32_t)pc, note, sizeof note))
        console_say(console, "%s%s", strstr(text, "\t; ") ? "; " : "\t; ", note);
    if (here)
        put_source(console, section, pc, "\t");
    console_say(console, "\n");
}

void show_place(struct console *console, unsigned section, uint64_t pc, bool here)
{
    show_place_as(console, section, pc, here, 0, false);
}

void show_current(struct console *console)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    unsigned section = gpucode_machine_section(console->machine, processor);
    if (gpucode_machine_processor(console->machine, 1))
        console_say(console, "%s ", gpucode_machine_processor(console->machine, processor));
    show_place(console, section, gpucode_machine_pc(console->machine, processor), true);
}

bool packet_entries(struct console *console, const char *name, uint64_t pcs[SECTIONS_MAX])
{
    struct gpucode_section room;
    uint32_t packet, handler;
    bool found = false;
    if (!gpucode_number_of(console_target(console), console_names(console), GPUCODE_SPACE_PACKET, name, strlen(name),
                           &packet))
        return false;
    for (unsigned i = 0; i < SECTIONS_MAX; i++) {
        bool has = gpucode_debug_section(console->debug, i, &room) &&
                   gpucode_image_handler(gpucode_debug_image(console->debug), i, packet, &handler) && handler;
        pcs[i] = has ? handler : UINT64_MAX;
        found |= has;
    }
    return found;
}

/* The place of a unit of the image. */
static bool place_of_unit(struct console *console, uint32_t unit, unsigned *section, uint64_t *pc)
{
    struct gpucode_section found;
    for (unsigned i = 0; gpucode_debug_section(console->debug, i, &found); i++)
        if (unit >= found.start && unit - found.start < found.size) {
            *section = i;
            *pc = unit - found.start;
            return true;
        }
    return false;
}

bool next_place(struct console *console, unsigned *section, uint64_t *pc)
{
    struct gpucode_section found;
    struct gpucode_place place, other;
    uint32_t unit;
    if (!gpucode_debug_place(console->debug, *section, *pc, &place) ||
        !gpucode_debug_section(console->debug, *section, &found))
        return false;
    unit = (uint32_t)(found.start + *pc);
    while (gpucode_symbols_unit(console->symbols, place.file, place.line, false, unit + 1, &unit))
        if (place_of_unit(console, unit, section, pc) && gpucode_debug_place(console->debug, *section, *pc, &other) &&
            strcmp(other.file, place.file) == 0)
            return true;
    return false;
}

/* "file:line"; for what does not begin with the name of a section. */
static bool find_line(struct console *console, const char *text, unsigned *section, uint64_t *pc)
{
    char file[256], *end;
    const char *colon = strrchr(text, ':');
    uint32_t unit;
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof file || colon[1] < '0' || colon[1] > '9')
        return false;
    memcpy(file, text, (size_t)(colon - text));
    file[colon - text] = 0;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || !gpucode_symbols_unit(console->symbols, file, (unsigned)line, true, 0, &unit))
        return false;
    return place_of_unit(console, unit, section, pc);
}

bool is_source_place(struct console *console, const char *text)
{
    unsigned section;
    uint64_t pc;
    return find_line(console, text, &section, &pc);
}

/* Is it meant as FILE:LINE, though there is no such place? Then says why. */
static bool lacks_line(struct console *console, const char *text)
{
    const char *colon = strrchr(text, ':');
    char file[256];
    uint32_t unit;
    size_t length = colon ? (size_t)(colon - text) : 0;
    if (!length || length >= sizeof file || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")] ||
        strcspn(text, " ?[({'$") < length || !memchr(text, '.', length))
        return false;
    memcpy(file, text, length);
    file[length] = 0;
    if (gpucode_symbols_unit(console->symbols, file, 1, true, 0, &unit))
        console_complain(console, "no code comes from line %s of %s or a later one", colon + 1, file);
    else
        console_complain(console, "no code comes from a file '%s'", file);
    return true;
}

bool console_place(struct console *console, const char *text, unsigned *section, uint64_t *pc)
{
    struct gpucode_value value;
    if (find_line(console, text, section, pc))
        return true;
    if (lacks_line(console, text))
        return false;
    if (*text == '*') /* gdb's way to write an address */
        text++;
    if (!console_evaluate_all(console, text, &value))
        return false;
    *section = value.is_code ? value.section : console_section(console);
    *pc = (uint64_t)value.number;
    return true;
}

/* backtrace, frame, up, down: the calls that have not returned. */

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
