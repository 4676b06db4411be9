/* SPDX-License-Identifier: MIT */
/* Processes that take files one by one, and the order of what they print. */
#include "front/fleet.h"
#include "front/grow.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/output.h"
#include "front/session.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MAX 1024
#define MANY_FILES 16 /* below that, starting processes costs more than it saves */
#define AHEAD 4096    /* files that may be done before their turn: what they print is held */

/* What a process says of a file, in front of what it printed on standard output and standard error. */
struct head {
    size_t index, length[2];
    int code;
    bool lacked_memory;
    unsigned errors, warnings;
    unsigned char record[FLEET_RECORD];
};

struct result {
    struct head head;
    char *text; /* both outputs; null: not here yet */
};

/* Seen by all processes. */
struct shared {
    _Atomic size_t next; /* file to be taken */
    _Atomic size_t told; /* files whose output is out */
};

struct process {
    pid_t id;
    int pipe; /* -1: it has ended */
};

static bool read_fully(int descriptor, void *bytes, size_t size)
{
    for (char *at = bytes; size;) {
        ssize_t done = read(descriptor, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* --- in a process ------------------------------------------------------------------------------------- */

/* Sends what the descriptor, a file without a name, holds, and empties it. */
static bool send_output(int to, int descriptor, size_t length)
{
    char buffer[65536];
    bool good = lseek(descriptor, 0, SEEK_SET) == 0;
    for (size_t left = length; good && left;) {
        size_t part = left < sizeof buffer ? left : sizeof buffer;
        good = read_fully(descriptor, buffer, part) && output_write_all(to, buffer, part);
        left -= part;
    }
    return good && ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0;
}

static bool send_result(const struct fleet *fleet, int to, struct head *head)
{
    fflush(stdout);
    fflush(stderr);
    const struct diagnostics *diagnostics = &fleet->session->diagnostics;
    for (int i = 0; i < 2; i++) {
        off_t end = lseek(1 + i, 0, SEEK_END);
        head->length[i] = end > 0 ? (size_t)end : 0;
    }
    head->lacked_memory = diagnostics->lacked_memory;
    head->errors = diagnostics->errors;
    head->warnings = diagnostics->warnings;
    return output_write_all(to, (const char *)head, sizeof *head) && send_output(to, STDOUT_FILENO, head->length[0]) &&
           send_output(to, STDERR_FILENO, head->length[1]);
}

/* Takes files until there are none. */
static _Noreturn void serve(const struct fleet *fleet, struct shared *shared, size_t count, int to)
{
    struct diagnostics *diagnostics = &fleet->session->diagnostics;
    int outputs[2] = {memfd_create("stdout", 0), memfd_create("stderr", 0)};
    if (outputs[0] < 0 || outputs[1] < 0 || dup2(outputs[0], STDOUT_FILENO) < 0 || dup2(outputs[1], STDERR_FILENO) < 0)
        _exit(EXIT_FAULT);
    diagnostics->before = NULL; /* the line of progress is the first process's */
    for (size_t index; (index = atomic_fetch_add(&shared->next, 1)) < count;) {
        while (index > atomic_load(&shared->told) + AHEAD)
            poll(NULL, 0, 1);
        struct head head = {.index = index};
        diagnostics->errors = diagnostics->warnings = 0;
        head.code = fleet->work(fleet->user, index, head.record);
        if (!send_result(fleet, to, &head))
            _exit(EXIT_FAULT);
    }
    _exit(EXIT_DONE);
}

/* --- in the first process ------------------------------------------------------------------------------ */

struct run {
    const struct fleet *fleet;
    struct shared *shared;
    struct process process[PROCESSES_MAX];
    unsigned started;
    struct result *results;
    size_t count, told;
    int code;
};

/* Prints what is known of the next files. */
static void tell_results(struct run *run)
{
    struct diagnostics *diagnostics = &run->fleet->session->diagnostics;
    for (struct result *result; run->told < run->count && (result = &run->results[run->told])->text; run->told++) {
        const struct head *head = &result->head;
        if (head->length[1] && diagnostics->before)
            diagnostics->before(diagnostics->user);
        fwrite(result->text, 1, head->length[0], stdout);
        if (head->length[1]) {
            fflush(stdout);
            fwrite(result->text + head->length[0], 1, head->length[1], stderr);
            fflush(stderr);
        }
        diagnostics->errors += head->errors;
        diagnostics->warnings += head->warnings;
        diagnostics->lacked_memory |= head->lacked_memory;
        if (head->code > run->code)
            run->code = head->code;
        if (run->fleet->done)
            run->fleet->done(run->fleet->user, run->told, head->code, head->record);
        free(result->text);
        result->text = NULL;
        atomic_store(&run->shared->told, run->told + 1);
    }
}

/* One file's result from a pipe; false: the process has ended. */
static bool take_result(struct run *run, int from)
{
    struct head head;
    if (!read_fully(from, &head, sizeof head) || head.index >= run->count)
        return false;
    struct result *result = &run->results[head.index];
    size_t length = head.length[0] + head.length[1];
    char *text = malloc(length + 1);
    if (!text || !read_fully(from, text, length)) {
        free(text);
        return false;
    }
    *result = (struct result){head, text};
    return true;
}

static void take_results(struct run *run)
{
    struct pollfd polled[PROCESSES_MAX];
    unsigned open = 0;
    for (unsigned i = 0; i < run->started; i++)
        if (run->process[i].pipe >= 0)
            polled[open++] = (struct pollfd){.fd = run->process[i].pipe, .events = POLLIN};
    if (poll(polled, open, -1) <= 0)
        return;
    for (unsigned i = 0, k = 0; i < run->started; i++) {
        if (run->process[i].pipe < 0)
            continue;
        if (polled[k++].revents && !take_result(run, run->process[i].pipe)) {
            close(run->process[i].pipe);
            run->process[i].pipe = -1;
        }
    }
}

static bool any_open(const struct run *run)
{
    for (unsigned i = 0; i < run->started; i++)
        if (run->process[i].pipe >= 0)
            return true;
    return false;
}

static bool start_process(struct run *run)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    pid_t id = fork();
    if (id == 0) {
        close(ends[0]);
        serve(run->fleet, run->shared, run->count, ends[1]);
    }
    close(ends[1]);
    if (id < 0) {
        close(ends[0]);
        return false;
    }
    run->process[run->started++] = (struct process){id, ends[0]};
    return true;
}

/* Files of which nobody has said anything: a process has ended badly while it had them. */
static void complain_of_lost(struct run *run)
{
    for (size_t i; (i = run->told) < run->count;) { /* each time all that has come until the next one is told */
        if (!run->results[i].text) {
            static const struct head lost = {.code = EXIT_FAULT};
            complain(&run->fleet->session->diagnostics, CLI_LOST, NULL, NULL);
            run->results[i] = (struct result){lost, calloc(1, 1)};
            if (!run->results[i].text)
                return;
        }
        tell_results(run);
    }
}

static int run_processes(const struct fleet *fleet, size_t count, unsigned processes)
{
    struct run *run = calloc(1, sizeof *run);
    struct result *results = calloc(count, sizeof *results);
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int code;
    if (!run || !results || shared == MAP_FAILED) {
        code = out_of_memory(&fleet->session->diagnostics);
    } else {
        *run = (struct run){.fleet = fleet, .shared = shared, .results = results, .count = count};
        fflush(stdout);
        fflush(stderr);
        while (run->started < processes && start_process(run))
            ;
        while (any_open(run)) {
            take_results(run);
            tell_results(run);
        }
        for (unsigned i = 0; i < run->started; i++)
            waitpid(run->process[i].id, NULL, 0);
        complain_of_lost(run);
        code = run->code;
    }
    if (shared != MAP_FAILED)
        munmap(shared, sizeof *shared);
    for (size_t i = 0; results && i < count; i++)
        free(results[i].text);
    free(results);
    free(run);
    return code;
}

static int run_here(const struct fleet *fleet, size_t count)
{
    int gravest = EXIT_DONE;
    for (size_t i = 0; i < count; i++) {
        unsigned char record[FLEET_RECORD] = {0};
        int code = fleet->work(fleet->user, i, record);
        gravest = code > gravest ? code : gravest;
        if (fleet->done)
            fleet->done(fleet->user, i, code, record);
    }
    return gravest;
}

/* -j; *processes stays when it is not given. */
static int read_jobs(struct session *session, uint64_t *processes)
{
    static const char expected[] = "a number of processes";
    int code = value_number(session, OPTION_JOBS, expected, processes);
    return code || *processes ? code
                              : value_refuse(session, OPTION_JOBS, session->arguments.value[OPTION_JOBS], expected);
}

int fleet_run(const struct fleet *fleet, size_t count)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t processes = count < MANY_FILES || processors < 1 ? 1 : (uint64_t)processors;
    int code = read_jobs(fleet->session, &processes);
    if (code)
        return code;
    processes = processes < count ? processes : count;
    if (processes <= 1)
        return run_here(fleet, count);
    return run_processes(fleet, count, (unsigned)(processes < PROCESSES_MAX ? processes : PROCESSES_MAX));
}

/* The files that a command of many is about. */

#define DEPTH_MAX 64

struct files {
    struct session *session;
    struct fleet_files *list;
    size_t room;
};

/* Takes the string over. */
static int add_path(struct files *files, char *path)
{
    struct fleet_files *list = files->list;
    if (path && !grow(&list->paths, list->count, &files->room, sizeof *list->paths)) {
        free(path);
        path = NULL;
    }
    if (!path)
        return out_of_memory(&files->session->diagnostics);
    list->paths[list->count++] = path;
    return EXIT_DONE;
}

static char *join_path(const char *folder, const char *name)
{
    size_t length = strlen(folder), more = strlen(name);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    char *path = malloc(length + more + 2);
    if (!path)
        return NULL;
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + 1, name, more + 1);
    return path;
}

static int skip_dots(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The files below a folder, sorted by name; hidden ones and what is not a file are passed over. */
static int add_folder(struct files *files, const char *folder, unsigned depth)
{
    struct dirent **entries;
    int count = depth < DEPTH_MAX ? scandir(folder, &entries, skip_dots, compare_names) : 0;
    if (count < 0)
        return complain(&files->session->diagnostics, CLI_OPEN, folder, NULL, strerror(errno));
    int code = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        struct stat status;
        char *path = code ? NULL : join_path(folder, entries[i]->d_name);
        free(entries[i]);
        if (code)
            continue;
        if (!path) {
            code = out_of_memory(&files->session->diagnostics);
        } else if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            code = add_folder(files, path, depth + 1);
            free(path);
        } else if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            code = add_path(files, path);
        } else {
            free(path);
        }
    }
    if (count > 0)
        free(entries);
    return code;
}

/* Of all files each COUNT-th is left, from number I on: shards of like size, whatever the folder's order. */
static int keep_shard(struct session *session, struct fleet_files *list)
{
    const char *text = session->arguments.value[OPTION_SHARD], *at = text;
    uint64_t number, count;
    if (!text)
        return EXIT_DONE;
    if (!number_take(&at, &number) || *at++ != '/' || !number_take(&at, &count) || *at || !number || number > count)
        return value_refuse(session, OPTION_SHARD, text, "I/N: part I, from 1 on, of N");
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (i % count == number - 1)
            list->paths[kept++] = list->paths[i];
        else
            free(list->paths[i]);
    }
    list->count = kept;
    return EXIT_DONE;
}

int fleet_files(struct session *session, struct fleet_files *list)
{
    const struct arguments *arguments = &session->arguments;
    struct files files = {.session = session, .list = list};
    int code = EXIT_DONE;
    *list = (struct fleet_files){0};
    for (int i = 0; !code && i < arguments->operand_count; i++) {
        const char *path = arguments->operands[i];
        struct stat status;
        size_t before = list->count;
        if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
            code = add_folder(&files, path, 0);
            if (!code && list->count == before)
                complain(&session->diagnostics, CLI_FOLDER_EMPTY, path, NULL);
        } else {
            code = add_path(&files, strdup(path));
        }
    }
    if (!code)
        code = keep_shard(session, list);
    if (code)
        fleet_files_free(list);
    return code;
}

void fleet_files_free(struct fleet_files *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    *list = (struct fleet_files){0};
}

/* --- a command of one file -------------------------------------------------------------------------------- */

struct commands {
    struct session *session;
    struct fleet_files files;
    int (*command)(struct session *session);
    bool heading;
    const char *folder; /* of -o; null: to standard output */
};

/* The place of a file's result in the folder: its path with '_' for '/'. */
static char *result_path(const char *folder, const char *path)
{
    while (*path == '/' || (path[0] == '.' && path[1] == '/'))
        path++;
    char *result = join_path(folder, path);
    for (char *at = result ? result + strlen(result) - strlen(path) : NULL; at && *at; at++)
        if (*at == '/')
            *at = '_';
    char *named = result ? malloc(strlen(result) + sizeof ".asm") : NULL;
    if (named)
        strcat(strcpy(named, result), ".asm");
    free(result);
    return named;
}

/* Before what text has of a file. */
static const struct gpucode_answer_field file_heading = {.text = "%s:\n", .kind = GPUCODE_ANSWER_TEXT};

static int run_one(void *user, size_t index, void *record)
{
    struct commands *commands = user;
    struct arguments *arguments = &commands->session->arguments;
    const char *path = commands->files.paths[index];
    char *output = commands->folder ? result_path(commands->folder, path) : NULL;
    (void)record;
    if (commands->heading) {
        struct gpucode_answer *answer = answer_begin(commands->session);
        gpucode_answer_text(answer, &file_heading, path);
        int told = answer_end(commands->session, answer);
        if (told)
            return told;
    }
    if (commands->folder && !output)
        return out_of_memory(&commands->session->diagnostics);
    arguments->operands[0] = path;
    arguments->operand_count = 1;
    arguments->value[OPTION_OUTPUT] = output;
    int code = commands->command(commands->session);
    arguments->value[OPTION_OUTPUT] = commands->folder;
    free(output);
    return code;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Would two results have one place? */
static int check_places(struct session *session, const struct fleet_files *files, const char *folder)
{
    int code = EXIT_DONE;
    char **places = calloc(files->count + 1, sizeof *places);
    bool good = places;
    for (size_t i = 0; good && i < files->count; i++)
        good = (places[i] = result_path(folder, files->paths[i]));
    if (good)
        qsort(places, files->count, sizeof *places, compare_paths);
    else
        code = out_of_memory(&session->diagnostics);
    for (size_t i = 1; good && !code && i < files->count; i++)
        if (strcmp(places[i - 1], places[i]) == 0)
            code = complain(&session->diagnostics, CLI_SAME_OUTPUT, NULL, NULL, places[i]);
    for (size_t i = 0; places && i < files->count; i++)
        free(places[i]);
    free(places);
    return code;
}

#define HINTED_FILES 8 /* of more, hints that are the same for each are left out */

int fleet_command(struct session *session, int (*command)(struct session *session), bool heading)
{
    struct arguments *arguments = &session->arguments;
    const char *first = arguments->operands[0];
    int operands = arguments->operand_count;
    struct commands commands = {.session = session, .command = command};
    uint64_t processes = 1; /* for a single file, too, it must be right */
    int code = read_jobs(session, &processes);
    if (!code)
        code = fleet_files(session, &commands.files);
    if (code)
        return code;
    bool single = operands == 1 && commands.files.count == 1 && strcmp(commands.files.paths[0], first) == 0;
    struct stat status;
    const char *output = arguments->value[OPTION_OUTPUT];
    if (single) {
        code = command(session);
    } else if (output && (stat(output, &status) != 0 || !S_ISDIR(status.st_mode))) {
        code = complain(&session->diagnostics, CLI_MANY_OUTPUT, output, NULL);
    } else if (!output && !heading && command_has(session->command, OPTION_OUTPUT) && commands.files.count) {
        code = complain(&session->diagnostics, CLI_MANY_OUTPUT, NULL, "name a folder with -o");
    } else {
        session->many = true;
        session->diagnostics.brief = commands.files.count > HINTED_FILES;
        commands.folder = output;
        commands.heading = heading;
        code = output ? check_places(session, &commands.files, output) : EXIT_DONE;
        struct fleet fleet = {.session = session, .work = run_one, .user = &commands};
        if (!code)
            code = fleet_run(&fleet, commands.files.count);
    }
    session->many = session->diagnostics.brief = false;
    arguments->operands[0] = first;
    arguments->operand_count = operands;
    fleet_files_free(&commands.files);
    return code;
}
