/* SPDX-License-Identifier: MIT */
/* gpucode info: how a file is divided, and how we know. */
#include "front/info.h"
#include "front/answer.h"
#include "front/code.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/report.h"
#include "front/session.h"
#include "front/understood.h"
#include "kit/kit.h"

/* What the set has to tell at one of the places for it. Returns an exit code. */
static int tell_of_set(struct session *session, const struct info_view *view, struct report *report,
                       enum info_part part)
{
    const struct kit *kit = kit_of(view->info->target);
    return kit && kit->info ? kit->info(session, view, report, part) : EXIT_DONE;
}

static int tell_of_file(struct session *session, const struct info_view *view, struct report *report)
{
    const struct gpucode_image_info *info = view->info;
    report_string(report, "file", NULL, view->file);
    report_heading(report, view->file);
    report_string(report, "format", "  format        %s, ", info->format);
    report_string(report, "layout", "%s\n", info->layout);
    report_string(report, "target", "  target        %s", gpucode_target_name(info->target));
    report_text(report, " (%s)%s\n", gpucode_target_description(info->target), info->target_given ? ", given" : "");
    report_string(report, "target_source", NULL, info->target_given ? "given" : "found");
    report_number(report, "size_bytes", "  size          %s bytes", view->size);
    int code = tell_of_set(session, view, report, INFO_SIZE);
    report_number(report, "tail_bytes", info->tail ? ", %s bytes behind the last whole one" : NULL, info->tail);
    report_text(report, "\n");
    return code ? code : tell_of_set(session, view, report, INFO_HEAD);
}

static void tell_facts(const struct info_view *view, struct report *report)
{
    const struct gpucode_image_info *info = view->info;
    if (info->fact_count)
        report_heading(report, "facts");
    report_array(report, "facts");
    for (unsigned i = 0; i < info->fact_count; i++) {
        report_object(report, NULL);
        report_string(report, "name", "  %s: ", info->facts[i].name);
        report_string(report, "value", "%s ", info->facts[i].value);
        report_string(report, "source", "(%s)\n", info->facts[i].source);
        report_end(report);
    }
    report_end(report);
}

static int tell_all(struct session *session, const struct info_view *view)
{
    struct report report = report_begin(session);
    int code = tell_of_file(session, view, &report);
    tell_facts(view, &report);
    if (!code)
        code = tell_of_set(session, view, &report, INFO_BODY);
    report_end(&report);
    return code;
}

/* --privileges and --calls. */
static int tell_of_analysis(struct session *session, const struct understood *understood)
{
    struct gpucode_answer *answer = answer_begin(session);
    bool privileges = arguments_have(&session->arguments, OPTION_PRIVILEGES);
    const struct gpucode_subject subject = privileges ? understood->subject : understood_listed(understood);
    enum gpucode_status status = (privileges ? gpucode_report_privileges : gpucode_report_calls)(&subject, answer);
    int code = answer_end(session, answer);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_NO_LEVELS, understood->input->file.name, NULL,
                        gpucode_target_name(understood->input->target));
    return code || status == GPUCODE_OK ? code : code_status(session, understood->input->file.name, status);
}

static int tell_file(struct session *session)
{
    if (arguments_have(&session->arguments, OPTION_PRIVILEGES) || arguments_have(&session->arguments, OPTION_CALLS))
        return understood_first(session, tell_of_analysis);
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct code opened;
    int code = code_open(session, session->arguments.operands[0], &opened);
    if (code)
        return code;
    struct info_view view = {
        .image = opened.image,
        .info = gpucode_image_info(opened.image),
        .file = opened.file.name,
        .size = opened.file.size,
    };
    code = registers_load(session, view.info->target, &registers);
    if (!code)
        code = symbols_load(session, view.info->target, registers_names(registers), &symbols);
    if (!code)
        code = symbols_bind(session, symbols, NULL, opened.image, view.file);
    view.names = symbols_names(symbols, registers_names(registers));
    view.symbols = symbols;
    if (!code)
        code = tell_all(session, &view);
    gpucode_symbols_free(symbols);
    registers_free(registers);
    code_close(&opened);
    return code;
}

int command_info(struct session *session)
{
    return fleet_command(session, tell_file, false);
}
