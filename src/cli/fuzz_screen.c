/* SPDX-License-Identifier: MIT */
/* What is told while it works: a block that is drawn anew on a terminal, lines elsewhere; and the result. */
#include "cli/fuzz.h"

#include "front/report.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* A finding, with where its files are. */
static void fuzz_screen_finding(struct fuzzing *fuzzing, const struct gpucode_fuzz_finding *finding)
{
    printf("%s: %s\n", finding->outcome->key, finding->outcome->text);
    if (fuzzing->files)
        printf("  %s/%s/findings/%s.txt\n", fuzzing->folder, fuzzing->name, finding->outcome->key);
    fflush(stdout);
}

void fuzz_screen_show(struct fuzzing *fuzzing, bool last)
{
    struct fuzz_screen *screen = &fuzzing->screen;
    struct gpucode_fuzz_numbers numbers;
    struct gpucode_fuzz_finding finding;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
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

static void tell_findings(const struct fuzzing *fuzzing, struct report *report, enum gpucode_fuzz_judgement judgement)
{
    struct gpucode_fuzz_finding finding;
    for (size_t i = 0; gpucode_fuzz_finding_at(fuzzing->fuzz, i, &finding); i++) {
        if (finding.outcome->judgement != judgement)
            continue;
        report_object(report, NULL);
        report_string(report, "key", judgement == GPUCODE_FUZZ_GAP ? "gap %s: " : NULL, finding.outcome->key);
        report_string(report, "text", judgement == GPUCODE_FUZZ_GAP ? "%s\n" : NULL, finding.outcome->text);
        report_number(report, "runs", NULL, finding.count);
        report_number(report, "size_bytes", NULL, finding.size);
        if (fuzzing->files && judgement == GPUCODE_FUZZ_FINDING) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s/findings/%s.txt", fuzzing->folder, fuzzing->name, finding.outcome->key);
            report_string(report, "file", NULL, path);
        }
        report_end(report);
    }
}

int fuzz_report(struct fuzzing *fuzzing)
{
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    struct report report = report_begin(fuzzing->session);
    report_string(&report, "file", NULL, fuzzing->input->file.name);
    report_string(&report, "target", NULL, gpucode_target_name(fuzzing->input->target));
    report_array(&report, "findings");
    tell_findings(fuzzing, &report, GPUCODE_FUZZ_FINDING);
    report_end(&report);
    report_array(&report, "gaps");
    tell_findings(fuzzing, &report, GPUCODE_FUZZ_GAP);
    report_end(&report);
    report_number(&report, "runs", numbers.runs == 1 ? "%s run, " : "%s runs, ", numbers.runs);
    report_number(&report, "edges", numbers.edges == 1 ? "%s edge, " : "%s edges, ", numbers.edges);
    report_number(&report, "inputs", numbers.entries == 1 ? "%s input kept, " : "%s inputs kept, ", numbers.entries);
    report_number(&report, "finding_count", numbers.findings == 1 ? "%s finding, " : "%s findings, ", numbers.findings);
    report_number(&report, "gap_count", numbers.gaps == 1 ? "%s gap of the model\n" : "%s gaps of the model\n",
                  numbers.gaps);
    report_number(&report, "seed", NULL, fuzzing->seed);
    report_end(&report);
    return numbers.findings ? EXIT_FINDINGS : EXIT_DONE;
}
