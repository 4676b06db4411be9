/* SPDX-License-Identifier: MIT */
/* The files that a command of many is about. */
#include "front/answer.h"
#include "front/fleet.h"
#include "front/session.h"
#include "front/values.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    if (path && list->count == files->room) {
        size_t room = files->room ? 2 * files->room : 64;
        char **paths = realloc(list->paths, room * sizeof *paths);
        if (!paths) {
            free(path);
            path = NULL;
        } else {
            list->paths = paths;
            files->room = room;
        }
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

/* The files below a folder, sorted by name; hidden ones and what is no file are passed over. */
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
        if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            code = add_folder(&files, path, 0);
        else
            code = add_path(&files, strdup(path));
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

/* In front of what text has of a file. */
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
        int code = answer_end(commands->session, answer);
        if (code)
            return code;
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
    int code = fleet_files(session, &commands.files);
    if (code)
        return code;
    bool single = operands == 1 && commands.files.count == 1 && strcmp(commands.files.paths[0], first) == 0;
    struct stat status;
    const char *output = arguments->value[OPTION_OUTPUT];
    if (single) {
        code = command(session);
    } else if (output && (stat(output, &status) != 0 || !S_ISDIR(status.st_mode))) {
        code = complain(&session->diagnostics, CLI_MANY_OUTPUT, output, NULL);
    } else if (!output && command_has(session->command, OPTION_OUTPUT) && commands.files.count) {
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
