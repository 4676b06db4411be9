/* SPDX-License-Identifier: MIT */
/* gpucode export: files for other programs, on standard output or in a folder. */
#include "export/export.h"
#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_EXPORT
#include <gpucode/answer_rows.h>
ANSWER_TABLE(export, "Files that were made.");

static int no_format(struct session *session, const char *name)
{
    struct spelling spelling = spelling_begin(name);
    char hint[256] = "";
    size_t used = 0;
    for (const struct exporter *exporter = exporters; exporter->name; exporter++) {
        spelling_offer(&spelling, exporter->name);
        if (used < sizeof hint)
            used +=
                (size_t)snprintf(hint + used, sizeof hint - used, "%s%s", used ? ", " : "formats: ", exporter->name);
    }
    if (spelling.best[0])
        snprintf(hint, sizeof hint, "did you mean '%s'?", spelling.best);
    return complain(&session->diagnostics, CLI_EXPORT_FORMAT, NULL, hint, name);
}

/* --- where files go ----------------------------------------------------------------------------------------------- */

/* Makes the folders of a path, all but what is after the last slash. */
static int make_folders(struct session *session, char *path)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        int code = made ? EXIT_DONE : complain(&session->diagnostics, CLI_CREATE, path, NULL, strerror(errno));
        *slash = '/';
        if (code)
            return code;
    }
    return EXIT_DONE;
}

static int write_files(struct session *session, const struct export *export, const char *folder)
{
    struct outputs outputs = {.diagnostics = &session->diagnostics};
    char **paths = calloc(export->file_count + 1, sizeof *paths);
    int code = paths ? EXIT_DONE : out_of_memory(&session->diagnostics);
    for (unsigned i = 0; i < export->file_count && !code; i++) {
        const struct export_file *file = &export->files[i];
        if (asprintf(&paths[i], "%s/%s", folder, file->path) < 0) {
            paths[i] = NULL;
            code = out_of_memory(&session->diagnostics);
            break;
        }
        code = make_folders(session, paths[i]);
        if (!code)
            code = outputs_add(&outputs, paths[i], file->bytes, file->size);
    }
    if (!code)
        code = outputs_commit(&outputs);
    outputs_discard(&outputs);
    for (unsigned i = 0; paths && i < export->file_count; i++)
        free(paths[i]);
    free(paths);
    return code;
}

/* With --json: what was written, with the text where it went to no file. */
static int list_files(struct session *session, const struct export *export, bool texts)
{
    struct gpucode_answer *answer = answer_begin_indented(session);
    gpucode_answer_begin(answer, &fields[ALL]);
    gpucode_answer_begin(answer, &fields[FILES]);
    for (unsigned i = 0; i < export->file_count; i++) {
        gpucode_answer_begin(answer, &fields[FILE_MADE]);
        gpucode_answer_text(answer, &fields[PATH], export->files[i].path);
        gpucode_answer_number(answer, &fields[SIZE], export->files[i].size);
        if (texts)
            gpucode_answer_bytes(answer, &fields[CONTENT], export->files[i].bytes, export->files[i].size);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}

static int deliver(struct session *session, const struct export *export)
{
    const char *folder = session->arguments.value[OPTION_FOLDER];
    bool to_stdout = !folder || strcmp(folder, "-") == 0;
    if (to_stdout && !session->json && export->file_count > 1)
        return complain(&session->diagnostics, CLI_EXPORT_FOLDER, NULL,
                        "-o FOLDER names a folder for them; -t TARGET leaves out other instruction sets",
                        export->file_count);
    int code = EXIT_DONE;
    if (!to_stdout)
        code = write_files(session, export, folder);
    else if (!session->json)
        fwrite(export->files[0].bytes, 1, export->files[0].size, stdout);
    if (!code && session->json)
        code = list_files(session, export, to_stdout);
    return code ? code : output_finish(&session->diagnostics, EXIT_DONE);
}

int command_export(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    const char *form = arguments->value[OPTION_EXPORT_FORM];
    bool in_front = !form; /* as an operand, the first one */
    if (in_front && !arguments->operand_count)
        return complain(&session->diagnostics, CLI_FEW, NULL, "`gpucode help export` lists the forms", "--form FORM");
    const char *const *files = arguments->operands + in_front;
    int file_count = arguments->operand_count - in_front;
    const struct exporter *exporter = exporters;
    form = in_front ? arguments->operands[0] : form;
    while (exporter->name && strcmp(exporter->name, form) != 0)
        exporter++;
    if (!exporter->name)
        return no_format(session, form);
    struct export export = {.session = session};
    if (exporter->takes_file && !file_count)
        return complain(&session->diagnostics, CLI_FEW, NULL, NULL, "FILE");
    if (file_count > exporter->takes_file)
        return complain(&session->diagnostics, CLI_MANY, NULL, NULL, files[exporter->takes_file]);
    export.input = exporter->takes_file ? files[0] : NULL;
    int code = code_target(session, &export.target);
    if (!code)
        code = export_run(&export, exporter);
    if (!code)
        code = deliver(session, &export);
    export_free(&export);
    return code;
}
