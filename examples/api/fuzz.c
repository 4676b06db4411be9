/* SPDX-License-Identifier: MIT */
/* Fuzzing a calculator: which record makes it divide by zero? */
#include <gpucode/fuzz.h>
#include <stdio.h>
#include <string.h>

enum { ADD, DIVIDE, KINDS };

static const struct gpucode_fuzz_kind kinds[KINDS] = {
    [ADD] = {.name = "add", .weight = 1, .least = 1, .most = 1},
    [DIVIDE] = {.name = "divide", .weight = 1, .least = 1, .most = 1},
};

static uint8_t *map; /* of what the runs reach */

static enum gpucode_status attach(void *user, uint8_t *bytes, size_t size)
{
    (void)user;
    (void)size;
    map = bytes;
    return GPUCODE_OK;
}

static void run(void *user, const struct gpucode_fuzz_record *records, size_t count,
                struct gpucode_fuzz_outcome *outcome)
{
    (void)user;
    for (size_t i = 0; i < count; i++) {
        map[records[i].kind]++;
        if (records[i].kind == DIVIDE && records[i].count && !records[i].words[0]) {
            outcome->judgement = GPUCODE_FUZZ_FINDING;
            strcpy(outcome->key, "zero");
            strcpy(outcome->text, "division by zero");
            return;
        }
    }
}

int main(void)
{
    const struct gpucode_fuzz_subject subject = {
        .kind_count = KINDS, .kinds = kinds, .map_size = 16, .attach = attach, .run = run};
    struct gpucode_fuzz *fuzz;
    struct gpucode_fuzz_worker *worker;
    struct gpucode_fuzz_result *result;
    if (gpucode_fuzz_create(&subject, 1, &fuzz) != GPUCODE_OK ||
        gpucode_fuzz_worker_create(fuzz, &subject, &worker) != GPUCODE_OK ||
        gpucode_fuzz_work(worker, 0, 1000, &result) != GPUCODE_OK || gpucode_fuzz_merge(worker, result) != GPUCODE_OK)
        return 1;
    struct gpucode_fuzz_finding finding;
    for (size_t i = 0; gpucode_fuzz_finding_at(fuzz, i, &finding); i++) {
        struct gpucode_fuzz_record records[4];
        uint32_t words[4 * GPUCODE_FUZZ_WORDS_MAX];
        size_t count = gpucode_fuzz_read(KINDS, finding.bytes, finding.size, records, 4, words);
        printf("%s: %s:", finding.outcome->key, finding.outcome->text);
        for (size_t k = 0; k < count; k++)
            printf(" %s %u", kinds[records[k].kind].name, records[k].count ? (unsigned)records[k].words[0] : 0);
        printf("\n");
    }
    gpucode_fuzz_worker_free(worker);
    gpucode_fuzz_free(fuzz);
    return 0;
}
