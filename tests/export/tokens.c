/* SPDX-License-Identifier: MIT */
/*
 * The words of a source as the assembler reads them, for tests of grammars:
 *
 *     tokens TARGET FILE      a line for each: "file line column length kind", TARGET - for none
 */
#include <gpucode/asm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    [GPUCODE_TOKEN_LABEL] = "label",         [GPUCODE_TOKEN_USE] = "use",
    [GPUCODE_TOKEN_DIRECTIVE] = "directive", [GPUCODE_TOKEN_MACRO] = "macro",
    [GPUCODE_TOKEN_FLAG] = "flag",           [GPUCODE_TOKEN_MNEMONIC] = "mnemonic",
    [GPUCODE_TOKEN_OPERAND] = "operand",     [GPUCODE_TOKEN_STATEMENT] = "statement",
    [GPUCODE_TOKEN_COMMENT] = "comment",
};

static char *read_file(const char *path, size_t *length)
{
    static char text[1 << 20]; /* with a zero at its end */
    FILE *file = fopen(path, "rb");
    *length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[*length] = 0;
    return file ? text : NULL;
}

static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user;
    char path[4096];
    const char *slash = strrchr(from, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - from) : 0, from, name);
    const char *read = read_file(path, length);
    *text = read ? malloc(*length + 1) : NULL;
    if (*text)
        memcpy(*text, read, *length);
    return *text != NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    size_t length;
    const char *text = read_file(argv[2], &length);
    char *own = text ? strdup(text) : NULL;
    struct gpucode_asm_options options = {
        .target = gpucode_target_find(argv[1]), .file = argv[2], .record_tokens = true, .include = include};
    struct gpucode_program *program;
    if (!own || gpucode_assemble(own, length, &options, &program) != GPUCODE_OK) {
        fprintf(stderr, "tokens: %s does not assemble\n", argv[2]);
        return 2;
    }
    struct gpucode_token token;
    for (unsigned i = 0; gpucode_program_token(program, i, &token); i++)
        printf("%s %u %u %zu %s\n", token.file, token.line, token.column, token.span.length, kinds[token.kind]);
    gpucode_program_free(program);
    free(own);
    return 0;
}
