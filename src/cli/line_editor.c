/* SPDX-License-Identifier: MIT */
#include "cli/line_editor.h"

#include "console/console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *read_plain(void)
{
    static char line[1024];
    if (!fgets(line, sizeof line, stdin))
        return NULL;
    size_t length = strcspn(line, "\n");
    if (length == sizeof line - 1) /* the rest of a line that is too long is not a command */
        for (int c = getchar(); c != EOF && c != '\n'; c = getchar())
            continue;
    line[length] = 0;
    return line;
}

#ifdef GPUCODE_WITH_LIBEDIT
#include <histedit.h>

struct line_editor {
    EditLine *edit;
    History *history;
    HistEvent event;
    struct console *console;
    char line[1024];
    const char *file; /* of the history, or null */
};

static char *prompt(EditLine *edit)
{
    static char text[] = "(gpucode) ";
    (void)edit;
    return text;
}

/* Tab: what all candidates share, or all of them when that is nothing new. */
static unsigned char complete(EditLine *edit, int key)
{
    struct line_editor *editor;
    const LineInfo *info = el_line(edit);
    char before[1024], common[256] = "";
    size_t length = (size_t)(info->cursor - info->buffer), word = 0;
    unsigned count = 0;
    (void)key;
    el_get(edit, EL_CLIENTDATA, &editor);
    if (length >= sizeof before)
        return CC_ERROR;
    memcpy(before, info->buffer, length);
    before[length] = 0;
    const char *candidate;
    for (; (candidate = console_complete(editor->console, before, count, &word)); count++) {
        size_t same = 0;
        while (count && common[same] && common[same] == candidate[same])
            same++;
        if (count)
            common[same] = 0;
        else
            snprintf(common, sizeof common, "%s", candidate);
    }
    if (!count)
        return CC_ERROR;
    size_t typed = length - word;
    if (strlen(common) > typed) {
        el_insertstr(edit, common + typed);
        if (count == 1)
            el_insertstr(edit, " ");
        return CC_REFRESH;
    }
    fputc('\n', stdout);
    for (unsigned i = 0; i < 60 && (candidate = console_complete(editor->console, before, i, &word)); i++)
        printf("%s%s", candidate, i % 4 == 3 ? "\n" : "  ");
    printf("%s\n", count > 60 ? "..." : "");
    return CC_REDISPLAY;
}

struct line_editor *line_editor_open(struct console *console)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return NULL;
    struct line_editor *editor = calloc(1, sizeof *editor);
    if (!editor)
        return NULL;
    editor->console = console;
    editor->edit = el_init("gpucode", stdin, stdout, stderr);
    editor->history = history_init();
    if (!editor->edit || !editor->history) {
        line_editor_close(editor);
        return NULL;
    }
    history(editor->history, &editor->event, H_SETSIZE, 1000);
    editor->file = getenv("GPUCODE_HISTORY");
    if (editor->file)
        history(editor->history, &editor->event, H_LOAD, editor->file);
    el_set(editor->edit, EL_CLIENTDATA, editor);
    el_set(editor->edit, EL_PROMPT, prompt);
    el_set(editor->edit, EL_EDITOR, "emacs");
    el_set(editor->edit, EL_HIST, history, editor->history);
    el_set(editor->edit, EL_ADDFN, "complete", "complete a word", complete);
    el_set(editor->edit, EL_BIND, "^I", "complete", NULL);
    el_source(editor->edit, NULL);
    return editor;
}

void line_editor_close(struct line_editor *editor)
{
    if (!editor)
        return;
    if (editor->history && editor->file)
        history(editor->history, &editor->event, H_SAVE, editor->file);
    if (editor->history)
        history_end(editor->history);
    if (editor->edit)
        el_end(editor->edit);
    free(editor);
}

const char *line_editor_read(struct line_editor *editor)
{
    int count;
    if (!editor)
        return read_plain();
    const char *line = el_gets(editor->edit, &count);
    if (!line || count <= 0)
        return NULL;
    snprintf(editor->line, sizeof editor->line, "%.*s", count, line);
    editor->line[strcspn(editor->line, "\n")] = 0;
    if (editor->line[0])
        history(editor->history, &editor->event, H_ENTER, editor->line);
    return editor->line;
}
#else
struct line_editor *line_editor_open(struct console *console)
{
    (void)console;
    return NULL;
}

void line_editor_close(struct line_editor *editor)
{
    (void)editor;
}

const char *line_editor_read(struct line_editor *editor)
{
    (void)editor;
    if (isatty(STDIN_FILENO)) {
        fputs("(gpucode) ", stdout);
        fflush(stdout);
    }
    return read_plain();
}
#endif
