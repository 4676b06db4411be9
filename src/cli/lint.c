/* SPDX-License-Identifier: MIT */
/* gpucode lint: findings about code, at their place in the source where there is one. */
#include "front/answer.h"
#include "front/arguments.h"
#include "front/grow.h"
#include "front/input.h"
#include "front/places.h"
#include "front/session.h"
#include "front/terminal.h"

#include <gpucode/lint.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct session;
struct input;
struct gpucode_answer;

#define FINDINGS_EXPLAINED_MAX 64

struct kept_finding;

struct findings {
    struct session *session;
    const struct input *input;
    struct gpucode_answer *answer;                 /* JSON goes there */
    unsigned errors, warnings, notes, ignored;     /* so far */
    const char *explained[FINDINGS_EXPLAINED_MAX]; /* codes whose reason was shown: once is enough */
    unsigned explained_count;
    struct kept_finding *kept;
    size_t count, room;
    unsigned hidden; /* those that the library did not hand over */
    bool failed;     /* out of memory */
};

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_LINT
#include <gpucode/answer_rows.h>
ANSWER_TABLE(lint, "What lint has found, a finding a line.");

/* Where a finding is in the source; not placed: the input is binary, or no line of the source stands for it. */
struct position {
    struct gpucode_line line;
    bool placed;
    unsigned column, span; /* 0: the whole line */
};

static bool place_of(const struct findings *findings, const struct gpucode_finding *finding, uint64_t unit,
                     struct gpucode_line *line)
{
    const struct gpucode_section *section = &gpucode_image_info(findings->input->image)->sections[finding->section];
    return findings->input->program &&
           gpucode_program_line(findings->input->program, (uint32_t)(section->start + unit), line);
}

/* Is the text between two tokens one that separates operands? */
static bool comma_between(const struct gpucode_line *line, unsigned from, unsigned to)
{
    return to > from && to <= line->source_length && memchr(line->source + from, ',', to - from);
}

/*
 * Narrows a position down to the instruction, or to the operand that the finding is about: the text up to its comma,
 * which may hold several.
 */
static void find_column(const struct gpucode_program *program, const struct gpucode_finding *finding, uint32_t unit,
                        struct position *position)
{
    struct gpucode_token token;
    unsigned number = 0, end = 0, whole = 0, start = 0, last = 0;
    for (unsigned i = 0; gpucode_program_token(program, i, &token); i++) {
        if (token.unit != unit || token.line != position->line.line || strcmp(token.file, position->line.file) != 0 ||
            token.kind == GPUCODE_TOKEN_LABEL || token.kind == GPUCODE_TOKEN_COMMENT)
            continue;
        unsigned after = token.column + (unsigned)token.span.length;
        start = whole++ ? start : token.column;
        last = after > last ? after : last;
        if (token.kind != GPUCODE_TOKEN_OPERAND)
            continue;
        number += !number || comma_between(&position->line, end, token.column);
        end = after;
        if (finding->operand && number == finding->operand) {
            position->column = position->column ? position->column : token.column + 1;
            position->span = after - position->column + 1;
        }
    }
    if (!position->column && last > start && !position->line.from_macro) {
        position->column = start + 1;
        position->span = last - start;
    }
}

static struct position find_spot(const struct findings *findings, const struct gpucode_finding *finding)
{
    const struct gpucode_section *section = &gpucode_image_info(findings->input->image)->sections[finding->section];
    struct position position = {.placed = place_of(findings, finding, finding->unit, &position.line)};
    if (position.placed)
        find_column(findings->input->program, finding, (uint32_t)(section->start + finding->unit), &position);
    return position;
}

static const char *severity_of(const struct gpucode_finding *finding)
{
    return finding->severity == GPUCODE_ERROR ? "error" : finding->severity == GPUCODE_WARNING ? "warning" : "note";
}

/* --- what is left out --- */

/* Is the code in a list with commas or white space in between? */
static bool lists(const char *list, size_t length, const char *code)
{
    size_t size = strlen(code);
    for (size_t at = 0; at < length;) {
        size_t start = at;
        while (at < length && !strchr(", \t\r", list[at]))
            at++;
        if (at - start == size && memcmp(list + start, code, size) == 0)
            return true;
        at += at == start;
    }
    return false;
}

static bool ignored_by_comment(const struct gpucode_line *line, const char *code)
{
    static const char mark[] = "lint: ignore";
    const char *found = memmem(line->source, line->source_length, mark, sizeof mark - 1);
    if (!found)
        return false;
    const char *list = found + sizeof mark - 1, *end = line->source + line->source_length;
    while (list < end && (*list == ' ' || *list == '\t' || *list == '\r'))
        list++;
    return list == end || lists(list, (size_t)(end - list), code);
}

static bool is_ignored(const struct findings *findings, const struct position *position, const char *code)
{
    const char *list;
    for (unsigned i = 0; (list = arguments_value_at(&findings->session->arguments, OPTION_IGNORE, i)); i++)
        if (lists(list, strlen(list), code))
            return true;
    return position->placed && ignored_by_comment(&position->line, code);
}

/* --- showing --- */

static void put_finding(const struct findings *findings, const struct gpucode_finding *finding,
                        const struct position *position)
{
    struct gpucode_answer *answer = findings->answer;
    struct gpucode_line other;
    const char *section = gpucode_image_info(findings->input->image)->sections[finding->section].name;
    char where[PLACES_WHERE_MAX];
    gpucode_answer_begin(answer, &fields[FINDING]);
    gpucode_answer_text(answer, &fields[FILE_NAME],
                        position->placed ? position->line.file : findings->input->file.name);
    if (position->placed)
        gpucode_answer_number(answer, &fields[LINE], position->line.line);
    if (position->column)
        gpucode_answer_numbers(answer, &fields[COLUMN], (const uint64_t[]){position->column, position->span}, 2);
    if (finding->analysed) {
        uint64_t packets[2] = {0};
        const struct gpucode_analysis *analysis = input_analysis(findings->input);
        gpucode_answer_text(answer, &fields[SECTION_NAME], section);
        gpucode_answer_number(answer, &fields[AT], finding->unit);
        gpucode_answer_text(answer, &fields[FUNCTION], finding->function);
        gpucode_analysis_reached_by(analysis, finding->section, (uint32_t)finding->unit, packets);
        gpucode_answer_begin(answer, &fields[PACKETS]);
        places_put_packets(analysis, packets, answer, &fields[PACKET]);
        gpucode_answer_end(answer);
    } else {
        gpucode_answer_number(answer, &fields[SECTION], findings->session->part + finding->section);
    }
    gpucode_answer_numbers(answer, &fields[UNIT], (const uint64_t[]){finding->unit, finding->units}, 2);
    if (gpucode_outline_near(input_outline(findings->input), finding->section, finding->unit, where, sizeof where))
        gpucode_answer_text(answer, &fields[WHERE], where);
    gpucode_answer_text(answer, &fields[SEVERITY], severity_of(finding));
    gpucode_answer_text(answer, &fields[CODE], finding->code);
    gpucode_answer_text(answer, &fields[MESSAGE], finding->message);
    if (finding->has_other) {
        gpucode_answer_number(answer, &fields[OTHER], finding->other);
        if (place_of(findings, finding, finding->other, &other)) {
            gpucode_answer_text(answer, &fields[OTHER_FILE], other.file);
            gpucode_answer_number(answer, &fields[OTHER_LINE], other.line);
        }
    }
    if (finding->slots)
        gpucode_answer_number(answer, &fields[SLOTS], finding->slots);
    gpucode_answer_text(answer, &fields[FIX], finding->fix);
    gpucode_answer_text(answer, &fields[REASON], finding->reason);
    gpucode_answer_text(answer, &fields[REFERENCE], finding->reference);
    gpucode_answer_end(answer);
}

/* Prints the instruction at a unit; for binaries, which have no source line to show. */
static void print_insn(FILE *out, const struct findings *findings, const struct gpucode_finding *finding, uint64_t unit)
{
    char text[GPUCODE_TEXT_MAX];
    if (gpucode_target_facts(findings->input->target)->fixed_size &&
        input_insn_text(findings->input, finding->section, unit, NULL, text))
        fprintf(out, "    0x%03" PRIx64 ": %s\n", unit, text);
}

static void print_place(FILE *out, const struct findings *findings, const struct position *position, uint64_t unit)
{
    const char *file = position->placed ? position->line.file : findings->input->file.name;
    excerpt_text(out, file, strlen(file));
    if (!position->placed)
        fprintf(out, ":0x%03" PRIx64 ": ", unit);
    else if (position->column)
        fprintf(out, ":%u:%u: ", position->line.line, position->column);
    else
        fprintf(out, ":%u: ", position->line.line);
}

static void print_other(FILE *out, const struct findings *findings, const struct gpucode_finding *finding, bool placed)
{
    struct position position = {.placed = placed && place_of(findings, finding, finding->other, &position.line)};
    if (finding->other == finding->unit)
        return;
    if (!position.placed) {
        print_insn(out, findings, finding, finding->other);
        return;
    }
    print_place(out, findings, &position, finding->other);
    fprintf(out, "note: instruction %" PRIu64 " is here\n", finding->other);
    excerpt_line(out, position.line.source, position.line.source_length, 0, 0, "", "");
}

/* As a message of the assembler: the place, the source line with a caret, what to do, and why, once for each code. */
static void print_finding(FILE *out, struct findings *findings, const struct gpucode_finding *finding,
                          const struct position *position)
{
    bool error = finding->severity == GPUCODE_ERROR, color = findings->session->color;
    const char *plain = color ? "\033[0m" : "", *paint = !color                                 ? ""
                                                         : error                                ? "\033[1;31m"
                                                         : finding->severity == GPUCODE_WARNING ? "\033[1;35m"
                                                                                                : "\033[1;36m";
    print_place(out, findings, position, finding->unit);
    char where[PLACES_WHERE_MAX];
    bool own_names = arguments_have(&findings->session->arguments, OPTION_SYMBOLS); /* else the line says enough */
    const char *in =
        position->placed && !own_names ? "" : places_where(findings->input, finding->section, finding->unit, where);
    fprintf(out, "%s%s:%s%s%s %s [%s]\n", paint, severity_of(finding), plain, in, *in ? ":" : "", finding->message,
            finding->code);
    if (position->placed)
        excerpt_line(out, position->line.source, position->line.source_length, position->column, position->span,
                     color ? "\033[1;32m" : "", plain);
    else
        print_insn(out, findings, finding, finding->unit);
    if (finding->has_other)
        print_other(out, findings, finding, position->placed);
    char packets[GPUCODE_NOTE_MAX];
    if (finding->analysed && finding->severity != GPUCODE_NOTE &&
        places_packets(findings->input, finding->section, finding->unit, packets))
        fprintf(out, "    packets: %s\n", packets);
    if (finding->fix)
        fprintf(out, "    fix: %s\n", finding->fix);
    for (unsigned i = 0; i < findings->explained_count; i++)
        if (strcmp(findings->explained[i], finding->code) == 0)
            return;
    if (findings->explained_count < FINDINGS_EXPLAINED_MAX)
        findings->explained[findings->explained_count++] = finding->code;
    fputs("    ", out);
    /* a line elsewhere, which other programs look for */
    wrap_text(out, finding->reason, 4, 4, findings->session->on_terminal ? (int)terminal_columns(out) : INT_MAX);
    fprintf(out, "    from: %s\n", finding->reference);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

struct kept_finding {
    struct gpucode_finding finding; /* its texts are copies */
    struct position position;
    size_t file, number; /* the first finding in its file; its own number */
};

static char *copy_text(const char *text, bool *failed)
{
    char *copy = text ? strdup(text) : NULL;
    *failed |= text && !copy;
    return copy;
}

static const char *file_of(const struct kept_finding *kept)
{
    return kept->position.placed ? kept->position.line.file : "";
}

static int compare_numbers(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_kept(const void *left, const void *right)
{
    const struct kept_finding *a = left, *b = right;
    int order = compare_numbers(a->file, b->file);
    if (!order && a->position.placed)
        order = compare_numbers(a->position.line.line, b->position.line.line);
    return order ? order : compare_numbers(a->number, b->number);
}

/*
 * For gpucode_lint_options.report; `user` is a struct findings. Leaves out what --ignore names, and what a comment on
 * the source line does: `lint: ignore`, or `lint: ignore CODE, CODE`.
 */
static void findings_take(void *user, const struct gpucode_finding *finding)
{
    struct findings *findings = user;
    struct position position = find_spot(findings, finding);
    if (is_ignored(findings, &position, finding->code)) {
        findings->ignored++;
        return;
    }
    findings->errors += finding->severity == GPUCODE_ERROR;
    findings->warnings += finding->severity == GPUCODE_WARNING;
    findings->notes += finding->severity == GPUCODE_NOTE;
    if (!grow(&findings->kept, findings->count, &findings->room, sizeof *findings->kept)) {
        findings->failed = true;
        return;
    }
    size_t number = findings->count++;
    struct kept_finding *kept = &findings->kept[number];
    *kept = (struct kept_finding){.finding = *finding, .position = position, .number = number};
    kept->finding.message = copy_text(finding->message, &findings->failed);
    kept->finding.function = copy_text(finding->function, &findings->failed);
    kept->finding.fix = copy_text(finding->fix, &findings->failed);
    while (strcmp(file_of(&findings->kept[kept->file]), file_of(kept)) != 0)
        kept->file++;
}

/* Shows them: of a source in the order of its lines, a file after another, else of places. False: out of memory. */
static bool findings_show(struct findings *findings)
{
    if (findings->count)
        qsort(findings->kept, findings->count, sizeof *findings->kept, compare_kept);
    for (size_t i = 0; i < findings->count; i++) {
        const struct kept_finding *kept = &findings->kept[i];
        if (!findings->failed && findings->session->json)
            put_finding(findings, &kept->finding, &kept->position);
        else if (!findings->failed)
            print_finding(stdout, findings, &kept->finding, &kept->position);
        free((char *)kept->finding.message);
        free((char *)kept->finding.function);
        free((char *)kept->finding.fix);
    }
    free(findings->kept);
    findings->kept = NULL;
    findings->count = findings->room = 0;
    return !findings->failed;
}

/* "1 error, 2 warnings" of all that there is. */
static void findings_total(const struct findings *findings)
{
    const struct {
        unsigned count;
        const char *one, *many;
    } sums[] = {{findings->errors, "error", "errors"},
                {findings->warnings, "warning", "warnings"},
                {findings->notes, "note", "notes"},
                {findings->ignored, "ignored", "ignored"},
                {findings->hidden, "not shown", "not shown"}};
    bool any = false;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (sums[i].count) {
            printf("%s%u %s", any ? ", " : "", sums[i].count, sums[i].count == 1 ? sums[i].one : sums[i].many);
            any = true;
        }
    if (any)
        putchar('\n');
}

#define LIMITS_MAX 16

struct lint {
    struct session *session;
    const struct input *input;
    struct findings findings;
};

/* NAME=NUMBER of each --policy that the target has not taken; of those with one name the last counts. */
static int read_limits(struct lint *lint, struct gpucode_lint_limit limits[LIMITS_MAX])
{
    const struct arguments *arguments = &lint->session->arguments;
    const struct gpucode_target *target = lint->input->target;
    for (unsigned i = 0; i < arguments->count[OPTION_POLICY]; i++) {
        const char *text = arguments_value_at(arguments, OPTION_POLICY, i), *equals = strchr(text, '=');
        struct gpucode_lint_limit known;
        unsigned index = 0;
        size_t length = equals ? (size_t)(equals - text) : 0;
        bool found;
        while ((found = gpucode_lint_limit_at(target, index, &known, NULL)) &&
               (strlen(known.name) != length || strncmp(known.name, text, length) != 0))
            index++;
        if (lint->session->target && !found)
            continue;
        if (!found || !number_read(equals + 1, UINT64_MAX, &known.value)) {
            char hint[256] = "limits:";
            for (index = 0; gpucode_lint_limit_at(target, index, &known, NULL); index++) {
                size_t used = strlen(hint);
                snprintf(hint + used, sizeof hint - used, " %s=%" PRIu64, known.name, known.value);
            }
            return complain(&lint->session->diagnostics, CLI_POLICY, NULL,
                            index ? hint : "lint has no limits for such code", text);
        }
        unsigned at = 0; /* the list ends with a null name */
        while (limits[at].name && strcmp(limits[at].name, known.name) != 0)
            at++;
        limits[at] = known;
    }
    return EXIT_DONE;
}

/* Those of the source, where the set has them, and those of --entries. */
static int read_entries(struct lint *lint, uint64_t *entries, unsigned *count)
{
    const char *text = lint->session->arguments.value[OPTION_ENTRY_POINTS];
    uint64_t units = gpucode_image_info(lint->input->image)->units;
    *count = facts_entries(lint->input->program, entries);
    for (const char *at = text; at && *at; at += *at == ',') {
        uint64_t entry;
        if (!number_take(&at, &entry) || (*at && (*at != ',' || !at[1])) || *count == FACTS_ENTRIES_MAX)
            return complain(&lint->session->diagnostics, CLI_ENTRY_POINTS, NULL, NULL, text);
        if (entry >= units)
            return complain(&lint->session->diagnostics, CLI_ENTRY_OUTSIDE, NULL, NULL, (unsigned long long)entry,
                            (unsigned long long)units);
        entries[(*count)++] = entry;
    }
    return EXIT_DONE;
}

/* Complains of a code in --ignore that no rule has. */
static int check_ignored(struct session *session)
{
    const char *list;
    char code[64];
    for (unsigned i = 0; (list = arguments_value_at(&session->arguments, OPTION_IGNORE, i)); i++)
        for (const char *at = list; *at; at += *at == ',') {
            size_t length = strcspn(at, ",");
            snprintf(code, sizeof code, "%.*s", (int)(length < sizeof code ? length : sizeof code - 1), at);
            if (!gpucode_explain(code))
                return complain(&session->diagnostics, CLI_CODE, NULL, "`gpucode explain` lists the codes", code);
            at += length;
            if (*at && !at[1])
                return complain(&session->diagnostics, CLI_CODE, NULL, "`gpucode explain` lists the codes", "");
        }
    return EXIT_DONE;
}

static unsigned findings_all(const struct findings *findings)
{
    return findings->errors + findings->warnings + findings->notes + findings->ignored;
}

static int check_input(struct lint *lint)
{
    struct gpucode_lint_limit limits[LIMITS_MAX] = {{0}};
    uint64_t entries[FACTS_ENTRIES_MAX];
    unsigned entry_count = 0, count = 0, before = findings_all(&lint->findings);
    int code = check_ignored(lint->session);
    if (!code)
        code = read_limits(lint, limits);
    if (!code)
        code = read_entries(lint, entries, &entry_count);
    if (code)
        return code;
    unsigned declared = 0;
    struct gpucode_declaration *declarations = facts_declarations(lint->input->program, &declared);
    if (!declarations)
        return out_of_memory(&lint->session->diagnostics);
    struct gpucode_lint_options options = {.report = findings_take,
                                           .user = &lint->findings,
                                           .limits = limits,
                                           .entries = entry_count ? entries : NULL,
                                           .entry_count = entry_count,
                                           .declarations = declarations,
                                           .declaration_count = declared};
    enum gpucode_status status = gpucode_lint(lint->input->image, &options, &count);
    free(declarations);
    bool shown = findings_show(&lint->findings);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&lint->session->diagnostics, CLI_CANNOT, lint->input->file.name, NULL,
                        gpucode_target_isa(lint->input->target), "lint");
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&lint->session->diagnostics, CLI_TANGLED, lint->input->file.name, NULL);
    if (status != GPUCODE_OK || !shown)
        return out_of_memory(&lint->session->diagnostics);
    unsigned told = findings_all(&lint->findings) - before;
    lint->findings.hidden += count > told ? count - told : 0;
    return EXIT_DONE;
}

int command_lint(struct session *session)
{
    struct input input;
    session->takes_parts = true;
    session->part = session->parts = 0;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    struct lint lint = {.session = session, .input = &input, .findings = {.session = session, .input = &input}};
    struct findings *findings = &lint.findings;
    findings->answer = answer_begin(session);
    do {
        if (!code)
            code = input_check_whole(session, &input);
        if (!code)
            code = check_input(&lint);
    } while (!code && input_next(session, &input, &code));
    input_close(&input);
    int ended = answer_end(session, findings->answer);
    if (code || ended)
        return code ? code : ended;
    if (!session->json)
        findings_total(findings);
    return findings->errors || findings->warnings || findings->hidden ? EXIT_FINDINGS : EXIT_DONE;
}
