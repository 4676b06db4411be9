/* SPDX-License-Identifier: MIT */
/*
 * Differences for people: what has become of packets and functions, the kinds of edits, and a listing of each changed
 * function with the addresses of both sides.
 */
#include "cli/differences.h"

#include <stdio.h>

#define CONTEXT 3 /* lines that are the same, around those that are not */
#define COLUMNS 100

static void put_name(const struct differences *differences, const struct gpucode_compared_section *section,
                     const struct gpucode_compared_function *function)
{
    char name[GPUCODE_NAME_MAX];
    differences_name(differences, section, function, name);
    fputs(name, stdout);
}

/* --- packets --- */

static void put_packets(const struct differences *differences, const struct gpucode_compared_section *section,
                        enum gpucode_change change)
{
    char name[GPUCODE_NAME_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        count += section->packets[i] == change;
    if (!count)
        return;
    int column = printf("  %-8s %3u", gpucode_change_name(change), count);
    for (unsigned i = 0; change != GPUCODE_CHANGE_SAME && i < GPUCODE_COMPARED_PACKETS; i++) {
        if (section->packets[i] != change ||
            (change <= GPUCODE_CHANGE_CHANGED && differences_is_usual(differences, section, i)))
            continue;
        size_t length =
            gpucode_analysis_packet_name(differences->understood[GPUCODE_NEW]->analysis, i, name, sizeof name);
        if (column + 1 + (int)length > COLUMNS)
            column = printf("\n%14s", "") - 1;
        column += printf(" %s", name);
    }
    putchar('\n');
}

/* --- functions --- */

static void put_functions(const struct differences *differences, const struct gpucode_compared_section *section)
{
    unsigned counts[GPUCODE_CHANGE_GONE + 1] = {0};
    for (uint32_t i = 0; i < section->function_count; i++)
        counts[section->functions[i].change]++;
    printf("functions:");
    for (unsigned i = 0, put = 0; i <= GPUCODE_CHANGE_GONE; i++)
        if (counts[i])
            printf("%s %u %s", put++ ? "," : "", counts[i], gpucode_change_name(i));
    putchar('\n');
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        bool gone = function->change == GPUCODE_CHANGE_GONE;
        if (!gone && function->change != GPUCODE_CHANGE_NEW)
            continue;
        printf("  %-8s ", gpucode_change_name(function->change));
        put_name(differences, section, function);
        printf(" at %u\n", differences_start(differences, section, function, gone ? GPUCODE_OLD : GPUCODE_NEW));
    }
}

/* --- listings --- */

static void put_number(uint32_t unit)
{
    if (unit == GPUCODE_NONE)
        printf(" %6s", "");
    else
        printf(" %6u", unit);
}

static void put_line(const struct differences *differences, const struct gpucode_compared_section *section, char mark,
                     const uint32_t unit[2])
{
    char text[GPUCODE_TEXT_MAX];
    unsigned side = unit[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    bool known = understood_text(differences->understood[side], section->section[side], unit[side], text);
    putchar(mark);
    put_number(unit[GPUCODE_OLD]);
    put_number(unit[GPUCODE_NEW]);
    printf("  %s\n", known ? text : "(no instruction)");
}

/* Lines `from` to `to` are all different: what goes first, then what comes. */
static void put_change(const struct differences *differences, const struct gpucode_compared_section *section,
                       const struct gpucode_compared_function *function, uint32_t from, uint32_t to)
{
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++)
        for (uint32_t i = from; i < to; i++) {
            uint32_t unit[2] = {GPUCODE_NONE, GPUCODE_NONE};
            unit[side] = function->lines[i].unit[side];
            if (unit[side] != GPUCODE_NONE)
                put_line(differences, section, side == GPUCODE_OLD ? '-' : '+', unit);
        }
}

/* Is one of the lines near a different one? */
static bool is_shown(const struct gpucode_compared_function *function, uint32_t line)
{
    for (uint32_t i = line > CONTEXT ? line - CONTEXT : 0; i <= line + CONTEXT && i < function->line_count; i++)
        if (!function->lines[i].same)
            return true;
    return false;
}

static void put_listing(const struct differences *differences, const struct gpucode_compared_section *section,
                        const struct gpucode_compared_function *function)
{
    bool cut = false, any = false;
    putchar('\n');
    put_name(differences, section, function);
    printf(", %u -> %u:\n", differences_start(differences, section, function, GPUCODE_OLD),
           differences_start(differences, section, function, GPUCODE_NEW));
    for (uint32_t i = 0, end; i < function->line_count; i = end) {
        end = i + 1;
        if (!function->lines[i].same) {
            while (end < function->line_count && !function->lines[end].same)
                end++;
            put_change(differences, section, function, i, end);
            any = true;
        } else if (is_shown(function, i)) {
            if (cut)
                puts("  ...");
            put_line(differences, section, ' ', function->lines[i].unit);
        }
        cut = function->lines[i].same && !is_shown(function, i);
    }
    if (!any)
        puts("  the words are the same and lead elsewhere");
}

/* --- registers --- */

struct telling {
    const struct differences *differences;
    unsigned count;
};

static void put_register(void *user, const struct difference_register *what)
{
    struct telling *telling = user;
    char name[DIFFERENCE_NAME_MAX];
    difference_register_name(telling->differences, what, name);
    printf("%s%s %s", telling->count++ ? ", " : "  now: ", what->writes ? "writes" : "reads", name);
    if (!what->added)
        fputs(" no more", stdout);
}

static void put_registers(const struct differences *differences, const struct difference_uses *uses,
                          const struct gpucode_compared_section *section,
                          const struct gpucode_compared_function *function)
{
    struct telling telling = {differences, 0};
    if (uses)
        difference_registers(differences, uses, section, function, put_register, &telling);
    if (telling.count)
        putchar('\n');
}

/* --- edits --- */

static bool put_kind(void *user, const char *text, unsigned count)
{
    (void)user;
    printf("  %s, %u place%s\n", text, count, count > 1 ? "s" : "");
    return true;
}

void differences_text(const struct differences *differences)
{
    const struct gpucode_compared_section *section;
    bool several = gpucode_comparison_section(differences->comparison, 1);
    struct difference_uses *uses = difference_uses_begin(differences);
    for (unsigned i = 0; (section = gpucode_comparison_section(differences->comparison, i)); i++) {
        if (several)
            printf("%ssection %s\n", i ? "\n" : "", differences_section(differences, section));
        if (section->has_packets)
            puts("packets:");
        for (unsigned k = 0; section->has_packets && k <= GPUCODE_CHANGE_GONE; k++)
            put_packets(differences, section, k);
        put_functions(differences, section);
        for (uint32_t k = 0; k < section->function_count; k++)
            if (section->functions[k].change == GPUCODE_CHANGE_CHANGED) {
                put_listing(differences, section, &section->functions[k]);
                put_registers(differences, uses, section, &section->functions[k]);
            }
    }
    if (gpucode_comparison_edit(differences->comparison, 0))
        puts("\nedits:");
    differences_kinds(differences, put_kind, NULL);
    difference_uses_end(uses);
}
