/* SPDX-License-Identifier: MIT */
/*
 * Do the includes point where the design lets them?
 *
 *     arrows SOURCE_ROOT
 *
 * Reads every .c, .h and .def under SOURCE_ROOT/src and SOURCE_ROOT/include and prints each include that goes up or
 * sideways. Rooms may look down only: base < isa < sets < registry < image < asm, machine < outline < debug, analysis;
 * a folder under isa/ sees isa and base, never another set; pm4 and xml see isa and base, picture base, drawing
 * nothing; console and kit see the public headers alone, and so do tui, dap and cli, which build on them. utf8 sees
 * nothing, and those that show text see it.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *room;
    const char *sees[8]; /* other rooms; its own always */
} rules[] = {
    {"base", {NULL}},
    {"answer", {"base"}},
    {"isa", {"base"}},
    {"set", {"isa", "base"}},             /* isa/afuc and its like; each sees itself and no other set */
    {"registry", {"set", "isa", "base"}}, /* the one list of sets; no set may see it */
    {"image", {"registry", "isa", "base"}},
    {"asm", {"image", "registry", "isa", "base"}},
    {"elf", {"base"}},
    {"machine", {"image", "isa", "base"}},
    {"outline", {"machine", "image", "isa", "base"}},
    {"symbols", {"image", "isa", "base"}},
    {"debug", {"outline", "asm", "machine", "image", "isa", "base"}},
    {"analysis", {"outline", "asm", "machine", "image", "isa", "base"}},
    {"report", {"base"}}, /* of the public headers */
    {"pm4", {"isa", "base"}},
    {"picture", {"base"}},
    {"drawing", {NULL}},
    {"xml", {"pm4", "isa", "base"}}, /* for the names a target has, and tables of fields; no set of its own */
    {"fuzzer", {NULL}},
    {"utf8", {NULL}},
    {"console", {NULL}},
    {"tui", {"console", "utf8"}},
    {"front", {"utf8"}},
    {"gpu", {"front", "kit", "console"}},
    {"kit", {"front", "gpu", "console"}},
    {"wire", {"utf8"}},
    {"dap", {"console", "gpu", "kit", "wire"}},
    {"lsp", {"front", "wire"}},
    {"export", {"front"}},
    {"cli", {"front", "gpu", "kit", "console", "tui", "dap", "export", "lsp"}},
    {"public", {NULL}},
};

/* Headers of other projects: only rooms outside the core library may know them. */
static const char *const foreign[] = {"expat",    "zlib",   "png",     "jansson", "histedit",
                                      "editline", "curses", "ncurses", "gvc"};

static unsigned files, wrong;

/* "isa/afuc/flow.c" -> room "set", detail "isa/afuc"; "isa/names.h" -> room "isa". `path` is below src/. */
static const char *room_of(const char *path, char *detail, size_t size)
{
    static char room[32];
    size_t first = strcspn(path, "/");
    if (!path[first]) /* a file of src/ itself is a room */
        first = strcspn(path, ".");
    snprintf(room, sizeof room, "%.*s", (int)first, path);
    snprintf(detail, size, "%s", room);
    if (strcmp(room, "isa") == 0) {
        const char *rest = path + first + 1;
        size_t second = strcspn(rest, "/");
        if (rest[second] && strncmp(rest, "names/", 6) != 0 && strncmp(rest, "plain/", 6) != 0) {
            snprintf(detail, size, "isa/%.*s", (int)second, rest);
            return "set";
        }
    }
    return room;
}

static bool allowed(const char *from, const char *to)
{
    char from_detail[64], to_detail[64], from_room[32];
    snprintf(from_room, sizeof from_room, "%s", room_of(from, from_detail, sizeof from_detail));
    const char *to_room = room_of(to, to_detail, sizeof to_detail);
    if (strcmp(from_detail, to_detail) == 0)
        return true;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i].room, from_room) != 0)
            continue;
        for (const char *const *sees = rules[i].sees; *sees; sees++)
            if (strcmp(*sees, to_room) == 0)
                return true;
    }
    return false;
}

static void refuse(const char *file, unsigned line, const char *what, const char *name)
{
    printf("%s:%u: %s: %s\n", file, line, what, name);
    wrong++;
}

static bool is_foreign(const char *name)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t length = strlen(foreign[i]);
        if (strncmp(name, foreign[i], length) == 0 && strchr("./", name[length]))
            return true;
    }
    return false;
}

/* `below` is the path below src/, or null for a public header. */
static void check_include(const char *file, const char *below, unsigned line, const char *name, bool quoted,
                          const char *root)
{
    bool is_public = strncmp(name, "gpucode/", 8) == 0;
    bool front = below && (strncmp(below, "cli/", 4) == 0 || strncmp(below, "dap/", 4) == 0 ||
                           strncmp(below, "tui/", 4) == 0 || strncmp(below, "front/", 6) == 0 ||
                           strncmp(below, "kit/", 4) == 0 || strncmp(below, "gpu/", 4) == 0 || strncmp(below, "export/", 7) == 0 ||
                           strncmp(below, "wire/", 5) == 0 || strncmp(below, "lsp/", 4) == 0);
    if (!quoted && is_foreign(name) && !front &&
        !(below && (strncmp(below, "xml/", 4) == 0 || strncmp(below, "pm4/gzip/", 9) == 0 ||
                    strncmp(below, "picture/", 8) == 0 || strncmp(below, "drawing/", 8) == 0)))
        refuse(file, line, "the core library depends on libc alone", name);
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
    if (!allowed(below, name))
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
