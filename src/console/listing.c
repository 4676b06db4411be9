/* SPDX-License-Identifier: MIT */
/* disassemble and list: code, and the source that it comes from. */
#include "console/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the same command ended last, or the selected call's place. */
static void start_of(struct console *console, enum shower shower, unsigned *section, uint64_t *pc)
{
    bool link;
    bool goes_on = console->shower == shower && console->next_section != UINT32_MAX;
    *section = goes_on ? console->next_section : console_section(console);
    if (goes_on)
        *pc = console->next_code;
    else if (!frame_place(console, console->frame, pc, &link))
        frame_place(console, 0, pc, &link);
}

static bool show_code(struct console *console, unsigned section, uint64_t pc, uint64_t count, uint64_t end,
                      enum shower shower, bool raw, bool noted)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned processor = gpucode_debug_processor(console->debug);
    bool own = section == gpucode_machine_section(console->machine, processor);
    for (; count && pc < end; count--) {
        unsigned units = gpucode_debug_text(console->debug, section, pc, text, sizeof text);
        if (!units)
            break;
        show_place_as(console, section, pc, own && pc == gpucode_machine_pc(console->machine, processor),
                      raw ? units : 0, noted);
        pc += units;
    }
    console->shower = shower;
    console->next_section = section;
    console->next_code = pc;
    return true;
}

/* All of a function, with what is known of it. */
static bool show_function(struct console *console, unsigned section, const struct gpucode_function *function)
{
    const struct gpucode_analysis *analysis = console_analysis(console);
    uint64_t next = function->start;
    put_address(console, section, function->start);
    put_function(console, section, function->start);
    console_say(console, "\n");
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block = gpucode_analysis_block(analysis, section, function->blocks[i]);
        if (block->end <= next) /* a delay slot that is a block as well */
            continue;
        if (block->start > next)
            console_say(console, "   ...\n");
        show_code(console, section, block->start > next ? block->start : next, UINT64_MAX, block->end, SHOWED_LIST,
                  false, true);
        next = block->end;
    }
    return true;
}

/* Where the routine ends that begins at a place, all of which is shown then; else `count` instructions are. */
static uint64_t routine_end(const struct console *console, unsigned section, uint64_t pc, uint64_t *count)
{
    const struct gpucode_outline *outline = gpucode_debug_outline(console->debug);
    uint32_t index = gpucode_outline_find(outline, section, pc), unused;
    const struct gpucode_unit *units = gpucode_outline_units(outline, &unused);
    if (index == GPUCODE_NONE || units[index].at != pc || !units[index].begins || !units[index].label_count)
        return UINT64_MAX;
    const struct gpucode_routine *routine = &gpucode_outline_routines(outline, &unused)[units[index].routine];
    *count = UINT64_MAX;
    return units[routine->first + routine->count - 1].at + 1;
}

bool do_disassemble(struct console *console, const struct console_arguments *arguments)
{
    const struct console_argument *letters = &arguments->at[0], *place = &arguments->at[1], *last = &arguments->at[2];
    uint64_t count = last->given ? last->number : 10, pc = place->pc, end = UINT64_MAX;
    unsigned section = place->section;
    char text[GPUCODE_TEXT_MAX];
    if (!place->given)
        start_of(console, SHOWED_DISASSEMBLY, &section, &pc);
    else if (!gpucode_debug_text(console->debug, section, pc, text, sizeof text))
        return console_complain(console, "no code at '%s'", place->text);
    if (place->given && !last->given)
        end = routine_end(console, section, pc, &count);
    if (last->value.number > 0 && (uint64_t)last->value.number > pc) { /* gdb's START,END */
        end = (uint64_t)last->value.number;
        count = UINT64_MAX;
    }
    return show_code(console, section, pc, count, end, SHOWED_DISASSEMBLY, strchr(letters->text, 'r'),
                     strchr(letters->text, 'c'));
}

/* The next line of a file without its end, as much as there is room for. False: there is none. */
static bool read_line(FILE *in, char *text, size_t size)
{
    size_t length = 0;
    int c = getc(in);
    bool any = c != EOF;
    for (; c != EOF && c != '\n'; c = getc(in))
        if (length + 1 < size)
            text[length++] = (char)c;
    text[length] = 0;
    return any;
}

/* A file at the beginning of a line; null: there is no such line. */
static FILE *open_at_line(const char *file, unsigned line)
{
    FILE *in = fopen(file, "r");
    bool good = in;
    while (good && --line)
        for (int c = 0; good && c != '\n';)
            good = (c = getc(in)) != EOF;
    if (good) {
        int c = getc(in);
        good = c != EOF && ungetc(c, in) == c;
    }
    if (good || !in)
        return in;
    fclose(in);
    return NULL;
}

static bool has_line(const char *file, unsigned line)
{
    FILE *in = open_at_line(file, line);
    if (in)
        fclose(in);
    return in;
}

static bool show_lines(struct console *console, unsigned count)
{
    struct gpucode_place place;
    char text[512];
    unsigned processor = gpucode_debug_processor(console->debug);
    bool known = gpucode_debug_place(console->debug, gpucode_machine_section(console->machine, processor),
                                     gpucode_machine_pc(console->machine, processor), &place);
    console->first_line = console->next_line;
    FILE *in = open_at_line(console->next_file, console->next_line);
    for (unsigned i = 0; in && i < count && read_line(in, text, sizeof text); i++) {
        bool here = known && strcmp(place.file, console->next_file) == 0 && place.line == console->next_line;
        console_say(console, "%s %5u  %s\n", here ? "=>" : "  ", console->next_line++, text);
    }
    if (in)
        fclose(in);
    console->shower = SHOWED_LIST;
    return console->next_line > console->first_line ||
           console_complain(console, "%s has no line %u", console->next_file, console->next_line);
}

/* "LINE" or "LINE, LINE" of the file shown now; false: it is something else, or there is no file. *good: as do_list().
 */
static bool list_lines(struct console *console, const char *arguments, bool *good)
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
        start_of(console, SHOWED_LIST, &section, &pc);
        if (!gpucode_debug_place(console->debug, section, pc, &place))
            return false;
        snprintf(console->next_file, sizeof console->next_file, "%s", place.file);
    }
    console->next_line = (unsigned)first;
    *good = show_lines(console, (unsigned)(last - first + 1));
    return true;
}

bool do_list(struct console *console, const struct console_arguments *given)
{
    const char *arguments = given->at[0].text;
    struct gpucode_place place;
    unsigned section;
    uint64_t pc;
    bool good;
    if (list_lines(console, arguments, &good))
        return good;
    if (strcmp(arguments, "-") == 0 && console->next_line) {
        unsigned first = console->first_line;
        console->next_line = first > 10 ? first - 10 : 1;
        if (first <= 1)
            return console_complain(console, "the file begins here");
        show_lines(console, first - console->next_line);
        return true;
    }
    if (strcmp(arguments, "-") == 0)
        arguments = "";
    if (*arguments || !console->next_line) {
        if (!*arguments)
            start_of(console, SHOWED_LIST, &section, &pc);
        else if (!console_place(console, arguments, &section, &pc))
            return false;
        if (!gpucode_debug_place(console->debug, section, pc, &place) || !has_line(place.file, place.line)) {
            unsigned unit = gpucode_target_unit_bytes(console_target(console));
            bool goes_on = !*arguments && console->shower == SHOWED_LIST;
            if (*arguments && function_at(console, section, pc))
                return show_function(console, section, function_at(console, section, pc));
            return show_code(console, section, pc > 3 && unit > 1 && !goes_on ? pc - 3 : pc, 10, UINT64_MAX,
                             SHOWED_LIST, false, false);
        }
        snprintf(console->next_file, sizeof console->next_file, "%s", place.file);
        console->next_line = place.line > 5 ? place.line - 5 : 1;
    }
    return show_lines(console, 10);
}
