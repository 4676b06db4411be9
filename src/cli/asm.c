/* SPDX-License-Identifier: MIT */
/* gpucode asm: text to a binary file. */
#include "front/answer.h"
#include "front/code.h"
#include "front/file.h"
#include "front/input.h"
#include "front/names.h"
#include "front/outline.h"
#include "front/output.h"
#include "front/session.h"
#include "kit/kit.h"

#include <gpucode/asm.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_ASM
#include <gpucode/answer_rows.h>
ANSWER_TABLE(asm, "A program that was assembled.");

static bool is_object(const struct session *session)
{
    const char *form = session->arguments.value[OPTION_FORM];
    return form && strcmp(form, "elf") == 0;
}

/* The program as --form has it; *formed stays null for the bytes as they are. Returns an exit code. */
static int write_form(struct session *session, const struct gpucode_program *program, const struct file *source,
                      char **formed, size_t *size)
{
    const struct gpucode_target *target = gpucode_program_target(program);
    const struct kit *kit = kit_of(target);
    const char *form = session->arguments.value[OPTION_FORM];
    if (is_object(session))
        return object_write(session, program, source->name, formed, size);
    int code = form && kit && kit->form ? kit->form(session, program, form, formed, size) : EXIT_DONE;
    if (!code && !*formed)
        code = form_write(session, "binary", target, gpucode_program_bytes(program), *size, formed, size);
    return code;
}

static int write_results(struct session *session, const struct gpucode_program *program, const struct file *source)
{
    const struct arguments *arguments = &session->arguments;
    const char *path = arguments->value[OPTION_OUTPUT];
    struct outputs outputs = {.diagnostics = &session->diagnostics};
    struct listing listing = {0}, map = {0};
    const void *bytes = gpucode_program_bytes(program);
    size_t size = gpucode_program_size(program);
    char *formed = NULL;
    int code = write_form(session, program, source, &formed, &size);
    if (!code)
        code = outputs_add(&outputs, path ? path : "-", formed ? formed : bytes, size);
    if (!code && arguments->value[OPTION_LISTING]) {
        code = listing_of_lines(&listing, program)
                   ? outputs_add(&outputs, arguments->value[OPTION_LISTING], listing.text, listing.length)
                   : out_of_memory(&session->diagnostics);
    }
    if (!code && arguments->value[OPTION_MAP]) {
        code = listing_of_symbols(&map, program)
                   ? outputs_add(&outputs, arguments->value[OPTION_MAP], map.text, map.length)
                   : out_of_memory(&session->diagnostics);
    }
    if (!code)
        code = outputs_commit(&outputs);
    outputs_discard(&outputs);
    listing_free(&listing);
    listing_free(&map);
    free(formed);
    return code;
}

/* Tells what was written, as a JSON object; nothing when the bytes themselves went to standard output. */
static int tell_written(struct session *session, const struct gpucode_program *program, const struct file *source)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    if (!path || strcmp(path, "-") == 0)
        return EXIT_DONE;
    struct gpucode_answer *answer = answer_begin(session);
    gpucode_answer_begin(answer, &fields[WRITTEN]);
    gpucode_answer_text(answer, &fields[FILE_NAME], source->name);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(gpucode_program_target(program)));
    gpucode_answer_text(answer, &fields[OUTPUT_NAME], path);
    gpucode_answer_number(answer, &fields[SIZE], gpucode_program_size(program));
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}

/* What is wrong with a text that was cut off meanwhile is said once. */
static void report_unless_cut(void *user, const struct gpucode_diagnostic *diagnostic)
{
    if (!mapped_is_cut())
        diagnostics_report(user, diagnostic);
}

static int assemble(struct session *session, const struct gpucode_target *target, const struct file *source,
                    const struct gpucode_names *names)
{
    struct gpucode_asm_options options = {
        .target = target,
        .file = source->name,
        .names = names,
        .on_diagnostic = {report_unless_cut, &session->diagnostics},
        .passed = mapped_passed,
        .oversize = arguments_have(&session->arguments, OPTION_OVERSIZE),
        .record_lines =
            session->arguments.value[OPTION_LISTING] || session->arguments.value[OPTION_MAP] || is_object(session),
    };
    struct gpucode_program *program;
    enum gpucode_status status = input_assemble(session, source->bytes, source->size, &options, &program);
    int code = mapped_check(source, &session->diagnostics);
    if (code || status != GPUCODE_OK) {
        gpucode_program_free(program);
        return code ? code : code_status(session, source->name, status);
    }
    code = write_results(session, program, source);
    if (!code && session->json)
        code = tell_written(session, program, source);
    gpucode_program_free(program);
    return code;
}

/* --- routines replaced --- */

struct patches {
    struct gpucode_patch *list;
    struct file *files;
    unsigned count;
};

static void free_patches(struct patches *patches)
{
    for (unsigned i = 0; i < patches->count; i++)
        file_free(&patches->files[i]);
    free(patches->files);
    free(patches->list);
}

/* ROUTINE=SOURCE of each --patch; the name stands in the argument, which is the session's. Returns an exit code. */
static int read_patches(struct session *session, struct patches *patches, char *names)
{
    const char *text;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && (text = arguments_value_at(&session->arguments, OPTION_PATCH, i)); i++) {
        const char *equals = strchr(text, '=');
        if (!equals || equals == text || !equals[1])
            return complain(&session->diagnostics, CLI_PATCH, NULL, NULL, text);
        code = file_read(&patches->files[i], equals + 1, &session->diagnostics);
        if (code)
            break;
        patches->count++;
        memcpy(names, text, (size_t)(equals - text));
        patches->list[i] =
            (struct gpucode_patch){names, patches->files[i].name, patches->files[i].bytes, patches->files[i].size};
        names += equals - text;
        *names++ = 0;
    }
    return code;
}

static int patch_status(struct session *session, const struct input *input, const struct gpucode_patch *wrong,
                        enum gpucode_status status)
{
    if (status == GPUCODE_ERROR_RANGE && wrong)
        return complain(&session->diagnostics, CLI_PATCH_ROUTINE, input->file.name,
                        "`gpucode info --calls` lists the functions", wrong->routine);
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&session->diagnostics, CLI_TANGLED, input->file.name, NULL);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_CANNOT, input->file.name, NULL, gpucode_target_isa(input->target),
                        "asm --patch");
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, input->file.name, status);
}

/* The old image with the routines of the sources. Returns an exit code. */
static int patch_image(struct session *session, const struct input *input, const struct patches *patches)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    const struct gpucode_subject subject = input_subject(input);
    const struct gpucode_asm_options options = {.on_diagnostic = diagnostics_handler(&session->diagnostics),
                                                .include = input_include_beside,
                                                .user = session,
                                                .oversize = arguments_have(&session->arguments, OPTION_OVERSIZE)};
    struct gpucode_program *program = NULL;
    const struct gpucode_patch *wrong = NULL;
    bool told = path && strcmp(path, "-") != 0; /* else the code goes to standard output */
    struct gpucode_answer *answer = told ? answer_begin(session) : answer_begin_on(session, stderr);
    if (!answer)
        return out_of_memory(&session->diagnostics);
    enum gpucode_status status =
        gpucode_patch(&subject, patches->list, patches->count, &options, answer, &program, &wrong);
    int code = answer_end(session, answer);
    if (!code && status == GPUCODE_OK)
        code = write_results(session, program, &input->file);
    gpucode_program_free(program);
    if (status != GPUCODE_OK)
        return patch_status(session, input, wrong, status);
    return code;
}

static int command_patch(struct session *session)
{
    struct patches patches = {0};
    struct input input;
    size_t room = 0;
    unsigned count = session->arguments.count[OPTION_PATCH];
    for (unsigned i = 0; i < count; i++)
        room += strlen(arguments_value_at(&session->arguments, OPTION_PATCH, i)) + 1;
    char *names = malloc(room);
    patches.list = calloc(count, sizeof *patches.list);
    patches.files = calloc(count, sizeof *patches.files);
    bool good = names && patches.list && patches.files;
    int code = good ? read_patches(session, &patches, names) : out_of_memory(&session->diagnostics);
    if (!code && !(code = input_open(session, session->arguments.operands[0], &input))) {
        code = patch_image(session, &input, &patches);
        input_close(&input);
    }
    free_patches(&patches);
    free(names);
    return code;
}

int command_asm(struct session *session)
{
    const struct gpucode_target *target;
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct file source;
    const char *form = session->arguments.value[OPTION_FORM];
    bool binary = !form || strcmp(form, "binary") == 0;
    if (binary && !session->arguments.value[OPTION_OUTPUT] && session->on_terminal)
        return complain(&session->diagnostics, CLI_NO_OUTPUT, NULL, "name a file with -o");
    if (arguments_have(&session->arguments, OPTION_PATCH)) {
        int patched = command_patch(session);
        diagnostics_total(&session->diagnostics);
        return patched;
    }
    int code = code_target(session, &target);
    if (!code)
        code = mapped_open(&source, session->arguments.operands[0], &session->diagnostics);
    if (!code && (code = kinds_check_source(session, &source)) != 0)
        mapped_close(&source);
    if (!code) {
        bool names = registers_are_named(session) || arguments_have(&session->arguments, OPTION_SYMBOLS);
        const struct gpucode_target *named =
            !target && names ? gpucode_source_target_of(source.bytes, source.size, source.name) : target;
        code = registers_load(session, named, &registers);
        if (!code)
            code = symbols_load(session, named, registers_names(registers), &symbols);
        if (!code)
            code = assemble(session, target, &source, symbols_names(symbols, registers_names(registers)));
        mapped_close(&source);
        gpucode_symbols_free(symbols);
        registers_free(registers);
    }
    diagnostics_total(&session->diagnostics);
    return code;
}
