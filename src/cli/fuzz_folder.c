/* SPDX-License-Identifier: MIT */
/* What all files of the command stand on: the clock, Ctrl-C, inputs from files. */
#include "cli/fuzz.h"
#include "front/file.h"
#include "front/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

volatile sig_atomic_t fuzz_stopped;

double fuzz_seconds(const struct fuzzing *fuzzing)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - fuzzing->started.tv_sec) + (double)(now.tv_nsec - fuzzing->started.tv_nsec) / 1e9;
}

bool fuzz_name_ends(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

int fuzz_read_input(struct fuzzing *fuzzing, const struct fuzz_subject *subject, const char *path,
                    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX], size_t *size)
{
    if (fuzz_name_ends(path, ".txt") || fuzz_name_ends(path, ".packets"))
        return fuzzing->kit->read(fuzzing->session, &subject->inner, path, bytes, size);
    struct file file;
    int code = file_read(&file, path, &fuzzing->session->diagnostics);
    if (code)
        return code;
    *size = file.size < GPUCODE_FUZZ_INPUT_MAX ? file.size : GPUCODE_FUZZ_INPUT_MAX;
    memcpy(bytes, file.bytes, *size);
    file_free(&file);
    return EXIT_DONE;
}

/*
 * The folder of an instance, FOLDER/NAME, laid out as AFL++ has it, so that its tools and its instances read it:
 *
 *   queue/id:000003,src:000001,time:0,execs:512,op:havoc    inputs that were kept
 *   crashes/id:000000,sig:06,src:000000,time:0,execs:512,op:KEY    findings, minimised; with .packets after it as text
 *   hangs/                                                  empty: hangs are findings
 *   fuzzer_stats, fuzzer_setup                              numbers
 *   findings/KEY.bin, KEY.txt, KEY.gdb                      each finding, as text, and commands of the debugger
 *   gaps/KEY.bin, KEY.txt                                   what the model does not know
 *
 * Times in names are 0, so that the same seed writes the same files. A file is written beside and renamed when it is
 * whole: the process may be killed at any moment, and another one goes on from what is there.
 */

#define PATH_ROOM 4096
#define UNSAVED UINT_MAX
#define LOCK_TRIES 40       /* until a process that was killed is gone, */
#define LOCK_PAUSE 50000000 /* so many nanoseconds apart */

/* Another instance: how many of its inputs have been looked at. */
struct neighbour {
    char name[256];
    unsigned next;
};

struct fuzz_folder {
    char path[PATH_ROOM]; /* of the instance */
    size_t entries, findings;
    unsigned next_entry, next_crash; /* numbers of files */
    unsigned *ids;                   /* of the files of entries; UNSAVED: there is none yet */
    size_t id_room;
    uint64_t runs_before; /* of those who have worked here before */
    int lock;             /* the folder itself, as afl-fuzz locks it; -1: not open */
    time_t started;
    struct neighbour *neighbours;
    size_t neighbour_count;
};

/* --- files ------------------------------------------------------------------------------------------------------- */

static int refuse(const struct fuzzing *fuzzing, const char *path)
{
    struct diagnostics *diagnostics = &fuzzing->session->diagnostics;
    return errno == ENOMEM ? out_of_memory(diagnostics)
                           : complain(diagnostics, CLI_CREATE, path, NULL, strerror(errno));
}

static int make_folder(const struct fuzzing *fuzzing, const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? EXIT_DONE : refuse(fuzzing, path);
}

static int path_below(const struct fuzzing *fuzzing, char *path, const char *name)
{
    int length = snprintf(path, PATH_ROOM, "%s/%s", fuzzing->files->path, name);
    if (length < PATH_ROOM)
        return EXIT_DONE;
    errno = ENAMETOOLONG;
    return refuse(fuzzing, fuzzing->files->path);
}

/* A file that gets its name when it is closed. */
static FILE *open_new(const struct fuzzing *fuzzing)
{
    char path[PATH_ROOM];
    if (path_below(fuzzing, path, ".new"))
        return NULL;
    FILE *file = fopen(path, "wb");
    if (!file)
        refuse(fuzzing, path);
    return file;
}

/* Closes it; complains when not all was written. */
static int close_file(const struct fuzzing *fuzzing, FILE *file, const char *name)
{
    char from[PATH_ROOM], to[PATH_ROOM];
    bool bad = ferror(file);
    if ((fclose(file) != 0) | bad)
        return errno == ENOMEM ? out_of_memory(&fuzzing->session->diagnostics)
                               : complain(&fuzzing->session->diagnostics, CLI_WRITE, name, NULL, strerror(errno));
    int code = path_below(fuzzing, from, ".new");
    if (!code)
        code = path_below(fuzzing, to, name);
    return !code && rename(from, to) != 0 ? refuse(fuzzing, to) : code;
}

static int write_bytes(const struct fuzzing *fuzzing, const char *name, const void *bytes, size_t size)
{
    FILE *file = open_new(fuzzing);
    if (!file)
        return EXIT_INPUT;
    if (size)
        fwrite(bytes, 1, size, file);
    return close_file(fuzzing, file, name);
}

/* --- what is written --------------------------------------------------------------------------------------------- */

/* Notes which file an entry has; false: no memory. */
static bool set_id(struct fuzzing *fuzzing, size_t index, unsigned id)
{
    struct fuzz_folder *folder = fuzzing->files;
    size_t before = folder->id_room;
    if (index >= before) {
        size_t room = 2 * index + 64;
        unsigned *grown = realloc(folder->ids, room * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + before, 0xff, (room - before) * sizeof *grown);
        folder->ids = grown;
        folder->id_room = room;
    }
    folder->ids[index] = id;
    return true;
}

static int save_entry(struct fuzzing *fuzzing, size_t index, const struct gpucode_fuzz_entry *entry)
{
    struct fuzz_folder *folder = fuzzing->files;
    char name[256], from[64] = "";
    if (index < folder->id_room && folder->ids[index] != UNSAVED)
        return EXIT_DONE;
    unsigned id = folder->next_entry++;
    if (!set_id(fuzzing, index, id))
        return out_of_memory(&fuzzing->session->diagnostics);
    if (entry->source < index)
        snprintf(from, sizeof from, ",src:%06u", folder->ids[entry->source]);
    else if (strncmp(entry->op, "sync", 4) != 0)
        snprintf(from, sizeof from, ",orig:%s", entry->op);
    snprintf(name, sizeof name, "queue/id:%06u%s,time:0,execs:%" PRIu64 ",op:%s", id, from, entry->runs, entry->op);
    return write_bytes(fuzzing, name, entry->bytes, entry->size);
}

/* The text of a finding, in a file of that name. */
static int save_text(const struct fuzzing *fuzzing, const struct gpucode_fuzz_finding *finding, const char *kind,
                     const char *name)
{
    char text[PATH_ROOM + 100], debugger[PATH_ROOM + 100];
    const char *key = finding->outcome->key;
    snprintf(text, sizeof text, "%s/%s/%s.txt", fuzzing->files->path, kind, key);
    snprintf(debugger, sizeof debugger, "%s/%s/%s.gdb", fuzzing->files->path, kind, key);
    const struct kit_fuzz_files files = {text, debugger, finding->outcome};
    FILE *file = open_new(fuzzing);
    if (!file)
        return EXIT_INPUT;
    fuzzing->kit->write(&fuzzing->subjects[0].inner, finding->bytes, finding->size, &files, file);
    return close_file(fuzzing, file, name);
}

/* Text and debugger commands of a finding. */
static int save_texts(const struct fuzzing *fuzzing, const struct gpucode_fuzz_finding *finding, const char *kind)
{
    char name[128];
    const char *key = finding->outcome->key;
    snprintf(name, sizeof name, "%s/%s.txt", kind, key);
    int code = save_text(fuzzing, finding, kind, name);
    if (code || !fuzzing->kit->debugger)
        return code;
    snprintf(name, sizeof name, "%s/%s.gdb", kind, key);
    FILE *file = open_new(fuzzing);
    if (!file)
        return EXIT_INPUT;
    fuzzing->kit->debugger(&fuzzing->subjects[0].inner, finding->bytes, finding->size, file);
    return close_file(fuzzing, file, name);
}

/* Has the finding a file among the crashes? */
static bool has_crash(const struct fuzzing *fuzzing, const char *key)
{
    char path[PATH_ROOM], end[80];
    DIR *folder = path_below(fuzzing, path, "crashes") ? NULL : opendir(path);
    bool found = false;
    snprintf(end, sizeof end, ",op:%s", key);
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));)
        found = fuzz_name_ends(entry->d_name, end);
    if (folder)
        closedir(folder);
    return found;
}

static int save_finding(struct fuzzing *fuzzing, const struct gpucode_fuzz_finding *finding)
{
    char name[256];
    bool gap = finding->outcome->judgement == GPUCODE_FUZZ_GAP;
    const char *kind = gap ? "gaps" : "findings", *key = finding->outcome->key;
    snprintf(name, sizeof name, "%s/%s.bin", kind, key);
    int code = write_bytes(fuzzing, name, finding->bytes, finding->size);
    if (!code)
        code = save_texts(fuzzing, finding, kind);
    if (code || gap || has_crash(fuzzing, key))
        return code;
    snprintf(name, sizeof name, "crashes/id:%06u,sig:06,src:000000,time:0,execs:%" PRIu64 ",op:%s",
             fuzzing->files->next_crash++, finding->runs, key);
    char text[272];
    snprintf(text, sizeof text, "%s.packets", name);
    code = save_text(fuzzing, finding, kind, text);
    return code ? code : write_bytes(fuzzing, name, finding->bytes, finding->size);
}

/* The numbers as afl-whatsup reads them. */
static int save_numbers(struct fuzzing *fuzzing)
{
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    double seconds = fuzzing->started.tv_sec ? fuzz_seconds(fuzzing) : 0;
    double rate = seconds > 0 ? (double)numbers.runs / seconds : 0;
    uint64_t runs = fuzzing->files->runs_before + numbers.runs - fuzzing->loaded;
    size_t map = fuzzing->subjects[0].inner.map_size;
    FILE *file = open_new(fuzzing);
    if (!file)
        return EXIT_INPUT;
    fprintf(file,
            "start_time        : %lld\nlast_update       : %lld\nrun_time          : %.0f\nfuzzer_pid        : %ld\n"
            "cycles_done       : %" PRIu64 "\ncycles_wo_finds   : 0\nexecs_done        : %" PRIu64
            "\nexecs_per_sec     : %.2f\nexecs_ps_last_min : %.2f\ncorpus_count      : %zu\ncorpus_favored    : %zu\n"
            "corpus_found      : %zu\ncorpus_imported   : %zu\ncorpus_variable   : 0\nmax_depth         : 1\n"
            "cur_item          : 0\npending_favs      : 0\npending_total     : 0\nstability         : 100.00%%\n"
            "bitmap_cvg        : %.2f%%\nsaved_crashes     : %zu\nsaved_hangs       : 0\nlast_find         : 0\n"
            "last_crash        : 0\nlast_hang         : 0\nexecs_since_crash : 0\nexec_timeout      : 1000\n"
            "edges_found       : %zu\ntotal_edges       : %zu\nafl_banner        : %s\nafl_version       : gpucode %s\n"
            "target_mode       : gpucode\ncommand_line      : gpucode fuzz %s --name %s --seed %" PRIu64 "\n",
            (long long)fuzzing->files->started, (long long)time(NULL), seconds, (long)getpid(),
            runs / ((uint64_t)FUZZ_TASKS * FUZZ_TASK_RUNS), runs, rate, rate, numbers.entries, numbers.entries,
            numbers.entries - fuzzing->imported, fuzzing->imported, 100.0 * (double)numbers.edges / (double)map,
            (size_t)fuzzing->files->next_crash, numbers.edges, map, fuzzing->name, gpucode_version(),
            fuzzing->input->file.name, fuzzing->name, fuzzing->seed);
    return close_file(fuzzing, file, "fuzzer_stats");
}

int fuzz_folder_save(struct fuzzing *fuzzing)
{
    struct fuzz_folder *folder = fuzzing->files;
    struct gpucode_fuzz_entry entry;
    struct gpucode_fuzz_finding finding;
    int code = EXIT_DONE;
    for (; !code && gpucode_fuzz_entry_at(fuzzing->fuzz, folder->entries, &entry); folder->entries++)
        code = save_entry(fuzzing, folder->entries, &entry);
    for (; !code && gpucode_fuzz_finding_at(fuzzing->fuzz, folder->findings, &finding); folder->findings++)
        code = save_finding(fuzzing, &finding);
    return code ? code : save_numbers(fuzzing);
}

/* --- what others have found --------------------------------------------------------------------------------------- */

static int compare_names(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static struct neighbour *neighbour_named(struct fuzzing *fuzzing, const char *name)
{
    struct fuzz_folder *folder = fuzzing->files;
    for (size_t i = 0; i < folder->neighbour_count; i++)
        if (strcmp(folder->neighbours[i].name, name) == 0)
            return &folder->neighbours[i];
    struct neighbour *grown = realloc(folder->neighbours, (folder->neighbour_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    folder->neighbours = grown;
    struct neighbour *mine = &grown[folder->neighbour_count++];
    *mine = (struct neighbour){.next = 0};
    snprintf(mine->name, sizeof mine->name, "%s", name);
    return mine;
}

/* An input of another instance; files that are half written or gone are left for the next time. */
static int import_file(struct fuzzing *fuzzing, const char *path, const char *from)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    FILE *file = fopen(path, "rb");
    if (!file)
        return EXIT_DONE;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    char op[300];
    bool kept = false;
    snprintf(op, sizeof op, "sync:%s", from);
    if (size && gpucode_fuzz_add(fuzzing->workers[0], bytes, size, op, &kept) != GPUCODE_OK)
        return out_of_memory(&fuzzing->session->diagnostics);
    fuzzing->imported += kept;
    return EXIT_DONE;
}

static int import_queue(struct fuzzing *fuzzing, const char *name)
{
    char queue[PATH_ROOM], path[2 * PATH_ROOM];
    struct dirent **files;
    struct neighbour *neighbour = neighbour_named(fuzzing, name);
    if (!neighbour)
        return out_of_memory(&fuzzing->session->diagnostics);
    snprintf(queue, sizeof queue, "%s/%s/queue", fuzzing->folder, name);
    int count = scandir(queue, &files, is_visible, compare_names), code = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        unsigned id;
        if (!code && sscanf(files[i]->d_name, "id:%u", &id) == 1 && id >= neighbour->next) {
            neighbour->next = id + 1;
            snprintf(path, sizeof path, "%s/%s", queue, files[i]->d_name);
            code = import_file(fuzzing, path, name);
        }
        free(files[i]);
    }
    if (count >= 0)
        free(files);
    return code;
}

int fuzz_folder_import(struct fuzzing *fuzzing)
{
    struct dirent **names;
    int count = scandir(fuzzing->folder, &names, is_visible, compare_names), code = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        if (!code && strcmp(names[i]->d_name, fuzzing->name) != 0 && strlen(names[i]->d_name) < 200)
            code = import_queue(fuzzing, names[i]->d_name);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return code;
}

/* --- reading folders ---------------------------------------------------------------------------------------------- */

/* Inputs in folders: those of queues and crashes, and findings; what else stands there is for people. */
static bool is_input(const char *name)
{
    return (strncmp(name, "id:", 3) == 0 && !fuzz_name_ends(name, ".packets")) || fuzz_name_ends(name, ".bin");
}

static int visit_file(struct fuzzing *fuzzing, const char *path,
                      int (*take)(void *user, const char *path, const void *bytes, size_t size), void *user)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    size_t size;
    int code = fuzz_read_input(fuzzing, &fuzzing->subjects[0], path, bytes, &size);
    return code ? code : take(user, path, bytes, size);
}

int fuzz_folder_visit(struct fuzzing *fuzzing, const char *path,
                      int (*take)(void *user, const char *path, const void *bytes, size_t size), void *user)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return visit_file(fuzzing, path, take, user);
    char below[PATH_ROOM];
    struct dirent **names;
    /* an instance's inputs are in its queue; a campaign has instances */
    snprintf(below, sizeof below, "%s/queue", path);
    if (stat(below, &status) == 0 && S_ISDIR(status.st_mode))
        path = below;
    int count = scandir(path, &names, is_visible, compare_names), code = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        char name[PATH_ROOM + 300], queue[PATH_ROOM + 320];
        snprintf(name, sizeof name, "%s/%s", path, names[i]->d_name);
        snprintf(queue, sizeof queue, "%s/queue", name);
        bool folder = stat(name, &status) == 0 && S_ISDIR(status.st_mode);
        bool instance = folder && stat(queue, &status) == 0;
        if (!code && !folder && is_input(names[i]->d_name))
            code = visit_file(fuzzing, name, take, user);
        else if (!code && instance)
            code = fuzz_folder_visit(fuzzing, queue, take, user);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return code;
}

/* --- going on ----------------------------------------------------------------------------------------------------- */

/* The runs of those who were here before, by their numbers. */
static uint64_t read_runs(const struct fuzzing *fuzzing)
{
    char path[PATH_ROOM], line[512];
    uint64_t runs = 0;
    FILE *file = path_below(fuzzing, path, "fuzzer_stats") ? NULL : fopen(path, "rb");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "execs_done : %" SCNu64, &runs) == 1)
            break;
    if (file)
        fclose(file);
    return runs;
}

static bool is_below(const char *path, const char *name, const char *folder)
{
    size_t length = strlen(folder);
    return (size_t)(name - path) > length && strncmp(name - length, folder, length) == 0;
}

/* An input of this instance. What of the queue is still new keeps its file. */
static int take_own(void *user, const char *path, const void *bytes, size_t size)
{
    struct fuzzing *fuzzing = user;
    const char *name = strrchr(path, '/') + 1;
    struct gpucode_fuzz_numbers before, after;
    unsigned id = UNSAVED;
    bool queued = is_below(path, name, "/queue/");
    if (sscanf(name, "id:%u", &id) == 1) {
        unsigned *next = queued ? &fuzzing->files->next_entry : &fuzzing->files->next_crash;
        *next = id >= *next ? id + 1 : *next;
    }
    gpucode_fuzz_numbers(fuzzing->fuzz, &before);
    if (gpucode_fuzz_add(fuzzing->workers[0], bytes, size, "seed", NULL) != GPUCODE_OK)
        return out_of_memory(&fuzzing->session->diagnostics);
    gpucode_fuzz_numbers(fuzzing->fuzz, &after);
    if (queued && after.entries != before.entries && !set_id(fuzzing, before.entries, id))
        return out_of_memory(&fuzzing->session->diagnostics);
    return EXIT_DONE;
}

/* What this instance has kept and found before is where it goes on; findings that do not happen any more stay files. */
static int take_back(struct fuzzing *fuzzing)
{
    static const char *const below[] = {"queue", "findings", "gaps", "crashes"};
    char path[PATH_ROOM];
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < sizeof below / sizeof *below; i++) {
        code = path_below(fuzzing, path, below[i]);
        if (!code)
            code = fuzz_folder_visit(fuzzing, path, take_own, fuzzing);
    }
    struct gpucode_fuzz_numbers numbers;
    gpucode_fuzz_numbers(fuzzing->fuzz, &numbers);
    fuzzing->loaded = numbers.runs;
    fuzzing->files->runs_before = read_runs(fuzzing);
    fuzzing->task = (fuzzing->files->runs_before + FUZZ_TASK_RUNS - 1) / FUZZ_TASK_RUNS;
    return code;
}

/*
 * Nobody else may work in the folder. One who was killed has left the lock; afl-fuzz looks at the same one.
 */
static int lock_folder(struct fuzzing *fuzzing)
{
    struct fuzz_folder *folder = fuzzing->files;
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE};
    folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0)
        return refuse(fuzzing, folder->path);
    for (unsigned i = 0; flock(folder->lock, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK || i == LOCK_TRIES)
            return complain(&fuzzing->session->diagnostics, CLI_CREATE, folder->path,
                            "another process is at work in it; --name gives this one a folder of its own",
                            strerror(errno));
        nanosleep(&pause, NULL);
    }
    return EXIT_DONE;
}

int fuzz_folder_open(struct fuzzing *fuzzing)
{
    static const char *const below[] = {"queue", "crashes", "hangs", "findings", "gaps"};
    char path[PATH_ROOM];
    fuzzing->files = calloc(1, sizeof *fuzzing->files);
    if (!fuzzing->files)
        return out_of_memory(&fuzzing->session->diagnostics);
    fuzzing->files->started = time(NULL);
    fuzzing->files->lock = -1;
    int length = snprintf(fuzzing->files->path, PATH_ROOM, "%s/%s", fuzzing->folder, fuzzing->name);
    if (length >= PATH_ROOM - 300) {
        errno = ENAMETOOLONG;
        return refuse(fuzzing, fuzzing->folder);
    }
    int code = make_folder(fuzzing, fuzzing->folder);
    if (!code)
        code = make_folder(fuzzing, fuzzing->files->path);
    if (!code)
        code = lock_folder(fuzzing);
    for (unsigned i = 0; !code && i < sizeof below / sizeof *below; i++) {
        code = path_below(fuzzing, path, below[i]);
        if (!code)
            code = make_folder(fuzzing, path);
    }
    if (!code)
        code = take_back(fuzzing);
    if (!code) /* tools look whether it is there */
        code = write_bytes(fuzzing, "fuzzer_setup", "gpucode fuzz\n", 13);
    return code ? code : fuzz_folder_save(fuzzing);
}

void fuzz_folder_close(struct fuzzing *fuzzing)
{
    struct fuzz_folder *folder = fuzzing->files;
    if (!folder)
        return;
    if (folder->lock >= 0)
        close(folder->lock);
    free(folder->neighbours);
    free(folder->ids);
    free(folder);
    fuzzing->files = NULL;
}
