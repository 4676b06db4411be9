/* SPDX-License-Identifier: MIT */
/* gpucode disasm: a binary file to text. */
#include "cli/disasm_edit.h"
#include "cli/disasm_parts.h"
#include "front/answer.h"
#include "front/code.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/outline.h"
#include "front/output.h"
#include "front/session.h"
#include "kit/kit.h"

#include <errno.h>
#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_text(struct session *session, const char *text, size_t length)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    struct outputs outputs = {.diagnostics = &session->diagnostics, .many = session->many};
    return outputs_close(&outputs, outputs_add(&outputs, path ? path : "-", text, length));
}

static int write_json(struct session *session, const struct code *opened, const struct gpucode_disasm_options *options,
                      const struct gpucode_outline *outline)
{
    char *objects = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&objects, &length);
    if (!out)
        return out_of_memory(&session->diagnostics);
    struct gpucode_answer *answer = answer_begin_on(session, out);
    if (session->arguments.value[OPTION_UNITS])
        outline_tell_whole(answer, opened->image, opened->file.name, opened->file.size, outline);
    else
        outline_tell(answer, opened->image, options, outline);
    int code = answer_end(session, answer);
    bool whole = text_stream_close(out);
    if (!code)
        code = whole ? write_text(session, objects, length) : out_of_memory(&session->diagnostics);
    free(objects);
    return code;
}

static int disassemble_json(struct session *session, const struct code *opened,
                            const struct gpucode_disasm_options *options)
{
    struct gpucode_outline *outline;
    enum gpucode_status status = gpucode_outline_create(opened->image, options, &outline);
    if (status != GPUCODE_OK)
        return code_status(session, opened->file.name, status);
    int code = write_json(session, opened, options, outline);
    gpucode_outline_free(outline);
    return code;
}

/* A text on its way out. */
struct way_out {
    const struct gpucode_image *image;
    const struct gpucode_disasm_options *options;
    int descriptor;
};

static bool put_piece(void *user, const char *text, size_t length)
{
    const struct way_out *way = user;
    return output_write_all(way->descriptor, text, length);
}

/* For outputs_add_made(). */
static bool make_text(void *user, int descriptor)
{
    struct way_out *way = user;
    way->descriptor = descriptor;
    enum gpucode_status status = gpucode_disassemble_to(way->image, way->options, put_piece, way);
    if (status == GPUCODE_ERROR_MEMORY)
        errno = ENOMEM;
    return status == GPUCODE_OK;
}

/* Writes the image as the options say. */
static int list_image(struct session *session, const struct code *opened, const struct gpucode_disasm_options *options)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    struct way_out way = {.image = opened->image, .options = options};
    if (session->json)
        return disassemble_json(session, opened, options);
    struct outputs outputs = {.diagnostics = &session->diagnostics, .many = session->many};
    return outputs_close(&outputs, outputs_add_made(&outputs, path ? path : "-", make_text, &way));
}

/* The same for a text that is to be edited. */
static int list_for_editing(struct session *session, const struct code *opened, struct gpucode_disasm_options *options)
{
    struct gpucode_analysis *analysis;
    options->gathered = true;
    int code = disasm_edit(session, opened, options, &analysis);
    if (!code)
        code = list_image(session, opened, options);
    gpucode_analysis_free(analysis);
    return code;
}

static int disassemble(struct session *session, const struct code *opened, const struct registers *registers,
                       struct gpucode_symbols *symbols)
{
    struct gpucode_disasm_options options = {
        .names = symbols_names(symbols, registers_names(registers)),
        .label = symbols ? gpucode_symbols_label : NULL,
        .user = symbols,
        .columns = arguments_have(&session->arguments, OPTION_VERBOSE),
        .raw = arguments_have(&session->arguments, OPTION_RAW),
    };
    const struct kit *kit = kit_of(gpucode_image_info(opened->image)->target);
    if (kit && kit->listing)
        kit->listing(session, &options);
    char *text;
    size_t length;
    int code = form_write(session, "text", gpucode_image_info(opened->image)->target, opened->file.bytes,
                          opened->file.size, &text, &length);
    if (code)
        return code;
    if (text) {
        code = write_text(session, text, length);
        free(text);
        return code;
    }
    bool edit = arguments_have(&session->arguments, OPTION_EDIT);
    return edit ? list_for_editing(session, opened, &options) : list_image(session, opened, &options);
}

static int disassemble_file(struct session *session)
{
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct code opened;
    if (disasm_parts_wanted(session))
        return disasm_parts(session);
    int code = code_open(session, session->arguments.operands[0], &opened);
    if (code)
        return code;
    code = registers_load(session, gpucode_image_info(opened.image)->target, &registers);
    if (!code)
        code = symbols_load(session, gpucode_image_info(opened.image)->target, registers_names(registers), &symbols);
    if (!code)
        code = symbols_bind(session, symbols, NULL, opened.image, opened.file.name);
    if (!code)
        code = disassemble(session, &opened, registers, symbols);
    gpucode_symbols_free(symbols);
    registers_free(registers);
    code_close(&opened);
    return code;
}

int command_disasm(struct session *session)
{
    return fleet_command(session, disassemble_file, false);
}
