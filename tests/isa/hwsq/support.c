/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "files.h"

#include <ctype.h>
#include <stdio.h>

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct told *told = user;
    if (!told->codes[0]) {
        told->line = diagnostic->line;
        told->column = diagnostic->column;
    }
    size_t used = strlen(told->codes);
    snprintf(told->codes + used, sizeof told->codes - used, "%s ", diagnostic->code);
    used = strlen(told->messages);
    snprintf(told->messages + used, sizeof told->messages - used, "%s\n", diagnostic->message);
}

struct gpucode_diagnostic_handler told_handler(struct told *told)
{
    memset(told, 0, sizeof *told);
    return (struct gpucode_diagnostic_handler){hear, told};
}

static const struct gpucode_target *target_named(const char *name)
{
    const struct gpucode_target *target = gpucode_target_find(name);
    if (!target)
        fail_msg("no target %s", name);
    return target;
}

struct gpucode_program *assemble(const char *target, const char *text, struct told *told, bool oversize)
{
    struct told own;
    struct gpucode_asm_options options = {.target = target ? target_named(target) : NULL,
                                          .file = "test",
                                          .on_diagnostic = told_handler(told ? told : &own),
                                          .oversize = oversize};
    struct gpucode_program *program;
    enum gpucode_status status = gpucode_assemble(text, strlen(text), &options, &program);
    if (status != GPUCODE_OK && !told)
        fail_msg("%s\n%s", own.messages, text);
    assert_true(status == GPUCODE_OK || status == GPUCODE_ERROR_INPUT);
    return program;
}

static void compare_bytes(const struct gpucode_program *program, const void *bytes, size_t size)
{
    assert_int_equal(gpucode_program_size(program), size);
    if (size)
        assert_memory_equal(gpucode_program_bytes(program), bytes, size);
}

void assert_bytes(const char *target, const char *text, const void *bytes, size_t size)
{
    struct gpucode_program *program = assemble(target, text, NULL, true);
    compare_bytes(program, bytes, size);
    gpucode_program_free(program);
}

void assert_refused(const char *target, const char *text, const char *code)
{
    struct told told;
    struct gpucode_program *program = assemble(target, text, &told, false);
    if (program || strncmp(told.codes, code, strlen(code)) != 0)
        fail_msg("%s: '%s' instead of %s", text, told.codes, code);
}

struct gpucode_image *image_of(const char *target, const void *bytes, size_t size)
{
    struct gpucode_image_options options = {.target = target_named(target)};
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    return image;
}

static char *text_of(const char *target, const void *bytes, size_t size, bool columns)
{
    struct gpucode_image *image = image_of(target, bytes, size);
    struct gpucode_disasm_options options = {.columns = columns};
    char *text;
    size_t length;
    assert_int_equal(gpucode_disassemble(image, &options, &text, &length), GPUCODE_OK);
    assert_int_equal(strlen(text), length);
    gpucode_image_free(image);
    return text;
}

char *raw_listing(const char *target, const void *bytes, size_t size)
{
    return text_of(target, bytes, size, false);
}

char *listing(const char *target, const void *bytes, size_t size, bool columns)
{
    char *text = text_of(target, bytes, size, columns);
    char *newline = strchr(text, '\n');
    assert_non_null(newline);
    memmove(text, newline + 1, strlen(newline + 1) + 1);
    return text;
}

void assert_round_trip(const char *target, const void *bytes, size_t size)
{
    char *text = raw_listing(target, bytes, size);
    struct gpucode_program *program = assemble(NULL, text, NULL, false);
    assert_ptr_equal(gpucode_program_target(program), target_named(target));
    compare_bytes(program, bytes, size);
    gpucode_program_free(program);
    free(text);
}

uint32_t random_next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

char *vector_file(const char *name, size_t *size)
{
    char path[300];
    snprintf(path, sizeof path, "hwsq/%s", name);
    return read_vector(path, size);
}

bool no_vectors(void)
{
    char *manifest = vector_file("MANIFEST.tsv", NULL);
    free(manifest);
    return !manifest;
}

size_t hex_bytes(const char *text, unsigned char *bytes, size_t room)
{
    size_t count = 0;
    for (const char *at = text; *at;) {
        if (*at == '#') {
            while (*at && *at != '\n')
                at++;
        } else if (isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1])) {
            assert_true(count < room);
            char digits[3] = {at[0], at[1], 0};
            bytes[count++] = (unsigned char)strtoul(digits, NULL, 16);
            at += 2;
        } else {
            assert_true(isspace((unsigned char)*at));
            at++;
        }
    }
    return count;
}
