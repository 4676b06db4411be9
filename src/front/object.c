/* SPDX-License-Identifier: MIT */
#include "front/object.h"

#include "front/session.h"

#include <gpucode/elf.h>
#include <stdlib.h>

/* The diagnostic handler has heard of wrong inputs. */
static int object_status(struct session *session, const char *file, enum gpucode_status status)
{
    if (status == GPUCODE_OK || status == GPUCODE_ERROR_UNSUPPORTED)
        return EXIT_DONE;
    if (status == GPUCODE_ERROR_INPUT)
        return EXIT_INPUT;
    return status == GPUCODE_ERROR_MEMORY
               ? out_of_memory(&session->diagnostics)
               : complain(&session->diagnostics, CLI_INTERNAL, file, NULL, gpucode_status_text(status));
}

int object_write(struct session *session, const struct gpucode_program *program, const char *source, char **bytes,
                 size_t *size)
{
    void *file = NULL;
    enum gpucode_status status = gpucode_elf_write(program, source, &file, size);
    *bytes = file;
    return object_status(session, source, status);
}

int object_unwrap(struct session *session, struct file *file, const struct gpucode_target **target, bool *found)
{
    struct gpucode_diagnostic_handler on_diagnostic = diagnostics_handler(&session->diagnostics);
    struct gpucode_elf_code code;
    enum gpucode_status status = gpucode_elf_read(file->bytes, file->size, file->name, &on_diagnostic, &code);
    *found = status != GPUCODE_ERROR_UNSUPPORTED;
    if (status != GPUCODE_OK)
        return object_status(session, file->name, status);
    free(file->bytes);
    file->bytes = code.bytes;
    file->size = code.size;
    if (!*target)
        *target = code.target;
    return EXIT_DONE;
}
