/* SPDX-License-Identifier: MIT */
/* gpucode extract: HWSQ scripts in register traces, VBIOS images and logs, as text. */
#include "front/answer.h"
#include "front/code.h"
#include "front/file.h"
#include "front/names.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "kit/hwsq/kit.h"

#include <gpucode/asm.h>
#include <gpucode/hwsq.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/hwsq/answer.def"
#define ANSWER_PART_EXTRACT
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table script_extract_answer_table = {"extract", "A script that was found.", fields,
                                                                 sizeof fields / sizeof *fields};

static const char *const origin_names[] = {[GPUCODE_HWSQ_TRIGGERED] = "started",
                                           [GPUCODE_HWSQ_UPLOADED] = "uploaded",
                                           [GPUCODE_HWSQ_VBIOS] = "vbios",
                                           [GPUCODE_HWSQ_LOG] = "log"};

struct extraction {
    struct session *session;
    const char *file;
    unsigned count;
    int code;
    bool unknown;           /* no scripts stand in a file of this kind */
    struct outputs outputs; /* all or none */
};

/* The comment that says where a script is from. */
static void write_heading(FILE *out, const struct extraction *extraction, const struct gpucode_hwsq_script *script)
{
    fprintf(out, "// script %u: ", extraction->count);
    excerpt_text(out, extraction->file, strlen(extraction->file)); /* a newline in it would end the comment */
    switch (script->origin) {
    case GPUCODE_HWSQ_TRIGGERED:
        fprintf(out, " line %" PRIu64 ", time %.6f, entry point %u at 0x%03" PRIx32, script->line, script->time,
                script->entry, script->address);
        if (script->slot)
            fprintf(out, ", slot %c", script->slot);
        fprintf(out, ", started %u time%s", script->starts, script->starts == 1 ? "" : "s");
        break;
    case GPUCODE_HWSQ_UPLOADED:
        fprintf(out, " line %" PRIu64 ", time %.6f, uploaded to 0x%03" PRIx32 ", never started", script->line,
                script->time, script->address);
        break;
    case GPUCODE_HWSQ_VBIOS:
        fprintf(out, " offset 0x%" PRIx64 ", entry %u of the HWSQ table, ENTRY_POINT 0x%08" PRIx32, script->line,
                script->entry, script->entry_points);
        break;
    default:
        fprintf(out, " line %" PRIu64 ", dump in a log", script->line);
        break;
    }
    fprintf(out, "%s\n", script->complete ? "" : ", incomplete");
}

/* Labels `entry1` to `entry3`, by which run, debug and lint know entry points; entry 0 is the beginning unless told. */
static size_t entry_label(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    const struct gpucode_hwsq_script *script = user;
    (void)section;
    for (unsigned entry = 0; entry < 4; entry++)
        if ((script->entry_points >> 8 * entry & 0xff) == unit && unit && !index--)
            return (size_t)snprintf(text, size, "entry%u", entry);
    return 0;
}

/*
 * The listing of a script, with its heading after the first line, which names the target. Of symbol files only names
 * of registers, flags and events are used: labels would mean another place in each script.
 */
static char *make_listing(struct extraction *extraction, const struct gpucode_hwsq_script *script, size_t *length)
{
    struct gpucode_image_options options = {.target = script->target};
    struct gpucode_image *image;
    char *text = NULL, *result = NULL;
    size_t size;
    if (gpucode_image_open(script->bytes, script->size, &options, &image) != GPUCODE_OK)
        return NULL;
    struct gpucode_symbols *symbols = NULL;
    extraction->code = symbols_load(extraction->session, script->target, NULL, &symbols);
    struct gpucode_hwsq_script entries = *script;
    const struct gpucode_disasm_options how = {
        .names = symbols_names(symbols, NULL), .label = entry_label, .user = &entries};
    FILE *out = extraction->code ? NULL : text_stream_open(&result, length);
    if (out && gpucode_disassemble(image, &how, &text, &size) == GPUCODE_OK) {
        const char *second = memchr(text, '\n', size);
        size_t first = second ? (size_t)(second + 1 - text) : size;
        fwrite(text, 1, first, out);
        write_heading(out, extraction, script);
        fwrite(text + first, 1, size - first, out);
    }
    bool good = out && text_stream_close(out) && text;
    free(text);
    gpucode_symbols_free(symbols);
    gpucode_image_free(image);
    if (!good) {
        free(result);
        return NULL;
    }
    return result;
}

static void tell_script(struct extraction *extraction, const struct gpucode_hwsq_script *script, const char *text)
{
    struct gpucode_answer *answer = answer_begin(extraction->session);
    char hex[2 * 1024 + 1] = "";
    for (size_t i = 0; i < script->size && i < 1024; i++)
        snprintf(hex + 2 * i, 3, "%02x", script->bytes[i]);
    gpucode_answer_begin(answer, &fields[SCRIPT]);
    gpucode_answer_flag(answer, &fields[APART], extraction->count > 1);
    gpucode_answer_number(answer, &fields[NUMBER], extraction->count);
    gpucode_answer_text(answer, &fields[ORIGIN], origin_names[script->origin]);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(script->target));
    gpucode_answer_number(answer, &fields[script->origin == GPUCODE_HWSQ_VBIOS ? OFFSET : LINE], script->line);
    if (script->time > 0)
        gpucode_answer_format(answer, &fields[TIME], "%.6f", script->time);
    gpucode_answer_number(answer, &fields[ADDRESS], script->address);
    gpucode_answer_number(answer, &fields[ENTRY], script->entry);
    if (script->origin == GPUCODE_HWSQ_TRIGGERED)
        gpucode_answer_number(answer, &fields[STARTS], script->starts);
    if (script->origin == GPUCODE_HWSQ_VBIOS)
        gpucode_answer_number(answer, &fields[ENTRY_POINTS], script->entry_points);
    if (script->slot)
        gpucode_answer_text(answer, &fields[SLOT], script->slot == 'A' ? "A" : "B");
    gpucode_answer_flag(answer, &fields[COMPLETE], script->complete);
    gpucode_answer_number(answer, &fields[SIZE], script->size);
    gpucode_answer_text(answer, &fields[BYTES], script->size <= 1024 ? hex : NULL);
    gpucode_answer_text(answer, &fields[LISTED], text);
    gpucode_answer_end(answer);
    extraction->code = answer_end(extraction->session, answer);
}

static void take_script(void *user, const struct gpucode_hwsq_script *script)
{
    struct extraction *extraction = user;
    const char *prefix = extraction->session->arguments.value[OPTION_OUTPUT];
    size_t length;
    extraction->count++;
    if (extraction->code)
        return;
    char *text = make_listing(extraction, script, &length);
    if (extraction->code)
        ; /* a symbol file is wrong */
    else if (!text)
        extraction->code = out_of_memory(&extraction->session->diagnostics);
    else if (prefix && strcmp(prefix, "-") != 0)
        extraction->code = outputs_add_numbered(&extraction->outputs, prefix, extraction->count, "hwsq", text, length);
    if (!extraction->code && (extraction->session->json || !prefix || strcmp(prefix, "-") == 0))
        tell_script(extraction, script, text);
    free(text);
}

static void take_diagnostic(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct extraction *extraction = user;
    struct gpucode_diagnostic_handler handler = diagnostics_handler(&extraction->session->diagnostics);
    extraction->unknown |= strcmp(diagnostic->code, "extract-kind") == 0;
    handler.report(handler.user, diagnostic);
}

/* Logs are looked through whatever they are, so that this is for files that nobody else knows. */
unsigned script_recognises(const struct file *file, const struct gpucode_target *target)
{
    (void)file;
    (void)target;
    return 1;
}

int script_extract(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    struct extraction extraction = {
        .session = session, .file = file->name, .outputs = {.diagnostics = &session->diagnostics}};
    struct gpucode_hwsq_extract_options options = {.target = target,
                                                   .file_name = file->name,
                                                   .on_diagnostic = {take_diagnostic, &extraction},
                                                   .script = take_script,
                                                   .user = &extraction};
    enum gpucode_status status = gpucode_hwsq_extract(file->bytes, file->size, &options, NULL);
    int code = extraction.code;
    if (!code && status == GPUCODE_OK)
        code = outputs_commit(&extraction.outputs);
    outputs_discard(&extraction.outputs);
    if (code)
        return code;
    if (status == GPUCODE_ERROR_ARGUMENT)
        return complain(&session->diagnostics, CLI_CANNOT, file->name, NULL, gpucode_target_isa(target), "extract");
    code = status != GPUCODE_OK ? code_status(session, file->name, status)
           : extraction.count   ? EXIT_DONE
                                : complain(&session->diagnostics, CLI_NOTHING, file->name, NULL);
    if (extraction.unknown)
        kinds_tell(session, file);
    return code;
}
