/* SPDX-License-Identifier: MIT */
/*
 * The debugger: lines of commands on a small program. Whatever is typed, the session stays whole: going to the start
 * gives the first state. Commands that may run without an end or touch files are left out.
 */
#include "check.h"
#include "console/console.h"
#include "kit/afuc/kit.h"

#include <gpucode/gpucode.h>
#include <string.h>

static const char source[] =
    "[016ee001]\n[01000000]\nmov $02, 0x0\nstart:\nadd $02, $02, 0x1\ncall #work\nmov $03, 0x10 << 16\n"
    "brne $02, 0x1f, #start\nnop\nwaitin\nmov $01, $data\nwork:\nmov $rem, 0x3\n"
    "(rep)store $02, [$03 + 0x4]!\nret\nadd $04, $04, $02\n";

static void count_output(void *user, const char *text, size_t length)
{
    size_t *total = user;
    check(text && strlen(text) >= length);
    *total += length;
}

/* What these do ends soon and touches no file; a step has no count. */
static bool is_harmless(const char *line)
{
    static const char *const allowed[] = {
        "break",     "tbreak", "watch", "rwatch", "awatch",   "catch",     "delete", "enable",    "disable",
        "condition", "ignore", "print", "x",      "display",  "undisplay", "info",   "backtrace", "disassemble",
        "processor", "packet", "echo",  "help",   "snapshot", "restore",   "record", "set",       "frame",
        "up",        "down",   "clear", "printf", "call",     "commands",  "end",    "silent",    "start"};
    static const char *const alone[] = {"step",           "next",       "reverse-step", "reverse-next",
                                        "reverse-finish", "goto start", "goto end",     "reverse-continue"};
    size_t word = strcspn(line, " /");
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strlen(allowed[i]) == word && memcmp(line, allowed[i], word) == 0)
            return true;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (strcmp(line, alone[i]) == 0)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_symbols *symbols;
    struct gpucode_machine *machine;
    struct gpucode_debug *debug;
    struct gpucode_debug_stop stop;
    char line[600];
    size_t total = 0;
    const struct gpucode_asm_options options = {.file = "f.asm", .record_lines = true};
    if (size > 4096)
        return 0;
    check(gpucode_assemble(source, sizeof source - 1, &options, &program) == GPUCODE_OK);
    check(gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) ==
          GPUCODE_OK);
    check(gpucode_machine_create(image, NULL, &machine) == GPUCODE_OK);
    check(gpucode_symbols_create(gpucode_program_target(program), NULL, &symbols) == GPUCODE_OK);
    check(gpucode_symbols_add(symbols, program) == GPUCODE_OK);
    /* the whole as symbols, and as an expression */
    gpucode_symbols_read(symbols, (const char *)bytes, size, "fuzz", (struct gpucode_diagnostic_handler){0});
    const struct gpucode_debug_options session = {.symbols = symbols, .gap = 8};
    check(gpucode_debug_create(machine, &session, &debug) == GPUCODE_OK);
    struct gpucode_value value;
    gpucode_debug_evaluate(debug, (const char *)bytes, size, false, (struct gpucode_diagnostic_handler){0}, &value);
    struct console *console = console_create(&(struct console_options){
        .debug = debug, .symbols = symbols, .words = &afuc_words, .write = count_output, .user = &total});
    check(console);
    for (size_t at = 0; at < size;) {
        const uint8_t *newline = memchr(bytes + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - bytes) - at : size - at, word;
        if (length < sizeof line) {
            memcpy(line, bytes + at, length);
            line[length] = 0;
            for (unsigned i = 0; at == 0 && size % 16 == 0 && i < 3 && console_complete(console, line, i, &word); i++)
                check(word <= strlen(line));
            if (is_harmless(line))
                console_run(console, line);
        }
        at += length + 1;
    }
    gpucode_debug_goto(debug, 0, &stop);
    check(stop.position == 0);
    check(gpucode_machine_count(machine) == 0);
    console_free(console);
    gpucode_debug_free(debug);
    gpucode_symbols_free(symbols);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}
