/* SPDX-License-Identifier: MIT */
/*
 * gpucode extract, of recorded streams: sections of programs and shaders. What they hold depends on the recorder: code is
 * printed as text of the target, source text as comments.
 */
#include "cli/extract.h"

#include "cli/code.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/session.h"

#ifdef GPUCODE_WITH_RD

#include <gpucode/asm.h>
#include <gpucode/rd.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct shaders {
    struct session *session;
    const struct gpucode_target *target;
    unsigned count;
};

bool extract_is_stream(const struct file *file)
{
    return gpucode_rd_is(file->bytes, file->size);
}

/* No byte that text does not have; a zero may end it. */
static bool is_source(const struct gpucode_rd_section *section)
{
    size_t size = section->size;
    while (size && !section->bytes[size - 1])
        size--;
    for (size_t i = 0; i < size; i++)
        if (section->bytes[i] < 32 && !memchr("\t\r\n", section->bytes[i], 3))
            return false;
    return size != 0;
}

static void put_source(const struct gpucode_rd_section *section)
{
    bool start = true;
    for (size_t i = 0; i < section->size && section->bytes[i]; i++) {
        if (start)
            fputs("; ", stdout);
        putchar(section->bytes[i]);
        start = section->bytes[i] == '\n';
    }
    if (!start)
        putchar('\n');
}

static int put_code(const struct shaders *shaders, const struct gpucode_rd_section *section)
{
    struct gpucode_image_options options = {.target = shaders->target, .raw = true};
    struct gpucode_image *image;
    char *text;
    size_t length;
    enum gpucode_status status = gpucode_image_open(section->bytes, section->size, &options, &image);
    if (status != GPUCODE_OK)
        return code_status(shaders->session, "the section", status);
    status = gpucode_disassemble(image, NULL, &text, &length);
    gpucode_image_free(image);
    if (status != GPUCODE_OK)
        return code_status(shaders->session, "the section", status);
    fwrite(text, 1, length, stdout);
    free(text);
    return EXIT_DONE;
}

static int write_section(const struct shaders *shaders, const struct gpucode_rd_section *section, const char *prefix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%u.%s", prefix, shaders->count, is_source(section) ? "txt" : "bin");
    struct outputs outputs = {.diagnostics = &shaders->session->diagnostics};
    int code = outputs_add(&outputs, path, section->bytes, section->size);
    if (!code)
        code = outputs_commit(&outputs);
    outputs_discard(&outputs);
    return code;
}

static int put_section(struct shaders *shaders, const struct gpucode_rd_section *section)
{
    const char *prefix = shaders->session->arguments.value[OPTION_OUTPUT];
    shaders->count++;
    if (prefix && strcmp(prefix, "-") != 0)
        return write_section(shaders, section, prefix);
    if (shaders->session->json) {
        struct json json = {.out = stdout};
        json_object(&json, NULL);
        json_number(&json, "shader", shaders->count);
        json_string(&json, "kind", gpucode_rd_name(section->type));
        json_number(&json, "offset", section->offset);
        json_number(&json, "size_bytes", section->size);
        json_bool(&json, "source", is_source(section));
        json_end(&json);
        return EXIT_DONE;
    }
    printf("%s; %s %u, %zu bytes at 0x%" PRIx64 "\n", shaders->count > 1 ? "\n" : "", gpucode_rd_name(section->type),
           shaders->count, section->size, section->offset);
    if (!is_source(section))
        return put_code(shaders, section);
    put_source(section);
    return EXIT_DONE;
}

int extract_shaders(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    struct shaders shaders = {session, target ? target : gpucode_target_find("a3xx"), 0};
    struct gpucode_sink sink = diagnostics_sink(&session->diagnostics);
    struct gpucode_rd *rd;
    enum gpucode_status status = gpucode_rd_open(file->bytes, file->size, file->name, &sink, &rd);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    int code = EXIT_DONE;
    struct gpucode_rd_section section;
    for (unsigned i = 0; !code && gpucode_rd_section(rd, i, &section); i++)
        if (section.type >= GPUCODE_RD_PROGRAM && section.type <= GPUCODE_RD_FRAGMENT_SHADER)
            code = put_section(&shaders, &section);
    gpucode_rd_free(rd);
    if (!code && !shaders.count)
        code = complain(&session->diagnostics, CLI_NO_SHADER, file->name, NULL);
    return code;
}

#else

bool extract_is_stream(const struct file *file)
{
    (void)file;
    return false;
}

int extract_shaders(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    (void)target;
    return complain(&session->diagnostics, CLI_NO_SHADER, file->name, NULL);
}

#endif
