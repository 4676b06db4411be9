/* SPDX-License-Identifier: MIT */
#include "front/file.h"

#include "front/session.h"
#include "utf8/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __wasi__
#include <signal.h>
#include <sys/mman.h>
#endif

#define LARGEST_STREAM (UINT64_C(1) << 28) /* what has no size and may have no end, as /dev/zero */
#define READ_FILES_MAX 256
#define SMALL (1 << 14) /* of which pages do not count */

/*
 * Asks the system at once for the memory that the next calls of malloc() of so many bytes in all will return. A page
 * that comes when it is first touched takes it a microsecond, one of many a third of that; a program that runs for two
 * milliseconds touches a hundred. Nothing is promised, and nothing happens where that cannot be asked for.
 */
#if defined(__GLIBC__) && defined(MADV_POPULATE_WRITE)
#include <malloc.h>

#define MOST ((size_t)1 << 20) /* more takes so long by itself that pages no longer count */

static void memory_expect(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes < page || bytes > MOST)
        return;
    mallopt(M_MMAP_THRESHOLD, (int)MOST + 1); /* of the heap, which keeps what is freed */
    mallopt(M_TRIM_THRESHOLD, 4 * (int)MOST);
    char *room = malloc(bytes);
    if (!room)
        return;
    uintptr_t start = ((uintptr_t)room + page - 1) / page * page, end = ((uintptr_t)room + bytes) / page * page;
    if (start < end)
        madvise((char *)start, end - start, MADV_POPULATE_WRITE);
    free(room);
}

#else

static void memory_expect(size_t bytes)
{
    (void)bytes;
}

#endif

/* Reads on until the end, from a known size or in steps where the size is not known. */
static int read_all(struct file *file, int descriptor, size_t room, uint64_t largest, struct diagnostics *diagnostics)
{
    for (;;) {
        if (file->size + 1 >= room || !file->bytes) {
            room = file->bytes ? room * 2 : room;
            char *more = realloc(file->bytes, room);
            if (!more)
                return out_of_memory(diagnostics);
            file->bytes = more;
        }
        ssize_t got = read(descriptor, file->bytes + file->size, room - file->size - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EISDIR)
            return complain(diagnostics, CLI_DIRECTORY, file->name, NULL);
        if (got < 0)
            return complain(diagnostics, CLI_READ, file->name, NULL, strerror(errno));
        if (got == 0) {
            file->bytes[file->size] = 0;
            return EXIT_DONE;
        }
        file->size += (size_t)got;
        if (file->size > largest)
            return complain(diagnostics, CLI_BIG, file->name, NULL);
    }
}

/* The ordinary files that were read, the last ones of many; an output is not to replace them. */
static struct {
    dev_t device;
    ino_t inode;
} read_files[READ_FILES_MAX];
static unsigned read_count;

static void file_remember(const struct stat *status)
{
    unsigned at = read_count++ % READ_FILES_MAX;
    read_files[at].device = status->st_dev;
    read_files[at].inode = status->st_ino;
}

bool file_was_read(const struct stat *status)
{
    for (unsigned i = 0; i < read_count && i < READ_FILES_MAX; i++)
        if (read_files[i].device == status->st_dev && read_files[i].inode == status->st_ino)
            return true;
    return false;
}

int file_read(struct file *file, const char *path, struct diagnostics *diagnostics)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int descriptor = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    return file_read_open(file, is_stdin ? "<stdin>" : path, descriptor, diagnostics);
}

int file_read_open(struct file *file, const char *name, int descriptor, struct diagnostics *diagnostics)
{
    *file = (struct file){.name = name};
    if (descriptor < 0)
        return complain(diagnostics, CLI_OPEN, name, NULL, strerror(errno));
    struct stat status;
    int code = EXIT_DONE;
    size_t room = 1 << 16;
    if (fstat(descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            code = complain(diagnostics, CLI_DIRECTORY, file->name, NULL);
        else if (S_ISREG(status.st_mode) && (uint64_t)status.st_size > FILE_LARGEST)
            code = complain(diagnostics, CLI_BIG, file->name, NULL);
        else if (S_ISREG(status.st_mode))
            room = (size_t)status.st_size + 2; /* the final zero, and one to see the end */
        if (S_ISREG(status.st_mode)) {
            file_remember(&status);
            if (!code && room > SMALL)
                memory_expect(2 * room); /* what is found out about a file takes about as much again */
        }
    }
    if (!code)
        code = read_all(file, descriptor, room, room > 1 << 16 ? FILE_LARGEST : LARGEST_STREAM, diagnostics);
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    if (code)
        file_free(file);
    return code;
}

void file_free(struct file *file)
{
    free(file->bytes);
    file->bytes = NULL;
    file->size = 0;
}

/* Has nobody written it? */
static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

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
#define LEAST ((off_t)1 << 20)
#define KEPT ((size_t)1 << 20) /* after the reader: labels that are waited for, lines that messages show */

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
    bool same = !mapped.cut && fstat(mapped.descriptor, &now) == 0 && same_file(&now, &mapped.status);
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

/* --- read in parts ------------------------------------------------------------------------------------------------ */

#define WHOLE_MOST ((off_t)64 << 20) /* of a file that is read whole */
#define WINDOW ((size_t)1 << 12)
#define WINDOW_COUNT 1024 /* 4 MiB */

struct windows {
    int descriptor;
    int error; /* errno of a part that could not be read */
    struct stat status;
    struct {
        uint64_t number; /* plus 1; 0: nothing is here */
        size_t length;
    } held[WINDOW_COUNT];
    char bytes[WINDOW_COUNT][WINDOW];
};

/* Fills a window, as far as the file goes. */
static size_t fill_window(struct windows *windows, unsigned slot, uint64_t number)
{
    size_t length = 0;
    while (length < WINDOW) {
        off_t at = (off_t)(number * WINDOW + length);
        ssize_t got = pread(windows->descriptor, windows->bytes[slot] + length, WINDOW - length, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            windows->error = errno;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    windows->held[slot].number = number + 1;
    windows->held[slot].length = length;
    return length;
}

size_t windows_read(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct windows *windows = user;
    size_t done = 0;
    while (done < size) {
        uint64_t number = (offset + done) / WINDOW;
        size_t from = (size_t)((offset + done) % WINDOW);
        unsigned slot = (unsigned)(number % WINDOW_COUNT);
        bool held = windows->held[slot].number == number + 1;
        size_t length = held ? windows->held[slot].length : fill_window(windows, slot, number);
        if (length <= from)
            break;
        size_t part = length - from < size - done ? length - from : size - done;
        memcpy((char *)bytes + done, windows->bytes[slot] + from, part);
        done += part;
    }
    return done;
}

uint64_t windows_size(const struct windows *windows)
{
    return (uint64_t)windows->status.st_size;
}

int windows_open(struct windows **out, const char *path, struct diagnostics *diagnostics)
{
    struct stat status;
    unsigned char head[2];
    *out = NULL;
    int descriptor = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool large = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                 status.st_size > WHOLE_MOST && pread(descriptor, head, 2, 0) == 2 &&
                 !(head[0] == 0x1f && head[1] == 0x8b); /* gzip: what is in front must be decompressed first */
    struct windows *windows = large ? calloc(1, sizeof *windows) : NULL;
    if (!windows) {
        if (descriptor >= 0)
            close(descriptor);
        return large ? out_of_memory(diagnostics) : EXIT_DONE;
    }
    windows->descriptor = descriptor;
    windows->status = status;
    file_remember(&status);
    *out = windows;
    return EXIT_DONE;
}

int windows_check(const struct windows *windows, const char *name, struct diagnostics *diagnostics)
{
    struct stat now;
    if (windows->error)
        return complain(diagnostics, CLI_READ, name, NULL, strerror(windows->error));
    bool same = fstat(windows->descriptor, &now) == 0 && same_file(&now, &windows->status);
    return same ? EXIT_DONE : complain(diagnostics, CLI_CHANGED, name, NULL);
}

void windows_close(struct windows *windows)
{
    if (windows)
        close(windows->descriptor);
    free(windows);
}

/* --- what files are ----------------------------------------------------------------------------------------------- */

/* A kind of file that begins with certain bytes. */
struct kind {
    const char *bytes;
    size_t length;
    const char *what, *advice;
};

#define DUMP "a crash dump of a GPU", "`gpucode crash` explains it, `decode` shows its streams, `extract` its shaders"

static const struct kind kinds[] = {
    {"---\nkernel: ", 12, DUMP}, /* a devcoredump of msm */
    {"\2\0MP", 4, DUMP},         /* a snapshot of KGSL */
    {"\x89PNG", 4, "a PNG picture", "pictures are what `run --texture` reads and `run --image` writes"},
    {"\x1f\x8b", 2, "compressed by gzip",
     "a recorded stream (.rd.gz) is for `gpucode decode`, `replay` and `extract`; decompress other files first"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", "decompress it first: zstd -d FILE"},
    {"\xfd"
     "7zXZ",
     5, "compressed by xz", "decompress it first: xz -d FILE"},
    {"PK\3\4", 4, "a zip archive", "take the file out of it first: unzip FILE"},
    {"\x7f"
     "ELF",
     4, "a program or object file of the computer",
     "GPU code stands in files of its own: firmware, shaders, scripts; of ELF files those of `asm --form elf`"},
    {"\x55\xaa", 2, "an option ROM, such as a video BIOS", "`gpucode extract` takes the code out of it"},
};

static uint32_t word_at(const struct file *file, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)file->bytes + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Records of a type and a size, one after the other: the first two are looked at. */
static bool is_recording(const struct file *file)
{
    size_t at = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (file->size - at < 8 || !word_at(file, at) || word_at(file, at) > 20)
            return false;
        uint32_t length = word_at(file, at + 4);
        if (length > file->size - at - 8)
            return false;
        at += 8 + length;
    }
    return true;
}

/* Text: a source, a log of a driver, or something else. */
static const char *kind_of_text(const struct file *file, const char **advice, char *what, size_t size)
{
    static const char recording[] = "\n.recording a"; /* comments may stand in front of it */
    size_t head = file->size < 4096 ? file->size : 4096;
    if (memmem(file->bytes, head, recording, sizeof recording - 1) ||
        (head > sizeof recording && memcmp(file->bytes, recording + 1, sizeof recording - 2) == 0)) {
        *advice = "`gpucode encode` makes a recording of it";
        return "the text of a recorded command stream";
    }
    const struct gpucode_target *target = gpucode_source_target_of(file->bytes, file->size, file->name);
    if (target) {
        snprintf(what, size, "a source for %s", gpucode_target_name(target));
        *advice = "`gpucode asm` makes code of it; `run`, `debug` and `lint` take it as it is";
        return what;
    }
    *advice =
        "a source names its target in its first line, `.target NAME`, or with -t; `gpucode extract` looks for code "
        "in logs and traces, `crash` for hangs in logs, and --hex reads hex digits";
    return "text";
}

/* Code of which the bytes themselves say what it is. */
static const char *kind_of_image(const struct file *file, const char **advice, char *what, size_t size)
{
    struct gpucode_image *image;
    if (gpucode_image_open(file->bytes, file->size, NULL, &image) != GPUCODE_OK)
        return NULL;
    snprintf(what, size, "code for %s", gpucode_target_name(gpucode_image_info(image)->target));
    gpucode_image_free(image);
    *advice = "`gpucode disasm` lists it, `info` says what is in it, `run` and `debug` run it";
    return what;
}

/* Is that what the user has just done? Such advice begins with the command's name. */
static bool advises_the_same(const struct session *session, const char *advice)
{
    const char *name = session->command->name;
    size_t length = strlen(name);
    return strncmp(advice, "`gpucode ", 9) == 0 && strncmp(advice + 9, name, length) == 0 && advice[9 + length] == '`';
}

/* By its first bytes; null: they tell nothing. */
static const struct kind *kind_of(const struct file *file)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (file->size >= kinds[i].length && memcmp(file->bytes, kinds[i].bytes, kinds[i].length) == 0)
            return &kinds[i];
    return NULL;
}

int kinds_check_source(struct session *session, const struct file *file)
{
    const struct kind *kind = kind_of(file);
    return kind ? complain(&session->diagnostics, CLI_NOT_SOURCE, file->name, kind->advice, kind->what) : EXIT_DONE;
}

void kinds_tell(struct session *session, const struct file *file)
{
    const struct kind *kind = kind_of(file);
    const char *what = kind ? kind->what : NULL, *advice = kind ? kind->advice : NULL;
    char text[128];
    if (!what && !file->size) {
        what = "empty";
    } else if (!what && is_recording(file)) {
        what = "a recorded command stream";
        advice = "it is for `gpucode decode`, `replay` and `extract`";
    } else if (!what && utf8_is_text(file->bytes, file->size)) {
        what = kind_of_text(file, &advice, text, sizeof text);
    } else if (!what) {
        what = kind_of_image(file, &advice, text, sizeof text);
    }
    if (advice && advises_the_same(session, advice))
        advice = NULL;
    if (what)
        complain(&session->diagnostics, CLI_FILE_KIND, file->name, advice, what);
}
