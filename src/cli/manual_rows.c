/* SPDX-License-Identifier: MIT */
/* What the manual says of instructions, made from their rows. */
#include "cli/help.h"
#include "front/answer.h"
#include "front/chapters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_MANUAL
#include <gpucode/answer_rows.h>
ANSWER_TABLE(manual, "What the manual has, or says of a word.");

#define FORM_MAX 1024

static const char *const evidence_names[] = {
    [GPUCODE_MANUAL] = "manual", [GPUCODE_OBSERVED] = "observed", [GPUCODE_INFERRED] = "inferred"};

bool manual_row(const struct manual *manual, unsigned index, const char *mnemonic, struct gpucode_row *row)
{
    size_t length = mnemonic ? strlen(mnemonic) : 0;
    bool family = length && mnemonic[length - 1] == '.';
    return gpucode_row(manual->any, index, row) && strncmp(row->mnemonic, mnemonic ? mnemonic : "", length) == 0 &&
           (!length || family || !row->mnemonic[length]) &&
           (!manual->narrow || gpucode_row_on_target(manual->narrow, index));
}

/* Has an instruction the mnemonic, and with `dotted` suffixes after it? */
static bool has_row(const struct manual *manual, const char *mnemonic, bool dotted)
{
    struct gpucode_row row;
    for (unsigned i = 0; i < gpucode_row_count(manual->any); i++) {
        char form[FORM_MAX];
        if (!manual_row(manual, i, mnemonic, &row))
            continue;
        row_form(manual->any, i, form, sizeof form, NULL, NULL);
        const char *at = strstr(form, mnemonic);
        if (!dotted || (at && at[strlen(mnemonic)] == '.'))
            return true;
    }
    return false;
}

bool manual_mnemonic(const struct manual *manual, const char *word, char mnemonic[MANUAL_WORD_MAX])
{
    const struct manual wide = {.any = manual->any};
    if (!*word || snprintf(mnemonic, MANUAL_WORD_MAX, "%s", word) >= MANUAL_WORD_MAX - 1)
        return false;
    if (has_row(&wide, mnemonic, false))
        return true;
    char *dot = mnemonic + strlen(mnemonic);
    memcpy(dot, ".", 2);
    if (has_row(&wide, mnemonic, false))
        return true;
    for (*dot = 0; (dot = strrchr(mnemonic, '.'));) {
        *dot = 0;
        if (has_row(&wide, mnemonic, true))
            return true;
    }
    return false;
}

/*
 * The bits as they stand in the file: of instructions of several sizes the bytes come in their order, of others the
 * number is written as it is.
 */
static void make_bits(const struct manual *manual, const struct gpucode_row *row, char bits[FORM_MAX])
{
    snprintf(bits, FORM_MAX, "%s", row->bits);
    if (gpucode_target_facts(manual->any)->fixed_size || row->size < 2)
        return;
    size_t used = 0;
    for (const char *end = row->bits + strlen(row->bits); end > row->bits;) {
        const char *start = end;
        while (start > row->bits && start[-1] != ' ')
            start--;
        if (end - start != 8) { /* not written byte by byte */
            snprintf(bits, FORM_MAX, "%s", row->bits);
            return;
        }
        used += (size_t)snprintf(bits + used, FORM_MAX - used, "%s%.8s", used ? " " : "", start);
        end = start > row->bits ? start - 1 : start;
    }
}

/* "a6xx, a7xx", or "all" */
static void print_generations(const struct manual *manual, unsigned index, FILE *out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < manual->generation_count; i++)
        count += gpucode_row_on_target(manual->generations[i], index);
    if (count == manual->generation_count) {
        fputs("all", out);
        return;
    }
    const char *comma = "";
    for (unsigned i = 0; i < manual->generation_count; i++) {
        if (!gpucode_row_on_target(manual->generations[i], index))
            continue;
        fprintf(out, "%s%s", comma, gpucode_target_generation(manual->generations[i]));
        comma = ", ";
    }
}

/* Where the brace that opens at `at` is closed; null: nowhere. */
static const char *closing_brace(const char *at, const char *end)
{
    unsigned depth = 0;
    for (; at < end; at++) {
        depth += *at == '{';
        if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

/* What is between the braces of an action, all that are around the whole of it. */
static const char *action_begin(const struct gpucode_row *row, const char **end)
{
    const char *at = row->action ? row->action : "";
    *end = at + strlen(at);
    for (;;) {
        at += strspn(at, " ");
        while (*end > at && (*end)[-1] == ' ')
            --*end;
        if (*at != '{' || closing_brace(at, *end) != *end - 1)
            return at;
        at++;
        --*end;
    }
}

static bool has_action(const struct gpucode_row *row)
{
    const char *end, *at = action_begin(row, &end);
    if (strncmp(at, "LONG", 4) == 0) /* a function beside the executor; the description says it in words */
        return false;
    return at < end;
}

/* A line of an action ends: the next one stands further in by four for each brace that is open. */
static const char *print_action_line(const char *at, const char *end, unsigned braces, FILE *out)
{
    at += strspn(at, " ");
    if (at < end)
        fprintf(out, "\n%*s", (int)(4 * (braces - (braces && *at == '}'))), "");
    return at;
}

/* An action is stored as one line; statements go to lines of their own. */
static void print_action(const struct gpucode_row *row, FILE *out)
{
    unsigned depth = 0, braces = 0;
    const char *end, *at = action_begin(row, &end);
    fputs("\n```c\n", out);
    while (at < end) {
        char c = *at++;
        putc(c, out);
        depth += c == '(';
        depth -= c == ')' && depth;
        braces += c == '{';
        braces -= c == '}' && braces;
        if (!depth && (c == ';' || c == '{' || (c == '}' && strncmp(at, " else", 5) != 0)))
            at = print_action_line(at, end, braces, out);
    }
    fputs("\n```\n", out);
}

/* What the letters of the bits are, those that the text shows. */
static void print_operands(const struct manual *manual, unsigned index, const struct gpucode_row *row, FILE *out)
{
    const char *separator = "\nOperands: ";
    for (const char *at = row->text; (at = strchr(at, '{')); at += 3) {
        const char *kind = at[1] && at[2] == '}' ? row_kind(manual->any, index, at[1]) : NULL;
        if (!kind)
            continue;
        fprintf(out, "%s`%c` %s", separator, at[1], kind);
        separator = ", ";
    }
    if (strcmp(separator, ", ") == 0)
        fputs(".\n", out);
}

static void print_row(const struct manual *manual, unsigned index, const struct gpucode_row *row, FILE *out)
{
    char form[FORM_MAX], bits[FORM_MAX];
    row_form(manual->any, index, form, sizeof form, NULL, NULL);
    make_bits(manual, row, bits);
    fprintf(out, "\n### `%s`\n\n%s\n\n", form, row->doc);
    fprintf(out, "* bits: `%s`\n* row: %s\n* generations: ", bits, row->id);
    print_generations(manual, index, out);
    fprintf(out, "\n* source: %s (%s)\n", row->source, evidence_names[row->evidence]);
    const char *accuracy = gpucode_row_accuracy(manual->any, index);
    if (accuracy)
        fprintf(out, "* accuracy: %s\n", accuracy);
    print_operands(manual, index, row, out);
    if (has_action(row))
        print_action(row, out);
}

/* Rows of one mnemonic stand together, in the order in which the mnemonics first appear. */
void manual_print_rows(const struct manual *manual, const char *only, FILE *out)
{
    unsigned count = gpucode_row_count(manual->any);
    struct gpucode_row row, earlier;
    for (unsigned i = 0; i < count; i++) {
        if (!manual_row(manual, i, only, &row))
            continue;
        bool seen = false;
        for (unsigned j = 0; j < i && !seen; j++)
            seen = manual_row(manual, j, row.mnemonic, &earlier);
        if (seen)
            continue;
        fprintf(out, "\n## %s\n", row.mnemonic);
        for (unsigned j = i; j < count; j++)
            if (manual_row(manual, j, row.mnemonic, &earlier))
                print_row(manual, j, &earlier, out);
    }
}

static void tell_row(struct gpucode_answer *answer, const struct manual *manual, unsigned index,
                     const struct gpucode_row *row)
{
    char form[FORM_MAX];
    int digits = row->size <= 4 ? 8 : 16;
    row_form(manual->any, index, form, sizeof form, NULL, NULL);
    gpucode_answer_begin(answer, &fields[ROW_OBJECT]);
    gpucode_answer_text(answer, &fields[ROW_ID], row->id);
    gpucode_answer_text(answer, &fields[ROW_MNEMONIC], row->mnemonic);
    gpucode_answer_text(answer, &fields[ROW_TEXT], row->text);
    gpucode_answer_text(answer, &fields[ROW_FORM], form);
    gpucode_answer_text(answer, &fields[ROW_BITS], row->bits);
    gpucode_answer_text(answer, &fields[ROW_DOC], row->doc);
    gpucode_answer_text(answer, &fields[ROW_SOURCE], row->source);
    gpucode_answer_text(answer, &fields[ROW_EVIDENCE], evidence_names[row->evidence]);
    gpucode_answer_text(answer, &fields[ROW_ACTION], row->action);
    gpucode_answer_text(answer, &fields[ROW_ACCURACY], gpucode_row_accuracy(manual->any, index));
    gpucode_answer_number(answer, &fields[ROW_SIZE], row->size);
    gpucode_answer_format(answer, &fields[ROW_MASK], "0x%0*" PRIx64, digits, row->mask);
    gpucode_answer_format(answer, &fields[ROW_MATCH], "0x%0*" PRIx64, digits, row->match);
    gpucode_answer_format(answer, &fields[ROW_IGNORED], "0x%0*" PRIx64, digits, row->ignored);
    gpucode_answer_begin(answer, &fields[ROW_GENERATIONS]);
    for (unsigned i = 0; i < manual->generation_count; i++)
        if (gpucode_row_on_target(manual->generations[i], index))
            gpucode_answer_text(answer, &fields[ROW_GENERATION], gpucode_target_generation(manual->generations[i]));
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

int manual_tell(struct session *session, const struct manual *manual, const char *mnemonic, const char *text)
{
    struct gpucode_answer *answer = answer_begin_indented(session);
    struct gpucode_row row;
    gpucode_answer_begin(answer, &fields[MANUAL]);
    gpucode_answer_text(answer, &fields[ISA], manual->isa);
    gpucode_answer_text(answer, &fields[WHOLE], text);
    gpucode_answer_begin(answer, &fields[ROWS]);
    for (unsigned i = 0; i < gpucode_row_count(manual->any); i++)
        if (manual_row(manual, i, mnemonic, &row))
            tell_row(answer, manual, i, &row);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}
