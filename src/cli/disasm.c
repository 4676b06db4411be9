/* SPDX-License-Identifier: MIT */
#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/coverage.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/outline.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "front/understood.h"
#include "kit/kit.h"

#include <errno.h>
#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOST_SHOWN 4 /* places that a warning names */

/* Places that code goes by, and whose numbers nobody can tell. */
static void tell_lost(struct session *session, const struct code *opened, const struct gpucode_lost_place *lost,
                      size_t count)
{
    const struct gpucode_image_info *info = gpucode_image_info(opened->image);
    char places[128];
    size_t used = 0;
    for (size_t i = 0; i < count && i < LOST_SHOWN; i++)
        used += (size_t)snprintf(places + used, sizeof places - used, "%s%.16s%s0x%x", i ? ", " : "",
                                 info->sections[lost[i].section].name, *info->sections[lost[i].section].name ? ":" : "",
                                 (unsigned)lost[i].at);
    if (count)
        complain(&session->diagnostics, CLI_LOST_PLACES, opened->file.name, NULL, (unsigned)count, count > 1 ? "s" : "",
                 count > 1 ? "" : "es", places, count > LOST_SHOWN ? ", ..." : "");
}

/*
 * Sets the constants in the options, and warns of places whose numbers are not known. *analysis, which has them, is
 * to be freed, null or not. Returns an exit code.
 */
static int disasm_edit(struct session *session, const struct code *opened, struct gpucode_disasm_options *options,
                       struct gpucode_analysis **analysis)
{
    bool complete;
    enum gpucode_status status = gpucode_analyse_places(opened->image, options->names, analysis, &complete);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_NO_EDIT, NULL, NULL,
                        gpucode_target_isa(gpucode_image_info(opened->image)->target));
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&session->diagnostics, CLI_TANGLED, opened->file.name, NULL);
    if (status != GPUCODE_OK)
        return code_status(session, opened->file.name, status);
    options->constants = gpucode_analysis_constants(*analysis, &options->constant_count);
    size_t count;
    const struct gpucode_lost_place *lost = gpucode_analysis_lost(*analysis, &count);
    options->constants_complete = complete;
    tell_lost(session, opened, lost, count);
    return EXIT_DONE;
}

/* Packets that are named where several lead to a function. */
#define PACKETS_SHOWN 4

struct parts {
    const struct understood *understood;
    struct gpucode_outline *outline;
    struct gpucode_notes *notes; /* null: no comments are wanted */
    bool *wanted;                /* of each unit of the image; null: all of it */
    FILE *out;
};

/* Does an option ask for such a listing? */
static bool disasm_parts_wanted(const struct session *session)
{
    return arguments_have(&session->arguments, OPTION_COMMENTS) ||
           arguments_have(&session->arguments, OPTION_GRAPH_FUNCTION) ||
           arguments_have(&session->arguments, OPTION_REACHABLE_FROM);
}

/* --- which units --- */

static void want_function(struct parts *parts, unsigned section, const struct gpucode_function *function)
{
    uint32_t start = parts->understood->info->sections[section].start;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block =
            gpucode_analysis_block(parts->understood->analysis, section, function->blocks[i]);
        for (uint32_t unit = block->start; unit < block->end; unit++)
            parts->wanted[start + unit] = true;
    }
}

/* The number of a packet by its name or "UNKN12"; false: there is none. */
static bool find_packet(const struct understood *understood, const char *name, unsigned *packet)
{
    char known[GPUCODE_NAME_MAX], number[16];
    for (*packet = 0; *packet < 128; ++*packet) {
        snprintf(number, sizeof number, "UNKN%u", *packet);
        if (strcmp(name, number) == 0 ||
            (gpucode_analysis_packet_name(understood->analysis, *packet, known, sizeof known) &&
             strcmp(name, known) == 0))
            return true;
    }
    return false;
}

/* The functions that are asked for, or false: there is no such place. */
static bool want_named(struct parts *parts, const char *function, const char *packet)
{
    const struct understood *understood = parts->understood;
    const struct gpucode_function *each;
    unsigned number = 0;
    bool found = false;
    if (packet && !find_packet(understood, packet, &number))
        return false;
    for (unsigned i = 0; i < understood->info->section_count; i++) {
        uint32_t unit = GPUCODE_NONE;
        bool here = function && gpucode_subject_locate(&understood->subject, i, function, &unit);
        uint32_t owner = here ? gpucode_analysis_owner(understood->analysis, i, unit) : GPUCODE_NONE;
        for (unsigned k = 0; (each = gpucode_analysis_function(understood->analysis, i, k)); k++) {
            if (k != owner && !(packet && each->reached_by[number / 64] >> number % 64 & 1))
                continue;
            want_function(parts, i, each);
            found = true;
        }
    }
    return found;
}

/* Returns an exit code. */
static int choose_units(struct parts *parts)
{
    struct session *session = parts->understood->session;
    const char *function = session->arguments.value[OPTION_GRAPH_FUNCTION];
    const char *packet = session->arguments.value[OPTION_REACHABLE_FROM];
    if (!function && !packet)
        return EXIT_DONE;
    if (!(parts->wanted = calloc((size_t)parts->understood->info->units + 1, sizeof *parts->wanted)))
        return out_of_memory(&session->diagnostics);
    /* each of the two on its own, so that a wrong name is told */
    if (function && !want_named(parts, function, NULL))
        return understood_no_place(parts->understood, function);
    if (packet && !want_named(parts, NULL, packet))
        return complain(&session->diagnostics, CLI_NO_PACKET, parts->understood->input->file.name, NULL, packet);
    return EXIT_DONE;
}

/* Does what is listed go to a terminal that wants colours, or to what --color says wants them? */
static bool is_painted(const struct session *session)
{
    const char *path = session->arguments.value[OPTION_OUTPUT], *form = session->arguments.value[OPTION_FORM];
    return session->color && !session->json && (!path || strcmp(path, "-") == 0) &&
           (!form || strcmp(form, "text") == 0);
}

static int write_text(struct session *session, const char *text, size_t length)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    if (is_painted(session)) {
        struct paint paint = {.out = stdout};
        bool good = paint_write(&paint, text, length);
        paint_end(&paint);
        return good ? EXIT_DONE : out_of_memory(&session->diagnostics);
    }
    struct outputs outputs = {.diagnostics = &session->diagnostics, .many = session->many};
    return outputs_close(&outputs, outputs_add(&outputs, path ? path : "-", text, length));
}

/* --- the text --- */

static bool is_wanted(const struct parts *parts, const struct gpucode_unit *unit)
{
    return !parts->wanted || (unit->unit < parts->understood->info->units && parts->wanted[unit->unit]);
}

/* A comment with the packets that lead to the function that begins here, unless they are those that it handles. */
static void put_packets(const struct parts *parts, const struct gpucode_unit *unit)
{
    char text[GPUCODE_NOTE_MAX];
    uint32_t index = unit->at <= UINT32_MAX ? understood_function(parts->understood, unit->section, (uint32_t)unit->at)
                                            : GPUCODE_NONE;
    const struct gpucode_function *function =
        gpucode_analysis_function(parts->understood->analysis, unit->section, index);
    if (!function || memcmp(function->reached_by, function->packets, sizeof function->packets) == 0 ||
        !gpucode_analysis_packets(parts->understood->analysis, function->reached_by, PACKETS_SHOWN, text, sizeof text))
        return;
    fprintf(parts->out, "; from %s\n", text);
}

/* What stands from the end of the unit before to the end of this one's line: labels, then its line. */
static void put_unit(const struct parts *parts, const struct gpucode_unit *unit, const char *from, const char *end)
{
    char note[GPUCODE_NOTE_MAX];
    if (parts->notes && *from == '\n') { /* the empty line in front of a routine */
        fputc(*from++, parts->out);
        put_packets(parts, unit);
    }
    if (!parts->notes || unit->kind != GPUCODE_UNIT_CODE || unit->at > UINT32_MAX ||
        !gpucode_notes_text(parts->notes, unit->section, (uint32_t)unit->at, note, sizeof note)) {
        fwrite(from, 1, (size_t)(end - from), parts->out);
        return;
    }
    fwrite(from, 1, (size_t)(end - from) - 1, parts->out);
    fprintf(parts->out, unit->comment.length ? "; %s\n" : "\t; %s\n", note);
}

static void put_head(const struct parts *parts)
{
    const struct session *session = parts->understood->session;
    const char *function = session->arguments.value[OPTION_GRAPH_FUNCTION];
    const char *packet = session->arguments.value[OPTION_REACHABLE_FROM];
    const char *name = parts->understood->input->file.name;
    fputs("; an excerpt of ", parts->out);
    excerpt_text(parts->out, name, strlen(name)); /* a newline in it would end the comment */
    fputs(", not a program:", parts->out);
    if (function)
        fprintf(parts->out, " %s", function);
    if (packet)
        fprintf(parts->out, "%s what %s leads to", function ? " and" : "", packet);
    fputc('\n', parts->out);
}

static void put_listing(const struct parts *parts)
{
    uint32_t count;
    size_t length;
    const char *text = gpucode_outline_text(parts->outline, &length), *from = text;
    const struct gpucode_unit *units = gpucode_outline_units(parts->outline, &count);
    unsigned section = UINT32_MAX;
    bool left_out = false;
    if (parts->wanted)
        put_head(parts);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && units[i + 1].line == units[i].line)
            continue; /* entries of a table share a line */
        const char *end = memchr(text + units[i].line, '\n', length - units[i].line);
        end = end ? end + 1 : text + length;
        if (is_wanted(parts, &units[i])) {
            if (parts->wanted && units[i].section != section && parts->understood->info->section_count > 1)
                fprintf(parts->out, "\n; section %s\n", parts->understood->info->sections[units[i].section].name);
            else if (left_out)
                fprintf(parts->out, "; ...\n");
            section = units[i].section;
            put_unit(parts, &units[i], from, end);
        }
        left_out = !is_wanted(parts, &units[i]);
        from = end;
    }
    if (!parts->wanted)
        fwrite(from, 1, (size_t)(text + length - from), parts->out);
}

/* --- all together --- */

static int make_outline(struct parts *parts)
{
    struct session *session = parts->understood->session;
    const struct input *input = parts->understood->input;
    struct gpucode_disasm_options options = {
        .names = input_names(input),
        .label = input->symbols ? gpucode_symbols_label : NULL,
        .user = input->symbols,
        .columns = arguments_have(&session->arguments, OPTION_VERBOSE),
        .gathered = arguments_have(&session->arguments, OPTION_COMMENTS),
    };
    const struct kit *kit = kit_of(input->target);
    if (kit && kit->listing)
        kit->listing(session, &options);
    enum gpucode_status status = gpucode_outline_create(input->image, &options, &parts->outline);
    if (status == GPUCODE_OK && arguments_have(&session->arguments, OPTION_COMMENTS))
        status = gpucode_notes_create(parts->understood->analysis, &parts->notes);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, input->file.name, status);
}

static void put_parts(FILE *out, const void *user)
{
    struct parts parts = *(const struct parts *)user;
    parts.out = out;
    put_listing(&parts);
}

static int write_parts(struct session *session, const struct parts *parts)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = text_stream_open(&text, &length);
    if (out)
        put_parts(out, parts);
    int code = out && text_stream_close(out) ? write_text(session, text, length) : out_of_memory(&session->diagnostics);
    free(text);
    return code;
}

static int list_parts(struct session *session, const struct understood *understood)
{
    struct parts parts = {.understood = understood};
    int code = input_check_comments(session, understood->input);
    if (!code)
        code = make_outline(&parts);
    if (!code)
        code = choose_units(&parts);
    if (!code)
        code = write_parts(session, &parts);
    gpucode_notes_free(parts.notes);
    gpucode_outline_free(parts.outline);
    free(parts.wanted);
    return code;
}

/* Writes it; FILE may be source. Returns an exit code. */
static int disasm_parts(struct session *session)
{
    if (session->json || session->arguments.value[OPTION_FORM] || arguments_have(&session->arguments, OPTION_RAW))
        return complain(&session->diagnostics, CLI_EXCERPT_FORM, NULL, NULL);
    return understood_first(session, list_parts);
}

/* gpucode disasm: a binary file to text. */

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
};

/* Writes the image to standard output in colour. */
static int paint_image(struct session *session, const struct gpucode_image *image,
                       const struct gpucode_disasm_options *options, const char *name)
{
    struct paint paint = {.out = stdout};
    enum gpucode_status status = gpucode_disassemble_to(image, options, paint_write, &paint);
    paint_end(&paint);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, name, status);
}

/* For outputs_add_made(). */
static bool make_text(void *user, int descriptor)
{
    const struct way_out *way = user;
    return output_made(gpucode_disassemble_to(way->image, way->options, output_write_piece, &descriptor));
}

/* Writes the image as the options say. */
static int list_image(struct session *session, const struct code *opened, const struct gpucode_disasm_options *options)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    struct way_out way = {.image = opened->image, .options = options};
    if (session->json)
        return disassemble_json(session, opened, options);
    if (is_painted(session))
        return paint_image(session, opened->image, options, opened->file.name);
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

/* --- pieces: instructions one after another, wherever they stand --- */

/* The text of each instruction, its address in front of it with -v; false: no instruction at *bad. */
static bool put_piece_lines(FILE *out, const struct gpucode_target *target, const unsigned char *bytes, size_t size,
                            uint64_t base, bool columns, size_t *bad)
{
    size_t unit = gpucode_target_unit_bytes(target);
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_format_options options = {.comments = true};
    for (*bad = 0; *bad < size; *bad += insn.size) {
        uint64_t at = base + *bad / unit;
        if (gpucode_decode(target, bytes + *bad, size - *bad, at, &insn) != GPUCODE_OK ||
            gpucode_format(&insn, &options, text, sizeof text, NULL) != GPUCODE_OK)
            return false;
        if (columns)
            fprintf(out, "%04" PRIx64 ": ", at);
        fprintf(out, "%s\n", text);
    }
    return true;
}

/* Options that need a whole file. */
static int refuse_for_piece(struct session *session)
{
    static const struct {
        unsigned id;
        const char *name;
    } options[] = {{OPTION_GRAPH_FUNCTION, "function"}, {OPTION_REACHABLE_FROM, "reachable-from"},
                   {OPTION_COMMENTS, "comments"},       {OPTION_EDIT, "edit"},
                   {OPTION_SYMBOLS, "symbols"},         {OPTION_REGISTERS, "registers"}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (arguments_have(&session->arguments, options[i].id))
            return complain(&session->diagnostics, CLI_PIECE_OPTION, NULL, NULL, options[i].name);
    return EXIT_DONE;
}

static int list_piece(struct session *session, const struct gpucode_target *target, const struct file *file,
                      uint64_t base)
{
    char *text = NULL;
    size_t length = 0, bad;
    if (!target)
        return complain(&session->diagnostics, CLI_PIECE_TARGET, file->name, "use -t TARGET");
    if (session->json || session->arguments.value[OPTION_FORM])
        return complain(&session->diagnostics, CLI_EXCERPT_FORM, NULL, NULL);
    FILE *out = text_stream_open(&text, &length);
    if (!out)
        return out_of_memory(&session->diagnostics);
    bool columns = arguments_have(&session->arguments, OPTION_VERBOSE);
    bool good = put_piece_lines(out, target, (const unsigned char *)file->bytes, file->size, base, columns, &bad);
    int code = text_stream_close(out) ? EXIT_DONE : out_of_memory(&session->diagnostics);
    if (!code && !good)
        code = complain(&session->diagnostics, CLI_PIECE, file->name, NULL, (unsigned)bad, gpucode_target_name(target));
    if (!code)
        code = write_text(session, text, length);
    free(text);
    return code;
}

/* -x HEX: instructions on the command line; --base: a file's, from that address on. Returns an exit code. */
static int disassemble_piece(struct session *session)
{
    const char *hex = session->arguments.value[OPTION_INSN];
    const struct gpucode_target *target;
    struct file file = {.name = "-x"};
    uint64_t base = 0;
    int code = refuse_for_piece(session);
    if (!code)
        code = code_target(session, &target);
    if (!code)
        code = value_number(session, OPTION_BASE, "an address", &base);
    if (!code && hex) {
        file.bytes = strdup(hex);
        file.size = strlen(hex);
        code = file.bytes ? file_from_hex(&file, &session->diagnostics) : out_of_memory(&session->diagnostics);
    } else if (!code) {
        code = code_read(session, session->arguments.operands[0], &file);
    }
    if (!code)
        code = list_piece(session, target, &file, base);
    file_free(&file);
    return code;
}

static int disassemble_file(struct session *session)
{
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct code opened;
    if (arguments_have(&session->arguments, OPTION_BASE))
        return disassemble_piece(session);
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
    if (arguments_have(&session->arguments, OPTION_INSN))
        return disassemble_piece(session);
    return fleet_command(session, disassemble_file, false);
}
