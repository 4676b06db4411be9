/* SPDX-License-Identifier: MIT */
#include "cli/sides.h"

#include "front/page.h"

#include <string.h>

static const char style[] =
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

void sides_put_head(FILE *out, const char *old, const char *new)
{
    page_begin(out, "gpucode diff", style);
    fputs("<h1>", out);
    page_put_text(out, old, strlen(old));
    fputs(" &rarr; ", out);
    page_put_text(out, new, strlen(new));
    fputs("</h1>\n", out);
}

void sides_put_heading(FILE *out, const char *what, enum gpucode_change change, unsigned count)
{
    const char *name = gpucode_change_name(change);
    fprintf(out, "<p><b class=%s>%s</b> <span class=dim>%u %s%s</span></p>\n", name, name, count, what,
            count == 1 ? "" : "s");
}

void sides_put_edit(FILE *out, const char *text, unsigned count)
{
    fprintf(out, "<tr><td>%u<td><code>", count);
    page_put_text(out, text, strlen(text));
    fputs("</code>\n", out);
}

/* --- two columns --- */

void sides_begin(FILE *out)
{
    fputs("<table class=d><col class=u><col><col class=u><col>\n", out);
}

void sides_end(FILE *out)
{
    fputs("</table></div>\n", out);
}

void sides_put_hidden(FILE *out, unsigned lines, const char *more)
{
    if (lines)
        fprintf(out, "<tbody class=k><tr><td colspan=4>%u line%s the same%s\n<tbody>", lines, lines == 1 ? "" : "s",
                more);
}

/* A cell with its unit; `from` to `to` of the text is what the other side does not have. */
static void put_cell(FILE *out, uint32_t unit, const char *class, const char *text, size_t length, size_t from,
                     size_t to)
{
    if (unit == GPUCODE_NONE) {
        fputs("<td class=u><td class=h>", out);
        return;
    }
    fprintf(out, "<td class=u>%u<td%s%s>", (unsigned)unit, *class ? " class=" : "", class);
    page_put_text(out, text, from);
    if (to > from) {
        fputs("<mark>", out);
        page_put_text(out, text + from, to - from);
        fputs("</mark>", out);
    }
    page_put_text(out, text + to, length - to);
}

void sides_put_row(FILE *out, const uint32_t unit[2], const char *const text[2], bool same)
{
    size_t length[2] = {strlen(text[0]), strlen(text[1])}, start = 0, end = 0;
    bool both = unit[GPUCODE_OLD] != GPUCODE_NONE && unit[GPUCODE_NEW] != GPUCODE_NONE;
    while (both && start < length[0] && start < length[1] && text[0][start] == text[1][start])
        start++;
    while (both && end < length[0] - start && end < length[1] - start &&
           text[0][length[0] - 1 - end] == text[1][length[1] - 1 - end])
        end++;
    fputs("<tr>", out);
    for (unsigned side = GPUCODE_OLD; side <= GPUCODE_NEW; side++) {
        bool marked = both && !same;
        const char *class = same ? "" : side == GPUCODE_OLD ? "o" : "a";
        put_cell(out, unit[side], class, text[side], length[side], marked ? start : 0, marked ? length[side] - end : 0);
    }
    fputs("\n", out);
}
