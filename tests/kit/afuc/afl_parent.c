/* SPDX-License-Identifier: MIT */
/*
 * A small parent that speaks as afl-fuzz does, before and since version 4.20c, to try `gpucode fuzz --afl` without it.
 *
 *     afl_parent HOW PROGRAM CODE GOOD BAD
 *
 * HOW is old, new, stdin (the older one, inputs from standard input), plain (inputs that are offered in shared memory
 * are not taken there), small (a map of 8191 bytes), both (--afl=new under AFL_OLD_FORKSERVER); or a handshake that
 * fails, after which the input on standard input is run alone: old-lost, new-lost (there is no such shared memory),
 * version, gone (the parent leaves).
 *
 * GOOD and BAD are files with inputs that pass and that find something. Each is run several times; in between the
 * process that was named is killed, as afl-fuzz does with one that takes too long. Says what is wrong, and returns 1.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAP_SIZE 65536u
#define INPUT_MAX 4096u

static int to_child, from_child;
static uint8_t *map;
static unsigned char *shared; /* the input: a length, and bytes; null: standard input */
static int input_file;
static char input_path[] = "afl_input_XXXXXX";

static void fail(const char *what)
{
    printf("FAILED: %s\n", what);
    exit(1);
}

static void *share(const char *variable, size_t size)
{
    char text[16];
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | IPC_EXCL | 0600);
    void *memory = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
    if (memory == (void *)-1)
        fail("no shared memory");
    snprintf(text, sizeof text, "%d", id);
    setenv(variable, text, 1);
    return memory;
}

/* It goes when the last process leaves. */
static void unshare(const char *variable)
{
    shmctl(atoi(getenv(variable)), IPC_RMID, NULL);
}

static uint32_t get_word(void)
{
    uint32_t word = 0;
    if (read(from_child, &word, 4) != 4)
        fail("the server has gone");
    return word;
}

static void put_word(uint32_t word)
{
    if (write(to_child, &word, 4) != 4)
        fail("the server does not listen");
}

static bool is(const char *how, const char *name)
{
    return strcmp(how, name) == 0;
}

static bool speaks_new(const char *how)
{
    return is(how, "new") || is(how, "new-lost") || is(how, "version") || is(how, "gone");
}

static pid_t start(const char *how, const char *program, const char *code)
{
    int control[2], status[2];
    if (pipe(control) != 0 || pipe(status) != 0)
        fail("no pipes");
    pid_t child = fork();
    if (child) {
        close(control[0]);
        close(status[1]);
        to_child = control[1];
        from_child = status[0];
        return child;
    }
    dup2(control[0], 198);
    dup2(status[1], 199);
    close(control[1]);
    close(status[0]);
    dup2(input_file, STDIN_FILENO);
    execl(program, program, "fuzz", speaks_new(how) || is(how, "both") ? "--afl=new" : "--afl", code, (char *)NULL);
    _exit(127);
}

static uint32_t greet_old(bool plain)
{
    uint32_t options = get_word();
    if ((options & 0x80000001u) != 0x80000001u || !(options & 0x40000000u))
        fail("the options of the older handshake");
    if (!(options & 0x01000000u) != !shared)
        fail("shared test cases are offered where they are there");
    if (shared)
        put_word(plain ? 0x80000001u : 0x81000001u);
    return (options >> 1 & 0x7fffff) + 1;
}

static uint32_t greet_new(void)
{
    if (get_word() != 0x41464c01u)
        fail("the version of the newer handshake");
    put_word(~0x41464c01u);
    uint32_t options = get_word();
    if (options != (shared ? 3 : 1))
        fail("the options of the newer handshake");
    uint32_t size = get_word();
    if (get_word() != 0x41464c01u)
        fail("the end of the newer handshake");
    return size;
}

static size_t read_input(const char *path, unsigned char bytes[INPUT_MAX])
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path);
    size_t size = fread(bytes, 1, INPUT_MAX, file);
    fclose(file);
    return size;
}

/* One run; returns the status, and the process in *pid. */
static uint32_t run(const unsigned char *bytes, size_t size, bool was_killed, pid_t *pid)
{
    uint32_t length = (uint32_t)size;
    if (shared) {
        memcpy(shared, &length, 4);
        memcpy(shared + 4, bytes, size);
    } else if (ftruncate(input_file, 0) != 0 || pwrite(input_file, bytes, size, 0) != (ssize_t)size) {
        fail("the input file");
    }
    memset(map, 0, MAP_SIZE);
    put_word(was_killed);
    *pid = (pid_t)get_word();
    return get_word();
}

static uint64_t edges(uint32_t size)
{
    uint64_t hash = 0;
    unsigned count = 0;
    for (uint32_t i = 0; i < size; i++) {
        count += map[i] != 0;
        hash = hash * 31 + map[i];
    }
    if (map[0] != 1 || count < 3)
        fail("the map has no edges");
    for (uint32_t i = size; i < MAP_SIZE; i++)
        if (map[i])
            fail("the map is used behind its end");
    return hash;
}

static bool handshake_fails(const char *how)
{
    return is(how, "old-lost") || is(how, "new-lost") || is(how, "version") || is(how, "gone");
}

/* What the server says of a handshake that fails; it runs the input alone then, which is a finding. */
static int fail_handshake(const char *how, pid_t server)
{
    uint32_t word;
    int status;
    if (is(how, "old-lost")) {
        get_word();
        put_word(0x81000001u);
        if (get_word() != 0xf800048fu)
            fail("the older error of shared memory");
    } else if (get_word() != 0x41464c01u) {
        fail("the version of the newer handshake");
    }
    if (is(how, "new-lost")) {
        put_word(~0x41464c01u);
        if (get_word() != 0xeffe0008u)
            fail("the newer error of shared memory");
    }
    if (is(how, "version"))
        put_word(~0x41464c02u);
    close(to_child);
    if (read(from_child, &word, 4) != 0)
        fail("more is said after the handshake has failed");
    if (waitpid(server, &status, 0) != server || !WIFEXITED(status) || WEXITSTATUS(status) != 1)
        fail("the input is not run alone");
    printf("%s: refused\n", how);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned char good[INPUT_MAX], bad[INPUT_MAX];
    if (argc != 6)
        return 2;
    bool from_file = is(argv[1], "stdin");
    map = share("__AFL_SHM_ID", MAP_SIZE);
    shared = from_file ? NULL : share("__AFL_SHM_FUZZ_ID", INPUT_MAX + 4);
    input_file = mkstemp(input_path);
    unlink(input_path);
    setenv("AFL_MAP_SIZE", is(argv[1], "small") ? "8191" : "65536", 1);
    if (is(argv[1], "both"))
        setenv("AFL_OLD_FORKSERVER", "1", 1);
    signal(SIGPIPE, SIG_IGN);
    pid_t server, pid, before = 0;
    size_t good_size = read_input(argv[4], good), bad_size = read_input(argv[5], bad);
    if (handshake_fails(argv[1])) {
        if (pwrite(input_file, bad, bad_size, 0) != (ssize_t)bad_size)
            fail("the input file");
        if (shared) {
            unshare("__AFL_SHM_FUZZ_ID");
            shmdt(shared);
        }
        server = start(argv[1], argv[2], argv[3]);
        fail_handshake(argv[1], server);
        unshare("__AFL_SHM_ID");
        return 0;
    }
    server = start(argv[1], argv[2], argv[3]);
    uint32_t size = speaks_new(argv[1]) ? greet_new() : greet_old(is(argv[1], "plain"));
    unshare("__AFL_SHM_ID");
    if (shared)
        unshare("__AFL_SHM_FUZZ_ID");
    if (is(argv[1], "plain"))
        shared = NULL;
    if (size < 256 || size > MAP_SIZE || (is(argv[1], "small") && size != 8191))
        fail("the size of the map");
    uint64_t first = 0;
    for (unsigned i = 0; i < 6; i++) {
        if (run(good, good_size, i == 4, &pid) != 0)
            fail("an input that passes is reported");
        if (i && edges(size) != first)
            fail("the same input has other edges");
        first = edges(size);
        if (run(bad, bad_size, false, &pid) != SIGABRT)
            fail("a finding is not reported");
        if (edges(size) == first)
            fail("another input has the same edges");
        if (pid == server || kill(pid, 0) != 0)
            fail("the process that may be killed is not a process of its own");
        if (i == 4 && pid == before)
            fail("a process that was killed is named again");
        if (i == 3) {
            before = pid;
            kill(pid, SIGKILL);
        }
    }
    close(to_child);
    close(from_child);
    int status;
    if (waitpid(server, &status, 0) != server || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail("the server does not end with the fuzzer");
    printf("%s: %u bytes of map\n", argv[1], (unsigned)size);
    return 0;
}
