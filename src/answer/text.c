/* SPDX-License-Identifier: MIT */
/*
 * Answers as text, and as HTML: the same text with elements around what has a style; and as Markdown (lines.c).
 *
 * What a field shows in front of its value waits until something of the value is shown, so that a list without items
 * leaves no heading. Lines are gathered in `line` where they are to be wrapped.
 */
#include "answer/answer.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char page_style[] =
    "<style>:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:1em auto;max-width:110ch;"
    "padding:0 1em}body:has(.sides){max-width:190ch}pre,table{font:13px/1.4 "
    "ui-monospace,monospace}pre{white-space:pre-wrap}ins{color:#080;"
    "text-decoration:none}del{color:#b00;text-decoration:none}mark{background:none;color:#960}var{font-style:normal;"
    "color:#068}small{font-size:1em;opacity:.6}summary{cursor:pointer}"
    "#bar{position:fixed;top:0;left:0;right:0;height:3em;display:flex;gap:1em;align-items:center;padding:0 "
    "1em;box-sizing:border-box;border-bottom:1px solid #8888}html:has(#q){overflow:hidden}"
    "html:has(#q) body{margin:3em 0 0;height:calc(100vh - 3em);max-width:none;box-sizing:border-box;overflow:auto}"
    "details{overflow-x:auto;content-visibility:auto;contain-intrinsic-size:auto 1.4em}"
    "input{font:inherit;width:30em;max-width:70%}td{padding:0 1ch 0 0;white-space:pre;vertical-align:top}"
    "h1{font-size:1.3em}table.sides,.sides tbody{display:block}.sides tr{display:flex}.sides tr:hover{background:#8882}"
    ".sides td{flex:1 1 0;min-width:0;overflow-x:auto;padding:0}.sides td+td{border-left:1px solid #8888}"
    "@media(prefers-color-scheme:dark){ins{color:#7d7}del{color:#f88}mark{color:#fc6}var{color:#6cf}}</style>";

/* Above everything that scrolls, so that it covers nothing. */
static const char search_field[] = "<span id=bar><input id=q type=search placeholder='search what is folded' "
                                   "aria-label=search><span id=n></span></span>";

/*
 * Rows stand once in the page, and "@N" for row N where it comes again. A part that is opened for the first time has
 * its rows made into elements. The search looks through the rows: parts without a match are hidden, the first with one
 * are opened, and of a part that is open only matching rows stay.
 */
static const char search_script[] =
    "<script>const q=document.getElementById('q'),n=document.getElementById('n');let t,w='',all,low,match=[];\n"
    "const parts=document.getElementsByTagName('details'),plain=r=>r.replace(/<[^>]*>/g,'').toLowerCase();\n"
    "const make=()=>{if(all)return;all=[];for(const d of parts){d.rows=[];const s=d.querySelector('script');"
    "if(!s)continue;const p=s.textContent.split('</tr>\\n');d.end=p.pop();for(const r of p){"
    "const at=r.indexOf('<tr>'),b=r.slice(at+4);if(at)d.rows.push(r.slice(0,at));"
    "d.rows.push(b[0]=='@'?+b.slice(1):all.push(b)-1)}}low=all.map(plain)};\n"
    "const sift=d=>{for(const r of d.querySelectorAll('tr'))r.hidden=w&&!d.own&&!plain(r.innerHTML).includes(w)};\n"
    "const fill=d=>{make();const s=d.querySelector('script');if(s){const e=document.createElement('div');"
    "e.innerHTML=d.rows.map(i=>typeof i=='number'?'<tr>'+all[i]+'</tr>':i).join('')+d.end;s.replaceWith(e)}sift(d)};\n"
    "document.addEventListener('toggle',e=>{if(e.target.open)fill(e.target)},true);\n"
    "const "
    "search=()=>{make();w=q.value.toLowerCase().replace(/&/g,'&amp;').replace(/</g,'&lt;').replace(/>/g,'&gt;');\n"
    "match=low.map(r=>r.includes(w));let k=0,open=0;for(const d of parts){\n"
    "d.own=w&&plain(d.firstChild.innerHTML).includes(w);const hit=w?d.rows.filter(i=>match[i]).length:0;\n"
    "d.hidden=w&&!hit&&!d.own;d.open=w&&hit&&!d.own&&open++<20;if(d.open)fill(d);k+=hit}\n"
    "n.textContent=w?k+' values':''};\n"
    "q.oninput=()=>{clearTimeout(t);t=setTimeout(search,150)};\n"
    "const go=()=>{const d=document.getElementById(location.hash.slice(1));if(d)d.open=true};onhashchange=go;go()"
    "</script>\n";

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
        answer_emit_plain(answer, template, (size_t)(mark.at - template));
        if (mark.what == '%') {
            answer_emit_plain(answer, "%", 1);
        } else if (mark.what == '(') {
            const char *bar = memchr(mark.text, '|', mark.length);
            size_t one = bar ? (size_t)(bar - mark.text) : mark.length;
            if (number && *number == 1)
                answer_emit_plain(answer, mark.text, one);
            else if (bar)
                answer_emit_plain(answer, bar + 1, mark.length - one - 1);
        } else {
            return mark;
        }
        template = mark.end;
    }
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

static bool is_table(const struct gpucode_answer *answer, const struct answer_level *level)
{
    return answer_is_html(answer) &&
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
        answer_emit(answer, "<td></td>", 9);
}

static void begin_fold(struct gpucode_answer *answer, struct answer_level *level, const uint64_t *number)
{
    char text[96];
    if (!answer->folds)
        answer_emit(answer, search_field, sizeof search_field - 1);
    answer->folds = level->in_summary = true;
    unsigned long long id = number ? *number : 0;
    if (!number) {
        answer_emit(answer, "<details><summary>", 18);
        return;
    }
    answer_emit(answer, text, (size_t)snprintf(text, sizeof text, "<details id=d%llu><summary>", id));
    answer_emit(answer, text, (size_t)snprintf(text, sizeof text, "<a href=#d%llu>#</a> ", id));
}

/*
 * What is always seen of a part that folds ends where its first table begins. What is folded stands in a script of no
 * language, so that a browser has one text and not a million elements; the script of the page makes elements of it when
 * it is opened.
 */
static void end_summary(struct gpucode_answer *answer)
{
    for (unsigned i = 0; i < answer->depth; i++) {
        struct answer_level *level = &answer->level[i];
        if (level->in_summary)
            answer_emit(answer, "</summary><script type=text/plain>", 34);
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
    answer_emit(answer, "<tr>", 4);
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
        answer_emit(answer, text, (size_t)snprintf(text, sizeof text, "<tr>@%" PRIu32, number));
    }
    if (rows->failed && answer->status == GPUCODE_OK)
        answer->status = GPUCODE_ERROR_MEMORY;
    answer_emit(answer, "</tr>\n", 6);
    out->flush = rows->flush;
}

/*
 * The text in front of all levels of which nothing was shown yet, outermost first, and between items. `number` is the
 * value that is shown, or null.
 */
static void open_levels(struct gpucode_answer *answer, const uint64_t *number)
{
    bool html = answer_is_html(answer);
    for (unsigned i = answer->opened ? answer->opened - 1 : 0; i < answer->depth; i++) {
        struct answer_level *level = &answer->level[i];
        bool table = html && is_table(answer, level);
        if (!level->shown) {
            const char *template = level->field->text ? level->field->text : "";
            level->shown = true;
            if (html && is_cell(answer, i + 1)) {
                emit_empty_cells(answer, &answer->level[i - 1]);
                answer_emit(answer, "<td>", 4);
            }
            if (html && level->field->style == GPUCODE_ANSWER_FOLD)
                begin_fold(answer, level, number);
            if (level->field->style == GPUCODE_ANSWER_HEADING)
                answer_set_style(answer, GPUCODE_ANSWER_HEADING, true);
            struct mark mark = template[0] == '%' && template[1] == 's'
                                   ? (struct mark){.what = 's', .end = template + 2}
                                   : emit_literal(answer, template, NULL);
            if (level->field->style == GPUCODE_ANSWER_HEADING)
                answer_set_style(answer, GPUCODE_ANSWER_HEADING, false);
            level->after = mark.end;
            level->between = mark.what == '{' && !table ? mark.text : NULL;
            level->between_length = mark.length;
            if (table)
                end_summary(answer);
            if (table && level->field->style == GPUCODE_ANSWER_SIDES) {
                answer_emit(answer, "<table class=sides>", 19);
            } else if (table) {
                answer_emit(answer, "<table>", 7);
            }
            if (html && is_row(answer, i + 1))
                begin_row(answer);
        }
        if (!level->in_member && level->written++ && level->between)
            answer_emit_plain(answer, level->between, level->between_length);
        level->in_member = true;
    }
    answer->opened = answer->depth;
}

static void begin_page(struct gpucode_answer *answer)
{
    if (!answer_is_html(answer) || answer->begun)
        return;
    answer->begun = true;
    const char *title = answer->options.title ? answer->options.title : "gpucode";
    static const char head[] = "<!doctype html><html lang=en><meta charset=utf-8>"
                               "<meta name=viewport content=\"width=device-width\"><title>";
    answer_emit(answer, head, sizeof head - 1);
    answer_emit_escaped(answer, title, strlen(title));
    answer_emit(answer, "</title>\n", 9);
    answer_emit(answer, page_style, sizeof page_style - 1);
    if (answer->options.title) {
        answer_emit(answer, "\n<h1>", 5);
        answer_emit_escaped(answer, title, strlen(title));
        answer_emit(answer, "</h1>", 5);
    }
    answer_emit(answer, "\n<pre>\n", 7);
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
            answer_emit(answer, "</table>", 8);
        }
        bool newline = level->after && level->after[0] == '\n' && !level->after[1];
        if (newline && is_row(answer, answer->depth))
            ; /* the row's own is enough */
        else if (newline && answer->quick)
            buffer_append(&answer->out, "\n", 1);
        else if (level->after && *level->after)
            emit_literal(answer, level->after, NULL);
        if (cell)
            answer_emit(answer, "</td>", 5);
        if (level->in_summary)
            answer_emit(answer, "</summary>", 10);
        if (level->is_inert)
            answer_emit(answer, "</script>", 9);
        if (answer_is_html(answer) && level->field->style == GPUCODE_ANSWER_FOLD)
            answer_emit(answer, "</details>", 10);
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
        answer_emit(answer, " ", 1);
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
        answer_set_style(answer, style, true);
    if (style == GPUCODE_ANSWER_PICTURE)
        answer_emit(answer, text, length);
    else
        columns = answer_emit_safely(answer, text, length, style == GPUCODE_ANSWER_LISTING);
    if (style != GPUCODE_ANSWER_HEADING)
        answer_set_style(answer, style, false);
    if (mark->left)
        pad(answer, mark, columns);
}

/* --- lines as they come, of which there are millions -------------------------------------------------------------- */

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
        answer_emit_safely(answer, text, length, field->style == GPUCODE_ANSWER_LISTING);
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
        (answer->depth && answer_top(answer)->hidden) || (picture && !answer_is_html(answer)))
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
        answer_emit(answer, "<td>", 4);
    }
    if (heading)
        answer_set_style(answer, GPUCODE_ANSWER_HEADING, true);
    mark = emit_literal(answer, template, number);
    if (mark.what == 's') {
        emit_value(answer, value, &mark);
        emit_literal(answer, mark.end, number);
    }
    if (heading)
        answer_set_style(answer, GPUCODE_ANSWER_HEADING, false);
    answer->in_listing = false;
    answer->listing &= answer->line_begun;
    if (answer->depth)
        answer->level[answer->depth - 1].in_member = false;
}

static void finish(struct gpucode_answer *answer)
{
    if (answer->rows.flush) /* a row may not have come to its end */
        answer->out.flush = answer->rows.flush;
    if (answer->line.length && answer_is_markdown(answer))
        markdown_line(answer);
    else if (answer->line.length)
        answer_wrap(answer);
    begin_page(answer);
    if (answer_is_html(answer))
        answer_emit(answer, "</pre>", 6);
    if (answer->folds)
        answer_emit(answer, search_script, sizeof search_script - 1);
    if (answer_is_html(answer))
        answer_emit(answer, "</html>\n", 8);
}

const struct answer_form answer_as_text = {begin, leaf, end, finish, put_quickly, begin_quickly, NULL};
