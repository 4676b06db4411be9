/* SPDX-License-Identifier: MIT */
/*
 * --me: the firmware of the ME of an a5xx beside that of its PFP. Two sources become one, whose second section includes
 * the ME's; otherwise the two files become one as gpucode_image_join() has it.
 */
#include "kit/afuc/kit.h"

#include "front/code.h"
#include "front/session.h"
#include <gpucode/asm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The source of the PFP, and after it the ME's as a section. */
static int include_source(struct session *session, struct file *file, const char *path)
{
    char *whole = realpath(path, NULL), *joined = NULL;
    size_t room = file->size + (whole ? strlen(whole) : 0) + 64;
    if (whole && strpbrk(whole, "\"\\\n")) { /* would end the string that it stands in */
        free(whole);
        return complain(&session->diagnostics, CLI_AFUC_ME_PATH, path, NULL);
    }
    if (whole)
        joined = malloc(room);
    if (!joined) {
        free(whole);
        return out_of_memory(&session->diagnostics);
    }
    memcpy(joined, file->bytes, file->size);
    int more = snprintf(joined + file->size, room - file->size, "\n.section PM4\n.include \"%s\"\n", whole);
    free(whole);
    free(file->bytes);
    file->bytes = joined;
    file->size += (size_t)more;
    session->beside = path;
    return EXIT_DONE;
}

/* Bytes of a source, in its place. */
static int assemble_file(struct session *session, const struct gpucode_target *target, struct file *file)
{
    struct gpucode_program *program;
    struct gpucode_asm_options options = {
        .target = target, .file = file->name, .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = input_assemble(session, file->bytes, file->size, &options, &program);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    size_t size = gpucode_program_size(program);
    char *bytes = malloc(size + 1);
    if (bytes) {
        memcpy(bytes, gpucode_program_bytes(program), size);
        bytes[size] = 0;
        free(file->bytes);
        file->bytes = bytes;
        file->size = size;
    }
    gpucode_program_free(program);
    return bytes ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

static int open_image(struct session *session, const struct gpucode_target *target, const struct file *file,
                      struct gpucode_image **image)
{
    const struct gpucode_image_options options = {
        .target = target, .file_name = file->name, .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_image_open(file->bytes, file->size, &options, image);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, file->name, status);
}

/* Is that no code of ours? Then the option is refused when the file has been opened. */
static bool is_foreign(const struct gpucode_target *target)
{
    return target && strcmp(gpucode_target_isa(target), "afuc") != 0;
}

static int join_files(struct session *session, const struct gpucode_target *target, struct file *file,
                      struct file *other)
{
    struct gpucode_image *first = NULL, *second = NULL;
    void *bytes = NULL;
    size_t size;
    int code = EXIT_DONE;
    if (code_is_source(session, file))
        code = assemble_file(session, target, file);
    if (!code && code_is_source(session, other))
        code = assemble_file(session, target, other);
    if (!code)
        code = open_image(session, target, file, &first);
    if (!code)
        code = open_image(session, target, other, &second);
    enum gpucode_status status = code ? GPUCODE_OK : gpucode_image_join(first, second, &bytes, &size);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        code = complain(&session->diagnostics, CLI_AFUC_ME, other->name, NULL, file->name);
    else if (status != GPUCODE_OK)
        code = code_status(session, other->name, status);
    gpucode_image_free(first);
    gpucode_image_free(second);
    if (bytes) {
        free(file->bytes);
        file->bytes = bytes;
        file->size = size;
    }
    return code;
}

int firmware_complete(struct session *session, struct file *file)
{
    const char *path = session->arguments.value[OPTION_AFUC_ME];
    const struct gpucode_target *target;
    struct file other;
    if (!path)
        return EXIT_DONE;
    int code = code_target(session, &target);
    bool source = code_is_source(session, file);
    if (!code && is_foreign(target || !source ? target : gpucode_source_target(file->bytes, file->size)))
        return EXIT_DONE;
    if (!code)
        code = code_read(session, path, &other);
    if (code)
        return code;
    bool sources = source && code_is_source(session, &other) && strcmp(path, "-") != 0;
    code = sources ? include_source(session, file, path) : join_files(session, target, file, &other);
    file_free(&other);
    return code;
}

int firmware_check_me(struct session *session, const struct input *input)
{
    const char *path = session->arguments.value[OPTION_AFUC_ME];
    const struct gpucode_image_info *info = gpucode_image_info(input->image);
    if (!path || (info->section_count == 2 && strcmp(info->sections[1].name, "PM4") == 0))
        return EXIT_DONE;
    return complain(&session->diagnostics, CLI_AFUC_ME, path, NULL, input->file.name);
}
