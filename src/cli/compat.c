/* SPDX-License-Identifier: MIT */
#include "cli/compat.h"
#include "cli/help.h"
#include "front/code.h"
#include "front/output.h"
#include "front/session.h"

#include <gpucode/asm.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char disasm_usage[] = "usage: %s [-c] [-e] [-g HEXID] [-r] [-v] [-u] FILE\n\n"
                                   "  -c        accepted; there is nothing to colour\n"
                                   "  -e        emulator mode: not available\n"
                                   "  -g HEXID  firmware id (5ff, 6ee, 730 ...) in place of the file's own\n"
                                   "  -r        all words of the file, without packet tables\n"
                                   "  -v        address and word in front of each line\n"
                                   "  -u        leave the path out of the header\n";
static const char asm_usage[] = "usage: %s IN.asm OUT.fw\n";

/* --help and --version, which Mesa's tools lack. */
static bool asked(int argc, char **argv, const char *usage)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--version") == 0) {
            help_version(stdout);
            return true;
        }
        if (strcmp(argv[i], "--help") == 0) {
            printf(usage, argv[0]);
            return true;
        }
    }
    return false;
}

/*
 * The target of a firmware id: that of the smallest image which carries the id. null when the id is not known; 0, as in
 * Mesa, asks for the file's own.
 */
static const struct gpucode_target *target_of_id(unsigned long id)
{
    unsigned word = (unsigned)(id << 12) | 1u << 24;
    const unsigned char bytes[12] = {0, 0, 0, 0, 0, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                     1, 1, 0, 0, 1};
    struct gpucode_image *image;
    const struct gpucode_target *target = NULL;
    if (gpucode_image_open(bytes, sizeof bytes, NULL, &image) != GPUCODE_OK)
        return NULL;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    if (info->id_known && info->id == id)
        target = info->target;
    gpucode_image_free(image);
    return target;
}

/* Mesa names the file in a line of its own below the title. */
static void put_text(const char *text, size_t length, const char *path)
{
    const char *newline = memchr(text, '\n', length);
    size_t title = newline ? (size_t)(newline - text) + 1 : 0;
    fwrite(text, 1, title, stdout);
    if (path)
        printf("; Disassembling microcode: %s\n", path);
    fwrite(text + title, 1, length - title, stdout);
}

struct disasm {
    const struct gpucode_target *target;
    bool raw, columns, no_path;
    const char *path;
};

static int disassemble(struct session *session, const struct disasm *disasm, const struct file *file)
{
    struct gpucode_image_options options = {.target = disasm->target,
                                            .file_name = file->name,
                                            .raw = disasm->raw && disasm->target,
                                            .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    struct gpucode_image *image;
    char *text;
    size_t length;
    enum gpucode_status status = gpucode_image_open(file->bytes, file->size, &options, &image);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    struct gpucode_disasm_options how = {.raw = disasm->raw, .columns = disasm->columns};
    status = gpucode_disassemble(image, &how, &text, &length);
    gpucode_image_free(image);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    put_text(text, length, disasm->no_path ? NULL : disasm->path);
    free(text);
    return EXIT_DONE;
}

static int compat_disasm(struct session *session, int argc, char **argv)
{
    struct disasm disasm = {0};
    char *end;
    int option;
    if (asked(argc, argv, disasm_usage))
        return EXIT_DONE;
    while ((option = getopt(argc, argv, "ceg:rvu")) != -1) {
        switch (option) {
        case 'c':
            break;
        case 'e':
            return complain(&session->diagnostics, CLI_MESA_EMULATE, NULL, NULL);
        case 'g': {
            unsigned long id = strtoul(optarg, &end, 16);
            /* an id the image may have by itself: 0 is Mesa's word for that */
            if (*end || end == optarg || id > 0xfff || (id && !(disasm.target = target_of_id(id))))
                return complain(&session->diagnostics, CLI_MESA_ID, NULL, "`gpucode targets` lists what is known",
                                optarg);
            break;
        }
        case 'r':
            disasm.raw = true;
            break;
        case 'v':
            disasm.columns = true;
            break;
        case 'u':
            disasm.no_path = true;
            break;
        default:
            fprintf(stderr, disasm_usage, argv[0]);
            return EXIT_INPUT;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, disasm_usage, argv[0]);
        return EXIT_INPUT;
    }
    disasm.path = argv[optind];
    struct file file;
    int code = file_read(&file, disasm.path, &session->diagnostics);
    if (code)
        return code;
    code = disassemble(session, &disasm, &file);
    file_free(&file);
    return code;
}

/* The source is a path without options: what `gpucode asm IN -o OUT` does. */
static int compat_asm(struct session *session, int argc, char **argv)
{
    if (asked(argc, argv, asm_usage))
        return EXIT_DONE;
    if (argc != 3) {
        fprintf(stderr, asm_usage, argv[0]);
        return EXIT_INPUT;
    }
    char output[] = "-o", end[] = "--";
    char *list[] = {argv[0], NULL, output, argv[2], end, argv[1], NULL};
    session->command = &command_table[COMMAND_asm];
    int code = arguments_parse(&session->arguments, &session->diagnostics, session->command, 6, list, 2);
    return code ? code : session->command->run(session);
}

compat_main *compat_find(const char *name)
{
    static const struct {
        const char *name;
        compat_main *run;
    } links[] = {
        {"afuc-disasm", compat_disasm},
        {"qrisc-disasm", compat_disasm},
        {"afuc-asm", compat_asm},
        {"qrisc-asm", compat_asm},
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcmp(links[i].name, name) == 0)
            return links[i].run;
    return NULL;
}
