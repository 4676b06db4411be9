/* SPDX-License-Identifier: MIT */
/*
 * Answers as text, and as HTML: the same text with elements around what has a style; and as Markdown (markdown.c).
 *
 * What a field shows in front of its value waits until something of the value is shown, so that a list without items
 * leaves no heading. Lines are gathered in `line` where they are to be wrapped.
 */
#include "base/text.h"
#include "answer/answer.h"
#include "answer/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The one table of what styles look like. */
static const struct {
    const char *terminal, *element;
} styles[] = {
    [GPUCODE_ANSWER_PLAIN] = {NULL, NULL},       [GPUCODE_ANSWER_HEADING] = {"\033[1m", "strong"},
    [GPUCODE_ANSWER_STRONG] = {"\033[1m", "b"},  [GPUCODE_ANSWER_GOOD] = {"\033[32m", "ins"},
    [GPUCODE_ANSWER_BAD] = {"\033[31m", "del"},  [GPUCODE_ANSWER_WARN] = {"\033[33m", "mark"},
    [GPUCODE_ANSWER_NAME] = {"\033[36m", "var"}, [GPUCODE_ANSWER_DIM] = {"\033[2m", "small"},
    [GPUCODE_ANSWER_LISTING] = {NULL, NULL},     [GPUCODE_ANSWER_TABLE] = {NULL, NULL},
    [GPUCODE_ANSWER_SIDES] = {NULL, NULL},       [GPUCODE_ANSWER_FOLD] = {NULL, NULL},
    [GPUCODE_ANSWER_PICTURE] = {NULL, NULL},
};

static bool is_html(const struct gpucode_answer *answer)
{
    return answer->options.form == GPUCODE_ANSWER_AS_HTML;
}

static bool is_markdown(const struct gpucode_answer *answer)
{
    return answer->options.form == GPUCODE_ANSWER_AS_MARKDOWN;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* Bytes of an escape sequence, or of an element of HTML, at `text`: they take no columns. */
static size_t unseen(const struct gpucode_answer *answer, const char *text, size_t length)
{
    char first = is_html(answer) ? '<' : '\033', last = is_html(answer) ? '>' : 'm';
    const char *end = length && *text == first ? memchr(text, last, length) : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

/* Where lines after the first begin: below the value where the line is a key, two spaces or more, and a value. An arrow
 * that marks the line is not a key. */
static unsigned indent_of(const struct gpucode_answer *answer, const char *text, size_t length)
{
    unsigned column = 0, key = 0;
    for (size_t at = 0; at < length && column < answer->options.columns / 2;) {
        size_t skip = unseen(answer, text + at, length - at);
        if (skip) {
            at += skip;
            continue;
        }
        bool gap = text[at] == ' ' && at + 1 < length && text[at + 1] == ' ';
        if (!key && length - at > 2 && memcmp(text + at, "=> ", 3) == 0) {
            at += 2;
            column += 2;
        }
        if (!key && text[at] != ' ')
            key = column + 1;
        for (; key && gap && at < length && text[at] == ' '; at++)
            column++;
        if (key && gap)
            return column;
        at++;
        column++;
    }
    return key ? key - 1 : 0;
}

/* Bytes of a line up to the space at which it is broken, of at most `columns`; all of it where it fits. */
static size_t fit(const struct gpucode_answer *answer, const char *text, size_t length, unsigned columns)
{
    size_t space = 0;
    unsigned column = 0;
    for (size_t at = 0; at < length;) {
        size_t skip = unseen(answer, text + at, length - at);
        if (skip) {
            at += skip;
            continue;
        }
        if (text[at] == ' ' && column && (column <= columns || !space))
            space = at;
        column += ((unsigned char)text[at] & 0xc0) != 0x80;
        if (column > columns && space)
            return space;
        at++;
    }
    return length;
}

/* Writes the line that was gathered, without its newline, on as many lines as it takes. */
static void wrap(struct gpucode_answer *answer)
{
    const char *text = answer->line.bytes;
    size_t length = answer->line.length;
    unsigned columns = answer->options.columns, indent = answer->listing ? 0 : indent_of(answer, text, length);
    for (bool first = true; length; first = false) {
        for (; !first && length && *text == ' '; length--)
            text++;
        /* in the first line a space in front of the value is not one to break at */
        size_t lead = first && indent < length ? indent : 0;
        size_t part = answer->listing
                          ? length
                          : lead + fit(answer, text + lead, length - lead, columns > indent ? columns - indent : 1);
        if (!first) {
            buffer_append(&answer->out, "\n", 1);
            for (unsigned i = 0; i < indent; i++)
                buffer_append(&answer->out, " ", 1);
        }
        buffer_append(&answer->out, text, part);
        text += part;
        length -= part;
    }
    answer->line.length = 0;
}

static void emit(struct gpucode_answer *answer, const char *text, size_t length)
{
    if (is_markdown(answer)) {
        markdown_emit(answer, text, length);
        return;
    }
    bool listed = answer->in_listing && answer->listing && !answer->line.length && length;
    if (!answer->options.columns || listed) {
        buffer_append(&answer->out, text, length);
        answer->line_begun = length && text[length - 1] != '\n';
        return;
    }
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;
        if (answer->listing && !answer->line.length) { /* is never wrapped: nothing to wait for */
            buffer_append(&answer->out, text, part + (newline != NULL));
        } else {
            buffer_append(&answer->line, text, part);
            if (newline)
                wrap(answer);
            if (newline)
                buffer_append(&answer->out, "\n", 1);
        }
        answer->line_begun = !newline;
        if (!newline)
            return;
        answer->listing = answer->in_listing;
        text += part + 1;
        length -= part + 1;
    }
}

static void emit_escaped(struct gpucode_answer *answer, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t plain = 0;
        while (at + plain < length && !strchr("<>&\"", text[at + plain]))
            plain++;
        emit(answer, text + at, plain);
        at += plain;
        if (at == length)
            return;
        const char *entity = text[at] == '<' ? "&lt;" : text[at] == '>' ? "&gt;" : text[at] == '&' ? "&amp;" : "&quot;";
        emit(answer, entity, strlen(entity));
        at++;
    }
}

/* Text of ours. */
static void emit_plain(struct gpucode_answer *answer, const char *text, size_t length)
{
    if (is_html(answer))
        emit_escaped(answer, text, length);
    else
        emit(answer, text, length);
}

/* Text of anybody's: nothing that a terminal would act on. Returns the columns it takes. */
static size_t emit_safely(struct gpucode_answer *answer, const char *text, size_t length, bool lines)
{
    size_t columns = 0;
    for (size_t at = 0; at < length;) {
        size_t plain = 0;
        while (at + plain < length && ((text[at + plain] >= ' ' && text[at + plain] <= '~') ||
                                       (lines && (text[at + plain] == '\n' || text[at + plain] == '\t'))))
            plain++;
        emit_plain(answer, text + at, plain);
        at += plain;
        columns += plain;
        if (at == length)
            break;
        uint32_t c;
        char hidden[16];
        size_t size = answer_character(text + at, length - at, &c);
        if (text[at] == '\t' || !answer_is_hidden(c)) {
            emit_plain(answer, text[at] == '\t' ? " " : text + at, size);
            columns++;
        } else {
            int shown = c >= 0x80 ? snprintf(hidden, sizeof hidden, "<U+%04X>", (unsigned)c)
                                  : snprintf(hidden, sizeof hidden, "<%02x>", (unsigned char)text[at]);
            emit_plain(answer, hidden, (size_t)shown);
            columns += (size_t)shown;
        }
        at += size;
    }
    return columns;
}

static void set_style(struct gpucode_answer *answer, enum gpucode_answer_style style, bool on)
{
    char text[16];
    if (is_markdown(answer))
        markdown_style(answer, style, on);
    else if (is_html(answer) && styles[style].element)
        emit(answer, text, (size_t)snprintf(text, sizeof text, on ? "<%s>" : "</%s>", styles[style].element));
    else if (!is_html(answer) && answer->options.color && styles[style].terminal)
        emit(answer, on ? styles[style].terminal : "\033[0m", on ? strlen(styles[style].terminal) : 4);
}

/* --- templates ---------------------------------------------------------------------------------------------------- */

/* What % begins in a template. */
struct mark {
    char what;       /* 's', '(', '{', '%'; 0: the template ends */
    const char *at;  /* at the %, or the end */
    const char *end; /* after it */
    bool left, zeros;
    unsigned width;
    const char *text; /* of ( and { */
    size_t length;
};

static struct mark next_mark(const char *template)
{
    struct mark mark = {.at = template + strcspn(template, "%")};
    const char *at = mark.at;
    mark.end = at;
    if (!*at++)
        return mark;
    mark.left = *at == '-';
    at += mark.left;
    mark.zeros = *at == '0';
    while (*at >= '0' && *at <= '9')
        mark.width = mark.width * 10 + (unsigned)(*at++ - '0');
    mark.what = *at++;
    if (mark.what == '(' || mark.what == '{') {
        mark.text = at;
        mark.length = strcspn(at, mark.what == '(' ? ")" : "}");
        at += mark.length + 1;
    }
    mark.end = at;
    return mark;
}

/* The text of a template up to what the value is put in for; returns that. */
static struct mark emit_literal(struct gpucode_answer *answer, const char *template, const uint64_t *number)
{
    for (;;) {
        struct mark mark = next_mark(template);
        emit_plain(answer, template, (size_t)(mark.at - template));
        if (mark.what == '%') {
            emit_plain(answer, "%", 1);
        } else if (mark.what == '(') {
            const char *bar = memchr(mark.text, '|', mark.length);
            size_t one = bar ? (size_t)(bar - mark.text) : mark.length;
            if (number && *number == 1)
                emit_plain(answer, mark.text, one);
            else if (bar)
                emit_plain(answer, bar + 1, mark.length - one - 1);
        } else {
            return mark;
        }
        template = mark.end;
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

static bool is_table(const struct gpucode_answer *answer, const struct answer_level *level)
{
    return is_html(answer) &&
           (level->field->style == GPUCODE_ANSWER_TABLE || level->field->style == GPUCODE_ANSWER_SIDES);
}

/* Is the level of that depth (1: the outermost) a row of a table? */
static bool is_row(const struct gpucode_answer *answer, unsigned depth)
{
    return depth >= 2 && is_table(answer, &answer->level[depth - 2]);
}

/* Is it a cell of a row? So are values that stand in the row themselves. */
static bool is_cell(const struct gpucode_answer *answer, unsigned depth)
{
    return depth >= 3 && is_row(answer, depth - 1);
}

/* Cells of a row of which nothing was shown: those after them keep their columns. */
static void emit_empty_cells(struct gpucode_answer *answer, struct answer_level *row)
{
    for (; row->empty; row->empty--)
        emit(answer, "<td></td>", 9);
}

static void begin_fold(struct gpucode_answer *answer, struct answer_level *level, const uint64_t *number)
{
    char text[96];
    if (!answer->folds)
        emit(answer, search_field, sizeof search_field - 1);
    answer->folds = level->in_summary = true;
    unsigned long long id = number ? *number : 0;
    if (!number) {
        emit(answer, "<details><summary>", 18);
        return;
    }
    emit(answer, text, (size_t)snprintf(text, sizeof text, "<details id=d%llu><summary>", id));
    emit(answer, text, (size_t)snprintf(text, sizeof text, "<a href=#d%llu>#</a> ", id));
}

/*
 * What is always seen of a part that folds ends where its first table begins. What is folded stands in a script of no
 * language, so that a browser has one text and not a million elements; page.h makes elements of it when it is opened.
 */
static void end_summary(struct gpucode_answer *answer)
{
    for (unsigned i = 0; i < answer->depth; i++) {
        struct answer_level *level = &answer->level[i];
        if (level->in_summary)
            emit(answer, "</summary><script type=text/plain>", 34);
        level->is_inert |= level->in_summary;
        level->in_summary = false;
    }
}

static void begin_row(struct gpucode_answer *answer)
{
    struct answer_rows *rows = &answer->rows;
    rows->flush = answer->out.flush;
    answer->out.flush = NULL; /* it stays until it is known */
    rows->start = answer->out.length;
    emit(answer, "<tr>", 4);
}

/* Of a row that was there before, its number: most draws have the registers of the one before. */
static void end_row(struct gpucode_answer *answer)
{
    struct answer_rows *rows = &answer->rows;
    struct buffer *out = &answer->out;
    bool inert = false;
    uint32_t number;
    char text[16];
    for (unsigned i = 0; i < answer->depth; i++)
        inert |= answer->level[i].is_inert;
    if (inert && !out->failed && rows->start <= out->length &&
        page_rows_find(rows, out->bytes + rows->start, out->length - rows->start, &number)) {
        out->length = rows->start;
        emit(answer, text, (size_t)snprintf(text, sizeof text, "<tr>@%" PRIu32, number));
    }
    if (rows->failed && answer->status == GPUCODE_OK)
        answer->status = GPUCODE_ERROR_MEMORY;
    emit(answer, "</tr>\n", 6);
    out->flush = rows->flush;
}

/*
 * The text in front of all levels of which nothing was shown yet, outermost first, and between items. `number` is the
 * value that is shown, or null.
 */
static void open_levels(struct gpucode_answer *answer, const uint64_t *number)
{
    bool html = is_html(answer);
    for (unsigned i = answer->opened ? answer->opened - 1 : 0; i < answer->depth; i++) {
        struct answer_level *level = &answer->level[i];
        bool table = html && is_table(answer, level);
        if (!level->shown) {
            const char *template = level->field->text ? level->field->text : "";
            level->shown = true;
            if (html && is_cell(answer, i + 1)) {
                emit_empty_cells(answer, &answer->level[i - 1]);
                emit(answer, "<td>", 4);
            }
            if (html && level->field->style == GPUCODE_ANSWER_FOLD)
                begin_fold(answer, level, number);
            if (level->field->style == GPUCODE_ANSWER_HEADING)
                set_style(answer, GPUCODE_ANSWER_HEADING, true);
            struct mark mark = template[0] == '%' && template[1] == 's'
                                   ? (struct mark){.what = 's', .end = template + 2}
                                   : emit_literal(answer, template, NULL);
            if (level->field->style == GPUCODE_ANSWER_HEADING)
                set_style(answer, GPUCODE_ANSWER_HEADING, false);
            level->after = mark.end;
            level->between = mark.what == '{' && !table ? mark.text : NULL;
            level->between_length = mark.length;
            if (table)
                end_summary(answer);
            if (table && level->field->style == GPUCODE_ANSWER_SIDES) {
                emit(answer, "<table class=sides>", 19);
            } else if (table) {
                emit(answer, "<table>", 7);
            }
            if (html && is_row(answer, i + 1))
                begin_row(answer);
        }
        if (!level->in_member && level->written++ && level->between)
            emit_plain(answer, level->between, level->between_length);
        level->in_member = true;
    }
    answer->opened = answer->depth;
}

static void begin_page(struct gpucode_answer *answer)
{
    if (!is_html(answer) || answer->begun)
        return;
    answer->begun = true;
    const char *title = answer->options.title ? answer->options.title : "gpucode";
    static const char head[] = "<!doctype html><html lang=en><meta charset=utf-8>"
                               "<meta name=viewport content=\"width=device-width\"><title>";
    emit(answer, head, sizeof head - 1);
    emit_escaped(answer, title, strlen(title));
    emit(answer, "</title>\n", 9);
    emit(answer, page_style, sizeof page_style - 1);
    if (answer->options.title) {
        emit(answer, "\n<h1>", 5);
        emit_escaped(answer, title, strlen(title));
        emit(answer, "</h1>", 5);
    }
    emit(answer, "\n<pre>\n", 7);
}

static bool begin_quickly(struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    (void)field;
    return answer->quick;
}

static void begin(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    (void)value;
    begin_page(answer);
}

static void end(struct gpucode_answer *answer, struct answer_level *level)
{
    bool cell = is_cell(answer, answer->depth);
    if (level->shown) {
        if (is_row(answer, answer->depth)) {
            emit_empty_cells(answer, level);
            end_row(answer);
        } else if (is_table(answer, level)) {
            emit(answer, "</table>", 8);
        }
        bool newline = level->after && level->after[0] == '\n' && !level->after[1];
        if (newline && is_row(answer, answer->depth))
            ; /* the row's own is enough */
        else if (newline && answer->quick)
            buffer_append(&answer->out, "\n", 1);
        else if (level->after && *level->after)
            emit_literal(answer, level->after, NULL);
        if (cell)
            emit(answer, "</td>", 5);
        if (level->in_summary)
            emit(answer, "</summary>", 10);
        if (level->is_inert)
            emit(answer, "</script>", 9);
        if (is_html(answer) && level->field->style == GPUCODE_ANSWER_FOLD)
            emit(answer, "</details>", 10);
    } else if (cell) {
        answer->level[answer->depth - 2].empty++;
    }
    if (answer->opened >= answer->depth)
        answer->opened = answer->depth - 1;
    if (answer->depth > 1)
        answer->level[answer->depth - 2].in_member = false;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* The value as text, where it is not one: in `text`. */
static const char *number_text(const struct gpucode_answer_value *value, const struct mark *mark, char text[40],
                               size_t *length)
{
    char *end = text;
    unsigned digits = mark->zeros ? mark->width : 1;
    switch (value->kind) {
    case GPUCODE_ANSWER_PLACE:
    case GPUCODE_ANSWER_HEX:
        end = TEXT_LITERAL(end, "0x");
        end += snprintf(end, 24, "%0*llx", (int)(digits > 16 ? 16 : digits), (unsigned long long)value->number);
        break;
    case GPUCODE_ANSWER_WORD:
        end = text_hex_fixed(end, value->number, value->number >> 32 ? 16 : 8);
        break;
    case GPUCODE_ANSWER_SIGNED:
        end = text_signed(end, value->signed_number);
        break;
    case GPUCODE_ANSWER_REAL:
        end += snprintf(end, 40, "%g", value->real);
        break;
    case GPUCODE_ANSWER_FLAG:
        end = text_string(end, value->flag ? "yes" : "no");
        break;
    default:
        end = text_decimal(end, value->number);
        break;
    }
    *length = (size_t)(end - text);
    return text;
}

static void pad(struct gpucode_answer *answer, const struct mark *mark, size_t columns)
{
    for (size_t i = columns; !mark->zeros && i < mark->width; i++)
        emit(answer, " ", 1);
}

static void emit_value(struct gpucode_answer *answer, const struct gpucode_answer_value *value, const struct mark *mark)
{
    char number[40];
    size_t length = value->length, columns = 0;
    const char *text = value->text ? value->text : number_text(value, mark, number, &length);
    enum gpucode_answer_style style = value->field->style;
    if (!mark->left && mark->width && !mark->zeros) {
        for (size_t i = 0; i < length; i++)
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        pad(answer, mark, columns);
    }
    if (style != GPUCODE_ANSWER_HEADING)
        set_style(answer, style, true);
    if (style == GPUCODE_ANSWER_PICTURE)
        emit(answer, text, length);
    else
        columns = emit_safely(answer, text, length, style == GPUCODE_ANSWER_LISTING);
    if (style != GPUCODE_ANSWER_HEADING)
        set_style(answer, style, false);
    if (mark->left)
        pad(answer, mark, columns);
}

/* --- lines as they come, of which there are millions ---------------------------------------------------------------
 */

static void make_template(struct answer_template *kept, const struct gpucode_answer_field *field)
{
    struct mark mark = next_mark(field->text), rest = next_mark(mark.end);
    bool plain = field->style == GPUCODE_ANSWER_PLAIN || field->style == GPUCODE_ANSWER_LISTING;
    *kept = (struct answer_template){
        .field = field,
        .after = mark.end,
        .before_length = (size_t)(mark.at - field->text),
        .after_length = (size_t)(rest.at - mark.end),
        .simple = plain && mark.what == 's' && !mark.width && !mark.left && !rest.what,
    };
}

static inline uint64_t odd_bytes(uint64_t bytes)
{
    return (bytes | (bytes - UINT64_C(0x2020202020202020)) | (bytes + UINT64_C(0x0101010101010101))) &
           UINT64_C(0x8080808080808080);
}

/* Copies a text, in pieces that may overlap; false: not every character is shown as it is. */
static inline bool copy_printable(char *to, const char *text, size_t length)
{
    uint64_t bytes, odd = 0;
    uint32_t first, last;
    if (length >= 8) {
        for (size_t at = 0; at < length - 8; at += 8) {
            memcpy(&bytes, text + at, 8);
            memcpy(to + at, &bytes, 8);
            odd |= odd_bytes(bytes);
        }
        memcpy(&bytes, text + length - 8, 8);
        memcpy(to + length - 8, &bytes, 8);
        odd |= odd_bytes(bytes);
    } else if (length >= 4) {
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + length - 4, &last, 4);
        odd = odd_bytes(first | (uint64_t)last << 32);
    } else {
        for (size_t at = 0; at < length; at++) {
            to[at] = text[at];
            odd |= (unsigned char)(text[at] - ' ') >= 0x7f - ' ';
        }
    }
    return !odd;
}

/* Texts and counts, where the template is simple and something of the value's level is shown. */
static bool put_quickly(struct gpucode_answer *answer, const struct gpucode_answer_field *field, uint64_t number,
                        const char *text, size_t length)
{
    struct answer_level *top = answer_top(answer);
    if (!field->text || (top && top->hidden))
        return true;
    if (!answer->quick || (!text && field->kind != GPUCODE_ANSWER_COUNT))
        return false;
    const struct answer_template *template = answer_template(answer, field, make_template);
    if (!template->simple)
        return false;
    if (top && (!top->shown || top->between))
        open_levels(answer, NULL);
    if (!buffer_reserve(&answer->out, template->before_length + template->after_length + length + 32))
        return true;
    char *to = text_put_name(buffer_end(&answer->out), field->text, template->before_length);
    if (!text) {
        to = text_decimal(to, number);
    } else if (copy_printable(to, text, length)) {
        to += length;
    } else {
        buffer_commit(&answer->out, to);
        emit_safely(answer, text, length, field->style == GPUCODE_ANSWER_LISTING);
        if (!buffer_reserve(&answer->out, template->after_length))
            return true;
        to = buffer_end(&answer->out);
    }
    buffer_commit(&answer->out, text_put_name(to, template->after, template->after_length));
    if (top)
        top->in_member = false;
    return true;
}

static void leaf(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    const char *template = value->field->text;
    begin_page(answer);
    bool picture = value->field->style == GPUCODE_ANSWER_PICTURE;
    if (!template || value->quiet || value->kind == GPUCODE_ANSWER_NOTHING ||
        (answer->depth && answer_top(answer)->hidden) || (picture && !is_html(answer)))
        return;

    struct mark mark = next_mark(template);
    if (value->kind == GPUCODE_ANSWER_FLAG && !value->flag && !value->text && mark.what != 's')
        return;
    const uint64_t *number = value->kind == GPUCODE_ANSWER_TEXT ? NULL : &value->number;
    open_levels(answer, number);
    bool heading = value->field->style == GPUCODE_ANSWER_HEADING, cell = is_row(answer, answer->depth);
    answer->in_listing = value->field->style == GPUCODE_ANSWER_LISTING;
    answer->listing |= answer->in_listing;
    if (cell) {
        emit_empty_cells(answer, &answer->level[answer->depth - 1]);
        emit(answer, "<td>", 4);
    }
    if (heading)
        set_style(answer, GPUCODE_ANSWER_HEADING, true);
    mark = emit_literal(answer, template, number);
    if (mark.what == 's') {
        emit_value(answer, value, &mark);
        emit_literal(answer, mark.end, number);
    }
    if (heading)
        set_style(answer, GPUCODE_ANSWER_HEADING, false);
    answer->in_listing = false;
    answer->listing &= answer->line_begun;
    if (answer->depth)
        answer->level[answer->depth - 1].in_member = false;
}

static void finish(struct gpucode_answer *answer)
{
    if (answer->rows.flush) /* a row may not have come to its end */
        answer->out.flush = answer->rows.flush;
    if (answer->line.length && is_markdown(answer))
        markdown_line(answer);
    else if (answer->line.length)
        wrap(answer);
    begin_page(answer);
    if (is_html(answer))
        emit(answer, "</pre>", 6);
    if (answer->folds)
        emit(answer, search_script, sizeof search_script - 1);
    if (is_html(answer))
        emit(answer, "</html>\n", 8);
}

const struct answer_form answer_as_text = {begin, leaf, end, finish, put_quickly, begin_quickly, NULL};
