/* SPDX-License-Identifier: MIT */
/* One input: tried, minimised, as text; a minimal set of many; coverage of all that were kept. */
#include "cli/fuzz.h"
#include "front/grow.h"

#include "cli/graph.h"
#include "front/answer.h"
#include "front/code.h"
#include "front/coverage.h"
#include "front/output.h"
#include "front/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_FUZZ_TRY
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table fuzz_try_answer_table = {"fuzz", "What inputs lead to.", fields,
                                                           sizeof fields / sizeof *fields};

static const char *operand(const struct fuzzing *fuzzing, int index)
{
    return index + 1 < fuzzing->session->arguments.operand_count ? fuzzing->session->arguments.operands[index + 1]
                                                                 : NULL;
}

static int read_operand(struct fuzzing *fuzzing, unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size)
{
    return fuzz_read_input(fuzzing, &fuzzing->subjects[0], operand(fuzzing, 0), bytes, size);
}

/* Visits all operands; one without inputs is a mistake. `count` is what `take` counts them in. */
static int visit_operands(struct fuzzing *fuzzing,
                          int (*take)(void *user, const char *path, const void *bytes, size_t size), void *user,
                          const size_t *count)
{
    int code = EXIT_DONE;
    for (int i = 0; !code && operand(fuzzing, i); i++) {
        size_t before = *count;
        code = fuzz_folder_visit(fuzzing, operand(fuzzing, i), take, user);
        if (!code && *count == before)
            code = complain(&fuzzing->session->diagnostics, CLI_FUZZ_NONE, operand(fuzzing, i),
                            "inputs are files id:* and *.bin, in the folder or in queues of the instances in it");
    }
    return code;
}

/* --- --try ------------------------------------------------------------------------------------------------------- */

struct trial {
    struct fuzzing *fuzzing;
    struct gpucode_answer *answer;
    unsigned findings;
    size_t count;
};

static int try_one(void *user, const char *path, const void *bytes, size_t size)
{
    static const char *const names[] = {"pass", "finding", "gap"};
    struct trial *trial = user;
    struct gpucode_fuzz_outcome outcome;
    size_t edges;
    trial->count++;
    gpucode_fuzz_try(trial->fuzzing->workers[0], bytes, size, &outcome, &edges);
    trial->findings += outcome.judgement == GPUCODE_FUZZ_FINDING;
    gpucode_answer_begin(trial->answer, &fields[INPUT]);
    gpucode_answer_text(trial->answer, &fields[INPUT_FILE], path);
    gpucode_answer_text(trial->answer, &fields[INPUT_JUDGEMENT], names[outcome.judgement]);
    gpucode_answer_number(trial->answer, &fields[INPUT_EDGES], edges);
    if (outcome.judgement != GPUCODE_FUZZ_PASS) {
        gpucode_answer_text(trial->answer, &fields[INPUT_KEY], outcome.key);
        const struct kit_fuzz_facts *facts = trial->fuzzing->kit->facts(&trial->fuzzing->subjects[0].inner);
        if (facts->led) {
            gpucode_answer_begin(trial->answer, &fields[INPUT_CHOSEN]);
            gpucode_answer_text(trial->answer, &fields[INPUT_SOURCE], facts->source);
            gpucode_answer_number(trial->answer, &fields[INPUT_WORD], facts->word);
            gpucode_answer_end(trial->answer);
        }
        gpucode_answer_text(trial->answer, &fields[INPUT_TEXT], outcome.text);
    }
    gpucode_answer_end(trial->answer);
    return EXIT_DONE;
}

int fuzz_try(struct fuzzing *fuzzing)
{
    struct trial trial = {.fuzzing = fuzzing};
    fuzzing->jobs = 1;
    int code = fuzz_workers_open(fuzzing);
    if (!code) {
        trial.answer = answer_begin(fuzzing->session);
        gpucode_answer_begin(trial.answer, &fields[TRIED]);
        gpucode_answer_begin(trial.answer, &fields[INPUTS]);
        code = visit_operands(fuzzing, try_one, &trial, &trial.count);
        gpucode_answer_end(trial.answer);
        gpucode_answer_end(trial.answer);
        int told = answer_end(fuzzing->session, trial.answer);
        code = code ? code : told;
    }
    fuzz_workers_close(fuzzing);
    return code ? code : trial.findings ? EXIT_FINDINGS : EXIT_DONE;
}

/* --- --minimise --------------------------------------------------------------------------------------------------- */

static int write_result(const struct fuzzing *fuzzing, const void *bytes, size_t size)
{
    if (fuzz_lacks_memory(fuzzing))
        return out_of_memory(&fuzzing->session->diagnostics);
    if (!fuzzing->folder)
        return complain(&fuzzing->session->diagnostics, CLI_FUZZ_OUTPUT, NULL, "-o FILE says where it goes");
    return outputs_write(&fuzzing->session->diagnostics, fuzzing->folder, bytes, size);
}

int fuzz_minimise(struct fuzzing *fuzzing)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], least[GPUCODE_FUZZ_INPUT_MAX];
    size_t size, least_size;
    fuzzing->jobs = 1;
    int code = fuzz_workers_open(fuzzing);
    if (!code)
        code = read_operand(fuzzing, bytes, &size);
    if (!code && gpucode_fuzz_minimise(fuzzing->workers[0], bytes, size, least, &least_size) != GPUCODE_OK)
        code = out_of_memory(&fuzzing->session->diagnostics);
    if (!code)
        code = write_result(fuzzing, least, least_size);
    fuzz_workers_close(fuzzing);
    return code;
}

/* --- --to-packets, --from-packets --------------------------------------------------------------------------------- */

int fuzz_to_packets(struct fuzzing *fuzzing)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    size_t size, length;
    char *text = NULL;
    fuzzing->jobs = 1;
    int code = fuzz_workers_open(fuzzing);
    if (!code)
        code = read_operand(fuzzing, bytes, &size);
    if (!code) {
        FILE *out = open_memstream(&text, &length);
        if (out)
            fuzzing->kit->write(&fuzzing->subjects[0].inner, bytes, size, NULL, out);
        if (!out || fclose(out) != 0)
            code = out_of_memory(&fuzzing->session->diagnostics);
    }
    if (!code)
        code = outputs_write(&fuzzing->session->diagnostics, fuzzing->folder ? fuzzing->folder : "-", text, length);
    free(text);
    fuzz_workers_close(fuzzing);
    return code;
}

int fuzz_from_packets(struct fuzzing *fuzzing)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    size_t size;
    fuzzing->jobs = 1;
    int code = fuzz_workers_open(fuzzing);
    if (!code)
        code = fuzzing->kit->read(fuzzing->session, &fuzzing->subjects[0].inner, operand(fuzzing, 0), bytes, &size);
    if (!code)
        code = write_result(fuzzing, bytes, size);
    fuzz_workers_close(fuzzing);
    return code;
}

/* --- --merge ------------------------------------------------------------------------------------------------------ */

struct gathered {
    unsigned char *bytes;
    size_t size;
};

struct gathering {
    struct fuzzing *fuzzing;
    struct gathered *list;
    size_t count, room;
};

static int gather(void *user, const char *path, const void *bytes, size_t size)
{
    struct gathering *gathering = user;
    (void)path;
    if (!grow(&gathering->list, gathering->count, &gathering->room, sizeof *gathering->list))
        return out_of_memory(&gathering->fuzzing->session->diagnostics);
    struct gathered *mine = &gathering->list[gathering->count];
    mine->bytes = malloc(size + 1);
    mine->size = size;
    if (!mine->bytes)
        return out_of_memory(&gathering->fuzzing->session->diagnostics);
    memcpy(mine->bytes, bytes, size);
    gathering->count++;
    return EXIT_DONE;
}

/* Short inputs first, so that long ones are kept for what only they reach; then by their bytes. */
static int compare_gathered(const void *left, const void *right)
{
    const struct gathered *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(a->bytes, b->bytes, a->size);
}

static int write_merged(const struct fuzzing *fuzzing)
{
    struct gpucode_fuzz_entry entry;
    struct gpucode_fuzz_finding finding;
    struct diagnostics *diagnostics = &fuzzing->session->diagnostics;
    char path[4096];
    if (fuzz_lacks_memory(fuzzing))
        return out_of_memory(diagnostics);
    if (mkdir(fuzzing->folder, 0777) != 0 && errno != EEXIST)
        return complain(diagnostics, CLI_CREATE, fuzzing->folder, NULL, strerror(errno));
    int code = EXIT_DONE;
    for (size_t i = 0; !code && gpucode_fuzz_entry_at(fuzzing->fuzz, i, &entry); i++) {
        snprintf(path, sizeof path, "%s/id:%06zu", fuzzing->folder, i);
        code = outputs_write(diagnostics, path, entry.bytes, entry.size);
    }
    for (size_t i = 0; !code && gpucode_fuzz_finding_at(fuzzing->fuzz, i, &finding); i++) {
        snprintf(path, sizeof path, "%s/%s.bin", fuzzing->folder, finding.outcome->key);
        code = outputs_write(diagnostics, path, finding.bytes, finding.size);
    }
    return code;
}

int fuzz_merge(struct fuzzing *fuzzing)
{
    struct gathering gathering = {.fuzzing = fuzzing};
    fuzzing->jobs = 1;
    if (!fuzzing->folder)
        return complain(&fuzzing->session->diagnostics, CLI_FUZZ_OUTPUT, NULL, "-o FOLDER says where they go");
    int code = fuzz_workers_open(fuzzing);
    if (!code)
        code = visit_operands(fuzzing, gather, &gathering, &gathering.count);
    if (gathering.count)
        qsort(gathering.list, gathering.count, sizeof *gathering.list, compare_gathered);
    for (size_t i = 0; !code && i < gathering.count; i++)
        if (gpucode_fuzz_add(fuzzing->workers[0], gathering.list[i].bytes, gathering.list[i].size, "merge", NULL))
            code = out_of_memory(&fuzzing->session->diagnostics);
    if (!code)
        code = write_merged(fuzzing);
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    if (!code) {
        struct gpucode_answer *answer = answer_begin(fuzzing->session);
        gpucode_answer_begin(answer, &fields[MERGED]);
        gpucode_answer_number(answer, &fields[MERGED_INPUTS], gathering.count);
        gpucode_answer_number(answer, &fields[MERGED_KEPT], numbers.entries);
        gpucode_answer_number(answer, &fields[MERGED_FINDINGS], numbers.findings);
        gpucode_answer_number(answer, &fields[MERGED_EDGES], numbers.edges);
        gpucode_answer_end(answer);
        code = answer_end(fuzzing->session, answer);
    }
    for (size_t i = 0; i < gathering.count; i++)
        free(gathering.list[i].bytes);
    free(gathering.list);
    fuzz_workers_close(fuzzing);
    return code;
}

/* --- --kinds ------------------------------------------------------------------------------------------------------ */

int fuzz_write_kinds(struct fuzzing *fuzzing)
{
    struct fuzz_subject subject;
    size_t length = 0;
    int code = fuzz_subject_open(fuzzing, &subject);
    char *text = code ? NULL : gpucode_fuzz_kinds_text(&subject.inner, &length);
    if (!code)
        code =
            text ? outputs_write(&fuzzing->session->diagnostics, fuzzing->folder ? fuzzing->folder : "-", text, length)
                 : out_of_memory(&fuzzing->session->diagnostics);
    free(text);
    fuzz_subject_close(fuzzing, &subject);
    return code;
}

/* --- --dictionary ------------------------------------------------------------------------------------------------- */

#define TOKENS_MAX 4096u
#define LITTLE 0x100u /* afl-fuzz tries words below it by itself */

struct tokens {
    uint32_t words[TOKENS_MAX];
    size_t count;
};

static void add_token(struct tokens *tokens, uint32_t word)
{
    for (size_t i = 0; i < tokens->count; i++)
        if (tokens->words[i] == word)
            return;
    if (word >= LITTLE && tokens->count < TOKENS_MAX)
        tokens->words[tokens->count++] = word;
}

/* What a word of 0 is compared with, and what is left of it where a branch looks at a difference. */
static void add_comparison(void *to, uint32_t value, uint32_t wanted)
{
    add_token(to, wanted);
    add_token(to, value);
    add_token(to, -value);
}

static void find_tokens(const struct gpucode_fuzz_subject *subject, struct tokens *tokens)
{
    static const uint32_t zeros[GPUCODE_FUZZ_WORDS_MAX];
    for (unsigned i = 0; i < subject->kind_count; i++) {
        const struct gpucode_fuzz_kind *kind = &subject->kinds[i];
        for (size_t k = 0; k < kind->value_count; k++)
            add_token(tokens, kind->values[k]);
        for (unsigned most = 0; subject->compare && most < 2; most++) {
            const struct gpucode_fuzz_record record = {(uint8_t)i, (uint8_t)(most ? kind->most : kind->least), zeros};
            subject->compare(subject->user, &record, 1, add_comparison, tokens);
        }
    }
    for (size_t k = 0; k < subject->value_count; k++)
        add_token(tokens, subject->values[k]);
}

int fuzz_write_dictionary(const struct fuzzing *fuzzing, const struct gpucode_fuzz_subject *subject, const char *path)
{
    struct tokens tokens = {.count = 0};
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    find_tokens(subject, &tokens);
    for (size_t i = 0; out && i < tokens.count; i++) {
        uint32_t word = tokens.words[i];
        fprintf(out, "word_%08x=\"\\x%02x\\x%02x\\x%02x\\x%02x\"\n", (unsigned)word, (unsigned)(word & 0xff),
                (unsigned)(word >> 8 & 0xff), (unsigned)(word >> 16 & 0xff), (unsigned)(word >> 24));
    }
    int code = !out || fclose(out) != 0 ? out_of_memory(&fuzzing->session->diagnostics)
                                        : outputs_write(&fuzzing->session->diagnostics, path, text, length);
    free(text);
    return code;
}

int fuzz_dictionary(struct fuzzing *fuzzing)
{
    struct fuzz_subject subject;
    int code = fuzz_subject_open(fuzzing, &subject);
    if (!code)
        code = fuzz_write_dictionary(fuzzing, &subject.inner, fuzzing->folder ? fuzzing->folder : "-");
    fuzz_subject_close(fuzzing, &subject);
    return code;
}

/* --- coverage
 * ---------------------------------------------------------------------------------------------------------- */

/* All inputs that were kept and all findings run once more, with what runs noted. */
static void run_all(struct fuzzing *fuzzing)
{
    struct gpucode_fuzz_entry entry;
    struct gpucode_fuzz_finding finding;
    struct gpucode_fuzz_outcome outcome;
    for (size_t i = 0; gpucode_fuzz_entry_at(fuzzing->fuzz, i, &entry); i++)
        gpucode_fuzz_try(fuzzing->workers[0], entry.bytes, entry.size, &outcome, NULL);
    for (size_t i = 0; gpucode_fuzz_finding_at(fuzzing->fuzz, i, &finding); i++)
        gpucode_fuzz_try(fuzzing->workers[0], finding.bytes, finding.size, &outcome, NULL);
}

static int write_lines(struct fuzzing *fuzzing, const struct gpucode_machine *machine, const char *path)
{
    struct gpucode_coverage coverage;
    enum gpucode_status status =
        gpucode_coverage_find(machine, fuzzing->input->image, input_outline(fuzzing->input), NULL, &coverage);
    if (status != GPUCODE_OK)
        return code_status(fuzzing->session, fuzzing->input->file.name, status);
    size_t length;
    char *text = coverage_lcov(&coverage, fuzzing->input, &length);
    int code = text ? outputs_write(&fuzzing->session->diagnostics, path, text, length)
                    : out_of_memory(&fuzzing->session->diagnostics);
    free(text);
    gpucode_coverage_free(&coverage);
    return code;
}

static int write_graph(struct fuzzing *fuzzing, const struct gpucode_machine *machine, const char *path)
{
    struct understood understood;
    int code = understood_open(fuzzing->session, fuzzing->input, &understood);
    if (code)
        return code;
    code = graph_write_covered(&understood, machine, path);
    understood_close(&understood);
    return code;
}

int fuzz_write_coverage(struct fuzzing *fuzzing)
{
    const char *lines = fuzzing->session->arguments.value[OPTION_LCOV];
    const char *graph = fuzzing->session->arguments.value[OPTION_FUZZ_GRAPH];
    if (!lines && !graph)
        return EXIT_DONE;
    struct gpucode_machine *machine = fuzzing->kit->machine(&fuzzing->subjects[0].inner);
    gpucode_machine_coverage(machine, true);
    run_all(fuzzing);
    int code = lines ? write_lines(fuzzing, machine, lines) : EXIT_DONE;
    return !code && graph ? write_graph(fuzzing, machine, graph) : code;
}
