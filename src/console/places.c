/* SPDX-License-Identifier: MIT */
/* Places in code: finding them, and showing them. */
#include "console/inside.h"

#include <ctype.h>
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

bool put_source(struct console *console, unsigned section, uint64_t pc, const char *lead)
{
    struct gpucode_place place, use;
    if (!gpucode_debug_place(console->debug, section, pc, &place))
        return false;
    say(console, "%s%s:%u", lead, place.file, place.line);
    bool known = false;
    for (unsigned i = 0; gpucode_debug_use(console->debug, section, pc, i, &use); i++, known = true)
        say(console, ", in macro %s used at %s:%u", use.macro, use.file, use.line);
    if (place.from_macro && !known)
        say(console, " (macro)");
    return true;
}

static void show_bytes(struct console *console, unsigned section, uint64_t pc, unsigned units)
{
    struct gpucode_insn insn;
    const unsigned char *bytes;
    unsigned count = units * gpucode_target_unit_bytes(gpucode_image_info(gpucode_debug_image(console->debug))->target);
    gpucode_debug_insn(console->debug, section, pc, &insn, &bytes);
    for (unsigned i = 0; bytes && i < count; i++)
        say(console, "%02x%s", bytes[i], i + 1 < count ? " " : "\t");
}

/* Bytes of `units` units stand in front of the text; 0: none. */
static void show_place_raw(struct console *console, unsigned section, uint64_t pc, bool here, unsigned units)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned processor = gpucode_debug_processor(console->debug);
    uint64_t target;
    bool pending = here && gpucode_machine_pending(console->machine, processor, &target);
    say(console, "%s", here ? "=> " : "   ");
    put_address(console, section, pc);
    if (!gpucode_debug_text(console->debug, section, pc, text, sizeof text))
        snprintf(text, sizeof text, "(no code)");
    say(console, ":\t");
    if (units)
        show_bytes(console, section, pc, units);
    say(console, "%s", text);
    if (pending && target == UINT64_MAX)
        say(console, "\t(delay slot)");
    else if (pending) {
        say(console, "\t(delay slot, then ");
        put_address(console, section, target);
        say(console, ")");
    }
    if (here)
        put_source(console, section, pc, "\t");
    say(console, "\n");
}

void show_place(struct console *console, unsigned section, uint64_t pc, bool here)
{
    show_place_raw(console, section, pc, here, 0);
}

void show_current(struct console *console)
{
    unsigned processor = gpucode_debug_processor(console->debug);
    unsigned section = gpucode_machine_section(console->machine, processor);
    if (gpucode_machine_processor(console->machine, 1))
        say(console, "%s ", gpucode_machine_processor(console->machine, processor));
    show_place(console, section, gpucode_machine_pc(console->machine, processor), true);
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

/* "file:line"; what stands before the colon is no section. */
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

/* Is it meant as FILE:LINE? Then the trouble is told, false otherwise. */
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
        complain_of(console, "no code comes from line %s of %s or from behind it", colon + 1, file);
    else
        complain_of(console, "no code comes from a file '%s'", file);
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
    if (!evaluate_all(console, text, &value))
        return false;
    *section = value.is_code ? value.section
                             : gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    *pc = (uint64_t)value.number;
    return true;
}

/* The place that arguments give, or where the same command ended last, or the selected call's. */
static bool start_of(struct console *console, const char *arguments, enum shower shower, unsigned *section,
                     uint64_t *pc)
{
    bool link;
    if (*arguments)
        return console_place(console, arguments, section, pc);
    bool goes_on = console->shower == shower && console->next_section != UINT32_MAX;
    *section = goes_on ? console->next_section
                       : gpucode_machine_section(console->machine, gpucode_debug_processor(console->debug));
    if (goes_on)
        *pc = console->next_code;
    else if (!frame_place(console, console->frame, pc, &link))
        frame_place(console, 0, pc, &link);
    return true;
}

static bool show_code(struct console *console, unsigned section, uint64_t pc, uint64_t count, uint64_t end,
                      enum shower shower, bool raw)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned processor = gpucode_debug_processor(console->debug);
    bool own = section == gpucode_machine_section(console->machine, processor);
    for (; count && pc < end; count--) {
        unsigned units = gpucode_debug_text(console->debug, section, pc, text, sizeof text);
        if (!units)
            break;
        show_place_raw(console, section, pc, own && pc == gpucode_machine_pc(console->machine, processor),
                       raw ? units : 0);
        pc += units;
    }
    console->shower = shower;
    console->next_section = section;
    console->next_code = pc;
    return true;
}

bool do_disassemble(struct console *console, const char *arguments)
{
    char place[256];
    bool raw = false;
    if (*arguments == '/') {
        for (arguments++; isalpha((unsigned char)*arguments); arguments++)
            raw |= *arguments == 'r';
        arguments = skip_blanks(arguments);
    }
    const char *comma = find_comma(arguments), *number = *comma ? skip_blanks(comma + 1) : "";
    uint64_t count = 10, pc, end = UINT64_MAX;
    unsigned section;
    struct gpucode_value value = {0};
    if (*number && !take_count(console, number + (*number == '+'), &count))
        return false;
    if (*number && *number != '+' && !evaluate_all(console, number, &value))
        return false;
    size_t length = (size_t)(comma - arguments);
    if (length >= sizeof place)
        return complain_of(console, "the place is too long");
    memcpy(place, arguments, length);
    place[length] = 0;
    if (!start_of(console, place, SHOWED_DISASSEMBLY, &section, &pc))
        return false;
    if (value.number > 0 && (uint64_t)value.number > pc) { /* gdb's START,END */
        end = (uint64_t)value.number;
        count = UINT64_MAX;
    }
    return show_code(console, section, pc, count, end, SHOWED_DISASSEMBLY, raw);
}

static bool show_lines(struct console *console, unsigned count)
{
    struct gpucode_place place;
    char text[512];
    unsigned processor = gpucode_debug_processor(console->debug);
    bool known = gpucode_debug_place(console->debug, gpucode_machine_section(console->machine, processor),
                                     gpucode_machine_pc(console->machine, processor), &place);
    console->first_line = console->next_line;
    for (unsigned i = 0; i < count && source_line(console->next_file, console->next_line, text, sizeof text); i++) {
        bool here = known && strcmp(place.file, console->next_file) == 0 && place.line == console->next_line;
        say(console, "%s %5u  %s\n", here ? "=>" : "  ", console->next_line++, text);
    }
    console->shower = SHOWED_LIST;
    return console->next_line > console->first_line ||
           complain_of(console, "%s has no line %u", console->next_file, console->next_line);
}

/* "LINE" or "LINE, LINE" of the file shown now; false: it is something else, or there is no file. */
static bool list_lines(struct console *console, const char *arguments)
{
    struct gpucode_place place;
    unsigned section;
    uint64_t pc;
    char *end;
    unsigned long first = strtoul(arguments, &end, 10), last = first + 4;
    const char *rest = skip_blanks(end);
    if (!isdigit((unsigned char)*arguments) || (*arguments == '0' && (arguments[1] | 32) == 'x'))
        return false;
    first = first > 5 ? first - 5 : 1;
    if (*rest == ',') {
        first = strtoul(arguments, NULL, 10);
        last = strtoul(skip_blanks(rest + 1), &end, 10);
        rest = skip_blanks(end);
    }
    if (*rest || first < 1 || last < first || last > INT32_MAX)
        return false;
    if (!console->next_line) {
        if (!start_of(console, "", SHOWED_LIST, &section, &pc) ||
            !gpucode_debug_place(console->debug, section, pc, &place))
            return false;
        snprintf(console->next_file, sizeof console->next_file, "%s", place.file);
    }
    console->next_line = (unsigned)first;
    return show_lines(console, (unsigned)(last - first + 1));
}

bool do_list(struct console *console, const char *arguments)
{
    struct gpucode_place place;
    char text[512];
    unsigned section;
    uint64_t pc;
    if (list_lines(console, arguments))
        return true;
    if (strcmp(arguments, "-") == 0 && console->next_line) {
        unsigned first = console->first_line;
        console->next_line = first > 10 ? first - 10 : 1;
        if (first <= 1)
            return complain_of(console, "the file begins here");
        show_lines(console, first - console->next_line);
        return true;
    }
    if (strcmp(arguments, "-") == 0)
        arguments = "";
    if (*arguments || !console->next_line) {
        if (!start_of(console, arguments, SHOWED_LIST, &section, &pc))
            return false;
        if (!gpucode_debug_place(console->debug, section, pc, &place) ||
            !source_line(place.file, place.line, text, sizeof text)) {
            unsigned unit = gpucode_target_unit_bytes(gpucode_image_info(gpucode_debug_image(console->debug))->target);
            bool goes_on = !*arguments && console->shower == SHOWED_LIST;
            return show_code(console, section, pc > 3 && unit > 1 && !goes_on ? pc - 3 : pc, 10, UINT64_MAX,
                             SHOWED_LIST, false);
        }
        snprintf(console->next_file, sizeof console->next_file, "%s", place.file);
        console->next_line = place.line > 5 ? place.line - 5 : 1;
    }
    return show_lines(console, 10);
}
