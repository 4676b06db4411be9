/* SPDX-License-Identifier: MIT */
/*
 * Differences for people: what has become of packets and functions, the kinds of edits, and a listing of each changed
 * function with the addresses of both sides.
 */
#include "cli/differences.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 3 /* lines that are the same, around those that are not */
#define COLUMNS 100

static void put_name(const struct differences *differences, const struct gpucode_compared_section *section,
                     const struct gpucode_compared_function *function)
{
    char name[GPUCODE_NAME_MAX];
    unsigned side = function->change == GPUCODE_CHANGE_GONE ? GPUCODE_OLD : GPUCODE_NEW;
    understood_name(differences->understood[side], section->section[side], function->function[side], name);
    fputs(name, stdout);
}

/* --- packets --- */

/* Has the packet the handler that most have? Those are counted, but not named. */
static bool is_standard(const struct differences *differences, const struct gpucode_compared_section *section,
                        unsigned packet)
{
    unsigned most = 0, same = 0;
    uint32_t handlers[GPUCODE_COMPARED_PACKETS] = {0};
    const struct gpucode_image *image = differences->understood[GPUCODE_NEW]->input->image;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        gpucode_image_handler(image, section->section[GPUCODE_NEW], i, &handlers[i]);
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < GPUCODE_COMPARED_PACKETS; k++)
            count += handlers[i] == handlers[k];
        most = count > most ? count : most;
        same = handlers[i] == handlers[packet] ? count : same;
    }
    return most > 1 && same == most;
}

static void put_packets(const struct differences *differences, const struct gpucode_compared_section *section,
                        enum gpucode_change change)
{
    char name[GPUCODE_NAME_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        count += section->packets[i] == change;
    if (!count)
        return;
    int column = printf("  %-8s %3u ", gpucode_change_name(change), count);
    for (unsigned i = 0; change != GPUCODE_CHANGE_SAME && i < GPUCODE_COMPARED_PACKETS; i++) {
        if (section->packets[i] != change || (change <= GPUCODE_CHANGE_CHANGED && is_standard(differences, section, i)))
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

/* --- edits --- */

struct kind {
    const char *text;
    unsigned count, order;
};

static int compare_kinds(const void *a, const void *b)
{
    const struct kind *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_counts(const void *a, const void *b)
{
    const struct kind *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* Edits that differ by registers alone are of one kind. */
static unsigned gather_kinds(const struct gpucode_comparison *comparison, struct kind *kinds, unsigned total)
{
    unsigned count = 0;
    for (unsigned i = 0; i < total; i++) {
        const struct gpucode_edit *edit = gpucode_comparison_edit(comparison, i);
        kinds[i] = (struct kind){edit->kind, edit->count, i};
    }
    qsort(kinds, total, sizeof *kinds, compare_kinds);
    for (unsigned i = 0; i < total; i++) {
        if (count && strcmp(kinds[count - 1].text, kinds[i].text) == 0)
            kinds[count - 1].count += kinds[i].count;
        else
            kinds[count++] = kinds[i];
    }
    qsort(kinds, count, sizeof *kinds, compare_counts);
    return count;
}

static void put_edits(const struct gpucode_comparison *comparison)
{
    unsigned total = 0;
    while (gpucode_comparison_edit(comparison, total))
        total++;
    struct kind *kinds = total ? calloc(total, sizeof *kinds) : NULL;
    if (!kinds)
        return;
    unsigned count = gather_kinds(comparison, kinds, total);
    puts("edits:");
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_edit *edit = gpucode_comparison_edit(comparison, kinds[i].order);
        bool one = edit->count == kinds[i].count; /* the registers are known */
        printf("  %s, %u place%s\n", one ? edit->text : kinds[i].text, kinds[i].count, kinds[i].count > 1 ? "s" : "");
    }
    free(kinds);
}

void differences_text(const struct differences *differences)
{
    const struct gpucode_compared_section *section;
    bool several = gpucode_comparison_section(differences->comparison, 1);
    for (unsigned i = 0; (section = gpucode_comparison_section(differences->comparison, i)); i++) {
        if (several)
            printf("%ssection %s\n", i ? "\n" : "", differences_section(differences, section));
        if (section->has_packets)
            puts("packets:");
        for (unsigned k = 0; section->has_packets && k <= GPUCODE_CHANGE_GONE; k++)
            put_packets(differences, section, k);
        put_functions(differences, section);
        for (uint32_t k = 0; k < section->function_count; k++)
            if (section->functions[k].change == GPUCODE_CHANGE_CHANGED)
                put_listing(differences, section, &section->functions[k]);
    }
    if (gpucode_comparison_edit(differences->comparison, 0))
        putchar('\n');
    put_edits(differences->comparison);
}
