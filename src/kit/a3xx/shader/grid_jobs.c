/* SPDX-License-Identifier: MIT */
/*
 * A picture by several processes. Each has the machine as it was when they parted, takes the next row of quads that
 * nobody has, and leaves pixels in memory that all of them see. Rows are taken in their order, so that the first one in
 * which a pixel stops is always run, whatever the others do.
 */
#include "kit/a3xx/shader/grid.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOBS_MAX 64

/* What one process has to say. */
struct job {
    uint64_t instructions, killed;
    unsigned stopped; /* the row in which a pixel stopped; UINT32_MAX: none */
    struct gpucode_stop stop;
    unsigned x, y;
};

struct shared {
    atomic_uint next, done; /* rows */
    atomic_bool stops;
    struct job job[JOBS_MAX];
    uint8_t rgba[];
};

static void work(struct shader_rows *rows, struct shared *shared, struct job *job, bool reports)
{
    struct shader_grid *grid = rows->grid;
    unsigned total = (grid->height + 1) / 2, row;
    job->stopped = UINT32_MAX;
    while (!atomic_load(&shared->stops) && (row = atomic_fetch_add(&shared->next, 1)) < total) {
        if (!rows->run(rows, row)) {
            atomic_store(&shared->stops, true);
            job->stopped = row;
            break;
        }
        unsigned done = atomic_fetch_add(&shared->done, 1) + 1;
        if (reports && grid->progress)
            grid->progress(grid->user, done, total);
    }
    job->instructions = grid->instructions;
    job->killed = grid->killed;
    job->stop = grid->stop;
    job->x = grid->x;
    job->y = grid->y;
}

/* Adds up what they did; the stop is that of the first row that has one. */
static bool gather(struct shader_grid *grid, const struct shared *shared, unsigned jobs)
{
    const struct job *first = NULL, *said = &shared->job[0];
    grid->instructions = grid->killed = 0;
    for (unsigned i = 0; i < jobs; i++) {
        const struct job *job = &shared->job[i];
        grid->instructions += job->instructions;
        grid->killed += job->killed;
        if (job->stopped != UINT32_MAX && (!first || job->stopped < first->stopped))
            first = job;
        if (job->stop.text[0]) /* it has run something */
            said = job;
    }
    said = first ? first : said;
    grid->stop = said->stop;
    grid->x = said->x;
    grid->y = said->y;
    if (!first)
        grid->stop.reason = GPUCODE_STOP_END;
    return !first;
}

bool shader_grid_jobs(struct shader_rows *rows, bool *good)
{
    struct shader_grid *grid = rows->grid;
    size_t texels = (size_t)grid->width * grid->height * 4 * grid->targets, size = sizeof(struct shared) + texels;
    struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return false;
    uint8_t *rgba = rows->rgba;
    unsigned jobs = grid->jobs < JOBS_MAX ? grid->jobs : JOBS_MAX, started = 1;
    pid_t id[JOBS_MAX];
    rows->rgba = shared->rgba;
    for (; started < jobs; started++) {
        id[started] = fork();
        if (id[started] < 0)
            break;
        if (id[started] == 0) {
            work(rows, shared, &shared->job[started], false);
            _exit(0);
        }
    }
    work(rows, shared, &shared->job[0], true);
    bool whole = true;
    for (unsigned i = 1; i < started; i++) {
        int status;
        whole &= waitpid(id[i], &status, 0) == id[i] && status == 0;
    }
    rows->rgba = rgba;
    if (whole) {
        *good = gather(grid, shared, started);
        memcpy(rgba, shared->rgba, texels);
        if (*good && grid->progress) /* the others may have done the last ones */
            grid->progress(grid->user, (grid->height + 1) / 2, (grid->height + 1) / 2);
    } else {
        grid->instructions = grid->killed = 0;
        memset(rgba, 0, texels);
    }
    munmap(shared, size);
    return whole;
}
