/* SPDX-License-Identifier: MIT */
/*
 * Differences as one page: what has become of packets and functions, the kinds of edits, and both sides of each changed
 * function beside each other. It needs nothing from elsewhere, and no scripts.
 */
#include "cli/differences.h"

#include "cli/sides.h"
#include "front/output.h"
#include "front/page.h"
#include "front/session.h"

#include <string.h>

struct page {
    FILE *out;
    const struct differences *differences;
};

/* --- packets and functions --- */

static void put_name(const struct page *page, const struct gpucode_compared_section *section,
                     const struct gpucode_compared_function *function)
{
    char name[GPUCODE_NAME_MAX];
    differences_name(page->differences, section, function, name);
    page_put_text(page->out, name, strlen(name));
}

static void put_packets(const struct page *page, const struct gpucode_compared_section *section,
                        enum gpucode_change change)
{
    char name[GPUCODE_NAME_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        count += section->packets[i] == change;
    if (!count)
        return;
    sides_put_heading(page->out, "packet", change, count);
    if (change == GPUCODE_CHANGE_SAME)
        return;
    fputs("<div class=n>", page->out);
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++) {
        if (section->packets[i] != change || differences_is_usual(page->differences, section, i))
            continue;
        gpucode_analysis_packet_name(page->differences->understood[GPUCODE_NEW]->analysis, i, name, sizeof name);
        fputs("<span>", page->out);
        page_put_text(page->out, name, strlen(name));
        fputs("</span>", page->out);
    }
    fputs("</div>\n", page->out);
}

static void put_functions(const struct page *page, const struct gpucode_compared_section *section,
                          enum gpucode_change change)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < section->function_count; i++)
        count += section->functions[i].change == change;
    if (!count)
        return;
    sides_put_heading(page->out, "function", change, count);
    if (change == GPUCODE_CHANGE_SAME || change == GPUCODE_CHANGE_MOVED)
        return;
    fputs("<div class=n>", page->out);
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        if (function->change != change)
            continue;
        bool linked = change == GPUCODE_CHANGE_CHANGED;
        if (linked)
            fprintf(page->out, "<a href=\"#%s-%u\">", differences_section(page->differences, section), (unsigned)i);
        put_name(page, section, function);
        fputs(linked ? "</a> " : " ", page->out);
    }
    fputs("</div>\n", page->out);
}

/* --- both sides --- */

static void text_of(const struct page *page, const struct gpucode_compared_section *section, unsigned side,
                    uint32_t unit, char text[GPUCODE_TEXT_MAX])
{
    if (!understood_text(page->differences->understood[side], section->section[side], unit, text))
        strcpy(text, "(no instruction)");
}

static void put_row(const struct page *page, const struct gpucode_compared_section *section,
                    const struct gpucode_compared_line *line)
{
    char text[2][GPUCODE_TEXT_MAX] = {"", ""};
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++)
        if (line->unit[side] != GPUCODE_NONE)
            text_of(page, section, side, line->unit[side], text[side]);
    sides_put_row(page->out, line->unit, (const char *[]){text[0], text[1]}, line->same);
}

static bool is_near(const struct gpucode_compared_function *function, uint32_t line)
{
    for (uint32_t i = line > SIDES_CONTEXT ? line - SIDES_CONTEXT : 0;
         i <= line + SIDES_CONTEXT && i < function->line_count; i++)
        if (!function->lines[i].same)
            return true;
    return false;
}

static void put_function(const struct page *page, const struct gpucode_compared_section *section, uint32_t index)
{
    const struct gpucode_compared_function *function = &section->functions[index];
    uint32_t hidden = 0;
    bool any = false;
    fprintf(page->out, "<div class=f id=\"%s-%u\"><div><h3>", differences_section(page->differences, section),
            (unsigned)index);
    put_name(page, section, function);
    fprintf(page->out, " <span class=dim>%u &rarr; %u</span></h3></div>\n",
            (unsigned)differences_start(page->differences, section, function, GPUCODE_OLD),
            (unsigned)differences_start(page->differences, section, function, GPUCODE_NEW));
    sides_begin(page->out);
    for (uint32_t i = 0; i < function->line_count; i++) {
        any |= !function->lines[i].same;
        if (!is_near(function, i)) {
            hidden++;
            continue;
        }
        sides_put_hidden(page->out, hidden, "");
        hidden = 0;
        put_row(page, section, &function->lines[i]);
    }
    sides_put_hidden(page->out, hidden, any ? "" : "; they lead elsewhere");
    sides_end(page->out);
}

/* --- the page --- */

static bool put_kind(void *user, const char *text, unsigned count)
{
    const struct page *page = user;
    sides_put_edit(page->out, text, count);
    return true;
}

static void put_section(const struct page *page, const struct gpucode_compared_section *section, bool several)
{
    if (several)
        fprintf(page->out, "<h2>Section %s</h2>\n", differences_section(page->differences, section));
    for (unsigned k = 0; section->has_packets && k <= GPUCODE_CHANGE_GONE; k++)
        put_packets(page, section, k);
    for (unsigned k = 0; k <= GPUCODE_CHANGE_GONE; k++)
        put_functions(page, section, k);
    for (uint32_t i = 0; i < section->function_count; i++)
        if (section->functions[i].change == GPUCODE_CHANGE_CHANGED)
            put_function(page, section, i);
}

static void put_page(const struct page *page)
{
    const struct differences *differences = page->differences;
    const struct gpucode_compared_section *section;
    sides_put_head(page->out, differences->understood[GPUCODE_OLD]->input->file.name,
                   differences->understood[GPUCODE_NEW]->input->file.name);
    if (gpucode_comparison_edit(differences->comparison, 0)) {
        fputs("<h2>Edits</h2>\n<table class=e>\n", page->out);
        differences_kinds(differences, put_kind, (void *)page);
        fputs("</table>\n", page->out);
    }
    bool several = gpucode_comparison_section(differences->comparison, 1);
    if (!several)
        fputs("<h2>What became of it</h2>\n", page->out);
    for (unsigned i = 0; (section = gpucode_comparison_section(differences->comparison, i)); i++)
        put_section(page, section, several);
    page_end(page->out);
}

static void put_all(FILE *out, const void *user)
{
    put_page(&(const struct page){out, user});
}

int differences_html(struct session *session, const struct differences *differences, const char *path)
{
    return outputs_write_text(&session->diagnostics, path, put_all, differences);
}
