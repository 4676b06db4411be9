/* SPDX-License-Identifier: MIT */
/* What exporters share: files while they are made, sets and targets that are wanted. */
#include "export/export.h"
#include "front/grow.h"
#include "front/output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- files -------------------------------------------------------------------------------------------------------- */

static void end_file(struct export *export)
{
    if (!export->out)
        return;
    export->failed |= !text_stream_close(export->out);
    export->out = NULL;
}

static struct export_file *new_file(struct export *export)
{
    if (!grow(&export->files, export->file_count, &export->file_room, sizeof *export->files))
        return NULL;
    struct export_file *file = &export->files[export->file_count++];
    *file = (struct export_file){0};
    return file;
}

FILE *export_begin(struct export *export, const char *path, ...)
{
    end_file(export);
    struct export_file *file = export->failed ? NULL : new_file(export);
    va_list arguments;
    va_start(arguments, path);
    if (!file || vasprintf(&file->path, path, arguments) < 0) {
        export->failed = true;
        if (file)
            file->path = NULL;
    }
    va_end(arguments);
    if (export->failed)
        return NULL;
    /* the streams write to the list's entries when they are closed: they stay where they are until then */
    export->out = text_stream_open(&file->bytes, &file->size);
    export->failed = !export->out;
    return export->out;
}

static bool write_to(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

struct gpucode_answer *export_answer(const struct export *export)
{
    return gpucode_answer_stream(&(struct gpucode_answer_options){
        .form = GPUCODE_ANSWER_AS_JSON, .write = write_to, .user = export->out, .indent = true});
}

void export_answer_end(struct export *export, struct gpucode_answer *answer)
{
    export->failed |= gpucode_answer_finish(answer) != GPUCODE_OK;
    gpucode_answer_free(answer);
}

int export_run(struct export *export, const struct exporter *exporter)
{
    exporter->write(export);
    end_file(export);
    if (export->code)
        return export->code;
    return export->failed ? out_of_memory(&export->session->diagnostics) : EXIT_DONE;
}

void export_free(struct export *export)
{
    end_file(export);
    for (unsigned i = 0; i < export->file_count; i++) {
        free(export->files[i].path);
        free(export->files[i].bytes);
    }
    free(export->files);
}

/* --- sets and targets --------------------------------------------------------------------------------------------- */

static bool is_same_set(const struct gpucode_target *a, const struct gpucode_target *b)
{
    return strcmp(gpucode_target_isa(a), gpucode_target_isa(b)) == 0;
}

const struct gpucode_target *export_set(const struct export *export, unsigned index)
{
    if (export->target)
        return index ? NULL : export->target;
    const struct gpucode_target *target, *before = NULL;
    for (unsigned i = 0; (target = gpucode_target_at(i)); before = target, i++)
        if (gpucode_row_count(target) && (!before || !is_same_set(before, target)) && index-- == 0)
            return target;
    return NULL;
}

const struct gpucode_target *export_target(const struct export *export, const struct gpucode_target *of, unsigned index)
{
    if (export->target)
        return index ? NULL : export->target;
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        if (is_same_set(of, target) && index-- == 0)
            return target;
    return NULL;
}

const struct gpucode_target *export_row_target(const struct export *export, const struct gpucode_target *of,
                                               unsigned row)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = export_target(export, of, i)); i++)
        if (gpucode_row_on_target(target, row))
            return target;
    return NULL;
}

bool export_same_names(const struct gpucode_target *a, const struct gpucode_target *b, enum gpucode_space space)
{
    char name_a[GPUCODE_NAME_MAX], name_b[GPUCODE_NAME_MAX];
    for (uint32_t at_a = 0, at_b = 0;; at_a++, at_b++) {
        bool more_a = gpucode_name_next(a, space, &at_a), more_b = gpucode_name_next(b, space, &at_b);
        if (more_a != more_b || (more_a && at_a != at_b))
            return false;
        if (!more_a)
            return true;
        gpucode_name_of(a, NULL, space, at_a, name_a, sizeof name_a);
        gpucode_name_of(b, NULL, space, at_b, name_b, sizeof name_b);
        if (strcmp(name_a, name_b) != 0)
            return false;
    }
}
