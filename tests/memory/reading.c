/* SPDX-License-Identifier: MIT */
/* Texts and files that are read while allocations fail: sources, names, patterns, pictures, logs, tables, stages. */
#include "calls.h"

#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <gpucode/compare.h>
#include <gpucode/crash.h>
#include <gpucode/hwsq.h>
#include <gpucode/outline.h>
#include <gpucode/packet.h>
#include <gpucode/picture.h>
#include <gpucode/shader.h>
#include <gpucode/source.h>
#include <gpucode/stream.h>
#include <gpucode/stream_stage.h>
#include <gpucode/xml.h>

#include <stdlib.h>
#include <string.h>

static const struct gpucode_diagnostic_handler nobody;

/* A text with a macro, an error and an included file. */
static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user;
    (void)from;
    (void)name;
    *text = malloc(16);
    if (!*text)
        return false;
    *length = strlen(strcpy(*text, ".equ K, 3\n"));
    return true;
}

static enum gpucode_status source(void)
{
    static const char text[] = ".target afuc:a630\n.include \"k\"\n.macro twice reg\nl\\@: add \\reg, \\reg, K\n"
                               "brne \\reg, b0, #l\\@\nnop\n.endm\nstart: twice $02\nmvo $03, 1\njump #start\nnop\n";
    struct gpucode_source *source = NULL;
    const struct gpucode_asm_options options = {.file = "f", .include = include};
    enum gpucode_status status = gpucode_source_read(text, sizeof text - 1, &options, &source);
    uint32_t words = 0, symbols = 0, said = 0;
    if (status != GPUCODE_ERROR_INPUT) { /* there is an error in it */
        gpucode_source_free(source);
        return status == GPUCODE_OK ? GPUCODE_ERROR_ARGUMENT : status;
    }
    const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &said);
    bool lacks_file = said && strcmp(diagnostics[0].code, "include") == 0; /* which had no memory */
    gpucode_source_words(source, 0, &words);
    const struct gpucode_source_symbol *symbol = gpucode_source_symbols(source, &symbols);
    tell_number(words);
    tell_number(said);
    for (uint32_t i = 0; i < symbols; i++)
        tell(NULL, symbol[i].name, strlen(symbol[i].name));
    gpucode_source_free(source);
    return lacks_file ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

static bool tell_match(void *user, const struct gpucode_match *match)
{
    (void)user;
    tell_number(match->units[0]);
    return true;
}

static enum gpucode_status searched(void)
{
    static const char text[] = "mov $x, ?value; ...; waitin";
    struct code code;
    struct gpucode_pattern *pattern = NULL;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &code);
    if (status == GPUCODE_OK)
        status = gpucode_pattern_create(gpucode_image_info(code.image)->target, gpucode_symbols_names(code.symbols),
                                        text, sizeof text - 1, nobody, &pattern);
    if (status == GPUCODE_OK)
        status = gpucode_outline_search(code.outline, pattern, tell_match, NULL);
    gpucode_pattern_free(pattern);
    close_code(&code);
    return status;
}

/* Notes, constants and what is lost of code; and its text with both. */
static enum gpucode_status noted(void)
{
    struct code code;
    struct gpucode_notes *notes = NULL;
    char *text = NULL, note[GPUCODE_NOTE_MAX];
    size_t length = 0, count = 0;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &code);
    if (status == GPUCODE_OK)
        status = gpucode_notes_create(code.analysis, &notes);
    for (uint32_t unit = 0; status == GPUCODE_OK && unit < 40; unit++)
        tell(NULL, note, gpucode_notes_text(notes, 0, unit, note, sizeof note));
    if (status == GPUCODE_OK) {
        struct gpucode_disasm_options options = {.constants = gpucode_analysis_constants(code.analysis, &count)};
        options.constant_count = count;
        status = gpucode_disassemble(code.image, &options, &text, &length);
    }
    if (status == GPUCODE_OK)
        tell(NULL, text, length);
    free(text);
    gpucode_notes_free(notes);
    close_code(&code);
    return status;
}

static enum gpucode_status compared(void)
{
    struct code old, new = {0};
    struct gpucode_comparison *comparison = NULL;
    const struct gpucode_edit *edit;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &old);
    if (status == GPUCODE_OK)
        status = open_code(inputs.changed, NULL, &new);
    if (status == GPUCODE_OK)
        status = gpucode_compare(old.analysis, new.analysis, &comparison);
    for (unsigned i = 0; status == GPUCODE_OK && (edit = gpucode_comparison_edit(comparison, i)); i++)
        tell(NULL, edit->text, strlen(edit->text));
    for (uint32_t unit = 0; status == GPUCODE_OK && unit < 100; unit += 7) {
        struct gpucode_carried_place place;
        status = gpucode_comparison_place(comparison, 0, unit, &place);
        if (status == GPUCODE_OK)
            tell_number(place.unit);
    }
    gpucode_comparison_free(comparison);
    close_code(&old);
    close_code(&new);
    return status;
}

static enum gpucode_status listed(void)
{
    struct code code;
    char *text = NULL;
    size_t length = 0;
    enum gpucode_status status = open_code(inputs.script, NULL, &code);
    if (status == GPUCODE_OK)
        status = gpucode_disassemble(code.image, &(struct gpucode_disasm_options){.raw = true}, &text, &length);
    if (status == GPUCODE_OK)
        tell(NULL, text, length);
    free(text);
    close_code(&code);
    return status;
}

static enum gpucode_status picture(void)
{
    struct gpucode_picture read = {0};
    void *bytes = NULL;
    size_t size = 0;
    uint8_t rgba[4 * 6 * 5];
    for (unsigned i = 0; i < sizeof rgba; i++)
        rgba[i] = (uint8_t)(3 * i);
    enum gpucode_status status = gpucode_picture_write(rgba, 6, 5, &bytes, &size);
    if (status == GPUCODE_ERROR_UNSUPPORTED) { /* built without libpng */
        tell_number(0);
        free(malloc(1));
        return GPUCODE_OK;
    }
    if (status == GPUCODE_OK)
        status = gpucode_picture_read(bytes, size, NULL, &read);
    if (status == GPUCODE_OK)
        tell(NULL, (const char *)read.texels, 16 * (size_t)read.width * read.height);
    gpucode_picture_free(&read);
    free(bytes);
    return status;
}

static enum gpucode_status log_lines(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    return show(answer,
                answer ? gpucode_crash_explain_log(inputs.log, inputs.log_size, NULL, answer) : GPUCODE_ERROR_MEMORY);
}

static enum gpucode_status sections(void)
{
    static const char *const names[] = {"registers", "bos", "ringbuffer"};
    struct gpucode_crash *crash = NULL;
    enum gpucode_status status = gpucode_crash_open(inputs.dump, inputs.dump_size, NULL, &crash);
    for (unsigned i = 0; status == GPUCODE_OK && i < 3; i++) {
        struct gpucode_answer *answer = gpucode_answer_create();
        status = answer ? gpucode_crash_explain_section(crash, names[i], NULL, answer) : GPUCODE_ERROR_MEMORY;
        status = show(answer, status);
    }
    gpucode_crash_free(crash);
    return status;
}

static enum gpucode_status xml(void)
{
    struct gpucode_xml *xml = NULL;
    enum gpucode_status status =
        gpucode_xml_load(inputs.xml, inputs.xml_size, "own.xml", gpucode_target_find("afuc:a630"), &nobody, &xml);
    if (status == GPUCODE_ERROR_UNSUPPORTED) { /* built without expat */
        tell_number(0);
        free(malloc(1));
        return GPUCODE_OK;
    }
    if (status == GPUCODE_OK)
        tell_number(gpucode_xml_count(xml));
    gpucode_xml_free(xml);
    return status;
}

static void tell_script(void *user, const struct gpucode_hwsq_script *script)
{
    (void)user;
    tell(NULL, (const char *)script->bytes, script->size);
}

static enum gpucode_status extracted(void)
{
    static const char text[] = "hwsq dump\n e2 01 00 00 00 e0 10 02 10 00 41 7f\n";
    const struct gpucode_hwsq_extract_options options = {.target = gpucode_target_find("hwsq:g94"),
                                                         .script = tell_script};
    unsigned count = 0;
    enum gpucode_status status = gpucode_hwsq_extract(text, sizeof text - 1, &options, &count);
    tell_number(count);
    return status;
}

static enum gpucode_status usage(void)
{
    struct code code;
    enum gpucode_status status = open_code(inputs.shader, NULL, &code);
    struct gpucode_answer *answer = gpucode_answer_create();
    if (status == GPUCODE_OK)
        status = answer ? gpucode_shader_usage_tell(code.image, answer) : GPUCODE_ERROR_MEMORY;
    status = show(answer, status);
    close_code(&code);
    return status;
}

/* The registers and the code at a draw of a recording. */
static enum gpucode_status stages(void)
{
    struct gpucode_stream *stream = NULL;
    struct gpucode_stream_stage *stage = NULL;
    enum gpucode_status status = gpucode_stream_open(inputs.recording, inputs.recording_size, NULL, &stream);
    if (status == GPUCODE_OK)
        status = gpucode_stream_stage_open(
            stream, &(struct gpucode_stream_decode_options){.target = gpucode_stream_target(stream)}, 0, NULL, &stage,
            NULL);
    struct gpucode_stage_unit unit;
    uint32_t value;
    if (stage)
        tell_number(gpucode_stream_stage_code(stage).address);
    for (size_t i = 0; gpucode_stream_stage_unit(stage, i, &unit); i++)
        tell(NULL, unit.kind, strlen(unit.kind));
    for (uint32_t i = 0; i < 16; i++)
        tell_number(gpucode_stream_stage_constant(stage, i, &value) ? value : 0);
    gpucode_stream_stage_free(stage);
    gpucode_stream_free(stream);
    return status;
}

/* Labels of a program as names, with those that were read. */
static enum gpucode_status symbols(void)
{
    struct code code;
    char *text = NULL;
    size_t length = 0;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &code);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_add(code.symbols, code.program);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_bind(code.symbols, code.image, nobody);
    if (status == GPUCODE_OK)
        status = gpucode_disassemble(
            code.image, &(struct gpucode_disasm_options){.label = gpucode_symbols_label, .user = code.symbols}, &text,
            &length);
    if (status == GPUCODE_OK)
        tell(NULL, text, length);
    free(text);
    close_code(&code);
    return status;
}

const struct call reading_calls[] = {{"source", source},
                                     {"searched", searched},
                                     {"noted", noted},
                                     {"compared", compared},
                                     {"listed", listed},
                                     {"picture", picture},
                                     {"log lines", log_lines},
                                     {"sections", sections},
                                     {"xml", xml},
                                     {"extracted", extracted},
                                     {"usage", usage},
                                     {"stages", stages},
                                     {"symbols", symbols},
                                     {NULL, NULL}};
