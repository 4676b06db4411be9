/* SPDX-License-Identifier: MIT */
#include "front/input.h"

#include "front/code.h"
#include "front/file.h"
#include "front/names.h"
#include "front/session.h"
#include "utf8/utf8.h"

#include <errno.h>
#include <gpucode/target.h>
#include <stdlib.h>
#include <string.h>

/* Made when somebody asks, of an input that does not change. */
struct input_places {
    struct diagnostics *diagnostics;
    struct gpucode_outline *outline;
    struct gpucode_analysis *analysis;
    struct gpucode_notes *notes;
    bool tried, analysed;
    enum gpucode_status analysis_status;
};

/*
 * A source with bytes that are not UTF-8, which must not be taken for code and run: there are lines, no control
 * characters as binary code has them, and most of it is ASCII. *at: the first such byte.
 */
static bool is_damaged_text(const char *bytes, size_t size, size_t *at)
{
    size_t ascii = 0, lines = 0;
    bool found = false;
    for (size_t i = 0, length; i < size; i += length ? length : 1) {
        uint32_t character = 0;
        length = utf8_decode(bytes + i, size - i, &character);
        if (length && ((character < ' ' && (!character || !strchr("\t\n\v\f\r", (int)character))) || character == 0x7f))
            return false;
        ascii += length == 1;
        lines += character == '\n';
        if (!length && !found)
            *at = i;
        found |= !length;
    }
    return found && lines && ascii >= size - size / 4;
}

static int refuse_damaged_text(struct session *session, const struct input *input, size_t at)
{
    const char *start = input->file.bytes, *byte = start + at, *line = byte;
    struct gpucode_diagnostic place = {.file = input->file.name, .line = 1, .length = 1};
    for (const char *c = start; c < byte; c++)
        place.line += *c == '\n';
    while (line > start && line[-1] != '\n')
        line--;
    place.column = (unsigned)(byte - line) + 1;
    return complain_at(&session->diagnostics, CLI_NOT_UTF8, &place, NULL, (unsigned)(unsigned char)*byte);
}

struct includes {
    const struct session *session;
    const char *source;
};

/* A file that stands in the folder of `file` or below, or with `is_folder` in that folder. As gpucode_include_open().
 */
static int open_below(const char *file, bool is_folder, const char *from, const char *name)
{
    const char *slash = is_folder ? NULL : strrchr(file, '/');
    char *root = is_folder ? strdup(file) : slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
    errno = ENOMEM;
    int descriptor = root ? gpucode_include_open(root, from, name) : -1, error = errno;
    free(root);
    errno = error;
    return descriptor;
}

static int open_included(const struct includes *includes, const char *from, const char *name)
{
    const struct session *session = includes->session;
    const struct arguments *arguments = &session->arguments;
    bool outside = false;
    for (int i = -3; i < (int)arguments->given_count; i++) {
        const char *root = i == -3   ? includes->source
                           : i == -2 ? session->beside
                           : i == -1 ? arguments->value[OPTION_INCLUDE_ROOT]
                                     : arguments_value_at(arguments, OPTION_INCLUDE_FOLDER, (unsigned)i);
        int descriptor = root ? open_below(root, i >= -1, from, name) : -1;
        if (descriptor >= 0 || (root && errno == ENOMEM))
            return descriptor;
        outside |= root && errno == EXDEV;
    }
    errno = outside ? EXDEV : ENOENT;
    return -1;
}

/* gpucode_asm_options.include; the library reports a failure. */
static bool input_include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    struct diagnostics quiet = {.mute = true};
    struct file file;
    int descriptor = open_included(user, from, name);
    *length = descriptor >= 0 ? 0 : errno == ENOMEM ? GPUCODE_NO_MEMORY : errno == EXDEV ? GPUCODE_OUTSIDE : 0;
    if (descriptor < 0)
        return false;
    if (file_read_open(&file, name, descriptor, &quiet)) {
        *length = quiet.lacked_memory ? GPUCODE_NO_MEMORY : 0;
        return false;
    }
    *text = file.bytes;
    *length = file.size;
    return true;
}

bool input_include_beside(void *user, const char *from, const char *name, char **text, size_t *length)
{
    struct includes includes = {user, from};
    return input_include(&includes, from, name, text, length);
}

enum gpucode_status input_assemble(const struct session *session, const char *text, size_t length,
                                   struct gpucode_asm_options *options, struct gpucode_program **program)
{
    const struct arguments *arguments = &session->arguments;
    struct includes includes = {session, options->file};
    const char **folders = calloc(arguments->given_count + 1, sizeof *folders);
    *program = NULL;
    if (!folders)
        return GPUCODE_ERROR_MEMORY;
    for (unsigned i = 0; i < arguments->given_count; i++)
        folders[i] = arguments_value_at(arguments, OPTION_INCLUDE_FOLDER, i);
    options->include = input_include;
    options->user = &includes;
    struct held_diagnostics held = {.to = options->on_diagnostic};
    if (held.to.report)
        options->on_diagnostic = (struct gpucode_diagnostic_handler){diagnostics_hold, &held};
    enum gpucode_status status = gpucode_assemble_with(text, length, options, folders, program);
    options->on_diagnostic = held.to;
    diagnostics_release(&held);
    free(folders);
    return status;
}

static int assemble(struct session *session, struct input *input)
{
    struct gpucode_asm_options options = {
        .target = input->target,
        .file = input->file.name,
        .names = input_names(input),
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
        .oversize = arguments_have(&session->arguments, OPTION_OVERSIZE),
        .record_lines = true,
        .record_tokens = true,
    };
    enum gpucode_status status =
        input_assemble(session, input->file.bytes, input->file.size, &options, &input->program);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    input->target = gpucode_program_target(input->program);
    int code = session->assembled ? session->assembled(session, input->file.name, input->program) : EXIT_DONE;
    if (code)
        return code;
    input->bytes = gpucode_program_bytes(input->program);
    input->size = gpucode_program_size(input->program);
    return EXIT_DONE;
}

bool input_gives(const struct session *session, const struct input *input, const char *text, size_t length,
                 const void *bytes, size_t size)
{
    struct gpucode_asm_options options = {
        .target = input->target,
        .file = input->file.name,
        .names = input_names(input),
        .oversize = arguments_have(&session->arguments, OPTION_OVERSIZE),
    };
    struct gpucode_program *program;
    if (input_assemble(session, text, length, &options, &program) != GPUCODE_OK)
        return false;
    bool same =
        gpucode_program_size(program) == size && (!size || memcmp(gpucode_program_bytes(program), bytes, size) == 0);
    gpucode_program_free(program);
    return same;
}

static int open_image(struct session *session, struct input *input)
{
    struct gpucode_image_options options = {.target = input->target,
                                            .file_name = input->file.name,
                                            .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_image_open(input->bytes, input->size, &options, &input->image);
    if (status != GPUCODE_OK) {
        int code = code_status(session, input->file.name, status);
        if (status == GPUCODE_ERROR_INPUT && !input->target)
            kinds_tell(session, &input->file);
        return code;
    }
    input->target = gpucode_image_info(input->image)->target;
    return EXIT_DONE;
}

static int load_names(struct session *session, struct input *input, const struct gpucode_target *target)
{
    int code = registers_load(session, target, &input->registers);
    return code ? code : symbols_load(session, target, registers_names(input->registers), &input->symbols);
}

/*
 * The labels of a source are names as those of --symbols are. Without --symbols nobody wants to hear of labels that
 * cannot stand in a listing; they are left out.
 */
static int bind_symbols(struct session *session, struct input *input)
{
    if (input->symbols)
        return symbols_bind(session, input->symbols, input->program, input->image, input->file.name);
    if (!input->program)
        return EXIT_DONE;
    enum gpucode_status status =
        gpucode_symbols_create(input->target, registers_names(input->registers), &input->symbols);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_add(input->symbols, input->program);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_bind(input->symbols, input->image, (struct gpucode_diagnostic_handler){0});
    return status == GPUCODE_OK || status == GPUCODE_ERROR_INPUT ? EXIT_DONE
                                                                 : code_status(session, input->file.name, status);
}

/* Names are known before a source is read: it may use them. */
static int open_source(struct session *session, struct input *input)
{
    const struct gpucode_target *target =
        input->target ? input->target : gpucode_source_target_of(input->file.bytes, input->file.size, input->file.name);
    int code = kinds_check_source(session, &input->file);
    if (!code)
        code = load_names(session, input, target);
    if (!code)
        code = assemble(session, input);
    return code ? code : open_image(session, input);
}

/* After the image was opened: names, and what is kept beside it. */
static int finish(struct session *session, struct input *input, bool source, int code)
{
    if (!code && !source)
        code = load_names(session, input, input->target);
    if (!code)
        code = arguments_check_set(&session->arguments, &session->diagnostics, session->command,
                                   gpucode_target_isa(input->target));
    if (!code)
        code = bind_symbols(session, input);
    if (!code && !(input->places = calloc(1, sizeof *input->places)))
        code = out_of_memory(&session->diagnostics);
    if (code)
        input_close(input);
    else
        input->places->diagnostics = &session->diagnostics;
    return code;
}

int input_open_code(struct session *session, const struct file *file, const struct gpucode_target *target,
                    struct input *input)
{
    *input = (struct input){.file = *file, .target = target, .bytes = file->bytes, .size = file->size};
    return finish(session, input, false, open_image(session, input));
}

int input_open(struct session *session, const char *path, struct input *input)
{
    *input = (struct input){0};
    bool hex = arguments_have(&session->arguments, OPTION_HEX), object;
    int code = code_target(session, &input->target);
    if (!code)
        code = hex ? code_read(session, path, &input->file) : file_read(&input->file, path, &session->diagnostics);
    if (!code && session->read && (code = session->read(session, &input->file)))
        file_free(&input->file);
    if (code)
        return code;
    code = object_unwrap(session, &input->file, &input->target, &object);
    if (code) {
        input_close(input);
        return code;
    }
    bool source = !object && code_is_source(session, &input->file), chosen = input->target;
    input->bytes = input->file.bytes;
    input->size = input->file.size;
    size_t wrong = 0;
    if (!hex && !object && !source && is_damaged_text(input->file.bytes, input->file.size, &wrong))
        code = refuse_damaged_text(session, input, wrong);
    else if (source)
        code = open_source(session, input);
    else
        code = open_image(session, input);
    if (!code && !source && !input->size && !chosen)
        code = complain(&session->diagnostics, CLI_NO_CODE, input->file.name, NULL);
    return finish(session, input, source, code);
}

bool input_next(struct session *session, struct input *input, int *code)
{
    if (++session->part >= session->parts)
        return false;
    struct file file = input->file;
    const struct gpucode_target *target = input->target;
    input->file = (struct file){0};
    input_close(input);
    *input = (struct input){.file = file, .target = target};
    *code = finish(session, input, true, open_source(session, input));
    return true;
}

const struct gpucode_names *input_names(const struct input *input)
{
    return symbols_names(input->symbols, registers_names(input->registers));
}

int input_check_whole(struct session *session, const struct input *input)
{
    size_t unit = gpucode_target_unit_bytes(input->target);
    if (!gpucode_target_facts(input->target)->whole_code)
        return EXIT_DONE;
    if (!input->size)
        return complain(&session->diagnostics, CLI_NO_CODE, input->file.name, NULL);
    if (input->size % unit)
        return complain(&session->diagnostics, CLI_CUT_OFF, input->file.name, NULL, (unsigned)(input->size % unit),
                        (unsigned)unit);
    return EXIT_DONE;
}

bool input_insn(const struct input *input, unsigned section, uint64_t unit, struct gpucode_insn *insn)
{
    const struct gpucode_image_info *info = gpucode_image_info(input->image);
    size_t unit_bytes = gpucode_target_unit_bytes(input->target), size;
    const unsigned char *bytes = gpucode_image_bytes(input->image, &size);
    if (unit >= info->sections[section].size)
        return false;
    size_t offset = info->prefix + (size_t)(info->sections[section].start + unit) * unit_bytes;
    return offset < size && gpucode_decode(input->target, bytes + offset, size - offset, unit, insn) == GPUCODE_OK;
}

bool input_insn_text(const struct input *input, unsigned section, uint64_t unit,
                     const struct gpucode_format_options *options, char text[GPUCODE_TEXT_MAX])
{
    struct gpucode_insn insn;
    return input_insn(input, section, unit, &insn) &&
           gpucode_format(&insn, options, text, GPUCODE_TEXT_MAX, NULL) == GPUCODE_OK;
}

const struct gpucode_outline *input_outline(const struct input *input)
{
    struct gpucode_disasm_options options = {.names = input_names(input),
                                             .label = input->symbols ? gpucode_symbols_label : NULL,
                                             .user = input->symbols,
                                             .gathered = true};
    if (input->places->tried) /* nothing is written then: threads may ask */
        return input->places->outline;
    if (gpucode_outline_create(input->image, &options, &input->places->outline) != GPUCODE_OK) {
        input->places->outline = NULL; /* no memory is the only reason */
        out_of_memory(input->places->diagnostics);
    }
    input->places->tried = true;
    return input->places->outline;
}

struct gpucode_subject input_subject(const struct input *input)
{
    return (struct gpucode_subject){
        .image = input->image,
        .file = input->file.name,
        .names = input_names(input),
        .program = input->program,
        .symbols = input->symbols,
    };
}

const struct gpucode_analysis *input_analysis(const struct input *input)
{
    const struct gpucode_analysis_options options = {.names = input_names(input)};
    struct input_places *places = input->places;
    if (places->analysed)
        return places->analysis;
    places->analysed = true;
    places->analysis_status = GPUCODE_ERROR_UNSUPPORTED;
    if (!gpucode_can_follow_values(input->target))
        return NULL;
    enum gpucode_status status = gpucode_analyse(input->image, &options, &places->analysis);
    if (status == GPUCODE_OK)
        status = gpucode_notes_create(places->analysis, &places->notes);
    places->analysis_status = status;
    if (status == GPUCODE_ERROR_MEMORY)
        out_of_memory(places->diagnostics);
    return places->analysis;
}

const struct gpucode_notes *input_notes(const struct input *input)
{
    return input_analysis(input) ? input->places->notes : NULL;
}

int input_refuse(struct session *session, const struct input *input, enum gpucode_status status)
{
    static const enum option_id asking[] = {OPTION_GRAPH_FUNCTION, OPTION_REACHABLE_FROM, OPTION_CALLS,
                                            OPTION_PRIVILEGES};
    const char *set = gpucode_target_isa(input->target), *name = input->file.name;
    struct diagnostics *diagnostics = &session->diagnostics;
    if (status == GPUCODE_ERROR_RANGE)
        return complain(diagnostics, CLI_TANGLED, name, NULL);
    if (status != GPUCODE_ERROR_UNSUPPORTED)
        return code_status(session, name, status);
    if (arguments_have(&session->arguments, OPTION_COMMENTS))
        return complain(diagnostics, CLI_NO_COMMENTS, name, NULL, set);
    char what[64];
    snprintf(what, sizeof what, "%s", session->command->name);
    for (unsigned i = 0; i < sizeof asking / sizeof *asking; i++)
        if (arguments_have(&session->arguments, asking[i]))
            snprintf(what, sizeof what, "%s --%s", session->command->name, option_table[asking[i]].name);
    return complain(diagnostics, CLI_CANNOT, name, NULL, set, what);
}

int input_check_comments(struct session *session, const struct input *input)
{
    if (!arguments_have(&session->arguments, OPTION_COMMENTS) || input_notes(input))
        return EXIT_DONE;
    if (input->places->analysis_status == GPUCODE_ERROR_MEMORY)
        return EXIT_FAULT; /* input_analysis() said so */
    return input_refuse(session, input, input->places->analysis_status);
}

void input_close(struct input *input)
{
    if (input->places) {
        gpucode_notes_free(input->places->notes);
        gpucode_analysis_free(input->places->analysis);
        gpucode_outline_free(input->places->outline);
    }
    free(input->places);
    gpucode_symbols_free(input->symbols);
    gpucode_image_free(input->image);
    gpucode_program_free(input->program);
    registers_free(input->registers);
    file_free(&input->file);
    *input = (struct input){0};
}

unsigned facts_entries(const struct gpucode_program *program, uint64_t entries[FACTS_ENTRIES_MAX])
{
    struct gpucode_symbol symbol;
    bool first = false;
    unsigned count = 0;
    if (!program || !gpucode_target_facts(gpucode_program_target(program))->entry_labels)
        return 0;
    for (unsigned i = 0; gpucode_program_symbol(program, i, &symbol) && count < FACTS_ENTRIES_MAX - 1; i++)
        if (symbol.section && strlen(symbol.name) == 6 && strncmp(symbol.name, "entry", 5) == 0 &&
            symbol.name[5] >= '0' && symbol.name[5] <= '3') {
            entries[count++] = symbol.unit;
            first |= symbol.name[5] == '0';
        }
    if (count && !first) /* entry point 0 is at 0 unless the source places it */
        entries[count++] = 0;
    return count;
}

struct gpucode_declaration *facts_declarations(const struct gpucode_program *program, unsigned *count)
{
    struct gpucode_declaration one;
    unsigned all = 0;
    while (program && gpucode_program_declaration(program, all, &one))
        all++;
    struct gpucode_declaration *declarations = calloc(all + 1, sizeof *declarations);
    for (*count = 0; declarations && *count < all; ++*count)
        gpucode_program_declaration(program, *count, &declarations[*count]);
    return declarations;
}
