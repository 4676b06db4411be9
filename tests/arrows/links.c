/* SPDX-License-Identifier: MIT */
/*
 * Do the calls point where src/rooms.def lets them, which files call one another in a circle, and what is global that
 * nobody else calls?
 *
 *     links SOURCE_ROOT NM FOLDER=ARCHIVE...
 *
 * Reads what the linker reads: the symbols that each object of the archives defines and wants. A name of an object is
 * that of its source below SOURCE_ROOT/src/FOLDER with '_' for '/'. An include that is never used to call through, or a
 * call without an include, fools neither test.
 */
#include "rooms.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/*
 * Files that need one another, with the reason. A circle that is not part of one of these fails, and one that is no
 * circle any more. Six files of one folder are the most.
 */
static const struct {
    const char *files, *reason;
} circles[] = {
    {"isa/afuc/machine/control isa/afuc/machine/gpu isa/afuc/machine/groups",
     "control registers write GPU registers and set draw-state groups, and both show in control registers"},
    {"pm4/packet/act pm4/packet/walk", "packets lead to other packets: walking finds them, acting walks on"},
    {"debug/evaluate debug/evaluate_float debug/evaluate_name",
     "an expression has operands, and an operand in parentheses or brackets is an expression"},
    {"debug/history debug/session", "a session keeps its history, which counts positions of the session"},
    {"gpu/replay gpu/replay_compare gpu/replay_machine",
     "one command in three files: what is fed and what is compared is noted in the replay they belong to"},
};
enum { CIRCLES = sizeof circles / sizeof *circles, CIRCLE_MAX = 6, FILES_MAX = 1000, SYMBOLS_MAX = 40000 };

static struct file {
    char name[128]; /* "isa/afuc/text/flow" */
    unsigned index, low, order;
    bool on_stack;
} files[FILES_MAX];
static unsigned file_count;

static struct symbol {
    char name[96];
    unsigned file;
    bool used; /* by another file */
} defined[SYMBOLS_MAX], wanted[SYMBOLS_MAX];
static unsigned defined_count, wanted_count, wrong;

static bool edges[FILES_MAX][FILES_MAX];

static void give_up(const char *what, const char *name)
{
    fprintf(stderr, "links: %s: %s\n", what, name);
    exit(2);
}

static bool is_source(const char *root, const char *name)
{
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/src/%s.c", root, name);
    return stat(path, &status) == 0;
}

/*
 * "isa_afuc_text_flow.c.o" -> "isa/afuc/text/flow": '_' may be part of a name, so that folders are looked for. Files
 * that the build makes begin with "meson-generated_.._".
 */
static void read_name(char *name, size_t size, const char *root, const char *folder, const char *object)
{
    static const char made[] = "meson-generated_.._", below[] = "src_";
    char path[512];
    struct stat status;
    if (strncmp(object, made, sizeof made - 1) == 0)
        object += sizeof made - 1;
    if (!*folder && strncmp(object, below, sizeof below - 1) == 0) /* compiled from the top folder */
        object += sizeof below - 1;
    snprintf(name, size, "%s%s%.*s", folder, *folder ? "/" : "", (int)strcspn(object, "."), object);
    for (char *at = name; (at = strchr(at, '_')); at++) {
        *at = 0;
        snprintf(path, sizeof path, "%s/src/%s", root, name);
        *at = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? '/' : '_';
    }
    /* "a3xx/shader_print.c" beside a folder "a3xx/shader" */
    char *slash = strrchr(name, '/');
    if (slash && !is_source(root, name)) {
        *slash = '_';
        if (!is_source(root, name))
            *slash = '/';
    }
}

static unsigned find_file(const char *name)
{
    unsigned i = 0;
    while (i < file_count && strcmp(files[i].name, name) != 0)
        i++;
    if (i == FILES_MAX)
        give_up("too many files", name);
    if (i == file_count)
        snprintf(files[file_count++].name, sizeof files->name, "%s", name);
    return i;
}

static void keep_symbol(struct symbol *symbols, unsigned *count, const char *name, unsigned file)
{
    if (*count == SYMBOLS_MAX)
        give_up("too many symbols", name);
    symbols[*count].file = file;
    snprintf(symbols[(*count)++].name, sizeof symbols->name, "%s", name);
}

/* "lib.a:isa_parse.c.o:0000000000000010 T isa_parse" or "lib.a:isa_parse.c.o:                 U isa_fail" */
static void read_line(char *line, const char *root, const char *folder)
{
    char *value = strrchr(line, ':'), kind, symbol[96], name[128];
    if (!value)
        return;
    *value++ = 0;
    char *object = strrchr(line, ':');
    if (!object || (sscanf(value, " %*x %c %95s", &kind, symbol) != 2 && sscanf(value, " %c %95s", &kind, symbol) != 2))
        return;
    char *slash = strrchr(object, '/'); /* members of thin archives are paths */
    object = slash ? slash + 1 : object + 1;
    if (strncmp(object, ".._", 3) == 0) /* a copy of what the core library has, for a library that is linked alone */
        return;
    read_name(name, sizeof name, root, folder, object);
    if (*folder && !is_source(root, name)) /* an object of the core library itself, for the same reason */
        return;
    unsigned file = find_file(name);
    if (kind == 'U')
        keep_symbol(wanted, &wanted_count, symbol, file);
    else if (strchr("TDRBVWC", kind))
        keep_symbol(defined, &defined_count, symbol, file);
}

static void read_archive(const char *nm, const char *root, const char *folder, const char *archive)
{
    char command[1024], line[1024];
    snprintf(command, sizeof command, "%s -A -g '%s'", nm, archive);
    FILE *output = popen(command, "r");
    if (!output)
        give_up("cannot run", command);
    while (fgets(line, sizeof line, output))
        read_line(line, root, folder);
    if (pclose(output) != 0)
        give_up("failed", command);
}

static int compare_symbols(const void *a, const void *b)
{
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

/* The program calls of the library what is public; other calls go to the rooms that the row lists. */
static bool may_call(const char *from_name, const char *to_name, const char *symbol)
{
    struct place from = place_of(from_name), to = place_of(to_name);
    if (!from.room || !to.room)
        return false;
    if (from.room->side == FRONT && to.room->side == LIBRARY)
        return strncmp(symbol, "gpucode_", 8) == 0;
    return place_sees(&from, &to, from.room->calls);
}

static void draw_edges(void)
{
    qsort(defined, defined_count, sizeof *defined, compare_symbols);
    for (unsigned i = 0; i < wanted_count; i++) {
        const struct symbol *found = bsearch(&wanted[i], defined, defined_count, sizeof *defined, compare_symbols);
        unsigned from = wanted[i].file;
        if (!found || found->file == from)
            continue;
        edges[from][found->file] = true;
        if (!may_call(files[from].name, files[found->file].name, found->name)) {
            printf("src/%s.c: this room may not call %s of %s.c\n", files[from].name, found->name,
                   files[found->file].name);
            wrong++;
        }
    }
}

/* --- what nobody calls ---------------------------------------------------------------------------------- */

/* Do sources that are in no archive have the word, as tests and tools, or macros of headers, for whoever takes them? */
static bool is_used_outside(const char *root, const char *word)
{
    char command[1024];
    snprintf(
        command, sizeof command,
        "cd '%s' && { grep -rqw -e '%s' --include='*.c' --include='*.h' --include='*.def' tests fuzz tools bench web "
        "2>/dev/null || grep -rqE '\\<%s\\>.*\\\\$' --include='*.h' src; }",
        root, word, word);
    return system(command) == 0;
}

/* Public functions are for others; whatever else only its own file uses is static there. */
static void judge_globals(const char *root)
{
    for (unsigned i = 0; i < defined_count; i++)
        defined[i].used = strncmp(defined[i].name, "gpucode_", 8) == 0;
    for (unsigned i = 0; i < wanted_count; i++) {
        struct symbol *found = bsearch(&wanted[i], defined, defined_count, sizeof *defined, compare_symbols);
        /* what stands in for a library is there twice */
        while (found && found > defined && compare_symbols(found - 1, found) == 0)
            found--;
        for (; found && found < defined + defined_count && compare_symbols(found, &wanted[i]) == 0; found++)
            found->used |= found->file != wanted[i].file;
    }
    for (unsigned i = 0; i < defined_count; i++)
        if (!defined[i].used && !is_used_outside(root, defined[i].name)) {
            printf("src/%s.c: nobody else uses %s: make it static\n", files[defined[i].file].name, defined[i].name);
            wrong++;
        }
}

/* --- circles -------------------------------------------------------------------------------------------- */

static bool seen_circle[CIRCLES];

static bool same_folder(const char *a, const char *b)
{
    size_t length = strrchr(a, '/') ? (size_t)(strrchr(a, '/') - a) : 0;
    return strrchr(b, '/') == b + length && strncmp(a, b, length) == 0;
}

static void judge_circle(const unsigned *members, unsigned count)
{
    unsigned which = 0, listed = 0, near = 0;
    for (unsigned i = 0; i < count; i++)
        near += same_folder(files[members[0]].name, files[members[i]].name);
    for (; which < CIRCLES; which++) {
        for (listed = 0; listed < count && has_word(circles[which].files, files[members[listed]].name);)
            listed++;
        if (listed == count)
            break;
    }
    if (which < CIRCLES && count <= CIRCLE_MAX && near == count) {
        seen_circle[which] = true;
        return;
    }
    printf("a circle of %u files%s%s:\n", count, count > CIRCLE_MAX ? ", more than any may have" : "",
           near < count ? ", of several folders" : "");
    for (unsigned i = 0; i < count; i++)
        printf("    src/%s.c\n", files[members[i]].name);
    wrong++;
}

/* Tarjan's strongly connected components. */
static unsigned stack[FILES_MAX], depth, counter;

static void visit(unsigned at)
{
    struct file *file = &files[at];
    file->order = file->low = ++counter;
    file->on_stack = true;
    stack[depth++] = at;
    for (unsigned to = 0; to < file_count; to++) {
        if (!edges[at][to])
            continue;
        if (!files[to].order)
            visit(to);
        if (files[to].on_stack && files[to].low < file->low)
            file->low = files[to].low;
    }
    if (file->low != file->order)
        return;
    unsigned end = depth;
    do
        files[stack[--depth]].on_stack = false;
    while (stack[depth] != at);
    if (end - depth > 1)
        judge_circle(stack + depth, end - depth);
}

/* A list is old when all its files were read and are in no circle; a library may be left out of a build. */
static void judge_lists(void)
{
    for (unsigned i = 0; i < CIRCLES; i++) {
        unsigned words = 1, found = 0;
        for (const char *at = circles[i].files; *at; at++)
            words += *at == ' ';
        for (unsigned file = 0; file < file_count; file++)
            found += has_word(circles[i].files, files[file].name);
        if (seen_circle[i] || found < words)
            continue;
        printf("no circle any more, take it off the list in links.c: %s\n", circles[i].files);
        wrong++;
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: links SOURCE_ROOT NM [--partial] FOLDER=ARCHIVE...\n");
        return 2;
    }
    bool partial = strcmp(argv[3], "--partial") == 0; /* who calls a function may be what was left out of the build */
    for (int i = 3 + partial; i < argc; i++) {
        char *archive = strchr(argv[i], '=');
        if (!archive)
            give_up("expected FOLDER=ARCHIVE", argv[i]);
        *archive = 0;
        read_archive(argv[2], argv[1], argv[i], archive + 1);
    }
    draw_edges();
    if (!partial)
        judge_globals(argv[1]);
    for (unsigned i = 0; i < file_count; i++)
        if (!files[i].order)
            visit(i);
    judge_lists();
    printf("%u files, %u symbols, %u wrong\n", file_count, defined_count, wrong);
    return wrong || !file_count;
}
