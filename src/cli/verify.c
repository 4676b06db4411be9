/* SPDX-License-Identifier: MIT */
/* gpucode verify: files to text and back, compared byte by byte. */
#include "front/answer.h"
#include "front/code.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/session.h"
#include "front/terminal.h"

#include <gpucode/asm.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_VERIFY
#include <gpucode/answer_rows.h>
ANSWER_TABLE(verify, "Files whose text assembles to the same bytes, and others.");

enum verdict { SAME, DIFFERENT, UNREADABLE, VERDICT_COUNT };

static const char *const verdict_names[VERDICT_COUNT] = {"same", "different", "unreadable"};

struct verify {
    struct session *session;
    const struct gpucode_target *target; /* of -t, or null */
    struct progress progress;
    struct fleet_files files;
    unsigned counts[VERDICT_COUNT];
};

/* What is said of one file. */
struct verdict_report {
    const char *file;
    enum verdict verdict;
    const char *target;
    bool raw_data; /* nobody knows the kind */
    size_t size;
    char detail[160];
};

static int tell_verdict(struct verify *verify, const struct verdict_report *verdict)
{
    progress_clear(&verify->progress);
    struct gpucode_answer *answer = answer_begin(verify->session);
    gpucode_answer_begin(answer, &fields[VERDICT]);
    gpucode_answer_text(answer, &fields[FILE_NAME], verdict->file);
    gpucode_answer_text(answer, &fields[RESULT], verdict_names[verdict->verdict]);
    if (verdict->verdict != UNREADABLE) {
        gpucode_answer_text(answer, &fields[TARGET], verdict->target);
        gpucode_answer_flag(answer, &fields[RAW_DATA], verdict->raw_data);
        gpucode_answer_number(answer, &fields[SIZE], verdict->size);
        gpucode_answer_text(answer, &fields[KIND],
                            verdict->raw_data ? "unknown kind, treated as raw data" : verdict->target);
    }
    gpucode_answer_text(answer, &fields[DETAIL], verdict->detail[0] ? verdict->detail : NULL);
    gpucode_answer_end(answer);
    return answer_end(verify->session, answer);
}

static void compare_bytes(struct verdict_report *report, const struct file *file, const struct gpucode_program *program)
{
    const unsigned char *old = (const unsigned char *)file->bytes, *new = gpucode_program_bytes(program);
    size_t size = gpucode_program_size(program), shorter = size < file->size ? size : file->size, at = 0;
    while (at < shorter && old[at] == new[at])
        at++;
    if (at == size && at == file->size)
        return;
    report->verdict = DIFFERENT;
    if (at < shorter)
        snprintf(report->detail, sizeof report->detail, "byte 0x%zx was %02x and came back as %02x", at, old[at],
                 new[at]);
    else
        snprintf(report->detail, sizeof report->detail, "came back with %zu bytes", size);
}

/* Assembles the text of a file again and compares. `target` is null where the text itself must tell it. */
static int reassemble(struct verify *verify, struct verdict_report *report, const struct file *file, const char *text,
                      size_t length, const struct gpucode_target *target, const struct gpucode_names *names)
{
    struct gpucode_asm_options options = {
        .target = target,
        .file = file->name,
        .names = names,
        .on_diagnostic = diagnostics_handler(&verify->session->diagnostics),
    };
    struct gpucode_program *program;
    enum gpucode_status status = gpucode_assemble(text, length, &options, &program);
    if (status == GPUCODE_ERROR_INPUT) {
        report->verdict = DIFFERENT;
        snprintf(report->detail, sizeof report->detail, "its text does not assemble");
        return EXIT_DONE;
    }
    if (status != GPUCODE_OK)
        return code_status(verify->session, file->name, status);
    compare_bytes(report, file, program);
    gpucode_program_free(program);
    return EXIT_DONE;
}

static int check_image(struct verify *verify, struct verdict_report *report, const struct file *file,
                       const struct gpucode_image *image)
{
    struct session *session = verify->session;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    int code = registers_load(session, info->target, &registers);
    if (!code)
        code = symbols_load(session, info->target, registers_names(registers), &symbols);
    if (!code)
        code = symbols_bind(session, symbols, NULL, image, file->name);
    if (code) {
        gpucode_symbols_free(symbols);
        registers_free(registers);
        return code;
    }
    struct gpucode_disasm_options options = {
        .names = symbols_names(symbols, registers_names(registers)),
        .label = symbols ? gpucode_symbols_label : NULL,
        .user = symbols,
        .raw = arguments_have(&session->arguments, OPTION_RAW),
    };
    char *text;
    size_t length;
    enum gpucode_status status = gpucode_disassemble(image, &options, &text, &length);
    if (status == GPUCODE_OK) {
        /* where the text does not tell the target, or there is one of policies, it is what -t says */
        bool told = !info->target_given || (!session->target && gpucode_source_target(text, length));
        code = reassemble(verify, report, file, text, length, told ? NULL : info->target, options.names);
        free(text);
    } else {
        code = code_status(session, file->name, status);
    }
    gpucode_symbols_free(symbols);
    registers_free(registers);
    return code;
}

/* A file of a kind that `target`, or its bytes, tell. */
static int check_bytes(struct verify *verify, struct verdict_report *report, const struct file *file,
                       const struct gpucode_target *target)
{
    struct session *session = verify->session;
    struct diagnostics quiet = {.mute = true};
    struct gpucode_image *image;
    struct gpucode_image_options options = {
        .target = target,
        .file_name = file->name,
        .raw = arguments_have(&session->arguments, OPTION_RAW),
        /* without a target the kind may be unknown, which is not an error here */
        .on_diagnostic = diagnostics_handler(target ? &session->diagnostics : &quiet),
    };
    enum gpucode_status status = gpucode_image_open(file->bytes, file->size, &options, &image);
    if (status == GPUCODE_ERROR_INPUT && !target) {
        report->raw_data = true;
        options.target = gpucode_target_find("data");
        status = gpucode_image_open(file->bytes, file->size, &options, &image);
    }
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    report->target = gpucode_target_name(gpucode_image_info(image)->target);
    int code = check_image(verify, report, file, image);
    gpucode_image_free(image);
    return code;
}

/* The work of struct fleet; the record is the verdict. */
static int check_file(void *user, size_t index, void *record)
{
    struct verify *verify = user;
    struct file file;
    struct verdict_report report = {.file = verify->files.paths[index]};
    const struct gpucode_target *target = verify->target;
    bool object;
    int code = code_read(verify->session, report.file, &file);
    if (!code) {
        code = object_unwrap(verify->session, &file, &target, &object);
        report.size = file.size;
        if (!code)
            code = check_bytes(verify, &report, &file, target);
        file_free(&file);
    }
    if (code)
        report.verdict = UNREADABLE;
    else if (report.verdict == DIFFERENT)
        code = EXIT_FINDINGS;
    int told = tell_verdict(verify, &report);
    *(enum verdict *)record = report.verdict;
    return told ? told : code;
}

static void count_file(void *user, size_t index, int code, const void *record)
{
    struct verify *verify = user;
    progress_show(&verify->progress, verify->files.paths[index], (int)index + 1, (int)verify->files.count);
    /* a file whose process is lost has no verdict */
    verify->counts[code > EXIT_FINDINGS ? UNREADABLE : *(const enum verdict *)record]++;
}

static int tell_total(const struct verify *verify, size_t files)
{
    struct gpucode_answer *answer = answer_begin(verify->session);
    gpucode_answer_begin(answer, &fields[TOTAL]);
    gpucode_answer_number(answer, &fields[FILES], files);
    gpucode_answer_number(answer, &fields[ARE_SAME], verify->counts[SAME]);
    gpucode_answer_number(answer, &fields[ARE_DIFFERENT], verify->counts[DIFFERENT]);
    gpucode_answer_number(answer, &fields[ARE_UNREADABLE], verify->counts[UNREADABLE]);
    if (verify->counts[UNREADABLE])
        gpucode_answer_number(answer, &fields[UNREADABLE_SHOWN], verify->counts[UNREADABLE]);
    gpucode_answer_end(answer);
    return answer_end(verify->session, answer);
}

int command_verify(struct session *session)
{
    struct verify verify = {.session = session};
    int code = code_target(session, &verify.target);
    if (!code)
        code = fleet_files(session, &verify.files);
    if (code)
        return code;
    progress_begin(&verify.progress);
    session->diagnostics.before = progress_clear;
    session->diagnostics.user = &verify.progress;
    struct fleet fleet = {.session = session, .work = check_file, .done = count_file, .user = &verify};
    code = fleet_run(&fleet, verify.files.count);
    progress_clear(&verify.progress);
    /* where a number of processes is refused no file was looked at */
    bool any = verify.counts[SAME] || verify.counts[DIFFERENT] || verify.counts[UNREADABLE];
    int told = code && !any ? code : tell_total(&verify, verify.files.count);
    session->diagnostics.before = NULL;
    fleet_files_free(&verify.files);
    return told ? told : code;
}
