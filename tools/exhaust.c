/* SPDX-License-Identifier: MIT */
/*
 * Proves the text of AFUC words by trying all of them: each of the 2^32 words of a generation is decoded, printed,
 * parsed and encoded, and must come back. Words whose text would not bring them back go through the raw form.
 *
 *     exhaust [-j PROCESSES] [--shard I/N] [--programs] [--sample COUNT] [--first HEX] [--count COUNT] [GENERATION...]
 *
 * All generations by default (a5xx a6xx a7xx gen8), as many processes as there are processors. --programs takes the
 * way that a user takes instead: blocks of 65,536 words through the disassembler and the assembler, comments, labels
 * and all. --sample takes COUNT words at random. --shard takes part I, from 1 on, of N of the words; the words and
 * instructions of all parts add up to those of the whole. Exit status 1 when a word does not come back.
 */
#include "base/text.h"
#include "isa/afuc/afuc.h"

#include <gpucode/gpucode.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* From here every 16-bit branch goes to a place in the code: 0 to 65535. */
#define HERE 0x8000
#define CODE_WORDS 0x2000000 /* calls have 26 bits and a sign */
#define BLOCK 65536
#define FAILURES_SHOWN 20

struct progress {
    _Atomic uint64_t done, insns, raws, failures;
};

struct job {
    const struct gpucode_target *target;
    uint64_t first, count; /* words, or random words when sample is set */
    bool sample, programs;
    struct progress *progress; /* shared by all processes */
};

static void failed(const struct job *job, uint32_t word, const char *why, const char *text)
{
    if (atomic_fetch_add(&job->progress->failures, 1) < FAILURES_SHOWN)
        fprintf(stderr, "%s: %08" PRIx32 " %s: %s\n", gpucode_target_name(job->target), word, why, text);
}

/* Labels of the printer's own making. */
static int symbol(void *user, const char *name, size_t length, int64_t *value, bool *is_address)
{
    const struct isa *isa = user;
    *is_address = true;
    return isa->text.default_label(name, length, value) ? 1 : -1;
}

/* True: the word is an instruction whose text is its own. */
static bool try_insn(const struct job *job, struct isa_scan *scan, struct isa_build *build, uint32_t word)
{
    static const struct gpucode_format_options format;
    int row = isa_decode_row(&afuc_rows, job->target->generation, word);
    if (row < 0)
        return false;
    struct gpucode_insn insn = {job->target, word, HERE, (uint16_t)row, 4, true};
    insn.exact = (word & afuc_rows.rows[row].facts.ignored) == 0;
    if (!afuc_is_lossless(&insn, CODE_WORDS))
        return false;
    char text[GPUCODE_TEXT_MAX];
    char *end = isa_format(text, &insn, &format);
    if ((row == AFUC_UBFX || row == AFUC_BFI) && (word & 31) > (word >> 5 & 31))
        end = TEXT_LITERAL(end, "\t;! reversed");
    scan->at = text;
    scan->end = end;
    scan->error.set = false;
    if (!isa_parse(scan, build)) {
        *end = 0;
        failed(job, word, "is refused", text);
    } else if (build->bits != word || build->pending_count) {
        *end = 0;
        failed(job, word, "becomes another word", text);
    } else {
        isa_skip(scan);
        if (scan->at != end)
            failed(job, word, "is not read to its end", text);
    }
    return true;
}

/* Assembles a block of text and compares. `words` are what must come out after `prefix` bytes. */
static void assemble_block(const struct job *job, const char *text, size_t length, const uint32_t *words,
                           uint32_t count, size_t prefix)
{
    struct gpucode_asm_options options = {.target = job->target};
    struct gpucode_program *program;
    if (gpucode_assemble(text, length, &options, &program) != GPUCODE_OK) {
        failed(job, words[0], "begins a block that is refused", "");
        return;
    }
    const unsigned char *bytes = gpucode_program_bytes(program);
    if (gpucode_program_size(program) != prefix + 4 * (size_t)count)
        failed(job, words[0], "begins a block that changes its size", "");
    else
        for (uint32_t i = 0; i < count; i++) {
            const unsigned char *at = bytes + prefix + 4 * (size_t)i;
            uint32_t back = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
            if (back != words[i])
                failed(job, words[i], "becomes another word", "in a block");
        }
    gpucode_program_free(program);
}

struct raws {
    uint32_t words[BLOCK];
    char text[BLOCK * 11];
    uint32_t count;
};

static void flush_raws(const struct job *job, struct raws *raws)
{
    char *at = raws->text;
    for (uint32_t i = 0; i < raws->count; i++) {
        *at++ = '[';
        at = text_hex_fixed(at, raws->words[i], 8);
        *at++ = ']';
        *at++ = '\n';
    }
    if (raws->count)
        assemble_block(job, raws->text, (size_t)(at - raws->text), raws->words, raws->count, 4);
    atomic_fetch_add(&job->progress->raws, raws->count);
    raws->count = 0;
}

static uint32_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 32);
}

static void run_words(const struct job *job, uint64_t *random, uint64_t first, uint32_t count, struct raws *raws)
{
    struct isa_scan scan = {.isa = &afuc_isa, .target = job->target, .address = HERE, .symbol = symbol};
    union {
        const struct isa *isa;
        void *user;
    } user = {.isa = &afuc_isa};
    scan.user = user.user;
    struct isa_build build;
    uint64_t insns = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = job->sample ? next_random(random) : (uint32_t)(first + i);
        if (try_insn(job, &scan, &build, word))
            insns++;
        else
            raws->words[raws->count++] = word;
        if (raws->count == BLOCK)
            flush_raws(job, raws);
    }
    atomic_fetch_add(&job->progress->insns, insns);
}

static void run_program(const struct job *job, uint64_t *random, uint64_t first, uint32_t count)
{
    static uint32_t words[BLOCK];
    static unsigned char bytes[4 * BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        words[i] = job->sample ? next_random(random) : (uint32_t)(first + i);
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + k] = (unsigned char)(words[i] >> 8 * k);
    }
    struct gpucode_image *image = NULL;
    struct gpucode_image_options options = {.target = job->target, .raw = true};
    char *text = NULL;
    size_t length;
    if (gpucode_image_open(bytes, 4 * (size_t)count, &options, &image) != GPUCODE_OK ||
        gpucode_disassemble(image, &(struct gpucode_disasm_options){.raw = true}, &text, &length) != GPUCODE_OK)
        failed(job, words[0], "begins a block that cannot be disassembled", "");
    else
        assemble_block(job, text, length, words, count, 0);
    free(text);
    gpucode_image_free(image);
}

/* One process: every `step`-th block from `number` on. */
static void run(const struct job *job, unsigned number, unsigned step)
{
    static struct raws raws;
    for (uint64_t at = (uint64_t)number * BLOCK; at < job->count; at += (uint64_t)step * BLOCK) {
        uint32_t count = (uint32_t)(job->count - at < BLOCK ? job->count - at : BLOCK);
        uint64_t random = job->first + at * UINT64_C(0x2545f4914f6cdd1d) + 1;
        if (job->programs)
            run_program(job, &random, job->first + at, count);
        else
            run_words(job, &random, job->first + at, count, &raws);
        atomic_fetch_add(&job->progress->done, count);
    }
    flush_raws(job, &raws);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Processor time of the processes that have ended. */
static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void show(const struct job *job, double since, const char *end)
{
    double elapsed = seconds() - since;
    uint64_t done = atomic_load(&job->progress->done);
    fprintf(stderr, "%s: %5.1f %%, %.1f s, %.2f million words/s, %" PRIu64 " failures%s",
            gpucode_target_name(job->target), 100.0 * (double)done / (double)job->count, elapsed,
            (double)done / 1e6 / (elapsed > 0 ? elapsed : 1), atomic_load(&job->progress->failures), end);
}

/* Failed words; UINT64_MAX when a process ended badly. */
static uint64_t run_all(struct job *job, unsigned processes)
{
    memset(job->progress, 0, sizeof *job->progress);
    double start = seconds(), shown = start, used = processor_seconds();
    unsigned running = 0;
    bool broken = false;
    bool terminal = isatty(2);
    for (unsigned i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child == 0) {
            run(job, i, processes);
            _exit(0);
        }
        broken |= child < 0;
        running += child > 0;
    }
    while (running) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended > 0) {
            running--;
            broken |= status != 0;
            continue;
        }
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        if (seconds() - shown > (terminal ? 1 : 30)) {
            shown = seconds();
            show(job, start, terminal ? "   \r" : "\n");
        }
    }
    double elapsed = seconds() - start;
    struct progress *p = job->progress;
    printf("%s: %" PRIu64 " words", gpucode_target_name(job->target), atomic_load(&p->done));
    if (!job->programs)
        printf(" (%" PRIu64 " instructions, %" PRIu64 " raw)", atomic_load(&p->insns), atomic_load(&p->raws));
    printf(", %" PRIu64
           " failures; %.1f s with %u processes, %.2f million words/s, %.0f ns of processor time per word\n",
           atomic_load(&p->failures), elapsed, processes, (double)atomic_load(&p->done) / 1e6 / elapsed,
           (processor_seconds() - used) * 1e9 / (double)(atomic_load(&p->done) ? atomic_load(&p->done) : 1));
    fflush(stdout);
    if (broken || atomic_load(&p->done) != job->count)
        return UINT64_MAX;
    return atomic_load(&p->failures);
}

static int usage(void)
{
    fputs("usage: exhaust [-j PROCESSES] [--shard I/N] [--programs] [--sample COUNT] [--first HEX] [--count COUNT]"
          " [GENERATION...]\n",
          stderr);
    return 2;
}

/* Cuts the words down to part `number`, from 1 on, of `parts`; false: the text is not a shard. */
static bool take_shard(struct job *job, const char *text)
{
    unsigned number, parts;
    int used = 0;
    if (sscanf(text, "%u/%u%n", &number, &parts, &used) != 2 || text[used] || !number || number > parts)
        return false;
    uint64_t from = job->count / parts * (number - 1), to = number == parts ? job->count : job->count / parts * number;
    job->first += from;
    job->count = to - from;
    return true;
}

int main(int argc, char **argv)
{
    static const char *const generations[] = {"a5xx", "a6xx", "a7xx", "gen8"};
    struct job job = {.count = UINT64_C(1) << 32};
    const char *shard = NULL;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned processes = processors > 0 ? (unsigned)processors : 1;
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *option = argv[at];
        if (strcmp(option, "--programs") == 0) {
            job.programs = true;
            continue;
        }
        if (++at >= argc)
            return usage();
        if (strcmp(option, "--shard") == 0) {
            shard = argv[at];
            continue;
        }
        char *end;
        unsigned long long value = strtoull(argv[at], &end, strcmp(option, "--first") == 0 ? 16 : 0);
        if (*end || end == argv[at])
            return usage();
        if (strcmp(option, "-j") == 0 && value >= 1 && value <= 1024)
            processes = (unsigned)value;
        else if (strcmp(option, "--first") == 0 && value <= UINT32_MAX)
            job.first = value;
        else if (strcmp(option, "--count") == 0 || strcmp(option, "--sample") == 0)
            job.count = value;
        else
            return usage();
        job.sample |= strcmp(option, "--sample") == 0;
    }
    if (!job.sample && job.first + job.count > UINT64_C(1) << 32)
        job.count = (UINT64_C(1) << 32) - job.first;
    if (shard && !take_shard(&job, shard))
        return usage();
    job.progress = mmap(NULL, sizeof *job.progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (job.progress == MAP_FAILED) {
        perror("exhaust");
        return 1;
    }
    bool good = true;
    const char *const *names = at < argc ? (const char *const *)argv + at : generations;
    int count = at < argc ? argc - at : 4;
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "afuc:%s", names[i]);
        job.target = gpucode_target_find(name);
        if (!job.target) {
            fprintf(stderr, "exhaust: there is no target %s\n", name);
            return 2;
        }
        good &= run_all(&job, processes) == 0;
    }
    return good ? 0 : 1;
}
