/* SPDX-License-Identifier: MIT */
/*
 * Do the includes point where src/rooms.def lets them?
 *
 *     arrows SOURCE_ROOT
 *
 * Reads every .c, .h and .def under SOURCE_ROOT/src and SOURCE_ROOT/include and prints each include that goes up or
 * sideways, each of a header that is not libc's where the room does not have its library, and each file in no room.
 */
#include "rooms.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char libc[] =
    "assert ctype dirent errno fcntl float inttypes limits locale malloc math poll pthread setjmp "
    "signal stdarg stdatomic stdbool stddef stdint stdio stdlib string strings sys/ioctl sys/mman "
    "sys/file sys/platform/x86 sys/prctl sys/shm sys/stat sys/types sys/wait termios time unistd wchar";

static unsigned files, wrong;

static void refuse(const char *file, unsigned line, const char *what, const char *name)
{
    printf("%s:%u: %s: %s\n", file, line, what, name);
    wrong++;
}

/* A header in angle brackets: the public ones, libc's, or those of a library that the room has. */
static void check_foreign(const char *file, const struct place *place, unsigned line, const char *name)
{
    char stem[256];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
    if (strncmp(name, "gpucode/", 8) != 0 && !has_word(libc, stem) &&
        !has_word(place->room ? place->room->foreign : "", stem))
        refuse(file, line, "this room may not know a header that is not libc's", name);
}

/* `below` is the path below src/, or null for a public header. */
static void check_include(const char *file, const char *below, unsigned line, const char *name, bool quoted,
                          const char *root)
{
    bool is_public = strncmp(name, "gpucode/", 8) == 0;
    const struct place nowhere = {0}, from = below ? place_of(below) : nowhere, to = place_of(name);
    if (!quoted)
        check_foreign(file, &from, line, name);
    if (is_public && quoted)
        refuse(file, line, "public headers are included with angle brackets", name);
    if (!quoted || is_public)
        return;
    if (!below) {
        refuse(file, line, "a public header includes public headers alone", name);
        return;
    }
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/src/%s", root, name);
    /* made at build time, or beside the file: its own room */
    if (!strchr(name, '/') && strcmp(name, "registry.h") != 0 && stat(path, &status) != 0)
        return;
    if (strstr(name, "../")) {
        refuse(file, line, "includes are written from src/", name);
        return;
    }
    if (!from.room || !place_sees(&from, &to, from.room->includes))
        refuse(file, line, "this room may not look there", name);
}

static void check_file(const char *path, const char *below, const char *root)
{
    char text[4096], name[256];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    files++;
    /* of src/ itself the tables of the house */
    if (below && strchr(below, '/') && !place_of(below).room)
        refuse(path, 0, "no room of src/rooms.def has this file", below);
    for (unsigned line = 1; fgets(text, sizeof text, file); line++) {
        char close[2] = "";
        if (sscanf(text, " # include \"%255[^\"\n]%1[\"]", name, close) == 2)
            check_include(path, below, line, name, true, root);
        else if (sscanf(text, " # include <%255[^>\n]%1[>]", name, close) == 2)
            check_include(path, below, line, name, false, root);
    }
    fclose(file);
}

static void walk(const char *path, const char *below, const char *root)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        exit(2);
    }
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        char child[1024], child_below[1024];
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        snprintf(child_below, sizeof child_below, "%s%s%s", below ? below : "", below && *below ? "/" : "",
                 entry->d_name);
        if (stat(child, &status) != 0)
            continue;
        const char *dot = strrchr(entry->d_name, '.');
        if (S_ISDIR(status.st_mode))
            walk(child, below ? child_below : NULL, root);
        else if (dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".def") == 0))
            check_file(child, below ? child_below : NULL, root);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    char path[1024];
    if (argc != 2) {
        fprintf(stderr, "usage: arrows SOURCE_ROOT\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/src", argv[1]);
    walk(path, "", argv[1]);
    snprintf(path, sizeof path, "%s/include", argv[1]);
    walk(path, NULL, argv[1]);
    printf("%u files, %u wrong includes\n", files, wrong);
    return wrong || !files;
}
