/* SPDX-License-Identifier: MIT */
/* Tries one command with many mutants; see sweep.h. */
#include "sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SWEEP_ASKS = 198, SWEEP_ANSWERS = 199, FILES = 64, LARGEST = 32 << 20 };

/* A file of the folder as it was before. */
struct before {
    char name[256];
    char *data;
    size_t size;
    struct timespec changed;
};
static struct before before[FILES];
static unsigned before_count;
static int output[2];
static int code_alone; /* the exit code is all that counts, as of a test */

static uint64_t hashed(uint64_t hash, const void *data, size_t size)
{
    for (const uint8_t *p = data, *end = p + size; p < end; p++)
        hash = (hash ^ *p) * 1099511628211u;
    return hash;
}

static char *contents(int file, size_t *size)
{
    struct stat status;
    *size = 0;
    if (fstat(file, &status) || status.st_size > LARGEST)
        return NULL;
    char *data = malloc((size_t)status.st_size + 1);
    ssize_t got = data ? pread(file, data, (size_t)status.st_size, 0) : -1;
    *size = got > 0 ? (size_t)got : 0;
    return data;
}

/* What a child has made of the folder's files; the folder is then what it was. */
static uint64_t folder_hash(uint64_t hash)
{
    DIR *folder = opendir(".");
    unsigned seen = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        if (lstat(entry->d_name, &status) || !S_ISREG(status.st_mode))
            continue;
        struct before *was = NULL;
        for (unsigned k = 0; k < before_count; k++) {
            if (!strcmp(before[k].name, entry->d_name))
                was = &before[k];
        }
        seen += was != NULL;
        if (was && was->size == (size_t)status.st_size && !memcmp(&was->changed, &status.st_mtim, sizeof was->changed))
            continue;
        int file = open(entry->d_name, O_RDWR);
        size_t size;
        char *data = contents(file, &size);
        hash += hashed(hashed(1469598103934665603u, entry->d_name, strlen(entry->d_name)), data, data ? size : 0);
        free(data);
        if (was) {
            if (ftruncate(file, 0) || pwrite(file, was->data, was->size, 0) < 0 || fstat(file, &status))
                _exit(99);
            was->changed = status.st_mtim;
        } else {
            unlink(entry->d_name);
        }
        close(file);
    }
    if (folder)
        closedir(folder);
    return seen < before_count ? hash + 1 : hash;
}

static void read_folder(void)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        if (lstat(entry->d_name, &status) || !S_ISREG(status.st_mode) || before_count == FILES)
            continue;
        int file = open(entry->d_name, O_RDONLY);
        struct before *was = &before[before_count++];
        snprintf(was->name, sizeof was->name, "%s", entry->d_name);
        was->data = contents(file, &was->size);
        was->changed = status.st_mtim;
        close(file);
    }
    if (folder)
        closedir(folder);
}

/* Lets a child go on with a mutant. Returns -1 in the child; in the parent 0, with what it did. */
static int child(uint32_t number, uint8_t *reached, double seconds, uint64_t *hash)
{
    for (unsigned k = 0; k < 2; k++) {
        if (ftruncate(output[k], 0))
            _exit(99);
        lseek(output[k], 0, SEEK_SET);
    }
    lseek(0, 0, SEEK_SET);
    pid_t pid = fork();
    if (pid == 0) {
        sweep_active = number;
        sweep_reached = reached;
        dup2(output[0], 1);
        dup2(output[1], 2);
        close(output[0]), close(output[1]), close(SWEEP_ASKS), close(SWEEP_ANSWERS);
        setpgid(0, 0);
        struct rlimit most = {LARGEST, LARGEST}, memory = {2u << 30, 2u << 30}, core = {0, 0};
        setrlimit(RLIMIT_FSIZE, &most), setrlimit(RLIMIT_AS, &memory), setrlimit(RLIMIT_CORE, &core);
        signal(SIGXFSZ, SIG_IGN);
        struct itimerval until = {{0, 0}, {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
        struct rlimit processor = {4, 5};
        setrlimit(RLIMIT_CPU, &processor);
        setitimer(ITIMER_REAL, &until, NULL);
        return -1;
    }
    int status = 0;
    waitpid(pid, &status, 0);
    *hash = hashed(1469598103934665603u, &status, sizeof status);
    for (unsigned k = 0; k < 2 && !code_alone; k++) {
        size_t size;
        char *data = contents(output[k], &size);
        *hash = hashed(*hash, &size, sizeof size);
        *hash = hashed(*hash, data, data ? size : 0);
        free(data);
    }
    if (!code_alone)
        *hash = folder_hash(*hash);
    return 0;
}

__attribute__((constructor)) static void sweep(void)
{
    const char *what = getenv("SWEEP");
    if (!what)
        return;
    code_alone = strcmp(what, "code") == 0;
    unsetenv("SWEEP");
    uint8_t *reached = mmap(NULL, SWEEP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reached == MAP_FAILED)
        _exit(99);
    for (unsigned k = 0; k < 2; k++)
        output[k] = memfd_create("output", MFD_CLOEXEC);
    read_folder();
    uint64_t plain[3], hash;
    struct timespec begun, now;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (unsigned k = 0; k < 3; k++) {
        if (child(0, k ? sweep_nowhere : reached, 3, &plain[k]))
            return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) / 1e9;
    static uint32_t numbers[SWEEP_SIZE];
    uint32_t count = 0;
    if (plain[0] == plain[1] && plain[0] == plain[2]) {
        for (uint32_t k = 1; k < SWEEP_SIZE; k++) {
            if (reached[k])
                numbers[count++] = k;
        }
    }
    if (write(SWEEP_ANSWERS, &count, sizeof count) != sizeof count)
        _exit(99);
    for (size_t at = 0, size = count * sizeof *numbers; at < size;) {
        ssize_t put = write(SWEEP_ANSWERS, (char *)numbers + at, size - at);
        if (put <= 0)
            _exit(99);
        at += (size_t)put;
    }
    for (uint32_t number; read(SWEEP_ASKS, &number, sizeof number) == sizeof number;) {
        if (child(number, sweep_nowhere, 4 * seconds + 0.1, &hash))
            return;
        uint32_t differs = hash != plain[0];
        if (write(SWEEP_ANSWERS, &differs, sizeof differs) != sizeof differs)
            _exit(99);
    }
    _exit(0);
}
