/* SPDX-License-Identifier: MIT */
/* Forms of parts of instructions: tables, what they show of a word, and how they are written. */
#include "export/sleigh_shown.h"
#include "front/grow.h"
#include "front/output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_ROOM (2 * GPUCODE_TEXT_MAX)

struct sleigh_shown *shown_add(struct sleigh *sleigh, enum shown_kind kind, unsigned size, unsigned *number)
{
    if (!grow(&sleigh->parts->shown, sleigh->parts->shown_count, &sleigh->parts->shown_room,
              sizeof *sleigh->parts->shown)) {
        sleigh->failed = true;
        return NULL;
    }
    *number = sleigh->parts->shown_count++;
    sleigh->parts->shown[*number] = (struct sleigh_shown){.kind = kind, .size = size};
    return &sleigh->parts->shown[*number];
}

/* The table that a form refers to at *at, which goes on after it. */
static unsigned referred(const char **at)
{
    char *end;
    unsigned number = (unsigned)strtoul(*at + 1, &end, 10);
    *at = end + 1;
    return number;
}

bool shown_add_case(struct sleigh *sleigh, struct sleigh_shown *table, uint64_t mask, uint64_t match, const char *form)
{
    char *copy = strdup(form);
    if (!copy || !grow(&table->cases, table->case_count, &table->case_room, sizeof *table->cases)) {
        free(copy);
        sleigh->failed = true;
        return false;
    }
    table->cases[table->case_count++] = (struct shown_case){mask, match, copy};
    return true;
}

static void free_cases(struct sleigh_shown *table)
{
    for (unsigned i = 0; i < table->case_count; i++)
        free(table->cases[i].form);
    free(table->cases);
}

void shown_free(struct sleigh_looks *looks)
{
    for (unsigned i = 0; i < looks->shown_count; i++)
        free_cases(&looks->shown[i]);
    free(looks->shown);
    free(looks->forms);
    free(looks->texts);
    *looks = (struct sleigh_looks){.shown_count = 0};
}

void shown_again(struct sleigh_looks *looks)
{
    for (unsigned i = 0; i < looks->shown_count; i++)
        looks->shown[i].written = false;
}

void sleigh_keep_form(struct sleigh *sleigh, const char *key, const char *form, bool differs)
{
    if (!grow(&sleigh->parts->forms, sleigh->parts->form_count, &sleigh->parts->form_room,
              sizeof *sleigh->parts->forms)) {
        sleigh->failed = true;
        return;
    }
    struct sleigh_form *kept = &sleigh->parts->forms[sleigh->parts->form_count++];
    kept->target = sleigh->target;
    kept->differs = differs;
    snprintf(kept->key, sizeof kept->key, "%s", key);
    snprintf(kept->form, sizeof kept->form, "%s", form);
}

static uint64_t hash_table(const struct sleigh_shown *table)
{
    uint64_t hash = sleigh_hash(SLEIGH_HASH_START, table->kind);
    for (unsigned i = 0; i < 64; i++)
        hash = sleigh_hash(hash, (uint64_t)table->step[i]);
    for (unsigned i = 0; i < table->case_count; i++) {
        hash = sleigh_hash(sleigh_hash(hash, table->cases[i].mask), table->cases[i].match);
        for (const char *c = table->cases[i].form; *c; c++)
            hash = sleigh_hash(hash, (unsigned char)*c);
    }
    return hash;
}

static bool same_table(const struct sleigh_shown *a, const struct sleigh_shown *b)
{
    if (a->hash != b->hash || a->kind != b->kind || a->size != b->size || a->case_count != b->case_count ||
        a->start != b->start || a->fraction != b->fraction || memcmp(a->step, b->step, sizeof a->step) != 0)
        return false;
    for (unsigned i = 0; i < a->case_count; i++)
        if (a->cases[i].mask != b->cases[i].mask || a->cases[i].match != b->cases[i].match ||
            strcmp(a->cases[i].form, b->cases[i].form) != 0)
            return false;
    return true;
}

void shown_append(char form[SHOWN_MAX], const char *text, size_t length)
{
    size_t used = strlen(form);
    if (used + length < SHOWN_MAX) {
        memcpy(form + used, text, length);
        form[used + length] = 0;
    }
}

void shown_drop(struct sleigh *sleigh)
{
    free_cases(&sleigh->parts->shown[--sleigh->parts->shown_count]);
}

void shown_refer(struct sleigh *sleigh, char form[SHOWN_MAX])
{
    unsigned last = sleigh->parts->shown_count - 1, number = 0;
    sleigh->parts->shown[last].hash = hash_table(&sleigh->parts->shown[last]);
    while (!same_table(&sleigh->parts->shown[number], &sleigh->parts->shown[last]))
        number++;
    if (number < last)
        shown_drop(sleigh);
    char reference[16];
    int length = snprintf(reference, sizeof reference, "%c%u%c", SHOWN_TABLE, number, SHOWN_END);
    shown_append(form, reference, (size_t)length);
}

/* --- what a form shows -------------------------------------------------------------------------------------------- */

static size_t show(const struct sleigh *sleigh, const char *form, uint64_t word, char *text, size_t used);

static size_t show_table(const struct sleigh *sleigh, const struct sleigh_shown *table, uint64_t word, char *text,
                         size_t used)
{
    const struct shown_case *best = NULL;
    int64_t number = table->start;
    if (table->kind == SHOWN_LIST) {
        const uint64_t mask = table->cases[0].mask;
        best = &table->cases[(word & mask) >> __builtin_ctzll(mask)];
        return show(sleigh, best->form, word, text, used);
    }
    if (table->kind == SHOWN_CASES) {
        for (unsigned i = 0; i < table->case_count; i++) /* the case that says most */
            if ((word & table->cases[i].mask) == table->cases[i].match &&
                (!best || (best->mask & table->cases[i].mask) == best->mask))
                best = &table->cases[i];
        return best ? show(sleigh, best->form, word, text, used) : used;
    }
    for (unsigned bit = 0; bit < 64; bit++)
        number = (int64_t)((uint64_t)number + (word >> bit & 1 ? (uint64_t)table->step[bit] : 0));
    if (used + 24 > TEXT_ROOM)
        return used;
    if (table->fraction) {
        text[used] = SHOWN_FRACTION;
        return used + 1;
    }
    return used + (size_t)sprintf(text + used, "%s0x%" PRIx64, number < 0 && number != INT64_MIN ? "-" : "",
                                  number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* Tables may lack cases when memory has run out. */
static size_t show(const struct sleigh *sleigh, const char *form, uint64_t word, char *text, size_t used)
{
    while (*form && used < TEXT_ROOM - 1 && !sleigh->failed)
        if (*form == SHOWN_TABLE)
            used = show_table(sleigh, &sleigh->parts->shown[referred(&form)], word, text, used);
        else
            text[used++] = *form++;
    return used;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of a number that stands alone at `at` in `text`; 0: there is none. */
static size_t number_length(const char *text, const char *at, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*at) || (at > text && (is_word(at[-1]) || strchr("$@%.", at[-1]))))
        return 0;
    *number = strtoull(at, &end, 0);
    return is_word(*end) || (*end == '.' && isdigit((unsigned char)end[1])) ? 0 : (size_t)(end - at);
}

bool shown_fits(const struct sleigh *sleigh, const char *form, uint64_t word, const char *text)
{
    char shown[TEXT_ROOM];
    shown[show(sleigh, form, word, shown, 0)] = 0;
    const char *a = shown, *b = text;
    while (*a || *b) {
        uint64_t first, second;
        size_t length = number_length(shown, a, &first), other = number_length(text, b, &second);
        if (length && other && first == second) {
            a += length;
            b += other;
        } else if (*a == SHOWN_FRACTION) { /* "(1.5)", "h(1.5)", or bits of what is not a number */
            bool bare = a == shown || a[-1] != '(';
            b += bare && *b == 'h';
            if (bare && *b != '(' && strncmp(b, "0x", 2) != 0)
                return false;
            for (a++; isalnum((unsigned char)*b) || (*b && strchr(bare ? "()+-." : "+-.", *b)); b++)
                ;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return true;
}

/* --- how it is written -------------------------------------------------------------------------------------------- */

bool sleigh_write_bits(const struct sleigh_row *row, uint64_t mask, uint64_t match, FILE *out)
{
    const char *between = "";
    for (unsigned low = 0; low < 8u * row->facts->size; low++) {
        if (!(mask >> low & 1))
            continue;
        unsigned high = low;
        while (high + 1 < 8u * row->facts->size && high + 1 - low < 32 && mask >> (high + 1) & 1)
            high++;
        char name[64];
        sleigh_piece(row, 'f', low, high - low + 1, name);
        fprintf(out, "%s%s=0x%" PRIx64, between, name, match >> low & ((UINT64_C(2) << (high - low)) - 1));
        between = " & ";
        low = high;
    }
    return *between != 0;
}

/* Runs of bits of which each adds twice what the one below it adds; the highest one may take that away: a sign. */
static void write_number(const struct sleigh_row *row, const struct sleigh_shown *table, const char *own)
{
    char sum[SHOWN_MAX], pattern[SHOWN_MAX] = "", name[64];
    size_t used = (size_t)snprintf(sum, sizeof sum, "%" PRId64, table->start);
    for (unsigned low = 0; low < 64; low++) {
        int64_t step = table->step[low];
        unsigned high = low;
        if (!step)
            continue;
        while (high < 63 && high - low < 31 && (uint64_t)table->step[high + 1] == (uint64_t)step << (high + 1 - low))
            high++;
        bool is_signed =
            high < 63 && high - low < 31 && (uint64_t)table->step[high + 1] == -((uint64_t)step << (high + 1 - low));
        high += is_signed;
        sleigh_piece(row, is_signed ? 's' : 'f', low, high - low + 1, name);
        used += (size_t)snprintf(sum + used, sizeof sum - used, " %c (%s * %" PRIu64 ")", step < 0 ? '-' : '+', name,
                                 step < 0 ? -(uint64_t)step : (uint64_t)step);
        shown_append(pattern, " & ", *pattern ? 3 : 0);
        shown_append(pattern, name, strlen(name));
        low = high;
    }
    fprintf(row->sleigh->tables, "%s: number is %s [ number = %s; ] { export *[const]:4 number; }\n", own, pattern,
            sum);
}

static void write_table(const struct sleigh_row *row, unsigned number)
{
    const struct sleigh_shown *table = &row->sleigh->parts->shown[number];
    char own[64];
    snprintf(own, sizeof own, "shown_%u", number);
    if (table->written)
        return;
    row->sleigh->parts->shown[number].written = true;
    if (table->kind == SHOWN_NUMBER) {
        write_number(row, table, own);
        return;
    }
    char *text = NULL;
    size_t length;
    FILE *lines = text_stream_open(&text, &length);
    row->sleigh->failed |= !lines;
    if (!lines)
        return;
    for (unsigned i = 0; i < table->case_count; i++) {
        struct sleigh_operands operands = {.count = 0};
        bool begun = false;
        fprintf(lines, "%s: ", own);
        shown_write(row, table->cases[i].form, lines, &operands, &begun);
        fputs(begun ? " is " : "\"\" is ", lines);
        bool decided = sleigh_write_bits(row, table->cases[i].mask, table->cases[i].match, lines);
        for (unsigned k = 0; k < operands.count; k++)
            fprintf(lines, "%s%s", decided || k ? " & " : "", operands.name[k]);
        fputs(decided || operands.count ? " { }\n" : "epsilon { }\n", lines);
    }
    if (text_stream_close(lines))
        fputs(text, row->sleigh->tables); /* after the tables that stand in it */
    else
        row->sleigh->failed = true;
    free(text);
}

/* A constructor has an operand once: what stands there already is shown by a table that shows it. */
static void name_again(const struct sleigh_row *row, const struct sleigh_operands *operands, char name[64])
{
    for (unsigned i = 0; i < operands->count; i++)
        if (strcmp(operands->name[i], name) == 0) {
            char shown[64];
            memcpy(shown, name, sizeof shown);
            snprintf(name, 64, "again_%.50s", shown);
            if (sleigh_note(row->sleigh, &row->sleigh->made, "%s", name))
                fprintf(row->sleigh->tables, "%s: %s is %s { }\n", name, shown, shown);
            name_again(row, operands, name);
            return;
        }
}

void shown_write(const struct sleigh_row *row, const char *form, FILE *out, struct sleigh_operands *operands,
                 bool *begun)
{
    while (*form && !row->sleigh->failed) {
        char name[64];
        fputs(*begun ? "^" : "", out);
        *begun = true;
        if (*form != SHOWN_TABLE) {
            const char end[] = {SHOWN_TABLE, 0};
            size_t length = strcspn(form, end);
            fprintf(out, "\"%.*s\"", (int)length, form);
            form += length;
            continue;
        }
        unsigned number = referred(&form);
        const struct sleigh_shown *table = &row->sleigh->parts->shown[number];
        if (table->kind == SHOWN_LIST)
            sleigh_list_piece(row, table, name);
        else
            snprintf(name, sizeof name, "shown_%u", number);
        if (table->kind != SHOWN_LIST)
            write_table(row, number);
        name_again(row, operands, name);
        fputs(name, out);
        sleigh_add_operand(operands, name);
    }
}
