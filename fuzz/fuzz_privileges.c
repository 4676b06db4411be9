/* SPDX-License-Identifier: MIT */
/* What packets can do by the code, and what they do when handlers of any bytes run: all of it ends, and fits together.
 */
#include "check.h"
#include <gpucode/gpucode.h>

#define ROWS_MAX 4096

struct rows {
    unsigned count;
    unsigned char effects[ROWS_MAX];
};

static bool keep(void *user, const struct gpucode_privileges *row)
{
    struct rows *rows = user;
    check(row->effects < 16 && row->level < 8 && row->packet < 128 && row->level_name);
    check(!row->tried && !row->seen);
    if (rows->count < ROWS_MAX)
        rows->effects[rows->count] = (unsigned char)row->effects;
    rows->count++;
    return true;
}

/* The same rows in the same order. */
static bool compare(void *user, const struct gpucode_privileges *row)
{
    struct rows *rows = user;
    check(row->seen < 16 && (row->tried || !row->seen));
    check(rows->count >= ROWS_MAX || rows->effects[rows->count] == row->effects);
    rows->count++;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct rows rows = {0};
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    if (size > 4096 || gpucode_image_open(bytes, size, NULL, &image) != GPUCODE_OK)
        return 0;
    if (gpucode_analyse(image, NULL, &analysis) == GPUCODE_OK) {
        if (gpucode_analysis_privileges(analysis, keep, &rows) == GPUCODE_OK) {
            unsigned count = rows.count;
            rows.count = 0;
            check(gpucode_analysis_trials(analysis, compare, &rows) == GPUCODE_OK);
            check(rows.count == count);
        }
        gpucode_analysis_free(analysis);
    }
    gpucode_image_free(image);
    return 0;
}
