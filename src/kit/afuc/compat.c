/* SPDX-License-Identifier: MIT */
/* The command lines of Mesa's afuc-disasm and afuc-asm, chosen by the name gpucode is called under. */
#include "cli_afuc_messages.h"
#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "kit/afuc/kit.h"

#include <gpucode/asm.h>
#include <gpucode/status.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char disasm_usage[] = "usage: %s [-c] [-e] [-g HEXID] [-r] [-v] [-u] FILE\n\n"
                                   "  -c        with colours\n"
                                   "  -e        run it by single keys, in the debugger: s step, b back, h help ...\n"
                                   "  -g HEXID  firmware id (5ff, 6ee, 730 ...) in place of the file's own\n"
                                   "  -r        all words of the file, without packet tables\n"
                                   "  -v        address and word in front of each line\n"
                                   "  -u        leave the path out of the header\n";
static const char asm_usage[] = "usage: %s IN.asm OUT.fw\n";

/* --help and --version, which Mesa's tools lack. */
static bool answer_question(int argc, char **argv, const char *usage)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--version") == 0) {
            printf("gpucode %s\n", gpucode_version());
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

static bool write_part(struct paint *paint, const char *text, size_t length)
{
    return paint ? paint_write(paint, text, length) : fwrite(text, 1, length, stdout) == length;
}

/* Mesa names the file in a line of its own below the title. `paint`: in colours. False: memory ran out, or the disk. */
static bool write_with_path(const char *text, size_t length, const char *path, struct paint *paint)
{
    const char *newline = memchr(text, '\n', length);
    size_t title = newline ? (size_t)(newline - text) + 1 : 0;
    bool good = write_part(paint, text, title);
    if (path) {
        fputs("; Disassembling microcode: ", stdout);
        excerpt_text(stdout, path, strlen(path)); /* a newline in it would end the comment */
        putchar('\n');
    }
    return write_part(paint, text + title, length - title) && good;
}

struct disasm {
    const struct gpucode_target *target;
    bool raw, columns, no_path, keys, colors;
    char *path;
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
    struct paint paint = {.out = stdout};
    bool good = write_with_path(text, length, disasm->no_path ? NULL : disasm->path, disasm->colors ? &paint : NULL);
    paint_end(&paint);
    free(text);
    return good || ferror(stdout) ? EXIT_DONE : out_of_memory(&session->diagnostics); /* main() tells of the output */
}

/* -g HEXID: the target with that firmware id; 0 asks for the file's own, as in Mesa. Returns an exit code. */
static int read_id(struct session *session, const char *text, const struct gpucode_target **target)
{
    char *end;
    unsigned long id = strtoul(text, &end, 16);
    if (*end || end == text || id > 0xfff || (id && !(*target = target_of_id(id))))
        return complain(&session->diagnostics, CLI_AFUC_MESA_ID, NULL, "`gpucode targets` lists what is known", text);
    return EXIT_DONE;
}

/* Complains, or shows the usage, and returns an exit code. */
static int read_disasm_options(struct session *session, int argc, char **argv, struct disasm *disasm)
{
    int option, code = EXIT_DONE;
    while (!code && (option = getopt(argc, argv, "ceg:rvu")) != -1) {
        switch (option) {
        case 'c':
            disasm->colors = true;
            break;
        case 'e':
            disasm->keys = true;
            break;
        case 'g':
            code = read_id(session, optarg, &disasm->target);
            break;
        case 'r':
            disasm->raw = true;
            break;
        case 'v':
            disasm->columns = true;
            break;
        case 'u':
            disasm->no_path = true;
            break;
        default:
            fprintf(stderr, disasm_usage, argv[0]);
            return EXIT_INPUT;
        }
    }
    if (!code && optind + 1 != argc) {
        fprintf(stderr, disasm_usage, argv[0]);
        return EXIT_INPUT;
    }
    disasm->path = argv[optind];
    if (!code && disasm->keys && (disasm->raw || disasm->columns))
        code = complain(&session->diagnostics, CLI_AFUC_MESA_EMULATE, NULL, NULL, disasm->raw ? "r" : "v");
    return code;
}

/* -e: what `gpucode debug --keys FILE` does. */
static int debug_by_keys(struct session *session, char *program, const struct disasm *disasm)
{
    const char *target = disasm->target ? gpucode_target_name(disasm->target) : NULL;
    char name[] = "debug", keys[] = "--keys", option[64], end[] = "--";
    char *list[7] = {program, name, keys};
    int count = 3;
    snprintf(option, sizeof option, "--target=%s", target ? target : "");
    if (target)
        list[count++] = option;
    list[count++] = end;
    list[count++] = disasm->path;
    return session->perform(session, count, list);
}

static int compat_disasm(struct session *session, int argc, char **argv)
{
    struct disasm disasm = {0};
    struct file file;
    if (answer_question(argc, argv, disasm_usage))
        return EXIT_DONE;
    int code = read_disasm_options(session, argc, argv, &disasm);
    if (!code && disasm.keys)
        return debug_by_keys(session, argv[0], &disasm);
    if (!code)
        code = file_read(&file, disasm.path, &session->diagnostics);
    if (code)
        return code;
    code = disassemble(session, &disasm, &file);
    file_free(&file);
    return code;
}

/* The source is a path without options: what `gpucode asm IN -o OUT` does. */
static int compat_asm(struct session *session, int argc, char **argv)
{
    if (answer_question(argc, argv, asm_usage))
        return EXIT_DONE;
    if (argc != 3) {
        fprintf(stderr, asm_usage, argv[0]);
        return EXIT_INPUT;
    }
    char name[] = "asm", output[] = "-o", end[] = "--";
    char *list[] = {argv[0], name, output, argv[2], end, argv[1], NULL};
    return session->perform(session, 6, list);
}

const struct kit_link afuc_links[] = {
    {"afuc-disasm", compat_disasm},
    {"qrisc-disasm", compat_disasm},
    {"afuc-asm", compat_asm},
    {"qrisc-asm", compat_asm},
    {NULL, NULL},
};
