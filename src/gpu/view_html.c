/* SPDX-License-Identifier: MIT */
/* --html: one page with folding draws, search, and links from values to where they were written. */
#include "front/page.h"
#include "front/session.h"
#include "gpu/view.h"

#include <inttypes.h>
#include <string.h>

static void put_text(struct view *view, const char *text)
{
    page_put_text(view->out, text, strlen(text));
}

static void ignore_event(struct view *view, const struct gpucode_packet_event *event)
{
    (void)view;
    (void)event;
}

static void print_submit(struct view *view, const struct gpucode_submit *submit)
{
    fprintf(view->out, "<h2>submit %zu ", view->submit);
    put_text(view, submit->text ? submit->text : "");
    fputs("</h2>\n", view->out);
}

static void ignore_write(struct view *view, const struct view_write *write)
{
    (void)view;
    (void)write;
}

static void print_entry(void *user, const struct state_entry *entry)
{
    struct view *view = user;
    char name[GPUCODE_NAME_MAX], text[VIEW_TEXT_MAX];
    fprintf(view->out, "<tr%s><td>%s<td>", entry->changed ? " class=c" : "", entry->changed ? "!" : "");
    put_text(view, view_register(view, entry->number, name));
    fputs("<td>", view->out);
    put_text(view, entry->known ? view_value(view, entry->number, entry->value, text) : "?");
    fprintf(view->out, "<td>%012" PRIx64, entry->address);
    if (entry->group != STATE_NO_GROUP)
        fprintf(view->out, " group %u", entry->group);
    fputs("</tr>\n", view->out);
}

static void print_draw(struct view *view, const struct gpucode_packet_event *event)
{
    const char *mode = view_mode(event->mode);
    uint64_t number = view->state.draws;
    fprintf(view->out, "<details id=d%" PRIu64 "><summary>draw %" PRIu64 " ", number, number);
    put_text(view, event->name);
    putc(' ', view->out);
    put_text(view, event->text ? event->text : "");
    if (event->count)
        fprintf(view->out, " %" PRIu32 " indices", event->count);
    fprintf(view->out, " <i>%s</i> <a href=#d%" PRIu64 ">at %012" PRIx64 "</a></summary><table>\n", mode ? mode : "",
            number, event->address);
    state_visit(&view->state, view->all, print_entry, view);
    fputs("</table></details>\n", view->out);
}

const struct view_form view_html = {print_submit, NULL, ignore_event, ignore_write, print_draw, NULL, NULL};
