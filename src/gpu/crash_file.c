/* SPDX-License-Identifier: MIT */
#include "gpu/crash.h"

#include "front/code.h"
#include "front/names.h"
#include "front/session.h"
#include <gpucode/fields.h>

int crash_file_open(struct session *session, const char *path, struct crash_file *file)
{
    struct file read;
    *file = (struct crash_file){.session = session};
    int code = code_read(session, path, &read);
    return code ? code : crash_file_take(session, &read, file);
}

int crash_file_take(struct session *session, const struct file *read, struct crash_file *file)
{
    const struct gpucode_target *target;
    *file = (struct crash_file){.session = session, .file = *read};
    int code = code_target(session, &target);
    if (code)
        return code;
    struct gpucode_crash_options options = {
        .file_name = file->file.name,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    enum gpucode_status status = gpucode_crash_open(file->file.bytes, file->file.size, &options, &file->crash);
    if (status != GPUCODE_OK)
        return code_status(session, file->file.name, status);
    file->head = gpucode_crash_head(file->crash);
    file->target = target ? target : file->head->target;
    struct gpucode_chip chip;
    if (file->target)
        file->family = gpucode_target_family(file->target);
    else if (gpucode_chip_find(file->head->gpu_id, file->head->chip_id, &chip))
        file->family = chip.family;
    code = file->target ? registers_load(session, file->target, &file->registers)
                        : registers_load_family(session, file->family, &file->registers);
    if (!code && file->target)
        code = symbols_load(session, file->target, registers_names(file->registers), &file->symbols);
    file->names = symbols_names(file->symbols, registers_names(file->registers));
    return code;
}

void crash_file_close(struct crash_file *file)
{
    gpucode_symbols_free(file->symbols);
    registers_free(file->registers);
    gpucode_crash_free(file->crash);
    file_free(&file->file);
}
