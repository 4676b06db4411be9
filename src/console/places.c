/* SPDX-License-Identifier: MIT */
/* Places in code: finding them, and showing them. */
#include "console/inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *section_name(struct console *console, unsigned section, struct gpucode_section *room)
{
    return gpucode_debug_section(console->debug, section, room) && *room->name ? room->name : "code";
}

bool source_line(const char *file, unsigned line, char *text, size_t size)
{
    FILE *in = fopen(file, "r");
    if (!in)
        return false;
    bool found = false;
    while (line && fgets(text, (int)size, in)) {
        size_t length = strcspn(text, "\n");
        if (text[length] || feof(in)) {
            text[length] = 0;
            found = --line == 0;
        } else if (line == 1) { /* longer than the room: its beginning will do */
            found = true;
            break;
        }
    }
    fclose(in);
    return found;
}

void put_address(struct console *console, unsigned section, uint64_t pc)
{
    char label[GPUCODE_NAME_MAX];
    if (gpucode_debug_label(console->debug, section, pc, label, sizeof label))
        say(console, "0x%04" PRIx64 " <%s>", pc, label);
    else
        say(console, "0x%04" PRIx64, pc);
}

void show_place(struct console *console, unsigned section, uint64_t pc, bool here)
{
    char text[GPUCODE_TEXT_MAX];
    struct gpucode_place place;
    unsigned processor = gpucode_debug_processor(console->debug);
    uint64_t target;
    bool pending = here && gpucode_machine_pending(console->machine, processor, &target);
    say(console, "%s", here ? "=> " : "   ");
    put_address(console, section, pc);
    if (!gpucode_debug_text(console->debug, section, pc, text, sizeof text))
        snprintf(text, sizeof text, "(no code)");
    say(console, ":\t%s", text);
    if (pending && target == UINT64_MAX)
        say(console, "\t(delay slot)");
    else if (pending) {
        say(console, "\t(delay slot, then ");
        put_address(console, section, target);
        say(console, ")");
    }
    if (here && gpucode_debug_place(console->debug, section, pc, &place))
        say(console, "\t%s:%u%s", place.file, place.line, place.from_macro ? " (macro)" : "");
    say(console, "\n");
}

void show_current(struct console *console)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    unsigned section = gpucode_machine_section(console->machine, processor);
    if (gpucode_machine_processor(console->machine, 1))
        say(console, "%s ", gpucode_machine_processor(console->machine, processor));
    show_place(console, section, gpucode_machine_pc(console->machine, processor), true);
}

/* "file:line"; what stands before the colon is no section. */
static bool find_line(struct console *console, const char *text, unsigned *section, uint64_t *pc)
{
    char file[256], *end;
    const char *colon = strrchr(text, ':');
    uint32_t unit;
    struct gpucode_section found;
    if (!colon || colon == text || (size_t)(colon - text) >= sizeof file || colon[1] < '0' || colon[1] > '9')
        return false;
    memcpy(file, text, (size_t)(colon - text));
    file[colon - text] = 0;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end || !gpucode_symbols_unit(console->symbols, file, (unsigned)line, true, 0, &unit))
        return false;
    for (unsigned i = 0; gpucode_debug_section(console->debug, i, &found); i++)
        if (unit >= found.start && unit - found.start < found.size) {
            *section = i;
            *pc = unit - found.start;
            return true;
        }
    return false;
}

bool console_place(struct console *console, const char *text, unsigned *section, uint64_t *pc)
{
    struct gpucode_value value;
    if (find_line(console, text, section, pc))
        return true;
    if (*text == '*') /* gdb's way to write an address */
        text++;
    if (!evaluate_all(console, text, &value))
        return false;
    *section = value.is_code ? value.section
                             : gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    *pc = (uint64_t)value.number;
    return true;
}

/* The place that arguments give, or where the command ended last, or the present one. */
static bool start_of(struct console *console, const char *arguments, unsigned *section, uint64_t *pc)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    if (*arguments)
        return console_place(console, arguments, section, pc);
    *section = console->next_section != UINT32_MAX ? console->next_section
                                                   : gpucode_machine_section(console->machine, processor);
    *pc = console->next_section != UINT32_MAX ? console->next_code : gpucode_machine_pc(console->machine, processor);
    return true;
}

static bool show_code(struct console *console, unsigned section, uint64_t pc, uint64_t count)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned processor = gpucode_debug_processor(console->debug);
    bool own = section == gpucode_machine_section(console->machine, processor);
    for (; count; count--) {
        unsigned units = gpucode_debug_text(console->debug, section, pc, text, sizeof text);
        if (!units)
            break;
        show_place(console, section, pc, own && pc == gpucode_machine_pc(console->machine, processor));
        pc += units;
    }
    console->next_section = section;
    console->next_code = pc;
    return true;
}

bool do_disassemble(struct console *console, const char *arguments)
{
    char place[256];
    const char *comma = find_comma(arguments);
    uint64_t count = 10, pc;
    unsigned section;
    if (*comma && !take_count(console, skip_blanks(comma + 1), &count))
        return false;
    size_t length = (size_t)(comma - arguments);
    if (length >= sizeof place)
        return complain_of(console, "the place is too long");
    memcpy(place, arguments, length);
    place[length] = 0;
    return start_of(console, place, &section, &pc) && show_code(console, section, pc, count);
}

bool do_list(struct console *console, const char *arguments)
{
    struct gpucode_place place;
    char text[512];
    unsigned section;
    uint64_t pc;
    bool goes_on = !*arguments && console->next_line;
    if (!goes_on) {
        if (!start_of(console, arguments, &section, &pc))
            return false;
        if (!gpucode_debug_place(console->debug, section, pc, &place) ||
            !source_line(place.file, place.line, text, sizeof text))
            return show_code(
                console, section,
                pc > 3 && gpucode_target_unit_bytes(gpucode_image_info(gpucode_debug_image(console->debug))->target) > 1
                    ? pc - 3
                    : pc,
                10);
        snprintf(console->next_file, sizeof console->next_file, "%s", place.file);
        console->next_line = place.line > 5 ? place.line - 5 : 1;
    }
    unsigned processor = gpucode_debug_processor(console->debug);
    bool known = gpucode_debug_place(console->debug, gpucode_machine_section(console->machine, processor),
                                     gpucode_machine_pc(console->machine, processor), &place);
    for (unsigned i = 0; i < 10 && source_line(console->next_file, console->next_line, text, sizeof text); i++) {
        bool here = known && strcmp(place.file, console->next_file) == 0 && place.line == console->next_line;
        say(console, "%s %5u  %s\n", here ? "=>" : "  ", console->next_line++, text);
    }
    return true;
}
