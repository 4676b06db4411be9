/* SPDX-License-Identifier: MIT */
/* What is told while it works: a block that is drawn anew on a terminal, lines elsewhere; and the result. */
#include "cli/fuzz.h"

#include "front/answer.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_FUZZ
#include <gpucode/answer_rows.h>
ANSWER_TABLE(fuzz, "What a campaign found.");

#define LINES 5
#define SHOW_SECONDS 0.2  /* between drawings */
#define TELL_SECONDS 10.0 /* between lines */

void fuzz_screen_begin(struct fuzzing *fuzzing)
{
    fuzzing->screen = (struct fuzz_screen){.terminal = isatty(STDERR_FILENO), .mute = fuzzing->session->json};
}

/* Kinds of records that kept inputs have: packets whose handlers were reached. */
static unsigned kinds_tried(const struct fuzzing *fuzzing)
{
    bool seen[GPUCODE_FUZZ_KINDS_MAX] = {false};
    struct gpucode_fuzz_entry entry;
    unsigned count = 0, kinds = fuzzing->subjects[0].inner.kind_count;
    struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    static uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    for (size_t i = 0; gpucode_fuzz_entry_at(fuzzing->fuzz, i, &entry); i++) {
        size_t number = gpucode_fuzz_read(kinds, entry.bytes, entry.size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
        for (size_t k = 0; k < number; k++)
            seen[records[k].kind] = true;
    }
    for (unsigned i = 0; i < kinds; i++)
        count += seen[i];
    return count;
}

/* What stands on standard output keeps its place above the block, which standard error draws. */
static void clear(struct fuzz_screen *screen)
{
    fflush(stdout);
    if (screen->drawn)
        fprintf(stderr, "\r\033[%dA\033[J", LINES);
    fflush(stderr);
    screen->drawn = false;
}

static void draw(struct fuzzing *fuzzing, const struct gpucode_fuzz_numbers *numbers, double now, double rate)
{
    clear(&fuzzing->screen);
    /* lines that are too long are cut, as the next drawing counts on their number */
    fprintf(stderr,
            "\033[?7l  time      %.0f s          runs/s    %.0f\n  runs      %" PRIu64
            "\n  edges     %zu of the map, %zu inputs kept, %zu from others\n"
            "  records   %u of %u kinds reached\n  findings  %zu, and %zu gaps of the model (Ctrl-C ends)\n\033[?7h",
            now, rate, numbers->runs, numbers->edges, numbers->entries, fuzzing->imported, kinds_tried(fuzzing),
            fuzzing->subjects[0].inner.kind_count, numbers->findings, numbers->gaps);
    fflush(stderr);
    fuzzing->screen.drawn = true;
}

/* The file with a finding's packets; "": there is none. */
static void finding_path(const struct fuzzing *fuzzing, const struct gpucode_fuzz_finding *finding, char path[4096])
{
    *path = 0;
    if (fuzzing->files && finding->outcome->judgement == GPUCODE_FUZZ_FINDING)
        snprintf(path, 4096, "%s/%s/findings/%s.txt", fuzzing->folder, fuzzing->name, finding->outcome->key);
}

/* What is known of a finding, which is run again for it. The rows of gaps are in the same order. */
static void tell_facts(const struct fuzzing *fuzzing, struct gpucode_answer *answer,
                       const struct gpucode_fuzz_finding *finding, unsigned first)
{
    struct gpucode_fuzz_outcome outcome;
    gpucode_fuzz_try(fuzzing->workers[0], finding->bytes, finding->size, &outcome, NULL);
    const struct kit_fuzz_facts *facts = fuzzing->kit->facts(&fuzzing->subjects[0].inner);
    gpucode_answer_text(answer, &fields[first], facts->kind);
    gpucode_answer_text(answer, &fields[first + 1], facts->code);
    gpucode_answer_number(answer, &fields[first + 2], facts->at);
    gpucode_answer_text(answer, &fields[first + 3], *facts->routine ? facts->routine : NULL);
    gpucode_answer_text(answer, &fields[first + 4], *facts->packet ? facts->packet : NULL);
    gpucode_answer_number(answer, &fields[first + 5], facts->level);
    gpucode_answer_number(answer, &fields[first + 6], facts->packets);
    if (first != FINDING_KIND || !facts->led)
        return;
    gpucode_answer_begin(answer, &fields[FINDING_CHOSEN]);
    gpucode_answer_text(answer, &fields[FINDING_SOURCE], facts->source);
    gpucode_answer_number(answer, &fields[FINDING_WORD], facts->word);
    gpucode_answer_end(answer);
}

static void tell_finding(const struct fuzzing *fuzzing, struct gpucode_answer *answer,
                         const struct gpucode_fuzz_finding *finding)
{
    bool gap = finding->outcome->judgement == GPUCODE_FUZZ_GAP;
    char path[4096];
    finding_path(fuzzing, finding, path);
    gpucode_answer_begin(answer, &fields[gap ? GAP : FINDING]);
    gpucode_answer_text(answer, &fields[gap ? GAP_KEY : FINDING_KEY], finding->outcome->key);
    gpucode_answer_text(answer, &fields[gap ? GAP_TEXT : FINDING_TEXT], finding->outcome->text);
    tell_facts(fuzzing, answer, finding, gap ? GAP_KIND : FINDING_KIND);
    gpucode_answer_number(answer, &fields[gap ? GAP_RUNS : FINDING_RUNS], finding->count);
    gpucode_answer_number(answer, &fields[gap ? GAP_SIZE : FINDING_SIZE], finding->size);
    if (*path)
        gpucode_answer_text(answer, &fields[FINDING_FILE], path);
    gpucode_answer_end(answer);
}

/* As soon as it is found. */
static void fuzz_screen_finding(struct fuzzing *fuzzing, const struct gpucode_fuzz_finding *finding)
{
    struct gpucode_answer *answer = answer_begin(fuzzing->session);
    tell_finding(fuzzing, answer, finding);
    answer_end(fuzzing->session, answer);
    fflush(stdout);
}

void fuzz_screen_show(struct fuzzing *fuzzing, bool last)
{
    struct fuzz_screen *screen = &fuzzing->screen;
    struct gpucode_fuzz_numbers numbers;
    struct gpucode_fuzz_finding finding;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    numbers.runs -= fuzzing->loaded;
    bool news = gpucode_fuzz_finding_at(fuzzing->fuzz, fuzzing->told, &finding);
    if (news && !screen->mute)
        clear(screen);
    for (; gpucode_fuzz_finding_at(fuzzing->fuzz, fuzzing->told, &finding); fuzzing->told++)
        if (!screen->mute && finding.outcome->judgement == GPUCODE_FUZZ_FINDING)
            fuzz_screen_finding(fuzzing, &finding);
    double now = fuzz_seconds(fuzzing), rate = now > 0 ? (double)numbers.runs / now : 0;
    if (last && screen->terminal)
        clear(screen);
    if (screen->mute || last || now - screen->shown < (screen->terminal ? SHOW_SECONDS : TELL_SECONDS))
        return;
    screen->shown = now;
    if (!screen->terminal) {
        fprintf(stderr, "%.0f s: %" PRIu64 " runs, %.0f runs/s, %zu edges, %zu inputs, %zu findings, %zu gaps\n", now,
                numbers.runs, rate, numbers.edges, numbers.entries, numbers.findings, numbers.gaps);
        fflush(stderr);
        return;
    }
    draw(fuzzing, &numbers, now, rate);
}

/* --- the result -------------------------------------------------------------------------------------------------- */

static void tell_findings(const struct fuzzing *fuzzing, struct gpucode_answer *answer,
                          enum gpucode_fuzz_judgement judgement)
{
    struct gpucode_fuzz_finding finding;
    gpucode_answer_begin(answer, &fields[judgement == GPUCODE_FUZZ_GAP ? GAPS : FINDINGS]);
    for (size_t i = 0; gpucode_fuzz_finding_at(fuzzing->fuzz, i, &finding); i++)
        if (finding.outcome->judgement == judgement)
            tell_finding(fuzzing, answer, &finding);
    gpucode_answer_end(answer);
}

int fuzz_report(struct fuzzing *fuzzing)
{
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    struct gpucode_answer *answer = answer_begin(fuzzing->session);
    gpucode_answer_begin(answer, &fields[CAMPAIGN]);
    gpucode_answer_text(answer, &fields[FILE_NAME], fuzzing->input->file.name);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(fuzzing->input->target));
    tell_findings(fuzzing, answer, GPUCODE_FUZZ_FINDING);
    tell_findings(fuzzing, answer, GPUCODE_FUZZ_GAP);
    gpucode_answer_number(answer, &fields[RUNS], numbers.runs - fuzzing->loaded);
    gpucode_answer_number(answer, &fields[EDGES], numbers.edges);
    gpucode_answer_number(answer, &fields[INPUTS], numbers.entries);
    gpucode_answer_number(answer, &fields[FINDING_COUNT], numbers.findings);
    gpucode_answer_number(answer, &fields[GAP_COUNT], numbers.gaps);
    gpucode_answer_number(answer, &fields[SEED], fuzzing->seed);
    gpucode_answer_end(answer);
    int code = answer_end(fuzzing->session, answer);
    return code ? code : numbers.findings ? EXIT_FINDINGS : EXIT_DONE;
}
