/* SPDX-License-Identifier: MIT */
/* What the manual says of instructions, made from their rows. */
#include "cli/manual.h"
#include "front/chapters.h"
#include "front/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FORM_MAX 1024

static const char *const evidence_names[] = {
    [GPUCODE_MANUAL] = "manual", [GPUCODE_OBSERVED] = "observed", [GPUCODE_INFERRED] = "inferred"};

bool manual_row(const struct manual *manual, unsigned index, const char *mnemonic, struct gpucode_row *row)
{
    return gpucode_row(manual->any, index, row) && (!mnemonic || strcmp(row->mnemonic, mnemonic) == 0) &&
           (!manual->narrow || gpucode_row_on_target(manual->narrow, index));
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
    fprintf(out, "| bits | row | generations | source | evidence |\n|---|---|---|---|---|\n| `%s` | %s | ", bits,
            row->id);
    print_generations(manual, index, out);
    fprintf(out, " | %s | %s |\n", row->source, evidence_names[row->evidence]);
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

static void write_row(struct json *json, const struct manual *manual, unsigned index, const struct gpucode_row *row)
{
    char number[24], form[FORM_MAX];
    row_form(manual->any, index, form, sizeof form, NULL, NULL);
    json_object(json, NULL);
    json_string(json, "id", row->id);
    json_string(json, "mnemonic", row->mnemonic);
    json_string(json, "text", row->text);
    json_string(json, "form", form);
    json_string(json, "bits", row->bits);
    json_string(json, "doc", row->doc);
    json_string(json, "source", row->source);
    json_string(json, "evidence", evidence_names[row->evidence]);
    json_string(json, "action", row->action);
    json_number(json, "size_bytes", row->size);
    const struct {
        const char *key;
        uint64_t value;
    } masks[] = {{"mask", row->mask}, {"match", row->match}, {"ignored", row->ignored}};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(number, sizeof number, "0x%0*" PRIx64, row->size <= 4 ? 8 : 16, masks[i].value);
        json_string(json, masks[i].key, number);
    }
    json_array(json, "generations");
    for (unsigned i = 0; i < manual->generation_count; i++)
        if (gpucode_row_on_target(manual->generations[i], index))
            json_string(json, NULL, gpucode_target_generation(manual->generations[i]));
    json_end(json);
    json_end(json);
}

void manual_write_rows(const struct manual *manual, const char *mnemonic, const char *text)
{
    struct json json = {.out = stdout, .indent = true};
    struct gpucode_row row;
    json_object(&json, NULL);
    json_string(&json, "isa", manual->isa);
    json_string(&json, "text", text);
    json_array(&json, "rows");
    for (unsigned i = 0; i < gpucode_row_count(manual->any); i++)
        if (manual_row(manual, i, mnemonic, &row))
            write_row(&json, manual, i, &row);
    json_end(&json);
    json_end(&json);
}
