/* SPDX-License-Identifier: MIT */
#include "front/mapped.h"
#include "front/session.h"

#ifdef __wasi__ /* without pages that come and go, and without signals */

int mapped_open(struct file *file, const char *path, struct diagnostics *diagnostics)
{
    return file_read(file, path, diagnostics);
}

void mapped_passed(void *user, size_t offset)
{
    (void)user, (void)offset;
}

bool mapped_is_cut(void)
{
    return false;
}

int mapped_check(const struct file *file, struct diagnostics *diagnostics)
{
    (void)file, (void)diagnostics;
    return EXIT_DONE;
}

void mapped_close(struct file *file)
{
    file_free(file);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST ((off_t)1 << 20)
#define KEPT ((size_t)1 << 20) /* behind the reader: labels that are waited for, lines that messages show */

/* A signal handler is given nothing that leads to it. */
static struct {
    char *start; /* null: nothing is mapped */
    size_t length;
    int descriptor;
    struct stat status; /* when it was opened */
    volatile sig_atomic_t cut;
} mapped;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* A page of the file is no longer there: the rest of the text becomes zeros, so that the reader comes to an end. */
static void fill_with_zeros(int number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t at = (uintptr_t)info->si_addr, start = (uintptr_t)mapped.start;
    bool ours = mapped.start && at >= start && at - start < mapped.length;
    if (ours &&
        mmap(mapped.start, mapped.length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
        mapped.cut = true;
    else
        signal(number, SIG_DFL); /* what failed is tried again, and ends the process */
}

/* A page of zeros follows, so that a reader who was told of a newline meets an end when somebody overwrites that. */
static bool map(int descriptor, const struct stat *status)
{
    struct sigaction action = {.sa_sigaction = fill_with_zeros, .sa_flags = SA_SIGINFO};
    size_t size = (size_t)status->st_size, whole = size + page_size();
    char *start = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return false;
    if (mmap(start, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
        munmap(start, whole);
        return false;
    }
    mapped.start = start;
    mapped.length = size;
    mapped.descriptor = descriptor;
    mapped.status = *status;
    mapped.cut = false;
    sigaction(SIGBUS, &action, NULL);
    return true;
}

int mapped_open(struct file *file, const char *path, struct diagnostics *diagnostics)
{
    if (strcmp(path, "-") == 0) /* of which the rest is read, not what lies in front of it */
        return file_read(file, path, diagnostics);
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool large = descriptor >= 0 && !mapped.start && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                 status.st_size >= LEAST && (uint64_t)status.st_size <= FILE_LARGEST;
    if (large && map(descriptor, &status)) {
        *file = (struct file){.name = path, .bytes = mapped.start, .size = mapped.length};
        file_remember(&status);
        return EXIT_DONE;
    }
    return file_read_open(file, path, descriptor, diagnostics);
}

void mapped_passed(void *user, size_t offset)
{
    (void)user;
    size_t page = page_size();
    if (mapped.start && !mapped.cut && offset > KEPT)
        madvise(mapped.start, (offset - KEPT) / page * page, MADV_DONTNEED);
}

bool mapped_is_cut(void)
{
    return mapped.cut;
}

int mapped_check(const struct file *file, struct diagnostics *diagnostics)
{
    struct stat now;
    if (!mapped.start || file->bytes != mapped.start)
        return EXIT_DONE;
    bool same = !mapped.cut && fstat(mapped.descriptor, &now) == 0 && now.st_size == mapped.status.st_size &&
                now.st_mtim.tv_sec == mapped.status.st_mtim.tv_sec &&
                now.st_mtim.tv_nsec == mapped.status.st_mtim.tv_nsec;
    return same ? EXIT_DONE : complain(diagnostics, CLI_CHANGED, file->name, NULL);
}

void mapped_close(struct file *file)
{
    if (!mapped.start || file->bytes != mapped.start) {
        file_free(file);
        return;
    }
    signal(SIGBUS, SIG_DFL);
    munmap(mapped.start, mapped.length + page_size());
    close(mapped.descriptor);
    mapped.start = NULL;
    *file = (struct file){.name = file->name};
}

#endif
