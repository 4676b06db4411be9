/* SPDX-License-Identifier: MIT */
/*
 * calls ROOT [NAME]: what the library does when one allocation fails, each of those that a call makes, alone and with
 * all after it: it says that there is no memory, or the answer is the one that it gives with memory enough; and
 * everything is freed again. With GPUCODE_LONG_TESTS every allocation fails once, else some hundred of each call.
 */
#include "calls.h"

#include "allocation.h"

#include <gpucode/crash.h>
#include <gpucode/debug.h>
#include <gpucode/elf.h>
#include <gpucode/lint.h>
#include <gpucode/machine.h>
#include <gpucode/report.h>
#include <gpucode/schedule.h>
#include <gpucode/stream.h>
#include <gpucode/stream_decode.h>
#include <gpucode/stream_source.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MAX = 1 << 20, TRIES = 2000 };

/* What a call answers: it stays in the same place, so that nothing is allocated for it. */
struct told {
    size_t length;
    char text[ANSWER_MAX];
};

static struct told right, now, *told;
struct inputs inputs;

bool tell(void *user, const char *text, size_t length)
{
    (void)user;
    if (length > ANSWER_MAX - told->length)
        length = ANSWER_MAX - told->length;
    memcpy(told->text + told->length, text, length);
    told->length += length;
    return true;
}

void tell_number(unsigned long long number)
{
    char text[24];
    tell(NULL, text, (size_t)snprintf(text, sizeof text, "%llu ", number));
}

static void *read_file(const char *root, const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    *size = (size_t)ftell(file);
    char *bytes = malloc(*size + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        exit(2);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

/* The text with the first of something replaced. */
static char *with(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    char *result = malloc(strlen(text) + strlen(new) + 1);
    if (!at || !result)
        exit(2);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return result;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

enum gpucode_status open_code(const char *text, const char *target, struct code *code)
{
    static const char names[] = "* 0x3 third\n= 0x20 twenty\n";
    const struct gpucode_target *of = target ? gpucode_target_find(target) : NULL;
    const struct gpucode_asm_options options = {.target = of, .record_lines = true};
    *code = (struct code){0};
    enum gpucode_status status = gpucode_assemble(text, strlen(text), &options, &code->program);
    const struct gpucode_image_options open = {.target = code->program ? gpucode_program_target(code->program) : NULL};
    if (status == GPUCODE_OK)
        status = gpucode_image_open(gpucode_program_bytes(code->program), gpucode_program_size(code->program), &open,
                                    &code->image);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_create(gpucode_image_info(code->image)->target, NULL, &code->symbols);
    if (status == GPUCODE_OK)
        status = gpucode_symbols_read(code->symbols, names, sizeof names - 1, "names",
                                      (struct gpucode_diagnostic_handler){0});
    if (status == GPUCODE_OK)
        status = gpucode_symbols_bind(code->symbols, code->image, (struct gpucode_diagnostic_handler){0});
    if (status == GPUCODE_OK)
        status = gpucode_analyse(code->image, NULL, &code->analysis);
    if (status == GPUCODE_OK)
        status = gpucode_outline_create(code->image, NULL, &code->outline);
    code->subject = (struct gpucode_subject){code->image, "file",        code->analysis, code->outline,
                                             NULL,        code->program, code->symbols};
    return status;
}

void close_code(struct code *code)
{
    gpucode_outline_free(code->outline);
    gpucode_analysis_free(code->analysis);
    gpucode_symbols_free(code->symbols);
    gpucode_image_free(code->image);
    gpucode_program_free(code->program);
}

enum gpucode_status show(struct gpucode_answer *answer, enum gpucode_status status)
{
    for (int form = GPUCODE_ANSWER_AS_TEXT; status == GPUCODE_OK && form <= GPUCODE_ANSWER_AS_HTML; form++)
        status = gpucode_answer_render(
            answer, &(struct gpucode_answer_options){.form = (enum gpucode_answer_form)form, .write = tell});
    gpucode_answer_free(answer);
    return status;
}

static enum gpucode_status report_one(const struct gpucode_subject *subject, unsigned which)
{
    static const char *const wanted[] = {"memory", "@SCRATCH_REG0", "$02", "leaf", "CP_NOP"};
    static const struct gpucode_patch patch = {"deeper", "patch", "\tadd $02, $02, 0x1\n\tret\n\tnop\n", 29};
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_program *program = NULL;
    enum gpucode_status status = answer ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    if (status != GPUCODE_OK)
        return status;
    switch (which) {
    case 0:
        status = gpucode_report_calls(subject, answer);
        break;
    case 1:
        status = gpucode_report_graph(subject, &(struct gpucode_graph_options){.text = true}, answer);
        break;
    case 2:
        status = gpucode_report_privileges(subject, answer);
        break;
    case 3:
        status = gpucode_patch(subject, &patch, 1, NULL, answer, &program, NULL);
        gpucode_program_free(program);
        break;
    default:
        status = gpucode_report_references(subject, wanted[which - 4], answer, NULL);
    }
    return show(answer, status);
}

static enum gpucode_status reports(void)
{
    struct code code;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &code);
    for (unsigned which = 0; status == GPUCODE_OK && which < 9; which++)
        if (which != 2) /* handlers run on the machine, many times */
            status = report_one(&code.subject, which);
    close_code(&code);
    return status;
}

static enum gpucode_status changes(void)
{
    static const char names[] = "* 0xb first\n* 0x45 alone_\n= 0x3 three\n* 0x59 gone\n";
    const struct gpucode_symbol_text text = {"names", names, sizeof names - 1};
    struct code old, new = {0};
    char *carried = NULL;
    size_t length = 0;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &old);
    if (status == GPUCODE_OK)
        status = open_code(inputs.changed, NULL, &new);
    struct gpucode_answer *answer = gpucode_answer_create(), *other = gpucode_answer_create();
    if (status == GPUCODE_OK && (!answer || !other))
        status = GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK)
        status = gpucode_report_changes(&old.subject, &new.subject, answer, NULL);
    if (status == GPUCODE_OK)
        status = gpucode_report_carried(&old.subject, &new.subject, &text, (struct gpucode_diagnostic_handler){0},
                                        other, &carried, &length, NULL);
    if (status == GPUCODE_OK)
        tell(NULL, carried, length);
    free(carried);
    status = show(answer, status);
    status = show(other, status);
    close_code(&old);
    close_code(&new);
    return status;
}

static enum gpucode_status shaders(void)
{
    struct code old, new = {0};
    char *text = NULL;
    enum gpucode_status status = open_code(inputs.shader, NULL, &old);
    if (status == GPUCODE_OK)
        status = open_code(inputs.other_shader, NULL, &new);
    struct gpucode_answer *answer = gpucode_answer_create();
    if (status == GPUCODE_OK && !answer)
        status = GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK)
        status = gpucode_report_block_changes(&old.subject, &new.subject, answer, NULL);
    status = show(answer, status);
    if (status == GPUCODE_OK)
        status = report_one(&old.subject, 1);
    free(text);
    close_code(&old);
    close_code(&new);
    return status;
}

static enum gpucode_status outlines(void)
{
    const char *const texts[] = {inputs.firmware, inputs.shader, inputs.script, inputs.macros};
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 4; i++) {
        struct code code;
        size_t length = 0;
        status = open_code(texts[i], i == 3 ? "mme:fermi" : NULL, &code);
        if (status == GPUCODE_OK)
            tell(NULL, gpucode_outline_text(code.outline, &length),
                 gpucode_outline_text(code.outline, &length) ? length : 0);
        close_code(&code);
    }
    return status;
}

static enum gpucode_status crashes(void)
{
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 2; i++) {
        struct gpucode_crash *crash = NULL;
        void *bytes = NULL;
        size_t size = 0;
        status =
            gpucode_crash_open(i ? inputs.work : inputs.dump, i ? inputs.work_size : inputs.dump_size, NULL, &crash);
        struct gpucode_answer *answer = gpucode_answer_create();
        if (status == GPUCODE_OK)
            status = answer ? gpucode_crash_explain(crash, NULL, answer) : GPUCODE_ERROR_MEMORY;
        status = show(answer, status);
        if (status == GPUCODE_OK)
            status = gpucode_crash_redact(crash, GPUCODE_CRASH_WITHOUT_PROCESS, &bytes, &size);
        if (status == GPUCODE_OK)
            tell(NULL, bytes, size);
        free(bytes);
        bytes = NULL;
        if (status == GPUCODE_OK)
            status = gpucode_crash_streams(crash, &bytes, &size);
        if (status == GPUCODE_OK)
            tell(NULL, bytes, size);
        free(bytes);
        gpucode_crash_free(crash);
    }
    return status;
}

static enum gpucode_status streams(void)
{
    static const char *const queries[] = {"RB_CNTL.BINW", "CP_*"};
    struct gpucode_stream *stream = NULL;
    enum gpucode_status status = gpucode_stream_open(inputs.recording, inputs.recording_size, NULL, &stream);
    for (unsigned i = 0; status == GPUCODE_OK && i < 8; i++) {
        struct gpucode_stream_decode_options options = {
            .target = gpucode_stream_target(stream),
            .shaders = gpucode_target_find("ir3:a6xx"),
            .shown = i == 0 ? GPUCODE_DECODE_PACKETS | GPUCODE_DECODE_WRITES | GPUCODE_DECODE_TEXTURES |
                                  GPUCODE_DECODE_CONSTANTS | GPUCODE_DECODE_SHADERS | GPUCODE_DECODE_VERTICES
                     : i == 1 ? GPUCODE_DECODE_DRAWS | GPUCODE_DECODE_ALL | GPUCODE_DECODE_MARKS
                     : i == 2 ? GPUCODE_DECODE_SHADER_LIST | GPUCODE_DECODE_SHADER_CODE
                              : 0};
        if (i == 3) {
            options.queries = queries;
            options.query_count = 2;
        }
        struct gpucode_answer *answer = gpucode_answer_create();
        if (!answer)
            status = GPUCODE_ERROR_MEMORY;
        else if (i < 4)
            status = gpucode_stream_decode(stream, &options, answer, NULL);
        else if (i == 4)
            status = gpucode_stream_decode_lint(stream, &options, answer, NULL, &(size_t){0});
        else if (i == 5)
            status = gpucode_stream_decode_where(stream, &options, 0x102000, 16, answer, NULL, &(size_t){0});
        else if (i == 6)
            status = gpucode_stream_decode_compare_draws(stream, &options, 0, 2, answer, NULL, &(bool){false});
        else
            status = gpucode_stream_time_line(stream, &options, &(struct gpucode_time_line_options){.unit = "words"},
                                              answer, NULL);
        status = show(answer, status);
    }
    if (status == GPUCODE_OK)
        status = gpucode_stream_source(stream, &(struct gpucode_stream_source_options){.family = 6}, tell, NULL);
    gpucode_stream_free(stream);
    return status;
}

static enum gpucode_status encoded(void)
{
    void *bytes = NULL;
    size_t size = 0;
    enum gpucode_status status = gpucode_stream_encode(inputs.lines, strlen(inputs.lines), NULL, &bytes, &size);
    if (status == GPUCODE_OK)
        tell(NULL, bytes, size);
    free(bytes);
    return status;
}

static void tell_finding(void *user, const struct gpucode_finding *finding)
{
    char line[400];
    int length = snprintf(line, sizeof line, "%s %llu %s %s\n", finding->code, (unsigned long long)finding->unit,
                          finding->message, finding->fix ? finding->fix : "");
    tell(user, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

static enum gpucode_status findings(void)
{
    const char *const texts[] = {inputs.firmware, inputs.shader, inputs.script, inputs.macros};
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 4; i++) {
        struct code code;
        status = open_code(texts[i], i == 3 ? "mme:fermi" : NULL, &code);
        if (status == GPUCODE_OK)
            status = gpucode_lint(code.image, &(struct gpucode_lint_options){.report = tell_finding}, NULL);
        close_code(&code);
    }
    return status;
}

static enum gpucode_status schedules(void)
{
    struct code code;
    struct gpucode_scheduled scheduled = {0};
    enum gpucode_status status = open_code(inputs.shader, NULL, &code);
    if (status == GPUCODE_OK)
        status = gpucode_schedule(code.image, NULL, &scheduled);
    if (status == GPUCODE_OK) {
        tell(NULL, (const char *)scheduled.bytes, scheduled.size);
        gpucode_scheduled_free(&scheduled);
    }
    close_code(&code);
    return status;
}

static enum gpucode_status elf_files(void)
{
    struct code code;
    struct gpucode_elf_code found = {0};
    void *file = NULL;
    size_t size = 0;
    enum gpucode_status status = open_code(inputs.firmware, NULL, &code);
    if (status == GPUCODE_OK)
        status = gpucode_elf_write(code.program, "file", &file, &size);
    if (status == GPUCODE_OK) {
        tell(NULL, file, size);
        status = gpucode_elf_read(file, size, "file", NULL, &found);
    }
    if (status == GPUCODE_OK)
        tell(NULL, (const char *)found.bytes, found.size);
    free(found.bytes);
    free(file);
    close_code(&code);
    return status;
}

/* A session with a point that has a condition, and a value. */
static enum gpucode_status sessions(void)
{
    const char *const texts[] = {inputs.script, inputs.shader, inputs.macros, inputs.firmware};
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 4; i++) {
        struct code code;
        struct gpucode_machine *machine = NULL;
        struct gpucode_debug *debug = NULL;
        struct gpucode_value value = {0};
        struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE};
        status = open_code(texts[i], i == 2 ? "mme:fermi" : NULL, &code);
        if (status == GPUCODE_OK)
            status = gpucode_machine_create(code.image, NULL, &machine);
        if (status == GPUCODE_OK)
            status = gpucode_debug_create(machine, NULL, &debug);
        if (status == GPUCODE_OK)
            status = gpucode_debug_add(debug, &breakpoint);
        if (status == GPUCODE_OK)
            status = gpucode_debug_condition(debug, breakpoint.number, "1 == 2");
        if (status == GPUCODE_OK)
            status = gpucode_debug_evaluate(debug, "1 + $pc", 7, false, (struct gpucode_diagnostic_handler){0}, &value);
        if (status == GPUCODE_OK)
            tell(NULL, (const char *)&value.number, sizeof value.number);
        gpucode_debug_free(debug);
        gpucode_machine_free(machine);
        close_code(&code);
    }
    return status;
}

static const struct call own_calls[] = {{"reports", reports},   {"changes", changes},   {"shaders", shaders},
                                        {"outlines", outlines}, {"crashes", crashes},   {"streams", streams},
                                        {"encoded", encoded},   {"findings", findings}, {"schedules", schedules},
                                        {"elf", elf_files},     {"sessions", sessions}, {NULL, NULL}};

/* --- trying ------------------------------------------------------------------------------------------------------- */

static unsigned long run(const struct call *call, unsigned long fail_at, bool goes_on, enum gpucode_status *status,
                         long *kept)
{
    told = fail_at ? &now : &right;
    told->length = 0;
    allocation_begin(fail_at, goes_on);
    *status = call->call();
    return allocation_end(kept);
}

static unsigned try_call(const struct call *call)
{
    enum gpucode_status status;
    long kept;
    unsigned wrong = 0;
    unsigned long count = run(call, 0, false, &status, &kept);
    unsigned long step = getenv("GPUCODE_LONG_TESTS") ? 1 : count / TRIES + 1;
    if (status != GPUCODE_OK || kept || !right.length || !count) {
        printf("FAILED: %s: status %d, %ld not freed, %zu characters\n", call->name, (int)status, kept, right.length);
        return 1;
    }
    for (unsigned long at = 1; at <= count && wrong < 10; at += step)
        for (int on = 0; on < 2; on++) {
            run(call, at, on, &status, &kept);
            bool same =
                status == GPUCODE_OK && now.length == right.length && memcmp(now.text, right.text, right.length) == 0;
            if (kept || (status != GPUCODE_ERROR_MEMORY && !same)) {
                printf("FAILED: %s: allocation %lu of %lu%s: status %d, %ld not freed%s\n", call->name, at, count,
                       on ? " and all after it" : "", (int)status, kept, same ? "" : ", another answer");
                wrong++;
            }
        }
    printf("%s: %lu allocations, each %luth failed\n", call->name, count, step);
    return wrong;
}

int main(int argc, char **argv)
{
    size_t size;
    unsigned wrong = 0;
    if (argc < 2)
        return 2;
    inputs.firmware = read_file(argv[1], "tests/report/old.asm", &size);
    inputs.changed =
        with(with(inputs.firmware, "sub $04, $04, 0x1", "sub $04, $04, 0x2"), "CP_NOP:", "CP_NOP:\n    mov $15, 0x1");
    inputs.shader = read_file(argv[1], "tests/report/shader.asm", &size);
    inputs.other_shader = with(inputs.shader, "r1.x, 4", "r1.x, 5");
    inputs.script = read_file(argv[1], "tests/report/script.hwsq", &size);
    inputs.macros = read_file(argv[1], "tests/report/macros.mme", &size);
    inputs.lines = read_file(argv[1], "tests/memory/recording.txt", &size);
    inputs.dump = read_file(argv[1], "fuzz/corpus/crash/a6xx.devcore", &inputs.dump_size);
    inputs.log = read_file(argv[1], "tests/gpu/msm.log", &inputs.log_size);
    inputs.xml = read_file(argv[1], "tests/xml/own.xml", &inputs.xml_size);
    inputs.work = read_file(argv[1], "fuzz/corpus/crash/work.devcore", &inputs.work_size);
    if (gpucode_stream_encode(inputs.lines, strlen(inputs.lines), NULL, &inputs.recording, &inputs.recording_size) !=
        GPUCODE_OK)
        return 2;
    const struct call *const groups[] = {own_calls, reading_calls, running_calls};
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++)
        for (const struct call *call = groups[i]; call->name; call++)
            if (argc < 3 || strcmp(argv[2], call->name) == 0)
                wrong += try_call(call);
    return wrong > 0;
}
