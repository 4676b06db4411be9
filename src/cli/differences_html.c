/* SPDX-License-Identifier: MIT */
/*
 * Differences as one page: what has become of packets and functions, the kinds of edits, and both sides of each changed
 * function beside each other. It needs nothing from elsewhere, and no scripts.
 */
#include "cli/differences.h"

#include "front/output.h"
#include "front/page.h"
#include "front/session.h"
#include "front/text_stream.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT 4 /* lines that are the same, around those that are not; more of them fold away */

static const char head[] =
    "<style>\n"
    ":root{--bg:#fff;--fg:#1b1f24;--dim:#6a737d;--line:#d8dee4;--old:#ffebe9;--oldm:#ffc1ba;--new:#e6ffec;"
    "--newm:#9be9a8;--head:#f6f8fa}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#8b949e;--line:#30363d;--old:#3c1618;"
    "--oldm:#8e2f2a;--new:#12301b;--newm:#226c36;--head:#161b22}}\n"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:88em;padding:0 1em;background:var(--bg);"
    "color:var(--fg)}\n"
    "h1{font-size:1.4em;font-weight:600}h2{font-size:1.15em;margin:2em 0 .5em}h3{font:600 1em monospace;margin:0}\n"
    "code,table.d{font:13px/1.45 ui-monospace,monospace}.dim{color:var(--dim)}\n"
    ".n{display:flex;flex-wrap:wrap;gap:.3em .9em;font:13px monospace;margin:.2em 0 .8em}a{color:inherit}\n"
    "b.changed,b.gone{color:#cf222e}b.new{color:#1a7f37}b.moved{color:#9a6700}\n"
    "table.e td{padding:.15em 1.2em .15em 0;vertical-align:top}\n"
    ".f{border:1px solid var(--line);border-radius:6px;margin:1em 0;overflow:auto}\n"
    ".f>div{background:var(--head);padding:.5em .8em;border-bottom:1px solid var(--line)}\n"
    "table.d{border-collapse:collapse;width:100%;table-layout:fixed}col.u{width:4.5em}\n"
    "table.d td{padding:0 .6em;white-space:pre;overflow:hidden;text-overflow:ellipsis}\n"
    "td.u{color:var(--dim);text-align:right}td.o{background:var(--old)}td.a{background:var(--new)}\n"
    "td.o mark{background:var(--oldm)}td.a mark{background:var(--newm)}mark{color:inherit}\n"
    "tbody.k td{color:var(--dim);text-align:center;background:var(--head)}\n"
    "td.h{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--head) 6px 12px)}\n"
    "</style>\n";

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

static void put_heading(const struct page *page, const char *what, enum gpucode_change change, unsigned count)
{
    const char *name = gpucode_change_name(change);
    fprintf(page->out, "<p><b class=%s>%s</b> <span class=dim>%u %s%s</span></p>\n", name, name, count, what,
            count == 1 ? "" : "s");
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
    put_heading(page, "packet", change, count);
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
    put_heading(page, "function", change, count);
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

static size_t text_of(const struct page *page, const struct gpucode_compared_section *section, unsigned side,
                      uint32_t unit, char text[GPUCODE_TEXT_MAX])
{
    if (!understood_text(page->differences->understood[side], section->section[side], unit, text))
        strcpy(text, "(no instruction)");
    return strlen(text);
}

/* A cell with its unit; `from` to `to` of the text is what the other side does not have. */
static void put_cell(const struct page *page, uint32_t unit, const char *class, const char *text, size_t length,
                     size_t from, size_t to)
{
    if (unit == GPUCODE_NONE) {
        fputs("<td class=u><td class=h>", page->out);
        return;
    }
    fprintf(page->out, "<td class=u>%u<td%s%s>", (unsigned)unit, *class ? " class=" : "", class);
    page_put_text(page->out, text, from);
    if (to > from) {
        fputs("<mark>", page->out);
        page_put_text(page->out, text + from, to - from);
        fputs("</mark>", page->out);
    }
    page_put_text(page->out, text + to, length - to);
}

static void put_row(const struct page *page, const struct gpucode_compared_section *section,
                    const struct gpucode_compared_line *line)
{
    char text[2][GPUCODE_TEXT_MAX] = {"", ""};
    size_t length[2] = {0, 0}, start = 0, end = 0;
    bool both = line->unit[GPUCODE_OLD] != GPUCODE_NONE && line->unit[GPUCODE_NEW] != GPUCODE_NONE;
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++)
        if (line->unit[side] != GPUCODE_NONE)
            length[side] = text_of(page, section, side, line->unit[side], text[side]);
    while (both && start < length[0] && start < length[1] && text[0][start] == text[1][start])
        start++;
    while (both && end < length[0] - start && end < length[1] - start &&
           text[0][length[0] - 1 - end] == text[1][length[1] - 1 - end])
        end++;
    fputs("<tr>", page->out);
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++) {
        bool marked = both && !line->same;
        put_cell(page, line->unit[side],
                 line->same            ? ""
                 : side == GPUCODE_OLD ? "o"
                                       : "a",
                 text[side], length[side], marked ? start : 0, marked ? length[side] - end : 0);
    }
    fputs("\n", page->out);
}

static bool is_near(const struct gpucode_compared_function *function, uint32_t line)
{
    for (uint32_t i = line > CONTEXT ? line - CONTEXT : 0; i <= line + CONTEXT && i < function->line_count; i++)
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
    fputs("<table class=d><col class=u><col><col class=u><col>\n", page->out);
    for (uint32_t i = 0; i < function->line_count; i++) {
        any |= !function->lines[i].same;
        if (!is_near(function, i)) {
            hidden++;
            continue;
        }
        if (hidden)
            fprintf(page->out, "<tbody class=k><tr><td colspan=4>%u line%s the same\n<tbody>", (unsigned)hidden,
                    hidden == 1 ? "" : "s");
        hidden = 0;
        put_row(page, section, &function->lines[i]);
    }
    if (hidden)
        fprintf(page->out, "<tbody class=k><tr><td colspan=4>%u line%s the same%s\n", (unsigned)hidden,
                hidden == 1 ? "" : "s", any ? "" : "; they lead elsewhere");
    fputs("</table></div>\n", page->out);
}

/* --- the page --- */

static bool put_kind(void *user, const char *text, unsigned count)
{
    const struct page *page = user;
    fprintf(page->out, "<tr><td>%u<td><code>", count);
    page_put_text(page->out, text, strlen(text));
    fputs("</code>\n", page->out);
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
    page_begin(page->out, "gpucode diff", head);
    fputs("<h1>", page->out);
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++) {
        const char *name = differences->understood[side]->input->file.name;
        fputs(side ? " &rarr; " : "", page->out);
        page_put_text(page->out, name, strlen(name));
    }
    fputs("</h1>\n", page->out);
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

int differences_html(struct session *session, const struct differences *differences, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    if (!out)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    const struct page page = {out, differences};
    put_page(&page);
    bool good = !ferror(out);
    good &= fclose(out) == 0;
    int code = good ? outputs_write(&session->diagnostics, path, text, length)
                    : complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    free(text);
    return code;
}
