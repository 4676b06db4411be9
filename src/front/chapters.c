/* SPDX-License-Identifier: MIT */
#include "front/chapters.h"

#include <ctype.h>
#include <gpucode/insn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 128

struct line {
    const char *text;
    size_t length;
};

/* The next line without its end; false after the last. */
static bool next_line(const char **at, struct line *line)
{
    if (!**at)
        return false;
    line->text = *at;
    line->length = strcspn(*at, "\n");
    *at += line->length + (line->text[line->length] == '\n');
    return true;
}

static bool begins(const struct line *line, const char *with)
{
    return line->length >= strlen(with) && memcmp(line->text, with, strlen(with)) == 0;
}

/* How deep a heading is: 2 for "## "; 0: no heading. */
static unsigned heading(const struct line *line)
{
    size_t marks = strspn(line->text, "#");
    return marks && marks < line->length && line->text[marks] == ' ' ? (unsigned)marks : 0;
}

/* The marks in front of names are left out when words are compared, but where there is nothing else. */
static const char *bare(const char *word, size_t *length)
{
    const char *end = word + *length;
    const char *at = word;
    while (at < end && strchr("@%|$#(.`{", *at))
        at++;
    while (end > at && strchr(")`}:", end[-1]))
        end--;
    if (at == end)
        return word;
    *length = (size_t)(end - at);
    return at;
}

static bool same_word(const char *a, size_t a_length, const char *b, size_t b_length)
{
    a = bare(a, &a_length);
    b = bare(b, &b_length);
    return a_length == b_length && strncasecmp(a, b, a_length) == 0;
}

/* The next of the words in a comment, between commas; false: no more. */
static bool next_key(const char **at, const char *end, struct line *key)
{
    while (*at < end && (isspace((unsigned char)**at) || **at == ','))
        ++*at;
    if (*at >= end)
        return false;
    key->text = *at;
    while (*at < end && **at != ',')
        ++*at;
    key->length = (size_t)(*at - key->text);
    while (key->length && isspace((unsigned char)key->text[key->length - 1]))
        key->length--;
    return true;
}

/* The words of a comment: "<!-- a, b -->". */
static bool key_list(const struct line *line, const char **at, const char **end)
{
    if (!begins(line, "<!--") || line->length < 8)
        return false;
    *at = line->text + 4;
    *end = line->text + line->length - 3;
    return true;
}

/* The next piece of code in the first cell of a table's row. */
static bool next_code(const char **at, const char *end, struct line *code)
{
    while (*at < end && **at != '`' && **at != '|')
        ++*at;
    if (*at >= end || **at == '|')
        return false;
    unsigned marks = 1; /* "`` ` ``" is not used */
    const char *start = *at + marks;
    const char *close = memchr(start, '`', (size_t)(end - start));
    if (!close)
        return false;
    *code = (struct line){start, (size_t)(close - start)};
    *at = close + 1;
    return true;
}

static bool is_row(const struct line *line)
{
    return begins(line, "| `");
}

/* Code may hold a bar, written \|. */
static const char *cell_end(const char *at, const char *end)
{
    while (at < end && (*at != '|' || at[-1] == '\\'))
        at++;
    return at;
}

static bool row_has(const struct line *line, const char *word)
{
    const char *at = line->text + 1, *end = cell_end(line->text + 1, line->text + line->length);
    struct line code;
    while (next_code(&at, end, &code))
        if (same_word(code.text + (*code.text == '\\'), code.length - (*code.text == '\\'), word, strlen(word)))
            return true;
    return false;
}

static bool section_has(const struct line *head, const struct line *keys, const char *word)
{
    const char *at, *end;
    struct line key;
    size_t marks = strspn(head->text, "# ");
    if (same_word(head->text + marks, head->length - marks, word, strlen(word)))
        return true;
    if (!key_list(keys, &at, &end))
        return false;
    while (next_key(&at, end, &key))
        if (same_word(key.text, key.length, word, strlen(word)))
            return true;
    return false;
}

/* Where the section that begins at `start` ends: in front of the next heading as deep, or less. */
static const char *section_end(const char *start)
{
    struct line line = {NULL, 0};
    const char *at = start;
    next_line(&at, &line);
    unsigned depth = heading(&line), other;
    for (const char *before = at; next_line(&at, &line); before = at)
        if ((other = heading(&line)) != 0 && other <= depth)
            return before;
    return at;
}

unsigned chapters_find(const char *manual, const char *word,
                       void (*found)(void *user, const struct chapters_part *part), void *user)
{
    unsigned count = 0;
    struct line line = {NULL, 0}, columns = {NULL, 0}, before = {NULL, 0};
    const char *shown = manual; /* rows inside a section that was found are there already */
    for (const char *at = manual; manual && next_line(&at, &line); before = line) {
        if (begins(&line, "|--"))
            columns = before;
        struct chapters_part part = {line.text, line.length, NULL, 0};
        if (heading(&line)) {
            const char *behind = at;
            struct line keys = {"", 0};
            next_line(&behind, &keys);
            if (line.text < shown || !section_has(&line, &keys, word))
                continue;
            shown = section_end(line.text);
            part.length = (size_t)(shown - line.text);
        } else if (line.text >= shown && columns.text && is_row(&line) && row_has(&line, word)) {
            part.columns = columns.text;
            part.columns_length = columns.length;
        } else {
            continue;
        }
        found(user, &part);
        count++;
    }
    return count;
}

static void offer_word(const struct line *word, void (*offer)(void *user, const char *word), void *user)
{
    char text[WORD_MAX];
    size_t mark = word->length && *word->text == '\\'; /* in front of a bar, in a table */
    size_t length = word->length - mark < sizeof text ? word->length - mark : sizeof text - 1;
    memcpy(text, word->text + mark, length);
    text[length] = 0;
    offer(user, text);
}

void chapters_words(const char *manual, void (*offer)(void *user, const char *word), void *user)
{
    struct line line = {NULL, 0}, word;
    for (const char *at = manual; manual && next_line(&at, &line);) {
        const char *from, *end;
        if (heading(&line)) {
            size_t marks = strspn(line.text, "# ");
            offer_word(&(struct line){line.text + marks, line.length - marks}, offer, user);
        } else if (key_list(&line, &from, &end)) {
            while (next_key(&from, end, &word))
                offer_word(&word, offer, user);
        } else if (is_row(&line)) {
            from = line.text + 1;
            while (next_code(&from, cell_end(line.text + 1, line.text + line.length), &word))
                offer_word(&word, offer, user);
        }
    }
}

/*
 * The second cell of the row of a table whose first is the code {LETTER}: how an operand is written, without the marks
 * of code, which may be nothing. False: there is no such row.
 */
static bool chapters_letter(const char *manual, char letter, const char **text, size_t *length)
{
    char start[8] = {'|', ' ', '`', '{', letter, '}', '`', 0};
    struct line line = {NULL, 0}, code;
    for (const char *at = manual; manual && next_line(&at, &line);) {
        if (!begins(&line, start))
            continue;
        const char *end = line.text + line.length, *cell = cell_end(line.text + 1, end) + 1;
        if (!next_code(&cell, end, &code))
            return false;
        *text = code.text;
        *length = code.length;
        return true;
    }
    return false;
}

void chapters_print(const char *text, size_t length, FILE *out)
{
    const char *at = text;
    for (struct line line = {NULL, 0}; at < text + length && next_line(&at, &line);)
        if (!begins(&line, "<!--"))
            fprintf(out, "%.*s\n", (int)line.length, line.text);
}

/* --- narrow Markdown --- */

#define WIDTH 100

static unsigned columns_of(const char *at, const char *end)
{
    unsigned columns = 0;
    for (; at < end; at++)
        columns += ((unsigned char)*at & 0xc0) != 0x80;
    return columns;
}

static const char *end_of_line(const char *at, const char *stop)
{
    const char *end = memchr(at, '\n', (size_t)(stop - at));
    return end ? end : stop;
}

/* A word goes to the next space that is not in code. */
static const char *word_end(const char *at, const char *end)
{
    for (bool code = false; at < end && (code || *at != ' '); at++)
        code ^= *at == '`';
    return at;
}

/* Writes words from the present column on; lines after the first begin with two spaces in a list. Returns the column.
 */
static unsigned put_wrapped(const char *at, const char *end, unsigned column, bool list, FILE *out)
{
    while (at < end) {
        const char *stop = word_end(at, end);
        unsigned columns = columns_of(at, stop);
        if (column > 2 && column + 1 + columns > WIDTH)
            column = (unsigned)fprintf(out, list ? "\n  " : "\n") - 1;
        else if (column && stop > at)
            column += (unsigned)fprintf(out, " ");
        fprintf(out, "%.*s", (int)(stop - at), at);
        column += columns;
        at = stop + (stop < end);
    }
    return column;
}

/* The cell of a table's row that begins at *at, without spaces around it; empty code is none. *at goes after it. */
static struct line take_cell(const char **at, const char *end)
{
    const char *start = *at, *stop = cell_end(start, end);
    *at = stop + 1;
    while (start < stop && *start == ' ')
        start++;
    while (stop > start && stop[-1] == ' ')
        stop--;
    if (stop - start == 2 && memcmp(start, "``", 2) == 0)
        stop = start;
    return (struct line){start, (size_t)(stop - start)};
}

/* A row of a table as an item of a list: the first cell, and the others with the names of their columns from three on.
 */
static void put_item(const char *at, const char *end, const char *head, const char *head_end, FILE *out)
{
    unsigned column = (unsigned)fprintf(out, "*"), number = 0;
    bool many = false;
    const char *cells = head + 1;
    while (cells < head_end)
        many |= take_cell(&cells, head_end).length && ++number > 2;
    number = 0;
    for (at++, head++; at < end; number++) {
        struct line cell = take_cell(&at, end), name = take_cell(&head, head_end);
        bool last = at >= end;
        if (number && many && name.length)
            column = put_wrapped(name.text, name.text + name.length, column, true, out) + (unsigned)fprintf(out, ":");
        column = put_wrapped(cell.text, cell.text + cell.length, column, true, out);
        if (!last)
            column += (unsigned)fprintf(out, number ? ";" : ":");
    }
    putc('\n', out);
}

/* Writes the table that begins at `at`; returns where it ends. */
static const char *put_table(const char *at, const char *stop, FILE *out)
{
    const char *end = at, *head = at, *head_end = end_of_line(at, stop);
    bool wide = false;
    for (; end < stop && *end == '|'; end = end_of_line(end, stop) + 1)
        wide |= columns_of(end, end_of_line(end, stop)) > WIDTH;
    end = end < stop ? end : stop;
    if (!wide)
        fwrite(at, 1, (size_t)(end - at), out);
    for (at = head_end + 1; wide && at < end; at = end_of_line(at, stop) + 1)
        if (strncmp(at, "|--", 3) != 0)
            put_item(at, end_of_line(at, stop), head, head_end, out);
    return end;
}

/* Writes a line that is too long, with the lines of its paragraph after it; returns where they end. */
static const char *put_paragraph(const char *at, const char *stop, FILE *out)
{
    const char *end = end_of_line(at, stop);
    bool list = strncmp(at, "* ", 2) == 0;
    unsigned column = put_wrapped(at, end, 0, list, out);
    while (end < stop && !strchr("\n|#`", end[1]) && strncmp(end + 1, "* ", 2) != 0) {
        at = end + 1;
        end = end_of_line(at, stop);
        column = put_wrapped(at, end, column, list, out);
    }
    return end;
}

void chapters_print_markdown(const char *text, size_t length, FILE *out)
{
    bool code = false;
    for (const char *at = text, *stop = text + length; at < stop;) {
        const char *end = end_of_line(at, stop);
        bool mark = strncmp(at, "```", 3) == 0;
        if (!code && *at == '|') {
            at = put_table(at, stop, out);
            continue;
        }
        code ^= mark;
        if (code || mark || *at == '#' || columns_of(at, end) <= WIDTH)
            fwrite(at, 1, (size_t)(end - at), out);
        else
            end = put_paragraph(at, stop, out);
        putc('\n', out);
        at = end + 1;
    }
}

/* Markdown of manuals as text for terminals, and as roff for man pages. */

#define FIRST_COLUMN 22

/* Text without the marks of code and of emphasis; returns how many columns it took. */
static int put_words(const char *at, const char *end, FILE *out)
{
    int columns = 0;
    bool code = false;
    for (; at < end; at++) {
        if (*at == '`') {
            code = !code;
            continue;
        }
        if (*at == '\\' && at + 1 < end && at[1] == '|')
            continue;
        if (*at == '*' && !code && at + 1 < end && at[1] != ' ')
            continue;
        putc(*at, out);
        columns += ((unsigned char)*at & 0xc0) != 0x80;
    }
    return columns;
}

/* "| a | b | c |": the first cell, and the others after it. */
static void put_row(const char *at, const char *end, FILE *out)
{
    unsigned number = 0;
    for (at++; at < end; number++) {
        struct line cell = take_cell(&at, end);
        if (number && cell.length)
            fputs("  ", out);
        int columns = put_words(cell.text, cell.text + cell.length, out);
        if (!number && columns < FIRST_COLUMN)
            fprintf(out, "%*s", FIRST_COLUMN - columns, "");
    }
    putc('\n', out);
}

void chapters_print_plain(const char *text, size_t length, bool bold, FILE *out)
{
    bool code = false;
    for (const char *at = text, *stop = text + length; at < stop;) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        end = end ? end : stop;
        size_t marks = strspn(at, "#");
        if (strncmp(at, "```", 3) == 0) {
            code = !code;
        } else if (code) {
            fprintf(out, "    %.*s\n", (int)(end - at), at);
        } else if (strncmp(at, "<!--", 4) == 0 || strncmp(at, "|--", 3) == 0) {
            ; /* of no use to readers */
        } else if (marks && at[marks] == ' ') {
            fputs(bold ? "\033[1m" : "", out);
            put_words(at + marks + 1, end, out);
            fputs(bold ? "\033[0m\n" : "\n", out);
        } else if (*at == '|') {
            put_row(at, end, out);
        } else {
            put_words(at, end, out);
            putc('\n', out);
        }
        at = end + 1;
    }
}

/* A dot or quote at the beginning of a line, backslashes and hyphens mean something to roff. */
static void put_roff(const char *at, const char *end, FILE *out)
{
    bool code = false;
    if (at < end && (*at == '.' || *at == '\''))
        fputs("\\&", out);
    for (; at < end; at++) {
        if (*at == '`') {
            code = !code;
            fputs(code ? "\\fB" : "\\fR", out);
        } else if (*at == '\\' && at + 1 < end && at[1] == '|') {
            ;
        } else if (*at == '\\') {
            fputs("\\e", out);
        } else if (*at == '-') {
            fputs("\\-", out);
        } else if (*at != '*' || code || at + 1 == end || at[1] == ' ') {
            putc(*at, out);
        }
    }
    putc('\n', out);
}

static void put_roff_row(const char *at, const char *end, FILE *out)
{
    unsigned number = 0;
    fputs(".TP\n", out);
    for (at++; at < end;) {
        struct line cell = take_cell(&at, end);
        if (number && !cell.length)
            continue;
        if (number++ > 1)
            fputs(".br\n", out);
        put_roff(cell.text, cell.text + cell.length, out);
    }
}

void chapters_print_man(const char *text, size_t length, FILE *out)
{
    bool code = false;
    for (const char *at = text, *stop = text + length; at < stop;) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        end = end ? end : stop;
        size_t marks = strspn(at, "#");
        if (strncmp(at, "```", 3) == 0) {
            code = !code;
            fputs(code ? ".IP\n.nf\n" : ".fi\n.PP\n", out);
        } else if (code) {
            put_roff(at, end, out);
        } else if (strncmp(at, "<!--", 4) == 0 || strncmp(at, "|--", 3) == 0) {
            ;
        } else if (marks && at[marks] == ' ') {
            fputs(marks > 2 ? ".SS " : ".SH ", out);
            put_roff(at + marks + 1, end, out);
        } else if (*at == '|') {
            put_roff_row(at, end, out);
        } else if (at == end) {
            fputs(".PP\n", out);
        } else if (strncmp(at, "* ", 2) == 0) {
            fputs(".IP \\(bu 2\n", out);
            put_roff(at + 2, end, out);
        } else {
            put_roff(at, end, out);
        }
        at = end + 1;
    }
}

const char *row_kind(const struct gpucode_target *target, uint32_t row, char letter)
{
    struct gpucode_insn insn;
    struct gpucode_field field;
    if (gpucode_insn_init(target, row, &insn) != GPUCODE_OK)
        return NULL;
    for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++)
        if (field.letter == letter)
            return field.kind;
    return NULL;
}

static bool is_modifier(const struct gpucode_target *target, uint32_t row, char letter)
{
    struct gpucode_insn insn;
    struct gpucode_operand operands[GPUCODE_FIELDS_MAX];
    if (gpucode_insn_init(target, row, &insn) != GPUCODE_OK)
        return false;
    unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_FIELDS_MAX);
    for (unsigned i = 0; i < count && i < GPUCODE_FIELDS_MAX; i++)
        if (operands[i].letter == letter)
            return false;
    return true;
}

size_t row_form(const struct gpucode_target *target, uint32_t index, char *text, size_t size, size_t *parts,
                unsigned *part_count)
{
    struct gpucode_row row;
    size_t used = 0;
    if (part_count)
        *part_count = 0;
    *text = 0;
    if (!gpucode_row(target, index, &row))
        return 0;
    const char *chapters = gpucode_target_manual(target);
    for (const char *at = row.text; *at && used + 1 < size;) {
        bool is_field = at[0] == '{' && at[1] && at[2] == '}';
        const char *piece = at, *kind = NULL;
        size_t length = 1, start = used;
        if (is_field && !(chapters && chapters_letter(chapters, at[1], &piece, &length))) {
            kind = row_kind(target, index, at[1]);
            length = 0;
        }
        int written = kind ? snprintf(text + used, size - used, "<%s>", kind)
                           : snprintf(text + used, size - used, "%.*s", (int)length, piece);
        used += (size_t)written;
        if (used >= size)
            used = size - 1;
        if (is_field && parts && *part_count < GPUCODE_FIELDS_MAX && !is_modifier(target, index, at[1])) {
            parts[2 * *part_count] = start;
            parts[2 * *part_count + 1] = used;
            ++*part_count;
        }
        at += is_field ? 3 : 1;
    }
    return used;
}
