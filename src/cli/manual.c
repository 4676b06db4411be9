/* SPDX-License-Identifier: MIT */
/*
 * gpucode manual: the instruction manual, made from the rows. docs/manual/ holds the Markdown of it; a test compares.
 */
#include "front/code.h"
#include "front/json.h"
#include "front/session.h"
#include "front/spelling.h"

#include <ctype.h>
#include <gpucode/insn.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

int command_manual(struct session *session);

#define GENERATIONS_MAX 16

struct manual {
    const char *isa;
    const struct gpucode_target *any;                          /* a target of the set */
    const struct gpucode_target *narrow;                       /* of -t, or null */
    const struct gpucode_target *generations[GENERATIONS_MAX]; /* one target each */
    unsigned generation_count;
    bool markdown, color;
};

static const char *const evidence_names[] = {
    [GPUCODE_MANUAL] = "manual", [GPUCODE_OBSERVED] = "observed", [GPUCODE_INFERRED] = "inferred"};

static bool find_generations(struct manual *manual)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        if (strcmp(gpucode_target_isa(target), manual->isa) != 0)
            continue;
        unsigned known = 0;
        while (known < manual->generation_count &&
               strcmp(gpucode_target_generation(manual->generations[known]), gpucode_target_generation(target)) != 0)
            known++;
        if (known == manual->generation_count && known < GENERATIONS_MAX)
            manual->generations[manual->generation_count++] = target;
        manual->any = manual->generations[0];
    }
    return manual->any != NULL;
}

/* Is the row wanted? */
static bool row_at(const struct manual *manual, unsigned index, const char *mnemonic, struct gpucode_row *row)
{
    return gpucode_row(manual->any, index, row) && (!mnemonic || strcmp(row->mnemonic, mnemonic) == 0) &&
           (!manual->narrow || gpucode_row_on_target(manual->narrow, index));
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

/* What is between the braces of an action. */
static const char *action_begin(const struct gpucode_row *row)
{
    const char *at = row->action ? row->action : "";
    return at + strspn(at, "{ ");
}

static bool has_action(const struct gpucode_row *row)
{
    const char *at = action_begin(row);
    if (strncmp(at, "LONG", 4) == 0) /* a function beside the executor; the description says it in words */
        return false;
    return at[strspn(at, "} ")] != 0;
}

/* An action is stored as one line; statements go to lines of their own. */
static void print_action(const struct gpucode_row *row, const char *indent)
{
    unsigned depth = 0;
    const char *at = action_begin(row);
    size_t length = strlen(at);
    while (length && strchr(" }", at[length - 1]))
        length--;
    fputs(indent, stdout);
    for (const char *end = at + length; at < end; at++) {
        putchar(*at);
        depth += *at == '(';
        depth -= *at == ')' && depth;
        if (*at == ';' && !depth && at + 1 < end) {
            printf("\n%s", indent);
            at += strspn(at + 1, " ");
        }
    }
    putchar('\n');
}

static void print_row_markdown(const struct manual *manual, unsigned index, const struct gpucode_row *row)
{
    printf("\n### `%s`\n\n%s\n\n", row->text, row->doc);
    printf("| bits | row | generations | source | evidence |\n|---|---|---|---|---|\n| `%s` | %s | ", row->bits,
           row->id);
    print_generations(manual, index, stdout);
    printf(" | %s | %s |\n", row->source, evidence_names[row->evidence]);
    if (has_action(row)) {
        fputs("\n```c\n", stdout);
        print_action(row, "");
        fputs("```\n", stdout);
    }
}

static void print_row_text(const struct manual *manual, unsigned index, const struct gpucode_row *row)
{
    printf("%s%s%s\n    %s\n", manual->color ? "\033[1m" : "", row->text, manual->color ? "\033[0m" : "", row->doc);
    printf("    bits         %s\n    generations  ", row->bits);
    print_generations(manual, index, stdout);
    printf("\n    source       %s (%s)\n", row->source, evidence_names[row->evidence]);
    if (has_action(row)) {
        fputs("    action\n", stdout);
        print_action(row, "        ");
    }
    putchar('\n');
}

static void write_row(struct json *json, const struct manual *manual, unsigned index, const struct gpucode_row *row)
{
    char bits[24];
    json_object(json, NULL);
    json_string(json, "id", row->id);
    json_string(json, "mnemonic", row->mnemonic);
    json_string(json, "text", row->text);
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
        snprintf(bits, sizeof bits, "0x%0*" PRIx64, row->size <= 4 ? 8 : 16, masks[i].value);
        json_string(json, masks[i].key, bits);
    }
    json_array(json, "generations");
    for (unsigned i = 0; i < manual->generation_count; i++)
        if (gpucode_row_on_target(manual->generations[i], index))
            json_string(json, NULL, gpucode_target_generation(manual->generations[i]));
    json_end(json);
    json_end(json);
}

static int no_mnemonic(struct session *session, const struct manual *manual, const char *mnemonic)
{
    struct spelling spelling = spelling_begin(mnemonic);
    struct gpucode_row row;
    char hint[192] = "";
    for (unsigned i = 0; i < gpucode_row_count(manual->any); i++)
        if (row_at(manual, i, NULL, &row))
            spelling_offer(&spelling, row.mnemonic);
    snprintf(hint, sizeof hint, spelling.best[0] ? "did you mean '%s'?" : "`gpucode manual ISA` lists all%s",
             spelling.best);
    return complain(&session->diagnostics, CLI_MNEMONIC, NULL, hint,
                    manual->narrow ? gpucode_target_name(manual->narrow) : manual->isa, mnemonic);
}

/* Rows of one mnemonic stand together, in the order in which the mnemonics first appear. */
static void print_entries(const struct manual *manual, const char *only)
{
    unsigned count = gpucode_row_count(manual->any);
    struct gpucode_row row, earlier;
    for (unsigned i = 0; i < count; i++) {
        if (!row_at(manual, i, only, &row))
            continue;
        bool seen = false;
        for (unsigned j = 0; j < i && !seen; j++)
            seen = row_at(manual, j, row.mnemonic, &earlier);
        if (seen)
            continue;
        if (manual->markdown)
            printf("\n## %s\n", row.mnemonic);
        for (unsigned j = i; j < count; j++) {
            if (!row_at(manual, j, row.mnemonic, &earlier))
                continue;
            if (manual->markdown)
                print_row_markdown(manual, j, &earlier);
            else
                print_row_text(manual, j, &earlier);
        }
    }
}

static void write_rows(const struct manual *manual, const char *mnemonic)
{
    struct json json = {.out = stdout, .indent = true};
    struct gpucode_row row;
    json_object(&json, NULL);
    json_string(&json, "isa", manual->isa);
    json_array(&json, "rows");
    for (unsigned i = 0; i < gpucode_row_count(manual->any); i++)
        if (row_at(manual, i, mnemonic, &row))
            write_row(&json, manual, i, &row);
    json_end(&json);
    json_end(&json);
}

static void print_title(const struct manual *manual)
{
    char name[32];
    snprintf(name, sizeof name, "%s", manual->isa);
    for (char *c = name; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    printf("# %s instructions\n\n", name);
    printf("Made by `gpucode manual %s` from the rows that decode and encode; do not edit. Bits are written most\n"
           "significant first: 0 and 1 decide, letters are operand fields, `-` is ignored by the processor.\n"
           "Evidence: *manual* where a public description says it, *observed* where existing tools or code show it,\n"
           "*inferred* where it was concluded and nobody has confirmed it.\n",
           manual->isa);
}

/* Another name of an instruction set ("qrisc") is known by its targets ("qrisc:a630"). */
static const char *isa_of_alias(const char *alias)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        char name[128];
        const char *colon = strchr(gpucode_target_name(target), ':');
        snprintf(name, sizeof name, "%s%s", alias, colon ? colon : "");
        if ((target = gpucode_target_find(name)))
            return gpucode_target_isa(target);
    }
    return NULL;
}

int command_manual(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    const char *mnemonic = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
    struct manual manual = {
        .isa = arguments->operands[0],
        .markdown = arguments_have(arguments, OPTION_MARKDOWN) || !isatty(STDOUT_FILENO),
        .color = session->color,
    };
    struct gpucode_row row;
    int code = code_target(session, &manual.narrow);
    if (code)
        return code;
    if (!find_generations(&manual)) {
        const char *isa = isa_of_alias(manual.isa);
        if (!isa)
            return complain(&session->diagnostics, CLI_ISA, NULL, "`gpucode targets` shows them, in front of the colon",
                            manual.isa);
        manual.isa = isa;
        find_generations(&manual);
    }
    if (manual.narrow && strcmp(gpucode_target_isa(manual.narrow), manual.isa) != 0)
        return complain(&session->diagnostics, CLI_ISA_TARGET, NULL, NULL, gpucode_target_name(manual.narrow),
                        manual.isa);
    bool found = !mnemonic;
    for (unsigned i = 0; !found && i < gpucode_row_count(manual.any); i++)
        found = row_at(&manual, i, mnemonic, &row);
    if (!found)
        return no_mnemonic(session, &manual, mnemonic);
    if (session->json) {
        write_rows(&manual, mnemonic);
        return EXIT_DONE;
    }
    if (manual.markdown && !mnemonic)
        print_title(&manual);
    print_entries(&manual, mnemonic);
    return EXIT_DONE;
}
