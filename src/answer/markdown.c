/* SPDX-License-Identifier: MIT */
/*
 * Answers as Markdown: the lines of the text, of which headings become headings, a line that begins with something
 * strong a paragraph, and all others indented code, which nothing that stands in them can end.
 */
#include "answer/answer.h"

#include <string.h>

static bool is_of_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Text of anybody's in a paragraph or a heading. An underscore within a word stands for itself. */
static void put_escaped(struct buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool within = text[i] == '_' && i && i + 1 < length && is_of_word(text[i - 1]) && is_of_word(text[i + 1]);
        if (!within && (strchr("\\`*_[]<>#&|~@!", text[i]) || (!i && strchr("-+=", text[i]))))
            buffer_append(out, "\\", 1);
        buffer_append(out, &text[i], 1);
    }
}

/* What was gathered in answer->line, without its newline. */
void markdown_line(struct gpucode_answer *answer)
{
    struct answer_markdown *state = &answer->markdown;
    struct buffer *out = &answer->out;
    const char *text = answer->line.bytes;
    size_t length = answer->line.length;
    bool code = !state->heading && !state->strong;
    while (length && text[length - 1] == ' ')
        length--;
    answer->line.length = 0;
    if (!length) {
        state->apart = true;
        return;
    }
    if (state->begun && (state->apart || !code || !state->code))
        buffer_append(out, "\n", 1);
    if (code) {
        buffer_append(out, "    ", 4);
        buffer_append(out, text, length);
    } else {
        for (; length && *text == ' '; length--)
            text++;
        if (state->heading)
            buffer_append(out, "## ", 3);
        put_escaped(out, text, length);
    }
    buffer_append(out, "\n", 1);
    *state = (struct answer_markdown){.begun = true, .code = code};
}

void markdown_emit(struct gpucode_answer *answer, const char *text, size_t length)
{
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;
        buffer_append(&answer->line, text, part);
        if (!newline)
            return;
        markdown_line(answer);
        text += part + 1;
        length -= part + 1;
    }
}

void markdown_style(struct gpucode_answer *answer, enum gpucode_answer_style style, bool on)
{
    if (style == GPUCODE_ANSWER_HEADING && (on || !answer->line.length))
        answer->markdown.heading = on;
    if (style == GPUCODE_ANSWER_STRONG && !answer->line.length)
        answer->markdown.strong = on;
}
